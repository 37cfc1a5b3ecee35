"""The base of all drift detectors: a frozen description, run on arrays, online or in a learner."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, check_count, shown
from repro.kernels.bound import bound, loaded
from repro.kernels.compiling import kernel, outlined
from repro.kernels.dispatch import implements, runnable, verb
from repro.kernels.states import state_bytes, unpacked

__all__ = [
    "CONTROL",
    "DRIFT",
    "WARNING",
    "Detector",
    "OnlineDetector",
    "implements",
    "readings",
    "update",
]

CONTROL, WARNING, DRIFT = range(3)  #: what `update` returns


@verb
def update(state: Any, value: Any) -> int:  # type: ignore[empty-body]
    """Update `state` with `value` and return CONTROL, WARNING or DRIFT."""


@singledispatch
def readings(state: Any) -> dict[str, float]:
    """Return the readings of `state` by name, such as a statistic; by default there are none."""
    return {}


@dataclass(frozen=True)
class Detector(ABC):
    """Description of a drift detector, that is, its settings.

    A subclass is a frozen dataclass that names its `paper` and implements `start`. The same file
    registers the kernel of its state for the verb `update`, and its readings, if any, with
    `readings`.

    A description runs on an array (`alarms`, `levels`), makes an object that takes one value at a
    time (`online`), or is part of a learner, which starts a state of its own.

    `update`, `drift_detected` and `reset` may also be called on the description itself, which then
    keeps an `OnlineDetector`. A copy of the description gets an independent copy of it. Two
    descriptions
    are equal if their settings are equal and they have seen the same; the hash is that of the
    settings alone, which never change.

    >>> from repro.detectors import DDM
    >>> used = DDM()
    >>> used.update(1.0)
    >>> used == DDM(), hash(used) == hash(DDM())
    (False, True)
    """

    paper: ClassVar[str]  #: where the detector was published
    randomised: ClassVar[bool] = False  #: whether it draws random numbers

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__eq__ = Detector.__eq__  # type: ignore[method-assign]  # not the one of dataclasses

    @abstractmethod
    def start(self, seed: int = 0) -> Any:
        """Return the state before the first value: a NamedTuple of arrays of bounded size."""

    def alarms(self, x: ArrayLike, seed: int = 0) -> NDArray[np.int64]:
        """Return the indices of the values in `x` (n,) at which the detector alarms."""
        return np.flatnonzero(self.levels(x, seed) == DRIFT)

    def levels(self, x: ArrayLike, seed: int = 0) -> NDArray[np.int8]:
        """Return CONTROL, WARNING or DRIFT after each value in `x` (n,)."""
        values = as_losses(x, name="x")
        levels = np.empty(values.size, np.int8)
        state = self.start(seed)
        runnable(_levels, state)(state, values, levels)
        return levels

    def online(self, seed: int = 0) -> OnlineDetector:
        """Return the detector in use one value at a time; each step equals that of `levels`."""
        return OnlineDetector(self, seed)

    def update(self, value: float) -> None:
        """Take in `value`, and set `drift_detected` and `warning_detected`."""
        online = vars(self).setdefault("_own", None)
        if online is None:
            online = vars(self)["_own"] = self.online()
        online.update(value)

    def reset(self, seed: int = 0) -> None:
        """Forget everything."""
        seed = check_count(seed, name="seed", least=0)
        vars(self)["_own"] = self.online(seed) if seed else None

    @property
    def drift_detected(self) -> bool:
        """Whether the last `update` raised an alarm."""
        return self._seen().drift_detected

    @property
    def warning_detected(self) -> bool:
        """Whether the last `update` raised a warning."""
        return self._seen().warning_detected

    @property
    def state_bytes(self) -> int:
        """Memory of the state in bytes, online; it does not grow."""
        return self._seen().state_bytes

    def _seen(self) -> OnlineDetector:
        """Return the `OnlineDetector` of this description, or a new one."""
        return vars(self).get("_own") or self.online()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = ([getattr(d, f.name) for f in fields(self)] for d in (self, other))
        return mine == theirs and vars(self).get("_own") == vars(other).get("_own")

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, f.name) for f in fields(self))))

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles take over: with their own copy of the `OnlineDetector`."""
        return {name: copy.deepcopy(p) if name == "_own" else p for name, p in vars(self).items()}


class OnlineDetector:
    """A detector one value at a time: `update`, then `drift_detected` or `warning_detected`.

    Online twin of `Detector.levels`: the same kernel on the same state, called from Python. The
    readings of the `detector`, such as the `statistic` of `PageHinkley` or the `mean` of `ADWIN`,
    are attributes. Two are equal if their detectors are equal and they have seen the same.

    >>> from repro.detectors import PageHinkley
    >>> online = PageHinkley(delta=0.25, threshold=0.4).online()
    >>> for value in [0, 0, 1]:
    ...     online.update(value)
    >>> online.drift_detected, round(online.statistic, 2)
    (True, 0.42)
    """

    def __init__(self, detector: Detector, seed: int = 0) -> None:
        if not isinstance(detector, Detector):
            raise TypeError(f"detector must be one of repro.detectors; got {shown(detector)}")
        self.detector = replace(detector)  # the settings alone, not the values it may have seen
        self.reset(seed)

    def __repr__(self) -> str:
        return f"{self.detector!r}.online()"

    def update(self, value: float) -> None:
        """Take in `value`."""
        self._value[0] = as_number(value, name="value")
        self.level = self._update()

    def reset(self, seed: int = 0) -> None:
        """Forget everything."""
        seed = check_count(seed, name="seed", least=0)
        self.state, self.level = self.detector.start(seed), CONTROL

    @property
    def state(self) -> Any:
        """The state, a NamedTuple of arrays."""
        return self._state

    @state.setter
    def state(self, state: Any) -> None:
        self._state, self._value = state, np.zeros(1)
        self._update = bound(_update, (state, self._value))

    def __getstate__(self) -> dict[str, Any]:
        return {"detector": self.detector, "state": self.state, "level": self.level}

    def __setstate__(self, parts: dict[str, Any]) -> None:
        self.detector, self.level = parts["detector"], parts["level"]
        self.state = unpacked(parts["state"])

    def __copy__(self) -> OnlineDetector:
        return copy.deepcopy(self)  # two detectors of one state would both change it

    @property
    def drift_detected(self) -> bool:
        """Whether the last `update` raised an alarm."""
        return bool(self.level == DRIFT)

    @property
    def warning_detected(self) -> bool:
        """Whether the last `update` raised a warning."""
        return bool(self.level == WARNING)

    @property
    def readings(self) -> dict[str, float]:
        """The readings of the state, by name."""
        return readings(self.state)

    @property
    def state_bytes(self) -> int:
        """Memory of the state in bytes; it does not grow."""
        return state_bytes(self.state)

    def __getattr__(self, name: str) -> float:
        values = readings(self._state) if "_state" in vars(self) else {}
        if name not in values:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return values[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OnlineDetector):
            return NotImplemented
        is_alike = self.detector == other.detector and self.level == other.level
        return is_alike and _same(self.state, other.state)

    __hash__ = None  # type: ignore[assignment]  # because it changes


def _same(one: Any, other: Any) -> bool:
    """Whether two states, or parts of states, are equal; nan equals nan."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(np.array_equal(one, other, equal_nan=True))


@kernel
def _levels(state, values, levels):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        levels[i] = update(state, values[i])


@outlined
def _update(kind, place):  # type: ignore[no-untyped-def]
    state, value = loaded(kind, place)
    return update(state, value[0])
