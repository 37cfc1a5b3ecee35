"""Measures of continual learning, against their definitions and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro.metrics import continual_report
from repro.scenarios import SCENARIOS, Scenario

NAN = np.nan
every_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
CHAIN = Scenario(["C120", "C002", "C111", "C010", "C201"])


def ideal(scenario):
    """Accuracy 1 on everything presented so far, unknown before."""
    return np.where(scenario.wanted < 0, NAN, 1.0)


def by_definition(shares, base_sets, sizes):
    """The measures in loops over tasks and base sets."""
    T = len(shares)

    def mean(pairs):
        pairs = list(pairs)
        weights = [sizes[b] for _, b, _ in pairs]
        return np.average([shares[t, b, k] for t, b, k in pairs], weights=weights) if pairs else NAN

    def R(i, j):
        return mean((i, b, s.presented(j)) for b, s in enumerate(base_sets) if s.states[j])

    later = [(t, b, s) for t in range(1, T) for b, s in enumerate(base_sets)]
    known = [(t, b, s) for t, b, s in later if s.wanted(t - 1) is not None]
    return {
        "retention": mean((t, b, s.wanted(t)) for t, b, s in known if not s.states[t]),
        "relabel": mean((t, b, s.wanted(t)) for t, b, s in known if s.wanted(t) != s.wanted(t - 1)),
        "acquisition": mean(
            (t, b, s.wanted(t)) for t, b, s in later if s.states[t] and not any(s.states[:t])
        ),
        "average_accuracy": np.mean([R(T - 1, j) for j in range(T)]),
        "backward_transfer": np.mean([R(T - 1, j) - R(j, j) for j in range(T - 1)]),
        "forward_transfer": np.mean([R(j - 1, j) - 0.5 for j in range(1, T)]),
        "forgetting": np.mean(
            [max(R(i, j) for i in range(j, T - 1)) - R(T - 1, j) for j in range(T - 1)]
        ),
    }


@second_opinion("brute force", "metrics.continual_report")
@pytest.mark.parametrize("scenario", [*SCENARIOS.values(), CHAIN], ids=[*SCENARIOS, "chain"])
@pytest.mark.parametrize("seed", range(3))
def test_measures_agree_with_their_definitions(scenario, seed):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet([1, 1], scenario.states.shape)
    sizes = rng.integers(1, 9, len(scenario.base_sets))
    got = continual_report(shares, scenario.states, sizes=sizes)._asdict()
    excess = got.pop("excess_forgetting")
    expected = by_definition(shares, scenario.base_sets, sizes)
    assert got == pytest.approx(expected, nan_ok=True)
    best = continual_report(ideal(scenario), scenario.states, sizes=sizes).forgetting
    assert excess == pytest.approx(got["forgetting"] - best)


@every_scenario
def test_backward_transfer_and_forgetting_punish_the_ideal_classifier_where_labels_change(scenario):
    got = continual_report(ideal(scenario), scenario.states)
    lost = 0.5 if scenario.name in ("INC", "SEP") else 0.0
    assert (got.backward_transfer, got.forgetting) == (-lost, lost)
    assert got.average_accuracy == 1 - lost / 2
    assert got.excess_forgetting == 0
    assert (got.retention, got.acquisition) == (1, 1)
    assert got.relabel == 1 if lost else np.isnan(got.relabel)


def test_a_classifier_that_never_relabels_looks_better_than_the_ideal_one():
    """Its forgetting is lower, its BWT higher; the relabel rate and the excess show the fault."""
    states = SCENARIOS["SEP"].states
    stubborn = continual_report([[1, NAN, 1], [1, 1, 0]], states)
    right = continual_report([[1, NAN, 1], [1, 1, 1]], states)
    assert stubborn.backward_transfer > right.backward_transfer
    assert stubborn.forgetting < right.forgetting
    assert (stubborn.relabel, stubborn.excess_forgetting) == (0, -0.5)


def test_after_two_tasks_the_rates_are_those_of_table_4():
    """SEP of ENSGEN, assignment 021: C10 1.00, C02 .97, C12 .78."""
    got = continual_report([[1, NAN, 1], [1.0, 0.97, 0.78]], SCENARIOS["SEP"].states)
    assert got[:3] == (1.0, 0.78, 0.97)


def test_rates_are_means_over_all_later_tasks():
    """C120 is relabelled in T2 and to be kept in T3; C002 is new in T3."""
    accuracies = [[1.0, NAN, 1.0], [0.4, NAN, 1.0], [0.3, 0.9, 1.0]]
    got = continual_report(accuracies, Scenario(["C120", "C002", "C111"]).states)
    assert got[:3] == pytest.approx((0.3, 0.4, 0.9))


def test_accuracies_and_shares_of_two_labels_agree():
    rng, states, wanted = np.random.default_rng(0), CHAIN.states, CHAIN.wanted
    first = states[(states > 0).argmax(axis=0), np.arange(states.shape[1])] - 1
    shares = rng.dirichlet([1, 1], states.shape)
    labels = np.where(wanted < 0, first, wanted)
    accuracies = np.take_along_axis(shares, labels[:, :, None], axis=2)[:, :, 0]
    one, other = continual_report(accuracies, states), continual_report(shares, states)
    assert one == pytest.approx(other)


def test_what_is_unknown_is_nan():
    """Before C02 is presented nothing is known: no forward transfer."""
    got = continual_report([[1, NAN], [0.2, 1]], SCENARIOS["ADD"].states)
    assert np.isnan(got.forward_transfer)
    assert np.isnan(got.relabel)
    assert got.forgetting == pytest.approx(0.8)
    known = continual_report([[1, 0.1], [0.2, 1]], SCENARIOS["ADD"].states)
    assert known.forward_transfer == pytest.approx(-0.4)
    assert (
        continual_report([[1, 0.1], [0.2, 1]], [[1, 0], [0, 2]], baseline=[0, 0.1]).forward_transfer
        == 0
    )


def test_with_three_labels_a_changed_label_needs_shares():
    """Accuracy does not say which label a wrong prediction has."""
    states = [[1, 0, 0], [2, 2, 3]]
    got = continual_report([[1.0, NAN, NAN], [0.6, 1.0, 1.0]], states)
    assert got.relabel == 0.6
    assert np.isnan(got.forgetting)
    shares = np.full((2, 3, 3), NAN)
    shares[0, 0], shares[1] = [1, 0, 0], [[0.3, 0.6, 0.1], [0, 1, 0], [0, 0, 1]]
    assert continual_report(shares, states).forgetting == pytest.approx(0.7)


ADD = [[1, 0], [0, 2]]
ONES = [[1, NAN], [1, 1]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (ONES, [[1, 0]]),
            r"states must have shape \(T, B\) with at least two tasks; got \(1, 2\)",
        ),
        ((ONES, [1, 2]), r"states must have shape \(T, B\).*; got \(2,\)"),
        ((ONES, [[1, 0], [0, 1.5]]), r"states must be whole numbers 0..1000; got 1.5"),
        ((ONES, [[1, 0], [0, -1]]), r"states must be whole numbers 0..1000; got -1"),
        ((ONES, [[1, 0], [0, 0]]), "states must present each base set, and something in each task"),
        ((ONES, "a"), "states must hold numbers; got 'a'"),
        (([1, 2], ADD), r"accuracies must have shape \(2, 2\) or \(2, 2, 2\); got \(2,\)"),
        (
            ([[1, NAN], [1.5, 1]], ADD),
            r"accuracies must lie in \[0, 1\], or be nan before.*got 1.5",
        ),
        (([[1, NAN], [NAN, 1]], ADD), r"accuracies must lie in \[0, 1\], or be nan.*; got nan"),
        ((np.full((2, 2, 2), 0.4), ADD), "must be shares with the sum 1; got 0.8"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        continual_report(*arguments)


def test_bad_weights_are_refused():
    with pytest.raises(ValueError, match="sizes must be 2 positive numbers, one per base set; got"):
        continual_report(ONES, ADD, sizes=[1, 0])
    with pytest.raises(
        ValueError, match=r"baseline must be 2 accuracies in \[0, 1\], one per task"
    ):
        continual_report(ONES, ADD, baseline=[0.5, 2])
