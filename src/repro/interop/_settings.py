"""Settings of learners inside settings: ``base__leaf`` is the setting `leaf` of the `base`."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields, is_dataclass, replace
from typing import Any

from repro._checks import shown
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal

__all__ = ["all_settings", "check_ours", "with_settings"]


def check_ours(learner: Any) -> None:
    """Raise TypeError unless `learner` is a `Learner` or a `Temporal`."""
    if not isinstance(learner, Learner | Temporal):
        raise TypeError(f"learner must be one of repro.learners; got {shown(learner)}")


def all_settings(described: Any) -> dict[str, Any]:
    """Each setting of the dataclass `described` by its path, also of the dataclasses inside.

    >>> from repro.learners import NaiveBayes, OzaBag
    >>> all_settings(OzaBag(NaiveBayes()))
    {'base': NaiveBayes(exact=False), 'base__exact': False, 'n_members': 10}
    """
    settings: dict[str, Any] = {}
    for name in _names(described):
        settings[name] = getattr(described, name)
        inside = all_settings(settings[name])
        settings |= {f"{name}__{path}": value for path, value in inside.items()}
    return settings


def with_settings(described: Any, settings: dict[str, Any], *, name: str) -> Any:
    """`described`, a frozen dataclass, with other `settings`, which are named by their paths.

    Parameters
    ----------
    described : a learner or a detector.
    settings : new values by path, as in `all_settings`; ``base`` is set before ``base__exact``.
    name : of `described`, for messages.

    Raises ValueError for a setting that it does not have, and the error of a setting out of range.

    >>> from repro.learners import NaiveBayes, OzaBag
    >>> with_settings(OzaBag(NaiveBayes()), {"base__exact": True, "n_members": 3}, name="learner")
    OzaBag(base=NaiveBayes(exact=True), n_members=3)
    """
    changed: dict[str, Any] = {}
    inside: dict[str, dict[str, Any]] = defaultdict(dict)
    for path, value in settings.items():
        first, _, rest = path.partition("__")
        if first not in _names(described):
            rule = f"{name} must get settings of {type(described).__name__}"
            raise ValueError(f"{rule}, {_names(described)}; got {first!r}")
        if rest:
            inside[first][rest] = value
        else:
            changed[first] = value
    for first, others in inside.items():
        current = changed.get(first, getattr(described, first))
        changed[first] = with_settings(current, others, name=f"{name}__{first}")
    try:
        return replace(described, **changed)
    except (TypeError, ValueError) as error:  # its message begins with the name of the setting
        raise type(error)(f"{name}__{error}") from None


def _names(described: Any) -> list[str]:
    if not is_dataclass(described) or isinstance(described, type):
        return []
    return [field.name for field in fields(described) if field.init]
