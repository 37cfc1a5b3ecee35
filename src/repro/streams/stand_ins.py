"""Generated streams that replace missing data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from repro._checks import check_choice
from repro.seeds import generator
from repro.streams.compose import sudden
from repro.streams.electricity import electricity_like
from repro.streams.label_chain import LabelChain
from repro.streams.stream import Stream

__all__ = ["stand_in"]

# Rows, shares of the classes, and share of labels that equal the previous one, as in the data set.
# KDD99 has a tenth of its rows and its seven largest classes, Covertype a tenth of its rows.
CHAINS = {
    "kdd99": (49_402, (0.5684, 0.2170, 0.1970, 0.0045, 0.0032, 0.0025, 0.0074), 0.9989),
    "ozone": (2_536, (0.9712, 0.0288), 0.9441),
    "ozone_eighthr": (2_534, (0.9369, 0.0631), 0.8818),
    "covtype": (58_101, (0.4876, 0.3646, 0.0615, 0.0047, 0.0163, 0.0299, 0.0354), 0.9506),
}
CHAINS["covtype_labels"] = CHAINS["covtype"]

# The same, then the number of attributes and the distance between the means of the two classes.
DRIFTING = {
    "chess": (503, (0.3936, 0.6064), 0.5657, 8, 1.3),
    "luxembourg": (1_901, (0.5139, 0.4861), 0.4811, 31, 2.0),
}


def stand_in(name: str, seed: int = 0) -> Stream:
    r"""A generated stream with the length, class shares and label persistence of a data set.

    For elec2 `electricity_like`; for kdd99, ozone, ozone_eighthr, covtype and covtype_labels a
    `LabelChain` with four Gaussian attributes, of transition :math:`A = s I + (1 - s) \mathbf 1
    \pi^\top`. Its labels have the shares :math:`\pi` of the classes and repeat the previous label
    as often as in the data (kdd99 and covtype have a tenth of the rows). For chess and luxembourg
    two such chains, with as many attributes as the data, and a sudden drift in the middle: there
    the line between the means of the two classes takes another direction. Nothing else is similar
    to the data, so a number measured on a stand-in is a number about the method only.

    Raises ValueError for any other name.

    >>> stream = stand_in("ozone")
    >>> stream.name, len(stream), round(float((stream.y == 0).mean()), 2)
    ('ozone (stand-in)', 2536, 0.97)
    """
    check_choice(name, ["elec2", *CHAINS, *DRIFTING], name="name")
    if name == "elec2":
        return replace(electricity_like(seed), name="elec2 (stand-in)")
    if name in DRIFTING:
        return _drifting(name, seed)
    n, shares, persistence = CHAINS[name]
    means = 2.0 * generator(0, "stand-in", name).standard_normal((len(shares), 4))
    transition = _transition(shares, persistence, least=0.0)
    chain = LabelChain(transition, means.tolist(), n=n, name=f"{name} (stand-in)")
    return chain.sample(seed)


def _transition(shares: Sequence[float], persistence: float, least: float) -> list[list[float]]:
    """The matrix A for these shares and persistence, with s at least `least`."""
    priors = np.array(shares) / sum(shares)
    by_chance = float((priors**2).sum())
    stay = max(least, (persistence - by_chance) / (1 - by_chance))
    return (stay * np.eye(len(priors)) + (1 - stay) * priors).tolist()


def _drifting(name: str, seed: int) -> Stream:
    n, shares, persistence, n_features, distance = DRIFTING[name]
    transition = _transition(shares, persistence, least=-1.0)  # luxembourg's labels alternate
    directions = generator(0, "stand-in", name).standard_normal((2, n_features))
    units = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    before, after = (
        LabelChain(transition, [[0.0] * n_features, (distance * unit).tolist()], n=n)
        for unit in units
    )
    return replace(sudden(before, after, n // 2, n=n).sample(seed), name=f"{name} (stand-in)")
