"""Scenarios as base sets: what each task presents, and what is wanted at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from repro._checks import check_kind
from repro.figures._axes import axes_or_new
from repro.figures.style import PALETTE, SMALL
from repro.scenarios.base_set import BaseSet
from repro.scenarios.scenario import Scenario

__all__ = ["plot_base_sets", "plot_scenario"]

RADIUS = 0.4  # of a disk; disks are 1 apart
GREY = "0.8"


def plot_scenario(scenario: Scenario, *, ax: Axes | None = None) -> Axes:
    """Every task of `scenario` in a column, and what is wanted after the last one.

    A disk is a base set, in the same row of all columns. Its colour is the label with which the
    task presents it: blue is the first label, orange the second. A dotted circle is a base set
    that the task does not present. After Fig. 1 of Szadkowski, Drchal and Faigl.
    """
    check_kind(scenario, Scenario, name="scenario")
    ax = axes_or_new(ax, (1.2 * scenario.n_tasks + 1.6, 0.9 * len(scenario.base_sets) + 0.6))
    columns = range(scenario.n_tasks)
    for row, base_set in enumerate(scenario.base_sets):
        labels = [*map(base_set.presented, columns), base_set.wanted(scenario.n_tasks - 1)]
        for column, label in enumerate(labels):
            _disk(ax, (column + 0.3 * (column == scenario.n_tasks), -row), base_set, label)
    at = [*columns, scenario.n_tasks + 0.3]
    ax.axvline(scenario.n_tasks - 0.35, color=GREY, linewidth=1)
    ax.set_xticks(at, [*scenario.task_names, "wanted"])
    _bare(ax, (-0.6, at[-1] + 0.6), (-len(scenario.base_sets) + 0.4, 0.6))
    return ax


def plot_base_sets(scenario: Scenario | None = None, *, ax: Axes | None = None) -> Axes:
    """The nine base sets of two tasks and two labels: what T1 presents, and what T2 presents.

    A row is a state in T1, a column a state in T2. Dashed borders enclose what T1 presents with a
    label, full ones what T2 presents with it; blue is the first label, orange the second. The base
    sets that are empty in `scenario` are grey; without a scenario, none is empty. After Fig. 2 of
    Szadkowski, Drchal and Faigl. Raises ValueError for a scenario of other than two tasks and two
    labels.
    """
    names: Iterable[str] | None = None
    if scenario is not None:
        check_kind(scenario, Scenario, name="scenario")
        if (scenario.n_tasks, scenario.n_labels) != (2, 2):
            got = f"{scenario.n_tasks} tasks and {scenario.n_labels} labels"
            raise ValueError(f"scenario must have two tasks and two labels; got {got}")
        names = (*scenario.base_set_names, "C00")
    ax = axes_or_new(ax, (3.6, 3.4))
    for label in (1, 2):
        color: dict[str, Any] = {"color": PALETTE[label - 1], "fill": False, "linewidth": 2}
        ax.add_patch(Rectangle((-0.47, label - 0.44), 2.94, 0.88, linestyle="--", **color))
        ax.add_patch(Rectangle((label - 0.38, -0.47), 0.76, 2.94, **color))
    for first in range(3):
        for second in range(3):
            name = f"C{first}{second}"
            shown = names is None or name in names
            text: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SMALL}
            ax.text(second, first, _math(name), color="black" if shown else GREY, **text)
    states = ["not presented", "label 1", "label 2"]
    ax.set_xticks(range(3), states)
    ax.set_yticks(range(3), states)
    ax.set(xlabel="in T2 (full line)", ylabel="in T1 (dashed)")
    _bare(ax, (-0.6, 2.6), (2.6, -0.6), yticks=True)
    return ax


def _disk(ax: Axes, at: tuple[float, float], base_set: BaseSet, label: int | None) -> None:
    if label is None:
        look: dict[str, Any] = {"fill": False, "edgecolor": GREY, "linestyle": ":"}
    else:
        look = {"facecolor": PALETTE[label % len(PALETTE)], "edgecolor": "none", "alpha": 0.75}
        ax.text(*at, _math(base_set.name), ha="center", va="center", fontsize=SMALL)
    ax.add_patch(Circle(at, RADIUS, label=base_set.name, **look))


def _math(name: str) -> str:
    """C10 as it is printed in the paper."""
    return f"$C_{{{','.join(name[1:])}}}$"


def _bare(
    ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float], yticks: bool = False
) -> None:
    """Axes without frame, grid and tick marks, on which disks are round."""
    ax.set(xlim=xlim, ylim=ylim)
    ax.set_aspect("equal")
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    if not yticks:
        ax.set_yticks([])
