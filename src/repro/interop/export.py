"""Learners, detectors and streams of ours with river's protocols."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from repro._checks import check_count, shown
from repro._folders import install_command
from repro.detectors.detector import Detector
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal
from repro.streams.description import StreamDescription
from repro.streams.stream import Schema, Stream, check_schema

__all__ = ["to_river"]


def to_river(
    learner: Learner | Detector | Stream | StreamDescription,
    schema: Schema | None = None,
    *,
    features: tuple[Hashable, ...] | None = None,
    labels: tuple[Hashable, ...] | None = None,
    seed: int | None = None,
) -> Any:
    """`learner` with river's protocol, for its pipelines and evaluators.

    Without a `schema`, features and labels are taken as they come, as river's models do. What was
    learned is kept when new ones come: predictions are those of the full schema from the start,
    but for what `repro.learners.growth` names. The rules:

    - The first value of a feature decides its kind: numbers are numeric, anything else (texts,
      booleans) is nominal. Features that come together are sorted by name.
    - A feature that an example does not have counts as 0, or as a nominal value of its own: so it
      did before it first came. None and nan count as the last value learned.
    - A prediction changes nothing: features that are not known yet do not count, and a nominal
      value that is not known is one that no class has shown.
    - Of a nominal feature, the first 1,000 values are kept apart; later ones count as one value.

    A detector becomes one of river's drift detectors, a stream one of its datasets, and the
    description of a stream a synthetic dataset, all from `learner` and `seed` alone.

    Parameters
    ----------
    learner : of this package, or your own with kernels; or a detector, a stream or a description.
    schema : of the stream, if it is known. An example must then have every feature.
    features : names of the attributes, in the order of the schema; default 0..d-1.
    labels : names of the classes; default 0..K-1. Without a schema, the labels known from the
        start; others may follow, up to 1,000.
    seed : of the learner's own randomness. A seed given here is kept by `prequential`, `holdout`
        and `sweep`. By default they set theirs, unless the model has learned; elsewhere it is 0.

    Needs river, which the extra ``models`` installs. Raises TypeError for any other object,
    ValueError for names of another number or that repeat, and for a schema or names without a
    learner.

    >>> from repro import detectors
    >>> from repro.learners import NoChange
    >>> model = to_river(NoChange())
    >>> model.learn_one({"price": 0.2}, "UP")
    >>> model.predict_one({"price": 0.3, "demand": 1.0})
    'UP'
    >>> detector = to_river(detectors.DDM())
    >>> detector.update(True)
    >>> detector.drift_detected
    False
    """
    if seed is not None:
        seed = check_count(seed, name="seed", least=0)
    if not isinstance(learner, Learner | Temporal):
        named = {"schema": schema, "features": features, "labels": labels}
        return _not_a_learner_to_river(learner, seed, named)
    if schema is None and features is not None:
        raise ValueError(f"features must be given with a schema; got {features!r} alone")
    if schema is not None:
        check_schema(schema)
    try:
        from repro.interop._river_classifier import RiverClassifier  # river may not be installed
    except ImportError as error:
        how = install_command("models")
        raise ImportError(f"to_river needs river, which is not installed: {how}") from error

    if schema is None:
        classes = None if labels is None else _as_names(labels, None, "labels")
        return RiverClassifier(learner, labels=classes, seed=seed)
    names = _as_names(features, schema.n_features, "features")
    return RiverClassifier(
        learner, schema, names, _as_names(labels, schema.n_classes, "labels"), seed
    )


def _as_names(values: Any, count: int | None, name: str) -> tuple[Hashable, ...]:
    """`values` as different names, `count` or any number of them; by default 0, 1, 2, ..."""
    if values is None:
        return tuple(range(count or 0))
    try:
        names = tuple(values)
        different = len(set(names))
    except TypeError:
        names, different = (), -1
    if different != (len(names) if count is None else count) or different != len(names):
        many = "" if count is None else f"{count} "
        raise ValueError(f"{name} must hold {many}different names; got {values!r}")
    return names


def _not_a_learner_to_river(thing: Any, seed: int | None, options: dict[str, Any]) -> Any:
    """A detector, a stream or a description as river's; `options` of learners must be None.

    Raises TypeError for any other object, and ValueError for an option that only a learner has.
    """
    kinds = Detector | Stream | StreamDescription
    if isinstance(thing, type) or not isinstance(thing, kinds):
        rule = "learner must be one of repro.learners, a detector, a stream or its description"
        raise TypeError(f"{rule}; got {shown(thing)}")
    for name, option in options.items():
        if option is not None:
            kind = type(thing).__name__
            raise ValueError(f"{name} must be None unless a learner is exported; got it for {kind}")
    try:
        from repro.interop._river_dataset import RiverDescription, RiverStream
        from repro.interop._river_detector import river_detector
    except ImportError as error:
        how = install_command("models")
        raise ImportError(f"to_river needs river, which is not installed: {how}") from error

    if isinstance(thing, Detector):
        return river_detector(thing, seed)
    return RiverStream(thing) if isinstance(thing, Stream) else RiverDescription(thing, seed or 0)
