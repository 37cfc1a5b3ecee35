r"""Statements that hold at every time at once: of a mean loss, and of two learners on a stream.

A test or an interval for one sample size is wrong more often than it says if one looks at it again
and again. A *confidence sequence* covers at all times with the probability that it states, and an
*e-process* exceeds :math:`1 / \alpha` at any time with probability :math:`\alpha` at most. So one
may look after each example, stop at any of them, and go on later.

Let :math:`x_t` be a loss, or a difference of losses, with values in an interval of length c. The
target is the mean of its conditional expectations so far,

.. math:: \mu_t = \frac1t \sum_{i \le t} E(x_i \mid x_1, \ldots, x_{i-1}),

which may change with the concept and the learner. Neither independent examples nor a fixed
distribution are assumed: temporal dependence and drift change what :math:`\mu_t` is, not whether it
is covered. For every predictable guess :math:`\hat x_i` of the next value and every
:math:`\lambda \in [0, 1/c)`,

.. math:: \exp\Bigl(\lambda t (\bar x_t - \mu_t) - \psi(\lambda) V_t\Bigr),\qquad
          V_t = \sum_{i \le t} (x_i - \hat x_i)^2,\qquad
          \psi(\lambda) = \frac{-\log(1 - c \lambda) - c \lambda}{c^2},

is a supermartingale that starts at 1 (Howard, Ramdas, McAuliffe and Sekhon 2021, Annals of
Statistics 49, 1055-1080, Theorem 4). The guess is the mean of the values so far. For two learners
this is the method of Choe and Ramdas (2024), Operations Research 72, 1368-1387.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaln, gammainc, gammaln, zeta

from repro._checks import as_floats, as_number, check_choice, check_number, shown
from repro.statistics.estimates import Floats

__all__ = ["AnytimeComparison", "ConfidenceSequence", "compare_anytime", "confidence_sequence"]

FORMS = ("mixture", "stitched", "betting")
BOUNDS = (0.0, 1.0)
TIGHTEST_AT = 50.0  # sum of squares at which the mixture is tightest, in squares of c
# Of the stitched boundary, as in the paper: it grows by epochs of factor ETA.
ETA, POWER = 2.0, 1.4
GRID = 1000  # means that bets are made against
MOST_STEPS = 60  # of Newton's method; ten are usual


def confidence_sequence(
    loss: ArrayLike,
    confidence: float = 0.95,
    *,
    bounds: tuple[float, float] = BOUNDS,
    form: str = "mixture",
) -> Floats:
    r"""Interval of the mean loss so far that covers at every example at once; shape (n, 2).

    ``mixture`` and ``stitched`` cover the running mean of conditional expectations, which drift may
    change. *mixture* integrates over :math:`\lambda` with a gamma density, which is tight where
    :math:`V_t` is 50 squares of the range, after a few hundred examples of a learner that errs in a
    fifth of them. *stitched* is a closed formula, wider by a third or so,

    .. math:: \bar x_t \pm \frac1t \bigl(k_1 \sqrt{v\,\ell(v)} + k_2\,c\,\ell(v)\bigr),\qquad
              \ell(v) = 1.4 \log\log(2 v / c^2) + \log\frac{2\,\zeta(1.4)}{\alpha \log^{1.4} 2},

    with :math:`v = \max(V_t, c^2)`, :math:`k_1 = (2^{1/4} + 2^{-1/4}) / \sqrt 2` and
    :math:`k_2 = (\sqrt 2 + 1) / 2` (Howard and others 2021, Eq. 10). *betting* is tighter than
    both, and assumes **one conditional mean at all times**: with drift it can be empty or wrong. It
    is the hedged capital of Waudby-Smith and Ramdas (2024), JRSS B 86, 1-27, Theorem 3, on 1000
    means, and an interval never grows.

    Parameters
    ----------
    loss : shape (n,); nan where the label has not come: there the interval stays as it is.
    confidence : probability that all intervals cover, in (0, 1).
    bounds : least and greatest loss there can be. The promise rests on them, not on what was seen.
    form : "mixture", "stitched" or "betting".

    Raises ValueError for losses outside of `bounds`, and for other arguments out of range. Without
    a loss the interval is that of the bounds. Examples have no weights: take out what should not
    count.

    >>> interval = confidence_sequence([0.0, 1.0] * 500)
    >>> interval[[0, 99, 999]].round(2).tolist()
    [[0.0, 1.0], [0.31, 0.69], [0.45, 0.55]]
    """
    rules = Rules.of(confidence, bounds, form)
    values, seen = _unit(loss, rules.bounds, name="loss")
    low, high = _betting(values, rules) if form == "betting" else _sequence(values, rules)
    table = np.column_stack([low, high]) if low.size else np.empty((0, 2))
    whole = np.vstack([[0.0, 1.0], table])[seen]
    return np.asarray(rules.bounds[0] + whole * (rules.bounds[1] - rules.bounds[0]))


class ConfidenceSequence:
    """Online twin of `confidence_sequence`: three numbers, with bets one for each of 1000 means.

    >>> online = ConfidenceSequence()
    >>> for loss in [0.0, 1.0] * 500:
    ...     online.update(loss)
    >>> [round(bound, 2) for bound in online.interval]
    [0.45, 0.55]
    """

    def __init__(
        self,
        confidence: float = 0.95,
        *,
        bounds: tuple[float, float] = BOUNDS,
        form: str = "mixture",
    ) -> None:
        self._rules = Rules.of(confidence, bounds, form)
        self.n = 0  #: losses so far
        self._sum = self._squares = 0.0
        self._bets = _Bets(self._rules) if form == "betting" else None

    def update(self, loss: float) -> None:
        """Take in one loss; nan, a label that has not come, changes nothing."""
        if isinstance(loss, float) and np.isnan(loss):
            return
        number, (low, high) = as_number(loss, name="loss"), self._rules.bounds
        if not low <= number <= high:
            raise ValueError(f"loss must lie in [{low:g}, {high:g}]; got {shown(loss)}")
        x = (number - low) / (high - low)
        self.n += 1
        self._squares += (x - (0.5 + self._sum) / self.n) ** 2
        self._sum += x
        if self._bets is not None:
            self._bets.place(x)

    @property
    def mean(self) -> float:
        """Mean of the losses so far; nan before the first."""
        low, high = self._rules.bounds
        return low + (high - low) * self._sum / self.n if self.n else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The interval now."""
        low, high = self._rules.bounds
        if self._bets is not None:
            inside = self._bets.interval
        elif self.n:
            reach = float(self._rules.reach(np.array([self._squares]), 1.0)[0]) / self.n
            inside = max(self._sum / self.n - reach, 0.0), min(self._sum / self.n + reach, 1.0)
        else:
            inside = 0.0, 1.0
        return low + (high - low) * inside[0], low + (high - low) * inside[1]


