"""Which classes of a data set, and how many samples, make each base set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from repro._checks import as_list, check_count, is_whole, shown
from repro.scenarios.base_set import BaseSet

__all__ = ["as_assignment", "as_sizes"]

FORMS = "a text of digits, or map classes to base sets or base sets to classes"


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
    found = tuple(tuple(kind for owner, kind in pairs if owner == name) for name in names)
    if () in found:
        rule = "assignment must give each base set a class"
        raise ValueError(f"{rule}; got none for {names[found.index(())]}")
    return found


def _pairs_of_text(text: str, names: list[str]) -> list[tuple[str, int]]:
    if not (text.isascii() and text.isdigit()) or len(text) < len(names):
        rule = f"assignment must have one digit for each of {', '.join(names)}"
        raise ValueError(f"{rule}; got {shown(text)}")
    return [(name, int(digit)) for name, digit in zip(names, text, strict=False)]


def _pairs_of_mapping(given: Mapping[Any, Any], names: list[str]) -> Iterator[tuple[str, int]]:
    """(base set, class) for {class: base set} and for {base set: class or classes}."""
    for key, value in given.items():
        if isinstance(key, str | BaseSet):
            kinds = [value] if is_whole(value) else as_list(value, name="assignment", rule=FORMS)
            for kind in kinds:
                yield _name(key, names), check_count(kind, name="assignment", least=0)
        else:
            yield _name(value, names), check_count(key, name="assignment", least=0)


def _name(given: Any, names: list[str]) -> str:
    name = given.name if isinstance(given, BaseSet) else given
    if not isinstance(name, str) or name not in names:
        rule = f"assignment must name base sets among {', '.join(names)}"
        raise ValueError(f"{rule}; got {shown(given)}")
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
