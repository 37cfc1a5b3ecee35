"""Detectors against slow definitions and river; every detector against the contract."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opinions import second_opinion
from river import drift

from repro import registry
from repro.detectors import (
    ADWIN,
    CONTROL,
    DDM,
    DRIFT,
    EDDM,
    WARNING,
    Detector,
    FadingEstimate,
    Monitor,
    PageHinkley,
    RandomAlarms,
    adwin,
    ddm,
    eddm,
    page_hinkley,
)
from repro.detectors.detector import update
from repro.kernels.compiling import compiled
from repro.kernels.states import copy_into, member, stacked

pytestmark = pytest.mark.contract

OTHER = {"PageHinkley": PageHinkley(threshold=10.0), "RandomAlarms": RandomAlarms(0.02)}
WATCHED = [one for one in (registry.detectors() | OTHER).values() if not isinstance(one, Monitor)]
DETECTORS = sorted(WATCHED, key=lambda one: isinstance(one, RandomAlarms))
every_detector = pytest.mark.parametrize("detector", DETECTORS, ids=lambda d: type(d).__name__)
every_that_looks = pytest.mark.parametrize(
    "detector", DETECTORS[:-1], ids=lambda d: type(d).__name__
)

RNG = np.random.default_rng(20070426)
STEPS = np.repeat([0.1, 0.5, 0.2, 0.2, 0.9], 700)  # error rates
LOSS = (RNG.random(STEPS.size) < STEPS).astype(float)
BINARY = (drift.binary.DDM, drift.binary.EDDM)
JUMP = np.r_[np.zeros(500), np.ones(500)]


@st.composite
def changing_losses(draw):
    """0/1 losses whose rate changes a few times."""
    parts = draw(st.lists(st.tuples(st.integers(1, 250), st.floats(0, 1)), min_size=1, max_size=5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return np.concatenate([rng.random(n) < p for n, p in parts]).astype(float)


@st.composite
def changing_numbers(draw):
    """Numbers whose mean changes a few times."""
    part = st.tuples(st.integers(1, 250), st.floats(-5, 5), st.sampled_from([0.01, 0.1, 1.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    parts = draw(st.lists(part, min_size=1, max_size=5))
    return np.concatenate([rng.normal(mean, deviation, n) for n, mean, deviation in parts])


def online_levels(detector, x):
    levels = []
    for value in x:
        assert detector.update(value) is None
        assert not (detector.drift_detected and detector.warning_detected)
        levels.append(
            DRIFT if detector.drift_detected else WARNING if detector.warning_detected else CONTROL
        )
    return levels


def river_levels(detector, x):
    levels = []
    for value in x:
        detector.update(bool(value) if isinstance(detector, BINARY) else value)
        warned = getattr(detector, "warning_detected", False)
        levels.append(DRIFT if detector.drift_detected else WARNING if warned else CONTROL)
    return levels


# --- the contract of every detector


@second_opinion("array form", "detectors.OnlineDetector")
@every_detector
@given(x=changing_losses())
@settings(max_examples=25)
def test_online_and_array_forms_agree(detector, x):
    detector.reset()
    assert online_levels(detector, x) == detector.levels(x).tolist()


@every_detector
def test_alarms_are_the_indices_of_drifts(detector):
    levels = detector.levels(LOSS)
    assert levels.dtype == np.int8
    assert set(levels) <= {CONTROL, WARNING, DRIFT}
    alarms = detector.alarms(LOSS)
    assert alarms.tolist() == [i for i, level in enumerate(levels) if level == DRIFT]
    assert alarms.size > 1


@second_opinion(
    "online form",
    "detectors.adwin detectors.ddm detectors.eddm detectors.page_hinkley",
)
@pytest.mark.parametrize(
    ("function", "detector"),
    [
        (adwin, ADWIN()),
        (lambda x: adwin(x, 0.2), ADWIN(delta=0.2)),
        (ddm, DDM()),
        (eddm, EDDM()),
        (page_hinkley, PageHinkley()),
        (lambda x: page_hinkley(x, 0.1, 20.0), PageHinkley(delta=0.1, threshold=20.0)),
    ],
)
def test_functions_give_the_alarms_of_the_class(function, detector):
    assert function(LOSS).tolist() == detector.alarms(LOSS).tolist() != []


@every_that_looks
def test_silent_before_a_jump_and_one_alarm_after_it(detector):
    """ADWIN drops the old values step by step, so it may alarm several times."""
    first, *more = detector.alarms(JUMP)
    assert 500 <= first < 550
    assert more == ([543, 607] if isinstance(detector, ADWIN) else [])


@every_that_looks
@pytest.mark.parametrize("value", [0.0, 1.0, 0.3])
def test_a_constant_never_alarms(detector, value):
    assert not detector.levels(np.full(20_000, value)).any()


@every_detector
def test_reset_forgets_everything(detector):
    detector.reset()
    first = online_levels(detector, LOSS[:2000])
    assert DRIFT in first
    detector.reset()
    assert not detector.drift_detected
    assert not detector.warning_detected
    assert online_levels(detector, LOSS[:2000]) == first


@every_detector
def test_runs_on_arrays_do_not_change_the_state_online(detector):
    detector.reset()
    half = LOSS.size // 2
    begin = online_levels(detector, LOSS[:half])
    detector.alarms(JUMP)
    assert begin + online_levels(detector, LOSS[half:]) == detector.levels(LOSS).tolist()


@every_detector
def test_the_state_does_not_grow(detector):
    detector.reset()
    before = detector.state_bytes
    online_levels(detector, LOSS)
    assert detector.state_bytes == before <= 3200


@every_detector
@pytest.mark.parametrize("again", [copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))])
def test_a_copy_continues_from_the_state_of_the_original(detector, again):
    half = LOSS.size // 2
    detector.reset()
    online_levels(detector, LOSS[:half])
    other = again(detector)
    assert other == detector
    assert type(detector)(**settings_of(detector)) != detector
    assert hash(other) == hash(detector)
    rest = online_levels(other, LOSS[half:])
    assert rest == detector.levels(LOSS)[half:].tolist()
    assert rest == online_levels(detector, LOSS[half:])  # which the other did not touch


def test_detectors_are_equal_by_their_settings_and_what_they_have_seen():
    used, other = DDM(), DDM()
    online_levels(used, LOSS[:250])
    assert used != other
    online_levels(other, LOSS[:249])
    assert used != other
    online_levels(other, LOSS[249:250])
    assert used == other
    assert used != DDM(warm_start=31)
    assert len({hash(d) for d in (used, DDM(), DDM(drift_threshold=4.0))}) == 2
    used.reset()
    assert used == DDM()
    assert DDM() != EDDM()
    assert RandomAlarms(0.1) == RandomAlarms(0.1)


def test_detectors_of_yours_with_different_values_seen_differ_too():
    """The comparison made by `@dataclass` would compare the settings alone."""

    @dataclasses.dataclass(frozen=True)
    class Mine(Detector):
        k: int = 1

        def start(self, seed=0):
            return DDM().start()

    used = Mine()
    used.update(1.0)
    assert Mine() == Mine(1) != Mine(2)
    assert used != Mine()
    assert hash(used) == hash(Mine())


def test_a_number_that_is_not_known_yet_is_equal_to_itself():
    @dataclasses.dataclass(frozen=True)
    class Mine(Detector):
        def start(self, seed=0):
            return DDM().start()._replace(lowest=np.array([np.nan, 0.0]))

    assert Mine().online() == Mine().online()


@every_detector
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, dataclasses.replace])
def test_updates_of_a_copy_do_not_change_the_original(detector, again):
    detector.reset()
    online_levels(detector, LOSS[:1000])
    kept, other = copy.deepcopy(detector), again(detector)
    online_levels(other, LOSS[1000:1250])
    assert detector == kept != other
    assert online_levels(detector, LOSS[1000:]) == detector.levels(LOSS)[1000:].tolist()
    assert dataclasses.replace(detector) == type(detector)(**settings_of(detector))


def settings_of(detector):
    return {f.name: getattr(detector, f.name) for f in dataclasses.fields(detector)}


@every_detector
def test_an_online_object_is_its_detector_one_value_at_a_time(detector):
    detector.reset()
    online, other = detector.online(), detector.online()
    assert online_levels(online, LOSS) == detector.levels(LOSS).tolist()
    assert detector == type(detector)(**settings_of(detector))  # which saw nothing of it
    assert online != other
    online_levels(other, LOSS)
    assert online == other == copy.copy(copy.deepcopy(online))
    assert online.state_bytes == detector.state_bytes
    assert repr(online) == f"{detector!r}.online()"
    online.reset()
    assert online == detector.online()
    assert not online.drift_detected
    assert not online.warning_detected
    with pytest.raises(AttributeError, match="'OnlineDetector' object has no attribute 'sttistic'"):
        online.sttistic  # noqa: B018
    with pytest.raises(TypeError, match="unhashable"):
        hash(online)


def test_the_readings_of_an_online_object_are_those_of_the_description():
    for detector, names in [
        (PageHinkley(threshold=10.0), ["statistic"]),
        (ADWIN(), ["mean", "width"]),
        (DDM(), []),
    ]:
        online = detector.online()
        for value in LOSS[:999]:
            online.update(value)
            detector.update(value)
        assert list(online.readings) == names
        for name in names:
            assert getattr(online, name) == online.readings[name] == getattr(detector, name)
    watching = Monitor(FadingEstimate(), PageHinkley()).online()
    watching.update(1.0)
    assert watching.statistic == 0.0


@pytest.mark.parametrize(
    "detector",
    [
        DDM(warm_start=2**70),
        EDDM(warm_start=2**70),
        ADWIN(clock=2**70),
        ADWIN(grace_period=2**70, min_window_length=2**64),
        RandomAlarms(1.0, warmup=2**63),
    ],
    ids=repr,
)
def test_a_minimum_beyond_all_values_never_alarms(detector):
    assert not detector.levels(LOSS).any()


@compiled
def run_stack(states, X, restarts, blank, levels):
    """Run each row of `X` (m, n) on a member of its own; reset members after `restarts` values."""
    for i in range(X.shape[1]):
        for m in range(X.shape[0]):
            one = member(states, m)
            if restarts[m] == i:
                copy_into(one, blank)
            levels[m, i] = update(one, X[m, i])


@every_detector
def test_members_of_a_stack_behave_like_single_states(detector):
    """Also in compiled code, and if one of them is reset in between."""
    X = np.array([LOSS[:1500], 1 - LOSS[:1500], LOSS[-1500:]])
    seeds, restarts = range(3), np.array([-1, 700, -1])
    states = stacked([detector.start(seed) for seed in seeds])
    levels = np.empty(X.shape, np.int8)
    run_stack(states, X, restarts, detector.start(9), levels)
    for m in (0, 2):
        np.testing.assert_array_equal(levels[m], detector.levels(X[m], m))
    np.testing.assert_array_equal(levels[1, :700], detector.levels(X[1, :700], 1))
    np.testing.assert_array_equal(levels[1, 700:], detector.levels(X[1, 700:], 9))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ADWIN(delta=0), r"delta must lie in \(0, 1\); got 0"),
        (lambda: ADWIN(delta=1.0), r"delta must lie in \(0, 1\); got 1.0"),
        (lambda: ADWIN(clock=0), "clock must be a whole number >= 1; got 0"),
        (lambda: ADWIN(max_buckets=1), "max_buckets must be a whole number >= 2; got 1"),
        (lambda: ADWIN(max_buckets=101), "max_buckets must be at most 100; got 101"),
        (lambda: ADWIN(min_window_length=0), "min_window_length must be a whole number >= 1"),
        (lambda: ADWIN(grace_period=2.5), "grace_period must be a whole number >= 1; got 2.5"),
        (lambda: DDM(warm_start=0), "warm_start must be a whole number >= 1; got 0"),
        (lambda: DDM(warning_threshold=0), "warning_threshold must be finite and > 0; got 0"),
        (
            lambda: DDM(warning_threshold=3, drift_threshold=2),
            "drift_threshold must be finite and >= 3; got 2",
        ),
        (lambda: EDDM(warning_threshold=1.5), r"warning_threshold must lie in \(0, 1\]; got 1.5"),
        (lambda: EDDM(drift_threshold=0), r"drift_threshold must lie in \(0, 1\]; got 0"),
        (
            lambda: EDDM(drift_threshold=0.97),
            "drift_threshold must be at most warning_threshold.*, 0.95; got 0.97",
        ),
        (lambda: EDDM(warm_start=True), "warm_start must be a whole number >= 1; got True"),
        (lambda: PageHinkley(delta=-0.1), "delta must be finite and >= 0; got -0.1"),
        (lambda: PageHinkley(threshold=0), "threshold must be finite and > 0; got 0"),
        (lambda: PageHinkley(restart=1), "restart must be True or False; got 1"),
        (lambda: RandomAlarms(p=-0.1), r"p must lie in \[0, 1\]; got -0.1"),
        (lambda: RandomAlarms(p=1.1), r"p must lie in \[0, 1\]; got 1.1"),
        (lambda: RandomAlarms(p=float("nan")), r"p must lie in \[0, 1\]; got nan"),
        (lambda: RandomAlarms(p=0.1, warmup=0), "warmup must be a whole number >= 1; got 0"),
    ],
)
def test_bad_settings_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


@every_detector
def test_bad_input_is_refused_and_changes_nothing(detector):
    for x, message in [
        ([], "x must be a non-empty 1-d array"),
        ([[0, 1]], "x must be a non-empty 1-d array"),
        ([0, np.nan], "x must be finite; got nan at index 1"),
        (["a"], "x must hold numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            detector.alarms(x)
    detector.reset()
    begin = online_levels(detector, LOSS[:1000])
    for value, message in [
        (np.nan, "value must be finite; got nan"),
        (np.inf, "value must be finite; got inf"),
        ("a", "value must be a number; got 'a'"),
        (None, "value must be a number; got None"),
    ]:
        with pytest.raises(ValueError, match=message):
            detector.update(value)
    assert begin + online_levels(detector, LOSS[1000:]) == detector.levels(LOSS).tolist()


def test_losses_may_be_booleans():
    assert ddm(LOSS.astype(bool)).tolist() == ddm(LOSS).tolist()
    detector = DDM()
    assert online_levels(detector, LOSS == 1) == detector.levels(LOSS).tolist()


# --- DDM


def slow_ddm(x, warm_start=30):
    levels, seen, pairs = [], [], []
    for value in x:
        seen.append(value)
        level, n, p = CONTROL, len(seen), np.mean(seen)
        if n + 1 >= warm_start:
            pairs.append((p, np.sqrt(p * (1 - p) / n)))
            p_min, s_min = min(pairs, key=sum)
            level += sum(pairs[-1]) > p_min + 2 * s_min + 1e-12
            level += sum(pairs[-1]) > p_min + 3 * s_min + 1e-12
        if level == DRIFT:
            seen, pairs = [], []
        levels.append(level)
    return levels


@second_opinion("brute force", "detectors.DDM")
@given(changing_losses())
@settings(max_examples=40)
def test_ddm_equals_its_slow_definition(x):
    assert DDM().levels(x).tolist() == slow_ddm(x)


@second_opinion("river", "detectors.DDM")
def test_rivers_ddm_begins_one_loss_later():
    assert river_levels(drift.binary.DDM(), LOSS) == DDM(warm_start=32).levels(LOSS).tolist()
    assert river_levels(drift.binary.DDM(), LOSS) != DDM().levels(LOSS).tolist()


# --- EDDM


def slow_eddm(x, warm_start=30, ddof=0, largest_from=30):
    levels, seen, distances, sizes, level = [], 0, [], [], CONTROL
    for value in x:
        seen += 1
        if value:
            distances.append(seen - sum(distances))
            level = CONTROL
            if seen >= largest_from:
                deviation = np.std(distances, ddof=ddof) if len(distances) > 1 else 0.0
                sizes.append(np.mean(distances) + 2 * deviation)
                ratio = sizes[-1] / max(sizes)
                if len(distances) > warm_start:
                    level = DRIFT if ratio < 0.9 else WARNING if ratio < 0.95 else CONTROL
        levels.append(level)
        if level == DRIFT:
            seen, distances, sizes, level = 0, [], [], CONTROL
    return levels


@second_opinion("brute force", "detectors.EDDM")
@given(changing_losses())
@settings(max_examples=40)
def test_eddm_equals_its_slow_definition(x):
    assert EDDM().levels(x).tolist() == slow_eddm(x)


@second_opinion("river", "detectors.EDDM")
def test_rivers_eddm_has_the_sample_deviation_and_begins_one_loss_later():
    """Compares alarms only: river's warnings go on after a new largest value."""
    theirs, same, ours = (
        [i for i, level in enumerate(levels) if level == DRIFT]
        for levels in (
            river_levels(drift.binary.EDDM(), LOSS),
            slow_eddm(LOSS, ddof=1, largest_from=31),
            slow_eddm(LOSS),
        )
    )
    assert theirs == same != ours


