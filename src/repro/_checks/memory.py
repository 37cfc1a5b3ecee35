"""The rule for the arguments `alpha` and `window`: how fast an estimate forgets."""

from __future__ import annotations

from repro._checks.numbers import check_count, check_fraction, shown

__all__ = ["as_memory", "equivalent_window"]


def as_memory(
    alpha: float | None, window: int | None, n: int, *, required: bool = False
) -> tuple[float, int]:
    """Return the fading factor and the window over `n` steps that two arguments ask for.

    Parameters
    ----------
    alpha : fading factor in (0, 1], the weight of the past. None forgets nothing, like 1.
    window : number of steps, a whole number >= 1. None keeps all `n` of them.
    n : number of steps, the largest window returned.
    required : whether one of the two must be given.

    Raises ValueError if both are given, or one is outside its range, or none is and one is
    `required`.
    """
    if alpha is not None and window is not None:
        both = f"{shown(alpha)}, {shown(window)}"
        raise ValueError(f"only one of alpha and window must be given; got {both}")
    if required and alpha is None and window is None:
        raise ValueError("one of alpha and window must be given; got None, None")
    factor = 1.0 if alpha is None else check_fraction(alpha, name="alpha")
    return factor, n if window is None else min(n, check_count(window, name="window"))


def equivalent_window(alpha: float) -> float:
    """Window with the same variance as the fading factor `alpha`: (1 + alpha) / (1 - alpha).

    It is infinite for ``alpha=1``. Its inverse is `repro.metrics.alpha_for`.
    """
    return (1 + alpha) / (1 - alpha) if alpha < 1 else float("inf")
