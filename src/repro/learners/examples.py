"""What is an example of a schema: the check in Python, and the same rule in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro.kernels.compiling import kernel
from repro.streams.stream import Schema

__all__ = ["NoExample", "check_example", "is_example"]


class NoExample(ValueError):
    """What was to be predicted or learned is no example of the schema; nothing was learned."""


def check_example(x: ArrayLike, schema: Schema) -> NDArray[np.float64]:
    """Return `x` (d,) as floats if it is an example of `schema`: finite, with codes in range."""
    try:
        array = np.asarray(x)
        array = np.asarray("text" if array.dtype.kind in "cUS" else array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0)
    if array.shape != (schema.n_features,) or not np.isfinite(array).all():
        raise NoExample(f"x must hold {schema.n_features} finite numbers; got {x!r}")
    for j, values in enumerate(schema.nominal):
        if values and not (0 <= array[j] < values and array[j] == int(array[j])):
            raise NoExample(f"x[{j}] must be a code 0..{values - 1}; got {array[j]}")
    return array


@kernel
def is_example(x, nominal):  # type: ignore[no-untyped-def]
    """The rule of `check_example`."""
    for j in range(nominal.size):
        if not np.isfinite(x[j]):
            return False
        if nominal[j] > 0 and not (0 <= x[j] < nominal[j] and x[j] == int(x[j])):
            return False
    return True
