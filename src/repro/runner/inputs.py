"""Inputs of a notebook's results as one hash: its code, parameters, the library and the data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from repro.provenance import ABOVE
from repro.runner.notebook import Notebook, source

__all__ = ["inputs_hash"]


def inputs_hash(
    notebook: Notebook, parameters: Mapping[str, Any], *, root: Path, data: str = ""
) -> str:
    """Hash of everything a notebook's results depend on; 16 hexadecimal digits.

    It covers the source of the code cells (neither Markdown nor outputs), the effective
    `parameters`, the library below the notebooks, the published numbers, the list of data
    sources and ``requirements.lock``.

    Parameters
    ----------
    notebook : the notebook, as it was read
    parameters : the effective values, by name
    root : the checkout
    data : which data sets are used, such as real or stand-in, if the files below `root` do not
        decide that
    """
    cells = [source(cell) for cell in notebook.code]
    digest = hashlib.sha256(json.dumps([cells, parameters, data], sort_keys=True).encode())
    for path in _files(root):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _files(root: Path) -> Iterator[Path]:
    """The files below `root` that results depend on, in a fixed order."""
    package = root / "src" / "repro"
    library = sorted(package.rglob("*.py"))
    yield from (p for p in library if p.relative_to(package).parts[0] not in ABOVE)
    published = sorted((root / "data" / "published").rglob("*"))
    published += sorted((root / "data" / "oracle").rglob("*"))
    yield from (p for p in published if p.is_file() and not _is_hidden(p.relative_to(root)))
    single = root / "data" / "sources.toml", root / "requirements.lock"
    yield from (p for p in single if p.is_file())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
