"""The declared level of the verdicts, by simulation: 5 % of equal numbers differ, and no more."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from repro import published
from repro.published import delays, means
from repro.published.delays import DetectionDelays
from repro.published.means import MeanErrors, TextNumbers
from repro.published.verdict import equivalent, limits, verdicts
from repro.published.words import LIMITED, MORE_RUNS
from repro.seeds import generator
from repro.statistics.differences import Means, spread, spread_of_means

N_CELLS = 3000
RARE = 1e-4  # probability that a correct rule leaves a bound of the tests


def at_most(share: float) -> float:
    """Share of `N_CELLS` that chance exceeds with the probability `RARE`."""
    return float(stats.binom(N_CELLS, share).ppf(1 - RARE)) / N_CELLS


def at_least(share: float) -> float:
    return float(stats.binom(N_CELLS, share).ppf(RARE)) / N_CELLS


def judged_means(
    monkeypatch, n: int, *, decimals: int, deviation: float, effect: float = 0.0, n_runs: int = 10
) -> pd.DataFrame:
    """Cells whose published and reproduced means have the same truth, plus an `effect`."""
    rng = generator(1, "means", f"{n} {decimals}")
    truth = rng.uniform(10, 40, N_CELLS)
    printed = rng.normal(truth, deviation / np.sqrt(n_runs)).round(decimals)
    runs = rng.normal(truth[:, None] + effect, deviation, (N_CELLS, n)) / 100
    wide = pd.DataFrame({"stream": np.arange(N_CELLS), "NB": printed})
    monkeypatch.setattr(means, "read_file", lambda name: wide)
    frame = pd.DataFrame({"stream": np.arange(N_CELLS).repeat(n), "error": runs.ravel()})
    table = MeanErrors("made_up", "stream", 100.0, decimals, n_runs)
    return table.judged(frame.assign(learner="NB"))


def judged_delays(
    monkeypatch,
    n: int = 10,
    *,
    miss: float = 0.0,
    deviations: tuple[float, float] = (50.0, 50.0),
    effect: float = 0.0,
    missed_more: float = 0.0,
) -> pd.DataFrame:
    """Cells of delays with a true share of misses and equal true means, plus an `effect`."""
    rng = generator(1, "delays", f"{n} {miss} {deviations}")
    theirs = rng.normal(500, deviations[0], (N_CELLS, 10))
    theirs[rng.random(theirs.shape) < miss] = np.nan
    ours = rng.normal(500 + effect, deviations[1], (N_CELLS, n))
    ours[rng.random(ours.shape) < miss + missed_more] = np.nan
    given = pd.DataFrame(theirs.T)
    names = {"learner": "MC", "estimator": "prequential"}
    table = pd.DataFrame(
        {
            "stream": np.arange(N_CELLS),
            "delay_mean": given.mean().round(),
            "delay_sd": given.std().round(),
            "runs_missed": given.isna().sum(),
        }
    ).assign(**names)
    monkeypatch.setattr(delays, "read_file", lambda name: table)
    frame = pd.DataFrame({"stream": np.arange(N_CELLS).repeat(n), "delay": ours.ravel()})
    frame = frame.assign(seed=0, false_alarms=0, **names)
    return DetectionDelays("made_up", n_runs=10, step=1.0).judged(frame)


def share_that_differs(cells: pd.DataFrame) -> float:
    assert len(cells) == N_CELLS
    return float((cells["verdict"] == "differs").mean())


@pytest.mark.parametrize("n", [2, 3, 4, 5, 10])
def test_of_equal_means_5_percent_differ(monkeypatch, n):
    cells = judged_means(monkeypatch, n, decimals=2, deviation=0.5)
    assert at_least(0.05) <= share_that_differs(cells) <= at_most(0.05)


@pytest.mark.parametrize("n", [2, 3, 10])
def test_rounding_as_large_as_the_spread_does_not_raise_the_level(monkeypatch, n):
    cells = judged_means(monkeypatch, n, decimals=0, deviation=1.0)
    assert 0.02 <= share_that_differs(cells) <= at_most(0.05)


@pytest.mark.parametrize("deviations", [(50.0, 50.0), (50.0, 150.0), (150.0, 50.0)])
def test_of_equal_delays_5_percent_differ(monkeypatch, deviations):
    cells = judged_delays(monkeypatch, deviations=deviations)
    assert at_least(0.05) <= share_that_differs(cells) <= at_most(0.05)


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("deviations", [(50.0, 50.0), (50.0, 150.0)])
def test_with_few_runs_fewer_differ(monkeypatch, n, deviations):
    """Welch's test lets up to 12 % of them differ."""
    cells = judged_delays(monkeypatch, n, deviations=deviations)
    assert 0.01 <= share_that_differs(cells) <= at_most(0.05)


