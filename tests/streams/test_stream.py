"""A stream refuses wrong arrays, and keeps its truth with its examples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from opinions import second_opinion

from repro import TESTBED, Stream
from repro.streams import export

X = [[0.0, 1.0], [0.5, 0.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), r"X must have shape \(n, d\) with n, d >= 1; got \(0,\)"),
        ((np.zeros((0, 2)), []), r"X must have shape \(n, d\) with n, d >= 1; got \(0, 2\)"),
        (([1.0, 2.0], [0, 1]), r"X must have shape \(n, d\)"),
        (([[0.0], [np.nan]], [0, 1]), "X must be finite; got nan in row 1, column 0"),
        (([[0.0, np.inf]], [0]), "X must be finite; got inf in row 0, column 1"),
        (([["a"]], [0]), "X must hold numbers; got"),
        ((X, [0, 1]), "y must have one label per row of X, 3; got 2"),
        ((X, [[0], [1], [0]]), r"y must be a non-empty 1-d array; got shape \(3, 1\)"),
        ((X, [1, 2, 1]), "y must hold every label 0..K-1 .* got labels up to 2 without 0"),
        ((X, [0, 2, 2]), "y must hold every label 0..K-1 .* got labels up to 2 without 1"),
        ((X, [-1, 1, 1]), r"y must hold integer labels 0..K-1 .* got -1 at index 0"),
        ((X, [0, 0.5, 1]), "y must hold integer labels 0..K-1 .* got 0.5 at index 1"),
        ((X, [0, np.nan, 1]), "y must hold integer labels 0..K-1 .* got nan at index 1"),
        ((X, ["UP", "DOWN", "UP"]), "encode others with np.unique.* got .*UP.* at index 0"),
        ((X, [0, 1, 2], None, 2), "y must hold integer labels 0..1 .* got 2 at index 2"),
        (
            (X, [0, 1, 0], [0, 2]),
            "X must hold codes 0..1 in the nominal column 1; got 2.0 in row 2",
        ),
        (
            (X, [0, 1, 0], [2, 0]),
            "X must hold codes 0..1 in the nominal column 0; got 0.5 in row 1",
        ),
        ((X, [0, 1, 0], [0]), "nominal must hold 2 whole numbers"),
        ((X, [0, 1, 0], [0, -3]), "nominal must hold 2 whole numbers"),
        (
            (X, [0, 1, 0], None, None, [3]),
            r"drifts must be increasing positions in 1..2; got \(3,\)",
        ),
        ((X, [0, 1, 0], None, None, [0]), "drifts must be increasing positions"),
        ((X, [0, 1, 0], None, None, [2, 1]), "drifts must be increasing positions"),
        ((X, [0, 1, 0], None, None, [1.5]), "drifts must be increasing positions"),
    ],
)
def test_wrong_arrays_are_refused_by_argument_rule_and_value(arguments, message):
    with pytest.raises(ValueError, match=message):
        Stream(*arguments)


@pytest.mark.parametrize("name", ["bayes_risk", "optimal"])
def test_truth_of_another_length_is_refused(name):
    with pytest.raises(ValueError, match=rf"{name} must have one value per example, 3; got shape"):
        Stream(X, [0, 1, 0], **{name: [0.1]})


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ({"bayes_risk": [0.1, np.nan, 0.2]}, "bayes_risk must be finite; got nan at index 1"),
        ({"bayes_risk": ["a", "b", "c"]}, r"bayes_risk must hold numbers; got dtype \['a'\]"),
        ({"optimal": [0, 1, 2]}, r"optimal must hold integer labels 0..1 .* got 2 at index 2"),
        ({"optimal": [0, 0.5, 1]}, r"optimal must hold integer labels .* got 0.5 at index 1"),
    ],
)
def test_impossible_truth_is_refused(truth, message):
    with pytest.raises(ValueError, match=message):
        Stream(X, [0, 1, 0], **truth)


@pytest.mark.parametrize("n_classes", [0, -1, 2.5, True, "two"])
def test_a_number_of_classes_must_be_a_count(n_classes):
    with pytest.raises(
        ValueError, match=f"n_classes must be a whole number >= 1; got {n_classes!r}"
    ):
        Stream(X, [0, 0, 0], n_classes=n_classes)


def test_large_numbers_as_labels_are_refused_without_a_list_of_all_labels():
    """Such a list would fill the memory."""
    with pytest.raises(ValueError, match="got labels up to 100000000000000 without 1"):
        Stream(X, [0, 10**14, 0])


def test_a_class_may_be_absent_if_n_classes_is_given():
    assert Stream(X, [0, 0, 0], n_classes=4).schema.n_classes == 4
    assert Stream(X, [True, False, True]).y.tolist() == [1, 0, 1]
    assert Stream(X, np.array([0.0, 1.0, 0.0])).y.dtype == np.int64


def test_a_stream_is_frozen_and_its_repr_shows_its_size():
    stream = Stream(X, [0, 1, 0], [0, 3], name="mine")
    assert repr(stream) == "Stream('mine', n=3, n_features=2, n_classes=2)"
    assert (len(stream), stream.schema.n_features, stream.schema.nominal) == (3, 2, (0, 3))
    with pytest.raises(AttributeError):
        stream.X = None


@second_opinion("brute force", "streams.Stream")
def test_take_keeps_examples_and_truth_together_in_any_order():
    stream = TESTBED["NSCX"].sample(seed=4, n=500)
    order = np.random.default_rng(0).permutation(500)
    taken = stream.take(order)
    for name in ("X", "y", "bayes_risk", "optimal"):
        np.testing.assert_array_equal(
            getattr(taken, name)[np.argsort(order)], getattr(stream, name)
        )
    assert taken.take(taken.y == 1).y.all()
    assert Stream(X, [0, 1, 0]).take([2, 0]).y.tolist() == [0, 0]


def test_taken_examples_share_no_array_with_the_stream():
    stream = Stream(X, [0, 1, 0], [0, 3], bayes_risk=[0.1, 0.2, 0.3], optimal=[0, 1, 1])
    taken = stream.take(np.arange(3))
    for name in ("X", "y", "nominal", "bayes_risk", "optimal"):
        ours, theirs = getattr(taken, name), getattr(stream, name)
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype
        assert not np.shares_memory(ours, theirs)


def test_the_frame_has_the_truth_and_marks_the_first_example_of_a_concept():
    frame = TESTBED["NSPC-A"].sample(seed=0).to_frame()
    assert frame.columns.tolist() == ["x0", "x1", "y", "drift", "optimal", "bayes_risk"]
    assert np.flatnonzero(frame["drift"]).tolist() == [5000]
    assert Stream(X, [0, 1, 0], [0, 3]).to_frame()["x1"].tolist() == [1, 0, 2]
    assert "optimal" not in Stream(X, [0, 1, 0]).to_frame()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_an_exported_stream_reads_back_to_the_same_numbers(tmp_path, suffix):
    stream = TESTBED["NSCX"].sample(seed=1, n=300)
    path = export(stream, tmp_path / f"stream{suffix}")
    frame = stream.to_frame()
    exactly = dict.fromkeys(frame.select_dtypes(float), float)  # pandas 2 itself reads less exactly
    read = pd.read_csv(path, converters=exactly) if suffix == ".csv" else pd.read_parquet(path)
    pd.testing.assert_frame_equal(read, frame, check_exact=True)
    assert [p.name for p in tmp_path.iterdir()] == [f"stream{suffix}"]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_export_that_fails_leaves_the_old_file_whole_and_nothing_else(
    tmp_path, monkeypatch, suffix
):
    path = tmp_path / f"stream.{suffix}"
    path.write_text("old")

    def full_disk(self, target, **options):
        target.write_text("half")
        raise OSError("No space left on device")

    monkeypatch.setattr(pd.DataFrame, f"to_{suffix}", full_disk)
    with pytest.raises(OSError, match="No space"):
        export(Stream(X, [0, 1, 0]), path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@second_opinion("pandas", "streams.export")
def test_every_number_of_a_csv_file_is_the_same_float(tmp_path):
    """Read with Python's own float, not the reader of the library that wrote it."""
    stream = TESTBED["NSGT-5D"].sample(seed=2, n=400)
    header, *rows = export(stream, tmp_path / "s.csv").read_text().splitlines()
    table = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    assert header == "x0,x1,x2,x3,x4,y,drift,optimal,bayes_risk"
    np.testing.assert_array_equal(table[:, :5], stream.X)
    np.testing.assert_array_equal(table[:, 8], stream.bayes_risk)


