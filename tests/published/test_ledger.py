"""The ledger of a paper: rows in the order of the file, each with its verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from repro import _folders, provenance, published
from repro.published.files import file_names

ROOT = Path(__file__).parents[2]
FILES = [name for name in file_names() if name.endswith("_claims")]
COLUMNS = ["paper", "section", "sentence", "quantifier", "permutations"]
GOOD = published.judge_mean([0.3, 0.2, 0.4], "margin")


@pytest.mark.parametrize("name", FILES)
def test_the_sentences_of_a_paper_are_complete_and_distinct(name):
    table = pd.read_csv(ROOT / f"data/published/{name}.csv", dtype=str, keep_default_na=False)
    needed = [name for name in COLUMNS if name != "permutations"]
    assert table.columns.tolist() in (["key", *COLUMNS, "own"], ["key", *needed, "own"])
    assert table["key"].is_unique
    assert table["key"].str.fullmatch(r"[a-z0-9_]+").all()
    assert not table.duplicated(["section", "sentence"]).any()
    assert table["quantifier"].isin(published.QUANTIFIERS).all()
    several = table.get("permutations", pd.Series(dtype=str))
    assert several.str.fullmatch(r"(\d+( \d+)*)?").all()
    assert table["own"].isin(["", "own"]).all()
    own = table["own"] == "own"
    assert (table["section"][own] == "").all()
    assert table["section"][~own].str.fullmatch(r"\d+(\.\d+)*").all()
    assert (table["sentence"] == table["sentence"].str.strip()).all()
    assert (table["sentence"] != "").all()


def test_a_sentence_judged_with_several_numbers_has_a_row_for_each():
    judged = {("hoeff_robust_chess", 10): GOOD, ("hoeff_robust_chess", 100): GOOD}
    frame = published.ledger("permutations", judged)
    assert frame.columns.tolist() == [*COLUMNS, "evidence", "verdict", "own", "reason"]
    rows = frame[frame["sentence"].str.contains("shows the most robust")]
    assert rows["permutations"].tolist() == [10, 100]
    assert rows["verdict"].tolist() == ["holds", "holds"]
    assert set(rows["evidence"]) == {"margin: +0.300 ± 0.058"}


def test_a_sentence_that_is_not_judged_cannot_be_told():
    frame = published.ledger("permutations", {})
    assert set(frame["verdict"]) == {"cannot be told"}
    assert set(frame["evidence"]) == {"not judged"}
    file = pd.read_csv(ROOT / "data/published/permutations_claims.csv", keep_default_na=False)
    assert frame["sentence"].drop_duplicates().tolist() == file["sentence"].tolist()
    assert not frame.isna().to_numpy().any()


@pytest.mark.parametrize(
    ("judged", "message"),
    [
        ({"no_such": GOOD}, r"judged must have keys among .*; got 'no_such'"),
        ({"hoeff_robust_chess": GOOD}, r"keys among .*hoeff_robust_chess', 10.*; got 'hoeff_rob"),
        ({("minimum", 10): GOOD}, r"keys among \['minimum'\]; got \('minimum', 10\)"),
        ({"minimum": GOOD}, "by its quantifier, every; got 'mean' for 'minimum'"),
    ],
)
def test_a_judgement_without_its_sentence_is_refused(judged, message):
    with pytest.raises(ValueError, match=message):
        published.ledger("permutations", judged)


def test_other_arguments_are_refused():
    with pytest.raises(ValueError, match=r"name must be one of .*permutations.*; got 'x'"):
        published.ledger("x", {})
    with pytest.raises(TypeError, match="judged must map keys to judgements; got 1"):
        published.ledger("permutations", {"minimum": 1})


FAILED = published.judge_mean([-0.3, -0.2, -0.4], "margin")


def test_a_sentence_that_does_not_hold_has_a_reason_and_no_other_has_one():
    judged = {"minimum": published.judge_every([-1.0], "distance - 1")}
    keys = [("hoeff_robust_chess", number) for number in (10, 100)]
    judged |= dict.fromkeys(keys, FAILED)
    reasons = {"minimum": "Section 5.1: why", keys[1]: "of a hundred", "hoeff_robust_chess": "all"}
    frame = published.ledger("permutations", judged, reasons=reasons)
    assert [reason for reason in frame["reason"] if reason] == [
        "Section 5.1: why",
        "all",
        "of a hundred",
    ]
    bare = published.ledger("permutations", judged)
    assert bare.query("verdict == 'does not hold'")["reason"].tolist() == ["not explained"] * 3
    held = published.ledger("permutations", {"minimum": published.judge_every([1.0], "d")})
    assert set(held["reason"]) == {""}


@pytest.mark.parametrize(
    ("reasons", "error", "message"),
    [
        ({"nothing": "why"}, ValueError, "reasons must have keys of the ledger; got 'nothing'"),
        ({("minimum", 7): "why"}, ValueError, r"keys of the ledger; got \('minimum', 7\)"),
        ("why", TypeError, "reasons must map keys to reasons; got 'why'"),
    ],
)
def test_reasons_must_be_of_sentences_of_the_ledger(reasons, error, message):
    with pytest.raises(error, match=message):
        published.ledger("permutations", {}, reasons=reasons)


@pytest.mark.parametrize(
    ("profile", "committed", "verdict"),
    [
        ("quick", "does not hold", "too few runs to tell"),
        ("quick", "cannot be told", "too few runs to tell"),
        ("quick", "holds", "holds"),
        ("paper", "does not hold", "holds"),
        ("quick-stand-in", "does not hold", "holds"),
    ],
)
def test_fewer_runs_do_not_turn_a_verdict_around(
    tmp_path, monkeypatch, profile, committed, verdict
):
    """A ledger like the committed one, but with one other verdict."""
    judged = {("hoeff_robust_chess", 10): GOOD, ("hoeff_robust_chess", 100): GOOD}
    frame = published.ledger("permutations", judged)
    is_it = frame["sentence"].str.contains("shows the most robust") & (frame["permutations"] == 10)
    results = tmp_path / "data" / "results"
    results.mkdir(parents=True)
    other = frame.assign(verdict=frame["verdict"].where(~is_it, committed))
    other.to_csv(results / "05_claims.csv", index=False)
    monkeypatch.setattr(_folders, "checkout", lambda: tmp_path)
    monkeypatch.setenv(provenance.VARIABLE, json.dumps({"Profile": profile}))
    found = published.ledger("permutations", judged)
    assert found["verdict"][is_it].tolist() == [verdict]
    assert found["verdict"][~is_it].equals(frame["verdict"][~is_it])
