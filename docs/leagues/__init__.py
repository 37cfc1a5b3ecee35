"""The leagues of learners and of detectors: who takes part, the runs, and the page."""
