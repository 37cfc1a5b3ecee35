"""Part `growth`: memory of learners along a stream of five million examples that keeps drifting.

The stream is made chunk by chunk and never stands in memory as a whole; the state is carried from
chunk to chunk.
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

from repro.kernels.compiling import kernel
from repro.learners import (
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    Learner,
    NaiveBayes,
    NearestNeighbors,
    OzaBagAdwin,
)
from repro.learners.verbs import learn_predicted, votes
from repro.streams import Schema

N, CHUNK = 5_000_000, 50_000
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
    """One row per learner and chunk."""
    rows = []
    for name, (learner, bound) in LEARNERS.items():
        print(f"  {name}", flush=True)
        for row in _follow(learner, int(N * scale)):
            rows.append({"learner": name, "bound": bound, **row})
    return pd.DataFrame(rows)


def _follow(learner: Learner, n: int) -> Iterator[dict[str, object]]:
    schema = Schema((0,) * D, K)
    state, room = learner.start(schema, 0), np.zeros(K)
    rng = np.random.default_rng(5)
    for start in range(0, n, CHUNK):
        X, y = _chunk(rng, start)
        _test_then_train(state, X[:0], y[:0], room)  # compiles
        begin = now()
        wrong = _test_then_train(state, X, y, room)
        yield {
            "examples": start + CHUNK,
            "bytes": int(learner.state_bytes(state)),
            "seconds": now() - begin,
            "error": wrong / CHUNK,
            **learner.counts(state),
        }


@kernel
def _test_then_train(state, X, y, out):  # type: ignore[no-untyped-def]
    """Number of wrong predictions of the examples, each predicted, then learned."""
    wrong = 0
    for i in range(y.size):
        votes(state, X[i], out)
        wrong += out.argmax() != y[i]
        learn_predicted(state, X[i], y[i], 1.0)
    return wrong


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
