"""Processes that need the same code take turns."""

import subprocess
import sys

import pytest

from repro.kernels import turns
from repro.kernels.turns import turn

HOLDER = """
import sys, time
from pathlib import Path
from repro.kernels.turns import turn
with turn(Path(sys.argv[1]), "a"):
    print("in", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "in\n"
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def waits(monkeypatch):
    """Grows with each wait for a turn."""
    found = []
    monkeypatch.setattr(turns, "LONGEST", 0.3)
    monkeypatch.setattr(turns, "sleep", found.append)
    return found


def test_a_turn_waits_for_the_same_name_only(tmp_path, holder, waits):
    with turn(tmp_path, "b"):
        assert not waits
    with turn(tmp_path, "a"):  # after LONGEST, as if the other process were suspended
        assert waits
    holder.communicate("\n")
    waits.clear()
    with turn(tmp_path, "a"):
        assert not waits


def test_a_killed_process_gives_up_its_turn(tmp_path, holder, waits):
    holder.kill()
    holder.wait()
    with turn(tmp_path, "a"):
        assert not waits


def test_without_a_folder_to_write_to_nobody_waits(tmp_path, waits):
    (tmp_path / "file").write_text("")
    with turn(tmp_path / "file", "a"):
        assert not waits
