"""The explorer in Chromium: its numbers are those of the library, and its code computes them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from repro import _folders, detectors, metrics, permutations, seeds
from repro.statistics import compare_anytime

pytest.importorskip("bokeh", reason="Bokeh is not installed")
sys.path.insert(0, str(_folders.need_checkout() / "docs"))

from explorer.page import KERNELS, scripts


@pytest.fixture(scope="module")
def kernels(browser):
    """Call a function of the page's scripts: ``kernels("kappa", y, y_pred)``."""
    page = browser.new_page()
    page.add_script_tag(content=scripts(KERNELS))
    plain = "v => ArrayBuffer.isView(v) ? Array.from(v) : v"

    def call(name: str, *arguments: Any) -> Any:
        given = [a.tolist() if isinstance(a, np.ndarray) else a for a in arguments]
        return page.evaluate(f"given => ({plain})({name}(...given))", given)

    yield call
    page.close()


def random_losses(n: int, p: float, seed: int = 0) -> np.ndarray:
    return (seeds.generator(seed, "explore", str(n), str(p)).random(n) < p).astype(float)


def random_labels(n: int, k: int, seed: int) -> np.ndarray:
    return seeds.generator(seed, "labels", str(n), str(k)).integers(0, k, n)


LOSSES = {
    "one example": np.array([1.0]),
    "all right": np.zeros(60),
    "all wrong": np.ones(60),
    "alternating": np.tile([0.0, 1.0], 40),
    "rare": random_losses(500, 0.02),
    "often": random_losses(500, 0.4),
    "jump": np.r_[random_losses(800, 0.1), random_losses(800, 0.5)],
    "jump and back": np.r_[random_losses(700, 0.05), np.ones(50), random_losses(700, 0.05, 1)],
}
MEMORIES = [
    (None, 1),
    (None, 7),
    (None, 100),
    (None, 10_000),
    (1.0, None),
    (0.99, None),
    (0.3, None),
]
every_loss = pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
every_memory = pytest.mark.parametrize(("alpha", "window"), MEMORIES)


