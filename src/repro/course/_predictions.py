"""What students expected: a cell of its own for each task, and one page for the class."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import pandas as pd

from repro.course._cells import grading, read_cells, read_notebook, source
from repro.course.sheets import Sheet
from repro.course.submissions import Submission

__all__ = ["EXPECT", "page_of", "predictions_in", "predictions_of", "with_prediction_cells"]

EXPECT = "*I expect ...*"  # at the end of each question in a sheet
SUFFIX = "-prediction"  # of the id of the cell in which students write it
TASK = re.compile(r"^## Task (\d+)", re.MULTILINE)
HEADING = re.compile(r"^## (?:Task (\d+))?", re.MULTILINE)
ASKED = re.compile(r"\*\*Prediction\.\*\*\s*(.*)", re.DOTALL)
MOST = 12  # different predictions of a task that are shown
STYLE = """body { font: 1rem/1.5 sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
ul { padding: 0; }
li { list-style: none; display: grid; grid-template-columns: 2.5rem 1fr; margin: .2rem 0; }
li span { background: linear-gradient(#9ccbd9 0 0) no-repeat; padding: 0 .4rem; }"""


def with_prediction_cells(notebook: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a sheet's `notebook` in which the prediction of each task has its own cell."""
    shown, cells = copy.deepcopy(dict(notebook)), []
    sheet = read_cells(shown)
    for i, cell in enumerate(sheet):
        cells.append(cell)
        text = source(cell).rstrip()
        task = _first_task(sheet[i:])
        if cell.get("cell_type") == "markdown" and text.endswith(EXPECT) and task:
            name = task.replace("_", "-") + SUFFIX
            cell["source"] = text.removesuffix(EXPECT).rstrip()
            empty = {"cell_type": "markdown", "id": name, "metadata": {}, "source": EXPECT}
            cells.append(empty)
    return shown | {"cells": cells}


def _first_task(cells: Iterable[dict[str, Any]]) -> str:
    """The task of the first of the `cells` that has an answer; "" if none has."""
    return next((grading(c)["grade_id"] for c in cells if grading(c).get("solution")), "")


def predictions_of(notebook: Mapping[str, Any], tasks: Sequence[str]) -> dict[str, str]:
    """The prediction of each of the `tasks` in a notebook that came back, if one was written.

    An editor may have dropped the ids of cells: then a text that begins "I expect" is that of the
    task above it.
    """
    found: dict[str, str] = {}
    number = 0
    for cell in read_cells(notebook):
        text = source(cell)
        if cell.get("cell_type") != "markdown":
            continue
        number = int(([*HEADING.findall(text)] or [number])[-1] or 0)
        name = str(cell.get("id", "")).removesuffix(SUFFIX).replace("-", "_")
        is_own = str(cell.get("id", "")).endswith(SUFFIX) and name in tasks
        if not is_own and text.lstrip("* ").startswith("I expect") and 0 < number <= len(tasks):
            name, is_own = tasks[number - 1], True
        if is_own and (plain := _plain(text)):
            found[name] = plain
    return found


def _plain(text: str) -> str:
    """What a student wrote, in one line; empty for the text that stood there."""
    plain = re.sub(r"\*\*([^*]+)\*\*", r"\1", text).strip().strip("*")  # 2*3 keeps its star
    line = " ".join(plain.split()).removeprefix("I expect").strip()
    return re.sub(r"^(\.\.\.|…) *", "", line).rstrip(".… ")


def predictions_in(submissions: Iterable[Submission], by_name: Mapping[str, Sheet]) -> pd.DataFrame:
    """A row for each prediction of a class: student, sheet, task, prediction."""
    rows = []
    for one in submissions:
        if one.sheet and one.path is not None:
            tasks = [task.name for task in by_name[one.sheet].tasks]
            found = predictions_of(read_notebook(one.path), tasks)
            rows += [(one.student, one.sheet, task, text) for task, text in found.items()]
    return pd.DataFrame(rows, columns=["student", "sheet", "task", "prediction"])


def page_of(predictions: pd.DataFrame, points: pd.DataFrame, by_name: Mapping[str, Sheet]) -> str:
    """One page for the class, without names: how many expected what, and how many were right.

    Parameters
    ----------
    predictions : of `predictions_in`
    points : a row per student, sheet and task: points, and the most that can be had
    by_name : the sheets
    """
    parts = []
    for name in sorted({*predictions["sheet"]}):
        parts.append(f"<h1>{escape(by_name[name].title)}</h1>")
        asked = _asked(by_name[name])
        for task in by_name[name].tasks:
            mine = predictions[(predictions["sheet"] == name) & (predictions["task"] == task.name)]
            got = points[(points["sheet"] == name) & (points["task"] == task.name)]
            right = int((got["points"] == got["of"]).sum())
            parts.append(f"<h2>{escape(task.title)}</h2><p>{_marked(asked.get(task.name, ''))}</p>")
            parts.append(f"<ul>{''.join(_bars(mine['prediction']))}</ul>")
            parts.append(f"<p>{right} of {len(got)} students have all points for it.</p>")
    head = f'<meta charset="utf-8"><title>What the class expected</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'


def _bars(texts: pd.Series) -> Iterator[str]:
    """Each prediction with its count, the most frequent first; case does not matter."""
    if texts.empty:
        yield '<li>0<span style="background-size: 0">nobody wrote a prediction</span></li>'
        return
    groups = texts.groupby(texts.str.casefold(), sort=False)
    counts = sorted(((len(of), of.iloc[0]) for _, of in groups), key=lambda pair: -pair[0])
    for n, text in counts[:MOST]:
        width = f"{100 * n / counts[0][0]:.0f}% 100%"
        yield f'<li>{n}<span style="background-size: {width}">{escape(text)}</span></li>'
    if left := sum(n for n, _ in counts[MOST:]):
        yield f'<li>{left}<span style="background-size: 0">others</span></li>'


def _marked(text: str) -> str:
    """HTML of a line of Markdown, with its code and its formulas."""
    from repro.course._formulas import with_mathml  # here: students build no page, and need none

    return re.sub(r"`([^`]+)`", r"<code>\1</code>", with_mathml(escape(text, quote=False)))


def _asked(sheet: Sheet) -> dict[str, str]:
    """What each task asks to predict, by its name; of a task that asks for nothing, nothing."""
    cells, asked = read_cells(read_notebook(sheet.path)), {}
    for i, cell in enumerate(cells):
        if TASK.search(source(cell)) and (match := ASKED.search(source(cell))):
            text = match[1].rstrip().removesuffix(EXPECT)
            asked[_first_task(cells[i:])] = " ".join(text.split())
    return asked
