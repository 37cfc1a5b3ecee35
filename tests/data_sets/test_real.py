"""Data sets are verified before they are read; the real ones have the published numbers."""

from __future__ import annotations

import gzip
import io
import os
import re
import struct
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from toy_data import COLUMNS, ROWS, TEXT, TOY, address, house, sha256, toml, zipped

from repro import data_sets, streams
from repro.__main__ import main
from repro.data_sets import _content, catalogue
from repro.streams import _real_tables

LOADED = [
    [0.0, 2, 0.1],
    [2.5, 0, 0.30000000000000004],
    [2.5, 2, 1e-3],
    [-0.7, 1, 12345678.9012345678],
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    with house(tmp_path, monkeypatch) as place:
        yield place


def is_toy(stream):
    assert stream.X.tolist() == LOADED
    assert stream.y.tolist() == [1, 0, 1, 0]


# The loaded stream


def test_codes_names_and_missing_values_are_as_documented(home):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    stream = streams.load("toy")
    is_toy(stream)
    assert stream.schema == streams.Schema((0, 3, 0), 2)
    assert (stream.name, stream.drifts, stream.bayes_risk) == ("toy", (), None)
    about = stream.provenance
    assert (about.attributes, about.labels) == (("size", "colour", "weight"), ("no", "yes"))
    assert (about.examples, about.n_filled, about.caveats) == (4, 2, ("small",))
    assert stream.take([3, 0]).provenance is about
    for text in [
        "toy: Four things",
        "by day",
        "size, twice (2 replaced here)",
        "small",
        "2: no, yes",
    ]:
        assert text in str(about)


def test_features_are_chosen_by_name_in_the_order_given(home):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    stream = streams.load("toy", features=["weight", "colour"])
    assert stream.X.tolist() == [[row[2], row[1]] for row in LOADED]
    assert stream.schema.nominal == (0, 3)
    assert stream.provenance.attributes == ("weight", "colour")
    assert stream.provenance.n_filled == 0
    assert streams.load("toy", features="size").X.tolist() == [[row[0]] for row in LOADED]


def test_labels_alone_are_a_constant_column(home):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    stream = streams.load("toy", labels_only=True)
    assert (stream.X.tolist(), stream.y.tolist()) == ([[0.0]] * 4, [1, 0, 1, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"features": ["hue"]}, r"features must be .* among size, colour, weight; got \('hue',\)"),
        ({"features": []}, r"features must be different names .* got \(\)"),
        ({"features": ["size", "size"]}, "features must be different names"),
        ({"features": ["when"]}, "features must be different names"),
        (
            {"features": ["size"], "labels_only": True},
            "features must not be given with labels_only",
        ),
        ({"labels_only": 1}, "labels_only must be True or False; got 1"),
    ],
)
def test_wrong_arguments_are_refused_by_name(home, arguments, message):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    with pytest.raises(ValueError, match=message):
        streams.load("toy", **arguments)


@pytest.mark.parametrize(
    ("features", "got"), [(5, "5"), ([5], "5 among them"), ([["size"]], r"\['size'\] among them")]
)
def test_features_of_another_kind_are_refused(home, features, got):
    with pytest.raises(TypeError, match=f"features must be a list of names; got {got}"):
        streams.load("toy", features=features)


@pytest.mark.parametrize("function", ["load", "describe", "available", "locate", "fetch", "verify"])
def test_an_unknown_name_is_answered_with_the_known_ones(home, function):
    with pytest.raises(ValueError, match="name must be one of toy; got 'toys'"):
        getattr(streams if function == "load" else data_sets, function)("toys")


# Locations


