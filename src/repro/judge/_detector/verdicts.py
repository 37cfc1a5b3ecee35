"""Verdicts on a detector: sooner or later than others, misses, false alarms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.judge._detector.losses import INDEPENDENT, KINDS, REAL, SHUFFLED
from repro.judge._detector.measures import PER, false_alarms, waited
from repro.judge._detector.references import NEVER, RANDOM
from repro.judge._detector.study import SOURCES, Row, Study
from repro.judge._report.shared import sentence
from repro.statistics.estimates import LEVEL, PointEstimate, mean_estimate
from repro.statistics.multiple import rejected_by_holm
from repro.statistics.shares import share_interval

__all__ = ["Comparison", "comparisons", "unreached", "verdicts_on"]

UNDECIDED = "undecided"


class Comparison(NamedTuple):
    """A detector of the user against another one at its false-alarm rate, on one kind of change."""

    row: Row  # the other detector
    kind: str
    difference: PointEstimate  # examples that the user's detector waits more than the other
    is_certain: bool  # after Holm's correction over all comparisons of the detector


def comparisons(study: Study, name: str) -> list[Comparison]:
    """The detector `name` against each other one at its rate, on all kinds and losses."""
    others = [r for r in study.alarms if r.beside == name != r.detector and r.detector != NEVER]
    pairs = [(row, kind) for row in others for kind in KINDS[:3] if not _is_unreached(study, row)]
    estimates = [
        mean_estimate(_waited(study, _own(row), kind) - _waited(study, row, kind))
        for row, kind in pairs
    ]
    certain = rejected_by_holm([e.p_value for e in estimates])
    return [Comparison(*of[0], *of[1:]) for of in zip(pairs, estimates, certain, strict=True)]


def _waited(study: Study, row: Row, kind: str) -> NDArray[np.float64]:
    return waited(study.reports[row][kind], row.losses, kind)


def _own(row: Row) -> Row:
    """The row of the detector that `row` is compared with."""
    return row._replace(detector=row.beside)


def _is_unreached(study: Study, row: Row) -> bool:
    fit = study.fits.get(row)
    return fit is not None and not fit.reaches(study.targets[row.losses, row.beside])


def unreached(study: Study, name: str) -> list[Row]:
    """The detectors that no value of their parameter brings to the rate of `name`."""
    return [row for row in study.fits if row.beside == name and _is_unreached(study, row)]


def verdicts_on(study: Study, name: str) -> pd.DataFrame:
    """The questions on the detector `name`, their answers and the evidence."""
    compared = comparisons(study, name)
    rows = [_sooner(compared, name, source, kind) for source in SOURCES for kind in KINDS[:3]]
    rows += [_beats_random(compared, name, source) for source in SOURCES]
    rows += [_misses(study, name, source) for source in SOURCES]
    rows += [_false_alarms(study, name)]
    rows += [_reach(study, name, source) for source in SOURCES]
    return pd.DataFrame(rows, columns=["question", "verdict", "evidence"])


def _sooner(compared: list[Comparison], name: str, source: str, kind: str) -> tuple[str, str, str]:
    of_kind = [c for c in compared if (c.row.losses, c.kind) == (source, kind)]
    others = [c for c in of_kind if c.row.detector != RANDOM]
    sooner = [c.row.detector for c in others if c.is_certain and c.difference.value < 0]
    later = [c.row.detector for c in others if c.is_certain and c.difference.value > 0]
    open_ = [c.row.detector for c in others if not c.is_certain]
    word = "no" if later else UNDECIDED
    if sooner:
        word = "partly" if later or open_ else "yes"
    where = {"sooner than": sooner, "later than": later, "undecided:": open_}
    parts = [f"{how} {sentence(names)}" for how, names in where.items() if names]
    verdict = f"{word}: {'; '.join(parts)}" if sooner or later else word
    evidence = "; ".join(f"{c.row.detector} {_difference(c.difference)}" for c in others)
    question = f"Does {name} detect {kind} changes sooner at the same false-alarm rate, {source}?"
    return question, verdict, f"examples waited, minus those of {evidence or 'none'}"


def _difference(estimate: PointEstimate) -> str:
    if np.isnan(estimate.standard_error):
        return f"{estimate.value:+.0f} (one run)"
    return f"{estimate.value:+.0f} ± {estimate.standard_error:.0f}"


def _beats_random(compared: list[Comparison], name: str, source: str) -> tuple[str, str, str]:
    against_random = [c for c in compared if c.row.losses == source and c.row.detector == RANDOM]
    better = [c.kind for c in against_random if c.is_certain and c.difference.value < 0]
    is_worse = any(c.is_certain and c.difference.value > 0 for c in against_random)
    verdict = "no" if is_worse else UNDECIDED
    if better:
        verdict = f"partly: on {sentence(better)} changes only"
    if against_random and len(better) == len(against_random):
        verdict = "yes"
    evidence = "; ".join(f"{c.kind} {_difference(c.difference)}" for c in against_random)
    question = f"Is {name} better than random alarms at its rate, {source}?"
    return question, verdict, f"examples waited, minus those of random alarms: {evidence}"


def _misses(study: Study, name: str, source: str) -> tuple[str, str, str]:
    evidence, counts = [], []
    for kind in KINDS[:3]:
        report = study.reports[Row(source, name, name)][kind]
        n = report.detected + report.missed
        low, high = share_interval(report.missed, n)
        counts.append(report.missed)
        evidence.append(
            f"{kind} {report.missed} of {n} ({100 * low:.0f} to {100 * high:.0f} % with 95 % "
            "confidence)"
        )
    verdict = (
        f"up to {100 * max(_shares(study, name, source)):.0f} %" if any(counts) else "none seen"
    )
    return f"How many changes does {name} miss, {source}?", verdict, "; ".join(evidence)


def _shares(study: Study, name: str, source: str) -> list[float]:
    return [study.reports[Row(source, name, name)][kind].mdr for kind in KINDS[:3]]


def _false_alarms(study: Study, name: str) -> tuple[str, str, str]:
    alarms = study.as_given[name]
    rates = {
        s: false_alarms({g: a for g, a in alarms.items() if g.losses == s})
        for s in (REAL, SHUFFLED, INDEPENDENT)
    }
    real, shuffled = rates[REAL], rates[SHUFFLED]
    excess = mean_estimate(real - shuffled)
    verdict = UNDECIDED
    if excess.p_value <= LEVEL:
        verdict = "no, more on the learner's" if excess.value > 0 else "no, fewer on the learner's"
    elif not real.any() and not shuffled.any():
        verdict = "yes, none on either"
    evidence = "; ".join(f"{source} {_mean(rate)}" for source, rate in rates.items())
    question = (
        f"Does {name}, as given, alarm as rarely on a learner's losses as on independent ones?"
    )
    return question, verdict, f"false alarms per {PER} examples: {evidence}"


def _mean(rate: np.ndarray) -> str:
    mean = mean_estimate(rate)
    return f"{mean.value:.3g}" + (f" ± {mean.standard_error:.2g}" if rate.size > 1 else "")


def _reach(study: Study, name: str, source: str) -> tuple[str, str, str]:
    question = f"Can all others be set to the false-alarm rate of {name}, {source}?"
    out = [row for row in unreached(study, name) if row.losses == source]
    texts = [
        f"{row.detector}: one in {study.fits[row].found:.0f} at {study.settings[row]}"
        for row in out
    ]
    wanted = study.targets[source, name]
    target = f"wanted: one in {wanted:.0f} examples of the losses for calibration"
    verdict = f"not {sentence(row.detector for row in out)}" if out else "yes"
    return question, verdict, "; ".join([target, *(f"nearest of {text}" for text in texts)])
