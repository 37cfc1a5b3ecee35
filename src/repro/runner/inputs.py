"""Inputs of a notebook's results as one hash: its code, parameters, the library and the data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from repro.runner.library import library
from repro.runner.notebook import Notebook, source
from repro.runner.program import below, of_notebook
from repro.runner.reach import reached
from repro.studies.code import of_source

__all__ = ["inputs_hash"]


def inputs_hash(
    notebook: Notebook, parameters: Mapping[str, Any], *, root: Path, data: str = ""
) -> str:
    """Hash of what decides a notebook's results, as far as its code shows; 16 hexadecimal digits.

    It covers the text of the code cells (neither Markdown nor outputs), the effective `parameters`,
    the modules of the library that the cells reach, without docstrings, comments and annotations,
    the files in the notebook's folder (see `repro.runner.program.of_notebook`), the environment
    variables that the code names, the published numbers, the list of data sources and
    ``requirements.lock``.

    It does not cover files elsewhere that a cell reads by itself, what comes from the clock or
    the network, variables and files whose names the code puts together, or the packages that are
    installed, if they are not those of ``requirements.lock``.

    Parameters
    ----------
    notebook : the notebook, as it was read
    parameters : the effective values, by name
    root : the checkout
    data : which data sets are used, such as real or stand-in, if the files below `root` do not
        decide that
    """
    cells = [source(cell) for cell in notebook.code]
    program, code = of_notebook(notebook), library(root)
    modules = reached(program, code)
    stated = [cells, parameters, data, program.variables(), code.digest(modules)]
    digest = hashlib.sha256(json.dumps(stated, sort_keys=True).encode())
    for folder, paths in (
        (notebook.path.parent, program.files),
        (root, _beside(root, modules)),
        (root, _data(root)),
    ):
        for path in paths:
            digest.update(f"\0{path.relative_to(folder).as_posix()}\0{_content(path)}".encode())
    return digest.hexdigest()[:16]


def _content(path: Path) -> str:
    """Hash of a file; of what it does if it is Python."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"not readable: {error.strerror}"
    return (
        of_source(content).digest if path.suffix == ".py" else hashlib.sha256(content).hexdigest()
    )


def _beside(root: Path, modules: Iterable[str]) -> Iterator[Path]:
    """Files of another kind in the packages of the `modules`, such as the style of a report."""
    for name in sorted({name.partition(".")[0] for name in modules} - {""}):
        for path in below(root / "src" / "repro" / name):
            if path.suffix not in (".py", ".pyi"):
                yield path


def _data(root: Path) -> Iterator[Path]:
    """Published numbers, those of other programs, where data are from, and pinned versions."""
    yield from below(root / "data" / "published")
    yield from below(root / "data" / "oracle")
    single = root / "data" / "sources.toml", root / "requirements.lock"
    yield from (path for path in single if path.is_file())
