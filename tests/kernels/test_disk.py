"""Compiled kernels on disk: damaged files, folders that others can write to, no room."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from repro.kernels import mode
from repro.kernels.disk import DIGEST, SUFFIX

pytestmark = pytest.mark.skipif(not mode.LINKED, reason="plain kernels are not stored")

CODE = """
import numpy as np
from repro.detectors import PageHinkley
losses = np.random.default_rng(3).random(9000) < np.repeat([0.1, 0.4, 0.2], 3000)
print(PageHinkley(0.01, 20.0).alarms(losses.astype(float)))
"""


def run(folder):
    """What a process prints, and says on stderr, that keeps its kernels in `folder`."""
    variables = {"REPRO_CACHE": str(folder), "REPRO_PROGRESS": "1"}
    kept = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], env=kept | variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with compiled kernels, and the number that they compute."""
    folder = tmp_path_factory.mktemp("cache")
    printed, said = run(folder)
    assert "compiling kernels" in said
    return folder, printed


def files(folder):
    return sorted(Path(folder).glob(f"kernels-*/*{SUFFIX}"))


def test_a_second_process_compiles_nothing(filled):
    folder, printed = filled
    before = {path: path.stat().st_mtime_ns for path in files(folder)}
    assert len(before) > 1
    assert run(folder) == (printed, "")
    assert {path: path.stat().st_mtime_ns for path in files(folder)} == before


@pytest.mark.parametrize("damage", ["a bit", "its end", "everything", "other code"])
def test_a_damaged_file_is_compiled_again(filled, damage):
    folder, printed = filled
    rng = random.Random(damage)
    for path in files(folder):
        content = bytearray(path.read_bytes())
        if damage == "a bit":
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        elif damage == "its end":
            del content[rng.randrange(1, len(content)) :]
        elif damage == "everything":
            content = bytearray(b"\n")
        else:  # which is whole, but no longer where it belongs
            content[DIGEST:] = content[DIGEST:][::-1]
        path.write_bytes(content)
    damaged = {path: path.read_bytes() for path in files(folder)}
    again, said = run(folder)
    lines = said.splitlines()
    assert again == printed
    assert lines.pop(next(i for i, line in enumerate(lines) if "compiling kernels" in line))
    assert lines
    assert all(line.endswith("is damaged; compiling it again") for line in lines)
    mended = [path for path, content in damaged.items() if path.read_bytes() != content]
    assert {line.split()[1] for line in lines} == {path.name for path in mended}
    assert run(folder) == (printed, "")


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_a_folder_that_others_can_write_to_is_not_used(filled):
    folder, printed = filled
    (kernels,) = Path(folder).glob("kernels-*")
    mode_before = kernels.stat().st_mode
    kernels.chmod(0o777)
    try:
        again, said = run(folder)
    finally:
        kernels.chmod(mode_before)
    assert again == printed
    assert "others can write to it; each process compiles them" in said


def test_without_a_folder_each_process_compiles(filled, tmp_path):
    (tmp_path / "file").write_text("")
    again, said = run(tmp_path / "file" / "cache")
    assert again == filled[1]
    assert "are not stored in" in said
    assert "each process compiles them" in said


def test_a_name_tells_processors_and_arguments_apart(filled):
    names = [path.name for path in files(filled[0])]
    assert len(set(names)) == len(names)
    assert all(name.startswith("repro.") for name in names)