# --- Page-Hinkley


def slow_page_hinkley(x, delta, threshold, restart=True):
    statistics, start = [], 0
    for i in range(len(x)):
        part = np.asarray(x[start : i + 1])
        m = np.cumsum(part - np.cumsum(part) / np.arange(1, part.size + 1) - delta)
        statistics.append(m[-1] - m.min())
        if restart and statistics[-1] > threshold:
            start = i + 1
    return np.array(statistics)


@second_opinion("brute force", "detectors.PageHinkley")
@given(changing_numbers(), st.floats(0, 0.5), st.floats(0.5, 50), st.booleans())
@settings(max_examples=40)
def test_page_hinkley_equals_its_slow_definition(x, delta, threshold, restart):
    detector = PageHinkley(delta, threshold, restart)
    expected = slow_page_hinkley(x, delta, threshold, restart)
    np.testing.assert_allclose(detector.statistics(x), expected, atol=1e-8)
    assert detector.alarms(x).tolist() == np.flatnonzero(expected > threshold).tolist()


def test_page_hinkley_statistic_online_is_the_arrays():
    detector = PageHinkley(threshold=10.0)
    assert np.isnan(detector.statistic)
    online = []
    for value in LOSS:
        detector.update(value)
        online.append(detector.statistic)
    assert online == detector.statistics(LOSS).tolist()
    assert (np.array(online) > 10).tolist() == (detector.levels(LOSS) == DRIFT).tolist()


