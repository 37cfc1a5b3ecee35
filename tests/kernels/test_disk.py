"""Compiled kernels on disk: damaged files, folders that others can write to, no room."""

import os
import random
import subprocess
import sys
from collections import namedtuple
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace

import pytest

from repro.kernels import disk, mode
from repro.kernels.compiling import all_ours
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


def flipped(content, rng):
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)


def cut(content, rng):
    del content[rng.randrange(1, len(content)) :]


def replaced(content, rng):
    content[:] = b"\n"


def misplaced(content, rng):
    """Bytes that are all there, in another order."""
    content[DIGEST:] = content[DIGEST:][::-1]


@pytest.mark.parametrize("damages", [(flipped, cut), (replaced, misplaced)])
def test_damaged_files_are_compiled_again(filled, damages):
    folder, printed = filled
    rng = random.Random(5)
    damaged = {}
    for path, damage in zip(files(folder), cycle(damages), strict=False):
        content = bytearray(path.read_bytes())
        damage(content, rng)
        path.write_bytes(content)
        damaged[path] = content
    again, said = run(folder)
    lines = [line for line in said.splitlines() if "compiling kernels" not in line]
    assert again == printed
    assert all(line.endswith("is damaged; compiling it again") for line in lines)
    assert {line.split()[1] for line in lines} == {path.name for path in damaged}
    assert all(path.read_bytes() != content for path, content in damaged.items())
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


def test_a_folder_is_made_with_those_above(filled, tmp_path):
    _, printed = filled
    deep = tmp_path / "a" / "b" / "c"
    assert run(deep)[0] == printed
    assert files(deep)
    assert run(deep) == (printed, "")


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


def a_of(state):
    return state.a


def test_states_of_the_same_name_have_code_of_their_own(tmp_path, monkeypatch):
    """numba calls both types by the name of the class and the types of its fields."""
    for module, names in {"repro.one": "a b", "repro.two": "b a"}.items():
        kind = namedtuple("State", names, module=module)
        monkeypatch.setitem(sys.modules, module, SimpleNamespace(State=kind))
        for _ in range(2):  # compiled, then loaded
            kernel = disk.jitted(a_of, {"nopython": True}, folder=tmp_path, accepts=all_ours)
            state = kind(1.0, 2.0)
            assert kernel(state) == state.a
    assert len(list(tmp_path.glob(f"*{SUFFIX}"))) == 1
