"""Labels that depend on the label before, in the simplest form: everything about it is exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from repro import seeds
from repro._checks import (
    as_labels,
    as_matrix,
    check_choice,
    check_count,
    check_number,
    has_masked,
    shown,
)
from repro.streams._generator import truth_of
from repro.streams._inputs import check_size, check_text
from repro.streams.stream import Stream

__all__ = ["LabelChain"]

# What a classifier may look at: the attributes alone, or the previous label as well.
GIVEN = ("attributes", "previous label")
FEW = 1_000  # steps after which the rows of a power have the sum 1 to ten digits and more
SMALLEST = 1e-150  # deviation whose square is no 0


@dataclass(frozen=True)
class LabelChain:
    r"""A Markov chain of labels, and Gaussian attributes that depend on the label alone.

    .. math:: P(y_t = k \mid y_{t-1} = j) = A_{jk},\qquad x_t \mid y_t = k \sim N(\mu_k, \sigma^2 I)

    The chain starts in its stationary distribution :math:`\pi = \pi A`, so every example has the
    same marginal distribution: shuffled, the stream is an ordinary stationary one. The optimum of
    an ordinary classifier is :math:`\arg\max_k \pi_k N(x; \mu_k)`. Where the label before, *j*, is
    known, it is :math:`\arg\max_k A_{jk} N(x; \mu_k)`; older labels and attributes add nothing.

    Parameters
    ----------
    transition : A, (K, K), rows sum to 1; no part of the chain may be cut off from the others.
    means : K numbers, or K points (K, d).
    sigma : standard deviation of every attribute, > 0.
    n : examples that `sample` draws unless told otherwise.

    Raises ValueError that names the argument, the rule and the value received.

    Žliobaitė, Bifet, Read, Pfahringer and Holmes (2015), Evaluation methods and decision theory for
    classification of streaming data with temporal dependence.

    >>> chain = LabelChain([[0.9, 0.1], [0.3, 0.7]], means=[0.0, 2.0])
    >>> chain.priors.round(4).tolist()
    [0.75, 0.25]
    >>> {name: round(p, 4) for name, p in chain.accuracies().items()}
    {'uniform': 0.5, 'random': 0.625, 'majority': 0.75, 'no change': 0.85, 'previous label': 0.85,
     'attributes': 0.873, 'attributes and previous label': 0.9128}
    """

    transition: Sequence[Sequence[float]]
    means: Sequence[float] | Sequence[Sequence[float]]
    sigma: float = 1.0
    n: int = 10_000
    name: str = "label chain"

    def __post_init__(self) -> None:
        A = as_matrix(self.transition, name="transition")
        if A.shape[0] != A.shape[1] or (A < 0).any() or not np.allclose(A.sum(axis=1), 1):
            got = shown(A.tolist())
            raise ValueError(f"transition must be square, its rows shares that sum to 1; got {got}")
        if np.linalg.matrix_rank(A.T - np.eye(len(A)), tol=1e-9) < len(A) - 1:
            got = shown(A.tolist())
            raise ValueError(
                f"transition must have one stationary distribution; got several: {got}"
            )
        means = _as_points(self.means)
        if len(means) != len(A):
            raise ValueError(f"means must hold one point per class, {len(A)}; got {len(means)}")
        self._set("transition", tuple(tuple(row) for row in A.tolist()))
        self._set("means", tuple(tuple(row) for row in means.tolist()))
        self._set("sigma", check_number(self.sigma, name="sigma", least=SMALLEST))
        if self.sigma > 1 / SMALLEST:
            raise ValueError(f"sigma must be at most {1 / SMALLEST:g}; got {self.sigma!r}")
        self._set("n", check_count(self.n, name="n"))
        check_text(self.name)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def two_classes(
        cls, majority: float, no_change: float, *, distance: float = 2.0, n: int = 10_000
    ) -> LabelChain:
        """The chain of two classes whose baselines have the accuracies `majority` and `no_change`.

        Class 0 is the majority; the means are `distance` standard deviations apart, in one
        attribute. Raises ValueError unless 1/2 <= majority < 1 and no_change lies in
        [2 * majority - 1, 1): a rarer class cannot change more often than it occurs.

        >>> chain = LabelChain.two_classes(majority=0.5755, no_change=0.8533)  # as in Elec2
        >>> round(chain.accuracies()["no change"], 4)
        0.8533
        """
        majority = check_number(majority, name="majority")
        no_change = check_number(no_change, name="no_change")
        if not 0.5 <= majority < 1:
            raise ValueError(f"majority must lie in [0.5, 1); got {majority!r}")
        least = 2 * majority - 1
        if not least <= no_change < 1:
            raise ValueError(f"no_change must lie in [{least:.4g}, 1); got {no_change!r}")
        check_number(distance, name="distance")
        leave, back = (1 - no_change) / (2 * majority), (1 - no_change) / (2 * (1 - majority))
        return cls([[1 - leave, leave], [back, 1 - back]], [0.0, distance], n=n)

    @property
    def priors(self) -> NDArray[np.float64]:
        """The stationary distribution of the labels, (K,)."""
        A = np.array(self.transition)
        equations = np.vstack([A.T - np.eye(len(A)), np.ones(len(A))])
        pi = np.linalg.lstsq(equations, np.append(np.zeros(len(A)), 1.0), rcond=None)[0]
        return np.maximum(pi, 0) / np.maximum(pi, 0).sum()

    def sample(self, seed: int = 0, n: int | None = None, *, given: str = "attributes") -> Stream:
        """A stream of `n` examples, with the truth for a classifier that is `given` so much.

        `given` is "attributes", or "previous label": then `bayes_risk` and `optimal` are those of a
        classifier that knows the label before as well (for the first example the priors alone). X
        and y are the same, and a longer stream begins with the shorter.
        """
        row = len(self.means) * (len(self.means[0]) + 2) + 3  # type: ignore[arg-type]
        size = check_size(self.n if n is None else n, row=row)
        check_choice(given, GIVEN, name="given")
        rngs = [seeds.generator(seed, "label chain", part) for part in ("labels", "attributes")]
        y = self._walk(rngs[0].random(size))
        means = np.array(self.means)
        X = means[y] + self.sigma * rngs[1].standard_normal((size, means.shape[1]))
        previous = y[:-1] if given == "previous label" else None
        risk, optimal = truth_of(self._log_joint(X, previous))
        return Stream(
            X, y, None, len(means), bayes_risk=risk, optimal=optimal, name=self.name
        )  # fmt: skip

    def posterior(self, X: ArrayLike, previous: ArrayLike | None = None) -> NDArray[np.float64]:
        """P(k | x) of each row of `X` (n, d), or P(k | x, label before); shape (n, K).

        `previous` holds the labels before, (n,), or (n - 1,) when the first row has none. nan in a
        row so far from all means that the density is below all floats.
        """
        X = as_matrix(X)
        with np.errstate(invalid="ignore", over="ignore"):
            joint = self._log_joint(X, previous)
            shares = np.exp(joint - joint.max(axis=0))
            return np.asarray((shares / shares.sum(axis=0)).T)

    def accuracies(self) -> dict[str, float]:
        r"""Exact accuracies, from knowing nothing to knowing all there is to know.

        With the priors :math:`\pi`: "uniform" guesses 1/K, "random" :math:`\sum \pi_k^2` guesses as
        often as labels occur, "majority" :math:`\max \pi_k`, "no change"
        :math:`\sum \pi_k A_{kk}`, "previous label" :math:`\sum_j \pi_j \max_k A_{jk}`; the last two
        are ``1 - bayes_error(...)``. Running estimates of the priors come close to it in time.
        """
        pi, A = self.priors, np.array(self.transition)
        return {
            "uniform": 1 / len(pi),
            "random": float((pi**2).sum()),
            "majority": float(pi.max()),
            "no change": self.no_change_accuracy(),
            "previous label": float(pi @ A.max(axis=1)),
            "attributes": 1 - self.bayes_error(),
            "attributes and previous label": 1 - self.bayes_error("previous label"),
        }

    def no_change_accuracy(self, delay: int = 0) -> float:
        r""":math:`\sum_k \pi_k (A^{1 + d})_{kk}`: labels known `delay` = d examples late.

        >>> chain = LabelChain.two_classes(majority=0.5, no_change=0.9)
        >>> [round(chain.no_change_accuracy(d), 4) for d in (0, 1, 1000)]
        [0.9, 0.82, 0.5]
        """
        steps = 1 + check_count(delay, name="delay", least=0)
        if steps <= FEW:
            power = np.linalg.matrix_power(np.array(self.transition), steps)
        else:
            power = _power(np.array(self.transition), steps)
        return float(self.priors @ np.diag(power))

    def majority_accuracy(self, window: int) -> float:
        r"""Accuracy of predicting the most frequent of the last `window` labels; exact.

        .. math:: \sum_{y_1 \ldots y_w} \pi_{y_1} \prod_{t < w} A_{y_t y_{t+1}}\,
                  A_{y_w\, m(y_1 \ldots y_w)}

        over all sequences, with their most frequent label m (the lowest of equals). A window of 1
        is the no-change classifier (paper 3, Proposition 9). Raises ValueError for more than a
        million sequences.

        >>> chain = LabelChain.two_classes(majority=0.6, no_change=0.9)
        >>> [round(chain.majority_accuracy(w), 4) for w in (1, 3, 9)]
        [0.9, 0.8292, 0.7137]
        """
        K, A = len(self.transition), np.array(self.transition)
        check_count(window, name="window")
        if K > 1 and (window > 20 or K**window > 1_000_000):
            got = shown(window)
            raise ValueError(f"window must leave a million sequences or fewer; got {got}")
        if K == 1:
            return 1.0
        sequences = np.indices((K,) * window).reshape(window, -1)
        weights = self.priors[sequences[0]] * A[sequences[:-1], sequences[1:]].prod(axis=0)
        counts = (sequences == np.arange(K)[:, np.newaxis, np.newaxis]).sum(axis=1)
        return float(weights @ A[sequences[-1], counts.argmax(axis=0)])

    def bayes_error(self, given: str = "attributes") -> float:
        r"""Lowest attainable error of a classifier that is `given` so much (see `sample`), exact.

        For weights q, the priors or a row of A, each class is the best one on an interval of the
        line through the means, :math:`P(\text{right}) = \sum_k q_k [\Phi(b_k) - \Phi(a_k)]`.

        Raises ValueError where the means are not on a line; ``sample().bayes_risk.mean()`` is an
        estimate there.
        """
        check_choice(given, GIVEN, name="given")
        places = self._locations()
        if given == "attributes":
            return 1 - _accuracy(self.priors, places)
        rows = [_accuracy(np.array(row), places) for row in self.transition]
        return float(1 - self.priors @ rows)

    def _locations(self) -> NDArray[np.float64]:
        """Positions of the means along their line, in standard deviations, (K,)."""
        centred = np.array(self.means) - np.mean(self.means, axis=0)
        _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
        if (sizes[1:] > 1e-9 * max(sizes[0], 1e-300)).any():
            raise ValueError(f"means must lie on a line for an exact error; got {self.means}")
        return np.asarray(centred @ directions[0] / self.sigma)

    def _walk(self, u: NDArray[np.float64]) -> NDArray[np.int64]:
        """The chain from its stationary distribution, by inversion of one uniform number each."""
        last = len(self.transition) - 1
        rows = [np.cumsum(row).searchsorted(u, side="right") for row in self.transition]
        nexts = np.minimum(np.column_stack(rows), last).tolist()
        label = min(int(np.cumsum(self.priors).searchsorted(u[0], side="right")), last)
        labels = [label]
        for options in nexts[1:]:
            label = options[label]
            labels.append(label)
        return np.array(labels, dtype=np.int64)

    def _log_joint(self, X: NDArray[np.float64], previous: ArrayLike | None) -> NDArray[np.float64]:
        """log of the weight and density of each class, up to the same constant for all; (K, n)."""
        means, weights = np.array(self.means), self.priors[:, np.newaxis]
        if X.shape[1] != means.shape[1]:
            raise ValueError(f"X must have {means.shape[1]} columns; got {X.shape[1]}")
        if previous is not None:
            size = _length(previous)
            if size not in (len(X), len(X) - 1):
                got = size if size >= 0 else shown(previous)
                raise ValueError(f"previous must hold {len(X)} labels, or one less; got {got}")
        if previous is not None and size:
            before = as_labels(previous, n_classes=len(means), name="previous")
            known = np.array(self.transition)[before].T
            weights = known if len(before) == len(X) else np.hstack([weights, known])
        with np.errstate(over="ignore", divide="ignore"):  # far away; a label that cannot follow
            distances = ((X - means[:, np.newaxis]) ** 2).sum(axis=2)
            return np.log(weights) - distances / (2 * self.sigma**2)


def _as_points(means: Any) -> NDArray[np.float64]:
    """`means` as points (K, d), of d = 1 where they are numbers."""
    if has_masked(means):
        raise ValueError(f"means must hold no masked values; got {shown(means)}")
    try:
        single = np.ndim(means) == 1
    except ValueError:  # lists of several lengths
        single = False
    return as_matrix([[mean] for mean in means] if single else means, name="means")


def _length(values: Any) -> int:
    """Number of `values`, -1 where they are not a plain list."""
    try:
        return int(np.shape(values)[0]) if np.ndim(values) == 1 else -1
    except ValueError:
        return -1


def _power(A: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """`A` to the power of `steps`; the rows keep the sum 1, which rounding would take from them."""
    power = np.eye(len(A))
    while steps:
        if steps % 2:
            power = power @ A
            power /= power.sum(axis=1, keepdims=True)
        A = A @ A
        A /= A.sum(axis=1, keepdims=True)
        steps //= 2
    return power


def _accuracy(weights: NDArray[np.float64], places: NDArray[np.float64]) -> float:
    """Share of right decisions for unit Gaussians at `places` with `weights`, both (K,)."""
    classes = [k for k in range(len(weights)) if weights[k] > 0]
    right = 0.0
    for k in classes:
        low, high = -np.inf, np.inf
        for j in classes:
            gap, ratio = places[k] - places[j], np.log(weights[j] / weights[k])
            if gap:  # the classes are equally likely at this point
                bound = (places[k] + places[j]) / 2 + ratio / gap
                low, high = (max(low, bound), high) if gap > 0 else (low, min(high, bound))
            elif ratio > 0 or (ratio == 0 and j < k):
                high = -np.inf  # the same place as a likelier class
        right += weights[k] * max(0.0, ndtr(high - places[k]) - ndtr(low - places[k]))
    return float(right)
