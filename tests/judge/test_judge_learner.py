"""The report on a learner: its numbers by another route, and what it says of wrong input."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from repro import TESTBED, Stream, detectors, learners, metrics, prequential, seeds, streams, sweep
from repro.judge._learner import runs as learner_runs
from repro.judge._learner.own_draws import OwnDraws
from repro.judge._learner.pairs import seeds_to_see
from repro.judge._learner.tables import MEAN, verdict_on
from repro.judge._report.call import as_call, as_command
from repro.judge._report.shared import as_models, sentence, versions
from repro.judge.of_learner import learner
from repro.judge.report import Report
from repro.learners import HoeffdingTree, Majority, NaiveBayes, NoChange
from repro.papers import testbed
from repro.statistics import PointEstimate, compare_anytime, holm
from repro.streams import SEA

RESULTS = Path(__file__).parents[2] / "data" / "results"
EASY, HARD = SEA(threshold=9, noise=0.05, n=600), SEA(threshold=7, noise=0.2, n=600)
PAIR = {"easy": EASY, "hard": HARD}
TURN = streams.sudden(SEA(threshold=4, noise=0.0), SEA(threshold=12, noise=0.0), at=900, n=2000)
TREE = HoeffdingTree()


class Guess:
    """Class 1 where the first attribute is large; hand-written, with river's two methods."""

    def __init__(self, limit: float = 5.0) -> None:
        self.limit = limit

    def predict_one(self, x: dict[int, float]) -> int:
        return int(x[0] < self.limit)

    def learn_one(self, x: dict[int, float], y: int) -> None:
        pass


class Broken(Guess):
    """Stops at an attribute that only the stream "hard" of `DISTANT` has."""

    def learn_one(self, x: dict[int, float], y: int) -> None:
        if x[0] > 50:
            raise ZeroDivisionError("no such place")


class NeedsSize:
    """A class that cannot be constructed without arguments."""

    def __init__(self, size: int) -> None:
        self.size = size


def no_warnings(*args, **options) -> Report:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return learner(*args, **options)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    cache = tmp_path_factory.mktemp("cache")
    models = {"Tree": TREE, "mine": Guess()}
    return no_warnings(models, PAIR, 7, references=[NaiveBayes()], jobs=1, cache=cache)


@pytest.fixture(scope="module")
def errors() -> dict[str, pd.DataFrame]:
    """Errors in percent by stream, seed x learner, from a sweep of its own."""
    named = {"Tree": TREE, "mine": Guess(), "NaiveBayes": NaiveBayes()}
    named |= {"Majority": Majority(), "NoChange": NoChange(), "Optimal": learners.BayesOptimal()}
    table = sweep(named, {name: OwnDraws(s, name) for name, s in PAIR.items()}, range(7))
    return {
        name: 100 * rows.pivot(index="seed", columns="learner", values="error")
        for name, rows in table.groupby("stream")
    }


# --- numbers, by another route


def test_error_and_excess_are_means_over_streams_with_errors_over_seeds(report, errors):
    both = (errors["easy"] + errors["hard"]) / 2
    excess = both.sub(both["Optimal"], axis=0)
    for name in report.table.index:
        row = report.table.loc[name]
        assert row["error [%]"] == pytest.approx(both[name].mean())
        assert row["error [%] ± s.e."] == pytest.approx(both[name].std() / 7**0.5)
        assert row["excess [points]"] == pytest.approx(excess[name].mean())
        if name != "Optimal":
            assert row["excess [points] ± s.e."] == pytest.approx(excess[name].std() / 7**0.5)


def test_share_of_the_gain_is_that_over_the_better_baseline_of_each_stream(report, errors):
    won = possible = 0.0
    for frame in errors.values():
        mean = frame.mean()
        base = min(mean["Majority"], mean["NoChange"])
        won, possible = won + base - mean["Tree"], possible + base - mean["Optimal"]
    column = "share of the possible gain [%]"
    assert report.table.loc["Tree", column] == pytest.approx(100 * won / possible)
    assert report.table.loc["Optimal", column] == 100


