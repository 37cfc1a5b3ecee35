r"""Is one learner better than another? Tests for repeated runs on one stream.

Permutations of one stream share its examples, so their results depend on each other: their spread
says how much the *order* matters, and nothing about another stream of the same kind. The tests
below ask about such fresh streams: the hypothesis is that both learners have the same expected
error there. Each takes `differences` of shape (R, B), the error of one learner minus that of
another, by repeat and by block of the *original* order (see `block_errors`, and
`repro.repeated_errors`), and returns a `DifferenceTest`.

Which test may be used, measured on fresh streams in notebook 05 with about ten blocks:

- `crossed_test` on `interleaved_parts` kept its level in all cases, also for dependent examples and
  learners with a long memory. It speaks of streams as short as the parts.
- `paired_test` on `interleaved_parts` has more power, and needs independent examples.
- `block_test`, on one run or on permutations, needs learners that forget within a block: naive
  Bayes does; a tree that still grows and a learner that restarts at alarms do not.
- `paired_test` on permutations must not be used, unless the learners differ by nothing but their
  random numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from repro._checks import MOST_STEPS, as_losses, as_matrix, as_positions, check_count
from repro._rounding import without_rounding

__all__ = ["DifferenceTest", "block_errors", "block_test", "crossed_test", "paired_test"]

LARGEST = 1e60  # difference whose fourth power does not overflow


class DifferenceTest(NamedTuple):
    """A mean difference, its standard error, and Student's two-sided test of 0.

    `p_value` is nan where the standard error is 0.
    """

    difference: float
    standard_error: float
    df: float
    p_value: float


def block_errors(
    loss: ArrayLike, order: ArrayLike, blocks: int = 20, n: int | None = None
) -> NDArray[np.float64]:
    r"""Return the mean loss of one run in `blocks` stretches of the original order.

    Stretch b holds the original positions i with :math:`b = \lfloor i B / n \rfloor`: lengths
    differ by at most one.

    Parameters
    ----------
    loss : loss of each example in the order of the run; shape (m,).
    order : original position of each example of the run, each at most once; shape (m,).
        ``range(m)`` for a run in the original order.
    blocks : number of stretches, B.
    n : number of examples of the original stream; by default m, for a run with all of them.

    The result has shape (B,). Raises ValueError for losses that are not finite, for an invalid
    order, and where a stretch has no example.

    >>> block_errors([1, 1, 0, 0], order=[3, 2, 1, 0], blocks=2).tolist()
    [0.0, 1.0]
    """
    values = as_losses(loss)
    size = values.size if n is None else check_count(n, name="n", most=MOST_STEPS)
    blocks = check_count(blocks, name="blocks", most=size)
    positions = as_positions(order, size, name="order")
    if positions.size != values.size:
        rule = f"order must have one position per loss, {values.size}"
        raise ValueError(f"{rule}; got {positions.size}")
    block = positions * blocks // size
    counts = np.bincount(block, minlength=blocks)
    if not counts.all():
        empty = int(counts.argmin())
        raise ValueError(f"blocks must hold an example of the run each; got none in block {empty}")
    return np.asarray(np.bincount(block, values, blocks) / counts)


def paired_test(differences: ArrayLike) -> DifferenceTest:
    r"""Student's paired test over repeats that are *independent*, such as `interleaved_parts`.

    .. math:: \bar d \pm t\, s / \sqrt R,\quad s^2 = \frac{1}{R-1} \sum_r (\bar d_r - \bar d)^2

    with R - 1 degrees of freedom. Not for permutations of one stream: these are far from
    independent, so the standard error is many times too small. Of two learners that are equal in
    truth the test then calls one better in most cases, and with more permutations in nearly all
    (notebook 05). `differences` has shape (R, B). Raises ValueError for fewer than 2 repeats.

    >>> paired_test([[0.1, 0.3], [0.2, 0.4]]).difference.__round__(3)
    0.25
    """
    return _of_means(_as_differences(differences, least=(2, 1)).mean(axis=1))


def block_test(differences: ArrayLike) -> DifferenceTest:
    r"""Student's test over the blocks of the original order, each averaged over permutations.

    .. math:: \bar d \pm t\, s / \sqrt B,\quad s^2 = \frac{1}{B-1} \sum_b (\bar d_b - \bar d)^2

    with B - 1 degrees of freedom: batch means (Conway 1963), which a bootstrap of whole blocks
    approximates. One row (R = 1) gives the test for a single run. It holds if the differences of
    different blocks hardly depend on each other: blocks must be longer than the memory of the
    learners. `differences` has shape (R, B). Raises ValueError for fewer than 2 blocks.

    >>> block_test([[0.1, 0.3], [0.2, 0.4]]).standard_error.__round__(3)
    0.1
    """
    return _of_means(_as_differences(differences, least=(1, 2)).mean(axis=0))


def crossed_test(differences: ArrayLike) -> DifferenceTest:
    r"""Student's test in a mixed model with crossed effects of permutations and blocks.

    .. math:: d_{rb} = \mu + a_r + b_b + e_{rb},\quad
              \mathrm{Var}(\bar d) = \frac{\sigma_a^2}{R} + \frac{\sigma_b^2}{B}
                                     + \frac{\sigma_e^2}{RB}

    The variance is estimated from the mean squares of the analysis of variance,

    .. math:: v = \frac{M_b + \max(M_a - M_e, 0)}{RB}

    with the degrees of freedom of Satterthwaite (1946), Biometrics Bulletin 2, 110-114:

    .. math:: \nu = \frac{(M_b + M_a - M_e)^2}
                         {M_b^2/(B-1) + M_a^2/(R-1) + M_e^2/((R-1)(B-1))}

    and B - 1 where the maximum is 0. It is `block_test` with a term for what a repeat does to all
    blocks alike: the standard error is never smaller, and too large on average, by about a tenth
    where neither effect exists. On permutations it needs the condition of `block_test`. On
    `interleaved_parts` the repeats show how much a learner's state varies, and the blocks what the
    parts share, so neither independent examples nor a short memory is needed. The
    corrected test of Nadeau and Bengio (2003, Machine Learning 52, 239-281) with the correlation
    of two permutations estimated from the blocks, in place of their ratio of test to training
    examples, which is undefined where all examples are tested, is the same test.

    `differences` has shape (R, B). Raises ValueError for fewer than 2 repeats or blocks.

    >>> crossed_test([[0.1, 0.3], [0.3, 0.3]]).df.__round__(3)
    1.0
    """
    table = _as_differences(differences, least=(2, 2))
    repeats, blocks = table.shape
    mean = table.mean()
    by_repeat, by_block = table.mean(axis=1), table.mean(axis=0)
    rest = table - by_repeat[:, np.newaxis] - by_block + mean
    df = np.array([blocks - 1, repeats - 1, (repeats - 1) * (blocks - 1)], dtype=np.float64)
    squares = [
        repeats * ((by_block - mean) ** 2).sum(),
        blocks * ((by_repeat - mean) ** 2).sum(),
        (rest**2).sum(),
    ]
    of_blocks, of_repeats, of_rest = mean_squares = np.array(squares) / df
    excess = of_repeats - of_rest
    used = np.array([True, excess > 0, excess > 0])
    total = of_blocks + max(excess, 0.0)
    below = (mean_squares[used] ** 2 / df[used]).sum()
    freedom = total**2 / below if below else blocks - 1
    return _tested(mean, np.sqrt(total / table.size), freedom)


def _as_differences(differences: ArrayLike, least: tuple[int, int]) -> NDArray[np.float64]:
    table = as_matrix(differences, name="differences")
    for size, needed, what in zip(table.shape, least, ("repeats", "blocks"), strict=True):
        if size < needed:
            raise ValueError(f"differences must have at least {needed} {what}; got {size}")
    if (largest := float(abs(table).max())) > LARGEST:
        raise ValueError(f"differences must be at most {LARGEST:g} in size; got {largest:g}")
    return table


def _of_means(means: NDArray[np.float64]) -> DifferenceTest:
    """Student's test of 0 for independent `means`, of shape (m,)."""
    return _tested(means.mean(), means.std(ddof=1) / np.sqrt(means.size), means.size - 1)


def _tested(difference: float, error: float, df: float) -> DifferenceTest:
    error = float(without_rounding(error, difference))
    p_value = 2 * stdtr(df, -abs(difference) / error) if error else float("nan")
    return DifferenceTest(float(difference), error, float(df), float(p_value))
