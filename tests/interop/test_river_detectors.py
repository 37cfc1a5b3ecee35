"""Detectors of ours in river, and river's detectors in all that takes a detector of ours."""

from __future__ import annotations

import copy
import inspect
import pickle

import numpy as np
import pytest
from river import base, drift, evaluate, forest, metrics, naive_bayes, tree
from river.checks import common
from river.drift import binary
from river_version import since_25

from repro import TESTBED, learners, prequential
from repro.detectors import (
    ADWIN,
    DDM,
    EDDM,
    ErrorRatio,
    FadingEstimate,
    Monitor,
    PageHinkley,
    RandomAlarms,
    SlidingEstimate,
    as_detector,
    calibrate,
    monitor_all,
    run_lengths,
)
from repro.interop import seeded, to_river
from repro.streams import SEA

OURS = [
    *(DDM(), EDDM(), ADWIN(), PageHinkley(0.05, 15), RandomAlarms(0.01)),
    Monitor(FadingEstimate(0.99), PageHinkley(0.05, 5)),
]
OF_RIVER = [
    kind
    for module in (drift, binary)
    for kind in vars(module).values()
    if inspect.isclass(kind) and hasattr(kind, "update") and hasattr(kind, "drift_detected")
]


@pytest.fixture(scope="module")
def loss():
    rng = np.random.default_rng(3)
    return np.r_[rng.random(1500) < 0.1, rng.random(1500) < 0.5].astype(float)


def levels(detector, values):
    """0, 1 for a warning or 2 for an alarm after each value."""
    found = []
    for value in values:
        assert detector.update(value) is None
        found.append(2 * detector.drift_detected or int(detector.warning_detected))
    return found


# --- ours in river


@pytest.mark.parametrize("detector", OURS, ids=lambda d: type(d).__name__)
def test_each_step_is_that_of_the_compiled_run(detector, loss):
    expected = detector.levels(loss, seed=4).tolist()
    assert 2 in expected
    assert levels(to_river(detector, seed=4), loss) == expected
    assert levels(to_river(detector, seed=4), loss.astype(bool)) == expected


@pytest.mark.parametrize("detector", OURS, ids=lambda d: type(d).__name__)
def test_rivers_own_checks_pass(detector):
    made = to_river(detector)
    checks = ["clone_same_class", "clone_is_idempotent", "mutate_can_be_idempotent", "repr", "str"]
    checks += ["init_has_default_params_for_tests", "init_default_params_are_not_mutable", "doc"]
    for name in checks:
        getattr(common, f"check_{name}")(made)


def test_the_base_class_says_what_a_detector_takes():
    for detector in OURS:
        is_binary = isinstance(detector, DDM | EDDM)
        expected = base.BinaryDriftAndWarningDetector if is_binary else base.DriftAndWarningDetector
        assert isinstance(to_river(detector), expected)


@pytest.mark.parametrize("detector", [DDM(), RandomAlarms(0.01)], ids=repr)
def test_a_clone_starts_afresh_and_a_copy_goes_on_independently(detector, loss):
    made, whole = to_river(detector, seed=2), detector.levels(loss, seed=2).tolist()
    levels(made, loss[:1000])
    copies = copy.deepcopy(made), pickle.loads(pickle.dumps(made))
    assert levels(made, loss[1000:]) == whole[1000:]
    for other in copies:
        assert levels(other, loss[1000:]) == whole[1000:]
    assert levels(made.clone(), loss) == whole
    assert levels(made.clone({"seed": 3}), loss) == detector.levels(loss, seed=3).tolist()


def test_settings_are_parameters_and_the_repr_is_code():
    made = to_river(DDM(warm_start=50), seed=7)
    assert made._get_params() == {"detector": DDM(warm_start=50), "seed": 7}
    assert eval(repr(made))._get_params() == made._get_params()
    used = DDM()
    used.update(1.0)
    assert to_river(used)._get_params() == {"detector": DDM(), "seed": None}


