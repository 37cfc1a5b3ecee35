"""The runner: notebooks with their parameters, executed whole or not at all."""

__all__: list[str] = []