def test_error_of_the_share_is_that_of_the_jackknife(report, errors):
    """Equal to the first order: a share of nearly linear sums."""

    def share(out: int) -> float:
        means = [frame.drop(index=out).mean() for frame in errors.values()]
        base = [min(m["Majority"], m["NoChange"]) for m in means]
        won = sum(b - m["Tree"] for b, m in zip(base, means, strict=True))
        return 100 * won / sum(b - m["Optimal"] for b, m in zip(base, means, strict=True))

    left_out = np.array([share(seed) for seed in range(7)])
    expected = np.sqrt(6 / 7 * ((left_out - left_out.mean()) ** 2).sum())
    found = report.table.loc["Tree", "share of the possible gain [%] ± s.e."]
    assert found == pytest.approx(expected, rel=0.05)


def test_ranks_are_means_of_the_ranks_on_each_stream(report, errors):
    means = pd.DataFrame({name: frame.mean() for name, frame in errors.items()})
    expected = means.drop(index="Optimal").rank().mean(axis=1)
    for name in expected.index:
        assert report.table.loc[name, "rank"] == expected[name]
    assert next(iter(report.table.index)) == "Optimal"
    assert report.table["rank"].dropna().is_monotonic_increasing


def test_paired_tests_are_students_with_holm(report, errors):
    table = report.section("tests").table
    both = (errors["easy"] + errors["hard"]) / 2
    own = table[(table["model"] == "Tree") & (table["stream"] == MEAN)].set_index("other")
    others = ["mine", "NaiveBayes", "Majority", "NoChange"]
    tests = {other: ttest_rel(both["Tree"], both[other]) for other in others}
    p = [test.pvalue for test in tests.values()]
    assert own.loc[others, "p"].tolist() == pytest.approx(p)
    assert own.loc[others, "p, Holm"].tolist() == pytest.approx(holm(p).tolist())
    row = own.loc["mine"]
    difference = both["Tree"] - both["mine"]
    assert row["difference"] == pytest.approx(difference.mean())
    assert row["effect size"] == pytest.approx(difference.mean() / difference.std())
    interval = tests["mine"].confidence_interval(1 - 0.05 / 4)  # four others together
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high))
    assert row["draws to see the margin"] == seeds_to_see(0.5, difference.std(), 0.05 / 4)
    assert report.section("tests").table["draws"].eq(7).all()


def test_draws_that_happen_to_differ_equally_do_not_say_how_many_are_needed():
    assert np.isnan(seeds_to_see(0.5, 0.0))
    assert np.isnan(seeds_to_see(0.5, np.nan))


def test_as_many_draws_as_are_said_show_the_margin_with_80_percent():
    rng = np.random.default_rng(0)
    for deviation in (0.3, 1.0):
        n = int(seeds_to_see(0.5, deviation))
        draws = rng.normal(0.5, deviation, (2, 4000, n))
        power = (ttest_rel(draws[0], np.zeros((4000, n)), axis=1).pvalue < 0.05).mean()
        assert 0.8 - 0.02 < power < 0.97
        fewer = ttest_rel(draws[1, :, : n - 1], np.zeros((4000, n - 1)), axis=1).pvalue < 0.05
        assert fewer.mean() < 0.8 + 0.02


def test_draws_of_streams_of_one_family_are_independent():
    same = {"a": EASY, "b": EASY}
    first = [OwnDraws(s, name).sample(0) for name, s in same.items()]
    assert not np.array_equal(first[0].y, first[1].y)
    assert np.array_equal(first[0].y, EASY.sample(seeds.integer(0, "judge", "a")).y)


def test_permutations_change_the_error_as_study_says(report):
    table = report.section("permutations").table
    assert set(table["kind"]) == {"time", "speed", "shape"}
    row = table.query("learner == 'mine' and kind == 'time'").iloc[0]
    # Guess learns nothing: its error is the same in every order.
    assert row["reaction [points]"] == pytest.approx(0, abs=1e-12)
    assert row["volatility [points]"] == pytest.approx(0, abs=1e-12)


def test_verdicts_follow_students_interval():
    at = {
        limit: verdict_on(PointEstimate(1.0, 0.1, 9), limit) for limit in (1.23, 1.22, 0.77, 0.78)
    }
    assert at == {1.23: "yes", 1.22: "cannot tell", 0.77: "no", 0.78: "cannot tell"}
    assert verdict_on(PointEstimate(1.0, np.nan, np.nan), 5.0) == "cannot tell"


