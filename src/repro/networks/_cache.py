"""Trained networks by the content of what they were trained from, so that equal work is done once.

The first task of ENSGEN and of ENSGENDEL is the same, and so is that of scenarios which present the
same samples. Each thread keeps the results that it used last, up to `MOST_BYTES`; threads side by
side would displace each other's.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import local
from typing import Any

import numpy as np

from repro.networks._jax import jax

__all__ = ["cached", "fingerprint"]

MOST_BYTES = 150_000_000


class _Kept(local):
    """The results of one thread."""

    def __init__(self) -> None:
        self.results: OrderedDict[str, Any] = OrderedDict()  # least recently used first


_kept = _Kept()


def fingerprint(*values: Any) -> str:
    """A hash of the arrays in `values`, with their shapes, and of all else as text."""
    digest = hashlib.blake2b(digest_size=20)
    leaves, structure = jax.tree.flatten(values)
    digest.update(str(structure).encode())
    for leaf in leaves:
        if isinstance(leaf, np.ndarray):
            digest.update(f"{leaf.dtype.str}{leaf.shape}".encode())
            digest.update(np.ascontiguousarray(leaf).data)
        else:
            digest.update(f"{leaf!r};".encode())
    return digest.hexdigest()


def cached(key: str, make: Callable[[], Any]) -> Any:
    """The result under `key`; `make` is called for it if it is not there."""
    results = _kept.results
    if key in results:
        results.move_to_end(key)
        return results[key]
    results[key] = made = make()
    while len(results) > 1 and sum(map(_size, results.values())) > MOST_BYTES:
        results.popitem(last=False)
    return made


def _size(tree: Any) -> int:
    return sum(getattr(leaf, "nbytes", 0) for leaf in jax.tree.leaves(tree))
