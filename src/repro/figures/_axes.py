"""What all figure functions share: the axes to draw on, their labels, and checked arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import (
    LogLocator,
    MaxNLocator,
    NullLocator,
    StrMethodFormatter,
    SymmetricalLogLocator,
)
from numpy.typing import NDArray

from repro._checks import (
    as_floats,
    as_list,
    check_choice,
    check_frame,
    check_kind,
    check_number,
    check_text,
    shown,
)
from repro.figures.style import SMALL, theme

__all__ = [
    "add_legend",
    "as_columns",
    "as_curve",
    "as_error_bars",
    "as_times",
    "axes_or_new",
    "check_axes",
    "label_axes",
    "new_axes",
    "notation",
]

OPTIONS = ("xscale", "yscale", "xlabel", "ylabel", "xlim", "ylim")  # scales before limits


def check_axes(ax: Any) -> Axes:
    """Return `ax` if it is matplotlib's Axes."""
    return check_kind(ax, Axes, name="ax", rule="matplotlib Axes")


def new_axes(rows: int, columns: int, size: tuple[float, float]) -> list[Axes]:
    """The axes of a new figure of `size` inches, row by row, in the style of all figures."""
    # Load the backend first: that of notebooks switches the interactive mode on, and `theme`
    # would switch it off again when it restores the settings.
    plt.draw_if_interactive()  # type: ignore[no-untyped-call]
    with theme():
        _, grid = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    axes: list[Axes] = list(np.ravel(grid))
    for ax in axes:
        ax.xaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    return axes


def axes_or_new(ax: Axes | None, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """Return `ax`, or the axes of a new figure of `size` inches if it is None."""
    return new_axes(1, 1, size)[0] if ax is None else check_axes(ax)


def label_axes(ax: Axes, options: Mapping[str, Any], **defaults: Any) -> Axes:
    """Set the labels, limits and scales of `ax`: the caller's `options` before the `defaults`."""
    settings = defaults | {name: _checked(name, value) for name, value in options.items()}
    ax.set(**{name: settings[name] for name in OPTIONS if name in settings})
    _number_ticks(ax, settings.get("yscale", "linear"))
    if settings.get("xscale") == "symlog":
        _number_symlog(ax.xaxis)
    return ax


def _number_ticks(ax: Axes, scale: str) -> None:
    """Write 20 and 50 on a logarithmic vertical axis, not powers of ten."""
    if scale == "linear":
        return
    low, high = ax.get_ylim()
    if scale == "symlog":
        _number_symlog(ax.yaxis)
        return
    narrow = high < 20 * low
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 1.5, 2, 3, 5, 7) if narrow else (1, 2, 5)))
    ax.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    ax.yaxis.set_minor_locator(NullLocator())


def _number_symlog(axis: Axis) -> None:
    """Write 0, 1, 2, 5, 10 and so on."""
    axis.set_major_locator(SymmetricalLogLocator(base=10, linthresh=2, subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def _checked(name: str, value: Any) -> Any:
    """Return the `value` of an option of the axes if it has one."""
    if name not in OPTIONS:
        rule = f"options of the axes must be among {', '.join(OPTIONS)}"
        raise TypeError(f"{rule}; got {name}")
    if name.endswith("label"):
        return notation(check_text(value, name=name))
    if name.endswith("scale"):
        return check_choice(value, ("linear", "log", "symlog"), name=name)
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise ValueError(f"{name} must be a lower and an upper end; got {shown(value)}")
    return tuple(None if end is None else check_number(end, name=name) for end in value)


def as_times(values: Iterable[float], *, name: str) -> list[float]:
    """Positions of vertical lines, as numbers; nan is left out."""
    is_array = isinstance(values, np.ndarray)  # with a mask, perhaps
    numbers = values if is_array else as_list(values, name=name, rule="numbers")
    times = as_floats(numbers, name=name)
    if times.ndim != 1:
        raise ValueError(f"{name} must hold one number per line; got shape {times.shape}")
    return times[~np.isnan(times)].tolist()


def as_curve(values: Any, *, name: str, label: Any = None) -> NDArray[np.float64]:
    """Numbers along a stream, (n,); `label` is the name of the curve in an error message."""
    which = name if label is None else f"{name}[{shown(label)}]"
    curve = as_floats(values, name=which)
    if curve.ndim != 1:
        raise ValueError(f"{which} must have shape (n,); got {curve.shape}")
    return curve


def as_columns(table: Any) -> pd.DataFrame:
    """Return `table` if it is a frame of numbers with at least one column."""
    columns = list(table.columns) if isinstance(table, pd.DataFrame) else []
    frame = check_frame(table, name="table", numbers=columns)
    if not columns:
        raise ValueError(f"table must have at least one column; got shape {frame.shape}")
    return frame


def as_error_bars(error_bars: Any, table: pd.DataFrame) -> NDArray[np.float64] | None:
    """Return `error_bars` as an array of the shape of `table`; None means no error bars."""
    if error_bars is None:
        return None
    if isinstance(error_bars, pd.DataFrame):
        columns = list(table.columns)
        error_bars = check_frame(error_bars, columns, name="error_bars", numbers=columns)[columns]
    bars = as_floats(error_bars, name="error_bars")
    bars = bars[:, None] if bars.ndim == 1 else bars
    if bars.shape != table.shape:
        rule = f"error_bars must have the shape of table, {table.shape}"
        raise ValueError(f"{rule}; got {bars.shape}")
    return bars


def add_legend(ax: Axes) -> None:
    """A legend to the right of `ax`, if anything in it has a label."""
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize=SMALL, loc="center left", bbox_to_anchor=(1, 0.5))


def notation(text: object) -> str:
    """The text of a label in the one notation of all figures, however a table spells it.

    >>> notation("window=1000"), notation("PH on alpha=0.9970"), notation("κ_per")
    ('w = 1000', 'PH on α = 0.997', 'κ$_{per}$')
    """
    label = re.sub(r"\bwindow=(\d+)", r"w = \1", str(text))
    label = re.sub(r"\balpha=(\d*\.\d*[1-9])0*", r"α = \1", label)
    return re.sub(r"κ_(\w+)", r"κ$_{\1}$", label)
