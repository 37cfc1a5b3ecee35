"""Published delays beside ours: misses by Fisher's test, delays by Welch's, at their edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom, norm, t

from repro import published
from repro.published import compare, read

ROOT = Path(__file__).parents[2]
LED = ("LED", "NBA", "alpha=0.9970")  # published: 486, sd 10, no miss
MISSED = ("LED", "NBA", "prequential")  # published: all ten runs missed
LATE = ("RBF", "MC", "window=5000")  # published: 9198, sd 5683, two missed


def frame(cell: tuple[str, str, str], delays: list[float], false_alarms: int = 0) -> pd.DataFrame:
    stream, learner, estimator = cell
    names = {"stream": stream, "learner": learner, "estimator": estimator}
    rows = [names | {"seed": i, "delay": d} for i, d in enumerate(delays)]
    return pd.DataFrame(rows).assign(false_alarms=false_alarms)


def judged(cell: tuple[str, str, str], delays: list[float], **given) -> pd.Series:
    table = compare("estimators_table2", frame(cell, delays), **given)
    keys = table[["stream", "learner", "estimator"]].apply(tuple, axis=1)
    return table[keys == cell].iloc[0]


def test_the_published_tables_are_complete():
    two, three = read("estimators_table2"), read("estimators_table3")
    assert (len(two), len(three)) == (88, 48)
    assert three["estimator"].unique()[0] == "alpha=0.9970 / alpha=0.9990"
    assert three["runs_false_alarm"].sum() == 22
    for table in (two, three):
        assert (table["delay_mean"].isna() == (table["runs_missed"] == 10)).all()
    with pytest.raises(ValueError, match=r"name must be one of .*; got 'table2'"):
        read("table2")


def test_a_cell_worked_out_by_hand():
    got = judged(LED, [490, 500, 510])
    assert got["reproduced"] == 500
    assert got["s.e."] == pytest.approx(10 / np.sqrt(3))
    assert got["published s.e."] == pytest.approx(10 / np.sqrt(10))
    assert got["difference"] == 14
    assert got["s.e. of difference"] == pytest.approx(np.sqrt(100 / 3 + 100 / 10 + 1 / 12))
    assert (got["missed"], got["runs"], got["verdict"]) == (0, 3, "agrees")


@pytest.mark.parametrize(("excess", "verdict"), [(0.99, "agrees"), (1.01, "differs")])
def test_the_verdict_turns_at_the_resolution(excess, verdict):
    """Three runs are few: Student's .975 quantiles with 2 and 9 degrees of freedom, one a side."""
    variances = 4.302653**2 * 10**2 / 3 + 2.262157**2 * 10**2 / 10
    reach = np.sqrt(variances + 1.959964**2 / 12)
    for sign in (1, -1):
        delays = 486 + sign * excess * reach + np.array([-10.0, 0.0, 10.0])
        got = judged(LED, delays.tolist())
        assert got["resolution"] == pytest.approx(reach, rel=1e-6)
        assert got["verdict"] == verdict


def test_a_side_with_one_detection_spreads_as_the_other():
    """Published: 486, sd 10, of ten runs."""
    got = judged(LED, [505.0] + [np.nan] * 4)
    level = 0.05 - hypergeom(15, 4, 5).pmf(4)  # Fisher's test rejects if all four are ours
    reach = t(9).isf(level / 2) * 10 * np.sqrt(1 + 1 / 10)
    assert got["resolution"] == pytest.approx(np.hypot(reach, norm.isf(level / 2) / 12**0.5))
    assert np.isnan(got["s.e."])


def test_without_delays_on_both_sides_there_is_no_resolution_of_delays():
    got = judged(MISSED, [400.0, 500.0, np.nan])
    assert np.isnan(got["difference"])
    assert np.isnan(got["resolution"])
    # All ten published runs missed. Of ours two of three detected: p = 3 / C(13, 2) = .04.
    assert (got["resolution of missed"], got["verdict"]) == (3, "agrees")
    assert got["p of misses"] == pytest.approx(3 / 78)


def test_the_published_error_is_over_the_runs_that_detected():
    got = judged(LATE, [9000.0, 9500.0, np.nan])
    assert got["published s.e."] == pytest.approx(5683 / np.sqrt(8))
    assert got["s.e."] == pytest.approx(250)
    assert (got["missed"], got["published missed"]) == (1, 2)


