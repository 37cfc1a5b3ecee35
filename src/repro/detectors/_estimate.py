"""The verb of estimates: values one by one, and what they come to so far."""

from __future__ import annotations

from typing import Any

from repro.kernels.dispatch import implements, verb

__all__ = ["estimate", "implements"]


@verb
def estimate(state: Any, value: Any) -> float:  # type: ignore[empty-body]
    """Let `state` take `value` in; the estimate now."""
