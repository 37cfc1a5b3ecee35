"""Results on disk: numbers, texts and arrays in a file each, with a digest; nothing is unpickled.

A file begins with the digest of all that follows: a line of JSON with its key and its values, then
the content of its arrays. So a reader notices a file that is cut, changed or misplaced, and what
stands in it is data and never runs.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from repro import _files

__all__ = ["Result", "Store"]

Result = Mapping[str, Any]  #: names to arrays, numbers, texts, None, or lists of these

SUFFIX = ".run"
DIGEST = hashlib.sha256().digest_size


class Refused(ValueError):
    """The content of a file is not that of a result; the message says why."""


class Store:
    """The results in a folder, each under its key."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._start = f"{self.folder}{os.sep}"

    def path(self, key: str) -> Path:
        """The file of the result under `key`."""
        return Path(self._name(key))

    def _name(self, key: str) -> str:
        # A text: to make a path takes longer than to look for its file.
        return f"{self._start}{key[:2]}{os.sep}{key}{SUFFIX}"

    def save(self, key: str, result: Result) -> None:
        """Write `result` completely or not at all: a kill at any moment leaves no partial file.

        Raises TypeError for a value that is neither an array of numbers nor JSON.
        """
        body = _body(key, result)
        with _files.replacing(self.path(key)) as temporary:
            temporary.write_bytes(hashlib.sha256(body).digest() + body)

    def load(self, key: str, names: Sequence[str]) -> dict[str, Any] | None:
        """The result under `key`; None without a file.

        A file without this content is removed, and a line on stderr says so: None. `names` are
        those that the result must have.
        """
        try:
            with open(self._name(key), "rb") as file:
                return _result(key, names, file.read())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            why = str(error) if isinstance(error, Refused) else "holds something else"
        path = self.path(key)
        print(f"repro: {path.name} {why}; runs again", file=sys.stderr)
        with suppress(OSError):  # a folder that cannot be written to
            path.unlink(missing_ok=True)
        return None

    def __contains__(self, key: str) -> bool:
        return os.path.isfile(self._name(key))


def _body(key: str, result: Result) -> bytes:
    arrays: list[bytes] = []
    head = {"key": key, "result": {name: _packed(value, arrays) for name, value in result.items()}}
    return json.dumps(head).encode() + b"\n" + b"".join(arrays)


def _packed(value: Any, arrays: list[bytes]) -> Any:
    """`value` as JSON; the content of an array goes to `arrays`."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            raise TypeError(f"a stored array must hold numbers or texts; got {value.dtype}")
        start = sum(map(len, arrays))
        arrays.append(np.ascontiguousarray(value).tobytes())
        return {"array": value.dtype.str, "shape": value.shape, "start": start}
    if isinstance(value, list | tuple):
        return [_packed(part, arrays) for part in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a stored value must be an array, a number or a text; got {value!r}")


def _result(key: str, names: Sequence[str], content: bytes) -> dict[str, Any]:
    body = content[DIGEST:]
    if hashlib.sha256(body).digest() != content[:DIGEST]:
        raise Refused("is damaged")
    line, _, arrays = body.partition(b"\n")
    head = json.loads(line)
    if head["key"] != key:
        raise Refused("is the result of another task")
    result = {name: _unpacked(value, arrays) for name, value in head["result"].items()}
    if missing := sorted({*names} - result.keys()):
        raise Refused(f"has no {missing[0]}")
    return result


def _unpacked(value: Any, content: bytes) -> Any:
    if isinstance(value, list):
        return [_unpacked(part, content) for part in value]
    if isinstance(value, dict):
        shape = tuple(value["shape"])
        array = np.empty(shape, np.dtype(value["array"]))
        part = content[value["start"] : value["start"] + array.nbytes]
        array.reshape(-1)[:] = np.frombuffer(part, array.dtype) if array.size else 0
        return array
    return value
