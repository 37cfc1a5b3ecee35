r"""Growth of what was learned: the state of a learner moves to a schema that has more.

A grown schema has the old one inside it: more attributes, more classes, and more values of nominal
attributes, whose codes come after the old ones. An attribute that was missing so far had the value
0 (a number, or the code 0) in every example, so its statistics are known: what a learner holds
after it has grown is what it would hold had it known the new schema from the start.

It is not the same in these cases.

* Trees: the Hoeffding bound has the range log2 K, so a tree that learns of a third class or a later
  one has split sooner. A tree that no longer fits into its memory gives up the newest nodes.
* `LinearSVM`: the plane of a class that was not known is a guess, unless only one class was known.
* Votes before the growth: a nominal attribute yet to come has the density (n + 1) x 1 / (n + 1) in
  the whole schema, 1 but for rounding. `NaiveBayes` with `exact` counts values yet to come, and
  a plane of `LinearSVM` that says "never" may still be the highest. An ensemble or a detector
  that acts on such votes may act otherwise. Equal shares are equal among the classes known.

Your learner needs no rule of its own if its state follows the default one, `inherit_array`.
Else register one::

    @inherit.register
    def _inherit(state: MyState, old: Any, growth: Growth) -> None: ...
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import shown
from repro.kernels.states import member
from repro.streams.stream import Schema, check_schema

__all__ = ["Growth", "grown", "growth_of", "inherit", "inherit_array", "inherit_parts"]


class Growth(NamedTuple):
    """From the schema `old` to `new`; the old attributes are `columns` (d_old,) of the new ones."""

    old: Schema
    new: Schema
    columns: NDArray[np.int64]


def growth_of(old: Schema, new: Schema, columns: ArrayLike | None = None) -> Growth:
    """The growth from `old` to `new`, if `new` contains `old`.

    Parameters
    ----------
    old, new : schemas, with d_old and d_new attributes.
    columns : position of each old attribute in `new`, rising, shape (d_old,); default 0..d_old-1.

    Raises TypeError unless `new` is a Schema, ValueError where it has less than `old`: attributes,
    classes, values of a nominal attribute; or where a numeric attribute becomes nominal or the
    reverse.

    >>> growth_of(Schema((0, 2), 2), Schema((0, 3, 0), 4)).columns.tolist()
    [0, 1]
    """
    new, d = check_schema(new), old.n_features
    if new.n_classes < old.n_classes:
        raise ValueError(f"schema.n_classes must be >= {old.n_classes}; got {new.n_classes}")
    if new.n_features < d:
        raise ValueError(f"schema.nominal must have >= {d} attributes; got {new.n_features}")
    places = np.arange(d) if columns is None else _as_columns(columns, d, new.n_features)
    for values, j in zip(old.nominal, places.tolist(), strict=True):
        if values and new.nominal[j] < values:
            rule = f"must have >= {values} values"
        elif not values and new.nominal[j]:
            rule = "must be 0, numeric as before"
        else:
            continue
        raise ValueError(f"schema.nominal[{j}] {rule}; got {new.nominal[j]}")
    return Growth(old, new, places)


def _as_columns(columns: ArrayLike, d: int, most: int) -> NDArray[np.int64]:
    rule = f"columns must hold {d} rising positions 0..{most - 1}"
    try:
        places = np.asarray(columns)
    except ValueError:
        raise ValueError(f"{rule}; got {shown(columns)}") from None
    whole = places.dtype.kind in "iu" or places.size == 0
    if places.shape != (d,) or not whole or (np.diff(places.astype(float)) <= 0).any():
        raise ValueError(f"{rule}; got {shown(columns)}")
    if d and not (places[0] >= 0 and places[-1] < most):
        raise ValueError(f"{rule}; got {shown(columns)}")
    return places.astype(np.int64)


def grown(learner: Any, state: Any, growth: Growth, seed: int = 0) -> Any:
    """The `state` of `learner` after a growth: a new state for the new schema; `state` stays.

    Parameters
    ----------
    learner : that started `state`.
    state : what it learned under the old schema.
    growth : from the old schema to the new one, see `growth_of`.
    seed : the one that `state` was started with, for random parts that the old schema did not have.

    Raises what `learner.start` raises: ValueError where its memory is too small for the new schema;
    TypeError for a state of your own that the default rule cannot move.

    >>> from repro.learners.baselines import Majority
    >>> old, new = Schema((0,), 2), Schema((0, 0), 3)
    >>> grown(Majority(), Majority().start(old), growth_of(old, new)).counts.tolist()
    [0.0, 0.0, 0.0]
    """
    old, new, columns = growth
    if new.n_classes > old.n_classes and new.n_features > old.n_features:
        # One after the other: a state may have as many attributes as classes, before and after.
        between = old._replace(n_classes=new.n_classes)
        state = grown(learner, state, growth_of(old, between), seed)
        growth = growth_of(between, new, columns)
    fresh = learner.start(new, seed)
    inherit(fresh, state, growth)
    return fresh


@singledispatch
def inherit(state: Any, old: Any, growth: Growth) -> None:
    """Fill `state`, a fresh one for the new schema, with what the `old` one has learned.

    Dispatched on the type of `state`. By default each array follows `inherit_array`, states inside
    follow the rule of their type, objects of Python are copied, and settings stay.
    """
    inherit_parts(state, old, growth)


def inherit_parts(
    state: Any, old: Any, growth: Growth, stacked: Mapping[str, int] | None = None
) -> None:
    """The default rule of `inherit`, part by part.

    Parameters
    ----------
    state, old, growth : as of `inherit`.
    stacked : number of members of each part that holds stacked states, by the name of its field.

    Raises TypeError where `state` and `old` differ in more than the sizes of arrays.
    """
    if type(state) is not type(old):
        kinds = f"{type(old).__name__} and {type(state).__name__}"
        raise TypeError(f"state must be of one kind for both schemas; got {kinds}")
    for name, part in state._asdict().items():
        source = getattr(old, name)
        if isinstance(part, np.ndarray):
            inherit_array(part, source, growth)
        elif isinstance(part, tuple):
            n = (stacked or {}).get(name)
            for m in range(n or 0):
                inherit(member(part, m), member(source, m), growth)
            if n is None:
                inherit(part, source, growth)
        elif isinstance(part, list):  # objects of Python, see `repro.kernels.dispatch`
            part[:] = copy.deepcopy(source)


def inherit_array(array: NDArray[Any], old: NDArray[Any], growth: Growth) -> None:
    """Fill `array` from `old`, which may be shorter; entries that are new stay as they are.

    An axis of the same length keeps its order; one that went from d_old to d_new entries follows
    `growth.columns`; any other keeps the lower indices. So random numbers, counters and detectors
    are copied. Raises TypeError when the number of axes differs.
    """
    if array.ndim != old.ndim:
        raise TypeError(f"state must have as many axes as before, {old.ndim}; got {array.ndim}")
    d = old_d, new_d = growth.old.n_features, growth.new.n_features
    to, at = [], []
    for size, old_size in zip(array.shape, old.shape, strict=True):
        moved = old_d < new_d and (old_size, size) == d
        kept = min(size, old_size)
        to.append(growth.columns if moved else np.arange(kept))
        at.append(slice(kept))
    if array.shape == old.shape:
        array[...] = old
    else:
        array[np.ix_(*to)] = old[tuple(at)]
