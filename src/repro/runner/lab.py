"""JupyterLab on copies of the notebooks, so that trying things out changes no committed file.

A lab writes metadata into every notebook that it opens, and a trial's parameters are not the
paper's. So ``make lab`` opens copies, in ``lab`` of the checkout: a sibling of ``notebooks``, where
relative paths mean the same and ``make clean`` removes nothing. What was edited there is never
overwritten; `adopt` brings it into ``notebooks``. Figures and tables go to ``build/interactive``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from repro import _files
from repro._folders import install_command, python
from repro.runner import locks, missing_data, parameters
from repro.runner import notebook as nb

__all__ = ["LabError", "adopt", "command", "copy_all", "edited"]

FOLDER = "lab"
STAND_IN = re.compile(r"^(stand_in\s*:\s*bool\s*=\s*)(True|False)\b", re.MULTILINE)

Notebook = dict[str, Any]


class LabError(RuntimeError):
    """JupyterLab is missing, or a copy cannot be brought in; the message is the line to show."""


def copy_all(root: Path) -> Iterator[str]:
    """Make or renew the copies in ``lab``; what whoever opens them should know, line by line.

    A copy that was edited stays. One that was only opened or run is renewed once the notebook has
    other code or text, and kept aside. While another lab of this checkout is open, copies that
    are there stay as they are. A notebook without its data gets ``stand_in = True``.
    """
    folder = root / FOLDER
    (folder / ".base").mkdir(parents=True, exist_ok=True)
    _files.write(folder / ".gitignore", b"*\n")
    yield f"the notebooks in {FOLDER}/ are copies: what you try there leaves notebooks/ as it is"
    if others := not locks.try_for_good(folder / ".lock"):
        yield "another lab of this checkout is open: copies that are there stay as they are"
    for notebook in sorted((root / "notebooks").glob("[0-9]*.ipynb")):
        try:
            content, missing = _for_lab(notebook)
        except (nb.InvalidNotebook, parameters.ParameterError) as error:
            yield f"{notebook.stem}: no copy: {error}"
            continue
        line = "" if others and _copy(root, notebook).is_file() else _renew(root, notebook, content)
        if line:
            yield f"{notebook.stem}: {line}"
        if missing:
            has = '"stand_in: bool = True' in _copy(root, notebook).read_text(encoding="utf-8")
            so = "the copy has stand_in = True" if has else "set stand_in = True in the copy"
            yield f"{notebook.stem}: no {', '.join(missing)} (make data downloads it): {so}"
    yield f"to bring edits into notebooks/: {python()} -m repro adopt NOTEBOOK"


def command(root: Path, arguments: Sequence[str]) -> list[str]:
    """The command that opens JupyterLab on the copies, with more of its `arguments`."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise LabError(f"JupyterLab is not installed; get it with: {install_command('notebooks')}")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0  # as in a container
    options = [f"--ServerApp.root_dir={root / FOLDER}", *["--allow-root"] * is_root]
    return [sys.executable, "-m", "jupyterlab", *options, *arguments]


def edited(root: Path, notebook: Path) -> bool:
    """Whether code or text of the copy of `notebook` was changed since it was made."""
    copy, base = _copy(root, notebook), _base(root, notebook)
    if not (copy.is_file() and base.is_file()) or copy.read_bytes() == base.read_bytes():
        return False
    try:
        return _cells(nb.read(copy)) != _cells(nb.read(base))
    except nb.InvalidNotebook:
        return True


def adopt(name: str, root: Path) -> str:
    """Bring the edits of the copy `name` into ``notebooks``; a line that says what was done.

    Code, text and tags come from the copy; outputs stay with the cells that have the same code,
    and ``stand_in`` as it was. `LabError` if there is no copy, or if the notebook has changed
    since the copy was made, so that its changes would be lost.
    """
    stem = Path(name).stem
    notebook = root / "notebooks" / f"{stem}.ipynb"
    copy, base = _copy(root, notebook), _base(root, notebook)
    if not copy.is_file():
        raise LabError(f"there is no copy {_show(copy, root)}; make lab makes the copies")
    ours = nb.read(copy)
    if not notebook.is_file():
        nb.write(notebook, _merged(ours, {"cells": [], "metadata": {}}))
        return f"{stem}: new in notebooks/, without outputs; next: make figures"
    theirs = nb.read(notebook)
    before = nb.read(base) if base.is_file() else None
    if before and _neutral(before) == _neutral(ours):
        return f"{stem}: no edits in {_show(copy, root)}"
    if before is None or _neutral(before) != _neutral(theirs):
        where = f"{_show(notebook, root)} has changed since {_show(copy, root)} was made from it"
        raise LabError(f"{where}: rename the copy, make lab for a new one, and edit that one")
    merged = _merged(ours, theirs)
    _files.write(base, copy.read_bytes())
    nb.write(notebook, merged)
    return f"{stem}: edits are in {_show(notebook, root)}; next: git diff, make figures"


