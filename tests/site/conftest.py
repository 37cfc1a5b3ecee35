"""The built site, for all tests of this folder; they stand in one process after the other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from repro import _folders

ROOT = _folders.need_checkout()
sys.path.insert(0, str(ROOT / "docs"))


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built without a warning."""
    command = [sys.executable, str(ROOT / "docs" / "build_site.py")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-4000:]
    return ROOT / "build" / "site"
