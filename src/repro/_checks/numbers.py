"""Checks of numbers, choices and generators; each names the argument, the rule and the value."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

__all__ = [
    "NO_NUMBERS",
    "as_number",
    "check_choice",
    "check_count",
    "check_flag",
    "check_fraction",
    "check_inside",
    "check_number",
    "check_probability",
    "check_rng",
    "is_whole",
    "shown",
]

NO_NUMBERS = (bool, np.bool_, np.timedelta64)  # numpy counts a duration among the integers
MOST_CHARACTERS = 80  # of a value in a message


def as_number(value: Any, *, name: str) -> float:
    """Return one number of a series, such as a loss, as a finite float; True is 1.0.

    The rule of `as_losses` for values that come one by one. A float16 becomes a float, since it
    would lower the precision of a sum that it is added to.
    """
    if isinstance(value, float) and isfinite(value):  # the usual case
        return float(value)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real | np.bool_) or isinstance(value, np.timedelta64):
        raise ValueError(f"{name} must be a number; got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = float("inf")
    if not isfinite(number):
        raise ValueError(f"{name} must be finite; got {shown(value)}")
    return number


def is_whole(value: Any) -> bool:
    """Whether `value` is an integer, of Python or of numpy."""
    return isinstance(value, Integral) and not isinstance(value, NO_NUMBERS)


def check_fraction(value: float, *, name: str) -> float:
    """Return `value` if it lies in (0, 1]."""
    if not _is_number(value) or not 0 < value <= 1:
        raise ValueError(f"{name} must lie in (0, 1]; got {shown(value)}")
    return float(value)


def check_inside(value: float, *, name: str) -> float:
    """Return `value` if it lies in (0, 1), as a significance level does."""
    if not _is_number(value) or not 0 < value < 1:
        raise ValueError(f"{name} must lie in (0, 1); got {shown(value)}")
    return float(value)


def check_probability(value: float, *, name: str) -> float:
    """Return `value` if it lies in [0, 1]."""
    if not _is_number(value) or not 0 <= value <= 1:
        raise ValueError(f"{name} must lie in [0, 1]; got {shown(value)}")
    return float(value)


def check_count(value: int, *, name: str, least: int = 1, most: int | None = None) -> int:
    """Return `value` if it is a whole number of at least `least`, and at most `most`.

    A count is an integer, of Python or of numpy. A float is refused even if it is whole: some
    arguments take 1 as a window and 1.0 as a fading factor.

    Parameters
    ----------
    value : the value to check
    name : the name of the argument, for the message
    least : smallest value accepted
    most : largest value accepted; None for no limit
    """
    if not is_whole(value) or value < least:
        raise ValueError(f"{name} must be a whole number >= {least}; got {shown(value)}")
    if most is not None and value > most:
        raise ValueError(f"{name} must be at most {most}; got {shown(value)}")
    return int(value)


def check_rng(rng: Any, *, name: str = "rng") -> np.random.Generator:
    """Return `rng` if it is one of numpy's generators."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"{name} must be a numpy.random.Generator; got {shown(rng)}")
    return rng


def check_flag(value: bool, *, name: str) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False; got {shown(value)}")
    return value


def check_number(
    value: float,
    *,
    name: str,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
) -> float:
    """Return `value` if it is finite and at least `least`, or above `above`, and at most `most`.

    Parameters
    ----------
    value : the value to check
    name : the name of the argument, for the message
    least : smallest value accepted; None for no limit
    above : largest value refused; None for no limit
    most : largest value accepted; None for no limit
    """
    rule = "finite"
    rule += f" and >= {float(least):g}" if least is not None else ""
    rule += f" and > {float(above):g}" if above is not None else ""
    rule += f" and <= {float(most):g}" if most is not None else ""
    if isinstance(value, np.floating):
        value = value.item()  # a float16 would round `least` for the comparison
    outside = _is_number(value) and (
        (least is not None and value < least)
        or (above is not None and value <= above)
        or (most is not None and value > most)
    )
    if not _is_number(value) or not _is_finite(value) or outside:
        raise ValueError(f"{name} must be {rule}; got {shown(value)}")
    return float(value)


def check_choice(value: str, choices: Iterable[str], *, name: str) -> str:
    """Return `value` if it is one of `choices`."""
    choices = list(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}; got {shown(value)}")
    return value


def shown(value: Any) -> str:
    """The text of `value` in an error message: on one line, cut after 80 characters."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer of more than 4300 digits, or a faulty __repr__
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} ..."


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, NO_NUMBERS)


def _is_finite(value: Any) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # an integer above the largest float
        return False
