"""Two learners compared along a stream, with statements that hold at every example at once.

The theory is in `repro.statistics.confidence_sequences`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, check_choice, check_inside, shown
from repro.statistics._mixtures import log_discordant, log_mixture, squared_deviations
from repro.statistics._sequence_rules import BOUNDS, FORMS, Rules, in_units
from repro.statistics.estimates import Floats

__all__ = ["AnytimeComparison", "compare_anytime", "told_apart"]


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
        reach = width * np.minimum(self.rules.reach_along(self.squares, 2.0) / n, 2.0)
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

    The e-process against "A has at most the mean loss of B so far" is the mixture of the
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
    one = in_units(a, rules.bounds, name="loss_a")
    other = in_units(b, rules.bounds, name="loss_b")
    has_label = ~np.isnan(one - other)
    d, seen = (one - other)[has_label], np.cumsum(has_label)
    squares, total = np.append(0.0, squared_deviations(d, middle=0.0)), np.append(0.0, np.cumsum(d))
    with np.errstate(over="ignore", invalid="ignore"):  # evidence beyond all floats is infinite
        worse = [np.exp(log_mixture(sign * total, squares, 2.0)) for sign in (1.0, -1.0)]
        alone = np.exp(np.append(0.0, log_discordant(d)))
        mean = (rules.bounds[1] - rules.bounds[0]) * total / np.arange(total.size)
    is_binary = bool(np.isin(np.append(one[has_label], other[has_label]), (0, 1)).all())
    return AnytimeComparison(
        difference=mean[seen],
        a_is_worse=worse[0][seen],
        b_is_worse=worse[1][seen],
        discordant=alone[seen] if is_binary else None,
        rules=rules,
        squares=squares[seen],
        n_labels=seen,
    )


def told_apart(
    differences: Floats, at: NDArray[np.int64], confidence: float = 0.95
) -> NDArray[np.bool_]:
    """Whether `compare_anytime` tells A and B apart by these examples, if it looks at no others.

    Parameters
    ----------
    differences : loss_a - loss_b of losses from 0 to 1, shape (..., n).
    at : numbers of examples in rising order, shape (looks,), each from 1 to n.
    confidence : of the comparison.

    Returns booleans of shape (..., looks). For planning: with few looks it takes little more than
    two cumulative sums.

    Raises ValueError for differences that are not finite, for looks that do not rise from 1
    to n at most, and for a confidence outside of (0, 1).

    >>> told_apart(np.array([1.0, 1.0, 1.0, 0.0] * 50), np.array([30, 200])).tolist()
    [True, True]
    """
    differences = as_floats(differences, name="differences")
    if differences.ndim == 0 or not np.isfinite(differences).all():
        rule = "differences must hold finite numbers, of shape (..., n)"
        raise ValueError(f"{rule}; got {shown(differences)}")
    confidence = check_inside(confidence, name="confidence")
    looks = as_floats(at, name="at")
    n, is_whole = differences.shape[-1], bool((looks == np.round(looks)).all())
    if looks.ndim != 1 or not is_whole or not ((looks >= 1) & (looks <= n)).all():
        raise ValueError(f"at must hold whole numbers from 1 to {n}; got {shown(at)}")
    if not (np.diff(looks) > 0).all():
        raise ValueError(f"at must rise from look to look; got {shown(at)}")
    at = looks.astype(np.int64)
    log_bound = np.log(2 / (1 - confidence))
    with np.errstate(over="ignore", invalid="ignore"):  # sums beyond all floats
        total = np.cumsum(differences, axis=-1)
        before = (total - differences) / np.arange(1, differences.shape[-1] + 1)
        squares = np.cumsum((differences - before) ** 2, axis=-1)[..., at - 1]
        log_evidence = log_mixture(np.abs(total[..., at - 1]), squares, 2.0)
    return np.asarray(np.logical_or.accumulate(log_evidence >= log_bound, axis=-1))
