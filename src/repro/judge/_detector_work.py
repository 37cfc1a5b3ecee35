"""Work on losses in processes, stored as soon as it is done: a second call continues."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro import _folders
from repro._progress import progress
from repro.evaluation._keys import certain_package_key, key_or_note
from repro.evaluation._tasks import load_cached, store_cached
from repro.evaluation._workers import allow_growth, packed, pool_of, unpacked
from repro.kernels.identity import identify, identity
from repro.kernels.sources import Unidentified, check_unchanged

__all__ = ["Failure", "Runs", "Work", "perform"]

MODULE = "judge._detector_runs"  # its imports are all the code that a result needs

Runs = Sequence[NDArray[np.uint8]]


class Work(NamedTuple):
    """What is done with a thing, such as a detector, on one group of runs."""

    thing: Any
    group: Hashable  # key of the losses


class Failure(NamedTuple):
    """Why there is no result, in one line."""

    text: str


class Item(NamedTuple):
    """One work as it is done."""

    key: Any
    function: Callable[[Any, Runs], Any]
    work: Work
    path: Path | None  # None: the result is not stored


def perform(
    function: Callable[[Any, Runs], Any],
    works: Mapping[Any, Work],
    losses: Mapping[Any, Runs],
    *,
    jobs: int = 1,
    cache: str | Path | None = None,
    desc: str = "detectors",
) -> dict[Any, Any]:
    """Return ``function(thing, runs)`` of each work by its key, or its `Failure`.

    Parameters
    ----------
    function : a function of this package.
    works : what is done, by any key.
    losses : the runs of each group.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    cache : folder of stored results; default the cache of the checkout.
    desc : text before the progress bar.
    """
    folder = Path(cache or _folders.cache()) / "judge"
    paths = _paths(function, works, losses, folder)
    found = {key: stored["result"] for key in works if (stored := load_cached(paths[key]))}
    waiting = [Item(k, function, w, paths[k]) for k, w in works.items() if k not in found]
    counts = {"total": len(works), "initial": len(found)}
    for key, result in progress(_done(waiting, losses, jobs), desc=desc, unit="run", **counts):
        found[key] = result
    return {key: found[key] for key in works}


def _paths(
    function: Callable[..., Any], works: Mapping[Any, Work], losses: Mapping[Any, Runs], at: Path
) -> dict[Any, Path | None]:
    """The file of each result; says on stderr which are not stored, and why."""
    notes: list[str] = []
    package = key_or_note(notes, "any detector", partial(certain_package_key, MODULE))
    groups = {g: identity([*losses[g]]) for g in dict.fromkeys(w.group for w in works.values())}
    things: dict[int, str] = {}
    paths: dict[Any, Path | None] = {}
    for key, work in works.items():
        if id(work.thing) not in things:
            name = key[0] if isinstance(key, tuple) else key
            own = key_or_note(notes, f"detector {name!r}", partial(identity, work.thing))
            things[id(work.thing)] = own
        parts = package, function.__name__, things[id(work.thing)], groups[work.group]
        name = identity(parts)
        paths[key] = at / name[:2] / f"{name}.joblib" if all(parts) else None
    for note in dict.fromkeys(notes):
        print(f"repro: a report stores no results of {note}", file=sys.stderr)
    return paths


def _done(items: list[Item], losses: Mapping[Any, Runs], jobs: int) -> Iterator[tuple[Any, Any]]:
    """Key and result of each of the `items`, in any order."""
    by_key = {item.key: item for item in items}
    if jobs != 1:
        contents = {item.key: _content(item) for item in items}
        sent: list[Any] = [
            (_work_sent, (key, content, losses[by_key[key].work.group], by_key[key].path), {})
            for key, content in contents.items()
            if content
        ]
        with pool_of("processes", None, jobs) as pool:
            for key, is_done, result in pool(sent):
                if is_done:
                    del by_key[key]
                    yield key, result
    for item in by_key.values():
        runs = losses[item.work.group]
        yield item.key, _work(item.function, item.work.thing, runs, item.path)


def _content(item: Item) -> bytes:
    """The function and the thing of `item` on their way to a worker; empty if they cannot go."""
    thing = item.function, item.work.thing
    with suppress(Exception):
        # An object of an installed package goes by the name of its class: a class that a library
        # compiled cannot go by value, as code of yours does.
        has_code_of_yours = identify(item.work.thing).has_code_of_yours
        return packed(thing) if has_code_of_yours else pickle.dumps((thing, ()))
    with suppress(Exception):
        return packed(thing)
    return b""


def _work_sent(key: Any, content: bytes, runs: Runs, path: Path | None) -> tuple[Any, bool, Any]:
    """`_work` in another process: key, whether it could be done there, and the result."""
    allow_growth()
    try:
        function, thing = unpacked(content)
    except Exception:
        return key, False, None
    return key, True, _work(function, thing, runs, path)


def _work(function: Callable[..., Any], thing: Any, runs: Runs, path: Path | None) -> Any:
    try:
        result = function(thing, runs)
    except Exception as error:
        return Failure(_line(error))
    if path is not None:
        with suppress(OSError, Unidentified):  # an edit of the package makes the code uncertain
            check_unchanged()
            store_cached(path, {"result": result})
    return result


def _line(error: Exception) -> str:
    """The kind, message and notes of `error` in one line."""
    notes = "".join(f" ({note})" for note in getattr(error, "__notes__", ()))
    return " ".join(f"{type(error).__name__}: {error}{notes}".split())
