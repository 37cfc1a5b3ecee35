"""What `make fuzz` found last: absurd arguments that were no clear error, and now are one."""

from __future__ import annotations

import errno
import fractions
import mmap
import warnings

import numpy as np
import pytest
import sklearn.naive_bayes

from repro import (
    course,
    detectors,
    interop,
    judge,
    learners,
    networks,
    published,
    statistics,
    streams,
)
from repro.kernels import states

GAUSS = sklearn.naive_bayes.GaussianNB()
ROW = np.zeros((1, 2))
SECOND = np.timedelta64(1, "s")
SLOW = np.arange(400) // 20 % 2.0


def from_river():
    return interop.to_river(learners.HoeffdingTree(), streams.Schema((3,), 2))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: judge.detector(1, seeds=2**63), "seeds must be at most"),
        (
            lambda: judge.detector(detectors.DDM(), values="a"),
            "values must come with the parameter",
        ),
        (lambda: from_river().learn_one({"a": 1}, 1, w=-1), "w must be finite and >= 0; got -1"),
        (lambda: interop.refit(GAUSS).partial_fit(ROW, [[1], 2]), "y must have a label for each"),
        (
            lambda: interop.refit(GAUSS).partial_fit(ROW, ["a"], classes=[0, None]),
            r"y and classes must hold labels that sort together; got \[0, None\]",
        ),
        (lambda: statistics.variance_inflation([0.5], 1), "loss must hold at least two"),
        (
            lambda: networks.ENS(learning_rate=1e300),
            r"learning_rate must be .* <= 3",
        ),
        (lambda: streams.from_river([], n=2**63), "n must be at most"),
        (lambda: networks.ENS(theta=1e300), r"theta must be finite and >= 0 and <= 3.4\d*e\+38"),
        (lambda: streams.RandomRBF(speed=1e300), r"speed must be finite and >= 0 and <= 1e\+100"),
        (
            lambda: statistics.compare_groups([0, 1e300], [0, 1]),
            r"values must be at most 1e\+100; got 1e\+300",
        ),
        (
            lambda: interop.to_sklearn(learners.NaiveBayes()).get_params(np.zeros((2, 0))),
            "deep must be True or False; got array",
        ),
        (
            lambda: interop.refit(GAUSS).partial_fit(ROW, ["a"]).partial_fit(ROW, [SECOND]),
            "y and classes must hold labels that sort together",
        ),
    ],
)
def test_it_is_refused_in_a_line(call, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        call()


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (lambda: detectors.EDetector(risk=fractions.Fraction(1, 2)).alarms([0, 1]).sum(), 0),
        (lambda: statistics.estimate_along(1, [0.5], np.uint8(10)).df, 0),
        (lambda: np.isnan(statistics.equal_shares(1, None, 1, 1).p), True),
        (lambda: statistics.paired_power(1, 1, 10**30), 1),
        (lambda: statistics.error_changes(SLOW[:9] * 1e300, np.random.default_rng(0)).blocks.n, 0),
        (lambda: published.judge_magnitude(1, 1, "", step=1e300).verdict == "holds", True),
        (lambda: statistics.correlation_time(SLOW * 2.0**999), statistics.correlation_time(SLOW)),
    ],
)
def test_it_gives_a_value(call, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call() == pytest.approx(value)


def test_rows_of_different_length_are_refused_in_the_words_of_scikit_learn():
    with pytest.raises(ValueError, match="inhomogeneous"):
        interop.to_sklearn(learners.NoChange(), nominal=[]).partial_fit([[1], 2], 1)


def test_attributes_of_another_order_of_bytes_are_read():
    x, y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]
    ours, other = (interop.to_sklearn(learners.NaiveBayes(), nominal=[0]) for _ in range(2))
    ours.partial_fit(x, y)
    other.partial_fit(x.astype(">f8"), y)
    assert other.predict_proba(x).tolist() == ours.predict_proba(x).tolist()


def test_memory_that_cannot_be_reserved_is_said(monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    with pytest.raises(MemoryError, match=r"^shape must fit into memory; got \(1000000,\), 8,000"):
        states.blank((1_000_000,))


def test_one_class_may_be_named_alone():
    assert interop.refit(GAUSS).partial_fit(ROW, [0], classes=5).classes_.tolist() == [0, 5]


def test_mistakes_of_a_check_are_texts_with_values():
    with pytest.raises(TypeError, match=r"^mistakes must map texts to values; got 1"):
        course.Check("ada", {"a": 0.5}).equal("a", 1, mistakes=1)
