"""Comparisons of two learners: Q and McNemar by definition, and the error rate of the test."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.stats import chi2

from repro import metrics, seeds

RNG = np.random.default_rng(19470612)
A, B = (RNG.random((2, 700)) < [[0.3], [0.2]]).astype(float)
SQUARED_A, SQUARED_B = RNG.normal(size=(2, 700)) ** 2
MEMORIES = [{}, {"alpha": 0.9}, {"alpha": 0.995}, {"window": 1}, {"window": 60}, {"window": 700}]
every_memory = pytest.mark.parametrize("memory", MEMORIES, ids=str)
BOTH = [metrics.q_statistic, metrics.mcnemar]
both = pytest.mark.parametrize("statistic", BOTH, ids=lambda f: f.__name__)

binary_pairs = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 2), min_size=1, max_size=120)
number_pairs = st.lists(
    st.tuples(*[st.sampled_from([0.0]) | st.floats(1e-3, 100)] * 2), min_size=1, max_size=120
)


def weights_at(i, alpha=None, window=None):
    """Return the weights of the steps 0..i in the sums at step i."""
    age = i - np.arange(i + 1.0)
    return (age < window).astype(float) if window else (alpha or 1.0) ** age


@second_opinion("brute force", "metrics.q_statistic")
@every_memory
def test_q_is_the_log_ratio_of_the_weighted_sums(memory):
    q = metrics.q_statistic(SQUARED_A, SQUARED_B, **memory)
    for i in [*range(5), 59, 60, 61, 699]:
        sums = [weights_at(i, **memory) @ x[: i + 1] for x in (SQUARED_A, SQUARED_B)]
        assert q[i] == pytest.approx(np.log(sums[0] / sums[1]), rel=1e-10, abs=1e-12)


@second_opinion("brute force", "metrics.mcnemar")
@every_memory
def test_mcnemar_is_its_formula_with_weighted_counts(memory):
    m = metrics.mcnemar(A, B, **memory)
    for i in [*range(5), 59, 60, 61, 699]:
        w, a, b = weights_at(i, **memory), A[: i + 1], B[: i + 1]
        n01, n10 = w @ (a > b), w @ (b > a)
        expected = np.sign(n01 - n10) * (n01 - n10) ** 2 / (n01 + n10) if n01 + n10 else np.nan
        np.testing.assert_allclose(m[i], expected, rtol=1e-9)


@second_opinion("array form", "metrics.QStatistic metrics.McNemar")
@given(binary_pairs, number_pairs, st.floats(0.05, 1.0), st.integers(1, 130))
def test_online_and_array_forms_agree(binary, numbers, alpha, window):
    cases = [
        (metrics.QStatistic, metrics.q_statistic, numbers),
        (metrics.McNemar, metrics.mcnemar, binary),
    ]
    for online_class, function, pairs in cases:
        for memory in ({}, {"alpha": alpha}, {"window": window}):
            online, values = online_class(**memory), []
            assert np.isnan(online.value)
            for pair in pairs:
                assert online.update(*pair) is None
                values.append(online.value)
            expected = function(*np.array(pairs).T, **memory)
            np.testing.assert_allclose(values, expected, rtol=1e-9, atol=1e-9)


@both
@every_memory
def test_exchanging_the_learners_changes_the_sign_and_nothing_else(statistic, memory):
    np.testing.assert_array_equal(statistic(A, B, **memory), -statistic(B, A, **memory))


@every_memory
def test_q_does_not_depend_on_the_unit_of_the_losses(memory):
    once = metrics.q_statistic(SQUARED_A, SQUARED_B, **memory)
    scaled = metrics.q_statistic(1e9 * SQUARED_A, 1e9 * SQUARED_B, **memory)
    np.testing.assert_allclose(once, scaled, atol=1e-9)


@second_opinion("brute force", "metrics.q_standard_error")
@every_memory
def test_the_standard_error_of_q_is_that_of_its_linear_part(memory):
    """Each loss changes the logarithm of a sum by its share of the sum."""
    error = metrics.q_standard_error(SQUARED_A, SQUARED_B, **memory)
    for i in [*range(1, 5), 59, 60, 61, 699]:
        w, a, b = weights_at(i, **memory), SQUARED_A[: i + 1], SQUARED_B[: i + 1]
        parts = w * (a / (w @ a) - b / (w @ b))
        assert error[i] == pytest.approx(np.sqrt(parts @ parts), rel=1e-6, abs=1e-7)


def test_q_in_standard_errors_is_mcnemars_statistic_where_losses_are_0_and_1():
    """At equal error rates both are (n01 - n10)^2 / (n01 + n10), in the limit."""
    a, b = equally_good(seeds.generator(4, "q"), 200_000)
    z = metrics.q_statistic(a, b)[-1] / metrics.q_standard_error(a, b)[-1]
    assert z**2 == pytest.approx(abs(metrics.mcnemar(a, b)[-1]), rel=0.02)


@second_opinion("simulation", "metrics.q_standard_error")
@pytest.mark.parametrize("memory", [{}, {"alpha": 0.99}, {"window": 200}], ids=str)
def test_q_of_equally_good_learners_is_as_wide_as_its_standard_error(memory):
    rng = seeds.generator(5, "q")
    scores = []
    for _ in range(2000):
        a, b = (rng.normal(size=400) + rng.normal(size=(2, 400))) ** 2
        q = metrics.q_statistic(a, b, **memory)[-1]
        scores.append(q / metrics.q_standard_error(a, b, **memory)[-1])
    assert np.mean(scores) == pytest.approx(0, abs=4 / np.sqrt(2000))
    assert np.std(scores) == pytest.approx(1, abs=0.06)


def test_a_learner_without_a_loss_has_no_standard_error_of_q():
    assert np.isnan(metrics.q_standard_error([0, 0], [0, 1])).all()
    with pytest.raises(ValueError, match="only one of alpha and window must be given"):
        metrics.q_standard_error([1], [1], alpha=0.9, window=3)


def test_all_forms_agree_without_forgetting():
    for statistic in BOTH:
        plain = statistic(A, B)
        np.testing.assert_array_equal(statistic(A, B, alpha=1), plain)
        np.testing.assert_allclose(statistic(A, B, window=10**9), plain, rtol=1e-12)


def test_q_where_a_learner_has_no_loss():
    assert metrics.q_statistic([0, 0, 1], [0, 1, 1]).tolist()[1:] == [-np.inf, np.log(0.5)]
    assert metrics.q_statistic([1], [0])[0] == np.inf
    assert np.isnan(metrics.q_statistic([0, 0], [0, 0])).all()


def test_q_over_a_window_forgets_every_trace():
    """Subtracting old losses would leave a rounding error where the sum is 0."""
    a, b = np.r_[RNG.random(500), np.zeros(100)], np.r_[RNG.random(500) * 1e9, np.zeros(99), 1e-9]
    q = metrics.q_statistic(a, b, window=50)
    assert np.isnan(q[549:599]).all()
    assert q[599] == -np.inf
    assert np.isfinite(q[:549]).all()


def test_q_stays_the_same_while_neither_learner_errs():
    """Both sums fade equally; they must not become 0."""
    a, b = np.r_[1.0, np.zeros(5000)], np.r_[3.0, np.zeros(5000)]
    np.testing.assert_allclose(metrics.q_statistic(a, b, alpha=0.5), np.log(1 / 3), rtol=1e-9)
    assert metrics.q_statistic(a, b + 1, alpha=0.5)[-1] == -np.inf
    m = metrics.mcnemar(a, 0 * b, alpha=0.5)
    assert abs(m[-1]) < 1e-200


def test_mcnemar_by_hand_where_the_learners_never_differ():
    assert np.isnan(metrics.mcnemar([0, 1, 1], [0, 1, 1])).all()
    assert metrics.mcnemar([1, 1, 1], [0, 0, 0]).tolist() == [1, 2, 3]
    assert metrics.mcnemar([0, 0, 0], [1, 1, 1]).tolist() == [-1, -2, -3]
    assert metrics.mcnemar([True, False], [False, True]).tolist() == [1, 0]


def equally_good(rng, n):
    """Return losses of two independent learners with the same error rate."""
    return (rng.random((2, n)) < 0.3).astype(float)


def test_the_cumulative_and_the_windowed_statistic_are_chi_squared_at_one_step():
    last = {"cumulative": [], "window": []}
    for rng in seeds.spawn(1, 4000):
        a, b = equally_good(rng, 600)
        last["cumulative"].append(metrics.mcnemar(a, b)[-1])
        last["window"].append(metrics.mcnemar(a, b, window=300)[-1])
    for values in last.values():
        rejected = np.mean(np.abs(values) > chi2.isf(0.05, 1))
        assert abs(rejected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)


def test_the_faded_statistic_is_half_a_chi_squared():
    """E[M] = (1 + alpha^i) / (1 + alpha) to first order, not 1: the test hardly ever rejects."""
    alpha, n = 0.99, 1500
    m = [abs(metrics.mcnemar(*equally_good(rng, n), alpha)[-1]) for rng in seeds.spawn(2, 4000)]
    scale = (1 + alpha**n) / (1 + alpha)
    assert np.mean(m) == pytest.approx(scale, rel=0.08)
    assert np.mean(m > chi2.isf(0.05, 1)) < 0.01
    corrected = np.mean(np.array(m) / scale > chi2.isf(0.05, 1))
    assert abs(corrected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)


def test_looking_at_every_step_rejects_far_more_often_than_the_level():
    """Overlapping windows test the same pair of learners many times."""
    ever = []
    for rng in seeds.spawn(3, 200):
        m = metrics.mcnemar(*equally_good(rng, 5000), window=100)
        ever.append(np.nanmax(np.abs(m)) > chi2.isf(0.01, 1))
    assert np.mean(ever) > 0.5


@pytest.mark.parametrize(
    ("statistic", "losses", "message"),
    [
        (metrics.q_statistic, ([], []), r"loss_a must be a non-empty 1-d array; got shape \(0,\)"),
        (metrics.q_statistic, ([1, 2], [1]), "loss_b must be as long as loss_a, 2; got 1"),
        (metrics.q_statistic, ([1, 2], [1, -2]), "loss_b must be >= 0; got -2.0 at index 1"),
        (metrics.q_statistic, ([np.nan], [1]), "loss_a must be finite; got nan at index 0"),
        (metrics.q_statistic, ([1, 2], [1, np.inf]), "loss_b must be finite; got inf at index 1"),
        (metrics.mcnemar, ([0, np.nan], [0, 1]), "loss_a must be finite; got nan at index 1"),
        (metrics.mcnemar, ([0, 0.5], [0, 1]), "loss_a must hold 0 and 1 only; got 0.5 at index 1"),
        (metrics.mcnemar, ([0, 1], [0, 2]), "loss_b must hold 0 and 1 only; got 2.0 at index 1"),
    ],
)
def test_invalid_losses_are_refused(statistic, losses, message):
    with pytest.raises(ValueError, match=message):
        statistic(*losses)


@pytest.mark.parametrize("use", [*BOTH, metrics.QStatistic, metrics.McNemar])
def test_an_invalid_memory_is_refused(use):
    losses = ([0.0], [1.0]) if use in BOTH else ()
    for memory, message in [
        ({"alpha": 0.0}, r"alpha must lie in \(0, 1\]; got 0.0"),
        ({"alpha": 1.1}, r"alpha must lie in \(0, 1\]; got 1.1"),
        ({"window": 0}, "window must be a whole number >= 1; got 0"),
        ({"alpha": 0.5, "window": 5}, "only one of alpha and window must be given; got 0.5, 5"),
    ]:
        with pytest.raises(ValueError, match=message):
            use(*losses, **memory)


def test_the_largest_number_is_a_loss():
    """Only infinity, which is above it, is invalid."""
    largest = np.finfo(float).max
    for a, b, expected in [(largest, 1.0, np.log(largest)), (1.0, largest, -np.log(largest))]:
        assert metrics.q_statistic([a], [b]).tolist() == [expected]
        online = metrics.QStatistic()
        online.update(a, b)
        assert online.value == expected


@pytest.mark.parametrize("size", [1e200, 1e-200, 2.0**-1000])
def test_the_standard_error_of_q_does_not_depend_on_the_unit(size):
    """From the second step on; at the first one it is a rounding error of 0."""
    once = metrics.q_standard_error(SQUARED_A, SQUARED_B, window=60)
    scaled = metrics.q_standard_error(size * SQUARED_A, SQUARED_B, window=60)
    np.testing.assert_allclose(scaled[1:], once[1:], rtol=1e-9)


def test_one_invalid_loss_is_refused():
    with pytest.raises(ValueError, match="loss_b must be >= 0; got -1"):
        metrics.QStatistic().update(1, -1)
    with pytest.raises(ValueError, match=r"loss_a must be 0 or 1; got 0.5"):
        metrics.McNemar().update(0.5, 1)
    with pytest.raises(ValueError, match="loss_a must be finite; got nan"):
        metrics.McNemar().update(np.nan, 1)


# --- sizes of samples


@second_opinion(
    "published numbers",
    "metrics.effective_memory metrics.hoeffding_sample_size metrics.window_for",
)
def test_the_sizes_are_those_of_the_paper():
    assert round(metrics.hoeffding_sample_size(0.01, 0.05)) == 18_444
    assert round(metrics.window_for(0.01)) == 10_000
    assert pytest.approx(2.9e-7, rel=0.02) == 0.995**3000
    assert metrics.effective_memory(0.995, 0.995**3000) == pytest.approx(3000)
    assert metrics.effective_memory(1.0) == np.inf


@second_opinion("closed form", "metrics.hoeffding_sample_size metrics.window_for")
def test_sample_size_and_window_reach_their_precision():
    """Exactly, by the binomial distribution, at the worst error rate."""
    from scipy.stats import binom

    n = int(np.ceil(metrics.hoeffding_sample_size(0.05, 0.05)))
    assert binom.cdf(n * 0.45, n, 0.5) + binom.sf(n * 0.55 - 1, n, 0.5) <= 0.05
    w = metrics.window_for(0.05)
    inside = binom.cdf(w * 0.55, w, 0.5) - binom.cdf(w * 0.45 - 1, w, 0.5)
    assert inside == pytest.approx(0.9545, abs=0.01)


@given(st.floats(1e-150, 1, exclude_max=True))
def test_a_window_is_the_least_sufficient_whole_number(epsilon):
    """Computed with fractions, which are exact up to the last bit of `epsilon`."""
    window, exact = metrics.window_for(epsilon), 1 / Fraction(epsilon) ** 2
    assert isinstance(window, int)
    assert (window - 1) * (1 - Fraction(1, 2**50)) < exact <= window * (1 + Fraction(1, 2**50))


def test_the_window_of_an_epsilon_is_accepted_as_a_window():
    loss = np.r_[A, B]
    for epsilon in (0.01, 0.03, 0.1):
        window = metrics.window_for(epsilon)
        assert metrics.sliding_error(loss, window=window).size == loss.size
        assert metrics.SlidingError(window).window == window
        assert metrics.alpha_for(window) == (window - 1) / (window + 1)
    assert [metrics.window_for(1 / k) for k in (2, 3, 7, 10, 30)] == [4, 9, 49, 100, 900]


@second_opinion("closed form", "metrics.alpha_for")
@pytest.mark.parametrize("window", [2, 10, 999])
def test_the_fading_factor_of_a_window_has_its_variance_and_its_mean_age(window):
    alpha, k = metrics.alpha_for(window), np.arange(50_000)
    weights = alpha**k / np.sum(alpha**k)
    assert np.sum(weights**2) == pytest.approx(1 / window)
    assert weights @ k == pytest.approx((window - 1) / 2)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: metrics.hoeffding_sample_size(0), r"epsilon must lie in \(0, 1\); got 0"),
        (lambda: metrics.hoeffding_sample_size(0.1, 1), r"delta must lie in \(0, 1\); got 1"),
        (lambda: metrics.window_for(1.5), r"epsilon must lie in \(0, 1\); got 1.5"),
        (lambda: metrics.effective_memory(0), r"alpha must lie in \(0, 1\]; got 0"),
        (lambda: metrics.effective_memory(0.9, 1), r"epsilon must lie in \(0, 1\); got 1"),
        (lambda: metrics.alpha_for(1), "window must be a whole number >= 2; got 1"),
        (lambda: metrics.alpha_for(10.0), "window must be a whole number >= 2; got 10.0"),
        (lambda: metrics.window_for(1e-200), "epsilon must be finite and >= 1e-150; got 1e-200"),
        (lambda: metrics.window_for(Fraction(3, 2)), r"epsilon must lie in \(0, 1\); got Fraction"),
        (
            lambda: metrics.hoeffding_sample_size(1e-200),
            "epsilon must be finite and >= 1e-150; got 1e-200",
        ),
        (lambda: metrics.hoeffding_sample_size(0.1, None), r"delta must lie in \(0, 1\); got None"),
    ],
)
def test_bad_arguments_of_sizes_are_refused(use, message):
    with pytest.raises(ValueError, match=message):
        use()
