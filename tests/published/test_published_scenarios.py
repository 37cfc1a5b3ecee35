"""Published accuracies of scenarios: read, and judged as one more run of ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro import evaluate_scenario, published
from repro.learners import NoChange
from repro.published.means import ScenarioAccuracies
from repro.scenarios import SCENARIOS
from repro.seeds import generator

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


def test_a_cell_is_judged_as_one_more_run():
    """Published .60, so .595 to .61; three runs .6, .7, .9 have the mean .733."""
    got = judged(runs(0.6, 0.7, 0.9))
    by_hand = np.var([0.6, 0.7, 0.9], ddof=1) * (1 / 3 + 1)
    resolution = np.sqrt(4.302653**2 * by_hand + 1.959964**2 * 0.015**2 / 12)
    assert got["reproduced"] == pytest.approx(2.2 / 3)
    assert got["difference"] == pytest.approx(2.2 / 3 - 0.6025)
    assert got["published"] == 0.6
    assert got["resolution"] == pytest.approx(resolution, rel=1e-6)
    assert got["verdict"] == "too coarse to tell"
    assert "no number of our runs would tell" in got["reason"]  # 1.96 s.d. of one run exceed .05


@pytest.mark.parametrize(
    ("accuracies", "verdict"),
    [
        ((0.60, 0.605, 0.61), "agrees"),  # the published run is one of them
        ((0.70, 0.705, 0.71), "differs"),  # far outside of them
        ((0.595, 0.595, 0.595), "agrees"),  # no spread: what .60 can stand for
        ((0.610, 0.610, 0.610), "agrees"),  # cut off
        ((0.594, 0.594, 0.594), "differs"),
        ((0.611, 0.611, 0.611), "differs"),
    ],
)
def test_a_published_run_lies_among_ours_or_not(accuracies, verdict):
    got = judged(runs(*accuracies))
    assert got["verdict"] == verdict
    assert got["reason"] == ("because" if verdict == "differs" else "")


def test_a_published_run_of_the_same_network_differs_in_one_case_of_twenty():
    """Whatever the spread: the number is drawn as our runs are, and cut off."""
    rng, differ = generator(5, "one more run"), 0
    numbers = published.read("scenarios_table4")
    table = ScenarioAccuracies("scenarios_table4", part="base_set", decimals=2)
    for _ in range(8):
        mean, spread = rng.uniform(0.3, 0.7, len(numbers)), rng.uniform(0.01, 0.05, len(numbers))
        drawn = mean[:, None] + spread[:, None] * rng.standard_normal((len(numbers), 7))
        printed = numbers.assign(published=np.floor(100 * drawn[:, 0]) / 100)
        ours = [printed.assign(accuracy=accuracy) for accuracy in drawn[:, 1:].T]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(ScenarioAccuracies, "read", lambda _, printed=printed: printed)
            differ += (table.judged(pd.concat(ours))["verdict"] == "differs").sum()
    n = 8 * len(numbers)
    assert abs(differ - 0.05 * n) < 3 * np.sqrt(0.05 * 0.95 * n)


def test_a_cell_with_fewer_than_two_runs_is_not_run():
    got = judged(runs(0.6))
    assert got["verdict"] == "not run"
    assert np.isnan(got["resolution"])


def test_the_table_of_tasks_is_judged_like_that_of_base_sets():
    frame = runs(0.22, 0.222, 0.224, 0.23, test_task="T1").drop(columns="base_set")
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