def test_another_format_is_refused(tmp_path):
    with pytest.raises(
        ValueError, match=r"suffix of path must be one of \.csv, \.parquet; got '\.txt'"
    ):
        export(Stream(X, [0, 1, 0]), tmp_path / "stream.txt")


# --- copies of arrays


def test_a_later_change_of_the_arrays_does_not_change_the_stream():
    """For all memory layouts."""
    truth = {"bayes_risk": np.array([0.1, 0.2, 0.3]), "optimal": np.array([0, 1, 0])}
    for order in ("C", "F"):
        given, labels = np.array(X, order=order), np.array([0, 1, 0])
        drifts, nominal = [1], np.array([0, 3])
        stream = Stream(given, labels, nominal, drifts=drifts, **truth)
        for array in (given, labels, nominal, *truth.values()):
            array[...] = 0
        drifts.append(2)
        np.testing.assert_array_equal(stream.X, X)
        assert stream.y.tolist() == stream.optimal.tolist() == [0, 1, 0]
        assert stream.bayes_risk.tolist() == [0.1, 0.2, 0.3]
        assert (stream.nominal.tolist(), stream.drifts) == ([0, 3], (1,))
        truth = {"bayes_risk": np.array([0.1, 0.2, 0.3]), "optimal": np.array([0, 1, 0])}


