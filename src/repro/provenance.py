"""What a result came from: the hash of its inputs, the commit, parameters and packages.

The runner hands these to the notebook it executes, `repro.figures.save` writes them into every
figure, and they stay in the notebook's metadata and in ``data/results/NN_provenance.json``. They
hold no time and no place: equal inputs give equal bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from repro import __version__, _folders, _notebook

__all__ = ["VARIABLE", "commit", "current", "describe", "inputs_hash"]

# The environment variable through which the runner tells the kernel what it executes.
VARIABLE = "REPRO_PROVENANCE"

# Modules that start notebooks or report on them: no result depends on these.
RUNNER = (
    *("__main__.py", "_console.py", "_data_commands.py", "_execute.py", "_install.py", "_job.py"),
    *("_locks.py", "_notebook.py", "_paper.py", "lab.py", "missing_data.py", "parameters.py"),
    *("run.py", "status.py"),
)

PACKAGES = ("numpy", "scipy", "pandas", "numba", "matplotlib")


def inputs_hash(
    notebook: Path, parameters: Mapping[str, Any], *, root: Path | None = None, data: str = ""
) -> str:
    """Hash of everything a notebook's results depend on; 16 hexadecimal digits.

    It covers the source of the code cells (neither Markdown nor outputs), the effective
    `parameters`, the library without its runner, the published numbers, the list of data
    sources and ``requirements.lock``. `data` says which data sets were used, such as real or
    stand-in, where that is not a matter of the files below `root`, the checkout by default.
    """
    cells = [_notebook.source(cell) for cell in _notebook.code(_notebook.read(notebook))]
    digest = hashlib.sha256(json.dumps([cells, parameters, data], sort_keys=True).encode())
    root = root or _root()
    for path in _files(root):
        content = path.read_bytes()
        digest.update(f"\0{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def commit(root: Path | None = None) -> str:
    """The last commit that touched the library, the published numbers or the lock file.

    Its hash is cut to 10 digits, and ``+changes`` follows when these files differ from it in the
    work tree; "unknown" outside a repository. The commit that is checked out would not do: a
    figure cannot name the commit that contains it.
    """
    root = root or _root()
    paths = ["src", "data/published", "data/oracle", "data/sources.toml", "requirements.lock"]
    paths += [f":(exclude)src/repro/{name}" for name in RUNNER]
    found = _git(root, "log", "-1", "--format=%H", "--", *paths)
    if not found:
        return "unknown"
    changed = _git(root, "status", "--porcelain", "--", *paths)
    return found[:10] + ("+changes" if changed else "")


def current() -> dict[str, str]:
    """What is written into every figure: names and texts.

    In a notebook that the runner executes, all that `describe` says; anywhere else what can be
    known there, and ``Inputs`` is "interactive".
    """
    if given := os.environ.get(VARIABLE):
        return dict(json.loads(given))
    return _surroundings(_root()) | {"Inputs": "interactive"}


def describe(
    notebook: Path,
    parameters: Mapping[str, Any],
    *,
    profile: str = "paper",
    root: Path | None = None,
) -> dict[str, str]:
    """The provenance of a run of `notebook` with these effective `parameters`."""
    return _surroundings(root or _root()) | {
        "Notebook": notebook.stem,
        "Profile": profile,
        "Inputs": inputs_hash(notebook, parameters, root=root),
        "Parameters": json.dumps(parameters, sort_keys=True),
    }


def _surroundings(root: Path) -> dict[str, str]:
    versions = [f"python {platform.python_version()}"]
    versions += [f"{name} {_version(name)}" for name in PACKAGES]
    return {
        "Software": f"repro {__version__}",
        "Commit": commit(root),
        "Packages": ", ".join(versions),
    }


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"


def _root() -> Path:
    return _folders.checkout() or Path.cwd()


def _files(root: Path) -> Iterator[Path]:
    """The files below `root` that results depend on, in a fixed order."""
    package = root / "src" / "repro"
    library = sorted(package.rglob("*.py"))
    yield from (p for p in library if p.relative_to(package).as_posix() not in RUNNER)
    published = sorted((root / "data" / "published").rglob("*"))
    published += sorted((root / "data" / "oracle").rglob("*"))
    yield from (p for p in published if p.is_file() and not _is_hidden(p.relative_to(root)))
    single = root / "data" / "sources.toml", root / "requirements.lock"
    yield from (p for p in single if p.is_file())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _git(root: Path, *arguments: str) -> str:
    """What a git command prints; nothing where git, or the repository, is missing."""
    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
