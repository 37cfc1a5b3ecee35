"""Generated streams that replace missing data sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from repro._checks import check_choice
from repro.seeds import generator
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


def stand_in(name: str, seed: int = 0) -> Stream:
    r"""A generated stream with the length, class shares and label persistence of a data set.

    For elec2 `electricity_like`; for kdd99, ozone, ozone_eighthr, covtype and covtype_labels a
    `LabelChain` with four Gaussian attributes, of transition :math:`A = s I + (1 - s) \mathbf 1
    \pi^\top`. Its labels have the shares :math:`\pi` of the classes and repeat the previous label
    as often as in the data (kdd99 and covtype have a tenth of the rows). Nothing else is similar to
    the data, so a number measured on a stand-in is a number about the method only.

    Raises ValueError for any other name.

    >>> stream = stand_in("ozone")
    >>> stream.name, len(stream), round(float((stream.y == 0).mean()), 2)
    ('ozone (stand-in)', 2536, 0.97)
    """
    check_choice(name, ["elec2", *CHAINS], name="name")
    if name == "elec2":
        return replace(electricity_like(seed), name="elec2 (stand-in)")
    n, shares, persistence = CHAINS[name]
    priors = np.array(shares) / sum(shares)
    by_chance = float((priors**2).sum())
    stay = max(0.0, (persistence - by_chance) / (1 - by_chance))
    transition = stay * np.eye(len(priors)) + (1 - stay) * priors
    means = 2.0 * generator(0, "stand-in", name).standard_normal((len(priors), 4))
    chain = LabelChain(transition.tolist(), means.tolist(), n=n, name=f"{name} (stand-in)")
    return chain.sample(seed)
