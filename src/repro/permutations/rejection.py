"""How often a test calls two learners different, and whether its standard error is right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from repro._checks import as_floats, check_inside, check_mapping, shown
from repro.permutations.significance import DifferenceTest, block_test, crossed_test, paired_test

__all__ = ["rejection_rates"]

TESTS: Mapping[str, Callable[..., DifferenceTest]] = MappingProxyType(
    {"paired": paired_test, "block": block_test, "crossed": crossed_test}
)


def rejection_rates(
    differences: ArrayLike,
    tests: Mapping[str, Callable[..., DifferenceTest]] = TESTS,
    level: float = 0.05,
) -> pd.DataFrame:
    r"""Return the share of fresh draws of a stream in which each test finds a difference.

    For learners that are equal in truth the share is the type-I error, which should be `level`; for
    others it is the power. The reason for a wrong share is seen in the variance: a test is right if
    the mean of its squared standard errors is the variance of the mean difference over draws.

    Parameters
    ----------
    differences : what the tests take, for each of D fresh draws; shape (D, R, B).
    tests : name -> function of an array (R, B) that returns a `DifferenceTest`.
    level : significance level, in (0, 1).

    The frame has one row per test; columns `difference` (mean over draws), `sd` (of a draw's mean
    difference, over draws), `standard_error` (root of the mean square that the test states),
    `variance_ratio` (its square over the square of `sd`), `rejected` and
    `rejected_standard_error` (binomial). A draw without a p-value is not rejected.

    Raises ValueError for differences of another shape, fewer than 2 draws, a `level` outside
    (0, 1), and what the tests refuse.

    >>> draws = np.random.default_rng(0).normal(size=(200, 1, 10))
    >>> rejection_rates(draws, {"block": block_test})["rejected"].tolist()
    [0.065]
    """
    table = as_floats(differences, name="differences")
    if table.ndim != 3 or len(table) < 2:
        rule = "differences must have shape (draws, repeats, blocks) with 2 draws or more"
        raise ValueError(f"{rule}; got {table.shape}")
    level = check_inside(level, name="level")
    for name, test in check_mapping(tests, name="tests", rule="names to functions").items():
        if not callable(test):
            raise TypeError(f"tests must map names to functions; got {shown(test)} for {name}")
    rows = {name: _row([test(draw) for draw in table], level) for name, test in tests.items()}
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("test")


def _row(results: list[DifferenceTest], level: float) -> dict[str, Any]:
    means = np.array([result.difference for result in results])
    variance = np.mean([result.standard_error**2 for result in results])
    share = float(np.mean([result.p_value < level for result in results]))
    true = means.var(ddof=1)
    return {
        "difference": means.mean(),
        "sd": np.sqrt(true),
        "standard_error": np.sqrt(variance),
        "variance_ratio": variance / true if true else float("nan"),
        "rejected": share,
        "rejected_standard_error": np.sqrt(share * (1 - share) / len(results)),
    }
