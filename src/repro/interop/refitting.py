"""Any classifier with `fit` and `predict` as a learner on streams: it is fitted again and again."""

from __future__ import annotations

from typing import Any

from repro._checks import check_count, shown
from repro._folders import install_command

__all__ = ["refit"]


def refit(model: Any, window: int = 1000, every: int = 100) -> Any:
    """A learner that fits `model` anew on the last `window` examples, after each `every` of them.

    It has scikit-learn's `predict` and `partial_fit`, so it goes wherever a learner does. Each fit
    is of a new copy of `model`. Until the first, and while the window holds one class only, it
    predicts the most frequent label of the window. Examples that come in blocks give the same
    models as examples that come one by one.

    Parameters
    ----------
    model : a classifier of scikit-learn or like one, not fitted: with `fit`, `predict` and
        `get_params`.
    window : examples that a fit learns from, >= 1.
    every : examples between two fits, >= 1.

    Needs scikit-learn, which the extra ``models`` installs. Raises TypeError for a class, and for a
    model without these methods; ValueError for counts below 1.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from repro import prequential, streams
    >>> stream = streams.SEA(7.0, n=1000).sample(seed=0)
    >>> learner = refit(DecisionTreeClassifier(max_depth=3, random_state=0), window=500, every=250)
    >>> round(float(prequential(learner, stream).loss[250:].mean()), 2)
    0.15
    """
    if isinstance(model, type):
        raise TypeError(f"model must be an instance, not the class; got {model.__name__}")
    for method in ("fit", "predict", "get_params"):
        if not callable(getattr(model, method, None)):
            raise TypeError(f"model must have fit, predict and get_params; got {shown(model)}")
    window = check_count(window, name="window")
    every = check_count(every, name="every")
    try:
        from repro.interop._refitted import Refitted  # may not be installed
    except ImportError as error:
        raise ImportError(
            f"refit needs scikit-learn, which is not installed: {install_command('models')}"
        ) from error
    return Refitted(model, int(window), int(every))