def test_folders_are_searched_in_order(home, tmp_path, monkeypatch):
    """The file is removed from one folder after the other; the next folder is used."""
    named = [tmp_path / "a", tmp_path / "b"]
    folders = [*named, home.raw, home.cache]
    monkeypatch.setenv("REPRO_DATA", os.pathsep.join(["", *map(str, named), "", "nowhere"]))
    for folder in folders:
        folder.mkdir(exist_ok=True, parents=True)
        (folder / "toy.csv.gz").write_bytes(TOY)
    for folder in folders:
        assert data_sets.locate("toy") == (folder / "toy.csv.gz",)
        is_toy(streams.load("toy"))
        (folder / "toy.csv.gz").unlink()
    assert not data_sets.available("toy")


FORMS = {
    "toy.csv.gz": (gzip.compress(TEXT, 1, mtime=7), {}),
    "toy.csv": (TEXT.replace(b"\n", b"\r\n"), {}),
    "toy.arff": (
        b"@relation x\n@DATA\n" + ROWS.replace(b",yes\n", b",1\n").replace(b",no\n", b",0\n")[:-1],
        {"rows_after": "@data", "classes": "CLASSES"},
    ),
    "toy.zip": (
        zipped(**{"../toy.data": b"evil", "toy.data": ROWS, "/etc/toy.data": b"evil"}),
        {"member": "toy.data", "rows_after": ""},
    ),
    "toy.data": (ROWS.replace(b",", b" "), {"separator": " ", "rows_after": ""}),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_published_formats_of_a_set_are_read_too(home, tmp_path, name):
    """Other gzip, unpacked, ARFF with other labels, a member of an archive, other separators."""
    data, keys = FORMS[name]
    entry = address(f"https://example.org/{name}", **keys)
    home.write(toml(entry.replace("'CLASSES'", '{ 1 = "yes", 0 = "no" }') if keys else ""))
    (home.raw / name).write_bytes(data)
    before = home.files()
    is_toy(streams.load("toy"))
    after = home.files()
    new = set(after) - set(before)
    assert all(path.startswith("cache/data/toy-") for path in new), "written elsewhere"
    assert {path: after[path] for path in before} == before


def test_the_error_for_a_missing_set_says_three_ways_to_get_it(home):
    home.write(toml(address("https://example.org/toy.zip", member="toy.data")))
    with pytest.raises(data_sets.DataNotFound) as caught:
        streams.load("toy")
    message = str(caught.value)
    for text in [
        "the data set toy is missing: toy.csv.gz is in none of",
        "1. with a connection: python -m repro data fetch toy",
        "2. put toy.csv.gz (or toy.zip from an address in data/sources.toml) into data/raw",
        "3. without it: your imagination",
        "REPRO_OFFLINE is set",
        str(home.raw),
    ]:
        assert text in message
    assert isinstance(caught.value, FileNotFoundError)


# Damaged files

BOMB = gzip.compress(bytes(50_000_000))
DAMAGED = {
    "empty": b"",
    "one bit flipped": TOY[:40] + bytes([TOY[40] ^ 1]) + TOY[41:],
    "truncated": TOY[:-20],
    "longer": TOY + b"more",
    "another set": gzip.compress(TEXT.replace(b"red", b"tan"), mtime=0),
    "two rows exchanged": gzip.compress(
        b"\n".join(TEXT.split(b"\n")[i] for i in (0, 2, 1, 3, 4, 5))
    ),
    "far too long": BOMB,
    "no gzip": b"<html>not found</html>",
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED.keys())
def test_a_damaged_file_is_named_and_not_read(home, data):
    (home.raw / "toy.csv.gz").write_bytes(data)
    with pytest.raises(
        data_sets.DataCorrupt, match=r"raw/toy\.csv\.gz must .* it was not read: remove"
    ):
        streams.load("toy")
    with pytest.raises(data_sets.DataCorrupt, match="it was not read"):
        data_sets.verify("toy")
    assert list(home.files()) == ["checkout/data/raw/toy.csv.gz"]


def test_a_bomb_is_not_unpacked(home):
    """50 MB of zeros in 50 kB; only the size of the set is unpacked."""
    home.write(toml(address("https://example.org/toy.zip", member="toy.data", rows_after="")))
    archive = zipped(**{"toy.data": bytes(50_000_000)})
    for name, data in [("toy.csv.gz", BOMB), ("toy.zip", archive)]:
        (home.raw / name).write_bytes(data)
        tracemalloc.start()
        with pytest.raises(data_sets.DataCorrupt, match=r"source of it; got more than \d+ bytes"):
            streams.load("toy")
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()
        (home.raw / name).unlink()


@pytest.mark.parametrize(
    "data", [zipped(**{"../toy.data": ROWS}), zipped(other=b""), b"PK\x03\x04"]
)
def test_an_archive_without_the_member_is_refused(home, data):
    entry = address("https://example.org/toy.zip", member="toy.data", rows_after="")
    home.write(toml(entry))
    (home.raw / "toy.zip").write_bytes(data)
    with pytest.raises(
        data_sets.DataCorrupt, match=r"toy\.zip must be toy\.csv\.gz or a source of it"
    ):
        streams.load("toy")
    assert list(home.files()) == ["checkout/data/raw/toy.zip"]


def test_without_a_checksum_of_the_content_only_the_exact_file_is_read(home):
    """As for Covertype. Its labels have another checksum."""
    labels = sha256(b"yes\nno\nyes\nno\n")
    facts = toml(content=None, header=0, sha256=sha256(gzip.compress(ROWS, mtime=0)))
    facts = facts.replace("header = 0", "header = false")
    home.write(facts.replace("examples = 4", f'examples = 4\nlabels_content = "{labels}"'))
    (home.raw / "toy.csv.gz").write_bytes(gzip.compress(ROWS, mtime=0))
    is_toy(streams.load("toy"))
    home.write(facts.replace("examples = 4", 'examples = 4\nlabels_content = "0123"'))
    with pytest.raises(data_sets.DataCorrupt, match="must hold the published labels of toy"):
        data_sets.verify("toy")
    (home.raw / "toy.csv.gz").write_bytes(gzip.compress(ROWS, mtime=1))
    with pytest.raises(data_sets.DataCorrupt, match="must have the sha256"):
        streams.load("toy")


# The copy by columns


def the_copy(home):
    (path,) = home.columns.iterdir()
    return path


def test_the_copy_is_used_and_equal(home, monkeypatch):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    first = streams.load("toy")
    monkeypatch.setattr(_real_tables, "parse", None)
    again = streams.load("toy")
    np.testing.assert_array_equal(again.X, first.X)
    np.testing.assert_array_equal(again.y, first.y)


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "swap", "directory"])
def test_a_damaged_copy_is_replaced(home, damage):
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    streams.load("toy")
    path = the_copy(home)
    good = path.read_bytes()
    if damage == "swap":  # an intact copy of another set under this name
        home.write(toml().replace('labels = ["no", "yes"]', 'labels = ["yes", "no"]'))
        streams.load("toy")
        (other,) = (p for p in home.columns.iterdir() if p != path)
        path.write_bytes(other.read_bytes())
        other.unlink()
        home.write(toml())
    elif damage == "directory":
        path.unlink()
        path.mkdir()
    else:
        changed = good[:-9] + bytes([good[-9] ^ 4]) + good[-8:]
        path.write_bytes({"flip": changed, "truncate": good[:-1], "empty": b""}[damage])
    is_toy(streams.load("toy"))
    if damage != "directory":
        assert path.read_bytes() == good