@pytest.mark.parametrize(
    ("n_missed", "verdict"),
    # Against none of ten: P(all k misses are ours) = C(10, k)/C(20, k), twice by symmetry.
    [(0, "agrees"), (4, "agrees"), (5, "agrees"), (6, "differs"), (8, "differs")],
)
def test_a_cell_can_differ_by_its_misses_alone(n_missed, verdict):
    delays = [np.nan] * n_missed + [480.0 + i for i in range(10 - n_missed)]
    got = judged(LED, delays)
    assert got["verdict"] == verdict
    tail = hypergeom(20, n_missed, 10).pmf(n_missed)
    assert got["p of misses"] == pytest.approx(min(1, 2 * tail))


def test_cells_missed_by_both_agree():
    assert judged(MISSED, [np.nan] * 10)["verdict"] == "agrees"
    assert judged(MISSED, [np.nan] * 9 + [500.0])["verdict"] == "agrees"
    assert judged(MISSED, [500.0 + i for i in range(10)])["verdict"] == "differs"
    assert judged(LED, [np.nan] * 10)["verdict"] == "differs"


def test_cells_with_fewer_than_two_runs_are_kept_as_not_run():
    got = compare("estimators_table3", frame(LED, [486.0]))
    assert len(got) == 48
    assert set(got["verdict"]) == {"not run"}
    assert judged(LED, [486.0])["verdict"] == "not run"
    assert (got["reason"] == "").all()


def test_only_a_cell_that_differs_shows_its_reason():
    assert judged(LED, [900.0, 901.0], reasons={LED: "a setting"})["reason"] == "a setting"
    assert judged(LED, [486.0, 487.0], reasons={LED: "a setting"})["reason"] == ""
    assert judged(LED, [900.0, 901.0])["reason"] == "not explained"


@pytest.mark.parametrize(("n_false", "verdict"), [(2, "agrees"), (5, "agrees"), (6, "differs")])
def test_a_cell_can_differ_by_its_false_alarms_alone(n_false, verdict):
    """Table 2 has none, and a run with three false alarms is one run."""
    noisy = frame(LED, [485.0 + i for i in range(10)])
    noisy.loc[: n_false - 1, "false_alarms"] = 3
    got = compare("estimators_table2", noisy).query("runs > 0").iloc[0]
    assert (got["published false-alarm runs"], got["false-alarm runs"]) == (0, n_false)
    assert got["p of false alarms"] == pytest.approx(min(1, 2 * hypergeom(20, n_false, 10).pmf(0)))
    assert got["verdict"] == verdict


def test_published_false_alarms_are_those_of_table_3():
    cell = ("RT", "MC", "alpha=0.9970 / alpha=0.9990")
    got = compare("estimators_table3", frame(cell, [500.0, 510.0]))
    assert got["published false-alarm runs"].sum() == 22


def test_a_delay_with_a_resolution_above_a_tenth_is_too_coarse_to_tell():
    assert judged(LED, [480.0, 486.0, 500.0])["resolution"] < 48.6
    assert judged(LED, [480.0, 486.0, 500.0])["verdict"] == "agrees"
    wide = judged(LED, [430.0, 486.0, 540.0])
    assert wide["resolution"] > 48.6
    assert wide["verdict"] == "too coarse to tell"
    assert judged(MISSED, [np.nan] * 10)["verdict"] == "agrees"  # no delay to be told


@given(st.lists(st.floats(300, 700) | st.just(float("nan")), min_size=2, max_size=10))
@settings(max_examples=40)
def test_a_cell_differs_if_and_only_if_its_p_value_is_at_most_5_percent(delays):
    got = judged(LED, delays)
    assert 0 <= got["p"] <= 1
    if abs(got["p"] - 0.05) > 1e-9:
        assert (got["verdict"] == "differs") == (got["p"] < 0.05)


def test_a_frame_without_delays_is_refused():
    with pytest.raises(ValueError, match="frame must have the columns estimator, seed, delay, "):
        compare("estimators_table2", pd.DataFrame({"stream": [], "learner": []}))


@given(st.lists(st.floats(0, 20_000) | st.just(float("nan")), min_size=2, max_size=10))
@settings(max_examples=20)
def test_the_order_of_the_runs_does_not_matter(delays):
    one, other = judged(LED, delays), judged(LED, delays[::-1])
    assert one["verdict"] == other["verdict"]
    assert one["reproduced"] == pytest.approx(other["reproduced"], nan_ok=True)


def test_every_committed_cell_that_does_not_agree_has_its_reason():
    cells = pd.read_csv(ROOT / "data" / "results" / "03_cells.csv", keep_default_na=False)
    assert len(cells) == 136
    assert not (cells["reason"] == published.NOT_EXPLAINED).any()
    assert (
        (cells["reason"] != "") == cells["verdict"].isin(["differs", "too coarse to tell"])
    ).all()
