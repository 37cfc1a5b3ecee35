"""Arrays as text that a page reads back: base64 of bits, of floats, or of whole numbers."""

from __future__ import annotations

from base64 import b64encode

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["GAP", "pack", "pack_bits", "pack_points"]

GAP = 65_535  #: stands for a point that is not there


def pack(values: ArrayLike, dtype: str) -> str:
    """The `values` as little-endian numbers of the `dtype`, such as "float64", in base64.

    >>> pack([1, 2], "uint16")
    'AQACAA=='
    """
    numbers = np.asarray(values).astype(np.dtype(dtype).newbyteorder("<"))
    return b64encode(numbers.tobytes()).decode()


def pack_bits(labels: NDArray[np.int64]) -> str:
    """Labels 0 and 1 (n,), eight in a byte, the first in its highest bit.

    >>> pack_bits(np.array([1, 0, 0, 0, 0, 0, 0, 1]))
    'gQ=='
    """
    return pack(np.packbits(labels.astype(bool)), "uint8")


def pack_points(points: NDArray[np.float64], low: ArrayLike, high: ArrayLike) -> str:
    """Points (n, 2) inside a frame from `low` to `high`, to a 65 534th of its size; nan is a gap.

    For drawing only: no number that the page states is computed from them.

    >>> pack_points(np.array([[0.0, 1.0], [np.nan, np.nan]]), (0.0, 0.0), (1.0, 1.0))
    'AAD+//////8='
    """
    low, high = np.asarray(low), np.asarray(high)
    shares = np.clip((points - low) / (high - low), 0, 1) * (GAP - 1)
    return pack(np.where(np.isnan(shares), GAP, np.round(shares)), "uint16")
