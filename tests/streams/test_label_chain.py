"""The exact numbers of a label chain agree with counting, integration and simulation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from opinions import second_opinion
from scipy.stats import norm

from repro import metrics, prequential
from repro.learners import Majority, NoChange
from repro.streams import LabelChain

TWO = LabelChain([[0.9, 0.1], [0.3, 0.7]], means=[0.0, 2.0])
THREE = LabelChain(
    [[0.8, 0.2, 0.0], [0.1, 0.6, 0.3], [0.5, 0.0, 0.5]], means=[-1.0, 0.4, 1.5], sigma=0.7
)
PLANE = LabelChain([[0.6, 0.4], [0.2, 0.8]], means=[[0, 0], [3, 4]], sigma=2.5)
EQUAL = LabelChain([[0.5, 0.5], [0.2, 0.8]], means=[1.0, 1.0])
ONE_WAY = LabelChain([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], means=[0.0, 1.0, 2.0])
CHAINS = [TWO, THREE, PLANE, EQUAL, ONE_WAY]


@pytest.mark.parametrize("chain", CHAINS)
def test_priors_stay_the_same_from_step_to_step(chain):
    assert chain.priors @ np.array(chain.transition) == pytest.approx(chain.priors)
    assert chain.priors.sum() == pytest.approx(1)


@second_opinion("scipy", "streams.LabelChain")
@pytest.mark.parametrize("chain", [TWO, THREE, EQUAL, ONE_WAY])
def test_the_exact_error_is_the_integral_of_the_best_class(chain):
    """By brute force on a grid, without and with the previous label."""
    x = np.linspace(-12, 14, 400_001)
    densities = norm.pdf(x, np.array(chain.means), chain.sigma)  # (K, m)

    def accuracy(weights):
        return np.trapezoid((np.asarray(weights)[:, np.newaxis] * densities).max(axis=0), x)

    assert 1 - chain.bayes_error() == pytest.approx(accuracy(chain.priors), abs=1e-8)
    known = chain.priors @ [accuracy(row) for row in chain.transition]
    assert 1 - chain.bayes_error("previous label") == pytest.approx(known, abs=1e-8)


def test_two_classes_of_equal_weight_have_the_textbook_error():
    chain = LabelChain.two_classes(majority=0.5, no_change=0.5, distance=2.0)
    assert chain.bayes_error() == pytest.approx(norm.cdf(-1))
    assert chain.bayes_error("previous label") == pytest.approx(norm.cdf(-1))  # adds no information


def test_only_the_distance_of_the_means_counts():
    """5 apart in the plane, sigma 2.5: the same as 2 apart on a line."""
    line = LabelChain(PLANE.transition, means=[0.0, 2.0])
    assert PLANE.bayes_error() == pytest.approx(line.bayes_error())
    assert PLANE.bayes_error("previous label") == pytest.approx(line.bayes_error("previous label"))


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("given", ["attributes", "previous label"])
def test_the_truth_of_a_stream_averages_to_the_exact_error(chain, given):
    stream = chain.sample(seed=1, n=200_000, given=given)
    exact = chain.bayes_error(given)
    # Risks depend on labels that depend on each other: blocks of 1000 are nearly independent.
    blocks = stream.bayes_risk.reshape(-1, 1000).mean(axis=1)
    assert abs(blocks.mean() - exact) <= 4 * blocks.std() / np.sqrt(len(blocks)) + 1e-12
    wrong = (stream.optimal != stream.y).reshape(-1, 1000).mean(axis=1)
    assert abs(wrong.mean() - exact) <= 4 * wrong.std() / np.sqrt(len(wrong)) + 1e-12


@pytest.mark.parametrize("chain", CHAINS)
def test_more_information_never_lowers_the_accuracy(chain):
    p = chain.accuracies()
    assert p["random"] <= p["majority"] <= p["attributes"] + 1e-12
    assert p["no change"] <= p["previous label"] <= p["attributes and previous label"] + 1e-12
    assert p["attributes"] <= p["attributes and previous label"] + 1e-12
    assert p["uniform"] == 1 / len(chain.priors)


def test_baselines_are_counted_over_all_pairs_of_labels():
    """By enumeration of P(j, k) = pi_j A_jk."""
    A, pi = np.array(THREE.transition), THREE.priors
    joint = {(j, k): pi[j] * A[j, k] for j, k in itertools.product(range(3), repeat=2)}
    p = THREE.accuracies()
    assert p["no change"] == pytest.approx(sum(joint[k, k] for k in range(3)))
    best = [max(range(3), key=lambda k: A[j, k]) for j in range(3)]
    assert p["previous label"] == pytest.approx(sum(joint[j, best[j]] for j in range(3)))
    two = sum(pi[j] * A[j, k] * A[k, j] for j, k in joint)
    assert THREE.no_change_accuracy(delay=1) == pytest.approx(two)


def test_the_library_baselines_reach_their_accuracies():
    chain = LabelChain.two_classes(majority=0.5755, no_change=0.8533, n=100_000)
    stream = chain.sample(seed=0)
    p = chain.accuracies()
    assert p["majority"] == pytest.approx(0.5755)
    assert p["no change"] == pytest.approx(0.8533)
    # Standard errors: 0.0011 for changes, and 0.0039 for labels, which come in runs.
    assert np.mean(prequential(NoChange(), stream).loss == 0) == pytest.approx(0.8533, abs=0.004)
    assert np.mean(prequential(Majority(), stream).loss == 0) == pytest.approx(0.5755, abs=0.015)
    assert metrics.kappa_temporal(stream.y, np.roll(stream.y, 1)) == pytest.approx(0, abs=1e-3)


def test_the_posterior_is_bayes_rule():
    x, before = np.array([[0.3], [1.2]]), [1, 0]
    likelihood = norm.pdf(x, np.array(THREE.means).T, THREE.sigma)
    without = likelihood * THREE.priors
    known = likelihood * np.array(THREE.transition)[before]
    first = np.vstack([without[:1], known[1:]])  # the first row has no label before
    for got, joint in [
        (THREE.posterior(x), without),
        (THREE.posterior(x, before), known),
        (THREE.posterior(x, [0]), first),
    ]:
        np.testing.assert_allclose(got, joint / joint.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(THREE.posterior(x[:1], []), THREE.posterior(x[:1]))


def test_both_kinds_of_truth_have_the_same_examples():
    long, short = THREE.sample(seed=4, n=500), THREE.sample(seed=4, n=100, given="previous label")
    assert long.X[:100].tolist() == short.X.tolist()
    assert long.y[:100].tolist() == short.y.tolist()
    assert THREE.sample(seed=5, n=100).y.tolist() != short.y.tolist()
    assert len(THREE.sample()) == THREE.n == 10_000
    assert ONE_WAY.sample(n=7).y.tolist() in [[(k + i) % 3 for i in range(7)] for k in range(3)]
    assert THREE.sample(n=1, given="previous label").X.shape == (1, 1)


@second_opinion("simulation", "streams.LabelChain")
def test_transitions_occur_as_often_as_described():
    y, n = THREE.sample(seed=2, n=100_000).y, 100_000
    counts = np.histogram2d(y[:-1], y[1:], bins=[range(4), range(4)])[0]
    expected = n * THREE.priors[:, np.newaxis] * np.array(THREE.transition)
    assert (counts[expected == 0] == 0).all()
    assert (abs(counts - expected) <= 5 * np.sqrt(expected) + 1e-9).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.5, 0.5]], [0, 1]), "transition must be square"),
        (([[0.5, 0.6], [0.5, 0.5]], [0, 1]), "transition must be square, its rows shares .* got"),
        (([[1.5, -0.5], [0.5, 0.5]], [0, 1]), "transition must be square"),
        (([[1.0, 0.0], [0.0, 1.0]], [0, 1]), "transition must have one stationary distribution"),
        (([[0.5, 0.5], [0.5, 0.5]], [0, 1, 2]), "means must hold one point per class, 2; got 3"),
        (([[0.5, 0.5], [0.5, 0.5]], [0, np.nan]), "means must be finite"),
        (([[0.5, 0.5], [0.5, 0.5]], [0, 1], 0), "sigma must be finite and >= 1e-150; got 0"),
        (([[0.5, 0.5], [0.5, 0.5]], [0, 1], 1, 0), "n must be a whole number >= 1; got 0"),
        (([[0.5, 0.5], [0.5, 0.5]], ["a", "b"]), "means must hold numbers; got"),
        (([[0.5, 0.5], [0.5, 0.5]], [[0], [1, 2]]), "means must hold numbers; got"),
        (([[0.5, 0.5], [0.5, 0.5]], 5), r"means must have shape \(n, d\)"),
        (("ab", [0, 1]), "transition must hold numbers; got"),
        ((None, [0, 1]), "transition must have shape"),
    ],
)
def test_chains_with_wrong_values_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        LabelChain(*arguments)


def test_the_name_of_a_chain_is_a_text():
    with pytest.raises(TypeError, match="name must be a text; got 5"):
        LabelChain([[0.5, 0.5], [0.5, 0.5]], [0, 1], name=5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LabelChain.two_classes(0.4, 0.9), r"majority must lie in \[0.5, 1\); got 0.4"),
        (lambda: LabelChain.two_classes(0.9, 0.7), r"no_change must lie in \[0.8, 1\); got 0.7"),
        (lambda: LabelChain.two_classes(0.9, 1), r"no_change must lie in \[0.8, 1\); got 1"),
        (lambda: LabelChain.two_classes("a", 0.9), "majority must be finite; got 'a'"),
        (lambda: LabelChain.two_classes(0.9, None), "no_change must be finite; got None"),
        (lambda: LabelChain.two_classes(0.6, 0.9, distance="x"), "distance must be finite; got"),
        (lambda: TWO.sample(n=10**18), "n must fit into .* GB of memory; got 1000"),
        (lambda: TWO.sample(given=["attributes"]), "given must be one of .*; got .'attributes'"),
        (lambda: TWO.majority_accuracy(10**400), "window must leave a million sequences or fewer"),
        (lambda: TWO.majority_accuracy(20), "window must leave a million .* fewer; got 20"),
        (lambda: TWO.posterior("x"), "X must hold numbers; got"),
        (lambda: TWO.posterior([[1.0]], 5), "previous must hold 1 labels, or one less; got 5"),
        (lambda: TWO.posterior([[1.0]], [[0], [1, 2]]), "previous must hold 1 labels, or one"),
        (lambda: TWO.sample(given="all"), "given must be one of attributes, previous label; got"),
        (lambda: TWO.bayes_error("all"), "given must be one of attributes, previous label; got"),
        (lambda: TWO.no_change_accuracy(-1), "delay must be a whole number >= 0; got -1"),
        (lambda: TWO.posterior([[1.0, 2.0]]), "X must have 1 columns; got 2"),
        (
            lambda: TWO.posterior([[1.0]] * 3, [0]),
            "previous must hold 3 labels, or one less; got 1",
        ),
        (lambda: TWO.posterior([[1.0]] * 3, []), "previous must hold 3 labels, or one less; got 0"),
        (lambda: TWO.posterior([[1.0]], [2]), "previous must hold integer labels 0..1 .* got 2"),
        (
            lambda: LabelChain(THREE.transition, [[0, 0], [1, 0], [0, 1]]).bayes_error(),
            "means must lie on a line for an exact error; got",
        ),
    ],
)
def test_wrong_arguments_of_methods_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_the_no_change_accuracy_is_exact_for_any_delay():
    """After a long delay labels are as good as drawn from the priors; a cycle stays a cycle."""
    shares = float((THREE.priors**2).sum())
    for delay in (1_001, 10**6, 10**18, 10**300):
        assert THREE.no_change_accuracy(delay) == pytest.approx(shares, rel=1e-9)
        assert ONE_WAY.no_change_accuracy(3 * delay - 1) == pytest.approx(1)
        assert ONE_WAY.no_change_accuracy(3 * delay) == 0
    slow = LabelChain.two_classes(0.5, 0.999_999)
    expected = [(1 + (1 - 2e-6) ** (d + 1)) / 2 for d in (998, 999, 1_000, 1_001)]
    found = [slow.no_change_accuracy(d) for d in (998, 999, 1_000, 1_001)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_one_class_is_always_right_and_points_far_from_all_means_have_no_posterior():
    assert LabelChain([[1.0]], [0.0]).majority_accuracy(100) == 1
    shares = TWO.posterior([[1.0], [1e200], [0.3]])
    assert np.isnan(shares[1]).all()
    np.testing.assert_array_equal(shares[[0, 2]], TWO.posterior([[1.0], [0.3]]))


def test_a_chain_is_a_value():
    same = LabelChain(np.array(TWO.transition), means=[[0.0], [2.0]])
    assert same == TWO
    assert hash(same) == hash(TWO)
