"""Checks of the settings that the networks have in common."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from repro._checks import check_choice, check_count, check_fits, check_number, settle, shown

__all__ = ["STOPS", "check_stop", "check_training", "check_widths"]

STOPS = "never", "max", "mean"
WIDEST = 10**4


def check_widths(network: Any, name: str) -> None:
    """Replace the widths called `name` by a tuple; raise ValueError unless each is 1 or more."""
    widths = getattr(network, name)
    if not isinstance(widths, list | tuple):
        raise ValueError(f"{name} must be a tuple of widths; got {shown(widths)}")
    checked = [check_count(w, name=f"{name}[{i}]", most=WIDEST) for i, w in enumerate(widths)]
    weights = sum(a * b for a, b in pairwise(checked))
    check_fits(16 * weights, name=name, value=widths)  # single precision, with Adam and gradient
    settle(network, **{name: tuple(checked)})


def check_training(network: Any) -> None:
    """Check passes, batch and learning rate."""
    check_count(network.passes, name="passes", most=10**6)
    check_count(network.batch, name="batch", most=10**5)
    check_number(network.learning_rate, name="learning_rate", above=0)


def check_stop(network: Any) -> None:
    """Check the rule that ends the passes, and its threshold."""
    check_choice(network.stop, STOPS, name="stop")
    check_number(network.theta, name="theta", least=0)