@dataclass(frozen=True, eq=False)
class AnytimeComparison:
    """Two learners on a stream, at every example; `compare_anytime` makes it."""

    difference: Floats  #: mean of loss_a - loss_b so far, shape (n,); nan before the first label
    a_is_worse: Floats  #: e-process against "A has at most the mean loss of B so far", shape (n,)
    b_is_worse: Floats  #: the same with A and B exchanged
    #: for losses of 0 and 1, the e-process against "whoever errs alone is either with probability
    #: one half, at every example", shape (n,); else None
    discordant: Floats | None
    rules: Rules  #: confidence, bounds and form of the interval
    squares: Floats  #: :math:`V_t` in squares of the range, shape (n,)
    n_labels: Floats  #: labels so far, shape (n,)

    @property
    def evidence(self) -> Floats:
        """E-process against equal mean losses so far: the mean of the two one-sided ones."""
        return (self.a_is_worse + self.b_is_worse) / 2

    @cached_property
    def interval(self) -> Floats:
        """Interval of the mean conditional difference so far, shape (n, 2)."""
        low, high = self.rules.bounds
        n, width = np.maximum(self.n_labels, 1), high - low
        reach = width * np.minimum(self.rules.reach(self.squares, 2.0) / n, 2.0)
        mean = np.nan_to_num(self.difference)
        return np.column_stack([mean - reach, mean + reach]).clip(-width, width)

    @property
    def first(self) -> int | None:
        """The first example after which the interval leaves out 0; None if it never does."""
        if self.rules.form == "mixture":  # then one side reaches the bound of its test
            told = np.maximum(self.a_is_worse, self.b_is_worse) >= 1 / self.rules.level
        else:
            told = (self.interval[:, 0] > 0) | (self.interval[:, 1] < 0)
        return int(told.argmax()) if told.any() else None


