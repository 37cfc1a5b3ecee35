"""Running notebooks with their parameters: results of a whole run are published, or none."""

__all__: list[str] = []
