"""Networks that learn one task at a time: frozen descriptions, their online form, their checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import (
    as_labels,
    as_matrix,
    check_choice,
    check_count,
    check_fits,
    check_number,
    settle,
    shown,
)
from repro.networks._objectives import Floats

__all__ = ["Network", "OnlineNetwork", "State", "check_stop", "check_training", "check_widths"]

STOPS = "never", "max", "mean"
WIDEST = 10**4
FASTEST = HIGHEST = float(np.finfo(np.float32).max)  # rate, theta: it is single precision


class State(NamedTuple):
    """What a network has learned. It is never changed: `learn` returns a new one."""

    seed: int
    n_features: int
    n_tasks: int  #: tasks learned so far
    fits: dict[str, Any]  #: networks in training, by name

    @property
    def next_task(self) -> str:
        """The name of the task that comes next."""
        return f"task {self.n_tasks + 1}"


@dataclass(frozen=True)
class Network(ABC):
    """A description of a classifier of two labels, 0 and 1, that learns a task at a time.

    It holds settings only; what it learns is in its state. Equal states and samples give equal
    networks, on one machine. A thread trains each of them once and keeps those that it used last,
    up to 150 MB: run the networks and scenarios of one seed in one thread, one after the other.
    """

    paper: ClassVar[str] = "Szadkowski, Drchal and Faigl (2019)"

    @abstractmethod
    def start(self, n_features: int, seed: int = 0) -> State:
        """The untrained network for examples of so many features."""

    @abstractmethod
    def learn(self, state: State, X: Floats, y: NDArray[np.int64]) -> State:
        """The network after the task with the examples `X` (n, d) and the labels `y` (n,)."""

    @abstractmethod
    def score(self, state: State, X: Floats) -> Floats:
        """Score of each label for the examples `X` (n, d), shape (n, 2); the larger one wins."""

    def online(self, seed: int | None = None) -> OnlineNetwork:
        """The network with `partial_fit` and `predict`, as scikit-learn names them."""
        return OnlineNetwork(self, seed)


@runtime_checkable
class Generating(Protocol):
    """A network that generates samples of what it has learned."""

    def rehearse(self, state: State, label: int) -> Floats:
        """Samples of `label` for the next task, shape (m, d)."""


class OnlineNetwork:
    """A network as a model with `partial_fit` and `predict`; each `partial_fit` is one task.

    All samples of a task are given at once, as the passes go over all of them; their order does not
    matter. The paper's labels 1 and 2 are 0 and 1 here.

    Parameters
    ----------
    network : the description.
    seed : of the initial weights, the orders and the draws; None is 0, unless an evaluation sets
        it (as it sets the `random_state` of models of scikit-learn).

    `partial_fit` and `predict` raise ValueError for values outside [0, 1], labels other than 0 and
    1, arrays of different length, and examples of another number of features than before.

    >>> import numpy as np
    >>> from repro.networks import SNG
    >>> model = SNG(hidden=(8,), passes=200, batch=4, learning_rate=0.01).online(seed=0)
    >>> X, y = np.array([[0.0, 0.1], [0.1, 0.0], [0.9, 1.0], [1.0, 0.9]]), [0, 0, 1, 1]
    >>> model.partial_fit(X, y).predict(X).tolist()
    [0, 0, 1, 1]
    """

    def __init__(self, network: Network, seed: int | None = None) -> None:
        if not isinstance(network, Network):
            raise TypeError(f"network must be one of repro.networks; got {shown(network)}")
        self.network = network
        self.seed = seed if seed is None else check_count(seed, name="seed", least=0)
        self.state: State | None = None

    def __repr__(self) -> str:
        return f"{self.network!r}.online(seed={self.seed})"

    def __sklearn_is_fitted__(self) -> bool:
        return self.state is not None and self.state.n_tasks > 0

    @property
    def classes_(self) -> NDArray[np.int64]:
        """The labels, as scikit-learn names them."""
        return np.array([0, 1])

    def partial_fit(
        self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None
    ) -> OnlineNetwork:
        """Learn the task with the examples `X` (n, d), in [0, 1], and the labels `y` (n,)."""
        X = self._examples(X)
        labels = as_labels(y, n_classes=2)
        if classes is not None:
            as_labels(classes, n_classes=2, name="classes")
        if len(labels) != len(X):
            raise ValueError(f"y must have one label per row of X; got {len(labels)} for {len(X)}")
        order, state = _sorted(X, labels), self._started(X)
        X = X[order]
        self.state = self.network.learn(state, X, labels[order])
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """The label with the larger score for each example in `X` (n, d); 0 if they are equal."""
        return self.scores(X).argmax(axis=1)

    def scores(self, X: ArrayLike) -> Floats:
        """Score of each label for the examples `X` (n, d), shape (n, 2)."""
        X = self._examples(X)
        return self.network.score(self._started(X), X)

    def generate(self, label: int) -> Floats:
        """What the network would rehearse for `label` in the next task, shape (m, d).

        Raises TypeError for a network that generates no samples, and ValueError for a label other
        than 0 and 1 and before the first task.
        """
        if not isinstance(self.network, Generating):
            rule = "label must be that of a network which generates samples, such as ENSGEN"
            raise TypeError(f"{rule}; got {label!r} for {self.network!r}")
        label = check_count(label, name="label", least=0, most=1)
        if self.state is None:
            raise ValueError(
                f"label must have been learned in a task; got {label} before the first"
            )
        return self.network.rehearse(self.state, label)

    def _started(self, X: Floats) -> State:
        if self.state is None:
            return self.network.start(X.shape[1], self.seed or 0)
        return self.state

    def _examples(self, X: ArrayLike) -> Floats:
        matrix = as_matrix(X)
        if self.state is not None and matrix.shape[1] != self.state.n_features:
            d, rule = matrix.shape[1], f"{self.state.n_features} columns, as in the first task"
            raise ValueError(f"X must have {rule}; got {d}")
        if matrix.min() < 0 or matrix.max() > 1:
            row, column = map(int, np.argwhere((matrix < 0) | (matrix > 1))[0])
            place = f"in row {row}, column {column}"
            raise ValueError(f"X must lie in [0, 1]; got {matrix[row, column]} {place}")
        return matrix.astype(np.float32)


def _sorted(X: Floats, labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """An order of the samples of a task that depends on the samples only."""
    rows = X.view(np.dtype((np.void, X.itemsize * X.shape[1])))[:, 0]
    by_content = np.argsort(rows, kind="stable")
    return by_content[np.argsort(labels[by_content], kind="stable")]


def check_widths(network: Any, name: str) -> None:
    """Replace the widths called `name` by a tuple; raise ValueError unless each is 1 or more."""
    widths = getattr(network, name)
    if not isinstance(widths, list | tuple):
        raise ValueError(f"{name} must be a tuple of widths; got {shown(widths)}")
    checked = [check_count(w, name=f"{name}[{i}]", most=WIDEST) for i, w in enumerate(widths)]
    weights = sum(a * b for a, b in pairwise(checked))
    check_fits(16 * weights, name=name, value=widths)  # single precision, with Adam and gradient
    settle(network, **{name: tuple(checked)})


def check_training(network: Any) -> None:
    """Check passes, batch and learning rate."""
    check_count(network.passes, name="passes", most=10**6)
    check_count(network.batch, name="batch", most=10**5)
    check_number(network.learning_rate, name="learning_rate", above=0, most=FASTEST)


def check_stop(network: Any) -> None:
    """Check the rule that ends the passes, and its threshold."""
    check_choice(network.stop, STOPS, name="stop")
    check_number(network.theta, name="theta", least=0, most=HIGHEST)
