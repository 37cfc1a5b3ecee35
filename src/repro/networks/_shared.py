"""Trained networks by the content of what they were trained from, so that equal work is done once.

The first task of ENSGEN and of ENSGENDEL is the same, and so is that of scenarios which present the
same samples. The results of this process that were used last are kept, up to `MOST_BYTES`.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np

from repro.networks._jax import jax

__all__ = ["fingerprint", "shared"]

MOST_BYTES = 400_000_000
KEPT: OrderedDict[str, Any] = OrderedDict()
LOCK = Lock()


def fingerprint(*values: Any) -> str:
    """A hash of the arrays in `values`, with their shapes, and of all other leaves as text."""
    digest = hashlib.blake2b(digest_size=20)
    leaves, structure = jax.tree.flatten(values)
    digest.update(str(structure).encode())
    for leaf in leaves:
        if isinstance(leaf, np.ndarray):
            digest.update(f"{leaf.dtype.str}{leaf.shape}".encode())
            digest.update(np.ascontiguousarray(leaf).data)
        else:
            digest.update(repr(leaf).encode())
        digest.update(b";")
    return digest.hexdigest()


def shared(key: str, make: Callable[[], Any]) -> Any:
    """The result kept under `key`, or that of `make`, which is kept."""
    with LOCK:
        if key in KEPT:
            KEPT.move_to_end(key)
            return KEPT[key]
    made = make()
    with LOCK:
        KEPT[key] = made
        while len(KEPT) > 1 and sum(map(_size, KEPT.values())) > MOST_BYTES:
            KEPT.popitem(last=False)
    return made


def _size(tree: Any) -> int:
    return sum(getattr(leaf, "nbytes", 0) for leaf in jax.tree.leaves(tree))
