"""How severe the change of a drifting mixture between two times is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from repro._checks import check_kind, check_number, check_rng
from repro.streams._inputs import check_size
from repro.streams.mixture import DriftingMixture

__all__ = ["Severity", "severity"]


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
    check_number(before, name="before", least=0)
    check_number(after, name="after", least=0)
    check_rng(rng)
    check_size(n, row=mixture.n_features + 3)
    X, _ = mixture.draw(np.full(n, float(after)), rng)
    labels = [mixture.posterior(X, t).argmax(axis=1) for t in (before, after)]
    share = float((labels[0] != labels[1]).mean())
    return Severity(share, float(np.sqrt(share * (1 - share) / n)))
