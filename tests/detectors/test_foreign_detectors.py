"""Detectors of other libraries and of users: one adapter for all that takes a detector."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from opinions import second_opinion
from river import drift
from river.drift import binary

from repro import TESTBED, learners, prequential, sweep
from repro.detectors import (
    ADWIN,
    DDM,
    FadingEstimate,
    ForeignDetector,
    Monitor,
    PageHinkley,
    as_detector,
    calibrate,
    monitor_all,
    run_lengths,
)

HDDMS = [cls for name, cls in vars(binary).items() if name.startswith("HDDM")]  # A, W; _ till 0.24
OF_RIVER = [
    *(drift.ADWIN, drift.PageHinkley, drift.NoDrift, binary.DDM, binary.EDDM),
    *(binary.FHDDM, *HDDMS),
]


@pytest.fixture(scope="module")
def loss():
    rng = np.random.default_rng(3)
    return np.r_[rng.random(1500) < 0.1, rng.random(1500) < 0.5].astype(float)


class OfMOA:
    """MOA's names: `input` and `getChange`. It alarms at each 500th value."""

    def __init__(self):
        self.n = 0

    def input(self, value):
        self.n += 1

    def getChange(self):
        return self.n % 500 == 0


class OfMultiflow:
    """The names of scikit-multiflow and CapyMOA; it warns at the value before an alarm."""

    def __init__(self):
        self.n = 0

    def add_element(self, value):
        self.n += 1

    def detected_change(self):
        return self.n % 500 == 0

    def detected_warning_zone(self):
        return self.n % 500 == 499


class Latched:
    """A detector that stays in the alarm until it is reset, as those of frouros."""

    __module__ = "frouros.detectors"

    def __init__(self):
        self.reset()

    def reset(self):
        self.n, self.drift = 0, False

    def update(self, value):
        self.n += 1
        self.drift = self.n >= 500


@second_opinion("river", "detectors.as_detector detectors.ForeignDetector")
@pytest.mark.parametrize("kind", OF_RIVER, ids=lambda kind: kind.__name__)
def test_alarms_are_those_of_rivers_own_loop(kind, loss):
    theirs, expected = kind(), []
    for i, value in enumerate(loss):
        theirs.update(value)
        if theirs.drift_detected:
            expected.append(i)
    assert as_detector(kind).alarms(loss).tolist() == expected
    assert as_detector(kind()).alarms(loss).tolist() == expected


@pytest.mark.parametrize("kind", [OfMOA, OfMultiflow, Latched])
def test_the_names_of_other_libraries_are_known(kind, loss):
    detector = as_detector(kind())
    assert detector.alarms(loss).tolist() == [499, 999, 1499, 1999, 2499, 2999]
    online = detector.online()
    warned = []
    for i, value in enumerate(loss[:600]):
        online.update(value)
        assert online.drift_detected == (i == 499)
        if online.warning_detected:
            warned.append(i)
    assert warned == ([498] if kind is OfMultiflow else [])


def test_a_run_leaves_the_model_as_it_was(loss):
    model = binary.DDM()
    detector = as_detector(model)
    first = detector.alarms(loss).tolist()
    assert first == detector.alarms(loss).tolist() != []
    assert model._p.n == 0