def test_the_copy_is_never_unpickled(home):
    """Not even with the right checksum."""

    class Evil:
        def __reduce__(self):
            return os.system, ("touch evil",)

    (home.raw / "toy.csv.gz").write_bytes(TOY)
    streams.load("toy")
    path, buffer = the_copy(home), io.BytesIO()
    np.savez(buffer, y=np.array([Evil()]), codes0=np.array([Evil()]))
    path.write_bytes(_real_tables._digest(path, buffer.getvalue()) + buffer.getvalue())
    with pytest.raises(ValueError, match="allow_pickle=False"):
        streams.load("toy")


def test_a_full_disk_prevents_only_the_copy(home, monkeypatch):
    (home.raw / "toy.csv.gz").write_bytes(TOY)

    def full(path, data):
        with open(path, "wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        is_toy(streams.load("toy"))
    assert list(home.files()) == ["checkout/data/raw/toy.csv.gz"]
    monkeypatch.setenv(
        "REPRO_CACHE", str(home.raw / "toy.csv.gz")
    )  # a file, so no folder can be made
    is_toy(streams.load("toy"))


def test_numbers_are_the_nearest_to_their_texts(home):
    """pandas reads some of these with an error in the last place."""
    rng = np.random.default_rng(5)
    texts = [f"{x:.{k}g}" for k in (3, 9, 17) for x in np.exp(rng.normal(0, 20, 300))]
    rows = "".join(f"1/1,{text},red,1,yes\n" for text in texts)
    text = ",".join(COLUMNS) + "\n" + rows
    data = gzip.compress(text.encode())
    facts = toml(sha256=sha256(data), content=sha256(text.encode()), content_size=len(text))
    home.write(facts.replace("examples = 4", f"examples = {len(texts)}"))
    (home.raw / "toy.csv.gz").write_bytes(data)
    for _ in ("parsed", "cached"):
        assert streams.load("toy").X[:, 0].tolist() == [float(text) for text in texts]


# Images


def test_idx_files_are_read_row_by_row_and_others_refused():
    pixels, labels = np.arange(24, dtype=np.uint8), np.array([1, 0], dtype=np.uint8)
    images = struct.pack(">4I", 0x803, 2, 3, 4) + pixels.tobytes()
    X, y = _real_tables.images(images, struct.pack(">2I", 0x801, 2) + labels.tobytes())
    assert X.tolist() == pixels.reshape(2, 12).tolist()
    assert y.tolist() == [1, 0]
    for wrong in (images[:-1], images + b"\0", b"\0\0\x08\x04" + images[4:]):
        with pytest.raises(data_sets.DataCorrupt, match="an IDX file must hold 3 dimensions"):
            _real_tables.images(wrong, images)


def test_digits_come_with_scikit_learn():
    stream = streams.load("digits")
    assert (stream.X.shape, stream.n_classes, stream.X.max()) == ((1797, 64), 10, 16)
    assert streams.load("digits", labels_only=True).y.tolist() == stream.y.tolist()


def test_other_digits_than_those_we_know_are_refused(monkeypatch):
    import sklearn.datasets

    X, y = sklearn.datasets.load_digits(return_X_y=True)
    monkeypatch.setattr(sklearn.datasets, "load_digits", lambda return_X_y: (X, (y + 1) % 10))
    for call in (data_sets.verify, streams.load):
        with pytest.raises(data_sets.DataCorrupt, match="must be the 1797 images we know"):
            call("digits")


# The commands


def test_commands_list_fetch_and_verify_and_report_errors(home, capsys):
    assert main(["data", "list"]) == 0
    assert re.search(r"toy +4 +2  to be fetched", capsys.readouterr().out)
    assert main(["data", "verify"]) == 0  # a missing set is an error only if it is named
    assert "toy: not there\n" in capsys.readouterr().out
    assert main(["data", "verify", "toy"]) == main(["data", "fetch"]) == 1
    assert "toy: FAILED: the data set toy is missing" in capsys.readouterr().err
    assert main(["data", "fetch", "toy", "toy"]) == 1  # of several sets, each has one line
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 3
    assert said[0].startswith("toy: FAILED: it is missing; ")
    assert said[2] == "how to get a set by hand says: python -m repro data fetch NAME"
    (home.raw / "toy.csv.gz").write_bytes(TOY)
    assert main(["data", "list"]) == main(["data", "verify", "toy"]) == main(["data", "fetch"]) == 0
    assert f"4        2  {home.raw}" in (out := capsys.readouterr().out)
    assert out.count("toy: verified\n") == 2
    (home.raw / "toy.csv.gz").write_bytes(TOY[:-1])
    assert main(["data", "verify"]) == main(["data", "fetch", "toy"]) == 1
    assert "must be toy.csv.gz or a source of it" in capsys.readouterr().err
    assert main(["data", "fetch", "toys"]) == 2
    assert "NAME must be one of toy; got toys" in capsys.readouterr().err


# The list of sources


def test_every_source_is_described_addressed_and_checked():
    for name, source in catalogue.catalogue().items():
        assert all((source.title, source.source, source.licence, source.order, source.missing)), (
            name
        )
        assert set(source.nominal + source.ignored) <= set(source.columns[:-1])
        assert len(set(source.columns)) == len(source.columns)
        assert len(set(source.labels)) == len(source.labels) > 1
        assert source.files or source.content
        for file in source.files:
            sums = [file.sha256, file.content] + [d.sha256 for d in file.downloads]
            assert file.sha256
            assert all(re.fullmatch("[0-9a-f]{64}", checksum) for checksum in sums if checksum)
            assert file.downloads
            assert all(d.url.startswith("https://") for d in file.downloads)
            assert "/" not in file.name + "".join(d.name for d in file.downloads)
            # Without both checksums a download could not be verified.
            assert file.content or all(d.rows_after is None for d in file.downloads)


# The real data, if available

# From the README of the data sets: rows, attributes, classes, P(M), P(T), missing values.
PUBLISHED = {
    "elec2": (45_312, 8, 2, 0.5755, 0.8533, 0),
    "kdd99": (494_021, 41, 23, 0.5684, 0.9989, 0),
    "ozone": (2_536, 72, 2, 0.9712, 0.9487, 14_938),
    "ozone_eighthr": (2_534, 72, 2, 0.9369, 0.9155, 14_937),
    "luxembourg": (1_901, 31, 2, 0.5139, 0.4811, 0),
    "chess": (503, 8, 2, 0.6064, 0.5657, 0),
    "covtype": (581_012, 54, 7, 0.4876, 0.9506, 0),
    "covtype_labels": (581_012, 1, 7, 0.4876, 0.9506, 0),
    "mnist": (60_000, 784, 10, 0.1124, 0.0975, 0),
    "mnist_test": (10_000, 784, 10, 0.1135, 0.0845, 0),
}


def need(name):
    if not data_sets.available(name):
        pytest.skip(f"{name} is not available")


@pytest.mark.parametrize("name", PUBLISHED)
def test_real_sets_have_the_published_numbers(name):
    need(name)
    stream = streams.load(name)
    y = stream.y
    majority, same = np.bincount(y).max() / len(y), np.mean(y[1:] == y[:-1])
    filled = stream.provenance.n_filled
    got = (*stream.X.shape, stream.n_classes, round(majority, 4), round(float(same), 4), filled)
    assert got == PUBLISHED[name]
    assert len(stream.provenance.attributes) in (stream.X.shape[1], 0)


def test_the_label_of_elec2_is_the_price_against_its_day():
    """The label leaks: UP exactly if the price exceeds the mean of the previous 48."""
    need("elec2")
    stream = streams.load("elec2", features=["nswprice", "day", "period"])
    price = np.rint(stream.X[:, 0] * 1e6).astype(np.int64)
    before = np.convolve(price, np.ones(48, np.int64))[47:-48]
    assert ((48 * price[48:] > before) == stream.y[48:]).all()
    assert stream.schema.nominal == (0, 7, 0)
    assert stream.X[0, 1] == 1  # day 2 of 1..7
    assert (np.diff(stream.X[:, 1].reshape(944, 48)) == 0).all()


def test_the_labels_of_covertype_need_no_attributes():
    need("covtype_labels")
    stream = streams.load("covtype", labels_only=True)
    counts = [211_840, 283_301, 35_754, 2_747, 9_493, 17_367, 20_510]  # as UCI publishes them
    assert np.bincount(stream.y).tolist() == counts
    assert (stream.name, stream.X.shape) == ("covtype", (581_012, 1))


def test_missing_values_of_ozone_are_filled_from_the_past():
    need("ozone")
    stream = streams.load("ozone", features=["T85", "Precp", "SLP_"])
    # 1998-01-04 and -05 of the source: "9.9 ... -40,2.08" and "? ... ?,0.58"
    assert stream.X[3].tolist() == [9.9, 2.08, -40]
    assert stream.X[4].tolist() == [9.9, 0.58, -40]


def source_forms():
    """The published format of real sets, rebuilt from ours, and its published size."""

    def rows(name):
        (path,) = data_sets.locate(name)
        return gzip.decompress(path.read_bytes()).split(b"\n", 1)

    def elec2_arff():
        kinds = dict.fromkeys(catalogue.data_set("elec2").columns, "numeric")
        kinds |= {"day": "{1,2,3,4,5,6,7}", "target": "{1,0}"}
        head = "".join(f"@attribute {name} {kind}\n" for name, kind in kinds.items())
        body = rows("elec2")[1].replace(b",UP\n", b",1\n").replace(b",DOWN\n", b",0\n")
        return b"\n\n" + head.replace("target", "class").encode() + b"\n@data\n" + body[:-1]

    def elec2_csv():
        head, body = rows("elec2")
        return head.replace(b"target", b"class") + b"\n" + body[:-1]

    def windows(name):
        return b"\r\n".join(b"\n".join(rows(name)).split(b"\n"))

    return {
        "elec2": [(0, elec2_arff, 2_994_413), (1, elec2_csv, 3_091_689)],
        "kdd99": [(2, lambda: rows("kdd99")[1], 74_889_749)],
        "ozone": [(0, lambda: rows("ozone")[1].replace(b",", b" "), 818_994)],
        "ozone_eighthr": [(0, lambda: rows("ozone_eighthr")[1][:-1], 818_328)],
        "covtype_labels": [(0, lambda: rows("covtype_labels")[1], 1_162_024)],
        "luxembourg": [(0, lambda: windows("luxembourg"), 279_932)],
        "chess": [(0, lambda: b"\n".join(rows("chess")), 13_043)],
    }


@pytest.mark.parametrize("name", source_forms())
def test_the_published_format_is_converted_into_our_file(name):
    """It is rebuilt from our file and has exactly the published size."""
    need(name)
    source = catalogue.data_set(name)
    (file,) = source.files
    for position, form, size in source_forms()[name]:
        download, data = file.downloads[position], form()
        assert len(data) == size
        if download.member:
            data = zipped(**{download.member: data})
        content = _content.verified(data, source, file, download, where="here")
        assert sha256(content) == file.content


def test_the_table_of_the_readme_has_the_numbers_of_the_real_sets():
    text = (Path(__file__).parents[2] / "data" / "README.md").read_text()
    rows = [line.split("|")[1:7] for line in text.splitlines() if re.match(r"\| `\w+`", line)]
    names = [re.findall(r"`(\w+)`", row[0])[0] for row in rows]
    assert names == list(data_sets.names())
    for name, row in zip(names, rows, strict=True):
        if name in PUBLISHED:
            n, d, classes, majority, same, _ = PUBLISHED[name]
            attributes = "none" if name == "covtype_labels" else str(d)
            expected = [f"{n:,}".replace(",", " "), attributes, str(classes)]
            expected += [f"{majority:.4f}"[1:], f"{same:.4f}"[1:]]
            assert [cell.strip() for cell in row[1:]] == expected
