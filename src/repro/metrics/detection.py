"""Delay, misses and false alarms over one or many runs, with reference detectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, is_whole, shown
from repro.metrics.first_detection import as_runs

__all__ = ["DetectionReport", "detection_report"]

COUNTS = ("detected", "missed", "false_alarms", "repeated")
RATIOS = ("mtd", "mdr", "mtfa", "mtr", "arl0", "arl1")
# Counters of a run: the counts above; sum of the delays; examples waited for detections; examples
# at which an alarm is false; examples before the first drift up to the first alarm, and whether
# there is such an alarm.
DETECTED, MISSED, FALSE, REPEATED, DELAY, WAITED, WATCHED, FRESH, FRESH_ALARM = range(9)


class Drifts(NamedTuple):
    """First example of each drift, and the first example that is too late to detect it."""

    starts: NDArray[np.int64]
    limits: NDArray[np.int64]
    n: int


@dataclass(frozen=True, eq=False, repr=False)
class DetectionReport:
    """Result of `detection_report`, whose docstring defines the measures.

    Attributes
    ----------
    detected, missed, false_alarms, repeated : counts, over all runs.
    mtd, mdr, mtfa, mtr, arl0, arl1 : the measures, over all runs.
    delays : (runs, drifts) delay of each detection, nan where the drift was missed.
    runs : one row per run, with its counts and measures.
    table : one row per count (a run's mean) and measure; columns `detector`, `± s.e.` (jackknife
        over runs; nan for one run), and the references `always`, `never` and `random`.
    """

    detected: int
    missed: int
    false_alarms: int
    repeated: int
    mtd: float
    mdr: float
    mtfa: float
    mtr: float
    arl0: float
    arl1: float
    delays: NDArray[np.float64]
    runs: pd.DataFrame
    table: pd.DataFrame

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name}={getattr(self, name):.4g}" for name in (*COUNTS, *RATIOS))
        return f"DetectionReport(runs={len(self.runs)}, {numbers})"


def detection_report(
    alarms: ArrayLike | Sequence[ArrayLike] | Mapping[Any, ArrayLike],
    drifts: Iterable[int | tuple[int, int]],
    n: int,
    *,
    tolerance: int | None = None,
) -> DetectionReport:
    r"""Detections, false alarms, misses and delays of a detector on streams with known drifts.

    A drift can be detected from its start on, until `tolerance` examples after its end and before
    the next drift. The first alarm in this time **detects** it, and the **delay** is the index of
    the alarm minus the start. Without such an alarm the drift is **missed**. Further alarms in this
    time are **repeated**: neither false alarms nor second detections. Alarms at any other time are
    **false**. Without a `tolerance` these are the alarms before the first drift, as in the tables
    of Gama, Sebastião and Rodrigues (2013); see `first_detection`. With sums over drifts and runs,

    - MTD, mean time to detection: the mean delay of the *detected* drifts;
    - MDR, missed detection rate: the share of drifts that were missed;
    - MTFA, mean time between false alarms: the number of examples at which an alarm is false,
      divided by the number of false alarms;
    - MTR = MTFA / MTD · (1 - MDR), mean time ratio;
    - ARL0, average run length without a drift: the number of examples from the start of each run to
      its first false alarm or the first drift, divided by the number of runs with such an alarm;
    - ARL1, average run length at a drift: the number of examples waited for a detection (delay + 1,
      or the whole time allowed if the drift was missed), divided by the number of detections.

    A miss never counts as a delay of 0: it does not change MTD, and it lengthens ARL1. For alarms
    without memory, MTFA, ARL0 and ARL1 all estimate 1 / p. A measure whose divisor is 0 is inf if
    time passed without an event, and nan if there is nothing to average (MTD without detections,
    MDR without drifts). Alarms at every example have MTD 0 and MTR inf, so MTR alone does not rank
    detectors. The reference `random` alarms at each example with probability p, the detector's
    number of alarms per example. Its numbers are exact expectations (of each sum in a ratio).

    Parameters
    ----------
    alarms : indices in 0..n-1, increasing, of the examples at which one run alarmed; or one such
        sequence for each of several runs, in a sequence or by name in a mapping.
    drifts : drifts in order, the same for all runs. A sudden drift is its position, the first
        example of the new concept; a gradual one is ``(start, end)``, its first example and the
        one after its last.
    n : number of examples in each run.
    tolerance : number of examples after the end of a drift at which an alarm still detects it; 0
        allows only the drift itself, and None has no limit but the next drift.

    MTD, MDR, MTFA, MTR: Bifet, Read, Pfahringer, Holmes and Žliobaitė (2013), IDA, LNCS 8207,
    92-103, and Bifet (2017), ICAISC, 715-725; run lengths: Page (1954), Biometrika 41, 100-115.

    Raises ValueError for alarms or drifts outside the stream, out of order or not whole numbers,
    for drifts that overlap, and for an `n` or a `tolerance` that is not a whole number in range.

    >>> report = detection_report([150, 420, 430, 700], drifts=[400, 800], n=1000, tolerance=100)
    >>> report.detected, report.missed, report.false_alarms
    (1, 1, 2)
    >>> report.mtd, report.mdr, report.arl1, round(report.mtfa)
    (20.0, 0.5, 122.0, 399)
    """
    n = check_count(n, name="n", most=2**53)
    truth = _as_drifts(drifts, n, tolerance)
    names, runs = as_runs(alarms, n)
    counts = [_count(run, truth) for run in runs]
    counters, delays = (np.array([part[i] for part in counts]) for i in range(2))
    total = counters.sum(axis=0)
    rate = sum(run.size for run in runs) / (len(runs) * n)
    detected, missed, false_alarms, repeated = total[:4].astype(int).tolist()
    frame, table = _runs_frame(counters, names), _table(counters, truth, rate)
    return DetectionReport(
        detected, missed, false_alarms, repeated, *_ratios(total), delays, frame, table
    )


def _count(
    alarms: NDArray[np.int64], truth: Drifts
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the counters of one run, and the delay of each drift."""
    starts, limits, n = truth
    first = np.append(alarms, n)[np.searchsorted(alarms, starts)]  # first alarm from each start
    caught = first < limits
    waited = np.where(caught, first + 1, limits) - starts
    inside = np.searchsorted(alarms, limits) - np.searchsorted(alarms, starts)  # not false
    repeated = (inside - caught).sum()
    fresh = starts[0] if starts.size else n
    early = alarms.size > 0 and alarms[0] < fresh
    counters = np.zeros(9)
    counters[[DETECTED, MISSED]] = caught.sum(), (~caught).sum()
    counters[[FALSE, REPEATED]] = alarms.size - inside.sum(), repeated
    counters[[DELAY, WAITED]] = (waited[caught] - 1).sum(), waited.sum()
    counters[WATCHED] = n - (limits - starts).sum()
    counters[[FRESH, FRESH_ALARM]] = alarms[0] + 1 if early else fresh, early
    return counters, np.where(caught, first - starts, np.nan)


