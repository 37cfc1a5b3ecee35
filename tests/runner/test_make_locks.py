"""One process at a time works on a file or folder, also where there is no cache."""

from __future__ import annotations

import multiprocessing
import time

import pytest

from repro import _files, _locks


@pytest.mark.parametrize("cache", ["folder", "file", "missing"])
def test_a_lock_needs_no_cache(tmp_path, monkeypatch, cache):
    place = tmp_path / "cache"
    if cache == "file":
        place.write_text("not a folder")
    elif cache == "folder":
        place.mkdir()
    monkeypatch.setenv("REPRO_CACHE", str(place))
    work = tmp_path / "work"
    lock = _locks.lock_of(work)
    assert lock == _locks.lock_of(work / "." / ".." / "work")
    assert (lock == tmp_path / ".work.lock") == (cache == "file")
    waited = []
    with _locks.alone(lock, lambda: waited.append(1)):
        context = multiprocessing.get_context("spawn")
        other = context.Process(target=wait, args=(lock, tmp_path / "said"))
        other.start()
        until = time.monotonic() + 60
        while not (tmp_path / "said").exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert (tmp_path / "said").read_text() == "waiting"
        other.kill()
        other.join()
    assert waited == []


def wait(lock, said):
    with _locks.alone(lock, lambda: _files.write(said, b"waiting")):
        _files.write(said, b"got it")
