"""Stacked states of ensembles, and random numbers inside kernels."""

from __future__ import annotations

import copy
import pickle
from typing import Any, NamedTuple

import joblib
import numba
import numpy as np
import pytest
from scipy import stats

from repro.detectors import DDM
from repro.kernels import random
from repro.kernels.states import (
    blank,
    copied,
    copy_into,
    has_large,
    member,
    packed,
    stacked,
    state_bytes,
    unpacked,
)
from repro.learners import DriftRetraining, HoeffdingTree, NaiveBayes, OzaBag
from repro.streams import Stream


class Inner(NamedTuple):
    table: np.ndarray
    size: int


class Outer(NamedTuple):
    vector: np.ndarray
    inner: Inner
    flag: bool


def outer(start: float) -> Outer:
    vector = np.arange(3.0) + start
    return Outer(vector, Inner(np.full((2, 2), start), 7), True)


def test_members_of_stacked_states_equal_the_states_and_are_views():
    whole = stacked([outer(1), outer(2), outer(3)])
    for m in range(3):
        one = member(whole, m)
        np.testing.assert_array_equal(one.vector, outer(m + 1).vector)
        np.testing.assert_array_equal(one.inner.table, outer(m + 1).inner.table)
        assert (one.inner.size, one.flag) == (7, True)
    member(whole, 1).inner.table[0, 0] = -1.0
    assert whole.inner.table[1, 0, 0] == -1.0
    assert whole.inner.table[0, 0, 0] == 1.0


def test_one_state_can_be_stacked_several_times():
    one = outer(5)
    whole = stacked([one], 4)
    assert whole.vector.shape == (4, 3)
    assert (whole.vector == one.vector).all()
    assert state_bytes(whole) == 4 * state_bytes(one) == 4 * (3 + 4) * 8


@numba.njit
def _double(states, m):
    one = member(states, m)
    one.vector[0] *= 2
    one.inner.table[1, 1] *= 2
    return one.inner.size


@numba.njit
def _reset(states, m, fresh):
    copy_into(member(states, m), fresh)


def test_compiled_code_sees_the_same_members_and_can_restore_one():
    whole = stacked([outer(1), outer(2)])
    assert _double(whole, 1) == 7
    assert (whole.vector[1, 0], whole.inner.table[1, 1, 1]) == (4.0, 4.0)
    assert (whole.vector[0, 0], whole.inner.table[0, 1, 1]) == (1.0, 1.0)
    _reset(whole, 1, outer(9))
    np.testing.assert_array_equal(whole.vector, [outer(1).vector, outer(9).vector])
    np.testing.assert_array_equal(whole.inner.table[1], outer(9).inner.table)


def test_copy_into_does_the_same_from_python():
    target = outer(1)
    copy_into(target, outer(4))
    np.testing.assert_array_equal(target.vector, outer(4).vector)
    np.testing.assert_array_equal(target.inner.table, outer(4).inner.table)


@pytest.mark.parametrize("rows", [10, 1_000_000])
def test_blank_arrays_are_zeros_that_can_be_written_to(rows):
    room = blank((rows, 3), np.int64)
    assert room.shape == (rows, 3)
    assert not room[::997].any()
    room[-1] = 4
    assert room.sum() == 12


def test_large_arrays_are_stacked_with_their_content():
    large = np.zeros(500_000)
    large[[0, 123_456, -1]] = 1.0, 2.0, 3.0
    whole = stacked([Inner(large, 0)], 2)
    np.testing.assert_array_equal(whole.table, [large, large])


@numba.njit
def _uniforms(rng, n):
    return np.array([random.uniform(rng) for _ in range(n)])


@numba.njit
def _poissons(rng, table, n):
    return np.array([random.poisson(rng, table) for _ in range(n)])


