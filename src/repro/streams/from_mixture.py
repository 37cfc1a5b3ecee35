"""What follows from a drifting mixture: its state at a time, its changes, paired streams."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from repro import seeds
from repro._checks import check_kind, check_number, check_rng
from repro.streams._inputs import check_size
from repro.streams.component import Component
from repro.streams.mixture import DriftingMixture
from repro.streams.stream import Stream

__all__ = ["Severity", "paired_streams", "severity", "snapshot"]


def snapshot(mixture: DriftingMixture, t: float) -> DriftingMixture:
    """The stationary mixture that equals `mixture` at the time `t`, with the same `n`.

    >>> from repro.streams import TESTBED
    >>> snapshot(TESTBED["NSGT"], 5000).components[0].mean
    (5.0, 5.0)
    """
    check_kind(mixture, DriftingMixture, name="mixture")
    t = check_number(t, name="t", least=0)
    classes = tuple(
        replace(c, components=tuple(_at(component, t) for component in c.components))
        for c in mixture.classes
    )
    return replace(mixture, name=f"{mixture.name} at {float(t):g}", classes=classes)


def _at(component: Component, t: float) -> Component:
    pose = component.at([t])
    covariance = pose.scale[0] * pose.turn[0] @ np.array(component.covariance) @ pose.turn[0].T
    symmetric = (covariance + covariance.T) / 2  # the products leave rounding on one side
    return Component(
        tuple(pose.mean[0]),
        tuple(map(tuple, symmetric)),
        weight=float(pose.weight[0]),
    )


class Severity(NamedTuple):
    """Share of examples with another optimal label after a change, and its standard error."""

    share: float
    standard_error: float


def severity(
    mixture: DriftingMixture,
    before: float,
    after: float,
    rng: np.random.Generator,
    n: int = 20_000,
) -> Severity:
    r"""Severity of a change: the probability that the old optimal label is wrong afterwards.

    .. math:: P_{x \sim p(x \mid \text{after})}
              \bigl(\hat y(x, \text{before}) \ne \hat y(x, \text{after})\bigr)

    with the optimal labels :math:`\hat y`. It is 0 if the old rule is still optimal, and 1 if it
    is always wrong. Minku, White and Yao (2010) measure the share of the *space* instead; here
    it is weighted by the distribution of the examples.

    Parameters
    ----------
    mixture : the drifting mixture.
    before, after : two times >= 0.
    rng : draws the points.
    n : number of points.

    Raises TypeError for another mixture, ValueError for a wrong value.
    """
    check_kind(mixture, DriftingMixture, name="mixture")
    before = check_number(before, name="before", least=0)
    after = check_number(after, name="after", least=0)
    check_rng(rng)
    check_size(n, row=mixture.n_features + 3)
    X, _ = mixture.draw(np.full(n, float(after)), rng)
    labels = [mixture.posterior(X, t).argmax(axis=1) for t in (before, after)]
    share = float((labels[0] != labels[1]).mean())
    return Severity(share, float(np.sqrt(share * (1 - share) / n)))


def paired_streams(
    mixture: DriftingMixture, seed: int = 0, n: int | None = None, noise: float = 0.0
) -> tuple[Stream, Stream]:
    """Draw a stream, and another stream with the same labels and new attributes.

    Given its label and its time, the attributes of an example are drawn twice, independently, from
    the same distribution. Together they are one stream with two groups of attributes, which may be
    exchanged: a learner that sees the first group and the same learner on the second have the same
    expected error, and a different error in every draw. A test of significance may call one of them
    better in as many draws as its level says.

    Parameters
    ----------
    mixture : description of the stream.
    seed : seed of the draw; the first stream is ``mixture.sample(seed, n)``.
    n : number of examples; the mixture's by default.
    noise : standard deviation, >= 0, of normal noise that is added to the second group.
        With noise the second learner is worse in truth.

    The second stream has no `bayes_risk` and no `optimal`. Raises TypeError unless `mixture` is a
    DriftingMixture, and ValueError for another argument outside its range.

    >>> from repro import TESTBED
    >>> a, b = paired_streams(TESTBED["NSGT"], n=100)
    >>> bool((a.y == b.y).all()), bool((a.X == b.X).any())
    (True, False)
    """
    check_kind(mixture, DriftingMixture, name="mixture")
    noise = check_number(noise, name="noise", least=0)
    first = mixture.sample(seed, n)
    rng = seeds.generator(seed, "twin")
    X, left = np.empty_like(first.X), np.arange(len(first))
    while left.size:  # an example of another class than wanted is drawn again
        points, source = mixture.draw(left, rng)
        is_wanted = mixture.labels[source] == first.y[left]
        X[left[is_wanted]] = points[is_wanted]
        left = left[~is_wanted]
    X += rng.normal(scale=abs(noise), size=X.shape)
    return first, replace(first, X=X, bayes_risk=None, optimal=None)
