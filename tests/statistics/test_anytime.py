"""Statements at any time: against integrals, and by simulation with and without dependence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy import integrate, stats

from repro import seeds
from repro.statistics import ConfidenceSequence, compare_anytime, confidence_sequence, told_apart
from repro.statistics._mixtures import RHO, log_mixture, mixture_bound
from repro.statistics._sequence_rules import Rules
from repro.streams import LabelChain

FORMS = ["mixture", "stitched", "betting"]
RARE = 1e-4  # probability that a correct rule leaves a bound of these tests


def at_most(share, n):
    """Share of n cases that chance exceeds with the probability `RARE`."""
    return stats.binom(n, share).ppf(1 - RARE) / n


def brute_force(s, v, c):
    """The mixture by quadrature over u = 1 - c λ, a gamma density cut at 1."""

    def density(u):
        return u ** (RHO - 1) * np.exp(-RHO * (u - 1))

    def value(u):
        exponent = s * (1 - u) / c + v * (np.log(u) + 1 - u) / c**2
        return np.exp(exponent) * density(u)

    return (
        integrate.quad(value, 0, 1, epsabs=0, epsrel=1e-12)[0]
        / (integrate.quad(density, 0, 1, epsabs=0, epsrel=1e-12)[0])
    )


@pytest.mark.parametrize(("s", "v"), [(0, 0), (3, 2), (20, 60), (-5, 9), (55.5, 130)])
@pytest.mark.parametrize("c", [1.0, 2.0])
def test_the_mixture_is_the_integral_over_lambda(s, v, c):
    found = np.exp(log_mixture(np.array([float(s)]), np.array([float(v)]), c))[0]
    assert found == pytest.approx(brute_force(s, v, c), rel=1e-9)


@pytest.mark.parametrize("c", [1.0, 2.0])
@pytest.mark.parametrize("level", [0.1, 0.025, 1e-6])
def test_the_bound_is_where_the_mixture_is_one_over_the_level(level, c):
    squares = np.array([0.0, 0.3, 5.0, 100.0, 1e5])
    at_bound = log_mixture(mixture_bound(squares, level, c), squares, c)
    np.testing.assert_allclose(at_bound, -np.log(level), rtol=1e-9)


@pytest.mark.parametrize("level", [0.49, 0.025, 1e-9])
@pytest.mark.parametrize("form", ["mixture", "stitched"])
def test_the_bound_along_an_array_is_that_of_each_sum_of_squares(form, level):
    rules = Rules(1 - 2 * level, (0.0, 1.0), form)
    squares = np.append(0.0, np.geomspace(1e-6, 1e6, 500))
    np.testing.assert_allclose(
        rules.reach_along(squares, 2.0), [2 * rules.reach(v / 4) for v in squares], rtol=1e-9
    )


@second_opinion("brute force", "statistics.confidence_sequence")
def test_a_sequence_is_the_mean_and_the_bound_of_the_sum_by_plain_arithmetic():
    losses = np.random.default_rng(4).choice([-1.0, 0.5, 3.0, np.nan], size=200)
    rules = Rules.of(0.9, (-1.0, 3.0), "stitched")
    for n in (1, 50, 200):
        x = losses[:n][~np.isnan(losses[:n])]
        before = np.array([(1.0 + x[:i].sum()) / (i + 1) for i in range(x.size)])
        reach = 4 * rules.reach(float(((x - before) ** 2).sum()) / 16) / x.size
        expected = np.clip([x.mean() - reach, x.mean() + reach], -1, 3)
        found = confidence_sequence(losses, 0.9, bounds=(-1.0, 3.0), form="stitched")[n - 1]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


@second_opinion("closed form", "statistics.compare_anytime")
def test_evidence_of_zeros_and_ones_is_the_integral_over_the_odds():
    rng = seeds.generator(0, "discordant")
    a, b = (rng.random((2, 60)) < [[0.7], [0.3]]).astype(float)
    n01, n10 = np.sum(a > b), np.sum(b > a)
    beta = stats.beta(0.5, 0.5)
    whole = integrate.quad(
        lambda q: beta.pdf(q) * (2 * q) ** n01 * (2 - 2 * q) ** n10, 0, 1, epsrel=1e-10
    )[0]
    assert compare_anytime(a, b).discordant[-1] == pytest.approx(whole, rel=1e-7)


@second_opinion("array form", "statistics.ConfidenceSequence")
@given(st.lists(st.one_of(st.floats(-2, 3), st.just(float("nan"))), max_size=40))
@pytest.mark.parametrize("form", FORMS)
def test_online_and_on_arrays_agree(form, losses):
    online, found = ConfidenceSequence(bounds=(-2, 3), form=form), []
    for loss in losses:
        online.update(loss)
        found.append(online.interval)
    whole = confidence_sequence(losses, bounds=(-2, 3), form=form)
    np.testing.assert_allclose(whole, np.reshape(found, (len(losses), 2)), atol=1e-9)


@second_opinion("simulation", "statistics.confidence_sequence")
@pytest.mark.parametrize("form", FORMS)
def test_a_fixed_mean_is_covered_at_all_times(form):
    """Of 300 streams of 500 losses at most 5 % leave the interval at any time."""
    left, n = 0, 300 if form != "betting" else 100
    for seed in range(n):
        loss = (seeds.generator(seed, "fixed").random(500) < 0.2).astype(float)
        interval = confidence_sequence(loss, form=form)
        left += bool(((interval[:, 0] > 0.2) | (interval[:, 1] < 0.2)).any())
    assert left / n <= at_most(0.05, n)


@pytest.mark.parametrize("form", FORMS[:2])
def test_a_mean_that_drifts_is_covered_at_all_times(form):
    """The target is the mean of the error rates so far, here of .1, .6 and .3 in turn."""
    rate = np.repeat([0.1, 0.6, 0.3], 400)
    target, left = np.cumsum(rate) / np.arange(1, 1201), 0
    for seed in range(200):
        loss = (seeds.generator(seed, "drift").random(1200) < rate).astype(float)
        interval = confidence_sequence(loss, form=form)
        left += bool(((interval[:, 0] > target) | (interval[:, 1] < target)).any())
    assert left / 200 <= at_most(0.05, 200)


@second_opinion("simulation", "statistics.compare_anytime")
def test_equal_learners_on_dependent_labels_are_told_apart_in_5_percent_at_most():
    """Two guessers on labels that repeat: the errors of each depend on those before.

    A takes the last label, B the one before it where the coin says so: equal at every example.
    Student's test at every step tells most such pairs apart at some time.
    """
    chain, ever, fixed, n = LabelChain.two_classes(0.5, 0.9, n=1000), [], 0, 150
    for seed in range(n):
        y, coin = chain.sample(seed).y, seeds.generator(seed, "coin").random((2, 1000)) < 0.3
        wrong = [(np.roll(y, 1) ^ flip) != y for flip in coin]
        compared = compare_anytime(*(w.astype(float) for w in wrong))
        ever.append(compared.first is not None)
        d = wrong[0].astype(float) - wrong[1]
        k = np.arange(30, 1001)
        mean, square = np.cumsum(d)[29:] / k, np.cumsum(d**2)[29:] / k
        fixed += bool((np.abs(mean) > 1.96 * np.sqrt((square - mean**2) / k)).any())
    assert np.mean(ever) <= at_most(0.05, n)
    assert fixed / n > 0.2


def test_equal_learners_raise_evidence_to_twenty_in_5_percent_at_most():
    counts = np.zeros(4)
    for seed in range(400):
        a, b = (seeds.generator(seed, "equal").random((2, 400)) < 0.3).astype(float)
        found = compare_anytime(a, b)
        series = found.evidence, found.a_is_worse, found.b_is_worse, found.discordant
        counts += [bool((e >= 20).any()) for e in series]
    assert (counts / 400 <= at_most(0.05, 400)).all()
    assert counts[3] > 0  # the sharper form is not idle


def test_the_better_learner_is_found():
    rng = seeds.generator(1, "better")
    a, b = (rng.random((2, 4000)) < [[0.3], [0.2]]).astype(float)
    compared = compare_anytime(a, b)
    assert compared.interval[-1, 0] > 0
    assert compared.first is not None
    assert compared.a_is_worse[-1] > 1e3 > 1 > compared.b_is_worse[-1]
    assert compared.discordant[-1] > compared.evidence[-1] > 20
    outside = (compared.interval[:, 0] > 0) | (compared.interval[:, 1] < 0)
    assert compared.first == outside.argmax()  # though it is read off the evidence
    swapped = compare_anytime(b, a)
    np.testing.assert_allclose(swapped.interval, -compared.interval[:, ::-1], atol=1e-12)
    np.testing.assert_array_equal(swapped.a_is_worse, compared.b_is_worse)
    assert swapped.first == compared.first


def test_bounds_scale_the_interval():
    loss = seeds.generator(2, "scale").random(300)
    plain = confidence_sequence(loss)
    scaled = confidence_sequence(5 * loss - 2, bounds=(-2, 3))
    np.testing.assert_allclose(scaled, 5 * plain - 2, atol=1e-9)
    narrow, wide = (
        compare_anytime(loss, loss[::-1]),
        compare_anytime(5 * loss - 2, 5 * loss[::-1] - 2, bounds=(-2, 3)),
    )
    np.testing.assert_allclose(wide.interval, 5 * narrow.interval, atol=1e-9)
    np.testing.assert_allclose(wide.evidence, narrow.evidence, rtol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_constant_losses_ties_and_streams_of_no_and_one_loss(form):
    assert confidence_sequence([], form=form).shape == (0, 2)
    assert confidence_sequence([0.3], form=form).tolist() == [[0.0, 1.0]]
    zeros = confidence_sequence(np.zeros(2000), form=form)
    assert (zeros[:, 0] == 0).all()
    assert zeros[-1, 1] < 0.02
    if form != "betting":
        same = compare_anytime(np.ones(50), np.ones(50), form=form)
        assert same.first is None
        assert (same.difference == 0).all()
        assert (same.discordant == 1).all()
        assert (same.evidence <= 1).all()
        assert compare_anytime([], [], form=form).interval.shape == (0, 2)


def test_a_label_that_has_not_come_changes_nothing():
    loss = seeds.generator(3, "late").random(20)
    late = np.insert(loss, [0, 5, 5, 20], np.nan)
    has_label = ~np.isnan(late)
    table = confidence_sequence(late)
    np.testing.assert_array_equal(table[has_label], confidence_sequence(loss))
    assert table[0].tolist() == [0.0, 1.0]
    assert (table[-1] == table[-2]).all()
    compared = compare_anytime(late, np.zeros(24))
    assert np.isnan(compared.difference[0])
    assert compared.evidence[0] == 1.0
    assert compared.interval[0].tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, np.float16])
def test_a_number_of_any_precision_may_be_missing(kind):
    online = ConfidenceSequence()
    online.update(kind("nan"))
    online.update(kind(0.5))
    assert (online.n, online.mean) == (1, 0.5)
    half = confidence_sequence(np.array([0.5, np.nan, 0.25], kind))
    np.testing.assert_array_equal(half, confidence_sequence([0.5, np.nan, 0.25]))


def test_a_long_stream_stays_finite():
    loss = np.tile([0.0, 1.0, 0.0, 0.0], 500_000)
    interval = confidence_sequence(loss)
    assert np.isfinite(interval).all()
    assert interval[-1] == pytest.approx([0.25, 0.25], abs=2e-3)
    assert interval[-1, 0] < 0.25 < interval[-1, 1]
    with np.errstate(over="raise"):
        assert compare_anytime(np.ones(5000), np.zeros(5000)).interval[-1, 0] > 0.98


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: confidence_sequence([0.5, 1.5]), r"loss must lie in \[0, 1\]; got 1.5 at index 1"),
        (lambda: confidence_sequence([0.5], 1.0), "confidence must lie between 0 and 1; got 1.0"),
        (lambda: confidence_sequence([0.5], 0), "confidence must be finite and > 0; got 0"),
        (lambda: confidence_sequence([0.5], bounds=(1, 0)), "low < high; got"),
        (lambda: confidence_sequence([0.5], bounds=(-1e308, 1e308)), "a finite difference; got"),
        (lambda: confidence_sequence([0.5], bounds=3), "bounds must be two numbers.*; got 3"),
        (lambda: confidence_sequence([0.5], form="x"), "form must be one of .*; got 'x'"),
        (lambda: confidence_sequence([[0.5]]), r"loss must have shape \(n,\); got \(1, 1\)"),
        (lambda: confidence_sequence(["a"]), "loss must hold numbers"),
        (lambda: compare_anytime([0, 1], [0]), r"loss_b must have the shape of loss_a, \(2,\)"),
        (lambda: compare_anytime([0], [2]), r"loss_b must lie in \[0, 1\]; got 2.0 at index 0"),
        (lambda: compare_anytime([0], [1], form="betting"), "form must be one of mixture, stitch"),
        (lambda: ConfidenceSequence().update(-0.1), r"loss must lie in \[0, 1\]; got -0.1"),
    ],
)
def test_wrong_arguments_get_a_clear_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("differences", "at", "message"),
    [
        ([0.1, float("nan")], [1], "differences must hold finite numbers"),
        (0.5, [1], "differences must hold finite numbers"),
        ([0.1, 0.2], [3], "at must hold whole numbers from 1 to 2"),
        ([0.1, 0.2], [float("inf")] * 2, "at must hold whole numbers from 1 to 2"),
        ([0.1, 0.2], [2, 1], "at must rise from look to look"),
        ([0.1, 0.2], [0, 1], "at must hold whole numbers from 1 to 2"),
        ([0.1, 0.2], [1.5], "at must hold whole numbers from 1 to 2"),
        ([0.1, 0.2], [[1]], "at must hold whole numbers from 1 to 2"),
    ],
)
def test_looks_at_what_is_not_there_are_refused(differences, at, message):
    with pytest.raises(ValueError, match=message):
        told_apart(differences, at)
