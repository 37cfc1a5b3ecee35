"""Compiled code: compilation, dispatch by the type of a state, stacked states, random numbers."""

__all__: list[str] = []