def compare_anytime(
    loss_a: ArrayLike,
    loss_b: ArrayLike,
    confidence: float = 0.95,
    *,
    bounds: tuple[float, float] = BOUNDS,
    form: str = "mixture",
) -> AnytimeComparison:
    r"""Compare two learners along a stream, with statements that hold at every example at once.

    The e-process against "A has at most the mean loss of B so far" is the mixture of the module's
    supermartingale over :math:`\lambda` at :math:`\mu_t = 0`: if that is true, it is ever
    :math:`1/\alpha` or more with probability :math:`\alpha` at most. `first` says when the
    interval leaves out 0. For losses of 0 and 1 let :math:`n_{01}` and :math:`n_{10}` count the
    examples so far on which A alone and B alone errs. Against "equal at every example" there is

    .. math:: E_t = 2^{n_{01} + n_{10}}\,
              \frac{B(\tfrac12 + n_{01}, \tfrac12 + n_{10})}{B(\tfrac12, \tfrac12)},

    McNemar's test at any time, with a beta mixture of the odds. It is sharper, and its hypothesis
    is stronger: two learners that take turns in being better are not equal at every example.

    Nothing of this can be promised of faded or windowed losses: their target forgets, and an error
    at any time becomes certain. Compare a window at times that are fixed in advance.

    Parameters
    ----------
    loss_a, loss_b : losses of A and B on the same examples, shape (n,); nan where the label has not
        come. For the *excess* of A over the optimum let `loss_b` be ``stream.bayes_risk``.
    confidence : probability that all intervals cover, in (0, 1).
    bounds : least and greatest loss there can be.
    form : of the interval, "mixture" or "stitched", as in `confidence_sequence`.

    Raises ValueError for arrays of different length, for losses outside of `bounds`, and for other
    arguments out of range.

    >>> compared = compare_anytime([1, 1, 0, 1] * 50, [0, 0, 0, 1] * 50)
    >>> compared.first, compared.interval[-1].round(2).tolist()
    (37, [0.36, 0.64])
    """
    rules = Rules.of(confidence, bounds, check_choice(form, FORMS[:2], name="form"))
    a, b = (as_floats(v, name=n) for v, n in ((loss_a, "loss_a"), (loss_b, "loss_b")))
    if a.shape != b.shape:
        raise ValueError(f"loss_b must have the shape of loss_a, {a.shape}; got {b.shape}")
    one, _ = _unit(a, rules.bounds, name="loss_a", keep=True)
    other, _ = _unit(b, rules.bounds, name="loss_b", keep=True)
    has_label = ~np.isnan(one - other)
    d, seen = (one - other)[has_label], np.cumsum(has_label)
    squares, total = np.append(0.0, _squares(d, middle=0.0)), np.append(0.0, np.cumsum(d))
    with np.errstate(over="ignore", invalid="ignore"):  # evidence beyond all floats is infinite
        worse = [np.exp(_log_mixture(sign * total, squares, 2.0)) for sign in (1.0, -1.0)]
        mean = (rules.bounds[1] - rules.bounds[0]) * total / np.arange(total.size)
    is_binary = bool(np.isin(np.concatenate([one, other])[np.tile(has_label, 2)], (0, 1)).all())
    return AnytimeComparison(
        difference=mean[seen],
        a_is_worse=worse[0][seen],
        b_is_worse=worse[1][seen],
        discordant=np.append(1.0, _discordant(d))[seen] if is_binary else None,
        rules=rules,
        squares=squares[seen],
        n_labels=seen,
    )


# --- the rules


@dataclass(frozen=True)
class Rules:
    """What an interval promises, and of what."""

    confidence: float
    bounds: tuple[float, float]
    form: str

    @classmethod
    def of(cls, confidence: float, bounds: tuple[float, float], form: str) -> Rules:
        """The rules, checked."""
        level = check_number(confidence, name="confidence", above=0)
        if level >= 1:
            raise ValueError(f"confidence must lie between 0 and 1; got {shown(confidence)}")
        if not isinstance(bounds, tuple | list) or len(bounds) != 2:
            raise ValueError(f"bounds must be two numbers, low and high; got {shown(bounds)}")
        low, high = (check_number(bound, name="bounds") for bound in bounds)
        if not low < high:
            raise ValueError(f"bounds must be two numbers, low < high; got {shown(bounds)}")
        return cls(level, (low, high), check_choice(form, FORMS, name="form"))

    @property
    def level(self) -> float:
        """Probability that the interval is left on one of its sides."""
        return (1 - self.confidence) / 2

    def reach(self, squares: Floats, c: float) -> Floats:
        """How far the sum is from its expectation at most, on one side."""
        bound = _stitched if self.form == "stitched" else _mixture
        return bound(squares, self.level, c)


def _unit(
    loss: ArrayLike, bounds: tuple[float, float], *, name: str, keep: bool = False
) -> tuple[Floats, Floats]:
    """The losses in units of the bounds, without nan unless `keep`, and how many were seen."""
    values = as_floats(loss, name=name)
    if values.ndim != 1:
        raise ValueError(f"{name} must have shape (n,); got {values.shape}")
    low, high = bounds
    outside = (values < low) | (values > high)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(f"{name} must lie in [{low:g}, {high:g}]; got {values[at]} at index {at}")
    unit, has_label = (values - low) / (high - low), ~np.isnan(values)
    return unit if keep else unit[has_label], np.cumsum(has_label)


def _squares(x: Floats, middle: float) -> Floats:
    """Sum of squared distances from the mean of the values before, and of `middle`."""
    before = (middle + np.cumsum(x) - x) / np.arange(1, x.size + 1)
    return np.cumsum((x - before) ** 2)


