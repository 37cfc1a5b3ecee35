"""Layers of a perceptron as a plain pytree: initial weights and the forward pass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.networks._jax import jax

__all__ = ["Floats", "Layers", "initial_layers", "linear"]

Floats = NDArray[np.float32]
#: One pair per layer: weights (n_in, n_out) and biases (n_out,), of numpy or of JAX.
Layers = tuple[tuple[Any, Any], ...]


def initial_layers(widths: Sequence[int], rng: np.random.Generator) -> Layers:
    r"""Glorot's uniform weights, :math:`\pm\sqrt{6 / (n_{in} + n_{out})}`, and biases of 0."""
    return tuple(_layer(a, b, rng) for a, b in pairwise(widths))


def _layer(n_in: int, n_out: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    bound = np.sqrt(6 / (n_in + n_out))
    weights = rng.uniform(-bound, bound, (n_in, n_out)).astype(np.float32)
    return weights, np.zeros(n_out, np.float32)


def linear(layers: Iterable[tuple[Any, Any]], X: Any) -> Any:
    """Output of the last layer before its activation; the layers before it are rectifiers."""
    *hidden, (weights, biases) = layers
    for W, b in hidden:
        X = jax.nn.relu(X @ W + b)
    return X @ weights + biases
