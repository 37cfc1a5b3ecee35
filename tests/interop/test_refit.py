"""A classifier that is refitted equals one fitted by hand on the same rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.tree import DecisionTreeClassifier

from repro import evaluation, interop, prequential
from repro.streams import SEA

STREAM = SEA(7.0, noise=0.1, n=400).sample(seed=0)


def by_hand(model, window, every, stream):
    """Predictions, each from a model that is fitted on the last rows at the last moment to fit."""
    said = []
    for i in range(len(stream)):
        stop = i // every * every
        y = stream.y[max(0, stop - window) : stop]
        if np.unique(y).size > 1:
            fitted = model.fit(stream.X[max(0, stop - window) : stop], y)
            said.append(int(fitted.predict(stream.X[i : i + 1])[0]))
        else:
            seen = stream.y[max(0, i - window) : i]
            said.append(int(np.bincount(seen).argmax()) if i else 0)
    return np.array(said)


@pytest.mark.parametrize(("window", "every"), [(100, 50), (37, 10), (10, 30), (1000, 1)])
def test_a_refitted_model_is_the_one_fitted_by_hand(window, every):
    model = DecisionTreeClassifier(max_depth=2, random_state=0)
    stream = STREAM.take(np.arange(150))
    run = prequential(interop.refit(model, window, every), stream, seed=0)
    expected = by_hand(DecisionTreeClassifier(max_depth=2, random_state=0), window, every, stream)
    np.testing.assert_array_equal(run.y_pred, expected)


def test_blocks_give_the_models_of_single_examples():
    one, other = (interop.refit(RidgeClassifier(), 60, 25) for _ in range(2))
    for i in range(130):
        one.partial_fit(STREAM.X[i : i + 1], STREAM.y[i : i + 1], classes=[0, 1])
    for part in (slice(0, 7), slice(7, 104), slice(104, 130)):
        other.partial_fit(STREAM.X[part], STREAM.y[part], classes=[0, 1])
    np.testing.assert_array_equal(one.model_.coef_, other.model_.coef_)
    np.testing.assert_array_equal(one.y_, other.y_)
    assert (one.n_fits_, one.y_.size) == (5, 60)


def test_shares_have_a_column_for_each_class_even_one_that_the_window_lacks():
    model = interop.refit(DecisionTreeClassifier(), 20, 10)
    y = np.repeat([0, 2], 5)
    model.partial_fit(STREAM.X[:10], y, classes=[0, 1, 2])
    shares = model.predict_proba(STREAM.X[:10])
    assert shares.shape == (10, 3)
    np.testing.assert_array_equal(shares.argmax(axis=1), y)
    hard = interop.refit(RidgeClassifier(), 20, 10).partial_fit(STREAM.X[:10], y, classes=[0, 1, 2])
    np.testing.assert_array_equal(hard.predict_proba(STREAM.X[:10]).sum(axis=1), 1)


def test_a_window_of_one_class_predicts_it():
    model = interop.refit(RidgeClassifier(), 5, 5)
    model.partial_fit(STREAM.X[:10], np.r_[np.zeros(5, int), np.ones(5, int)], classes=[0, 1])
    assert model.model_ is None
    assert model.predict(STREAM.X[:3]).tolist() == [1, 1, 1]


def test_a_refitted_model_takes_part_in_a_sweep_and_its_seed_is_the_one_of_the_run():
    forest = interop.refit(DecisionTreeClassifier(max_features=1, splitter="random"), 100, 50)
    runs = [prequential(forest, STREAM, seed=s).y_pred for s in (0, 0, 1)]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert (runs[0] != runs[2]).any()
    table = evaluation.sweep({"tree": forest}, {"SEA": SEA(7.0, n=200)}, seeds=2)
    assert len(table) == 2
    assert (table["failure"] == "").all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((DecisionTreeClassifier,), TypeError, "an instance, not the class; got DecisionTree"),
        (([],), TypeError, r"fit, predict and get_params; got \[\]"),
        ((RidgeClassifier(), 0), ValueError, "window must be"),
        ((RidgeClassifier(), 10, 0), ValueError, "every must be"),
    ],
)
def test_what_cannot_be_refitted_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        interop.refit(*arguments)
