"""The derivation of the four basic scenarios: 512, 256, 136, 64, 4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import pandas as pd

__all__ = ["EnumerationStep", "enumerate_scenarios"]

#: The nine base sets of two tasks and two labels; those of the basic scenarios come first.
NAMES = ("C10", "C02", "C01", "C21", "C12", "C11", "C22", "C20", "C00")
FURTHER = {"C01", "C21", "C12"}
SWAPPED = str.maketrans("12", "21")

Names = tuple[str, ...]


@dataclass(frozen=True)
class EnumerationStep:
    """The scenarios that are left after a rule, each as the names of its non-empty base sets.

    Attributes
    ----------
    rule : what every scenario of this step meets, besides the rules of the steps before.
    note : where the rule is from, and how it was read.
    scenarios : names of the non-empty base sets of each scenario.
    """

    rule: str
    note: str
    scenarios: tuple[Names, ...]

    def __repr__(self) -> str:
        return f"EnumerationStep(rule={self.rule!r}, n={self.n})"

    @property
    def n(self) -> int:
        """Number of scenarios."""
        return len(self.scenarios)

    @property
    def table(self) -> pd.DataFrame:
        """One row per scenario, one column per base set: whether the base set is non-empty."""
        rows = [[name in scenario for name in NAMES] for scenario in self.scenarios]
        return pd.DataFrame(rows, columns=list(NAMES))


def enumerate_scenarios() -> tuple[EnumerationStep, ...]:
    r"""The five steps from all scenarios of two tasks and two labels to the four basic ones.

    A scenario says which of the nine base sets :math:`C_{s,s'}` are non-empty (Szadkowski, Drchal
    and Faigl, Sec. 2). The paper prints two constraints, which are the first four steps here.
    They leave 64 scenarios; the last rule is needed to obtain the four of its Table 1.

    >>> [step.n for step in enumerate_scenarios()]
    [512, 256, 136, 64, 4]
    >>> enumerate_scenarios()[-1].scenarios
    (('C10', 'C02'), ('C10', 'C02', 'C01'), ('C10', 'C02', 'C21'), ('C10', 'C02', 'C12'))
    """
    everything = [
        tuple(name for name, kept in zip(NAMES, choice, strict=True) if kept)
        for choice in product((True, False), repeat=len(NAMES))
    ]
    with_rest = [s for s in everything if "C00" in s]
    fixed = [s for s in with_rest if {"C10", "C02"} <= {*s}]
    basic = [s for s in fixed if len(s) <= 4 and {*s} <= {"C10", "C02", "C00", *FURTHER}]
    return (
        _step("each base set is empty or non-empty", "Sec. 2", everything),
        _step("C00 is non-empty", "first constraint printed in Sec. 2", with_rest),
        _step(
            "of two scenarios that differ by the names of the labels, one is kept",
            "first constraint printed in Sec. 2; the one with C10 is kept, then that with C02, ...",
            [s for s in with_rest if _rank(s) >= _rank(_swapped(s))],
        ),
        _step(
            "C10 and C02 are non-empty",
            "second constraint printed in Sec. 2. The two sets fix the names of the labels, so all "
            "such scenarios are counted; 12 of them are 6 pairs that differ by the names only",
            fixed,
        ),
        _step(
            "at most one further base set, out of C01, C21 and C12",
            "not printed as a constraint, but necessary: without it 64 scenarios are left. C00 is "
            "non-empty in all, and not listed, as in Table 1",
            [tuple(name for name in s if name != "C00") for s in sorted(basic, key=len)],
        ),
    )


def _step(rule: str, note: str, scenarios: Iterable[Names]) -> EnumerationStep:
    return EnumerationStep(rule, note, tuple(scenarios))


def _swapped(scenario: Names) -> Names:
    """The scenario with the two labels swapped."""
    return tuple(name.translate(SWAPPED) for name in scenario)


def _rank(scenario: Names) -> tuple[bool, ...]:
    """Which base sets are non-empty, in the order of `NAMES`."""
    return tuple(name in scenario for name in NAMES)
