"""A log of predictions is read as it is, or refused; nothing is guessed in silence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro.interop import read_predictions

ROWS = 60
RNG = np.random.default_rng(20261126)
TABLE = pd.DataFrame(
    {
        "y": RNG.choice(["ok", "fraud"], ROWS),
        "p": RNG.choice(["ok", "fraud"], ROWS),
        "q": RNG.choice(["ok", "fraud"], ROWS),
        "s": RNG.random(ROWS),
        "t": pd.date_range("2026-01-01", periods=ROWS, freq="min"),
    }
)


def read(table=TABLE, **options):
    return read_predictions(table, **{"label": "y", "predicted": "p", **options})


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
def test_files_and_tables_give_the_same_log(kind, tmp_path):
    path = tmp_path / f"log.{kind}"
    if kind == "parquet":
        pytest.importorskip("pyarrow")
        TABLE.to_parquet(path)
    else:
        TABLE.to_csv(path, index=False)
    options = {"predicted": ["p", "q"], "score": ["s", "s2"], "time": "t", "groups": "q2"}
    wide = TABLE.assign(s2=TABLE["s"] / 2, q2=TABLE["q"])
    wide.to_parquet(path) if kind == "parquet" else wide.to_csv(path, index=False)
    log, other = (read(source, **options) for source in (path, wide))
    assert (log.name, log.labels, log.notes) == ("log", other.labels, other.notes)
    np.testing.assert_array_equal(log.y, other.y)
    for m in ("p", "q"):
        np.testing.assert_array_equal(log.predictions[m], other.predictions[m])
        np.testing.assert_allclose(log.scores[m], other.scores[m], rtol=1e-15)
    assert log.groups["q2"].names == other.groups["q2"].names


@pytest.mark.parametrize("separator", [";", "\t", "|", " "])
def test_other_separators_may_stand_between_fields(separator, tmp_path):
    path = tmp_path / "log.csv"
    table = TABLE.replace("ok", "a, or b").assign(t=range(ROWS), gap=None, g=["u", "v"] * 30)
    table.to_csv(path, sep=separator, index=False)
    log = read(path, time="t", groups="g", separator=separator)
    other = read(table, time="t", groups="g")
    assert (log.labels, log.groups["g"].names) == (other.labels, ("u", "v"))
    np.testing.assert_array_equal(log.y, other.y)


@pytest.mark.parametrize("separator", ["", ", ", "\\t"])
def test_a_separator_is_one_character(separator):
    with pytest.raises(ValueError, match="separator must be"):
        read(separator=separator)


def test_a_column_of_parquet_that_pandas_wrote_as_its_index_is_a_column(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "log.parquet"
    TABLE.set_index(["t", "p"]).to_parquet(path)
    log, other = read(path, time="t"), read(time="t")
    np.testing.assert_array_equal(log.predictions["p"], other.predictions["p"])
    np.testing.assert_array_equal(log.y, other.y)


def test_a_text_that_is_damaged_in_parquet_is_found_when_the_file_is_read(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "log.parquet"
    when = [f"2026-01-{1 + i // 24:02} {i % 24:02}:00" for i in range(ROWS)]
    TABLE.assign(t=when).to_parquet(path, compression=None)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"2026-01-02", b"2026-01-0\xff", 1))
    with pytest.raises(ValueError, match=r"source must be a Parquet file; got .*log\.parquet"):
        read(path, time="t")


def test_a_file_with_other_separators_is_refused_with_a_hint(tmp_path):
    TABLE.to_csv(tmp_path / "log.csv", index=False, sep=";")
    with pytest.raises(ValueError, match=r"must name a column of y;.* \(separator says what"):
        read(tmp_path / "log.csv")
    with pytest.raises(ValueError, match=r"predicted must name a column of y; got 'p'"):
        read(TABLE[["y"]])  # a table has no separator


def test_blanks_after_commas_are_no_part_of_names_or_labels(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("y, p, t\na, b, 1\nb, b, 2\n")
    log = read(path, time="t")
    assert log.labels == ("a", "b")
    assert (log.y.tolist(), log.predictions["p"].tolist()) == ([0, 1], [1, 1])


def test_whole_numbers_beyond_double_precision_keep_their_order_beside_gaps(tmp_path):
    pytest.importorskip("pyarrow")
    times = pd.array([*(2**60 + np.arange(ROWS - 1)[::-1]), None], dtype="Int64")
    TABLE.assign(t=times).to_parquet(tmp_path / "log.parquet")
    log = read(tmp_path / "log.parquet", time="t")
    np.testing.assert_array_equal(log.y, read(TABLE.iloc[:-1]).y[::-1])
    assert not any("have the time of an earlier one" in note for note in log.notes)


def test_rows_are_put_in_the_order_of_time_and_ties_keep_theirs():
    log = read(TABLE.iloc[::-1], time="t")
    np.testing.assert_array_equal(log.y, read().y)
    assert "not in the order of time" in log.notes[0]
    tied = read(TABLE.assign(t=np.arange(ROWS) // 2), time="t")
    np.testing.assert_array_equal(tied.y, read().y)
    assert "30 rows have the time of an earlier one" in tied.notes[0]


def test_integers_beyond_double_precision_keep_their_order():
    times = 2**60 + np.arange(ROWS)[::-1]
    log = read(TABLE.assign(t=times), time="t")
    np.testing.assert_array_equal(log.y, read().y[::-1])


@pytest.mark.parametrize(
    ("labels", "predicted", "classes"),
    [
        ([0, 1, 1], [0.0, 1.0, 0.0], ("0", "1")),
        (["01", "1", "1"], ["1", "01", "1"], ("01", "1")),
        ([True, False, True], ["True", "False", "True"], ("False", "True")),
        ([2**60, 2**60 + 1, 0], [2**60, 0, 0], ("0", str(2**60), str(2**60 + 1))),
        ([" a", "b", "b"], ["a", "b ", "b"], ("a", "b")),
        ([10, 9, 9], [9, 9, 9], ("9", "10")),
    ],
)
def test_labels_are_compared_as_texts(labels, predicted, classes, tmp_path):
    table = pd.DataFrame({"y": labels, "p": predicted})
    log = read(pd.concat([table] * 20, ignore_index=True))
    assert log.labels == classes
    texts = [[str(v).strip().removesuffix(".0") for v in column] for column in (labels, predicted)]
    expected = [float(a != b) for a, b in zip(*texts, strict=True)] * 20
    assert log.losses["p"].tolist() == expected


def test_rows_without_a_label_or_prediction_are_left_out_and_counted():
    table = TABLE.astype({"y": object})
    table.loc[[3, 5], "y"] = None
    table.loc[[5, 7], "p"] = None
    log = read(table)
    assert len(log) == ROWS - 3
    assert log.notes[:2] == (
        "2 rows without label (y) were left out",
        "2 rows without predicted (p) were left out",
    )


def test_scores_are_of_the_class_whose_predictions_have_more():
    for high, low in (("ok", "fraud"), ("fraud", "ok")):
        table = TABLE.assign(p=np.where(TABLE["s"] > 0.5, high, low))
        log = read(table, score="s")
        assert log.labels[log.positive] == high
        assert high in log.notes[-1]
    given = read(score="s", positive="ok")
    assert given.labels[given.positive] == "ok"
    assert not given.notes


def test_a_row_per_model_and_example_is_the_same_log():
    tall = pd.concat(
        [TABLE[["y", "t", "s"]].assign(p=TABLE[m], who=m) for m in ("p", "q")], ignore_index=True
    )
    log = read(tall.sample(frac=1, random_state=0), time="t", model="who", score="s")
    wide = read(predicted=["p", "q"])
    for m in ("p", "q"):
        np.testing.assert_array_equal(log.predictions[m], wide.predictions[m])
        np.testing.assert_array_equal(log.scores[m], TABLE["s"])
    with pytest.raises(ValueError, match=r"same y and t in one order.*60 rows of p and 59 of q"):
        read(tall.iloc[:-1], time="t", model="who")


def test_a_model_with_the_name_of_a_column_is_refused():
    """Its predictions would take the place of the labels."""
    tall = pd.concat([TABLE[["y", "p"]].assign(who=m) for m in ("y", "b")], ignore_index=True)
    with pytest.raises(ValueError, match="model must hold names that no column has; got 'y'"):
        read(tall, model="who")


def test_the_positive_class_is_written_as_labels_are():
    table = TABLE.assign(y=np.where(TABLE["y"] == "ok", "v2.0", "v1.0"), p="v2.0")
    given = read(table, score="s", positive="v2.0")
    assert given.labels[given.positive] == "v2.0"


def test_delays_are_counted_in_time_and_in_examples():
    """The label of minute i comes 150 seconds later, when i + 1 and i + 2 are predicted."""
    log = read(TABLE.assign(came=TABLE["t"] + pd.Timedelta(150, "s")), time="t", label_time="came")
    assert log.delays.unit == "s"
    assert set(log.delays.waits) == {150.0}
    assert log.delays.examples.tolist() == [2] * (ROWS - 2) + [1, 0]
    numbers = TABLE.assign(t=np.arange(ROWS), came=np.arange(ROWS) + 0.5)
    assert set(read(numbers, time="t", label_time="came").delays.examples) == {0}


def test_groups_are_values_or_quarters_and_missing_is_one():
    table = TABLE.assign(size=np.arange(ROWS, dtype=float), zone=["a", "b", None] * 20)
    log = read(table, groups=["size", "zone"])
    assert np.bincount(log.groups["size"].codes).tolist() == [15] * 4
    assert log.groups["zone"].names == ("a", "b", "missing")
    np.testing.assert_array_equal(log.groups["zone"].codes, [0, 1, 2] * 20)


@pytest.mark.parametrize(
    ("change", "options", "error", "message"),
    [
        (
            {},
            {"label": "nope"},
            ValueError,
            "label must name a column of y, p, q, s, t; got 'nope'",
        ),
        ({}, {"predicted": "y"}, ValueError, "predicted must be another column than label"),
        ({}, {"predicted": ["p", "p"]}, ValueError, "predicted must name columns, each once"),
        ({}, {"predicted": "s"}, ValueError, "predicted must hold labels"),
        ({"y": np.arange(ROWS), "p": np.arange(ROWS)}, {}, ValueError, "label must hold classes"),
        ({"y": [None] * ROWS}, {}, ValueError, "rows with all of label, predicted; got 0"),
        ({"s": ["x"] * ROWS}, {"score": "s"}, ValueError, "score must hold finite numbers"),
        ({"s": [np.inf] * ROWS}, {"score": "s"}, ValueError, "score must hold finite numbers"),
        ({}, {"score": ["s", "t"]}, ValueError, "as many columns as predicted, 1; got 2"),
        ({}, {"score": "s", "positive": "x"}, ValueError, "positive must be one of two classes"),
        ({}, {"label_time": "t"}, ValueError, "time must be given with label_time"),
        ({"t": ["soon"] * ROWS}, {"time": "t"}, ValueError, "time must hold numbers or dates"),
        (
            {"t": ["31/01/2026"] * ROWS},
            {"time": "t"},
            ValueError,
            "dates like 2026-01-31 .*; got '31/",
        ),
        ({"t": ["1,5"] * ROWS}, {"time": "t"}, ValueError, "time must hold .*; got '1,5'"),
        ({"t": [{1}] * ROWS}, {"time": "t"}, ValueError, "time must hold .*; got {1}"),
        (
            {"y": [[1]] * ROWS},
            {},
            TypeError,
            r"y must hold classes, as texts or numbers; got \[1\]",
        ),
        ({"n": 1}, {"time": "t", "label_time": "n"}, ValueError, "of the kind of time"),
        ({}, {"predicted": ["p", "q"], "model": "s"}, ValueError, "one column if model is given"),
        ({"k": [f"g{i}" for i in range(ROWS)]}, {"groups": ["k"] * 2}, None, ""),
    ],
)
def test_what_is_no_log_is_refused(change, options, error, message):
    table = TABLE.assign(**change)
    if error is None:
        assert len(read(table, **options)) == ROWS
        return
    with pytest.raises(error, match=message):
        read(table, **options)


def test_a_name_that_two_columns_have_is_refused(tmp_path):
    """In a file as well, of which pandas would read the first and call the other one y.1."""
    twice = pd.concat([TABLE, TABLE[["y"]]], axis=1)
    twice.to_csv(tmp_path / "twice.csv", index=False)
    for source in (twice, tmp_path / "twice.csv"):
        with pytest.raises(ValueError, match="label must name one column; got 'y', the name of 2"):
            read(source)
        assert len(read(source, label="q")) == ROWS


@pytest.mark.parametrize(("n", "end"), [(20, ", c19; got 'y'"), (21, r", c19 \.\.\.; got 'y'")])
def test_at_most_twenty_columns_are_listed(n, end):
    table = pd.DataFrame({f"c{i}": [0, 1] for i in range(n)})
    with pytest.raises(ValueError, match=end):
        read(table)


@pytest.mark.parametrize("name", ["NA", "None", "1.50"])
def test_a_column_may_have_a_name_that_reads_like_a_value(tmp_path, name):
    TABLE.rename(columns={"y": name}).to_csv(tmp_path / "named.csv", index=False)
    assert len(read(tmp_path / "named.csv", label=name)) == ROWS


def test_a_column_without_a_name_is_of_no_harm(tmp_path):
    TABLE.to_csv(tmp_path / "numbered.csv")  # the first column is that of the rows
    assert len(read(tmp_path / "numbered.csv")) == ROWS


def test_other_sources_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"got '.*none\.csv'"):
        read(tmp_path / "none.csv")
    with pytest.raises(TypeError, match="a DataFrame; got 3"):
        read(3)
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(ValueError, match="a CSV file with a header"):
        read(tmp_path / "empty.csv")
    (tmp_path / "broken.parquet").write_text("no")
    pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="must be a Parquet file"):
        read(tmp_path / "broken.parquet")
