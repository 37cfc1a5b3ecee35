"""Learners x streams x seeds: in parallel, cached by content, resumable, on one machine or many.

A cell is one learner on one stream with one seed. Its result is stored under a hash of all that
decides it (learner, stream, seed, code) as soon as it is finished, so a sweep that was killed goes
on where it was, and a changed learner runs alone.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd

from repro import _files, _folders
from repro import seeds as _seeds
from repro._checks import check_choice, check_count
from repro._compiled import KERNELS, code_hash
from repro._install import install_command
from repro._kernels import implements, kernels_of
from repro._progress import progress, quiet
from repro.detectors.detector import Detector
from repro.evaluation import prequential
from repro.interop import seeded
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Stream

__all__ = ["sweep"]

CODE = (*KERNELS, "seeds.py", "interop.py", "streams", "sweeps.py")
MEASURES: Mapping[str, Callable] = {"error": np.mean}
LABEL_MEASURES: Mapping[str, Callable] = {}


class Cell(NamedTuple):
    """One learner on one stream with one seed, and where its result is stored."""

    learner_name: str
    stream_name: str
    seed: int
    learner: Any
    stream: Any
    draw: str  # hash of the stream and the seed
    path: Path
    kernels: tuple  # those of a notebook or script: a worker does not import it


def sweep(
    learners: Mapping[str, Any],
    streams: Mapping[str, Any],
    seeds: Iterable[int] = range(10),
    *,
    jobs: int = 1,
    measures: Mapping[str, Callable] = MEASURES,
    label_measures: Mapping[str, Callable] = LABEL_MEASURES,
    backend: str = "processes",
    scheduler: str | None = None,
    cache: str | Path | None = None,
) -> pd.DataFrame:
    """Run every learner on every stream with every seed; one row per cell.

    Parameters
    ----------
    learners : name -> anything that `prequential` takes.
    streams : name -> a description with ``sample(seed)`` (all learners get the same draw for the
        same seed), or a `Stream`.
    seeds : integers; each also seeds the learner's own randomness, independently of the stream's.
    jobs : processes, -1 for one per core; results do not depend on it.
    measures : name -> function of the loss array (n,); each gives a column. They are computed from
        the stored predictions, so a new measure runs nothing again.
    label_measures : name -> function of the labels and the predictions, (n,) each, such as
        `repro.metrics.kappa`; each gives a column.
    backend : "processes", or "dask" to send the same cells to the cluster at `scheduler`.
    cache : folder of finished cells; default the cache of the checkout.

    Returns a frame with the columns learner, stream, seed, n, one per measure, n_alarms, seconds,
    state_bytes and failure (the error message of a cell that failed, else ""). A failing cell is
    reported with a warning, its measures are nan, and the others go on.

    >>> from repro import TESTBED
    >>> from repro.learners import Majority, NoChange
    >>> table = sweep({"M": Majority(), "N": NoChange()}, {"NSGT": TESTBED["NSGT"]}, range(2))
    >>> table[["learner", "stream", "seed", "n"]].head(2)
      learner stream  seed      n
    0       M   NSGT     0  10001
    1       M   NSGT     1  10001
    """
    cells = list(_cells(learners, streams, list(seeds), Path(cache or _folders.cache() / "sweep")))
    if jobs != -1:
        check_count(jobs, name="jobs")
    check_choice(backend, ("processes", "dask"), name="backend")
    # Learners on the same draw run one after the other: a worker keeps the last one.
    order = {cell.draw: i for i, cell in reversed(list(enumerate(cells)))}
    waiting = sorted((c for c in cells if _load(c.path) is None), key=lambda c: order[c.draw])
    failures: dict[Path, str] = {}
    with _workers(backend, scheduler, jobs) as parallel:
        finished = parallel(joblib.delayed(_attempt)(cell) for cell in waiting)
        done = len(cells) - len(waiting)
        for cell, result, failure in progress(finished, total=len(waiting), desc=f"{done} cached"):
            # A worker on another machine stored it there; once more here costs nothing.
            _store(cell.path, result) if failure is None else failures.update({cell.path: failure})
            if failure is not None:
                _report(cell, failure)
    both = measures, label_measures
    return pd.DataFrame([_row(cell, *both, failures.get(cell.path, "")) for cell in cells])


def _cells(
    learners: Mapping[str, Any], streams: Mapping[str, Any], numbers: list[int], folder: Path
) -> Iterator[Cell]:
    for name, given in (("learners", learners), ("streams", streams)):
        if not isinstance(given, Mapping) or not given:
            raise ValueError(f"{name} must map names to {name}, at least one; got {given!r}")
    if not numbers:
        raise ValueError("seeds must hold at least one integer; got none")
    for number in numbers:
        check_count(number, name="seeds", least=0)
    folder.mkdir(parents=True, exist_ok=True)
    for stream in streams.values():
        if not isinstance(stream, Stream) and not hasattr(stream, "sample"):
            rule = "streams must hold descriptions with sample(seed), or Streams"
            raise TypeError(f"{rule}; got {stream!r}")
    of_learner = {name: _identity(learner) for name, learner in learners.items()}
    of_stream = {name: _identity(stream) for name, stream in streams.items()}
    kernels = tuple(kernels_of("__main__"))
    for a, learner in learners.items():
        for b, stream in streams.items():
            for seed in numbers:
                draw = joblib.hash((of_stream[b], seed))
                key = joblib.hash((of_learner[a], of_stream[b], seed, code_hash(*CODE)))
                path = folder / key[:2] / f"{key}.joblib"
                yield Cell(a, b, seed, learner, stream, draw, path, kernels)


def _identity(thing: Any) -> tuple[Any, ...]:
    """What decides the behaviour of a learner or a stream: its class, the code, its settings."""
    kind = type(thing)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(thing, Stream):
        return name, joblib.hash((thing.X, thing.y, thing.nominal, thing.n_classes, thing.optimal))
    parts = vars(thing).values() if hasattr(thing, "__dict__") else ()
    inside = tuple(_identity(part) for part in parts if _has_code(part))
    if kind.__module__.startswith("repro."):
        return name, repr(thing), inside  # it prints all of itself; code_hash has its code
    settings = joblib.hash(seeded(thing, 0) if _is_model(thing) else thing)
    return name, settings, inside, _version(kind), *map(_code, kind.__mro__)


def _has_code(part: Any) -> bool:
    """Whether `part` says more than it prints: a base, a detector, a model, the arrays inside."""
    return isinstance(part, Learner | Temporal | Detector | Stream) or _is_model(part)


def _is_model(thing: Any) -> bool:
    return hasattr(thing, "learn_one") or hasattr(thing, "partial_fit")


def _version(kind: type) -> str:
    package = kind.__module__.partition(".")[0]
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version({"sklearn": "scikit-learn"}.get(package, package))
    return ""


def _code(kind: type) -> str:
    """The source of the module of a class; from a notebook, its methods and its kernels."""
    try:
        return inspect.getsource(sys.modules[kind.__module__])
    except (OSError, TypeError):
        methods: list[Any] = [f for f in vars(kind).values() if inspect.isfunction(f)]
        # A cell that was run again left the kernels of its last time: the newest count.
        own = kernels_of(kind.__module__)
        kernels = {(verb, state.__qualname__): kernel for verb, state, kernel in own}
        return "".join(_bytes(f.__code__) for f in [*methods, *kernels.values()])


def _bytes(code: CodeType) -> str:
    constants = [_bytes(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


@contextmanager
def _workers(backend: str, scheduler: str | None, jobs: int) -> Iterator[joblib.Parallel]:
    if backend == "processes":
        # Streams of more than a megabyte are shared. Workers get them as arrays that can be written
        # to, in copies of their own: read-only ones would be another type, with kernels of its own.
        try:
            yield joblib.Parallel(n_jobs=jobs, return_as="generator_unordered", mmap_mode="c")
        finally:
            _last.clear()
        return
    try:
        from distributed import Client
    except ImportError as error:
        how = install_command("dask")
        raise ImportError(f'backend="dask" needs distributed, not installed: {how}') from error
    if scheduler is None:
        raise ValueError('scheduler must be the address of a Dask scheduler for "dask"; got None')
    with (
        Client(scheduler, set_as_default=False) as client,
        joblib.parallel_config(backend="dask", client=client),
    ):
        yield joblib.Parallel(return_as="generator_unordered")


_last: dict[str, Stream] = {}  # the draw that this process used last, under its hash


def _drawn(cell: Cell) -> Stream:
    if isinstance(cell.stream, Stream):
        return cell.stream
    if cell.draw not in _last:
        _last.clear()
        _last[cell.draw] = cell.stream.sample(seed=cell.seed)
    return _last[cell.draw]


def _stay() -> None:
    """joblib ends workers that grow by 300 MB, as for a leak; a data set is larger than that."""
    with suppress(ImportError, AttributeError):
        from joblib.externals.loky import process_executor

        process_executor._MAX_MEMORY_LEAK_SIZE = 4_000_000_000


def _attempt(cell: Cell) -> tuple[Cell, dict[str, Any] | None, str | None]:
    """Run one cell and store its result; in a worker, so nothing may be raised."""
    try:
        _stay()
        for verb, state, kernel in cell.kernels:
            with suppress(ValueError):  # registered before, or here
                implements(verb, state)(kernel)
        with quiet():
            result = _run(cell)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        return cell, None, text
    with suppress(OSError):  # another machine may lack the folder: the caller stores it too
        _store(cell.path, result)
    return cell, result, None


def _run(cell: Cell) -> dict[str, Any]:
    stream = _drawn(cell)
    run = prequential(cell.learner, stream, _seeds.integer(cell.seed, "learner"), proba=False)
    narrow = np.min_scalar_type(int(stream.n_classes or 1) - 1)
    return {
        "y": stream.y.astype(narrow),
        "y_pred": run.y_pred.astype(narrow),
        "n_alarms": len(run.alarms),
        "seconds": run.seconds,
        "state_bytes": run.state_bytes,
    }


def _row(
    cell: Cell,
    measures: Mapping[str, Callable],
    label_measures: Mapping[str, Callable],
    failure: str,
) -> dict[str, Any]:
    result = _load(cell.path) or {}
    values = dict.fromkeys([*measures, *label_measures], np.nan)
    if result:
        labels = [result[name].astype(np.int64) for name in ("y", "y_pred")]
        loss = (labels[0] != labels[1]).astype(np.float64)
        values = {name: measure(loss) for name, measure in measures.items()}
        values |= {name: measure(*labels) for name, measure in label_measures.items()}
    return {
        "learner": cell.learner_name,
        "stream": cell.stream_name,
        "seed": cell.seed,
        "n": len(result.get("y", ())),
        **values,
        "n_alarms": result.get("n_alarms", 0),
        "seconds": result.get("seconds", np.nan),
        "state_bytes": result.get("state_bytes", np.nan),
        "failure": failure,
    }


def _report(cell: Cell, failure: str) -> None:
    warnings.warn(
        f"cell failed: learner={cell.learner_name!r}, stream={cell.stream_name!r}, "
        f"seed={cell.seed}: {failure}",
        RuntimeWarning,
        stacklevel=3,
    )


def _store(path: Path, result: dict[str, Any] | None) -> None:
    """Write `result` whole or not at all: a kill at any moment leaves no half a file."""
    with _files.replacing(path) as temporary:
        joblib.dump(result, temporary, compress=1)


def _load(path: Path) -> dict[str, Any] | None:
    """The stored result, or None when there is none that can be read."""
    try:
        return dict(joblib.load(path))
    except FileNotFoundError:
        return None
    except Exception as error:
        print(f"repro: {path.name} cannot be read, runs again ({error})", file=sys.stderr)
        path.unlink(missing_ok=True)
        return None
