"""Downloads are resumed, verified and never partial, and no wrong file is read."""

from __future__ import annotations

import builtins
import errno
import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest
from toy_data import ROWS, TEXT, TOY, address, house, server, sha256, toml, zipped

from repro import _locks, data_sets, streams
from repro.__main__ import main
from repro.data_sets import _downloads

NOISE = np.random.default_rng(3).bytes(300_000)
LONG = TEXT + b"# " + NOISE.hex().encode() + b"\n"  # several blocks of a download
ARCHIVE = zipped(**{"data/toy.data": ROWS, "../evil": b"evil"})


@pytest.fixture
def home(tmp_path, monkeypatch):
    with house(tmp_path, monkeypatch) as place:
        monkeypatch.delenv("REPRO_OFFLINE")
        yield place


@pytest.fixture
def net():
    with server() as state:
        yield state


@pytest.fixture
def big(home, net):
    """One address, of a file in several blocks (its text is no table: it is only fetched)."""
    data = gzip.compress(LONG, mtime=0)
    net.pages["toy.csv.gz"] = data
    facts = {"sha256": sha256(data), "content": sha256(LONG), "content_size": len(LONG)}
    home.write(toml(address(net.url("toy.csv.gz"), sha256=sha256(data)), **facts))
    return data


def parts(home):
    return [name for name in home.files() if ".part" in name]


def test_a_missing_set_is_fetched_once_and_read(home, net):
    net.pages["toy.csv.gz"] = TOY
    home.write(toml(address(net.url("toy.csv.gz"))))
    assert streams.load("toy").y.tolist() == [1, 0, 1, 0]
    assert streams.load("toy").y.tolist() == [1, 0, 1, 0]
    assert net.asked == [("toy.csv.gz", "")]
    assert data_sets.locate("toy") == (home.cache / "toy.csv.gz",)
    files = home.files()
    assert files.pop("user/data/toy.csv.gz") == TOY
    assert [name.startswith("cache/data/toy-") for name in files] == [True]


@pytest.mark.parametrize(
    ("page", "data", "keys"),
    [
        ("toy.zip", ARCHIVE, {"member": "data/toy.data", "rows_after": ""}),
        ("toy.data", ROWS, {"rows_after": ""}),
        ("toy.gz", gzip.compress(TEXT, 1, mtime=3), {}),
    ],
)
def test_other_formats_are_converted_and_no_archive_is_unpacked_to_disk(
    home, net, page, data, keys
):
    net.pages[page] = data
    home.write(toml(address(net.url(page), sha256=sha256(data), **keys)))
    data_sets.fetch("toy")
    files = home.files()
    assert list(files) == ["user/data/toy.csv.gz"]
    assert gzip.decompress(files["user/data/toy.csv.gz"]) == TEXT
    data_sets.verify("toy")


def test_the_next_address_is_tried_after_a_wrong_one(home, net):
    net.pages |= {"wrong": TOY[:-1], "other": gzip.compress(b"other", mtime=0), "right": TOY}
    pages = ["absent", "wrong", "other", "right"]
    home.write(toml("".join(address(net.url(page)) for page in pages)))
    data_sets.fetch("toy")
    assert [path for path, _ in net.asked] == pages
    assert home.files() == {"user/data/toy.csv.gz": TOY}


@pytest.mark.parametrize("sum_known", [True, False])
@pytest.mark.parametrize(
    "wrong", [b"", b"<html>", TOY[:-9], gzip.compress(b"x", mtime=0), TOY + b"x"]
)
def test_a_download_with_another_checksum_leaves_nothing(home, net, wrong, sum_known):
    net.pages["toy.csv.gz"] = wrong
    keys = {"sha256": sha256(TOY)} if sum_known else {}
    home.write(toml(address(net.url("toy.csv.gz"), **keys)))
    with pytest.raises(data_sets.DataNotFound, match=f"tried:\n{net.url('toy.csv.gz')}: "):
        streams.load("toy")
    assert home.files() == {}


def test_offline_no_request_is_sent(home, net, monkeypatch):
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    home.write(toml(address(net.url("toy.csv.gz"))))
    with pytest.raises(data_sets.DataNotFound, match="REPRO_OFFLINE is set: no downloads"):
        data_sets.fetch("toy")
    assert net.asked == []


