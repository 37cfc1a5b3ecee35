"""What a notebook runs beside the library: its cells, and the files in its folder."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from repro.provenance import VARIABLE
from repro.runner import notebook as nb
from repro.runner.notebook import Cell, Notebook

__all__ = ["Program", "below", "of_notebook"]

# The runner gives each kernel its own values of these.
OURS = {"REPRO_OUTPUT", VARIABLE}


class Program(NamedTuple):
    """The code of a notebook, and the files beside it that count as its input."""

    trees: tuple[ast.Module, ...]  #: of the cells, then of the Python files
    other: str  #: lines of the cells that are not Python, such as magics
    files: tuple[Path, ...]  #: beside the notebook, with the Python files

    def variables(self) -> dict[str, str]:
        """The environment variables that are set and that the code names in a text."""
        nodes = (node for tree in self.trees for node in ast.walk(tree))
        names = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        names |= set(re.findall(r"[A-Za-z_]\w+", self.other))
        return {name: os.environ[name] for name in sorted(names - OURS) if _is_set(name)}


def of_notebook(notebook: Notebook) -> Program:
    """The program of `notebook`, with the files of its folder.

    All files of the folder count, except hidden files and other notebooks. Python files and folders
    are often there for another purpose, so they count only if the code names them: as a module, or
    in a text.
    """
    pairs = [_read(cell) for cell in notebook.code]
    words = _words("\n".join(map(nb.source, notebook.code)))
    files = tuple(_files(notebook.path.parent, words))
    trees = [tree for tree, _ in pairs] + [_parsed(_text(p)) for p in files if p.suffix == ".py"]
    return Program(tuple(trees), "\n".join(other for _, other in pairs), files)


def below(folder: Path) -> Iterator[Path]:
    """The files below `folder`, without those that are hidden, compiled or notebooks, sorted."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _is_input(Path(name)))
        yield from (path for name in sorted(names) if _is_input(path := Path(here, name)))


def _files(folder: Path, words: set[str]) -> Iterator[Path]:
    """The files in `folder` that count, sorted; `words` are those of the code, and grow."""
    entries = [path for path in sorted(folder.iterdir()) if _is_input(path)]
    named = [path for path in entries if path.suffix == ".py" or path.is_dir()]
    files = [path for path in entries if path not in named and path.is_file()]
    while new := [path for path in named if path.stem in words]:
        named = [path for path in named if path not in new]
        inside = [file for path in new for file in _inside(path)]
        files += inside
        words |= _words("\n".join(_text(path) for path in inside if path.suffix == ".py"))
    yield from sorted(files)


def _inside(path: Path) -> Iterable[Path]:
    return below(path) if path.is_dir() else [path]


def _is_input(path: Path) -> bool:
    return not path.name.startswith((".", "__pycache__")) and path.suffix not in (".ipynb", ".pyc")


def _is_set(name: str) -> bool:
    return "\0" not in name and name in os.environ


def _read(cell: Cell) -> tuple[ast.Module, str]:
    """The Python of a cell, and the lines of it that are something else."""
    text, plain = nb.source(cell), nb.plain(cell)
    try:
        tree = ast.parse(plain)
    except (SyntaxError, ValueError):
        return ast.Module([], []), text
    python = set(plain.splitlines())
    return tree, "\n".join(line for line in text.splitlines() if line not in python)


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))