def assert_equal(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


# --- estimators


@every_loss
def test_the_prequential_error_is_that_of_the_library(kernels, loss):
    assert_equal(kernels("prequential_error", loss), metrics.prequential_error(loss))


@every_loss
@pytest.mark.parametrize("window", [1, 2, 7, 100, 10_000])
def test_the_sliding_error_is_that_of_the_library(kernels, loss, window):
    assert_equal(kernels("sliding_error", loss, window), metrics.sliding_error(loss, window))


def test_a_small_loss_after_a_large_one_is_not_lost(kernels):
    loss = np.array([1e17, 1.0, 1.0, 1.0, 1.0])
    assert kernels("sliding_error", loss, 2)[-1] == metrics.sliding_error(loss, 2)[-1] == 1.0


@every_loss
@pytest.mark.parametrize("alpha", [1.0, 0.999, 0.5, 1e-300])
def test_the_fading_error_is_that_of_the_library(kernels, loss, alpha):
    assert_equal(kernels("fading_error", loss, alpha), metrics.fading_error(loss, alpha))


# --- kappa

PAIRS = {
    "one example": (np.array([1]), np.array([0])),
    "constant and right": (np.zeros(30, int), np.zeros(30, int)),
    "constant and wrong": (np.zeros(30, int), np.ones(30, int)),
    "never right": (np.tile([0, 1], 20), np.tile([1, 0], 20)),
    "two classes": (random_labels(400, 2, 1), random_labels(400, 2, 2)),
    "five classes": (random_labels(400, 5, 3), random_labels(400, 5, 4)),
    "long stays": (np.repeat([0, 1, 2, 0], 60), np.repeat([0, 1, 0, 2], 60)),
}
every_pair = pytest.mark.parametrize(("y", "y_pred"), PAIRS.values(), ids=PAIRS)


@every_pair
@pytest.mark.parametrize(("alpha", "window"), [*MEMORIES, (None, None)])
def test_kappa_is_that_of_the_library(kernels, y, y_pred, alpha, window):
    found = kernels("kappa", y, y_pred, alpha, window)
    assert_equal(found, metrics.kappa(y, y_pred, alpha, window))


@every_pair
@pytest.mark.parametrize("name", ["kappa_temporal", "kappa_combined"])
@pytest.mark.parametrize("delay", [0, 3, 50, 1000])
@pytest.mark.parametrize(("alpha", "window"), [(None, 20), (0.9, None), (None, None)])
def test_kappas_against_no_change_are_those_of_the_library(
    kernels, y, y_pred, name, delay, alpha, window
):
    expected = getattr(metrics, name)(y, y_pred, alpha, window, delay=delay)
    assert_equal(kernels(name, y, y_pred, alpha, window, delay), expected)


# --- two learners

LOSS_PAIRS = {
    "neither errs": (np.zeros(20), np.zeros(20)),
    "only A errs": (random_losses(50, 0.5), np.zeros(50)),
    "only B errs": (np.zeros(50), random_losses(50, 0.5)),
    "equal": (random_losses(90, 0.3), random_losses(90, 0.3)),
    "B is better": (random_losses(900, 0.3), random_losses(900, 0.2, 1)),
    "one error each, long ago": (np.r_[1, np.zeros(900)], np.r_[0, 1, np.zeros(899)]),
}


@pytest.mark.parametrize(("a", "b"), LOSS_PAIRS.values(), ids=LOSS_PAIRS)
@pytest.mark.parametrize("name", ["q_statistic", "mcnemar"])
@pytest.mark.parametrize(("alpha", "window"), [*MEMORIES, (None, None)])
def test_comparisons_are_those_of_the_library(kernels, a, b, name, alpha, window):
    expected = getattr(metrics, name)(a, b, alpha, window)
    assert_equal(kernels(name, a, b, alpha, window), expected)


@pytest.mark.parametrize(("a", "b"), LOSS_PAIRS.values(), ids=LOSS_PAIRS)
def test_the_evidence_at_any_time_is_that_of_the_library(kernels, a, b):
    assert_equal(kernels("discordant_evidence", a, b), compare_anytime(a, b).discordant)


# --- detectors


@every_loss
@pytest.mark.parametrize("delta", [0.0, 0.005, 0.1])
@pytest.mark.parametrize("threshold", [1, 10, 1000])
def test_page_hinkley_alarms_as_in_the_library(kernels, loss, delta, threshold):
    detector = detectors.PageHinkley(delta, threshold)
    assert kernels("page_hinkley", loss, delta, threshold) == detector.alarms(loss).tolist()
    found = kernels("page_hinkley_statistics", loss, delta, threshold)
    assert_equal(found, detector.statistics(loss))


@every_loss
@pytest.mark.parametrize(("short", "long"), [(0.9, 0.99), (0.5, 1.0)])
def test_the_ratio_of_errors_is_that_of_the_library(kernels, loss, short, long):
    found = kernels("error_ratio", loss, short, long)
    assert_equal(found, detectors.error_ratio(loss, short, long))


@every_loss
@pytest.mark.parametrize("drift", [2.0, 3.0, 5.0])
@pytest.mark.parametrize("minimum", [1, 30])
def test_ddm_alarms_as_in_the_library(kernels, loss, drift, minimum):
    expected = detectors.DDM(warm_start=minimum, drift_threshold=drift).alarms(loss)
    assert kernels("ddm", loss, minimum, drift) == expected.tolist()


@every_loss
@pytest.mark.parametrize("drift", [0.6, 0.9, 0.95])
def test_eddm_alarms_as_in_the_library(kernels, loss, drift):
    assert (
        kernels("eddm", loss, drift) == detectors.EDDM(drift_threshold=drift).alarms(loss).tolist()
    )


@every_loss
@pytest.mark.parametrize("delta", [1e-6, 0.002, 0.5])
def test_adwin_alarms_as_in_the_library(kernels, loss, delta):
    assert kernels("adwin", loss, delta) == detectors.adwin(loss, delta).tolist()


@pytest.mark.parametrize("detector", ["ddm", "eddm", "adwin"])
def test_the_losses_above_make_every_detector_alarm(kernels, detector):
    """Otherwise the tests above would compare empty lists."""
    assert any(kernels(detector, loss) for loss in LOSSES.values())


MEASURES = ("detected", "missed", "false_alarms", "repeated")
MEASURES += ("mtd", "mdr", "mtfa", "mtr", "arl0", "arl1")


@pytest.mark.parametrize("alarms", [[], [0], [150, 420, 430, 700], [400], [399, 401], [999]])
@pytest.mark.parametrize("drifts", [[], [400], [400, 800], [(400, 500), 900], [1]])
@pytest.mark.parametrize("tolerance", [None, 0, 100, 5000])
def test_the_report_is_that_of_the_library(kernels, alarms, drifts, tolerance):
    expected = metrics.detection_report([alarms], drifts, 1000, tolerance=tolerance)
    given = [list(d) if isinstance(d, tuple) else d for d in drifts]
    found = kernels("detection_report", alarms, given, 1000, tolerance)
    for name in MEASURES:
        assert_equal(found[name], getattr(expected, name))
    assert_equal(found["delays"], expected.delays[0])


# --- permutations


@pytest.mark.parametrize("n", [2, 17, 500])
@pytest.mark.parametrize("p", [0.0, 0.01, 0.3, 1.0])
def test_orders_are_those_of_the_library(kernels, n, p):
    def draws(kind):
        return seeds.generator(5, "permutation", kind)

    time, speed = draws("time").random(n - 1), draws("speed").random(n)
    places, k = draws("shape").integers(0, n - 1, 2 * n - 1), int(p * (2 * n - 1))
    orders = [
        (kernels("time_permutation", time, p), permutations.time_permutation(n, p, seed=5)),
        (kernels("speed_permutation", speed, p), permutations.speed_permutation(n, p, seed=5)),
        (kernels("shape_permutation", places, k, n), permutations.shape_permutation(n, k, seed=5)),
    ]
    for found, expected in orders:
        assert found == expected.tolist()
        distance = kernels("neighbor_distance", np.array(found))
        assert distance == permutations.neighbor_distance(expected)
        total = kernels("total_neighbor_distance", np.array(found))
        assert total == permutations.total_neighbor_distance(expected)