@pytest.mark.slow
def test_numbers_agree_with_those_of_notebook_01(tmp_path):
    """Its draws of different streams share their seeds, so numbers agree within their errors."""
    references = {name: testbed.LEARNERS[name] for name in ("DWM", "OZAB")}
    found = learner({"NB": NaiveBayes()}, references=references, jobs=1, cache=tmp_path)
    names = ["NB", "DWM", "OZAB"]
    written = pd.read_csv(RESULTS / "01_excess.csv", index_col="stream")
    ours = found.section("excess").table
    z = []
    for stream in TESTBED:
        for name in names:
            of = written.loc[stream, [name, f"{name} ± s.e."]]
            own = ours.loc[name, [stream, f"{stream} ± s.e."]]
            z.append((own.iloc[0] - of.iloc[0]) / np.hypot(own.iloc[1], of.iloc[1] + 0.003))
    assert len(z) == 27
    assert np.abs(z).max() < 4.5  # Student's with 9 degrees of freedom each
    assert 0.5 < np.std(z) < 1.5
    kib = pd.read_csv(RESULTS / "01_storage.csv", index_col="learner")["storage [KiB]"]
    assert found.table.loc["NB", "memory [KiB]"].round(1) == kib["NB"]


def test_the_two_best_are_told_apart_where_their_confidence_sequence_says_so(tmp_path):
    two = {"NB": NaiveBayes(), "Majority": Majority()}
    found = learner(two, PAIR, 4, references=[], cache=tmp_path).section("any_time")
    for name, row in found.table.set_index("stream").iterrows():
        firsts = []
        for k in range(4):
            draw = OwnDraws(PAIR[name], name).sample(k)
            loss_a, loss_b = (prequential(m, draw, k).loss for m in two.values())
            firsts.append(compare_anytime(loss_a, loss_b).first)
        told = [first for first in firsts if first is not None]
        assert (row["draws"], row["told apart"]) == (4, len(told))
        assert row["NB ahead"] == len(told)  # the better one, on streams whose truth is known
        if told:  # it is looked at nearly every example of a short stream
            assert row["half of them by"] == pytest.approx(np.median(told) + 1, rel=0.02)


def test_a_learner_is_not_told_apart_from_its_twin(tmp_path):
    two = {"NB": NaiveBayes(), "twin": NaiveBayes()}
    found = learner(two, PAIR, 3, references=[], cache=tmp_path).section("any_time")
    assert (found.table["told apart"] == 0).all()
    assert "No draw of easy and hard does." in found.text


# --- what it says


def test_every_figure_has_words_for_those_who_do_not_see_it(report):
    assert set(report.figures) == {
        "errors",
        "excess",
        "cost",
    }  # Friedman's test needs three streams
    assert all(s.alt for s in report.sections if s.figure is not None)


def test_summary_names_place_excess_and_streams(report):
    place = report.table["rank"].dropna().rank(method="min")["Tree"]
    assert f"On 2 streams Tree has place {place:.0f} of 5 by mean rank" in report.summary
    excess = report.table.loc["Tree", "excess [points]"]
    assert f"{excess:.2f} ± " in report.summary
    assert "On 2 streams mine has place" in report.summary


def test_verdict_near_the_optimum_follows_the_excess(report):
    rows = report.verdicts.set_index("question")
    row = rows.loc["mine: Is it within 1 point of the optimum?"]
    table = report.section("excess").table.loc["mine"]
    assert (table[["easy", "hard"]] > 5).all()
    assert (row["verdict"], row["evidence"]) == ("no", "no: easy and hard")


def test_a_failing_model_is_named_with_its_error_and_other_streams_go_on(tmp_path):
    far = Stream(np.linspace(0, 60, 400)[:, None], np.arange(400) % 2, name="far")
    given = {"near": EASY, "far": far}
    with pytest.warns(RuntimeWarning, match=r"^Broken failed in 1 runs, on far: ZeroDivisionError"):
        found = learner(Broken, given, 2, references=[], jobs=1, cache=tmp_path)
    said = "Broken stopped with an error in 1 of 3 runs: ZeroDivisionError: no such place"
    assert said in found.summary
    assert "It counts as last on far." in found.summary
    errors = found.section("errors").table
    assert np.isnan(errors.loc["Broken", "far"])
    assert errors.loc["Broken", "near"] > 0
    assert np.isnan(found.table.loc["Broken", "error [%]"])
    assert found.section("failures").table["streams"].tolist() == ["far"]
    assert found.section("ranks").table.loc["Broken", "far"] == 3  # the last
    assert "Does it run?" in found.verdicts["question"].tolist()
    assert "ZeroDivisionError" in found.to_html(tmp_path / "report.html").read_text()


