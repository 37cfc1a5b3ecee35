"""Part `detectors`: detectors and estimators on losses, beside np.cumsum and other libraries.

Ours run on `n` losses beside np.cumsum, and on the first `few`, or fewer where another library is
slow, beside the others.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from children import Child, environment
from losses import KINDS, Losses
from river import drift, metrics, stats, utils
from river.drift import binary
from timing import Timed, clock, least, now, seconds_for
from with_moa import Moa

from repro import detectors
from repro import metrics as ours

SECONDS = 1.0  # about as long as one run of another library may take
FEWEST = 2_000  # losses that another library is given, however slow it is


class Case(NamedTuple):
    """One thing to compute, by each library that has it: its use, or its name and settings."""

    ours: Callable[[Losses], Any]
    river: Callable[[], Any] | None = None
    frouros: tuple[str, dict[str, Any]] | None = None
    moa: tuple[str, str] | None = None
    pair: bool = False  # of labels and predictions, not of losses


def watching(detector: detectors.Detector) -> Callable[[Losses], Any]:
    """Its alarms."""
    return lambda x: detector.alarms(x.loss)


WHOLE, FADED = {"alpha": 1.0}, {"alpha": 0.999}
RATIO = detectors.Monitor(detectors.ErrorRatio(), detectors.PageHinkley(0.1, 100))
DETECTORS = {
    "DDM": Case(watching(detectors.DDM()), binary.DDM, ("DDM", {}), ("DDM", "")),
    "EDDM": Case(watching(detectors.EDDM()), binary.EDDM, ("EDDM", {}), ("EDDM", "")),
    "ADWIN": Case(watching(detectors.ADWIN()), drift.ADWIN, ("ADWIN", {}), ("ADWIN", "")),
    "PageHinkley": Case(
        watching(detectors.PageHinkley()),
        lambda: drift.PageHinkley(mode="up", **WHOLE),
        ("PageHinkley", WHOLE),
        ("PageHinkley", "-a 1.0"),
    ),
    "PageHinkley of ErrorRatio": Case(watching(RATIO)),
}
ESTIMATORS = {
    "prequential_error": Case(
        lambda x: ours.prequential_error(x.loss), stats.Mean, ("PrequentialError", WHOLE)
    ),
    "sliding_error": Case(
        lambda x: ours.sliding_error(x.loss), lambda: utils.Rolling(stats.Mean, window_size=500)
    ),
    "fading_error": Case(
        lambda x: ours.fading_error(x.loss),
        lambda: stats.EWMean(fading_factor=0.001),
        ("PrequentialError", FADED),
    ),
    "kappa, window": Case(
        lambda x: ours.kappa(x.y, x.y_pred, window=1000),
        lambda: utils.Rolling(metrics.CohenKappa, window_size=1000),
        pair=True,
    ),
}


def measure(n: int, few: int, rounds: int, moa: Moa | None, frouros: Child | None) -> pd.DataFrame:
    """One row per kind of losses, case, library, number of losses and round."""
    rows = []
    for kind, draw in KINDS.items():
        many, some = draw(n), draw(few)
        for name, case in (DETECTORS | ESTIMATORS).items():
            print(f"  {name}, drifts: {kind}", flush=True)
            key = {"drifts": kind, "case": name}
            ways = dict(_others(case, some, moa, frouros))
            for number in range(rounds):
                timed = {"ours, many": _ours(case, many), "np.cumsum": _cumsum(many)}
                for library, (way, size) in ways.items():
                    timed[f"ours beside {library}"] = _ours(case, _first(some, size))
                    timed[library] = way(size)
                rows += [
                    {**key, "library": k, "round": number, **_row(t)} for k, t in timed.items()
                ]
    return pd.DataFrame(rows)


def start_frouros() -> Child | None:
    """frouros, or None with the reason said when its environment cannot be made."""
    try:
        return Child(environment("frouros"), "frouros_child.py")
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"frouros does not start, so its columns stay empty: {error}", flush=True)
        return None


Way = Callable[[int], Timed | None]


def _others(
    case: Case, losses: Losses, moa: Moa | None, frouros: Child | None
) -> Iterator[tuple[str, tuple[Way, int]]]:
    """Name, way to time it on the first n losses, and an n that does not take too long."""
    ways: dict[str, Way] = {}
    if moa and case.moa:
        detector, settings = case.moa
        for library, way in {"MOA": "loop", "CapyMOA": "elements"}.items():
            asked = {"detector": detector, "settings": settings, "way": way}
            ways[library] = lambda n, a=asked: _ask(moa, losses, n, a)
    if case.river:
        ways["river"] = lambda n: least(lambda: _river(case, _first(losses, n)))
    if frouros and case.frouros:
        name, options = case.frouros
        asked = {"name": name, "settings": options}
        ways["frouros"] = lambda n, a=asked: _ask(frouros, losses, n, a)
    for library, way in ways.items():
        if pilot := way(FEWEST):
            most = int(SECONDS * FEWEST / pilot.seconds)
            yield library, (way, min(losses.loss.size, max(FEWEST, most)))
        else:
            print(f"  {library}'s column stays empty: its loop needs a Java compiler", flush=True)


def _ask(child: Child, losses: Losses, n: int, request: dict[str, Any]) -> Timed | None:
    path = Path(child.folder.name) / "losses.npy"
    np.save(path, losses.loss)
    answer = child.ask(path=str(path), n=n, **request)
    return Timed(*answer) if answer else None


def _ours(case: Case, losses: Losses) -> Timed:
    result, n = case.ours(losses), losses.loss.size
    seconds = clock(lambda: case.ours(losses), seconds_for(n))
    value = result[-1] if result.dtype == float else result.size  # an estimate, or alarms
    return Timed(seconds, n, float(value))


def _cumsum(losses: Losses) -> Timed:
    n = losses.loss.size
    return Timed(clock(lambda: np.cumsum(losses.loss), seconds_for(n)), n, float("nan"))


def _river(case: Case, losses: Losses) -> Timed:
    values = losses.loss.astype(int).tolist()
    if case.pair:
        return _estimate(case, zip(losses.y.tolist(), losses.y_pred.tolist(), strict=True), losses)
    if hasattr(case.river(), "get"):
        return _estimate(case, zip(values, strict=True), losses)
    model, alarms, begin = case.river(), 0, now()
    for value in values:
        model.update(value)
        alarms += model.drift_detected
    return Timed(now() - begin, len(values), float(alarms))


def _estimate(case: Case, values: Iterator[tuple], losses: Losses) -> Timed:
    model, estimate, values = case.river(), 0.0, list(values)
    begin = now()
    for value in values:
        model.update(*value)
        estimate = model.get()
    return Timed(now() - begin, losses.loss.size, float(estimate))


def _first(losses: Losses, n: int) -> Losses:
    return Losses(*(values[:n] for values in losses))


def _row(timed: Timed) -> dict[str, float]:
    return {"n": timed.examples, "seconds": timed.seconds, "result": timed.error}
