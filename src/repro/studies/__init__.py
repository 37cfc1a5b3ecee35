"""Runs: what a result depends on, where it is stored, and who computes it."""

__all__: list[str] = []
