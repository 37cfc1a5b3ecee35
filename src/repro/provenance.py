"""Provenance of a result: hash of its inputs, commit, parameters and versions of packages.

The runner passes it to the notebook that it executes. It is written into every figure, by
`repro.figures.save`, into the notebook's metadata and into ``data/results/NN_provenance.json``. It
holds no time, host or path, so equal inputs give equal bytes.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from repro import __version__, _folders

__all__ = ["ABOVE", "VARIABLE", "commit", "current", "surroundings"]

# The environment variable that brings the provenance from the runner to the kernel.
VARIABLE = "REPRO_PROVENANCE"

# The modules above the notebooks: they start them, report on them or teach with the library. No
# result of the paper depends on them.
ABOVE = ("__main__.py", "runner", "explore", "course", "judge")

PACKAGES = ("numpy", "scipy", "pandas", "numba", "matplotlib")


def commit(root: Path | None = None) -> str:
    """The last commit that changed the library, the published numbers or the lock file.

    The result is the first 10 digits of its hash, with ``+changes`` if these files differ from it
    in the work tree, or "unknown" outside a repository. It is not the commit that is checked out,
    because a figure cannot name the commit that contains it.
    """
    root = root or _folders.checkout() or Path.cwd()
    paths = ["src", "data/published", "data/oracle", "data/sources.toml", "requirements.lock"]
    paths += [f":(exclude)src/repro/{name}" for name in ABOVE]
    last = _git(root, "log", "-1", "--format=%H", "--", *paths)
    if not last:
        return "unknown"
    changed = _git(root, "status", "--porcelain", "--", *paths)
    return last[:10] + ("+changes" if changed else "")


def current() -> dict[str, str]:
    """The provenance that is written into every figure, as names and texts.

    In a notebook that the runner executes it is that of its `repro.runner.job.Job`. Elsewhere it is
    that of `surroundings`, and ``Inputs`` is "interactive".
    """
    if text := os.environ.get(VARIABLE):
        return dict(json.loads(text))
    return surroundings() | {"Inputs": "interactive"}


def surroundings(root: Path | None = None) -> dict[str, str]:
    """Versions of this package and of `PACKAGES`, and the commit of the checkout `root`."""
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
    """The output of a git command; empty without git or a repository."""
    command = ["git", "--no-optional-locks", "-C", str(root), *arguments]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
