"""Ensembles and wrappers against slow versions in Python, made of online learners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from opinions import second_opinion

from repro import detectors, learners, prequential
from repro.kernels import random
from repro.learners import (
    DriftRetraining,
    DynamicWeightedMajority,
    HoeffdingTree,
    LeveragingBag,
    LinearSVM,
    Majority,
    NaiveBayes,
    OzaBag,
    OzaBagAdwin,
)
from repro.streams import Stream


def flipping(n: int = 1200, period: int = 300, seed: int = 0) -> Stream:
    """Two numeric attributes and a nominal one; the concept is reversed each `period`."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    meaning = (y + np.arange(n) // period) % 3
    X = np.column_stack(
        [rng.normal(meaning), rng.normal(size=n), (meaning + rng.integers(0, 2, n)) % 3]
    )
    return Stream(X, y, [0, 0, 3])


STREAM = flipping()
BASES = [NaiveBayes(), HoeffdingTree(grace_period=25, delta=0.05, tau=0.2)]
every_base = pytest.mark.parametrize("base", BASES, ids=lambda base: type(base).__name__)


def shares_of(model, x):
    """Votes of a member as compiled ensembles see them: zeros where it has none."""
    learners.OnlineLearner.predict_one(model, x)
    return model._votes.copy()


# --- bagging


@second_opinion("brute force", "learners.OzaBag learners.LeveragingBag")
@every_base
@pytest.mark.parametrize("rate", [1.0, 6.0])
def test_bagging_equals_members_that_learn_with_poisson_weights(base, rate):
    bag = OzaBag(base, n_members=3) if rate == 1 else LeveragingBag(base, 3, rate, delta=1e-12)
    run = prequential(bag, STREAM, seed=11)
    assert run.alarms.size == 0 or rate > 1
    end = min([*run.alarms, len(STREAM)])  # the comparison ends at the first replacement
    members = [base.online(STREAM.schema) for _ in range(3)]
    rng, table = random.start(11, "bagging"), random.poisson_table(rate)
    for i, (x, y) in enumerate(zip(STREAM.X[:end], STREAM.y[:end], strict=True)):
        votes = [shares_of(member, x) for member in members]
        together = sum(v / v.sum() for v in votes if v.sum() > 0)
        if np.sum(together) > 0:
            np.testing.assert_allclose(run.proba[i], together / together.sum(), rtol=1e-9)
        for member in members:
            member.learn_one(x, y, weight=random.poisson(rng, table))


@second_opinion("brute force", "learners.OzaBagAdwin learners.LeveragingBag")
@every_base
def test_with_adwin_the_worst_member_restarts_when_an_error_rises(base):
    bag = OzaBagAdwin(base, n_members=3, delta=0.3)
    run = prequential(bag, STREAM, seed=5)
    members = [base.online(STREAM.schema) for _ in range(3)]
    windows = [detectors.ADWIN(0.3) for _ in members]
    rng, table, alarms = random.start(5, "bagging"), random.poisson_table(1.0), []
    for i, (x, y) in enumerate(zip(STREAM.X, STREAM.y, strict=True)):
        votes = [shares_of(member, x) for member in members]
        together = np.sum([v / v.sum() for v in votes if v.sum() > 0] or [np.ones(3)], axis=0)
        assert run.y_pred[i] == together.round(12).argmax() or len(set(together.round(9))) < 3
        rose = False
        for member, window in zip(members, windows, strict=True):
            member.learn_one(x, y, weight=random.poisson(rng, table))
            before = window.mean
            window.update(float(member.predict_one(x) != y))
            rose |= window.drift_detected and window.mean > before
        if rose:
            worst = int(np.argmax([window.mean for window in windows]))
            members[worst], windows[worst] = base.online(STREAM.schema), detectors.ADWIN(0.3)
            alarms.append(i)
    assert run.alarms.tolist() == alarms
    assert alarms or base == BASES[0]


