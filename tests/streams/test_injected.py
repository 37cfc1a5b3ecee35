"""Drift put into a stream: what changes and what does not, and where the truth says that it is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import Stream, learners, prequential
from repro.streams import LED, SEA, injected

N, AT = 20_000, 8_000
KINDS = ("priors", "labels", "attributes", "filter")


@pytest.fixture(scope="module")
def led():
    """Seven nominal attributes with two values each, ten classes; the truth is known."""
    return LED().sample(seed=3, n=N)


@pytest.fixture(scope="module")
def sea():
    """Three numeric attributes, two classes; with a drift of its own."""
    stream = SEA().sample(seed=4, n=N)
    return Stream(stream.X, stream.y, drifts=(4_000,), name="SEA")


def rows(stream):
    return list(map(tuple, np.column_stack([stream.X, stream.y]).tolist()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["led", "sea"])
def test_before_the_drift_all_is_as_in_the_control(kind, name, request):
    stream = request.getfixturevalue(name)
    drifting, control = (injected(stream, kind, AT, seed=5, control=c) for c in (False, True))
    own = tuple(d for d in drifting.drifts if d in control.drifts)
    (place,) = set(drifting.drifts) - set(own)
    assert control.drifts == own
    assert rows(drifting)[:place] == rows(control)[:place]
    assert rows(drifting)[place:] != rows(control)[place:]
    assert abs(len(drifting) - len(control)) < 5 * len(stream) ** 0.5
    if kind in ("labels", "attributes"):
        assert (place, len(control)) == (AT, N)
        assert rows(control) == rows(stream)


@second_opinion("by hand", "streams.injected")
def test_labels_are_exchanged_by_hand():
    stream = Stream(np.zeros((7, 1)), [2, 2, 1, 2, 1, 0, 2])
    changed = injected(stream, "labels", at=3)
    np.testing.assert_array_equal(changed.y, [2, 2, 1, 1, 2, 0, 1])
    np.testing.assert_array_equal(changed.drifts, [3])


@second_opinion("simulation", "streams.injected")
@pytest.mark.parametrize("kind", ["labels", "attributes"])
def test_where_the_truth_is_kept_the_optimal_labels_err_as_often_as_their_risk_says(led, kind):
    changed = injected(led, kind, AT, seed=1)
    errors = changed.optimal != changed.y
    for part in (slice(AT), slice(AT, N)):
        expected, n = changed.bayes_risk[part].mean(), len(errors[part])
        assert abs(errors[part].mean() - expected) < 5 * (0.25 / n) ** 0.5


@second_opinion("another definition", "streams.injected")
@pytest.mark.parametrize("seed", range(4))
def test_only_the_shares_of_the_classes_change_with_the_priors(sea, seed):
    """Of the classes that are thinned a quarter remains; within a class nothing changes."""
    changed = injected(sea, "priors", AT, seed=seed)
    place = changed.drifts[-1]
    before, after = sea.y[AT:], changed.y[place:]
    counts = np.bincount(before, minlength=2)
    kept = np.bincount(after, minlength=2) / counts
    assert sorted(kept)[1] == 1
    assert min(kept) == pytest.approx(0.25, abs=5 * (0.19 / counts.min()) ** 0.5)
    for c in (0, 1):
        one, other = sea.X[AT:][before == c], changed.X[place:][after == c]
        spread = one.std(axis=0) * (1 / len(one) + 1 / len(other)) ** 0.5
        assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) < 4.5 * spread).all()
    # As dense before as after.
    rate = len(after) / (N - AT)
    assert place / AT == pytest.approx(rate, abs=5 * (0.25 / AT) ** 0.5)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["led", "sea"])
def test_after_a_filter_one_attribute_has_one_side_only(name, seed, request):
    stream = request.getfixturevalue(name)
    changed = injected(stream, "filter", AT, seed=seed)
    place = changed.drifts[-1]
    middles = np.where(np.asarray(stream.nominal) > 0, 0.5, np.median(stream.X[AT:], axis=0))
    above = (middles < changed.X).mean
    after = above(axis=0, where=np.arange(len(changed))[:, None] >= place)
    before = above(axis=0, where=np.arange(len(changed))[:, None] < place)
    assert ((after == 0) | (after == 1)).sum() == 1
    assert ((before > 0.1) & (before < 0.95)).all()
    assert (changed.bayes_risk is None) == (stream.bayes_risk is None)


@pytest.mark.parametrize("seed", range(4))
def test_every_attribute_gets_the_values_of_another_of_its_kind(seed):
    rng = np.random.default_rng(seed)
    nominal = [0, 3, 0, 3, 5, 0]
    X = np.where(nominal, rng.integers(0, 3, (200, 6)), rng.random((200, 6)))
    stream = Stream(X, rng.integers(0, 2, 200), nominal)
    changed = injected(stream, "attributes", 100, seed=seed)
    places = [int(np.flatnonzero(X[150] == v)[0]) for v in changed.X[150]]
    assert (changed.X[:100] == X[:100]).all()
    numeric = [0, 2, 5]
    assert sorted(places[j] for j in numeric) == numeric
    assert all(places[j] != j for j in numeric)
    assert (changed.X[100:, [1, 3]] == X[100:, [3, 1]]).all()
    assert (changed.X[:, 4] == X[:, 4]).all()


def test_a_drift_that_takes_longer_is_at_its_middle(sea):
    changed = injected(sea, "labels", AT, width=2_000, seed=2)
    assert (changed.drifts, changed.widths) == ((4_000, AT), (0, 2_000))
    is_new = changed.y != sea.y
    shares = [is_new[a : a + 400].mean() for a in (0, AT - 1_700, AT - 200, AT + 1_300, N - 400)]
    np.testing.assert_allclose(shares, [0, 0.05, 0.5, 0.95, 1], atol=0.1)
    thinned = injected(sea, "filter", AT, width=2_000, seed=2)
    assert thinned.widths[-1] == pytest.approx(2_000 * len(thinned) / N, abs=1)


def test_truth_that_is_not_known_any_more_is_left_out(led):
    for kind, width in (("priors", 0), ("labels", 500), ("attributes", 500)):
        changed = injected(led, kind, AT, width, seed=1)
        assert (changed.bayes_risk, changed.optimal) == (None, None)
    for kind in ("labels", "attributes", "filter"):
        assert injected(led, kind, AT, seed=1).optimal is not None
    assert injected(led, "priors", AT, 0, 1, control=True).optimal is not None


@pytest.mark.parametrize("kind", ["labels", "attributes"])
def test_a_learner_errs_more_after_it(kind, led):
    loss = prequential(learners.NaiveBayes(), injected(led, kind, AT, seed=1)).loss
    assert loss[AT : AT + 500].mean() > loss[AT - 500 : AT].mean() + 0.1


@given(
    at=st.integers(1, 59),
    kind=st.sampled_from(KINDS),
    width=st.integers(0, 200),
    seed=st.integers(0, 9),
)
def test_what_comes_out_is_a_stream_or_a_clear_refusal(at, kind, width, seed):
    stream = LED().sample(seed=1, n=60)
    stream = Stream(stream.X, stream.y, stream.nominal, 10, drifts=(10, 30), widths=(0, 7))
    try:
        changed = injected(stream, kind, at, width, seed)
    except ValueError as error:
        few = at > 40  # after the drift, in which no attribute may vary as the change needs it
        assume(not str(error).startswith("stream must" if few else "stream must keep"))
        raise
    assert set(rows(changed)) <= set(rows(stream)) or kind in ("labels", "attributes")
    again = injected(stream, kind, at, width, seed)
    assert (rows(changed), changed.drifts) == (rows(again), again.drifts)


def test_what_cannot_drift_is_refused(sea):
    one_class = Stream(np.arange(9.0)[:, None], np.zeros(9, int), n_classes=2)
    for kind in ("labels", "priors"):
        with pytest.raises(ValueError, match=r"stream must have examples of two classes or more"):
            injected(one_class, kind, 4)
    constant = Stream(np.zeros((9, 2)), [0, 1, 0] * 3)
    with pytest.raises(ValueError, match=r"stream must have two attributes of one kind that diff"):
        injected(constant, "attributes", 4)
    with pytest.raises(ValueError, match=r"stream must have an attribute by which 20% to 80% pass"):
        injected(constant, "filter", 4)
    with pytest.raises(ValueError, match=r"kind must be one of priors, labels, .*; got 'label'"):
        injected(sea, "label", 4)
    for at in (0, N, -1, 2.5):
        with pytest.raises((ValueError, TypeError), match="at must be"):
            injected(sea, "labels", at)
    with pytest.raises(TypeError, match="stream must be a Stream"):
        injected(SEA(), "labels", 4)
    with pytest.raises(ValueError, match="stream must have at least 2 examples; got 1"):
        injected(sea.take([0]), "labels", 1)
