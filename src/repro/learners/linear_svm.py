r"""A linear support vector machine trained by stochastic gradient descent on the hinge loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._checks import check_number
from repro.kernels.compiling import kernel
from repro.learners.growth import Growth, inherit
from repro.learners.learner import Learner
from repro.learners.verbs import implements, learn, learn_predicted, votes
from repro.streams.stream import Schema

__all__ = ["LinearSVM"]


class LinearSVMState(NamedTuple):
    """One plane for two classes (class 1 is positive); else one per class against the rest."""

    weights: NDArray[np.float64]  # (planes, d)
    bias: NDArray[np.float64]  # (planes,)
    seen: NDArray[np.int64]  # (1,) examples learned
    margins: NDArray[np.float64]  # (planes,) of the last example
    learning_rate: float
    l2: float


@dataclass(frozen=True)
class LinearSVM(Learner):
    r"""Linear SVM by stochastic gradient descent, attributes not scaled.

    For example *t* = 1, 2, ... with the label :math:`s = \pm 1`, learning rate :math:`\eta` and
    :math:`\lambda` = `l2`

    .. math:: w \leftarrow (1 - \eta\lambda / t)\, w; \qquad
              w \leftarrow w + \eta s x,\ b \leftarrow b + \eta s
              \quad\text{if } s\,(w^\top x + b) < 1

    with the margin before the update. With two classes, class 1 is predicted when
    :math:`w^\top x + b > 0`. With more, there is one machine for each class against the rest, and
    the class of the largest margin is predicted. Before any example the prediction is class 0.
    Nominal codes are taken as numbers. An example of weight *v* takes a step *v* times as long.

    >>> LinearSVM()
    LinearSVM(learning_rate=0.01, l2=0.0001)
    """

    learning_rate: float = 0.01
    l2: float = 1e-4

    paper: ClassVar[str] = "Bottou (2010), COMPSTAT, 177-187"

    def __post_init__(self) -> None:
        check_number(self.learning_rate, name="learning_rate", above=0)
        check_number(self.l2, name="l2", least=0)

    def start(self, schema: Schema, seed: int = 0) -> LinearSVMState:
        """All weights 0."""
        planes = 1 if schema.n_classes <= 2 else schema.n_classes
        return LinearSVMState(
            np.zeros((planes, schema.n_features)),
            np.zeros(planes),
            np.zeros(1, np.int64),
            np.zeros(planes),
            float(self.learning_rate),
            float(self.l2),
        )


@inherit.register
def _inherit(state: LinearSVMState, old: Any, growth: Growth) -> None:
    """One plane becomes that of class 1, and its negative that of class 0, exactly.

    The plane of a class not seen before would have learned to answer "never". So has the only plane
    of a schema with one class. In other states it is not known, and the new plane is the one for
    as many examples whose attributes were all 0.
    """
    state.seen[0] = old.seen[0]
    weights, bias = old.weights, old.bias
    if bias.size < state.bias.size and bias.size == 1:
        weights, bias = np.vstack([-weights, weights]), np.append(-bias, bias)
    planes = bias.size
    state.weights[:planes, growth.columns] = weights
    state.bias[:planes] = bias
    if growth.old.n_classes == 1:
        state.weights[planes:, growth.columns], state.bias[planes:] = old.weights, old.bias
    else:
        steps = min(float(old.seen[0]), np.ceil(1.0 / state.learning_rate))
        state.bias[planes:] = -state.learning_rate * steps


@implements(votes, LinearSVMState)
def _votes(state, x, out):  # type: ignore[no-untyped-def]
    _fill_margins(state, x)
    vote = 1.0 if state.seen[0] > 0 else 0.0
    if state.bias.size == 1:
        winner = 1 if state.margins[0] > 0 and out.size > 1 else 0
    else:
        winner, best = 0, -np.inf
        for k in range(state.bias.size):
            if state.margins[k] > best:
                winner, best = k, state.margins[k]
    for k in range(out.size):
        out[k] = vote if k == winner else 0.0


@implements(learn, LinearSVMState)
def _learn(state, x, y, weight):  # type: ignore[no-untyped-def]
    _fill_margins(state, x)
    learn_predicted(state, x, y, weight)


@implements(learn_predicted, LinearSVMState)
def _learn_predicted(state, x, y, weight):  # type: ignore[no-untyped-def]
    state.seen[0] += 1
    shrink = 1.0 - state.learning_rate * state.l2 / state.seen[0]
    for k in range(state.bias.size):
        sign = 1.0 if y == k + _first(state) else -1.0
        is_inside = sign * state.margins[k] < 1
        step = state.learning_rate * sign * weight if is_inside else 0.0
        for j in range(x.size):
            state.weights[k, j] = shrink * state.weights[k, j] + step * x[j]
        state.bias[k] += step


@kernel
def _first(state):  # type: ignore[no-untyped-def]
    """The positive class of the first plane."""
    return 1 if state.bias.size == 1 else 0


@kernel
def _fill_margins(state, x):  # type: ignore[no-untyped-def]
    for k in range(state.bias.size):
        total = state.bias[k]
        for j in range(x.size):
            total += state.weights[k, j] * x[j]
        state.margins[k] = total