def test_a_model_that_always_fails_raises_one_line(tmp_path):
    far = Stream([[60.0]] * 30, [0, 1] * 15)
    with pytest.raises(
        RuntimeError, match=r"^Broken failed in all 1 runs.*no such place"
    ) as caught:
        learner(Broken(), far, references=[], jobs=1, cache=tmp_path)
    assert "\n" not in str(caught.value)


def test_streams_without_truth_have_kappas_instead_of_the_excess(tmp_path):
    real = Stream(np.arange(300.0)[:, None] % 7, np.repeat([0, 1, 0], 100), name="real")
    found = no_warnings(NaiveBayes(), real, 3, references=[], jobs=1, cache=tmp_path)
    section = found.section("kappa")
    row = section.table.set_index("learner").loc["NaiveBayes"]
    run = prequential(NaiveBayes(), real)
    assert row["κ_per"] == pytest.approx(metrics.kappa_temporal(real.y, run.y_pred))
    assert row["report"] == "κ_per"
    assert found.table["excess [points]"].isna().all()
    assert "the optimum is unknown" in found.summary
    assert "excess" not in [s.name for s in found.sections]
    stretches = metrics.batch_means(run.loss)
    error = found.table.loc["NaiveBayes", "error [%] ± s.e."]
    assert error == pytest.approx(100 * stretches.std(ddof=1) / 20**0.5)
    assert found.table.loc["NaiveBayes", "error [%]"] == pytest.approx(100 * run.error)


def test_without_scikit_posthocs_the_rest_stands(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "scikit_posthocs", None)
    given = {**PAIR, "turn": TURN}
    found = no_warnings(TREE, given, 2, references=[], jobs=1, cache=tmp_path)
    section = found.section("ranks")
    assert section.figure is None
    assert re.search(r"needs scikit-posthocs: .*pip install .*judge", section.text)
    assert "Friedman's test" in section.text


def test_critical_difference_diagram_has_each_learner(tmp_path):
    pytest.importorskip("scikit_posthocs")
    given = {**PAIR, "turn": TURN}
    found = no_warnings(TREE, given, 2, references=[NaiveBayes()], jobs=1, cache=tmp_path)
    texts = [t.get_text() for ax in found.figures["ranks"].axes for t in ax.texts]
    for name in ("HoeffdingTree", "NaiveBayes", "Majority", "NoChange"):
        rank = found.table.loc[name, "rank"]
        assert any(name in text and f"({rank:.1f})" in text for text in texts)


DRAW = """
import numpy as np, pandas as pd
from repro.judge._learner.ranking import _diagram
errors = pd.DataFrame(np.random.default_rng(0).random((7, 6)), columns=[*"abcdef"])
errors["f"] = errors["a"]  # tied
ax = _diagram(errors.rank(axis=1).mean(), errors)
print([line.get_xydata().round(6).tolist() for line in ax.lines])
"""


