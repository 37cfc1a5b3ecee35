"""Measures of continual learning: what a classifier keeps, relabels and acquires."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_floats, shown

__all__ = ["Continual", "continual_report"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_LABELS = 1000


class Continual(NamedTuple):
    """Measures of one classifier over all tasks; nan where there is nothing to measure."""

    retention: float  #: accuracy on what a task leaves out and earlier tasks presented
    relabel: float  #: accuracy on what a task presents with another label than before
    acquisition: float  #: accuracy on what a task presents for the first time
    average_accuracy: float  #: mean accuracy on all tasks after the last one
    backward_transfer: float  #: how much accuracy on earlier tasks rose; negative: it fell
    forward_transfer: float  #: accuracy on a task before it is learned, above chance
    forgetting: float  #: how far accuracy on earlier tasks fell from its best
    excess_forgetting: float  #: forgetting above that of the ideal classifier


def continual_report(
    accuracies: ArrayLike,
    states: ArrayLike,
    *,
    sizes: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
) -> Continual:
    r"""Measures of a classifier that learned T tasks one after the other, with K labels.

    A base set is a set of samples with one state per task: not presented, or presented with a
    label. After each task, the label *wanted* is that of its latest presentation. With the
    accuracies :math:`a_{t,b}` after task *t* on base set *b* under the label wanted then, the
    first three measures are means of :math:`a_{t,b}` over all tasks *t* from the second on, and

    * *retention*: the base sets presented before task *t*, but not in it;
    * *relabel*: those that task *t* presents with another label than was wanted before;
    * *acquisition*: those that task *t* presents for the first time.

    After two tasks these are the accuracies that Szadkowski, Drchal and Faigl (Table 4) list for
    C10, for C21 and C12, and for C02 and C01. The field's measures compare tasks. With the
    accuracy :math:`R_{i,j}` after task *i* on the samples and labels of task *j*,

    .. math:: \text{ACC} = \frac{1}{T} \sum_j R_{T,j}, \quad
              \text{BWT} = \frac{1}{T-1} \sum_{j<T} (R_{T,j} - R_{j,j}), \quad
              \text{FWT} = \frac{1}{T-1} \sum_{j>1} (R_{j-1,j} - \bar b_j),

    (Lopez-Paz and Ranzato 2017, NeurIPS, Sec. 2), and the *forgetting* (Chaudhry, Dokania, Ajanthan
    and Torr 2018, ECCV, Sec. 4.1, with the maximum from task *j* on)

    .. math:: F = \frac{1}{T-1} \sum_{j<T} \Bigl(\max_{j \le l < T} R_{l,j} - R_{T,j}\Bigr).

    Forgetting and BWT count a correct new label as a loss. The *excess forgetting* is F minus the F
    of the ideal classifier, which always answers with the label wanted. It is negative for a
    classifier that keeps labels that were to be replaced.

    Parameters
    ----------
    accuracies : (T, B) accuracy after each task on each base set, under the label wanted then. For
        a base set not presented yet: under its first label, or nan if unknown, which makes FWT nan.
        Or (T, B, K) share of each label among the predictions, which BWT, FWT and forgetting need
        where more than two labels change.
    states : (T, B) 0 where a task does not present the base set, *k* where it presents it with
        the *k*-th label.
    sizes : (B,) number of test samples of each base set, the weights of all means over base sets;
        by default all equal.
    baseline : (T,) accuracy of an untrained classifier on each task, the :math:`\bar b` of FWT; by
        default 1/K, chance.

    Raises ValueError for arrays of other shapes, accuracies or shares outside [0, 1], states that
    are not whole numbers >= 0 or present nothing, and sizes that are not positive.

    The ideal classifier in INC, where C21 changes from label 2 to label 1: BWT and forgetting
    punish it, excess forgetting does not.

    >>> ideal = continual_report([[1, np.nan, 1], [1, 1, 1]], [[1, 0, 2], [0, 2, 1]])
    >>> ideal.retention, ideal.relabel, ideal.acquisition
    (1.0, 1.0, 1.0)
    >>> ideal.backward_transfer, ideal.forgetting, ideal.excess_forgetting
    (-0.5, 0.5, 0.0)
    """
    presented = _as_states(states)
    n_tasks, n_sets = presented.shape
    weights = np.ones(n_sets) if sizes is None else _as_sizes(sizes, n_sets)
    wanted, n_labels = _wanted(presented), max(2, int(presented.max()))
    shares = _as_shares(accuracies, presented, wanted, n_labels)
    chance = _as_baseline(baseline, n_tasks, n_labels)
    right = _share_of(shares, wanted)
    before, after, states_now = wanted[:-1], wanted[1:], presented[1:] > 0
    was_presented = before >= 0
    by_task = _task_accuracies(shares, presented, weights)
    ideal = _task_accuracies(_ideal_shares(wanted, n_labels), presented, weights)
    forgetting = _forgetting(by_task)
    return Continual(
        _mean(right[1:], was_presented & ~states_now, weights),
        _mean(right[1:], was_presented & (before != after), weights),
        _mean(right[1:], ~was_presented & states_now, weights),
        float(by_task[-1].mean()),
        float((by_task[-1] - np.diag(by_task))[:-1].mean()),
        float((np.diag(by_task, 1) - chance[1:]).mean()),
        forgetting,
        forgetting - _forgetting(ideal),
    )


def _wanted(states: Integers) -> Integers:
    """Label 0..K-1 wanted for each base set after each task, (T, B); -1 not yet presented."""
    wanted = states - 1
    for t in range(1, len(wanted)):
        wanted[t] = np.where(wanted[t] < 0, wanted[t - 1], wanted[t])
    return wanted


def _ideal_shares(wanted: Integers, n_labels: int) -> Floats:
    """All predictions are the label wanted, (T, B, K); nan before the first presentation."""
    one_hot = (wanted[:, :, None] == np.arange(n_labels)).astype(np.float64)
    return np.where(wanted[:, :, None] < 0, np.nan, one_hot)


def _share_of(shares: Floats, labels: Integers) -> Floats:
    """The share of the label in `labels` (T, B), shape (T, B); nan for the label -1."""
    values = np.take_along_axis(shares, np.maximum(labels, 0)[:, :, None], axis=2)[:, :, 0]
    return np.where(labels < 0, np.nan, values)


def _task_accuracies(shares: Floats, states: Integers, weights: Floats) -> Floats:
    """Accuracy after task i on the samples and labels of task j, shape (T, T)."""
    columns = []
    for now in states:
        labels = np.broadcast_to(now - 1, shares.shape[:2])
        columns.append(_share_of(shares, labels)[:, now > 0] @ weights[now > 0])
        columns[-1] /= weights[now > 0].sum()
    return np.stack(columns, axis=1)


def _forgetting(by_task: Floats) -> float:
    """Mean fall of the accuracy on each earlier task from its best since it was learned."""
    last = len(by_task) - 1
    best = np.array([by_task[j:last, j].max() for j in range(last)])
    return float((best - by_task[last, :last]).mean())


def _mean(values: Floats, counted: NDArray[np.bool_], weights: Floats) -> float:
    """Weighted mean of the `counted` of the `values` (T - 1, B); nan if none is counted."""
    n = np.broadcast_to(weights, values.shape)[counted]
    return float(values[counted] @ n / n.sum()) if n.size else float("nan")


def _as_states(values: Any) -> Integers:
    states = as_floats(values, name="states")
    rule = "states must have shape (T, B) with at least two tasks"
    if states.ndim != 2 or len(states) < 2 or not states.shape[1]:
        raise ValueError(f"{rule}; got {states.shape}")
    is_state = (states >= 0) & (states <= MOST_LABELS) & (states == np.floor(states))
    if not is_state.all():
        rule = f"states must be whole numbers 0..{MOST_LABELS}"
        raise ValueError(f"{rule}; got {states[~is_state][0]}")
    if not (states.any(axis=0).all() and states.any(axis=1).all()):
        rule = "states must present each base set, and something in each task"
        raise ValueError(f"{rule}; got {shown(states.tolist())}")
    return states.astype(np.int64)


def _as_sizes(values: Any, n_sets: int) -> Floats:
    sizes = as_floats(values, name="sizes")
    if sizes.shape != (n_sets,) or not (np.isfinite(sizes) & (sizes > 0)).all():
        rule = f"sizes must be {n_sets} positive numbers, one per base set"
        raise ValueError(f"{rule}; got {shown(values)}")
    return sizes / sizes.max()


def _as_baseline(values: Any, n_tasks: int, n_labels: int) -> Floats:
    if values is None:
        return np.full(n_tasks, 1 / n_labels)
    baseline = as_floats(values, name="baseline")
    if baseline.shape != (n_tasks,) or not ((baseline >= 0) & (baseline <= 1)).all():
        rule = f"baseline must be {n_tasks} accuracies in [0, 1], one per task"
        raise ValueError(f"{rule}; got {shown(values)}")
    return baseline


def _as_shares(accuracies: Any, states: Integers, wanted: Integers, n_labels: int) -> Floats:
    """Share of each label among the predictions, (T, B, K); nan where it is unknown."""
    values = as_floats(accuracies, name="accuracies")
    shape = (*states.shape, n_labels)
    if values.shape not in (shape, shape[:2]):
        rule = f"accuracies must have shape {shape[:2]} or {shape}"
        raise ValueError(f"{rule}; got {values.shape}")
    is_unknown = np.isnan(values) & (wanted < 0).reshape(shape[:2] + (1,) * (values.ndim - 2))
    if not (is_unknown | ((values >= 0) & (values <= 1))).all():
        rule = "accuracies must lie in [0, 1], or be nan before the first presentation"
        wrong = values[~is_unknown & ~((values >= 0) & (values <= 1))]
        raise ValueError(f"{rule}; got {wrong[0]}")
    if values.ndim == 3:
        return _checked_sums(values)
    first = states[(states > 0).argmax(axis=0), np.arange(states.shape[1])] - 1
    labels = np.where(wanted < 0, first, wanted)
    shares = (
        np.repeat(1 - values[:, :, None], 2, axis=2) if n_labels == 2 else np.full(shape, np.nan)
    )
    np.put_along_axis(shares, labels[:, :, None], values[:, :, None], axis=2)
    return shares


def _checked_sums(shares: Floats) -> Floats:
    total = shares.sum(axis=2)
    if (abs(total - 1) > 1e-6).any():
        rule = "accuracies of shape (T, B, K) must be shares with the sum 1"
        raise ValueError(f"{rule}; got {total[abs(total - 1) > 1e-6][0]}")
    return shares
