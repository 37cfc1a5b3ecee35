"""Entries of the league: honest ones are accepted, forged ones are refused or flagged."""

from __future__ import annotations

import hashlib
import json
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from repro import _locks, league, learners, prequential, seeds, streams
from repro.__main__ import main
from repro.league._knowledge import Surplus, extra_right, first_right, in_all
from repro.league.check import ACCEPTED, FLAGGED, REFUSED, check_predictions
from repro.league.entry import CARD, Entry, read_entry
from repro.league.streams import ROUND, digest_of, draw
from repro.league.table import ENTRY_COLUMNS, _put
from repro.learners.loops import learn_block, predict_block
from repro.streams import SEA, Stream

SEEDS = range(5)
ROUND_FOLDER = Path(__file__).parents[2] / "data" / "results" / f"league-{ROUND}"
STREAMS = league.STREAMS
WINDOW = 500  # examples that a tree is fitted to, and predicts then


def refitted():
    """A tree that is fitted anew to each window, and predicts the next one."""
    labels = {}
    for name, seed in product(STREAMS, SEEDS):
        stream = draw(name, seed)
        y_pred = np.zeros(len(stream), np.int64)
        for at in range(WINDOW, len(stream), WINDOW):
            past, coming = slice(at - WINDOW, at), slice(at, at + WINDOW)
            tree = DecisionTreeClassifier(max_depth=3, random_state=0)
            y_pred[coming] = tree.fit(stream.X[past], stream.y[past]).predict(stream.X[coming])
        labels[name, seed] = y_pred
    return labels


HONEST = {
    "naive Bayes": learners.NaiveBayes(),
    "adaptive tree": learners.HoeffdingAdaptiveTree(),
    "leveraging bag": learners.LeveragingBag(learners.HoeffdingTree()),
    "no change": learners.NoChange(),
    "refitted tree": refitted,
}


@cache
def honest(name):
    made = HONEST[name]
    return made() if made is refitted else league.predictions_of(made, SEEDS, jobs=2)


def card(**changes):
    texts = {"learner": "mine", "by": "a test", "library": "none 1", "parameters": ""}
    texts |= {"hardware": "here", "code": "not public", "round": ROUND, **changes}
    return texts


def as_entry(labels, scores=None):
    return Entry(card(), labels, scores or {}, [])


@cache
def others():
    return {name: as_entry(honest(name)) for name in HONEST}


def rng(name):
    return seeds.generator(1, "test", name)


# --- predictions of those who know too much


def noisy(labels, share, name):
    """`labels` with a share of them replaced at random."""
    found = {}
    for key, y in labels.items():
        K = STREAMS[key[0]].schema.n_classes
        drawn = rng(f"{name} {key}")
        found[key] = np.where(drawn.random(y.size) < share, drawn.integers(K, size=y.size), y)
    return found


def peeking(share, ahead=0, only=None):
    """Naive Bayes, with the true label `ahead` in place of a share of the predictions."""
    found = {}
    for key, y_pred in honest("naive Bayes").items():
        y = np.roll(draw(*key).y, -ahead)
        peeks = (rng(f"peek {key}").random(y.size) < share) & (only in (None, key[0]))
        found[key] = np.where(peeks, y, y_pred)
    return found


def optimum():
    return {
        (name, seed): np.asarray(draw(name, seed).optimal) for name in STREAMS for seed in SEEDS
    }


def smoothed():
    """The most frequent of the labels from here to ten examples later."""
    found = {}
    for name in STREAMS:
        for seed in SEEDS:
            y = draw(name, seed).y
            windows = np.stack([np.roll(y, -k) for k in range(11)])
            found[name, seed] = np.median(windows, axis=0).astype(int)
    return found


def twice_through():
    """Naive Bayes that has learned each stream once before it predicts it."""
    found = {}
    for name in STREAMS:
        for seed in SEEDS:
            drawn = draw(name, seed)
            state, y_pred = (
                learners.NaiveBayes().start(drawn.schema),
                np.empty(len(drawn), np.int64),
            )
            learn_block(state, drawn.X, drawn.y)
            predict_block(state, drawn.X, y_pred, np.zeros(drawn.schema.n_classes))
            found[name, seed] = y_pred
    return found


def moved(labels, by):
    return {key: np.roll(y, -by) for key, y in labels.items()}


