"""Part `plain`: the library beside loops that know one learner each (`plain_loops`).

Both get the same arrays, and must predict the same. The loops know numeric attributes only, so the
streams are NSGT and Waveform-21.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import plain_loops as loops
from cases import CASES
from timing import Timed, least, now

import data
from repro import Stream, prequential
from repro.kernels import random

STREAMS = ["NSGT", "Waveform-21"]
NO_SHARES = np.empty((0, 0))
Loop = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


def _tree(leaf: int) -> Loop:
    return lambda X, y, K: loops.tree(X, y, K, leaf, np.ones(y.size), NO_SHARES)


def _bag(X: np.ndarray, y: np.ndarray, K: int) -> np.ndarray:
    return loops.bag(X, y, K, random.start(0, "bagging"), random.poisson_table(1.0), 10)


LOOPS: dict[str, Loop] = {
    "Majority": loops.majority,
    "NaiveBayes": loops.naive_bayes,
    "LinearSVM": loops.linear_svm,
    "NearestNeighbors k=1 w=100": lambda X, y, K: loops.nearest_neighbor(X, y, K, 100),
    "HoeffdingTree mc": _tree(loops.MAJORITY),
    "HoeffdingTree nb": _tree(loops.BAYES),
    "HoeffdingTree nba": _tree(loops.ADAPTIVE),
    "OzaBag of trees": _bag,
}


def measure(rounds: int, scale: float = 1.0) -> pd.DataFrame:
    """One row per stream, learner, model ("ours", "plain loop") and round."""
    rows = []
    for stream_name in STREAMS:
        whole = data.whole(stream_name)
        stream = data.first(whole, int(scale * len(whole)))
        for learner in LOOPS:
            print(f"  {stream_name}, {learner}", flush=True)
            ways = _ways(learner, stream)
            for number in range(rounds):
                for model, call in ways.items():
                    key = {"stream": stream_name, "learner": learner, "model": model}
                    rows.append({**key, "round": number, **least(call)._asdict()})
    return pd.DataFrame(rows).drop(columns="bytes")


def _ways(learner: str, stream: Stream) -> dict[str, Callable[[], Timed]]:
    """Both calls; raises RuntimeError unless they predict the same, which compiles both."""
    ours, plain = CASES[learner].ours, LOOPS[learner]
    K, y = stream.schema.n_classes, stream.y

    def run() -> np.ndarray:
        return prequential(ours, stream, proba=False).y_pred

    def loop() -> np.ndarray:
        return plain(stream.X, y, K)

    differ = int((run() != loop()).sum())
    if differ:
        raise RuntimeError(f"{learner} must predict as its plain loop; {differ} predictions differ")

    def timed(predict: Callable[[], np.ndarray]) -> Timed:
        begin = now()
        y_pred = predict()
        return Timed(now() - begin, y.size, float((y_pred != y).mean()))

    return {"ours": lambda: timed(run), "plain loop": lambda: timed(loop)}
