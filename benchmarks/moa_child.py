"""MOA's side: runs in an environment of its own, answers requests of with_moa.py line by line.

Inside the clock is one call into the JVM: MOA's own prequential loop over instances that are in
its memory. A user of MOA or CapyMOA always hands the loop evaluators as well, which keep some
twenty measures; asked without ("evaluator": false), the loop stores predictions only. That is the
fastest that MOA can be had. Making instances and the learner is outside the clock.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

# What the JVM prints must not come between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import capymoa  # noqa: E402 (starts the JVM)
import jpype  # noqa: E402
import numpy as np  # noqa: E402
from capymoa.stream import Schema  # noqa: E402
from timing import Timed, least  # noqa: E402

WARM = 2.0  # seconds of running that are thrown away before a learner is first timed

Instances = jpype.JClass("com.yahoo.labs.samoa.instances.Instances")
DenseInstance = jpype.JClass("com.yahoo.labs.samoa.instances.DenseInstance")
CachedStream = jpype.JClass("moa.streams.CachedInstancesStream")
Loops = jpype.JClass("moa.evaluation.EfficientEvaluationLoops")
Evaluator = jpype.JClass("moa.evaluation.BasicClassificationPerformanceEvaluator")
WindowEvaluator = jpype.JClass("moa.evaluation.WindowClassificationPerformanceEvaluator")


class Data:
    """A stream in the memory of the JVM."""

    def __init__(self, path: str) -> None:
        arrays = np.load(path)
        X, self.y, nominal = arrays["X"], arrays["y"], arrays["nominal"]
        names = [f"x{j}" for j in range(X.shape[1])]
        values = {name: int(v) for name, v in zip(names, nominal, strict=True) if v}
        values["y"] = int(arrays["n_classes"])
        labels = {name: [str(v) for v in range(count)] for name, count in values.items()}
        schema = Schema.from_custom(features=[*names, "y"], target="y", categories=labels)
        self.header = schema.get_moa_header()
        self.instances = Instances(self.header, 0)
        for row in np.column_stack([X, self.y]):
            instance = DenseInstance(1.0, jpype.JArray(jpype.JDouble)(row))
            instance.setDataset(self.header)
            self.instances.add(instance)


def run(data: Data, words: str, evaluator: bool, n: int = -1) -> Timed:
    """One run of the learner `words` over the first `n` instances, or all."""
    name, _, settings = words.partition(" ")
    learner = jpype.JClass(f"moa.classifiers.{name}")()
    learner.getOptions().setViaCLIString(settings)
    learner.prepareForUse()
    learner.setModelContext(data.header)
    both = (Evaluator(), WindowEvaluator()) if evaluator else (None, None)
    stream = CachedStream(data.instances)
    begin = time.perf_counter()
    result = Loops.PrequentialEvaluation(stream, learner, *both, n, 1000, False, not evaluator)
    seconds = time.perf_counter() - begin
    if evaluator:
        error = 1 - float(both[0].getFractionCorrectlyClassified())
    else:
        y_pred = np.array(result.predictions)
        error = float(np.mean(y_pred != data.y[: len(y_pred)]))
    return Timed(seconds, len(data.y) if n < 0 else n, error)


def warm(data: Data, words: str, evaluator: bool) -> None:
    """Let the JVM compile: whole runs, or the beginning of one that would take too long."""
    begin, n = time.perf_counter(), 500
    while (left := WARM - (time.perf_counter() - begin)) > 0:
        seconds = run(data, words, evaluator, n).seconds
        n = min(2 * n, len(data.y)) if seconds < left / 4 else n


def versions() -> dict[str, str]:
    java = jpype.java.lang.System.getProperty("java.version")
    return {"capymoa": capymoa.__version__, "java": str(java)}


def answer(request: dict[str, Any], loaded: dict[str, Data], warmed: set) -> Timed:
    path, words, evaluator = request["path"], request["learner"], request["evaluator"]
    if path not in loaded:
        loaded.clear()
        loaded[path] = Data(path)
    if (path, words, evaluator) not in warmed:
        warm(loaded[path], words, evaluator)
        warmed.add((path, words, evaluator))
    return least(lambda: run(loaded[path], words, evaluator))


def main() -> None:
    loaded: dict[str, Data] = {}
    warmed: set = set()
    print(json.dumps(versions()), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), loaded, warmed)), file=answers, flush=True)


if __name__ == "__main__":
    main()
