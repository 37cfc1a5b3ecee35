"""Compiled code: how kernels are compiled, found by the type of a state, stacked and seeded."""

__all__: list[str] = []
