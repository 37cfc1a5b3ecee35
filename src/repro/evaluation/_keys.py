"""Keys of a sweep's results: hashes of everything that decides a result.

They cover the learner as it is run, the draw of the stream, the code of this package, and the
versions of the packages that it computes with. A key that cannot be computed is "".
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any

import joblib

from repro.evaluation._kinds import runner_of
from repro.kernels.identity import identify, identity
from repro.kernels.sources import (
    Unidentified,
    check_not_replaced,
    check_unchanged,
    code,
    versions,
)
from repro.streams.stream import Stream

__all__ = [
    "certain_package_key",
    "draw_key",
    "key_or_note",
    "learner_key",
    "package_key",
    "stream_key",
]

# The imports of each module are all the code of this package that a result of it needs.
MODULE = "evaluation._tasks"


def key_or_note(notes: list[str], what: str, key: Callable[[], str]) -> str:
    """The value of `key`; "" where it cannot be computed, with the reason added to `notes`."""
    try:
        return key()
    except Unidentified as reason:
        notes.append(f"{what}: {reason}")
    except Exception:  # it cannot be copied or drawn: its run will fail, and report why
        pass
    return ""


@cache
def package_key(module: str = MODULE) -> str:
    """Hash of the code that ``repro.<module>`` needs, its packages, and the machine's type."""
    return str(joblib.hash((code(module), versions(module), platform.machine())))


def certain_package_key(module: str = MODULE) -> str:
    """`package_key`; raises `Unidentified` if the code in memory is not the code on disk."""
    check_unchanged()
    check_not_replaced(module)
    return package_key(module)


def learner_key(learner: Any) -> str:
    """Hash of `learner` as it runs with seed 0: the key of a result holds the seed beside it."""
    return identity(runner_of(learner).identified())


def stream_key(stream: Any) -> str:
    """Hash of a `Stream` or of a description of this package; "" for code of yours.

    A description of this package is identified by its settings. A description of yours may read a
    file, so it is identified by what it draws.
    """
    with suppress(Unidentified):
        found = identify(stream)
        if isinstance(stream, Stream) or not found.has_code_of_yours:
            return found.digest
    return ""


def draw_key(notes: list[str], name: str, stream: Any, seed: int, known: str) -> tuple[str, str]:
    """(key of the draw with `seed`, key of its content or "" where the first is enough).

    Parameters
    ----------
    notes : reasons are added here, see `key_or_note`.
    name : of the stream.
    stream : a description, or a `Stream`.
    seed : of the draw.
    known : the `stream_key`.
    """
    if known:
        return (known if isinstance(stream, Stream) else str(joblib.hash((known, seed)))), ""
    content = key_or_note(notes, f"stream {name!r}", partial(_content, stream, seed))
    return content, content


def _content(stream: Any, seed: int) -> str:
    return identity(stream.sample(seed=seed))