@second_opinion("closed form", "detectors.PageHinkley detectors.page_hinkley")
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_the_delay_of_page_hinkley_follows_from_harmonic_numbers(delta):
    """After n zeros and k ones the statistic is n (H(n + k) - H(n)) - k delta."""
    n, k = 400, np.arange(1, 301)
    statistic = n * np.cumsum(1 / (n + k)) - k * delta
    x = np.r_[np.zeros(n), np.ones(k.size)]
    detector = PageHinkley(delta, threshold=80.0, restart=False)
    np.testing.assert_allclose(detector.statistics(x)[n:], statistic, atol=1e-9)
    assert detector.alarms(x).tolist() == (n + np.flatnonzero(statistic > 80)).tolist()
    assert page_hinkley(x, delta, 80.0).tolist() == [n + np.argmax(statistic > 80)]


def test_page_hinkley_sees_increases_only():
    x = np.r_[np.zeros(500), np.ones(500)]
    assert page_hinkley(x, threshold=20.0).size == 1
    assert page_hinkley(1 - x, threshold=20.0).size == 0


@second_opinion("river", "detectors.PageHinkley")
def test_rivers_page_hinkley_agrees_only_without_forgetting():
    """By default it forgets, waits for 30 values, and tests in both directions."""
    ours = PageHinkley(threshold=20.0).levels(LOSS).tolist()
    same = drift.PageHinkley(threshold=20.0, alpha=1.0, mode="up", min_instances=1)
    assert river_levels(same, LOSS) == ours
    assert river_levels(drift.PageHinkley(threshold=20.0), LOSS) != ours


