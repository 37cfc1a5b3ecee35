"""Labels and the probabilities that were predicted for them, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from repro._checks import as_array, as_labels, as_losses, as_matrix, shown

__all__ = ["as_probabilities"]

ROUNDED = 1e-6  # by which the sum of rounded probabilities may differ from 1


def as_probabilities(
    y: ArrayLike, proba: ArrayLike
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Labels (n,) and their probabilities, shape (n,) or (n, K), checked."""
    is_column = as_array(proba).ndim == 1
    p = as_losses(proba, name="proba") if is_column else as_matrix(proba, name="proba")
    K = 2 if is_column else p.shape[1]
    labels = as_labels(y, n_classes=K, name="y")
    if len(p) != labels.size:
        raise ValueError(f"proba must be as long as y, {labels.size}; got {len(p)}")
    if (outside := p[(p < 0) | (p > 1)]).size:
        raise ValueError(f"proba must lie in [0, 1]; got {shown(float(outside.flat[0]))}")
    if not is_column and (wrong := np.abs(p.sum(axis=1) - 1) > ROUNDED).any():
        row = int(wrong.argmax())
        raise ValueError(f"proba must sum to 1 in each row; got {p[row].sum()} in row {row}")
    return labels, p
