"""Damaged files give a result or a clear error, and the fuzzer knows one from the other."""

from __future__ import annotations

import random
import zlib
from collections import Counter

import fuzz_files
import pytest

from repro._reading import reading


def test_damaged_files_give_no_raw_error():
    seen, found = fuzz_files.fuzzed(calls=400, seed=11, quiet=True)
    assert found == {}
    every = sum(seen.values(), Counter())
    assert min(every["results"], every["errors"]) > 100
    assert all(counts.total() > 10 for counts in seen.values())


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (zlib.error("Error -3"), "zlib.error is raised"),
        (KeyError("name"), "builtins.KeyError is raised"),
        (ValueError(" "), "there is no message"),
        (ValueError("Error tokenizing data. C error: x"), "the message is of another library"),
        (ValueError("path must be a table; got a.csv: Error tokenizing data"), ""),
        (ValueError("label must name a column; got 'z'"), ""),
    ],
)
def test_a_raw_error_is_told_from_a_clear_one(tmp_path, error, why):
    (tmp_path / "a.csv").touch()
    assert fuzz_files.raw(error, tmp_path).startswith(why)
    assert bool(fuzz_files.raw(error, tmp_path)) == bool(why)


def test_whole_files_are_read_and_damage_changes_them(tmp_path):
    """Not a test for each reader: whoever collects tests would write all these files."""
    for number, reader in enumerate(r for r in fuzz_files.readers() if r.name != "command"):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in reader.content.items():
            (folder / name).write_bytes(content)
        assert reader.read(folder) is not None, reader.name
        for seed in range(20):
            rng = random.Random(seed)
            content = rng.choice([*reader.content.values()])
            assert isinstance(fuzz_files.damaged(content, rng), bytes)


def test_an_error_of_another_library_names_the_file(tmp_path):
    with (
        pytest.raises(ValueError, match=r"source must be a log; got .*a\.csv: Error -3 of a file$"),
        reading(tmp_path / "a.csv", name="source", what="a log"),
    ):
        raise zlib.error("Error -3\n of  a file")
    with (
        pytest.raises(ValueError, match=r"source must be a log; got .*a\.csv: EOFError$"),
        reading(tmp_path / "a.csv", name="source", what="a log"),
    ):
        raise EOFError


@pytest.mark.parametrize("kind", [MemoryError, ImportError, KeyboardInterrupt])
def test_what_is_not_of_the_file_stays(tmp_path, kind):
    with pytest.raises(kind), reading(tmp_path / "a.csv", name="source", what="a log"):
        raise kind("x")


def test_errors_of_this_package_stay(tmp_path):
    from repro.metrics import kappa

    with (
        pytest.raises(ValueError, match="y_pred"),
        reading(tmp_path / "a.csv", name="source", what="a log"),
    ):
        kappa([0, 1], [0])
