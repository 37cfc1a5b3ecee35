"""The answers about a stream in one paragraph, and as verdicts with their evidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro.judge._report.shared import sentence
from repro.judge._stream.drift import where
from repro.judge._stream.labels import Labels
from repro.judge._stream.learners import Comparison, tied
from repro.judge._stream.source import Source
from repro.metrics import KappaAdvice
from repro.statistics.drift import Drift

__all__ = ["Answers", "words_on"]


@dataclass(frozen=True, eq=False)
class Answers:
    """What was found out about a stream; `warm` is in examples, and nan if not reached."""

    labels: Labels
    comparison: Comparison
    advice: KappaAdvice
    drift: Drift
    warm: float
    inflation: float


def words_on(source: Source, found: Answers) -> tuple[str, pd.DataFrame]:
    """The summary, and the frame of verdicts."""
    rows = {
        "Is the accuracy real?": _accuracy(found),
        "Do labels depend on each other?": _dependence(found.labels),
        "Which learner is best?": _best(found.comparison),
        "Is there drift?": _drift(found.drift),
        "How long until a new learner is warm?": _warm(found),
        "How many examples does an estimate need?": _estimate(source, found),
    }
    verdicts = pd.DataFrame.from_dict(rows, orient="index", columns=["verdict", "evidence"])
    return _summary(source, found), verdicts.rename_axis("question").reset_index()


def _accuracy(found: Answers) -> tuple[str, str]:
    advice = found.advice
    if not advice.measure:
        return "nothing to predict", advice.text
    row = advice.frame.loc[advice.measure]
    value, error = float(row["value"]), float(row["standard_error"])
    evidence = f"{advice.measure} {value:.3f} ± {error:.3f} against {row['baseline']}"
    if value > 1.96 * error and value > 0:
        return f"yes: better than {row['baseline']}", evidence
    worse = "worse" if value < -1.96 * error else "not better"
    return f"no: {worse} than {row['baseline']}", evidence


def _dependence(labels: Labels) -> tuple[str, str]:
    d = labels.dependence
    evidence = f"{d.p_per:.1%} equal the label before, {d.expected:.1%} in random order"
    if np.isnan(d.p_value):
        return "unknown", evidence
    if not d.p_value < 0.01:
        return "independent, as far as seen", evidence
    kind = "more" if d.z > 0 else "less"
    period = f", with a season of {labels.season} examples" if labels.season else ""
    verdict = f"neighbours are equal {kind} often than by chance{period}"
    return verdict, f"{evidence} (z = {d.z:.0f})"


def _best(found: Comparison) -> tuple[str, str]:
    error, spread = found.table.loc[found.best, ["error [%]", "error [%] ± s.e."]]
    own = f"error {error:.2f} ± {spread:.2f} %"
    if others := tied(found):
        return f"{found.best}, not told from {others}", own
    return found.best, f"{own}, all others significantly more"


def _drift(drift: Drift) -> tuple[str, str]:
    aspects = drift.aspects
    seen = [name for name, aspect in aspects.items() if aspect.found]
    tested = [name for name, aspect in aspects.items() if not np.isnan(aspect.p_value)]
    if not tested:
        return "unknown", f"too few independent blocks: {drift.labels.blocks.n}"
    if not seen:
        listed = sentence(f"{name} p = {aspects[name].p_value:.2g}" for name in tested)
        left = [name for name in aspects if name not in tested]
        more = f"; not tested: {sentence(left)}" if left else ""
        return "none seen", listed + more
    return f"drift of {sentence(seen)}", "; ".join(f"{n} {where(aspects[n])}" for n in seen)


def _warm(found: Answers) -> tuple[str, str]:
    best = found.comparison.best
    if np.isnan(found.warm):
        return "not within the horizon", f"{best}, started anew at random places"
    return f"{found.warm:,.0f} examples", f"{best} within 1 point of one that learned all along"


def _estimate(source: Source, found: Answers) -> tuple[str, str]:
    p = found.comparison.table.at[found.comparison.best, "error [%]"] / 100
    count = found.inflation * p * (1 - p) * (1.96 / 0.01) ** 2
    evidence = f"variance {found.inflation:.1f} times that of independent losses"
    return f"{count:,.0f} for ± 1 point", evidence


def _summary(source: Source, found: Answers) -> str:
    table, best = found.comparison.table, found.comparison.best
    simple = found.comparison.baseline
    error, spread = table.loc[best, ["error [%]", "error [%] ± s.e."]]
    verdict, evidence = _accuracy(found)
    real = "is real" if verdict.startswith("yes") else "is not real"
    others = tied(found.comparison)
    alone = f" (it cannot be told from {others})" if others else ""
    dependence, _ = _dependence(found.labels)
    return (
        f"{source.name} has {len(source.stream):,} examples of {len(source.labels)} classes. "
        f"Of the learners that use attributes, {best} errs least often, in {error:.2f} ± "
        f"{spread:.2f} % of them{alone}; the rule “{simple}” errs in "
        f"{table.at[simple, 'error [%]']:.2f} %. The accuracy "
        f"{real}: {verdict.partition(': ')[2]} ({evidence}). Labels: {dependence}. "
        f"{_changes(found.drift)}"
    )


def _changes(drift: Drift) -> str:
    verdict, evidence = _drift(drift)
    known = {
        "none seen": "No drift is seen beyond what dependence explains.",
        "unknown": "Whether there is drift cannot be told.",
    }
    return known.get(verdict, f"There is {verdict}: {evidence}.")
