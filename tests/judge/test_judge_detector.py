"""Your drift detector, judged: what goes in, what is counted, what is said."""

from __future__ import annotations

import inspect
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from repro.detectors import ADWIN, DDM, EDDM, PageHinkley, RandomAlarms
from repro.detectors.recorded import fit_on
from repro.judge._detector import references
from repro.judge._detector.inputs import as_given, made_again
from repro.judge._detector.losses import (
    AT,
    AT_REAL,
    INDEPENDENT,
    KINDS,
    REAL,
    SIZES,
    TOLERANCE,
    WIDTH,
    Group,
    calibration_losses,
    drifts_of,
    independent_losses,
    learner_losses,
    shifts_of,
    shuffled_losses,
)
from repro.judge._detector.measures import report_on, waited
from repro.judge._detector.positions import aligned
from repro.judge._detector.runs import run_detectors
from repro.judge._detector.words import _delay
from repro.judge.of_detector import detector

LEAGUE = Path(__file__).parents[2] / "data/results/03_league.csv"


class Counting:
    """Alarms at every `period`-th value."""

    def __init__(self, period=100, offset=0):
        self.period, self.offset = period, offset
        self.seen, self.drift_detected = 0, False

    def update(self, x):
        self.seen += 1
        self.drift_detected = (self.seen + self.offset) % self.period == 0


class Breaks(Counting):
    """Raises in the middle."""

    def update(self, x):
        super().update(x)
        if self.seen > 500:
            raise KeyError("its window is lost")


class Nonsense(Counting):
    """Its answer is neither True nor False."""

    def update(self, x):
        self.drift_detected = float("nan")


class NeedsLevel(Counting):
    """Takes its parameter in the constructor only, and keeps it under another name."""

    def __init__(self, level):
        if not 0 < level < 1:
            raise ValueError(f"level must lie in (0, 1); got {level}")
        super().__init__(round(1 / level))


class NoDetector:
    """Has none of the expected attributes."""


def river_detectors():
    drift = pytest.importorskip("river.drift")
    from river.drift import binary

    known = [getattr(m, name) for m in (drift, binary) for name in dir(m)]
    classes = [c for c in known if inspect.isclass(c) and hasattr(c, "drift_detected")]
    return {c.__name__: c for c in classes if not inspect.isabstract(c)}


# --- losses


@pytest.fixture(scope="module")
def independent():
    return independent_losses(range(20))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("kind", KINDS[:3])
def test_independent_losses_have_the_error_rates_that_their_name_says(independent, kind, size):
    """Within four standard errors, before a change and after it."""
    runs = np.array(independent[Group(INDEPENDENT, kind, f"{size[0]} to {size[1]}")])
    for part, rate in ((runs[:, : AT - WIDTH], size[0]), (runs[:, AT + WIDTH :], size[1])):
        assert abs(part.mean() - rate) < 4 * np.sqrt(rate * (1 - rate) / part.size)
    during = runs[:, AT - WIDTH : AT + WIDTH].mean()
    assert abs(during - sum(size) / 2) < 0.02


def test_gradual_losses_alternate_in_stretches_and_incremental_ones_do_not(independent):
    """Sums over stretches vary more than independent losses of the same mean can."""
    sums = {}
    for kind in ("gradual", "incremental"):
        runs = np.array(independent[Group(INDEPENDENT, kind, "0.2 to 0.4")])
        middle = runs[:, AT - 500 : AT + 500].reshape(len(runs) * 10, 100)
        sums[kind] = middle.sum(axis=1).var(ddof=1)
    binomial = 100 * 0.3 * 0.7
    assert sums["incremental"] < 1.5 * binomial < 4 * binomial < sums["gradual"]


def test_the_losses_of_a_seed_do_not_depend_on_the_other_seeds():
    alone, among = independent_losses([3]), independent_losses([1, 3])
    group = Group(INDEPENDENT, "sudden", "0.1 to 0.2")
    assert all(map(np.array_equal, alone[group], among[group][2:]))


