"""What is wrong with an entry: its form, labels known too early, other draws, copies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from repro._checks import as_folder, as_list, check_kind
from repro._progress import progress
from repro.league._knowledge import extra_right, extra_score, first_right, in_all
from repro.league.entry import CARD, Entry, read_entry
from repro.league.streams import ROUND, SEEDS, STREAMS, digest_of, draw
from repro.metrics.kappa import kappa
from repro.streams.stream import Stream

__all__ = ["ACCEPTED", "FLAGGED", "REFUSED", "Finding", "Findings"]
__all__ += ["check_entry", "check_predictions", "check_read", "check_withheld", "verdict_of"]

REFUSED, FLAGGED, ACCEPTED = "refused", "flagged", "accepted"
REFUSE, FLAG = 1e-6, 1e-3  # p-values, of all tests of one kind together
LEAST = 1e-99  # probability that is printed
AHEAD = 10  # examples of which the labels are looked at
BEYOND = 6.0  # standard errors by which predictions agree more with another draw
# Of two of this library's learners, seen before this was chosen, the most alike (naive Bayes with
# and without previous labels) are equal in 95 % on the stream where they differ most.
COPY = 0.96  # share of equal predictions, on every draw, from which on an entry is like another
TWO = [name for name, stream in STREAMS.items() if stream.schema.n_classes == 2]

AS_ONE = "the streams of two classes, where draws with the same labels count as one"

Draws = Mapping[tuple[str, int], Stream]


class Finding(NamedTuple):
    """One thing that is wrong with an entry, or that a person should look at."""

    verdict: str  #: `REFUSED` or `FLAGGED`
    what: str
    evidence: str

    def __str__(self) -> str:
        return f"{self.verdict}: {self.what}. {self.evidence}"


Findings = list[Finding]


def verdict_of(findings: Findings) -> str:
    """The verdict on an entry: the worst of the `findings`; "accepted" without one.

    >>> verdict_of([]), verdict_of([Finding(FLAGGED, "like another", ""), Finding(REFUSED, "", "")])
    ('accepted', 'refused')
    """
    rule = "a list of findings"
    listed: Findings = as_list(findings, name="findings", rule=rule)
    given = {check_kind(f, Finding, name="findings", rule=rule).verdict for f in listed}
    return next((verdict for verdict in (REFUSED, FLAGGED) if verdict in given), ACCEPTED)


def check_entry(folder: str | Path, among: str | Path | None = None) -> Findings:
    """Check the entry in `folder`; the findings, none for one that can be accepted.

    An entry with an error of form is *refused*: what is missing, out of order, not a label, made on
    other streams. So is one that cannot have been made as it must be (p < 1e-6 for all tests of a
    kind together): it is right more often than any learner that does not know the label, or the
    labels of the next ten examples; its scores are; its first predictions are those of one who
    knows the concept. With p < 1e-3 it is *flagged*, for a person to look at, and so is one whose
    predictions agree better with another draw, or are nearly those of another entry.

    What it cannot see: labels used in fewer than about 3 % of the examples, a learner whose
    settings were chosen on these streams, or that was told where the drifts are. What it cannot
    tell: knowledge of the concepts from a first model that happens to suit most of the streams.

    Parameters
    ----------
    folder : of the entry, see `read_entry`.
    among : folder of the folders of other entries; default the one that holds `folder`.

    Raises NotADirectoryError if one of them is no folder.
    """
    return check_read(read_entry(folder), folder, among)


def check_read(entry: Entry, folder: str | Path, among: str | Path | None = None) -> Findings:
    """What `check_entry` finds in the `entry` that was read from `folder`."""
    path = as_folder(folder, name="folder")
    others = as_folder(path.parent if among is None else among, name="among")
    findings = [Finding(REFUSED, "the form is wrong", text) for text in entry.problems]
    if not entry.labels:
        return findings
    return findings + _card(entry) + check_predictions(entry, _others(path, others))


def check_predictions(entry: Entry, others: Mapping[str, Entry] = MappingProxyType({})) -> Findings:
    """What `check_entry` finds in the predictions of an `entry`; `others` are those it may copy."""
    draws = {key: draw(*key) for key in entry.labels}
    findings = _labels_known(draws, entry)
    findings += _scores_known(draws, entry)
    findings += _concept_known(draws, entry)
    findings += _other_draw(draws, entry)
    return findings + _copies(entry, others)


def check_withheld(entry: Entry, others: Mapping[str, Entry]) -> Findings:
    """What is found in predictions that were handed in before their labels were published.

    Other draws and rows are not compared: a learner that gets its labels in blocks may well agree
    better with examples that come later.
    """
    draws = {key: draw(*key) for key in entry.labels}
    return _labels_known(draws, entry) + _concept_known(draws, entry) + _copies(entry, others)


def _card(entry: Entry) -> Findings:
    given = entry.card.get("round", ROUND), entry.card.get("streams", "")
    what = "it was made on other streams"
    if given[0] != ROUND:
        text = f"{CARD} names the round {given[0]!r}; this is {ROUND}."
        return [Finding(REFUSED, what, text)]
    if given[1] and given[1] != (digest := digest_of(entry.seeds)):
        text = f"the digest in {CARD} is {given[1]}; of the seeds that it predicts it is {digest}."
        return [Finding(REFUSED, what, text)]
    return []


def _labels_known(draws: Draws, entry: Entry) -> Findings:
    """Labels that were known before they were due, on all streams of two classes or on one."""
    names = sorted({name for name, _ in draws})
    n_tests = (1 + len(names)) * (1 + AHEAD)
    for ahead in range(1 + AHEAD):
        each = {
            key: extra_right(stream, entry.labels[key], ahead)
            for key, stream in draws.items()
            if key[0] in TWO or not ahead
        }
        chosen = {name: [name] for name in names} | {AS_ONE: TWO}
        totals = {
            where: in_all(draws, {key: part for key, part in each.items() if key[0] in used})
            for where, used in chosen.items()
        }
        where, most = min(totals.items(), key=lambda item: item[1].p_value)
        which = _later(ahead) if ahead else "their example"
        text = (
            f"On {where}, {most.extra:,.0f} more predictions are the label of {which} than those "
            "of a learner that does not know it."
        )
        if found := _judged("it knows labels before they are due", text, n_tests * most.p_value):
            return found  # who knows a label has a surplus elsewhere too, which says nothing new
    return []


def _scores_known(draws: Draws, entry: Entry) -> Findings:
    scored = {key: s for key, s in draws.items() if key in entry.scores and key[0] in TWO}
    if not scored:
        return []
    totals = [
        in_all(draws, {k: extra_score(s, entry.scores[k], ahead) for k, s in scored.items()})
        for ahead in range(1 + AHEAD)
    ]
    most = min(totals, key=lambda total: total.p_value)
    text = (
        f"On {AS_ONE}, the scores of the labels {totals.index(most)} examples ahead sum to "
        f"{most.extra:,.0f} more than those of a learner that does not know them."
    )
    return _judged("its scores know labels", text, (1 + AHEAD) * most.p_value)


def _concept_known(draws: Draws, entry: Entry) -> Findings:
    agrees, expected, p_value = first_right(draws, entry.labels)
    text = (
        f"Of the first predictions of {len(draws)} draws, before any label, {agrees:.0f} are the "
        f"best label; of a learner that does not look at attributes before it has seen a label, "
        f"{expected:.0f} are expected at most."
    )
    return _judged("it knows the concept before it can have learned it", text, p_value)


def _judged(what: str, text: str, p_value: float) -> Findings:
    if p_value >= FLAG:
        return []
    verdict = REFUSED if p_value < REFUSE else FLAGGED
    chance = f"at most {p_value:.1g}" if p_value > LEAST else f"less than {LEAST:.0g}"
    return [Finding(verdict, what, f"{text} The probability of that by chance is {chance}.")]


def _other_draw(draws: Draws, entry: Entry) -> Findings:
    """Predictions that suit another seed, or the examples after theirs, better than their own."""
    seeds = sorted({*range(SEEDS), *entry.seeds})
    found: dict[str, list[str]] = {}
    for (name, seed), stream in progress(draws.items(), desc="draws", unit="draw"):
        labels, best = entry.labels[name, seed], np.asarray(stream.optimal)
        margin = BEYOND / len(labels) ** 0.5
        own = kappa(best, labels)
        others = {
            f"those of seed {other}": kappa(np.asarray(draw(name, other).optimal), labels)
            for other in seeds
            if other != seed
        }
        others |= {
            f"those of {_later(k)}": kappa(best[k:], labels[:-k]) for k in range(1, 1 + AHEAD)
        }
        other = max(others, key=lambda what: others[what])
        if others[other] > own + margin:
            text = f"{name}, seed {seed} (kappa with the best labels {own:.2f}, "
            found.setdefault(other, []).append(f"{text}with {other} {others[other]:.2f})")
    return [
        Finding(FLAGGED, f"predictions are {other}", f"On {len(texts)} draws, such as {texts[0]}.")
        for other, texts in found.items()
    ]


def _later(k: int) -> str:
    return "the next example" if k == 1 else f"the example {k} later"


def _others(folder: Path, among: Path) -> dict[str, Entry]:
    """The entries in `among` but that in `folder`, by the names of their folders."""
    paths = [path for path in sorted(among.iterdir()) if (path / CARD).is_file()]
    return {path.name: read_entry(path) for path in paths if path.resolve() != folder.resolve()}


def _copies(entry: Entry, others: Mapping[str, Entry]) -> Findings:
    """Entries whose predictions are nearly the same on every draw."""
    findings = []
    for folder, other in others.items():
        if shared := [key for key in entry.labels if key in other.labels]:
            equal = [float(np.mean(entry.labels[k] == other.labels[k])) for k in shared]
            if min(equal) >= COPY:
                text = f"{100 * np.mean(equal):.2f} % of the predictions are equal."
                name = other.card.get("learner", folder)
                findings.append(Finding(FLAGGED, f"it predicts like {name} in {folder}", text))
    return findings
