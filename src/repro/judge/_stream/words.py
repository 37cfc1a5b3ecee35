"""The answers about a stream in one paragraph, and as verdicts with their evidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from repro.judge._predictions.facts import Facts
from repro.judge._predictions.words import RARE, gain_answer, rare_answer
from repro.judge._report.shared import points_text, sentence, where
from repro.judge._stream.comparison import BASELINES, Comparison
from repro.judge._stream.drift import is_confounded
from repro.judge._stream.labels import GAIN, Copies, Labels
from repro.judge._stream.learners import best_of, error_text
from repro.judge._stream.source import Source
from repro.judge._stream.traps import TRAPS, holding_the_label, holding_the_next_label, trap_answer
from repro.statistics.attributes import AttributeChecks
from repro.statistics.dependence import examples_needed
from repro.statistics.drift import Drift
from repro.statistics.estimates import LEVEL

__all__ = ["Answers", "words_on"]

MOST_NAMED = 3  # attributes that the summary names
MUCH = 0.01  # share of repeated examples that the summary names


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers to the questions on a stream."""

    labels: Labels
    copies: Copies
    checks: AttributeChecks
    comparison: Comparison
    facts: Facts  # on the predictions of the best learner
    drift: Drift
    warm: tuple[str, str]  # the verdict, and its evidence
    inflation: float


def words_on(source: Source, answers: Answers) -> tuple[str, pd.DataFrame]:
    """The summary, and the frame of verdicts."""
    rows = {
        GAIN: _accuracy(answers),
        **_rare(answers),
        TRAPS: trap_answer(source, answers.checks),
        "Are examples repeated?": _repeated(answers.copies),
        "Do labels depend on each other?": _dependence(answers.labels),
        "Which learner is best?": _best(answers),
        "Is there drift?": _drift(answers.drift),
        "How long until a new learner is warm?": answers.warm,
        "How many examples does an estimate need?": _estimate(answers),
    }
    verdicts = pd.DataFrame.from_dict(rows, orient="index", columns=["verdict", "evidence"])
    return _summary(source, answers), verdicts.rename_axis("question").reset_index()


def _accuracy(answers: Answers) -> tuple[str, str]:
    """The learner was chosen as the best of several on these labels: each counts in the level."""
    chosen_from = sum(name not in BASELINES for name in answers.comparison.table.index)
    return gain_answer(answers.facts, answers.comparison.best, LEVEL / max(1, chosen_from))


def _rare(answers: Answers) -> dict[str, tuple[str, str]]:
    best = answers.comparison.best
    return {RARE.format(best): rare_answer(answers.facts, best)} if answers.facts.rare else {}


def _repeated(copies: Copies) -> tuple[str, str]:
    return (f"yes: {copies.repeats:,} of {copies.n:,}" if copies.repeats else "no"), copies.text


def _dependence(labels: Labels) -> tuple[str, str]:
    d = labels.dependence
    evidence = f"{d.p_per:.1%} equal the label before, {d.expected:.1%} in random order"
    if np.isnan(d.p_value):
        return "unknown", evidence
    if not d.p_value < 0.01:
        return "independent, as far as seen", evidence
    kind = "more" if d.z > 0 else "less"
    period = f", with a season of {labels.season_text}" if labels.season else ""
    verdict = f"neighbours are equal {kind} often than by chance{period}"
    return verdict, f"{evidence} (z = {d.z:.0f})"


def _best(answers: Answers) -> tuple[str, str]:
    comparison = answers.comparison
    evidence = f"error {error_text(comparison)}; with {1 - LEVEL:.0%} confidence"
    return best_of(comparison, comparison.best), evidence