def test_changes_come_at_places_of_their_own_in_each_run():
    """A detector that always alarms at one place meets few of them."""
    seeds = range(50)
    group = Group(INDEPENDENT, "sudden", "0.2 to 0.4")
    shifts = shifts_of(group, seeds)
    runs = independent_losses(seeds, ["sudden"], moved=True)[group]
    assert len(set(shifts)) > 95
    for run, shift in zip(runs, shifts, strict=True):
        before, after = run[: AT + shift].mean(), run[AT + shift :].mean()
        assert (abs(before - 0.2) < 0.02, abs(after - 0.4) < 0.025) == (True, True)
        assert run.size == 2 * AT + shift
    assert aligned([np.array([3, 7, 20])], [7])[0].tolist() == [0, 13]


def test_changes_of_streams_come_where_they_are_said_to(cache):
    """RT's error rises from that of a learned tree to that of another one."""
    runs = learner_losses(range(4), kinds=["sudden"], moved=True, cache=cache)
    group = Group(REAL, "sudden", "RT")
    for run, shift in zip(runs[group], shifts_of(group, range(4)), strict=True):
        at = AT_REAL + shift
        assert run.size == 2 * AT_REAL + shift
        assert run[at : at + 300].mean() > run[at - 300 : at].mean() + 0.1


# --- runs


def test_all_detectors_of_river_run(tmp_path):
    """On both sides of a change from no error to errors only."""
    detectors = river_detectors()
    assert {"ADWIN", "KSWIN", "PageHinkley", "DDM", "EDDM", "HDDM_A"} & set(detectors)
    given, lost = as_given(detectors, None, ())
    losses = {"short": [np.repeat([0, 1], 150).astype(np.uint8)] * 2}
    raw = {name: g.detector for name, g in given.items()}
    alarms, failures = run_detectors(raw, losses, cache=tmp_path)
    assert set(lost) <= {"DriftRetrainingClassifier"}
    assert failures == {}
    assert len(given) >= 9
    assert all(np.diff(run).min(initial=1) > 0 for runs in alarms.values() for run in runs)


def test_alarms_are_those_of_the_detector_alone_and_the_second_call_reads_them(tmp_path, capsys):
    losses = {"a": [np.tile([0, 0, 1], 500).astype(np.uint8), np.ones(300, np.uint8)]}
    detectors = {"PH": PageHinkley(0.1, 5), "mine": Counting(40), "random": RandomAlarms(0.05)}
    how = {"cache": tmp_path, "keys": {"mine": "1"}}
    first, _ = run_detectors(detectors, losses, **how)
    stored = sorted(tmp_path.rglob("*.run"))
    again, _ = run_detectors(detectors, losses, jobs=2, **how)
    assert capsys.readouterr().err == ""
    assert len(stored) == 3 == len(sorted(tmp_path.rglob("*.run")))
    for name in ("PH", "random"):
        own = [detectors[name].alarms(run, seed=i) for i, run in enumerate(losses["a"])]
        assert all(map(np.array_equal, first[name, "a"], own))
    assert first["mine", "a"][1].tolist() == list(range(39, 300, 40))
    assert all(map(np.array_equal, first["random", "a"], again["random", "a"]))


def test_processes_give_the_same_alarms(tmp_path):
    detectors = {"mine": Counting(7), "EDDM": EDDM()} | (
        {"ADWIN": river_detectors()["ADWIN"]()} if river_detectors() else {}
    )
    losses = {i: [np.tile([0, 1, 0, 0], 400).astype(np.uint8)] for i in range(2)}
    here, _ = run_detectors(detectors, losses, jobs=1, cache=tmp_path / "here")
    there, _ = run_detectors(detectors, losses, jobs=2, cache=tmp_path / "there")
    assert here.keys() == there.keys()
    assert all(np.array_equal(here[key], there[key]) for key in here)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_detector_that_fails_is_one_line_and_the_others_go_on(tmp_path, jobs):
    losses = {"a": [np.zeros(1000, np.uint8)]}
    given = {"bad": Breaks(), "odd": Nonsense(), "good": Counting()}
    alarms, failures = run_detectors(given, losses, jobs=jobs, cache=tmp_path)
    assert set(alarms) == {("good", "a")}
    assert failures["bad"] == "KeyError: 'its window is lost' (at value 500)"
    assert "must be True or False; got nan" in failures["odd"]
    assert all("\n" not in text for text in failures.values())


# --- what a user brings


def test_detectors_of_a_list_are_called_after_their_classes():
    given, failures = as_given([DDM, DDM(), Counting()], None, ())
    assert list(given) == ["DDM", "DDM 2", "Counting"]
    assert failures == {}


