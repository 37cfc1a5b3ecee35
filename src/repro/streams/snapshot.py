"""A drifting mixture at one time, as a stationary mixture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from repro._checks import check_kind, check_number
from repro.streams.component import Component
from repro.streams.mixture import DriftingMixture

__all__ = ["snapshot"]


def snapshot(mixture: DriftingMixture, t: float) -> DriftingMixture:
    """The stationary mixture that equals `mixture` at the time `t`, with the same `n`.

    >>> from repro.streams import TESTBED
    >>> snapshot(TESTBED["NSGT"], 5000).components[0].mean
    (5.0, 5.0)
    """
    check_kind(mixture, DriftingMixture, name="mixture")
    check_number(t, name="t", least=0)
    classes = tuple(
        replace(c, components=tuple(_at(component, t) for component in c.components))
        for c in mixture.classes
    )
    return replace(mixture, name=f"{mixture.name} at {float(t):g}", classes=classes)


def _at(component: Component, t: float) -> Component:
    pose = component.at([t])
    covariance = pose.scale[0] * pose.turn[0] @ np.array(component.covariance) @ pose.turn[0].T
    symmetric = (covariance + covariance.T) / 2  # the products leave rounding on one side
    return Component(
        tuple(pose.mean[0]),
        tuple(map(tuple, symmetric)),
        weight=float(pose.weight[0]),
    )
