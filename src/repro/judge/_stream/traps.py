"""What makes an accuracy look better than it is: labels in attributes, copies, the wrong order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from repro.judge._report.shared import sentence
from repro.judge._stream.labels import Copies
from repro.judge._stream.source import Source
from repro.judge.section import Section
from repro.statistics.attributes import AttributeChecks

__all__ = ["TRAPS", "holding_the_label", "holding_the_next_label", "trap_answer", "trap_section"]

TRAPS = "Can the attributes be trusted?"
AVOIDED = 0.98  # share of the majority's errors that an attribute alone avoids, to be named
MOST_NAMED = 5


def holding_the_label(checks: AttributeChecks) -> list[int]:
    """Attributes that alone avoid nearly all errors of the majority."""
    wrong = 1 - checks.majority
    return [
        j for j, right in enumerate(checks.alone) if wrong and 1 - right <= wrong * (1 - AVOIDED)
    ]


def holding_the_next_label(checks: AttributeChecks) -> list[int]:
    """Attributes that tell the label of the next example much better than simple rules do."""
    wrong = 1 - max(checks.majority, checks.persistence)
    return [
        j
        for j, right in enumerate(checks.ahead)
        if wrong > 0 and 1 - right <= wrong * (1 - AVOIDED)
    ]


def trap_answer(source: Source, checks: AttributeChecks) -> tuple[str, str]:
    """The verdict: which attributes to look at; what was checked is the evidence."""
    found = {
        "may hold the label": holding_the_label(checks),
        "may hold the label of the next row": holding_the_next_label(checks),
        "numbers the rows": checks.rising,
        "copy of another": [j for _, j in checks.equal],
        "constant": checks.constant,
    }
    texts = [f"{_named(source, which)} ({how})" for how, which in found.items() if which]
    best = max(range(checks.alone.size), key=lambda j: np.nan_to_num(checks.alone[j]))
    evidence = (
        f"{source.attributes[best]} alone is right in {checks.alone[best]:.1%} of the second half, "
        f"the majority in {checks.majority:.1%}"
    )
    if texts:
        return f"look at {sentence(texts)}", evidence
    return "nothing odd is seen", evidence


def trap_section(source: Source, checks: AttributeChecks, copies: Copies) -> Section:
    """Each check, what it found, and what was not checked."""
    names = source.attributes
    rows = {
        "hold the label": (
            f"alone avoid {AVOIDED:.0%} of the errors of the majority, or more",
            _named(source, holding_the_label(checks)),
        ),
        "hold the next label": (
            f"tell the label of the next example, and avoid {AVOIDED:.0%} of the errors of the "
            "majority and of the label before, or more",
            _named(source, holding_the_next_label(checks)),
        ),
        "number the rows": ("rise, or fall, with every example", _named(source, checks.rising)),
        "copies": (
            "equal another attribute in all examples",
            sentence(f"{names[j]} (of {names[i]})" for i, j in checks.equal),
        ),
        "constant": ("have one value", _named(source, checks.constant)),
        "repeated examples": ("equal an earlier one", f"{copies.repeats:,} of {copies.n:,}"),
    }
    table = pd.DataFrame.from_dict(rows, orient="index", columns=["attributes that", "found"])
    text = (
        "An attribute that alone predicts nearly every label may be the label in other words, or "
        "be known only after it; it may also be a good attribute. One that numbers the rows lets a "
        "learner know the time. Each attribute alone learns from the first half of the stream and "
        "predicts the second. Not checked: attributes that hold the label together, and whether an "
        "attribute is known when the prediction is made."
    )
    return Section("traps", TRAPS, text, table.rename_axis("check"))


def _named(source: Source, columns: Iterable[int]) -> str:
    names = [source.attributes[j] for j in columns]
    more = len(names) - MOST_NAMED
    return sentence([*names[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])