def test_the_arrays_of_a_stream_have_the_type_that_kernels_are_compiled_for():
    """Read-only arrays and other layouts are other types for numba, with other kernels."""
    given = np.array(X, order="F")
    given.setflags(write=False)
    labels = np.array([0, 1, 0])
    labels.setflags(write=False)
    for stream in (Stream(given, labels), Stream(given, labels).take([2, 0])):
        assert all(a.flags.c_contiguous and a.flags.writeable for a in (stream.X, stream.y))
        assert (stream.X.dtype, stream.y.dtype) == (np.float64, np.int64)


# --- wrong truth, orders and fields


@pytest.mark.parametrize(
    ("n_classes", "risk", "message"),
    [
        (2, [7, -7, 0], r"bayes_risk must lie in \[0, 0.5\], as for 2 classes; got 7.0 at index 0"),
        (2, [0, 0, -0.1], r"bayes_risk must lie in \[0, 0.5\], .* got -0.1 at index 2"),
        (2, [0, 0.500001, 0], r"bayes_risk must lie in \[0, 0.5\], .* got 0.500001 at index 1"),
        (4, [0.75, 0.76, 0], r"bayes_risk must lie in \[0, 0.75\], .* got 0.76 at index 1"),
        (1, [0.1, 0, 0], r"bayes_risk must lie in \[0, 0\], as for 1 classes; got 0.1"),
    ],
)
def test_a_risk_above_that_of_a_random_guess_is_refused(n_classes, risk, message):
    """The most probable of K classes has at least the probability 1/K."""
    with pytest.raises(ValueError, match=message):
        Stream(X, [0, 0, 0], n_classes=n_classes, bayes_risk=risk)


