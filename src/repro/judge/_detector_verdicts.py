"""Verdicts on a detector: sooner or later than others, misses, false alarms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from repro.judge._detector_losses import INDEPENDENT, KINDS, REAL, SHUFFLED
from repro.judge._detector_measures import PER, Paired, false_alarms, paired, waited
from repro.judge._detector_references import NEVER, RANDOM
from repro.judge._detector_study import SOURCES, Row, Study
from repro.judge._shared import sentence
from repro.published.counts import differs_after_holm
from repro.published.words import DIFFERS

__all__ = ["Comparison", "comparisons", "unreached", "verdicts_on"]

UNDECIDED = "undecided"


class Comparison(NamedTuple):
    """A detector of the user against another one at its false-alarm rate, on one kind of change."""

    row: Row  # the other detector
    kind: str
    difference: Paired  # examples that the user's detector waits more than the other
    is_certain: bool  # after Holm's correction over all comparisons of the detector


def comparisons(study: Study, name: str) -> list[Comparison]:
    """The detector `name` against each other one at its rate, on all kinds and losses."""
    others = [r for r in study.found if r.beside == name != r.detector and r.detector != NEVER]
    pairs = [(row, kind) for row in others for kind in KINDS[:3] if not _is_unreached(study, row)]
    found = [
        paired(*(waited(study.reports[r][kind], r.losses, kind) for r in (_own(row), row)))
        for row, kind in pairs
    ]
    certain = differs_after_holm([f.p for f in found], [DIFFERS] * len(found))
    return [
        Comparison(*pair, result, sure and result.p == result.p)
        for pair, result, sure in zip(pairs, found, certain, strict=True)
    ]


def _own(row: Row) -> Row:
    """The row of the detector that `row` is compared with."""
    return row._replace(detector=row.beside)


def _is_unreached(study: Study, row: Row) -> bool:
    fit = study.fits.get(row)
    return fit is not None and not fit.reaches(study.wanted[row.losses, row.beside])


def unreached(study: Study, name: str) -> list[Row]:
    """The detectors that no value of their parameter brings to the rate of `name`."""
    return [row for row in study.fits if row.beside == name and _is_unreached(study, row)]


def verdicts_on(study: Study, name: str) -> pd.DataFrame:
    """The questions on the detector `name`, their answers and the evidence."""
    found = comparisons(study, name)
    rows = [_sooner(found, name, source, kind) for source in SOURCES for kind in KINDS[:3]]
    rows += [_beats_random(found, name, source) for source in SOURCES]
    rows += [_misses(study, name, source) for source in SOURCES]
    rows += [_false_alarms(study, name)]
    rows += [_reach(study, name, source) for source in SOURCES]
    return pd.DataFrame(rows, columns=["question", "verdict", "evidence"])


def _sooner(found: list[Comparison], name: str, source: str, kind: str) -> tuple[str, str, str]:
    of_kind = [c for c in found if (c.row.losses, c.kind) == (source, kind)]
    own = [c for c in of_kind if c.row.detector != RANDOM]
    sooner = [c.row.detector for c in own if c.is_certain and c.difference.mean < 0]
    later = [c.row.detector for c in own if c.is_certain and c.difference.mean > 0]
    open_ = [c.row.detector for c in own if not c.is_certain]
    word = "no" if later else UNDECIDED
    if sooner:
        word = "partly" if later or open_ else "yes"
    where = {"sooner than": sooner, "later than": later, "undecided:": open_}
    parts = [f"{how} {sentence(names)}" for how, names in where.items() if names]
    verdict = f"{word}: {'; '.join(parts)}" if sooner or later else word
    evidence = "; ".join(f"{c.row.detector} {_difference(c.difference)}" for c in own)
    question = f"Does {name} detect {kind} changes sooner at the same false-alarm rate, {source}?"
    return question, verdict, f"examples waited, minus those of {evidence or 'none'}"


def _difference(paired_: Paired) -> str:
    if np.isnan(paired_.standard_error):
        return f"{paired_.mean:+.0f} (one run)"
    return f"{paired_.mean:+.0f} ± {paired_.standard_error:.0f}"


def _beats_random(found: list[Comparison], name: str, source: str) -> tuple[str, str, str]:
    own = [c for c in found if c.row.losses == source and c.row.detector == RANDOM]
    better = [c.kind for c in own if c.is_certain and c.difference.mean < 0]
    is_worse = any(c.is_certain and c.difference.mean > 0 for c in own)
    verdict = "no" if is_worse else UNDECIDED
    if better:
        verdict = f"partly: on {sentence(better)} changes only"
    if own and len(better) == len(own):
        verdict = "yes"
    evidence = "; ".join(f"{c.kind} {_difference(c.difference)}" for c in own)
    question = f"Is {name} better than random alarms at its rate, {source}?"
    return question, verdict, f"examples waited, minus those of random alarms: {evidence}"


def _misses(study: Study, name: str, source: str) -> tuple[str, str, str]:
    evidence, shares = [], []
    for kind in KINDS[:3]:
        report = study.reports[Row(source, name, name)][kind]
        error = report.table.loc["mdr", "± s.e."]
        shares.append(report.mdr)
        spread = "" if np.isnan(error) else f" ± {100 * error:.1f}"
        evidence.append(f"{kind} {100 * report.mdr:.1f}{spread} %")
    worst = max(shares, default=np.nan)
    verdict = "none" if worst == 0 else f"up to {100 * worst:.0f} %"
    return f"How many changes does {name} miss, {source}?", verdict, "; ".join(evidence)


def _false_alarms(study: Study, name: str) -> tuple[str, str, str]:
    found = study.as_given[name]
    rates = {
        s: false_alarms({g: a for g, a in found.items() if g.losses == s})
        for s in (REAL, SHUFFLED, INDEPENDENT)
    }
    real, shuffled = rates[REAL], rates[SHUFFLED]
    test = paired(real, shuffled)
    verdict = UNDECIDED
    if test.p <= 0.05:
        verdict = "no, more on the learner's" if test.mean > 0 else "no, fewer on the learner's"
    elif not real.any() and not shuffled.any():
        verdict = "yes, none on either"
    evidence = "; ".join(f"{source} {_mean(rate)}" for source, rate in rates.items())
    question = (
        f"Does {name}, as given, alarm as rarely on a learner's losses as on independent ones?"
    )
    return question, verdict, f"false alarms per {PER} examples: {evidence}"


def _mean(rate: np.ndarray) -> str:
    spread = f" ± {pd.Series(rate).sem():.2g}" if rate.size > 1 else ""
    return f"{rate.mean():.3g}{spread}"


def _reach(study: Study, name: str, source: str) -> tuple[str, str, str]:
    question = f"Can all others be set to the false-alarm rate of {name}, {source}?"
    out = [row for row in unreached(study, name) if row.losses == source]
    texts = [
        f"{row.detector}: one in {study.fits[row].found:.0f} at {study.settings[row]}"
        for row in out
    ]
    wanted = f"wanted: one in {study.wanted[source, name]:.0f} examples"
    verdict = f"not {sentence(row.detector for row in out)}" if out else "yes"
    return question, verdict, "; ".join([wanted, *(f"nearest of {text}" for text in texts)])
