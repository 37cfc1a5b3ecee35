"""Labels in a Markov chain: the simplest stream with temporal dependence, all exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import (
    as_labels,
    as_matrix,
    check_choice,
    check_count,
    check_number,
    check_text,
    settle,
    shown,
)
from repro.streams._generator import truth_of
from repro.streams._inputs import as_points, check_previous, check_size
from repro.streams._markov import (
    best_accuracy,
    most_frequent_accuracy,
    on_line,
    power,
    stationary,
    walk,
)
from repro.streams.stream import Schema, Stream

__all__ = ["LabelChain"]

GIVEN = ("attributes", "previous label")  # the second: the attributes and the previous label
SMALLEST = 1e-150  # smallest deviation; the square of a smaller one may be 0


@dataclass(frozen=True)
class LabelChain:
    r"""A Markov chain of labels, and Gaussian attributes that depend on the label alone.

    .. math:: P(y_t = k \mid y_{t-1} = j) = A_{jk},\qquad x_t \mid y_t = k \sim N(\mu_k, \sigma^2 I)

    The chain starts in its stationary distribution :math:`\pi = \pi A`, so every example has the
    same marginal distribution: shuffled, the stream is stationary and independent. The optimal
    label given the attributes is :math:`\arg\max_k \pi_k N(x; \mu_k)`. Given the previous label *j*
    as well, it is :math:`\arg\max_k A_{jk} N(x; \mu_k)`; older examples add no information.

    Parameters
    ----------
    transition : A, (K, K), rows sum to 1; the stationary distribution must be unique.
    means : K numbers, or K points (K, d).
    sigma : standard deviation of every attribute, > 0.
    n : number of examples that `sample` draws by default.
    name : name of the stream.

    Raises TypeError for a name that is no text, ValueError for a wrong value.

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
        means = as_points(self.means)
        if len(means) != len(A):
            raise ValueError(f"means must hold one point per class, {len(A)}; got {len(means)}")
        sigma = check_number(self.sigma, name="sigma", least=SMALLEST)
        if sigma > 1 / SMALLEST:
            raise ValueError(f"sigma must be at most {1 / SMALLEST:g}; got {sigma!r}")
        settle(
            self,
            transition=tuple(tuple(row) for row in A.tolist()),
            means=tuple(tuple(row) for row in means.tolist()),
            sigma=sigma,
            n=check_count(self.n, name="n"),
            name=check_text(self.name, name="name"),
        )

    @classmethod
    def two_classes(
        cls, majority: float, no_change: float, *, distance: float = 2.0, n: int = 10_000
    ) -> LabelChain:
        """The chain of two classes whose baselines have the accuracies `majority` and `no_change`.

        Parameters
        ----------
        majority : prior of class 0, in [1/2, 1).
        no_change : probability that a label equals the previous one, in [2 * majority - 1, 1): the
            minority cannot change more often than it occurs.
        distance : between the means of the one attribute, in standard deviations.
        n : number of examples that `sample` draws by default.

        Raises ValueError for a value outside these ranges.

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
        distance = check_number(distance, name="distance")
        leave, back = (1 - no_change) / (2 * majority), (1 - no_change) / (2 * (1 - majority))
        return cls([[1 - leave, leave], [back, 1 - back]], [0.0, distance], n=n)

    @property
    def priors(self) -> NDArray[np.float64]:
        """The stationary distribution of the labels, (K,)."""
        return stationary(np.array(self.transition))

    @property
    def schema(self) -> Schema:
        """Numeric attributes; one class per row of `transition`."""
        return Schema((0,) * len(self._points[0]), len(self._points))

    @property
    def _points(self) -> tuple[tuple[float, ...], ...]:
        """The means as points, (K, d)."""
        return cast("tuple[tuple[float, ...], ...]", self.means)

    def sample(self, seed: int = 0, n: int | None = None, *, given: str = "attributes") -> Stream:
        """The stream of `n` examples with its truth; the same for the same `seed`.

        A longer stream begins with the shorter one.

        Parameters
        ----------
        seed, n : seed, and number of examples; default the `n` of the chain.
        given : what the best classifier knows, which decides `bayes_risk` and `optimal`: the
            "attributes", or the "previous label" as well (unknown for the first example).
        """
        row = len(self._points) * (len(self._points[0]) + 2) + 3
        size = check_size(self.n if n is None else n, row=row)
        check_choice(given, GIVEN, name="given")
        rngs = [seeds.generator(seed, "label chain", part) for part in ("labels", "attributes")]
        y = walk(self.priors, np.array(self.transition), rngs[0].random(size))
        means = np.array(self.means)
        X = means[y] + self.sigma * rngs[1].standard_normal((size, means.shape[1]))
        previous = y[:-1] if given == "previous label" else None
        risk, optimal = truth_of(self._log_joint(X, previous))
        truth = {"bayes_risk": risk, "optimal": optimal}
        return Stream(X, y, None, len(means), name=self.name, **truth)  # type: ignore[arg-type]

    def posterior(self, X: ArrayLike, previous: ArrayLike | None = None) -> NDArray[np.float64]:
        """P(k | x) of each row of `X` (n, d), or P(k | x, previous label); shape (n, K).

        `previous` holds the previous label of each row, (n,), or (n - 1,) if the first row has
        none. A row is nan if it is so far from all means that its density is below all floats.
        """
        X = as_matrix(X)
        with np.errstate(invalid="ignore", over="ignore"):
            joint = self._log_joint(X, previous)
            shares = np.exp(joint - joint.max(axis=0))
            return np.asarray((shares / shares.sum(axis=0)).T)

    def accuracies(self) -> dict[str, float]:
        r"""Exact accuracies of classifiers with more and more information.

        With the priors :math:`\pi`: "uniform" guesses (1/K), "random" guesses each label with its
        prior (:math:`\sum \pi_k^2`), "majority" predicts the most frequent label
        (:math:`\max \pi_k`), "no change" the previous one (:math:`\sum \pi_k A_{kk}`), "previous
        label" the best one after it (:math:`\sum_j \pi_j \max_k A_{jk}`). The last two entries,
        "attributes" and "attributes and previous label", are ``1 - bayes_error(...)``.
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
        r"""Accuracy of the no-change classifier if labels arrive `delay` = d examples late.

        .. math:: \sum_k \pi_k (A^{1 + d})_{kk}

        >>> chain = LabelChain.two_classes(majority=0.5, no_change=0.9)
        >>> [round(chain.no_change_accuracy(d), 4) for d in (0, 1, 1000)]
        [0.9, 0.82, 0.5]
        """
        steps = 1 + check_count(delay, name="delay", least=0)
        return float(self.priors @ np.diag(power(np.array(self.transition), steps)))

    def majority_accuracy(self, window: int) -> float:
        r"""Accuracy of predicting the most frequent of the last `window` labels; exact.

        .. math:: \sum_{y_1 \ldots y_w} \pi_{y_1} \prod_{t < w} A_{y_t y_{t+1}}\,
                  A_{y_w\, m(y_1 \ldots y_w)}

        over all sequences, with their most frequent label m (the lowest one in a tie). A window
        of 1 is the no-change classifier (paper 3, Proposition 9). Raises ValueError for more than a
        million sequences.

        >>> chain = LabelChain.two_classes(majority=0.6, no_change=0.9)
        >>> [round(chain.majority_accuracy(w), 4) for w in (1, 3, 9)]
        [0.9, 0.8292, 0.7137]
        """
        K = len(self.transition)
        window = check_count(window, name="window")
        if K > 1 and (window > 20 or K**window > 1_000_000):
            got = shown(window)
            raise ValueError(f"window must leave a million sequences or fewer; got {got}")
        if K == 1:
            return 1.0
        return most_frequent_accuracy(self.priors, np.array(self.transition), window)

    def bayes_error(self, given: str = "attributes") -> float:
        r"""Exact Bayes error `given` the "attributes", or the "previous label" as well.

        With weights q, the priors or a row of A, each class is the best one on an interval of the
        line through the means, so :math:`P(\text{right}) = \sum_k q_k [\Phi(b_k) - \Phi(a_k)]`.

        Raises ValueError if the means do not lie on a line. Then ``sample().bayes_risk.mean()`` is
        an estimate.
        """
        check_choice(given, GIVEN, name="given")
        means = on_line(np.array(self.means)) / self.sigma
        if given == "attributes":
            return 1 - best_accuracy(self.priors, means)
        rows = [best_accuracy(np.array(row), means) for row in self.transition]
        return float(1 - self.priors @ rows)

    def _log_joint(self, X: NDArray[np.float64], previous: ArrayLike | None) -> NDArray[np.float64]:
        """log of weight times density of each class, without a constant they share; (K, n)."""
        means, weights = np.array(self.means), self.priors[:, np.newaxis]
        if X.shape[1] != means.shape[1]:
            raise ValueError(f"X must have {means.shape[1]} columns; got {X.shape[1]}")
        if previous is not None and check_previous(previous, len(X)):
            before = as_labels(previous, n_classes=len(means), name="previous")
            transitions = np.array(self.transition)[before].T
            weights = transitions if len(before) == len(X) else np.hstack([weights, transitions])
        with np.errstate(over="ignore", divide="ignore"):  # far points; transitions of 0
            distances = ((X - means[:, np.newaxis]) ** 2).sum(axis=2)
            return np.log(weights) - distances / (2 * self.sigma**2)
