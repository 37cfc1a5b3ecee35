"""The set-ups of the papers against the published tables, whose rows and columns they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from repro import TESTBED, detectors, learners, papers, prequential, published, streams

SETUP = papers.drift_detection
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_the_learners_of_the_testbed_are_the_columns_of_table_3():
    columns = set(published.read("testbed_table3")["learner"])
    assert set(papers.testbed.LEARNERS) == columns | {"DWM rescaled"}


def test_the_two_forms_of_dwm_differ_in_one_step():
    dwm, rescaled = (papers.testbed.LEARNERS[name] for name in ("DWM", "DWM rescaled"))
    assert (dwm.rescale, rescaled.rescale) == (False, True)
    assert rescaled == learners.DynamicWeightedMajority(dwm.base)


@pytest.mark.parametrize("name", papers.testbed.LEARNERS)
def test_every_learner_of_the_testbed_runs_on_it(name):
    run = prequential(papers.testbed.LEARNERS[name], TESTBED["NSGT"].sample(seed=1, n=300))
    assert run.loss.mean() < 0.2


@pytest.mark.parametrize(
    ("table", "estimates"),
    [("estimators_table2", SETUP.PLAIN), ("estimators_table3", SETUP.RATIOS)],
)
def test_estimates_streams_and_learners_are_those_of_the_tables(table, estimates):
    cells = published.read(table)
    assert set(estimates) == set(cells["estimator"])
    assert set(SETUP.STREAMS) == set(cells["stream"])
    assert set(SETUP.LEARNERS) == set(cells["learner"])


def test_a_name_says_what_an_estimate_forgets():
    assert SETUP.ESTIMATES["alpha=0.9985"] == detectors.FadingEstimate(0.9985)
    assert SETUP.ESTIMATES["window=4000"] == detectors.SlidingEstimate(4000)
    ratio = SETUP.ESTIMATES["window=1000 / window=5000"]
    assert (ratio.short, ratio.long) == tuple(map(detectors.SlidingEstimate, (1000, 5000)))
    assert detectors.ErrorRatio() == SETUP.ESTIMATES["alpha=0.9970 / alpha=0.9990"]


@pytest.mark.parametrize("name", SETUP.STREAMS)
def test_each_stream_changes_once_and_ends_32000_examples_later(name):
    stream = SETUP.STREAMS[name]
    assert (stream.at, stream.sample(seed=0).drifts) == ((SETUP.CHANGE[name],),) * 2
    assert stream.n == SETUP.CHANGE[name] + SETUP.AFTER


def test_the_first_tree_is_the_same_in_all_runs_and_the_second_is_not():
    first, second = SETUP.PAIRS["RT"]
    assert first == streams.RandomTree(model_seed=1, java=True)
    assert second.drawn(0) != second.drawn(1)
    assert second.drawn(0).java


@pytest.mark.parametrize("name", SETUP.LEAGUE)
def test_the_league_changes_where_its_drifts_say(name):
    kind, stream = name.split(", ")[0], SETUP.LEAGUE[name]
    assert stream.n == 2 * SETUP.AFTER
    if kind == "none":
        assert (stream.at, SETUP.DRIFTS[kind]) == ((), [])
    elif kind == "sudden":
        assert list(stream.at) == SETUP.DRIFTS[kind]
    else:
        ((start, stop),) = SETUP.DRIFTS[kind]
        shares = stream.shares([start, SETUP.AFTER, stop])
        assert shares[:, 1] == pytest.approx([0.02, 0.5, 0.98], abs=0.01)


def test_settings_of_the_test_reach_every_detector_that_has_them():
    given = SETUP.detectors(delta=0.2, threshold=7.0)
    tests = [getattr(found, "detector", found) for name, found in given.items() if "PH" in name]
    assert tests == [detectors.PageHinkley(0.2, 7.0)] * 6
    assert SETUP.detectors() == SETUP.DETECTORS
    assert SETUP.DETECTORS["PH on the losses"] == SETUP.PAGE_HINKLEY
    families = SETUP.tradeoff(delta=0.2)
    tests = [getattr(x, "detector", x) for name in families if "PH" in name for x in families[name]]
    assert {test.delta for test in tests} == {0.2}


@pytest.mark.parametrize("family", SETUP.TRADEOFF)
def test_settings_of_a_family_go_from_many_false_alarms_to_few(family):
    loss = prequential(learners.NaiveBayes(), streams.SEA().sample(seed=0, n=20_000)).loss
    counts = [detector.alarms(loss).size for detector in SETUP.TRADEOFF[family]]
    assert counts == sorted(counts, reverse=True)
