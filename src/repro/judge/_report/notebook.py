"""A report as a notebook, which makes it again."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from repro.judge._report.html import png, table
from repro.judge.section import Section

__all__ = ["notebook"]

NO_CODE = """\
# This call names objects that code cannot make: put yours in their place.
{call}"""
HOW = "Change the call and run all cells; what stands below each cell is of the run before."


def notebook(title: str, overview: str, sections: Iterable[Section], call: str) -> str:
    """The notebook as JSON.

    Parameters
    ----------
    title : heading
    overview : HTML that the whole report shows as the value of a cell
    sections : those of the report; a cell for each text, figure and table
    call : the code that makes the report
    """
    cells = [_markdown(f"# {_marked(title)}\n\n{HOW}"), _code(_program(call))]
    cells.append(_code("report", {"text/html": overview, "text/plain": title}))
    for section in sections:
        cells += _section(section)
    cells.append(_code('# report.to_html("report.html")'))
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    about = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": about, "language_info": {"name": "python"}}
    whole = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _section(part: Section) -> list[dict[str, Any]]:
    where = f'report.section("{part.name}")'
    cells = [_markdown(f"## {_marked(part.title)}")]
    if part.text.strip():
        cells.append(_code(f"prose({where}.text)", _text(part.text)))
    if part.figure is not None:
        alt = part.alt or part.title
        picture = {"image/png": png(part.figure).data, "text/plain": alt}
        cells.append(_code(f"{where}.figure", picture))
    if part.table is not None:
        shown = {"text/html": table(part.table), "text/plain": str(part.table)}
        cells.append(_code(f"{where}.table", shown))
    return cells


def _program(call: str) -> str:
    """`call` as code that calls its value ``report``; as a comment if it is no code."""
    imports = "from repro.tables import prose\n"
    if not re.search(r"^from repro import .*\bjudge\b", call, re.MULTILINE):
        imports = f"from repro import judge\n{imports}\n"
    try:
        tree = ast.parse(call)
        last = tree.body[-1]
    except (SyntaxError, ValueError, IndexError):
        comment = "\n".join(f"# {line}" for line in call.splitlines())
        return imports + NO_CODE.format(call=comment)
    text = call.rstrip()
    if isinstance(last, ast.Expr):
        lines = text.splitlines()
        lines[last.lineno - 1] = f"report = {lines[last.lineno - 1]}"
        text = "\n".join(lines)
    elif isinstance(last, ast.Assign) and ast.unparse(last.targets[0]) != "report":
        text += f"\nreport = {ast.unparse(last.targets[0])}"
    return imports + text


def _marked(text: str) -> str:
    """`text` in Markdown: no HTML, and none of the signs that would change its look."""
    for sign in "\\`*_[]#$":
        text = text.replace(sign, f"\\{sign}")
    return escape(text, quote=False)


def _text(text: str) -> dict[str, str]:
    return {"text/markdown": escape(text, quote=False), "text/plain": text}


def _markdown(text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(text)}


def _code(source: str, shown: dict[str, str] | None = None) -> dict[str, Any]:
    outputs: list[dict[str, Any]] = []
    if shown is not None:
        data = {kind: text if kind == "image/png" else _lines(text) for kind, text in shown.items()}
        made: dict[str, Any] = {
            "output_type": "execute_result",
            "execution_count": None,
            "metadata": {},
        }
        outputs.append(made | {"data": data})
    cell: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}}
    return cell | {"outputs": outputs, "source": _lines(source)}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
