"""What a screen reader says: words for the pictures in notebooks, and HTML that it understands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["describe", "mend", "setup"]

EMPTY_TITLE = re.compile(r"<th([^>]*)>(?:\s|&nbsp;|<p></p>)*</th>")
PARAMETERS = re.compile(r"<dl>\s*((?:<dd><em class=\"sig-param\">.*?</dd>\s*)+)</dl>", re.DOTALL)


def describe(app: Sphinx, doctree: nodes.document) -> None:
    """Give each picture the paragraph that begins with "Figure" after it, or the text before it."""
    if Path(app.env.doc2path(app.env.docname)).suffix != ".ipynb":
        return
    parts = [*doctree.findall(lambda node: isinstance(node, nodes.image | nodes.paragraph))]
    before = ""
    for i, part in enumerate(parts):
        if isinstance(part, nodes.paragraph):
            before = part.astext()
        elif part.get("alt", "") in ("", part["uri"]):
            part["alt"] = " ".join((_caption(parts[i + 1 :]) or before).split())


def _caption(parts: list[nodes.Node]) -> str:
    """The caption that comes before the next picture; "" without one."""
    for part in parts:
        if isinstance(part, nodes.image):
            return ""
        first = next((child for child in part.children if child.astext()), None)
        if isinstance(first, nodes.strong) and first.astext().startswith("Figure"):
            return str(part.astext())
    return ""


def mend(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Make the empty title of a column a cell, and the parameters of a long signature a list.

    pandas writes such a title above the names of rows. Sphinx writes such parameters as definitions
    without terms, which are no HTML.
    """
    if "body" in context:
        body = EMPTY_TITLE.sub(r"<td\1></td>", context["body"])
        context["body"] = PARAMETERS.sub(_as_list, body)


def _as_list(parameters: re.Match[str]) -> str:
    items = parameters[1].replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f'<ul class="signature">{items}</ul>'


def setup(app: Sphinx) -> dict[str, Any]:
    """Describe the pictures when a page has been read, mend the rest when it is written."""
    app.connect("doctree-read", describe)
    app.connect("html-page-context", mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