def test_members_that_are_random_themselves_differ():
    inner = OzaBag(Majority(), n_members=1)
    state = OzaBag(inner, n_members=4).start(STREAM.schema, seed=1)
    assert len(np.unique(state.members.rng)) == 4
    assert state.fresh.rng[0] not in state.members.rng


def test_equal_seeds_give_equal_runs_and_others_differ():
    one, again, other = (prequential(OzaBag(BASES[1], 3), STREAM, seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.proba, again.proba)
    assert (one.proba != other.proba).any()


def test_an_ensemble_counts_its_members_and_their_parts():
    online = OzaBagAdwin(BASES[1], n_members=3, delta=0.3).online(STREAM.schema)
    single = BASES[1].online(STREAM.schema)
    for x, y in zip(STREAM.X, STREAM.y, strict=True):
        online.learn_one(x, y)
        single.learn_one(x, y)
    assert online.counts["members"] == 3
    assert online.counts["replaced"] > 0
    assert online.counts["nodes"] >= 3
    assert 3 * single.state_bytes / 10 < online.state_bytes < 30 * single.state_bytes


# --- dynamic weighted majority


@second_opinion("brute force", "learners.DynamicWeightedMajority")
@pytest.mark.parametrize(("base", "period"), [(NaiveBayes(), 1), (LinearSVM(), 7)], ids=str)
def test_dynamic_weighted_majority_equals_the_papers_algorithm(base, period):
    """Kolter and Maloof (2007), Fig. 1, line by line."""
    run = prequential(DynamicWeightedMajority(base, period=period), STREAM)
    experts, weights = [base.online(STREAM.schema)], [1.0]
    for i, (x, y) in enumerate(zip(STREAM.X, STREAM.y, strict=True), start=1):
        local = [expert.predict_one(x) for expert in experts]
        assert run.y_pred[i - 1] == np.bincount(local, weights, minlength=3).argmax()
        if i % period == 0:
            weights = [
                w * (0.5 if vote != y else 1) for w, vote in zip(weights, local, strict=True)
            ]
            together = np.bincount(local, weights, minlength=3).argmax()
            weights = [w / max(weights) for w in weights]
            kept = [j for j, w in enumerate(weights) if w >= 0.01]
            experts, weights = [experts[j] for j in kept], [weights[j] for j in kept]
            if together != y:
                experts.append(base.online(STREAM.schema))
                weights.append(1.0)
        for expert in experts:
            expert.learn_one(x, y)
        assert len(experts) <= 100


def test_the_lightest_expert_is_replaced_when_all_slots_are_in_use():
    online = DynamicWeightedMajority(NaiveBayes(), period=1, theta=1e-9, max_members=4)
    online = online.online(STREAM.schema)
    for x, y in zip(STREAM.X, STREAM.y, strict=True):
        online.learn_one(x, y)
        assert online.counts["members"] <= 4
    assert online.counts["created"] > 4
    used = online.state.order[: online.counts["members"]]
    assert sorted(online.state.order) == [0, 1, 2, 3]
    assert online.state.weights[used].max() == 1.0


# --- retraining


@second_opinion("brute force", "learners.DriftRetraining")
@pytest.mark.parametrize(
    ("base", "detector"),
    [
        (NaiveBayes(), detectors.DDM(warm_start=10)),
        (LinearSVM(), detectors.EDDM(warm_start=5)),
        (BASES[1], detectors.ADWIN(0.1)),
        (NaiveBayes(), detectors.PageHinkley(delta=0.01, threshold=3.0)),
    ],
    ids=str,
)
def test_retraining_replaces_the_learner_at_alarms_of_the_detector(base, detector):
    run = prequential(DriftRetraining(base, detector), STREAM)
    watching = type(detector)(**vars(detector))
    used, waiting, alarms = base.online(STREAM.schema), base.online(STREAM.schema), []
    for i, (x, y) in enumerate(zip(STREAM.X, STREAM.y, strict=True)):
        assert run.y_pred[i] == used.predict_one(x)
        watching.update(float(used.predict_one(x) != y))
        if watching.warning_detected:
            waiting.learn_one(x, y)
        else:
            if watching.drift_detected:
                used = waiting
                alarms.append(i)
            waiting = base.online(STREAM.schema)
        used.learn_one(x, y)
    assert run.alarms.tolist() == alarms
    assert alarms or isinstance(detector, detectors.PageHinkley)


def test_random_alarms_come_at_their_rate_and_never_within_the_warm_up():
    stream = flipping(30_000)
    for p in (0.01, 0.2, 1.0):
        alarms = prequential(
            DriftRetraining(Majority(), detectors.RandomAlarms(p)), stream, seed=3
        ).alarms
        gaps = np.diff(alarms)
        assert gaps.min() >= 30
        expected = 29 + 1 / p  # a geometric waiting time after the warm-up
        assert gaps.mean() == pytest.approx(expected, abs=4 * gaps.std() / len(gaps) ** 0.5 + 1e-9)


# --- invalid bases and detectors


@pytest.mark.parametrize("wrapper", [OzaBag, OzaBagAdwin, LeveragingBag, DynamicWeightedMajority])
def test_a_base_must_be_a_learner_with_kernels(wrapper):
    with pytest.raises(TypeError, match=r"base must be an instance of .*Learner; got NaiveBayes"):
        wrapper(NaiveBayes)
    with pytest.raises(TypeError, match=r"base must be .*Learner; got TemporallyAugmented"):
        wrapper(learners.TemporallyAugmented(NaiveBayes()))


def test_an_unsupported_detector_is_refused():
    with pytest.raises(TypeError, match=r"detector must be .* such as DDM\(\); got 'DDM'"):
        DriftRetraining(NaiveBayes(), "DDM")


def test_bad_settings_are_refused():
    for make, message in (
        (lambda: OzaBag(NaiveBayes(), n_members=0), "n_members must be a whole number >= 1; got 0"),
        (lambda: OzaBagAdwin(NaiveBayes(), delta=0), r"delta must lie in \(0, 1\); got 0"),
        (lambda: LeveragingBag(NaiveBayes(), rate=0), "rate must be finite and > 0; got 0"),
        (
            lambda: DynamicWeightedMajority(NaiveBayes(), beta=2),
            r"beta must lie in \(0, 1\]; got 2",
        ),
        (lambda: DynamicWeightedMajority(NaiveBayes(), period=0), "period must be a whole number"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


# A learner that compiles fast, and whose predictions depend on each weight it was given.
SMALL = LinearSVM(learning_rate=0.1)
NESTED = [
    OzaBag(DriftRetraining(SMALL, detectors.DDM()), 2),
    OzaBag(OzaBag(SMALL, 2), 2),
    DriftRetraining(OzaBag(SMALL, 2), detectors.DDM()),
    DriftRetraining(DriftRetraining(SMALL, detectors.DDM()), detectors.DDM()),
    OzaBag(DynamicWeightedMajority(SMALL, period=3, max_members=5), 2),
]
# What the kernels do as plain Python, in a process without a compiler.
UNCOMPILED = """
import json
from test_ensembles import NESTED, STREAM
from repro import prequential
start = STREAM.take(range(300))
print(json.dumps([prequential(learner, start, seed=1).y_pred.tolist() for learner in NESTED]))
"""


@pytest.fixture(scope="module")
def uncompiled():
    here = Path(__file__).parent
    paths = [str(here.parent), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", UNCOMPILED],
        cwd=here,
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    NESTED,
    ids=lambda learner: f"{type(learner).__name__} of {type(learner.base).__name__}",
)
def test_learners_within_learners_within_learners(learner, uncompiled):
    """An ensemble takes a wrapper, a wrapper takes an ensemble, and each takes its own kind."""
    run = prequential(learner, STREAM.take(range(300)), seed=1)
    assert run.y_pred.tolist() == uncompiled[NESTED.index(learner)]
