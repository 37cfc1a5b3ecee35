"""Two draws of the attributes of one stream: two learners that are equal in truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from repro import seeds
from repro._checks import check_kind, check_number
from repro.streams.mixture import DriftingMixture
from repro.streams.stream import Stream

__all__ = ["paired_streams"]


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
    check_number(noise, name="noise", least=0)
    first = mixture.sample(seed, n)
    rng = seeds.generator(seed, "twin")
    X, left = np.empty_like(first.X), np.arange(len(first))
    while left.size:  # an example of another class than wanted is drawn again
        points, source = mixture.draw(left, rng)
        is_wanted = mixture.labels[source] == first.y[left]
        X[left[is_wanted]] = points[is_wanted]
        left = left[~is_wanted]
    X += rng.normal(scale=noise, size=X.shape)
    return first, replace(first, X=X, bayes_risk=None, optimal=None)
