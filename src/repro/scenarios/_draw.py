"""Samples of each base set, drawn from a labelled data set: which classes, how many, which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro import seeds
from repro._checks import as_labels, as_list, as_matrix, check_count, is_whole, shown
from repro.scenarios.base_set import BaseSet

__all__ = ["Labelled", "as_assignment", "as_labelled", "as_sizes", "as_test", "choose"]
__all__ += ["rows_of_task", "train_and_test"]

FORMS = "a text of digits, or map classes to base sets or base sets to classes"

Classes = Sequence[tuple[int, ...]]
Rows = list[NDArray[np.int64]]  # indices of samples, for each base set


def as_assignment(assignment: Any, base_sets: Sequence[BaseSet]) -> tuple[tuple[int, ...], ...]:
    """The classes of each base set, in their order; at least one each, no class twice."""
    names = [base_set.name for base_set in base_sets]
    if isinstance(assignment, str):
        pairs = _pairs_of_text(assignment, names)
    elif isinstance(assignment, Mapping):
        pairs = list(_pairs_of_mapping(assignment, names))
    else:
        raise TypeError(f"assignment must be {FORMS}; got {shown(assignment)}")
    classes = [kind for _, kind in pairs]
    if twice := [kind for i, kind in enumerate(classes) if kind in classes[:i]]:
        raise ValueError(f"assignment must name each class once; got {twice[0]} twice")
    groups = tuple(tuple(kind for owner, kind in pairs if owner == name) for name in names)
    if () in groups:
        rule = "assignment must give each base set a class"
        raise ValueError(f"{rule}; got none for {names[groups.index(())]}")
    return groups


def _pairs_of_text(text: str, names: list[str]) -> list[tuple[str, int]]:
    if not (text.isascii() and text.isdigit()) or len(text) < len(names):
        rule = f"assignment must have one digit for each of {', '.join(names)}"
        raise ValueError(f"{rule}; got {shown(text)}")
    return [(name, int(digit)) for name, digit in zip(names, text, strict=False)]


def _pairs_of_mapping(assignment: Mapping[Any, Any], names: list[str]) -> Iterator[tuple[str, int]]:
    """(base set, class) for {class: base set} and for {base set: class or classes}."""
    for key, value in assignment.items():
        if isinstance(key, str | BaseSet):
            kinds = [value] if is_whole(value) else as_list(value, name="assignment", rule=FORMS)
            for kind in kinds:
                yield _name(key, names), check_count(kind, name="assignment", least=0)
        else:
            yield _name(value, names), check_count(key, name="assignment", least=0)


def _name(base_set: Any, names: list[str]) -> str:
    name = base_set.name if isinstance(base_set, BaseSet) else base_set
    if not isinstance(name, str) or name not in names:
        rule = f"assignment must name base sets among {', '.join(names)}"
        raise ValueError(f"{rule}; got {shown(base_set)}")
    return name


def as_sizes(sizes: Any, base_sets: Sequence[BaseSet]) -> list[int] | None:
    """One whole number >= 1 for each base set, in their order; None stays None."""
    names = [base_set.name for base_set in base_sets]
    rule = f"sizes must be whole numbers >= 1, one for each of {', '.join(names)}"
    if sizes is None:
        return None
    if isinstance(sizes, Mapping):
        named = {str(key): value for key, value in sizes.items()}
        listed = [named[name] for name in names if name in named]
        fits = set(named) == set(names)
    else:
        listed = as_list(sizes, name="sizes", rule="whole numbers, or map base sets to them")
        fits = len(listed) == len(names)
    if not fits or not all(is_whole(size) and size >= 1 for size in listed):
        raise ValueError(f"{rule}; got {shown(sizes)}")
    return [int(size) for size in listed]


class Labelled(NamedTuple):
    """A labelled data set: attributes (n, d), and classes (n,)."""

    X: NDArray[np.float64]
    y: NDArray[np.int64]


def as_labelled(X: ArrayLike, y: ArrayLike, names: tuple[str, str] = ("X", "y")) -> Labelled:
    """Return `X` and `y` as arrays of one length; `names` are those of the arguments."""
    data = Labelled(as_matrix(X, name=names[0]), as_labels(y, name=names[1]))
    if len(data.X) != len(data.y):
        rule = f"{names[1]} must have one class per row of {names[0]}, {len(data.X)}"
        raise ValueError(f"{rule}; got {len(data.y)}")
    return data


def as_test(test: Any, n_features: int) -> Labelled:
    """Return the pair `test` as a labelled data set with `n_features` attributes."""
    if not isinstance(test, tuple | list) or len(test) != 2:
        raise TypeError(f"test must be a pair X, y; got {shown(test)}")
    data = as_labelled(test[0], test[1], names=("test[0]", "test[1]"))
    if data.X.shape[1] != n_features:
        rule = f"test must have the {n_features} attributes of X"
        raise ValueError(f"{rule}; got {data.X.shape[1]}")
    return data


def train_and_test(
    data: Labelled, test: Labelled | None, classes: Classes, share: float, seed: int
) -> tuple[Rows, Rows]:
    """Training samples of each base set in `data`, and test samples in `test` or else in `data`.

    Parameters
    ----------
    data : the labelled data set.
    test : another one to test with; None draws `share` of each class of `data`.
    classes : of each base set.
    share : of the samples of a class to test with.
    seed : of the draw. A class has the same test samples in every scenario.
    """
    rows = _rows_of(data.y, classes, "y")
    if test is not None:
        return rows, _rows_of(test.y, classes, "test")
    parts = [_split(samples, data.y[samples], share, seed) for samples in rows]
    return [learned for learned, _ in parts], [held for _, held in parts]


def _rows_of(y: NDArray[np.int64], classes: Classes, name: str) -> Rows:
    """The samples of each base set; `name` is that of the argument with the classes `y`."""
    present = np.unique(y)
    for kind in (kind for kinds in classes for kind in kinds):
        if kind not in present:
            held = shown(present.tolist())
            raise ValueError(f"assignment must name classes of {name}, {held}; got {kind}")
    return [np.flatnonzero(np.isin(y, kinds)) for kinds in classes]


def _split(
    rows: NDArray[np.int64], y: NDArray[np.int64], share: float, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The `rows` to learn, and `share` of those of each class in `y` to test with."""
    is_test = np.zeros(rows.size, np.bool_)
    for kind in np.unique(y):
        members = np.flatnonzero(y == kind)
        n_test = round(share * members.size)
        if not 0 < n_test < members.size:
            rule = "test_share must leave training and test samples of each class"
            raise ValueError(f"{rule}; got {share:g} of {members.size} samples of class {kind}")
        rng = seeds.generator(seed, "test samples", str(kind))
        is_test[rng.permutation(members)[:n_test]] = True
    return rows[~is_test], rows[is_test]


def choose(rows: Rows, sizes: list[int] | None, base_sets: Sequence[BaseSet], seed: int) -> Rows:
    """So many of the `rows` of each base set, drawn at random; all of them without `sizes`."""
    if sizes is None:
        return rows
    drawn = []
    for base_set, samples, size in zip(base_sets, rows, sizes, strict=True):
        if size > samples.size:
            rule = f"sizes must be at most the training samples of {base_set.name}, {samples.size}"
            raise ValueError(f"{rule}; got {size}")
        rng = seeds.generator(seed, "training samples", base_set.name)
        drawn.append(np.sort(rng.permutation(samples)[:size]))
    return drawn


def rows_of_task(
    rows: Rows, base_sets: Sequence[BaseSet], task: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The samples that `task` presents, in the order of the data set, and their labels 0..K-1."""
    presented = [base_set.presented(task) for base_set in base_sets]
    pairs = [(part, k) for part, k in zip(rows, presented, strict=True) if k is not None]
    samples = np.concatenate([part for part, _ in pairs])
    labels = np.concatenate([np.full(part.size, k, np.int64) for part, k in pairs])
    order = np.argsort(samples, kind="stable")
    return samples[order], labels[order]
