"""Sockets of a notebook's kernel that no other kernel can take."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["private_sockets"]

LONGEST = 90  # letters of a path; the system allows about 100 for a socket's, number included


def private_sockets(folder: Path) -> dict[str, str]:
    """The settings of a `KernelManager` that keeps its sockets as files in `folder`.

    Network ports are chosen before the kernel binds them, so of two kernels that start at once, one
    may find its port taken and die. Empty where the system has no such files, or the path of
    `folder` is too long for them.
    """
    place = str(folder / "k")
    has_files = os.name == "posix" and len(place) < LONGEST
    return {"transport": "ipc", "ip": place} if has_files else {}
