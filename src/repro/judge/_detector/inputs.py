"""The detectors that a user brings, and each of them made again with another parameter."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from repro._checks import check_number, shown
from repro.detectors.detector import Detector
from repro.detectors.foreign import as_detector
from repro.judge._report.shared import by_class

__all__ = ["Given", "as_given", "made_again"]

DETECTORS = "a detector, a class, a list of them, or a mapping of names to them"


class Given(NamedTuple):
    """A detector of the user, and how it is made with another value of its parameter."""

    detector: Any  # as it is sent to workers
    parameter: str  # "" where there is none
    make: Callable[[float], Any] | None
    values: tuple[float, ...]


def as_given(
    detectors: Any, parameter: Any, values: Any
) -> tuple[dict[str, Given], dict[str, str]]:
    """The usable ones of `detectors` by name, and why the others are not, in one line each.

    Raises TypeError if none can be used, and ValueError for names and values that are not valid.
    """
    named = _named(detectors)
    _check_names(parameter, values, named)
    usable: dict[str, Given] = {}
    failures: dict[str, str] = {}
    for name, raw in named.items():
        its_parameter = parameter.get(name) if isinstance(parameter, Mapping) else parameter
        its_values = values.get(name, ()) if isinstance(values, Mapping) else values
        numbers = _as_values(its_parameter, its_values)
        try:
            usable[name] = _given(raw, its_parameter, numbers)
        except (TypeError, ValueError) as error:
            failures[name] = " ".join(str(error).split())
        except Exception as error:  # raised by the constructor of the user's class
            failures[name] = " ".join(f"{type(error).__name__}: {error}".split())
    if not usable:
        why = "; ".join(f"detectors[{n!r}]: {text}" for n, text in failures.items())
        raise TypeError(f"detectors must hold one that can be used; got {why}")
    return usable, failures


def _named(detectors: Any) -> dict[str, Any]:
    if detectors is None or isinstance(detectors, str | bytes | int | float):
        raise TypeError(f"detectors must be {DETECTORS}; got {shown(detectors)}")
    if isinstance(detectors, Mapping) and not hasattr(detectors, "update_one"):
        named = dict(detectors)
    else:
        several = isinstance(detectors, list | tuple) and not hasattr(detectors, "_fields")
        named = by_class(detectors if several else [detectors])
    if not named:
        raise ValueError(f"detectors must hold at least one detector; got {shown(detectors)}")
    for name in named:
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"detectors must have names that are texts; got {shown(name)}")
    return named


def _as_values(parameter: Any, values: Any) -> tuple[float, ...]:
    """The values of the parameter in increasing order, as they were given."""
    if parameter is None:
        if not isinstance(values, Mapping) and len(_listed(values)):
            rule = "values must come with the parameter that takes them"
            raise ValueError(f"{rule}; got {shown(values)}")
        return ()
    if not isinstance(parameter, str) and not callable(parameter):
        rule = "parameter must be the name of a parameter, or a function of its value"
        raise TypeError(f"{rule}; got {shown(parameter)}")
    listed = _listed(values)
    if not listed:
        raise ValueError("values must hold at least one value of the parameter; got none")
    for value in listed:
        check_number(value, name="values")
    return tuple(sorted(set(listed)))  # whole numbers stay whole


def _listed(values: Any) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        raise ValueError(f"values must be numbers in a list; got {shown(values)}") from None


def _check_names(parameter: Any, values: Any, named: Mapping[str, Any]) -> None:
    for argument, what in ((parameter, "parameter"), (values, "values")):
        unknown = set(argument) - set(named) if isinstance(argument, Mapping) else set()
        if unknown:
            rule = f"{what} must have names of detectors, {', '.join(named)}"
            raise ValueError(f"{rule}; got {shown(sorted(map(str, unknown)))}")


def _given(raw: Any, parameter: Any, values: tuple[float, ...]) -> Given:
    is_function = callable(raw) and not isinstance(raw, type) and not hasattr(raw, "update")
    if callable(parameter):
        make, name = parameter, "value"
    elif is_function:
        if parameter is None:
            rule = "a function that makes a detector needs a parameter and its values"
            raise TypeError(f"{rule}; got parameter None")
        make, name = raw, parameter
    elif parameter is None:
        return Given(_checked(raw), "", None, ())
    else:
        raw = _instance(raw, parameter, values)
        make, name = Again(raw, parameter), parameter
    made = [_try(make, name, value) for value in values]
    usable = tuple(
        v for v, detector in zip(values, made, strict=True) if not isinstance(detector, str)
    )
    if not usable:
        raise ValueError(next(text for text in made if isinstance(text, str)))
    return Given(_checked(make(usable[0]) if is_function else raw), name, make, usable)


class Again:
    """Makes a detector again with another value of one parameter."""

    def __init__(self, detector: Any, parameter: str) -> None:
        self.detector, self.parameter = detector, parameter

    def __call__(self, value: float) -> Any:
        return made_again(self.detector, self.parameter, value)


def made_again(detector: Any, parameter: str, value: float) -> Any:
    """Return `detector` with the same settings, except that `parameter` has the `value`.

    Of a dataclass by ``dataclasses.replace``, of river by ``clone``; else by its class, called with
    those of its arguments that it keeps as attributes.

    Raises TypeError for a parameter that it has not, and what its class raises.

    >>> from repro.detectors import PageHinkley
    >>> made_again(PageHinkley(delta=0.1), "threshold", 7.0)
    PageHinkley(delta=0.1, threshold=7.0, restart=True)
    """
    names = _parameters(detector)
    if names and parameter not in names:
        kind = type(detector).__name__
        raise TypeError(f"parameter must be one of {kind}: {', '.join(names)}; got {parameter!r}")
    if dataclasses.is_dataclass(detector) and not isinstance(detector, type):
        return dataclasses.replace(detector, **{parameter: value})
    if callable(getattr(detector, "clone", None)):
        return detector.clone({parameter: value})
    kept = {name: getattr(detector, name) for name in names if hasattr(detector, name)}
    return type(detector)(**kept | {parameter: value})


def _parameters(detector: Any) -> list[str]:
    """Names of the arguments of the detector's class; none if it takes any."""
    try:
        parameters = inspect.signature(type(detector)).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return []
    return [p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def _instance(raw: Any, parameter: str, values: tuple[float, ...]) -> Any:
    """A class as an instance; with the first value if it cannot be made without arguments."""
    if not isinstance(raw, type):
        return raw
    try:
        return raw()
    except Exception:
        try:
            return raw(**{parameter: values[0]})
        except Exception as error:
            raise TypeError(f"{raw.__name__}: {type(error).__name__}: {error}") from error


def _try(make: Callable[[float], Any], name: str, value: float) -> Any:
    """The detector with `value`, or why there is none."""
    try:
        return _checked(make(value))
    except Exception as error:
        return f"{name}={value!r}: {type(error).__name__}: {error}"


def _checked(raw: Any) -> Any:
    """`raw` if it is a detector of ours, else the object as `as_detector` takes it."""
    detector = as_detector(raw)
    return detector if isinstance(detector, Detector) else raw
