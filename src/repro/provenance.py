"""What a result came from: the hash of its inputs, the commit, parameters and packages.

The runner hands these to the notebook it executes, `repro.figures.save` writes them into every
figure, and they stay in the notebook's metadata and in ``data/results/NN_provenance.json``. They
hold no time and no place: equal inputs give equal bytes.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from repro import __version__, _folders

__all__ = ["RUNNER", "VARIABLE", "commit", "current", "surroundings"]

# The environment variable through which the runner tells the kernel what it executes.
VARIABLE = "REPRO_PROVENANCE"

# What starts notebooks or reports on them: no result depends on it.
RUNNER = ("__main__.py", "runner")

PACKAGES = ("numpy", "scipy", "pandas", "numba", "matplotlib")


def commit(root: Path | None = None) -> str:
    """The last commit that touched the library, the published numbers or the lock file.

    Its hash is cut to 10 digits, and ``+changes`` follows when these files differ from it in the
    work tree; "unknown" outside a repository. The commit that is checked out would not do: a
    figure cannot name the commit that contains it.
    """
    root = root or _folders.checkout() or Path.cwd()
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
    return surroundings() | {"Inputs": "interactive"}


def surroundings(root: Path | None = None) -> dict[str, str]:
    """The software: this package, the commit of the checkout `root`, and the packages below."""
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


def _git(root: Path, *arguments: str) -> str:
    """What a git command prints; nothing where git, or the repository, is missing."""
    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
