"""Data sets that a notebook names in its parameters and that are missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from repro.runner.parameters import ParameterError

__all__ = ["missing"]


def missing(values: Mapping[str, Any], *, download: bool) -> list[str]:
    """The names in ``data_sets`` that are missing and, with `download`, cannot be downloaded.

    `values` are a notebook's parameters; it needs the data only if it has ``stand_in = False``.
    """
    if values.get("stand_in") is not False or not (wanted := values.get("data_sets", [])):
        return []
    from repro import data_sets  # here: as slow to import as the whole runner

    if unknown := set(wanted) - set(data_sets.names()):
        known = ", ".join(data_sets.names())
        rule = f"data_sets must hold names of data sets ({known})"
        raise ParameterError(f"{rule}; got {min(unknown)!r}")
    names = [name for name in wanted if not data_sets.available(name)]
    return [name for name in names if not (download and _is_fetched(name, data_sets.fetch))]


def _is_fetched(name: str, fetch: Callable[[str], None]) -> bool:
    try:
        fetch(name)
    except (OSError, ValueError):
        return False
    return True
