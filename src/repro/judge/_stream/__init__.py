"""A report on a stream: its learners, labels and drift, and words."""

__all__: list[str] = []
