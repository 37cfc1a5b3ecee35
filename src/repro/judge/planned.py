"""A plan: the seeds or examples that show a difference, from the differences of a pilot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import chi2

from repro._checks import check_count, check_number
from repro._rounding import without_rounding
from repro.seeds import generator
from repro.statistics.anytime import told_apart
from repro.statistics.estimates import Floats
from repro.statistics.power import ResampledTests, paired_power

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Plan"]

MOST_SEEDS = 10_000
FEWEST = 30  # runs of a pilot that is resampled; fewer do not tell the shape of their distribution
LONGEST = 10  # planned streams, in lengths of the pilot
JOINED = 400  # streams that are joined of runs of the pilot
LOOKS = 200  # times at which a planned stream is looked at, in equal ratios


@dataclass(frozen=True, eq=False)
class Plan:
    """What it takes to see a difference of mean losses; `plan` makes it.

    `differences` are those of the pilot, loss_a - loss_b, shape (runs, n).
    """

    effect: float  #: difference of mean losses to be seen
    power: float  #: wanted probability to see it
    confidence: float  #: of both comparisons
    differences: Floats
    seed: int = 0  #: of the order in which runs of the pilot are joined

    @property
    def n(self) -> int:
        """Examples of a run of the pilot."""
        return self.differences.shape[1]

    @cached_property
    def deviation(self) -> float:
        """Standard deviation over runs of the mean difference of a run."""
        means = self.differences.mean(axis=1)
        return float(without_rounding(means.std(ddof=1), means.mean()))

    @cached_property
    def seeds(self) -> int | None:
        """Fewest seeds of `n` examples for the paired t-test; None if more than 10 000."""
        return self._seeds(self.effect)

    @cached_property
    def seeds_between(self) -> tuple[int | None, int | None]:
        """`seeds` if the deviation were the ends of its 90 % interval, since a pilot is short."""
        df = len(self.differences) - 1
        many, few = (self.effect * np.sqrt(chi2.ppf(q, df) / df) for q in (0.05, 0.95))
        return self._seeds(few), self._seeds(many)

    @cached_property
    def by_examples(self) -> pd.Series:
        """Probability that one stream tells the learners apart by so many examples.

        Runs of the pilot are joined in random order, with the mean over the runs at each example
        moved to the `effect`, and compared as by `repro.statistics.compare_anytime`, at 200 times.
        """
        return self.told(self.effect, LONGEST * self.n)

    @cached_property
    def examples(self) -> int | None:
        """Examples of one stream for the comparison at any time; None if more than 10 pilots."""
        enough = self.by_examples >= self.power
        return int(enough.idxmax()) if enough.any() else None

    @cached_property
    def visible(self) -> float:
        """The smallest difference that the paired test sees with all seeds of the pilot."""
        return self._visible(len(self.differences))

    @cached_property
    def visible_in_one(self) -> float:
        """The smallest difference that one stream of `n` examples shows at any time."""
        low, high = 0.0, 1.0
        while high - low > 0.01 * high:
            middle = (low + high) / 2
            seen = self.told(middle, self.n).iloc[-1] >= self.power
            low, high = (low, middle) if seen else (middle, high)
        return high

    @property
    def by_seeds(self) -> pd.Series:
        """Power of the paired test by the number of seeds, up to twice those needed."""
        most = 2 * (self.seeds or MOST_SEEDS)
        seeds = np.unique(np.geomspace(2, max(most, 4), 60).round().astype(int))
        powers = [self.power_of(int(k)) for k in seeds]
        return pd.Series(powers, pd.Index(seeds, name="seeds"), name="power")

    def __str__(self) -> str:
        """The plan in words; every number is a property."""
        points, wanted = f"{100 * self.effect:.3g} points", f"power {self.power:.2g}"
        few, many = (f"more than {MOST_SEEDS}" if k is None else k for k in self.seeds_between)
        if self.seeds is None:
            by_seeds = f"more than {MOST_SEEDS} seeds"
        else:
            by_seeds = (
                f"{self.seeds} seeds ({few} to {many}, as the pilot leaves their spread open)"
            )
        longest = f"not within {LONGEST * self.n} examples"
        one = longest if self.examples is None else f"by example {self.examples}"
        return (
            f"To see a difference of {points} with {wanted}:\n"
            f"- the paired test needs {by_seeds} of {self.n} examples;\n"
            f"- one stream, looked at any time, shows it {one}.\n"
            f"With {wanted} this pilot, {len(self.differences)} seeds of {self.n} examples, sees "
            f"{100 * self.visible:.3g} points,\nand one of its streams "
            f"{100 * self.visible_in_one:.3g} points."
        )

    def plot(self) -> list[Axes]:
        """Draw power against seeds and against the length of one stream."""
        from repro import figures  # so that planning needs no figures

        axes = figures.panels(["paired test over seeds", "one stream, any time"], columns=2)
        for ax, curve in zip(axes, (self.by_seeds, self.by_examples), strict=True):
            look: dict[str, Any] = {
                "xlabel": str(curve.index.name).capitalize(),
                "ylabel": "Power",
                "ylim": (0, 1),
            }
            look["xscale"] = "log" if curve.index.name == "examples" else "linear"
            figures.plot_curves({"power": curve}, x=curve.index, **look, ax=ax)
            figures.mark_level(ax, self.power, label="wanted")
        return axes

    def moved(self, effect: float) -> Floats:
        """Differences of the runs, their mean at each example moved to the `effect`, (runs, n)."""
        effect, runs = check_number(effect, name="effect"), self.differences
        # Distances from the mean of few runs are too small by this factor.
        factor = np.sqrt(len(runs) / (len(runs) - 1))
        return np.asarray(factor * (runs - runs.mean(axis=0)) + effect)

    def power_of(self, seeds: int) -> float:
        """Power of the paired test with so many seeds: of resamples of the runs, or normal runs.

        The runs of a pilot of 30 or more are resampled, up to 200 seeds.
        """
        return self._power(self.effect, check_count(seeds, name="seeds", least=0))

    @property
    def _is_resampled(self) -> bool:
        return len(self.differences) >= FEWEST

    @cached_property
    def _resampled(self) -> ResampledTests:
        means = self.differences.mean(axis=1)
        return ResampledTests(means, generator(self.seed, "resamples"))

    def _power(self, effect: float, seeds: int) -> float:
        if not self._is_resampled or seeds > ResampledTests.MOST:
            return paired_power(effect, self.deviation, seeds, self.confidence)
        return self._resampled.power(effect, seeds, self.confidence)

    def _seeds(self, effect: float) -> int | None:
        """The fewest seeds with which the power is reached, and with any more as well."""
        few, many = 1, MOST_SEEDS
        if self._is_resampled:
            lacking = self._resampled.powers(effect, self.confidence) < self.power
            if not lacking[-1]:
                return 3 + int(np.flatnonzero(lacking).max(initial=-1))
            few = ResampledTests.MOST
        if paired_power(effect, self.deviation, many, self.confidence) < self.power:
            return None
        while many - few > 1:  # this power rises with the number of seeds
            middle = (few + many) // 2
            reached = paired_power(effect, self.deviation, middle, self.confidence) >= self.power
            few, many = (few, middle) if reached else (middle, many)
        return many

    def _visible(self, seeds: int) -> float:
        def missing(effect: float) -> float:
            return self._power(effect, seeds) - self.power

        return float(brentq(missing, 0.0, 100 * self.deviation))

    def told(self, effect: float, most: int) -> pd.Series:
        """As `by_examples`, for another `effect` and up to `most` examples."""
        most = check_count(most, name="most")
        rng, runs, shifted = generator(self.seed, "plan"), self.differences, self.moved(effect)
        at = np.unique(np.geomspace(max(most / 1000, 1), most, LOOKS).round().astype(np.int64))
        told = np.zeros(at.size)
        for _ in range(JOINED):
            joined = shifted[rng.permutation(len(runs))[: -(-most // self.n)]].ravel()
            while joined.size < most:  # a pilot of few runs
                joined = np.concatenate([joined, shifted[rng.integers(len(runs))]])
            told += told_apart(joined[:most], at, self.confidence)
        return pd.Series(told / JOINED, pd.Index(at, name="examples"), name="power")
