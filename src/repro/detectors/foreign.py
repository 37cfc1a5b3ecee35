"""Detectors of other libraries, and your own, as detectors of this package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from repro._checks import shown
from repro._seeding import seeded
from repro.detectors.detector import CONTROL, DRIFT, WARNING, Detector, OnlineDetector, update
from repro.kernels.dispatch import interpreted
from repro.kernels.states import state_bytes

__all__ = ["ForeignDetector", "as_detector", "check_detector"]

# How libraries call what a detector does: river, frouros and CapyMOA, scikit-multiflow, MOA.
UPDATES = ("update", "add_element", "input")
ALARMS = ("drift_detected", "change_detected", "drift", "detected_change", "getChange")
WARNINGS = ("warning_detected", "warning", "detected_warning", "detected_warning_zone")
LATCHED = ("frouros",)  # libraries whose detectors stay in the alarm until they are reset


class ForeignState(NamedTuple):
    """The detector as it stands, and how it is called."""

    live: list[Any]  # (2,) the detector, and the number of values that it has seen
    update: str
    alarm: str
    warning: str
    is_latched: bool


@dataclass(frozen=True, eq=False)
class ForeignDetector(Detector):
    """A detector of another library, or your own, with the methods of a `Detector`.

    It is called from Python, value by value. Each run uses a copy of `model`, as it is, with each
    seed in it that is None set. The `model` has one method and one attribute (or method without
    arguments) of these:

    ========  ================================================================================
    update    ``update(x)``, ``add_element(x)`` or ``input(x)``
    alarm     ``drift_detected``, ``change_detected``, ``drift``, ``detected_change``,
              ``getChange``
    warning   ``warning_detected``, ``warning``, ``detected_warning``,
              ``detected_warning_zone``; it may have none
    ========  ================================================================================

    It restarts by itself after an alarm, as river's detectors do. Those of frouros do not, so their
    ``reset()`` is called.

    >>> class Third:
    ...     drift_detected, seen = False, 0
    ...     def update(self, x):
    ...         self.seen += 1
    ...         self.drift_detected = self.seen % 3 == 0
    >>> ForeignDetector(Third()).alarms([0] * 7).tolist()
    [2, 5]
    """

    model: Any

    paper: ClassVar[str] = ""
    randomised: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check_names(self.model, "model")

    def __hash__(self) -> int:
        return hash((type(self), type(self.model)))

    def start(self, seed: int = 0) -> ForeignState:
        """Return a copy of the model, before the first value."""
        names = [_first(self.model, names) for names in (UPDATES, ALARMS, WARNINGS)]
        is_latched = type(self.model).__module__.partition(".")[0] in LATCHED
        return ForeignState([seeded(self.model, seed), 0], names[0], names[1], names[2], is_latched)


def as_detector(model: Any) -> Detector:
    """Return `model` as a `Detector`: one of this package as it is, any other in a wrapper.

    `model` may also be a class that is constructed without arguments. See `ForeignDetector` for
    the names of its methods. Raises TypeError for an object that is not a detector, and for a
    class that cannot be constructed so.

    >>> from repro.detectors import DDM
    >>> as_detector(DDM), as_detector(3)
    Traceback (most recent call last):
    TypeError: model must have update(x) and drift_detected, or the names of another library;
    got 3, which has none of update, add_element, input
    """
    return _as_detector(model, "model")


def check_detector(detector: Any, *, name: str = "detector") -> Detector:
    """Return `detector`, of this package or another, as a `Detector`; a class is refused."""
    if isinstance(detector, type | OnlineDetector):
        raise ValueError(f"{name} must be a Detector, such as DDM(); got {shown(detector)}")
    try:
        return _as_detector(detector, name)
    except TypeError as error:
        rule = f"{name} must be a Detector, such as DDM()"
        raise ValueError(f"{rule}; got {shown(detector)} ({error})") from None


def _as_detector(model: Any, name: str) -> Detector:
    if isinstance(model, type):
        try:
            model = model()
        except Exception as error:
            rule = f"{name} must be an instance, or a class without arguments"
            raise TypeError(f"{rule}; got {model.__name__} ({error})") from error
    if isinstance(model, Detector):
        return model
    if isinstance(model, OnlineDetector):
        return model.detector
    _check_names(model, name)
    return ForeignDetector(model)


@interpreted(update, ForeignState)
def _update(state: ForeignState, value: float) -> int:
    model, count = state.live
    try:
        getattr(model, state.update)(float(value))
        level = _level(model, state)
        if level == DRIFT and state.is_latched:
            model.reset()
    except Exception as error:
        error.add_note(f"at value {count}")
        raise
    state.live[1] = count + 1
    return level


@state_bytes.register
def _bytes(state: ForeignState) -> Any:
    return float("nan")  # which no library tells


def _level(model: Any, state: ForeignState) -> int:
    if _flag(model, state.alarm):
        return DRIFT
    return WARNING if state.warning and _flag(model, state.warning) else CONTROL


def _flag(model: Any, name: str) -> bool:
    flag = getattr(model, name)
    flag = flag() if callable(flag) else flag
    if isinstance(flag, bool | np.bool_ | int) and flag in (0, 1):
        return bool(flag)
    rule = f"detector.{name} must be True or False"
    raise ValueError(f"{rule}; got {shown(flag)}")


def _check_names(model: Any, name: str) -> None:
    for names in (UPDATES, ALARMS):
        if not _first(model, names):
            rule = f"{name} must have update(x) and drift_detected, or the names of another library"
            raise TypeError(f"{rule}; got {shown(model)}, which has none of {', '.join(names)}")


def _first(model: Any, names: tuple[str, ...]) -> str:
    """The first of `names` that `model` has; "" if it has none."""
    return next((name for name in names if _has(model, name)), "")


def _has(model: Any, name: str) -> bool:
    """Whether `model` has the attribute; a property that raises before the first value counts."""
    return hasattr(type(model), name) or hasattr(model, name)
