"""A stream in chunks: the run equals that of the whole stream, with one chunk in memory."""

from __future__ import annotations

import threading
import tracemalloc
import weakref
from itertools import pairwise
from typing import ClassVar

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import naive_bayes, tree
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import BernoulliNB

from repro import _progress, detectors, metrics, prequential
from repro.evaluation._chunks import Carry
from repro.evaluation._runner import Part
from repro.learners import (
    BayesOptimal,
    DriftRetraining,
    HoeffdingAdaptiveTree,
    HoeffdingTree,
    NaiveBayes,
    NoChange,
    OzaBag,
    TemporalCorrection,
    TemporallyAugmented,
)
from repro.streams import Stream

N = 3001
RNG = np.random.default_rng(7)
LABELS = (RNG.integers(0, 3, N) + (np.arange(N) // 1000)) % 3  # they change places
TRUE = (LABELS - np.arange(N) // 1000) % 3
X = np.c_[RNG.normal(size=(N, 2)) + 1.5 * TRUE[:, None], (TRUE + RNG.integers(0, 2, N)) % 4]
WHOLE = Stream(X, LABELS, [0, 0, 4], 3, optimal=TRUE)
DRIFTING = DriftRetraining(NaiveBayes(), detectors.DDM())
GROWING = {"grace_period": 50, "tau": 0.3}
COMPILED = [
    NoChange(),
    NaiveBayes(),
    HoeffdingTree(**GROWING),
    HoeffdingAdaptiveTree(**GROWING, adwin_delta=0.1),
    OzaBag(HoeffdingTree(**GROWING), n_members=3),
    DRIFTING,
]
FOREIGN = [
    naive_bayes.GaussianNB(),
    tree.HoeffdingAdaptiveTreeClassifier(grace_period=50, seed=3),
    SGDClassifier(random_state=1),
    BernoulliNB(),
]
every_learner = pytest.mark.parametrize(
    "learner", [*COMPILED, *FOREIGN], ids=lambda model: type(model).__name__
)


def cut(stream, *sizes):
    """The chunks of `stream`, as long as `sizes` say in turn; each is made when it is asked for."""
    start = turn = 0
    while start < len(stream):
        stop = min(start + sizes[turn % len(sizes)], len(stream))
        yield stream.take(np.arange(start, stop))
        start, turn = stop, turn + 1


def assert_same(chunked, whole):
    """Bit for bit, but for the types of predictions and losses."""
    np.testing.assert_array_equal(chunked.y_pred, whole.y_pred)
    np.testing.assert_array_equal(chunked.loss, whole.loss)
    np.testing.assert_array_equal(chunked.alarms, whole.alarms)
    np.testing.assert_array_equal(chunked.state_bytes, whole.state_bytes)
    assert (chunked.proba is None) == (whole.proba is None)
    if whole.proba is not None:
        np.testing.assert_array_equal(chunked.proba, whole.proba)
    assert (chunked.growth is None) == (whole.growth is None)
    for name, values in (whole.growth or {}).items():
        np.testing.assert_array_equal(chunked.growth[name], values)
    assert chunked.error == whole.error
    assert chunked.alarms.dtype == whole.alarms.dtype


# --- equality


@every_learner
@pytest.mark.parametrize("sizes", [(1000,), (1,), (7, 500, 64), (N,), (10 * N,)], ids=str)
def test_chunks_of_any_length_equal_the_whole_stream(learner, sizes):
    stream = WHOLE if learner in COMPILED else WHOLE.take(np.arange(850, 1150))
    whole = prequential(learner, stream, 4)
    assert_same(prequential(learner, cut(stream, *sizes), 4, proba=True), whole)


def test_the_alarms_are_those_of_the_whole_stream():
    run = prequential(DRIFTING, cut(WHOLE, 300))
    assert len(run.alarms) > 1
    assert run.alarms.max() > 2000
    np.testing.assert_array_equal(run.alarms, prequential(DRIFTING, WHOLE).alarms)


@pytest.mark.parametrize("every", [1, 100, 450, 2999, N, N + 1])
@pytest.mark.parametrize("size", [64, 1000])
def test_the_growth_is_read_at_the_same_examples(every, size):
    """Also where `every` does not divide the length of a chunk."""
    learner = HoeffdingAdaptiveTree(**GROWING)
    whole = prequential(learner, WHOLE, every=every, proba=False)
    assert_same(prequential(learner, cut(WHOLE, size), every=every), whole)
    assert whole.growth.get("examples", np.zeros(0)).tolist() == list(range(every, N + 1, every))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 60),
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.integers(0, 90) | st.sampled_from([10**15, float("inf")]),
    st.integers(1, 50) | st.sampled_from([10**30]),
    st.integers(1, 20) | st.none(),
)
@pytest.mark.parametrize(
    "learner",
    [NoChange(), DriftRetraining(NaiveBayes(), detectors.DDM(warm_start=3)), BernoulliNB()],
    ids=lambda model: type(model).__name__,
)
def test_late_labels_and_blocks_go_on_in_the_next_chunk(learner, n, sizes, delay, batch, every):
    stream = WHOLE.take(np.arange(960, 960 + n))
    options = {"delay": delay, "batch": batch, "every": every}
    whole = prequential(learner, stream, **options)
    assert_same(prequential(learner, cut(stream, *sizes), proba=True, **options), whole)


@pytest.mark.parametrize(
    "learner", [naive_bayes.GaussianNB(), SGDClassifier(random_state=0)], ids=str
)
@pytest.mark.parametrize(("delay", "batch"), [(0, 10), (25, 1), (25, 10), (3, 64)])
def test_models_of_other_libraries_get_their_labels_late_too(learner, delay, batch):
    stream = WHOLE.take(np.arange(900, 1200))
    options = {"delay": delay, "batch": batch}
    whole = prequential(learner, stream, **options)
    assert_same(prequential(learner, cut(stream, 17, 80), proba=True, **options), whole)


class Blocks:
    """A model of scikit-learn's kind that notes the sizes of its calls."""

    calls: ClassVar[list[tuple[str, int]]] = []

    def predict(self, X):
        self.calls.append(("predict", len(X)))
        return np.zeros(len(X), int)

    def partial_fit(self, X, y, classes=None):
        self.calls.append(("learn", len(X)))
        self.fitted_ = True


@pytest.mark.parametrize("delay", [0, 5])
def test_a_block_is_one_call_though_it_lies_in_several_chunks(delay):
    def calls(stream):
        Blocks.calls = []
        prequential(Blocks(), stream, batch=20, delay=delay, proba=False)
        return Blocks.calls

    stream = WHOLE.take(np.arange(110))
    assert calls(cut(stream, 7, 30)) == calls(stream)
    assert ("predict", 10) in calls(stream)


def test_the_optimum_of_each_chunk_is_that_of_the_stream():
    whole = prequential(BayesOptimal(), WHOLE)
    for batch in (1, 64):
        assert_same(prequential(BayesOptimal(), cut(WHOLE, 100), batch=batch), whole)
    without = Stream(X[:2], LABELS[:2], [0, 0, 4], 3)
    with pytest.raises(ValueError, match="stream must know its optimal labels"):
        prequential(BayesOptimal(), [WHOLE, without])


def test_any_iterable_will_do():
    whole = prequential(NaiveBayes(), WHOLE, proba=False)
    chunks = list(cut(WHOLE, 1500))
    for given_ in (chunks, tuple(chunks), iter(chunks), (c for c in chunks)):
        assert_same(prequential(NaiveBayes(), given_), whole)


# --- memory


@pytest.mark.parametrize("options", [{}, {"delay": 20}, {"batch": 30}])
@pytest.mark.parametrize("learner", [NaiveBayes(), BernoulliNB()], ids=str)
def test_one_chunk_is_alive_at_a_time(learner, options):
    seen = []

    def chunk(i):
        assert all(ref() is None for ref in seen)
        made = WHOLE.take(np.arange(100 * i, 100 * i + 100))
        seen.append(weakref.ref(made))
        return made

    prequential(learner, map(chunk, range(20)), **options)
    assert len(seen) == 20


def test_memory_is_that_of_one_chunk_and_2_bytes_per_example():
    size, count, d = 20_000, 50, 5
    rows = np.zeros((size, d))

    def peak(n_chunks):
        chunks = (Stream(rows, np.zeros(size, int), None, 2) for _ in range(n_chunks))
        tracemalloc.start()
        try:
            run = prequential(NoChange(), chunks)
            return run, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1)
    (_, short), (run, long) = peak(2), peak(count)
    assert run.y_pred.nbytes + run.loss.nbytes == 2 * size * count
    joined = 2 * 2 * size * count  # the pieces, and the arrays that they become
    assert long - short < joined < 8 * d * size * count / 5


