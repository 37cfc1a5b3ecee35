"""State of the paper: which figures are current, and how many published numbers agree."""

from __future__ import annotations

import ast
import csv
import json
import re
import struct
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from repro import _folders
from repro.published.counts import counts_by_kind
from repro.published.words import CELLS, CLAIMS, DIFFERS, KINDS, NOT_REFUTED, TOO_COARSE
from repro.runner import notebook as nb
from repro.runner.job import Job, prepare
from repro.runner.notebook import Notebook

__all__ = ["VerdictError", "figure_names", "figure_states", "png_text", "verdicts"]

IF_ANY = (NOT_REFUTED, TOO_COARSE)  # verdicts that are not counted where there are none
NO_NOTES: Mapping[str, str] = MappingProxyType({})


class VerdictError(ValueError):
    """Unknown verdict in a results table."""


def figure_states(profile: str = "paper") -> Iterator[tuple[str, str, str]]:
    """Notebook, figure and state of every figure that the notebooks save.

    A figure is "current" if the hash inside the file is that of the present inputs, "code changed"
    if it is another, "never run" if there is no file, and "failed" if the last run with the
    present inputs did not reach its end. A notebook without figures has one line, for its tables.
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
    for path in _paths():
        try:
            job = prepare(nb.read(path), profile, {})
        except nb.InvalidNotebook:
            continue
        stem = job.record.name.removesuffix("_provenance.json")
        parts = []
        for kind, counts in (("cells", _counts_of_cells), ("claims", _counts_of_claims)):
            file = job.record.with_name(f"{stem}_{kind}.csv")
            parts += counts(file) if file.is_file() else []
        if parts:
            is_old = _recorded(job.record) not in (None, job.inputs)
            yield f"{job.name}  {'; '.join(parts)}" + "  (code changed since)" * is_old


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


def _counts_of_cells(path: Path) -> list[str]:
    """The counts of a table of numbers: ``cells: 52 agree, 1 differs, 18 not run``.

    Constants are counted apart. Behind the number that differs stands how many of the cells at
    most do so by chance, and how many do after Holm's correction.
    """
    try:
        kinds = counts_by_kind(_rows(path, CELLS))
    except ValueError as error:
        raise VerdictError(f"{path.name}: {error}") from None
    lines = []
    for kind, counts in kinds.items():
        notes = f"at most {counts.by_chance:.1f} by chance, {counts.after_holm} after Holm"
        note = {DIFFERS: f" ({notes})"} if counts.with_p else {}
        if kind == "cell" or counts.verdicts:
            lines.append(f"{KINDS[kind]}: {_counted(counts.verdicts, CELLS, note)}")
    return lines


def _counts_of_claims(path: Path) -> list[str]:
    """The counts of a ledger: ``claims: 5 hold, 1 does not hold, 2 cannot be told``.

    Rows that the column "own" marks as our questions are counted apart from those of the paper. A
    sentence that was judged with several numbers of permutations counts once, with its last row.
    """
    counted = {_sentence(i, row): row for i, row in enumerate(_rows(path, CLAIMS))}.values()
    own = Counter(row["verdict"] for row in counted if row.get("own"))
    papers = Counter(row["verdict"] for row in counted if not row.get("own"))
    lines = [f"claims: {_counted(papers, CLAIMS)}"]
    return [*lines, f"own questions: {_counted(own, CLAIMS)}"] if own else lines


def _rows(path: Path, words: Mapping[str, str]) -> list[dict[str, str]]:
    """The rows of a table, each with one of the `words` as its verdict."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if unknown := [word for row in rows if (word := row.get("verdict", "")) not in words]:
        raise VerdictError(f"{path.name}: verdict must be one of {list(words)}; got {unknown[0]!r}")
    return rows


def _sentence(i: int, row: Mapping[str, str]) -> object:
    """What the rows of one sentence have in common; otherwise the number of the row."""
    return (row.get("section"), row.get("sentence")) if row.get("permutations") else i


def _counted(
    counts: Mapping[str, int], words: Mapping[str, str], notes: Mapping[str, str] = NO_NOTES
) -> str:
    """``3 hold, 1 does not hold``; some verdicts only where there are any, some with a note."""
    listed = [(counts[one], one, one if counts[one] == 1 else words[one]) for one in words]
    shown = [each for each in listed if each[0] or each[1] not in IF_ANY]
    return ", ".join(f"{n} {word}{notes.get(one, '')}" for n, one, word in shown)
