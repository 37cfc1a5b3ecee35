"""Files that the pages load, taken from packages: the library of the tables, and a font."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from extensions.formulas import write_font

__all__ = ["write_scripts"]

EXPORT = re.compile(r"\bexport\s*\{[^}]*?([\w$]+) as default[^}]*\};?")


def write_scripts(folder: Path) -> None:
    """Write what does not change from build to build, unless it is there.

    DataTables comes with itables, as a module. Browsers load no module from a file, so it becomes a
    plain script, and the pages also work when the folder is opened without a server.
    """
    folder.mkdir(parents=True, exist_ok=True)
    bundle = resources.files("itables") / "html"
    script = bundle.joinpath("dt_bundle.js").read_text("utf-8")
    (folder / "datatables.js").write_text(as_plain_script(script), encoding="utf-8")
    style = bundle.joinpath("dt_bundle.css").read_text("utf-8")
    (folder / "datatables.css").write_text(style, encoding="utf-8")
    if not (font := folder / "formulas.woff").is_file():
        write_font(font)


def as_plain_script(module: str) -> str:
    """A module as a script that sets ``window.DataTable`` to what the module exports by default.

    >>> as_plain_script("var a = 1; export { a as default, b as c };")
    '(() => {var a = 1; window.DataTable = a;})();'
    """
    if not EXPORT.search(module):
        raise ValueError(f"module must export a default; got {module[:80]!r}...")
    script = EXPORT.sub(r"window.DataTable = \1;", module)
    return f"(() => {{{script}}})();"
