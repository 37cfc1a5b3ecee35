"""Parts of `tests/torture.py`: what is run, and how it is killed, damaged and hindered."""
