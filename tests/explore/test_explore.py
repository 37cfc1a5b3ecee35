"""The views for JupyterLab, without a browser: controls move, and what is shown follows."""

from __future__ import annotations

import re
import sys
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from repro import (
    TESTBED,
    Stream,
    detectors,
    explore,
    learners,
    metrics,
    permutations,
    prequential,
    streams,
)
from repro.explore._controls import ALPHAS, WINDOWS

pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")

STREAM = TESTBED["NSPC-A"].sample(seed=1, n=6000)
RUN_A = prequential(learners.NaiveBayes(), STREAM)
RUN_B = prequential(learners.Majority(), STREAM)
NAMES = {
    **{"stream": STREAM, "run": RUN_A, "a": RUN_A, "b": RUN_B, "learner": learners.NaiveBayes()},
    **{"detectors": detectors, "metrics": metrics, "permutations": permutations},
    **{"prequential": prequential, "streams": streams},
}
SLOW_ONE = {"NB": learners.NaiveBayes(), "Majority": learners.Majority()}
VIEWS = {
    "estimators": lambda: explore.estimators(
        RUN_A, drift_at=STREAM.drifts, bayes=STREAM.bayes_risk
    ),
    "detection": lambda: explore.detection(RUN_A, drift_at=STREAM.drifts),
    "dependence": lambda: explore.dependence(learners.NaiveBayes(), STREAM),
    "permutation": lambda: explore.permutation(STREAM, SLOW_ONE),
    "compare": lambda: explore.compare(RUN_A, RUN_B, drift_at=STREAM.drifts),
    "stream": lambda: explore.stream(STREAM),
}
every_view = pytest.mark.parametrize("make", VIEWS.values(), ids=VIEWS)


def results(code: str) -> list[Any]:
    """The value of each line of the code, in order; a line may define a name."""
    names, found = dict(NAMES), []
    for line in code.splitlines():
        target = re.match(r"(\w+) = ", line)
        exec(line if target else f"_ = {line}", names)
        found.append(names[target[1] if target else "_"])
    return found


def arrays(code: str) -> list[np.ndarray]:
    return [value for value in results(code) if isinstance(value, np.ndarray)]


@every_view
def test_moving_any_control_draws_again_and_shows_other_code(make):
    view = make()
    picture = view._picture.value
    for name, control in view.controls.items():
        before = view.shown.code
        if name == "t":
            control.value = 77
        else:
            control.value = next(v for v in control.options if v != control.value)
        assert view.shown.code != before, name
    assert view._picture.value != picture
    assert bytes(view._picture.value).startswith(b"\x89PNG")
    assert view.shown.code.splitlines()[0].split("(")[0] in view._code.value


@every_view
def test_the_code_of_a_view_runs_and_gives_its_curves(make):
    """Each curve is one of the arrays that the code computes, at other settings than the first."""
    view = make()
    view.controls["window"].value = 100
    if "delay" in view.controls:
        view.controls["delay"].value = 20
    if "strength" in view.controls:
        view.controls["strength"].value = 0.01
    computed = arrays(view.shown.code)
    assert computed != []
    curves = dict(view.shown.curves)
    if "permutation" in str(view.shown.code):  # the code runs one learner for all
        curves = {"NB": curves["NB"], "_order": curves["_order"]}
    curves.pop("statistic", None)
    if "detector" in view.controls:
        curves = {"alarms": view.shown.alarms}
    for name, curve in curves.items():
        assert any(np.array_equal(curve, c, equal_nan=True) for c in computed), name


@every_view
def test_a_view_leaves_no_figure_to_pyplot(make):
    """A notebook would show such a figure a second time, below the cell."""
    before = plt.get_fignums()
    make()
    assert plt.get_fignums() == before


@every_view
def test_a_view_is_shown_as_a_widget_and_reads_as_its_settings(make):
    view = make()
    bundle = view._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert bundle["text/plain"] == repr(view)
    assert re.fullmatch(r"View\(\w+=.*\)", repr(view))


@pytest.mark.parametrize("kind", ["time", "speed", "shape"])
def test_the_order_of_a_permutation_is_that_of_its_code(kind):
    view = explore.permutation(STREAM, SLOW_ONE)
    view.controls["kind"].value, view.controls["strength"].value = kind, 0.3
    order = results(view.shown.code)[0]
    np.testing.assert_array_equal(view.shown.curves["_order"], order)
    k = round(0.3 * (2 * len(STREAM) - 1))
    assert (f"k={k}" if kind == "shape" else "p=0.3") in view.shown.code
    before = view.shown.table["before"]
    assert before["NB"] == RUN_A.error


def test_every_strength_of_a_permutation_can_be_shown():
    view = explore.permutation(Stream(np.zeros((9, 1)), [0, 1, 2] * 3), {"P": learners.NoChange()})
    for strength in view.controls["strength"].options:
        view.controls["strength"].value = strength
        assert sorted(view.shown.curves["_order"]) == list(range(9))


@pytest.mark.parametrize(
    "detector", ["Page-Hinkley on the ratio of errors", "DDM", "EDDM", "ADWIN"]
)
def test_each_detector_alarms_as_its_code_does(detector):
    loss = np.r_[np.tile([0, 0, 0, 0, 1], 200), np.tile([1, 1, 0], 300)].astype(float)
    view = explore.detection(loss, drift_at=[1000])
    view.controls["detector"].value = detector
    names = NAMES | {"run": loss}
    exec(view.shown.code, names)
    assert view.shown.alarms.tolist() == names["alarms"].tolist() != []
    assert view.shown.table.loc["detected", "detector"] == 1


def test_drifts_are_marked_in_both_panels_of_a_comparison():
    for ax in VIEWS["compare"]().axes:
        drift = next(line for line in ax.lines if line.get_label() == "drift")
        assert drift.get_xdata() == [5000, 5000]


