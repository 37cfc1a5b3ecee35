"""Layers of a perceptron as a plain pytree, and what a network minimises: the loss of each example.

An objective is a value that compiled code is made for: a frozen dataclass, equal to another with
the same settings, so networks of one shape share their compiled code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro.networks._jax import apart, jax, jnp, optax, product

__all__ = ["Floats", "Membership", "Objective", "Reconstruction", "Softmax", "initial_layers"]

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
        X = jax.nn.relu(product(X, W) + b)
    return product(X, weights) + biases


@dataclass(frozen=True)
class Softmax:
    r"""Cross-entropy of a softmax layer, :math:`-\ln p_t(x)`."""

    def output(self, params: Any, X: Any) -> Any:
        """Logarithms of the probabilities, shape (b, 2)."""
        return jax.nn.log_softmax(linear(params, X))

    def loss(self, params: Any, X: Any, target: Any) -> Any:
        """Shape (b,); `target` holds labels."""
        log_p = jnp.take_along_axis(self.output(params, X), target.astype(int)[:, None], axis=1)
        return -log_p[:, 0]


@dataclass(frozen=True)
class Membership:
    r"""Cross-entropy of a sigmoid, :math:`-t\ln f(x) - (1 - t)\ln(1 - f(x))`."""

    def output(self, params: Any, X: Any) -> Any:
        r"""The logit :math:`\ln(f / (1 - f))`, shape (b,), which does not saturate as f does."""
        return linear(params, X)[:, 0]

    def loss(self, params: Any, X: Any, target: Any) -> Any:
        """Shape (b,); `target` is 1 for examples of the network's own label, else 0."""
        return optax.sigmoid_binary_cross_entropy(self.output(params, X), target)

    def gap(self, params: Any, X: Any) -> Any:
        """:math:`1 - f(x)`, shape (b,)."""
        return jax.nn.sigmoid(-self.output(params, X))


@dataclass(frozen=True)
class Reconstruction:
    r"""Distance of an image from its reconstruction, :math:`\|x - d(e(x))\|`, or its square.

    The parameters are the layers of the encoder and of the decoder. The encoder ends in a sigmoid:
    its output, the latent point, lies in the unit cube.
    """

    decoder_output: str = "linear"
    norm: str = "euclidean"

    def encode(self, params: Any, X: Any) -> Any:
        """Latent points of `X` (b, d), in (0, 1), shape (b, latent)."""
        return jax.nn.sigmoid(linear(params[0], X))

    def decode(self, params: Any, Z: Any) -> Any:
        """Images of the latent points `Z` (b, latent), shape (b, d)."""
        images = linear(params[1], Z)
        return jax.nn.sigmoid(images) if self.decoder_output == "sigmoid" else images

    def gap(self, params: Any, X: Any) -> Any:
        """Distance of each image from its reconstruction, shape (b,)."""
        difference = X - self.decode(params, self.encode(params, X))
        return length((difference * difference).sum(axis=1))

    def loss(self, params: Any, X: Any, target: Any) -> Any:
        """Shape (b,); the target is the image itself, and `target` is not used."""
        distance = self.gap(params, X)
        return distance**2 if self.norm == "squared" else distance


@jax.custom_vjp
def length(square: Any) -> Any:
    """The square root, with a gradient of 0 instead of infinity at 0."""
    return jnp.sqrt(square)


def _rooted(square: Any) -> Any:
    root = length(square)
    return root, root


def _divided(root: Any, gradient: Any) -> Any:
    # XLA would merge the root into the division, as one instruction, rsqrt, which each kind of
    # processor approximates in its own way.
    root = apart(root)
    return (gradient / jnp.where(root == 0, jnp.inf, 2 * root),)


length.defvjp(_rooted, _divided)


Objective = Softmax | Membership | Reconstruction
