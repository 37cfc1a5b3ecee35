"""SNG, ENS, ENSGEN and ENSGENDEL: one step by hand, tasks, generated samples, and errors."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, log_expit, log_softmax

pytest.importorskip("jax", reason="the extra networks is not installed")
pytest.importorskip("optax", reason="the extra networks is not installed")

from jaxlib.version import __version__ as jaxlib_version
from opinions import second_opinion

from repro import evaluate_scenarios, interop, networks
from repro.networks import DIGITS, ENS, ENSGEN, ENSGENDEL, MNIST, SNG, _training, distances
from repro.networks._jax import jax, product
from repro.networks._objectives import (
    Membership,
    Reconstruction,
    Softmax,
    initial_layers,
    length,
)
from repro.networks._training import Plan, Samples, Training, outputs, start_fit, train
from repro.networks.distances import nearest_distance
from repro.scenarios import SCENARIOS
from repro.seeds import generator
from repro.streams import Schema

SMALL = {"hidden": (8,), "passes": 60, "batch": 8, "learning_rate": 0.03}
CODER = {**SMALL, "encoder": (8,), "latent": 2, "draws": 60}
NETWORKS = {
    "SNG": SNG(**SMALL),
    "ENS": ENS(**SMALL, stop="never"),
    "ENSGEN": ENSGEN(**CODER),
    "ENSGENDEL": ENSGENDEL(**CODER, epsilon=0.05),
}
every_network = pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
every_preset = pytest.mark.parametrize("presets", [MNIST, DIGITS], ids=["MNIST", "DIGITS"])


def blob(center, n=20, seed=0):
    noise = np.random.default_rng(seed).uniform(-0.05, 0.05, (n, 3))
    return np.asarray(center) + noise


LOW, HIGH, MIXED = blob([0.1, 0.1, 0.9]), blob([0.9, 0.9, 0.9]), blob([0.9, 0.1, 0.1])
X, Y = np.concatenate([LOW, HIGH]), np.repeat([0, 1], 20)


# --- one step, by hand


def forward(layers, x):
    for W, b in layers[:-1]:
        x = np.maximum(x @ W + b, 0)
    return x @ layers[-1][0] + layers[-1][1]


def softmax_loss(params, x, t):
    return -log_softmax(forward(params, x), axis=1)[np.arange(len(x)), t.astype(int)]


def membership_loss(params, x, t):
    logit = forward(params, x)[:, 0]
    return -(t * log_expit(logit) + (1 - t) * log_expit(-logit))


def reconstruction_loss(params, x, t):
    return np.linalg.norm(x - forward(params[1], expit(forward(params[0], x))), axis=1)


def squared_sigmoid_loss(params, x, t):
    return ((x - expit(forward(params[1], expit(forward(params[0], x))))) ** 2).sum(axis=1)


def leaves(tree):
    return [leaf for part in tree for leaf in leaves(part)] if isinstance(tree, tuple) else [tree]


def gradient(mean_loss, params, step=1e-6):
    """By central differences; the arrays in `params` are changed and restored."""
    found = []
    for array in leaves(params):
        slope = np.zeros_like(array)
        for i in np.ndindex(array.shape):
            kept = array[i]
            array[i] = kept + step
            above = mean_loss(params)
            array[i] = kept - step
            slope[i] = (above - mean_loss(params)) / (2 * step)
            array[i] = kept
        found.append(slope)
    return found


def adam_by_hand(mean_losses, params, rate):
    """Adam as published (Kingma and Ba, Alg. 1), one step for each mean loss."""
    m = [np.zeros_like(p) for p in leaves(params)]
    v = [np.zeros_like(p) for p in leaves(params)]
    for k, mean_loss in enumerate(mean_losses, 1):
        for i, g in enumerate(gradient(mean_loss, params)):
            m[i] = 0.9 * m[i] + 0.1 * g
            v[i] = 0.999 * v[i] + 0.001 * g**2
            unbiased = m[i] / (1 - 0.9**k), v[i] / (1 - 0.999**k)
            leaves(params)[i] -= rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
    return params


@second_opinion("brute force", "networks.SNG networks.ENS")
@pytest.mark.parametrize(
    ("objective", "loss", "widths"),
    [
        (Softmax(), softmax_loss, (3, 4, 2)),
        (Membership(), membership_loss, (3, 4, 2, 1)),
        (Reconstruction(), reconstruction_loss, ((3, 4, 2), (2, 4, 3))),
        (Reconstruction("sigmoid", "squared"), squared_sigmoid_loss, ((3, 4, 2), (2, 4, 3))),
    ],
    ids=["softmax", "membership", "reconstruction", "squared"],
)
def test_two_passes_are_those_computed_by_hand(objective, loss, widths):
    """Five samples in minibatches of 4 and 1; gradients by differences, Adam as published."""
    rng = np.random.default_rng(3)
    nested = isinstance(widths[0], tuple)
    params = (
        tuple(initial_layers(w, rng) for w in widths) if nested else initial_layers(widths, rng)
    )
    samples = Samples(rng.random((5, 3), np.float32), np.float32([0, 1, 1, 0, 1]))
    fit, made = train(
        Training(objective, start_fit(params), samples, Plan(2, 4, 0.05), 7, ("a", "task 1"))
    )
    orders = generator(7, "a", "task 1")
    rows = [part for _ in range(2) for part in np.split(orders.permutation(5), [4])]
    mean_losses = [
        lambda p, r=r: loss(p, samples.X[r].astype(float), samples.target[r]).mean() for r in rows
    ]
    expected = adam_by_hand(mean_losses, as_doubles(params), 0.05)
    assert made == 2
    for ours, theirs in zip(leaves(fit.params), leaves(expected), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=2e-5)


@pytest.mark.parametrize("numbers", [1, 24, 10**9])
def test_a_fit_does_not_depend_on_how_many_minibatches_a_call_has(monkeypatch, numbers):
    """23 samples in minibatches of 4: calls of 1, of 2 and of 64 minibatches."""
    rng = np.random.default_rng(5)
    start = start_fit(initial_layers((3, 4, 1), rng))
    target = np.float32(rng.random(23) < 0.5)
    samples = Samples(rng.random((23, 3), np.float32), target)
    task = Training(Membership(), start, samples, Plan(12, 4, 0.05), 7, ("a", "task 1"))
    expected, _ = train(task)
    monkeypatch.setattr(_training, "NUMBERS", numbers)
    monkeypatch.setattr(_training, "_kept", _training._Kept())
    for ours, theirs in zip(leaves(train(task)[0]), leaves(expected), strict=True):
        np.testing.assert_array_equal(ours, theirs)


LARGE = """
import numpy as np
from repro.networks import ENSGEN
X = np.random.default_rng(0).random((130, 784))
model = ENSGEN(passes=1, threshold=0).online(0).partial_fit(X, np.arange(130) % 2)
print(np.float64(model.generate(0)).sum().hex())
"""


def test_a_fit_does_not_depend_on_the_number_of_cores():
    """JAX takes `NPROC` for it, and would add up in another order with another number."""
    sums = set()
    for cores in ("1", "2", "5"):
        command = [sys.executable, "-c", LARGE]
        sums.add(subprocess.check_output(command, env=os.environ | {"NPROC": cores}, text=True))
    assert len(sums) == 1


def in_order(a, b):
    """``a @ b`` in single precision, by one fused multiplication and addition after another."""
    total = np.zeros((len(a), b.shape[1]), np.float32)
    for column, row in zip(a.T.astype(float), b.astype(float), strict=True):
        total = (total + column[:, None] * row).astype(np.float32)  # the product is exact
    return total


@pytest.mark.skipif(
    [int(part) for part in jaxlib_version.split(".")[:2]] > [0, 10],
    reason="flags are those of jaxlib up to 0.10",
)
@pytest.mark.parametrize("shape", [(64, 784, 500), (64, 500, 250), (64, 200, 8), (50, 784, 100)])
def test_products_and_their_gradients_add_up_in_order(shape):
    """So they round alike whatever the caches and the width of the processor's registers are."""
    n, d, k = shape
    rng = np.random.default_rng(k)
    a, b, g = (rng.random(size, np.float32) - 0.5 for size in ((n, d), (d, k), (n, k)))
    value, pullback = jax.vjp(jax.jit(product), a, b)
    by_a, by_b = pullback(g)
    np.testing.assert_array_equal(value, in_order(a, b))
    np.testing.assert_array_equal(by_a, in_order(g, b.T))
    np.testing.assert_array_equal(by_b, in_order(a.T, g))


