"""frouros' side: runs in an environment of its own, answers requests of detecting.py."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
from frouros import metrics
from frouros.detectors import concept_drift
from timing import Timed, least, now


def alarms(make: Any, values: list[float]) -> Timed:
    """A detector starts anew after each alarm, as the other libraries' do by themselves."""
    detector, count, begin = make(), 0, now()
    for value in values:
        detector.update(value)
        if detector.drift:
            count += 1
            detector.reset()
    return Timed(now() - begin, len(values), float(count))


def estimate(make: Any, values: list[float]) -> Timed:
    estimator, estimated, begin = make(), 0.0, now()
    for value in values:
        estimated = estimator(value)
    return Timed(now() - begin, len(values), float(estimated))


def answer(name: str, settings: dict[str, Any], path: str, n: int) -> Timed:
    values = np.load(path)[:n].tolist()
    if hasattr(metrics, name):
        return least(lambda: estimate(lambda: getattr(metrics, name)(**settings), values))
    detector, config = getattr(concept_drift, name), getattr(concept_drift, f"{name}Config")
    return least(lambda: alarms(lambda: detector(config(**settings)), values))


def main() -> None:
    print(json.dumps({"frouros": version("frouros")}), flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
