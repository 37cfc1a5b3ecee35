"""The rule of every verdict, its words and reasons, and the published files it is about."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from repro import _folders
from repro._checks import as_list, check_frame, check_mapping, check_text, shown

__all__ = ["BOUND", "NOTHING", "NOT_EXPLAINED", "explained", "read_file"]

BOUND = 2.0  # standard errors
NOT_EXPLAINED = "not explained"
NOTHING: Mapping[Any, str] = MappingProxyType({})


def read_file(name: str) -> pd.DataFrame:
    """The file ``data/published/<name>.csv`` as it is.

    Raises FileNotFoundError for another name, and outside a checkout.
    """
    root = _folders.checkout()
    if root is None:
        raise FileNotFoundError(
            "the published numbers are in data/published of a checkout; got an installed package"
        )
    files = {path.stem: path for path in sorted((root / "data" / "published").glob("*.csv"))}
    if check_text(name, name="name") not in files:
        raise FileNotFoundError(f"name must be one of {', '.join(files)}; got {shown(name)}")
    return pd.read_csv(files[name])


def explained(comparison: pd.DataFrame, keys: list[str], reasons: Mapping[Any, str]) -> list[str]:
    """For each row of `comparison` that differs its reason, under the columns `keys`; else ""."""
    keys = as_list(keys, str, name="keys", rule="columns' names")
    check_frame(comparison, [*keys, "verdict"], name="comparison")
    check_mapping(reasons, name="reasons", rule="cells to reasons")
    cells = comparison[keys].itertuples(index=False, name=None)
    return [
        reasons.get(cell, NOT_EXPLAINED) if verdict == "differs" else ""
        for cell, verdict in zip(cells, comparison["verdict"], strict=True)
    ]
