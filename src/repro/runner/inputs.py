"""What the results of a notebook depend on: a hash of it, and what is noted of a run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from repro import _folders
from repro.provenance import RUNNER, surroundings
from repro.runner import notebook as nb

__all__ = ["describe", "inputs_hash"]


def inputs_hash(
    notebook: Path, parameters: Mapping[str, Any], *, root: Path | None = None, data: str = ""
) -> str:
    """Hash of everything a notebook's results depend on; 16 hexadecimal digits.

    It covers the source of the code cells (neither Markdown nor outputs), the effective
    `parameters`, the library without its runner, the published numbers, the list of data
    sources and ``requirements.lock``. `data` says which data sets were used, such as real or
    stand-in, where that is not a matter of the files below `root`, the checkout by default.
    """
    cells = [nb.source(cell) for cell in nb.code(nb.read(notebook))]
    digest = hashlib.sha256(json.dumps([cells, parameters, data], sort_keys=True).encode())
    root = root or _folders.need_checkout()
    for path in _files(root):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def describe(
    notebook: Path,
    parameters: Mapping[str, Any],
    *,
    profile: str = "paper",
    root: Path | None = None,
) -> dict[str, str]:
    """The provenance of a run of `notebook` with these effective `parameters`."""
    return surroundings(root) | {
        "Notebook": notebook.stem,
        "Profile": profile,
        "Inputs": inputs_hash(notebook, parameters, root=root),
        "Parameters": json.dumps(parameters, sort_keys=True),
    }


def _files(root: Path) -> Iterator[Path]:
    """The files below `root` that results depend on, in a fixed order."""
    package = root / "src" / "repro"
    library = sorted(package.rglob("*.py"))
    yield from (p for p in library if p.relative_to(package).parts[0] not in RUNNER)
    published = sorted((root / "data" / "published").rglob("*"))
    published += sorted((root / "data" / "oracle").rglob("*"))
    yield from (p for p in published if p.is_file() and not _is_hidden(p.relative_to(root)))
    single = root / "data" / "sources.toml", root / "requirements.lock"
    yield from (p for p in single if p.is_file())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)