def test_the_gradient_of_a_length_is_a_division():
    """And no approximation of 1 / sqrt, which each kind of processor makes in its own way."""
    square = np.random.default_rng(0).uniform(0, 100, 10_000).astype(np.float32)
    slope = jax.jit(jax.vmap(jax.grad(length)))
    np.testing.assert_array_equal(slope(square), np.float32(1) / (2 * np.sqrt(square)))
    assert slope(np.zeros(1, np.float32)) == 0


def as_doubles(tree):
    return tuple(map(as_doubles, tree)) if isinstance(tree, tuple) else tree.astype(float)


def test_the_latent_points_lie_in_the_unit_cube():
    rng = np.random.default_rng(0)
    params = tuple(initial_layers(w, rng) for w in ((3, 4, 2), (2, 4, 3)))
    points = outputs(Reconstruction(), "encode", params, np.float32(1e3 * rng.normal(size=(50, 3))))
    assert points.shape == (50, 2)
    assert points.min() >= 0
    assert points.max() <= 1


def test_a_perfect_reconstruction_has_no_gradient_instead_of_nan():
    zero = tuple((np.zeros((a, b), np.float32), np.zeros(b, np.float32)) for a, b in [(2, 2)])
    samples = Samples(np.zeros((4, 2), np.float32), np.ones(4, np.float32))
    start = start_fit((zero, zero))
    fit, _ = train(Training(Reconstruction(), start, samples, Plan(1, 4, 0.1), 0, ("a",)))
    assert all((leaf == 0).all() for leaf in leaves(fit.params))


