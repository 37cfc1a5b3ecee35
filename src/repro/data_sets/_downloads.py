"""Downloads with a progress bar; resumed after an interruption, verified, and never partial."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import shorten

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
            text = f"downloading {source.name}; its licence: {source.licence}"
            print(f"repro: {text}", file=sys.stderr)
        content = _downloaded(source, file, target)
        for part in folder.glob(f".{file.name}.*.part"):  # also of addresses that failed
            part.unlink(missing_ok=True)
        _files.write(target, content)
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
    resumed = part.exists()
    try:
        return _attempt(source, file, download, part)
    except (DataCorrupt, ConnectionError):
        if not resumed or part.exists():
            raise
        return _attempt(source, file, download, part)


def _attempt(source: DataSet, file: DataFile, download: Download, part: Path) -> bytes:
    import requests

    try:
        _request(download.url, part)
        raw = part.read_bytes()
        if download.sha256 and _content.sha256(raw) != download.sha256:
            rule = f"{download.url} must have the sha256 {download.sha256}"
            raise DataCorrupt(f"{rule}; got {_content.sha256(raw)}")
        content = _content.verified(raw, source, file, download, where=download.url)
    except requests.RequestException as error:
        raise ConnectionError(error) from error
    except (DataCorrupt, OSError) as error:
        if isinstance(error, DataCorrupt) or error.errno in DISK_FULL:
            part.unlink(missing_ok=True)
        raise
    exact = download.rows_after is None and _content.is_exact(raw, file)
    return raw if exact else _content.compress(content)


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
