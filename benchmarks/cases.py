"""What is timed: each learner of ours, and what comes closest to it in MOA and in river.

river differs in places, which its error shows: no scaling of the neighbours' attributes, naive
Bayes with divisor n. On LED, all binary, its BernoulliNB is the naive Bayes with counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from river import dummy, linear_model, multiclass, naive_bayes, neighbors, optim

from repro import Stream
from repro.learners import Learner, LinearSVM, Majority, NaiveBayes, NearestNeighbors, NoChange


@dataclass(frozen=True)
class Case:
    """One learner in three libraries; `least_river` is the ratio that design asks for."""

    ours: Learner
    moa: Callable[[Stream], str]  # class and options, as in MOA's own dialogs
    river: Callable[[Stream], Any]
    least_river: float = 100.0
    least_moa: float = 10.0


def _bayes(stream: Stream) -> Any:
    binary = set(stream.schema.nominal) == {2}
    return naive_bayes.BernoulliNB() if binary else naive_bayes.GaussianNB()


def _moa_svm(stream: Stream) -> str:
    kind = "SGD" if stream.n_classes == 2 else "SGDMultiClass"
    return f"functions.{kind} -o HINGE -r 0.01 -l 0.0001"


def _river_svm(stream: Stream) -> Any:
    svm = linear_model.LogisticRegression(optim.SGD(0.01), optim.losses.Hinge(), l2=1e-4)
    return svm if stream.n_classes == 2 else multiclass.OneVsRestClassifier(svm)


def _neighbors(k: int, window: int) -> Case:
    return Case(
        NearestNeighbors(k=k, window=window),
        lambda stream: f"lazy.kNN -k {k} -w {window}",
        lambda stream: neighbors.KNNClassifier(
            k, engine=neighbors.LazySearch(window_size=window), weighted=False
        ),
        least_river=10.0,
    )


CASES = {
    "Majority": Case(
        Majority(), lambda stream: "functions.MajorityClass", lambda stream: dummy.PriorClassifier()
    ),
    "NoChange": Case(
        NoChange(), lambda stream: "functions.NoChange", lambda stream: dummy.NoChangeClassifier()
    ),
    "NaiveBayes": Case(NaiveBayes(), lambda stream: "bayes.NaiveBayes", _bayes),
    "LinearSVM": Case(LinearSVM(), _moa_svm, _river_svm),
    "NearestNeighbors k=1 w=100": _neighbors(1, 100),
    "NearestNeighbors k=1 w=1500": _neighbors(1, 1500),
    "NearestNeighbors k=1 w=6000": _neighbors(1, 6000),
    "NearestNeighbors k=10 w=1000": _neighbors(10, 1000),
}
