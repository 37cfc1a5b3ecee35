"""What every drift detector is: a frozen description, run over arrays, online, or in a learner."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import singledispatch
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses, as_number, check_count, shown
from repro.kernels.compiling import kernel
from repro.kernels.dispatch import implements, verb
from repro.kernels.states import state_bytes

__all__ = [
    "CONTROL",
    "DRIFT",
    "WARNING",
    "Detector",
    "Online",
    "check_detector",
    "implements",
    "readings",
    "update",
]

CONTROL, WARNING, DRIFT = range(3)  #: what `update` answers


@verb
def update(state: Any, value: Any) -> int:  # type: ignore[empty-body]
    """Let `state` take `value` in; CONTROL, WARNING or DRIFT."""


@singledispatch
def readings(state: Any) -> dict[str, float]:
    """What can be read off `state`, by name; nothing, unless its kind says so."""
    return {}


@dataclass(frozen=True)
class Detector(ABC):
    """A description of a drift detector: its settings.

    A subclass is a frozen dataclass, names its `paper`, and implements `start`; the kernel of its
    state is registered beside it, for the verb `update`, and what can be read off it with
    `readings`.

    A description runs over an array (`alarms`, `levels`), gives an object that takes one value at
    a time (`online`), or stands in a learner, which starts a state of its own.

    `update`, `drift_detected` and `reset` may also be called on the description itself. It then
    keeps an `Online` of its own, which is a part of it: a copy has an independent copy of what was
    seen, and two are equal if their settings and what they have seen are. (The hash is that of the
    settings alone, which never change.)

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
        """The state before the first value: a NamedTuple of arrays, of bounded size."""

    def alarms(self, x: ArrayLike, seed: int = 0) -> NDArray[np.int64]:
        """Indices of the values in `x` (n,) at which a drift is signalled."""
        return np.flatnonzero(self.levels(x, seed) == DRIFT)

    def levels(self, x: ArrayLike, seed: int = 0) -> NDArray[np.int8]:
        """CONTROL, WARNING or DRIFT after each value in `x` (n,)."""
        values = as_losses(x, name="x")
        levels = np.empty(values.size, np.int8)
        _levels(self.start(seed), values, levels)
        return levels

    def online(self, seed: int = 0) -> Online:
        """The detector one value at a time, equal step by step to `levels`; nothing seen yet."""
        return Online(self, seed)

    def update(self, value: float) -> None:
        """Take `value` in; `drift_detected` and `warning_detected` then tell what it led to."""
        own = vars(self).setdefault("_own", None)
        if own is None:
            own = vars(self)["_own"] = self.online()
        own.update(value)

    def reset(self, seed: int = 0) -> None:
        """Forget everything."""
        seed = check_count(seed, name="seed", least=0)
        vars(self)["_own"] = self.online(seed) if seed else None

    @property
    def drift_detected(self) -> bool:
        """Whether the last `update` signalled a drift."""
        return self._seen().drift_detected

    @property
    def warning_detected(self) -> bool:
        """Whether the last `update` signalled a warning."""
        return self._seen().warning_detected

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses online, in bytes: it does not grow."""
        return self._seen().state_bytes

    def _seen(self) -> Online:
        """The description's own use online, or one that has seen nothing."""
        return vars(self).get("_own") or self.online()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = ([getattr(d, f.name) for f in fields(self)] for d in (self, other))
        return mine == theirs and vars(self).get("_own") == vars(other).get("_own")

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, f.name) for f in fields(self))))

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: what was seen is not shared with them."""
        return {name: copy.deepcopy(p) if name == "_own" else p for name, p in vars(self).items()}


class Online:
    """A detector one value at a time: `update`, then `drift_detected` or `warning_detected`.

    Online twin of `Detector.levels`: the same kernel on the same state, called from Python. What
    the `detector` calls its readings, such as the `statistic` of `PageHinkley` or the `mean` of
    `ADWIN`, are attributes. Two are equal if their detectors and what they have seen are.

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
        self.detector = replace(detector)  # its settings, and nothing that it may have seen
        self.reset(seed)

    def __repr__(self) -> str:
        return f"{self.detector!r}.online()"

    def update(self, value: float) -> None:
        """Take `value` in."""
        self.level = _update(self.state, as_number(value, name="value"))

    def reset(self, seed: int = 0) -> None:
        """Forget everything."""
        seed = check_count(seed, name="seed", least=0)
        self.state, self.level = self.detector.start(seed), CONTROL

    @property
    def drift_detected(self) -> bool:
        """Whether the last `update` signalled a drift."""
        return bool(self.level == DRIFT)

    @property
    def warning_detected(self) -> bool:
        """Whether the last `update` signalled a warning."""
        return bool(self.level == WARNING)

    @property
    def readings(self) -> dict[str, float]:
        """What can be read off the state, by name."""
        return readings(self.state)

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses, in bytes: it does not grow."""
        return state_bytes(self.state)

    def __getattr__(self, name: str) -> float:
        found = readings(vars(self)["state"]) if "state" in vars(self) else {}
        if name not in found:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return found[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Online):
            return NotImplemented
        known = self.detector == other.detector and self.level == other.level
        return known and _same(self.state, other.state)

    __hash__ = None  # type: ignore[assignment]  # it changes


def check_detector(detector: Any, *, name: str = "detector") -> Detector:
    """Return `detector` if it is the description of one."""
    if not isinstance(detector, Detector):
        raise ValueError(f"{name} must be a Detector, such as DDM(); got {shown(detector)}")
    return detector


def _same(one: Any, other: Any) -> bool:
    """Whether two states, or parts of them, are equal, where nan equals nan."""
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(np.array_equal(one, other, equal_nan=True))


@kernel
def _levels(state, values, levels):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        levels[i] = update(state, values[i])


@kernel
def _update(state, value):  # type: ignore[no-untyped-def]
    return update(state, value)
