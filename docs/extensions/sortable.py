"""Pages whose tables of results are sorted and searched in the browser, such as the league."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

__all__ = ["add_scripts", "setup"]

PAGES = ("docs/league",)


def add_scripts(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Load the library of the tables on such a page; elsewhere a Markdown table stays as it is."""
    if pagename in PAGES:
        app.add_css_file("datatables.css")
        app.add_js_file("datatables.js")
        app.add_js_file("tables.js", **{"data-sortable": "all"})


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the scripts as a page is written."""
    app.connect("html-page-context", add_scripts)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