def _sequence(x: Floats, rules: Rules) -> tuple[Floats, Floats]:
    n = np.arange(1, x.size + 1)
    mean, reach = np.cumsum(x) / n, rules.reach(_squares(x, middle=0.5), 1.0) / n
    return np.maximum(mean - reach, 0.0), np.minimum(mean + reach, 1.0)


def _stitched(squares: Floats, level: float, c: float) -> Floats:
    v = np.maximum(squares, c**2)
    constant = np.log(zeta(POWER) / (level * np.log(ETA) ** POWER))
    ell = POWER * np.log(np.log(ETA * v / c**2)) + constant
    k1, k2 = (ETA**0.25 + ETA**-0.25) / np.sqrt(2), (np.sqrt(ETA) + 1) / 2
    return np.asarray(k1 * np.sqrt(v * ell) + k2 * c * ell)


# --- the mixture over lambda, with a gamma density of 1 - c lambda: Howard and others, Prop. 9


def _rho(level: float) -> float:
    """The parameter with which the mixture is tightest at `TIGHTEST_AT`, in squares of c."""
    return float(TIGHTEST_AT / (2 * np.log(1 / level) + np.log(1 + 2 * np.log(1 / level))))


RHO = _rho(0.025)  # of all evidence, whatever the confidence of the interval


def _log_mixture(total: Floats, squares: Floats, c: float) -> Floats:
    """Logarithm of the mixture; -inf where it is below all floats."""
    s, v = total / c, squares / c**2
    a, x = v + RHO, np.maximum(s + v + RHO, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.log(gammainc(a, x)) - np.log(gammainc(RHO, RHO))
        powers = RHO * np.log(RHO) - a * np.log(x)
        found = powers + gammaln(a) - gammaln(RHO) + inside + s + v
    return np.where(np.isnan(found) | (x <= 0), -np.inf, found)


def _mixture(squares: Floats, level: float, c: float) -> Floats:
    """Where the mixture is 1 / level, by Newton's method from above.

    The logarithm is convex in the sum, so that each step stays on the far side of the root.
    """
    s = _stitched(squares, level, c) + 4 * c
    a = squares / c**2 + RHO
    for _ in range(MOST_STEPS):
        x = s / c + a
        above = _log_mixture(s, squares, c) + np.log(level)
        density = np.exp((a - 1) * np.log(x) - x - gammaln(a)) / gammainc(a, x)
        step = above * c / (density - a / x + 1)
        s = s - np.maximum(step, 0.0)
        if (step <= 1e-12 * s).all():
            break
    return np.asarray(s)


def _discordant(d: Floats) -> Floats:
    n01, n10 = np.cumsum(d > 0), np.cumsum(d < 0)
    log = (n01 + n10) * np.log(2) + betaln(0.5 + n01, 0.5 + n10) - betaln(0.5, 0.5)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log))


# --- bets against each of many means


class _Bets:
    """Capital of bets that the mean is higher, and lower, than each of `GRID` means."""

    def __init__(self, rules: Rules) -> None:
        self.means = (np.arange(GRID) + 0.5) / GRID
        self.up, self.down = np.zeros(GRID), np.zeros(GRID)  # logarithms
        self.wins = np.log(1 / rules.level)
        self.n, self.total, self.squares = 0, 0.5, 0.25
        self.low, self.high = 0.0, 1.0

    def place(self, x: float) -> None:
        """Bet, then see `x`."""
        self.n += 1
        variance = self.squares / self.n
        size = np.sqrt(2 * self.wins / (variance * self.n * np.log(1 + self.n)))
        self.up += np.log1p(np.minimum(size, 0.5 / self.means) * (x - self.means))
        self.down += np.log1p(-np.minimum(size, 0.5 / (1 - self.means)) * (x - self.means))
        self.total += x
        self.squares += (x - self.total / (self.n + 1)) ** 2
        refuted = self.means[self.up >= self.wins]
        if refuted.size:
            self.low = max(self.low, float(refuted[-1]))
        refuted = self.means[self.down >= self.wins]
        if refuted.size:
            self.high = min(self.high, float(refuted[0]))

    @property
    def interval(self) -> tuple[float, float]:
        """The means that no capital refutes; of contradicting bets, the middle."""
        middle = (self.low + self.high) / 2
        return (self.low, self.high) if self.low <= self.high else (middle, middle)


def _betting(x: Floats, rules: Rules) -> tuple[Floats, Floats]:
    bets, found = _Bets(rules), np.empty((x.size, 2))
    for i, value in enumerate(x.tolist()):
        bets.place(value)
        found[i] = bets.interval
    return found[:, 0], found[:, 1]
