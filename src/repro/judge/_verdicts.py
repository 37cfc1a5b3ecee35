"""Words of a verdict: which are good news, which bad, and which neither."""

from __future__ import annotations

__all__ = ["tone"]

GOOD = {"yes", "better", "best", "enough", "holds", "real"}
BAD = {"no", "fails", "failed", "persistence", "worse", "worst"}
OPEN = {"mixed", "not", "partly", "too", "unclear", "undecided", "unknown"}


def tone(verdict: str) -> str:
    """``good``, ``bad`` or ``open`` by the first word of `verdict`; empty if it says neither.

    Where "yes" is no good news, as in "Is there drift?", another word says more: "drift at 2000".

    >>> tone("yes"), tone("No: 3 of 9"), tone("undecided"), tone("NB")
    ('good', 'bad', 'open', '')
    """
    words = verdict.lower().split()
    first = words[0].strip(".,:;!?()") if words else ""
    for name, known in {"good": GOOD, "bad": BAD, "open": OPEN}.items():
        if first in known:
            return name
    return ""
