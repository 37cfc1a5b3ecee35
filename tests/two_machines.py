"""What each public stream, detector and learner gives on one machine, beside another.

    python tests/two_machines.py numbers.json            # on one: writes the file
    python tests/two_machines.py numbers.json --compare  # on the other: counts what differs

Numbers are equal if they differ by at most 1e-9 of the larger; labels and alarms are equal or not.
Other versions of packages may differ as well, so both machines need those of requirements.lock.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from repro import prequential, registry
from repro.streams import LED, SEA, Stream, gradual

EXAMPLES = 1000
STREAMS = {
    "numbers": gradual(SEA(), SEA(threshold=12.0), at=500, width=100, n=EXAMPLES).sample(seed=0),
    "nominal": LED().sample(seed=0, n=EXAMPLES),
}


def everything() -> Iterator[tuple[str, str, Any]]:
    """Kind, name and function of all that is compared."""
    losses = np.random.default_rng(0).random(20 * EXAMPLES)
    losses = (losses < np.repeat([0.1, 0.3], 10 * EXAMPLES)).astype(float)
    for name, description in registry.streams().items():
        yield "streams", name, lambda d=description: of_stream(d.sample(seed=0, n=EXAMPLES))
    for name, detector in registry.detectors().items():
        yield "detectors", name, lambda d=detector: list(map(int, d.alarms(losses)))
    for name, learner in registry.learners().items():
        for kind, stream in STREAMS.items():
            yield "learners", f"{name}, {kind}", lambda m=learner, s=stream: of_run(m, s)


def of_stream(stream: Stream) -> list[float]:
    """The values and the labels, one after the other."""
    return [*stream.X.ravel().tolist(), *map(int, stream.y)]


def of_run(learner: Any, stream: Stream) -> list[int]:
    """The predictions and the alarms."""
    run = prequential(learner, stream)
    return [*map(int, run.y_pred), *map(int, run.alarms)]


def apart(one: list[float], other: list[float]) -> float:
    """The largest difference, of the larger number; infinite where one has more numbers."""
    if len(one) != len(other):
        return float("inf")
    a, b = np.array(one, dtype=float), np.array(other, dtype=float)
    a, b = np.where(np.isnan(a) & np.isnan(b), 0.0, (a, b))
    return float(
        np.max(np.abs(a - b) / np.maximum(1e-300, np.maximum(np.abs(a), np.abs(b))), initial=0)
    )


def compared(there: dict[str, list[float]], here: dict[str, list[float]]) -> pd.DataFrame:
    """One row for each kind of thing: how many numbers, how many things differ, and by how much."""
    rows = []
    for kind in dict.fromkeys(name.partition(": ")[0] for name in here):
        names = [name for name in here if name.startswith(f"{kind}: ")]
        gaps = {n.partition(": ")[2]: apart(here[n], there.get(n, [np.nan])) for n in names}
        unlike = [name for name, gap in gaps.items() if not gap <= 1e-9]
        rows.append(
            {
                "what": kind,
                "compared": len(names),
                "numbers": f"{sum(len(here[n]) for n in names):,}",
                "largest difference": f"{max(gaps.values()):.1g}",
                "differ": ", ".join(unlike) or "none",
            }
        )
    return pd.DataFrame(rows)


def main() -> int:
    """Write or compare; 1 if something differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--compare", action="store_true", help="with the numbers in the file")
    options = parser.parse_args()
    if options.compare and not options.file.is_file():
        parser.error(f"there is no file {options.file}")
    if not options.compare and options.file.exists():
        parser.error(f"{options.file} is there: add --compare, or name another file")
    listed = [*everything()]
    here = {f"{kind}: {name}": make() for kind, name, make in tqdm(listed, leave=False)}
    if not options.compare:
        options.file.write_text(json.dumps({"machine": platform.machine(), "numbers": here}))
        return 0
    there = json.loads(options.file.read_text())
    table = compared(there["numbers"], here)
    print(f"{there['machine']} and {platform.machine()}", table.to_string(index=False), sep="\n")
    return int((table["differ"] != "none").any())


if __name__ == "__main__":
    sys.exit(main())