@pytest.mark.parametrize(("n_classes", "kind"), [(1, np.int8), (128, np.int8), (129, np.int16)])
def test_labels_are_in_the_smallest_type_that_holds_them(n_classes, kind):
    y = [n_classes - 1, 0, n_classes - 1]
    run = prequential(NoChange(), [Stream(np.zeros((3, 1)), y, None, n_classes)])
    assert run.y_pred.dtype == kind
    assert run.y_pred.tolist() == [0, n_classes - 1, 0]
    assert run.loss.dtype == np.int8


def test_shares_are_kept_when_asked_for():
    assert prequential(NaiveBayes(), cut(WHOLE, 900)).proba is None
    assert prequential(NaiveBayes(), cut(WHOLE, 900), proba=False).proba is None
    assert prequential(NaiveBayes(), WHOLE).proba.shape == (N, 3)
    assert prequential(NaiveBayes(), WHOLE, proba=False).proba is None


def test_the_time_of_making_chunks_does_not_count(monkeypatch):
    """The clock goes on by an hour for each chunk that is made."""
    clock = [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])

    def made():
        for chunk in cut(WHOLE, 1000):
            clock[0] += 3600.0
            yield chunk

    for learner in (NaiveBayes(), naive_bayes.GaussianNB()):
        assert prequential(learner, made(), every=700).seconds == 0.0


