r"""Formulas in the pages that students get back: MathML, which needs no script and no network."""

from __future__ import annotations

import re
from typing import Any

import math_core
from nbgrader.preprocessors import NbGraderPreprocessor

from repro._mathml import mathml

__all__ = ["Formulas", "with_mathml"]

# Code stays as it is; a dollar before a space or a digit is money.
FORMULA = re.compile(
    r"(?P<code>```.*?```|`[^`\n]*`)|\$\$(?P<block>.+?)\$\$|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$(?!\d)",
    re.DOTALL,
)


def with_mathml(text: str) -> str:
    r"""Markdown whose formulas are MathML; one that is not known stays as it was written.

    >>> with_mathml(r"a $x^2$ in `$code$`")
    'a <math><msup><mi>x</mi><mn>2</mn></msup></math> in `$code$`'
    """

    def converted(match: re.Match[str]) -> str:
        if match["code"]:
            return match[0]
        latex, is_block = match["block"] or match["inline"], bool(match["block"])
        try:
            formula = mathml(latex.strip(), block=is_block)
        except math_core.LatexError:
            return match[0]
        return formula.replace("\n", " ")

    return FORMULA.sub(converted, text)


class Formulas(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Let the formulas of a graded notebook be MathML."""

    def preprocess_cell(self, cell: Any, resources: dict[str, Any], index: int) -> tuple[Any, Any]:
        """Convert those of a Markdown cell, and of what the teacher says of a cell."""
        if cell.cell_type == "markdown":
            cell.source = with_mathml(cell.source)
        if comment := cell.metadata.get("nbgrader", {}).get("comment"):
            cell.metadata.nbgrader.comment = with_mathml(comment)
        return cell, resources
