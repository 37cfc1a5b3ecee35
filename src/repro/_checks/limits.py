"""Sizes that cannot be: refused in one line, before the machine runs out of memory."""

from __future__ import annotations

import os
from functools import cache

from repro._checks.arguments import shown

__all__ = ["LONGEST", "MOST_CLASSES", "MOST_DECIMALS", "MOST_STEPS"]
__all__ += ["capped", "check_fits", "installed_memory"]

LONGEST = 2**62  #: largest number that a kernel counts to: a count above it means never
MOST_STEPS = 10**8  #: steps of a stream or a curve that is held in arrays
MOST_CLASSES = 10**6
MOST_DECIMALS = 324  #: of a 64-bit float


def capped(count: int) -> int:
    """`count` as a kernel takes it: 2**62 and more are never reached."""
    return min(int(count), LONGEST)


@cache
def installed_memory() -> int:
    """Memory of this machine in bytes; where it cannot be asked, what an address can reach."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        return 2**47


def check_fits(n_bytes: int, *, name: str, value: object) -> None:
    """Raise ValueError if what argument `name` asks for does not fit into the memory."""
    if n_bytes > installed_memory():
        gigabytes = shown(installed_memory() // 2**30)
        raise ValueError(f"{name} must fit into {gigabytes} GB of memory; got {shown(value)}")