@pytest.mark.parametrize("detectors", [{}, [], None, "DDM", 3, {"": DDM()}, {1: DDM()}])
def test_no_detector_is_refused(detectors):
    with pytest.raises((TypeError, ValueError), match="detectors must"):
        as_given(detectors, None, ())


def test_one_that_is_no_detector_is_named_beside_the_others():
    given, failures = as_given({"good": DDM(), "bad": NoDetector()}, None, ())
    assert list(given) == ["good"]
    assert "has none of update" in failures["bad"]
    with pytest.raises(TypeError, match=r"detectors\['NoDetector'\]: model must have update"):
        as_given(NoDetector, None, ())


@pytest.mark.parametrize(
    ("make", "parameter", "value"),
    [
        (lambda: PageHinkley(0.1, 100), "threshold", 7.0),
        (lambda: river_detectors()["ADWIN"](clock=16), "delta", 0.5),
        (lambda: Counting(50, offset=3), "period", 9),
    ],
    ids=["dataclass", "river", "class"],
)
def test_a_detector_is_made_again_with_the_same_other_settings(make, parameter, value):
    old, again = make(), made_again(make(), parameter, value)
    names = [n for n in inspect.signature(type(old)).parameters if n != parameter]
    assert getattr(again, parameter) == value != getattr(old, parameter)
    assert [getattr(again, n) for n in names] == [getattr(old, n) for n in names]


def test_an_unknown_parameter_is_told_with_those_there_are():
    with pytest.raises(TypeError, match="parameter must be one of Counting: period, offset; got"):
        as_given(Counting, "delta", [1])


def test_values_outside_the_range_are_left_out_unless_all_are():
    """DDM needs a threshold of alarms that is at least that of warnings, 2."""
    given, _ = as_given({"mine": DDM()}, "drift_threshold", [1.0, 3.0, 2.0])
    assert given["mine"].values == (2.0, 3.0)
    with pytest.raises(
        TypeError,
        match=r"detectors\['mine'\]: drift_threshold=1.0: ValueError: drift_threshold must be",
    ):
        as_given({"mine": DDM()}, "drift_threshold", [1.0, 1.5])


@pytest.mark.parametrize(
    ("parameter", "values", "rule"),
    [
        ("period", (), "values must hold at least one"),
        ("period", [1, float("nan")], "values must be finite"),
        ("period", 3, "values must be numbers in a list"),
        (None, [3], "values must come with the parameter"),
        (3, [3], "parameter must be the name"),
        ({"other": "period"}, {"Counting": [3]}, "parameter must have names of detectors"),
    ],
)
def test_parameters_and_values_are_checked(parameter, values, rule):
    with pytest.raises((TypeError, ValueError), match=rule):
        as_given(Counting(), parameter, values)


def test_a_class_that_needs_its_parameter_and_a_function_are_made_with_the_values():
    for raw, parameter in ((NeedsLevel, "level"), (lambda level: NeedsLevel(level), "level")):
        given, failures = as_given({"mine": raw}, parameter, [0.1, 0.02])
        assert failures == {}
        assert given["mine"].values == (0.02, 0.1)
        assert given["mine"].make(0.1).period == 10
    given, _ = as_given(Counting(), lambda value: NeedsLevel(value), [0.5])
    assert given["Counting"].make(0.5).period == 2


def test_parameters_differ_between_detectors():
    detectors = {"PH": PageHinkley(), "DDM": DDM(), "EDDM": EDDM()}
    names, values = {"PH": "threshold", "DDM": "drift_threshold"}, {"PH": [5, 50], "DDM": [3.0]}
    given, _ = as_given(detectors, names, values)
    assert [g.parameter for g in given.values()] == ["threshold", "drift_threshold", ""]
    assert [g.values for g in given.values()] == [(5, 50), (3.0,), ()]


# --- equal rates


@pytest.mark.parametrize("name", ["reference DDM", "reference ADWIN", "reference PH (.005)"])
def test_references_are_set_to_the_wanted_rate(name):
    rng = np.random.default_rng(1)
    runs = [(rng.random(20_000) < 0.2).astype(np.uint8) for _ in range(20)]
    family = references.REFERENCES[name]
    bounds = family.values[0], family.values[-1]
    fit = fit_on(family.make, 5_000.0, bounds, runs)
    alarms = sum(family.make(fit.value).alarms(run).size for run in runs)
    assert fit.reaches(5_000.0)
    assert fit.found == 400_000 / alarms


