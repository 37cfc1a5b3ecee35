"""Training of one network: shuffled passes over minibatches with Adam, compiled once a shape.

Trained networks are kept by the content of what they were trained from, so that equal work is done
once. The first task of ENSGEN and of ENSGENDEL is the same, and so is that of scenarios which
present the same samples. Each thread keeps the results that it used last, up to `MOST_BYTES`;
threads side by side would displace each other's.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from threading import local
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from repro._progress import progress
from repro.networks._jax import jax, lax, optax
from repro.networks._objectives import Floats, Objective, Softmax
from repro.seeds import generator

__all__ = ["Fit", "Plan", "Samples", "Training", "outputs", "start_fit", "train"]

STEPS = 64  # most minibatches of one compiled call
NUMBERS = 4_000_000  # about the most attributes of all their examples
TOGETHER = 10  # passes whose orders are drawn at once
ROWS = 256  # examples of one compiled call that trains nothing
ADAM = optax.scale_by_adam()
MOST_BYTES = 150_000_000


class Fit(NamedTuple):
    """A network in training, as arrays of numpy: its parameters and the state of Adam."""

    params: Any
    adam: Any


class Plan(NamedTuple):
    """How a network is trained in one task."""

    passes: int  #: most passes over the samples
    batch: int
    learning_rate: float
    stop: str = "never"  #: max, mean: no further pass once that of the gaps is at most `theta`
    theta: float = 0.0


class Samples(NamedTuple):
    """What a network is trained on: examples (n, d) and targets (n,); 1 for its own label."""

    X: Floats
    target: Floats


def start_fit(params: Any) -> Fit:
    """An untrained network with these parameters."""
    return _on_host(Fit(params, ADAM.init(params)))


class Training(NamedTuple):
    """The training of a network in one task, which may be put off.

    Every pass has a new order; its last minibatch is smaller if `plan.batch` does not divide n.
    """

    objective: Objective
    fit: Fit  #: the network before
    samples: Samples  #: without any, the network stays as it is
    plan: Plan
    seed: int
    names: tuple[str, ...]  #: of the network and the task; with `seed` they decide the orders


def train(training: Training) -> tuple[Fit, int]:
    """The network after its training, and how many passes it made; equal results are cached."""
    if not len(training.samples.X):
        return training.fit, 0
    return cached(fingerprint(training), lambda: _train(*training))


def _train(
    objective: Objective,
    fit: Fit,
    samples: Samples,
    plan: Plan,
    seed: int,
    names: tuple[str, ...],
) -> tuple[Fit, int]:
    rng, made, positives = generator(seed, *names), 0, samples.X[:0]
    most, steps = TOGETHER, max(1, min(STEPS, NUMBERS // (plan.batch * samples.X.shape[1])))
    if plan.stop != "never":
        most, positives = 1, samples.X[samples.target == 1]  # a rule is checked before each pass
    with progress(None, total=plan.passes, desc=", ".join(names), unit="pass") as bar:
        while made < plan.passes and not _has_ended(objective, fit, positives, plan):
            passes = min(most, plan.passes - made)
            rows = _minibatches(len(samples.X), plan.batch, passes, rng)
            for part in _chunks(len(rows), steps):
                fit = _trained(objective, fit, samples, rows[part], steps, plan)
                bar.update(made + part.stop * passes // len(rows) - bar.n)
            made += passes
    return _on_host(fit), made


def _has_ended(objective: Objective, fit: Fit, positives: Floats, plan: Plan) -> bool:
    """Whether the rule of `plan` ends the passes of a network; `positives` are of its label."""
    if plan.stop == "never" or isinstance(objective, Softmax):
        return False
    if plan.stop == "mean":
        return float(outputs(objective, "gap", fit.params, positives).mean()) <= plan.theta
    gaps = (_block(objective, "gap", fit.params, block) for block in _blocks(positives))
    return all(gap.max() <= plan.theta for gap in gaps)


def _minibatches(n: int, batch: int, passes: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """Rows of the minibatches of some passes, (k, batch); -1 where the last one is smaller."""
    rows = np.full((passes, -(-n // batch) * batch), -1, np.int32)
    rows[:, :n] = [rng.permutation(n) for _ in range(passes)]
    return rows.reshape(-1, batch)


def _chunks(n: int, steps: int) -> Iterator[slice]:
    return (slice(i, min(i + steps, n)) for i in range(0, n, steps))


def _trained(
    objective: Objective,
    fit: Fit,
    samples: Samples,
    rows: NDArray[np.int32],
    steps: int,
    plan: Plan,
) -> Fit:
    """`fit` after the minibatches `rows` (k, batch) of `samples`, k <= `steps`.

    Only the examples of this call go to JAX: all of them would take memory, and compiled code for
    each number of samples. It is compiled for `steps` minibatches, of which the first k are used.
    """
    filled = np.full((steps, plan.batch), -1, np.int32)
    filled[: len(rows)] = rows
    drawn = samples.X[filled], samples.target[filled], (filled >= 0).astype(np.float32)
    trained = _steps(objective, fit, *drawn, len(rows), np.float32(plan.learning_rate))
    return jax.block_until_ready(trained)  # type: ignore[no-untyped-call]


@partial(jax.jit, static_argnums=0)
def _steps(
    objective: Objective, fit: Fit, X: Any, target: Any, weight: Any, n: Any, rate: Any
) -> Fit:
    """One step of Adam for each of the first `n` minibatches: `X` has shape (k, batch, d)."""

    def mean_loss(params: Any, i: Any) -> Any:
        losses = objective.loss(params, X[i], target[i])
        return (weight[i] * losses).sum() / weight[i].sum()

    def step(i: Any, fit: Fit) -> Fit:
        direction, adam = ADAM.update(jax.grad(mean_loss)(fit.params, i), fit.adam)
        params = jax.tree.map(lambda p, u: p - rate * u, fit.params, direction)
        return Fit(params, adam)

    return lax.fori_loop(0, n, step, fit)


def outputs(objective: Objective, method: str, params: Any, X: Floats) -> Floats:
    """A method of an objective, by its name, called with the examples `X` (n, d) in blocks."""
    return np.concatenate([_block(objective, method, params, block) for block in _blocks(X)])


def _blocks(X: Floats) -> Iterator[Floats]:
    return (X[i : i + ROWS] for i in range(0, len(X), ROWS))


def _block(objective: Objective, method: str, params: Any, X: Floats) -> Floats:
    filled = np.zeros((ROWS, X.shape[1]), np.float32)
    filled[: len(X)] = X
    return np.asarray(_called(objective, method, params, filled))[: len(X)]


@partial(jax.jit, static_argnums=(0, 1))
def _called(objective: Objective, method: str, params: Any, X: Any) -> Any:
    return getattr(objective, method)(params, X)


def _on_host(tree: Any) -> Any:
    return jax.tree.map(np.asarray, tree)


class _Kept(local):
    """The results of one thread."""

    def __init__(self) -> None:
        self.results: OrderedDict[str, Any] = OrderedDict()  # least recently used first


_kept = _Kept()


def fingerprint(*values: Any) -> str:
    """A hash of the arrays in `values`, with their shapes, and of all else as text."""
    digest = hashlib.blake2b(digest_size=20)
    leaves, structure = jax.tree.flatten(values)
    digest.update(str(structure).encode())
    for leaf in leaves:
        if isinstance(leaf, np.ndarray):
            digest.update(f"{leaf.dtype.str}{leaf.shape}".encode())
            digest.update(np.ascontiguousarray(leaf).data)
        else:
            digest.update(f"{leaf!r};".encode())
    return digest.hexdigest()


def cached(key: str, make: Callable[[], Any]) -> Any:
    """The result under `key`; `make` is called for it if it is not there."""
    results = _kept.results
    if key in results:
        results.move_to_end(key)
        return results[key]
    results[key] = made = make()
    while len(results) > 1 and sum(map(_size, results.values())) > MOST_BYTES:
        results.popitem(last=False)
    return made


def _size(tree: Any) -> int:
    return sum(getattr(leaf, "nbytes", 0) for leaf in jax.tree.leaves(tree))
