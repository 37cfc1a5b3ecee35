"""What a report on a stream says of streams whose truth is known: nothing false."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro import judge
from repro.streams import SEA, Stream, sudden

N = 4000


def answers(source, tmp_path, **options) -> dict[str, tuple[str, str]]:
    report = judge.stream(source, quick=True, cache=tmp_path, **options)
    rows = report.verdicts.set_index("question")
    return {q: (r["verdict"], r["evidence"]) for q, r in rows.iterrows()}


def informative(y, rng, noise=1.0):
    """Two attributes of which one tells the label, up to noise."""
    return np.column_stack([y + rng.normal(0, noise, y.size), rng.normal(size=y.size)])


def independent(rng):
    y = rng.integers(0, 2, N)
    return Stream(informative(y, rng), y)


def markov(rng):
    y = np.cumsum(rng.random(N) < 0.1) % 2
    return Stream(informative(y, rng), y)


def daily(rng):
    y = (rng.random(N) < 0.5 + 0.4 * np.sin(2 * np.pi * np.arange(N) / 100)).astype(int)
    return Stream(informative(y, rng), y)


def rare(rng):
    y = (rng.random(N) < 0.03).astype(int)
    return Stream(informative(y, rng, 0.3), y)


def slow_attribute(rng):
    """Its place moves as a random walk; labels do not follow it."""
    y = rng.integers(0, 2, N)
    X = informative(y, rng)
    X[:, 1] = np.cumsum(rng.normal(size=N))
    return Stream(X, y)


def copies(rng):
    half = independent(rng)
    rows = rng.integers(0, N // 4, N)
    return Stream(half.X[rows], half.y[rows])


@pytest.mark.parametrize("scene", [independent, markov, daily, rare, slow_attribute, copies])
def test_drift_is_not_said_of_a_stream_without_any(scene, tmp_path):
    verdict, _ = answers(scene(np.random.default_rng(1)), tmp_path)["Is there drift?"]
    assert verdict in ("none seen", "unknown")


def turning(rng, parts=4):
    """The attribute tells the label the other way round in every second part."""
    y = rng.integers(0, 2, N)
    X = informative(y, rng, 0.5)
    flip = np.arange(N) * parts // N % 2 == 1
    X[flip, 0] = 1 - X[flip, 0]
    return Stream(X, y)


def more_of_one(rng):
    y = (rng.random(N) < np.where(np.arange(N) < N // 2, 0.3, 0.6)).astype(int)
    return Stream(informative(y, rng), y)


def moved_attribute(rng):
    y = rng.integers(0, 2, N)
    X = informative(y, rng)
    X[N // 2 :, 1] += 1.5
    return Stream(X, y)


@pytest.mark.parametrize(
    ("scene", "word"),
    [(turning, "concept"), (more_of_one, "label shares"), (moved_attribute, "attributes")],
)
def test_drift_that_is_there_is_said_to_be_what_it_is(scene, word, tmp_path):
    verdict, _ = answers(scene(np.random.default_rng(2)), tmp_path)["Is there drift?"]
    assert word in verdict


def test_drift_of_inputs_alone_is_not_called_a_change_of_concept(tmp_path):
    verdict, _ = answers(moved_attribute(np.random.default_rng(3)), tmp_path)["Is there drift?"]
    assert "concept" not in verdict


GAIN = "Is it better than simple rules?"
WARM = "How long until a new learner is warm?"


def test_coin_flips_are_not_a_gain_and_nothing_gets_warm_on_them(tmp_path):
    rng = np.random.default_rng(4)
    said = answers(Stream(rng.normal(size=(N, 3)), rng.integers(0, 2, N)), tmp_path)
    assert not said[GAIN][0].startswith("yes")
    assert said[WARM][0] == "cannot tell" or "not within" in said[WARM][0]


def test_a_learner_that_gains_little_is_warm_relative_to_that(tmp_path):
    """Of 2 % rare labels a point is half of all errors."""
    rng = np.random.default_rng(5)
    y = (rng.random(2 * N) < 0.02).astype(int)
    verdict, evidence = answers(Stream(informative(y, rng, 0.25), y), tmp_path)[WARM]
    assert verdict == "cannot tell" or "within 1 point" not in evidence


def test_what_is_gained_with_many_examples_is_said_to_need_them(tmp_path):
    """Eight attributes of which each says a little: forty examples do not do."""
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 3 * N)
    X = 0.6 * y[:, None] + rng.normal(size=(3 * N, 8))
    verdict, _ = answers(Stream(X, y), tmp_path)[WARM]
    assert verdict == "cannot tell" or int(verdict.split()[0].replace(",", "")) > 40


TRAPS = "Can the attributes be trusted?"


@pytest.mark.parametrize(
    ("lag", "says"),
    [
        (0, "hold (may hold the label)"),
        (1, "hold (may hold the label of the next"),
        (-1, "nothing odd"),
    ],
)
def test_an_attribute_that_holds_the_label_of_this_row_or_the_next_is_named(lag, says, tmp_path):
    """One that holds the label before is not: a learner may know that."""
    rng = np.random.default_rng(7)
    y = rng.integers(0, 2, N)
    held = np.where(np.roll(y, -lag) == 1, "x", "z")
    frame = pd.DataFrame({"a": rng.normal(size=N), "hold": held, "y": y})
    assert says in answers(frame, tmp_path, label="y")[TRAPS][0]


def test_sea_with_a_sudden_change_is_said_to_drift_near_it(tmp_path):
    source = sudden(SEA(7.0), SEA(9.5), at=5000, n=10_000).sample(seed=0)
    verdict, evidence = answers(source, tmp_path)["Is there drift?"]
    assert "concept" in verdict
    assert "near example 5,000" in evidence or "near example 4,7" in evidence or "5,2" in evidence
