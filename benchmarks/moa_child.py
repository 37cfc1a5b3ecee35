"""MOA's side: runs in an environment of its own, answers requests of with_moa.py line by line.

Detectors: see moa_detectors.py; long streams in chunks: moa_growth.py; the predicted labels, in
place of a time, are asked for with the way ``labels``. Three ways of running a
learner, made outside the clock:

loop    one call into the JVM: MOA's own prequential loop over instances that are in its memory,
        storing predictions and nothing else. The fastest that MOA can be had.
arrays  ``prequential_evaluation(NumpyStream(X, y), learner)``, CapyMOA's call with its defaults:
        some twenty measures, and a loop in Python, since such a stream has none in Java.
file    the same call on ``ARFFStream(path)``: a loop in Java that reads a text file.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

# What the JVM prints must not come between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import capymoa  # noqa: E402 (starts the JVM)
import jpype  # noqa: E402
import moa_detectors  # noqa: E402
import moa_growth  # noqa: E402
import numpy as np  # noqa: E402
from capymoa.base import MOAClassifier  # noqa: E402
from capymoa.evaluation import prequential_evaluation  # noqa: E402
from capymoa.stream import ARFFStream, NumpyStream  # noqa: E402
from moa_instances import Data  # noqa: E402
from timing import Timed, least, now  # noqa: E402

# Seconds of running that are thrown away before a learner is first timed: most for the first way,
# since the JVM has compiled the learner by then.
WARM = {"loop": 0.8, "arrays": 0.3, "file": 0.3}

CachedStream = jpype.JClass("moa.streams.CachedInstancesStream")
Loops = jpype.JClass("moa.evaluation.EfficientEvaluationLoops")


def run(data: Data, words: str, way: str, n: int) -> Timed:
    """One run of the learner `words` over the first `n` instances."""
    learner = _made(data, words)
    if way != "loop":
        return _call(data, learner, way, n)
    begin = now()
    result = _looped(data, learner, n)
    seconds = now() - begin
    y_pred = np.array(result.predictions)
    return Timed(seconds, n, float(np.mean(y_pred != data.y[: len(y_pred)])))


def labels(data: Data, words: str, n: int) -> list[int]:
    """What a new learner `words` predicts for the first `n` instances, test-then-train."""
    return np.array(_looped(data, _made(data, words), n).predictions).astype(int).tolist()


def _made(data: Data, words: str) -> MOAClassifier:
    name, _, settings = words.partition(" ")
    return MOAClassifier(jpype.JClass(f"moa.classifiers.{name}"), data.schema, settings)


def _looped(data: Data, learner: MOAClassifier, n: int) -> Any:
    stream, model = CachedStream(data.instances), learner.moa_learner
    return Loops.PrequentialEvaluation(stream, model, None, None, n, 1000, False, True)


def _call(data: Data, learner: MOAClassifier, way: str, n: int) -> Timed:
    if way == "file":
        stream = ARFFStream(data.file)
    else:
        stream = NumpyStream(data.X[:n], data.y[:n])
        stream.schema = data.schema  # it takes all attributes for numeric ones
    begin = now()
    result = prequential_evaluation(stream, learner, max_instances=n)
    seconds = now() - begin
    return Timed(seconds, n, 1 - result.cumulative.accuracy() / 100)


def warm(data: Data, words: str, way: str, most: int) -> float:
    """Let the JVM compile: whole runs, or the beginning of one; returns instances per second."""
    begin, n, rate = now(), min(500, most), 0.0
    while (left := WARM[way] - (now() - begin)) > 0:
        seconds = run(data, words, way, n).seconds
        rate = n / seconds
        n = min(2 * n, most) if seconds < left / 2 else n
    return rate


def versions() -> dict[str, str]:
    java = jpype.java.lang.System.getProperty("java.version")
    return {"capymoa": capymoa.__version__, "java": str(java)}


def answer(request: dict[str, Any], loaded: dict[str, Data], warmed: dict) -> Any:
    if "detector" in request:
        return moa_detectors.answer(**request)
    if "chunk" in request:
        return moa_growth.answer(**request)
    path, words, way, n = (request[key] for key in ("path", "learner", "way", "n"))
    if path not in loaded:
        loaded.clear()
        loaded[path] = Data(path)
    if way == "labels":
        return labels(loaded[path], words, n)
    if (path, words, way) not in warmed:
        warmed[path, words, way] = warm(loaded[path], words, way, n)
    if request["rate"]:
        return warmed[path, words, way]
    return least(lambda: run(loaded[path], words, way, n))


def main() -> None:
    loaded: dict[str, Data] = {}
    warmed: dict[tuple[str, str, str], float] = {}
    print(json.dumps(versions()), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), loaded, warmed)), file=answers, flush=True)


if __name__ == "__main__":
    main()
