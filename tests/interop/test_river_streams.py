"""Streams to river, from river, and to tables and back."""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np
import pandas as pd
import pytest
from opinions import second_opinion
from river import datasets
from river import stream as river_stream
from river.datasets import synth

from repro import Stream, streams
from repro.data_sets import Description
from repro.interop import to_river
from repro.streams import LED, SEA, from_river

RNG = np.random.default_rng(5)
#: Two attributes with names whose codes are not in the order of the texts; one value is never seen.
TABLE = pd.DataFrame(
    {
        "price": RNG.normal(size=60),
        "size": pd.Categorical.from_codes(RNG.integers(0, 2, 60), ["small", "big", "huge"], True),
        "open": RNG.random(60) < 0.5,
        "shop": RNG.integers(10, 13, 60),
        "move": pd.Categorical.from_codes(RNG.integers(0, 2, 60), ["UP", "DOWN", "SAME"], True),
    }
)
NAMED = Stream.from_frame(TABLE, "move", nominal=["shop"], name="shop")
CODED = LED(n=300).sample(1)
PLAIN = Stream(RNG.normal(size=(40, 2)), np.arange(40) % 3, drifts=[20])
EVERY = pytest.mark.parametrize("stream", [NAMED, CODED, PLAIN], ids=["named", "coded", "plain"])


def same(one, other):
    assert np.array_equal(one.X, other.X)
    assert np.array_equal(one.y, other.y)
    assert one.schema == other.schema


# --- tables


@EVERY
@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_a_table_reads_back_to_the_same_stream(stream, backend):
    pytest.importorskip(backend)
    frame = stream.to_frame(truth=False, backend=backend)
    assert type(frame).__module__.split(".")[0] == backend
    back = Stream.from_frame(frame, "y")
    same(back, stream)
    if stream is NAMED:
        assert back.provenance.attributes == ("price", "size", "open", "shop")
        assert back.provenance.labels == ("UP", "DOWN", "SAME")


def test_a_table_shows_values_and_labels_by_name():
    frame = NAMED.to_frame()
    assert [str(v) for v in frame["size"]] == [str(v) for v in TABLE["size"]]
    assert frame["y"].tolist() == TABLE["move"].tolist()
    assert frame["price"].tolist() == TABLE["price"].tolist()
    assert frame["open"].tolist() == [str(v) for v in TABLE["open"]]
    frame.iloc[0, 0] = 1e6
    assert NAMED.X[0, 0] == TABLE["price"][0]


def test_names_that_are_taken_or_unknown_become_positions():
    for attributes in [("y", "a"), ("a", "a"), ("a",), ("drift", "a")]:
        about = Description("t", "t", attributes=attributes, labels=("one",))
        stream = Stream(PLAIN.X, PLAIN.y, provenance=about)
        assert list(stream.to_frame()) == ["x0", "x1", "y", "drift"]
        assert stream.to_frame()["y"].tolist() == PLAIN.y.tolist()


def test_the_optimal_label_has_the_name_of_a_label():
    about = Description("t", "t", labels=("a", "b", "c"))
    stream = Stream(PLAIN.X, PLAIN.y, optimal=PLAIN.y, provenance=about)
    frame = stream.to_frame()
    assert frame["optimal"].tolist() == frame["y"].tolist() == ["abc"[k] for k in PLAIN.y]


def test_ordered_categories_keep_their_order_and_others_are_sorted():
    for ordered, labels in [(True, ("UP", "DOWN", "SAME")), (False, ("DOWN", "UP"))]:
        table = TABLE.assign(
            move=TABLE["move"].cat.as_unordered() if not ordered else TABLE["move"]
        )
        assert Stream.from_frame(table, "move").provenance.labels == labels


def test_tables_of_pyarrow_are_read_as_those_of_pandas():
    arrow = pytest.importorskip("pyarrow")
    same(Stream.from_frame(arrow.Table.from_pandas(TABLE), "move", nominal=["shop"]), NAMED)


def test_a_table_of_another_library_without_pyarrow_says_what_to_install():
    class Frame:
        def to_pandas(self):
            raise ModuleNotFoundError("pyarrow is required")

    with pytest.raises(ImportError, match=r"needs pyarrow to be read: .*install"):
        Stream.from_frame(Frame(), "y")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"truth": 1}, (TypeError, ValueError), "truth must be .*; got 1"),
        ({"backend": "dask"}, ValueError, "backend must be .*; got 'dask'"),
    ],
)
def test_wrong_options_of_a_table_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        PLAIN.to_frame(**options)