def _drift(drift: Drift) -> tuple[str, str]:
    aspects, left = drift.aspects, _untested(drift)
    drifting = [name for name, aspect in aspects.items() if aspect.found]
    more = f"; not tested: {sentence(left)}" if left else ""
    if len(left) == len(aspects):
        return "unknown", f"too few independent blocks: {drift.labels.blocks.n}"
    if not drifting:
        tested = [name for name in aspects if name not in left]
        listed = sentence(f"{name} p = {aspects[name].p_value:.2g}" for name in tested)
        return "none seen", listed + more
    places = "; ".join(f"{n} {where(aspects[n])}" for n in drifting)
    if is_confounded(drift):
        places += "; whether the concept changes as well cannot be told from the attributes' change"
    return f"drift of {sentence(drifting)}", places + more


def _untested(drift: Drift) -> list[str]:
    """The aspects without a test; a concept whose test cannot be read has one."""
    names = [name for name, aspect in drift.aspects.items() if np.isnan(aspect.p_value)]
    return [name for name in names if not (name == "concept" and is_confounded(drift))]


def _estimate(answers: Answers) -> tuple[str, str]:
    p = answers.comparison.table.at[answers.comparison.best, "error [%]"] / 100
    if not 0 < p < 1:
        return "cannot tell", f"all losses of {answers.comparison.best} are equal"
    count = examples_needed(p, 0.01, answers.inflation)
    evidence = f"variance {answers.inflation:.1f} times that of independent losses"
    return f"{count:,.0f} for ± 1 point", evidence


def _summary(source: Source, answers: Answers) -> str:
    table, best = answers.comparison.table, answers.comparison.best
    simple = answers.comparison.baseline
    verdict, evidence = _accuracy(answers)
    gain = verdict.partition(": ")[2]
    others = best_of(answers.comparison)
    alone = f" (the best one may also be {others})" if others else ""
    dependence, _ = _dependence(answers.labels)
    share = answers.copies.share
    copies = f"But {share:.1%} of the examples repeat an earlier one exactly. "
    return (
        f"{source.name} has {len(source.stream):,} examples of {len(source.labels)} classes. "
        f"Of the learners that use attributes, {best} errs least often, in "
        f"{error_text(answers.comparison)} of them{alone}; the rule “{simple}” errs in "
        f"{table.at[simple, 'error [%]']:.2f} %. Its "
        f"predictions are {gain} ({evidence}). "
        f"{_balance(answers)}{_traps(source, answers)}{copies if share >= MUCH else ''}"
        f"Labels: {dependence}. {_changes(answers.drift)}"
    )


def _balance(answers: Answers) -> str:
    """What counts where one class holds so much that the error says little; else nothing."""
    facts, best = answers.facts, answers.comparison.best
    if not facts.is_unbalanced:
        return ""
    balanced, _ = facts.mean_recalls(facts.log.predictions[best])
    classes = int((facts.log.counts > 0).sum())
    return (
        f"One class holds {facts.shares.max():.1%} of the labels, so the error says little: the "
        f"balanced accuracy is {points_text(balanced)} % ({100 / classes:.3g} % without skill). "
    )


def _traps(source: Source, answers: Answers) -> str:
    """The attributes that may hold the label; else nothing."""
    names = [source.attributes[j] for j in holding_the_label(answers.checks)]
    later = [source.attributes[j] for j in holding_the_next_label(answers.checks)]
    if later and not names:
        return f"But {sentence(later[:MOST_NAMED])} may hold the label of the next row. "
    if not names:
        return ""
    verb = "predicts" if len(names) == 1 else "predict, each alone,"
    return (
        f"But {sentence(names[:MOST_NAMED])} {'alone ' * (len(names) == 1)}{verb} nearly every "
        "label: look whether that is known in time. "
    )


def _changes(drift: Drift) -> str:
    (verdict, evidence), left = _drift(drift), _untested(drift)
    tested = [name for name in drift.aspects if name not in left]
    which = f"drift of {sentence(tested)}" if left else "drift"
    more = f"; {sentence(left)} could not be tested" if left else ""
    texts = {
        "none seen": f"No {which} is seen beyond what dependence explains{more}.",
        "unknown": "Whether there is drift cannot be told.",
    }
    return texts.get(verdict, f"There is {verdict}: {evidence}.")