def test_seeds_decide_detectors_that_draw(loss):
    runs = [as_detector(drift.KSWIN(alpha=0.01)).alarms(loss, seed).tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert as_detector(drift.DummyDriftDetector()).alarms(loss, 1).size > 0


def test_what_takes_a_detector_takes_one_of_river(loss):
    faded, theirs = FadingEstimate(0.99), drift.PageHinkley(min_instances=1, threshold=20)
    curve = faded.along(loss)
    expected = as_detector(theirs).alarms(curve).tolist()
    assert expected
    assert monitor_all(loss, {"faded": faded}, theirs)["faded"].tolist() == expected
    assert Monitor(faded, theirs).alarms(loss).tolist() == expected


def test_run_lengths_of_a_detector_that_counts():
    lengths = run_lengths(OfMOA(), 0.2, np.random.default_rng(0), 5)
    assert lengths.tolist() == [500.0] * 5
    assert np.isinf(run_lengths(drift.NoDrift(), 0.2, np.random.default_rng(0), 2, limit=50)).all()


@pytest.mark.parametrize("base", [learners.NaiveBayes(), learners.HoeffdingTree(leaf="mc")])
def test_retraining_with_the_same_rule_in_python_and_compiled_is_the_same(base):
    """Page-Hinkley of this package, called through the adapter from Python."""
    stream = TESTBED["NSGT"].sample(seed=2)
    ours = PageHinkley(delta=0.05, threshold=15)

    class Wrapped:
        def __init__(self):
            self.online = ours.online()

        def update(self, value):
            self.online.update(value)

        @property
        def drift_detected(self):
            return self.online.drift_detected

    compiled = prequential(learners.DriftRetraining(base, ours), stream)
    called = prequential(learners.DriftRetraining(base, Wrapped()), stream)
    assert compiled.alarms.tolist() == called.alarms.tolist() != []
    assert compiled.y_pred.tolist() == called.y_pred.tolist()
    assert np.isnan(called.state_bytes)
    online = learners.DriftRetraining(base, Wrapped()).online(stream.schema)
    for i in range(300):
        assert online.predict_one(stream.X[i]) == compiled.y_pred[i]
        online.learn_one(stream.X[i], int(stream.y[i]))


def test_warnings_of_another_library_train_the_replacement():
    """River's DDM has our DDM's rule with one more value of warm-up."""
    stream = TESTBED["NSPC-A"].sample(seed=0)
    tree = learners.NaiveBayes()
    theirs = prequential(learners.DriftRetraining(tree, binary.DDM()), stream)
    ours = prequential(learners.DriftRetraining(tree, DDM()), stream)
    assert abs(theirs.error - ours.error) < 0.02


def test_a_sweep_stores_runs_with_a_detector_of_river(tmp_path):
    def table(threshold, seeds=(0,)):
        given = binary.DDM(drift_threshold=threshold)
        learner = learners.DriftRetraining(learners.NaiveBayes(), given)
        streams = {"NSGT": TESTBED["NSGT"]}
        return sweep({"R": learner}, streams, seeds, cache=tmp_path)["error"][0]

    first = table(3.0)
    assert len(list(tmp_path.rglob("*.run"))) == 1
    assert table(3.0) == first
    assert len(list(tmp_path.rglob("*.run"))) == 1
    table(2.5)
    assert len(list(tmp_path.rglob("*.run"))) == 2


def test_an_ensemble_refuses_members_that_are_called_from_python():
    members = learners.DriftRetraining(learners.NaiveBayes(), binary.DDM())
    with pytest.raises(TypeError, match="base must be compiled, without a detector of another lib"):
        prequential(learners.OzaBag(members), TESTBED["NSGT"].sample(n=10))


def test_copies_and_pickles_of_an_online_detector_are_independent(loss):
    online = as_detector(binary.DDM()).online()
    for value in loss[:1500]:
        online.update(value)
    for other in (copy.deepcopy(online), pickle.loads(pickle.dumps(online))):
        at = [i for i, value in enumerate(loss[1500:]) if other.update(value) or _alarmed(other)]
        assert at
    assert not online.drift_detected
    assert np.isnan(online.state_bytes)


def _alarmed(online):
    return online.drift_detected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "model must have update.* got 3, which has none of update"),
        (drift.ADWIN.update, "which has none of update"),
        (type("A", (), {"update": print})(), "which has none of drift_detected"),
        (type("B", (), {"__init__": lambda self, a: None}), "a class without arguments; got B"),
    ],
)
def test_other_objects_are_refused(given, message):
    with pytest.raises(TypeError, match=message):
        as_detector(given)
    with pytest.raises(ValueError, match="detector must be a Detector, such as DDM"):
        run_lengths(given, 0.1, np.random.default_rng(0), 2)
    with pytest.raises(TypeError, match="detector must be a Detector, such as DDM"):
        learners.DriftRetraining(learners.NaiveBayes(), given)


