"""Published delays beside ours: misses by Fisher's test, delays by intervals, at their edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from repro import published
from repro.published.delays import compare_delays, read_delays

ROOT = Path(__file__).parents[1]
LED = ("LED", "NBA", "alpha=0.9970")  # published: 486, sd 10, no miss
MISSED = ("LED", "NBA", "prequential")  # published: all ten runs missed
LATE = ("RBF", "MC", "window=5000")  # published: 9198, sd 5683, two missed


def frame(cell: tuple[str, str, str], delays: list[float], false_alarms: int = 0) -> pd.DataFrame:
    stream, learner, estimator = cell
    names = {"stream": stream, "learner": learner, "estimator": estimator}
    rows = [names | {"seed": i, "delay": d} for i, d in enumerate(delays)]
    return pd.DataFrame(rows).assign(false_alarms=false_alarms)


def judged(cell: tuple[str, str, str], delays: list[float], **given) -> pd.Series:
    table = compare_delays("estimators_table2", frame(cell, delays), **given)
    keys = table[["stream", "learner", "estimator"]].apply(tuple, axis=1)
    return table[keys == cell].iloc[0]


def test_the_published_tables_are_whole():
    two, three = read_delays("estimators_table2"), read_delays("estimators_table3")
    assert (len(two), len(three)) == (88, 48)
    assert three["estimator"].unique()[0] == "alpha=0.9970 / alpha=0.9990"
    assert three["runs_false_alarm"].sum() == 22
    for table in (two, three):
        assert (table["delay_mean"].isna() == (table["runs_missed"] == 10)).all()
    with pytest.raises(ValueError, match="name must be one of estimators_table2, estimators_"):
        read_delays("table2")


def test_a_cell_worked_out_by_hand():
    got = judged(LED, [490, 500, 510])
    assert got["reproduced"] == 500
    assert got["s.e."] == pytest.approx(10 / np.sqrt(3))
    assert got["published s.e."] == pytest.approx(10 / np.sqrt(10))
    assert got["difference"] == 14
    assert got["s.e. of difference"] == pytest.approx(np.sqrt(100 / 3 + 100 / 10))
    assert (got["missed"], got["runs"], got["verdict"]) == (0, 3, "agrees")


@pytest.mark.parametrize(("excess", "verdict"), [(0.99, "agrees"), (1.01, "differs")])
def test_the_verdict_turns_where_the_intervals_cease_to_overlap(excess, verdict):
    reach = 2 * (10 / np.sqrt(3) + 10 / np.sqrt(10))
    for sign in (1, -1):
        delays = 486 + sign * excess * reach + np.array([-10.0, 0.0, 10.0])
        assert judged(LED, delays.tolist())["verdict"] == verdict


def test_the_published_error_is_over_the_runs_that_detected():
    got = judged(LATE, [9000.0, 9500.0, np.nan])
    assert got["published s.e."] == pytest.approx(5683 / np.sqrt(8))
    assert got["s.e."] == pytest.approx(250)
    assert (got["missed"], got["published missed"]) == (1, 2)


@pytest.mark.parametrize(
    ("n_missed", "verdict"),
    # Against none of ten: P(all of k misses are ours) = C(10, k)/C(20, k), twice by symmetry.
    [(0, "agrees"), (4, "agrees"), (5, "differs"), (8, "differs")],
)
def test_the_share_of_misses_alone_can_make_a_cell_differ(n_missed, verdict):
    delays = [np.nan] * n_missed + [480.0 + i for i in range(10 - n_missed)]
    got = judged(LED, delays)
    assert got["verdict"] == verdict
    tail = hypergeom(20, n_missed, 10).pmf(n_missed)
    assert got["p of misses"] == pytest.approx(min(1, 2 * tail))


def test_cells_missed_by_both_agree_and_a_single_detection_has_no_interval():
    assert judged(MISSED, [np.nan] * 10)["verdict"] == "agrees"
    assert judged(MISSED, [np.nan] * 9 + [500.0])["verdict"] == "agrees"
    assert judged(MISSED, [500.0 + i for i in range(10)])["verdict"] == "differs"
    assert judged(LED, [np.nan] * 10)["verdict"] == "differs"


def test_what_was_not_run_twice_stays_visible_and_undecided():
    got = compare_delays("estimators_table3", frame(LED, [486.0]))
    assert len(got) == 48
    assert set(got["verdict"]) == {"not run"}
    assert judged(LED, [486.0])["verdict"] == "not run"
    assert (got["reason"] == "").all()


def test_a_reason_stands_where_a_cell_differs_and_only_there():
    assert judged(LED, [900.0, 901.0], reasons={LED: "a setting"})["reason"] == "a setting"
    assert judged(LED, [486.0, 487.0], reasons={LED: "a setting"})["reason"] == ""
    assert judged(LED, [900.0, 901.0])["reason"] == "not explained"


def test_false_alarms_are_counted_in_runs_and_not_judged():
    noisy = frame(LED, [480.0, 490.0], false_alarms=3)
    got = compare_delays("estimators_table2", noisy).query("runs > 0").iloc[0]
    assert (got["false-alarm runs"], got["verdict"]) == (2, "agrees")


def test_a_frame_without_delays_is_refused():
    with pytest.raises(ValueError, match="runs must have the columns estimator, seed, delay, "):
        compare_delays("estimators_table2", pd.DataFrame({"stream": [], "learner": []}))
    with pytest.raises(ValueError, match="level must be finite and >= 0; got -1"):
        compare_delays("estimators_table2", frame(LED, [1.0]), level=-1)


@given(st.lists(st.floats(0, 20_000) | st.just(float("nan")), min_size=2, max_size=10))
@settings(deadline=None, max_examples=20)
def test_the_order_of_the_runs_does_not_matter(delays):
    one, other = judged(LED, delays), judged(LED, delays[::-1])
    assert one["verdict"] == other["verdict"]
    assert one["reproduced"] == pytest.approx(other["reproduced"], nan_ok=True)


def test_every_committed_cell_that_differs_has_its_reason():
    cells = pd.read_csv(ROOT / "data" / "results" / "03_cells.csv", keep_default_na=False)
    assert len(cells) == 136
    assert not (cells["reason"] == published.NOT_EXPLAINED).any()
    assert ((cells["reason"] != "") == (cells["verdict"] == "differs")).all()