def test_the_picture_holds_the_curves_the_drifts_and_the_alarms():
    view = VIEWS["detection"]()
    view.controls["threshold"].value = 2
    drawn = {line.get_label(): line for line in view.axes[0].lines}
    assert drawn["drift"].get_xdata() == [5000, 5000]
    error = view.shown.curves["w = 300"]
    at = np.asarray(drawn["w = 300"].get_xdata())
    np.testing.assert_allclose(drawn["w = 300"].get_ydata(), 100 * error[at])
    marked = [line for line in view.axes[0].lines if line.get_marker() == "v"]
    places = {line.get_xdata()[0] for line in marked if len(line.get_xdata())}
    assert places == set(view.shown.alarms.tolist()) != set()


def test_the_boundary_of_the_testbed_is_where_classes_are_equally_probable():
    view = explore.stream(TESTBED["NSGT"])
    view.controls["t"].value = 3000
    line = next(line for line in view.axes[0].lines if line.get_label() == "best boundary")
    points = np.column_stack(line.get_data())
    points = points[np.isfinite(points).all(axis=1)]
    np.testing.assert_allclose(TESTBED["NSGT"].posterior(points, 3000)[:, 1], 0.5, atol=0.05)


def test_streams_of_one_or_many_attributes_and_classes_play():
    for n_features, n_classes in ((1, 2), (5, 4)):
        rng = np.random.default_rng(0)
        labels = np.r_[np.arange(n_classes), rng.integers(0, n_classes, 96)]
        view = explore.stream(Stream(rng.normal(size=(len(labels), n_features)), labels))
        view.controls["t"].value = 50
        shares = view.shown.table["share"]
        assert shares.sum() == pytest.approx(1)
        assert len(shares) == n_classes


@pytest.mark.parametrize("n_features", [2, 3])
def test_the_axes_of_the_points_are_those_of_the_first_two_attributes(n_features):
    X = (np.random.default_rng(0).random((200, 3)) * [1, 10, 100])[:, :n_features]
    view = explore.stream(Stream(X, np.arange(200) % 2))
    view.controls["t"].value = 150
    places = view.axes[0]
    assert 0.9 < places.get_xlim()[1] < 1.1
    assert 9 < places.get_ylim()[1] < 11


def test_a_single_loss_is_enough():
    assert explore.estimators([1.0]).shown.curves["all losses"].tolist() == [1.0]
    assert explore.detection([0.0]).shown.alarms.tolist() == []
    assert np.isnan(explore.compare([0.0], [0.0]).shown.curves["Q, w = 1"][0])


def test_sliders_offer_parameters_that_the_estimators_take_in_their_order():
    for offered, name in ((ALPHAS, "alpha"), (WINDOWS, "window")):
        assert list(offered) == sorted(set(offered))
        for value in offered:
            metrics.q_statistic([0, 1], [1, 0], **{name: value})


def test_a_comparison_shows_the_last_value_of_each_curve():
    shown = explore.compare(RUN_A, RUN_B).shown
    last = {name: curve[-1] for name, curve in shown.curves.items()}
    assert shown.table["at the end"].to_dict() == last


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: explore.estimators([]), ValueError, "run must be a non-empty 1-d array"),
        (
            lambda: explore.estimators([0, 1], drift_at=[5]),
            ValueError,
            r"drift_at must .*got \[5\]",
        ),
        (lambda: explore.estimators([0, 1], bayes=[0.1]), ValueError, "bayes must have one number"),
        (lambda: explore.detection("loss"), ValueError, "run must hold numbers"),
        (
            lambda: explore.compare([0, 1], [0]),
            ValueError,
            "run_b must be as long as run_a, 2; got 1",
        ),
        (
            lambda: explore.compare([0, 2], [0, 1]),
            ValueError,
            "run_a must hold losses 0 and 1 only; got 2",
        ),
        (
            lambda: explore.dependence(learners.NoChange(), [1]),
            TypeError,
            "stream must be a Stream",
        ),
        (
            lambda: explore.permutation(STREAM, [1]),
            TypeError,
            "learners must map names to learners",
        ),
        (lambda: explore.permutation(STREAM, {}), ValueError, "learners must hold at least one"),
        (lambda: explore.permutation(STREAM, {"a": 1}), TypeError, r"learners\['a'\]: learner"),
        (lambda: explore.stream(3), TypeError, "given must be"),
    ],
)
def test_errors_name_the_argument(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_a_missing_package_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(ImportError, match=r"explore\]"):
        explore.estimators([0, 1])


def test_curves_have_colours_of_their_own_and_the_legend_hides_none():
    """A window of 500 and a fading factor of .995 have about the same memory."""
    loss = [0, 1] * 1000
    for view in (explore.estimators(loss), explore.compare(loss, loss[::-1])):
        view.controls["window"].value = 500
        view.controls["alpha"].value = 0.995
        for ax in view.axes[: len(view.shown.curves)]:
            lines = [line for line in ax.lines if not line.get_label().startswith("_")]
            assert len({to_hex(line.get_color()) for line in lines}) == len(lines) >= 2
        ax = view.axes[0]
        assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1


def test_a_detector_without_a_statistic_leaves_no_empty_half():
    view = explore.detection([0, 1] * 1000)
    assert len(view.axes) == 2
    view.controls["detector"].value = "ADWIN"
    assert len(view.axes) == 1
    view.controls["detector"].value = "Page-Hinkley"
    assert len(view.axes) == 2


def test_a_slider_with_a_player_says_what_it_is_of():
    handle = explore.stream(TESTBED["NSGT"]).controls["t"]
    assert (handle.description, handle.max) == ("example", 10_000)
    assert handle.player.max == handle.max
