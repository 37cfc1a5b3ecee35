"""Part `plain`: the library beside loops that know one learner each (`plain_loops`).

Both get the same arrays, and must predict the same. TemporallyAugmented and TemporalCorrection have
no loop: they wrap a learner in one line of arithmetic, and would say what it says.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import plain_adaptive as adaptive
import plain_bags as bags
import plain_bayes as bayes
import plain_loops as loops
import plain_options as options
import plain_trees as trees
from cases import CASES
from timing import Timed, least, now

import data
from repro import Stream, prequential

SECONDS = 1.0  # of one call: slow learners get the first examples only
LEAST = 4_000  # examples of such a call
SHORT = 1e-3  # seconds: shorter calls are timed together, as the clock may stand still
Loop = Callable[[Stream], np.ndarray]
Ways = dict[str, Callable[[], Timed]]

LOOPS: dict[str, Loop] = {
    "Majority": loops.majority,
    "NoChange": loops.no_change,
    "NaiveBayes": bayes.naive_bayes,
    "LinearSVM": loops.linear_svm,
    "NearestNeighbors k=1 w=100": lambda stream: loops.nearest_neighbors(stream, 1, 100),
    "NearestNeighbors k=10 w=1000": lambda stream: loops.nearest_neighbors(stream, 10, 1000),
    "HoeffdingTree mc": lambda stream: trees.tree(stream, trees.MAJORITY),
    "HoeffdingTree nb": lambda stream: trees.tree(stream, trees.BAYES),
    "HoeffdingTree nba": lambda stream: trees.tree(stream, trees.ADAPTIVE),
    "HoeffdingAdaptiveTree": adaptive.adaptive_tree,
    "HoeffdingOptionTree": options.option_tree,
    "OzaBag of trees": bags.bag,
    "OzaBagAdwin of trees": lambda stream: bags.tree_bag_adwin(stream, 1.0),
    "OzaBagAdwin of naive Bayes": bags.bayes_bag_adwin,
    "LeveragingBag of trees": lambda stream: bags.tree_bag_adwin(stream, 6.0),
    "DynamicWeightedMajority": bags.weighted_majority,
    "DriftRetraining DDM": lambda stream: bayes.drift_retraining(stream, early=False),
    "DriftRetraining EDDM": lambda stream: bayes.drift_retraining(stream, early=True),
}


def measure(rounds: int, scale: float = 1.0) -> pd.DataFrame:
    """One row per stream, learner, model ("ours", "plain loop") and round."""
    rows = []
    for stream_name in data.STREAMS:
        stream = data.make(stream_name, scale)
        if stream is None:
            continue
        for learner in LOOPS:
            print(f"  {stream_name}, {learner}", flush=True)
            ways = _affordable(learner, stream)
            for number in range(rounds):
                for model, call in ways.items():
                    key = {"stream": stream_name, "learner": learner, "model": model}
                    rows.append({**key, "round": number, **least(call)._asdict()})
    return pd.DataFrame(rows).drop(columns="bytes")


def _affordable(learner: str, stream: Stream) -> Ways:
    """Both calls, on as many examples as the slower one does in about SECONDS."""
    ways = _ways(learner, data.first(stream, LEAST))
    if len(stream) <= LEAST:
        return ways
    slower = max(call().seconds for call in ways.values()) / LEAST
    n = max(LEAST, int(SECONDS / slower) // 1000 * 1000)
    return _ways(learner, data.first(stream, n))


def _ways(learner: str, stream: Stream) -> Ways:
    """Both calls; raises RuntimeError unless they predict the same, which compiles both."""
    ours, plain, y = CASES[learner].ours, LOOPS[learner], stream.y

    def run() -> np.ndarray:
        return prequential(ours, stream, proba=False).y_pred

    def loop() -> np.ndarray:
        return plain(stream)

    differ = int((run() != loop()).sum())
    if differ:
        raise RuntimeError(f"{learner} must predict as its plain loop; {differ} predictions differ")

    def timed(predict: Callable[[], np.ndarray]) -> Timed:
        begin, calls = now(), 1
        y_pred = predict()
        while now() - begin < SHORT:
            predict()
            calls += 1
        return Timed((now() - begin) / calls, y.size, float((y_pred != y).mean()))

    return {"ours": lambda: timed(run), "plain loop": lambda: timed(loop)}
