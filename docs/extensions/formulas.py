r"""Formulas as MathML, made when the site is built: no script, no picture, nothing from elsewhere.

A formula that `repro._mathml` does not know is a warning with the place of the formula.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import math_core
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from repro._mathml import mathml

__all__ = ["setup", "write_font"]

log = logging.getLogger(__name__)
#: What formulas consist of: Latin, Greek, accents, punctuation, letters, arrows, operators,
#: brackets and their parts, shapes, and the italic, script and blackboard alphabets.
CHARACTERS = (
    (0x20, 0x17F), (0x2B0, 0x36F), (0x370, 0x3FF), (0x2000, 0x206F), (0x20D0, 0x20FF),
    (0x2100, 0x214F), (0x2190, 0x22FF), (0x2300, 0x23FF), (0x25A0, 0x25FF), (0x27C0, 0x27FF),
    (0x2A00, 0x2AFF), (0x1D400, 0x1D7FF),
)  # fmt: skip


def write_font(path: Path) -> None:
    """Write the part of STIX Two Math that formulas need, for machines without a font for them."""
    import ziamath  # brings the font
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(Path(ziamath.__file__).with_name("fonts") / "STIXTwoMath-Regular.ttf")
    subset = Subsetter(Options(layout_features=["*"], glyph_names=False))
    subset.populate(unicodes=[c for low, high in CHARACTERS for c in range(low, high + 1)])
    subset.subset(font)
    font.flavor = "woff"
    path.parent.mkdir(parents=True, exist_ok=True)
    font.save(path)


def _inline(writer: Any, node: nodes.math) -> None:
    writer.body.append(_converted(node, block=False))
    raise nodes.SkipNode


def _block(writer: Any, node: nodes.math_block) -> None:
    writer.body.append(writer.starttag(node, "div", CLASS="math"))
    writer.body.append(_converted(node, block=True) + "</div>\n")
    raise nodes.SkipNode


def _converted(node: nodes.Element, *, block: bool) -> str:
    try:
        return mathml(node.astext(), block=block)
    except math_core.LatexError as error:
        log.warning("formula %r: %s", node.astext(), error, location=node)
        return f"<code>{nodes.unescape(node.astext())}</code>"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer; ``html_math_renderer = "mathml"`` chooses it."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