# --- what takes a run


def test_metrics_and_figures_take_small_types():
    chunked, whole = prequential(DRIFTING, cut(WHOLE, 777)), prequential(DRIFTING, WHOLE)
    of_losses = [
        lambda loss: metrics.sliding_error(loss, 50),
        lambda loss: metrics.fading_error(loss, 0.99),
        lambda loss: metrics.prequential_error(loss),
        lambda loss: detectors.DDM().alarms(loss),
        lambda loss: detectors.ADWIN().alarms(loss),
        lambda loss: 1 - loss,
        lambda loss: np.cumsum(loss),
        lambda loss: np.diff(loss),
        lambda loss: loss.std(),
    ]
    for measure in of_losses:
        np.testing.assert_allclose(measure(chunked.loss), measure(whole.loss), rtol=1e-14)
    for kappa in (metrics.kappa, metrics.kappa_temporal):
        assert kappa(LABELS, chunked.y_pred) == kappa(LABELS, whole.y_pred)
    advice = [str(metrics.kappa_advice(WHOLE, run)) for run in (chunked, whole)]
    assert advice[0] == advice[1]
    lines = [run.plot(WHOLE).lines for run in (chunked, whole)]
    for a, b in zip(*lines, strict=True):
        np.testing.assert_array_equal(a.get_ydata(), b.get_ydata())
    plt.close("all")
    texts = [run._repr_html_().split("<td>")[1:4] for run in (chunked, whole)]
    assert texts[0] == texts[1]
    assert repr(chunked).split("seconds")[0] == repr(whole).split("seconds")[0]


# --- progress


class Bar:
    """Stands for tqdm: what it was told."""

    def __init__(self, iterable, **options):
        self.iterable, self.options, self.n, self.total, self.totals = (
            iterable,
            options,
            0,
            None,
            [],
        )
        Bar.last = self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.closed = True

    def set_description(self, text, refresh):
        self.text = text

    def update(self, n):
        self.n += n


