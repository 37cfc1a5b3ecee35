"""Sizes that cannot be: refused in one line, before the machine runs out of memory."""

from __future__ import annotations

import os
from functools import cache

from repro._checks import shown

__all__ = ["LONGEST", "check_fits", "installed_memory"]

LONGEST = 2**62  #: largest number that a kernel counts to


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
