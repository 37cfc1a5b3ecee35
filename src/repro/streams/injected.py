"""Drift put into a stream, such as one of real data: what changes, where, and the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from repro import seeds
from repro._checks import check_choice, check_count, check_flag
from repro.streams.stream import Stream, check_stream

__all__ = ["injected"]

KINDS = ("priors", "labels", "attributes", "filter")
RARE = 0.25  # share of the examples of the other classes that remains when the priors change
MIDDLE = (0.2, 0.8)  # share of the examples that a filter may let pass

Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


def injected(
    stream: Stream, kind: str, at: int, width: int = 0, seed: int = 0, *, control: bool = False
) -> Stream:
    """The examples of `stream` with a drift of a known kind at the example `at`.

    In streams of real data nobody knows where drift is; here it is known, and it comes on top of
    what the data have. Order and time stay as they are.

    * "priors": the probabilities of the classes change. Of all classes but one, which is drawn from
      the two most frequent ones, only a quarter of the examples remains.
    * "labels": the two most frequent classes exchange their labels.
    * "attributes": attributes exchange their places, in a circle that is drawn: numeric ones among
      each other, and nominal ones with equally many values.
    * "filter": examples pass by the value of one attribute, which is drawn: above its median (of
      the examples from `at` on) or not, its most frequent value or others.

    Where examples are left out after the drift, equally many are left out before it, at random: the
    distance between examples that follow each other does not change.

    Parameters
    ----------
    stream : a Stream.
    kind : "priors", "labels", "attributes" or "filter".
    at : index in `stream` of the first example after the drift, 1..n-1; the middle of a drift that
        takes longer.
    width : duration in examples. The example t follows the new rule with the probability
        ``1 / (1 + exp(-4 (t - at) / width))``; 0 is sudden.
    seed : of what is drawn.
    control : (keyword) the same without the drift: examples are left out at random everywhere. On
        it false alarms are counted.

    Returns a Stream whose `drifts` are those of `stream` and the new one, counted in the examples
    that remain. Optimal labels and risks are kept where they are still known: not if priors change,
    and, unless examples are only filtered, not if the drift takes longer. Raises TypeError unless
    `stream` is a Stream, ValueError for another wrong value, and where a stream cannot have this
    drift: one class only, no attributes to exchange or to filter by, no example left.

    >>> stream = Stream([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> changed = injected(stream, "labels", at=2)
    >>> changed.y.tolist(), changed.drifts
    ([0, 1, 1, 0], (2,))
    """
    check_stream(stream)
    check_choice(kind, KINDS, name="kind")
    n = len(stream)
    if n < 2:
        raise ValueError(f"stream must have at least 2 examples; got {n}")
    at = check_count(at, name="at", most=n - 1)
    width = check_count(width, name="width", least=0)
    control = check_flag(control, name="control")
    seed = check_count(seed, name="seed", least=0)
    rng, draws = (seeds.generator(seed, "injected", kind, part) for part in ("what", "where"))
    t = np.arange(n)
    is_new = draws.random(n) < expit(4 * (t - at) / width) if width else t >= at
    changed: Stream
    if kind in ("labels", "attributes"):
        change = _labels if kind == "labels" else _attributes
        values = change(stream, is_new, rng)
        changed = stream if control else replace(stream, **values)
        kept = np.ones(n, bool)
    else:
        weights = _by_class(stream, rng) if kind == "priors" else _by_value(stream, at, rng)
        rate = float(weights[at:].mean())
        chances = np.where(is_new & (not control), weights, rate)
        kept = draws.random(n) < chances
        if not kept[:at].any() or not kept[at:].any():
            raise ValueError(f"stream must keep examples on both sides of at; got at = {at}")
        changed = stream.take(kept)
    truth: dict[str, Any] = {}
    if not control and (kind == "priors" or (width and kind != "filter")):
        truth = {"bayes_risk": None, "optimal": None}
    name = f"{stream.name or 'stream'}, {'control of ' * control}injected {kind}"
    return replace(changed, **truth, **_drifts(stream, at, width, kept, control), name=name)


def _drifts(stream: Stream, at: int, width: int, kept: Mask, control: bool) -> dict[str, Any]:
    """The drifts of `stream` and the new one, counted in the examples that are kept."""
    widths = dict(zip(stream.drifts, stream.widths, strict=True))
    if not control:
        widths[at] = max(width, widths.get(at, 0))
    before = np.concatenate([[0], np.cumsum(kept)])
    share = float(kept.mean())
    found: dict[int, int] = {}
    for position, duration in sorted(widths.items()):
        place = int(before[position])
        if 0 < place < before[-1]:
            found[place] = max(found.get(place, 0), round(duration * share))
    return {"drifts": tuple(found), "widths": tuple(found.values())}


def _two_classes(stream: Stream) -> list[int]:
    """The two most frequent classes; of equally frequent ones the first."""
    counts = np.bincount(stream.y, minlength=int(stream.n_classes or 1))
    if (counts > 0).sum() < 2:
        raise ValueError("stream must have examples of two classes or more; got 1")
    return [int(c) for c in np.argsort(-counts, kind="stable")[:2]]


def _labels(stream: Stream, is_new: Mask, rng: np.random.Generator) -> dict[str, Any]:
    """Labels, and optimal ones, with the two most frequent classes exchanged."""
    one, other = _two_classes(stream)
    new = np.arange(int(stream.n_classes or 1))
    new[[one, other]] = other, one
    optimal = stream.optimal
    return {
        "y": np.where(is_new, new[stream.y], stream.y),
        "optimal": None if optimal is None else np.where(is_new, new[optimal], optimal),
    }


def _attributes(stream: Stream, is_new: Mask, rng: np.random.Generator) -> dict[str, Any]:
    """Attributes of a kind exchanged: each gets the values of another one."""
    counts = np.asarray(stream.nominal)
    columns = np.arange(counts.size)
    for count in np.unique(counts):
        circle = rng.permutation(np.flatnonzero(counts == count))
        columns[circle] = np.roll(circle, 1)
    X = np.where(is_new[:, None], stream.X[:, columns], stream.X)
    if np.array_equal(X, stream.X):
        rule = "stream must have two attributes of one kind that differ after the drift"
        raise ValueError(f"{rule}; got {counts.size} attributes")
    return {"X": X}


def _by_class(stream: Stream, rng: np.random.Generator) -> Floats:
    """The share of the examples that remains, by their class."""
    favoured = rng.choice(_two_classes(stream))
    return np.where(stream.y == favoured, 1.0, RARE)


def _by_value(stream: Stream, at: int, rng: np.random.Generator) -> Floats:
    """1 for examples that pass a filter on an attribute, else 0; some do from `at` on."""
    low, high = MIDDLE
    for j in rng.permutation(stream.X.shape[1]):
        column = stream.X[:, j]
        if np.asarray(stream.nominal)[j]:
            passes = column == np.bincount(column[at:].astype(np.int64)).argmax()
        else:
            passes = column > np.median(column[at:])
        if low <= passes[at:].mean() <= high:
            return np.asarray(passes if rng.integers(2) else ~passes, dtype=np.float64)
    rule = f"stream must have an attribute by which {low:.0%} to {high:.0%} pass from at on"
    raise ValueError(f"{rule}; got none in {stream.X.shape[1]}")
