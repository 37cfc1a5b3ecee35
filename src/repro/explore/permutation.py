"""Learners on another order of the same examples, with sliders for its kind and strength."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from repro import metrics, permutations
from repro._checks import check_mapping
from repro.detectors import DDM
from repro.evaluation import prequential
from repro.explore._controls import WINDOWS, choice, slider, thinned, up_to
from repro.explore._view import Shown, View, put_legend
from repro.figures import plot_error
from repro.interop.adapting import check_learner
from repro.learners import DriftRetraining, HoeffdingTree, NaiveBayes, NoChange
from repro.streams import Permuted, Stream
from repro.streams.stream import check_stream

__all__ = ["permutation"]

STRENGTHS = (0.0, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
DEFAULT = {
    "NB": NaiveBayes(),
    "DDM": DriftRetraining(NaiveBayes(), DDM()),
    "HT": HoeffdingTree(),
    "Persistent": NoChange(),
}


def permutation(stream: Stream, learners: Mapping[str, Any] | None = None, seed: int = 0) -> View:
    """The examples of a stream in another order: which learner is best now, and was it luck?

    Each order that is chosen runs all `learners` again.

    Parameters
    ----------
    stream : a Stream.
    learners : name to anything that `repro.prequential` takes; by default naive Bayes, naive Bayes
        with DDM, a Hoeffding tree, and no change.
    seed : seed of the orders and of the learners.

    The strength is p of `repro.permutations.time_permutation` and `speed_permutation`, and the
    share of the largest k, 2n - 1, of `shape_permutation`. Source: Žliobaitė (2014). Raises
    TypeError for an argument of the wrong kind, ValueError without a learner.

    >>> from repro.learners import NoChange
    >>> stream = Stream([[0.0]] * 6, [0, 0, 0, 1, 1, 1])
    >>> view = permutation(stream, {"Persistent": NoChange()})
    >>> view.controls["strength"].value = 1.0  # the whole stream in reverse order
    >>> view.shown.table["now"].round(3).to_dict()
    {'Persistent': 0.333}
    """
    check_stream(stream)
    named = DEFAULT if learners is None else _checked(learners)
    used = {str(name): learner for name, learner in named.items()}
    n = len(stream)
    original = _errors(used, stream, seed)

    def show(kind: str, strength: float, window: int) -> Shown:
        how, value = _strength(kind, strength, n)
        changed = Permuted(stream, kind, **{how: value})  # type: ignore[arg-type]
        runs = _errors(used, changed.sample(seed), seed)
        curves = {name: metrics.sliding_error(loss, window) for name, loss in runs.items()}
        order = changed.order(seed)
        before, now = (
            pd.Series({a: loss.mean() for a, loss in r.items()}) for r in (original, runs)
        )
        table = pd.DataFrame({"before": before, "now": now, "change": now - before})
        code = [
            f"order = permutations.{kind}_permutation({n}, {how}={value}, seed={seed})",
            f"changed = streams.Permuted(stream, {kind!r}, {how}={value}).sample({seed})",
            f"run = prequential(learner, changed, {seed})",
            f"metrics.sliding_error(run.loss, window={window})",
        ]
        distance = permutations.neighbor_distance(order)
        table.index.name = f"neighbours were {distance:.3g} apart"
        return Shown(curves | {"_order": order.astype(float)}, table, "\n".join(code))

    def draw(shown: Shown, axes: list[Axes]) -> None:
        curves = {name: curve for name, curve in shown.curves.items() if name != "_order"}
        plot_error(curves, ax=axes[0], **thinned(n))
        axes[0].set_title("The same examples in another order")
        put_legend(axes[0])
        part = np.arange(0, n, max(1, n // 2000))
        axes[1].plot(part, shown.curves["_order"][part], ".", markersize=1.5)
        axes[1].set(xlabel="Position now", ylabel="Position before")

    controls = {
        "kind": choice("permutation", ("time", "speed", "shape")),
        "strength": slider("strength", STRENGTHS, 0.0),
        "window": slider("window", up_to(WINDOWS, n), 300),
    }
    return View(controls, show, draw, rows=2)


def _checked(learners: Any) -> Mapping[Any, Any]:
    """Return `learners` if it maps names to learners, at least one."""
    if not check_mapping(learners, name="learners", rule="names to learners"):
        raise ValueError("learners must hold at least one learner; got {}")
    for name, learner in learners.items():
        try:
            check_learner(learner)
        except TypeError as error:
            raise TypeError(f"learners[{name!r}]: {error}") from None
    return learners


def _errors(learners: Mapping[str, Any], stream: Stream, seed: int) -> dict[str, np.ndarray]:
    runs = {a: prequential(learner, stream, seed, proba=False) for a, learner in learners.items()}
    return {name: run.loss for name, run in runs.items()}


def _strength(kind: str, strength: float, n: int) -> tuple[str, float | int]:
    """The name and the value of the argument that gives a permutation its strength."""
    return ("k", round(strength * (2 * n - 1))) if kind == "shape" else ("p", strength)