def test_a_rate_out_of_reach_gives_the_nearest():
    """Alarms at every second to tenth value cannot be one in a thousand."""
    fit = fit_on(Counting, 1000.0, (2, 10), [np.zeros(1000, np.uint8)])
    assert fit == (10, 10.0, (100,))
    assert not fit.reaches(1000.0)


# --- measures


def test_a_miss_counts_as_the_time_that_was_allowed():
    group = Group(INDEPENDENT, "sudden", "x")
    report = report_on({group: [np.array([5, AT + 9]), np.array([5])]}, "sudden")
    assert waited(report, INDEPENDENT, "sudden").tolist() == [10, TOLERANCE]
    assert report.missed == 1
    assert report.arl1 == 10 + TOLERANCE


@pytest.mark.parametrize(
    ("missed", "text"), [(0, "misses none of 4"), (1, "misses 25.0 ± 25.0 % of 4")]
)
def test_the_words_have_the_share_of_changes_that_are_missed(missed, text):
    group = Group(INDEPENDENT, "sudden", "x")
    runs = [np.array([AT + 9 if i >= missed else 5]) for i in range(4)]
    assert text in _delay(report_on({group: runs}, "sudden"))


@pytest.mark.parametrize("losses", [INDEPENDENT, REAL])
@pytest.mark.parametrize("kind", KINDS[:3])
def test_the_time_allowed_is_that_of_the_report(losses, kind):
    """With no alarm but the last allowed one, ARL1 is the time allowed."""
    group = Group(losses, kind, "x")
    allowed = waited(report_on({group: [np.array([], int)]}, kind), losses, kind)[0]
    (drift,), n = drifts_of(group)
    start = drift[0] if isinstance(drift, tuple) else drift
    last = np.array([start + int(allowed) - 1])
    assert report_on({group: [last]}, kind).arl1 == allowed
    assert last[0] == n - 1 or report_on({group: [last + 1]}, kind).detected == 0


# --- the learner's losses


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def test_shuffling_keeps_the_number_of_errors_and_changes_the_order(cache):
    group = Group(REAL, "none", "LED")
    real = {group: [np.repeat([0, 1], 500).astype(np.uint8)] * 2}
    ((shuffled, runs),) = shuffled_losses(real, [4, 5]).items()
    assert (shuffled.kind, shuffled.name) == ("none", "LED")
    assert [run.sum() for run in runs] == [500, 500]
    assert not np.array_equal(runs[0], runs[1])
    assert stats.norm.sf(abs(np.diff(runs[0].astype(int)).astype(bool).sum() - 500) / 16) > 1e-3


def test_the_league_of_notebook_03_comes_out(cache):
    """Same streams, learner, seeds and detectors: the numbers are those of its table."""
    losses = learner_losses(range(10), kinds=("none",), jobs=2)
    detectors = {"ADWIN": ADWIN(), "DDM": DDM(), "EDDM": EDDM()}
    alarms, _ = run_detectors(detectors, losses, cache=cache)
    committed = pd.read_csv(LEAGUE).set_index(["drift", "detector"])
    for name in detectors:
        found = {group: runs for (key, group), runs in alarms.items() if key == name}
        row = committed.loc[("none", name)]
        for measure in ("false_alarms", "mtfa", "arl0"):
            own = report_on(found, "none").table.loc[measure]
            assert own["detector"] == pytest.approx(row[measure], abs=6e-4), (name, measure)
            assert own["± s.e."] == pytest.approx(row[f"{measure} ± s.e."], abs=6e-4)


# --- the report


@pytest.fixture(scope="module")
def report(cache):
    given = {
        "quick": DDM(drift_threshold=2.5),
        "always": RandomAlarms(1, warmup=1),
        "silent": RandomAlarms(0),
        "broken": Breaks(),
        "none": NoDetector,
    }
    swept = {"parameter": {"quick": "drift_threshold"}, "values": {"quick": [2.5, 3.0]}}
    return detector(given, seeds=[0], jobs=1, cache=cache, **swept)


