"""Descriptions of mixtures as a table, as Table 4 of Cervantes et al. (2018) prints them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from repro._checks import check_values
from repro.streams.component import Component, Transform
from repro.streams.mixture import DriftingMixture

__all__ = ["mixture_table"]


def mixture_table(mixtures: Mapping[str, DriftingMixture]) -> pd.DataFrame:
    """Descriptions of mixtures: one row per phase of each component.

    The columns are those of Table 4 in Cervantes et al. (2018), except that its "stddev" is called
    variances, which it holds. A component that never changes has one row without a period.
    """
    check_values(mixtures, DriftingMixture, name="mixtures", rule="names to DriftingMixtures")
    rows = [
        {"data set": name, "d": mixture.n_features, "size": mixture.n, "class": c.name} | row
        for name, mixture in mixtures.items()
        for c in mixture.classes
        for component in c.components
        for row in _phases(component)
    ]
    return pd.DataFrame(rows)


def _phases(component: Component) -> list[dict[str, Any]]:
    shape = {
        "weight": component.weight,
        "centre": _vector(component.mean),
        "variances": _vector(np.diag(np.array(component.covariance))),
        "rotation": _angle(component.rotation),
    }
    rows = []
    for end, change in zip(component.ends, component.transforms, strict=True):
        if text := _change(change):
            last = max(end - 1, end - change.duration)
            period = f"{end - change.duration}-{last}" if change.duration else f"{end}"
            rows.append(shape | {"period": period, "change": text})
    return rows or [shape | {"period": "", "change": "none"}]


def _change(change: Transform) -> str:
    parts = [f"move by {_vector(change.translation)}"] if any(change.translation) else []
    parts += [f"orbit by {_angle(change.orbit)}"] if change.orbit else []
    parts += [f"rotate by {_angle(change.rotation)}"] if change.rotation else []
    parts += [f"variance x {change.scale:g}"] if change.scale != 1 else []
    parts += [f"weight to {change.weight:g}"] if change.weight is not None else []
    return ", ".join(parts)


def _vector(values: Any) -> str:
    return f"({', '.join(f'{v:g}' for v in values)})"


def _angle(rotation: Any) -> str:
    if isinstance(rotation, tuple):
        return ", ".join(f"{degrees:g}° in {i}-{j}" for i, j, degrees in rotation) or "0°"
    return f"{rotation:g}°"
