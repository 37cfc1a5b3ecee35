"""Limits on sizes: what exceeds them is refused in one line, before memory runs out."""

from __future__ import annotations

import os
from functools import cache

from repro._checks.numbers import shown

__all__ = ["LONGEST", "MOST_CLASSES", "MOST_DECIMALS", "MOST_STEPS"]
__all__ += ["capped", "check_fits", "installed_memory"]

LONGEST = 2**62  #: largest number that a kernel counts to; a larger count is never reached
MOST_STEPS = 10**8  #: most steps of a stream or a curve that is held in arrays
MOST_CLASSES = 10**6  #: most classes of a stream
MOST_DECIMALS = 324  #: most decimals of a 64-bit float


def capped(count: int) -> int:
    """`count` as a kernel takes it: at most 2**62, which is never reached."""
    return min(int(count), LONGEST)


@cache
def installed_memory() -> int:
    """Memory of this machine in bytes; if the system does not tell, the address space."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # Windows has no sysconf
        return 2**47


def check_fits(n_bytes: int, *, name: str, value: object) -> None:
    """Raise ValueError if an argument asks for more memory than this machine has.

    Parameters
    ----------
    n_bytes : the memory that the argument needs
    name : the name of the argument, for the message
    value : the argument, for the message
    """
    if n_bytes > installed_memory():
        gigabytes = shown(installed_memory() // 2**30)
        raise ValueError(f"{name} must fit into {gigabytes} GB of memory; got {shown(value)}")
