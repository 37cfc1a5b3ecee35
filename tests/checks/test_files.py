"""Files are written whole or not at all, and to paths that can be."""

from __future__ import annotations

import errno
import os

import pytest

from repro import _files
from repro._checks import as_path


def half_written(path, code):
    with _files.replacing(path) as temporary:
        temporary.write_text("ne")
        raise OSError(code, os.strerror(code))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_an_error_of_the_disk_names_the_file_and_leaves_it_as_it_was(tmp_path, code):
    path = tmp_path / "table.csv"
    path.write_text("old")
    with pytest.raises(OSError, match=r"table\.csv") as caught:
        half_written(path, code)
    assert (caught.value.errno, caught.value.filename) == (code, str(path))
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"]
    assert path.read_text() == "old"


def test_an_error_that_names_a_file_or_is_of_no_disk_stays_as_it_is(tmp_path):
    path = tmp_path / "table.csv"
    with pytest.raises(FileNotFoundError, match="elsewhere"), _files.replacing(path):
        (tmp_path / "elsewhere").read_text()
    with pytest.raises(OSError, match="no answer") as caught, _files.replacing(path):
        raise OSError("no answer")
    assert caught.value.filename is None


@pytest.mark.parametrize("text", ["", "a\0b", "a\ud800b", "a" * 256])
def test_a_text_that_no_file_can_have_as_its_path_is_refused(text):
    with pytest.raises(ValueError, match=r"^cache must be the path of a file"):
        as_path(text, name="cache")