@pytest.mark.parametrize("learner", [NaiveBayes(), naive_bayes.GaussianNB()], ids=str)
@pytest.mark.parametrize("options", [{}, {"delay": 30, "batch": 7}])
def test_the_bar_counts_examples(monkeypatch, learner, options):
    monkeypatch.setattr("repro.evaluation._chunks.progress", Bar)
    prequential(learner, cut(WHOLE, 1000), **options)
    assert (Bar.last.n, Bar.last.total, Bar.last.closed) == (N, None, True)
    assert Bar.last.text == (str(learner) if learner in COMPILED else "GaussianNB")[:40]
    prequential(learner, list(cut(WHOLE, 1000)), **options)
    assert Bar.last.n == N
    assert Bar.last.total == pytest.approx(N, rel=0.01)


def test_a_short_run_shows_no_bar(capfd):
    prequential(NaiveBayes(), cut(WHOLE, 1000))
    prequential(NaiveBayes(), [WHOLE])
    assert capfd.readouterr().err == ""
    with _progress.quiet():
        prequential(NaiveBayes(), [WHOLE])
    assert capfd.readouterr().err == ""


def test_a_quiet_block_in_one_thread_hides_the_bars_of_that_thread_only(monkeypatch):
    monkeypatch.delenv("REPRO_PROGRESS", raising=False)
    inside, leave = threading.Event(), threading.Event()

    def hide():
        with _progress.quiet():
            said.append(_progress.wanted())
            inside.set()
            leave.wait(60)

    said = []
    thread = threading.Thread(target=hide)
    thread.start()
    inside.wait(60)
    with _progress.quiet():
        said.append(_progress.wanted())
    said.append(_progress.wanted())
    leave.set()
    thread.join()
    assert said == [False, False, True]


@pytest.mark.parametrize("wait", [-1.0, 1e9])
def test_a_whole_stream_gets_a_bar_only_after_a_while(monkeypatch, wait):
    """It takes as long to set up as a short run."""
    bars = []

    def progress(blocks, **options):
        bars.append((list(blocks), options["initial"], options["total"], options["delay"]))
        return blocks

    monkeypatch.setattr("repro.evaluation._runner.WAIT", wait)
    monkeypatch.setattr("repro.evaluation._runner.progress", progress)
    monkeypatch.setattr("repro.evaluation._compiled.BLOCK", 1000)
    run = prequential(NaiveBayes(), WHOLE)
    blocks = list(range(0, N, 1000))
    assert bars == ([(blocks, 0, len(blocks), 0)] if wait < 0 else [])
    monkeypatch.undo()
    np.testing.assert_array_equal(run.y_pred, prequential(NaiveBayes(), WHOLE).y_pred)


# --- errors


def small(nominal=(0, 0), n_classes=2, n=4, **options):
    return Stream(np.zeros((n, len(nominal))), [0] * n, nominal, n_classes, **options)


@pytest.mark.parametrize(
    ("chunk", "message"),
    [
        (small((0, 0, 0)), "chunk 2 of stream must have 2 attributes, as chunk 0; got 3"),
        (small((0, 3)), r"chunk 2 of stream must have nominal\[1\] = 0, as chunk 0; got 3"),
        (small(n_classes=3), "chunk 2 of stream must have n_classes = 2, as chunk 0; got 3"),
    ],
)
def test_a_chunk_of_another_schema_is_refused(chunk, message):
    with pytest.raises(ValueError, match=message):
        prequential(NoChange(), iter([small(), small(), chunk]))


def test_chunks_of_a_table_must_be_coded_alike():
    """The same schema does not help if code 1 is blue in one chunk and green in the next."""
    colours = pd.DataFrame({"colour": list("rbrb"), "size": [1.0, 2.0, 3.0, 4.0]})
    first = Stream.from_frame(colours.assign(y=list("nyny")), "y")
    other = Stream.from_frame(colours.assign(y=list("nmnm")), "y")
    with pytest.raises(ValueError, match=r"chunk 1 .* must have the labels of chunk 0, \('n'"):
        prequential(NoChange(), [first, other])
    other = Stream.from_frame(colours.assign(y=list("nyny"), colour=list("rgrg")), "y")
    with pytest.raises(ValueError, match=r"the values of chunk 0, .*'b', 'r'.*; got .*'g', 'r'"):
        prequential(NoChange(), [first, other])
    other = Stream.from_frame(colours.assign(y=list("nyny")).rename(columns={"size": "w"}), "y")
    with pytest.raises(ValueError, match=r"the attributes of chunk 0, .*'size'.*; got .*'w'"):
        prequential(NoChange(), [first, other])
    assert len(prequential(NoChange(), [first, first]).loss) == 8


