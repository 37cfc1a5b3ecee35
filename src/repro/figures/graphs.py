"""Graphical models: variables as circles, dependences as arrows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from matplotlib.axes import Axes

from repro._checks import as_list, check_mapping, check_number, shown
from repro.figures._axes import axes_or_new

__all__ = ["plot_graph"]

RADIUS = 16  # of a circle, in points
RULE = "names to a place (x, y)"


def plot_graph(
    nodes: Mapping[str, tuple[float, float]],
    edges: Iterable[tuple[str, str]],
    *,
    observed: Iterable[str] = (),
    ax: Axes | None = None,
) -> Axes:
    """A directed graph of variables; an observed one is grey.

    Parameters
    ----------
    nodes : name of each variable, such as "$y_t$", to its place (x, y)
    edges : arrows, each from one variable to another
    observed : names of the variables that are known
    ax : where to draw; a new figure if None

    Raises ValueError for an edge that is no pair of nodes, or an observed variable that is no node.
    """
    places = {
        str(name): _place(at) for name, at in check_mapping(nodes, name="nodes", rule=RULE).items()
    }
    arrows = as_list(edges, tuple, name="edges", rule="pairs of nodes")
    observed_names = as_list(observed, str, name="observed", rule="names of nodes")
    if any(len(arrow) != 2 for arrow in arrows):
        raise ValueError(f"edges must be pairs of nodes; got {shown(arrows)}")
    _check_known([name for arrow in arrows for name in arrow], places, "edges")
    _check_known(observed_names, places, "observed")
    ax = axes_or_new(ax)
    for start, end in arrows:
        look = {"arrowstyle": "-|>", "color": "0.2", "shrinkA": RADIUS + 2, "shrinkB": RADIUS + 2}
        ax.annotate("", xy=places[end], xytext=places[start], arrowprops=look)
    for name, (x, y) in places.items():
        face = "0.8" if name in observed_names else "white"
        ax.plot(x, y, "o", markersize=2 * RADIUS, color="0.2", markerfacecolor=face, label=name)
        ax.annotate(name, (x, y), ha="center", va="center")
    ax.margins(0.25)
    ax.set_axis_off()
    return ax


def _place(at: object) -> tuple[float, float]:
    if not isinstance(at, tuple | list) or len(at) != 2:
        raise ValueError(f"nodes must map {RULE}; got {shown(at)}")
    return check_number(at[0], name="x of a node"), check_number(at[1], name="y of a node")


def _check_known(names: Iterable[str], places: Mapping[str, object], argument: str) -> None:
    for name in names:
        if name not in places:
            raise ValueError(f"{argument} must name nodes among {shown(list(places))}; got {name}")