def test_a_report_has_its_parts(report):
    names = [section.name for section in report.sections]
    assert {"equal_rates_1", "tradeoff_learner", "false_alarms", *KINDS, "failures"} <= set(names)
    assert all(len(report.section(name).alt) > 20 for name in report.figures)
    assert len(report.figures) == 8
    sudden = report.table.set_index(["losses", "at the rate of", "detector"])["ARL1, sudden"]
    alt = report.section("equal_rates_1").alt
    assert f"{INDEPENDENT}: " in alt
    assert f"quick {sudden[INDEPENDENT, 'quick', 'quick']:.0f}" in alt
    assert "always 100000 and 1" in report.section("tradeoff_independent").alt
    assert "quick alarms falsely once in" in report.summary
    assert set(report.table["at the rate of"]) == {"quick", "always", "silent"}


#: Settings, and columns of counts and quantiles, which stand beside an interval.
WITH_INTERVAL = {"value", "changes", "at least", "at most", "median delay [examples]"}
WITH_INTERVAL |= {f"within {t} [%]" for t in (100, 1000, TOLERANCE)} | {"examples per false alarm"}


def test_each_number_of_a_report_has_its_standard_error(report):
    tables = [report.table, *(s.table for s in report.sections if s.table is not None)]
    for table in tables:
        numbers = [c for c in table.select_dtypes("number") if not c.endswith("± s.e.")]
        alone = [c for c in numbers if f"{c} ± s.e." not in table]
        assert set(alone) <= WITH_INTERVAL


def test_what_failed_is_said_and_nothing_else_of_it(report, capsys):
    lines = report.section("failures").table.set_index("what")["why"]
    assert lines["broken"].startswith("KeyError")
    assert "none of update" in lines["none"]
    assert not report.table.isin(["broken", "none"]).any(axis=None)


def test_always_and_never_are_the_two_ends(report):
    rows = report.table[report.table["at the rate of"] == report.table["detector"]]
    rows = rows.set_index(["losses", "detector"])
    for losses in (REAL, INDEPENDENT):
        always, silent = rows.loc[(losses, "always")], rows.loc[(losses, "silent")]
        assert always["examples per false alarm"] == 1
        assert always["ARL1, sudden"] == 1
        assert np.isinf(silent["examples per false alarm"])
        assert np.isinf(silent["ARL1, sudden"])
        assert silent["missed, sudden [%]"] == 100


def test_others_stand_at_the_rate_of_the_detector(report):
    """Up to chance, on losses that they were not calibrated on; or they are out of reach.

    Alarms are counts: each varies by its square root at least, and so does the calibration.
    """
    of = report.table[report.table["at the rate of"] == "quick"].set_index(["losses", "detector"])
    reach = report.verdicts[report.verdicts["question"].str.contains("rate of quick")]
    compared = 0
    for losses, name in of.index:
        verdict = reach[reach["question"].str.contains(losses)]["verdict"].iloc[0]
        if name.startswith("reference") and name not in verdict:
            n = 320_000 if losses == REAL else 80_000  # examples without a change
            own, other = (
                n / of.loc[(losses, key), "examples per false alarm"] for key in ("quick", name)
            )
            assert abs(own - other) <= 4 * np.sqrt(2 * (own + other)), name
            compared += 1
    assert compared >= 6


