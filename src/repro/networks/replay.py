"""ENSGEN and ENSGENDEL: an ensemble that rehearses samples which it generates itself."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from repro._checks import check_choice, check_count, check_number, check_probability
from repro.networks._objectives import Floats, Membership, Reconstruction, initial_layers
from repro.networks._training import Fit, Plan, Samples, Training, outputs, start_fit, train
from repro.networks.distances import nearest_distance
from repro.networks.ensemble import (
    LABELS,
    classifier,
    start_classifiers,
    train_classifier,
    two_scores,
)
from repro.networks.network import Network, State, check_stop, check_training, check_widths
from repro.seeds import generator

__all__ = ["ENSGEN", "ENSGENDEL", "Replay"]


@dataclass(frozen=True)
class Replay(Network):
    r"""What ENSGEN and ENSGENDEL have in common: an autoencoder beside each classifier.

    Before a task, :math:`\{d_l(z) \mid z \sim U[0, 1]^N,\ f_l(d_l(z)) > 0.9\}` is generated for
    each label and added to the samples of the task. Then each label with samples trains its
    autoencoder on the samples of the label, with the loss :math:`\|x - d_l(e_l(x))\|`, and its
    classifier as in `ENS`, both for the same number of passes. Paper 5, Eqs. 3 to 10.

    Predictions do not use the autoencoders. With `stop` "never" they are trained when a sample is
    generated, which for the last task is never; until then the state holds the samples of the task.

    Parameters
    ----------
    hidden : widths of the hidden layers of each classifier, which are rectifiers.
    encoder : widths of the hidden layers of each encoder; the decoder has them in reverse.
    latent : dimensions of the latent cube (N).
    passes : most passes over the samples of a task (M).
    stop : the rule that ends the passes earlier: "max", when :math:`\|x - d_l(e_l(x))\|` is at most
        `theta` for every sample of the label (as printed), "mean", when its mean is, or "never".
        As printed, a label that only generated samples have is not trained at all.
    theta : threshold of that rule.
    draws : points drawn from the latent cube for each label before a task.
    threshold : generated samples are kept where the classifier's output is above it.
    decoder_output : "linear" or "sigmoid".
    norm : of the loss: "euclidean", as printed, or its square, "squared".
    batch : samples of a minibatch.
    learning_rate : of Adam.

    Raises ValueError for widths, passes, draws or a batch below 1, an unknown rule, output or
    norm, a negative `theta`, a threshold outside [0, 1], and a learning rate that is not positive.
    """

    hidden: tuple[int, ...] = (500, 250, 125)
    encoder: tuple[int, ...] = (500, 200)
    latent: int = 8
    passes: int = 10
    stop: str = "never"
    theta: float = 7.0
    draws: int = 6000
    threshold: float = 0.9
    decoder_output: str = "linear"
    norm: str = "euclidean"
    batch: int = 64
    learning_rate: float = 1e-4

    def __post_init__(self) -> None:
        check_widths(self, "hidden")
        check_widths(self, "encoder")
        check_count(self.latent, name="latent", most=1000)
        check_training(self)
        check_stop(self)
        check_count(self.draws, name="draws", most=10**6)
        check_probability(self.threshold, name="threshold")
        check_choice(self.decoder_output, ("linear", "sigmoid"), name="decoder_output")
        check_choice(self.norm, ("euclidean", "squared"), name="norm")
        self._check()

    @abstractmethod
    def _check(self) -> None:
        """Check the settings of this network only."""

    @abstractmethod
    def kept(self, generated: Floats, others: Floats) -> Floats:
        """The generated samples (m, d) of a label that stay beside new ones of the other label."""

    def start(self, n_features: int, seed: int = 0) -> State:
        """Classifiers and autoencoders with Glorot's initial weights."""
        fits = start_classifiers((n_features, *self.hidden, 1), seed)
        down = (n_features, *self.encoder, self.latent)
        for label in LABELS:
            rng = generator(seed, autoencoder(label))
            fits[autoencoder(label)] = start_fit(
                (initial_layers(down, rng), initial_layers(down[::-1], rng))
            )
        return State(seed, n_features, 0, fits)

    def learn(self, state: State, X: Floats, y: NDArray[np.int64]) -> State:
        """The networks after the task, with the samples generated before it."""
        X, y = self._with_generated(state, X, y)
        fits = dict(state.fits)
        for label in LABELS:
            fits |= self._train(state, label, X, y)
        return state._replace(n_tasks=state.n_tasks + 1, fits=fits)

    def _with_generated(
        self, state: State, X: Floats, y: NDArray[np.int64]
    ) -> tuple[Floats, NDArray[np.int64]]:
        """The samples of a task and the generated ones, by their label."""
        new = [X[y == label] for label in LABELS]
        old = [self.kept(self.rehearse(state, label), new[1 - label]) for label in LABELS]
        sets = [part for pair in zip(new, old, strict=True) for part in pair]
        n_zeros = len(new[0]) + len(old[0])
        samples = np.concatenate(sets)
        return samples, (np.arange(len(samples)) >= n_zeros).astype(np.int64)

    def _train(self, state: State, label: int, X: Floats, y: NDArray[np.int64]) -> dict[str, Any]:
        """The two networks of `label`, by name, after a task with these samples, by their label."""
        name, part = autoencoder(label), X[slice(*np.searchsorted(y, (label, label + 1)))]
        plan = Plan(self.passes, self.batch, self.learning_rate, self.stop, self.theta)
        training = Training(
            self._images,
            trained(state.fits[name]),
            Samples(part, np.ones(len(part), np.float32)),
            plan,
            state.seed,
            (name, state.next_task),
        )
        made = self.passes if self.stop == "never" else train(training)[1]
        plan = plan._replace(passes=made, stop="never")
        return {name: training, **train_classifier(state, label, X, y, plan)}

    def rehearse(self, state: State, label: int) -> Floats:
        """Samples that the networks of `label` generate for the next task, shape (m, d)."""
        rng = generator(state.seed, "draws", str(label), state.next_task)
        points = rng.random((self.draws, self.latent), dtype=np.float32)
        coder = trained(state.fits[autoencoder(label)])
        made = outputs(self._images, "decode", coder.params, points)
        odds = outputs(Membership(), "output", state.fits[classifier(label)].params, made)
        return made[expit(odds) > self.threshold]

    def score(self, state: State, X: Floats) -> Floats:
        r"""Logit of :math:`f_l(x)` for each label, shape (n, 2)."""
        return two_scores(state, X)

    @property
    def _images(self) -> Reconstruction:
        return Reconstruction(self.decoder_output, self.norm)


