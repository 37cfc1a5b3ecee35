"""Drifting mixtures: identities of transforms, moments of draws, closed forms of the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import multivariate_normal, norm

from repro import TESTBED, seeds, streams
from repro.streams import VARIANTS, Component, DriftingMixture, MixtureClass, Transform
from repro.streams.component import Pose

STILL, LONG = Component((0.0,), (1.0,)), Transform(2**61 + 1)
CLASS = MixtureClass("A", (STILL,))
STILL_MIXTURE = DriftingMixture("still", (CLASS,), n=100)

finite = st.floats(-20, 20)
pairs = st.tuples(finite, finite)
TIMES = np.arange(0, 130)


def covariance(component: Component, pose: Pose, i: int) -> np.ndarray:
    turn = np.broadcast_to(pose.turn, (len(pose.mean), *pose.turn.shape[1:]))[i]
    return pose.scale[i] * turn @ np.array(component.covariance) @ turn.T


def assert_same_path(a: Component, b: Component, times=TIMES) -> None:
    p, q = a.at(times), b.at(times)
    np.testing.assert_allclose(p.mean, q.mean, atol=1e-9)
    np.testing.assert_allclose(p.weight, q.weight, atol=1e-9)
    for i in range(0, len(times), 9):
        np.testing.assert_allclose(covariance(a, p, i), covariance(b, q, i), atol=1e-8)


def with_cascade(*transforms: Transform, **settings) -> Component:
    return Component((1.0, -2.0), (2.5, 1.0), rotation=30, transforms=transforms, **settings)


# --- transforms


@given(pairs, st.floats(-400, 400), st.floats(-400, 400), st.floats(0, 3), st.integers(1, 60))
@settings(max_examples=60)
def test_a_change_equals_its_two_halves(shift, turn, orbit, weight, half):
    """Twice half the change in half the time is the whole change (an orbit without a shift)."""
    halves = tuple(v / 2 for v in shift)
    middle = (1.0 + weight) / 2
    moved = with_cascade(Transform(2 * half, shift, rotation=turn, weight=weight))
    in_two = with_cascade(
        Transform(half, halves, rotation=turn / 2, weight=middle),
        Transform(half, halves, rotation=turn / 2, weight=weight),
    )
    assert_same_path(moved, in_two)
    circling = with_cascade(Transform(2 * half, orbit=orbit, pivot=shift))
    assert_same_path(circling, with_cascade(*[Transform(half, orbit=orbit / 2, pivot=shift)] * 2))


@given(st.floats(0.1, 5), st.floats(0.1, 5))
def test_variances_scale_linearly_and_factors_multiply(first, second):
    component = with_cascade(Transform(10, scale=first), Transform(10, scale=second))
    scale = component.at([0, 5, 10, 15, 20, 100]).scale
    middle = (1 + first) / 2, first * (1 + second) / 2
    expected = [1, middle[0], first, middle[1], first * second, first * second]
    np.testing.assert_allclose(scale, expected)


@second_opinion("by hand", "streams.Component streams.Transform")
def test_translation_rotation_orbit_and_weight_by_hand():
    component = Component(
        (2.0, 0.0),
        (4.0, 1.0),
        weight=0.5,
        transforms=(
            Transform(10, (10, 0), weight=1.5),
            Transform(10, rotation=90),
            Transform(10, orbit=90, pivot=(2, 0)),
        ),
    )
    pose = component.at([0, 5, 10, 15, 20, 25, 30, 99])
    diagonal = 10 * np.sqrt(0.5)
    expected = [(2, 0), (7, 0), (12, 0), (12, 0), (12, 0), (2 + diagonal, diagonal), (2, 10)]
    np.testing.assert_allclose(pose.mean, [*expected, (2, 10)], atol=1e-12)
    np.testing.assert_allclose(pose.weight, [0.5, 1.0, *[1.5] * 6])
    np.testing.assert_allclose(covariance(component, pose, 2), np.diag([4, 1]), atol=1e-12)
    np.testing.assert_allclose(covariance(component, pose, 3), [[2.5, 1.5], [1.5, 2.5]])
    np.testing.assert_allclose(covariance(component, pose, 4), np.diag([1, 4]), atol=1e-12)


def test_a_positive_angle_turns_counter_clockwise():
    """The long axis, first along x1, then points to the upper right: positive covariance."""
    turned = Component((0.0, 0.0), (4.0, 1.0), rotation=45)
    assert covariance(turned, turned.at([0]), 0)[0, 1] == pytest.approx(1.5)


def test_a_duration_of_zero_is_a_jump_at_its_index():
    component = with_cascade(Transform(50), Transform(0, (5, 5), weight=9.0), Transform(50))
    pose = component.at([49, 49.999, 50, 51])
    np.testing.assert_allclose(pose.mean[:, 0], [1, 1, 6, 6])
    assert pose.weight.tolist() == [1, 1, 9, 9]


def test_jumps_in_a_row_add_up():
    a, b = Transform(0, (1, 0)), Transform(0, (0, 2), scale=2)
    assert with_cascade(a, b).at([0]).mean.tolist() == [[2.0, 0.0]]
    assert with_cascade(a, b).at([0]).scale.tolist() == [2.0]


@given(st.floats(-20, 20), st.floats(-20, 20))
def test_an_orbit_keeps_its_distance_and_returns_after_360_degrees(a, b):
    component = with_cascade(Transform(100, orbit=360, pivot=(a, b)))
    arms = np.linalg.norm(component.at(TIMES).mean - (a, b), axis=1)
    np.testing.assert_allclose(arms, arms[0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(component.at([0]).mean, component.at([100]).mean, atol=1e-9)


def test_planes_turn_in_order_in_three_dimensions():
    """A quarter turn in the plane 0-1 moves axis 0 to 1, one in the plane 1-2 moves it to 2."""
    component = Component((0.0,) * 3, (9.0, 1.0, 1.0), rotation=((0, 1, 90), (1, 2, 90)))
    np.testing.assert_allclose(
        covariance(component, component.at([0]), 0), np.diag([1, 1, 9]), atol=1e-12
    )


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
    st.lists(st.floats(-300, 300), min_size=8, max_size=8),
    st.integers(0, 15),
)
@settings(max_examples=60)
def test_any_cascade_begins_each_phase_where_the_last_one_ended_and_then_rests(
    durations, numbers, start
):
    """Computed phase by phase with plain matrices; the last pose does not change."""
    changes = [
        Transform(
            duration,
            (numbers[i], -numbers[i + 1], 1.0),
            rotation=((0, 1, numbers[i + 2]), (1, 2, numbers[i + 3])),
            scale=1.5 + i,
            weight=2.0 + i,
            orbit=((0, 2, numbers[i + 4]),),
            pivot=(numbers[i + 1], 0.0, 2.0),
        )
        for i, duration in enumerate(durations)
    ]
    component = Component(
        (1.0, 2.0, 3.0), (9.0, 4.0, 1.0), ((0, 2, 20.0),), 1.0, changes, start=start
    )
    mean, turn = np.array([1.0, 2.0, 3.0]), rotation(3, 0, 2, 20.0)
    scale, weight, t = 1.0, 1.0, start
    for change in changes:
        half = t + change.duration / 2
        if change.duration and half >= start:
            f = 0.5
            pose = component.at([half])
            np.testing.assert_allclose(pose.mean[0], moved(mean, change, f), atol=1e-8)
            np.testing.assert_allclose(pose.turn[0], turned(turn, change, f), atol=1e-10)
            np.testing.assert_allclose(pose.scale, scale * (1 + f * (change.scale - 1)))
            np.testing.assert_allclose(pose.weight, weight + f * (change.weight - weight))
        mean, turn = moved(mean, change, 1.0), turned(turn, change, 1.0)
        scale, weight, t = scale * change.scale, change.weight, t + change.duration
    for later in (t, t + 0.5, t + 1000):
        pose = component.at([later])
        np.testing.assert_allclose(pose.mean[0], mean, atol=1e-8)
        np.testing.assert_allclose(pose.turn[0], turn, atol=1e-10)
        np.testing.assert_allclose([pose.scale[0], pose.weight[0]], [scale, weight])


def rotation(d: int, i: int, j: int, degrees: float) -> np.ndarray:
    """Axis i turns towards axis j."""
    matrix, angle = np.eye(d), np.radians(degrees)
    matrix[[i, j], [i, j]] = np.cos(angle)
    matrix[j, i], matrix[i, j] = np.sin(angle), -np.sin(angle)
    return matrix


def moved(mean: np.ndarray, change: Transform, f: float) -> np.ndarray:
    (i, j, degrees), pivot = change.orbit[0], np.array(change.pivot)
    around = rotation(3, i, j, f * degrees) @ (mean - pivot) + pivot
    return around + f * np.array(change.translation)


def turned(turn: np.ndarray, change: Transform, f: float) -> np.ndarray:
    for i, j, degrees in change.rotation:
        turn = rotation(3, i, j, f * degrees) @ turn
    return turn


@given(st.lists(st.sampled_from([0, 499, 500, 2000, 4500, 5000, 9999, 12_000]), min_size=1))
@settings(max_examples=30)
def test_times_may_come_in_any_order_and_repeat(times):
    mixture = TESTBED["NSCX"]
    for component in mixture.components:
        pose = component.at(times)
        for i, t in enumerate(times):
            alone = component.at([t])
            np.testing.assert_allclose(pose.mean[i], alone.mean[0])
            np.testing.assert_allclose(
                [pose.scale[i], pose.weight[i]], [*alone.scale, *alone.weight]
            )
            np.testing.assert_allclose(
                covariance(component, pose, i), covariance(component, alone, 0)
            )
    X = np.arange(2.0 * len(times)).reshape(-1, 2) % 7
    rows = [mixture.posterior(x[None], t)[0] for x, t in zip(X, times, strict=True)]
    np.testing.assert_allclose(mixture.posterior(X, times), rows, rtol=1e-9)


def test_times_one_by_one_give_the_same_as_all_at_once():
    for mixture in {**TESTBED, **VARIANTS}.values():
        times = np.array([0, 499, 500, 4999, 5000, 5001, 9499, 9500, 10_000, 12_000])
        for component in mixture.components:
            together = component.at(times)
            for i, t in enumerate(times):
                alone = component.at([t])
                np.testing.assert_allclose(alone.mean[0], together.mean[i])
                np.testing.assert_allclose(alone.weight[0], together.weight[i])
                a, b = covariance(component, alone, 0), covariance(component, together, i)
                np.testing.assert_allclose(a, b)


def test_a_component_exists_from_start_to_stop_and_its_cascade_begins_at_start():
    component = with_cascade(Transform(10, (10, 0)), start=20, stop=40)
    pose = component.at([0, 19, 20, 25, 39, 40])
    assert pose.weight.tolist() == [0, 0, 1, 1, 1, 0]
    np.testing.assert_allclose(pose.mean[2:5, 0], [1, 6, 11])


# --- priors, draws and posteriors


def three() -> DriftingMixture:
    a1 = Component((0.0, 0.0), (2.0, 1.0), rotation=30, weight=1.0)
    a2 = Component((4.0, 0.0), ((1.0, 0.5), (0.5, 2.0)), weight=3.0, start=50)
    b = Component((0.0, 3.0), (1.0, 1.0), transforms=(Transform(100, (3, 0), 90, 2.0),))
    c = Component((-3.0, 0.0), (1.0, 0.5), stop=80)
    classes = [MixtureClass("A", (a1, a2), 2.0), MixtureClass("B", (b,)), MixtureClass("C", (c,))]
    return DriftingMixture("three", tuple(classes), n=101)


def test_priors_are_products_of_weights_normalised_over_existing_components():
    """Eq. 7 by hand: A has weight 2, its components 1 and 3; C ends at 80."""
    expected = [[2, 0, 1, 1], [2, 6, 1, 1], [2, 6, 1, 0]]
    expected = np.array(expected) / np.sum(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(three().priors([0, 50, 80]), expected)


@second_opinion("scipy", "streams.DriftingMixture")
@pytest.mark.parametrize("t", [0, 60, 100])
def test_the_posterior_is_bayes_rule_with_scipys_densities(t):
    mixture = three()
    X = mixture.sample(seed=3).X
    joint = np.zeros((len(X), 3))
    for c, prior in enumerate(mixture.priors([t])[0]):
        component, pose = mixture.components[c], mixture.components[c].at([t])
        density = multivariate_normal(pose.mean[0], covariance(component, pose, 0)).pdf(X)
        joint[:, mixture.labels[c]] += prior * density
    expected = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(mixture.posterior(X, t), expected, rtol=1e-9, atol=1e-300)


def test_the_posterior_is_exact_where_all_densities_underflow():
    posterior = TESTBED["NSGT"].posterior([[1e4, 0.0], [-1e4, 0.0]], 0)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert np.isfinite(posterior).all()


@second_opinion("simulation", "streams.DriftingMixture")
@pytest.mark.parametrize("t", [0, 70, 100])
def test_draws_have_the_mean_covariance_and_share_of_their_component(t):
    mixture, n = three(), 60_000
    X, source = mixture.draw(np.full(n, t), seeds.generator(5))
    for c, prior in enumerate(mixture.priors([t])[0]):
        here = X[source == c]
        assert abs(len(here) / n - prior) < 5 * np.sqrt(prior * (1 - prior) / n) + 1e-12
        if prior == 0:
            continue
        component, pose = mixture.components[c], mixture.components[c].at([t])
        expected = covariance(component, pose, 0)
        error = 5 / np.sqrt(len(here))
        sd = np.sqrt(np.diag(expected))
        assert (np.abs(here.mean(axis=0) - pose.mean[0]) < error * sd).all()
        bound = 2 * error * np.outer(sd, sd)
        assert (np.abs(np.cov(here.T) - expected) < bound).all()


def test_draws_in_three_dimensions_follow_their_planes():
    component = Component((1.0, 2.0, 3.0), (9.0, 4.0, 1.0), rotation=((0, 2, 40), (1, 2, -70)))
    mixture = DriftingMixture("3", (MixtureClass("A", (component,)),), n=10)
    X, _ = mixture.draw(np.zeros(40_000), seeds.generator(6))
    expected = covariance(component, component.at([0]), 0)
    np.testing.assert_allclose(np.cov(X.T), expected, atol=0.3)


@pytest.mark.parametrize("t", [5, 10, 17])
def test_draws_follow_a_shape_that_turns_grows_and_circles_in_three_dimensions(t):
    """Whitened by the pose, computed with plain matrices, they are standard normal."""
    change = Transform(10, rotation=((0, 1, 80.0), (1, 2, -50.0)), scale=4.0, orbit=((0, 2, 90.0),))
    component = Component((5.0, 1.0, 0.0), (9.0, 4.0, 1.0), transforms=(change,))
    mixture, n, f = DriftingMixture("3", (MixtureClass("A", (component,)),), n=30), 40_000, t / 10
    f = min(f, 1.0)
    X, _ = mixture.draw(np.full(n, t), seeds.generator(7))
    mean = rotation(3, 0, 2, 90 * f) @ [5.0, 1.0, 0.0]
    turn = rotation(3, 1, 2, -50 * f) @ rotation(3, 0, 1, 80 * f)
    Z = (X - mean) @ turn / np.sqrt((1 + 3 * f) * np.array([9.0, 4.0, 1.0]))
    assert (np.abs(Z.mean(axis=0)) < 5 / np.sqrt(n)).all()
    assert (np.abs(np.cov(Z.T) - np.eye(3)) < 5 * np.sqrt(2 / n)).all()


def test_a_whole_sample_is_standard_normal_once_whitened_at_its_own_times():
    """NSCX has 10 001 distributions; squared distances to the true class are chi-squared."""
    mixture = TESTBED["NSCX"]
    t = np.repeat(np.arange(10_001), 3)
    X, source = mixture.draw(t, seeds.generator(8))
    for c, component in enumerate(mixture.components):
        here = np.flatnonzero(source == c)
        pose = component.at(t[here])
        inverse = [np.linalg.inv(covariance(component, pose, i)) for i in range(len(here))]
        distance = np.einsum("ni,nij,nj->n", X[here] - pose.mean, inverse, X[here] - pose.mean)
        assert abs(distance.mean() - 2) < 5 * 2 / np.sqrt(len(here))
        for early in (t[here] < 5000, t[here] >= 5000):
            part = distance[early]
            assert abs(part.mean() - 2) < 5 * 2 / np.sqrt(len(part))


def test_a_sample_carries_the_truth_of_its_posterior():
    mixture = three()
    stream = mixture.sample(seed=9)
    posterior = mixture.posterior(stream.X, np.arange(101))
    np.testing.assert_array_equal(stream.optimal, posterior.argmax(axis=1))
    np.testing.assert_allclose(stream.bayes_risk, 1 - posterior.max(axis=1), atol=1e-12)
    assert stream.drifts == (50, 80)


def test_the_same_seed_gives_the_same_stream_and_another_seed_another():
    a, b, c = (TESTBED["NSCX"].sample(seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(a.X, b.X)
    np.testing.assert_array_equal(a.y, b.y)
    assert not np.array_equal(a.y, c.y)


@pytest.mark.parametrize("name", ["NSGT", "NSPC-A", "NSGT-5D", "NSCX"])
def test_a_longer_stream_begins_with_the_shorter(name):
    """The default length, 10 001, has a block of one example at its end."""
    whole = TESTBED[name].sample(seed=3, n=31_000)
    for n in (1, 2, 500, 9_999, 10_000, 10_001, 10_002, 15_000, 20_001, 20_002):
        short = TESTBED[name].sample(seed=3, n=n)
        np.testing.assert_array_equal(short.X, whole.X[:n])
        np.testing.assert_array_equal(short.y, whole.y[:n])
        np.testing.assert_array_equal(short.optimal, whole.optimal[:n])
        np.testing.assert_allclose(short.bayes_risk, whole.bayes_risk[:n], atol=1e-12)
    assert np.unique(whole.X[:, 0]).size == 31_000  # no number is drawn twice


def test_the_default_stream_does_not_change():
    """Pinned, since the committed results of notebook 01 come from these examples."""
    stream = TESTBED["NSGT"].sample(seed=1)
    assert stream.X[[0, 9_999, 10_000]].round(9).tolist() == [
        [3.76495935, 1.895875634],
        [9.987161366, 11.394305861],
        [13.189387442, 11.281693726],
    ]


def test_whole_blocks_of_a_shorter_stream_are_the_beginning_of_a_longer_one(monkeypatch):
    """Numbers are drawn block by block, so another block size gives another stream."""
    short, long = (TESTBED["NSGT"].sample(seed=3, n=n) for n in (10_000, 25_000))
    np.testing.assert_array_equal(short.X, long.X[:10_000])
    np.testing.assert_array_equal(short.bayes_risk, long.bayes_risk[:10_000])
    monkeypatch.setattr("repro.streams.mixture.BLOCK", 100)
    assert not np.array_equal(TESTBED["NSGT"].sample(seed=3, n=10_000).X, short.X)


def test_n_takes_part_of_the_stream_at_the_same_times():
    short = TESTBED["NSPC-A"].sample(seed=1, n=5000)
    assert (len(short), short.drifts) == (5000, ())
    assert TESTBED["NSPC-A"].sample(seed=1, n=5001).drifts == (5000,)
    with pytest.raises(ValueError, match="n must be a whole number >= 1; got 0"):
        TESTBED["NSPC-A"].sample(n=0)


def test_a_longer_stream_has_the_drifts_after_the_n_of_its_description():
    late = with_cascade(Transform(150), Transform(0, (9.0, 9.0)))
    mixture = DriftingMixture("late", (MixtureClass("A", (late,)),), n=100)
    assert mixture.drifts == ()
    stream = mixture.sample(seed=0, n=300)
    assert stream.drifts == (150,)
    step = stream.X[150:].mean(axis=0) - stream.X[:150].mean(axis=0)
    np.testing.assert_allclose(step, 9.0, atol=1.0)


def test_variants_share_their_random_numbers():
    """NSLC-C is NSLC moved by (-2, 2), and so are its examples."""
    there, here = VARIANTS["NSLC-C"].sample(seed=0), TESTBED["NSLC"].sample(seed=0)
    np.testing.assert_allclose(there.X - here.X, np.tile([-2.0, 2.0], (10_001, 1)), atol=1e-9)


def test_a_longer_stream_continues_with_the_last_pose():
    stream = TESTBED["NSGT"].sample(seed=0, n=25_000)
    late = stream.X[12_000:][stream.y[12_000:] == 0]
    np.testing.assert_allclose(late.mean(axis=0), [10, 10], atol=0.1)


# --- Bayes error


def line(distance: float, share: float = 0.5) -> DriftingMixture:
    a = MixtureClass("A", (Component((0.0,), (1.0,)),), share)
    b = MixtureClass("B", (Component((distance,), (1.0,)),), 1 - share)
    return DriftingMixture("line", (a, b), n=10)


@second_opinion("closed form", "streams.DriftingMixture")
@pytest.mark.parametrize("distance", [0.5, 2.0, 4.0])
def test_two_equal_gaussians_on_a_line_have_the_closed_form(distance):
    error = line(distance).bayes_error([0]).error
    np.testing.assert_allclose(error, norm.cdf(-distance / 2), atol=1e-6)


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_unequal_priors_move_the_frontier(share):
    cut = 1.0 + np.log(share / (1 - share)) / 2
    expected = share * norm.sf(cut) + (1 - share) * norm.cdf(cut - 2)
    np.testing.assert_allclose(line(2.0, share).bayes_error([0]).error, expected, atol=1e-6)


def test_in_two_dimensions_the_mahalanobis_distance_decides():
    shape = ((2.0, 0.7), (0.7, 1.0))
    a, b = (MixtureClass(n, (Component(m, shape),)) for n, m in (("A", (0, 0)), ("B", (2, 1))))
    distance = np.sqrt(np.array([2, 1]) @ np.linalg.inv(shape) @ [2, 1])
    error = DriftingMixture("plane", (a, b), n=10).bayes_error([0]).error
    np.testing.assert_allclose(error, norm.cdf(-distance / 2), atol=3e-5)


def test_five_dimensions_are_simulated_with_a_correct_standard_error():
    """NSGT-5D in closed form: unit covariances, 3.15 apart."""
    expected = norm.cdf(-3.15 / 2)
    deviations = []
    for rng in seeds.spawn(11, 30):
        error, se = TESTBED["NSGT-5D"].bayes_error([1234], rng=rng, n=1000)
        deviations.append((error[0] - expected) / se[0])
    assert abs(np.mean(deviations)) < 4 / np.sqrt(30)
    assert 0.6 < np.std(deviations) < 1.5


def test_integration_and_simulation_agree():
    times = [0, 1500, 3000, 7000]
    exact = TESTBED["NSCX"].bayes_error(times)
    simulated = TESTBED["NSCX"].bayes_error(times, rng=seeds.generator(1), n=20_000)
    assert (exact.standard_error == 0).all()
    gap = np.abs(exact.error - simulated.error)
    assert (gap <= 4 * simulated.standard_error + 1e-6).all()


@pytest.mark.parametrize("d", [1, 2])
def test_components_too_narrow_for_the_grid_are_simulated_with_a_standard_error(d):
    """Closed form: the far one is never confused; the other two are 2 deviations apart."""
    zeros = (0.0,) * (d - 1)
    far = Component((1000.0, *zeros), (1.0,) * d)
    a, b = (Component((m, *zeros), (1e-4,) * d) for m in (0.0, 0.02))
    classes = (MixtureClass("A", (a, far)), MixtureClass("B", (b,)))
    error, se = DriftingMixture("narrow", classes, n=10).bayes_error([0], n=50_000)
    assert se[0] > 0
    assert abs(error[0] - 2 / 3 * norm.cdf(-1)) < 4 * se[0]


def test_a_narrow_ellipse_is_judged_by_its_short_axis():
    """Deviations 10 and .01, rotated by 45 degrees: wide in both coordinates, but narrow."""
    shape = {"covariance": (100.0, 1e-4), "rotation": 45}
    side = np.sqrt(0.5) * 0.02
    classes = [
        MixtureClass(name, (Component(mean, **shape),))
        for name, mean in (("A", (0, 0)), ("B", (-side, side)))
    ]
    error, se = DriftingMixture("narrow", tuple(classes), n=10).bayes_error([0])
    assert se[0] > 0
    assert abs(error[0] - norm.cdf(-1)) < 4 * se[0]


def test_one_class_has_no_error():
    mixture = DriftingMixture("one", (MixtureClass("A", (Component((0.0,), (1.0,)),)),), n=5)
    assert mixture.bayes_error([0]).error[0] == 0.0
    assert mixture.sample().bayes_risk.max() == 0.0


# --- wrong arguments

OK = MixtureClass("A", (Component((0.0, 0.0), (1.0, 1.0)),))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Component((), ()), r"mean must hold at least one number; got \(\)"),
        (lambda: Component((), (1.0,)), r"mean must hold at least one number; got \(\)"),
        (
            lambda: Component((0, 0), (1, 1), rotation=((0.5, 1, 30),)),
            r"rotation must be degrees, or .* for planes; got \(\(0.5, 1, 30\),\)",
        ),
        (lambda: Component((0, 0), (1, 1), rotation=((0, 1),)), "rotation must be degrees, or"),
        (lambda: Transform(1, orbit=((0, 1, np.inf),)), "orbit must be degrees, or .* got"),
        (lambda: Transform(1, scale=np.nan), "scale must be finite and > 0; got nan"),
        (lambda: Transform(1, pivot=((0, 0),)), "pivot must be a list of finite numbers; got"),
        (lambda: Component((0, 0), (1, 1), stop=2.5), "stop must be a whole number >= 1; got 2.5"),
        (lambda: MixtureClass("A", OK.components, -1), "weight must be finite and >= 0; got -1"),
        (lambda: Component((0.0, "x"), (1.0, 1.0)), "mean must be a list of finite numbers; got"),
        (lambda: Component((0.0,), (0.0,)), "covariance must be 1 positive variances or a 1 x 1"),
        (lambda: Component((0.0, 0.0), (1.0,)), "covariance must be 2 positive variances"),
        (lambda: Component((0, 0), ((1, 2), (2, 1))), "covariance must be 2 positive variances"),
        (lambda: Component((0, 0), ((1, 0.5), (0.4, 1))), "covariance must be 2 positive"),
        (lambda: Component((0.0,), (1.0,), rotation=45), "rotation must turn a plane of two of 1"),
        (lambda: Component((0, 0), (1, 1), rotation="x"), "rotation must be degrees, or"),
        (lambda: Component((0, 0), (1, 1), weight=-1), "weight must be finite and >= 0; got -1"),
        (lambda: Component((0, 0), (1, 1), start=-1), "start must be a whole number >= 0; got -1"),
        (lambda: Component((0, 0), (1, 1), start=5, stop=5), "stop must be after start=5; got 5"),
        (lambda: Transform(-1), "duration must be a whole number >= 0; got -1"),
        (lambda: Transform(1.5), "duration must be a whole number >= 0; got 1.5"),
        (lambda: Transform(1, scale=0), "scale must be finite and > 0; got 0"),
        (lambda: Transform(1, weight=-0.1), "weight must be finite and >= 0; got -0.1"),
        (lambda: Transform(1, (np.nan, 0)), "translation must be a list of finite numbers; got"),
        (
            lambda: with_cascade(Transform(1), Transform(1, (1, 2, 3))),
            r"transforms\[1\].translation must hold 2 numbers or none; got \(1.0, 2.0, 3.0\)",
        ),
        (
            lambda: with_cascade(Transform(1, orbit=((0, 2, 90.0),))),
            r"transforms\[0\].orbit must turn a plane of two of 2 dimensions; got \(0, 2\)",
        ),
        (lambda: MixtureClass("A", ()), "components must hold at least one component"),
        (lambda: DriftingMixture("m", ()), "classes must hold at least one class"),
        (lambda: DriftingMixture("m", (OK,), n=0), "n must be a whole number >= 1; got 0"),
        (
            lambda: DriftingMixture("m", (OK, MixtureClass("B", (Component((0,), (1,)),)))),
            r"mean must have one length in all components; got lengths \[1, 2\]",
        ),
        (lambda: MixtureClass("A", [STILL], "1"), "weight must be finite and >= 0; got '1'"),
        (lambda: DriftingMixture("m", [CLASS], "9"), "n must be a whole number >= 1; got '9'"),
        (lambda: Component(("1",), (1,)), r"mean must be a list of finite numbers; got \('1',\)"),
        (lambda: Component((1j,), (1,)), "mean must be a list of finite numbers; got"),
        (lambda: Component((10**400,), (1,)), r"mean must be a list of finite numbers; got \(1000"),
        (lambda: Component((0,), 1.0), "covariance must be 1 positive variances or .*; got 1.0"),
        (lambda: Component((0,), [[[1.0]]]), "covariance must be 1 positive variances or"),
        (lambda: Component((0,), {}), "covariance must be 1 positive variances or .*; got {}"),
        (lambda: Component((0,), (1,), start=2**63), f"start must be at most {2**62}; got"),
        (
            lambda: Component((0,), (1,), transforms=[LONG, LONG]),
            "transforms must end by the index",
        ),
        (lambda: Transform(2**63), f"duration must be at most {2**62}; got {2**63}"),
        (lambda: STILL_MIXTURE.sample(n=10**18), "n must fit into .* GB of memory; got 1000"),
        (lambda: STILL_MIXTURE.sample(seed=None), "seed must be a whole number >= 0; got None"),
        (lambda: STILL_MIXTURE.draw([0], 5), "rng must be a numpy.random.Generator; got 5"),
        (lambda: STILL_MIXTURE.bayes_error(0, rng=5), "rng must be a numpy.random.Generator"),
        (lambda: streams.severity(STILL_MIXTURE, 0, 1, 5), "rng must be a numpy.random.Gen"),
        (
            lambda: streams.severity(STILL_MIXTURE, 0, 1, np.random.default_rng(0), 0),
            "n must be a whole number >= 1; got 0",
        ),
        (
            lambda: DriftingMixture("m", (MixtureClass("A", (Component((0,), (1,), start=3),)),)),
            "weight must be positive somewhere at all times; got 0 at 0",
        ),
        (
            lambda: DriftingMixture(
                "m", (MixtureClass("A", (Component((0,), (1,), stop=7),)),), n=10
            ),
            "weight must be positive somewhere at all times; got 0 at 7",
        ),
    ],
)
def test_mixtures_with_wrong_values_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: MixtureClass("A", 5), "components must be a list of Components; got 5"),
        (lambda: MixtureClass("A", "xy"), "components must be a list of Components; got 'xy'"),
        (lambda: MixtureClass("A", [1]), "components must be a list of Components; got 1 among"),
        (lambda: MixtureClass(None, [STILL]), "name must be a text; got None"),
        (lambda: DriftingMixture("m", 5), "classes must be a list of MixtureClasses; got 5"),
        (lambda: DriftingMixture("m", [STILL]), "classes must be a list of Mix.*; got Component"),
        (lambda: DriftingMixture(5, [CLASS]), "name must be a text; got 5"),
        (lambda: Component((0,), (1,), transforms=5), "transforms must be a list of Transforms"),
        (lambda: Component((0,), (1,), transforms=["x"]), "transforms must be .*; got 'x' among"),
    ],
)
def test_mixtures_of_the_wrong_kinds_are_refused(wrong, message):
    with pytest.raises(TypeError, match=message):
        wrong()


@pytest.mark.parametrize("wrong", [None, 5, "NSGT", STILL, DriftingMixture])
def test_only_a_mixture_has_snapshots_and_severity(wrong):
    for call in (
        lambda: streams.snapshot(wrong, 0),
        lambda: streams.severity(wrong, 0, 1, np.random.default_rng(0)),
        lambda: streams.write_mixture(wrong),
    ):
        with pytest.raises(TypeError, match="mixture must be a DriftingMixture; got"):
            call()


@pytest.mark.parametrize("t", [-1, np.nan, np.inf, None, "1", [[1.0]], [], 1j])
def test_times_are_finite_and_not_negative(t):
    mixture, rng = TESTBED["NSGT"], np.random.default_rng(0)
    for call in (
        mixture.priors,
        lambda t: mixture.posterior([[0.0, 0.0]], t),
        lambda t: mixture.draw(t, rng),
        mixture.bayes_error,
        mixture.components[0].at,
    ):
        with pytest.raises(ValueError, match=r"^t must (be|hold) .*; got"):
            call(t)
    for call in (
        lambda: streams.snapshot(mixture, t),
        lambda: streams.severity(mixture, t, 5, rng),
        lambda: streams.severity(mixture, 5, t, rng),
    ):
        with pytest.raises(ValueError, match=r"^(t|before|after) must be finite and >= 0; got"):
            call()


def lasting(stop: int, n: int) -> DriftingMixture:
    return DriftingMixture("m", (MixtureClass("A", (Component((0,), (1,), stop=stop),)),), n=n)


def test_a_time_without_a_component_is_refused():
    """A component may end with the stream; later times have no distribution."""
    mixture = lasting(stop=10, n=10)
    assert len(mixture.sample(seed=0)) == 10
    assert mixture.drifts == ()  # the end of a stream is not a drift
    assert mixture.priors([9]).tolist() == [[1.0]]
    for call in (mixture.priors, lambda t: mixture.posterior([[0.0]], t)):
        with pytest.raises(
            ValueError, match="t must be a time at which a component exists; got 10"
        ):
            call([10])
    with pytest.raises(ValueError, match="n must end before all components do, 10; got 11"):
        mixture.sample(n=11)
    with pytest.raises(ValueError, match=r"weight must be positive somewhere .* got 0 at 10"):
        lasting(stop=10, n=11)


@pytest.mark.parametrize("seed", range(60))
def test_every_time_without_weight_is_found(seed):
    """Brute force: weights at every time of random components that fade and return."""
    rng = np.random.default_rng(seed)
    lives = []
    for _ in range(rng.integers(1, 4)):
        steps = [
            Transform(int(rng.integers(0, 6)), weight=float(rng.integers(0, 2)))
            for _ in range(rng.integers(0, 5))
        ]
        start = int(rng.choice([0, 0, 3]))
        stop = None if rng.random() < 0.6 else start + int(rng.integers(1, 25))
        weight = float(rng.integers(0, 3))
        life = {"weight": weight, "transforms": steps, "start": start, "stop": stop}
        lives.append(Component((0.0,), (1.0,), **life))
    total = sum(life.at(np.arange(20)).weight for life in lives)
    classes = (MixtureClass("A", tuple(lives)),)
    if (total > 0).all():
        assert DriftingMixture("m", classes, n=20).n == 20
    else:
        message = f"weight must be positive .*; got 0 at {np.argmax(total <= 0)}.0$"
        with pytest.raises(ValueError, match=message):
            DriftingMixture("m", classes, n=20)


def test_a_change_at_the_end_is_not_a_drift_of_the_stream():
    """A jump at 50: the new concept begins at index 50, which a stream of 50 does not have."""
    jump = with_cascade(Transform(50), Transform(0, (9.0, 9.0)))
    for n, drifts in [(50, ()), (51, (50,)), (49, ())]:
        mixture = DriftingMixture("m", (MixtureClass("A", (jump,)),), n=n)
        assert mixture.drifts == mixture.sample(seed=1).drifts == drifts
        assert DriftingMixture("m", mixture.classes, n=90).sample(1, n=n).drifts == drifts


def test_a_total_weight_of_0_at_the_end_of_a_fade_is_found():
    fading = Component(
        (0.0,), (1.0,), transforms=(Transform(10, weight=0.0), Transform(0, weight=1.0))
    )
    assert DriftingMixture("m", (MixtureClass("A", (fading,)),), n=20).n == 20  # 1 again at 10
    gone = Component((0.0,), (1.0,), transforms=(Transform(10, weight=0.0),))
    with pytest.raises(ValueError, match=r"weight must be positive somewhere .* got 0 at 10"):
        DriftingMixture("m", (MixtureClass("A", (gone,)),), n=20)


def test_a_description_stores_plain_numbers():
    change = Transform(np.int64(5), np.array([1, 2]), scale=np.float32(2), weight=np.int8(1))
    a = Component(np.zeros(2), np.eye(2), weight=np.float64(0.5), transforms=[change])
    plain = Transform(5, (1.0, 2.0), scale=2.0, weight=1.0)
    b = Component((0.0, 0.0), ((1.0, 0.0), (0.0, 1.0)), weight=0.5, transforms=(plain,))
    assert repr(a) == repr(b)
    assert (a, hash(a)) == (b, hash(b))


def test_points_of_another_size_and_times_of_another_length_are_refused():
    with pytest.raises(ValueError, match="X must have 2 columns; got 1"):
        TESTBED["NSGT"].posterior([[0.0]], 0)
    with pytest.raises(ValueError, match="t must be one time or one per row, 1; got"):
        TESTBED["NSGT"].posterior([[0.0, 0.0]], [0, 1])
    with pytest.raises(ValueError, match="n must be a whole number >= 2; got 1"):
        TESTBED["NSGT"].bayes_error([0], rng=seeds.generator(0), n=1)
