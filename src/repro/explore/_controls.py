"""What goes into the views in JupyterLab: runs or losses, sliders over chosen values, and lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from repro._checks import as_floats, as_list, as_losses, as_positions
from repro._folders import DISTRIBUTION, install_command
from repro.evaluation import Run

__all__ = ["ALPHAS", "DELAYS", "WINDOWS", "as_bayes", "as_drifts", "choice", "load_widgets"]
__all__ += ["losses_of", "player", "slider", "thinned", "up_to"]

WINDOWS = (1, 2, 5, 10, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000)
ALPHAS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99, 0.993, 0.995, 0.997, 0.998, 0.999, 0.9995, 1)
DELAYS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def losses_of(run: Any, *, name: str) -> NDArray[np.float64]:
    """The losses (n,) of a `Run`, or `run` itself as losses."""
    return as_losses(run.loss if isinstance(run, Run) else run, name=name)


def as_drifts(drift_at: Iterable[int], n: int) -> list[int]:
    """Return `drift_at` as a list of positions in a stream of `n` examples."""
    positions: list[Any] = as_list(drift_at, name="drift_at", rule="a list of positions")
    found = sorted(as_positions(positions, n, name="drift_at").tolist()) if positions else []
    if found and found[0] < 1:
        raise ValueError(f"drift_at must hold positions in 1..{n - 1}; got {found[0]}")
    return found


def as_bayes(bayes: Any, n: int) -> NDArray[np.float64] | None:
    """Return the Bayes error (n,) of each example; None if it is not known."""
    if bayes is None:
        return None
    error = as_floats(bayes, name="bayes")
    if error.shape != (n,):
        raise ValueError(f"bayes must have one number per loss, {n}; got shape {error.shape}")
    return error


def thinned(n: int) -> dict[str, Any]:
    """Which of `n` values of an error to draw: about 1000, without the first, which are 0 or 1.

    >>> thinned(10_000)
    {'start': 50, 'every': 10}
    """
    return {"start": min(50, n // 20), "every": max(1, n // 1000)}


def load_widgets() -> ModuleType:
    """Return ipywidgets; where it is missing, raise an ImportError that says how to get it."""
    try:
        import ipywidgets
    except ImportError as error:
        extra = f"{DISTRIBUTION}[explore]"
        command = install_command("explore")
        rule = f"repro.explore needs ipywidgets, the extra {extra}; get it with"
        raise ImportError(f"{rule}\n  {command}") from error
    return ipywidgets


def up_to(values: Sequence[int], most: int) -> tuple[int, ...]:
    """The `values` that are at most `most`, and at least the first of them.

    >>> up_to(WINDOWS, 12)
    (1, 2, 5, 10)
    """
    return tuple(value for value in values if value <= most) or tuple(values[:1])


def slider(label: str, values: Sequence[Any], value: Any) -> Any:
    """A slider over `values`; it starts at `value`, or at the last one if that is not offered."""
    start = value if value in values else values[-1]
    return load_widgets().SelectionSlider(
        description=label,
        options=list(values),
        value=start,
        style={"description_width": "initial"},
        layout={"width": "26em", "margin": "2px 2em 2px 0"},
    )


def choice(label: str, names: Sequence[str]) -> Any:
    """A list of `names`, of which the first is chosen."""
    return load_widgets().Dropdown(
        description=label,
        options=list(names),
        style={"description_width": "initial"},
    )


def player(label: str, last: int, step: int) -> Any:
    """A slider over 0..`last` beside a button that plays it, in steps of `step`.

    Returns the slider; its `player` is the button.
    """
    widgets = load_widgets()
    handle = widgets.IntSlider(description=label, max=last, layout={"width": "32em"})
    handle.player = widgets.Play(max=last, step=step, interval=200)
    widgets.jslink((handle.player, "value"), (handle, "value"))
    return handle