@pytest.mark.parametrize("miss", [0.05, 0.2, 0.5, 0.9])
def test_misses_and_delays_together_have_the_level(monkeypatch, miss):
    cells = judged_delays(monkeypatch, miss=miss)
    assert (cells["missed"] > 0).mean() > 0.3
    assert share_that_differs(cells) <= at_most(0.05)
    assert miss == 0.9 or share_that_differs(cells) >= 0.025


@pytest.mark.parametrize(("parts", "n"), [(1, 10), (1, 2), (3, 10), (8, 4)])
def test_claims_about_margins_of_0_are_decided_in_5_percent(parts, n):
    rng = generator(2, "claims", f"{parts} {n}")
    found = [published.claim("x", rng.normal(size=(n, parts)), "y").verdict for _ in range(N_CELLS)]
    holds, fails = (np.mean(np.array(found) == word) for word in ("holds", "does not hold"))
    assert holds <= at_most(0.025)
    assert fails <= at_most(0.025)
    assert fails >= at_least(0.025 * 0.8)  # Bonferroni is nearly exact for independent parts


def test_a_claim_with_one_true_and_one_undecided_part_holds_in_2_5_percent():
    """The worst case of the test that all parts have to pass."""
    rng, margins = generator(3, "claims"), np.array([5.0, 0.0])
    found = [
        published.claim("x", margins + rng.normal(size=(10, 2)), "y").verdict
        for _ in range(N_CELLS)
    ]
    assert at_least(0.025) <= np.mean(np.array(found) == "holds") <= at_most(0.025)


def test_a_difference_of_the_resolution_is_seen_in_half_of_the_cells(monkeypatch):
    equal = judged_means(monkeypatch, 10, decimals=2, deviation=0.5)
    effect = equal["resolution"].median()
    cells = judged_means(monkeypatch, 10, decimals=2, deviation=0.5, effect=effect)
    assert 0.45 <= share_that_differs(cells) <= 0.55
    twice = judged_means(monkeypatch, 10, decimals=2, deviation=0.5, effect=2 * effect)
    assert share_that_differs(twice) > 0.95


def test_a_delay_of_the_resolution_is_seen_in_half_of_the_cells(monkeypatch):
    effect = judged_delays(monkeypatch)["resolution"].median()
    assert 0.45 <= share_that_differs(judged_delays(monkeypatch, effect=effect)) <= 0.55


def test_the_resolution_of_missed_runs_is_where_the_verdict_turns(monkeypatch):
    """Of ten runs against ten that missed none, six have to miss."""
    cells = judged_delays(monkeypatch, miss=0.0, missed_more=0.55)
    none = cells[cells["published missed"] == 0]
    assert (none["resolution of missed"] == 6).all()
    assert (none.loc[none["missed"] >= 6, "verdict"] == "differs").all()
    assert (none.loc[none["missed"] < 6, "p of misses"] > 0.025).all()


finite = st.floats(-1e3, 1e3).map(lambda x: round(x, 3))


@given(st.lists(finite, min_size=6, max_size=12), st.lists(finite, min_size=6, max_size=12))
def test_from_six_runs_on_the_rule_is_welchs_test(a, b):
    if np.ptp(a) + np.ptp(b) == 0:
        return
    one, other = (
        Means(*(np.array([v]) for v in (np.mean(x), np.std(x, ddof=1), len(x)))) for x in (a, b)
    )
    found = spread_of_means(one, other)
    low, high = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.95)
    np.testing.assert_allclose(found.resolution, (high - low) / 2, rtol=1e-9)
    p = stats.ttest_ind(a, b, equal_var=False).pvalue
    if abs(p - 0.05) > 1e-9:
        expected = "differs" if p < 0.05 else "agrees"
        assert verdicts(one.mean - other.mean, found.resolution).tolist() == [expected]


@given(st.floats(-4, 4), st.integers(2, 30), st.floats(0.1, 10))
def test_one_known_spread_is_the_test_with_one_standard_error(t, n, deviation):
    """Student's test with n - 1 degrees of freedom, of a mean of n runs against one of 10."""
    one = Means(np.array([0.0]), np.array([np.nan]), np.array([10.0]))
    other = Means(np.array([t]), np.array([deviation]), np.array([float(n)]))
    found = spread_of_means(one, other)
    reach = stats.t(n - 1).isf(0.025) * deviation * np.sqrt(1 / n + 1 / 10)
    np.testing.assert_allclose(found.resolution, reach, rtol=1e-9)


def test_delays_are_judged_as_scipy_does_from_means_and_deviations(monkeypatch):
    cells = judged_delays(monkeypatch, effect=40.0).iloc[:200]
    rounding = 1.0**2 / 12
    p = stats.ttest_ind_from_stats(
        cells["published"],
        cells["published s.e."] * np.sqrt(10),
        10,
        cells["reproduced"],
        cells["s.e."] * np.sqrt(10),
        10,
        equal_var=False,
    ).pvalue
    assert rounding < 0.001 * (cells["s.e. of difference"] ** 2).min()
    clear = abs(p - 0.05) > 0.001
    assert clear.mean() > 0.9
    assert ((p < 0.05) == (cells["verdict"] == "differs"))[clear].all()


