"""Packages and programs that a command needs, looked for before it starts."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from repro._folders import install_command

__all__ = ["Missing", "need", "program"]


class Missing(RuntimeError):
    """A package is not installed; the message names the command that installs it."""


def program(name: str) -> str | None:
    """The program `name` of this environment, which need not be on the PATH, or of the PATH."""
    return shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)


def need(
    what: str, extra: str, *, packages: Iterable[str] = (), programs: Iterable[str] = ()
) -> None:
    """Raise `Missing` unless all are there.

    Parameters
    ----------
    what : what needs them, as in "the site"
    extra : the extra of this project that installs them
    packages : names by which Python imports them
    programs : names of commands
    """
    missing = [name for name in packages if find_spec(name) is None]
    missing += [name for name in programs if program(name) is None]
    if missing:
        names = ", ".join(dict.fromkeys(missing))
        raise Missing(f"{what} needs {names}; install with: {install_command(extra)}")
