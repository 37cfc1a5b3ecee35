"""Sheets for people without a teacher: their checks say whether an answer is right."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from repro.course._cells import grading, read_cells, source

__all__ = ["SELF_STUDY", "for_readers", "with_tests"]

SELF_STUDY = "self-study"
HIDDEN = re.compile(r"^ *### (BEGIN|END) HIDDEN TESTS\n?", re.MULTILINE)
SOLUTION = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
ANSWER = "\n\n<details><summary>An answer to compare yours with</summary>\n\n{}\n\n</details>"
CHECK = "Check(student, globals()"
BLOCK = re.compile(r"<!-- (class|self-study) -->\n(.*?)<!-- end -->\n", re.DOTALL)
#: What a sheet says of its checks, and what it says where they know more.
OF_CHECKS = {
    r"tell whether your answer has the right form; whether it \*is\* right the grader decides\.": (
        "tell whether your answer is right; their code shows what is, so read it last."
    ),
    r"a cell of checks of its form\.": (
        "a cell of checks\nof whether it is right; their code shows what is, so read it last."
    ),
}


def with_tests(released: Mapping[str, Any], sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a sheet without solutions, `released`, with the hidden tests of the `sheet`."""
    notebook = copy.deepcopy(dict(released))
    whole = {cell["id"]: source(cell) for cell in read_cells(sheet) if grading(cell).get("grade")}
    said = 0
    for cell in read_cells(notebook):
        text = source(cell)
        if grading(cell).get("solution") and cell["id"] in whole:  # the interpretation
            text += ANSWER.format(SOLUTION.sub("", whole[cell["id"]]).strip())
        elif cell["id"] in whole:
            text = HIDDEN.sub("", whole[cell["id"]])
        for old, new in OF_CHECKS.items():
            text, n = re.subn(old, new, text)
            said += n
        cell["source"] = text.replace(CHECK, f"{CHECK}, self_study=True")
    if said != 1:
        raise RuntimeError(
            f"a sheet must say once what its checks tell; this one does {said} times"
        )
    return notebook


def for_readers(page: str, kind: str) -> str:
    """The page without the blocks that are for other readers than "class" or "self-study"."""
    return BLOCK.sub(lambda block: block[2] if block[1] == kind else "", page)
