"""What every drift detector is: a frozen description, run over arrays, online, or in a learner."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_losses
from repro._compiled import kernel
from repro._kernels import implements, verb
from repro._states import state_bytes

__all__ = ["CONTROL", "DRIFT", "WARNING", "Detector", "implements", "update"]

CONTROL, WARNING, DRIFT = range(3)  #: what `update` answers


@verb
def update(state: Any, value: Any) -> int:  # type: ignore[empty-body]
    """Let `state` take `value` in; CONTROL, WARNING or DRIFT."""


@dataclass(frozen=True)
class Detector(ABC):
    """A description of a drift detector: its settings; what it has seen is kept apart.

    A subclass is a frozen dataclass, names its `paper`, and implements `start`; the kernel of its
    state is registered beside it, for the verb `update`.

    The same object runs over an array (`alarms`), online (`update`, then `drift_detected`), or
    inside a learner, which starts a state of its own. Equality and hash are those of the settings.
    """

    paper: ClassVar[str]  #: where the detector was published
    randomised: ClassVar[bool] = False  #: whether it draws random numbers

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

    def update(self, value: float) -> None:
        """Take `value` in; `drift_detected` and `warning_detected` then tell what it led to."""
        try:
            number = float(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"value must be a number; got {value!r}") from error
        if not isfinite(number):
            raise ValueError(f"value must be finite; got {value!r}")
        self._online[1] = _update(self._online[0], number)

    def reset(self, seed: int = 0) -> None:
        """Forget everything."""
        self._online[:] = [self.start(seed), CONTROL]

    @property
    def drift_detected(self) -> bool:
        """Whether the last `update` signalled a drift."""
        return bool(self._online[1] == DRIFT)

    @property
    def warning_detected(self) -> bool:
        """Whether the last `update` signalled a warning."""
        return bool(self._online[1] == WARNING)

    @property
    def state_bytes(self) -> int:
        """Memory that the state uses online, in bytes: it does not grow."""
        return state_bytes(self._online[0])

    @cached_property
    def _online(self) -> list[Any]:
        """State and last level of the use online; no field, so it is not compared."""
        return [self.start(), CONTROL]


@kernel
def _levels(state, values, levels):  # type: ignore[no-untyped-def]
    for i in range(values.size):
        levels[i] = update(state, values[i])


@kernel
def _update(state, value):  # type: ignore[no-untyped-def]
    return update(state, value)
