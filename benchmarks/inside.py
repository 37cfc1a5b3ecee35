"""Part `inside`: learners of ours and of river in river's own evaluation loop.

The loop is `river.evaluate.progressive_val_score` with the accuracy, over dictionaries made before
the clock starts. Each round draws NSGT again, so errors are means over draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd
import real
from cases import CASES
from river import dummy, evaluate, metrics
from timing import Timed, now

import data
from repro import TESTBED, Stream
from repro.interop import to_river

LEARNERS = ["NaiveBayes", "HoeffdingTree nba", "HoeffdingAdaptiveTree"]
OURS, GIVEN, RIVER, LOOP = "ours", "ours, schema given", "river", "the loop alone"
# river's tree does not split a leaf of which 99 % is one class; ours, like MOA's, has no such rule.
PLAIN = "river, max_share_to_split=1"


def measure(rounds: int, scale: float = 1.0) -> pd.DataFrame:
    """One row per stream, learner, model and round."""
    rows = []
    for number in range(rounds):
        for stream in _streams(number, scale):
            print(f"  {stream.name}, round {number}", flush=True)
            codes, texts = (_examples(stream, kind) for kind in (int, str))
            for learner in LEARNERS:
                for model, make in _models(learner, stream).items():
                    # river's naive Bayes takes numbers only, and a schema has codes
                    examples = codes if model == GIVEN or learner == "NaiveBayes" else texts
                    _run(make(), examples[:100])  # compiles what is not yet
                    timed = _run(make(), examples)
                    key = {"stream": stream.name, "learner": learner, "model": model}
                    rows.append({**key, "round": number, **timed._asdict()})
    return pd.DataFrame(rows).drop(columns="bytes")


def _streams(seed: int, scale: float) -> list[Stream]:
    elec2 = real.elec2()
    found = {"NSGT": TESTBED["NSGT"].sample(seed=seed)} | ({"Elec2": elec2} if elec2 else {})
    return [replace(data.first(s, int(scale * len(s))), name=name) for name, s in found.items()]


def _examples(stream: Stream, nominal: type) -> list[tuple[dict[int, Any], int]]:
    """Dictionaries as river's users have them, with nominal values of the type `nominal`."""
    kinds = [nominal if values else float for values in stream.schema.nominal]
    rows = ([kind(v) for kind, v in zip(kinds, row, strict=True)] for row in stream.X.tolist())
    return [(dict(enumerate(row)), y) for row, y in zip(rows, stream.y.tolist(), strict=True)]


def _models(learner: str, stream: Stream) -> dict[str, Callable[[], Any]]:
    case = CASES[learner]
    is_tree = learner.startswith("HoeffdingTree")
    plain = {PLAIN: lambda: case.river(stream).clone({"max_share_to_split": 1.0})}
    return {
        RIVER: lambda: case.river(stream),
        **(plain if is_tree else {}),
        OURS: lambda: to_river(case.ours),
        GIVEN: lambda: to_river(case.ours, stream.schema),
        LOOP: dummy.NoChangeClassifier,
    }


def _run(model: Any, examples: list) -> Timed:
    begin = now()
    score = evaluate.progressive_val_score(examples, model, metrics.Accuracy())
    return Timed(now() - begin, len(examples), 1 - score.get())
