"""Detection report: cases by hand, Markov chains with exact run lengths, random alarms."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions import second_opinion

from repro import seeds
from repro.detectors import RandomAlarms
from repro.metrics import detection_report

COUNTS = ["detected", "missed", "false_alarms", "repeated"]
RATIOS = ["mtd", "mdr", "mtfa", "mtr", "arl0", "arl1"]


def counts(report):
    return tuple(getattr(report, name) for name in COUNTS)


# --- by hand


def test_a_run_by_hand():
    """150 and 700 are false; 420 detects the drift at 400, 430 repeats; 800 is missed."""
    report = detection_report([150, 420, 430, 700], [400, 800], 1000, tolerance=100)
    assert counts(report) == (1, 1, 2, 1)
    assert report.mtd == 20.0
    assert report.mdr == 0.5
    watched = 1000 - 101 - 101
    assert report.mtfa == watched / 2
    assert report.mtr == pytest.approx(watched / 2 / 20 * 0.5)
    assert report.arl0 == 151
    assert report.arl1 == 21 + 101
    np.testing.assert_array_equal(report.delays, [[20, np.nan]])


@pytest.mark.parametrize(
    ("alarm", "tolerance", "expected"),
    [
        (399, 10, (0, 1, 1, 0)),
        (400, 0, (1, 0, 0, 0)),
        (401, 0, (0, 1, 1, 0)),
        (410, 10, (1, 0, 0, 0)),
        (411, 10, (0, 1, 1, 0)),
        (999, None, (1, 0, 0, 0)),
    ],
)
def test_the_edges_of_a_sudden_drift(alarm, tolerance, expected):
    report = detection_report([alarm], [400], 1000, tolerance=tolerance)
    assert counts(report) == expected
    assert report.mtd == alarm - 400 if expected[0] else np.isnan(report.mtd)


@pytest.mark.parametrize(
    ("alarms", "tolerance", "expected"),
    [
        ([300, 350, 399], 0, (1, 0, 0, 2)),
        ([299, 300, 400], 0, (1, 0, 2, 0)),
        ([400], 0, (0, 1, 1, 0)),
        ([405, 406], 10, (1, 0, 0, 1)),
        ([300, 405], 10, (1, 0, 0, 1)),
        ([300, 409, 410], 10, (1, 0, 1, 1)),
        ([410], 10, (0, 1, 1, 0)),
    ],
)
def test_the_edges_of_a_gradual_drift_and_alarms_while_it_lasts(alarms, tolerance, expected):
    """(300, 400) lasts from 300 to 399."""
    assert counts(detection_report(alarms, [(300, 400)], 1000, tolerance=tolerance)) == expected


def test_a_sudden_drift_is_a_gradual_one_of_one_example():
    alarms = [100, 400, 401, 640]
    one, other = (detection_report(alarms, [d], 1000, tolerance=5) for d in (400, (400, 401)))
    pd.testing.assert_frame_equal(one.table, other.table)


def test_no_detection_waits_beyond_the_next_drift():
    report = detection_report([650], [400, 600], 1000, tolerance=500)
    np.testing.assert_array_equal(report.delays, [[np.nan, 50]])
    assert report.arl1 == 200 + 51


def test_recall_counts_drifts_and_not_alarms():
    """Ten alarms at one of two drifts are one detection and nine repetitions."""
    report = detection_report(list(range(400, 410)), [400, 800], 1000, tolerance=50)
    assert report.mdr == 0.5
    assert counts(report) == (1, 1, 0, 9)


def test_a_miss_does_not_count_as_a_delay_of_0():
    some = detection_report([[450], []], [400], 1000, tolerance=100)
    assert some.mtd == 50.0
    assert some.arl1 == 51 + 101
    none = detection_report([], [400], 1000)
    assert np.isnan([none.mtd, none.mtr, *none.delays[0]]).all()
    assert (none.mdr, none.mtfa, none.arl0, none.arl1) == (1.0, np.inf, np.inf, np.inf)


def test_without_drifts_there_are_only_false_alarms():
    report = detection_report([99, 299], [], 1000)
    assert counts(report) == (0, 0, 2, 0)
    assert (report.mtfa, report.arl0) == (500.0, 100.0)
    assert np.isnan([report.mtd, report.mdr, report.mtr, report.arl1]).all()
    assert report.delays.shape == (1, 0)


# --- by a slow definition


def slow_counts(alarms, drifts, n, tolerance):
    """Count alarm by alarm, as the docstring says."""
    drifts = [d if isinstance(d, tuple) else (d, d + 1) for d in drifts]
    delays, false, repeated = [np.nan] * len(drifts), 0, 0
    for alarm in alarms:
        begun = [i for i, (start, _) in enumerate(drifts) if start <= alarm]
        last = begun[-1] if begun else None
        if last is None:
            false += 1
            continue
        start, end = drifts[last]
        in_time = tolerance is None or alarm < end + tolerance
        if np.isnan(delays[last]) and in_time:
            delays[last] = alarm - start
        elif in_time:
            repeated += 1
        else:
            false += 1
    missed = int(np.isnan(delays).sum())
    return len(drifts) - missed, missed, false, repeated, delays


@st.composite
def situations(draw):
    edges = sorted(draw(st.sets(st.integers(1, 60), max_size=6)))
    drifts = list(zip(edges[::2], edges[1::2], strict=False))
    drifts = [d[0] if draw(st.booleans()) else d for d in drifts]
    alarms = sorted(draw(st.sets(st.integers(0, 60), max_size=30)))
    return alarms, drifts, draw(st.none() | st.integers(0, 30))


@second_opinion("brute force", "metrics.detection_report")
@given(situations())
def test_counts_and_delays_are_those_of_the_slow_definition(situation):
    alarms, drifts, tolerance = situation
    report = detection_report(alarms, drifts, 61, tolerance=tolerance)
    *expected, delays = slow_counts(alarms, drifts, 61, tolerance)
    assert counts(report) == tuple(expected)
    np.testing.assert_array_equal(report.delays, [delays])
    assert sum(counts(report)) - report.missed == len(alarms)


@second_opinion("brute force", "metrics.detection_report")
@given(situations())
def test_mtfa_counts_the_examples_at_which_an_alarm_is_false(situation):
    alarms, drifts, tolerance = situation
    report = detection_report(alarms, drifts, 61, tolerance=tolerance)

    def false(given):
        return slow_counts(given, drifts, 61, tolerance)[2]

    watched = sum(false([t]) for t in range(61))
    expected = watched / report.false_alarms if report.false_alarms else np.inf
    np.testing.assert_allclose(report.mtfa, expected if watched else np.nan)


# --- references


def test_the_references_alarm_always_and_never():
    n, drifts, tolerance = 1000, [200, (400, 500)], 50
    report = detection_report([210, 420, 900], drifts, n, tolerance=tolerance)
    for name, alarms in (("always", np.arange(n)), ("never", [])):
        expected = detection_report(alarms, drifts, n, tolerance=tolerance)
        column = report.table[name]
        assert column[COUNTS].tolist() == list(counts(expected))
        np.testing.assert_array_equal(column[RATIOS], expected.table["detector"][RATIOS])
    assert report.table.loc["mtd", "always"] == 0.0
    assert report.table.loc["mtr", "always"] == np.inf
    assert report.table.loc["mdr", "never"] == 1.0


@pytest.mark.parametrize("drifts", [[], [6], [(2, 5)], [2, (4, 8)]], ids=str)
@pytest.mark.parametrize("tolerance", [None, 0, 1])
def test_the_random_reference_is_exact(drifts, tolerance):
    """All 2^8 sets of alarms on eight examples, each with its probability."""
    n, p, expected, delays = 8, 0.25, np.zeros(4), np.zeros(2)
    for alarmed in itertools.product([False, True], repeat=n):
        alarms = np.flatnonzero(alarmed)
        weight = p**alarms.size * (1 - p) ** (n - alarms.size)
        got = detection_report(alarms, drifts, n, tolerance=tolerance)
        expected += weight * np.array(counts(got))
        delays += weight * np.array([np.nansum(got.delays), got.detected])
    # A detector that alarms at two of eight examples has the rate p.
    random = detection_report([0, 1], drifts, n, tolerance=tolerance).table["random"]
    np.testing.assert_allclose(random[COUNTS], expected, atol=1e-12)
    np.testing.assert_allclose(random[["mtfa", "arl0"]], 1 / p)
    if drifts:
        assert random["mtd"] == pytest.approx(delays[0] / delays[1])
        assert random["arl1"] == pytest.approx(1 / p)


def test_alarms_without_memory_have_run_lengths_of_one_over_p():
    p, n, drifts = 0.01, 3000, [1000, (2000, 2200)]
    detector = RandomAlarms(p, warmup=1)
    runs = [detector.alarms(np.zeros(n), seed=seed) for seed in range(600)]
    table = detection_report(runs, drifts, n, tolerance=300).table
    values, errors = table["detector"], table["± s.e."]
    for measure in ("mtfa", "arl0", "arl1"):
        assert abs(values[measure] - 1 / p) < 4 * errors[measure]
    assert (abs(values - table["random"]) < 4 * errors).all()


# --- exact run lengths of detectors whose statistic is a Markov chain


def cusum_alarms(loss, up, threshold):
    """S <- max(0, S + up) after an error, max(0, S - 1) otherwise; alarm and restart at S >= h."""
    s, alarms = 0, []
    for i, x in enumerate(loss):
        s = max(0, s + (up if x else -1))
        if s >= threshold:
            alarms.append(i)
            s = 0
    return alarms


def cusum_run_length(p, up, threshold):
    """Mean run length from S = 0: (I - Q)^-1 1 over the states below the threshold."""
    Q = np.zeros((threshold, threshold))
    for s in range(threshold):
        Q[s, max(0, s - 1)] += 1 - p
        if s + up < threshold:
            Q[s, s + up] += p
    return np.linalg.solve(np.eye(threshold) - Q, np.ones(threshold))[0]


@second_opinion("closed form", "metrics.detection_report")
def test_run_lengths_without_and_at_a_drift_are_those_of_the_markov_chain():
    """Page's CUSUM on Bernoulli losses; it restarts at the drift."""
    up, threshold, n, drift = 3, 12, 6000, 3000
    exact0, exact1 = (cusum_run_length(p, up, threshold) for p in (0.2, 0.5))
    assert exact0 > 8 * exact1
    runs = []
    for rng in seeds.spawn(4, 500):
        before, after = cusum_alarms(rng.random(drift) < 0.2, up, threshold), []
        after = cusum_alarms(rng.random(n - drift) < 0.5, up, threshold)
        runs.append([*before, *(drift + np.array(after))])
    report = detection_report(runs, [drift], n)
    table = report.table
    assert abs(report.arl0 - exact0) < 4 * table.loc["arl0", "± s.e."]
    assert abs(report.arl1 - exact1) < 4 * table.loc["arl1", "± s.e."]
    assert report.mtd == pytest.approx(report.arl1 - 1)
    assert report.missed == 0