def test_an_evaluation_sets_the_seed_of_a_detector_that_has_none(loss):
    made = to_river(RandomAlarms(0.01))
    assert levels(seeded(made, 5), loss) == RandomAlarms(0.01).levels(loss, 5).tolist()
    assert levels(seeded(to_river(RandomAlarms(0.01), seed=1), 5), loss) == levels(
        to_river(RandomAlarms(0.01), seed=1), loss
    )
    made.update(0.0)
    with pytest.raises(AttributeError, match="seed must be set before the first update"):
        made.seed = 3


@pytest.mark.parametrize(
    "detector", [DDM(), EDDM(), PageHinkley(0.05, 15), ADWIN(0.2)], ids=lambda d: type(d).__name__
)
def test_rivers_retraining_has_the_alarms_of_ours_on_its_losses(detector):
    """The alarms of the compiled detector on the losses that river's classifier made."""
    stream = to_river(TESTBED["NSGT"], seed=1)
    model = drift.DriftRetrainingClassifier(naive_bayes.GaussianNB(), to_river(detector))
    losses, found = [], []
    for i, (x, y) in enumerate(stream):
        if (said := model.predict_one(x)) is None:
            losses.append(0)
        else:
            losses.append(int(said != y))
        model.learn_one(x, y)
        if model.drift_detector.drift_detected:
            found.append(i)
    assert found == (detector.alarms(losses[1:]) + 1).tolist() != []  # no loss at the first example


def test_rivers_retraining_agrees_with_ours_under_the_same_rule():
    """River's DDM is ours with one more loss of warm-up: the same detector in the same classifier.

    River's classifier skips the first example, which has no prediction.
    """
    stream = to_river(TESTBED["NSGT"], seed=1)
    models = [
        drift.DriftRetrainingClassifier(naive_bayes.GaussianNB(), detector)
        for detector in (binary.DDM(), to_river(DDM(warm_start=32)))
    ]
    scores = [evaluate.progressive_val_score(stream, m, metrics.Accuracy()).get() for m in models]
    assert scores[0] == scores[1]


@since_25
def test_rivers_forest_and_tree_take_a_detector_of_ours():
    """And forget the old concept: better than without a drift detector."""
    stream = to_river(TESTBED["NSPC-A"], seed=0)
    alike = {"n_models": 3, "seed": 1}
    ours = forest.ARFClassifier(
        drift_detector=to_river(ADWIN(0.001)), warning_detector=to_river(ADWIN(0.01)), **alike
    )
    never = forest.ARFClassifier(
        drift_detector=drift.NoDrift(), warning_detector=drift.NoDrift(), **alike
    )
    scores = [evaluate.progressive_val_score(stream, m, metrics.Accuracy()) for m in (ours, never)]
    assert scores[0].get() > scores[1].get()
    adaptive = tree.HoeffdingAdaptiveTreeClassifier(drift_detector=to_river(ADWIN()), seed=1)
    x, y = next(iter(stream))
    adaptive.learn_one(x, y)
    assert adaptive.predict_one(x) == y


@pytest.mark.parametrize("x", ["a", None, float("nan"), [1]])
def test_a_value_that_is_no_number_is_refused_and_changes_nothing(x, loss):
    made = to_river(DDM())
    with pytest.raises(ValueError, match=r"x must be (a number|finite); got"):
        made.update(x)
    assert levels(made, loss) == DDM().levels(loss).tolist()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((DDM,), {}, TypeError, "learner must be one of repro.learners, a detector, .*; got .*DDM"),
        ((SEA,), {}, TypeError, "learner must be one of repro.learners, a detector, .*; got .*SEA"),
        ((3,), {}, TypeError, "learner must be one of repro.learners, .*; got 3"),
        ((DDM(), SEA().schema), {}, ValueError, "schema must be None unless a learner is exported"),
        ((DDM(),), {"features": ("a",)}, ValueError, "features must be None unless a learner"),
        ((SEA(),), {"labels": (0, 1)}, ValueError, "labels must be None unless .* got .* for SEA"),
        ((DDM(),), {"seed": -1}, ValueError, "seed must be a whole number >= 0; got -1"),
    ],
)
def test_wrong_arguments_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        to_river(*arguments, **options)


