"""Compositions: the concept of each example, its random numbers, and its truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion
from scipy.special import expit

from repro import TESTBED, Stream, seeds
from repro.streams import (
    LED,
    SEA,
    SEA_THRESHOLDS,
    Component,
    Composition,
    DriftingMixture,
    Hyperplane,
    Incremental,
    MixtureClass,
    RandomRBF,
    RandomTree,
    Redrawn,
    Schema,
    Transform,
    Waveform,
    gradual,
    incremental,
    recurring,
    snapshot,
    sudden,
)

ZEROS, ONES = SEA(threshold=-1, noise=0), SEA(threshold=30, noise=0)  # the label is the concept
PAPER = {
    "LED": sudden(LED(), LED(drifting=7), 600),
    "Waveform": sudden(Waveform(), Waveform(drifting=21), 600),
    "RBF": sudden(RandomRBF(), RandomRBF(model_seed=10, speed=0.01), 600),
    "Tree": sudden(RandomTree(), RandomTree(model_seed=2), 600),
    "SEA": Composition([SEA(threshold=s) for s in SEA_THRESHOLDS], (500, 900, 1300)),
    "Hyperplane": sudden(Hyperplane(), Hyperplane(model_seed=2, drifting=3), 600),
    "gradual": gradual(LED(), LED(drifting=7), 600, 300),
    "recurring": recurring(RandomRBF(), RandomRBF(model_seed=2), (400, 800, 1200), 100),
    "incremental": incremental(SEA(), SEA(threshold=9), 600, 400),
    "mixtures": sudden(TESTBED["NSGT"], TESTBED["NSGT-I"], 600),
}
every_composition = pytest.mark.parametrize("composition", PAPER.values(), ids=PAPER)


def equal(a: Stream, b: Stream) -> bool:
    names = ("X", "y", "bayes_risk", "optimal")
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)


# --- all compositions


@every_composition
def test_the_seed_decides(composition):
    a, b, c = (composition.sample(seed, n=2_000) for seed in (1, 1, 2))
    assert equal(a, b)
    assert not np.array_equal(a.X, c.X)
    assert a.schema == composition.schema


@every_composition
def test_a_longer_stream_begins_with_the_shorter(composition):
    long, short = composition.sample(3, n=1_900), composition.sample(3, n=1_050)
    np.testing.assert_array_equal(long.X[:1_050], short.X)
    np.testing.assert_array_equal(long.y[:1_050], short.y)
    np.testing.assert_allclose(long.bayes_risk[:1_050], short.bayes_risk, atol=1e-9)
    assert set(short.drifts) == {p for p in long.drifts if p < 1_050}


@second_opinion(
    "simulation",
    "streams.sudden streams.gradual streams.incremental streams.recurring streams.Composition",
)
@every_composition
def test_labels_are_as_frequent_as_the_truth_says(composition):
    stream = composition.sample(seed=4, n=20_000)
    gap = (stream.y != stream.optimal) - stream.bayes_risk
    assert (
        abs(gap.sum()) < 4.5 * np.sqrt((stream.bayes_risk * (1 - stream.bayes_risk)).sum()) + 1e-6
    )


# --- sudden


def test_each_concept_of_a_sudden_composition_draws_its_part_as_it_would_alone():
    concepts = [LED(), LED(drifting=7), LED(noise=0.3)]
    stream = Composition(concepts, at=(300, 1_000), n=1_500).sample(seed=8)
    assert (stream.drifts, stream.widths) == ((300, 1_000), (0, 0))
    for i, part in enumerate([slice(0, 300), slice(300, 1_000), slice(1_000, 1_500)]):
        alone = concepts[i].sample(seeds.integer(8, f"concept {i}"), part.stop - part.start)
        assert equal(stream.take(np.arange(1_500)[part]), alone)


@pytest.mark.parametrize("concept", [RandomRBF(), Waveform(), SEA(), Hyperplane(), RandomTree()])
def test_no_concept_repeats_the_random_numbers_of_another(concept):
    """The same concept twice for one seed: no number is repeated, none is correlated."""
    stream = sudden(concept, concept, at=2_000).sample(seed=1, n=4_000)
    numeric = np.array(concept.schema.nominal) == 0
    a, b = stream.X[:2_000, numeric], stream.X[2_000:, numeric]
    assert not np.isin(a, b).any()
    correlation = [np.corrcoef(x, y)[0, 1] for x, y in zip(a.T, b.T, strict=True)]
    assert np.abs(correlation).max() < 4.5 / np.sqrt(2_000)
    assert abs(np.corrcoef(stream.y[:2_000], stream.y[2_000:])[0, 1]) < 4.5 / np.sqrt(2_000)


def test_a_binary_concept_is_not_repeated_either():
    stream = sudden(LED(), LED(), at=5_000).sample(seed=1, n=10_000)
    same = (stream.X[:5_000] == stream.X[5_000:]).mean(axis=0)
    on = stream.X.mean(axis=0)
    assert np.abs(same - (on**2 + (1 - on) ** 2)).max() < 4.5 * 0.5 / np.sqrt(5_000)
    assert (stream.y[:5_000] == stream.y[5_000:]).mean() == pytest.approx(0.1, abs=0.02)


def test_a_concept_that_recurs_draws_new_examples_of_the_same_kind():
    stream = recurring(ZEROS, ONES, at=(100, 250, 300)).sample(seed=0, n=400)
    expected = np.repeat([0, 1, 0, 1], [100, 150, 50, 100])
    np.testing.assert_array_equal(stream.y, expected)
    assert np.unique(stream.X[:, 0]).size == 400
    assert stream.drifts == (100, 250, 300)


def test_the_streams_of_the_published_tables_have_their_length_and_their_drift():
    led = sudden(LED(n=128_000), LED(drifting=7, n=128_000), at=128_000)
    assert (led.n, led.name) == (256_000, "LED")
    assert sudden(RandomTree(), RandomTree(model_seed=2), at=32_000, n=64_000).n == 64_000


@pytest.mark.parametrize(
    ("before", "after", "least"),
    [
        (LED(), LED(drifting=7), 0.3),
        (Waveform(), Waveform(drifting=21), 0.2),
        (RandomTree(), RandomTree(model_seed=2), 0.2),
        (RandomRBF(), RandomRBF(model_seed=10, speed=0.01), 0.2),
    ],
)
def test_the_old_rule_fails_after_the_drift(before, after, least):
    stream = sudden(before, after, at=3_000).sample(seed=1, n=6_000)
    old = before.posterior(stream.X).argmax(axis=1)
    np.testing.assert_array_equal(old[:3_000], stream.optimal[:3_000])
    excess = (old != stream.y).astype(float) - (stream.optimal != stream.y)
    assert excess[3_000:].mean() > least


def test_drifts_inside_a_concept_are_kept_at_their_positions():
    stream = sudden(TESTBED["NSGT"], TESTBED["NSGT-I"], at=3_000).sample(seed=0)
    assert (stream.drifts, len(stream)) == ((3_000, 8_000), 13_001)
    inner = gradual(ZEROS, ONES, at=500, width=40)
    outer = sudden(ZEROS, inner, at=1_000, n=3_000)
    assert (outer.sample().drifts, outer.sample().widths) == ((1_000, 1_500), (0, 40))


def test_a_stream_that_ends_before_the_drift_has_none():
    stream = sudden(ZEROS, ONES, at=500).sample(n=400)
    assert (stream.drifts, stream.widths, stream.y.max()) == ((), (), 0)
    assert Composition([SEA()], ()).sample(n=50).drifts == ()


def test_a_description_of_yours_takes_part_and_its_truth_may_be_unknown():
    class Coins:
        name, n, schema = "coins", 100, Schema((0, 0, 0), 2)

        def sample(self, seed=0, n=None):
            rng = np.random.default_rng(seed)
            return Stream(rng.random((n, 3)), rng.integers(0, 2, n), n_classes=2)

    for width in (0, 10):
        stream = gradual(SEA(), Coins(), 50, width).sample(seed=0)
        assert (len(stream), stream.bayes_risk, stream.optimal) == (150, None, None)


# --- gradual


def test_a_width_of_0_is_sudden():
    for pair in [(LED(), LED(drifting=7)), (RandomRBF(), RandomRBF(model_seed=2))]:
        a, b = gradual(*pair, at=700, width=0), sudden(*pair, at=700)
        assert a == b
        assert a.shares([699, 700]).tolist() == [[1, 0], [0, 1]]


@second_opinion("closed form", "streams.gradual")
@given(st.integers(1, 10**6), st.integers(1, 10**12), st.integers(0, 10**7))
def test_shares_follow_the_sigmoid_for_any_width(at, width, t):
    shares = gradual(ZEROS, ONES, at=at, width=width).shares([t, at])
    assert shares[0, 1] == pytest.approx(expit(4 * (t - at) / width), rel=1e-9, abs=1e-300)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares[1].tolist() == [0.5, 0.5]


def test_shares_of_many_concepts_are_those_of_compositions_in_compositions():
    a, b, c = SEA(), SEA(threshold=9), SEA(threshold=7)
    t = np.arange(0, 1_000, 7)
    flat = Composition((a, b, c), (300, 500), (200, 300)).shares(t)
    inner, outer = gradual(a, b, 300, 200).shares(t), gradual(a, c, 500, 300).shares(t)
    np.testing.assert_allclose(flat[:, 2], outer[:, 1])
    np.testing.assert_allclose(flat[:, :2], inner * outer[:, :1])


@second_opinion("simulation", "streams.gradual")
@pytest.mark.parametrize("width", [1, 10, 1_000, 10**9])
def test_each_concept_is_as_frequent_as_its_share(width):
    composition = gradual(ZEROS, ONES, at=2_000, width=width)
    y = np.array([composition.sample(seed, n=4_000).y for seed in range(30)])
    share = composition.shares(np.arange(4_000))[:, 1]
    gap, variance = y.mean(axis=0) - share, share * (1 - share) / 30
    for part in np.array_split(np.arange(4_000), 8):
        assert abs(gap[part].sum()) < 4.5 * np.sqrt(variance[part].sum()) + 1e-6
    stream = composition.sample(n=4_000)
    assert (stream.drifts, stream.widths) == ((2_000,), (width,))


def test_the_risk_of_an_invisible_concept_is_that_of_guessing_it():
    composition = gradual(ZEROS, ONES, at=500, width=200)
    stream = composition.sample(seed=0, n=1_000)
    shares = composition.shares(np.arange(1_000))
    np.testing.assert_allclose(stream.bayes_risk, shares.min(axis=1), atol=1e-12)
    np.testing.assert_array_equal(stream.optimal[501:], 1)
    np.testing.assert_array_equal(stream.optimal[:500], 0)


def test_the_truth_is_the_posterior_of_the_mixture_of_concepts():
    """By hand for LED: prior times likelihood of the display in both concepts."""
    before, after = LED(n_irrelevant=3), LED(n_irrelevant=3, drifting=3, noise=0.2)
    composition = gradual(before, after, at=500, width=300)
    stream = composition.sample(seed=5, n=1_000)
    digits = LED(noise=0, n_irrelevant=0).sample(seed=0, n=500)
    segments = np.array([digits.X[digits.y == k][0] for k in range(10)])
    shares = composition.shares(np.arange(1_000))
    for t in range(0, 1_000, 37):
        joint = np.zeros(10)
        for share, concept in zip(shares[t], (before, after), strict=True):
            inverted = (segments != stream.X[t, concept.columns]).sum(axis=1)
            rate = concept.noise
            joint += share * rate**inverted * (1 - rate) ** (7 - inverted)
        assert stream.bayes_risk[t] == pytest.approx(1 - joint.max() / joint.sum(), abs=1e-12)
        assert stream.optimal[t] == joint.argmax()


def test_a_moving_concept_moves_with_its_own_examples_only():
    """The n-th example that it draws is the n-th that it would draw alone."""
    moving = RandomRBF(speed=0.01, model_seed=3)
    composition = gradual(replace(moving, model_seed=4), moving, at=1_500, width=2_000)
    stream = composition.sample(seed=2, n=3_000)
    alone = moving.sample(seeds.integer(2, "concept 1"), n=3_000)
    own = np.flatnonzero(np.isin(stream.X[:, 0], alone.X[:, 0]))
    np.testing.assert_array_equal(stream.X[own], alone.X[: own.size])
    assert 1_000 < own.size < 2_000
    shares = composition.shares(np.arange(3_000))
    for t in (own[400], own[400] + 1, own[900], own[900] - 1):
        drawn = int((own < t).sum())
        joint = sum(
            share * np.exp(concept.log_joint(stream.X[[t]], np.array([float(clock)]))[:, 0])
            for share, concept, clock in zip(
                shares[t], composition.concepts, (t - drawn, drawn), strict=True
            )
        )
        assert stream.bayes_risk[t] == pytest.approx(1 - joint.max() / joint.sum(), rel=1e-6)
    wrong = stream.y != stream.optimal
    deviation = np.sqrt((stream.bayes_risk * (1 - stream.bayes_risk)).sum())
    assert abs(wrong.sum() - stream.bayes_risk.sum()) < 4.5 * deviation


def test_attributes_that_only_one_concept_can_have_show_the_concept():
    """SEA fills [0, 10), the hyperplane [0, 1): an example outside the small cube is from SEA."""
    stream = gradual(
        SEA(noise=0.2), Hyperplane(n_features=3, noise=0.1), at=500, width=10**6
    ).sample(seed=1, n=1_000)
    outside = (stream.X >= 1).any(axis=1)
    assert 0.4 < outside.mean() < 0.6
    np.testing.assert_allclose(stream.bayes_risk[outside], 0.2)
    # Inside, the density of the hyperplane is 1000 times as high.
    np.testing.assert_allclose(stream.bayes_risk[~outside], 0.1, atol=1e-3)


def test_the_truth_of_a_gradual_mixture_of_mixtures_is_unknown():
    stream = gradual(TESTBED["NSGT"], TESTBED["NSLC"], at=500, width=100).sample(n=1_000)
    assert (stream.bayes_risk, stream.optimal, stream.widths) == (None, None, (100,))


# --- incremental


def test_every_step_of_an_incremental_drift_is_a_small_one():
    moving = incremental(SEA(noise=0), SEA(threshold=9, noise=0.1), at=1_000, width=100)
    thresholds = [concept.threshold for concept in moving.chain.concepts]
    np.testing.assert_allclose(thresholds, np.linspace(8, 9, 101))
    np.testing.assert_allclose([c.noise for c in moving.chain.concepts], np.linspace(0, 0.1, 101))
    assert moving.chain.at == tuple(range(951, 1_051))
    stream = moving.sample(seed=0, n=2_000)
    assert (stream.drifts, stream.widths, stream.name) == ((1_000,), (100,), "SEA")
    threshold = 8 + np.clip((np.arange(2_000) - 1_000) / 100 + 0.5, 0, 1)
    np.testing.assert_allclose(stream.bayes_risk, (threshold - 8) * 0.1, atol=1e-12)
    np.testing.assert_array_equal(stream.optimal, stream.X[:, :2].sum(axis=1) <= threshold)


@second_opinion("closed form", "streams.Incremental")
@pytest.mark.parametrize(("width", "steps"), [(1, 1), (7, 7), (1_000, 100)])
def test_the_steps_are_spread_evenly_about_the_middle(width, steps):
    moving = incremental(SEA(), SEA(threshold=9), at=2_000, width=width)
    assert moving.steps == steps
    begins = np.array(moving.chain.at)
    assert begins.size == steps
    assert abs(begins.mean() - 2_000) <= 1
    assert begins[0] >= 2_000 - width / 2
    assert begins[-1] <= 2_000 + width / 2


def test_an_incremental_drift_of_width_0_is_sudden():
    moving = incremental(SEA(), SEA(threshold=9), at=300, width=0)
    assert replace(moving.chain, same_as=()) == sudden(SEA(), SEA(threshold=9), at=300)
    assert moving.sample(seed=1, n=600).drifts == (300,)


def test_an_incremental_drift_may_begin_before_the_stream():
    moving = incremental(SEA(threshold=0), SEA(threshold=10), at=10, width=100, steps=10)
    thresholds = [concept.threshold for concept in moving.chain.concepts]
    np.testing.assert_allclose(thresholds, [4, 5, 6, 7, 8, 9, 10])
    assert moving.chain.at == (5, 15, 25, 35, 45, 55)


def test_means_of_a_mixture_move_as_well():
    a = TESTBED["NSGT"]
    far = replace(a.classes[1].components[0], mean=(9.0, 0.0))
    b = replace(a, classes=(a.classes[0], replace(a.classes[1], components=(far,))))
    moving = incremental(a, b, at=500, width=100, steps=4)
    means = [m.components[1].mean[0] for m in moving.chain.concepts]
    assert means == [5, 6, 7, 8, 9]
    assert all(isinstance(m, DriftingMixture) for m in moving.chain.concepts)


# --- wrong arguments


def turned_by(rotation, weight=None) -> DriftingMixture:
    turn = Transform(10, rotation=rotation, weight=weight)
    moving, still = (Component((0, 0), (1, 1), transforms=t) for t in ((turn,), ()))
    return DriftingMixture("m", (MixtureClass("A", (moving, still)),))


# --- redrawn concepts


TREE, OTHER = Redrawn(RandomTree(n=300)), Redrawn(RandomTree(n=300, noise=0.1))


def labels_of(tree: RandomTree, X: np.ndarray) -> np.ndarray:
    return tree.posterior(X).argmax(axis=1)


@second_opinion("known truth", "streams.Redrawn")
@pytest.mark.parametrize("seed", range(3))
def test_a_redrawn_concept_that_recurs_keeps_its_model(seed):
    """Noiseless labels: the tree of the first segment labels the first and third, no others.

    The first tree is the one that a sudden composition draws first.
    """
    stream = recurring(TREE, OTHER, (300, 600, 900)).sample(seed)
    first = TREE.drawn(seeds.integer(seed, "concept 0"))
    agreement = (stream.y == labels_of(first, stream.X)).reshape(4, 300).mean(axis=1)
    assert agreement[[0, 2]].tolist() == [1, 1]
    assert (agreement[[1, 3]] < 0.95).all()
    assert not np.isin(stream.X[600:900, 5:], stream.X[:300, 5:]).any()  # other examples
    before, after = sudden(TREE, OTHER, 300).drawn(seed).concepts
    assert recurring(TREE, OTHER, (300, 600, 900)).drawn(seed).concepts == (before, after) * 2
    np.testing.assert_array_equal(
        stream.X[:600], sudden(TREE, OTHER, 300, n=600).sample(seed).X, strict=True
    )


def test_a_composition_that_recurs_keeps_its_models():
    inner = sudden(TREE, TREE, 200, n=400)
    whole = recurring(inner, OTHER, (400, 700), n=1_100)
    old, other, again = whole.drawn(5).concepts
    assert old == again
    assert len({model.model_seed for model in (*old.concepts, other)}) == 3
    stream = whole.sample(5)
    for tree, segments in zip(old.concepts, [(0, 700), (200, 900)], strict=True):
        for start in segments:
            rows = slice(start, start + 200)
            np.testing.assert_array_equal(stream.y[rows], labels_of(tree, stream.X[rows]))


def test_equal_descriptions_are_drawn_twice_unless_identity_says_they_are_one():
    two, one = sudden(TREE, TREE, 300), Composition((TREE, TREE), (300,), same_as=(7, 7))
    assert len(set(two.drawn(1).concepts)) == 2
    assert set(one.drawn(1).concepts) == {two.drawn(1).concepts[0]}
    assert repr(two) != repr(one)  # results are stored under it


def test_a_redrawn_concept_that_changes_step_by_step_is_one_model():
    moving = incremental(TREE, OTHER, at=300, width=200, steps=4)
    assert {tree.model_seed for tree in moving.chain.drawn(3).concepts} == {
        moving.drawn(3).before.model_seed
    }
    stream = moving.sample(3)
    assert equal(stream, moving.drawn(3).sample(3))
    np.testing.assert_array_equal(stream.optimal, labels_of(moving.drawn(3).before, stream.X))
    again = recurring(moving, TREE, (600, 900), n=1_500).drawn(2).concepts
    assert again[0] == again[2]


def test_the_truth_of_a_gradual_drift_between_redrawn_concepts_is_that_of_the_drawn_ones():
    """The drawn concepts, composed by hand."""
    turning = gradual(TREE, OTHER, 300, 200, n=600)
    by_hand = replace(turning, concepts=turning.drawn(4).concepts)
    assert all(isinstance(concept, RandomTree) for concept in by_hand.concepts)
    assert equal(turning.sample(4), by_hand.sample(4))
    assert turning.sample(4).bayes_risk.max() > 0.1


def test_the_truth_of_two_kinds_of_concepts_uses_their_densities():
    """SEA fills the cube of side 10, the hyperplane that of side 1: 1 to 1000 inside."""
    sea, plane = SEA(threshold=1.0, noise=0.2), Hyperplane(n_features=3, noise=0.05)
    stream = gradual(sea, plane, 2_000, 4_000).sample(seed=3, n=4_000)
    t = np.arange(4_000)
    share = expit(4 * (t - 2_000) / 4_000)
    inside = (stream.X < 1).all(axis=1)
    by_sea = np.where((stream.X[:, :2].sum(axis=1) <= 1)[:, None], [0.2, 0.8], [0.8, 0.2])
    joint = ((1 - share) / 1_000)[:, None] * by_sea
    joint += (share * inside)[:, None] * plane.posterior(np.where(inside[:, None], stream.X, 0.5))
    expected = 1 - joint.max(axis=1) / joint.sum(axis=1)
    np.testing.assert_allclose(stream.bayes_risk, expected, atol=1e-12)
    near = inside & (abs(t - 2_000) < 1_500)
    assert near.sum() > 500
    assert (expected[near] > 0.05).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sudden(SEA(), LED(), 5), "after must have the schema of before, Schema"),
        (lambda: sudden(SEA(), TESTBED["NSGT"], 5), "after must have the schema of before, Schema"),
        (lambda: sudden(SEA(), SEA(), 0), "at must be a whole number >= 1; got 0"),
        (lambda: sudden(SEA(), SEA(), 1.5), "at must be a whole number >= 1; got 1.5"),
        (lambda: sudden(SEA(), SEA(), 5, n=0), "n must be a whole number >= 1; got 0"),
        (lambda: gradual(SEA(), SEA(), 5, -1), "width must be a whole number >= 0; got -1"),
        (lambda: gradual(SEA(), SEA(), 5, 0.5), "width must be a whole number >= 0; got 0.5"),
        (lambda: sudden(SEA(), SEA(), 2**70), f"at must be at most {2**62}; got {2**70}"),
        (lambda: recurring(SEA(), SEA(), (5, None)), "at must be a whole number >= 1; got None"),
        (lambda: gradual(SEA(), SEA(), 5, {}), "width must be one number or one per position"),
        (
            lambda: Composition([SEA(), SEA()], (5,), same_as=(1,)),
            "same_as must hold one number per concept, 2; got 1",
        ),
        (lambda: sudden(SEA(), SEA(), 5).sample(n=2**50), "n must fit into .* GB of memory; got"),
        (lambda: sudden(SEA(), SEA(), 5).shares(-1), "t must be finite and >= 0; got -1.0 at"),
        (lambda: sudden(SEA(), SEA(), 5).shares(None), "t must .*; got"),
        (lambda: incremental(SEA(), SEA(), None, 2), "at must be a whole number >= 1; got None"),
        (lambda: Incremental(SEA(), SEA(), 5, 3, n="9"), "n must be a whole number >= 1; got '9'"),
        # The two values are of different kinds: lists of other lengths, numbers, planes, None.
        (
            lambda: incremental(snapshot(TESTBED["NSPC"], 0), TESTBED["NSPC"], 5, 2),
            r"before and after must differ in real numbers only; got transforms \(\), \(Transform",
        ),
        (
            lambda: incremental(turned_by(30.0), turned_by(((0, 1, 30.0),)), 5, 2),
            r"before and after must .* only; got rotation 30.0, \(\(0, 1, 30.0\),\)",
        ),
        (
            lambda: incremental(turned_by(0.0, weight=None), turned_by(0.0, weight=0.5), 5, 2),
            "before and after must .* only; got weight None, 0.5",
        ),
        (lambda: recurring(SEA(), SEA(), (5, 5)), r"at must be increasing.*; got \(5, 5\)"),
        (lambda: recurring(SEA(), SEA(), (5, 9), (1,)), "width must be one number or one per"),
        (lambda: Composition([SEA()], (5,)), "at must hold one position fewer .*, 1; got 1"),
        (lambda: Composition([], ()), "at must hold one position fewer than there are concepts"),
        (
            lambda: incremental(RandomRBF(), RandomRBF(model_seed=2), 5, 2),
            "before and after must differ in real numbers only; got model_seed 1, 2",
        ),
        (
            lambda: incremental(SEA(), Hyperplane(n_features=3), 5, 2),
            "before and after must differ in real numbers only; got descriptions",
        ),
        (lambda: incremental(SEA(), SEA(), 5, -1), "width must be a whole number >= 0; got -1"),
        (lambda: Incremental(SEA(), SEA(), 5, 3, 4), "steps must be at most the width, 3; got 4"),
        (lambda: Incremental(SEA(), SEA(), 5, 3, 0), "steps must be a whole number >= 1; got 0"),
    ],
)
def test_compositions_with_wrong_values_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


class Unnamed:
    n, schema = 5, SEA().schema
    sample = SEA().sample


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: sudden(SEA(), "SEA", 5),
            r"after must be a stream description with sample\(seed, n\), n, name and schema; "
            "got 'SEA' without sample, n, name, schema",
        ),
        (lambda: sudden(SEA(), SEA, 5), "after must be a stream description .* got <class"),
        (lambda: sudden(Unnamed(), SEA(), 5), "before must be .*; got <.*Unnamed.*> without name"),
        (lambda: incremental(SEA(), 5, 5, 2), "after must be a stream description .*; got 5"),
        (lambda: incremental(None, SEA(), 5, 2), "before must be a stream description .*; got Non"),
        (lambda: Composition([SEA(), 5], (5,)), "concepts must be a stream description .*; got 5"),
        (lambda: Composition(SEA(), ()), "concepts must be a list of stream descriptions; got SEA"),
        (lambda: Composition([SEA()], at=5), "at must be a list of positions; got 5"),
        (lambda: Composition([SEA()], at="5"), "at must be a list of positions; got '5'"),
        (lambda: recurring(SEA(), SEA(), at=5), "at must be a list of positions; got 5"),
        (lambda: gradual(SEA(), SEA(), 5, "9"), "width must be one number or one per position; "),
        (
            lambda: Composition([SEA(), SEA()], (5,), same_as="ab"),
            "same_as must be a list of numbers; got 'ab'",
        ),
        (lambda: sudden(SEA(), SEA(), 5, name=3), "name must be a text; got 3"),
        (lambda: incremental(SEA(), SEA(), 5, 2, name=3), "name must be a text; got 3"),
    ],
)
def test_compositions_of_the_wrong_kinds_are_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_a_stream_has_a_width_for_each_drift():
    X, y = np.zeros((9, 1)), np.zeros(9, int)
    assert Stream(X, y, drifts=[3, 5]).widths == (0, 0)
    assert Stream(X, y, drifts=[3, 5], widths=[0, 4]).widths == (0, 4)
    with pytest.raises(ValueError, match="widths must have one entry per drift, 2, or none; got 1"):
        Stream(X, y, drifts=[3, 5], widths=[1])
    with pytest.raises(ValueError, match="widths must be a whole number >= 0; got -1"):
        Stream(X, y, drifts=[3], widths=[-1])


def test_an_incremental_drift_keeps_numbers_of_python():
    """So it is equal to, and stored as, the one that was described by plain numbers."""
    at, width, steps, n = (np.int64(i) for i in (500, 100, 10, 1000))
    drift = incremental(SEA(7.0), SEA(9.0), at=at, width=width, steps=steps, n=n)
    assert [type(v) for v in (drift.at, drift.width, drift.steps, drift.n)] == [int] * 4
    assert repr(drift) == repr(incremental(SEA(7.0), SEA(9.0), at=500, width=100, steps=10, n=1000))
