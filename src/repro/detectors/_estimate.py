"""The verb of estimates: take in one value and return the estimate."""

from __future__ import annotations

from typing import Any

from repro.kernels.dispatch import implements, verb

__all__ = ["estimate", "implements"]


@verb
def estimate(state: Any, value: Any) -> float:  # type: ignore[empty-body]
    """Update `state` with `value` and return the estimate."""
