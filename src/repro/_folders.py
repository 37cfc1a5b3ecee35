"""Where this package runs from: its checkout, its folders, and the commands that work there."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path

__all__ = ["DISTRIBUTION", "NoCheckout", "cache", "checkout", "install_command", "need_checkout"]
__all__ += ["output", "python"]

# What pip calls this package. It is imported as `repro`, and in the package index that name
# belongs to another project.
DISTRIBUTION = "repro-streams"


class NoCheckout(RuntimeError):
    """What was asked for needs the notebooks, and this package is installed without them."""


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

    ``REPRO_OUTPUT`` when it is set, as the runner and the notebook checks do: only a run with the
    paper's parameters on the papers' data touches the committed results. Else, as in a notebook
    opened by hand, ``build/interactive`` of the checkout, or the working directory without one.
    """
    if chosen := os.environ.get("REPRO_OUTPUT"):
        return Path(chosen)
    root = checkout()
    return root / "build" / "interactive" if root else Path.cwd()


def cache() -> Path:
    """The folder of compiled kernels and finished sweep cells; safe to delete at any time.

    ``REPRO_CACHE`` when it is set, else ``build/cache`` in the checkout, else the user's cache.
    """
    if chosen := os.environ.get("REPRO_CACHE"):
        return Path(chosen)
    if root := checkout():
        return root / "build" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "repro"


def python() -> str:
    """The command that starts this interpreter: ``python`` where that is it, else its path."""
    here, found = Path(sys.executable), shutil.which("python") or ""
    is_beside = bool(found) and Path(found).absolute().parent == here.parent
    if is_beside and Path(found).resolve() == here.resolve():
        return "python"
    below = here.is_relative_to(Path.cwd())
    return shlex.quote(str(here.relative_to(Path.cwd()) if below else here))


def install_command(extra: str) -> str:
    """The command that installs what the `extra` of pyproject.toml lists.

    In a checkout it installs the package again with the extra. The package is in no index, so
    elsewhere the command names the packages that the extra consists of.
    """
    pip, root = f"{python()} -m pip install", checkout()
    if root is not None:
        return f'{pip} -e "{"." if Path.cwd() == root else root}[{extra}]"'
    if packages := _required_by(extra):
        return f"{pip} {packages}"
    return f'in a checkout of the project: {pip} -e ".[{extra}]"'


def _required_by(extra: str) -> str:
    """The requirements of `extra` in the installed package's metadata, quoted for a shell."""
    from importlib import metadata  # here: it takes as long to import as the rest of the runner

    try:
        lines = metadata.requires(DISTRIBUTION) or []
    except metadata.PackageNotFoundError:
        return ""
    ours = [line for line in lines if re.search(rf"""extra == ['"]{extra}['"]""", line)]
    return " ".join(f'"{line.partition(";")[0].strip()}"' for line in ours)
