"""What `tests/fuzz.py` is made of: the public surface, values, calls and their verdicts."""
