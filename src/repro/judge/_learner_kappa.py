"""Streams without a known optimum: is the accuracy more than that of repeated labels?"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro.judge._learner_runs import Runs, swept
from repro.judge._shared import sentence
from repro.judge.section import Section
from repro.metrics.advice import KappaAdvice, kappa_advice

__all__ = ["advice_on", "kappa_section"]

SYMBOLS = {
    "kappa": "κ",
    "kappa_majority": "κ_m",
    "kappa_temporal": "κ_per",
    "kappa_combined": "κ⁺",
}


def advice_on(runs: Runs) -> pd.DataFrame:
    """Learner, stream and `advice` of the first seed, on the streams without a known optimum."""
    unknown = {name: s for name, s in runs.streams.items() if name not in runs.known}
    if not unknown:
        return pd.DataFrame(columns=["learner", "stream", "advice"])
    once = runs.seeds[:1]
    table = swept(runs.entrants.learners, unknown, once, runs.options, advice=_advice)
    return table.loc[table["failure"] == "", ["learner", "stream", "advice"]]


def _advice(y: NDArray[np.int64], y_pred: NDArray[np.int64]) -> KappaAdvice:
    return kappa_advice(SimpleNamespace(y=y), SimpleNamespace(y_pred=y_pred))


def kappa_section(runs: Runs, advice: pd.DataFrame) -> Section | None:
    """Section on the streams without a known optimum; None if there are none."""
    if advice.empty:
        return None
    names = list(dict.fromkeys(advice["stream"]))
    text = (
        f"The optimum of {sentence(names)} is unknown, so the excess error is too. κ_per is the "
        "accuracy beyond that of repeating the previous label, κ_m beyond that of the most "
        "frequent label so far, κ⁺ beyond both random order and the previous label: 0 is no "
        "better, 1 is without error."
    )
    mine = advice[advice["learner"].isin(runs.entrants.mine)]
    for row in mine.itertuples():
        text += f"\n\n{row.learner} on {row.stream}. {_in_words(row.advice)}"
    rows = [_row(row.learner, row.stream, row.advice) for row in advice.itertuples()]
    return Section("kappa", "Accuracy beyond repeated labels", text, pd.DataFrame(rows))


def _in_words(advice: KappaAdvice) -> str:
    text = advice.text
    for name in sorted(SYMBOLS, key=len, reverse=True):
        text = text.replace(name, SYMBOLS[name])
    return text


def _row(learner: str, stream: str, advice: KappaAdvice) -> dict[str, Any]:
    row: dict[str, Any] = {"stream": stream, "learner": learner}
    for name, symbol in SYMBOLS.items():
        row |= {symbol: advice.frame.loc[name, "value"]}
        row |= {f"{symbol} ± s.e.": advice.frame.loc[name, "standard_error"]}
    return row | {"report": SYMBOLS.get(advice.measure, "none")}
