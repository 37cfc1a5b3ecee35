"""JupyterLab on copies of the notebooks, so that a trial changes no committed file.

A lab writes metadata into every notebook that it opens, and a trial's parameters are not the
paper's. So ``make lab`` opens copies in ``lab`` of the checkout: a sibling of ``notebooks``, where
relative paths mean the same and ``make clean`` removes nothing. An edited copy is never
overwritten; `adopt` brings its edits into ``notebooks``. Figures and tables go to
``build/interactive``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from repro import _files, _locks
from repro._folders import install_command, python
from repro.runner import notebook as nb
from repro.runner.job import missing
from repro.runner.notebook import Cell, Content, Notebook
from repro.runner.parameters import ParameterError

__all__ = ["LabError", "adopt", "command", "copy_all", "edited"]

FOLDER = "lab"
STAND_IN = re.compile(r"^(stand_in\s*:\s*bool\s*=\s*)(True|False)\b", re.MULTILINE)


class LabError(RuntimeError):
    """JupyterLab is missing, or a copy cannot be adopted; the message is the line to show."""


class Edited(NamedTuple):
    """The parts of a cell that a person edits."""

    kind: str
    source: str
    tags: tuple[str, ...]


def copy_all(root: Path) -> Iterator[str]:
    """Make or renew the copies in ``lab``; lines for the user of the lab.

    An edited copy stays. A copy that was only opened or run is kept aside and made anew once the
    notebook has other code or text. While another lab of this checkout is open, existing copies
    stay as they are. The copy of a notebook without its data gets ``stand_in = True``.
    """
    folder = root / FOLDER
    (folder / ".base").mkdir(parents=True, exist_ok=True)
    _files.write(folder / ".gitignore", b"*\n")
    yield f"the notebooks in {FOLDER}/ are copies: what you try there leaves notebooks/ as it is"
    if others := not _locks.try_to_keep(folder / ".lock"):
        yield "another lab of this checkout is open: copies that are there stay as they are"
    for path in sorted((root / "notebooks").glob("[0-9]*.ipynb")):
        try:
            notebook = nb.read(path)
            lacks = missing(notebook.defaults, download=False)
        except (nb.InvalidNotebook, ParameterError) as error:
            yield f"{path.stem}: no copy: {error}"
            continue
        content = _with_stand_in(notebook, "True").content if lacks else notebook.content
        if not (others and _copy(root, path).is_file()):
            yield from _renew(root, notebook.with_content(content))
        if lacks:
            has = '"stand_in: bool = True' in _copy(root, path).read_text(encoding="utf-8")
            advice = "the copy has stand_in = True" if has else "set stand_in = True in the copy"
            yield f"{path.stem}: no {', '.join(lacks)} (make data downloads it): {advice}"
    yield f"to bring edits into notebooks/: {python()} -m repro adopt NOTEBOOK"


def command(root: Path, arguments: Sequence[str]) -> list[str]:
    """The command that opens JupyterLab on the copies, with further `arguments` for it."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise LabError(f"JupyterLab is not installed; get it with: {install_command('notebooks')}")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # as in a container
    options = [f"--ServerApp.root_dir={root / FOLDER}", *["--allow-root"] * is_root]
    # nbgrader's buttons are for teachers, who open the sheets elsewhere.
    settings = root / FOLDER / ".settings"
    hidden = {"disabledExtensions": ["@jupyter/nbgrader"]}
    _files.write(settings / "page_config.json", json.dumps(hidden).encode())
    options.append(f"--LabApp.app_settings_dir={settings}")
    return [sys.executable, "-m", "jupyterlab", *options, *arguments]


def edited(root: Path, notebook: Path) -> bool:
    """Whether code or text of the copy of `notebook` was changed since it was made."""
    copy, base = _copy(root, notebook), _base(root, notebook)
    if not (copy.is_file() and base.is_file()) or copy.read_bytes() == base.read_bytes():
        return False
    try:
        return _edited_parts(nb.read(copy)) != _edited_parts(nb.read(base))
    except nb.InvalidNotebook:
        return True


