"""All classifiers of river: those that can take part, and why the others cannot.

They are found in the modules of river. A class that needs no arguments takes part at its defaults;
for one that needs some, the arguments are below.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from typing import Any

import river
from river import base, linear_model, naive_bayes, tree

__all__ = ["VERSION", "excluded", "models"]

VERSION = f"river {river.__version__}"


def _different() -> list[Any]:
    """Models of three kinds, for classes that combine different models."""
    return [
        linear_model.SoftmaxRegression(),
        tree.HoeffdingTreeClassifier(),
        naive_bayes.GaussianNB(),
    ]


TREE, LOGISTIC = tree.HoeffdingTreeClassifier, linear_model.LogisticRegression
#: What a class is given that needs an argument.
GIVEN: dict[str, Any] = {
    "ADWINBaggingClassifier": lambda: {"model": TREE()},
    "ADWINBoostingClassifier": lambda: {"model": TREE()},
    "AdaBoostClassifier": lambda: {"model": TREE()},
    "BOLEClassifier": lambda: {"model": TREE()},
    "BaggingClassifier": lambda: {"model": TREE()},
    "DriftRetrainingClassifier": lambda: {"model": naive_bayes.GaussianNB()},
    "LeveragingBaggingClassifier": lambda: {"model": TREE()},
    "OneVsOneClassifier": lambda: {"classifier": LOGISTIC()},
    "OneVsRestClassifier": lambda: {"classifier": LOGISTIC()},
    "OutputCodeClassifier": lambda: {"classifier": LOGISTIC(), "code_size": 10},
    "StackingClassifier": lambda: {
        "models": _different(),
        "meta_classifier": linear_model.SoftmaxRegression(),
    },
    "VotingClassifier": lambda: {"models": _different()},
}
CHOICE = "chooses among your models, which have no default"
SAMPLING = "changes how often a class is learned; the wanted shares have no default"
FIELDS = "needs attributes with names that start with their field, such as `user_age`"
#: Why a class cannot take part.
REASONS = {
    "BanditClassifier": CHOICE,
    "EntropySampler": "does not learn every label: it chooses which to ask for",
    "FFMClassifier": FIELDS,
    "FwFMClassifier": FIELDS,
    "HardSamplingClassifier": SAMPLING,
    "RandomOverSampler": SAMPLING,
    "RandomSampler": SAMPLING,
    "RandomUnderSampler": SAMPLING,
    "SKL2RiverClassifier": "makes a model of scikit-learn one of river",
    "SuccessiveHalvingClassifier": CHOICE,
    "ZstdClassifier": "classifies text",
}


def models() -> dict[str, Any]:
    """The name of each class that takes part, with an instance."""
    return {cls.__name__: _made(cls) for cls in _classes() if not _reason(cls)}


def excluded() -> dict[str, str]:
    """The name of each class that cannot take part, with the reason."""
    return {cls.__name__: _reason(cls) for cls in _classes() if _reason(cls)}


def _classes() -> list[type]:
    """The public classifiers of river, by name, without those that are abstract."""
    named = {cls.__name__: cls for cls in _public() if not inspect.isabstract(cls)}
    return [named[name] for name in sorted(named)]


def _public() -> Iterator[type]:
    for found in pkgutil.iter_modules(river.__path__):
        module = importlib.import_module(f"river.{found.name}")
        things = (getattr(module, name, None) for name in getattr(module, "__all__", ()))
        for thing in things:
            if inspect.isclass(thing) and issubclass(thing, base.Classifier):
                yield thing


def _reason(cls: type) -> str:
    if issubclass(cls, base.MultiLabelClassifier):
        return "predicts several labels at a time"
    if cls.__name__ in REASONS:
        return REASONS[cls.__name__]
    if _needed(cls) and cls.__name__ not in GIVEN:
        return f"needs {', '.join(_needed(cls))}"
    return ""


def _needed(cls: type) -> list[str]:
    """Names of the arguments without a default."""
    parameters = inspect.signature(cls).parameters.values()
    kinds = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    return [p.name for p in parameters if p.default is p.empty and p.kind not in kinds]


def _made(cls: type) -> Any:
    return cls(**GIVEN[cls.__name__]()) if cls.__name__ in GIVEN else cls()
