"""Part `growth`: memory of learners along a stream of ten million examples that keeps drifting.

The stream is made chunk by chunk and never stands in memory as a whole: `repro.prequential` takes
the chunks, and carries the state from one to the next. `run.py --parts growth --scale 10` takes
10^8 examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from timing import now

from repro import prequential
from repro.learners import (
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    Learner,
    NaiveBayes,
    NearestNeighbors,
    OzaBagAdwin,
)
from repro.streams import Stream

N, CHUNK = 10_000_000, 50_000
D, K, CENTRES = 10, 3, 5  # attributes, classes, normal distributions of each class
PERIOD = 1_000_000  # examples in which a centre goes once around its circle
SUDDEN = 500_000  # examples between two exchanges of all classes
MIB = 2**20

# A learner, and the bytes it is bound to (None: its window, or its members, are few).
LEARNERS: dict[str, tuple[Learner, int | None]] = {
    "HoeffdingTree": (HoeffdingTree(), 32 * MIB),
    "HoeffdingTree, memory 1 MiB": (HoeffdingTree(memory=MIB), MIB),
    "HoeffdingAdaptiveTree": (HoeffdingAdaptiveTree(), 32 * MIB),
    "OzaBagAdwin of 10 trees": (OzaBagAdwin(HoeffdingTree()), 320 * MIB),
    "DynamicWeightedMajority": (DynamicWeightedMajority(NaiveBayes()), None),
    "NearestNeighbors": (NearestNeighbors(), None),
}


def measure(scale: float) -> pd.DataFrame:
    """One row per learner and chunk of a stream of N * `scale` examples."""
    frames = []
    for name, (learner, bound) in LEARNERS.items():
        print(f"  {name}", flush=True)
        n_chunks = max(1, round(N * scale / CHUNK))
        frames.append(_follow(learner, n_chunks).assign(learner=name, bound=bound))
    frame = pd.concat(frames, ignore_index=True)
    first = ["learner", "bound", "examples", "bytes", "seconds", "error"]
    return frame[[*first, *frame.columns.drop(first)]]


def _follow(learner: Learner, n_chunks: int) -> pd.DataFrame:
    """Bytes and counts after each chunk, and the seconds and the error of the chunk."""
    seconds: list[float] = []
    prequential(learner, _chunks(1))  # compiles
    run = prequential(learner, _timed(_chunks(n_chunks), seconds), every=CHUNK)
    growth = pd.DataFrame(run.growth or {}).rename(columns={"state_bytes": "bytes"})
    error = run.loss.reshape(-1, CHUNK).mean(axis=1)
    return growth.assign(seconds=seconds, error=error)


def _timed(chunks: Iterator[Stream], seconds: list[float]) -> Iterator[Stream]:
    """The `chunks`; adds to `seconds` the processor time from giving each one to the next call."""
    for chunk in chunks:
        begin = now()
        yield chunk
        seconds.append(now() - begin)


def _chunks(count: int) -> Iterator[Stream]:
    rng = np.random.default_rng(5)
    for start in range(0, count * CHUNK, CHUNK):
        X, y = _chunk(rng, start)
        yield Stream(X, y, n_classes=K)


def _chunk(rng: np.random.Generator, start: int) -> tuple[np.ndarray, np.ndarray]:
    """Examples from `start` on: centres on circles, and classes that change places."""
    t = start + np.arange(CHUNK)
    y, which = rng.integers(0, K, CHUNK), rng.integers(0, CENTRES, CHUNK)
    fixed = np.random.default_rng(11)
    phase = 2 * np.pi * fixed.random((K, CENTRES, D))
    radius = 1.0 + fixed.random((K, CENTRES, D))
    angle = 2 * np.pi * t[:, None] / PERIOD + phase[y, which]
    X = radius[y, which] * np.cos(angle) + 0.6 * rng.standard_normal((CHUNK, D))
    return X, (y + t // SUDDEN) % K


def draw(frame: pd.DataFrame, path: Path) -> None:
    """Memory against examples, with the bounds; and what the trees and ensembles consist of."""
    figure, (upper, lower) = plt.subplots(
        2, 1, figsize=(9, 10), sharex=True, height_ratios=[3, 2], layout="constrained"
    )
    for i, (name, part) in enumerate(frame.groupby("learner", sort=False)):
        x = part["examples"] / 1e6
        upper.plot(x, part["bytes"] / MIB, color=f"C{i}", label=name)
        for count in ("nodes", "members"):
            if part[count].nunique() > 1:
                style = "-" if count == "nodes" else "-."
                lower.plot(x, part[count], style, color=f"C{i}", label=f"{name}: {count}")
    end = frame["examples"].max() / 1e6
    for bound in sorted(set(frame["bound"].dropna())):
        upper.axhline(bound / MIB, color="black", linestyle="--", linewidth=1)
        text = upper.text(end, bound / MIB, f"bound of {bound / MIB:g} MiB ", ha="right")
        text.set(va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    for position in np.arange(SUDDEN / 1e6, end, SUDDEN / 1e6):
        for ax in (upper, lower):
            ax.axvline(position, color="grey", linestyle=":", linewidth=0.6)
    upper.set(yscale="log", ylabel="memory of the state [MiB]", xlim=(0, end))
    lower.set(yscale="log", ylabel="nodes, members", xlabel="examples [million]")
    for ax in (upper, lower):
        ax.grid(alpha=0.3)
    figure.legend(*upper.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
