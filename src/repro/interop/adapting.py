"""Which objects can be evaluated: learners of ours, models of river and of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from repro._checks import check_count
from repro.interop._from_river import RiverModel
from repro.interop._from_sklearn import SklearnModel
from repro.interop.adapter import Adapter
from repro.learners.baselines import BayesOptimal
from repro.learners.learner import Learner, OnlineLearner
from repro.learners.temporal import Temporal, TemporalOnline
from repro.streams.stream import Schema, check_schema

__all__ = ["adapt", "check_learner", "check_learners"]

INCREMENTAL = "such as repro.learners.HoeffdingTree or sklearn.linear_model.SGDClassifier"


def check_learner(learner: Any) -> None:
    """Raise TypeError unless `learner` is a classifier that evaluation can run.

    The message names the missing method. Regressors, clusterers and other models that are not
    classifiers are refused if their library declares their kind.
    """
    _check(learner, "learner")


def check_learners(learners: Mapping[str, Any], *, name: str = "learners") -> None:
    """Raise TypeError unless evaluation can run all `learners`; the message names the wrong one."""
    for key, learner in learners.items():
        try:
            check_learner(learner)
        except TypeError as error:
            raise TypeError(f"{name}[{key!r}]: {error}") from None


def _check(learner: Any, name: str) -> None:
    if isinstance(learner, type):
        raise TypeError(f"{name} must be an instance, not the class; got {learner.__name__}")
    if isinstance(learner, Temporal):
        return _check(learner.base, f"{name}.base")
    if isinstance(learner, Learner | BayesOptimal):
        return None
    if isinstance(learner, OnlineLearner | TemporalOnline):
        raise TypeError(f"{name} must be {learner.learner!r} itself; got its online form")
    kind = type(learner).__name__
    if not _is_river(learner) and not _is_sklearn(learner):
        raise TypeError(
            f"{name} must be one of repro.learners, have predict_one and learn_one (river), or "
            f"predict and partial_fit (scikit-learn); got {kind}{_missing(learner)}"
        )
    if (role := _kind(learner)) != "classifier":
        raise TypeError(f"{name} must be a classifier; got {kind}, a {role}")


def adapt(model: Any, schema: Schema, seed: int = 0) -> Adapter:
    """A `seeded` copy of a river or scikit-learn `model`, with the interface of `Adapter`.

    Parameters
    ----------
    model : a classifier of river or scikit-learn.
    schema : of the stream.
    seed : see `seeded`.

    Raises TypeError for any other object.
    """
    _check(model, "model")
    check_schema(schema)
    seed = check_count(seed, name="seed", least=0)
    if isinstance(model, Learner | Temporal | BayesOptimal):
        raise TypeError(f"model must be one of another library; got {model!r}")
    if not _is_river(model):
        return SklearnModel(model, schema, seed)
    return RiverModel(model, schema, seed, by_share=_is_by_share(model))


def _is_river(model: Any) -> bool:
    return hasattr(model, "predict_one") and hasattr(model, "learn_one")


def _is_sklearn(model: Any) -> bool:
    return hasattr(model, "predict") and hasattr(model, "partial_fit")


def _missing(model: Any) -> str:
    """The method that `model` lacks, for a message, if it has one method of a pair."""
    if hasattr(model, "fit") and not hasattr(model, "partial_fit"):
        rule = "which has fit but no partial_fit, so it cannot learn example by example"
        return f", {rule}; use one that can, {INCREMENTAL}"
    if hasattr(model, "online"):
        return ", a description; use its online form, .online()"
    pairs = ("learn_one", "predict_one"), ("partial_fit", "predict")
    halves = [(a, b) for a, b in (*pairs, *(p[::-1] for p in pairs)) if hasattr(model, a)]
    return f", which has {halves[0][0]} but no {halves[0][1]}" if halves else ""


def _kind(model: Any) -> str:
    """The kind of `model` by its library; "classifier" where the library declares none."""
    if _is_of_river(model):
        return _river_kind(model)
    if hasattr(model, "__sklearn_tags__"):
        kind = model.__sklearn_tags__().estimator_type
    else:
        kind = getattr(model, "_estimator_type", None)
    return kind.replace("_", " ") if isinstance(kind, str) else "classifier"


# The classes of river that say what a model is for, by name: they moved between its releases.
RIVER_KINDS = {
    "MultiLabelClassifier": "multi-label classifier",
    "Classifier": "classifier",
    "Regressor": "regressor",
    "Clusterer": "clusterer",
    "AnomalyDetector": "anomaly detector",
    "Transformer": "transformer",
}


def _river_kind(model: Any) -> str:
    """River's kind of `model`, "classifier", "regressor", ...; for a pipeline, of its last step."""
    final = type(_last_step(model))
    bases = {c.__name__ for c in final.__mro__ if c.__module__.startswith("river.")}
    kinds = (kind for name, kind in RIVER_KINDS.items() if name in bases)
    is_rivers = final.__module__.startswith("river.")
    return next(kinds, "model of another kind" if is_rivers else "classifier")


def _is_by_share(model: Any) -> bool:
    """Whether `model` predicts the label with the largest share, river's default."""
    if not _is_of_river(model):
        return False
    from river import base

    return getattr(type(_last_step(model)), "predict_one", None) is base.Classifier.predict_one


def _last_step(model: Any) -> Any:
    from river.compose import Pipeline

    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model


def _is_of_river(model: Any) -> bool:
    return any(kind.__module__.partition(".")[0] == "river" for kind in type(model).__mro__)
