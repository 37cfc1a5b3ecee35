"""State of the paper: which figures are current, and how many published numbers agree."""

from __future__ import annotations

import ast
import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from repro import _folders
from repro.published.counts import (
    columns_of_cells,
    columns_of_claims,
    read_rows,
    summary_of_cells,
    summary_of_claims,
)
from repro.published.words import CELLS, CLAIMS
from repro.runner import notebook as nb
from repro.runner.job import Job, on_stand_ins, prepare
from repro.runner.notebook import Notebook

__all__ = ["VerdictError", "figure_names", "figure_states", "png_text"]
__all__ += ["verdict_tables", "verdicts"]

# The tables of a notebook that have verdicts.
TABLES: Mapping[str, tuple[Mapping[str, str], Callable[..., list[str]], Callable[..., Any]]] = {
    "cells": (CELLS, summary_of_cells, columns_of_cells),
    "claims": (CLAIMS, summary_of_claims, columns_of_claims),
}
HEADS = {"cells": "numbers", "claims": "sentences"}


class VerdictError(ValueError):
    """Unknown verdict in a results table."""


def figure_states(profile: str = "paper") -> Iterator[tuple[str, str, str]]:
    """Notebook, figure and state of every figure that the notebooks save.

    A figure is "current" if the hash inside the file is that of the present inputs (`inputs_hash`
    says what it covers), "code changed" if it is another, "never run" if there is no file, and
    "failed" if the last run with the present inputs did not reach its end. A notebook without
    figures has one line, for its tables.
    """
    for path in _paths():
        try:
            notebook = nb.read(path)
        except nb.InvalidNotebook:
            yield path.stem, "(not a notebook)", "failed"
            continue
        job, names = prepare(notebook, profile, {}), figure_names(notebook)
        for name in names:
            yield job.name, name, _state(job, job.results / "figures" / f"{name}.png")
        if not names:
            yield job.name, "(no figures)", _state(job, job.record)


def figure_names(notebook: Notebook) -> list[str]:
    """The names that the code of `notebook` passes to ``figures.save`` as literals, in order."""
    names: dict[str, None] = {}
    for cell in notebook.code:
        try:
            tree = ast.parse(nb.plain(cell))
        except SyntaxError:
            continue
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        calls.sort(key=lambda call: (call.lineno, call.col_offset))
        names.update(dict.fromkeys(name for call in calls for name in _saved(call)))
    return list(names)


def png_text(path: Path) -> dict[str, str]:
    """The texts inside a PNG file, by key; empty if the file is not a PNG."""
    content, texts, start = path.read_bytes(), {}, 8
    while content.startswith(b"\x89PNG\r\n") and start + 8 <= len(content):
        length, kind = struct.unpack(">I4s", content[start : start + 8])
        if kind == b"tEXt":
            key, _, text = content[start + 8 : start + 8 + length].partition(b"\0")
            texts[key.decode("latin-1")] = text.decode("latin-1")
        start += length + 12
    return texts


def verdicts(profile: str = "paper") -> Iterator[str]:
    """One line per notebook with verdicts: how many numbers agree and how many claims hold."""
    for job, is_old in _with_verdicts(profile):
        parts = [
            line
            for kind, (words, summary, _) in TABLES.items()
            for line in _counted(job, kind, words, summary) or []
        ]
        yield f"{job.name}  {'; '.join(parts)}{_note(job)}" + "  (code changed since)" * is_old


def verdict_tables(profile: str = "paper") -> Iterator[str]:
    """The same counts as two tables in Markdown: the numbers of the papers, and their sentences."""
    jobs = list(_with_verdicts(profile))
    for kind, (words, _, columns) in TABLES.items():
        rows = {}
        for job, is_old in jobs:
            link = f"[{job.name.replace('_', ' ')}](notebooks/{job.name}.ipynb)"
            if counts := _counted(job, kind, words, columns):
                rows[link + _note(job) + " (code changed since)" * is_old] = counts
        if rows:
            yield from _markdown(HEADS[kind], rows)


def _markdown(head: str, rows: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The lines of a table, and an empty one."""
    columns = [*next(iter(rows.values()))]
    yield f"| {head} | {' | '.join(columns)} |"
    yield "|---|" + "--:|" * len(columns)
    for name, row in rows.items():
        yield f"| {name} | {' | '.join(row.values())} |"
    yield ""


def _with_verdicts(profile: str) -> Iterator[tuple[Job, bool]]:
    """The notebooks that have tables with verdicts, and whether their code changed since."""
    for path in _paths():
        try:
            job = prepare(nb.read(path), profile, {})
        except nb.InvalidNotebook:
            continue
        # Where data are missing, a notebook runs on stand-ins.
        for shown in (job, on_stand_ins(job)):
            if any(_table(shown, kind).is_file() for kind in TABLES):
                yield shown, _recorded(shown.record) not in (None, shown.inputs)
                break


def _note(job: Job) -> str:
    """What is said of results that are not from the real data."""
    return "  (on stand-ins)" if job.parameters.get("stand_in") else ""


def _table(job: Job, kind: str) -> Path:
    stem = job.record.name.removesuffix("_provenance.json")
    return job.record.with_name(f"{stem}_{kind}.csv")


def _counted(job: Job, kind: str, words: Mapping[str, str], count: Callable[..., Any]) -> Any:
    """What `count` says of the table of this kind; None without the table."""
    file = _table(job, kind)
    try:
        return count(read_rows(file, words)) if file.is_file() else None
    except ValueError as error:
        raise VerdictError(f"{file.name}: {error}") from None


def _paths() -> list[Path]:
    return sorted((_folders.need_checkout() / "notebooks").glob("[0-9]*.ipynb"))


def _state(job: Job, path: Path) -> str:
    failed = job.path(".FAILED.ipynb")
    if failed.is_file() and nb.read(failed).provenance.get("Inputs") == job.inputs:
        return "failed"
    if not path.is_file():
        return "never run"
    return "current" if _recorded(path) == job.inputs else "code changed"


def _recorded(path: Path) -> str | None:
    """The hash of inputs inside a figure or a record."""
    if not path.is_file():
        return None
    if path.suffix == ".png":
        return png_text(path).get("Inputs")
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["Inputs"])
    except (ValueError, KeyError):
        return "not readable"


def _saved(call: ast.Call) -> list[str]:
    """The name of the figure that a call to ``save`` is given as a literal, if any."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else None
    called = call.func.id if isinstance(call.func, ast.Name) else called
    named = [keyword.value for keyword in call.keywords if keyword.arg == "name"]
    values = [a.value for a in (*call.args[:2], *named) if isinstance(a, ast.Constant)]
    texts = [value for value in values if isinstance(value, str)]
    return [text for text in texts if called == "save" and re.fullmatch(r"\d\d(_[a-z0-9]+)+", text)]
