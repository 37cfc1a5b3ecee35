"""SNG: one perceptron for both labels, the baseline that forgets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from repro.networks._objectives import Floats, Softmax, initial_layers
from repro.networks._training import Plan, Samples, Training, outputs, start_fit, train
from repro.networks.network import Network, State, check_training, check_widths
from repro.seeds import generator

__all__ = ["SNG"]


@dataclass(frozen=True)
class SNG(Network):
    r"""A single network with two outputs, softmax and cross-entropy, :math:`-\ln p_y(x)`.

    Each task trains it on that task's samples only, with Adam. The paper does not say for how many
    passes; one pass gives its accuracies.

    Parameters
    ----------
    hidden : widths of the hidden layers, which are rectifiers.
    passes : passes over the samples of a task.
    batch : samples of a minibatch.
    learning_rate : of Adam.

    Raises ValueError for widths, passes or a batch below 1, and for a learning rate that is not
    positive.

    >>> SNG(passes=2)
    SNG(hidden=(500, 500), passes=2, batch=64, learning_rate=0.0001)
    """

    hidden: tuple[int, ...] = (500, 500)
    passes: int = 1
    batch: int = 64
    learning_rate: float = 1e-4

    def __post_init__(self) -> None:
        check_widths(self, "hidden")
        check_training(self)

    def start(self, n_features: int, seed: int = 0) -> State:
        """The network with Glorot's initial weights."""
        layers = initial_layers((n_features, *self.hidden, 2), generator(seed, "single"))
        return State(seed, n_features, 0, {"single": start_fit(layers)})

    def learn(self, state: State, X: Floats, y: NDArray[np.int64]) -> State:
        """The network after its passes over the task."""
        samples = Samples(X, y.astype(np.float32))
        plan = Plan(self.passes, self.batch, self.learning_rate)
        names = "single", state.next_task
        training = Training(Softmax(), state.fits["single"], samples, plan, state.seed, names)
        fit, _ = train(training)
        return state._replace(n_tasks=state.n_tasks + 1, fits={"single": fit})

    def score(self, state: State, X: Floats) -> Floats:
        """Logarithm of the probability of each label, shape (n, 2)."""
        return outputs(Softmax(), "output", state.fits["single"].params, X)