# --- ADWIN


class SlowADWIN:
    """Buckets that keep all their values."""

    def __init__(self, delta=0.002, clock=32, max_buckets=5, min_window_length=5, grace_period=10):
        self.delta, self.clock, self.M = delta, clock, max_buckets
        self.shortest, self.grace_period = min_window_length, grace_period
        self.buckets, self.seen = [], 0

    @property
    def window(self):
        return np.concatenate(self.buckets)

    def update(self, value):
        self.buckets.append([value])
        size = 1
        while sum(len(b) == size for b in self.buckets) > self.M:
            first = [len(b) for b in self.buckets].index(size)
            self.buckets[first : first + 2] = [self.buckets[first] + self.buckets[first + 1]]
            size *= 2
        self.seen += 1
        changed = False
        if self.seen % self.clock == 0:
            while len(self.window) > self.grace_period and self.some_split_shows_a_change():
                del self.buckets[0]
                changed = True
        return DRIFT if changed else CONTROL

    def some_split_shows_a_change(self):
        window = self.window
        logs = np.log(2 * np.log(window.size) / self.delta)
        for n0 in np.cumsum([len(b) for b in self.buckets])[:-1]:
            old, new = window[:n0], window[n0:]
            if min(old.size, new.size) < self.shortest + 2:
                continue
            m = 1 / (1 / (old.size - self.shortest + 1) + 1 / (new.size - self.shortest + 1))
            bound = np.sqrt(2 / m * window.var() * logs) + 2 / (3 * m) * logs
            if abs(old.mean() - new.mean()) > bound:
                return True
        return False


