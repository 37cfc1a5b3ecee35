"""A learner of ours with river's protocol."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from repro._checks import check_count
from repro._folders import install_command
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.stream import Schema, check_schema

if TYPE_CHECKING:
    from repro.interop._river_classifier import RiverClassifier

__all__ = ["to_river"]


def to_river(
    learner: Learner,
    schema: Schema,
    *,
    features: tuple[Hashable, ...] | None = None,
    labels: tuple[Hashable, ...] | None = None,
    seed: int | None = None,
) -> RiverClassifier:
    """`learner` with river's protocol, for its pipelines and evaluators.

    Parameters
    ----------
    learner : of this package, or of yours with kernels.
    schema : of the stream.
    features : names of the attributes, in the order of the schema; default 0..d-1.
    labels : names of the classes; default 0..K-1.
    seed : of the learner's own randomness. A seed given here is kept by `prequential`, `holdout`
        and `sweep`. By default they set theirs, unless the model has learned; elsewhere it is 0.

    Needs river, which the extra ``models`` installs. Raises TypeError for any other object than a
    learner, ValueError for names of another number or that repeat.

    >>> from repro.learners import NoChange
    >>> model = to_river(NoChange(), Schema((0,), 2), features=("price",), labels=("DOWN", "UP"))
    >>> model.learn_one({"price": 0.2}, "UP")
    >>> model.predict_one({"price": 0.3})
    'UP'
    """
    if not isinstance(learner, Learner | Temporal):
        raise TypeError(f"learner must be one of repro.learners; got {learner!r}")
    schema = check_schema(schema)
    if seed is not None:
        check_count(seed, name="seed", least=0)
    try:
        from repro.interop._river_classifier import RiverClassifier  # river may not be installed
    except ImportError as error:
        how = install_command("models")
        raise ImportError(f"to_river needs river, which is not installed: {how}") from error

    return RiverClassifier(
        learner,
        schema,
        _as_names(features, schema.n_features, "features"),
        _as_names(labels, schema.n_classes, "labels"),
        seed,
    )


def _as_names(given: Any, wanted: int, name: str) -> tuple[Hashable, ...]:
    if given is None:
        return tuple(range(wanted))
    try:
        names = tuple(given)
        different = len(set(names))
    except TypeError:
        names, different = (), -1
    if len(names) != wanted or different != wanted:
        raise ValueError(f"{name} must hold {wanted} different names; got {given!r}")
    return names
