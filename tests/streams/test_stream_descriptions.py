"""What every description of a stream promises; all kinds in `repro.streams` are found here."""

from __future__ import annotations

import dataclasses
import inspect
import pickle

import numpy as np
import pytest

from repro import Stream, streams
from repro.streams import (
    LED,
    SEA,
    Hyperplane,
    Incremental,
    LabelChain,
    Permuted,
    RandomRBF,
    RandomTree,
    Redrawn,
    Shuffled,
    StreamDescription,
    Waveform,
    gradual,
    recurring,
    sudden,
)
from repro.streams.description import check_description

pytestmark = pytest.mark.contract

DATA = SEA(n=300).sample(seed=1)
DRIFTING = sudden(SEA(), SEA(threshold=9), 150, n=300).sample(seed=1)
CHAIN = [[0.8, 0.2, 0.0], [0.1, 0.6, 0.3], [0.5, 0.0, 0.5]]
EXAMPLES = {
    "mixture": streams.TESTBED["NSGT-I"],
    "variant": streams.VARIANTS["NSLC-C"],
    "SEA": SEA(n=400),
    "LED": LED(n=400, drifting=7),
    "Waveform": Waveform(n=400, n_irrelevant=19),
    "RandomRBF": RandomRBF(n=400, speed=0.01),
    "RandomTree": RandomTree(n=400, noise=0.1),
    "Hyperplane": Hyperplane(n=400, drifting=3),
    "sudden": sudden(SEA(), SEA(threshold=9), 200, n=400),
    "gradual": gradual(LED(), Redrawn(LED(drifting=7)), 200, 100, n=400),
    "recurring": recurring(Redrawn(RandomTree()), Redrawn(RandomTree()), (100, 300), n=400),
    "nested": sudden(gradual(SEA(), SEA(threshold=9), 50, 20, n=200), SEA(n=200), 200),
    "Incremental": Incremental(SEA(), SEA(threshold=9), 200, 100, n=400),
    "LabelChain": LabelChain(CHAIN, [[0.0, 1.0], [2.0, 0.0], [1.0, 1.0]], n=400),
    "Redrawn": Redrawn(RandomRBF(n=400)),
    "time": Permuted(DRIFTING, "time", p=0.1),
    "speed": Permuted(DRIFTING, "speed"),
    "shape": Permuted(DRIFTING, "shape", k=500),
    "random": Permuted(DATA, "random"),
    "mallows": Permuted(DRIFTING, "mallows", dispersion=0.9),
    "Shuffled": Shuffled(DATA),
    "Shuffled within classes": Shuffled(DATA, keep_labels=True),
}
every_description = pytest.mark.parametrize("description", EXAMPLES.values(), ids=EXAMPLES)


def equal(a: Stream, b: Stream) -> bool:
    same = (a.name, a.schema, a.drifts, a.widths) == (b.name, b.schema, b.drifts, b.widths)
    arrays = ("X", "y", "bayes_risk", "optimal")
    return same and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in arrays)


def test_every_kind_of_description_is_tested_here():
    public = [getattr(streams, name) for name in streams.__all__]
    kinds = {thing for thing in public if inspect.isclass(thing) and hasattr(thing, "sample")}
    assert len(kinds) >= 11
    assert kinds - {StreamDescription} == {type(example) for example in EXAMPLES.values()}


@every_description
def test_it_meets_the_protocol(description):
    assert isinstance(description, StreamDescription)
    assert check_description(description, name="stream") is description
    assert isinstance(description.n, int)
    assert isinstance(description.name, str)
    assert description.name
    assert isinstance(description.schema, streams.Schema)
    parameters = list(inspect.signature(description.sample).parameters.values())
    assert [(p.name, p.default) for p in parameters[:2]] == [("seed", 0), ("n", None)]
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters[2:])


@every_description
def test_it_is_a_value(description):
    """Frozen, equal to a copy, of one hash and one text with it, and still the same after use."""
    fields = dataclasses.fields(description)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(description, fields[0].name, None)
    text, copy = repr(description), dataclasses.replace(description)
    description.sample(seed=0, n=20)
    assert copy == description
    assert hash(copy) == hash(description)
    assert repr(copy) == repr(description) == text
    assert text.startswith(f"{type(description).__name__}(")
    assert equal(pickle.loads(pickle.dumps(description)).sample(3), description.sample(3))


@every_description
def test_its_sample_has_its_length_name_and_schema(description):
    stream = description.sample()
    assert (len(stream), stream.schema) == (description.n, description.schema)
    assert len(description.sample(0, 57)) == len(description.sample(0, n=57)) == 57
    if not isinstance(description, Shuffled):  # the data keep their name
        assert stream.name == description.name


@every_description
def test_the_seed_decides_the_sample(description):
    a, again, b = (description.sample(seed, n=250) for seed in (5, 5, 6))
    assert equal(a, again)
    assert not np.array_equal(a.X, b.X)
    assert equal(description.sample(), description.sample(seed=0))
    assert equal(description.sample(np.int64(5), np.int64(250)), a)


@every_description
def test_a_longer_sample_begins_with_the_shorter_one(description):
    long, short = description.sample(2, n=290), description.sample(2, n=130)
    for name in ("X", "y", "optimal"):
        np.testing.assert_array_equal(getattr(long, name)[:130], getattr(short, name))
    np.testing.assert_allclose(long.bayes_risk[:130], short.bayes_risk, atol=1e-9)
    assert short.drifts == tuple(p for p in long.drifts if p < 130)


@every_description
@pytest.mark.parametrize("seed", [-1, 1.5, None, "1", True, np.timedelta64(1, "D")])
def test_a_seed_that_is_no_count_is_refused(description, seed):
    with pytest.raises(ValueError, match="seed must be a whole number >= 0; got"):
        description.sample(seed)


@every_description
@pytest.mark.parametrize("n", [0, -1, 1.5, "9", True, np.timedelta64(1, "D")])
def test_a_length_that_is_no_count_is_refused(description, n):
    with pytest.raises(ValueError, match="n must be a whole number >= 1; got"):
        description.sample(0, n)


@every_description
def test_a_length_beyond_memory_or_data_is_refused(description):
    with pytest.raises(ValueError, match=rf"n must (fit into|be at most) .*; got {2**50}"):
        description.sample(0, 2**50)


@every_description
def test_it_can_be_part_of_a_composition(description):
    n = description.n
    stream = sudden(description, description, at=n // 2, n=n).sample(seed=4)
    assert (len(stream), stream.schema) == (n, description.schema)
    assert n // 2 in stream.drifts


def test_shuffled_and_permuted_data_have_no_more_examples_than_the_data():
    for description in (Shuffled(DATA), Permuted(DATA, "time")):
        with pytest.raises(ValueError, match="n must be at most 300; got 301"):
            description.sample(n=301)


def test_what_is_no_description_is_told_what_is_missing():
    class Half:
        n = 3

        def __repr__(self):
            return "<Half>"

        def sample(self, seed=0, n=None):
            """Nothing."""

    rule = r"a must be a stream description with sample\(seed, n\), n, name and schema; got"
    for wrong, got in [(Half(), "<.*> without name, schema"), (SEA, "<class"), (None, "None with")]:
        with pytest.raises(TypeError, match=f"{rule} {got}"):
            check_description(wrong, name="a")
    Half.name, Half.schema = "half", (0, 0)
    with pytest.raises(TypeError, match=r"schema of a must be a Schema; got \(0, 0\)"):
        check_description(Half(), name="a")