# --- tasks


@every_network
def test_a_task_with_both_labels_is_learned(network):
    model = network.online(seed=1)
    assert model.partial_fit(X, Y) is model
    assert model.classes_.tolist() == [0, 1]
    np.testing.assert_array_equal(model.predict(X), Y)


@every_network
def test_predictions_follow_from_the_seed(network):
    first, again, other = (network.online(seed=s).partial_fit(X, Y) for s in (1, 1, 2))
    grid = np.random.default_rng(0).random((40, 3))
    np.testing.assert_array_equal(first.scores(grid), again.scores(grid))
    assert (first.scores(grid) != other.scores(grid)).any()


@second_opinion("another definition", "networks.OnlineNetwork")
@every_network
def test_equal_work_is_done_once_and_gives_what_it_gives_alone(network, monkeypatch):
    cached = network.online(seed=5).partial_fit(LOW, [0] * 20).partial_fit(X, Y).scores(X)
    monkeypatch.setattr(_training, "MOST_BYTES", 0)  # only the last result stays
    monkeypatch.setattr(_training, "_kept", _training._Kept())
    alone = network.online(seed=5).partial_fit(LOW, [0] * 20).partial_fit(X, Y).scores(X)
    np.testing.assert_array_equal(cached, alone)
    assert len(_training._kept.results) == 1


def test_threads_train_what_one_thread_trains(tmp_path):
    y = np.arange(60) % 3
    images = np.random.default_rng(0).random((60, 3)) / 2 + (y == 1)[:, None] / 2
    models = {name: network.online() for name, network in NETWORKS.items()}
    how = {"seeds": [0, 1], "scenarios": {"SEP": SCENARIOS["SEP"]}, "cache": tmp_path}
    alone = evaluate_scenarios(models, images, y, **how)
    found = evaluate_scenarios(models, images, y, **how, jobs=2, backend="threads", fresh=True)
    assert len(found) == 2 * len(NETWORKS)
    for key, run in found.items():
        np.testing.assert_array_equal(run.shares, alone[key].shares)


@every_network
def test_the_order_of_the_samples_in_a_task_does_not_matter(network):
    order = np.random.default_rng(0).permutation(len(X))
    straight, shuffled = network.online(seed=1), network.online(seed=1)
    straight.partial_fit(X, Y)
    shuffled.partial_fit(X[order], Y[order])
    np.testing.assert_array_equal(straight.scores(X), shuffled.scores(X))


@every_network
def test_an_untrained_network_predicts(network):
    model = network.online()
    assert set(model.predict(X).tolist()) <= {0, 1}
    assert model.state is None


@pytest.mark.parametrize("name", ["ENS", "ENSGEN"])
def test_a_label_without_samples_leaves_its_networks_as_they_are(name):
    """Its output stays near 1/2."""
    model = NETWORKS[name].online(seed=1)
    untrained = model.scores(X)[:, 1]
    model.partial_fit(LOW, np.zeros(20, int))
    np.testing.assert_array_equal(model.scores(X)[:, 1], untrained)
    assert (np.abs(expit(untrained) - 0.5) < 0.2).all()


