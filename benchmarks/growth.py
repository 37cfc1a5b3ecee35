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
from with_moa import Moa

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

# Those of them that MOA has, and does in minutes; it follows the first tenth of the stream.
MOA_LEARNERS = {
    "HoeffdingTree": "trees.HoeffdingTree",
    "HoeffdingAdaptiveTree": "trees.HoeffdingAdaptiveTree",
    "OzaBagAdwin of 10 trees": "meta.OzaBagAdwin -l trees.HoeffdingTree -s 10",
}
MOA_SHARE = 0.1


def measure(scale: float, moa: Moa | None) -> pd.DataFrame:
    """One row per library, learner and chunk of a stream of N * `scale` examples."""
    frames = [] if moa is None else [_follow_moa(moa, max(1, round(MOA_SHARE * N * scale / CHUNK)))]
    for name, (learner, bound) in LEARNERS.items():
        print(f"  {name}", flush=True)
        n_chunks = max(1, round(N * scale / CHUNK))
        frames.append(_follow(learner, n_chunks).assign(learner=name, bound=bound))
    frame = pd.concat(frames, ignore_index=True).fillna({"library": "ours"})
    first = ["library", "learner", "bound", "examples", "bytes", "seconds", "error"]
    return frame[[*first, *frame.columns.drop(first)]]


def _follow(learner: Learner, n_chunks: int) -> pd.DataFrame:
    """Bytes and counts after each chunk, and the seconds and the error of the chunk."""
    seconds: list[float] = []
    prequential(learner, _chunks(1))  # compiles
    run = prequential(learner, _timed(_chunks(n_chunks), seconds), every=CHUNK)
    growth = pd.DataFrame(run.growth or {}).rename(columns={"state_bytes": "bytes"})
    error = run.loss.reshape(-1, CHUNK).mean(axis=1)
    return growth.assign(seconds=seconds, error=error)


def _follow_moa(moa: Moa, n_chunks: int) -> pd.DataFrame:
    """Seconds and error of MOA's learners on each chunk; it does not say its memory."""
    print(f"  MOA, {n_chunks * CHUNK} examples", flush=True)
    rows = []
    for number, found in enumerate(moa.follow(_chunks(n_chunks), MOA_LEARNERS)):
        for name, (seconds, error) in found.items():
            row = {"learner": name, "seconds": seconds, "error": error}
            rows.append({"library": "MOA", "examples": (number + 1) * CHUNK, **row})
    return pd.DataFrame(rows)


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
    """Memory with its bounds, what the trees and ensembles consist of, and speed beside MOA's."""
    figure, axes = plt.subplots(
        3, 1, figsize=(9, 13), sharex=True, height_ratios=[3, 2, 2], layout="constrained"
    )
    memory, parts, speed = axes
    frame = frame.assign(rate=CHUNK / frame["seconds"], x=frame["examples"] / 1e6)
    colors = {name: f"C{i}" for i, name in enumerate(LEARNERS)}
    for name, part in frame[frame["library"] == "ours"].groupby("learner", sort=False):
        line = {"color": colors[name], "linewidth": 1.2}
        memory.plot(part["x"], part["bytes"] / MIB, label=name, **line)
        speed.plot(part["x"], part["rate"], **line)
        for count, style in (("nodes", "-"), ("members", "-.")):
            if part[count].nunique() > 1:
                parts.plot(part["x"], part[count], style, **line)
    for name, part in frame[frame["library"] == "MOA"].groupby("learner", sort=False):
        speed.plot(part["x"], part["rate"], ":", color=colors[name], linewidth=2.5)
    end = frame["x"].max()
    for bound in sorted(set(frame["bound"].dropna())):
        memory.axhline(bound / MIB, color="black", linestyle="--", linewidth=1)
        text = memory.text(end, bound / MIB, f"bound of {bound / MIB:g} MiB ", ha="right")
        text.set(va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1})
    memory.set(ylabel="memory of the state [MiB]", xlim=(0, end))
    parts.set(ylabel="nodes (lines), members (dash-dot)")
    speed.set(ylabel="examples per second (dotted: MOA)", xlabel="examples [million]")
    for ax in axes:
        ax.set_yscale("log")
        ax.grid(alpha=0.3)
        for position in np.arange(SUDDEN / 1e6, end, SUDDEN / 1e6):
            ax.axvline(position, color="grey", linestyle=":", linewidth=0.6)
    figure.legend(*memory.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)
