"""Tables become streams: each column as documented, in the order of time, held once."""

from __future__ import annotations

import gzip
import importlib
import sys
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from opinions import second_opinion

from repro import Stream, streams
from repro.streams import _columns, read_csv

N = 2000
MODULE = importlib.import_module("repro.streams.read_csv")  # the package has the function


@pytest.fixture(scope="module")
def troubles() -> pd.DataFrame:
    """Rows out of order, texts, gaps, names of classes, identifiers, codes, two timestamps."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "when": pd.date_range("2026-01-01", periods=N, freq="h").strftime("%Y-%m-%d %H:%M:%S"),
            "price": rng.normal(size=N),
            "colour": rng.choice(["red", "green", "blue"], N),
            "shop": rng.integers(0, 12, N),
            "id": [f"customer {i}" for i in range(N)],
            "made": pd.date_range("2020-01-01", periods=N, freq="D").strftime("%Y-%m-%d"),
            "open": rng.choice([True, False], N),
            "always": 7,
            "class": rng.choice(["yes", "no", "don't know"], N),
        }
    )
    for column, share in {"price": 0.1, "colour": 0.1, "class": 0.02}.items():
        frame[column] = frame[column].where(rng.random(N) > share)
    return frame.sample(frac=1, random_state=0)  # with a shuffled index


def by_hand(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """X and y by pandas alone."""
    frame = frame[frame["class"].notna()].sort_values("when").reset_index(drop=True)
    colour = pd.Categorical(frame["colour"]).codes.astype(float)
    colour = pd.Series(colour).where(colour >= 0).ffill().fillna(3)
    price = frame["price"].ffill().fillna(0)
    shops = {name: i for i, name in enumerate(sorted(set(frame["shop"])))}
    X = [price, colour, frame["shop"].map(shops), frame["open"].map(int)]
    y = frame["class"].map({"don't know": 0, "no": 1, "yes": 2})
    return np.column_stack(X).astype(float), y.to_numpy(dtype=int)


def is_by_hand(stream: Stream, frame: pd.DataFrame) -> None:
    X, y = by_hand(frame)
    assert np.array_equal(stream.X, X)
    assert np.array_equal(stream.y, y)
    assert stream.schema == streams.Schema((0, 3, 12, 2), 3)
    assert stream.provenance.labels == ("don't know", "no", "yes")


HOW = {"time": "when", "nominal": ["shop"]}


@second_opinion("by hand", "streams.read_csv")
def test_a_frame_is_read_as_by_hand(troubles):
    is_by_hand(Stream.from_frame(troubles, "class", **HOW), troubles)


@second_opinion("by hand", "streams.read_csv")
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet"])
@pytest.mark.parametrize("cells", [500, 10**6])
def test_a_file_is_read_as_by_hand_in_parts_of_any_size(
    troubles, tmp_path, monkeypatch, suffix, cells
):
    monkeypatch.setattr(MODULE, "CELLS", cells)
    path = tmp_path / f"shop{suffix}"
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
        troubles.to_parquet(path)
    else:
        troubles.to_csv(path, index=False)
    stream = read_csv(path, "class", **HOW)
    is_by_hand(stream, troubles)
    assert stream.name == "shop"


def test_a_column_of_parquet_that_pandas_wrote_as_its_index_is_a_column(troubles, tmp_path):
    pytest.importorskip("pyarrow")
    plain, indexed, kept = (tmp_path / f"{name}.parquet" for name in ("a", "b", "c"))
    troubles.to_parquet(plain)
    troubles.set_index(["made", "price"]).to_parquet(indexed)
    whole, other = (read_csv(path, "class", **HOW, name="shop") for path in (plain, indexed))
    order = [other.provenance.attributes.index(name) for name in whole.provenance.attributes]
    np.testing.assert_array_equal(whole.X, other.X[:, order])
    np.testing.assert_array_equal(whole.y, other.y)
    troubles[troubles["price"] > 0].to_parquet(kept)  # an index without a name
    assert read_csv(kept, "class", **HOW).provenance.attributes == whole.provenance.attributes


def test_names_of_columns_stand_as_they_are_written(tmp_path):
    (tmp_path / "a.csv").write_text("NA, None,,y\n1,2,3,0\n2,1,4,1\n")
    about = read_csv(tmp_path / "a.csv", "y").provenance
    assert about.attributes == ("NA", "None", "Unnamed: 2")


def test_each_column_has_a_use_in_words(troubles):
    about = Stream.from_frame(troubles, "class", **HOW).provenance
    assert about.attributes == ("price", "colour", "shop", "open")
    uses = {use.name: (use.kind, use.text) for use in about.columns}
    assert [use.name for use in about.columns] == list(troubles.columns)
    rows = troubles[troubles["class"].notna()]
    gaps = int(rows["price"].isna().sum())
    assert uses["price"] == ("number", f"{gaps} missing: replaced by the last one known")
    assert uses["id"] == ("dropped", "more than 100 different values, as identifiers have")
    assert uses["made"][0] == "dropped"
    assert uses["made"][1].startswith("a timestamp")
    assert uses["always"] == ("dropped", "one value only")
    assert uses["when"] == ("time", "the order of the rows")
    assert uses["open"] == ("nominal", "2 values: False, True")
    assert uses["class"] == ("label", "3 classes: don't know, no, yes")
    assert about.caveats == (f"{N - len(rows)} rows without a label left out",)
    assert about.n_filled == gaps + int(rows["colour"].isna().sum())
    assert f"price: number, {gaps} missing" in str(about)


def test_selected_and_taken_parts_keep_the_names(troubles):
    stream = Stream.from_frame(troubles, "class", **HOW)
    part = stream.select(["shop", "price"]).take(range(5))
    assert np.array_equal(part.X, stream.X[:5, [2, 0]])
    assert part.provenance.labels == stream.provenance.labels
    assert list(stream.to_frame()) == ["price", "colour", "shop", "open", "y", "drift"]


TINY = pd.DataFrame(
    {"a": [np.nan, 2.0, np.inf, 5.0], "b": [None, "u", None, "v"], "y": ["n", "p", "n", "p"]}
)


@pytest.mark.parametrize(
    ("missing", "X", "nominal"),
    [
        ("last", [[0, 2], [2, 0], [2, 0], [5, 1]], [0, 3]),
        ("own", [[0, 2], [2, 0], [2, 2], [5, 1]], [0, 3]),
        ("drop", None, None),
    ],
)
def test_missing_and_infinite_values_become_what_is_asked(missing, X, nominal):
    if missing == "drop":  # two rows of one class are left
        with pytest.raises(ValueError, match=r"label must name .* two classes or more; got .*'p'"):
            Stream.from_frame(TINY, "y", missing=missing)
        return
    stream = Stream.from_frame(TINY, "y", missing=missing)
    assert stream.X.tolist() == X
    assert stream.nominal.tolist() == nominal
    assert stream.provenance.columns[1].values == ("u", "v", "(missing)")


def test_rows_with_gaps_are_left_out_if_asked(troubles):
    stream = Stream.from_frame(troubles, "class", missing="drop", **HOW)
    whole = troubles.dropna(subset=["price", "colour", "class"])
    X, y = by_hand(whole)
    assert np.array_equal(stream.X, X)
    assert np.array_equal(stream.y, y)
    assert stream.X.base.size == stream.X.size  # the memory of the other rows is given back


@pytest.mark.parametrize(
    ("labels", "names", "codes"),
    [
        ([10, 9, 10, 100], ("9", "10", "100"), [1, 0, 1, 2]),
        (["10", "9", "10", "100"], ("9", "10", "100"), [1, 0, 1, 2]),
        ([1.0, 0.0, 1.0, 1.0], ("0", "1"), [1, 0, 1, 1]),
        ([True, False, True, True], ("False", "True"), [1, 0, 1, 1]),
        (["b", "10", "b", "b"], ("10", "b"), [1, 0, 1, 1]),
        (pd.Categorical(["b", "a", "b", "b"], ["b", "a", "c"]), ("a", "b"), [1, 0, 1, 1]),
        (pd.array([3, -1, 3, 3], "Int64"), ("-1", "3"), [1, 0, 1, 1]),
    ],
)
def test_labels_are_coded_in_the_order_of_numbers_or_texts(labels, names, codes):
    stream = Stream.from_frame(pd.DataFrame({"a": [1, 2, 3, 4], "y": labels}), "y")
    assert (stream.provenance.labels, stream.y.tolist()) == (names, codes)


WHEN = pd.DataFrame(
    {
        "t": ["2026-02-02 01:30", "2026-02-01 00:00", None, "2026-02-01 00:00"],
        "a": [1, 2, 3, 4],
        "y": [0, 1, 0, 0],
    }
)


@pytest.mark.parametrize(
    ("timestamps", "names", "X"),
    [
        ("drop", ("a",), [[2], [4], [1]]),
        ("seconds", ("t", "a"), [[0, 2], [0, 4], [91_800, 1]]),
        # the first of February 2026 is a Sunday
        ("calendar", ("t hour", "t weekday", "a"), [[0, 1, 2], [0, 1, 4], [1.5, 0, 1]]),
    ],
)
@pytest.mark.parametrize("zone", [None, "UTC", "text"])
def test_timestamps_become_what_is_asked_and_ties_stay_in_order(timestamps, names, X, zone):
    frame = WHEN
    if zone != "text":
        frame = WHEN.assign(t=pd.to_datetime(WHEN["t"]).dt.tz_localize(zone))
    stream = Stream.from_frame(frame, "y", time="t", timestamps=timestamps)
    assert stream.provenance.attributes == names
    assert stream.X.tolist() == X
    assert stream.provenance.caveats == ("1 row without a time left out",)


def test_many_rows_of_one_time_stay_in_order():
    rows = np.arange(999)
    frame = pd.DataFrame({"t": -(rows % 3), "a": rows, "y": rows % 2})
    stream = Stream.from_frame(frame, "y", time="t")
    assert stream.X[:, 0].tolist() == [*range(2, 999, 3), *range(1, 999, 3), *range(0, 999, 3)]


def test_a_column_that_is_text_in_a_late_part_is_text_throughout(tmp_path, monkeypatch):
    monkeypatch.setattr(MODULE, "CELLS", 4)
    path = tmp_path / "late.csv"
    path.write_text("a,b,y\n01,1,0\n1,?,1\n1,NA,0\nx,2.5,1\n01,0.1,1\n")
    stream = read_csv(path, "y")
    assert stream.provenance.columns[0].values == ("01", "1", "x")
    assert stream.X.tolist() == [[0, 1], [1, 1], [1, 1], [2, 2.5], [0, 0.1]]


def test_parts_of_a_frame_give_the_same_as_the_whole(troubles, monkeypatch):
    whole = Stream.from_frame(troubles, "class", missing="own", **HOW)
    monkeypatch.setattr(_columns, "ROWS", 170)
    parts = Stream.from_frame(troubles, "class", missing="own", **HOW)
    assert np.array_equal(whole.X, parts.X)
    assert np.array_equal(whole.y, parts.y)
    assert whole.provenance == parts.provenance


def is_traced_twice():
    """Whether memory that NumPy gives back in place, as 2.5 does, counts twice for a moment."""
    tracemalloc.start()
    values = np.ones(100_000)
    values.resize(90_000, refcheck=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak > 1.5 * 8 * 100_000


@pytest.mark.parametrize("missing", ["last", "drop"])
def test_the_matrix_of_a_file_is_held_once(tmp_path, monkeypatch, missing):
    """Beside it there are a part of the file and a few columns of one number per row."""
    if missing == "drop" and is_traced_twice():
        pytest.skip("the memory of rows that are left out is traced twice when it is given back")
    n, d = 16_000, 30
    monkeypatch.setattr(MODULE, "CELLS", 800 * d)
    monkeypatch.setattr(_columns, "BLOCK", 200)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 9, (n, d)) / 4).assign(y=rng.integers(0, 2, n))
    frame["t"] = rng.permutation(n)
    frame.loc[3::7, 0] = np.nan
    frame.to_csv(tmp_path / "a.csv", index=False)
    tracemalloc.start()
    stream = read_csv(tmp_path / "a.csv", "y", time="t", missing=missing)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stream.X.shape == ((n if missing == "last" else n - len(range(3, n, 7))), d)
    assert peak / (8 * n * d) < 1.7


def test_an_exported_stream_is_read_back(tmp_path):
    stream = streams.SEA(n=300).sample(1)
    path = streams.export(stream, tmp_path / "sea.csv")
    again = read_csv(path, "y", drop=["drift", "optimal", "bayes_risk"], name="SEA")
    assert np.array_equal(again.X, stream.X)
    assert np.array_equal(again.y, stream.y)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "path must be a CSV file with a header; got .*: No columns"),
        ("a,y\n", {}, "path must have a row at least; got a table without rows"),
        ("a,a,y\n1,2,3\n", {}, "path must have columns of different names; got several called 'a'"),
        ("a,b\n1,2\n", {}, r"label must name a column \(a, b\); got 'y'"),
        ("a,y\n1,0\n", {"time": "t"}, r"time must name a column \(a, y\); got 't'"),
        ("a,y\n1,0\n", {"nominal": ["b"]}, r"nominal must name a column \(a, y\); got 'b'"),
        ("a,y\n1,0\n", {"time": "y"}, "time must name other columns than label; got 'y'"),
        ("a,y\n1,0\n", {"missing": "x"}, "missing must be one of last, own, drop; got 'x'"),
        ("a,y\n1,0\n", {"timestamps": "x"}, "timestamps must be one of drop, seconds, calendar"),
        ("a,y\n1,0\n", {"max_values": 0}, "max_values must be a whole number >= 1; got 0"),
        ("a,y\n1,0\n", {"separator": ";;"}, "separator must be one character; got ';;'"),
        ("a,y\n1,2\n1,3,4\n", {}, "path must be a CSV file .*Expected 2 fields in line 3, saw 3"),
        ("a,y\n1,2,3\n1,3,4\n", {}, "path must be a CSV file .*does not match length of data"),
        ("a,y\n1,2\n2,2\n", {}, r"label must name a column of two classes or more; got \('2',\)"),
        ("a,y\n1,1.5\n2,1\n", {}, "at most 1000 classes: texts, bools or whole .*; got 1.5"),
        ("a,y\n1,\n2,\n", {}, "label must name a column with a value in a row at least; got none"),
        ("y\na\nb\n", {}, r"path must hold an attribute .* got none \(no other column\)"),
        ("a,y\n1,a\n1,b\n", {}, r"path must hold an attribute .* \(a: one value only\)"),
        ("a,b,y\n1,,0\n,2,1\n", {"missing": "drop"}, r"got none \(a: one value only; b: one"),
        ("a,b,y\n1,,0\n,2,1\n2,,0\n,1,1\n", {"missing": "drop"}, "no row is complete"),
        ("a,t,y\n1,31/1/26,0\n2,1/2/26,1\n", {"time": "t"}, "dates like .*; got '31/1/26'"),
    ],
)
def test_wrong_tables_and_options_are_refused_in_one_line(tmp_path, text, options, message):
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        read_csv(path, "y", **options)
    assert "\n" not in str(caught.value)


def test_more_than_a_thousand_classes_are_refused():
    frame = pd.DataFrame({"a": np.arange(1500.0), "y": np.arange(1500)})
    with pytest.raises(ValueError, match="at most 1000 classes; got more in 'y'"):
        Stream.from_frame(frame, "y")


@pytest.mark.parametrize(
    ("frame", "label", "message"),
    [
        ([[1, 2]], "y", r"frame must be a DataFrame; got \[\[1, 2\]\]"),
        (TINY, None, "label must name a column by a text or a number; got None"),
    ],
)
def test_arguments_of_another_kind_are_refused(frame, label, message):
    with pytest.raises(TypeError, match=message):
        Stream.from_frame(frame, label)


def test_a_damaged_file_is_refused(tmp_path):
    pytest.importorskip("pyarrow")
    for name, content in {
        "a.csv.gz": b"no gzip",
        "b.csv.gz": gzip.compress(b"a,y\n" * 9999)[:-20],
        "c.csv": b"a,y\n\xff\xfe,1\n",
        "d.parquet": b"no parquet",
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match=f"path must be a .* file.*; got .*{name}"):
            read_csv(tmp_path / name, "y")


@pytest.mark.parametrize("rows", [9, 11])
def test_a_file_that_changes_between_its_two_readings_is_refused(tmp_path, monkeypatch, rows):
    """Rows that do not come would hold whatever was in memory."""
    path = tmp_path / "a.csv"
    lines = ["x,y"] + [f"{i},{i % 2}" for i in range(11)]
    path.write_text("\n".join(lines[:11]))

    count = MODULE.kinds_of

    def counted(*arguments):
        found = count(*arguments)
        path.write_text("\n".join(lines[: 1 + rows]))
        return found

    monkeypatch.setattr(MODULE, "kinds_of", counted)
    with pytest.raises(ValueError, match=rf"path must be a file with 10 rows, .*; got {rows}"):
        read_csv(path, "y")


def test_a_parquet_file_that_miscounts_its_rows_is_refused(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    pd.DataFrame({"x": range(10), "y": [0, 1] * 5}).to_parquet(tmp_path / "a.parquet")
    says = SimpleNamespace(num_rows=12, num_row_groups=1)
    monkeypatch.setattr(parquet.ParquetFile, "metadata", property(lambda file: says))
    with pytest.raises(ValueError, match=r"path must be a file with 12 rows, .*; got 10"):
        read_csv(tmp_path / "a.parquet", "y")


def test_parquet_without_pyarrow_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"Parquet needs pyarrow, .*\[data\]"):
        read_csv(tmp_path / "a.parquet", "y")


def test_a_stream_is_shown_with_its_classes_and_drifts(troubles):
    shown = Stream.from_frame(troubles, "class", name="<shop>", **HOW)._repr_html_()
    assert "&lt;shop&gt;" in shown
    assert "1 numeric, 3 nominal" in shown
    share = (troubles["class"] == "no").sum() / troubles["class"].notna().sum()
    assert f"no {share:.1%}" in shown
    drifting = Stream([[0.0]] * 4, [0, 1, 0, 0], drifts=[2], bayes_risk=[0.0] * 4)._repr_html_()
    assert "0 75.0%, 1 25.0%" in drifting
    assert "<th>drifts</th><td>2</td>" in drifting
    assert "Bayes risk" in drifting


def test_between_two_blanks_that_separate_stands_nothing(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a b y\n1 5 3\n4  6\n7 8 3\n")
    stream = read_csv(path, "y", separator=" ")
    np.testing.assert_array_equal(stream.X, [[1, 5], [4, 5], [7, 8]])
    np.testing.assert_array_equal(stream.y, [0, 1, 0])