def test_a_broken_download_is_continued(home, net, big):
    net.cut["toy.csv.gz"] = 200_000
    with pytest.raises(data_sets.DataNotFound, match=r"toy\.csv\.gz: "):
        data_sets.fetch("toy")
    (part,) = parts(home)
    assert list(home.files()) == [part]
    assert not data_sets.available("toy")
    got = len(home.files()[part])
    assert 0 < got <= 200_000
    net.cut.clear()
    data_sets.fetch("toy")
    assert net.asked == [("toy.csv.gz", ""), ("toy.csv.gz", f"bytes={got}-")]
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_an_interrupted_download_is_continued_and_not_read(home, net, big, monkeypatch, capsys):
    class Impatient:
        def __init__(self, iterable, **options):
            assert (options["total"], options["initial"]) == (len(big), 0)

        def __enter__(self):
            return self

        def __exit__(self, *arguments):
            pass

        def update(self, n):
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(_downloads, "progress", Impatient)
        assert main(["data", "fetch", "toy"]) == 130
    (part,) = parts(home)
    assert part.endswith(".part")  # without the number of a process, so any process may continue it
    assert list(home.files()) == [part]
    data_sets.fetch("toy")
    assert net.asked[1][1].startswith("bytes=6")  # after the first block of 65 536
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_a_part_of_another_version_is_discarded(home, net, big):
    """Continued, it has the wrong checksum; then the download starts again."""
    net.cut["toy.csv.gz"] = 100_000
    with pytest.raises(data_sets.DataNotFound):
        data_sets.fetch("toy")
    net.cut.clear()
    (name,) = parts(home)
    part = home.root / name
    part.write_bytes(b"?" * part.stat().st_size)
    data_sets.fetch("toy")
    assert [wanted != "" for _, wanted in net.asked] == [False, True, False]
    assert home.files() == {"user/data/toy.csv.gz": big}


@pytest.mark.parametrize("size", [0, 1])
def test_a_part_that_is_too_long_is_discarded(home, net, big, size):
    net.cut["toy.csv.gz"] = 100_000
    with pytest.raises(data_sets.DataNotFound):
        data_sets.fetch("toy")
    net.cut.clear()
    (name,) = parts(home)
    (home.root / name).write_bytes(big + bytes(size))
    data_sets.fetch("toy")
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_a_server_may_send_the_whole_file_again(home, net, big):
    net.cut["toy.csv.gz"] = 100_000
    with pytest.raises(data_sets.DataNotFound):
        data_sets.fetch("toy")
    net.cut.clear()
    net.ranges = False
    data_sets.fetch("toy")
    assert len(net.asked) == 2
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_two_processes_download_one_after_the_other(home, net, big):
    """The second one waits, and finds the file of the first."""
    waiting, home_lock = threading.Event(), home.cache / ".lock"

    def said(*words, **options):
        assert words == (f"repro: waiting for another download to {home.cache}",)
        waiting.set()

    other = threading.Thread(target=data_sets.fetch, args=["toy"])
    with pytest.MonkeyPatch.context() as patch, _locks.alone(home_lock, pytest.fail):
        patch.setattr(_downloads, "print", said, raising=False)
        other.start()
        assert waiting.wait(60)
        assert net.asked == []
        (home.cache / "toy.csv.gz").write_bytes(big)
    other.join()
    assert net.asked == []
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_parts_of_addresses_that_failed_are_removed(home, net, big):
    net.pages["other.gz"] = big
    home.write(
        toml(
            address(net.url("toy.csv.gz")) + address(net.url("other.gz")),
            **{"sha256": sha256(big), "content": None, "content_size": 10**7},
        )
    )
    net.cut["toy.csv.gz"] = 1000
    data_sets.fetch("toy")
    assert len(net.asked) == 2
    assert home.files() == {"user/data/toy.csv.gz": big}


@pytest.mark.parametrize("url", ["http://example.org/a.gz", "ftp://example.org/a", "a.gz", "//a/b"])
def test_addresses_that_others_can_change_on_the_way_are_refused(home, url):
    home.write(toml(address(url)))
    with pytest.raises(ValueError, match="url must begin with https://") as caught:
        data_sets.names()
    assert repr(url) in str(caught.value)


