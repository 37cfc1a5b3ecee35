"""Scenarios drawn from their definitions: every disk and border is where the states say."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import same_color
from matplotlib.patches import Circle, Rectangle

from repro import figures
from repro.figures.style import PALETTE
from repro.scenarios import SCENARIOS, Scenario

every_scenario = pytest.mark.parametrize(
    "scenario",
    [*SCENARIOS.values(), Scenario(["C120", "C002", "C311"])],
    ids=[*SCENARIOS, "three tasks"],
)


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@every_scenario
def test_a_disk_has_the_colour_of_the_label_that_a_task_presents(scenario):
    ax = figures.plot_scenario(scenario)
    disks = [patch for patch in ax.patches if isinstance(patch, Circle)]
    by_set = {s.name: [d for d in disks if d.get_label() == s.name] for s in scenario.base_sets}
    for row, base_set in enumerate(scenario.base_sets):
        *tasks, wanted = by_set[base_set.name]
        assert [disk.center[0] for disk in tasks] == list(range(scenario.n_tasks))
        assert {disk.center[1] for disk in (*tasks, wanted)} == {-row}
        for disk, state in zip(tasks, base_set.states, strict=True):
            assert disk.get_fill() == (state > 0)
            color = PALETTE[state - 1] if state else "none"
            assert same_color(disk.get_facecolor()[:3] if state else "none", color)
        assert same_color(
            wanted.get_facecolor()[:3], PALETTE[base_set.wanted(scenario.n_tasks - 1)]
        )
    names = [text.get_text() for text in ax.get_xticklabels()]
    assert names == [*scenario.task_names, "wanted"]


def test_borders_enclose_the_base_sets_that_a_task_presents():
    """Dashed for T1, full for T2; in the colour of the label."""
    ax = figures.plot_base_sets()
    names = {text.get_text(): text.get_position() for text in ax.texts}
    assert len(names) == 9
    borders = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
    for border in borders:
        task = 0 if border.get_linestyle() == "--" else 1
        label = 1 if same_color(border.get_edgecolor(), PALETTE[0]) else 2
        (left, bottom), width, height = border.get_xy(), border.get_width(), border.get_height()
        inside = {
            name
            for name, (x, y) in names.items()
            if left < x < left + width and bottom < y < bottom + height
        }
        assert inside == {name for name in names if name[4::2][task] == str(label)}
    assert len(borders) == 4


def test_empty_base_sets_are_grey():
    ax = figures.plot_base_sets(SCENARIOS["SEP"])
    black = {text.get_text() for text in ax.texts if text.get_color() == "black"}
    assert black == {"$C_{0,0}$", "$C_{1,0}$", "$C_{0,2}$", "$C_{1,2}$"}
    assert figures.plot_base_sets(ax=ax) is ax
    assert figures.plot_scenario(SCENARIOS["SEP"], ax=ax) is ax


def test_other_things_are_refused():
    with pytest.raises(TypeError, match="scenario must be a Scenario; got 'SEP'"):
        figures.plot_scenario("SEP")
    with pytest.raises(TypeError, match="scenario must be a Scenario; got 'SEP'"):
        figures.plot_base_sets("SEP")
    with pytest.raises(
        ValueError, match="scenario must have two tasks and two labels; got 3 tasks"
    ):
        figures.plot_base_sets(Scenario(["C120", "C002"]))
