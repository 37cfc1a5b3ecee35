"""The data sets that a notebook asks for in its parameters, and that are not there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from repro.runner.parameters import ParameterError

__all__ = ["missing"]


def missing(values: Mapping[str, Any], *, download: bool) -> list[str]:
    """The names in ``data_sets`` that are nowhere and, with `download`, could not be had either.

    `values` are a notebook's parameters; without ``stand_in = False`` it can do without data.
    """
    if values.get("stand_in") is not False or not (wanted := values.get("data_sets", [])):
        return []
    from repro import data_sets  # here: it takes as long to import as the rest of the runner

    if unknown := set(wanted) - set(data_sets.names()):
        known = ", ".join(data_sets.names())
        rule = f"data_sets must hold names of data sets ({known})"
        raise ParameterError(f"{rule}; got {min(unknown)!r}")
    names = [name for name in wanted if not data_sets.available(name)]
    return [name for name in names if not (download and _fetched(name, data_sets.fetch))]


def _fetched(name: str, fetch: Callable[[str], None]) -> bool:
    try:
        fetch(name)
    except (OSError, ValueError):
        return False
    return True
