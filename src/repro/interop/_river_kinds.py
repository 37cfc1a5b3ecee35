"""The kinds of river's own models. This module imports river, which need not be installed."""

from __future__ import annotations

from typing import Any

from river import base
from river.compose import Pipeline

__all__ = ["is_by_share", "kind"]


def kind(model: Any) -> str:
    """River's kind of `model`, "classifier", "regressor", ...; for a pipeline, of its last step."""
    final = _last_step(model)
    if isinstance(final, base.MultiLabelClassifier):
        return "multi-label classifier"
    kinds = base.Classifier, base.Regressor, base.Clusterer, base.AnomalyDetector, base.Transformer
    names = "classifier", "regressor", "clusterer", "anomaly detector", "transformer"
    found = (name for kind, name in zip(kinds, names, strict=True) if isinstance(final, kind))
    is_rivers = type(final).__module__.startswith("river.")
    return next(found, "model of another kind" if is_rivers else "classifier")


def is_by_share(model: Any) -> bool:
    """Whether `model` predicts the label with the largest share, river's default."""
    return getattr(type(_last_step(model)), "predict_one", None) is base.Classifier.predict_one


def _last_step(model: Any) -> Any:
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model