def test_risks_may_be_outside_their_range_by_rounding():
    risk = [1 - 1 / 3 + 1e-15, -1e-16, 0.0]
    assert Stream(X, [0, 1, 2], bayes_risk=risk).bayes_risk.tolist() == risk


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ([], r"order must hold indices of examples, -3..2, or .* select at least one; got \[\]"),
        (np.zeros(3, bool), "select at least one; got array"),
        ([True, False], "or be a mask of 3 examples, and select at least one"),
        ([0.0, 1.0], "order must hold indices of examples"),
        ([[0, 1]], "order must hold indices of examples"),
        (["a"], "order must hold indices of examples"),
        (None, "order must hold indices of examples"),
        (1, "order must hold indices of examples"),
        ([[0], [1, 2]], "order must hold indices of examples"),
        (slice(2), "order must hold indices of examples"),
        ([0, 3], r"order must hold indices of examples, -3..2; got 3"),
        ([-4], r"order must hold indices of examples, -3..2; got -4"),
        ([10**30], "order must hold indices of examples"),
    ],
)
def test_an_order_that_selects_nothing_or_a_missing_example_is_refused(order, message):
    with pytest.raises(ValueError, match=message):
        Stream(X, [0, 1, 0]).take(order)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ([], r"features must be a list of at least one name; got \[\]"),
        ("price", "features must be a list of at least one name; got 'price'"),
        (3, "features must be a list of at least one name; got 3"),
        (["x"], r"features must be names of attributes \(none are known\); got 'x'"),
    ],
)
def test_a_selection_of_no_attribute_is_refused(features, message):
    with pytest.raises(ValueError, match=message):
        Stream(X, [0, 1, 0]).select(features)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"drifts": 5}, "drifts must be increasing positions in 1..2; got 5"),
        ({"drifts": np.array(1)}, "drifts must be increasing positions"),
        ({"drifts": "ab"}, "drifts must be increasing positions"),
        ({"drifts": [[1], [1, 2]]}, "drifts must be increasing positions"),
        ({"drifts": [np.nan]}, "drifts must be increasing positions"),
        ({"drifts": [10**30]}, "drifts must be increasing positions"),
        ({"drifts": [True]}, "drifts must be increasing positions"),
        ({"drifts": [1], "widths": 5}, "widths must have one entry per drift, 1, or none; got 5"),
        ({"drifts": [1], "widths": ["a"]}, "widths must be a whole number >= 0; got 'a'"),
        ({"nominal": [[0], [0, 1]]}, "nominal must hold 2 whole numbers"),
        ({"nominal": 3}, "nominal must hold 2 whole numbers"),
        ({"nominal": [10**30, 0]}, "nominal must hold 2 whole numbers"),
        ({"nominal": [True, False]}, "nominal must hold 2 whole numbers"),
        ({"bayes_risk": 0.1}, r"bayes_risk must have one value per example, 3; got shape \(\)"),
        ({"bayes_risk": [[0.1], [1, 2], []]}, "bayes_risk must have one value per example, 3"),
        ({"optimal": {}}, "optimal must have one value per example, 3"),
    ],
    ids=str,
)
def test_other_fields_with_wrong_values_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Stream(X, [0, 1, 0], **arguments)


def test_names_and_descriptions_of_the_wrong_kind_are_refused():
    with pytest.raises(TypeError, match="name must be a text; got 5"):
        Stream(X, [0, 1, 0], name=5)
    with pytest.raises(TypeError, match="provenance must be a Description; got 'mine'"):
        Stream(X, [0, 1, 0], provenance="mine")


@pytest.mark.parametrize(
    "given", [[[1 + 2j]], [[10**400]], [["1"]], np.array([["2020-01-01"]], "M8[D]"), {}, None]
)
def test_attributes_must_be_a_matrix_of_numbers(given):
    with pytest.raises(ValueError, match=r"X must (hold numbers|have shape)"):
        Stream(given, [0])


@pytest.mark.parametrize(
    ("path", "error"),
    [
        (None, TypeError),
        (5, TypeError),
        (["s.csv"], TypeError),
        ("", ValueError),
        ("a\0.csv", ValueError),
    ],
)
def test_an_export_goes_to_a_path(path, error):
    with pytest.raises(error, match="path must be the path of a file; got"):
        export(Stream([[0.0]], [0]), path)


@pytest.mark.parametrize("stream", [None, 5, "elec2", [[0.0]]])
def test_only_a_stream_is_exported(stream, tmp_path):
    with pytest.raises(TypeError, match=r"stream must be a Stream .*; got"):
        export(stream, tmp_path / "s.csv")
    assert not list(tmp_path.iterdir())


def test_decimals_of_arrow_may_have_gaps():
    pa = pytest.importorskip("pyarrow")
    kind = pd.ArrowDtype(pa.decimal128(5, 2))
    frame = pd.DataFrame({"x": pd.Series(["1.5", None, "-2.25"], dtype=kind), "y": [0, 1, 0]})
    assert Stream.from_frame(frame, "y").X[:, 0].tolist() == [1.5, 1.5, -2.25]
