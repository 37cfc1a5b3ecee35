"""Axes hold the data they were given, and the axes passed in are those that come back."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from repro import TESTBED, figures
from repro.figures import style


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def test_plot_error_draws_percent_one_line_a_curve_and_marks_the_truth():
    curves = {"NB": [0.5, 0.25, 0.25], "SGD": [0.1, 0.2, 0.3]}
    ax = figures.plot_error(curves, drift_at=[1], bayes=[0.0, 0.1, 0.1], every=1)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [50, 25, 25])
    bayes, drift = ax.lines[2], ax.lines[3]
    assert (bayes.get_linestyle(), drift.get_linestyle()) == ("--", ":")
    assert list(drift.get_xdata()) == [1, 1]
    assert ax.get_legend_handles_labels()[1] == ["NB", "SGD", "Bayes error", "drift"]
    assert figures.plot_error({}, ax=ax) is ax


def test_drifts_are_dotted_alarms_have_a_triangle_and_each_is_once_in_the_legend():
    ax = figures.plot_error({})
    assert figures.mark_drifts(ax, [5, np.nan, 6]) is ax
    assert figures.mark_alarms(ax, [7, 9]) is ax
    marks = [line for line in ax.lines if len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in marks] == [[5, 5], [6, 6], [7, 7], [9, 9]]
    assert [line.get_linestyle() for line in marks] == [":", ":", "-", "-"]
    assert [line.get_marker() for line in marks] == ["None", "None", "v", "v"]
    assert ax.get_legend_handles_labels()[1] == ["drift", "alarm"]


def test_alarms_of_curves_have_their_colours_and_a_missing_one_is_not_drawn():
    ax = figures.plot_error({"A": [0.1, 0.2], "B": [0.2, 0.3]}, every=1)
    figures.mark_alarms(ax, {"B": [5, 6], "A": np.nan})
    marks = [line for line in ax.lines if line.get_marker() == "v" and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in marks] == [[5, 5], [6, 6]]
    assert {line.get_color() for line in marks} == {ax.lines[1].get_color()}
    with pytest.raises(ValueError, match="alarms must map labels of curves in ax; got 'C'"):
        figures.mark_alarms(ax, {"C": [5]})


@pytest.mark.parametrize("mark", [figures.mark_drifts, figures.mark_alarms])
def test_marks_are_drawn_into_axes_only(mark):
    with pytest.raises(TypeError, match="ax must be matplotlib Axes; got 'x'"):
        mark("x", [])


def test_without_alarms_there_is_no_entry_for_them():
    ax = figures.mark_alarms(figures.plot_error({}), [])
    assert ax.get_legend_handles_labels()[1] == []


def test_a_level_is_a_line_or_a_band_and_once_in_the_legend():
    ax = figures.plot_points(pd.Series([1.0, 2.0], [0, 1], name="NB"))
    assert figures.mark_level(ax, 1.5, label="best") is ax
    figures.mark_level(ax, 1.0, kind="published", reach=0.25, label="published")
    figures.mark_level(ax, 1.2, kind="learner", label="DDM")
    assert list(ax.lines[1].get_ydata()) == [1.5, 1.5]
    assert (ax.patches[0].get_y(), ax.patches[0].get_height()) == (0.75, 0.5)
    assert ax.lines[3].get_color() == style.pick_colors(ax, ["DDM"])[0]
    assert ax.get_legend_handles_labels()[1] == ["NB", "best", "published", "DDM"]
    with pytest.raises(ValueError, match=r"kind must be one of optimum, .*; got 'none'"):
        figures.mark_level(ax, 0, kind="none")


def test_marked_points_have_a_ring():
    ax = figures.mark_points(figures.plot_error({}), 1, 2, label="chosen")
    assert ax.lines[0].get_xydata().tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="x and y must have the same length; got"):
        figures.mark_points(ax, [1, 2], [1])


def test_images_stand_in_rows_with_a_gap():
    ax = figures.plot_images(
        [[0.1, 0.2, 0.3, 0.4], [0.5, 0.6, 0.7, 0.8], [1, 1, 1, 1]], height=2, columns=2
    )
    drawn = ax.images[0].get_array()
    assert drawn.shape == (5, 5)
    np.testing.assert_array_equal(drawn[:2, :2], [[0.1, 0.2], [0.3, 0.4]])
    np.testing.assert_array_equal(drawn[:2, 3:], [[0.5, 0.6], [0.7, 0.8]])
    np.testing.assert_array_equal(drawn[3:, :2], 1)
    assert not drawn[2].any()
    assert not drawn[:, 2].any()
    assert not drawn[3:, 3:].any()
    with pytest.raises(ValueError, match="height must divide the 4 pixels of an image; got 3"):
        figures.plot_images([[0.1, 0.2, 0.3, 0.4]], height=3)


def test_means_are_points_beside_each_other_with_their_spread():
    table = pd.DataFrame({"time": [1.0, 2.0], "speed": [3.0, np.nan]}, index=["NB", "HT"])
    ax = figures.plot_means(table, error_bars=[[0.1, 0.2], [0.3, 0.4]], ylabel="Accuracy")
    points = [line for line in ax.lines if len(line.get_xdata()) == 2]
    np.testing.assert_array_equal([line.get_ydata() for line in points], table.T)
    assert (points[1].get_xdata() > points[0].get_xdata()).all()
    bars = [c.get_segments() for c in ax.collections]
    np.testing.assert_allclose([b[0][:, 1] for b in bars], [[0.9, 1.1], [2.8, 3.2]])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["NB", "HT"]
    assert ax.get_legend_handles_labels()[1] == ["time", "speed"]
    with pytest.raises(ValueError, match="table must have at least one column; got shape"):
        figures.plot_means(pd.DataFrame(index=[0]))


def test_curves_are_drawn_at_their_positions_from_start_to_stop():
    x = np.arange(10) / 2
    ax = figures.plot_curves({"Q": np.arange(10)}, x=x, start=2, stop=7, every=2, ylabel="Q")
    assert ax.lines[0].get_xydata().tolist() == [[1, 2], [2, 4], [3, 6]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("Examples seen", "Q")
    with pytest.raises(ValueError, match="x must have one number per value, 3; got 10"):
        figures.plot_curves({"Q": [1, 2, 3]}, x=x)


def test_options_of_the_axes_are_those_listed():
    ax = figures.plot_curves({"a": [1, 2]}, ylim=(0, 3), xscale="log", xlabel="t")
    assert (ax.get_ylim(), ax.get_xscale(), ax.get_xlabel()) == ((0, 3), "log", "t")
    with pytest.raises(TypeError, match=r"options of the axes must be among xscale, .*; got title"):
        figures.plot_curves({}, title="a")
    with pytest.raises(ValueError, match="ylim must be a lower and an upper end; got 1"):
        figures.plot_curves({}, ylim=1)
    with pytest.raises(ValueError, match="xscale must be one of linear, log, symlog; got 'cube'"):
        figures.plot_curves({}, xscale="cube")


def test_plot_points_draws_a_column_against_the_index_with_its_error_bars():
    table = pd.DataFrame({"A": [1.0, np.nan, 3.0], "B": [2.0, 2.0, 2.0]}, index=[10, 20, 30])
    ax = figures.plot_points(table, error_bars=table / 10)
    drawn = [bars.lines[0].get_xydata().tolist() for bars in ax.containers]
    assert drawn == [[[10, 1], [30, 3]], [[10, 2], [20, 2], [30, 2]]]
    np.testing.assert_allclose(ax.containers[0].lines[2][0].get_segments()[1][:, 1], [2.7, 3.3])
    assert ax.get_legend_handles_labels()[1] == ["A", "B"]
    assert figures.plot_points(table, ax=ax, line="", marker="") is ax
    with pytest.raises(ValueError, match=r"error_bars must have the shape of table, \(3, 2\); got"):
        figures.plot_points(table, error_bars=[1.0])
    with pytest.raises(ValueError, match=r"marker must be one of , o, .*; got 'heart'"):
        figures.plot_points(table, marker="heart")
    with pytest.raises(ValueError, match=r"line must be one of -, --, -\., :, ; got 'x'"):
        figures.plot_points(table, line="x")


def test_error_bars_are_found_by_the_name_of_their_column():
    table = pd.DataFrame({"A": [1.0], "B": [2.0]})
    ax = figures.plot_points(table, error_bars=pd.DataFrame({"B": [0.2], "A": [0.1]}))
    (bar,) = ax.containers[0].lines[2][0].get_segments()
    np.testing.assert_allclose(bar[:, 1], [0.9, 1.1])


def test_a_learner_has_its_colour_in_every_figure_and_no_colour_is_used_twice():
    ax = figures.plot_error({"my learner": [0.1], "NB": [0.2], "other": [0.3]}, every=1)
    mine, nb, other = (line.get_color() for line in ax.lines)
    assert nb == figures.plot_excess({"NB": [0.1]}).lines[0].get_color()
    assert len({mine, nb, other}) == 3
    figures.plot_error({"third": [0.1]}, every=1, ax=ax)
    assert ax.lines[3].get_color() not in {mine, nb, other}
    assert len(style.MARKERS) == len(style.PALETTE) == len(set(style.PALETTE))


def test_named_curves_look_alike_everywhere_and_differ_in_more_than_colour():
    named = list(style._NAMED.items())
    assert {a for a, look in named for b, other in named if a < b and look == other} == {"Optimal"}
    ax = figures.plot_error({"SGD": [0.1], "naive": [0.2], "NB": [0.2]}, every=1)
    points = figures.plot_points(pd.Series([1.0, 2.0], [0, 1], name="NB")).lines[0]
    nb, looks = ax.lines[2], style._NAMED
    assert (nb.get_color(), nb.get_linestyle()) == looks["NB"][:2]
    assert (points.get_color(), points.get_linestyle(), points.get_marker()) == looks["NB"]
    assert ax.lines[0].get_linestyle() == looks["SGD"].line != nb.get_linestyle()


def test_a_name_keeps_its_look_in_all_panels_of_a_figure():
    first, second = figures.panels(["one", "two"])
    figures.plot_error({"a": [0.1], "b": [0.2]}, every=1, ax=first)
    figures.plot_error({"c": [0.1], "b": [0.2]}, every=1, ax=second)
    (a, b), (c, again) = ([line.get_color() for line in ax.lines] for ax in (first, second))
    assert again == b
    assert len({a, b, c}) == 3


def test_estimates_that_forget_look_by_their_memory():
    names = ["w = 1000", "window=1000", "α = 0.998", "PH on alpha=0.9980", "w = 5000"]
    looks = style.pick_looks(plt.subplots()[1], names)
    assert looks[0] == looks[1]
    assert looks[2] == looks[3] == looks[0]._replace(line="--")
    assert looks[4].color != looks[0].color
    assert style.pick_looks(plt.subplots()[1], ["α = 1"])[0].line == "-"


def test_labels_have_one_notation():
    ax = figures.plot_curves({"window=50": [1, 2], "alpha=0.990": [2, 3]}, ylabel="κ_per")
    assert ax.get_legend_handles_labels()[1] == ["w = 50", "α = 0.99"]
    assert ax.get_ylabel() == "κ$_{per}$"
    assert figures.panels(["κ_m"])[0].get_title() == "κ$_{m}$"
    figures.mark_alarms(ax, {"window=50": [1]})


def test_a_logarithmic_axis_has_numbers_to_read():
    ax = figures.plot_excess({"NB": [0.5, 0.01]}, every=1, yscale="symlog", ylim=(0, None))
    ax.figure.draw_without_rendering()
    assert {"0", "2", "20", "50"} <= {text.get_text() for text in ax.get_yticklabels()}
    ax = figures.plot_curves({"NB": [15, 40]}, yscale="log")
    ax.figure.draw_without_rendering()
    assert {"20", "30"} <= {text.get_text() for text in ax.get_yticklabels()}


def test_the_theme_is_that_of_new_axes_and_leaves_the_settings_alone():
    before = dict(plt.rcParams)
    ax = figures.plot_error({"NB": [0.1]})
    assert dict(plt.rcParams) == before
    assert not ax.spines["top"].get_visible()
    mine = plt.subplots()[1]
    assert figures.plot_error({"NB": [0.1]}, ax=mine).spines["top"].get_visible()


def test_what_takes_long_to_load_waits_until_it_is_used():
    slow = {"matplotlib", "seaborn", "scipy.stats", "scipy.signal", "scipy.optimize"}
    code = f"import sys, repro, repro.learners; print({slow} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


def test_plot_bands_draws_a_line_and_what_surrounds_it():
    pairs = {"P": ([0.5, 0.25], [0.1, 0.0]), "Bayes": ([0.2, 0.2], 0.0)}
    ax = figures.plot_bands([10, 20], pairs)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [50, 25])
    assert list(ax.lines[1].get_xdata()) == [10, 20]
    (band,) = ax.collections
    corners = {(x, round(y, 9)) for x, y in band.get_paths()[0].vertices}
    assert corners == {(10, 40), (10, 60), (20, 25)}
    assert figures.plot_bands([0], {}, ax=ax) is ax


def test_a_band_may_have_ends_of_its_own_in_its_own_unit():
    ax = figures.plot_bands([10, 20], {"kappa": ([0, 0], [-3, -2], [1, 1])}, percent=False)
    corners = {tuple(corner) for corner in ax.collections[0].get_paths()[0].vertices}
    assert corners == {(10, -3), (20, -2), (20, 1), (10, 1)}


def test_curves_are_thinned_from_their_start():
    ax = figures.plot_error({"NB": np.arange(100) / 100}, start=10, every=30)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [10, 40, 70])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [10, 40, 70])


def test_an_excess_below_zero_is_in_the_picture():
    ax = figures.plot_excess({"NB": [0.1, -0.2]}, every=1)
    assert ax.get_ylim()[0] < -20
    assert figures.plot_excess({}, ax=ax) is ax


def test_plot_mixture_draws_an_ellipse_for_each_present_component_and_time():
    """At t = 0 NSCX has A1 and A2 only; later B as well."""
    ax = figures.plot_mixture(TESTBED["NSCX"], times=[0, 5000])
    assert len(ax.patches) == 2 + 3
    a1 = ax.patches[0]
    np.testing.assert_allclose(a1.center, (0, 0))
    # Two standard deviations to each side: variances 2.5 and 1.
    np.testing.assert_allclose(sorted([a1.width, a1.height]), [4, 4 * np.sqrt(2.5)])
    assert a1.angle % 180 == pytest.approx(30)
    assert figures.plot_mixture(TESTBED["NSCX"], times=[0], ax=ax) is ax


def test_plot_mixture_shows_the_examples_of_the_stream():
    stream = TESTBED["NSGT"].sample(seed=0, n=50)
    ax = figures.plot_mixture(TESTBED["NSGT"], times=[0], stream=stream)
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), stream.X)


def test_plot_mixture_needs_two_dimensions():
    with pytest.raises(ValueError, match="mixture must have two dimensions; got 5"):
        figures.plot_mixture(TESTBED["NSGT-5D"], times=[0])


def test_plot_agreement_has_a_point_for_every_cell_that_was_run():
    frame = pd.DataFrame(
        {
            "stream": ["S", "S", "T"],
            "learner": ["A", "B", "A"],
            "difference": [0.1, -3.0, np.nan],
            "resolution": [0.4, 1.0, np.nan],
            "verdict": ["agrees", "differs", "not run"],
        }
    )
    ax = figures.plot_agreement(frame)
    points = np.concatenate([bars.lines[0].get_xdata(orig=False) for bars in ax.containers])
    np.testing.assert_allclose(points, [0.1, -3.0])
    bar = ax.containers[1].lines[2][0].get_segments()[0]
    np.testing.assert_allclose(bar[:, 0], [-4.0, -2.0])
    rings = np.concatenate(
        [line.get_xdata(orig=False) for line in ax.lines if line.get_markersize() == 10]
    )
    np.testing.assert_allclose(rings, [-3.0])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["S", "T"]
    assert figures.plot_agreement(frame, ax=ax) is ax


def test_panels_have_letters_and_titles_and_a_single_one_has_no_letter():
    axes = figures.panels(["NSGT", "NSGR", "NSLC", "NSCX"], columns=3)
    assert [ax.get_title() for ax in axes] == ["a) NSGT", "b) NSGR", "c) NSLC", "d) NSCX"]
    assert len(axes[0].figure.axes) == 4
    assert figures.panels(["NSGT"])[0].get_title() == "NSGT"
    with pytest.raises(ValueError, match="titles must hold at least one title; got none"):
        figures.panels([])


def test_the_shared_legend_has_each_label_of_any_panel_once_and_fits():
    axes = figures.panels(["one", "two"], size=(3, 2))
    figures.plot_error({"NB": [0.1], "a learner with a long name": [0.2]}, ax=axes[0])
    figures.plot_error({"NB": [0.1]}, bayes=[0.1], ax=axes[1])
    figure = figures.shared_legend(axes[1])
    legend = figure.legends[0]
    labels = ["NB", "a learner with a long name", "Bayes error"]
    assert [text.get_text() for text in legend.get_texts()] == labels
    figure.canvas.draw()
    assert legend.get_window_extent().width <= figure.bbox.width


def test_a_note_stands_above_everything_else_in_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_OUTPUT", str(tmp_path))
    axes = figures.panels(["A", "B"])
    figures.save(axes[0], "01_plain")
    assert axes[0].figure.get_suptitle() == ""
    figures.save(axes[0], "01_noted", note="A stand-in")
    assert axes[0].figure.get_suptitle() == "A stand-in"
    plain, noted = ((tmp_path / f"figures/01_{n}.png").read_bytes() for n in ("plain", "noted"))
    assert plain != noted


def test_a_bar_below_the_floor_is_cut_and_its_value_written():
    table = pd.DataFrame({"kappa": [0.5, -7.25], "other": [np.nan, 0.1]}, index=["NB", "HT"])
    ax = figures.plot_measures(table, error_bars=table.abs() / 10)
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_equal(heights, [0.5, -1.0, np.nan, 0.1])
    assert [text.get_text() for text in ax.texts] == ["-7.2"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["NB", "HT"]


@pytest.mark.parametrize("backend", ["module://matplotlib_inline.backend_inline", "agg"])
def test_a_saved_figure_is_closed_only_where_a_notebook_would_show_it_twice(
    tmp_path, monkeypatch, backend
):
    monkeypatch.setenv("REPRO_OUTPUT", str(tmp_path))
    figure, _ = plt.subplots()
    monkeypatch.setattr(matplotlib, "get_backend", lambda: backend)
    figures.save(figure, "01_figure_1")
    assert plt.fignum_exists(figure.number) == (backend == "agg")
