"""How sure a place in the league is: its interval when streams and seeds are drawn again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from leagues.standings import excesses, finished
from repro import seeds
from repro.statistics.estimates import LEVEL

__all__ = ["DRAWS", "place_intervals"]

DRAWS = 2000  # resamples


def place_intervals(
    runs: pd.DataFrame, learners: Sequence[str], streams: Sequence[str]
) -> pd.DataFrame:
    """Interval of 95 % of the place of each learner by mean excess, from a bootstrap.

    A resample draws the streams with replacement, and the seeds with replacement, the same for all
    learners and streams: learners meet the same examples, and some streams share their label
    sequences seed by seed. Seeds count that a learner has finished on every stream. The excess of a
    learner on a stream is the mean over those of its seeds
    that were drawn, with their multiplicity; over all its seeds where none was. A learner with one
    seed varies with the streams only, so its interval is too short.

    Parameters
    ----------
    runs : table of runs, with the columns `leagues.standings.COLUMNS`.
    learners : that have finished a seed on every one of the `streams`.
    streams : names of all streams of the league.

    Returns a frame with a row for each learner: ``place``, ``from`` and ``to``; places start at 1,
    and learners with the same excess share the best.
    """
    found = finished(excesses(runs), streams)
    cube = found.pivot_table(index=["learner", "stream"], columns="seed", values="excess")
    wanted = pd.MultiIndex.from_product([learners, streams])
    values = cube.reindex(wanted).to_numpy().reshape(len(learners), len(streams), -1)
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    whole = filled.sum(2) / known.sum(2)
    rng = seeds.generator(0, "league", "places")
    n_streams, n_seeds = values.shape[1:]
    places = np.empty((DRAWS, len(learners)))
    for draw in places:
        weight = np.bincount(rng.integers(n_seeds, size=n_seeds), minlength=n_seeds)
        drawn = known @ weight
        mean = np.where(drawn > 0, filled @ weight / np.maximum(drawn, 1), whole)
        draw[:] = _places(mean[:, rng.integers(n_streams, size=n_streams)].mean(axis=1))
    low, high = np.quantile(places, [LEVEL / 2, 1 - LEVEL / 2], axis=0, method="nearest")
    columns = {"place": _places(whole.mean(axis=1)), "from": low, "to": high}
    return pd.DataFrame(columns, index=list(learners)).astype(int)


def _places(excess: np.ndarray) -> np.ndarray:
    return 1 + (excess[:, None] > excess).sum(axis=1)
