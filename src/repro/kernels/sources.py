"""The sources of this package, as they were when it was first imported.

They are read before any other module of the package. As long as the files stay the same, the code
in memory is theirs. After an edit it is unknown which modules in memory are old, so what they give
is not stored until Python starts again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["PACKAGE", "Unidentified", "check_unchanged", "imported", "read"]

PACKAGE = Path(__file__).parents[1]
Stamp = tuple[str, int, int]  # path of a source, its modification time and its size


class Unidentified(Exception):
    """The code behind a result is unknown; the message tells the user why."""


def _stamps(folder: str | Path, inside: str = "") -> dict[str, Stamp]:
    """The stamp of every source below `folder`, by the module's name."""
    stamps: dict[str, Stamp] = {}  # not by `Path.rglob`, which takes six times as long
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        name = f"{inside}{entry.name}"
        if entry.is_dir():
            stamps |= _stamps(entry.path, f"{name}/")
        elif name.endswith(".py"):
            stamps[_module(name)] = _stamp(entry.path, entry.stat())
    return stamps


def _stamp(path: str, state: os.stat_result) -> Stamp:
    return path, state.st_mtime_ns, state.st_size


def _stamped(module: str) -> Stamp | None:
    """The stamp of the file that `module` had at import; None if it had none, or has none now."""
    path = _STAMPS[module][0] if module in _STAMPS else ""
    try:
        return _stamp(path, os.stat(path))
    except OSError:
        return None


def read(folder: Path) -> dict[str, bytes]:
    """The content of every source below `folder`, by the module's name inside the package."""
    return {name: _content(folder, name) for name in _stamps(folder)}


def _content(folder: Path, module: str) -> bytes:
    """The source of `module`; empty if there is no file any more."""
    inside = folder.joinpath(*module.split(".")) if module else folder
    for path in (inside.with_suffix(".py"), inside / "__init__.py"):
        if path.is_file():
            return path.read_bytes()
    return b""


def _module(name: str) -> str:
    return name.removesuffix(".py").replace("/", ".").removesuffix("__init__").removesuffix(".")


_STAMPS, _SOURCES = _stamps(PACKAGE), read(PACKAGE)


def imported() -> dict[str, bytes]:
    """The sources of this package as they were when it was imported, by the module's name."""
    return _SOURCES


def check_unchanged(modules: Iterable[str] | None = None) -> None:
    """Raise `Unidentified` if one of the `modules` was edited since the package was imported.

    Parameters
    ----------
    modules : names inside the package, "streams.led" for one; default all.
    """
    # The files of some modules are looked at one by one: all of them take ten times as long.
    stamps = _stamps(PACKAGE) if modules is None else {name: _stamped(name) for name in modules}
    for name in sorted({*stamps, *(_STAMPS if modules is None else ())}):
        stamp = stamps.get(name)
        if stamp is not None and stamp == _STAMPS.get(name):
            continue
        if _content(PACKAGE, name) != _SOURCES.get(name, b""):
            raise Unidentified(f"repro.{name} was edited since Python started; start it again")
        if stamp is not None:
            _STAMPS[name] = stamp  # touched, with the same content
