"""The leagues with rare classes and late labels: fast learners, on the first examples."""

from __future__ import annotations

import re

import numpy as np
import pytest
from docs_script import script
from river_version import since_25
from sklearn.metrics import brier_score_loss, cohen_kappa_score, recall_score, roc_auc_score

from repro import learners as ours
from repro import prequential

MAKE = script("make_league")
from leagues import learners, special, special_page, tables  # noqa: E402
from leagues.standings import OPTIMUM  # noqa: E402

pytestmark = since_25  # the league is of one version
CHEAP = [e for e in learners.entries() if e.name in (OPTIMUM, "NaiveBayes", "NoChange")]


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "special.csv"
    costs = tables.read(path, MAKE.COLUMNS)
    special.measure(path, CHEAP, 2, costs, cap=1e9)
    written = path.stat().st_mtime_ns
    special.measure(path, CHEAP, 2, costs, cap=1e9)
    assert path.stat().st_mtime_ns == written  # nothing was left to do
    return tables.read(path, special.COLUMNS)


def test_a_class_is_rare_and_may_be_found():
    for stream in special.RARE.values():
        draws = [stream.sample(seed=seed).y for seed in range(3)]
        assert all(0.025 < y.mean() < 0.047 for y in draws)


def test_the_share_in_sea_changes_as_the_page_says():
    y = np.concatenate([special.RARE["SEA"].sample(seed=s).y for s in range(8)]).reshape(8, 4, -1)
    np.testing.assert_allclose(y.mean(axis=(0, 2)), [0.0296, 0.0541, 0.0296, 0.0541], atol=0.005)


def test_the_measures_are_those_of_scikit_learn(measured):
    own = measured[(measured["learner"] == "NaiveBayes") & (measured["league"] == "rare")]
    for row in own.rename(columns={"G-mean": "g_mean"}).itertuples():
        stream = special.RARE[row.stream].sample(seed=row.seed)
        run = prequential(ours.NaiveBayes(), stream, row.seed)
        y, p = stream.y, run.proba[:, 1]
        assert float(row.error) == pytest.approx(np.mean(y != run.y_pred), rel=1e-5)
        both = recall_score(y, run.y_pred, average=None)
        assert float(row.recall) == pytest.approx(both[1], rel=1e-5)
        assert float(row.g_mean) == pytest.approx(np.sqrt(both.prod()), rel=1e-5)
        assert float(row.AUC) == pytest.approx(roc_auc_score(y, p), rel=1e-5)
        assert float(row.kappa) == pytest.approx(cohen_kappa_score(y, run.y_pred), rel=1e-5)
        assert float(row.Brier) == pytest.approx(brier_score_loss(y, p), rel=1e-5)


def test_late_labels_are_those_of_a_thousand_examples_before(measured):
    own = measured[(measured["learner"] == "NoChange") & (measured["league"] == "late")]
    for row in own.itertuples():
        y = special.LATE[row.stream].sample(seed=row.seed).y
        back = np.concatenate([np.zeros(special.DELAY + 1, int), y[: -special.DELAY - 1]])
        assert float(row.error) == pytest.approx(np.mean(y != back), rel=1e-5)


def test_the_label_before_beats_the_optimum_in_the_chain_only(measured):
    assert (measured["failure"] == "").all()
    error = measured.pivot(index=["league", "stream", "seed"], columns="learner", values="error")
    excess = error.sub(error[OPTIMUM], axis=0)
    chain = excess.index.get_level_values("stream") == "label chain"
    assert (excess[~chain] > -0.002).all(axis=None)
    assert (excess.loc[chain, "NoChange"] < -0.005).all()


def test_the_page_says_what_the_table_says(measured):
    runs = tables.read(MAKE.TABLES / "league_learners.csv", MAKE.COLUMNS)
    text = special_page.special_part(measured, runs, [e.name for e in learners.entries()])
    rows = [re.split(r" *\| *", line)[1:-1] for line in text.splitlines() if line[:1] == "|"]
    rare = {row[0]: row[1:] for row in rows if len(row) == 7}
    late = {row[0]: row[1:] for row in rows if len(row) == 3}
    assert set(rare) - {"learner", ":--"} == {e.name for e in CHEAP}
    own = measured[(measured["learner"] == "NaiveBayes") & (measured["league"] == "rare")]
    assert rare["NaiveBayes"][1].startswith(f"{own['G-mean'].mean():.3f} ± ")
    prompt = runs[(runs["learner"] == "NaiveBayes") & runs["stream"].isin([*special.LATE])]
    best = runs[(runs["learner"] == OPTIMUM) & runs["stream"].isin([*special.LATE])]
    both = prompt.merge(best, on=["stream", "seed"])
    both = both[both["seed"] < 2]
    gain = 100 * (both["error_x"] - both["error_y"]).mean()
    assert float(late["NaiveBayes"][1]) == pytest.approx(gain, abs=0.006)
    assert "Not run yet: " in text
    assert special_page.special_part(measured[:0], runs, []) == ""
    assert "With a single seed" not in text
    fewer = measured[(measured["learner"] != "NoChange") | (measured["seed"] == 0)]
    assert "\nWith a single seed, so without a standard error: NoChange.\n" in (
        special_page.special_part(fewer, runs, []) + "\n"
    )
