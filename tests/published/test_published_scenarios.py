"""Published accuracies of scenarios: read, and judged by the spread of runs or within .05."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro import evaluate_scenario, published
from repro.learners import NoChange
from repro.scenarios import SCENARIOS

CELL = {"assignment": "021", "classifier": "ENS", "scenario": "SEP", "base_set": "C12"}  # .60


def runs(*accuracies, **cell):
    return pd.DataFrame([{**CELL, **cell, "accuracy": a} for a in accuracies])


def judged(frame, **cell):
    found = published.compare("scenarios_table4", frame, reasons={(*CELL.values(),): "because"})
    chosen = (found[list(CELL)] == pd.Series({**CELL, **cell})).all(axis=1)
    return found[chosen].iloc[0]


def test_the_two_tables_have_152_cells_named_by_scenarios_and_base_sets():
    tasks, sets = (published.read(f"scenarios_table{i}") for i in (3, 4))
    assert len(tasks) + len(sets) == 152
    assert tasks["assignment"].unique().tolist() == ["021", "197"]
    assert set(tasks["test_task"]) == {"T1", "T2"}
    for (_, _, scenario), rows in sets.groupby(["assignment", "classifier", "scenario"]):
        assert tuple(rows["base_set"]) == SCENARIOS[scenario].base_set_names


def test_a_cell_within_the_spread_of_the_runs():
    """Published .60; three runs .6, .7, .9 have the mean .733 and the deviation .153."""
    got = judged(runs(0.6, 0.7, 0.9))
    by_hand = np.var([0.6, 0.7, 0.9], ddof=1) * (1 / 3 + 1)
    resolution = np.sqrt(4.302653**2 * by_hand + 1.959964**2 * 0.01**2 / 12)
    assert got["reproduced"] == pytest.approx(2.2 / 3)
    assert got["resolution"] == pytest.approx(resolution, rel=1e-6)
    assert (got["verdict"], got["judged by"], got["reason"]) == (
        "too coarse to tell",
        "spread of the runs",
        "",
    )


def test_a_cell_within_5_points_agrees_though_the_runs_spread():
    """Published .60; the runs have the mean .633."""
    got = judged(runs(0.5, 0.6, 0.8))
    assert (got["verdict"], got["judged by"], got["p"]) == ("agrees", "within 0.05", 1.0)


@pytest.mark.parametrize(("accuracy", "verdict"), [(0.65, "agrees"), (0.66, "differs")])
def test_runs_without_spread_are_judged_within_5_points(accuracy, verdict):
    got = judged(runs(accuracy, accuracy, accuracy))
    assert (got["verdict"], got["judged by"]) == (verdict, "within 0.05")
    assert got["resolution"] == 0.05
    assert got["reason"] == ("because" if verdict == "differs" else "")


def test_a_small_difference_is_judged_by_the_spread_if_that_suffices():
    got = judged(runs(0.595, 0.60, 0.61))
    assert (got["verdict"], got["judged by"]) == ("agrees", "spread of the runs")


def test_a_cell_with_fewer_than_two_runs_is_not_run():
    got = judged(runs(0.6))
    assert (got["verdict"], got["judged by"]) == ("not run", "")
    assert np.isnan(got["resolution"])


def test_the_table_of_tasks_is_judged_like_that_of_base_sets():
    frame = runs(0.22, 0.23, test_task="T1").drop(columns="base_set")
    found = published.compare("scenarios_table3", frame)
    assert found["verdict"].value_counts().to_dict() == {"not run": 63, "agrees": 1}
    assert found["published"].dtype == np.float64


def test_a_frame_without_the_columns_of_a_cell_is_refused():
    with pytest.raises(ValueError, match="frame must have the columns base_set; got"):
        published.compare("scenarios_table4", runs(0.5).drop(columns="base_set"))


def test_runs_become_a_frame_in_one_line():
    """The keys of the runs name the columns, the last row of each table holds the accuracies."""
    X, y = np.arange(42.0)[:, None], np.repeat([0, 1, 2], 14)
    names = ["assignment", "classifier", "scenario", "seed"]
    runs = {
        ("021", "ENS", name, seed): evaluate_scenario(NoChange(), scenario.build(X, y, "021", seed))
        for name, scenario in SCENARIOS.items()
        for seed in (0, 1)
    }
    parts = pd.concat(
        {key: run.table.loc["T2"] for key, run in runs.items()}, names=[*names, "part"]
    )
    frame = parts.rename("accuracy").reset_index()
    for table, part, cells in (
        ("scenarios_table3", "test_task", 8),
        ("scenarios_table4", "base_set", 11),
    ):
        found = published.compare(table, frame.rename(columns={"part": part}))
        ran = found[found["verdict"] != "not run"]
        assert len(ran) == cells
        assert set(ran["classifier"]) == {"ENS"}