def test_alarms_after_r_losses_in_a_row_have_the_closed_form():
    """(1 - p^r) / ((1 - p) p^r) examples."""
    p, r, runs = 0.4, 4, []
    for rng in seeds.spawn(5, 300):
        row, alarms = 0, []
        for i, x in enumerate(rng.random(5000) < p):
            row = row + 1 if x else 0
            if row == r:
                alarms.append(i)
                row = 0
        runs.append(alarms)
    table = detection_report(runs, [], 5000).table
    exact = (1 - p**r) / ((1 - p) * p**r)
    for measure in ("arl0", "mtfa"):
        assert abs(table.loc[measure, "detector"] - exact) < 4 * table.loc[measure, "± s.e."]


# --- over runs


def test_over_runs_the_sums_are_divided_and_not_the_ratios_averaged():
    runs = {"quick": [410, 810], "slow": [490], "blind": []}
    report = detection_report(runs, [400, 800], 1000, tolerance=100)
    assert report.mtd == (10 + 10 + 90) / 3
    assert report.mdr == 3 / 6
    assert report.runs.index.tolist() == list(runs)
    for name, run in runs.items():
        alone = detection_report(run, [400, 800], 1000, tolerance=100)
        expected = [getattr(alone, key) for key in COUNTS + RATIOS]
        np.testing.assert_array_equal(report.runs.loc[name].astype(float), expected)
    assert report.delays.shape == (3, 2)
    assert report.table.loc["detected", "detector"] == 1.0


