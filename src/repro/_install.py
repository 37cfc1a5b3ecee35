"""How to install what is missing: commands that work where this package runs from."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

from repro import _folders

__all__ = ["DISTRIBUTION", "install_command", "python"]

# What pip calls this package. It is imported as `repro`, and in the package index that name
# belongs to another project.
DISTRIBUTION = "repro-streams"


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
    pip, root = f"{python()} -m pip install", _folders.checkout()
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