@second_opinion("brute force", "detectors.ADWIN")
@given(
    changing_losses() | changing_numbers(),
    st.sampled_from([0.002, 0.3, 0.99]),
    st.sampled_from([{}, {"clock": 1}, {"clock": 7, "max_buckets": 2, "min_window_length": 1}]),
    st.sampled_from([10, 100]),
)
@settings(max_examples=60)
def test_adwin_equals_its_slow_definition(x, delta, options, grace_period):
    online = ADWIN(delta, grace_period=grace_period, **options).online()
    slow = SlowADWIN(delta, grace_period=grace_period, **options)
    for i, value in enumerate(x):
        online.update(value)
        assert online.drift_detected == (slow.update(value) == DRIFT)
        assert online.width == slow.window.size
        state, window = online.state, x[i + 1 - online.width : i + 1]
        np.testing.assert_array_equal(slow.window, window)
        np.testing.assert_allclose(online.mean, window.mean(), atol=1e-12)
        np.testing.assert_allclose(state.window[1], window.var() * window.size, atol=1e-9)
    held = [sum(len(b) == 2**row for b in slow.buckets) for row in range(state.held.size)]
    assert state.held.tolist() == held


def test_adwin_drops_rounding_errors_with_its_buckets():
    detector, x = ADWIN().online(), np.r_[RNG.normal(1e9, 1e6, 3000), RNG.random(3000)]
    for value in x:
        detector.update(value)
    window = x[-detector.width :]
    assert detector.width < 3000
    np.testing.assert_allclose(detector.mean, window.mean(), rtol=1e-12)
    squares = detector.state.window[1]
    np.testing.assert_allclose(squares / window.size, window.var(), rtol=1e-9)


