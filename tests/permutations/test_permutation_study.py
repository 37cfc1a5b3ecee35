"""What repeated runs on permuted streams say, against sums written out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from opinions import second_opinion

from repro import Stream, learners, sweep
from repro.permutations import summarize
from repro.streams import Shuffled

NAN = np.nan
#: Errors in the original order and on two kinds, seeds 0, 1, 2.
ERRORS = {
    ("A", "original"): [0.30, 0.30, 0.30],
    ("A", "time"): [0.20, 0.25, 0.30],
    ("A", "speed"): [0.40, 0.40, 0.40],
    ("B", "original"): [0.20, 0.22, 0.24],
    ("B", "time"): [0.30, 0.25, 0.20],
    ("B", "speed"): [0.10, 0.10, NAN],
    ("C", "original"): [0.10, 0.10, 0.10],
    ("C", "time"): [0.40, 0.10, 0.50],
    ("C", "speed"): [NAN, NAN, NAN],
}


def as_table(errors):
    rows = [
        (learner, stream, seed, value)
        for (learner, stream), values in errors.items()
        for seed, value in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["learner", "stream", "seed", "error"])


def row(frame, **wanted):
    found = frame[np.logical_and.reduce([frame[k] == v for k, v in wanted.items()])]
    assert len(found) == 1
    return found.iloc[0].to_dict()


@pytest.fixture(scope="module")
def result():
    return summarize(as_table(ERRORS))


@second_opinion("by hand", "permutations.summarize")
def test_volatility_and_reaction_of_a_learner(result):
    b = row(result.learners, learner="B", kind="time")
    assert (b["runs"], b["error"], b["original_error"]) == pytest.approx((3, 0.25, 0.22))
    assert (b["sd"], b["original_sd"]) == pytest.approx((0.05, 0.02))
    changes = np.array([0.10, 0.03, -0.04])
    assert b["reaction"] == pytest.approx(changes.mean())
    assert b["reaction_standard_error"] == pytest.approx(changes.std(ddof=1) / np.sqrt(3))


def test_a_failed_run_is_left_out(result):
    b = row(result.learners, learner="B", kind="speed")
    assert b["runs"] == 2
    assert b["reaction"] == pytest.approx(np.mean([0.10 - 0.20, 0.10 - 0.22]))
    pair = row(result.pairs, learner_a="A", learner_b="B", kind="speed")
    assert (pair["runs"], pair["difference"], pair["switch"]) == pytest.approx((2, 0.3, 0.0))


def test_a_learner_without_a_run_is_nan_and_has_no_rank(result):
    c = row(result.learners, learner="C", kind="speed")
    assert c["runs"] == 0
    assert np.isnan([c["error"], c["sd"], c["reaction"], c["reaction_standard_error"]]).all()
    kind = row(result.kinds, kind="speed")
    assert (kind["runs"], kind["learners"], kind["ranking"]) == (2, 2, "B < A")
    pair = row(result.pairs, learner_a="A", learner_b="C", kind="speed")
    assert pair["runs"] == 0
    assert np.isnan([pair["difference"], pair["switch"], pair["disagreement"]]).all()


def test_the_stability_of_the_ranking(result):
    time = row(result.kinds, kind="time")  # A < B < C, C < A = B, B < A < C
    assert (time["runs"], time["learners"], time["n_rankings"]) == (3, 3, 3)
    assert (time["ranking_share"], time["as_original"]) == pytest.approx((1 / 3, 0))
    ranks = np.array([[1, 2, 3], [2.5, 2.5, 1], [2, 1, 3]])
    between = 3 * ((ranks.mean(axis=0) - 2) ** 2).sum()
    assert time["kendall_w"] == pytest.approx(between / ((ranks - 2) ** 2).sum())
    speed = row(result.kinds, kind="speed")
    assert (speed["n_rankings"], speed["ranking_share"], speed["as_original"]) == (1, 1, 1)


def test_pairs_count_their_winners(result):
    pair = row(result.pairs, learner_a="A", learner_b="B", kind="time")
    # B wins in the original order; differences on the permutations are -.1, 0 and .1.
    assert pair["original_difference"] == pytest.approx(0.08)
    assert pair["switch"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert pair["disagreement"] == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert (pair["difference"], pair["sd"]) == pytest.approx((0.0, 0.1))


def test_ties_stand_in_the_text_of_a_ranking():
    table = as_table({(name, kind): [0.1] for name in "BA" for kind in ("original", "time")})
    assert summarize(table).kinds["ranking"].tolist() == ["B = A"]


def test_the_order_of_the_rows_does_not_matter(result):
    shuffled = as_table(ERRORS).sample(frac=1, random_state=3)
    by = ["learner", "kind"]
    again = summarize(shuffled).learners.sort_values(by).reset_index(drop=True)
    pd.testing.assert_frame_equal(again, result.learners.sort_values(by).reset_index(drop=True))


def test_one_learner_has_no_pairs_and_one_permutation_no_spread():
    alone = summarize(as_table({("A", "original"): [0.3], ("A", "time"): [0.2]}))
    assert alone.pairs.empty
    assert "switch" in alone.pairs
    assert np.isnan(alone.learners.loc[0, ["sd", "reaction_standard_error"]].astype(float)).all()
    assert alone.learners.loc[0, "reaction"] == pytest.approx(-0.1)
    assert np.isnan(alone.kinds.loc[0, "kendall_w"])
    assert alone.kinds.loc[0, "ranking_share"] == 1


def test_the_original_may_lack_a_learner():
    errors = {key: values for key, values in ERRORS.items() if key != ("C", "original")}
    result = summarize(as_table(errors))
    assert np.isnan(row(result.learners, learner="C", kind="time")["reaction"])
    assert np.isnan(row(result.kinds, kind="time")["as_original"])
    assert np.isnan(row(result.pairs, learner_a="A", learner_b="C", kind="time")["switch"])


def test_a_sweep_gives_the_table(tmp_path):
    stream = Stream([[0.0]] * 40, [0, 1, 1, 0] * 10)
    models = {"M": learners.Majority(), "N": learners.NoChange()}
    streams = {"whole": stream, "random": Shuffled(stream)}
    table = sweep(models, streams, range(3), cache=tmp_path)
    result = summarize(table, original="whole")
    runs = table[(table.learner == "N") & (table.stream == "random")].error
    assert row(result.learners, learner="N", kind="random")["sd"] == runs.std()
    assert result.learners["original_sd"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="seed"), "table must have the columns seed; got"),
        (lambda t: pd.concat([t, t[:1]]), r"table must have one row per learner, stream and seed"),
        (lambda t: t[t.stream == "time"], "original must be a stream of the table; got 'original'"),
        (lambda t: t[t.stream == "original"], "table must hold a permuted stream; got only 'orig"),
        (lambda t: t.assign(error="x"), "table must hold numbers in the column 'error'; got"),
    ],
)
def test_a_wrong_table_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        summarize(change(as_table(ERRORS)))


def test_what_is_no_frame_and_no_name_is_refused():
    with pytest.raises(TypeError, match="table must be a DataFrame; got 3"):
        summarize(3)
    with pytest.raises(TypeError, match="measure must be a text; got 3"):
        summarize(as_table(ERRORS), measure=3)
