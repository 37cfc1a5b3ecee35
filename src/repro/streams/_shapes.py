"""Checks of points, angles and covariances, and rotation matrices."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import check_count, check_number, shown

__all__ = ["Planes", "as_angles", "as_covariance", "as_point", "turned"]

Planes = tuple[tuple[int, int, float], ...]


def as_point(values: ArrayLike, *, name: str) -> tuple[float, ...]:
    """Return `values` as a tuple of finite numbers."""
    array = _floats(values)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise ValueError(f"{name} must be a list of finite numbers; got {shown(values)}")
    return tuple(float(v) for v in array)


def as_angles(value: object, *, name: str) -> float | Planes:
    """Return `value` as an angle in degrees, or as angles in several planes."""
    try:
        if isinstance(value, list | tuple):
            return tuple(
                (
                    check_count(i, name="i", least=0),
                    check_count(j, name="j", least=0),
                    check_number(degrees, name="degrees"),
                )
                for i, j, degrees in value
            )
        return check_number(value, name=name)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be degrees, or ((i, j, degrees), ...) for planes; got {shown(value)}"
        ) from None


def as_covariance(values: ArrayLike, d: int) -> tuple[tuple[float, ...], ...]:
    """Return `values`, d variances or a matrix, as the rows of a positive definite matrix."""
    rule = f"covariance must be {d} positive variances or a {d} x {d} covariance matrix"
    array = _floats(values)
    matrix = np.diag(array) if array.shape == (d,) else array
    shaped = matrix.shape == (d, d) and np.isfinite(matrix).all()
    if not (shaped and (matrix == matrix.T).all() and _is_positive(matrix)):
        raise ValueError(f"{rule}; got {shown(values)}")
    return tuple(tuple(float(v) for v in row) for row in matrix)


def turned(
    rotation: float | Planes, fraction: NDArray[np.float64], d: int, *, name: str = "rotation"
) -> NDArray[np.float64]:
    """Rotation matrices for `fraction` (n,) of the angles; shape (d, d, n)."""
    planes = rotation if isinstance(rotation, tuple) else ((0, 1, rotation),) if rotation else ()
    matrix = np.zeros((d, d, fraction.size))
    matrix[range(d), range(d)] = 1.0
    for i, j, degrees in planes:
        if not (0 <= i < d and 0 <= j < d and i != j):
            raise ValueError(f"{name} must turn a plane of two of {d} dimensions; got {(i, j)}")
        angle = np.radians(fraction * degrees)
        cos, sin = np.cos(angle), np.sin(angle)
        # Multiplication from the left mixes two rows.
        matrix[i], matrix[j] = cos * matrix[i] - sin * matrix[j], sin * matrix[i] + cos * matrix[j]
    return matrix


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    """`values` as floats; nan if they are not numbers."""
    try:
        array = np.asarray(values)
        are_numbers = array.dtype.kind in "iuf" or (array.dtype.kind == "O" and array.size)
        are_numbers |= not array.size and array.dtype.kind != "c"
        return np.asarray(array, dtype=np.float64) if are_numbers else np.array(np.nan)
    except (TypeError, ValueError, OverflowError):
        return np.array(np.nan)


def _is_positive(matrix: NDArray[np.float64]) -> bool:
    """Whether the symmetric `matrix` is positive definite by two tests, because of rounding."""
    try:
        return bool((np.linalg.eigvalsh(matrix) > 0).all() and np.linalg.cholesky(matrix).size)
    except np.linalg.LinAlgError:
        return False
