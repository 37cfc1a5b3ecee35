"""A report on a log of predictions says what is true of logs with a known truth."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score

from repro import judge, metrics, seeds
from repro.interop import read_predictions
from repro.judge._predictions import course, tables, words
from repro.judge._predictions.facts import facts_of, told
from repro.metrics.block_errors import block_standard_error
from repro.statistics import PointEstimate, share_interval

N = 4000


def answers(table, **options):
    """The verdicts on a log, by question; figures are not needed for them."""
    options = {"label": "y", "predicted": "p", **options}
    facts = facts_of(read_predictions(table, **options))
    changes = course.changes_of(facts, seeds.generator(0, "orders"))
    made = words.answers(facts, changes, tables.calibrations(facts), course.groups_of(facts))
    return made.set_index("question")["verdict"], words.summary(facts, made), facts


def flipped(rng, y, rate):
    """The labels `y`, each of two, wrong at the `rate`, a number or one for each (n,)."""
    return y ^ (rng.random(y.size) < rate)


# --- scenes with a known truth


def test_labels_are_tested_for_a_change_beside_a_model_that_is_called_labels():
    rng = np.random.default_rng(3)
    y = (rng.random(N) < np.where(np.arange(N) < N // 2, 0.2, 0.7)).astype(int)
    log = pd.DataFrame({"y": y, "labels": flipped(rng, y, 0.1)})
    facts = facts_of(read_predictions(log, label="y", predicted="labels"))
    changes = course.changes_of(facts, seeds.generator(0, "orders"))
    p_values = course.change_section(facts, changes).table["p (corrected)"]
    assert p_values["share of the largest class"] < 0.05 < p_values["error of labels"]


def test_a_good_model_is_better_than_simple_rules_and_no_model_that_copies_them_is():
    rng = np.random.default_rng(1)
    y = np.cumsum(rng.random(N) < 0.1) % 2  # labels that stay
    said, _, _ = answers(pd.DataFrame({"y": y, "p": flipped(rng, y, 0.02)}))
    question = "Is p better than simple rules?"
    assert said[question] == "yes: better than the most frequent label so far and the label before"
    for copy in (np.roll(y, 1), np.zeros(N, int), flipped(rng, np.roll(y, 1), 0.03)):
        said, summary, _ = answers(pd.DataFrame({"y": y, "p": copy}))
        assert not said[question].startswith("yes")
        assert "It is better" not in summary


@pytest.mark.parametrize(("wrong", "interval"), [(0, "0.00 to 0.92 %"), (400, "99.08 to 100.00 %")])
def test_an_error_without_any_spread_has_an_interval_all_the_same(wrong, interval):
    """Of 400 independent examples: 1 - 0.025^(1/400) is 0.92 %."""
    y = np.random.default_rng(3).integers(0, 2, 400)
    _, summary, _ = answers(pd.DataFrame({"y": y, "p": y ^ (wrong > 0)}))
    assert f"p errs in {wrong // 4} % (95 %: {interval}, if examples are independent)" in summary
    assert "± 0.00" not in summary


def test_the_error_of_a_stretch_has_an_interval_also_where_nothing_is_wrong():
    """Of independent losses: that of as many examples, and the truth is in 95 of 100."""
    rng, covered = np.random.default_rng(3), []
    for _ in range(10):
        y = rng.integers(0, 2, N)
        _, _, facts = answers(pd.DataFrame({"y": y, "p": flipped(rng, y, 0.01)}))
        table = tables.error_section(facts).table
        covered += list((table["p [%] from"] <= 1) & (table["p [%] to"] >= 1))
        none = table[table["p [%]"] == 0]
        assert (none["p [%] from"] == 0).all()
        assert (none["p [%] to"] >= 100 * share_interval(0, 200)[1] - 1e-9).all()
    assert np.mean(covered) >= 0.95


@pytest.mark.parametrize("wrong", [0, 1])
def test_equal_losses_are_said_to_count_as_independent(wrong):
    """They have no standard error that dependence could have a part in."""
    y = np.random.default_rng(3).integers(0, 2, 400)
    log = pd.DataFrame({"y": y, "p": y ^ wrong, "q": np.where(np.arange(400) == 7, y, 1 - y)})
    _, _, facts = answers(log, predicted=["p", "q"])
    text = tables.error_section(facts).text
    assert text.endswith("The losses of p are all equal: they count as independent.")


def test_random_predictions_are_worse_than_the_rule_that_knows_the_labels_persist():
    rng = np.random.default_rng(2)
    y = np.cumsum(rng.random(N) < 0.1) % 2
    said, summary, _ = answers(pd.DataFrame({"y": y, "p": rng.integers(0, 2, N)}))
    assert said["Is p better than simple rules?"].startswith("no: worse than the label before")
    assert "It is worse than the label before" in summary


def test_a_class_that_is_only_predicted_is_none_of_the_classes_to_find():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, N)
    p = np.where(rng.random(N) < 0.1, 2, y)
    _, _, facts = answers(pd.DataFrame({"y": y, "p": p}))
    assert facts.log.labels == ("0", "1", "2")
    table = tables.class_section(facts).table
    assert sorted(table.index.get_level_values("class")) == ["0", "1"]
    assert table["examples"].sum() == N


@pytest.mark.parametrize("rare", [0.02, 0.08])
def test_a_rare_class_is_found_or_it_is_said_that_it_is_not(rare):
    rng = np.random.default_rng(3)
    y = (rng.random(2 * N) < rare).astype(int)
    question = "Does p find rare classes?"
    half = np.where(rng.random(y.size) < 0.5, y, 0)
    said, summary, _ = answers(pd.DataFrame({"y": y, "p": half}))
    assert said[question] == "yes: class 1 more often than by chance"
    assert "balanced accuracy" in summary
    said, _, _ = answers(pd.DataFrame({"y": y, "p": np.r_[1, np.zeros(y.size - 1, int)]}))
    assert not said[question].startswith("yes")
    said, _, _ = answers(pd.DataFrame({"y": y, "p": np.zeros(y.size, int)}))
    assert said[question] == "no: class 1 not more often than by chance"
    by_chance = (rng.random(y.size) < rare).astype(int)
    said, _, _ = answers(pd.DataFrame({"y": y, "p": by_chance}))
    assert said[question].startswith("cannot tell")


@pytest.mark.parametrize("share", [0.05, 0.3])
@pytest.mark.parametrize("count", [1, 2, 5, 10, 30])
def test_few_examples_of_a_class_that_is_predicted_at_random_prove_nothing(count, share):
    rng, told = np.random.default_rng(4), 0
    for _ in range(60):
        y = np.zeros(1000, int)
        y[rng.choice(1000, count, replace=False)] = 1
        p = (rng.random(1000) < share).astype(int)
        facts = facts_of(read_predictions(pd.DataFrame({"y": y, "p": p}), label="y", predicted="p"))
        told += not words.rare_answer(facts, "p")[0].startswith("cannot tell")
    assert told <= 8  # of 60 at 5 %; more with a probability of .2 %


@pytest.mark.parametrize("turns", [2, 4, 8, 16])
def test_an_error_that_changes_is_seen_also_if_it_comes_back(turns):
    rng = np.random.default_rng(turns)
    rate = np.where(np.arange(2 * N) * turns // (2 * N) % 2, 0.3, 0.1)
    y = rng.integers(0, 2, 2 * N)
    said, summary, _ = answers(pd.DataFrame({"y": y, "p": flipped(rng, y, rate)}))
    assert said["Does the error of p change?"].startswith("changes ")
    assert "Its error changes" in summary


def test_a_daily_course_of_the_error_is_no_change():
    rng = np.random.default_rng(4)
    rate = np.where(np.arange(2 * N) % 48 < 24, 0.1, 0.3)
    y = rng.integers(0, 2, 2 * N)
    said, _, _ = answers(pd.DataFrame({"y": y, "p": flipped(rng, y, rate)}))
    assert said["Does the error of p change?"] == "none is seen"


def test_errors_in_long_runs_leave_too_few_blocks_to_tell():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, N)
    wrong = np.repeat(rng.random(16) < 0.5, N // 16)
    said, summary, _ = answers(pd.DataFrame({"y": y, "p": y ^ wrong}))
    assert said["Does the error of p change?"] == "cannot tell"
    assert "cannot be told" in summary


def test_the_better_model_is_named_and_equal_ones_are_not_told_apart():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, N)
    table = pd.DataFrame({"y": y, "p": flipped(rng, y, 0.1), "q": flipped(rng, y, 0.2)})
    said, summary, _ = answers(table, predicted=["p", "q"])
    assert said["Which model is better?"] == "p is better than q"
    assert summary.endswith(" p is better than q.")
    said, _, _ = answers(table.assign(q=flipped(rng, y, 0.1)), predicted=["p", "q"])
    assert said["Which model is better?"].startswith("cannot tell")
    said, summary, _ = answers(table.assign(q=table["p"]), predicted=["p", "q"])
    assert summary.endswith("No two models are told apart.")
    assert said["Which model is better?"].startswith("cannot tell")


def test_of_many_pairs_those_told_apart_come_first_and_the_others_are_counted():
    """Four models that err equally often, and one that never errs: 4 of 10 pairs differ."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 4000)
    wrong = {name: rng.random(4000) < 0.3 for name in "abcd"} | {"z": np.zeros(4000, bool)}
    frame = pd.DataFrame({name: y ^ w for name, w in wrong.items()}).assign(y=y)
    report = judge.predictions(frame, label="y", predicted=list(wrong))
    verdict, evidence = report.verdicts.set_index("question").loc["Which model is better?"]
    assert verdict == "; ".join(f"z is better than {name}" for name in "abcd")
    assert evidence.endswith("; 5 more")
    assert all(f"{name} and z differ by" in evidence for name in "abcd")


