"""The parts of a report on a log of predictions."""

__all__: list[str] = []
