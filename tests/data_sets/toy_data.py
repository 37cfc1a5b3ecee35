"""A small data set with its checksums, and a server with the faults of a network."""

from __future__ import annotations

import gzip
import hashlib
import io
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from repro import _folders
from repro.data_sets import catalogue

COLUMNS = ["when", "size", "colour", "weight", "target"]
ROWS = b"""1/1,?,red,0.1,yes
1/2,2.5,blue,0.30000000000000004,no
1/3,?,red,1e-3,yes
1/4,-0.7,green,12345678.9012345678,no
"""
TEXT = ",".join(COLUMNS).encode() + b"\n" + ROWS
TOY = gzip.compress(TEXT, mtime=0)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def toml(downloads: str = "", **changes: object) -> str:
    """Text of data/sources.toml with the one set `toy`."""
    facts = {"sha256": sha256(TOY), "content": sha256(TEXT), "content_size": len(TEXT)} | changes
    lines = "\n".join(f"{key} = {value!r}" for key, value in facts.items() if value is not None)
    return f"""
[toy]
title = "Four things"
source = "made up"
licence = "none needed"
order = "by day"
missing = "size, twice"
caveats = ["small"]
stand_in = "your imagination"
examples = 4
columns = {COLUMNS}
nominal = ["colour"]
ignored = ["when"]
labels = ["no", "yes"]

[[toy.files]]
name = "toy.csv.gz"
{lines}
{downloads}
"""


def address(url: str, **keys: str) -> str:
    """Text of one entry of downloads."""
    lines = "\n".join(f"{key} = {value!r}" for key, value in keys.items())
    return f'\n[[toy.files.downloads]]\nurl = "{url}"\n{lines}\n'


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


class House:
    """A checkout with data only, and a user's cache."""

    def __init__(self, root: Path) -> None:
        self.root, self.raw = root, root / "checkout" / "data" / "raw"
        self.cache, self.columns = root / "user" / "data", root / "cache" / "data"
        self.raw.mkdir(parents=True)

    def write(self, text: str) -> None:
        (self.raw.parent / "sources.toml").write_text(text)
        catalogue.catalogue.cache_clear()

    def files(self) -> dict[str, bytes]:
        """All files except the list of sources and locks, by path."""
        others = ("sources.toml", ".lock")
        found = (p for p in self.root.rglob("*") if p.is_file() and p.name not in others)
        return {p.relative_to(self.root).as_posix(): p.read_bytes() for p in found}


@contextmanager
def house(root: Path, monkeypatch: pytest.MonkeyPatch):
    """Temporary folders for everything that the library reads or writes."""
    place = House(root)
    monkeypatch.setattr(_folders, "checkout", lambda: root / "checkout")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *names, **how: str(root / "user"))
    monkeypatch.setenv("REPRO_CACHE", str(root / "cache"))
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("REPRO_DATA", raising=False)
    place.write(toml())
    yield place
    catalogue.catalogue.cache_clear()


class Server:
    """Serves `pages`; `cut` holds the number of bytes after which a page breaks off."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {}
        self.cut: dict[str, int] = {}
        self.ranges = True
        self.asked: list[tuple[str, str]] = []  # path and range

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"


@contextmanager
def server():
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path, wanted = self.path.lstrip("/"), self.headers.get("Range", "")
            state.asked.append((path, wanted))
            page = state.pages.get(path)
            if page is None:
                return self.send_error(404)
            start = int(wanted[6:-1]) if wanted and state.ranges else 0
            if start and start >= len(page):
                return self.send_error(416)
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(page) - start))
            self.end_headers()
            self.wfile.write(page[start : state.cut.get(path, len(page))])

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        state.port = httpd.server_port
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield state
        httpd.shutdown()
        thread.join()