def autoencoder(label: int) -> str:
    """The name of the autoencoder of `label`."""
    return f"autoencoder {label}"


def trained(coder: Fit | Training) -> Fit:
    """An autoencoder, trained now if that was put off."""
    return train(coder)[0] if isinstance(coder, Training) else coder


@dataclass(frozen=True)
class ENSGEN(Replay):
    """`ENS` with an autoencoder per label, whose samples it rehearses in later tasks.

    For the parameters see `Replay`.

    >>> ENSGEN().passes, ENSGEN().stop
    (10, 'never')
    """

    def _check(self) -> None:
        pass

    def kept(self, generated: Floats, others: Floats) -> Floats:
        """All generated samples."""
        return generated


@dataclass(frozen=True)
class ENSGENDEL(Replay):
    r"""`ENSGEN` that deletes generated samples close to new samples of the other label.

    A generated x stays if :math:`\|x - a\| > \varepsilon` for all new samples a of the other
    label. For the other parameters see `Replay`.

    Parameters
    ----------
    epsilon : the smallest distance that stays. On MNIST the printed 0.1 deletes nothing.

    Raises ValueError as `Replay`, and for a negative `epsilon`.

    >>> ENSGENDEL(epsilon=3.5).epsilon
    3.5
    """

    epsilon: float = 0.1

    def _check(self) -> None:
        check_number(self.epsilon, name="epsilon", least=0)

    def kept(self, generated: Floats, others: Floats) -> Floats:
        """The generated samples farther than `epsilon` from each sample in `others` (k, d)."""
        if not len(generated) or not len(others):
            return generated
        return generated[nearest_distance(generated, others) > self.epsilon]
