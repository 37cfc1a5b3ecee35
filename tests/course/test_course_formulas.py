"""Formulas of the feedback: MathML where they are known, untouched where they are none."""

from __future__ import annotations

import json

import nbformat
import pytest

from repro import _folders
from repro.course._nbgrader import LOADED

pytest.importorskip("nbgrader")
pytest.importorskip("math_core")

from repro.course._formulas import Formulas, with_mathml

SHEETS = sorted((_folders.need_checkout() / "notebooks" / "exercises").glob("*.ipynb"))


@pytest.mark.parametrize(
    "text",
    [
        "it costs $5 and $6",
        "`$x$` is code, and so is\n```\n$y$\n```",
        "a lone $ is none",
        r"unknown: $\nosuchcommand{x}$",
        "no formula",
    ],
)
def test_what_is_no_formula_stays_as_it_is(text):
    assert with_mathml(text) == text


def test_formulas_in_a_line_and_of_their_own_are_drawn():
    text = with_mathml("from $a_1$ to\n\n$$\nb = \\frac{1}{2}\n$$\n\nand `$c$`, $d$.")
    assert text.count("<math") == 3
    assert "$a_1$" not in text
    assert "<mfrac>" in text
    assert "`$c$`" in text


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.stem)
def test_every_formula_of_the_sheets_is_known(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    assert [text for text in map(with_mathml, texts) if "$" in text.replace("`$", "")] == []


def test_what_the_teacher_says_of_a_cell_may_have_formulas():
    cell = nbformat.v4.new_code_cell("x = '$a$'", metadata={"nbgrader": {"comment": "see $x^2$"}})
    converted, _ = Formulas().preprocess_cell(cell, {}, 0)
    assert converted.source == "x = '$a$'"
    assert "<msup>" in converted.metadata.nbgrader.comment


def test_the_page_loads_no_script_from_elsewhere():
    page = '<script src="https://example.org/a.js?x=y"> </script><script>own()</script>'
    assert LOADED.sub("", page) == "<script>own()</script>"
