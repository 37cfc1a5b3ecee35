"""A learner of ours as a classifier of scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from repro._folders import install_command
from repro.interop._settings import check_ours
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal

if TYPE_CHECKING:
    from repro.interop._sklearn_classifier import SklearnClassifier

__all__ = ["to_sklearn"]


def to_sklearn(
    learner: Learner | Temporal,
    *,
    nominal: str | Sequence[Any] = "auto",
    random_state: Any = 0,
) -> SklearnClassifier:
    """`learner` as a classifier of scikit-learn, for its pipelines, searches and scores.

    Its `fit` and `partial_fit` learn the rows in order, each once: after them it predicts as the
    learner does that went through the rows one by one. It has `predict_proba`, takes
    `sample_weight` (an example of weight 0 changes nothing), and `partial_fit` takes new labels at
    any time. `classes_` and the columns of the shares are sorted. The settings of the learner have
    names such as ``learner__grace_period`` and ``learner__base__leaf``. The learner itself, with
    its counts and memory, is the attribute `online_`.

    Parameters
    ----------
    learner : of this package, or your own with kernels. One with previous labels, such as
        `repro.learners.TemporallyAugmented`, predicts all rows from the last labels learned, so
        call `predict` and `partial_fit` in turns.
    nominal : names or positions of the nominal columns. "auto" takes the columns of a table that
        hold texts, categories, truth values or other objects; the other ones, and all of an array,
        are numeric. A nominal column has one value more than there are in the data of the first
        call, for what is missing, and for what `predict` gets and nothing was learned from: the
        learner then predicts as for a value of its schema that it has not seen.
    random_state : of the learner's own randomness: a whole number is the seed of `prequential`;
        None draws another one in each `fit`.

    Needs scikit-learn, which the extra ``models`` installs. Raises TypeError for any other object
    than a learner.

    >>> from repro.learners import HoeffdingTree
    >>> model = to_sklearn(HoeffdingTree(grace_period=20))
    >>> model.fit([[0.0], [0.5], [3.0], [3.5]], ["low", "low", "high", "high"]).predict([[3.2]])
    array(['high'], dtype='<U4')
    >>> model.set_params(learner__leaf="mc").get_params()["learner__grace_period"]
    20
    """
    check_ours(learner)
    try:
        from repro.interop._sklearn_classifier import SklearnClassifier  # may not be installed
    except ImportError as error:
        how = install_command("models")
        raise ImportError(f"to_sklearn needs scikit-learn >= 1.6, not installed: {how}") from error

    return SklearnClassifier(learner, nominal=nominal, random_state=random_state)