def of_next_seed():
    given = honest("adaptive tree")
    return {(name, seed): given[name, (seed + 1) % 5] for name, seed in given}


FORGED = {
    "the labels themselves": (lambda: peeking(1.0), REFUSED),
    "4 % of the labels": (lambda: peeking(0.04), REFUSED),
    "3 % of the labels": (lambda: peeking(0.03), FLAGGED),
    "labels of one stream": (lambda: peeking(0.2, only="SEA"), REFUSED),
    "labels of ten classes": (lambda: peeking(0.5, only="LED"), REFUSED),
    "the next label": (lambda: peeking(0.05, ahead=1), REFUSED),
    "the label five later": (lambda: peeking(0.05, ahead=5), REFUSED),
    "labels that come": (smoothed, REFUSED),
    "the optimum": (optimum, REFUSED),
    "the optimum plus noise": (lambda: noisy(optimum(), 0.1, "noise"), REFUSED),
    "twice through": (twice_through, FLAGGED),
    "another seed": (of_next_seed, FLAGGED),
    "a row early": (lambda: moved(honest("adaptive tree"), 1), FLAGGED),
    "a copy": (lambda: honest("adaptive tree"), FLAGGED),
    "a copy with noise": (lambda: noisy(honest("adaptive tree"), 0.04, "copy"), FLAGGED),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_predictions_are_accepted(name):
    left = {other: entry for other, entry in others().items() if other != name}
    assert check_predictions(others()[name], left) == []


@pytest.mark.parametrize("name", FORGED)
def test_forged_predictions_are_refused_or_flagged(name):
    make, verdict = FORGED[name]
    findings = check_predictions(as_entry(make()), others())
    assert league.verdict_of(findings) == verdict, findings


def test_what_a_check_cannot_see_is_as_little_as_its_help_says():
    assert check_predictions(as_entry(peeking(0.02))) == []
    assert [f.verdict for f in check_predictions(as_entry(peeking(0.03)))] == [FLAGGED]


def test_the_finding_names_what_was_forged():
    def found(name):
        return str(check_predictions(as_entry(FORGED[name][0]()), others()))

    assert "On SEA, " in found("labels of one stream")
    assert "the next example than" in found("the next label")
    assert "the example 5 later" in found("the label five later")
    assert "knows the concept" in found("the optimum plus noise")
    assert "those of seed 1" in found("another seed")
    assert "those of the next example" in found("a row early")
    assert "like mine in adaptive tree" in found("a copy with noise")


@pytest.mark.parametrize("names", [["SEA"], ["SEA", "Waveform", "LED"]])
def test_the_probability_is_that_of_all_tests_together(names):
    """Of each stream and of all as one, for the label itself and the ten that follow."""
    labels = {(name, 0): np.array(draw(name, 0).optimal) for name in names}
    wrong = np.flatnonzero(labels["SEA", 0] != draw("SEA", 0).y)[:120]
    labels["SEA", 0][wrong] = draw("SEA", 0).y[wrong]
    alone = extra_right(draw("SEA", 0), labels["SEA", 0]).p_value
    (found,) = check_predictions(as_entry(labels))
    assert found.evidence.endswith(f" at most {11 * (1 + len(names)) * alone:.1g}.")


def test_scores_that_know_labels_are_refused_and_those_of_a_learner_are_not():
    """The labels are honest both times."""
    fair, known = {}, {}
    for key, y_pred in honest("naive Bayes").items():
        if STREAMS[key[0]].schema.n_classes == 2:
            drawn = draw(*key)
            right = np.where(y_pred == drawn.y, 0.8, 0.6)
            for scores, sure in ((fair, np.full(y_pred.size, 0.7)), (known, right)):
                scores[key] = np.where(
                    np.arange(2) == y_pred[:, None], sure[:, None], 1 - sure[:, None]
                )
    assert check_predictions(as_entry(honest("naive Bayes"), fair)) == []
    (finding,) = check_predictions(as_entry(honest("naive Bayes"), known))
    assert finding.verdict == REFUSED
    assert finding.what == "its scores know labels"


def test_the_bound_of_the_surplus_holds():
    """Predictions of those who know nothing, a thousand times: at most the level is below it."""
    sea = streams.SEA(threshold=7.0, noise=0.3, n=500)
    below = 0
    for seed in range(1000):
        drawn = sea.sample(seed)
        guesses = rng(f"guess {seed}").integers(2, size=500)
        guesses[::2] = np.asarray(drawn.optimal)[::2]
        below += extra_right(drawn, guesses).p_value <= 0.05
    assert below <= 50


def test_the_bound_holds_where_streams_share_their_labels():
    """Seven streams with the same coin flips: a sum as of independent ones would not keep it."""
    below = {"as one": 0, "as seven": 0}
    for seed in range(400):
        y = rng(f"coins {seed}").integers(2, size=200)
        truth = {"bayes_risk": np.full(200, 0.5), "optimal": np.zeros(200, np.int64)}
        coins = Stream(np.zeros((200, 1)), y, **truth)
        part = extra_right(coins, np.zeros(200, np.int64))
        draws = {(str(i), 0): coins for i in range(7)}
        below["as one"] += in_all(draws, dict.fromkeys(draws, part)).p_value <= 0.05
        below["as seven"] += Surplus(7 * part.extra, 7 * part.variance).p_value <= 0.05
    assert below["as one"] <= 20 < below["as seven"]


# --- the form of an entry, with one draw of each stream


def put(folder, change=None, card_texts=None):
    """Write an entry of naive Bayes; `change` is done to the frame before."""
    folder.mkdir(parents=True)
    frames = [
        pd.DataFrame({"stream": name, "seed": 0, "example": range(len(y)), "label": y})
        for (name, seed), y in honest("naive Bayes").items()
        if seed == 0
    ]
    frame = pd.concat(frames, ignore_index=True)
    frame = frame if change is None else change(frame)
    if frame is not None:
        frame.to_csv(folder / "predictions.csv", index=False)
    texts = card(streams=digest_of([0])) if card_texts is None else card_texts
    lines = (f"{name} = {json.dumps(text)}\n" for name, text in texts.items())
    (folder / CARD).write_text("".join(lines))
    return folder


def at(column, value, row=7):
    """Put `value` into a row."""

    def change(frame):
        frame = frame.astype({column: object})
        frame.loc[row, column] = value
        return frame

    return change


def swapped(frame):
    rows = np.arange(len(frame))
    rows[[3, 4]] = [4, 3]
    return frame.iloc[rows]


def scored(*scores, columns=("score_0", "score_1")):
    def change(frame):
        two = frame["stream"].isin([n for n, s in STREAMS.items() if s.schema.n_classes == 2])
        for column, value in zip(columns, scores, strict=False):
            frame[column] = np.where(two, value, np.nan)
        return frame

    return change


WRONG = {
    "truncated": (lambda f: f.iloc[:-1], "there must be 10,000 examples; got 9,999"),
    "a row twice": (lambda f: pd.concat([f.iloc[:1], f]), "there must be 10,001 examples"),
    "out of order": (swapped, "in this order"),
    "a class too many": (at("label", 2), "labels must be whole numbers from 0 to 1"),
    "a text": (at("label", "up"), "labels must be whole numbers from 0 to 1"),
    "a missing label": (at("label", None), "labels must be whole numbers from 0 to 1"),
    "half a label": (at("label", 0.5), "labels must be whole numbers from 0 to 1"),
    "another stream": (at("stream", "NSGX"), "NSGX, seed 0: there is no such stream"),
    "a seed that is none": (at("seed", "first"), "the seed must be a whole number"),
    "no seed": (at("seed", None), "1 rows have no stream or no seed"),
    "a stream left out": (lambda f: f[f["stream"] != "LED"], "not predicted: LED, seed 0"),
    "no labels": (lambda f: f.drop(columns="label"), "there is no column 'label'"),
    "two columns of labels": (
        lambda f: pd.concat([f, 1 - f["label"]], axis=1),
        "columns must have different names; got two called 'label'",
    ),
    "no file": (lambda f: None, "there is no file *.csv"),
    "scores that are no shares": (scored(0.7, 0.7), "must add up to 1"),
    "scores of another class": (scored(1.0, 0.0), "not the class with the greatest score"),
    "scores of one class": (scored(1.0), "there must be a score for each of the 2 classes"),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_entry_of_a_wrong_form_is_refused_in_words(tmp_path, name):
    change, words = WRONG[name]
    findings = league.check_entry(put(tmp_path / "mine", change))
    assert league.verdict_of(findings) == REFUSED
    assert any(words in finding.evidence for finding in findings), findings


def test_predictions_in_parquet_are_those_in_csv(tmp_path):
    """Also where pandas has written some columns as its index."""
    folder = put(tmp_path / "mine")
    written = read_entry(folder)
    frame = pd.read_csv(folder / "predictions.csv")
    (folder / "predictions.csv").unlink()
    frame.set_index(["stream", "seed"]).to_parquet(folder / "predictions.parquet")
    again = read_entry(folder)
    assert (again.problems, written.problems) == ([], [])
    assert again.labels.keys() == written.labels.keys()
    assert all(np.array_equal(again.labels[key], written.labels[key]) for key in written.labels)


CARDS = {
    "no learner": ({"learner": ""}, "has no text 'learner'"),
    "another round": ({"round": "2020.01"}, "names the round '2020.01'"),
    "other streams": ({"streams": "0123456789abcdef"}, "the digest in card.toml"),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_wrong_card_is_refused_in_words(tmp_path, name):
    change, words = CARDS[name]
    texts = card(streams=digest_of([0])) | change
    findings = league.check_entry(put(tmp_path / "mine", card_texts=texts))
    assert league.verdict_of(findings) == REFUSED
    assert len(findings) == 1
    assert any(words in finding.evidence for finding in findings), findings


def test_a_card_that_is_absent_or_no_toml_is_refused(tmp_path):
    folder = put(tmp_path / "mine")
    (folder / CARD).write_text("learner: mine")
    assert "card.toml cannot be read" in str(league.check_entry(folder))
    (folder / CARD).unlink()
    assert "there is no card.toml" in str(league.check_entry(folder))
    with pytest.raises(NotADirectoryError, match="folder must be a folder that is there"):
        league.check_entry(tmp_path / "nobody")


# --- the table


def test_an_entry_gets_into_the_table_once_and_its_model_may_be_run_again(tmp_path):
    model, path = learners.NaiveBayes(), tmp_path / "entries.csv"
    made = league.write_entry(tmp_path / "e" / "mine", model, card_of("me"), [0], jobs=2)
    assert league.verdict_of(league.check_entry(made)) == ACCEPTED
    rows = league.add_entry(made, path)
    again = league.add_entry(made, path, learner=model, jobs=2)
    assert set(rows["origin"]) == {"file, not re-run"}
    assert set(again["origin"]) == {"re-run, equal"}
    table = league.read_entries(path)
    assert len(table) == len(rows) == len(STREAMS)
    for row in table.itertuples():
        run = prequential(model, draw(row.stream, 0), proba=False)
        assert row.error == pytest.approx(run.error, rel=1e-5)


def test_a_flag_goes_with_the_entry_into_the_table(tmp_path):
    """A copy is taken, and what was flagged stands beside it."""
    path, model = tmp_path / "entries.csv", learners.NaiveBayes()
    first = league.write_entry(tmp_path / "e" / "first", model, card_of("me"), [0], jobs=2)
    copy = {**card_of("you"), "learner": "copy"}
    second = league.write_entry(tmp_path / "e" / "second", model, copy, [0], jobs=2)
    league.add_entry(first, path, among=tmp_path)
    league.add_entry(second, path)
    table = league.read_entries(path)
    flags = table.groupby("learner")["flags"].unique()
    assert flags["mine"].tolist() == [""]
    assert flags["copy"].tolist() == ["it predicts like mine in first"]


def test_two_who_enter_at_once_are_both_in_the_table(tmp_path):
    """Whoever reads the table holds it until it is written: the other one waits."""
    path = tmp_path / "entries.csv"
    texts = dict.fromkeys(ENTRY_COLUMNS, "x") | {"seed": 0, "n": 1, "error": 0.5}
    one, other = (pd.DataFrame([texts | {"learner": name}]) for name in ("one", "other"))
    with ThreadPoolExecutor(1) as pool:
        with _locks.alone(_locks.lock_of(path), lambda: None):
            waiting = pool.submit(_put, one, path, {"learner": "one", "by": "x"})
            with pytest.raises(TimeoutError):
                waiting.result(timeout=1)
            other.to_csv(path, index=False)
        waiting.result(timeout=60)
    assert set(league.read_entries(path)["learner"]) == {"one", "other"}


def card_of(by):
    return {"by": by, "library": "repro 1", "learner": "mine"}


def test_what_is_refused_leaves_the_table_as_it_was(tmp_path):
    path = tmp_path / "entries.csv"
    model = learners.NaiveBayes()
    made = league.write_entry(tmp_path / "e" / "mine", model, card_of("me"), [0], jobs=2)
    league.add_entry(made, path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"what the entry holds; got \d\d\.\d\d %"):
        league.add_entry(made, path, learner=learners.NoChange(), jobs=2)
    namesake = league.write_entry(tmp_path / "e" / "other", model, card_of("you"), [0], jobs=2)
    with pytest.raises(ValueError, match="must be a new name; got 'mine', which is me's"):
        league.add_entry(namesake, path)
    with pytest.raises(ValueError, match="there must be 10,000 examples"):
        league.add_entry(put(tmp_path / "e" / "cut", WRONG["truncated"][0]), path)
    assert path.read_bytes() == before


def test_a_model_that_fails_leaves_no_entry(tmp_path):
    class Broken:
        def predict_one(self, x):
            raise ZeroDivisionError("by design")

        def learn_one(self, x, y):
            pass

    with pytest.warns(RuntimeWarning), pytest.raises(RuntimeError, match="by design"):
        league.write_entry(tmp_path / "mine", Broken(), {}, [0])
    with pytest.raises(ValueError, match="card must have the fields"):
        league.write_entry(tmp_path / "mine", learners.NoChange(), {"who": "me"}, [0])
    assert not (tmp_path / "mine").exists()


# --- the files of the streams, and the commands


def test_the_files_hold_the_draws_of_the_league(tmp_path):
    paths = league.write_streams(tmp_path, [3])
    assert len(paths) == len(STREAMS) + 1
    frame = pd.read_csv(tmp_path / "LED-3.csv")
    assert np.array_equal(frame.drop(columns="label").to_numpy(), draw("LED", 3).X)
    assert np.array_equal(frame["label"], draw("LED", 3).y)
    about = tomllib.loads((tmp_path / "round.toml").read_text())
    assert about == {"round": ROUND, "streams": digest_of([3]), "seeds": [3]}
    assert digest_of([3]) != digest_of([4])


def test_the_commands_go_from_the_streams_to_a_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    made = ["run", "repro.learners:NoChange", "--out", "e/mine", "--by", "me", "--seeds", "1"]
    assert main(["league", *made, "--library", "repro 1"]) == 0
    assert main(["league", "check", "e/mine"]) == 0
    assert capsys.readouterr().out.endswith("e/mine: accepted\n")
    assert main(["league", "add", "e/mine", "--rerun", "repro.learners:NoChange"]) == 0
    assert "13 draws" in capsys.readouterr().out
    assert (tmp_path / "entries.csv").is_file()
    put(tmp_path / "e" / "cut", WRONG["truncated"][0])
    assert main(["league", "check", "e/cut"]) == 1
    assert main(["league", "add", "e/cut"]) == 1
    assert main(["league", "check", "e/nobody"]) == 2
    assert "folder must be a folder that is there; got 'e/nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(("n", "right"), [(10, True), (10, False), (1, True)])
def test_the_first_prediction_is_compared_with_the_first_best_label(n, right):
    """Each draw has labels of its own, so all are groups: P is Hoeffding's bound."""
    draws = {("SEA", seed): SEA().sample(seed=seed, n=200) for seed in range(n)}
    assert n == 1 or any(stream.optimal[0] != stream.optimal[1] for stream in draws.values())
    y_pred = {}
    for key, stream in draws.items():
        first = stream.optimal[0] if right else 1 - stream.optimal[0]
        y_pred[key] = np.r_[first, np.full(199, 1 - first)]
    agrees, expected, p_value = first_right(draws, y_pred)
    share = np.array([max(s.optimal.mean(), 1 - s.optimal.mean()) for s in draws.values()])
    assert agrees == n * right
    assert expected == pytest.approx(share.sum())
    bound = np.exp(-2 / n * (1 - share).sum() ** 2) if right else 1
    assert p_value == pytest.approx(bound)


def test_the_streams_of_the_round_are_those_of_its_frozen_tables():
    """Whoever hands in predictions is compared with tables that were made on these draws."""
    card = tomllib.loads((ROUND_FOLDER / CARD).read_text())
    assert (card["round"], card["streams"]) == (ROUND, digest_of(card["seeds"]))
    sums = {n: hashlib.sha256((ROUND_FOLDER / n).read_bytes()).hexdigest() for n in card["sha256"]}
    assert sums == card["sha256"]
