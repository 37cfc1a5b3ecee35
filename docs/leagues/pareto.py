"""Error against speed: which learners are beaten by none that is as fast."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from repro import _files, figures

__all__ = ["draw", "front", "picture", "save"]

LIBRARIES = {"repro": "o", "river": "s"}  # and their marks
DPI = 110


def front(table: pd.DataFrame) -> list[str]:
    """The learners to which no other is at least equal in both respects and better in one.

    Parameters
    ----------
    table : ``speed`` (more is better) and ``excess`` (less is better), a row for each learner.

    Returns their names, the fastest first.

    >>> front(pd.DataFrame({"speed": [9, 5, 1], "excess": [3, 4, 2]}, index=["a", "b", "c"]))
    ['a', 'c']
    """
    rows = [(str(name), row["speed"], row["excess"]) for name, row in table.iterrows()]
    kept = [
        (name, speed)
        for name, speed, excess in rows
        if not any(s >= speed and e <= excess and (s > speed or e < excess) for _, s, e in rows)
    ]
    return [name for name, _ in sorted(kept, key=lambda pair: -pair[1])]


def picture(table: pd.DataFrame) -> Figure:
    """Excess over the optimum against examples per second, both logarithmic; the front is named.

    Parameters
    ----------
    table : ``speed``, ``excess`` in points and ``library``, a row for each learner.
    """
    best = front(table)
    with figures.theme():
        fig, ax = plt.subplots(figsize=(7.2, 4.6), layout="constrained")
        for library, own in table.groupby("library"):
            ax.scatter(own["speed"], own["excess"], marker=LIBRARIES[str(library)], label=library)
        line = table.loc[best].sort_values("speed")
        ax.plot(line["speed"], line["excess"], drawstyle="steps-pre", color="0.6", zorder=0)
        for i, (name, row) in enumerate(line.iterrows()):  # left and right by turns: room for each
            side = {"ha": ("right", "left")[i % 2], "xytext": ((-6, 5), (6, 5))[i % 2]}
            at = row["speed"], row["excess"]
            ax.annotate(str(name), at, textcoords="offset points", fontsize="small", **side)
        ax.set(xscale="log", yscale="log", xlabel="Examples per second")
        ax.set(xlim=(None, 10 * table["speed"].max()), ylabel="Excess over the optimum [points]")
        ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        ax.yaxis.set_major_formatter("{x:g}")
        ax.yaxis.set_minor_locator(NullLocator())
        ax.legend(loc="upper left")
    return fig


def draw(table: pd.DataFrame, path: Path) -> None:
    """Write `picture` to the file `path`."""
    save(picture(table), path)


def save(fig: Figure, path: Path) -> None:
    """Write a figure to the file `path`, as a whole."""
    with _files.replacing(path) as part:
        fig.savefig(part, dpi=DPI, format="png", metadata={"Software": None})
        plt.close(fig)