def test_of_many_columns_none_is_said_to_have_a_worse_group_by_chance():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 3000)
    log = pd.DataFrame({"y": y, "p": np.where(rng.random(y.size) < 0.8, y, 1 - y)})
    columns = [f"c{i}" for i in range(24)]
    for column in columns:
        log[column] = rng.integers(0, 3, y.size).astype(str)
    report = judge.predictions(log, label="y", predicted="p", groups=columns)
    p = report.section("groups").table["p (corrected)"]
    assert p.min() < 24 * 0.04  # of its column alone it would be significant
    said = report.verdicts.set_index("question")["verdict"].filter(like="in a group of")
    assert len(said) == 24
    assert said.eq("none is seen").all()


def test_a_change_that_cannot_be_tested_has_no_p_value():
    y = np.repeat([0, 1, 0, 1], 30)
    log = pd.DataFrame({"y": y, "p": np.where(np.arange(120) < 70, y, 1 - y)})
    report = judge.predictions(log, label="y", predicted="p")
    said = report.verdicts.set_index("question")["verdict"]
    assert said["Does the error of p change?"] == "cannot tell"
    assert report.section("changes").table["p (corrected)"].isna().all()


def test_the_worst_group_is_named_and_one_stretch_of_rows_is_not_tested():
    rng = np.random.default_rng(7)
    y, zone = rng.integers(0, 2, N), rng.choice(list("abc"), N)
    p = flipped(rng, y, np.where(zone == "b", 0.3, 0.1))
    month = np.repeat(["jan", "feb"], N // 2)
    table = pd.DataFrame({"y": y, "p": p, "zone": zone, "once": np.arange(N) // (N // 20) == 3})
    said, _, _ = answers(table.assign(month=month), groups=["zone", "once", "month"])
    assert said["Does p err more in a group of zone?"] == "in b"
    assert said["Does p err more in a group of month?"] == "none is seen"
    assert said["Does p err more in a group of once?"] == "none is seen"


@pytest.mark.parametrize(
    ("distort", "expected"),
    [
        (lambda p: p, "no fault is seen"),
        (lambda p: np.clip(p + 0.15, 0, 1), "no: too high on average"),
        (lambda p: 0.5 + 0.4 * (p - 0.5), "no: not extreme enough"),
        (lambda p: 100 * p, "not judged: no probabilities"),
    ],
    ids=["right", "high", "timid", "percent"],
)
def test_scores_are_judged_as_probabilities_if_they_can_be(distort, expected):
    rng = np.random.default_rng(8)
    p = rng.beta(2, 2, N)
    y = (rng.random(N) < p).astype(int)
    table = pd.DataFrame({"y": y, "p": (p > 0.5).astype(int), "s": distort(p)})
    said, _, _ = answers(table, score="s", positive=1)
    assert said["Are the scores of p right?"].startswith(expected)


def test_labels_that_were_known_before_the_prediction_are_said():
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, N)
    table = pd.DataFrame({"y": y, "p": y, "t": np.arange(N), "came": np.arange(N) + 3.5})
    said, _, facts = answers(table, time="t", label_time="came")
    assert said["Do labels come late?"] == "half come after 3 more predictions"
    assert "the label 4 examples before" in facts.rules
    early = table.assign(came=table["came"] - 4 * (np.arange(N) < 7))
    said, _, _ = answers(early, time="t", label_time="came")
    assert said["Do labels come late?"] == "7 come before their prediction"


# --- the numbers


def test_the_rule_of_late_labels_predicts_the_last_known_label():
    rng = np.random.default_rng(10)
    y = np.cumsum(rng.random(N) < 0.2) % 2
    table = pd.DataFrame({"y": y, "p": y, "t": np.arange(N), "came": np.arange(N) + 5.5})
    _, _, facts = answers(table, time="t", label_time="came")
    loss = facts.rules["the label 6 examples before"]
    np.testing.assert_array_equal(loss[6:], y[6:] != y[:-6])


def test_means_of_recalls_have_the_standard_errors_of_a_bootstrap():
    rng = np.random.default_rng(11)
    y = rng.choice(3, N, p=[0.7, 0.25, 0.05])
    p = np.where(rng.random(N) < np.array([0.9, 0.7, 0.5])[y], y, (y + 1) % 3)
    _, _, facts = answers(pd.DataFrame({"y": y, "p": p}))
    balanced, geometric = facts.mean_recalls(p)
    assert balanced.value == pytest.approx(balanced_accuracy_score(y, p))
    assert geometric.value == pytest.approx(metrics.g_mean(y, p))
    draws = []
    for _ in range(500):
        rows = rng.integers(0, N, N)
        draws.append(
            (metrics.balanced_accuracy(y[rows], p[rows]), metrics.g_mean(y[rows], p[rows]))
        )
    spread = np.std(draws, axis=0)
    np.testing.assert_allclose(
        [balanced.standard_error, geometric.standard_error], spread, rtol=0.25
    )
    lift = facts.lift(p, 2)
    assert lift.value == pytest.approx(np.mean(p[y == 2] == 2) - np.mean(p[y != 2] == 2))


def test_errors_of_dependent_losses_are_wider_than_the_binomial_one():
    """Losses in runs of 20: their variance is that of 20 times fewer independent losses."""
    rng = np.random.default_rng(12)
    y = rng.integers(0, 2, 20_000)
    wrong = np.repeat(rng.random(1000) < 0.2, 20)
    _, _, facts = answers(pd.DataFrame({"y": y, "p": y ^ wrong}))
    binomial = np.sqrt(0.2 * 0.8 / 20_000)
    assert facts.mean(facts.losses["p"]).standard_error / binomial == pytest.approx(
        np.sqrt(20), rel=0.2
    )
    assert block_standard_error(wrong - wrong.mean(), block=1) / binomial == pytest.approx(
        1, rel=0.1
    )


def test_a_sign_is_told_where_the_interval_leaves_out_0_and_there_are_blocks():
    assert told(PointEstimate(2.0, 0.5, 20)) == 1
    assert told(PointEstimate(-2.0, 0.5, 20)) == -1
    assert told(PointEstimate(0.9, 0.5, 20)) == 0
    assert told(PointEstimate(2.0, 0.5, 3)) == 0
    assert told(PointEstimate(2.0, float("nan"), 20)) == 0


# --- the report


def test_the_report_has_its_sections_its_page_and_a_call_that_makes_it_again(tmp_path, monkeypatch):
    rng = np.random.default_rng(13)
    n = 600
    y = np.where(rng.random(n) < 0.3, "up", "down")
    score = np.clip(0.2 + 0.5 * (y == "up") + 0.2 * rng.normal(size=n), 0, 1)
    table = pd.DataFrame({"y": y, "s": score, "p": np.where(score > 0.5, "up", "down")})
    table["q"], table["u"] = rng.choice(["up", "down"], n), rng.random(n)
    table["t"] = pd.date_range("2026-01-01", periods=n, freq="h")
    table["came"], table["zone"] = table["t"] + pd.Timedelta(2, "h"), rng.choice(list("ab"), n)
    monkeypatch.chdir(tmp_path)
    table.to_csv("log.csv", index=False)
    options = {"label": "y", "predicted": ["p", "q"], "score": ["s", "u"], "time": "t"}
    report = judge.predictions("log.csv", **options, label_time="came", groups=["zone"])
    names = ["read", "error", "classes", "scores", "changes", "alarms", "pairs", "groups", "delays"]
    assert [section.name for section in report.sections] == names
    assert list(report.figures) == ["error", "scores", "changes", "groups"]
    assert all(section.alt for section in report.sections if section.figure is not None)
    page = report.to_html("log.html").read_text()
    assert "The predictions of log" in page
    again = {}
    exec(report.call.replace("judge.predictions", "report = judge.predictions"), again)
    assert str(again["report"]) == str(report)
    pd.testing.assert_frame_equal(again["report"].verdicts, report.verdicts)
    assert report.command.startswith("python -m repro judge predictions log.csv --label y")
    assert judge.predictions(table, label="y", predicted="p").command == ""


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame({"y": [0, 1] * 20, "p": [0, 1] * 20}), "at least 50 examples; got 40"),
        (pd.DataFrame({"y": [1] * 60, "p": [1, 0] * 30}), "two classes or more; got 1 in all rows"),
    ],
)
def test_logs_that_say_nothing_are_refused(table, message):
    with pytest.raises(ValueError, match=message):
        judge.predictions(table, label="y", predicted="p")