def _expected(truth: Drifts, p: float) -> NDArray[np.float64]:
    """Return the expected counters of a run that alarms at each example with probability `p`."""
    starts, limits, n = truth
    if p == 0:
        return _count(np.zeros(0, np.int64), truth)[0]
    lengths, q = limits - starts, 1 - p
    caught = 1 - q**lengths
    waited = caught / p
    fresh = starts[0] if starts.size else n
    counters = np.zeros(9)
    counters[[DETECTED, MISSED]] = caught.sum(), (1 - caught).sum()
    counters[WATCHED] = n - lengths.sum()
    counters[FALSE] = p * counters[WATCHED]
    counters[REPEATED] = p * n - counters[FALSE] - counters[DETECTED]
    counters[[DELAY, WAITED]] = (waited - lengths * q**lengths - caught).sum(), waited.sum()
    counters[[FRESH, FRESH_ALARM]] = (1 - q**fresh) / p, 1 - q**fresh
    return counters


def _ratios(total: NDArray[np.float64]) -> tuple[float, float, float, float, float, float]:
    """Return the measures in the order of RATIOS, from the `total` of counters."""
    mtd = _over(total[DELAY], total[DETECTED])
    mdr = _over(total[MISSED], total[DETECTED] + total[MISSED])
    mtfa = _over(total[WATCHED], total[FALSE])
    mtr = _over(mtfa, mtd) * (1 - mdr)
    arl0, arl1 = _over(total[FRESH], total[FRESH_ALARM]), _over(total[WAITED], total[DETECTED])
    return mtd, mdr, mtfa, mtr, arl0, arl1


def _over(amount: float, events: float) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(amount) / events)


def _runs_frame(counters: NDArray[np.float64], names: list[Any]) -> pd.DataFrame:
    columns = [*COUNTS, *RATIOS]
    data = np.array([_column(run) for run in counters]).reshape(-1, len(columns))
    of = {c: v.astype(int) if c in COUNTS else v for c, v in zip(columns, data.T, strict=True)}
    return pd.DataFrame(of, index=pd.Index(names, name="run"))


def _table(counters: NDArray[np.float64], truth: Drifts, rate: float) -> pd.DataFrame:
    r, total = len(counters), counters.sum(axis=0)
    without = np.array([_column((total - run) / (r - 1)) for run in counters if r > 1])
    standard_errors = np.full(len(COUNTS) + len(RATIOS), np.nan)
    if r > 1:
        with np.errstate(invalid="ignore"):
            standard_errors = np.sqrt((r - 1) * without.var(axis=0))
    reference = {"always": 1.0, "never": 0.0, "random": rate}
    columns = {
        "detector": _column(total / r),
        "± s.e.": standard_errors,
        **{name: _column(_expected(truth, p)) for name, p in reference.items()},
    }
    return pd.DataFrame(columns, index=pd.Index([*COUNTS, *RATIOS], name="measure"))


def _column(total: NDArray[np.float64]) -> list[float]:
    return [*total[:4].tolist(), *_ratios(total)]


def _as_drifts(drifts: Any, n: int, tolerance: int | None) -> Drifts:
    rule = (
        f"drifts must be positions in 1..{n - 1} or (start, end) with 0 < start < end <= {n}, "
        "in order and apart"
    )
    if not np.iterable(drifts) or isinstance(drifts, Mapping):
        raise ValueError(f"{rule}; got {shown(drifts)}")
    listed = list(drifts)
    edges = np.array([_edges(drift) for drift in listed], dtype=object).reshape(-1, 2)
    fine = all(0 < start < end <= n for start, end in edges)
    if not fine or not (np.diff(edges.ravel().astype(np.int64)) >= 0).all():
        raise ValueError(f"{rule}; got {shown(listed)}")
    starts, ends = edges.astype(np.int64).T
    limits = np.append(starts[1:], n)[: starts.size]
    if tolerance is not None:
        later = min(n, check_count(tolerance, name="tolerance", least=0))
        limits = np.minimum(ends + later, limits)
    return Drifts(starts, limits, n)


def _edges(drift: Any) -> tuple[int, int]:
    """Return the first example of a drift and the one after its last; (0, 0) if it is not valid."""
    drift = drift.tolist() if isinstance(drift, np.ndarray) else drift
    if is_whole(drift):
        return int(drift), int(drift) + 1
    if isinstance(drift, tuple | list) and len(drift) == 2 and all(map(is_whole, drift)):
        return int(drift[0]), int(drift[1])
    return 0, 0
