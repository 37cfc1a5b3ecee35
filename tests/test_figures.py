"""Axes hold the data they were given, and the axes passed in are those that come back."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from repro import TESTBED, figures


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
    assert ax.get_legend_handles_labels()[1] == ["NB", "SGD", "Bayes error"]
    assert figures.plot_error({}, ax=ax) is ax


def test_changes_are_dotted_where_true_and_solid_where_detected():
    ax = figures.plot_error({})
    assert figures.mark_changes(ax, drift_at=[5], alarms=[7, 9]) is ax
    assert [list(line.get_xdata()) for line in ax.lines] == [[5, 5], [7, 7], [9, 9]]
    assert [line.get_linestyle() for line in ax.lines] == [":", "-", "-"]


def test_plot_bands_draws_a_line_and_what_surrounds_it():
    pairs = {"P": ([0.5, 0.25], [0.1, 0.0]), "Bayes": ([0.2, 0.2], 0.0)}
    ax = figures.plot_bands([10, 20], pairs)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [50, 25])
    assert list(ax.lines[1].get_xdata()) == [10, 20]
    (band,) = ax.collections
    corners = {(x, round(y, 9)) for x, y in band.get_paths()[0].vertices}
    assert corners == {(10, 40), (10, 60), (20, 25)}
    assert figures.plot_bands([0], {}, ax=ax) is ax


def test_curves_are_thinned_from_the_start_that_is_asked_for():
    ax = figures.plot_error({"NB": np.arange(100) / 100}, start=10, every=30)
    np.testing.assert_array_equal(ax.lines[0].get_xdata(), [10, 40, 70])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [10, 40, 70])


def test_an_excess_below_zero_is_in_the_picture():
    ax = figures.plot_excess({"NB": [0.1, -0.2]}, every=1)
    assert ax.get_ylim()[0] < -20
    assert figures.plot_excess({}, ax=ax) is ax


def test_plot_mixture_draws_an_ellipse_for_each_living_component_and_time():
    """At t = 0 NSCX has A1 and A2 only; later B as well."""
    ax = figures.plot_mixture(TESTBED["NSCX"], times=[0, 5000])
    assert len(ax.patches) == 2 + 3
    a1 = ax.patches[0]
    np.testing.assert_allclose(a1.center, (0, 0))
    # Two standard deviations to each side: variances 2.5 and 1.
    np.testing.assert_allclose(sorted([a1.width, a1.height]), [4, 4 * np.sqrt(2.5)])
    assert a1.angle % 180 == pytest.approx(30)
    assert figures.plot_mixture(TESTBED["NSCX"], times=[0], ax=ax) is ax


def test_plot_mixture_shows_the_examples_of_the_stream_it_is_given():
    stream = TESTBED["NSGT"].sample(seed=0, n=50)
    ax = figures.plot_mixture(TESTBED["NSGT"], times=[0], stream=stream)
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), stream.X)


def test_plot_mixture_refuses_what_cannot_be_drawn():
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


def test_panels_are_lettered_titled_and_no_more_than_asked_for():
    axes = figures.panels(["NSGT", "NSGR", "NSLC", "NSCX"], columns=3)
    assert [ax.get_title() for ax in axes] == ["a) NSGT", "b) NSGR", "c) NSLC", "d) NSCX"]
    assert len(axes[0].figure.axes) == 4
    with pytest.raises(ValueError, match="titles must hold at least one title; got none"):
        figures.panels([])


def test_the_shared_legend_is_that_of_the_axes():
    axes = figures.panels(["one", "two"])
    figures.plot_error({"NB": [0.1]}, ax=axes[0])
    figure = figures.shared_legend(axes[0])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["NB"]


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
    ax = figures.plot_measures(table, errors=table.abs() / 10)
    heights = [bar.get_height() for bar in ax.patches]
    np.testing.assert_equal(heights, [0.5, -1.0, np.nan, 0.1])
    assert [text.get_text() for text in ax.texts] == ["-7.2"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["NB", "HT"]
