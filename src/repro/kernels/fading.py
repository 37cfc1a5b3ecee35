"""The fading recursion S_i = x_i + alpha S_(i-1), and the one rule for sums that become too small.

Arithmetic on numbers below 1e-308 takes a hundred times as long. A sum that fades without new
values would get there, so it becomes 0 once it is below `NEGLIGIBLE`. Kernels call these
functions at no cost, and Python calls them for the online twins.
"""

from __future__ import annotations

from repro.kernels.compiling import kernel

__all__ = ["fade", "fade_all", "fade_pair", "faded_sum"]

NEGLIGIBLE = 1e-280  # a faded sum below this is 0
HELD = 1e-200  # a pair of sums that are both smaller keeps its values, and so its ratio


@kernel
def fade(total, alpha):  # type: ignore[no-untyped-def]
    """Return `alpha` times `total`, or 0 if that is below `NEGLIGIBLE` in absolute value."""
    faded = alpha * total
    return 0.0 if abs(faded) < NEGLIGIBLE else faded


@kernel
def faded_sum(value, total, alpha):  # type: ignore[no-untyped-def]
    """Return the sum S_i after a `value` x_i, where `total` is S_(i-1)."""
    return value + fade(total, alpha)


@kernel
def fade_all(totals, alpha):  # type: ignore[no-untyped-def]
    """Fade each of the `totals`, an array (n,), in place."""
    for i in range(totals.size):
        totals[i] = fade(totals[i], alpha)


@kernel
def fade_pair(a, b, alpha):  # type: ignore[no-untyped-def]
    """Fade two sums whose ratio matters: both stay as they are where both are below `HELD`."""
    if max(a, b) > HELD:
        a, b = fade(a, alpha), fade(b, alpha)
    return a, b
