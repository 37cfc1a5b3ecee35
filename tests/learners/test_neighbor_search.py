"""Nearest neighbours found in buckets are those that all distances give, to the last bit."""

import numpy as np
import pytest

from repro import Stream, prequential
from repro.learners import NearestNeighbors
from repro.learners._neighbor_search import search
from repro.streams import Schema

N = 2500
RNG = np.random.default_rng(7)
CLASSES = RNG.integers(0, 3, N)


def normal(d=2):
    return RNG.normal(size=(N, d)) + CLASSES[:, None]


def with_outliers():
    X = normal()
    X[::97, 0] = 1e6
    X[40::500, 0] = [1e300, -1e300, 1e308, -1e308, 1e300]
    return X


def moving():
    """Values that leave the buckets, jump, and stay constant for longer than the window."""
    X = normal()
    X[:, 0] += np.linspace(0, 300, N)
    X[1200:, 1] = 4.0
    X[2300:, 1] = RNG.normal(size=200)
    return X


DATA = {
    "normal": (normal(), ()),
    "one attribute": (normal(1), ()),
    "many ties": (RNG.integers(0, 6, (N, 2)).astype(float), ()),
    "heavy tails": (RNG.standard_cauchy((N, 2)), ()),
    "outliers": (with_outliers(), ()),
    "moving": (moving(), ()),
    "far from 0": (1e9 + 1e-3 * normal(), ()),
    "tiny": (1e-310 * normal(), ()),
    "nominal": (np.column_stack([normal(), RNG.integers(0, 4, N)]), (0, 0, 4)),
    "only nominal": (RNG.integers(0, 4, (N, 2)).astype(float), (4, 4)),
    "many attributes": (normal(12), ()),
    "constant": (np.ones((N, 2)), ()),
}


def plain_shares(X, y, nominal, k, window, scale):
    """Vote shares of each example by the definition, with all distances."""
    shares = np.full((len(X), y.max() + 1), 1 / (y.max() + 1))
    for t in range(1, len(X)):
        seen = slice(max(0, t - window), t)
        part, total = X[seen], np.zeros(min(t, window))
        for j in range(X.shape[1]):
            low, high = (part[:, j].min(), part[:, j].max()) if scale else (0.0, 1.0)
            if nominal and nominal[j]:
                total += part[:, j] != X[t, j]
            elif high > low:
                total += ((X[t, j] - part[:, j]) * (1 / (high - low))) ** 2
        reach = np.sort(total)[min(k, len(total)) - 1]
        counts = np.bincount(y[seen][total <= reach], minlength=shares.shape[1])
        shares[t] = counts / counts.sum()
    return shares


@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize(("k", "window"), [(1, 600), (7, 300)])
@pytest.mark.parametrize("name", DATA)
def test_votes_equal_those_of_all_distances(name, k, window, scale):
    X, nominal = DATA[name]
    stream = Stream(X, CLASSES, nominal or None)
    found = prequential(NearestNeighbors(k, window, scale), stream).proba
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        np.testing.assert_array_equal(found, plain_shares(X, CLASSES, nominal, k, window, scale))


def test_most_examples_are_not_looked_at():
    online = NearestNeighbors(1, 1000).online(Schema((0, 0), 3))
    X = DATA["normal"][0]
    for x, y in zip(X, CLASSES, strict=True):
        online.learn_one(x, int(y))
    found = [search(online.state, x) for x in X[:200]]
    assert 0 < np.mean(found) < 50


def test_fractions_as_weights_are_added_in_the_order_of_the_window():
    X = DATA["many ties"][0]
    weights = RNG.random(N)
    online = NearestNeighbors(1, 600).online(Schema((0, 0), 3))
    for t in range(N):
        if t >= 600 and t % 50 == 0:
            seen = slice(t - 600, t)
            same = (X[seen] == X[t]).all(axis=1)
            votes = np.zeros(3)
            position = np.argsort(np.arange(t - 600, t) % 600)
            for i in position[same[position]]:
                votes[CLASSES[seen][i]] += weights[seen][i]
            assert online.predict_proba_one(X[t]).tolist() == (votes / votes.sum()).tolist()
        online.learn_one(X[t], int(CLASSES[t]), weights[t])