def test_exact_numbers_agree_if_and_only_if_they_round_to_the_printed_one():
    found = spread([[0.0]], [[np.inf]], step=0.1)
    assert found.resolution.tolist() == [0.05]
    for number in np.arange(0.2, 0.41, 0.001).round(3):
        rounds = 0.25 <= number <= 0.35  # a tie may be rounded either way
        verdict = verdicts([number - 0.3], found.resolution).item()
        assert verdict == ("agrees" if rounds else "differs"), number


def numbers(monkeypatch, **columns) -> pd.Series:
    """A text's one number 14, printed without decimals, beside ours."""
    printed = {"quantity": ["q"], "section": ["1"], "decimals": [0], "published": [14.0]}
    table = pd.DataFrame(printed).assign(kind="cell")
    monkeypatch.setattr(means, "read_file", lambda name: table)
    frame = pd.DataFrame({"quantity": ["q"], **{name: [v] for name, v in columns.items()}})
    return TextNumbers("made_up").judged(frame).iloc[0]


def test_a_number_of_a_text_may_have_a_standard_error_of_ours(monkeypatch):
    got = numbers(monkeypatch, reproduced=14.6)
    assert (got["verdict"], got["resolution"]) == ("differs", 0.5)
    got = numbers(monkeypatch, **{"reproduced": 14.6, "s.e.": 0.1})
    by_hand = np.sqrt((1.959964 * 0.1) ** 2 + 1.959964**2 / 12)
    assert got["resolution"] == pytest.approx(by_hand, rel=1e-6)
    assert got["verdict"] == "agrees" if by_hand >= 0.6 else "differs"
    got = numbers(monkeypatch, **{"reproduced": 15.0, "s.e.": 0.2, "df": 1.0})
    assert got["resolution"] == pytest.approx(np.hypot(12.7062 * 0.2, 1.959964 / 12**0.5), rel=1e-4)
    assert got["verdict"] == "too coarse to tell"
    assert numbers(monkeypatch, reproduced=np.nan)["verdict"] == "not run"


def test_ten_random_permutations_of_equal_draws_give_5_percent(monkeypatch):
    """The same twenty draws of each cell, ten of them taken as published."""
    rng, share = generator(4, "permutations"), []
    draws = rng.normal(20, 1, (300, 20))
    table = MeanErrors("made_up", "stream", 100.0, 2, 10)
    for _ in range(10):
        theirs, ours = np.split(rng.permuted(draws, axis=1), 2, axis=1)
        wide = pd.DataFrame({"stream": np.arange(300), "NB": theirs.mean(axis=1).round(2)})
        monkeypatch.setattr(means, "read_file", lambda name, wide=wide: wide)
        frame = pd.DataFrame({"stream": np.arange(300).repeat(10), "error": ours.ravel() / 100})
        share.append((table.judged(frame.assign(learner="NB"))["verdict"] == "differs").mean())
    assert np.mean(share) == pytest.approx(0.05, abs=2 * np.sqrt(0.05 * 0.95 / 3000))


@pytest.mark.parametrize("miss", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_p_values_of_delays_misses_and_false_alarms_keep_every_level(monkeypatch, miss, level):
    """Holm's correction asks for levels below 5 %."""
    cells = judged_delays(monkeypatch, miss=miss)
    assert (cells["p"] <= level).mean() <= at_most(level)
    assert ((cells["p"] <= 0.05) == (cells["verdict"] == "differs")).all()


def test_a_true_difference_of_the_margin_is_called_equivalent_in_5_percent():
    """Two one-sided tests: of published 10 the margin is 1; standard error .2 of 9 runs."""
    rng, n = generator(3, "equivalence"), N_CELLS
    error = 0.2 * np.sqrt(rng.chisquare(9, n) / 9)
    found = spread([error**2], [np.full(n, 9.0)])
    for truth, least, most in ((1.0, 0.03, at_most(0.05)), (0.0, 0.95, 1.0), (1.5, 0.0, 0.02)):
        shown = equivalent(np.full(n, 10.0), rng.normal(truth, 0.2, n), found)
        assert least <= shown.mean() <= most


def test_an_exact_number_that_rounds_to_the_published_one_is_equivalent():
    exact = spread([[0.0, 0.0]], [[np.inf, np.inf]], step=0.01)
    assert equivalent([0.5, 0.5], [0.004, 0.2], exact).tolist() == [True, False]


def test_the_reason_of_a_coarse_cell_says_whose_runs_limit_it():
    wide, narrow = (spread([[v, v, v]], [[np.inf] * 3]) for v in (1.0, 1e-6))
    published = np.array([10.0, 100.0, 10.0])
    assert limits(published, wide, narrow).tolist() == [MORE_RUNS, "", MORE_RUNS]
    assert limits(published, wide, wide).tolist() == [LIMITED, "", LIMITED]
    assert limits(published, narrow, narrow).tolist() == ["", "", ""]
