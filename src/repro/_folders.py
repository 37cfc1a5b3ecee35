"""Folders of this package: checkout, output and cache; and commands that work there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["DISTRIBUTION", "NoCheckout", "cache", "checkout", "install_command", "need_checkout"]
__all__ += ["output", "python"]

# The name of this package for pip. It is imported as `repro`, which is another project's name in
# the package index.
DISTRIBUTION = "repro-streams"


class NoCheckout(RuntimeError):
    """The command needs the notebooks, and this package is installed without them."""


def checkout() -> Path | None:
    """The checkout this package runs from, or None when it is installed elsewhere."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "notebooks").is_dir() else None


def need_checkout() -> Path:
    """The checkout; raises `NoCheckout` where there is none."""
    if (root := checkout()) is None:
        rule = "this needs a checkout of the project, with its notebooks"
        here = f"this package is installed in {Path(__file__).resolve().parent}"
        raise NoCheckout(f"{rule}; {here}: in a checkout run python -m pip install -e .")
    return root


def output() -> Path:
    """The folder that holds ``figures/`` and ``data/results/`` of this run.

    It is ``REPRO_OUTPUT`` if that is set, as by the runner and the notebook checks: only a run
    with the paper's parameters on the papers' data changes the committed results. In a notebook
    opened by hand it is ``build/interactive`` of the checkout; outside one, the working directory.
    """
    if folder := os.environ.get("REPRO_OUTPUT"):
        return Path(folder)
    root = checkout()
    return root / "build" / "interactive" if root else Path.cwd()


def cache() -> Path:
    """The folder of compiled kernels and finished sweep tasks; safe to delete at any time.

    ``REPRO_CACHE`` if it is set, else ``build/cache`` in the checkout, else the user's cache.
    """
    if folder := os.environ.get("REPRO_CACHE"):
        return Path(folder)
    if root := checkout():
        return root / "build" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "repro"


def python() -> str:
    """The command that starts this interpreter: ``python`` if that starts it, else its path."""
    here, command = Path(sys.executable), shutil.which("python") or ""
    is_beside = bool(command) and Path(command).absolute().parent == here.parent
    if is_beside and Path(command).resolve() == here.resolve():
        return "python"
    below = here.is_relative_to(Path.cwd())
    return shlex.quote(str(here.relative_to(Path.cwd()) if below else here))


def install_command(extra: str) -> str:
    """The command that installs the packages of an `extra` in pyproject.toml.

    In a checkout it installs this package again with the extra. Elsewhere it names the packages of
    the extra, since this package is not in an index.
    """
    pip, root = f"{python()} -m pip install", checkout()
    if root is not None:
        return f'{pip} -e "{"." if Path.cwd() == root else root}[{extra}]"'
    if packages := _required_by(extra):
        return f"{pip} {packages}"
    return f'in a checkout of the project: {pip} -e ".[{extra}]"'


def _required_by(extra: str) -> str:
    """The requirements of `extra` in the installed package's metadata, quoted for a shell."""
    from importlib import metadata  # here: as slow to import as the whole runner

    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ""
    ours = [line for line in lines if re.search(rf"""extra == ['"]{extra}['"]""", line)]
    return " ".join(f'"{line.partition(";")[0].strip()}"' for line in ours)