def test_scenario_add_tells_forgetting_from_remembering():
    """Task 1: one cluster with label 0; task 2: another one with label 1."""
    remembered = {}
    for name in ("SNG", "ENSGEN"):
        model = NETWORKS[name].online(seed=2)
        model.partial_fit(LOW, [0] * 20).partial_fit(HIGH, [1] * 20)
        assert (model.predict(HIGH) == 1).all()
        remembered[name] = (model.predict(LOW) == 0).mean()
    assert remembered == {"SNG": 0.0, "ENSGEN": 1.0}


@pytest.mark.parametrize(
    ("stop", "theta", "passes"), [("max", 1.0, 0), ("mean", 1.0, 0), ("max", 0, 3), ("never", 1, 3)]
)
def test_the_rule_ends_the_passes(stop, theta, passes):
    """1 - f(x) is never above 1, and never 0."""
    start = start_fit(initial_layers((3, 8, 1), np.random.default_rng(0)))
    samples = Samples(LOW.astype(np.float32), np.ones(20, np.float32))
    plan = Plan(3, 8, 0.01, stop, theta)
    assert train(Training(Membership(), start, samples, plan, 0, ("a",)))[1] == passes


def test_the_mean_rule_ends_before_the_largest_gap_is_small():
    passes = {}
    for stop in ("mean", "max"):
        model = replace(NETWORKS["ENS"], passes=500, stop=stop, batch=40).online(seed=0)
        model.partial_fit(np.concatenate([X, MIXED[:1]]), [*Y, 0])
        passes[stop] = int(model.state.fits["classifier 0"].adam.count)
    assert 0 < passes["mean"] < passes["max"] < 500


def test_as_printed_the_rule_of_the_autoencoder_ends_the_passes_of_the_classifier():
    """No sample in the cube is farther than 7 from its reconstruction, so nothing is learned."""
    model = replace(NETWORKS["ENSGEN"], stop="max", theta=7.0).online(seed=0)
    untrained = model.scores(X)
    np.testing.assert_array_equal(model.partial_fit(X, Y).scores(X), untrained)


# --- generated samples


@pytest.fixture(scope="module")
def trained():
    return NETWORKS["ENSGEN"].online(seed=0).partial_fit(X, Y)


@second_opinion("stated rule", "networks.ENSGEN")
def test_generated_samples_are_those_the_classifier_accepts(trained):
    for label, center in enumerate((LOW, HIGH)):
        made = trained.generate(label)
        assert 0 < len(made) <= 60
        assert (expit(trained.scores(made.clip(0, 1))[:, label]) > 0.5).mean() > 0.9
        assert np.abs(made.mean(axis=0) - center.mean(axis=0)).max() < 0.2
        np.testing.assert_array_equal(made, trained.generate(label))


def test_nothing_is_generated_above_a_threshold_that_no_output_passes():
    model = replace(NETWORKS["ENSGEN"], threshold=1.0).online(seed=0).partial_fit(X, Y)
    assert model.generate(0).shape == (0, 3)
    model.partial_fit(MIXED, [1] * 20)
    assert set(model.predict(X).tolist()) <= {0, 1}


def test_looking_at_generated_samples_changes_nothing():
    looked, other = (NETWORKS["ENSGEN"].online(seed=4).partial_fit(X, Y) for _ in range(2))
    looked.generate(0)
    looked.partial_fit(MIXED, [1] * 20)
    other.partial_fit(MIXED, [1] * 20)
    np.testing.assert_array_equal(looked.scores(X), other.scores(X))


@second_opinion("brute force", "networks.ENSGENDEL")
def test_samples_within_epsilon_of_new_ones_are_deleted_and_no_others():
    generated, new = np.float32(LOW), np.float32(blob([0.12, 0.1, 0.9], seed=1))
    distance = np.linalg.norm(generated[:, None] - new[None], axis=2).min(axis=1)
    epsilon = float(np.median(distance))
    kept = ENSGENDEL(epsilon=epsilon).kept(generated, new)
    np.testing.assert_array_equal(kept, generated[distance > epsilon])
    assert 0 < len(kept) < len(generated)
    np.testing.assert_array_equal(ENSGENDEL(epsilon=9).kept(generated, new[:0]), generated)
    np.testing.assert_array_equal(ENSGEN().kept(generated, new), generated)