def test_uniform_numbers_are_uniform_independent_and_reproducible():
    numbers = _uniforms(random.start(1, "a"), 100_000)
    assert stats.kstest(numbers, "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(numbers[1:], numbers[:-1])[0, 1]) < 4 / np.sqrt(100_000)
    np.testing.assert_array_equal(_uniforms(random.start(1, "a"), 5), numbers[:5])
    assert _uniforms(random.start(1, "b"), 1)[0] != numbers[0]


def test_splitmix64_gives_the_published_numbers():
    """The first outputs for the seed 1234567, as in the public test vectors of the algorithm."""
    rng = np.array([1234567], dtype=np.uint64)
    expected = np.array([6457827717110365317, 3203168211198807973, 9817491932198370423], np.uint64)
    got = _uniforms(rng, 3)
    np.testing.assert_array_equal(got, (expected >> np.uint64(11)) * 2.0**-53)


@pytest.mark.parametrize("rate", [0.3, 1.0, 6.0])
def test_poisson_numbers_have_their_distribution(rate):
    n = 100_000
    drawn = _poissons(random.start(3), random.poisson_table(rate), n)
    top = int(stats.poisson.ppf(1 - 20 / n, rate))
    expected = n * np.r_[stats.poisson.pmf(np.arange(top), rate), stats.poisson.sf(top - 1, rate)]
    counted = np.bincount(np.minimum(drawn, top), minlength=top + 1)
    assert stats.chisquare(counted, expected).pvalue > 1e-3


def test_a_table_of_poisson_numbers_belongs_to_its_caller():
    table = random.poisson_table(2.0)
    table[:] = 0.0
    np.testing.assert_allclose(random.poisson_table(2.0)[:3], stats.poisson.cdf([0, 1, 2], 2.0))


@pytest.mark.parametrize("length", [3, 100_000])
def test_a_negative_zero_is_copied_as_it_is(length):
    table = np.zeros(length)
    table[1] = -0.0
    whole = stacked([Inner(table, 3)], 2)
    assert np.signbit(whole.table).sum(axis=1).tolist() == [1, 1]


def test_large_arrays_can_be_left_blank_for_the_caller():
    whole = stacked([Inner(np.ones(500_000), 3)], 2, large=False)
    assert whole.table.shape == (2, 500_000)
    assert not whole.table.any()
    small = stacked([outer(1)], 2, large=False)
    np.testing.assert_array_equal(small.vector[1], outer(1).vector)


# --- pickles and copies


class WithObject(NamedTuple):
    table: np.ndarray
    objects: list[Any]


def arrays(state: Any) -> list[np.ndarray]:
    """All arrays of a state, in order."""
    parts = [arrays(part) if isinstance(part, tuple) else [part] for part in state]
    return [a for part in parts for a in part if isinstance(a, np.ndarray)]


def table_of(kind: Any) -> np.ndarray:
    """A large array of numbers or of rows, with a few entries that are not zero."""
    table = blank((1_000_001, 2) if kind is float else (1_200_001,), kind)
    table[[0, 777_777, -1]] = 1
    return table


KINDS = [float, np.uint8, np.dtype([("a", np.int8), ("b", np.float64)]), np.int16]


@pytest.mark.parametrize("again", [lambda s: unpacked(packed(s)), copied], ids=["packed", "copied"])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_state_survives_packing_and_copying(again, kind):
    state = Outer(np.arange(3.0), Inner(table_of(kind), 7), True)
    new = again(state)
    assert type(new) is Outer
    assert type(new.inner) is Inner
    assert (new.inner.size, new.flag) == (7, True)
    for a, b in zip(arrays(new), arrays(state), strict=True):
        assert (a.dtype, a.tobytes()) == (b.dtype, b.tobytes())


def test_negative_zero_is_kept():
    table = np.zeros(500_000)
    table[300_000] = -0.0
    assert np.signbit(copied(Inner(table, 0)).table[300_000])


@pytest.mark.parametrize("size", [3, 500_000])
def test_a_copy_shares_no_array_and_no_object_with_the_state(size):
    state = WithObject(np.ones(size), [[1]])
    new = copied(state)
    new.table[0], new.objects[0][0] = 5.0, 5
    assert (state.table[0], state.objects) == (1.0, [[1]])


def test_read_only_and_mapped_arrays_become_plain_ones(tmp_path):
    joblib.dump(packed(outer(3)), tmp_path / "state")
    mapped = joblib.load(tmp_path / "state", mmap_mode="r")
    assert isinstance(mapped.vector, np.memmap)
    new = unpacked(mapped)
    for a, b in zip(arrays(new), arrays(outer(3)), strict=True):
        assert type(a) is np.ndarray
        assert a.flags.writeable
        np.testing.assert_array_equal(a, b)


def drifting(n: int) -> Stream:
    """Two attributes, the second one nominal; the class changes sides half-way."""
    rng = np.random.default_rng(0)
    X = np.c_[rng.normal(size=n), rng.integers(0, 3, n)]
    y = ((X[:, 0] > 0) ^ (X[:, 1] == 1) ^ (np.arange(n) > n // 2)).astype(int)
    return Stream(X, y, nominal=[0, 3])


LEARNERS = [
    NaiveBayes(),
    HoeffdingTree(grace_period=20),
    OzaBag(HoeffdingTree(grace_period=20), n_members=3),
    DriftRetraining(HoeffdingTree(grace_period=20), DDM()),
]


@pytest.mark.parametrize("again", [copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_a_learner_goes_on_after_a_pickle_or_a_copy_as_without(learner, again):
    stream, n = drifting(600), 300
    online = learner.online(stream.schema, 3)
    for x, y in zip(stream.X[:n], stream.y[:n], strict=True):
        online.learn_one(x, y)
    other = again(online)
    for one in (other, online):  # one after the other: they share nothing
        one.shares = [one.predict_proba_one(x) for x in stream.X[:50]]
        for x, y in zip(stream.X[n:], stream.y[n:], strict=True):
            one.learn_one(x, y)
            one.shares.append(one.predict_proba_one(x))
    np.testing.assert_array_equal(online.shares, other.shares)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda x: type(x).__name__)
def test_a_pickle_holds_no_blank_memory(learner):
    """Without packing, the ten trees of a bag would take 320 MB."""
    online = learner.online(drifting(10).schema)
    assert len(pickle.dumps(online)) < 2**21


def test_a_state_is_searched_for_large_arrays_within_states():
    small, large = np.zeros(3), np.zeros(10**6)
    assert not has_large((small, (small, 1.0)))
    assert has_large((large, small))
    assert has_large((small, (small, (large,))))