def test_the_standard_error_is_the_jackknife_over_runs():
    runs = [[410, 950], [455], [430, 600, 700]]
    table = detection_report(runs, [400], 1000).table
    left_out = [
        detection_report(runs[:i] + runs[i + 1 :], [400], 1000).table["detector"] for i in range(3)
    ]
    with np.errstate(invalid="ignore"):
        expected = np.sqrt(2 * np.var(left_out, axis=0))
    known = np.isfinite(expected)
    assert known.sum() >= 6
    np.testing.assert_allclose(table["± s.e."][known], expected[known], atol=1e-12)
    mean_error = np.std([10, 55, 30], ddof=1) / np.sqrt(3)
    assert table.loc["mtd", "± s.e."] == pytest.approx(mean_error)
    assert detection_report(runs[0], [400], 1000).table["± s.e."].isna().all()


def test_one_run_may_be_given_alone_or_in_a_list():
    alone, listed = (detection_report(a, [5], 10) for a in ([6], [[6]]))
    pd.testing.assert_frame_equal(alone.table, listed.table)
    assert len(detection_report([[], []], [5], 10).runs) == 2
    assert len(detection_report(np.zeros((0,)), [5], 10).runs) == 1
    assert "detected=1, missed=0" in repr(alone)


# --- arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([5, 3], [], 10), r"alarms must be increasing indices in 0..9, .*; got 3 at index 1"),
        (([3, 3], [], 10), r"alarms must be increasing .*; got 3 at index 1"),
        (([10], [], 10), r"alarms must be .* in 0..9, .*; got 10 at index 0"),
        (([-1], [], 10), r"alarms must be .*; got -1 at index 0"),
        (([1.5], [], 10), r"alarms must be .*; got dtype float64 of shape \(1,\)"),
        (([np.nan], [], 10), r"alarms must be .*; got dtype float64"),
        (([True, False], [], 10), r"alarms must be .*; got dtype bool"),
        (([[1], 2], [], 10), r"alarms must be .*; got \[\[1\], 2\]"),
        (([[1], [5, 3]], [], 10), r"alarms must be .*; got 3 at index 1"),
        (({}, [], 10), "alarms must hold at least one run; got none"),
        (([], [10], 10), r"drifts must be positions in 1..9 or .*; got \[10\]"),
        (([], [0], 10), r"drifts must be .*; got \[0\]"),
        (([], [5, 3], 10), r"drifts must be .* in order and apart; got \[5, 3\]"),
        (([], [(3, 6), 5], 10), r"drifts must be .*; got \[\(3, 6\), 5\]"),
        (([], [(3, 3)], 10), r"drifts must be .*; got \[\(3, 3\)\]"),
        (([], [(3, 11)], 10), r"drifts must be .* end <= 10, .*; got \[\(3, 11\)\]"),
        (([], [(3, 4, 5)], 10), r"drifts must be .*; got \[\(3, 4, 5\)\]"),
        (([], [2.5], 10), r"drifts must be .*; got \[2.5\]"),
        (([], [2**63], 10), r"drifts must be .*; got \[9223372036854775808\]"),
        (([], [None], 10), r"drifts must be .*; got \[None\]"),
        (([], ["a", (1, "b")], 10), r"drifts must be .*; got \['a', \(1, 'b'\)\]"),
        (([], [True], 10), r"drifts must be .*; got \[True\]"),
        (([], 5, 10), "drifts must be .*; got 5"),
        (([], None, 10), "drifts must be .*; got None"),
        (([2**63], [], 10), r"alarms must be .*; got 9223372036854775808 at index 0"),
        (("abc", [], 10), "alarms must be .*; got dtype <U1"),
        (([], [], 0), "n must be a whole number >= 1; got 0"),
        (([], [], 2**70), "n must be at most 9007199254740992; got"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        detection_report(*arguments)


def test_drifts_may_be_arrays_and_the_tolerance_unlimited():
    one = detection_report([6, 9], [3, (5, 8)], 10)
    for drifts in (np.array([[3, 4], [5, 8]]), [np.int8(3), np.array([5, 8])]):
        pd.testing.assert_frame_equal(detection_report([6, 9], drifts, 10).table, one.table)
    endless = detection_report([6, 9], [3, (5, 8)], 10, tolerance=2**70)
    pd.testing.assert_frame_equal(endless.table, one.table)


def test_an_invalid_tolerance_is_refused():
    with pytest.raises(ValueError, match="tolerance must be a whole number >= 0; got -1"):
        detection_report([], [5], 10, tolerance=-1)
