"""What is timed: each learner of ours, and what comes closest to it in MOA and in river.

river differs in places, which its error shows; the README says where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from river import drift, dummy, ensemble, linear_model, multiclass, naive_bayes, neighbors, optim
from river import tree as trees

from repro import Stream
from repro.detectors import DDM, EDDM
from repro.learners import (
    DriftRetraining,
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingOptionTree,
    HoeffdingTree,
    Learner,
    LeveragingBag,
    LinearSVM,
    Majority,
    NaiveBayes,
    NearestNeighbors,
    NoChange,
    OzaBag,
    OzaBagAdwin,
    Temporal,
    TemporalCorrection,
    TemporallyAugmented,
)


@dataclass(frozen=True)
class Case:
    """One learner in three libraries (None: not there); and the ratios that design asks for."""

    ours: Learner | Temporal
    moa: Callable[[Stream], str] | None  # class and options, as in MOA's own dialogs
    river: Callable[[Stream], Any] | None
    least_river: float = 100.0
    least_moa: float = 10.0


def _moa(words: str) -> Callable[[Stream], str]:
    return lambda stream: words


def _moa_svm(stream: Stream) -> str:
    kind = "SGD" if stream.n_classes == 2 else "SGDMultiClass"
    return f"functions.{kind} -o HINGE -r 0.01 -l 0.0001"


def _bayes(stream: Stream) -> Any:
    binary = set(stream.schema.nominal) == {2}
    return naive_bayes.BernoulliNB() if binary else naive_bayes.GaussianNB()


def _river_svm(stream: Stream) -> Any:
    svm = linear_model.LogisticRegression(optim.SGD(0.01), optim.losses.Hinge(), l2=1e-4)
    return svm if stream.n_classes == 2 else multiclass.OneVsRestClassifier(svm)


def _nominal(stream: Stream) -> list[int]:
    return [j for j, values in enumerate(stream.schema.nominal) if values]


def _tree(stream: Stream, leaf: str = "nba") -> Any:
    return trees.HoeffdingTreeClassifier(leaf_prediction=leaf, nominal_attributes=_nominal(stream))


def _adaptive_tree(stream: Stream) -> Any:
    return trees.HoeffdingAdaptiveTreeClassifier(nominal_attributes=_nominal(stream), seed=0)


def _bag(kind: Any, base: Callable[[Stream], Any]) -> Callable[[Stream], Any]:
    return lambda stream: kind(base(stream), n_models=10, seed=0)


def _retraining(detector: Any) -> Callable[[Stream], Any]:
    return lambda stream: drift.DriftRetrainingClassifier(_bayes(stream), detector())


def _neighbors(k: int, window: int) -> Case:
    return Case(
        NearestNeighbors(k=k, window=window),
        _moa(f"lazy.kNN -k {k} -w {window}"),
        lambda stream: neighbors.KNNClassifier(
            k, engine=neighbors.LazySearch(window_size=window), weighted=False
        ),
        least_river=10.0,
    )


MOA_RETRAINING = "drift.DriftDetectionMethodClassifier -l bayes.NaiveBayes -d"

CASES = {
    "Majority": Case(
        Majority(), _moa("functions.MajorityClass"), lambda stream: dummy.PriorClassifier()
    ),
    "NoChange": Case(
        NoChange(), _moa("functions.NoChange"), lambda stream: dummy.NoChangeClassifier()
    ),
    "NaiveBayes": Case(NaiveBayes(), _moa("bayes.NaiveBayes"), _bayes),
    "LinearSVM": Case(LinearSVM(), _moa_svm, _river_svm),
    "NearestNeighbors k=1 w=100": _neighbors(1, 100),
    "NearestNeighbors k=10 w=1000": _neighbors(10, 1000),
    **{
        f"HoeffdingTree {leaf}": Case(
            HoeffdingTree(leaf),
            _moa(f"trees.HoeffdingTree -l {words}"),
            lambda stream, leaf=leaf: _tree(stream, leaf),
        )
        for leaf, words in (("mc", "MC"), ("nb", "NB"), ("nba", "NBAdaptive"))
    },
    "HoeffdingAdaptiveTree": Case(
        HoeffdingAdaptiveTree(), _moa("trees.HoeffdingAdaptiveTree"), _adaptive_tree
    ),
    "HoeffdingOptionTree": Case(
        HoeffdingOptionTree(max_paths=5), _moa("trees.HoeffdingOptionTree -o 5"), None
    ),
    "OzaBag of trees": Case(
        OzaBag(HoeffdingTree()),
        _moa("meta.OzaBag -l trees.HoeffdingTree -s 10"),
        _bag(ensemble.BaggingClassifier, _tree),
    ),
    "OzaBagAdwin of trees": Case(
        OzaBagAdwin(HoeffdingTree()),
        _moa("meta.OzaBagAdwin -l trees.HoeffdingTree -s 10"),
        _bag(ensemble.ADWINBaggingClassifier, _tree),
    ),
    "OzaBagAdwin of naive Bayes": Case(
        OzaBagAdwin(NaiveBayes()),
        _moa("meta.OzaBagAdwin -l bayes.NaiveBayes -s 10"),
        _bag(ensemble.ADWINBaggingClassifier, _bayes),
    ),
    "LeveragingBag of trees": Case(
        LeveragingBag(HoeffdingTree()),
        _moa("meta.LeveragingBag -l trees.HoeffdingTree -s 10"),
        _bag(ensemble.LeveragingBaggingClassifier, _tree),
    ),
    "DynamicWeightedMajority": Case(
        DynamicWeightedMajority(NaiveBayes(), period=50),
        _moa("meta.DynamicWeightedMajority -l bayes.NaiveBayes -p 50 -e 100"),
        None,
    ),
    "DriftRetraining DDM": Case(
        DriftRetraining(NaiveBayes(), DDM()),
        _moa(f"{MOA_RETRAINING} DDM"),
        _retraining(drift.binary.DDM),
    ),
    "DriftRetraining EDDM": Case(
        DriftRetraining(NaiveBayes(), EDDM()),
        _moa(f"{MOA_RETRAINING} EDDM"),
        _retraining(drift.binary.EDDM),
    ),
    "TemporallyAugmented": Case(
        TemporallyAugmented(NaiveBayes()),
        _moa("meta.TemporallyAugmentedClassifier -l bayes.NaiveBayes -n 1"),
        None,
    ),
    "TemporalCorrection": Case(TemporalCorrection(NaiveBayes()), None, None),
}
