"""Parts of `tests/fuzz.py`: the public surface, arguments, chains of calls and their verdicts."""
