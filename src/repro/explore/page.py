"""The page of the explorer: one file, with everything in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repro import _files
from repro._checks import check_count, shown
from repro.explore._looks import ALARM, CLASSES, CURVES, legend, looks_of_learners
from repro.explore._plots import need_bokeh, plots
from repro.explore._recorded import LEARNERS, N
from repro.explore._recording import record
from repro.explore._scripts import KERNELS, VIEWS, scripts

__all__ = ["page"]

HERE = Path(__file__).parent


def page(path: str | Path, *, n: int = N) -> Path:
    """Write the explorer to `path`, an HTML file that needs no server and no network.

    In it a stream plays with its true boundary and its Bayes error, and sliders change estimators,
    detectors, label delays, permutations, kappas and comparisons of two learners. The page computes
    them from recorded predictions, with functions of the same names as those of this package.

    Parameters
    ----------
    path : the file, which is written whole or not at all. Its folder is made.
    n : number of examples of each stream, from 1000 to 60 000.

    Returns the path. It takes about half a minute, in which all learners run on all streams. Raises
    ImportError, with the command that installs it, if Bokeh is missing; ValueError for another `n`.
    """
    need_bokeh()
    if not isinstance(path, str | Path):
        raise TypeError(f"path must be a path; got {shown(path)}")
    recording = record(check_count(n, name="n", least=1000, most=60_000))
    looks = looks_of_learners(LEARNERS)
    for name, about in recording["learners"].items():
        about.update(color=looks[name].color, line=looks[name].line)
    _files.write(Path(path), _fill(_parts(recording)).encode())
    return Path(path)


def _parts(recording: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the page for each {{name}} of `page.html`."""
    from bokeh.embed import json_item
    from bokeh.resources import Resources

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