def test_an_alarm_that_is_no_truth_value_is_refused():
    wrong = type("Wrong", (), {"update": lambda self, x: None, "drift_detected": "yes"})
    with pytest.raises(ValueError, match=r"detector.drift_detected must be True or False; got 'y"):
        as_detector(wrong).alarms([0, 1])


def test_an_error_in_the_middle_says_at_which_value():
    class Broken:
        drift_detected, n = False, 0

        def update(self, x):
            self.n += 1
            if self.n == 51:
                raise KeyError("oops")

    with pytest.raises(KeyError) as caught:
        as_detector(Broken()).alarms([0] * 100)
    assert caught.value.__notes__ == ["at value 50"]
    stream = TESTBED["NSGT"].sample(n=100)
    with pytest.raises(KeyError):
        prequential(learners.DriftRetraining(learners.NaiveBayes(), Broken()), stream)


def test_detectors_of_ours_stay_as_they_are():
    assert as_detector(DDM) == DDM()
    own = ADWIN()
    assert as_detector(own) is own
    assert as_detector(own.online()) == own
    model = binary.DDM()
    assert as_detector(model) == ForeignDetector(model)
    assert hash(as_detector(model)) == hash(ForeignDetector(model))


# --- calibration on losses that were recorded


@pytest.fixture(scope="module")
def losses():
    rng = np.random.default_rng(11)
    return [(rng.random(20_000) < 0.2).astype(float) for _ in range(6)]


@second_opinion("simulation", "detectors.calibrate")
@pytest.mark.parametrize(
    ("make", "bounds"),
    [
        (lambda h: PageHinkley(0.05, h), (1.0, 100.0)),
        (lambda k: DDM(drift_threshold=k), (2.0, 20.0)),  # no trick such as drift_threshold=2+h
        (ADWIN, (1e-6, 0.9)),  # a level: the run length falls with it
    ],
)
def test_the_parameter_gives_the_wanted_rate_on_the_losses(make, bounds, losses):
    found = calibrate(make, 4000, losses=losses, bounds=bounds)
    counted = sum(make(found.threshold).alarms(run).size for run in losses)
    assert found.arl0 == 120_000 / counted
    assert found.arl0 >= 4000
    assert bounds[0] <= found.threshold <= bounds[1]
    nearby = [found.threshold * factor for factor in (0.99, 1.01)]
    rates = [120_000 / sum(make(v).alarms(run).size for run in losses) for v in nearby]
    assert min(rates) <= 4000 * 1.1
    assert found.arl0_standard_error > 0


def test_recorded_and_simulated_losses_give_the_same_threshold(losses):
    """Independent losses; after an alarm the detector restarts, so both are mean run lengths."""
    make = lambda h: PageHinkley(0.05, h)  # noqa: E731
    recorded = calibrate(make, 2000, losses=losses, bounds=(1, 100))
    simulated = calibrate(make, 2000, 0.2, np.random.default_rng(0), 1000)
    error = np.hypot(recorded.threshold_standard_error, simulated.threshold_standard_error)
    assert abs(recorded.threshold - simulated.threshold) < 4 * error


def test_a_rate_that_is_not_reached_says_what_is(losses):
    with pytest.raises(ValueError, match=r"arl0 must lie in \d.*, which the bounds reach; got 1e"):
        calibrate(lambda h: PageHinkley(0.05, h), 1e6, losses=losses, bounds=(1, 5))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"losses": []}, "losses must hold at least one sequence; got none"),
        ({"losses": [[0, float("nan")]]}, "losses must"),
        (
            {"losses": [[0, 1]], "error": 0.1},
            "losses must be given without error and rng; got both",
        ),
        ({"losses": [[0, 1]], "bounds": (2, 1)}, r"bounds must be .*; got \(2, 1\)"),
        ({"losses": [[0, 1]], "bounds": 3}, "bounds must be the least and the largest"),
        ({}, "error must"),
    ],
)
def test_wrong_arguments_of_calibrate_are_refused(options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        calibrate(PageHinkley, 100, **options)
