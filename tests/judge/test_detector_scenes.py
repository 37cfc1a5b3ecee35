"""What a report on detectors says of detectors whose truth is known: nothing false."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from repro import judge
from repro.detectors import ADWIN, PageHinkley
from repro.detectors.recorded import Fit
from repro.judge._detector import verdicts
from repro.judge._detector.losses import AT, AT_REAL, FALL, INDEPENDENT, REAL
from repro.judge._detector.results import Key, Rate, Row, Study

SOURCES = REAL, INDEPENDENT
long = pytest.mark.long  # the report of a detector in Python takes minutes


class Knows:
    """Alarms at the places where changes would be if each run had them there."""

    def __init__(self) -> None:
        self.t, self.drift_detected = 0, False

    def update(self, x):
        self.drift_detected = self.t in (AT, AT_REAL)
        self.t += 1


class Late:
    """ADWIN that tells its alarms some examples later."""

    def __init__(self, wait: int = 400) -> None:
        self.wait, self.inner = wait, ADWIN(0.002).online()
        self.waiting: deque[bool] = deque([False] * wait)
        self.drift_detected = False

    def update(self, x):
        self.inner.update(x)
        self.waiting.append(bool(self.inner.drift_detected))
        self.drift_detected = self.waiting.popleft()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    given = {"knows": Knows(), "late": Late(), "same": ADWIN(0.002), "rises": PageHinkley(0.05, 40)}
    cache = tmp_path_factory.mktemp("scenes")
    return judge.detector(given, seeds=range(2), jobs=2, cache=cache, budget=1e9, quick=True)


def answer(report, start: str, end: str = "") -> tuple[str, str]:
    asked = report.verdicts["question"]
    rows = report.verdicts[asked.str.startswith(start) & asked.str.endswith(end)]
    return rows.iloc[0]["verdict"], rows.iloc[0]["evidence"]


@long
def test_one_that_knows_where_changes_used_to_be_gains_nothing(report):
    for source in SOURCES:
        verdict, _ = answer(report, "Is knows better than random", f"{source}?")
        assert verdict != "yes"
        row = report.table.query("detector == 'knows' and losses == @source").iloc[0]
        assert row["ARL1, sudden"] > 100
    verdict, _ = answer(report, "How many changes does knows miss", f"{INDEPENDENT}?")
    assert verdict.endswith("no larger share of others")


@long
def test_a_detector_is_not_told_from_itself(report):
    for source in SOURCES:
        for kind in ("sudden", "gradual", "incremental"):
            verdict, _ = answer(report, f"Does same detect {kind}", f"{source}?")
            assert "reference ADWIN" not in verdict.partition("cannot be told from")[0], kind


@long
def test_a_detector_that_waits_is_not_called_sooner(report):
    verdict, evidence = answer(report, "Does late detect sudden", f"{REAL}?")
    told = verdict.partition("sooner than")[2].partition("later than")[0]
    assert "reference ADWIN" not in told.partition("cannot be told")[0]
    assert float(evidence.partition("reference ADWIN ")[2].split(" ±")[0]) > 200


@long
def test_who_looks_at_rises_only_does_not_alarm_at_falls(report):
    assert answer(report, "Does rises, as given, alarm when")[0] == "not more than by chance"
    assert answer(report, "Does same, as given, alarm when")[0] == "yes"
    assert FALL not in report.section("each").table["kind"].tolist()


def test_alarms_after_falls_that_prove_nothing_are_not_called_chance():
    rng, chance = np.random.default_rng(0), 0.3
    said = {
        share: [verdicts.falls_answer(int(k), 10, chance) for k in rng.binomial(10, share, 2000)]
        for share in (0.1, 0.3, 0.5, 0.95)
    }
    assert said[0.3].count("yes") <= 0.025 * 2000
    assert said[0.95].count("yes") > 0.9 * 2000
    assert verdicts.falls_answer(5, 10, chance) == verdicts.UNDECIDED
    assert verdicts.falls_answer(3, 10, chance) == "not more than by chance"
    assert said[0.95].count("not more than by chance") == 0


@long
def test_calibration_stands_in_full_and_reaches_what_it_says(report):
    table = report.section("calibration").table
    rows = table[table["reached"].eq(True) & np.isfinite(table["examples per false alarm"])]
    assert len(rows) > 30
    wanted = table[table["detector"].str.endswith(", as given")].set_index(
        ["losses", "at the rate of", "stream or error rate"]
    )
    for row in rows.to_dict("records"):
        own = wanted.loc[(row["losses"], row["at the rate of"], row["stream or error rate"])]
        assert row["at least"] <= row["examples per false alarm"] <= row["at most"]
        if own["examples per false alarm"] < 50_000:
            ratio = row["examples per false alarm"] / own["examples per false alarm"]
            assert 0.6 < ratio < 1.6
    assert table["value"].dropna().map(lambda v: float(repr(v)) == v).all()


def test_a_slow_detector_gets_fewer_seeds_or_is_left_out(monkeypatch, capsys):
    from repro.judge._detector import budget
    from repro.judge._detector.inputs import as_given

    given, _ = as_given({"slow": ADWIN()}, None, ())
    monkeypatch.setattr(budget, "seconds_for", lambda detector: 1e-5)  # 33 seconds for a seed
    assert budget.within(1000, given, list(range(10))) == (list(range(10)), {})
    used, lost = budget.within(100, given, list(range(10)))
    assert (used, lost) == ([0, 1, 2], {})
    assert "slow needs about 33 CPU seconds for a seed" in capsys.readouterr().err
    used, lost = budget.within(50, given, list(range(10)))
    assert lost == {"slow": "it needs about 66 CPU seconds for 2 seeds, and budget is 50"}


@pytest.mark.parametrize("own_is_set", [False, True])
def test_the_error_of_a_comparison_holds_that_of_both_rates(own_is_set, monkeypatch):
    """Log rates counted on k alarms have the variance 1 / k, times the size of clusters."""
    monkeypatch.setattr(verdicts, "slope", lambda study, row: 10.0)
    levels = {"a": (4, 6), "b": (0, 20)}  # alarms of two runs: independent, and one cluster of 20
    rates = {(REAL, "mine", level): Rate(counts, 1000) for level, counts in levels.items()}
    row = Row(REAL, "mine", "other")
    fits = {Key(*row, level): Fit(1.0, 100.0, (5, 5)) for level in levels}
    if own_is_set:
        own = Row(REAL, "mine", "mine")
        fits |= {Key(*own, level): Fit(1.0, 100.0, (10, 10)) for level in levels}
    study = Study({}, {}, {}, fits, rates, None, {}, {}, {})
    of_mine = 1 / 20 + 1 / 20 if own_is_set else 1 / 10 + 20 / 20
    expected = 10 * ((of_mine + 1 / 10 + 1 / 10) / 2**2) ** 0.5
    assert verdicts._error_of_rates(study, row) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("alarms", "wanted", "bounded"),
    [((0, 0), None, True), ((0, 2), None, False), ((0, 0), 500.0, False)],
)
def test_a_rate_is_only_bounded_where_no_alarm_was_counted_and_none_was_asked_for(
    alarms, wanted, bounded
):
    rates = {(REAL, "mine", "a"): Rate(alarms, 1000), (REAL, "other", "a"): Rate((0,), 1000)}
    study = Study({}, {}, {}, {}, rates, wanted, {}, {}, {})
    assert verdicts._is_bounded_only(study, Row(REAL, "mine", "ADWIN")) is bounded


def test_no_alarm_says_at_most_how_often_one_comes():
    low, high = Rate((0, 0), 1000).interval()
    assert high == float("inf")
    assert np.exp(-1000 / low) == pytest.approx(0.025)
