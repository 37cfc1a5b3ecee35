"""The two classifiers of an ensemble, one per label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.networks._layers import Floats, initial_layers
from repro.networks._objectives import Membership
from repro.networks._training import Plan, Samples, Training, outputs, start_fit, train
from repro.networks.network import State
from repro.seeds import generator

__all__ = ["LABELS", "classifier", "start_classifiers", "task_name", "train_classifier"]
__all__ += ["two_scores"]

LABELS = 0, 1


def classifier(label: int) -> str:
    """The name of the network of `label`."""
    return f"classifier {label}"


def task_name(state: State) -> str:
    """The name of the task that `state` learns next."""
    return f"task {state.n_tasks + 1}"


def start_classifiers(widths: Sequence[int], seed: int) -> dict[str, Any]:
    """The untrained classifiers by name."""
    names = map(classifier, LABELS)
    return {name: start_fit(initial_layers(widths, generator(seed, name))) for name in names}


def train_classifier(
    state: State, label: int, X: Floats, y: NDArray[np.int64], plan: Plan
) -> dict[str, Any]:
    """The classifier of `label` by its name, after a task with the samples `X` and labels `y`.

    Without samples of its own label it stays as it is.
    """
    name = classifier(label)
    if label not in y:
        return {name: state.fits[name]}
    samples, names = Samples(X, (y == label).astype(np.float32)), (name, task_name(state))
    fit, _ = train(Training(Membership(), state.fits[name], samples, plan, state.seed, names))
    return {name: fit}


def two_scores(state: State, X: Floats) -> Floats:
    """Logit of each classifier's output for the examples `X` (n, d), shape (n, 2)."""
    fits = (state.fits[classifier(label)] for label in LABELS)
    return np.stack([outputs(Membership(), "output", fit.params, X) for fit in fits], axis=1)
