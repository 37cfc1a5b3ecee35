"""The one way in which a frozen dataclass sets its own fields: to checked values, at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

__all__ = ["settle"]

Thing = TypeVar("Thing", bound=Any)


def settle(thing: Thing, /, **values: object) -> Thing:
    """Set fields of `thing`, a frozen dataclass that nobody else holds yet, and return it.

    For `__post_init__`, where the checks return what a field should hold: a plain number for one
    of numpy, a tuple for a list. The checks are made in the order in which they are written.

    Parameters
    ----------
    thing : the object, as far as it is made
    values : what the fields become, by their names

    Raises TypeError for a name that is no field, before any field is set.

    >>> from dataclasses import dataclass
    >>> import numpy as np
    >>> from repro._checks import check_count, check_text
    >>> @dataclass(frozen=True)
    ... class Window:
    ...     length: int
    ...     name: str = ""
    ...
    ...     def __post_init__(self) -> None:
    ...         length = check_count(self.length, name="length")
    ...         settle(self, length=length, name=check_text(self.name, name="name") or "window")
    >>> Window(np.int8(5))
    Window(length=5, name='window')
    """
    names = [field.name for field in fields(thing)]
    if unknown := [name for name in values if name not in names]:
        rule = f"{type(thing).__name__} must be given fields ({', '.join(names)})"
        raise TypeError(f"{rule}; got {unknown[0]}")
    for name, value in values.items():
        object.__setattr__(thing, name, value)
    return thing
