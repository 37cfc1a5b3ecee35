"""The page of the explorer: one file, with everything in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bokeh.embed import json_item
from bokeh.resources import Resources

from explorer.looks import ALARM, CLASSES, CURVES, legend, looks_of_learners
from explorer.plots import plots
from explorer.recorded import LEARNERS, N
from explorer.recording import record
from repro import _files

__all__ = ["KERNELS", "SCRIPTS", "VIEWS", "scripts", "write_page"]

HERE = Path(__file__).parent
SCRIPTS = HERE / "js"  #: one idea per file
#: Functions with the names and the numbers of the library.
KERNELS = (
    *("fading", "estimators", "kappa", "comparison"),
    *("detectors", "adwin", "detection", "permutations"),
)
#: What the page makes of them, in the order in which it is read.
VIEWS = ("recording", "code", "views", "sentences", "drawing", "cards", "page", "controls")


def write_page(path: Path, *, n: int = N) -> None:
    """Write the explorer to `path`, an HTML file that needs no server and no network.

    In it a stream plays with its true boundary and its Bayes error, and sliders change estimators,
    detectors, label delays, permutations, kappas and comparisons of two learners. The page computes
    them from recorded predictions, with functions of the same names as those of the library.

    Parameters
    ----------
    path : the file, which is written whole or not at all. Its folder is made.
    n : number of examples of each stream, from 1000 to 60 000: positions are stored in 16 bits.

    It takes about half a minute, in which all learners run on all streams.
    """
    if not 1000 <= n <= 60_000:
        raise ValueError(f"n must lie between 1000 and 60000; got {n}")
    recording = record(n)
    looks = looks_of_learners(LEARNERS)
    for name, about in recording["learners"].items():
        about.update(color=looks[name].color, line=looks[name].line)
    _files.write(path, _fill(_parts(recording)).encode())


def scripts(names: Iterable[str]) -> str:
    """The text of the scripts called `names`, one after the other.

    >>> "function fading_error(" in scripts(["estimators"])
    True
    """
    return "\n".join((SCRIPTS / f"{name}.js").read_text("utf-8") for name in names)


def _parts(recording: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the page for each {{name}} of `page.html`."""
    library = Resources(mode="inline", components=["bokeh"])
    return {
        "style": (HERE / "page.css").read_text("utf-8"),
        "scripts": scripts(KERNELS + VIEWS),
        "bokeh": library.render_js(),
        "figures": _as_json({name: json_item(plot) for name, plot in plots().items()}),
        "recording": _as_json(recording),
        **{f"legend {name}": legend(name) for name in CURVES},
        **{f"class {name}": look.color for name, look in CLASSES.items()},
        **{name: look.color for name, look in ALARM.items()},
    }


def _as_json(value: Any) -> str:
    """JSON that may stand inside a script of a page: it has no "<"."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _fill(parts: Mapping[str, str]) -> str:
    template = (HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{([a-z0-9 ]+)\}\}", lambda found: parts[found[1]], template)
