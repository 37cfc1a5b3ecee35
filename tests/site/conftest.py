"""The built site, for all tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from repro import _folders
from repro.runner.locks import alone

# As a module with doctests it would have the name of notebooks/conftest.py.
collect_ignore = ["conftest.py"]

ROOT = _folders.need_checkout()
sys.path.insert(0, str(ROOT / "docs"))


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built without a warning, once for all processes of a test run."""
    work = ROOT / "build" / "site-work"
    run, note = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid())), work / "tested"
    with alone(work / "test-lock", lambda: None):
        if not note.is_file() or note.read_text() != run:
            command = [sys.executable, str(ROOT / "docs" / "build_site.py")]
            built = subprocess.run(command, capture_output=True, text=True, check=False)
            assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-4000:]
            note.write_text(run)
    return ROOT / "build" / "site"
