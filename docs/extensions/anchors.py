"""Anchors on the pages of notebooks: of every code cell, section, figure and table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from pages.places import anchors_of
from sphinx.application import Sphinx

WHY = "What does not hold"

__all__ = ["add_anchors", "setup"]


def add_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Give each cell its id in the notebook, the rest a name that follows from its words."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    taken: set[str] = set()
    for section in doctree.findall(nodes.section):
        title = section.next_node(nodes.title)
        _name(section, anchors_of(title.astext() if title else ""), taken)
    for paragraph in doctree.findall(nodes.paragraph):
        first = next((child for child in paragraph.children if child.astext()), None)
        bold = first if isinstance(first, nodes.strong) else None
        text = bold.astext() if bold else paragraph.astext()[: len(WHY)]
        if bold or text == WHY:
            _name(paragraph, anchors_of(text), taken)
    for bold in doctree.findall(nodes.strong):
        _name(bold, [a for a in anchors_of(bold.astext()) if a[-1].isdigit()], taken)
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code":
            _name(cell, [cells[cell["cell_index"]]["id"]], taken)


def _name(node: nodes.Element, anchors: list[str], taken: set[str]) -> None:
    """Add the anchors that no earlier place of the page has."""
    node["ids"] += [anchor for anchor in anchors if anchor not in taken]
    taken.update(anchors)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the anchors when a page has been read."""
    app.connect("doctree-read", add_anchors)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