def adopt(name: str, root: Path) -> str:
    """Bring the edits of the copy `name` into ``notebooks``; a line that says what was done.

    Code, text and tags come from the copy. Outputs stay with the cells whose code is the same,
    and so does the value of ``stand_in``. Raises `LabError` if there is no copy, or if the
    notebook has changed since the copy was made: its changes would be lost.
    """
    stem = Path(name).stem
    path = root / "notebooks" / f"{stem}.ipynb"
    copy, base = _copy(root, path), _base(root, path)
    if not copy.is_file():
        raise LabError(f"there is no copy {_show(copy, root)}; make lab makes the copies")
    ours = nb.read(copy)
    if not path.is_file():
        nb.write(path, _merged(ours, Notebook(path, {"cells": [], "metadata": {}})))
        return f"{stem}: new in notebooks/, without outputs; next: make figures"
    theirs = nb.read(path)
    before = _neutral(nb.read(base)) if base.is_file() else None
    if before and before == _neutral(ours):
        return f"{stem}: no edits in {_show(copy, root)}"
    if before is None or before != _neutral(theirs):
        where = f"{_show(path, root)} has changed since {_show(copy, root)} was made from it"
        raise LabError(f"{where}: rename the copy, make lab for a new one, and edit that one")
    merged = _merged(ours, theirs)
    _files.write(base, copy.read_bytes())
    nb.write(path, merged)
    return f"{stem}: edits are in {_show(path, root)}; next: git diff, make figures"


def _renew(root: Path, notebook: Notebook) -> Iterator[str]:
    """Make the copy of `notebook`, or renew it if it was not edited; at most one line."""
    copy, base = _copy(root, notebook.path), _base(root, notebook.path)
    if copy.is_file():
        before = _edited_parts(nb.read(base)) if base.is_file() else []
        is_same = before == _edited_parts(notebook)
        if not base.is_file() or edited(root, notebook.path):
            now = "" if is_same else f", and {_show(notebook.path, root)} has changed since"
            new = f"for a new copy rename or delete {_show(copy, root)}"
            yield f"{notebook.stem}: your edits of before are in the copy{now}; {new}"
            return
        if copy.read_bytes() != base.read_bytes():  # opened or run
            if is_same:
                return
            aside = f"the one that you ran is {_show(_put_aside(copy), root)}"
            yield f"{notebook.stem}: it has changed: a new copy; {aside}"
    _files.write(base, nb.encoded(notebook.content))
    _files.write(copy, nb.encoded(notebook.content))


def _put_aside(copy: Path) -> Path:
    """Rename `copy` to an unused name; the new path."""
    names = (copy.with_name(f"{copy.stem}.old-{i}.ipynb") for i in range(1, 10**6))
    target = next(name for name in names if not name.exists())
    os.replace(copy, target)
    return target


def _merged(ours: Notebook, theirs: Notebook) -> Content:
    """The cells of `ours` in the notebook `theirs`, which keeps its outputs and metadata."""
    before = STAND_IN.search("\n".join(nb.source(cell) for cell in theirs.cells))
    result = _with_stand_in(ours, before[2] if before else "False")
    by_id = {cell["id"]: cell for cell in theirs.cells if "id" in cell}
    for cell in result.cells:
        _keep_outputs(cell, by_id.get(cell.get("id"), {}))
    kernel = {"kernelspec", "language_info"}
    plain = {key: value for key, value in ours.metadata.items() if key in kernel}
    return result.content | {"metadata": theirs.metadata or plain}


def _keep_outputs(cell: Cell, old: Cell) -> None:
    """Give `cell` the metadata of the `old` one and, if the code is the same, its outputs."""
    tags, is_same = nb.tags(cell), bool(old) and nb.source(old) == nb.source(cell)
    kept = {key: value for key, value in old.get("metadata", {}).items() if key != "tags"}
    cell["metadata"] = kept | ({"tags": list(tags)} if tags else {})
    if is_same:
        cell["source"] = old["source"]  # as one string or as lines, as it was stored
    if cell.get("cell_type") == "code":
        cell["outputs"] = old.get("outputs", []) if is_same else []
        cell["execution_count"] = old.get("execution_count") if is_same else None


def _with_stand_in(notebook: Notebook, value: str) -> Notebook:
    """A copy of `notebook` with ``stand_in = value`` in its parameters cell."""
    result = notebook.with_content(json.loads(json.dumps(notebook.content)))
    for cell in (cell for cell in result.code if nb.PARAMETERS in nb.tags(cell)):
        text = STAND_IN.sub(rf"\g<1>{value}", nb.source(cell))
        cell["source"] = text.splitlines(keepends=True)
    return result


def _edited_parts(notebook: Notebook) -> list[Edited]:
    cells = notebook.cells
    return [Edited(cell.get("cell_type", ""), nb.source(cell), nb.tags(cell)) for cell in cells]


def _neutral(notebook: Notebook) -> list[Edited]:
    """The edited parts, with the same ``stand_in`` in every notebook."""
    return _edited_parts(_with_stand_in(notebook, "False"))


def _copy(root: Path, notebook: Path) -> Path:
    return root / FOLDER / notebook.name


def _base(root: Path, notebook: Path) -> Path:
    """The copy as it was made: a difference shows that it was edited, opened or run."""
    return root / FOLDER / ".base" / notebook.name


def _show(path: Path, root: Path) -> str:
    return nb.relative(path, root)