def test_a_missing_polars_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"needs polars, which is not installed: .*polars"):
        PLAIN.to_frame(backend="polars")


# --- to river


@EVERY
def test_rivers_reader_of_tables_gives_the_same_examples(stream):
    frame = stream.to_frame(truth=False)
    read = getattr(river_stream, "iter_frame", None) or river_stream.iter_pandas
    expected = list(read(frame.drop(columns="y"), frame["y"]))
    assert list(to_river(stream)) == expected
    assert {type(value) for x, _ in to_river(stream) for value in x.values()} <= {int, float, str}


@EVERY
def test_a_dataset_says_its_size_and_task(stream):
    made = to_river(stream)
    found = made.n_samples, made.n_features, made.n_classes
    assert found == (len(stream), stream.schema.n_features, stream.n_classes)
    assert made.task == ("Multi-class classification")
    assert to_river(SEA()).task == "Binary classification"
    assert len(list(made.take(7))) == 7
    assert list(made) == list(made)  # each loop begins anew
    assert f"{len(stream):,}" in repr(made)


@pytest.mark.parametrize("description", [SEA(n=30), LED(n=2000), streams.TESTBED["NSGT"]], ids=repr)
def test_a_description_gives_the_examples_that_it_samples(description):
    made, drawn = to_river(description, seed=3), description.sample(3)
    assert [list(x.values()) for x, _ in made] == drawn.X.tolist()
    assert [y for _, y in made] == drawn.y.tolist()
    again = type(made)(**made._get_params())  # as river's own are constructed again
    assert list(again.take(50)) == list(made.take(50))
    assert repr(again) == repr(made)
    assert f"seed  {made.seed}" in repr(made)
    assert list(made.take(9)) != list(to_river(description, seed=4).take(9))
    assert list(to_river(description).take(9)) == list(to_river(description, seed=0).take(9))


def test_a_dictionary_costs_about_as_much_as_making_one():
    """At most three times the time of the dictionaries alone, in a bare loop."""
    stream = SEA(n=50_000).sample(0)
    rows, made = stream.X.tolist(), to_river(stream)

    def seconds(work):
        times = []
        for _ in range(3):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return min(times)

    bare = seconds(lambda: [dict(zip("abc", row, strict=True)) for row in rows])
    assert seconds(lambda: list(made)) < 3 * bare


# --- from river


@second_opinion("inverse", "streams.from_river")
@pytest.mark.parametrize("stream", [CODED, PLAIN], ids=["coded", "plain"])
def test_a_stream_comes_back_from_river(stream):
    nominal = [f"x{j}" for j, values in enumerate(stream.schema.nominal) if values]
    same(from_river(to_river(stream), nominal=nominal), stream)


def test_values_with_names_come_back_in_the_order_of_the_texts():
    expected = TABLE.assign(size=TABLE["size"].astype(str), move=TABLE["move"].astype(str))
    same(from_river(to_river(NAMED)), Stream.from_frame(expected, "move", nominal=["shop"]))


def test_the_first_examples_of_a_dataset_without_end():
    stream = from_river(synth.SEA(seed=1), 500)
    theirs = list(synth.SEA(seed=1).take(500))
    assert stream.X.tolist() == [list(x.values()) for x, _ in theirs]
    assert stream.y.tolist() == [int(y) for _, y in theirs]
    assert stream.provenance.labels == ("False", "True")
    assert stream.provenance.attributes == ("0", "1", "2")
    assert (stream.name, len(stream)) == ("SEA", 500)


def test_n_takes_no_more_examples_than_asked():
    examples = iter([({"a": float(i)}, i % 2) for i in range(10)])
    assert len(from_river(examples, 4)) == 4
    assert next(examples)[0] == {"a": 4.0}
    assert len(from_river(examples, 100)) == 5


@pytest.mark.parametrize("name", ["Phishing", "ImageSegments", "Bananas"])
def test_a_file_of_river_is_read_as_its_frame(name):
    dataset = getattr(datasets, name)()
    rows = [{**x, "label": y} for x, y in dataset]
    same(from_river(dataset), Stream.from_frame(pd.DataFrame(rows), "label"))


