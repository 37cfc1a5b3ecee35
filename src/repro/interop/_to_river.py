"""Detectors, streams and their descriptions with river's protocols; learners are elsewhere."""

from __future__ import annotations

from typing import Any

from repro._checks import shown
from repro._folders import install_command
from repro.detectors.detector import Detector
from repro.streams.description import StreamDescription
from repro.streams.stream import Stream

__all__ = ["not_a_learner_to_river"]


def not_a_learner_to_river(thing: Any, seed: int | None, options: dict[str, Any]) -> Any:
    """A detector, a stream or a description as river's; `options` of learners must be None.

    Raises TypeError for any other object, and ValueError for an option that only a learner has.
    """
    kinds = Detector | Stream | StreamDescription
    if isinstance(thing, type) or not isinstance(thing, kinds):
        rule = "learner must be one of repro.learners, a detector, a stream or its description"
        raise TypeError(f"{rule}; got {shown(thing)}")
    for name, given in options.items():
        if given is not None:
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
