"""The fading recursions S_i = x_i + alpha S_(i-1) and B_i = 1 + alpha B_(i-1).

Arithmetic on numbers below 1e-308 takes a hundred times as long. A sum that fades without new
values would get there, so a sum below `NEGLIGIBLE` fades to 0. Kernels call these functions at no
cost, and Python calls them for the online twins.
"""

from __future__ import annotations

from repro.kernels.compiling import kernel

__all__ = ["fade", "fade_all", "fade_pair", "faded_sum", "faded_weight"]

NEGLIGIBLE = 1e-280
HELD = 1e-200  # a pair of sums that are both smaller keeps its values, and so its ratio


@kernel
def fade(total, alpha):  # type: ignore[no-untyped-def]
    """Return `alpha` times `total`, or 0 if `total` is below `NEGLIGIBLE` in absolute value."""
    # The processor compares while it multiplies. Comparing the product would come after it, and
    # each step waits for the one before.
    return 0.0 if abs(total) < NEGLIGIBLE else alpha * total


@kernel
def faded_sum(value, total, alpha):  # type: ignore[no-untyped-def]
    """Return the sum S_i after a `value` x_i, where `total` is S_(i-1)."""
    return value + fade(total, alpha)


@kernel
def faded_weight(weight, alpha):  # type: ignore[no-untyped-def]
    """Return the weight B_i of all values so far, where `weight` is B_(i-1); it is at least 1."""
    return 1.0 + alpha * weight


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