@pytest.mark.parametrize("kind", ["perfect", "all wrong", "many classes", "tiny scores"])
def test_extreme_logs_have_a_report(kind, tmp_path):
    rng = np.random.default_rng(14)
    y = rng.integers(0, 150 if kind == "many classes" else 2, 900)
    table = pd.DataFrame({"y": y, "p": 1 - y if kind == "all wrong" else y})
    options = {}
    if kind == "tiny scores":
        table["s"], options = np.where(y == 1, 1e-300, 0.0), {"score": "s"}
    report = judge.predictions(table, label="y", predicted="p", **options)
    report.to_html(tmp_path / "page.html")
    assert "nan" not in str(report)


def test_groups_whose_names_read_the_same_are_all_drawn():
    rng = np.random.default_rng(0)
    y, a, b = rng.integers(0, 2, (3, 600))
    columns = {"y": y, "p": a, "q": b, "x": ["u: v"] * 600, "x: u": ["v"] * 600}
    log = pd.DataFrame(columns)
    report = judge.predictions(log, label="y", predicted=["p", "q"], groups=["x", "x: u"])
    ax = report.figures["groups"].axes[0]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["x: u: v"] * 2
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["p", "q"]


def test_the_main_table_has_a_row_for_each_model_and_rule():
    y = np.random.default_rng(4).integers(0, 2, 400)
    log = pd.DataFrame({"y": y, "p": y ^ (np.arange(400) % 5 == 0), "q": y})
    _, _, facts = answers(log, predicted=["p", "q"])
    table = tables.main_table(facts)
    assert table.index.tolist() == ["p", "q", *facts.rules]
    assert table.loc[["p", "q"], "error [%]"].tolist() == [20, 0]
    rules = [100 * loss.mean() for loss in facts.rules.values()]
    assert table.loc[[*facts.rules], "error [%]"].tolist() == pytest.approx(rules)
