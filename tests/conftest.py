"""Settings of all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# The first example may compile a kernel, so none has a deadline; CI draws the same ones each time.
settings.register_profile("repro", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("repro")
