"""All learners of this package along a stream, and each beside the best of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import registry, seeds
from repro._progress import progress
from repro.evaluation.prequential import prequential
from repro.evaluation.sweep import sweep
from repro.learners import HoeffdingTree, Majority, NoChange, TemporallyAugmented
from repro.metrics import batch_means, kappa, kappa_combined, kappa_standard_error, kappa_temporal
from repro.permutations import block_test
from repro.statistics.estimates import LEVEL, PointEstimate
from repro.statistics.multiple import holm
from repro.streams.stream import Stream

__all__ = [
    "BASELINES",
    "Comparison",
    "all_learners",
    "beside_the_best",
    "choose",
    "compare",
    "short",
]

MOST_COPIED = 100_000_000  # beyond that no learner that needs a copy of the attributes runs
MOST_NUMBERS = 15_000_000  # examples times attributes that the slow learners run on
IN_WORKERS = 30_000_000  # beyond that a stream stays in this process, which holds it once
BLOCKS = 20

BASELINES: Mapping[str, Any] = {"majority": Majority(), "no change": NoChange()}
#: Parameters of the slow learners: how many models or examples they hold.
MANY = {"max_members", "max_paths", "n_members", "window"}


@dataclass(frozen=True, eq=False)
class Comparison:
    """Predictions and losses of the learners, and the best of them that looks at attributes.

    Which of the others may be the best as well is known from p-values of each beside the one that
    errs least, which may be far apart where that one was lucky: the true best one is left out with
    a probability of at most the level (Hsu 1984, Annals of Statistics 12, 1136-1144), while
    two equal learners are told apart more often.
    """

    predictions: dict[str, NDArray[np.integer]]
    table: pd.DataFrame
    best: str
    may_be_best: tuple[str, ...]  # the others that look at attributes and may err as rarely
    baseline: str  # the better one of majority and no change
    baseline_errs: int  # 1 significantly more often than `best`, -1 less often, 0 unknown
    left_out: tuple[str, ...]
    failures: Mapping[str, str]


def all_learners() -> dict[str, Any]:
    """A learner of each class that looks at attributes, by its class and that of its base.

    >>> list(all_learners())[:2]
    ['DriftRetraining(NaiveBayes)', 'DynamicWeightedMajority(NaiveBayes)']
    """
    simple = [type(rule).__name__ for rule in BASELINES.values()]
    learners = {n: learner for n, learner in registry.learners().items() if n not in simple}
    learners["TemporallyAugmented"] = TemporallyAugmented(HoeffdingTree())  # of a strong base
    bases = {n: getattr(learner, "base", None) for n, learner in learners.items()}
    return {f"{n}({type(bases[n]).__name__})" if bases[n] else n: learners[n] for n in learners}


def short(name: str) -> str:
    """The capital letters of the class, for an axis.

    >>> short("OzaBagAdwin(HoeffdingTree)"), short("no change")
    ('OBA', 'NC')
    """
    simple = BASELINES.get(name)
    cls = type(simple).__name__ if simple else name.partition("(")[0]
    return re.sub("[a-z]", "", cls)


def choose(stream: Stream, quick: bool) -> dict[str, Any]:
    """The learners that run on `stream`: the slow ones not if it is long or a `quick` look."""
    has_room = stream.X.size <= MOST_NUMBERS // (8 if quick else 1)
    learners = {
        name: learner
        for name, learner in all_learners().items()
        if (has_room or MANY.isdisjoint(vars(learner)))
        and not (isinstance(learner, TemporallyAugmented) and stream.X.size > MOST_COPIED)
    }
    return learners | dict(BASELINES)


def compare(
    stream: Stream,
    learners: Mapping[str, Any],
    *,
    jobs: int,
    seed: int,
    cache: str | Path | None,
) -> Comparison:
    """Run `learners` along `stream`, and compare each with the best one block by block."""
    predictions, failures = _predictions(stream, learners, jobs, seed, cache)
    out = tuple(name for name in all_learners() if name not in learners)
    return beside_the_best(stream.y, predictions, out, failures)


def beside_the_best(
    y: NDArray[np.int64],
    predictions: dict[str, NDArray[np.integer]],
    left_out: tuple[str, ...] = (),
    failures: Mapping[str, str] = MappingProxyType({}),
) -> Comparison:
    """Compare `predictions` of the labels `y` with the best of them, block by block."""
    blocks = max(2, min(BLOCKS, len(y) // 10))
    means = {  # one array of losses at a time: a stream may be long
        name: batch_means((y_pred != y).astype(np.float64), blocks)
        for name, y_pred in predictions.items()
    }
    wrong = {name: np.count_nonzero(y_pred != y) for name, y_pred in predictions.items()}
    ranked = sorted(wrong, key=lambda name: wrong[name])
    best = next((name for name in ranked if name not in BASELINES), ranked[0])
    baseline = min(BASELINES, key=lambda name: wrong[name])
    rows = {n: _row(y, predictions[n], means[n], means[best]) for n in ranked}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("learner")
    others = table.index != best
    table.loc[others, "p"] = holm(table.loc[others, "p"].to_numpy(np.float64))
    table = table.rename(columns={"p": "p (Holm)"})
    is_open = table["p (Holm)"] >= LEVEL
    may_be_best = tuple(n for n in ranked if is_open[n] and n not in (best, *BASELINES))
    errs = 0 if is_open[baseline] else int(np.sign(wrong[baseline] - wrong[best]))
    return Comparison(predictions, table, best, may_be_best, baseline, errs, left_out, failures)


def _predictions(
    stream: Stream, learners: Mapping[str, Any], jobs: int, seed: int, cache: str | Path | None
) -> tuple[dict[str, NDArray[np.integer]], dict[str, str]]:
    if stream.X.size > IN_WORKERS:
        narrow = np.min_scalar_type(stream.schema.n_classes - 1)
        learner_seed = seeds.integer(seed, "learner")
        runs = progress(learners.items(), desc="learners", unit="learner")
        return {
            name: prequential(learner, stream, learner_seed, proba=False).y_pred.astype(narrow)
            for name, learner in runs
        }, {}
    how: dict[str, Any] = {"jobs": jobs, "cache": cache, "measures": {}}
    how["label_measures"] = {"predictions": lambda y, y_pred: y_pred}
    frame = sweep(learners, {"stream": stream}, [seed], **how).set_index("learner")
    failures = {str(name): text for name, text in frame["failure"].items() if text}
    return {n: frame.at[n, "predictions"] for n in frame.index if n not in failures}, failures


def _row(
    y: NDArray[np.int64],
    y_pred: NDArray[np.integer],
    means: NDArray[np.float64],
    best: NDArray[np.float64],
) -> dict[str, float]:
    test = block_test((means - best)[np.newaxis])
    row = {
        "error [%]": 100 * float(np.mean(y != y_pred)),
        "error [%] ± s.e.": 100 * means.std(ddof=1) / means.size**0.5,
        "behind the best [points]": 100 * test.difference,
        "behind the best [points] ± s.e.": 100 * test.standard_error,
        "p": float(PointEstimate(*test[:3]).p_value),  # also of stretches that differ equally
    }
    measures = {"kappa": kappa, "kappa_temporal": kappa_temporal, "kappa_combined": kappa_combined}
    for (name, function), short in zip(measures.items(), ("κ", "κ_per", "κ⁺"), strict=True):
        row[short] = float(function(y, y_pred))
        row[f"{short} ± s.e."] = kappa_standard_error(y, y_pred, name)
    return row
