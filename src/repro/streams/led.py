"""LED: digits on a seven-segment display with noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_count, check_probability, settle
from repro.streams._distribution import Filled
from repro.streams._generator import Generator, Generators, relevant_columns, truth_of
from repro.streams._inputs import check_size
from repro.streams.stream import Schema

__all__ = ["LED"]

# Segments of the digits 0..9 in the order of the book: top, upper left, upper right, middle,
# lower left, lower right, bottom.
SEGMENTS = np.array(
    [
        [int(segment) for segment in digit]
        for digit in [
            "1110111",
            "0010010",
            "1011101",
            "1011011",
            "0111010",
            "1101011",
            "1101111",
            "1010010",
            "1111111",
            "1111011",
        ]
    ],
    dtype=bool,
)
DISPLAYS = np.unpackbits(np.arange(128, dtype=np.uint8)[:, np.newaxis], axis=1)[:, 1:].astype(bool)


@dataclass(frozen=True)
class LED(Generator):
    r"""Ten equally likely digits on a display of seven segments (Breiman et al. 1984).

    Each segment is inverted with probability `noise`, independently of the others:

    .. math:: P(x \mid k) = \prod_{j=1}^{7}
              \text{noise}^{[x_j \ne s_{kj}]} (1 - \text{noise})^{[x_j = s_{kj}]}

    for the segments :math:`s_k` of digit *k*. The irrelevant attributes are 0 or 1 with equal
    probability. All attributes are nominal; labels are the digits. The truth is computed from all
    128 displays: the Bayes error is 0.26 at `noise` 0.1. In a tie `optimal` is the lowest digit.
    The posterior of a row with a value other than 0 and 1 is nan.

    Parameters
    ----------
    noise : in [0, 1].
    drifting : number of segments that have changed places with irrelevant attributes (with each
        other if there are too few), chosen by `model_seed`. Use it in the concept after a drift.
    n_irrelevant : number of irrelevant attributes; 0 leaves the seven segments.
    model_seed : see `drifting`.

    Raises TypeError for a name that is no text, ValueError for a wrong value.

    >>> LED(noise=0.1).bayes_error().error.round(4).tolist()
    [0.26]
    """

    noise: float = 0.1
    drifting: int = 0
    n_irrelevant: int = 17
    model_seed: int = 1

    PARTS: ClassVar = ("digits", "noise", "irrelevant")

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, noise=check_probability(self.noise, name="noise"))
        check_size(self.n_irrelevant, row=self.ROWS, name="n_irrelevant", least=0)
        check_count(self.model_seed, name="model_seed", least=0)
        relevant_columns(7, self.n_irrelevant, self.drifting, self.model_seed)

    @property
    def schema(self) -> Schema:
        """Binary nominal attributes, ten classes."""
        return Schema((2,) * (7 + self.n_irrelevant), 10)

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """Columns of the seven segments; shape (7,)."""
        return relevant_columns(7, self.n_irrelevant, self.drifting, self.model_seed)

    @property
    def exact_error(self) -> float:
        """Probability of all digits but the most probable one, summed over the 128 displays."""
        joint = np.exp(self._log_joints)
        return float((joint.sum(axis=0) - joint.max(axis=0)).sum())

    @cached_property
    def _log_joints(self) -> NDArray[np.float64]:
        """log P(digit, display), shape (10, 128)."""
        inverted = (SEGMENTS[:, np.newaxis] != DISPLAYS).sum(axis=2)
        with np.errstate(divide="ignore"):  # log 0 is right where noise is 0 or 1
            return np.log(self.noise**inverted * (1 - self.noise) ** (7 - inverted) / 10)

    @cached_property
    def _truth(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        with np.errstate(invalid="ignore"):  # displays of probability 0
            return truth_of(self._log_joints)

    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        digits = rngs["digits"].integers(0, 10, len(X))
        shown = SEGMENTS[digits] ^ (rngs["noise"].random((len(X), 7)) < self.noise)
        X[:] = rngs["irrelevant"].integers(0, 2, X.shape, dtype=bool)
        X[:, self.columns] = shown
        code = _code(shown)
        risk, optimal = self._truth
        return Filled(digits, risk[code], optimal[code])

    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        code = _code(X[:, self.columns] == 1)
        coded = ((X == 0) | (X == 1)).all(axis=1)
        log_density = np.where(coded, -self.n_irrelevant * np.log(2), -np.inf)
        return self._log_joints[:, code] + log_density


def _code(shown: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Number of the display in `DISPLAYS`, from its segments (n, 7)."""
    return np.packbits(shown, axis=1)[:, 0] >> np.uint8(1)
