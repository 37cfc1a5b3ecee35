"""A report on drift detectors: runs, measures, tables and words."""

__all__: list[str] = []