def test_adwin_has_no_mean_before_the_first_value():
    detector = ADWIN()
    assert np.isnan(detector.mean)
    assert detector.width == 0
    detector.update(0.25)
    assert (detector.mean, detector.width) == (0.25, 1)


@pytest.mark.parametrize("direction", [1, -1])
def test_adwin_alarms_in_both_directions_and_its_mean_shows_which(direction):
    detector, x = ADWIN(), JUMP[::direction]
    for value in x:
        before = detector.mean
        detector.update(value)
        if detector.drift_detected:
            break
    assert np.sign(detector.mean - before) == direction


def test_adwin_drops_the_oldest_values_beyond_its_last_row():
    """Three rows hold 5 (1 + 2 + 4) values at most; 38, the usual number, hold 2**40 at least."""
    state = ADWIN().start()
    assert 4 * (2.0**state.held.size - 1) + 4 >= 2**40
    small = state._replace(buckets=np.zeros((3, 2, 5)), held=np.zeros(3, np.int8))
    x = RNG.random(300)
    widths = []
    for i, value in enumerate(x):
        assert update(small, value) == CONTROL
        total, squares, width, _ = small.window
        window = x[i + 1 - int(width) : i + 1]
        np.testing.assert_allclose(total, window.sum())
        np.testing.assert_allclose(squares, window.var() * width, atol=1e-12)
        widths.append(width)
    assert max(widths) == 35
    assert min(widths[35:]) >= 28


