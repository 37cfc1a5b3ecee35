"""How many seeds a slow detector may have."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from repro._checks import check_number
from repro.judge._detector.inputs import Given
from repro.judge._detector.runs import seconds_for

__all__ = ["QUICK", "within"]

QUICK = 2  # seeds of a quick report, and the fewest within a budget
LOSSES_PER_SEED = 3_300_000  # that a detector as it is given sees


def within(
    budget: float, user_detectors: Mapping[str, Given], seeds: list[int]
) -> tuple[list[int], dict[str, str]]:
    """The seeds for which the budget is enough, and the detectors for which two seeds are not."""
    limit = check_number(budget, name="budget", above=0)
    fewest, too_slow = len(seeds), {}
    for name, given in user_detectors.items():
        seconds = seconds_for(given.detector) * LOSSES_PER_SEED
        least = min(QUICK, len(seeds))
        if seconds * least > limit:
            needed = f"{seconds * least:.0f} CPU seconds for {least} seeds"
            too_slow[name] = f"it needs about {needed}, and budget is {limit:g}"
        elif seconds * len(seeds) > limit:
            fewest = min(fewest, int(limit / seconds))
            rule = f"{name} needs about {seconds:.0f} CPU seconds for a seed"
            text = f"repro: {rule}, so the first {fewest} seeds are run within the budget"
            print(text, file=sys.stderr)
    return seeds[:fewest], too_slow
