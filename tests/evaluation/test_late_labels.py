"""Sweeps with late labels: the runs are those of `prequential` with the same delays."""

from __future__ import annotations

import numpy as np
import pytest

from repro import prequential, seeds
from repro.evaluation import label_waits, late_sweep
from repro.learners import HoeffdingTree, NaiveBayes, TemporallyAugmented
from repro.streams import SEA

STREAMS = {"SEA": SEA(n=800)}
LEARNERS = {"NB": NaiveBayes(), "HT": HoeffdingTree(), "TA": TemporallyAugmented(NaiveBayes())}


def run(tmp_path, **options):
    options = {"measures": {"loss": lambda loss: loss}} | options
    return late_sweep(LEARNERS, STREAMS, 2, cache=tmp_path, **options)


@pytest.mark.parametrize(("delay", "share"), [(0, 1.0), (50, 1.0), (20, 0.3)])
def test_runs_are_those_with_the_same_delays(tmp_path, delay, share):
    table = run(tmp_path, delay=delay, share=share).set_index(["learner", "seed"])
    for name, learner in LEARNERS.items():
        for seed in range(2):
            draw, own = STREAMS["SEA"].sample(seed=seed), seeds.integer(seed, "learner")
            waits = label_waits(len(draw), delay, share, own)
            expected = prequential(learner, draw, own, delay=waits).loss
            assert np.array_equal(table.loc[(name, seed), "loss"], expected)


def test_the_share_of_labels_that_arrive_is_the_wanted_one():
    waits = label_waits(20_000, delay=7, share=0.25, seed=3)
    assert set(waits.tolist()) == {7, 20_000}
    assert label_waits(5, delay=10**30).tolist() == [5] * 5  # never
    assert np.mean(waits == 7) == pytest.approx(0.25, abs=4 * (0.25 * 0.75 / 20_000) ** 0.5)


def test_processes_and_stored_results_give_the_same(tmp_path):
    first = run(tmp_path / "a", delay=30)
    again = run(tmp_path / "a", delay=30, jobs=2)
    there = run(tmp_path / "b", delay=30, jobs=2)
    for other in (again, there):
        assert all(map(np.array_equal, first["loss"], other["loss"]))
    assert not np.array_equal(first["loss"][0], run(tmp_path / "a", delay=31)["loss"][0])


def test_workers_do_not_take_the_draw_of_another_call_for_theirs(tmp_path):
    """The streams differ, their names and seeds do not, and their places in memory may not."""
    for threshold in (4.0, 7.0, 9.0, 12.0):
        both = [
            late_sweep(
                {"NB": NaiveBayes()}, {"s": SEA(threshold, n=300)}, 2, delay=3,
                measures={"loss": lambda loss: loss}, jobs=jobs, cache=tmp_path / str(jobs),
            )["loss"]
            for jobs in (1, 2)
        ]  # fmt: skip
        draw = SEA(threshold, n=300).sample(seed=0)
        own = prequential(NaiveBayes(), draw, seeds.integer(0, "learner"), delay=3).loss
        assert all(np.array_equal(losses[0], own) for losses in both)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"delay": -1}, "delay must be"),
        ({"measures": 3}, "measures must map names to functions; got 3"),
        ({"label_measures": {"a": 1}}, "label_measures must map names to functions"),
        ({"share": 0.0}, r"share must lie in \(0, 1\]"),
        ({"share": 1.5}, r"share must lie in \(0, 1\]"),
    ],
)
def test_wrong_arguments_are_named(tmp_path, options, rule):
    with pytest.raises(ValueError, match=rule):
        run(tmp_path, **options)


class Fails:
    def predict_one(self, x):
        return 0

    def learn_one(self, x, y):
        raise ZeroDivisionError("no")


def test_a_run_that_fails_is_a_row_with_the_reason(tmp_path):
    both = {"bad": Fails(), "good": NaiveBayes()}
    measures = {"error": np.mean}
    table = late_sweep(both, STREAMS, 1, delay=5, measures=measures, cache=tmp_path)
    table = table.set_index("learner")
    assert "ZeroDivisionError: no" in table.loc["bad", "failure"]
    assert np.isnan(table.loc["bad", "error"])
    assert 0 < table.loc["good", "error"] < 0.5