def test_the_diagram_is_the_same_whatever_the_order_of_sets():
    pytest.importorskip("scikit_posthocs")
    drawn = [
        subprocess.run(
            [sys.executable, "-c", DRAW], capture_output=True, text=True, check=True, timeout=300,
            env={**os.environ, "MPLBACKEND": "agg", "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "4")
    ]  # fmt: skip
    assert drawn[0] == drawn[1] != ""


# --- sweeps: nothing that was finished is lost


def test_an_interrupted_report_continues(tmp_path, monkeypatch):
    finished = learner_runs.sweep

    def interrupted(models, *args, **options):
        if "HoeffdingTree" not in models:
            raise KeyboardInterrupt
        return finished(models, *args, **options)

    monkeypatch.setattr(learner_runs, "sweep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learner(TREE, PAIR, 2, references=[], jobs=1, cache=tmp_path)
    monkeypatch.undo()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.run")}
    assert len(kept) == 4
    learner(TREE, PAIR, 2, references=[], jobs=1, cache=tmp_path)
    assert kept == {path: path.stat().st_mtime_ns for path in kept}


# --- the call and the command


def test_the_call_makes_an_equal_report():
    model = learners.DriftRetraining(NaiveBayes(), detectors.DDM(drift_threshold=2.5))
    found = learner({"DDM 2.5": model}, ["NSGT"], [3, 5], references=[Majority], jobs=1, quick=True)
    lines = found.call.replace("judge.learner", "again = learner").splitlines()
    scope = {"learner": learner}
    exec("\n".join(line for line in lines if "import judge" not in line), scope)
    columns = [c for c in found.table if not c.startswith("time")]
    pd.testing.assert_frame_equal(scope["again"].table[columns], found.table[columns])
    assert scope["again"].call == found.call


def test_calls_and_commands_are_code_for_models_of_other_libraries():
    river = pytest.importorskip("river.tree")
    sklearn = pytest.importorskip("sklearn.linear_model")
    tree = river.HoeffdingTreeClassifier(grace_period=50)
    line = as_call({"HoeffdingTreeClassifier": tree}, {}).splitlines()[-1]
    assert line == "judge.learner(HoeffdingTreeClassifier(grace_period=50))"
    machine = sklearn.SGDClassifier(loss="log_loss")
    call = as_call({"tree": tree, "machine": machine}, {"seeds": 5})
    assert "from sklearn.linear_model import SGDClassifier" in call
    assert "'machine': SGDClassifier(loss='log_loss')}, seeds=5)" in call
    assert as_command({"SGDClassifier": machine}, {}) == ""
    plain = {"HoeffdingTreeClassifier": river.HoeffdingTreeClassifier()}
    command = "python -m repro judge learner river.tree:HoeffdingTreeClassifier --seeds 5 --quick"
    assert as_command(plain, {"seeds": 5, "quick": True}) == f"{command} --report report.html"


def test_an_object_that_code_cannot_make_stands_in_the_call_as_it_is():
    model = Guess()
    model.learned = [1, 2]
    assert as_call({"Guess": model}, {}).endswith("judge.learner(<Guess>)")


# --- shared


def test_models_may_be_classes_instances_lists_and_mappings():
    assert list(as_models([NaiveBayes, TREE, NaiveBayes()])) == [
        "NaiveBayes",
        "HoeffdingTree",
        "NaiveBayes 2",
    ]
    assert as_models({"a": NaiveBayes})["a"] == NaiveBayes()
    members = [pytest.importorskip("river.naive_bayes").GaussianNB() for _ in range(2)]
    ensemble = pytest.importorskip("river.ensemble").VotingClassifier(members)
    assert list(as_models(ensemble)) == ["VotingClassifier"]  # river's ensembles are lists


def test_settings_hold_no_place_in_memory(report):
    assert "Guess" in report.settings["Models"]
    assert "0x" not in report.settings["Models"]


def test_versions_are_those_of_the_packages():
    river = pytest.importorskip("river")
    tree = pytest.importorskip("river.tree").HoeffdingTreeClassifier()
    assert versions({"r": tree, "g": type("Mine", (), {"__module__": "__main__"})()}) == {
        "r": f"river {river.__version__}",
        "g": "your code",
    }


def test_sentence_joins_items():
    assert [sentence(x) for x in ([], ["a"], ["a", "b"])] == ["none", "a", "a and b"]


# --- wrong input: one clear line, or a right report


class Locked(Guess):
    """It holds a lock, which cannot be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


@pytest.mark.parametrize(
    ("models", "options", "error", "match"),
    [
        ([], {}, ValueError, r"learners must hold at least one model; got \[\]"),
        ("NB", {}, TypeError, "learners must be a model, a class, a list .*; got 'NB'"),
        (None, {}, TypeError, "learners must be a model, .*; got None"),
        ({1: TREE}, {}, TypeError, "learners must map names, which are texts, to models; got 1"),
        ({" ": TREE}, {}, ValueError, "learners must have names that are not empty; got ' '"),
        (NeedsSize, {}, TypeError, r"learners\['NeedsSize'\] must be an instance, .*size"),
        (object(), {}, TypeError, "must be one of repro.learners, have predict_one and learn_one"),
        (Locked(), {}, RuntimeError, "Locked failed in all 4 runs.*deepcopy can copy"),
        (TREE, {"streams": {}}, ValueError, "streams must hold at least one stream; got {}"),
        (TREE, {"streams": "NSXX"}, ValueError, "streams must be one of NSGT, .*; got 'NSXX'"),
        (TREE, {"streams": SEA}, TypeError, "streams must be names of the testbed or .*SEA"),
        (TREE, {"streams": {"a": 3}}, TypeError, r"streams\['a'\] must be names .*; got 3"),
        (TREE, {"seeds": 0}, ValueError, "seeds must be .*>= 1; got 0"),
        (TREE, {"seeds": [0, 0]}, ValueError, r"different integers >= 0, .*; got \[0, 0\]"),
        (TREE, {"seeds": "12"}, TypeError, "seeds must be a number of seeds, .*; got '12'"),
        (TREE, {"jobs": 0}, ValueError, "jobs must be .*got 0"),
        (TREE, {"quick": "yes"}, ValueError, "quick must be .*got 'yes'"),
        (TREE, {"references": 3}, TypeError, "references must be a model, .*; got 3"),
        (TREE, {"margin": -1}, ValueError, "margin must be .*>= 0; got -1"),
        (TREE, {"delay": 0.5}, ValueError, "delay must be .*; got 0.5"),
        (TREE, {"label_share": 0}, ValueError, r"label_share must lie in \(0, 1\]; got 0"),
    ],
)
def test_wrong_arguments_give_one_line(models, options, error, match, tmp_path):
    given = {"streams": PAIR, "seeds": 2, "references": [], "jobs": 1, "cache": tmp_path} | options
    with pytest.raises(error, match=match) as caught:
        learner(models, **given)
    assert "\n" not in str(caught.value)


def test_a_regressor_is_refused_by_its_kind(tmp_path):
    model = pytest.importorskip("sklearn.linear_model").SGDRegressor()
    with pytest.raises(TypeError, match="must be a classifier; got SGDRegressor, a regressor"):
        learner(model, PAIR, 2, references=[], jobs=1, cache=tmp_path)


def test_one_stream_and_one_seed_have_no_errors_and_no_tests(tmp_path):
    found = no_warnings(TREE, EASY, 1, references=[], jobs=1, cache=tmp_path)
    assert found.table.loc["HoeffdingTree", "error [%]"] > 0
    assert np.isnan(found.table.loc["HoeffdingTree", "error [%] ± s.e."])
    tests = found.section("tests").table
    assert tests["p"].isna().all()
    assert tests["verdict"].eq("cannot tell").all()
    assert "On 1 stream HoeffdingTree has place" in found.summary
    assert "nan" not in found.summary


def test_a_model_that_equals_a_reference_shares_its_rank(tmp_path):
    same = no_warnings({"NB": NaiveBayes()}, PAIR, 7, references={"NB": NaiveBayes()}, jobs=1)
    assert same.table.loc["NB", "rank"] == same.table.loc["NB (reference)", "rank"]
    rows = same.section("tests").table.set_index("other").loc["NB (reference)"]
    assert rows["difference"].eq(0).all()
    assert rows["p"].eq(1).all()
    assert rows["verdict"].eq("practically equal").all()


def test_baselines_may_be_judged_too(tmp_path):
    found = no_warnings([Majority, NoChange], PAIR, 2, references=[], jobs=1, cache=tmp_path)
    assert {"Majority", "Majority (reference)", "NoChange (reference)"} <= set(found.table.index)


def test_a_name_with_markup_is_shown_as_it_is(tmp_path):
    name = "<script>alert(1)</script> $x^$"
    found = no_warnings({name: TREE}, PAIR, 2, references=[], jobs=1, cache=tmp_path)
    text = found.to_html(tmp_path / "report.html").read_text()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_a_name_of_the_testbed_is_a_stream():
    found = no_warnings(NaiveBayes, "NSGT", 2, references=[], jobs=1)
    assert found.section("errors").table.columns.tolist() == ["NSGT", "NSGT ± s.e."]


def test_short_streams_have_a_report(tmp_path):
    tiny = Stream([[0.0], [1.0], [2.0]], [0, 1, 0])
    found = no_warnings(NaiveBayes, [tiny, SEA(n=5)], 2, references=[], jobs=1, cache=tmp_path)
    found.to_html(tmp_path / "report.html")
