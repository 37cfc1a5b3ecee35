"""Downloads with a progress bar; resumed after an interruption, verified, and never partial."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import shorten
from typing import Any

from repro import _files, _locks
from repro._progress import progress
from repro.data_sets import _content
from repro.data_sets.catalogue import (
    LARGEST,
    DataCorrupt,
    DataFile,
    DataNotFound,
    DataSet,
    Download,
)

__all__ = ["fetch"]

TIMEOUT = (10.0, 30.0)  # seconds to wait for a connection, and for the next bytes
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def fetch(source: DataSet, file: DataFile, folder: Path) -> Path:
    """Download `file` of `source` into `folder`, from the first address that has it.

    Raises DataNotFound with a reason for each address. An interrupted download leaves a hidden
    ``.part`` file, which the next download continues and which is never read as data. After a
    full disk nothing is left. Two processes download one after the other.
    """
    target = folder / file.name

    def waiting() -> None:
        print(f"repro: waiting for another download to {folder}", file=sys.stderr)

    with _locks.alone(folder / ".lock", waiting):
        with suppress(DataCorrupt, OSError):  # another process may have fetched it meanwhile
            _content.verified(target.read_bytes(), source, file, where=target)
            return target
        if not source.describe().states_licence:
            print(f"repro: {source.name} is downloaded; its licence: {source.licence}", file=sys.stderr)
        _files.write(target, _downloaded(source, file, target))
        for part in folder.glob(f".{file.name}.*.part"):  # of addresses that failed
            part.unlink(missing_ok=True)
    return target


def _downloaded(source: DataSet, file: DataFile, target: Path) -> bytes:
    """The bytes of our `file`, from the first address that has it."""
    reasons = []
    for download in file.downloads:
        try:
            return _from_address(source, file, download, target)
        except (DataCorrupt, ConnectionError) as error:
            reasons.append(f"{download.url}: {shorten(str(error), 300)}")
        except OSError as error:
            error.add_note(f"while {download.url} was downloaded to {target.parent}")
            raise
    raise DataNotFound("\n".join(reasons) or f"there is no address for {file.name}")


def _from_address(source: DataSet, file: DataFile, download: Download, target: Path) -> bytes:
    """The bytes of our `file` from one address.

    A partial file may be of another version of the file. Then the checksum is wrong, and the
    download starts again from the beginning.
    """
    part = target.with_name(f".{file.name}.{_content.sha256(download.url.encode())[:8]}.part")
    resumed = part.exists() or _whole(part).exists()
    try:
        return _attempt(source, file, download, part)
    except (DataCorrupt, ConnectionError):
        if not resumed or part.exists():
            raise
        return _attempt(source, file, download, part)


def _whole(part: Path) -> Path:
    """Where the file is between its download and its verification."""
    return part.with_suffix(".whole")


def _attempt(source: DataSet, file: DataFile, download: Download, part: Path) -> bytes:
    raw = _receive(download, part)
    content = _content.verified(raw, source, file, download, where=download.url)
    exact = download.rows_after is None and _content.is_exact(raw, file)
    return raw if exact else _content.compress(content)


def _receive(download: Download, part: Path) -> bytes:
    """The downloaded bytes. pooch downloads them and checks the sha256 if one is declared."""
    import pooch
    import requests

    checksum = f"sha256:{download.sha256}" if download.sha256 else None
    with _silent(pooch.get_logger()):
        try:
            path = Path(
                pooch.retrieve(
                    download.url,
                    checksum,
                    fname=_whole(part).name,
                    path=part.parent,
                    downloader=Resuming(part),
                )
            )
        except requests.RequestException as error:
            raise ConnectionError(error) from error
        except ValueError as error:  # raised by pooch for a wrong checksum; it removed the file
            raise DataCorrupt(error) from error
    try:
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


class Resuming:
    """A downloader for pooch that continues an interrupted download."""

    def __init__(self, part: Path) -> None:
        self.part = part

    def __call__(self, url: str, output_file: str, pooch: Any) -> None:
        try:
            _request(url, self.part)
        except (DataCorrupt, OSError) as error:
            if isinstance(error, DataCorrupt) or error.errno in DISK_FULL:
                self.part.unlink(missing_ok=True)
            raise
        os.replace(self.part, output_file)


def _request(url: str, path: Path) -> None:
    """Append the missing bytes of `url` to `path`."""
    import requests

    size = path.stat().st_size if path.exists() else 0
    # Without compression, sizes and ranges count the bytes of the file.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={size}-"} if size else {})
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as answer:
        if answer.status_code == requests.codes.requested_range_not_satisfiable:
            path.unlink(missing_ok=True)
            raise requests.ConnectionError(f"the file has no bytes after the first {size}")
        answer.raise_for_status()
        if answer.status_code != requests.codes.partial_content:
            size = 0  # the server sends the whole file again
        total = size + int(answer.headers.get("Content-Length", 0)) or None
        name = url.rsplit("/", 1)[-1]
        bar = progress(None, total=total, initial=size, unit="B", unit_scale=True, desc=name)
        with open(path, "ab" if size else "wb") as file, bar:
            for chunk in answer.iter_content(2**16):
                size += file.write(chunk)
                if size > LARGEST:
                    raise DataCorrupt(f"{url} must send less than {LARGEST} bytes; got more")
                bar.update(len(chunk))
        if total and size != total:
            raise requests.ConnectionError(f"the connection ended after {size} of {total} bytes")


@contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    """Hide pooch's advice on checksums, which is not meant for users of this library."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