@pytest.mark.parametrize(("new", "is_trained"), [(1, False), (0, True)])
def test_only_new_samples_of_the_other_label_delete(new, is_trained):
    """All generated samples are deleted: the first label has none, and its network stays."""
    model = ENSGENDEL(**CODER, epsilon=9.0).online(seed=2).partial_fit(LOW, [0] * 20)
    before = model.scores(X)[:, 0]
    model.partial_fit(HIGH, [new] * 20)
    assert (model.scores(X)[:, 0] != before).any() == is_trained


def test_without_deletion_ensgendel_is_ensgen():
    models = NETWORKS["ENSGEN"], ENSGENDEL(**CODER, epsilon=0.0)
    first, second = (
        m.online(seed=3).partial_fit(X, Y).partial_fit(MIXED, [1] * 20) for m in models
    )
    np.testing.assert_array_equal(first.scores(X), second.scores(X))


@second_opinion("brute force", "networks.nearest_distance")
@pytest.mark.parametrize("block", [3, 4, 1024])
def test_nearest_distances_in_blocks_are_those_of_all_pairs(block, monkeypatch):
    """Whole numbers, so that every distance is exact in single precision."""
    monkeypatch.setattr(distances, "BLOCK", block)
    rng = np.random.default_rng(block)
    a, b = rng.integers(0, 9, (10, 5)), rng.integers(0, 9, (7, 5))
    expected = np.linalg.norm(a[:, None] - b[None], axis=2).min(axis=1)
    np.testing.assert_allclose(nearest_distance(a, b), expected, rtol=1e-6)


# --- descriptions, models and presets


@every_preset
def test_presets_are_the_four_networks(presets):
    kinds = {"SNG": SNG, "ENS": ENS, "ENSGEN": ENSGEN, "ENSGENDEL": ENSGENDEL}
    assert {name: type(network) for name, network in presets.items()} == kinds


def test_the_networks_for_mnist_have_the_widths_of_the_paper():
    state = MNIST["ENSGENDEL"].start(784)
    shapes = [leaf.shape for leaf in leaves(state.fits["classifier 1"].params) if leaf.ndim == 2]
    assert shapes == [(784, 500), (500, 250), (250, 125), (125, 1)]
    shapes = [leaf.shape for leaf in leaves(state.fits["autoencoder 0"].params) if leaf.ndim == 2]
    assert shapes[:3] == [(784, 500), (500, 200), (200, 8)]
    assert shapes[3:] == [(8, 200), (200, 500), (500, 784)]


def test_initial_weights_are_glorots():
    ((weights, biases),) = initial_layers((300, 100), np.random.default_rng(0))
    bound = np.sqrt(6 / 400)
    assert np.abs(weights).max() <= bound
    np.testing.assert_allclose(weights.var(), bound**2 / 3, rtol=0.03)
    assert (biases == 0).all()


def test_widths_may_be_a_list_and_equal_descriptions_are_equal():
    assert SNG(hidden=[8, 4]) == SNG(hidden=(8, 4))
    assert len({SNG(), SNG(), ENS()}) == 2


@every_network
def test_models_are_copied_and_pickled_with_what_they_learned(network):
    model = network.online(seed=1).partial_fit(X, Y)
    for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(copied.scores(X), model.scores(X))
        copied.partial_fit(MIXED, [0] * 20)
    assert model.state.n_tasks == 1
    assert repr(model) == f"{network!r}.online(seed=1)"


def test_an_evaluation_sets_a_seed_that_was_not_given():
    schema = Schema(nominal=(0, 0, 0), n_classes=2)
    seeded = interop.adapt(NETWORKS["SNG"].online(), schema, seed=1).model
    assert seeded.seed is not None
    assert interop.adapt(NETWORKS["SNG"].online(seed=4), schema, seed=1).model.seed == 4


def test_an_adapter_teaches_a_network_a_task():
    schema = Schema(nominal=(0, 0, 0), n_classes=2)
    adapter = interop.adapt(NETWORKS["SNG"].online(seed=1), schema)
    adapter.learn(X, Y, np.arange(len(X)), len(X))
    np.testing.assert_array_equal(adapter.predict(X), Y)
    again = interop.adapt(adapter.model, schema)
    np.testing.assert_array_equal(again.predict(X), Y)


