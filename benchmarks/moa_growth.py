"""MOA's learners along a stream of chunks, for moa_child.py: each keeps what it has learned."""

from __future__ import annotations

from typing import Any

import jpype
import numpy as np
from capymoa.base import MOAClassifier
from moa_instances import Data
from timing import now

CachedStream = jpype.JClass("moa.streams.CachedInstancesStream")
Loops = jpype.JClass("moa.evaluation.EfficientEvaluationLoops")

_LEARNERS: dict[str, Any] = {}


def answer(chunk: str, learners: dict[str, str], first: bool) -> dict[str, tuple[float, float]]:
    """Seconds and error of each learner on the next chunk, in the file `chunk`, by name.

    The first chunk starts the learners anew. Making the instances is outside the clock.
    """
    data = Data(chunk)
    if first:
        _LEARNERS.clear()
        _LEARNERS.update({name: start(data, words) for name, words in learners.items()})
    return {name: _follow(_LEARNERS[name], data) for name in learners}


def start(data: Data, words: str) -> Any:
    """The untrained learner `words`, as in MOA's dialogs."""
    kind, _, settings = words.partition(" ")
    made = jpype.JClass(f"moa.classifiers.{kind}")
    return MOAClassifier(made, schema=data.schema, CLI=settings).moa_learner


def _follow(learner: Any, data: Data) -> tuple[float, float]:
    n, stream = len(data.y), CachedStream(data.instances)
    begin = now()
    result = Loops.PrequentialEvaluation(stream, learner, None, None, n, n, False, True)
    seconds = now() - begin
    return seconds, float(np.mean(np.array(result.predictions) != data.y))
