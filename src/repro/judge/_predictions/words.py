"""The answers about a log of predictions in one paragraph, and as verdicts with their evidence.

Each verdict is one of few words, which follow from a test; "cannot tell" where it does not decide.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from repro.interop.prediction_log import LabelDelays
from repro.judge._predictions.facts import Facts, told
from repro.judge._report.shared import (
    bonferroni,
    number_text,
    points_text,
    sentence,
    share_text,
    where,
)
from repro.metrics.calibration import Calibration
from repro.statistics.drift import Aspect
from repro.statistics.estimates import LEVEL, PointEstimate

__all__ = ["GAIN", "RARE", "answers", "gain_answer", "rare_answer", "summary"]

Answer = tuple[str, str]
GAIN = "Is {} better than simple rules?"
CHANGE = "Does the error of {} change?"
RARE = "Does {} find rare classes?"
PAIRS = "Which model is better?"
MOST_NAMED = 5


def answers(
    facts: Facts,
    changes: Mapping[str | None, Aspect],
    calibrated: Mapping[str, Calibration | None],
    groups: Mapping[str, Mapping[str, pd.DataFrame]],
) -> pd.DataFrame:
    """The frame of verdicts."""
    rows: dict[str, Answer] = {}
    for model in facts.losses:
        rows[GAIN.format(model)] = gain_answer(facts, model)
        if facts.rare:
            rows[RARE.format(model)] = rare_answer(facts, model)
        if model in calibrated:
            rows[f"Are the scores of {model} right?"] = _scores(calibrated[model])
        rows[CHANGE.format(model)] = _change(changes[model], len(changes))
        for column, frames in groups.items():
            rows[f"Does {model} err more in a group of {column}?"] = _group(frames[model])
    if len(facts.losses) > 1:
        rows[PAIRS] = _pairs(facts)
    if facts.log.delays is not None:
        rows["Do labels come late?"] = _late(facts.log.delays, facts.delay)
    verdicts = pd.DataFrame.from_dict(rows, orient="index", columns=["verdict", "evidence"])
    return verdicts.rename_axis("question").reset_index()


def summary(facts: Facts, verdicts: pd.DataFrame) -> str:
    """The answer in one paragraph."""
    log, said = facts.log, verdicts.set_index("question")["verdict"]
    K = int((log.counts > 0).sum())
    name = "The log" if log.name == "the log" else log.name
    texts = [f"{name} has {len(log):,} examples with labels of {K} class{'es' * (K > 1)}."]
    for model, y_pred in log.predictions.items():
        error = _error(facts, model)
        if facts.is_unbalanced:
            balanced, _ = facts.mean_recalls(y_pred)
            texts.append(
                f"{model} has a balanced accuracy of {points_text(balanced)} % (without skill "
                f"{100 / K:.0f} %) and errs in {error}."
            )
        else:
            texts.append(f"{model} errs in {error}.")
        texts += [_gain_text(said[GAIN.format(model)]), _change_text(said[CHANGE.format(model)])]
    if PAIRS in said:
        is_told = not said[PAIRS].startswith("cannot tell")
        texts.append(f"{said[PAIRS] if is_told else 'No two models are told apart'}.")
    return " ".join(texts)


def _error(facts: Facts, model: str) -> str:
    loss = facts.losses[model]
    return share_text(int(loss.sum()), len(loss), facts.mean(loss).standard_error)


def _gain_text(verdict: str) -> str:
    word, _, rest = verdict.partition(": ")
    if word == "cannot tell":
        return f"Whether it is better than {rest.removeprefix('not told from ')} cannot be told."
    return f"It is {rest}."


def _change_text(verdict: str) -> str:
    texts = {
        "none is seen": "No change of its error is seen.",
        "cannot tell": "Whether its error changes cannot be told.",
    }
    return texts.get(verdict, f"Its error {verdict}.")


def gain_answer(facts: Facts, model: str, level: float = LEVEL) -> Answer:
    """Whether a model beats each rule that ignores the attributes, each at the `level`."""
    gains = {rule: facts.gain(model, rule) for rule in facts.rules}
    evidence = "; ".join(f"{_gained(gain)} than {rule}" for rule, gain in gains.items())
    signs = {rule: told(gain, level) for rule, gain in gains.items()}
    worse = [rule for rule, sign in signs.items() if sign < 0]
    unknown = [rule for rule, sign in signs.items() if not sign]
    if worse:
        return f"no: worse than {sentence(worse)}", evidence
    if unknown:
        return f"cannot tell: not told from {sentence(unknown)}", evidence
    return f"yes: better than {sentence(signs)}", evidence


def rare_answer(facts: Facts, model: str) -> Answer:
    """Whether a model finds the rare classes more often than by chance."""
    y_pred, parts = facts.log.predictions[model], []
    found: list[str] = []
    lost: list[str] = []
    unknown: list[str] = []
    named_classes = facts.rare[:MOST_NAMED]
    for c in named_classes:
        name, never = facts.log.labels[c], not (y_pred == c).any()
        sign = told(facts.lift(y_pred, c), LEVEL / len(named_classes))
        (found if sign > 0 else lost if sign < 0 or never else unknown).append(name)
        count, recall = facts.log.counts[c], facts.recall(y_pred, c)
        never_said = ", never predicted" * never
        parts.append(f"of {name} {points_text(recall)} % ({count:,} examples{never_said})")
    more = len(facts.rare) - MOST_NAMED
    evidence = f"recall {'; '.join(parts)}{f'; {more} more' * (more > 0)}"
    if not lost and not unknown:
        return f"yes: {_classes(found)} more often than by chance", evidence
    if not found and not unknown:
        return f"no: {_classes(lost)} not more often than by chance", evidence
    if not found and not lost:
        return f"cannot tell: {_classes(unknown)} not told from chance", evidence
    named = {"found": found, "not found": lost, "not told from chance": unknown}
    return "partly: " + "; ".join(f"{_classes(v)} {k}" for k, v in named.items() if v), evidence


def _classes(names: list[str]) -> str:
    """Classes by name, which may be numbers."""
    return f"class{'es' * (len(names) > 1)} {sentence(names)}"


def _scores(made: Calibration | None) -> Answer:
    if made is None:
        return "not judged: no probabilities", "scores lie outside of [0, 1]"
    gap = PointEstimate(100 * made.gap, 100 * made.gap_standard_error)
    slope = number_text(PointEstimate(made.slope, made.slope_standard_error), ".2f", ".2f")
    evidence = (
        f"gap {number_text(gap, '+.2f', '.2f')} %, "
        f"{'all are equal' if np.isnan(made.slope) else f'slope {slope}'}, p = {made.p_value:.2g}"
    )
    if np.isnan(made.p_value):
        return "cannot tell", evidence
    if made.p_value > LEVEL:
        return "no fault is seen", evidence
    faults = []
    if made.gap_p_value <= LEVEL:
        faults.append(f"too {'high' if made.gap > 0 else 'low'} on average")
    if made.slope_p_value <= LEVEL:
        faults.append("too extreme" if made.slope < 1 else "not extreme enough")
    return f"no: {sentence(faults)}", evidence


def _change(aspect: Aspect, tests: int) -> Answer:
    blocks = f"{aspect.blocks.n} blocks of {aspect.blocks.length:,} examples"
    if np.isnan(aspect.p_value):
        return "cannot tell", f"losses depend on each other: only {blocks}"
    p = f"p = {bonferroni(aspect.p_value, tests):.2g}, {blocks}"
    if not aspect.found:
        return "none is seen", p
    return f"changes {where(aspect)}", p


def _group(frame: pd.DataFrame) -> Answer:
    tested = frame[frame["p_value"].notna()]
    if tested.empty:
        return "cannot tell", "no group has rows in enough separate places"
    above = tested[tested["difference"] > 0]
    worse = above[above["p_value"] <= LEVEL]
    left = len(frame) - len(tested)
    more = f"; {left} groups were not tested" if left else ""
    if above.empty:
        return "none is seen", f"no tested group errs more than the rest{more}"
    if worse.empty:
        return "none is seen", f"least p = {above['p_value'].min():.2g}{more}"
    ordered = worse.sort_values("difference", ascending=False)
    name, row = ordered.index[0], ordered.iloc[0]
    evidence = (
        f"{points_text(PointEstimate(row['mean'], row['standard_error']))} % in {name}, "
        f"{100 * row['rest']:.2f} % in the rest, p = {row['p_value']:.2g}{more}"
    )
    others = len(ordered) - 1
    return f"in {name}{f' and {others} more' * (others > 0)}", evidence


def _pairs(facts: Facts) -> Answer:
    rows = sorted(facts.pairs.to_dict("records"), key=lambda row: not row["p (corrected)"] <= LEVEL)
    parts, texts = [], []
    for row in rows:
        p, d = row["p (corrected)"], row["difference [%]"]
        size = number_text(PointEstimate(abs(d), row["difference [%] ± s.e."]), ".2f", ".2f")
        texts.append(f"{row['A']} and {row['B']} differ by {size} points, p = {p:.2g}")
        if p <= LEVEL:
            better, other = (row["B"], row["A"]) if d > 0 else (row["A"], row["B"])
            parts.append(f"{better} is better than {other}")
    if parts:
        return _first(parts), _first(texts)
    return "cannot tell: no two are told apart", _first(texts)


def _first(texts: list[str]) -> str:
    """The first of `texts`, and how many are left."""
    more = len(texts) - MOST_NAMED
    return "; ".join(texts[:MOST_NAMED]) + (f"; {more} more" if more > 0 else "")


def _late(delays: LabelDelays, median: int) -> Answer:
    unit = " seconds" if delays.unit else ""
    evidence = f"half of them after {np.median(delays.waits):,.6g}{unit}"
    if early := int((delays.waits < 0).sum()):
        return f"{early:,} come before their prediction", evidence
    if not median:
        return "most come before the next prediction", evidence
    return f"half come after {median:,} more predictions", evidence


def _gained(gain: PointEstimate) -> str:
    """How much smaller, or larger, an error is."""
    word = "smaller" if gain.value >= 0 else "larger"
    return f"error {points_text(gain._replace(value=abs(gain.value)))} points {word}"