# --- errors


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (X, Y + 1, r"y must hold integer labels 0\.\.1 .*; got 2 at index 20"),
        (X, Y - 1, r"y must hold integer labels 0\.\.1 .*; got -1 at index 0"),
        (X[0], Y, r"X must have shape \(n, d\) with n, d >= 1; got \(3,\)"),
        (X[:0], Y[:0], r"X must have shape \(n, d\) with n, d >= 1; got \(0, 3\)"),
        (X[:0], Y, r"X must have shape"),
        (X, Y[:-1], "y must have one label per row of X; got 39 for 40"),
        (X, [], "y must be a non-empty 1-d array"),
        (np.where(X > 0.9, np.nan, X), Y, "X must be finite; got nan in row"),
        (2 * X, Y, r"X must lie in \[0, 1\]; got 1\.\d+ in row"),
        (X - 0.5, Y, r"X must lie in \[0, 1\]; got -0\.\d+ in row 0, column 0"),
    ],
)
def test_invalid_tasks_are_refused(x, y, message):
    model = NETWORKS["SNG"].online()
    with pytest.raises(ValueError, match=message):
        model.partial_fit(x, y)
    assert model.state is None


def test_the_number_of_features_is_that_of_the_first_task():
    model = NETWORKS["SNG"].online().partial_fit(X, Y)
    for call in (model.predict, lambda x: model.partial_fit(x, Y)):
        with pytest.raises(ValueError, match="X must have 3 columns, as in the first task; got 2"):
            call(X[:, :2])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SNG(hidden=(0,)), r"hidden\[0\] must be a whole number >= 1; got 0"),
        (lambda: SNG(hidden=5), "hidden must be a tuple of widths; got 5"),
        (lambda: SNG(passes=0), "passes must be a whole number >= 1; got 0"),
        (lambda: ENS(batch=1.5), "batch must be a whole number >= 1; got 1.5"),
        (lambda: ENS(learning_rate=0), "learning_rate must be .*> 0 and <= 3.40282e.38; got 0"),
        (lambda: ENS(stop="first"), "stop must be one of never, max, mean; got 'first'"),
        (lambda: ENS(theta=-1), "theta must be finite and >= 0 and <= 3.40282e.38; got -1"),
        (lambda: ENSGEN(encoder=("a",)), r"encoder\[0\] must be a whole number >= 1; got 'a'"),
        (lambda: ENSGEN(latent=0), "latent must be a whole number >= 1; got 0"),
        (lambda: ENSGEN(draws=0), "draws must be a whole number >= 1; got 0"),
        (lambda: ENSGEN(threshold=2), r"threshold must lie in \[0, 1\]; got 2"),
        (lambda: ENSGEN(decoder_output="tanh"), "decoder_output must be one of linear, sigmoid"),
        (lambda: ENSGEN(norm="l1"), "norm must be one of euclidean, squared; got 'l1'"),
        (lambda: ENSGENDEL(epsilon=-1), "epsilon must be finite and >= 0; got -1"),
        (lambda: SNG().online(seed=-1), "seed must be a whole number >= 0; got -1"),
        (lambda: nearest_distance([[1]], [[1, 2]]), "others must have 1 columns, as X; got 2"),
        (lambda: nearest_distance([[1e20]], [[1]]), r"X must lie in \[-1e\+15, 1e\+15\]; got"),
        (lambda: ENSGEN().online().generate(0), "label must have been learned in a task; got 0"),
        (lambda: ENSGEN().online().generate(2), "label must be at most 1; got 2"),
    ],
)  # fmt: skip
def test_invalid_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_network_that_generates_nothing_says_so():
    with pytest.raises(TypeError, match=r"label must be that .* generates .*; got 0 for ENS\("):
        ENS().online().generate(0)
    with pytest.raises(TypeError, match=r"network must be one of repro.networks; got 5"):
        networks.OnlineNetwork(5)


WITHOUT_JAX = """
import sys
sys.modules["jax"] = None
import repro
try:
    import repro.networks
except ImportError as error:
    print(error)
"""


def test_without_jax_the_extra_is_named_and_the_rest_works():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_JAX], capture_output=True, text=True, check=True
    )
    first, command = done.stdout.splitlines()
    assert "JAX and optax, the extra repro-streams[networks]" in first
    assert "[networks]" in command
