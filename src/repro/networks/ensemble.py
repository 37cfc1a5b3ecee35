"""ENS: one perceptron per label, each trained to recognise its own label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.networks._objectives import Floats, Membership, initial_layers
from repro.networks._training import Plan, Samples, Training, outputs, start_fit, train
from repro.networks.network import Network, State, check_stop, check_training, check_widths
from repro.seeds import generator

__all__ = [
    "ENS",
    "LABELS",
    "classifier",
    "start_classifiers",
    "train_classifier",
    "two_scores",
]

LABELS = 0, 1


@dataclass(frozen=True)
class ENS(Network):
    r"""Two networks :math:`f_l : X \to [0, 1]`, one per label; the larger output wins.

    .. math:: J_l = -\frac{1}{n} \Bigl(\sum_{x \in A_l} \ln f_l(x)
              + \sum_{x \in A_{l'}} \ln(1 - f_l(x))\Bigr)

    :math:`A_l` are the samples of label l in the task, :math:`A_{l'}` the others, and n their
    number. A network whose label has no samples in a task is not trained in it. Paper 5, Alg. 1.

    Parameters
    ----------
    hidden : widths of the hidden layers of each network, which are rectifiers.
    passes : most passes over the samples of a task (M).
    stop : the rule that ends the passes earlier: "max", when :math:`1 - f_l(x)` is at most `theta`
        for every x in :math:`A_l` (as printed), "mean", when its mean is, or "never".
    theta : threshold of that rule.
    batch : samples of a minibatch.
    learning_rate : of Adam.

    Raises ValueError for widths, passes or a batch below 1, an unknown rule, a negative `theta`,
    and a learning rate that is not positive.

    >>> ENS(stop="mean").passes
    1000
    """

    hidden: tuple[int, ...] = (500, 250, 125)
    passes: int = 1000
    stop: str = "max"
    theta: float = 0.1
    batch: int = 64
    learning_rate: float = 1e-4

    def __post_init__(self) -> None:
        check_widths(self, "hidden")
        check_training(self)
        check_stop(self)

    def start(self, n_features: int, seed: int = 0) -> State:
        """Both networks with Glorot's initial weights."""
        return State(seed, n_features, 0, start_classifiers((n_features, *self.hidden, 1), seed))

    def learn(self, state: State, X: Floats, y: NDArray[np.int64]) -> State:
        """The networks after the task; each is trained on all samples."""
        plan = Plan(self.passes, self.batch, self.learning_rate, self.stop, self.theta)
        fits = dict(state.fits)
        for label in LABELS:
            fits |= train_classifier(state, label, X, y, plan)
        return state._replace(n_tasks=state.n_tasks + 1, fits=fits)

    def score(self, state: State, X: Floats) -> Floats:
        r"""Logit of :math:`f_l(x)` for each label, shape (n, 2)."""
        return two_scores(state, X)


def classifier(label: int) -> str:
    """The name of the network of `label`."""
    return f"classifier {label}"


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
    samples, names = Samples(X, (y == label).astype(np.float32)), (name, state.next_task)
    fit, _ = train(Training(Membership(), state.fits[name], samples, plan, state.seed, names))
    return {name: fit}


def two_scores(state: State, X: Floats) -> Floats:
    """Logit of each classifier's output for the examples `X` (n, d), shape (n, 2)."""
    fits = (state.fits[classifier(label)] for label in LABELS)
    return np.stack([outputs(Membership(), "output", fit.params, X) for fit in fits], axis=1)
