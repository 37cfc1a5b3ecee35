"""How the curves of the page look: as in the figures of the paper, light or dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from explorer.recorded import LEARNERS
from repro.figures import panels
from repro.figures.style import LINES, PALETTE, Look, pick_looks

__all__ = ["ALARM", "CLASSES", "CURVES", "LEARNER", "Curve", "legend", "looks_of_learners"]


class Curve(NamedTuple):
    """A curve's entry in the legend, and its look."""

    label: str
    look: Look


LEARNER = Look(PALETTE[0], "-", "o")  #: of the learner under study, where the page knows no other
_BLACK = Look("black", "--", "")
_THIN = Look("grey", "-", "")
_THRESHOLD = Look("black", "-.", "")

#: The curves of each figure along the stream. A label with {a} names the learner A.
CURVES: Mapping[str, Mapping[str, Curve]] = {
    "error": {
        "bayes": Curve("Bayes error", _BLACK),
        "prequential": Curve("all losses", Look(PALETTE[3], "-.", "")),
        "fading": Curve("fading factor", Look(PALETTE[6], "--", "")),
        "window": Curve("window", Look(PALETTE[1], "-", "")),
    },
    "alarms": {"error": Curve("error of {a}, window", LEARNER)},
    "statistic": {
        "threshold": Curve("λ", _THRESHOLD),
        "statistic": Curve("Page-Hinkley statistic", LEARNER),
    },
    "kappa": {
        "zero": Curve("baseline", _BLACK),
        "chance": Curve("κ, against chance", Look(PALETTE[0], "-", "")),
        "change": Curve("κ_per, against no change", Look(PALETTE[1], "--", "")),
    },
    "pair": {"a": Curve("{a}", LEARNER), "b": Curve("{b}", LEARNER)},
    "q": {
        "zero": Curve("equal losses", _BLACK),
        "fading": Curve("fading factor", Look(PALETTE[6], "--", "")),
        "window": Curve("window", Look(PALETTE[1], "-", "")),
    },
    "mcnemar": {
        "upper": Curve("± 6.635, the 1 % level", _THRESHOLD),
        "lower": Curve("", _THRESHOLD),
        "fading": Curve("fading factor", Look(PALETTE[6], "--", "")),
        "window": Curve("window", Look(PALETTE[1], "-", "")),
    },
    "looks": {
        "level": Curve("5 %, the level", _THRESHOLD),
        "mcnemar": Curve("McNemar's test", Look(PALETTE[1], "-", "")),
        "evidence": Curve("evidence at any time", Look(PALETTE[0], "--", "")),
    },
}
#: Alarms by what they are: the marker says it without the colour.
ALARM = {
    "detected": Look(PALETTE[2], "-", "inverted_triangle"),
    "repeated": Look(PALETTE[7], ":", "inverted_triangle"),
    "false": Look(LINES["alarm"]["color"], "--", "x"),
}
CLASSES = {
    "0": Look(PALETTE[0], "", "circle"),
    "1": Look(PALETTE[1], "", "triangle"),
}
_STROKES = {"-": "", "--": "7 4", "-.": "7 3 2 3", ":": "2 3"}


def looks_of_learners(names: Iterable[str] = tuple(LEARNERS)) -> dict[str, Look]:
    """The look that each learner has in all figures of the paper.

    >>> looks_of_learners()["NB"].line
    '-'
    """
    names = list(names)
    return dict(zip(names, pick_looks(panels(["looks"])[0], names), strict=True))


def legend(name: str) -> str:
    """The legend of a figure along the stream, as HTML: a stroke and a label for each curve."""
    entries = "".join(_entry(name, key, curve) for key, curve in CURVES[name].items() if curve[0])
    return f'<ul class="legend">{entries}</ul>'


def _entry(figure: str, key: str, curve: Curve) -> str:
    look = curve.look
    color = "currentColor" if look.color == "black" else look.color
    paint = f'stroke="{color}" stroke-dasharray="{_STROKES[look.line]}"'
    stroke = f'<svg viewBox="0 0 28 6" aria-hidden="true"><path d="M0 3H28" {paint}/></svg>'
    label = escape(curve.label).replace("{a}", "<b class=a></b>").replace("{b}", "<b class=b></b>")
    return f'<li data-curve="{figure}.{key}">{stroke}{label}</li>'