def test_a_set_without_a_licence_is_fetched_only_if_somebody_wants_it(home, net, big, monkeypatch):
    asked = []
    text = (home.raw.parent / "sources.toml").read_text().replace("none needed", "none stated")
    home.write(text)

    def answered(text):
        monkeypatch.setattr("sys.stdin.isatty", lambda: text is not None, raising=False)
        monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or text)

    def closed(prompt):
        raise EOFError

    for answer in (None, "", "n"):
        answered(answer)
        assert main(["data", "fetch", "toy"]) == 1
    assert len(asked) == 2
    assert net.asked == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", closed)
        assert main(["data", "fetch", "toy"]) == 1
    answered("Y")
    assert main(["data", "fetch", "toy"]) == 0
    assert len(net.asked) == 1
    answered(None)  # it is there: nobody is asked
    assert main(["data", "fetch", "toy"]) == 0
    (home.cache / "toy.csv.gz").unlink()
    assert main(["data", "fetch", "--yes", "toy"]) == 0
    assert len(asked) == 3


def test_a_library_call_says_that_there_is_no_licence(home, net, big, capsys):
    home.write((home.raw.parent / "sources.toml").read_text().replace("none needed", "none stated"))
    data_sets.fetch("toy")
    assert "repro: downloading toy; its licence: none stated\n" in capsys.readouterr().err


def test_a_full_disk_during_the_download_leaves_no_file(home, net, big, monkeypatch):
    class Full:
        def __init__(self, path, mode):
            self.file = builtins.open(path, mode)  # noqa: SIM115

        def __enter__(self):
            return self

        def __exit__(self, *arguments):
            self.file.close()

        def write(self, data):
            self.file.write(data[:1000])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(_downloads, "open", Full, raising=False)
        with pytest.raises(OSError, match="No space left") as caught:
            data_sets.fetch("toy")
    assert net.url("toy.csv.gz") in "".join(caught.value.__notes__)
    assert home.files() == {}
    data_sets.fetch("toy")
    assert home.files() == {"user/data/toy.csv.gz": big}


def test_a_full_disk_while_our_format_is_written_leaves_no_file(home, net, monkeypatch):
    net.pages["toy.data"] = ROWS
    home.write(toml(address(net.url("toy.data"), rows_after="")))

    def full(path, data):
        with open(path, "wb") as file:
            file.write(data[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left"):
            streams.load("toy")
        assert main(["data", "fetch", "toy"]) == 1
    assert home.files() == {}
    assert streams.load("toy").y.tolist() == [1, 0, 1, 0]


def test_a_cache_that_cannot_be_made_is_reported(home, net, capsys):
    home.cache.parent.write_bytes(b"a file where the folder should be")
    net.pages["toy.csv.gz"] = TOY
    home.write(toml(address(net.url("toy.csv.gz"))))
    assert main(["data", "fetch", "toy"]) == 1
    assert "toy: FAILED: " in capsys.readouterr().err


def test_a_damaged_file_in_the_cache_is_fetched_again(home, net, monkeypatch):
    """A file of the user is not touched: see tests/data_sets/test_real.py."""
    home.cache.mkdir(parents=True)
    (home.cache / "toy.csv.gz").write_bytes(TOY[:-1])
    with pytest.raises(data_sets.DataCorrupt, match="it was not read"):
        data_sets.verify("toy")
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    with pytest.raises(data_sets.DataNotFound, match="it was not read"):
        streams.load("toy")
    monkeypatch.delenv("REPRO_OFFLINE")
    net.pages["toy.csv.gz"] = TOY
    home.write(toml(address(net.url("toy.csv.gz"))))
    assert streams.load("toy").y.tolist() == [1, 0, 1, 0]
    assert home.files()["user/data/toy.csv.gz"] == TOY


def test_no_server_can_fill_the_disk(home, net, big, monkeypatch):
    monkeypatch.setattr(_downloads, "LARGEST", 100_000)
    with pytest.raises(data_sets.DataNotFound, match="must send less than 100000 bytes; got more"):
        data_sets.fetch("toy")
    assert home.files() == {}
