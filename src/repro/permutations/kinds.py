"""The kinds of permutations, and the strength that each of them takes."""

from __future__ import annotations

from repro._checks import LONGEST, check_choice, check_count, check_probability, shown
from repro.permutations._arguments import check_swaps

__all__ = ["STRENGTHS", "as_strength", "check_strength"]

#: The name of the strength of each kind; a random order has none.
STRENGTHS = {"time": "p", "speed": "p", "shape": "k", "random": None, "mallows": "dispersion"}


def check_strength(
    kind: str, n: int, *, p: float | None, k: int | None, dispersion: float | None = None
) -> None:
    """Raise ValueError unless only the strength that `kind` takes is given, inside its range.

    Parameters
    ----------
    kind : a key of `STRENGTHS`.
    n : number of examples, >= 1.
    p : probability in [0, 1], for time and speed only; None stands for its default.
    k : number of swaps, 0 <= k < 2n, for shape only; None stands for its default.
    dispersion : in [0, 1], for mallows only, which needs it.
    """
    own = STRENGTHS[check_choice(kind, STRENGTHS, name="kind")]
    for name, value in {"p": p, "k": k, "dispersion": dispersion}.items():
        if value is not None and name != own:
            raise ValueError(f"{name} must be None for the kind {kind}; got {shown(value)}")
    if p is not None:
        check_probability(p, name="p")
    check_swaps(k, n)
    if own == "dispersion":
        check_probability(dispersion, name="dispersion")  # type: ignore[arg-type]


def as_strength(kind: str, n: int, p: float | None, k: int | None) -> tuple[int, float, int]:
    """Return `n`, `p` and `k` for a closed form, with the defaults 1/2 and n.

    The kinds are those of `STRENGTHS` but mallows; for the arguments see `check_strength`.
    """
    check_choice(kind, [name for name in STRENGTHS if name != "mallows"], name="kind")
    n = check_count(n, name="n", most=LONGEST)
    check_strength(kind, n, p=p, k=k)
    return n, 0.5 if p is None else float(p), check_swaps(k, n)
