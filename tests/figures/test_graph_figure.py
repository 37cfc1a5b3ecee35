"""Graphical models, and an axis that starts at 0: what is drawn where, and what is refused."""

from __future__ import annotations

import pandas as pd
import pytest
from matplotlib.colors import to_rgba

from repro import figures

NODES = {"$x_t$": (1, 0), "$y_t$": (1, 1), "$y_{t-1}$": (0, 1)}
EDGES = [("$y_{t-1}$", "$y_t$"), ("$y_t$", "$x_t$")]


def test_a_variable_is_a_circle_at_its_place_and_grey_if_it_is_observed():
    ax = figures.plot_graph(NODES, EDGES, observed=["$x_t$", "$y_{t-1}$"])
    drawn = {line.get_label(): line for line in ax.lines}
    assert {name: (line.get_xdata()[0], line.get_ydata()[0]) for name, line in drawn.items()} == {
        name: (float(x), float(y)) for name, (x, y) in NODES.items()
    }
    grey = {name for name, line in drawn.items() if to_rgba(line.get_markerfacecolor())[0] < 1}
    assert grey == {"$x_t$", "$y_{t-1}$"}


def test_an_arrow_leads_from_the_first_variable_of_an_edge_to_the_second():
    ax = figures.plot_graph(NODES, EDGES)
    arrows = [text for text in ax.texts if text.arrow_patch is not None]
    assert [(a.xyann, a.xy) for a in arrows] == [((0, 1), (1, 1)), ((1, 1), (1, 0))]
    assert [t.get_text() for t in ax.texts if t.arrow_patch is None] == list(NODES)


def test_it_draws_on_the_given_axes():
    ax = figures.panels(["model"])[0]
    assert figures.plot_graph(NODES, EDGES, ax=ax) is ax


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edges": [("$y_t$", "z")]}, "edges must name nodes among .*; got z"),
        ({"edges": [("$y_t$",)]}, "edges must be pairs of nodes; got"),
        ({"observed": ["z"]}, "observed must name nodes among .*; got z"),
        ({"nodes": {"a": 1.0}, "edges": []}, r"nodes must map names to a place \(x, y\); got 1.0"),
    ],
)
def test_what_is_not_in_the_graph_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        figures.plot_graph(**{"nodes": NODES, "edges": EDGES} | change)


def test_a_horizontal_axis_that_is_logarithmic_but_for_its_start_has_plain_numbers():
    """As with labels back: 0, 1, 2, 5, 10, 48."""
    table = pd.Series([3.0, 2.0, 1.0], [0, 1, 48], name="NB")
    ax = figures.plot_points(table, xscale="symlog", xlim=(0, 60))
    ax.get_figure().canvas.draw()
    shown = [label.get_text() for label in ax.get_xticklabels()]
    assert {"0", "1", "2", "5", "10", "20", "50"} <= set(shown)
