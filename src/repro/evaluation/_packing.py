"""Labels in as few bits as their number needs: 1, 2, 4 or 8 bits each, or whole integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["n_bytes", "pack", "unpack"]


def n_bytes(n: int, n_classes: int) -> int:
    """Size of n packed labels of 0..n_classes-1."""
    bits = _bits(n_classes)
    return -(-n * bits // 8)


def pack(labels: NDArray[np.integer], n_classes: int) -> NDArray[np.unsignedinteger]:
    """The labels, (n,) of 0..n_classes-1, several to a byte.

    >>> pack(np.array([1, 0, 1, 1]), 2), pack(np.array([3, 0, 2]), 4)
    (array([13], dtype=uint8), array([35], dtype=uint8))
    """
    bits = _bits(n_classes)
    if bits >= 8:
        return labels.astype(f"u{bits // 8}")
    per_byte = 8 // bits
    padded = np.zeros((-(-len(labels) // per_byte), per_byte), np.uint8)
    padded.reshape(-1)[: len(labels)] = labels
    shifted = padded << (bits * np.arange(per_byte, dtype=np.uint8))
    return np.bitwise_or.reduce(shifted, axis=1).astype(np.uint8)


def unpack(packed: NDArray[np.unsignedinteger], n: int, n_classes: int) -> NDArray[np.int64]:
    """The n labels that were packed; the inverse of `pack`.

    >>> unpack(np.array([35], np.uint8), 3, 4)
    array([3, 0, 2])
    """
    bits = _bits(n_classes)
    if bits >= 8:
        return packed.astype(np.int64)
    shifts = bits * np.arange(8 // bits, dtype=np.uint8)
    parts = (packed[:, None] >> shifts) & np.uint8((1 << bits) - 1)
    return parts.reshape(-1)[:n].astype(np.int64)


def _bits(n_classes: int) -> int:
    return next(bits for bits in (1, 2, 4, 8, 16, 32, 64) if n_classes <= 1 << bits)
