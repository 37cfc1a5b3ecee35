"""A view in JupyterLab: controls, a picture, a table, and the code that computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.typing import NDArray

from repro.explore._controls import load_widgets
from repro.figures import theme
from repro.figures.style import PALETTE

__all__ = ["Shown", "View", "put_legend"]


class Shown(NamedTuple):
    """What a view shows with its present settings.

    Attributes
    ----------
    curves : label of each curve to its values, (n,).
    table : the numbers below the picture.
    code : lines of Python that compute the curves and alarms.
    alarms : indices of the alarms, if the view has any.
    """

    curves: Mapping[str, NDArray[np.float64]]
    table: pd.DataFrame
    code: str
    alarms: NDArray[np.int64] = np.zeros(0, np.int64)


class View:
    """Controls above a picture, a table and "show the code"; moving a control computes all again.

    A cell whose last line is a view shows it. Without a display it is an object like others:
    setting ``view.controls["window"].value`` changes `shown`.

    Parameters
    ----------
    controls : name of each setting to its widget, which has a `value`.
    show : function of the settings, by name, that returns what is `Shown`.
    draw : function of what is `Shown` and of the axes, that draws it.
    rows : number of axes, one above the other; or a function of what is `Shown`.

    >>> from repro.explore import estimators
    >>> view = estimators([0, 1, 1, 0])
    >>> view.controls["window"].value = 2
    >>> view.shown.curves["w = 2"].tolist()
    [0.0, 0.5, 1.0, 0.5]
    """

    def __init__(
        self,
        controls: Mapping[str, Any],
        show: Callable[..., Shown],
        draw: Callable[[Shown, list[Axes]], None],
        rows: int | Callable[[Shown], int] = 1,
    ) -> None:
        widgets = load_widgets()
        self.controls = dict(controls)
        self._show, self._draw, self._rows = show, draw, rows
        # Not one of pyplot's: a notebook would show such a figure a second time, below the cell.
        self._figure = Figure(layout="constrained")
        self._picture = widgets.Image(format="png")
        self._table, self._code = widgets.HTML(), widgets.HTML()
        self.update()
        for control in self.controls.values():
            control.observe(lambda _: self.update(), names="value")
        layout = {"flex_flow": "row wrap"}
        parts = [part for control in self.controls.values() for part in _with_player(control)]
        row = widgets.Box(parts, layout=layout)
        self.box = widgets.VBox([row, self._picture, self._table, self._code])

    def update(self) -> None:
        """Compute and draw with the present settings."""
        settings = {name: control.value for name, control in self.controls.items()}
        self.shown = self._show(**settings)
        rows = self._rows(self.shown) if callable(self._rows) else self._rows
        self.axes = _blank(self._figure, rows)
        self._draw(self.shown, self.axes)
        self._picture.value = _picture(self._figure)
        self._table.value = self.shown.table.to_html(
            border=0, na_rep="–", float_format="{:.5g}".format
        )
        code = escape(self.shown.code)
        self._code.value = f"<details><summary>Show the code</summary><pre>{code}</pre></details>"

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={c.value!r}" for name, c in self.controls.items())
        return f"View({settings})"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        return {**self.box._repr_mimebundle_(**options), "text/plain": repr(self)}


def put_legend(ax: Axes, *others: Axes) -> None:
    """A legend beside `ax`, whose curves get colours of their own, those of the `others` as well.

    A window and a fading factor with the same memory have one colour in a paper's figures.
    """
    for each in (ax, *others):
        spare, taken = iter(PALETTE), set[str]()
        for line in (line for line in each.lines if not str(line.get_label()).startswith("_")):
            colour = to_hex(line.get_color())
            while colour in taken and (another := next(spare, "")):
                colour = to_hex(another)
            line.set_color(colour)
            taken.add(colour)
    ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))


def _with_player(control: Any) -> list[Any]:
    button = getattr(control, "player", None)
    return [control] if button is None else [button, control]


def _blank(figure: Figure, rows: int) -> list[Axes]:
    """Empty the `figure`, and return new axes in it, one above the other."""
    with theme():
        figure.clear()
        figure.set_size_inches(9.0, 1.0 + 2.4 * rows)
        return list(figure.subplots(rows, squeeze=False)[:, 0])


def _picture(figure: Figure) -> bytes:
    """The `figure` as PNG."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=110)
    return file.getvalue()
