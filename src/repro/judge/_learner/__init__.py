"""A report on learners: runs, tables, sections and words."""

__all__: list[str] = []
