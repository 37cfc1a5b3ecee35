"""SEA concepts: three attributes and a threshold on the sum of the first two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_number, settle
from repro.streams._distribution import Filled
from repro.streams._generator import (
    Generator,
    Generators,
    check_noise,
    label_log_joint,
    noisy,
)
from repro.streams.stream import Schema

__all__ = ["SEA", "SEA_THRESHOLDS"]

SEA_THRESHOLDS = (8.0, 9.0, 7.0, 9.5)  #: of the four concepts, in the order of the paper
SIDE = 10.0


@dataclass(frozen=True)
class SEA(Generator):
    r"""One SEA concept (Street and Kim 2001).

    .. math:: x \sim U[0, 10)^3, \quad y = [x_0 + x_1 \le \text{threshold}]

    and then the label is inverted with probability `noise`, which is the Bayes error. The share
    of label 1, before noise, is :math:`\theta^2/200` up to a threshold :math:`\theta` of 10. The
    paper has 15 000 examples of each of the thresholds `SEA_THRESHOLDS`, and noise 0.1.

    Raises TypeError for a name that is no text, ValueError for noise outside [0, 0.5] or a
    threshold that is no finite number.

    >>> SEA(threshold=9, n=1000).sample(seed=1)
    Stream('SEA', n=1000, n_features=3, n_classes=2)
    >>> SEA().posterior([[1.0, 2.0, 9.0]]).round(3).tolist()
    [[0.1, 0.9]]
    """

    threshold: float = 8.0
    noise: float = 0.1

    PARTS: ClassVar = ("attributes", "noise")

    def __post_init__(self) -> None:
        super().__post_init__()
        threshold = check_number(self.threshold, name="threshold")
        settle(self, threshold=threshold, noise=check_noise(self.noise))

    @property
    def schema(self) -> Schema:
        """Three numeric attributes, two classes."""
        return Schema((0, 0, 0), 2)

    @property
    def exact_error(self) -> float:
        """The noise."""
        return self.noise

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        rngs["attributes"].random(out=X)
        X *= SIDE
        clean = self._label(X)
        return Filled(noisy(clean, self.noise, 2, rngs["noise"]), self.noise, clean)

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        inside = ((X >= 0) & (X < SIDE)).all(axis=1)
        log_density = np.where(inside, -3 * np.log(SIDE), -np.inf)
        return label_log_joint(self._label(X), self.noise, 2, log_density)

    def _label(self, X: NDArray[np.float64]) -> NDArray[np.bool_]:
        return X[:, 0] + X[:, 1] <= self.threshold