def test_rivers_adwin_empties_its_window_at_an_alarm():
    """Ours keeps the values after the cut and goes on cutting: more alarms at one change."""
    emptied, ours = [], ADWIN()
    for value in LOSS:
        ours.update(value)
        emptied.append(DRIFT if ours.drift_detected else CONTROL)
        if ours.drift_detected:
            ours.reset()
    assert river_levels(drift.ADWIN(), LOSS) == emptied
    assert emptied.count(DRIFT) < adwin(LOSS).size


# --- RandomAlarms


@second_opinion("closed form", "detectors.RandomAlarms")
def test_waiting_times_of_random_alarms_are_geometric():
    """After the warm-up their mean is 1 / p."""
    p, warmup = 0.05, 30
    alarms = RandomAlarms(p, warmup).alarms(np.zeros(300_000), seed=4)
    waits = np.diff(alarms) - (warmup - 1)
    assert waits.min() == 1
    standard_error = np.sqrt(1 - p) / p / np.sqrt(waits.size)
    assert abs(waits.mean() - 1 / p) < 4 * standard_error
    assert abs(np.mean(waits == 1) - p) < 4 * np.sqrt(p * (1 - p) / waits.size)


def test_random_alarms_at_the_ends_of_p():
    """The paper: with p = 1 there is an alarm at every 30th example."""
    assert RandomAlarms(1.0).alarms(LOSS).tolist() == list(range(29, LOSS.size, 30))
    assert RandomAlarms(1.0, warmup=1).alarms(LOSS[:5]).tolist() == [0, 1, 2, 3, 4]
    assert RandomAlarms(0.0).alarms(LOSS).size == 0


def test_random_alarms_depend_on_the_seed_only():
    detector = RandomAlarms(0.05)
    assert detector.alarms(LOSS, seed=1).tolist() == detector.alarms(1 - LOSS, seed=1).tolist()
    assert detector.alarms(LOSS, seed=1).tolist() != detector.alarms(LOSS, seed=2).tolist()
    detector.reset(seed=1)
    assert online_levels(detector, LOSS) == detector.levels(LOSS, seed=1).tolist()
    assert [type(d).__name__ for d in DETECTORS if d.randomised] == ["RandomAlarms"]