@pytest.mark.parametrize("given_", [None, 3, (X, LABELS), X, "stream"])
def test_a_chunk_must_be_a_stream(given_):
    with pytest.raises(TypeError, match=r"chunk 1 of stream must be a Stream .*; got"):
        prequential(NoChange(), iter([small(), given_]))
    with pytest.raises(TypeError, match=r"stream must be a Stream .*; got"):
        prequential(NoChange(), iter([given_]))
    with pytest.raises(TypeError, match=r"^stream must be a Stream .*; got"):
        prequential(NoChange(), given_)
    with pytest.raises(TypeError, match=r"^stream must be a Stream .*; got"):
        prequential(NoChange(), {"a": small()})


@pytest.mark.parametrize("empty", [[], (), iter([])], ids=["list", "tuple", "iterator"])
def test_no_chunk_is_refused(empty):
    with pytest.raises(ValueError, match="stream must hold at least one chunk; got none"):
        prequential(NoChange(), empty)


def test_delays_of_single_examples_are_refused():
    with pytest.raises(ValueError, match=r"delay must be one whole number .*; got .* shape \(4,\)"):
        prequential(NoChange(), [small()], delay=[0, 1, 2, 3])
    with pytest.raises(ValueError, match="delay must be a whole number >= 0; got -1"):
        prequential(NoChange(), [small()], delay=-1)
    with pytest.raises(ValueError, match="batch must be"):
        prequential(NoChange(), [small()], batch=0)
    with pytest.raises((TypeError, ValueError), match="proba must be"):
        prequential(NoChange(), [small()], proba="yes")


@pytest.mark.parametrize("kind", [TemporallyAugmented, TemporalCorrection])
def test_learners_that_need_the_whole_stream_are_refused(kind):
    with pytest.raises(TypeError, match=r"learner must not need previous labels .* chunks; got"):
        prequential(kind(NaiveBayes()), cut(WHOLE, 1000))


def test_an_error_of_the_generator_passes_through():
    def broken():
        yield small()
        raise OSError("disk")

    with pytest.raises(OSError, match=r"^disk$"):
        prequential(NoChange(), broken())


class Says:
    """Predicts a label that does not exist once it has learned enough examples."""

    n = 0

    def predict_one(self, x):
        return 9 if self.n == 130 else 0

    def predict(self, X):
        return np.array([self.predict_one(x) for x in X])

    def learn_one(self, x, y):
        self.n += 1

    def partial_fit(self, X, y):
        self.n += len(y)
        self.n_ = 0


@pytest.mark.parametrize("size", [50, 1000])
@pytest.mark.parametrize("delay", [0, 20])
def test_errors_count_examples_along_the_whole_stream(size, delay):
    stream = WHOLE.take(np.arange(400))
    with pytest.raises(ValueError, match=rf"got 9 for example {130 + delay}$"):
        prequential(Says(), cut(stream, size), delay=delay)


# --- parts


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(0, 40), st.integers(1, 12))
def test_parts_predict_each_example_once_and_keep_no_more_than_they_need(sizes, delay, batch):
    carry, predicted = Carry(delay, batch, None), 0
    stream = WHOLE.take(np.arange(sum(sizes)))
    cuts = np.cumsum([0, *sizes])
    chunks = [stream.take(np.arange(a, b)) for a, b in pairwise(cuts)]
    for part in [*(carry.add(chunk) for chunk in chunks), carry.last()]:
        if part is not None:
            assert isinstance(part, Part)
            assert part.offset + part.start == predicted
            assert part.offset % batch == 0
            assert part.start < delay + batch
            rows = slice(part.offset, part.offset + len(part.stream))
            np.testing.assert_array_equal(part.stream.X, stream.X[rows])
            np.testing.assert_array_equal(part.stream.y, stream.y[rows])
            predicted = part.offset + len(part.stream)
    assert predicted == len(stream)
