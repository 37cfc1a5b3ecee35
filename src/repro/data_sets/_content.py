"""Verification and unpacking of files and downloads, in memory.

Archives are never unpacked to disk. One member is read by its name, up to its largest possible
size. Until the last checksum is verified, bytes are only copied and compared.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zipfile
import zlib

from repro.data_sets.catalogue import LARGEST, DataCorrupt, DataFile, DataSet, Download

__all__ = ["compress", "is_exact", "sha256", "verified"]

BROKEN = (OSError, EOFError, zlib.error, zipfile.BadZipFile, KeyError, RuntimeError)


def sha256(data: bytes) -> str:
    """Checksum of `data`, 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def compress(content: bytes) -> bytes:
    """`content` as gzip, without time and file name, so that equal content gives equal bytes."""
    return gzip.compress(content, compresslevel=6, mtime=0)


def is_exact(raw: bytes, file: DataFile) -> bool:
    """Whether `raw` has the checksum of `file`."""
    return sha256(raw) == file.sha256


def verified(
    raw: bytes, source: DataSet, file: DataFile, download: Download | None = None, *, where: object
) -> bytes:
    """Unpacked content of `file`, from `raw` in our format or in that of a `download`.

    Raises DataCorrupt, which names `where` the bytes come from, unless `raw` is the file itself
    or its content has the checksum of the content.
    """
    exact = is_exact(raw, file)
    if not exact and not file.content:
        raise _corrupt(where, "the sha256", file.sha256, raw)
    try:
        content = _rewrite(raw, source, file, download or Download(""))
    except BROKEN as error:
        raise DataCorrupt(f"{where} must be {file.name} or a source of it; got {error}") from error
    if file.content and sha256(content) != file.content:
        raise _corrupt(where, f"content ({source.title}) with the sha256", file.content, content)
    if source.labels_content and _labels(content) != source.labels_content:
        raise DataCorrupt(f"{where} must hold the published labels of {source.name}; got others")
    return content


def _rewrite(raw: bytes, source: DataSet, file: DataFile, download: Download) -> bytes:
    """The unpacked text with our header line, separators and labels."""
    # A source may be a little longer than our format: it has an ARFF header or other line ends.
    text = _unpack(raw, download.member, 2 * file.content_size + 10_000)
    if file.header and file.name.endswith(".csv.gz"):
        text = text.replace(b"\r\n", b"\n")
    if download.rows_after is None:
        return text
    if download.rows_after:
        line = rb"(?im)^" + re.escape(download.rows_after.encode()) + rb"[ \t]*\n"
        match = re.search(line, text)
        if match is None:
            raise KeyError(f"no line {download.rows_after!r}")
        text = text[match.end() :]
    if download.separator != ",":
        text = text.replace(download.separator.encode(), b",")
    text = text.rstrip(b"\n") + b"\n"
    for theirs, ours in download.classes.items():
        text = text.replace(f",{theirs}\n".encode(), f",{ours}\n".encode())
    return ",".join(source.columns).encode() + b"\n" + text


def _unpack(raw: bytes, member: str, limit: int) -> bytes:
    limit = min(limit, LARGEST)
    if member:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive, archive.open(member) as file:
            data = file.read(limit + 1)
    elif raw[:2] == b"\x1f\x8b":
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            data = file.read(limit + 1)
    else:
        data = raw
    if len(data) > limit:
        raise OSError(f"more than {limit} bytes")
    return data


def _labels(content: bytes) -> str:
    """Checksum of the labels, the last field of every line."""
    return sha256(b"".join(line[line.rfind(b",") + 1 :] for line in content.splitlines(True)))


def _corrupt(where: object, what: str, expected: str, data: bytes) -> DataCorrupt:
    got = f"{sha256(data)} ({len(data)} bytes)"
    return DataCorrupt(f"{where} must have {what} {expected}; got {got}")
