"""Numbers and tables in Markdown."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

__all__ = ["listed", "number", "rounded", "table", "with_error"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1) -> str:
    """A table; its first `left` columns are texts."""
    marks = [":--" if i < left else "--:" for i in range(len(head))]
    lines = [head, marks, *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def number(value: float, digits: int = 2) -> str:
    """`value` with so many decimals; a dash for nan."""
    if math.isinf(value):
        return "∞"
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def with_error(value: float, error: float, digits: int = 2) -> str:
    """`value` and its standard error, where there is one."""
    shown = number(value, digits)
    return shown if math.isnan(error) else f"{shown} ± {number(error, digits)}"


def rounded(value: float, digits: int = 3) -> str:
    """`value` to so many significant digits, thousands apart; a dash for nan.

    >>> rounded(123456), rounded(0.012345)
    ('123 000', '0.0123')
    """
    if not math.isfinite(value) or value == 0:
        return number(value, 0)
    shift = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, shift):,.{max(0, shift)}f}".replace(",", " ")


def listed(names: Sequence[str]) -> str:
    """Names as "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