def test_losses_for_calibration_are_others_than_those_of_the_report(cache):
    held, used = calibration_losses([0, 1], cache=cache), independent_losses([0, 1])
    used |= learner_losses([0, 1], kinds=["none"], moved=True, cache=cache)
    assert {group.kind for group in held} == {"none"}
    for group, runs in held.items():
        assert len(runs) >= 2 * len(used[group])
        assert not any(np.array_equal(a, b) for a, b in product(runs, used[group]))
    more = calibration_losses([1], cache=cache)
    group = Group(INDEPENDENT, "none", "0.2")
    np.testing.assert_array_equal(more[group][0], held[group][len(held[group]) // 2])


def test_a_rate_set_on_other_losses_is_kept_on_fresh_ones_on_average():
    """Page-Hinkley at one alarm in 2000, calibrated on one half of the runs, counted on the other.

    On the half it was calibrated on it has that rate by construction, whatever the luck.
    """
    rng = np.random.default_rng(11)
    family = references.REFERENCES["reference PH (.005)"]
    bounds = family.values[0], family.values[-1]
    ratios = []
    for _ in range(12):
        runs = [(rng.random(20_000) < 0.2).astype(np.uint8) for _ in range(8)]
        fit = fit_on(family.make, 2_000.0, bounds, runs[:4])
        count = sum(family.make(fit.value).alarms(run).size for run in runs[4:])
        ratios.append(count / (80_000 / 2_000))
    error = np.std(ratios, ddof=1) / np.sqrt(len(ratios))
    assert abs(np.mean(ratios) - 1) <= 3 * error
    assert error < 0.1


def test_misses_are_counted_with_their_exact_interval(report):
    rows = report.verdicts.set_index("question")
    row = rows.loc["How many changes does always miss, losses of a learner?"]
    assert row["verdict"] == "none seen"
    assert row["evidence"].startswith("sudden 0 of 4 (0 to 60 % with 95 % confidence)")
    row = rows.loc["How many changes does silent miss, independent losses?"]
    assert row["verdict"] == "6 of 6 sudden ones, no larger share of others"


def test_a_curve_has_a_point_for_each_setting(report):
    for source in ("learner", "independent"):
        table = report.section(f"tradeoff_{source}").table
        own = table[table["detector"] == "quick"]
        assert own["value"].tolist() == [2.5, 3.0]
        rates = own["false alarms per 100000 examples"]
        assert rates.is_monotonic_decreasing
        assert {"always", "silent"} <= set(table["detector"])


def test_the_reports_numbers_are_those_of_detection_report(report, cache):
    losses = independent_losses([0], moved=True)
    alarms, _ = run_detectors({"quick": DDM(drift_threshold=2.5)}, losses, cache=cache)
    found = {g: aligned(runs, shifts_of(g, [0])) for (_, g), runs in alarms.items()}
    row = report.table.set_index(["losses", "at the rate of", "detector"])
    row = row.loc[(INDEPENDENT, "quick", "quick")]
    for kind in KINDS[:3]:
        own = report_on(found, kind)
        assert row[f"ARL1, {kind}"] == own.arl1
        assert row[f"missed, {kind} [%]"] == 100 * own.mdr


def test_arl0_sets_all_detectors_to_one_rate(cache):
    options = {"parameter": "threshold", "values": [2.0, 200.0], "arl0": 3_000.0}
    found = detector({"mine": PageHinkley(0.05, 60)}, seeds=[0], jobs=1, cache=cache, **options)
    own = found.table[found.table["detector"] == "mine"]
    assert np.allclose(own["examples per false alarm"], 3_000, rtol=0.5)  # on fresh losses
    assert own["setting"].nunique() == 2
    assert own["setting"].str.startswith("threshold = ").all()
    assert "arl0=3000.0" in found.call


def test_a_page_is_written(report, tmp_path):
    text = report.to_html(tmp_path / "report.html").read_text()
    assert "quick" in text
    assert text.count("<img") + text.count("<svg") >= 5


@pytest.mark.parametrize(
    ("given", "options", "error", "rule"),
    [
        ({"reference DDM": DDM()}, {}, ValueError, "detectors must not be called"),
        (DDM(), {"arl0": 100.0}, ValueError, "arl0 needs a parameter"),
        (DDM(), {"arl0": 0.5}, ValueError, "arl0 must be"),
        (DDM(), {"seeds": 0}, ValueError, "seeds must"),
        (DDM(), {"seeds": [1, 1]}, ValueError, "seeds must"),
        (DDM(), {"quick": "yes"}, ValueError, "quick must"),
        (NoDetector(), {}, TypeError, r"detectors\['NoDetector'\]"),
    ],
)
def test_wrong_arguments_are_told_before_anything_runs(given, options, error, rule):
    with pytest.raises(error, match=rule):
        detector(given, **options)


def test_the_only_detector_that_fails_is_one_line(cache):
    with pytest.raises(RuntimeError, match="'Breaks'\\]: KeyError: 'its window is lost'") as caught:
        detector(Breaks, seeds=[0], jobs=1, cache=cache)
    assert "\n" not in str(caught.value)


def test_the_detectors_given_are_not_changed(cache):
    mine = Counting(5_000)
    before = dict(vars(mine))
    run_detectors({"mine": mine}, {"a": [np.zeros(100, np.uint8)]}, cache=cache)
    assert vars(mine) == before
