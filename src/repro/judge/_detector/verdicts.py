"""Verdicts on a detector: sooner or later than others, misses, false alarms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.judge._detector.losses import (
    AT,
    FALL,
    INDEPENDENT,
    KINDS,
    REAL,
    SHUFFLED,
    TOLERANCE,
)
from repro.judge._detector.measures import PER, false_alarms, waited
from repro.judge._detector.references import NEVER, RANDOM
from repro.judge._detector.results import SOURCES, Row, Study
from repro.judge._detector.slopes import slope
from repro.judge._report.shared import number_text, sentence
from repro.statistics.estimates import LEVEL, PointEstimate, mean_estimate
from repro.statistics.multiple import rejected_by_holm
from repro.statistics.shares import share_interval

__all__ = ["Comparison", "comparisons", "falls_answer", "unreached", "verdicts_on"]

UNDECIDED = "cannot tell"


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
    of_rates = {row: _error_of_rates(study, row) for row in dict.fromkeys(r for r, _ in pairs)}
    estimates = [_difference_of(study, row, kind, of_rates[row]) for row, kind in pairs]
    certain = rejected_by_holm([e.p_value for e in estimates])
    certain &= [
        e.value < 0 or not _is_bounded_only(study, row)
        for e, (row, _) in zip(estimates, pairs, strict=True)
    ]
    return [Comparison(*of[0], *of[1:]) for of in zip(pairs, estimates, certain, strict=True)]


def _difference_of(study: Study, row: Row, kind: str, of_rates: float) -> PointEstimate:
    """Examples that the user's detector waits more than that of `row`.

    Its error has two parts: that of the runs, and that which the error `of_rates` makes.
    """
    value, error, df = mean_estimate(_waited(study, _own(row), kind) - _waited(study, row, kind))
    return PointEstimate(value, float(np.hypot(error, of_rates)), df)


def _error_of_rates(study: Study, row: Row) -> float:
    """Examples of waiting that follow from the error of both rates.

    That of the logarithm of their ratio, as a mean over the levels, times the change of ARL1 with
    the logarithm of the rate.
    """
    rates = [study.rates[key] for key in study.rates if key[:2] == (row.losses, row.beside)]
    keys = [key for key in study.fits if key.row in (row, _own(row))]
    counted = [study.rate_of(key) for key in keys]
    if not any(key.row == _own(row) for key in keys):  # as it is given
        counted += rates
    variance = sum(rate.relative_variance for rate in counted) / len(rates) ** 2
    return slope(study, row) * float(np.sqrt(variance))


def _is_bounded_only(study: Study, row: Row) -> bool:
    """Whether the rate of the user's detector is only known to be below that of the others.

    Without an alarm on the losses for calibration the others may alarm more often than it does: if
    they detect sooner, that says nothing.
    """
    of = [rate for key, rate in study.rates.items() if key[:2] == (row.losses, row.beside)]
    return study.wanted is None and any(rate.alarms == 0 for rate in of)


def _waited(study: Study, row: Row, kind: str) -> NDArray[np.float64]:
    return waited(study.reports[row][kind], row.losses, kind)


def _own(row: Row) -> Row:
    """The row of the detector that `row` is compared with."""
    return row._replace(detector=row.beside)


def _is_unreached(study: Study, row: Row) -> bool:
    return any(key.row == row and not study.reaches(key) for key in study.fits)


def unreached(study: Study, name: str) -> list[Row]:
    """The detectors for which the search found no setting with the rate of `name`."""
    rows = dict.fromkeys(key.row for key in study.fits if key.beside == name)
    return [row for row in rows if _is_unreached(study, row)]


def verdicts_on(study: Study, name: str) -> pd.DataFrame:
    """The questions on the detector `name`, their answers and the evidence."""
    compared = comparisons(study, name)
    rows = [_sooner(compared, name, source, kind) for source in SOURCES for kind in KINDS[:3]]
    rows += [_beats_random(compared, name, source) for source in SOURCES]
    rows += [_misses(study, name, source) for source in SOURCES]
    rows += [_false_alarms(study, name), _falls(study, name)]
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
    where = {"sooner than": sooner, "later than": later, "cannot be told from": open_}
    parts = [f"{how} {sentence(names)}" for how, names in where.items() if names]
    verdict = f"{word}: {'; '.join(parts)}" if sooner or later else word
    evidence = "; ".join(f"{c.row.detector} {_difference(c.difference)}" for c in others)
    question = f"Does {name} detect {kind} changes sooner at the same false-alarm rate, {source}?"
    return question, verdict, f"examples waited, minus those of {evidence or 'none'}"


def _difference(estimate: PointEstimate) -> str:
    if np.isnan(estimate.standard_error):
        return f"{estimate.value:+.0f} (one run)"
    return number_text(estimate, "+.0f")


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
    reports = study.reports[Row(source, name, name)]
    counts = {k: (reports[k].missed, reports[k].missed + reports[k].detected) for k in KINDS[:3]}
    evidence = []
    for kind, (missed, n) in counts.items():
        low, high = share_interval(missed, n)
        evidence.append(
            f"{kind} {missed} of {n} ({100 * low:.0f} to {100 * high:.0f} % with 95 % confidence)"
        )
    worst = max(counts, key=lambda kind: reports[kind].mdr)
    missed, n = counts[worst]
    verdict = f"{missed} of {n} {worst} ones, no larger share of others" if missed else "none seen"
    return f"How many changes does {name} miss, {source}?", verdict, "; ".join(evidence)


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


def _mean(rate: NDArray[np.float64]) -> str:
    return number_text(mean_estimate(rate), ".3g", ".2g")


def _reach(study: Study, name: str, source: str) -> tuple[str, str, str]:
    question = f"Can all others be set to the false-alarm rate of {name}, {source}?"
    out = [row for row in unreached(study, name) if row.losses == source]
    texts = [
        f"nearest of {k.detector} on {k.level}: one in {study.fits[k].found:.0f}"
        for row in out
        for k in study.fits
        if k.row == row and not study.reaches(k)
    ]
    levels = [key for key in study.rates if key[:2] == (source, name)]
    wanted = [f"{key[2]} one in {study.target(Row(*key[:2], name), key[2]):.0f}" for key in levels]
    target = f"wanted on the losses for calibration: {sentence(wanted)}"
    verdict = f"not {sentence(row.detector for row in out)}" if out else "yes"
    return question, verdict, "; ".join([target, *texts])


def _falls(study: Study, name: str) -> tuple[str, str, str]:
    """Whether the detector also alarms when the error falls."""
    runs = [a for g, alarms in study.as_given[name].items() if g.kind == FALL for a in alarms]
    seen = sum(bool(((run >= AT) & (run < AT + TOLERANCE)).any()) for run in runs)
    low, high = share_interval(seen, len(runs))
    rates = [rate for key, rate in study.rates.items() if key[:2] == (INDEPENDENT, name)]
    chance = 1 - np.exp(-TOLERANCE / min(rate.interval()[0] for rate in rates))
    verdict = falls_answer(seen, len(runs), chance)
    evidence = (
        f"alarms in {seen} of {len(runs)} runs of independent losses ({100 * low:.0f} to "
        f"{100 * high:.0f} % with 95 % confidence) within {TOLERANCE} examples after the error "
        f"falls; false alarms would give at most about {100 * chance:.0f} %"
    )
    return f"Does {name}, as given, alarm when the error falls?", verdict, evidence


def falls_answer(seen: int, n: int, chance: float) -> str:
    """Whether more than a share `chance` of runs has alarms, where `seen` of `n` have them."""
    if share_interval(seen, n)[0] > chance:
        return "yes"
    return "not more than by chance" if seen <= chance * n else UNDECIDED