# --- river's in ours


@pytest.mark.parametrize("kind", OF_RIVER, ids=lambda kind: kind.__name__)
def test_a_detector_of_river_comes_back_as_it_was(kind, loss):
    back = to_river(as_detector(kind()), seed=1)
    assert type(back) is kind
    found = []
    for i, value in enumerate(loss):
        back.update(value)
        if back.drift_detected:
            found.append(i)
    assert found == as_detector(kind()).alarms(loss, seed=1).tolist()


#: A parameter of detectors of river and two values: many alarms, few alarms.
SETTINGS = {
    "ADWIN": ("delta", 0.9, 1e-6),
    "PageHinkley": ("threshold", 2.0, 100.0),
    "DDM": ("drift_threshold", 2.0, 20.0),
    "FHDDM": ("confidence_level", 0.5, 1e-9),
    "HDDMA": ("drift_confidence", 0.4, 1e-9),
    "HDDMW": ("drift_confidence", 0.004, 1e-9),
}


@pytest.mark.parametrize("kind", OF_RIVER, ids=lambda kind: kind.__name__)
def test_what_takes_a_detector_takes_each_of_rivers(kind, loss):
    """Each use gives what a loop in Python over river's own detector gives."""
    own = as_detector(kind())
    curve = FadingEstimate(0.99).along(loss)
    assert (
        monitor_all(loss, {"a": FadingEstimate(0.99)}, kind())["a"].tolist()
        == own.alarms(curve).tolist()
    )
    ones = run_lengths(kind(), 1.0, np.random.default_rng(0), 2, limit=400)  # losses are all 1
    first = own.alarms(np.ones(400)) if not _is_random(kind) else None
    if first is not None:
        assert ones.tolist() == [first[0] + 1.0 if first.size else np.inf] * 2
    stream = TESTBED["NSGT"].sample(seed=2, n=4000)
    run = prequential(learners.DriftRetraining(learners.NaiveBayes(), kind()), stream, seed=0)
    if not _is_random(kind):
        assert run.alarms.tolist() == own.alarms(run.loss).tolist()


def _is_random(kind):
    return "seed" in inspect.signature(kind).parameters


@pytest.mark.parametrize(
    "kind",
    [k for k in OF_RIVER if k.__name__.replace("_", "") in SETTINGS],
    ids=lambda k: k.__name__,
)
def test_calibration_finds_a_parameter_of_rivers_detectors(kind):
    name, many, few = SETTINGS[kind.__name__.replace("_", "")]  # HDDM_A till 0.24
    losses = [np.random.default_rng(i).random(3000) < 0.2 for i in range(3)]

    def length(value):
        alarms = sum(
            as_detector(kind(**{name: value})).alarms(x, i).size for i, x in enumerate(losses)
        )
        return 9000 / alarms if alarms else np.inf

    wanted = 2 * length(many)
    bounds = min(many, few), max(many, few)
    found = calibrate(lambda value: kind(**{name: value}), wanted, losses=losses, bounds=bounds)
    assert found.arl0 == length(found.threshold) >= wanted


def test_an_estimate_of_ours_watched_by_a_detector_of_river_goes_to_river(loss):
    monitor = Monitor(SlidingEstimate(50), binary.FHDDM())
    assert levels(to_river(monitor), loss) == monitor.levels(loss).tolist()
    ratio = ErrorRatio(FadingEstimate(0.9), FadingEstimate(0.99))
    monitor = Monitor(ratio, drift.PageHinkley(threshold=5.0))
    assert levels(to_river(monitor), loss) == monitor.levels(loss).tolist()
