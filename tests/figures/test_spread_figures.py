"""Heat maps, boxes and strips: what is drawn of each number, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro import figures

TABLE = pd.DataFrame({"NB": [1.0, -2.0], "DWM": [np.nan, 0.25]}, index=["NSGT", "window=100"])


def cells(ax):
    """The colours of the cells, row by row; one that is empty is masked."""
    mesh = ax.collections[0]
    return mesh.get_array(), mesh.cmap(mesh.norm(mesh.get_array()))


def test_a_heatmap_writes_each_number_into_its_cell_and_leaves_nan_empty():
    ax = figures.plot_heatmap(TABLE, decimals=2)
    assert [text.get_text() for text in ax.texts] == ["1.00", "-2.00", "0.25"]
    assert [text.get_position() for text in ax.texts] == [(0.5, 0.5), (0.5, 1.5), (1.5, 1.5)]
    assert cells(ax)[0].mask.ravel().tolist() == [False, True, False, False]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["NSGT", "w = 100"]


def test_a_number_that_rounds_to_0_has_no_sign():
    assert figures.plot_heatmap(pd.DataFrame({"a": [-0.01]})).texts[0].get_text() == "0.0"


def test_numbers_equally_far_from_the_center_have_equally_strong_colours():
    ax = figures.plot_heatmap(pd.DataFrame({"a": [-2.0, 0.0, 2.0, 1.0]}), center=0)
    colors = cells(ax)[1].reshape(4, 4)[:, :3]
    pale = colors.min(axis=1)
    assert pale[1] > pale[3] > max(pale[0], pale[2])
    assert colors[0, 2] > colors[0, 0]  # blue below
    assert colors[2, 0] > colors[2, 2]  # red above


def test_colours_end_at_the_reach():
    ax = figures.plot_heatmap(TABLE, center=1, reach=0.5)
    assert ax.collections[0].get_clim() == (0.5, 1.5)
    assert figures.plot_heatmap(TABLE, center=0).collections[0].get_clim() == (-2.0, 2.0)


def test_a_table_without_a_number_is_drawn():
    ax = figures.plot_heatmap(pd.DataFrame({"a": [np.nan]}), center=0)
    assert list(ax.texts) == []
    assert ax.collections[0].get_clim() == (-1.0, 1.0)


def test_a_box_has_the_quartiles_and_its_whiskers_nine_tenths():
    numbers = np.arange(101.0)
    ax = figures.plot_boxes(pd.DataFrame({"NB": numbers, "DWM": numbers + 100}), xlabel="delay")
    ends = [line.get_xdata() for line in ax.lines]
    whiskers = [sorted(end) for end in ends if len(end) == 2 and len(set(end)) == 2]
    assert whiskers == [[5.0, 25.0], [75.0, 95.0], [105.0, 125.0], [175.0, 195.0]]
    assert {50.0, 150.0} <= {end[0] for end in ends if len(set(end)) == 1}  # the medians
    assert ax.get_xlabel() == "delay"
    assert [text.get_text() for text in ax.get_yticklabels()] == ["NB", "DWM"]


def test_a_strip_has_a_point_for_each_row_side_by_side():
    frame = pd.DataFrame(
        {"scenario": ["ADD", "ADD", "SEP"], "accuracy": [0.1, 0.2, 0.3], "net": ["A", "B", "A"]}
    )
    ax = figures.plot_strip(frame, x="scenario", y="accuracy", hue="net", ylabel="Accuracy")
    points = np.concatenate([drawn.get_offsets() for drawn in ax.collections])
    assert sorted(points[:, 1].tolist()) == [0.1, 0.2, 0.3]
    by_height = points[points[:, 1].argsort()]
    assert by_height[0, 0] < 0 < by_height[1, 0]
    assert by_height[2, 0] == pytest.approx(by_height[0, 0] + 1)
    assert ax.get_legend_handles_labels()[1] == ["A", "B"]
    assert ax.get_legend() is None
    assert [text.get_text() for text in ax.get_xticklabels()] == ["ADD", "SEP"]
    assert ax.get_xlim() == (-0.5, 1.5)
    lying = figures.plot_strip(frame, x="accuracy", y="scenario", hue="net")
    assert lying.get_ylim() == (1.5, -0.5)  # the first name at the top


def test_names_stand_at_their_points_whatever_their_type_says_of_their_order():
    """A categorical column has an order of its own, which is not that of the labels."""
    frame = pd.DataFrame(
        {"x": pd.Categorical(["q", "p"], ["p", "q"]), "y": [1.0, 2.0], "net": ["A", "A"]}
    )
    ax = figures.plot_strip(frame, x="x", y="y", hue="net")
    points = np.concatenate([drawn.get_offsets() for drawn in ax.collections])
    names = [text.get_text() for text in ax.get_xticklabels()]
    at = dict(zip(names, ax.get_xticks(), strict=True))
    assert {(at["q"], 1.0), (at["p"], 2.0)} == {(round(x), y) for x, y in points.tolist()}


def test_colours_of_a_table_without_a_center_go_from_its_least_to_its_greatest_number():
    assert figures.plot_heatmap(TABLE).collections[0].get_clim() == (-2.0, 1.0)
    infinite = pd.DataFrame({"a": [np.inf, 3.0, 1.0]})
    assert figures.plot_heatmap(infinite).collections[0].get_clim() == (1.0, 3.0)


def test_they_draw_on_the_given_axes():
    frame = TABLE.reset_index(names="stream")
    for draw, given in (
        (figures.plot_heatmap, {"table": TABLE}),
        (figures.plot_boxes, {"table": TABLE}),
        (figures.plot_strip, {"frame": frame, "x": "NB", "y": "stream", "hue": "stream"}),
    ):
        ax = figures.panels(["title"])[0]
        assert draw(**given, ax=ax) is ax


@pytest.mark.parametrize(
    ("draw", "given", "message"),
    [
        (figures.plot_heatmap, {"table": pd.DataFrame()}, "table must have at least one column"),
        (figures.plot_heatmap, {"table": TABLE, "reach": 1.0}, "reach must be None without a cen"),
        (figures.plot_heatmap, {"table": TABLE, "center": 0, "reach": -1.0}, "reach must be fin"),
        (figures.plot_heatmap, {"table": TABLE, "decimals": 1.5}, "decimals must be a whole num"),
        (
            figures.plot_boxes,
            {"table": pd.DataFrame({"a": ["x"]})},
            "table must hold numbers in the c",
        ),
        (
            figures.plot_heatmap,
            {"table": TABLE[:0]},
            r"table must have at least one row; got shape",
        ),
        (
            figures.plot_boxes,
            {"table": TABLE / 0},
            "table must hold finite numbers or nan; got inf",
        ),
        (figures.plot_strip, {"frame": TABLE, "x": "NB", "y": "a", "hue": "NB"}, "frame must .*a"),
        (
            figures.plot_strip,
            {"frame": TABLE, "x": "NB", "y": "DWM", "hue": "NB"},
            "x and y must be a column of numbers and one of names; got NB and DWM",
        ),
        (
            figures.plot_strip,
            {"frame": TABLE.assign(s=["a", None]), "x": "NB", "y": "s", "hue": "NB"},
            "frame must have a name in each row of s; got a missing one",
        ),
        (
            figures.plot_strip,
            {"frame": TABLE.assign(s="a")[:0], "x": "NB", "y": "s", "hue": "s"},
            "frame must have at least one row; got none",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        draw(**given)
