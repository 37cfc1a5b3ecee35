"""Permuted streams: the truth moves with the examples, and sweeps cache and distribute them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import Stream, permutations, sweep
from repro.learners import NoChange
from repro.streams import SEA, Permuted, sudden

DATA = sudden(SEA(), SEA(threshold=9), 150, n=300).sample(seed=1)
KINDS = {
    "time": {"p": 0.1},
    "speed": {"p": 0.3},
    "shape": {"k": 400},
    "random": {},
    "mallows": {"dispersion": 0.8},
}
every_kind = pytest.mark.parametrize(("kind", "strength"), KINDS.items(), ids=KINDS)


@second_opinion("another definition", "streams.Permuted")
@every_kind
def test_examples_and_truth_are_reindexed_together(kind, strength):
    description = Permuted(DATA, kind, **strength)
    order, stream = description.order(seed=7), description.sample(seed=7)
    make = getattr(permutations, f"{kind}_permutation")
    np.testing.assert_array_equal(order, make(300, **strength, seed=7))
    for name in ("X", "y", "bayes_risk", "optimal"):
        np.testing.assert_array_equal(getattr(stream, name), getattr(DATA, name)[order])
    assert stream.schema == DATA.schema
    assert stream.name == description.name == f"SEA, {kind} permutation"


@every_kind
def test_a_strength_that_is_not_given_is_that_of_the_permutation(kind, strength):
    if kind != "mallows":
        make = getattr(permutations, f"{kind}_permutation")
        np.testing.assert_array_equal(Permuted(DATA, kind).order(3), make(300, seed=3))


@given(
    st.sets(st.integers(1, 29)),
    st.sampled_from(["time", "speed", "shape", "random"]),
    st.integers(0, 99),
)
def test_drifts_are_where_the_concept_of_the_neighbor_is_another(drifts, kind, seed):
    """By another route: the attribute of an example is the number of its concept."""
    drifts = sorted(drifts)
    concept = [sum(d <= i for d in drifts) for i in range(30)]
    stream = Stream(np.array(concept, float)[:, None], np.arange(30) % 2, drifts=drifts)
    permuted = Permuted(stream, kind).sample(seed)
    x = permuted.X[:, 0]
    assert permuted.drifts == tuple(i for i in range(1, 30) if x[i] != x[i - 1])
    assert set(permuted.widths) <= {0}


def test_the_original_order_keeps_the_drifts_and_the_reverse_mirrors_them():
    stream = Stream(np.zeros((10, 1)), [0, 1] * 5, drifts=[3, 7], widths=[2, 0])
    assert Permuted(stream, "time", p=0).sample().drifts == (3, 7)
    assert Permuted(stream, "time", p=1).sample().drifts == (3, 7)  # 10 - 7 and 10 - 3
    assert Permuted(stream, "time", p=1).sample().widths == (0, 0)


def test_unknown_truth_stays_unknown():
    stream = Permuted(Stream([[0.0], [1.0], [2.0]], [0, 1, 0], name="three"), "speed").sample()
    assert (stream.bayes_risk, stream.optimal, stream.drifts) == (None, None, ())
    assert stream.name == "three, speed permutation"


def test_a_single_example_is_permuted():
    single = Stream([[1.0]], [0])
    assert all(
        len(Permuted(single, k, **s).sample()) == 1 for k, s in KINDS.items() if "k" not in s
    )
    assert len(Permuted(single, "shape").sample()) == 1


def test_permutations_have_keys_of_their_own(tmp_path):
    """Of the same length and name: only order and content differ."""
    streams = {
        "time": Permuted(DATA, "time"),
        "time, p = 0.4": Permuted(DATA, "time", p=0.4),
        "speed": Permuted(DATA, "speed"),
        "shape": Permuted(DATA, "shape"),
        "shape, k = 50": Permuted(DATA, "shape", k=50),
        "other data": Permuted(DATA.take(np.arange(300)[::-1]), "time"),
    }
    together = sweep({"N": NoChange()}, streams, [0, 1], cache=tmp_path)
    losses = {s: (np.diff(d.sample(1).y) != 0).mean() for s, d in streams.items()}
    assert len(set(losses.values())) > 3
    for name, stream in streams.items():
        again = sweep({"N": NoChange()}, {name: stream}, [0, 1], cache=tmp_path)
        expected = together[together["stream"] == name]["error"].tolist()
        assert again["error"].tolist() == expected


def test_a_sweep_caches_permutations_and_sends_them_to_workers(tmp_path):
    streams = {kind: Permuted(DATA, kind, **strength) for kind, strength in KINDS.items()}
    here = sweep({"N": NoChange()}, streams, range(3), cache=tmp_path / "one process")
    there = sweep({"N": NoChange()}, streams, range(3), jobs=2, cache=tmp_path / "two")
    pd.testing.assert_frame_equal(here.drop(columns="seconds"), there.drop(columns="seconds"))
    again = sweep({"N": NoChange()}, streams, range(3), cache=tmp_path / "two")
    pd.testing.assert_frame_equal(again, there)  # to the second: nothing was run


@pytest.mark.parametrize(
    ("kind", "strength", "message"),
    [
        ("order", {}, "kind must be one of time, speed, shape, random, mallows; got 'order'"),
        ("time", {"k": 3}, "k must be None for the kind time; got 3"),
        ("shape", {"p": 0.5}, "p must be None for the kind shape; got 0.5"),
        ("random", {"p": 0.5}, "p must be None for the kind random; got 0.5"),
        ("speed", {"dispersion": 1.0}, "dispersion must be None for the kind speed; got 1.0"),
        ("mallows", {}, r"dispersion must lie in \[0, 1\]; got None"),
        ("mallows", {"dispersion": 1.5}, r"dispersion must lie in \[0, 1\]; got 1.5"),
        ("time", {"p": -0.1}, r"p must lie in \[0, 1\]; got -0.1"),
        ("shape", {"k": 600}, "k must be at most 599; got 600"),
        ("shape", {"k": 1.0}, "k must be a whole number >= 0; got 1.0"),
    ],
)
def test_a_wrong_kind_or_strength_is_refused(kind, strength, message):
    with pytest.raises(ValueError, match=message):
        Permuted(DATA, kind, **strength)


def test_only_streams_are_permuted():
    with pytest.raises(TypeError, match=r"stream must be a Stream .*; got the description SEA"):
        Permuted(SEA(), "time")