RAGGED = [
    ({"a": 1.0, "b": "u", "c": True}, "no"),
    ({"b": None, "c": False}, "yes"),
    ({"a": float("nan"), "b": "v"}, None),
    ({"a": 3, "c": True, "d": 2}, "no"),
    ({"a": float("inf"), "b": "v", "c": True, "d": 5}, "yes"),
]


@pytest.mark.parametrize("missing", ["last", "own", "drop"])
@pytest.mark.parametrize("rows", [1, 2, 100])
def test_absent_and_missing_values_are_treated_as_in_a_table(monkeypatch, missing, rows):
    """The same table with None for what is absent, whatever the size of a part."""
    monkeypatch.setattr(sys.modules["repro.streams.from_river"], "ROWS", rows)
    names = dict.fromkeys(name for x, _ in RAGGED for name in x)
    table = pd.DataFrame([{name: x.get(name) for name in names} | {"y": y} for x, y in RAGGED])
    if missing == "drop":
        with pytest.raises(ValueError, match="missing must leave a row; got 'drop'"):
            from_river(RAGGED, missing=missing)
        return
    same(from_river(RAGGED, missing=missing), Stream.from_frame(table, "y", missing=missing))


def test_a_feature_may_be_called_as_the_label():
    examples = [({"y": 1.0, "y_": 2.0}, 0), ({"y": 3.0, "y_": 1.0}, 1)]
    stream = from_river(examples)
    assert stream.X.tolist() == [[1.0, 2.0], [3.0, 1.0]]
    assert stream.provenance.attributes == ("y", "y_")


class Endless(synth.SEA):
    def __init__(self):
        super().__init__()
        self.n_samples = float("inf")


@pytest.mark.parametrize(
    "dataset", [synth.SEA(), synth.LED(), Endless()], ids=["SEA", "LED", "inf"]
)
def test_a_dataset_without_end_needs_n(dataset):
    with pytest.raises(ValueError, match="n must be given for a dataset without end; got None for"):
        from_river(dataset)


ONE, TWO = ({"a": 1.0}, 0), ({"a": 2.0}, 1)


@pytest.mark.parametrize(
    ("dataset", "options", "error", "message"),
    [
        (3, {}, TypeError, "dataset must be one of river, or an iterable of .*; got 3"),
        ([ONE, 3], {}, ValueError, r"dataset must be .*; got 3 as example 1"),
        ([ONE, ("text", 1)], {}, ValueError, "got 'text' as the features of example 1"),
        ([ONE, ({"a": 2.0}, {"b": 1})], {}, ValueError, "got {'b': 1} as the label of example 1"),
        ([], {}, ValueError, "dataset must have a row at least"),
        (
            [ONE, ({"a": 3.0}, 0)],
            {},
            ValueError,
            r"dataset must have labels of two classes or more; got \('0',\)",
        ),
        ([({"a": 1.0}, None)], {}, ValueError, "dataset must have labels with a value"),
        (
            [({"a": 1.0}, 0.5), TWO],
            {},
            ValueError,
            "dataset must have labels of at most 1000 .* 0.5",
        ),
        ([({}, 0), ({}, 1)], {}, ValueError, "dataset must hold an attribute beside the label"),
        ([({0: 1.0, "0": 2.0}, 0), TWO], {}, ValueError, "dataset must have columns of different"),
        ([ONE, TWO], {"n": 0}, ValueError, "n must be a whole number >= 1; got 0"),
        (
            [ONE, TWO],
            {"nominal": ["b"]},
            ValueError,
            r"nominal must name a column \(a, y\); got 'b'",
        ),
        ([ONE, TWO], {"missing": "no"}, ValueError, "missing must be .*; got 'no'"),
        ([ONE, TWO], {"name": 3}, TypeError, "name must be a text; got 3"),
        (
            datasets.ChickWeights(),
            {},
            ValueError,
            "dataset must be one for classification; got one",
        ),
    ],
)
def test_wrong_arguments_are_refused(dataset, options, error, message):
    with pytest.raises(error, match=message):
        from_river(dataset, **options)


def test_wrong_options_take_nothing_from_a_generator():
    examples = iter([ONE, TWO])
    for options in ({"n": -1}, {"missing": "no"}, {"name": 3}):
        with pytest.raises((ValueError, TypeError)):
            from_river(examples, **options)
    assert list(itertools.islice(examples, 9)) == [ONE, TWO]
