"""Images side by side, such as digits and samples that a network generates."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from repro._checks import as_matrix, check_count
from repro.figures._axes import axes_or_new

__all__ = ["plot_images"]


def plot_images(
    images: ArrayLike, *, height: int, columns: int = 10, ax: Axes | None = None
) -> Axes:
    """Images in rows, from left to right; 0 is white and 1 is black, and values beyond are cut.

    Parameters
    ----------
    images : one image per row, (m, d), each row by row of its pixels
    height : rows of pixels in an image; d must be a multiple of it
    columns : images side by side
    ax : where to draw; a new figure if None
    """
    pixels = as_matrix(images, name="images")
    height = check_count(height, name="height")
    columns = min(check_count(columns, name="columns"), len(pixels))
    width, rest = divmod(pixels.shape[1], height)
    if rest or not width:
        rule = f"height must divide the {pixels.shape[1]} pixels of an image"
        raise ValueError(f"{rule}; got {height}")
    rows = -(-len(pixels) // columns)
    sheet = np.zeros((rows * columns, height + 1, width + 1))  # a gap of one pixel between images
    sheet[: len(pixels), :height, :width] = pixels.reshape(-1, height, width)
    sheet = sheet.reshape(rows, columns, height + 1, width + 1).swapaxes(1, 2)
    ax = axes_or_new(ax)
    picture = sheet.reshape(rows * (height + 1), columns * (width + 1))[:-1, :-1]
    ax.imshow(picture, cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
    ax.set_axis_off()
    return ax