def _for_lab(notebook: Path) -> tuple[Notebook, list[str]]:
    """The notebook as the lab shall have it, and the data sets that it goes without."""
    content = nb.read(notebook)
    known = parameters.declared(notebook).items()
    values = {name: parameter.default for name, parameter in known}
    missing = missing_data.missing(values, download=False)
    return (_with_stand_in(content, "True") if missing else content), missing


def _renew(root: Path, notebook: Path, content: Notebook) -> str:
    """Make the copy of `notebook`, or renew it if it was not edited; what there is to say."""
    copy, base = _copy(root, notebook), _base(root, notebook)
    wanted, line = nb.encoded(content), ""
    if copy.is_file():
        before = _cells(nb.read(base)) if base.is_file() else []
        is_same = before == _cells(content)
        if not base.is_file() or edited(root, notebook):
            now = "" if is_same else f", and {_show(notebook, root)} has changed since"
            new = f"for a new copy rename or delete {_show(copy, root)}"
            return f"your edits of before are in the copy{now}; {new}"
        if copy.read_bytes() != base.read_bytes():  # opened or run
            if is_same:
                return ""
            aside = _put_aside(copy)
            line = f"it has changed: a new copy; the one that you ran is {_show(aside, root)}"
    _files.write(base, wanted)
    _files.write(copy, wanted)
    return line


def _put_aside(copy: Path) -> Path:
    """Rename `copy` to a name that is free; the new path."""
    names = (copy.with_name(f"{copy.stem}.old-{i}.ipynb") for i in range(1, 10**6))
    target = next(name for name in names if not name.exists())
    os.replace(copy, target)
    return target


def _merged(ours: Notebook, theirs: Notebook) -> Notebook:
    """The cells of `ours` in the notebook `theirs`, with its outputs where the code is its."""
    was = STAND_IN.search("\n".join(source for _, source, _ in _cells(theirs)))
    result: Notebook = _with_stand_in(ours, was[2] if was else "False")
    known = {cell["id"]: cell for cell in theirs["cells"] if "id" in cell}
    for cell in result["cells"]:
        old, tags = known.get(cell.get("id"), {}), _tags(cell)
        kept = {key: value for key, value in old.get("metadata", {}).items() if key != "tags"}
        cell["metadata"] = kept | ({"tags": list(tags)} if tags else {})
        is_same = bool(old) and nb.source(old) == nb.source(cell)
        if is_same:
            cell["source"] = old["source"]  # however its lines are stored
        if cell.get("cell_type") == "code":
            cell["outputs"] = old.get("outputs", []) if is_same else []
            cell["execution_count"] = old.get("execution_count") if is_same else None
    kernel = {"kernelspec", "language_info"}
    plain = {key: value for key, value in ours.get("metadata", {}).items() if key in kernel}
    result["metadata"] = theirs["metadata"] or plain
    return result


def _with_stand_in(notebook: Notebook, value: str) -> Notebook:
    """A copy of `notebook` with ``stand_in = value`` in its parameters cell."""
    result: Notebook = json.loads(json.dumps(notebook))
    for cell in nb.tagged(result, "parameters"):
        text = STAND_IN.sub(rf"\g<1>{value}", nb.source(cell))
        cell["source"] = text.splitlines(keepends=True)
    return result


def _cells(notebook: Notebook) -> list[tuple[str, str, tuple[str, ...]]]:
    """What a person edits: kind, text and tags of every cell."""
    cells = notebook["cells"]
    return [(cell.get("cell_type", ""), nb.source(cell), _tags(cell)) for cell in cells]


def _tags(cell: dict[str, Any]) -> tuple[str, ...]:
    return tuple(cell.get("metadata", {}).get("tags", []))


def _neutral(notebook: Notebook) -> list[tuple[str, str, tuple[str, ...]]]:
    """The cells with ``stand_in`` the same everywhere."""
    return _cells(_with_stand_in(notebook, "False"))


def _copy(root: Path, notebook: Path) -> Path:
    return root / FOLDER / notebook.name


def _base(root: Path, notebook: Path) -> Path:
    """The copy as it was made, to tell whether it was edited."""
    return root / FOLDER / ".base" / notebook.name


def _show(path: Path, root: Path) -> str:
    return nb.relative(path, root)
