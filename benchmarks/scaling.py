"""Part `scaling`: microseconds per example against n, d, K and the number of members.

One thing varies, the others stay as they are in BASE. Classes are normal distributions around
means of their own, standard normal as well; several overlap, so that trees have something to do.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from timing import clock

from repro import Stream, prequential
from repro.learners import (
    DynamicWeightedMajority,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    Learner,
    LeveragingBag,
    LinearSVM,
    NaiveBayes,
    NearestNeighbors,
    OzaBag,
    OzaBagAdwin,
)

SINGLE: dict[str, Learner] = {
    "NaiveBayes": NaiveBayes(),
    "LinearSVM": LinearSVM(),
    "NearestNeighbors": NearestNeighbors(),
    "HoeffdingTree": HoeffdingTree(),
    "HoeffdingAdaptiveTree": HoeffdingAdaptiveTree(),
    "DynamicWeightedMajority of naive Bayes": DynamicWeightedMajority(NaiveBayes()),
    "OzaBag of 10 trees": OzaBag(HoeffdingTree()),
}
ENSEMBLES: dict[str, Learner] = {
    "OzaBag of naive Bayes": OzaBag(NaiveBayes()),
    "OzaBag of trees": OzaBag(HoeffdingTree()),
    "OzaBagAdwin of trees": OzaBagAdwin(HoeffdingTree()),
    "LeveragingBag of trees": LeveragingBag(HoeffdingTree()),
}
BASE = {"n": 20_000, "d": 8, "K": 2, "members": 10}
VALUES = {
    "n": [1_000, 10_000, 100_000, 1_000_000],
    "d": [2, 8, 32, 128, 256],
    "K": [2, 4, 8, 16, 32],
    "members": [1, 2, 5, 10, 20, 40],
}
LABELS = {
    "n": "examples n",
    "d": "attributes d",
    "K": "classes K",
    "members": "members of the ensemble",
}
LONG = {"OzaBag of 10 trees": 100_000}  # examples at most


def measure(scale: float) -> pd.DataFrame:
    """One row per learner and size."""
    rows = []
    for axis, values in VALUES.items():
        for value in values if scale >= 1 else values[:3]:
            sizes = BASE | {axis: value}
            stream = _stream(sizes["n"], sizes["d"], sizes["K"])
            for name, learner in (ENSEMBLES if axis == "members" else SINGLE).items():
                if sizes["n"] > LONG.get(name, sizes["n"]):
                    continue
                print(f"  {axis}={value}: {name}", flush=True)
                chosen = replace(learner, n_members=value) if axis == "members" else learner
                rows.append(
                    {"axis": axis, "value": value, "learner": name, **_time(chosen, stream)}
                )
    return pd.DataFrame(rows)


def _time(learner: Learner, stream: Stream) -> dict[str, float]:
    prequential(learner, stream.take([0]), proba=False)
    seconds = clock(lambda: prequential(learner, stream, proba=False))
    return {"microseconds": 1e6 * seconds / len(stream)}


def _stream(n: int, d: int, K: int) -> Stream:
    rng = np.random.default_rng(7)
    means, y = rng.standard_normal((K, d)), rng.integers(0, K, n)
    return Stream(means[y] + 2.0 * rng.standard_normal((n, d)), y, n_classes=K)


def draw(frame: pd.DataFrame, path: Path) -> None:
    """Four panels, one for each thing that varies; ensembles of growing size are dashed."""
    figure, panels = plt.subplots(2, 2, figsize=(10, 9), sharey=True, layout="constrained")
    colours = {name: f"C{i % 10}" for i, name in enumerate([*SINGLE, *ENSEMBLES])}
    for ax, (axis, part) in zip(panels.flat, frame.groupby("axis", sort=False), strict=True):
        for name, curve in part.groupby("learner", sort=False):
            style = "--" if name in ENSEMBLES else "-"
            x, y = curve["value"], curve["microseconds"]
            ax.plot(x, y, style, marker="o", ms=4, color=colours[name], label=name)
        values = part["value"].unique()
        ax.set(xscale="log", yscale="log", xlabel=LABELS[axis], title=_fixed(axis))
        ax.set_xticks(values, [f"{v:,}".replace(",", " ") for v in values])
        ax.minorticks_off()
        ax.grid(alpha=0.3)
    for ax in panels[:, 0]:
        ax.set_ylabel("time per example [µs]")
    lines = {text: line for ax in panels.flat for line, text in _legend(ax)}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=3, fontsize=8)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    plt.close(figure)


def _fixed(axis: str) -> str:
    names = [name for name in BASE if name != axis and (name != "members" or axis == "members")]
    return ", ".join(f"{name} = {BASE[name]:,}".replace(",", " ") for name in names)


def _legend(ax: plt.Axes) -> list[tuple[plt.Artist, str]]:
    return list(zip(*ax.get_legend_handles_labels(), strict=True))
