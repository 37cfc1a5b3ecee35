"""Figures and tables of delays hold the numbers that they were given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from repro import figures, metrics, tables
from repro.published import compare, delays_of

ROWS = [
    {"stream": "LED", "learner": "NBA", "estimator": "alpha=0.9970", "seed": i, "delay": 480.0 + i}
    for i in range(10)
]
MISSED = [row | {"estimator": "prequential", "delay": np.nan} for row in ROWS]
FAR = [row | {"estimator": "window=1000", "delay": row["delay"] + 500} for row in ROWS]
RUNS = pd.DataFrame([*ROWS, *MISSED, *FAR]).assign(false_alarms=0)
CELLS = compare("estimators_table2", RUNS)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_delays_are_drawn_published_and_reproduced_with_rings_on_differences():
    ax = figures.plot_delays(CELLS)
    points = [line for line in ax.lines if line.get_marker() == "o"]
    ring = next(line for line in points if line.get_color() == "red")
    np.testing.assert_allclose(ring.get_xydata(), [[725, 984.5]])
    drawn = np.concatenate([line.get_xydata() for line in ax.lines if len(line.get_xydata()) == 2])
    assert [486.0, 484.5] in drawn.tolist()
    assert figures.plot_delays(CELLS, ax=ax) is ax


def test_predictions_are_a_line_and_crosses_through_the_memory():
    one = {"learner": "MC", "family": "windows", "± s.e.": 1.0, "simulated": 110.0}
    rows = [one | {"memory": m, "formula": m / 10, "expected losses": m / 9} for m in (900, 1800)]
    ax = figures.plot_predicted_delays(pd.DataFrame(rows))
    lines = [line.get_xydata().tolist() for line in ax.lines]
    assert [[900, 90], [1800, 180]] in lines
    assert [[900, 100], [1800, 200]] in lines
    assert ax.get_legend_handles_labels()[1] == [
        "expected losses",
        "windows: formula",
        "MC, windows: simulated",
    ]
    assert figures.plot_predicted_delays(pd.DataFrame(rows), ax=ax) is ax


def test_a_statistic_stands_with_its_threshold_and_the_true_drifts():
    ax = figures.plot_statistic([0.0, 1.0, 3.0], threshold=2.0, drift_at=[1])
    curve, level, drift = ax.lines
    np.testing.assert_array_equal(curve.get_ydata(), [0, 1, 3])
    assert curve.get_linestyle() == "-"
    assert (list(level.get_ydata()), list(drift.get_xdata())) == ([2, 2], [1, 1])
    assert drift.get_linestyle() == ":"
    assert ax.get_legend_handles_labels()[1] == ["threshold", "drift"]
    assert figures.plot_statistic([1.0], threshold=(-2.0, 2.0), ax=ax) is ax


def test_a_trade_off_keeps_0_on_its_axis_and_leaves_out_infinite_points():
    points = pd.DataFrame(
        {"detector": ["A", "A", "A", "B"], "x": [0.0, 0.5, 1.0, 2.0], "y": [9.0, 5.0, np.inf, 3.0]}
    )
    ax = figures.plot_tradeoff(points, x="x", y="y")
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[0, 9], [0.5, 5]])
    assert ax.get_legend_handles_labels()[1] == ["A", "B"]
    assert figures.plot_tradeoff(points, x="x", y="y", ax=ax) is ax


def test_the_matrix_of_delays_shows_misses_and_marks_differences():
    matrix = tables.delays_beside_published(CELLS)
    assert matrix.shape == (11, 8)
    own = matrix["LED", "NBA"]
    assert own["prequential"] == "miss | miss"
    assert own["alpha=0.9970"] == "484 ± 1 | 486 ± 3"
    assert own["window=1000"] == "984 ± 1 | 725 ± 4 !"
    assert matrix.loc["window=5000", ("RBF", "MC")] == "– | 9198 ± 2009 (2)"


def test_a_delay_of_a_single_run_has_no_error():
    assert tables.delay_text([12.0, np.nan, np.inf]) == "12 (2)"


def test_reports_stand_in_rows_with_each_error_beside_its_measure():
    reports = {
        ("sudden", name): metrics.detection_report(runs, drifts=[500], n=1000)
        for name, runs in {"A": [[510], [530]], "B": [[100, 700], [600]]}.items()
    }
    table = tables.reports_table(reports)
    assert list(table.columns[:4]) == ["detected", "detected ± s.e.", "missed", "missed ± s.e."]
    for key, report in reports.items():
        assert table.loc[key, "mtd"] == report.mtd
        assert table.loc[key, "arl1 ± s.e."] == report.table.loc["arl1", "± s.e."]


def test_delays_of_a_sweep_are_the_outcomes_of_its_alarms():
    runs = [
        {
            "stream": "LED",
            "learner": "MC",
            "seed": s,
            "n": 100,
            "found": {"a": [10, 60 + s], "b": []},
        }
        for s in range(3)
    ]
    got = delays_of(pd.DataFrame(runs), "found", after=50)
    assert got["delay"].dropna().tolist() == [10.0, 11.0, 12.0]
    assert got["false_alarms"].tolist() == [1, 0] * 3
    assert got["estimator"].tolist() == ["a", "b"] * 3
