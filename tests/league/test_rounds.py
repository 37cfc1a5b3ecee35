"""Rounds with withheld labels: what is public when, what is taken, and what a check of it finds."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import stat
import tomllib

import numpy as np
import pandas as pd
import pytest

from repro import league, learners, prequential
from repro.__main__ import main
from repro.league import rounds
from repro.league._withheld import read_round, table_of, write_table
from repro.league.entry import CARD

STREAMS = league.STREAMS
BY = {"by": "a test", "library": "repro 1"}
MODELS = {"bayes": learners.NaiveBayes(), "tree": learners.HoeffdingTree()}
SECRET = "a secret that is not one"


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """A round of two blocks that is over, with two honest entries."""
    folder = tmp_path_factory.mktemp("round")
    public = league.open_round(folder, "test", blocks=2, draws=1, secret=SECRET)
    for _ in range(2):
        for name, model in MODELS.items():
            card = {**BY, "learner": "mine"}
            league.predict_block(public, model, folder / "entries" / name, card)
        league.next_block(folder)
    return folder


@pytest.fixture
def over(ended, tmp_path):
    """A copy of that round, to be changed."""
    return shutil.copytree(ended, tmp_path / "over")


@pytest.fixture
def begun(tmp_path):
    """A round in which one entry has handed in the first block."""
    public = league.open_round(tmp_path, "test", blocks=2, draws=1, secret=SECRET)
    league.predict_block(public, MODELS["bayes"], tmp_path / "entries" / "bayes", BY)
    return tmp_path


def verified(folder):
    return league.verify_round(folder / "public", folder / "entries")


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_errors_are_those_of_a_learner_that_gets_its_labels_in_blocks(ended):
    table, refused = verified(ended)
    assert refused == {}
    about = read_round(ended / "public")
    for row in table.itertuples():
        drawn = about.drawn((row.stream, row.seed), SECRET)
        run = prequential(
            MODELS[row.entry], drawn, seed=row.seed, batch=-(-len(drawn) // 2), proba=False
        )
        assert row.error == run.error
        assert row.optimum == np.mean(np.asarray(drawn.optimal) != drawn.y)
    assert len(table) == 2 * len(STREAMS)
    assert set(table["origin"]) == {"file, labels withheld"}


def test_entries_whose_learners_have_one_name_stay_apart(ended, capsys):
    """The table and the command name the folders."""
    table = verified(ended).table
    assert set(table["learner"]) == {"mine"}
    assert table.groupby("entry").size().to_dict() == dict.fromkeys(MODELS, len(STREAMS))
    command = ["verify", str(ended / "public"), str(ended / "entries")]
    assert main(["league", "round", *command]) == 0
    said = capsys.readouterr().out
    for name, rows in table.groupby("entry"):
        error, optimum = (100 * rows[column].mean() for column in ("error", "optimum"))
        assert f"{name}: error {error:.2f} %, optimum {optimum:.2f} %\n" in said


def test_labels_and_next_attributes_come_after_what_was_handed_in(begun):
    public = begun / "public"

    def there():
        return {path.relative_to(public).parts[0] for path in files_in(public)}

    assert there() == {"round.toml", "block-00"}
    taken = league.next_block(begun)
    assert taken == (0, ["bayes"], {}, False)
    assert there() == {"round.toml", "block-00", "block-01", "labels-00.csv", "handed_in.csv"}
    assert SECRET not in "".join(map(repr, files_in(public).values()))
    rows = pd.read_csv(public / "block-00" / "LED-0.csv")
    drawn = read_round(public).drawn(("LED", 0), SECRET)
    assert np.array_equal(rows, drawn.X[:5000])
    labels = pd.read_csv(public / "labels-00.csv").query("stream == 'LED'")
    assert np.array_equal(labels["label"], drawn.y[:5000])


def test_the_secret_is_drawn_anew_and_decides_the_draws(tmp_path):
    """Nobody but its owner may read it."""
    texts = []
    for name in ("a", "b"):
        public = league.open_round(tmp_path / name, name, blocks=2, draws=2)
        path = tmp_path / name / "secret.txt"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        texts.append(path.read_text())
        first, second = (pd.read_csv(public / "block-00" / f"SEA-{k}.csv") for k in (0, 1))
        assert not first.equals(second)
    assert len({*texts}) == 2
    assert len(texts[0]) == 64


def test_a_round_is_not_begun_twice(begun):
    before = files_in(begun)
    with pytest.raises(FileExistsError, match="folder must hold no round yet"):
        league.open_round(begun, "other", blocks=3)
    assert files_in(begun) == before


@pytest.mark.parametrize(
    ("name", "values"),
    {
        "secret": ["", "short", " " * 20, "\ud800" * 20],
        "name": ["", "a\nb"],
        "blocks": [1, 101],
        "draws": [0, 101],
    }.items(),
)
def test_a_round_that_nobody_could_enter_or_that_hides_nothing_is_not_begun(tmp_path, name, values):
    for value in values:
        with pytest.raises(ValueError, match=f"{name} must"):
            league.open_round(tmp_path / "r", **{"name": "test", "draws": 1, name: value})
    assert not (tmp_path / "r").exists()


def no_file(folder):
    (folder / "block-00.csv").unlink()


def two_files(folder):
    shutil.copy(folder / "block-00.csv", folder / "block-00.csv.gz")


def no_card(folder):
    (folder / CARD).unlink()


def other_round(folder):
    card = tomllib.loads((folder / CARD).read_text()) | {"round": "2020.01"}
    lines = (f"{name} = {json.dumps(text)}\n" for name, text in card.items())
    (folder / CARD).write_text("".join(lines))


def changed(change):
    def write(folder):
        path = folder / "block-00.csv"
        change(pd.read_csv(path)).to_csv(path, index=False)

    return write


WRONG = {
    "no file": (no_file, "there must be one file block-00.csv; got 0"),
    "two files": (two_files, "there must be one file block-00.csv; got 2"),
    "no card": (no_card, "there is no card.toml"),
    "another round": (other_round, "its card has the round '2020.01'; this is 'test'"),
    "too few": (changed(lambda f: f.iloc[:-1]), "there must be 5,000 examples; got 4,999"),
    "other examples": (
        changed(lambda f: f.assign(example=f["example"] + 1)),
        "the examples must be 0, 1, ..., 5000 in this order",
    ),
    "another draw": (
        changed(lambda f: f.assign(seed=1)),
        "there must be each stream with the seeds 0 to 0; Hyperplane, seed 0 does not fit",
    ),
    "a stream left out": (changed(lambda f: f[f["stream"] != "LED"]), "not predicted: LED, seed 0"),
    "no label": (changed(lambda f: f.assign(label="up")), "labels must be whole numbers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_missing_or_wrong_stops_the_round_or_is_left_out(begun, name):
    change, words = WRONG[name]
    change(begun / "entries" / "bayes")
    before = files_in(begun / "public")
    with pytest.raises(ValueError, match="entries must hand in a right file for block 0") as error:
        league.next_block(begun)
    assert re.search(rf"got bayes: (\w+, seed \d: )?{re.escape(words)}", str(error.value))
    assert files_in(begun / "public") == before
    league.predict_block(begun / "public", MODELS["tree"], begun / "entries" / "tree", BY)
    taken = league.next_block(begun, leave_out=True)
    assert taken.entries == ["tree"]
    assert words in taken.left_out["bayes"]


def test_a_round_does_not_go_on_without_anybody(tmp_path, begun):
    """Labels that are published cannot be taken back, so not by a call that was made twice."""
    league.next_block(begun, leave_out=True)
    empty = league.open_round(tmp_path / "empty", "test", blocks=2, draws=1).parent
    for folder in (begun, empty):
        before = files_in(folder / "public")
        with pytest.raises(ValueError, match=r"entries must include one .* block \d; got"):
            league.next_block(folder, leave_out=True)
        assert files_in(folder / "public") == before
    with pytest.raises(ValueError, match="entries must include one with a right file for block 0"):
        league.next_block(empty)


def test_who_missed_a_block_does_not_come_back(begun):
    league.next_block(begun)
    for name, model in MODELS.items():
        league.predict_block(begun / "public", model, begun / "entries" / name, BY)
    taken = league.next_block(begun)
    assert taken.entries == ["bayes"]
    assert taken.is_over
    assert set(verified(begun).table["learner"]) == {"NaiveBayes"}


def test_a_call_that_was_stopped_before_the_labels_is_made_again(begun, monkeypatch):
    """Hashes of the files of a block may be published twice, but stand there once."""
    with monkeypatch.context() as patched:
        patched.setattr(rounds.Round, "write_labels", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            league.next_block(begun)
    league.predict_block(begun / "public", MODELS["tree"], begun / "entries" / "bayes", BY)
    assert league.next_block(begun).block == 0
    (row,) = pd.read_csv(begun / "public" / "handed_in.csv").itertuples()
    content = (begun / "entries" / "bayes" / "block-00.csv").read_bytes()
    assert row.sha256 == hashlib.sha256(content).hexdigest()


def test_an_end_that_was_stopped_is_made_by_the_next_call(begun, monkeypatch):
    """The labels are there and the secret is not."""
    league.next_block(begun)
    league.predict_block(begun / "public", MODELS["bayes"], begun / "entries" / "bayes", BY)
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "standings_of", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            league.next_block(begun)
    assert read_round(begun / "public").secret == ""
    assert league.next_block(begun) == (1, ["bayes"], {}, True)
    assert len(verified(begun).table) == len(STREAMS)
    with pytest.raises(ValueError, match="a round that is not over"):
        league.next_block(begun)
    with pytest.raises(ValueError, match="a round with a block to predict"):
        league.predict_block(begun / "public", MODELS["bayes"], begun / "late", BY)
    assert not (begun / "late" / CARD).exists()


def test_a_file_is_not_changed_after_its_labels_are_known(begun):
    """Its hash is public; who changes it has no rows."""
    league.next_block(begun)
    entry, about = begun / "entries" / "bayes", read_round(begun / "public")
    league.predict_block(begun / "public", MODELS["bayes"], entry, BY)
    write_table(entry / "block-00.csv", table_of(about.read_labels(0), about, 0))
    taken = league.next_block(begun)
    assert "block-00.csv has another hash than was published" in taken.left_out["bayes"]
    assert len(verified(begun).table) == 0


def test_a_file_that_changes_while_it_is_read_is_not_taken(begun, monkeypatch):
    """Its hash would be that of what nobody checked."""
    path, read = begun / "entries" / "bayes" / "block-00.csv", rounds.Round.read_block

    def read_and_change(*arguments):
        found = read(*arguments)
        path.write_bytes(path.read_bytes() + b"\n")
        return found

    monkeypatch.setattr(rounds.Round, "read_block", read_and_change)
    before = files_in(begun / "public")
    with pytest.raises(ValueError, match=r"block-00\.csv changed while it was read"):
        league.next_block(begun)
    assert files_in(begun / "public") == before


def test_a_file_that_is_wrong_at_the_end_has_no_place(over):
    """Though its hash is the published one, as of a file that was taken unchecked."""
    path, handed = over / "entries" / "bayes" / "block-01.csv", over / "public" / "handed_in.csv"
    was = hashlib.sha256(path.read_bytes()).hexdigest()
    rows = pd.read_csv(path)
    write_table(path, rows[rows["stream"] != "LED"])
    now = hashlib.sha256(path.read_bytes()).hexdigest()
    handed.write_text(handed.read_text().replace(was, now))
    end = rounds.standings_of(read_round(over / "public"), over / "entries", SECRET)
    assert set(end.table["entry"]) == {"tree"}
    ((finding,),) = end.refused.values()
    assert "block-01.csv is wrong: " in str(finding)


def test_who_has_the_secret_is_refused(begun):
    about, entry = read_round(begun / "public"), begun / "entries" / "bayes"
    for block in range(2):
        league.predict_block(begun / "public", MODELS["bayes"], entry, BY)
        parts = {key: about.examples(key[0], block) for key in about.keys}
        known = {
            key: about.drawn(key, SECRET).y[part.start : part.stop] for key, part in parts.items()
        }
        write_table(entry / f"block-{block:02d}.csv", table_of(known, about, block))
        taken = league.next_block(begun)
    assert "it knows labels before they are due" in taken.left_out["bayes"]
    assert "refused" in taken.left_out["bayes"]


def edit(name, change):
    def edited(folder):
        path = folder / name
        path.write_text(change(path.read_text()))

    return edited


def flip(text):
    """The last label is another one."""
    head, _, last = text.rstrip().rpartition(",")
    return f"{head},{1 - int(last)}\n"


FALSE = {
    "a secret": (
        edit("public/round.toml", lambda t: t.replace("is not one", "is one")),
        "secret must have the hash",
    ),
    "labels": (edit("public/labels-01.csv", flip), "draws another Hyperplane, seed 0, block 1"),
    "attributes": (
        edit("public/block-01/SEA-0.csv", lambda t: "x0,x1,x2\n9" + t.split("\n", 1)[1]),
        "it draws another SEA, seed 0, block 1",
    ),
    "a row less": (
        edit("public/block-01/SEA-0.csv", lambda t: t.rstrip().rpartition("\n")[0]),
        "attributes must have 5,000 rows; got 4,999",
    ),
    "standings": (
        edit("public/standings.csv", lambda t: t.replace("0.", "0.1", 1)),
        "standings must be those of the entries",
    ),
    "predictions": (edit("entries/tree/block-00.csv", flip), "standings must be those"),
    "hashes": (
        edit("public/handed_in.csv", lambda t: t.replace("tree,1,", "tree,1,0")),
        "standings must be those",
    ),
    "a column less": (
        edit("public/handed_in.csv", lambda t: t.replace("block", "part")),
        "handed_in must be a CSV file of hashes; got .*block",
    ),
    "a block that is no number": (
        edit("public/handed_in.csv", lambda t: t.replace("tree,1,", "tree,one,")),
        "handed_in must be a CSV file of hashes; got .*one",
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_fit_is_found(over, name):
    change, words = FALSE[name]
    change(over)
    with pytest.raises(ValueError, match=words):
        verified(over)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "round must be of type str; got none"),
        ('round = "a"\nstreams = "b"\nblocks = "c"\ndraws = 1', "blocks must be of type int"),
        ('round = "a"\nstreams = "b"\nblocks = 1000\ndraws = 1', "blocks must be at most 100"),
        ("round", "public must be the folder of a round that began"),
    ],
)
def test_a_folder_that_is_of_no_round_is_refused(tmp_path, text, words):
    (tmp_path / "round.toml").write_text(text)
    with pytest.raises(ValueError, match=words):
        league.predict_block(tmp_path, MODELS["bayes"], tmp_path / "mine", BY)


def test_a_round_that_is_not_over_cannot_be_verified(begun):
    with pytest.raises(ValueError, match="public must be of a round that is over"):
        verified(begun)
    (begun / "secret.txt").write_text("another")
    with pytest.raises(ValueError, match=r"secret.txt must have the hash"):
        league.next_block(begun)


@pytest.mark.parametrize("blocks", [2, 3, 7, 99, 100])
def test_the_blocks_are_all_examples_once(tmp_path, blocks):
    about = rounds.Round(tmp_path, "test", "", blocks, 1)
    for name, stream in STREAMS.items():
        parts = [about.examples(name, block) for block in range(blocks)]
        assert min(map(len, parts)) > 0
        assert [i for part in parts for i in part] == [*range(stream.n)]


def test_the_commands_go_through_a_round(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["league", "round"]
    assert main([*command, "open", "r", "--name", "x", "--blocks", "2", "--draws", "1"]) == 0
    assert capsys.readouterr().out == "publish r/public; show nobody r/secret.txt\n"
    assert main([*command, "next", "r"]) == 2
    assert "entries must include one" in capsys.readouterr().err
    model = ["repro.learners:NoChange", "--by", "me", "--library", "repro 1"]
    model += ["--out", "r/entries/e"]
    for block, says in enumerate(("block 0: 1 entry; its labels", "The round is over")):
        assert main([*command, "predict", "r/public", *model]) == 0
        assert f"hand in r/entries/e/block-0{block}.csv" in capsys.readouterr().out
        assert main([*command, "next", "r"]) == 0
        assert says in capsys.readouterr().out
    assert main([*command, "verify", "r/public", "r/entries"]) == 0
    assert capsys.readouterr().out.endswith(" %\nAll fits together.\n")
    assert main([*command, "predict", "r/public", *model]) == 2
    assert main([*command, "next", "r"]) == 2
    assert "a round that is not over; got r" in capsys.readouterr().err
