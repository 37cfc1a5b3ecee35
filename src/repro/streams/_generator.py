"""Base class of the classic generators, and functions that several of them use."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from repro import seeds
from repro._checks import check_count, check_number, check_text, settle, shown
from repro.streams._distribution import Filled, KnownDistribution

__all__ = [
    "Filled",
    "Generator",
    "Generators",
    "blocks",
    "check_noise",
    "label_log_joint",
    "noisy",
    "relevant_columns",
    "truth_of",
]

Generators = Mapping[str, np.random.Generator]  #: of each random part, by its name


@dataclass(frozen=True, kw_only=True)
class Generator(KnownDistribution):
    """A classic generator: one density of attributes and label, and no sudden change.

    Parameters
    ----------
    n : number of examples that `sample` draws by default.
    name : name of the stream; default that of the class.
    """

    n: int = 10_000
    name: str = ""

    PARTS: ClassVar[tuple[str, ...]]  #: random parts of an example; each has its own rng
    ROWS: ClassVar[int] = 10_000  #: rows drawn at once: larger arrays cause page faults

    def __post_init__(self) -> None:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        # Products of counts can overflow a small type such as int8.
        settle(self, **{k: v.item() for k, v in values.items() if isinstance(v, np.integer)})
        n = check_count(self.n, name="n")
        settle(self, n=n, name=check_text(self.name, name="name") or type(self).__name__)

    @property
    @abstractmethod
    def exact_error(self) -> float | None:
        """Bayes error, the same at all times; None if there is no exact value."""

    @abstractmethod
    def fill(self, X: NDArray[np.float64], t: NDArray[np.float64], rngs: Generators) -> Filled:
        """Draw the rows of `X` (m, d) for the times `t` (m,), and label them."""

    @abstractmethod
    def log_joint(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """log p(x, k) of the rows of `X` (m, d) at the times `t` (m,) or (1,); shape (K, m)."""

    @property
    def _sudden_changes(self) -> tuple[int, ...]:
        """None."""
        return ()

    def _draw_rows(self, X: NDArray[np.float64], seed: int) -> Iterator[tuple[slice, Filled]]:
        """Draw the rows of `X` (n, d); each random part has its own rng, also in longer streams."""
        rngs = {part: seeds.generator(seed, type(self).__name__, part) for part in self.PARTS}
        for block in blocks(len(X), self.ROWS):
            t = np.arange(block.start, block.stop, dtype=np.float64)
            yield block, self.fill(X[block], t, rngs)

    def _shares(self, X: NDArray[np.float64], t: NDArray[np.float64]) -> NDArray[np.float64]:
        """Posterior of the rows of `X` (m, d); shape (K, m)."""
        log_joint = self.log_joint(X, t)
        joint = np.exp(log_joint - log_joint.max(axis=0))
        return joint / joint.sum(axis=0)

    def _error_at(self, t: float) -> float | None:
        """`exact_error`."""
        return self.exact_error

    def _risks(self, t: float, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Bayes risk (n,) of each of `n` examples, drawn in blocks."""
        rngs, risk = dict.fromkeys(self.PARTS, rng), np.empty(n)
        for block in blocks(n, self.ROWS):
            X = np.empty((block.stop - block.start, self.schema.n_features))
            risk[block] = self.fill(X, np.full(len(X), t), rngs).bayes_risk
        return risk


def blocks(n: int, rows: int) -> Iterator[slice]:
    """Slices of `rows` indices, the last one shorter, that cover 0..n-1."""
    for start in range(0, n, rows):
        yield slice(start, min(start + rows, n))


def truth_of(log_joint: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Risk of the best label and the best label itself, both (m,), from log p(x, k) of (K, m)."""
    best, peak = np.zeros(log_joint.shape[1], np.int64), log_joint[0]
    for k, row in enumerate(log_joint[1:], start=1):  # ten times as fast as argmax
        np.putmask(best, row > peak, k)
        peak = np.maximum(row, peak)
    others = np.zeros(len(peak))  # relative to the best one; 1 - max would lose digits
    for k, row in enumerate(log_joint):
        others += np.exp(row - peak) * (best != k)
    return others / (1 + others), best


def check_noise(noise: float, n_classes: int = 2) -> float:
    """Return `noise` if it is at most 1 - 1/K, so that the clean label is optimal."""
    most = 1 - 1 / n_classes
    if check_number(noise, name="noise", least=0) > most:
        raise ValueError(f"noise must lie in [0, {most:.3g}]; got {shown(noise)}")
    return float(noise)


def noisy(
    labels: NDArray[np.int64] | NDArray[np.bool_],
    noise: float,
    n_classes: int,
    rng: np.random.Generator,
) -> NDArray[np.int64] | NDArray[np.bool_]:
    """`labels`, each replaced with probability `noise` by one of the others, equally likely."""
    u = rng.random(labels.size)
    if n_classes == 2:
        return labels ^ (u < noise)
    wrong = u < noise
    other = np.floor(u[wrong] * ((n_classes - 1) / noise)).astype(np.int64)
    replaced = labels.astype(np.int64)
    replaced[wrong] += 1 + np.minimum(other, n_classes - 2)
    return replaced % n_classes


def label_log_joint(
    labels: NDArray[np.int64] | NDArray[np.bool_],
    noise: float,
    n_classes: int,
    log_density: NDArray[np.float64],
) -> NDArray[np.float64]:
    """log p(x, k), (K, m), if `noisy` replaces the clean `labels` (m,)."""
    clean = np.asarray(labels, dtype=np.int64) == np.arange(n_classes)[:, np.newaxis]
    with np.errstate(divide="ignore"):  # log 0 is right without noise
        return np.log(np.where(clean, 1 - noise, noise / (n_classes - 1))) + log_density


def relevant_columns(
    n_relevant: int, n_irrelevant: int, drifting: int, model_seed: int
) -> NDArray[np.int64]:
    """Column of each relevant attribute, (n_relevant,), after `drifting` of them have moved.

    Before, they are in the columns 0..n_relevant-1. The drifting attributes are chosen at random.
    They change places with as many irrelevant ones or, if there are too few, also with each other;
    all of them move.
    """
    if check_count(drifting, name="drifting", least=0) > n_relevant:
        raise ValueError(f"drifting must be at most {n_relevant}; got {drifting}")
    columns = np.arange(n_relevant)
    if drifting == 0:
        return columns
    if drifting + n_irrelevant < 2:
        raise ValueError("drifting must be 0 or at least 2 without irrelevant attributes; got 1")
    rng = seeds.generator(model_seed, "places")
    moving = rng.permutation(n_relevant)[:drifting]
    swapped = n_relevant + rng.permutation(n_irrelevant)[:drifting]
    # Rolled by the number of irrelevant columns, so that every drifting attribute moves.
    columns[moving] = np.roll(np.append(moving, swapped), -max(swapped.size, 1))[:drifting]
    return columns
