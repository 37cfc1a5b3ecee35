"""Installed packages: which one holds a module, its version and files, and whether it is as new.

The list of an installed package's files (``RECORD``) holds their checksums, so other code under the
same version has another hash.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from repro._folders import DISTRIBUTION
from repro.kernels.sources import Unidentified

if TYPE_CHECKING:
    from importlib.metadata import Distribution

__all__ = ["check_files", "distribution", "environment", "is_installed", "versions"]

FOLDERS = {"site-packages", "dist-packages"}
BUILT_IN = {*sys.builtin_module_names, "_frozen_importlib", "_frozen_importlib_external"}


def is_installed(module: str) -> bool:
    """Whether Python or an installed package holds `module`.

    False for user code, which may be edited at any time: a notebook, a script, a file in a folder
    of the user's, an editable installation.
    """
    loaded = sys.modules.get(module)
    if loaded is None or module == "__main__":
        return False
    file = getattr(loaded, "__file__", None) or _extension_around(module)
    if file is None:
        return module in BUILT_IN
    return _is_installed_file(str(file))


def _extension_around(module: str) -> str | None:
    """The file of the compiled module that made `module` as a part of itself; None if none did."""
    outer = sys.modules.get(module.rpartition(".")[0])
    file = getattr(outer, "__file__", None)
    return file if file is not None and file.endswith(tuple(EXTENSION_SUFFIXES)) else None


@cache
def _is_installed_file(file: str) -> bool:
    path = Path(file).resolve()
    if below := FOLDERS & set(path.parts):
        # Not by the module's name: parts of a compiled module are named without their package.
        parts = path.parts
        last = max(i for i, part in enumerate(parts) if part in below)
        return distribution(parts[last + 1].partition(".")[0]) is not None
    return path.is_relative_to(Path(sysconfig.get_path("stdlib")).resolve())


def versions(tops: Iterable[str]) -> tuple[str, ...]:
    """The versions of Python and of the packages with the top-level names `tops`."""
    outside = sorted(set(tops) - sys.stdlib_module_names)
    return (sys.version, *(" ".join(distribution(name) or (name,)) for name in outside))


@cache
def distribution(top: str) -> tuple[str, ...] | None:
    """Name and version of the installed package of the module `top`, and a hash of its files.

    None if no package holds the module.
    """
    package = _distribution(top)
    if package is None:
        return None
    files = package.read_text("RECORD") or ""
    return package.name, package.version, hashlib.sha256(files.encode()).hexdigest()


def _distribution(top: str) -> Distribution | None:
    from importlib import metadata  # here: slower than the rest of `import repro`

    try:
        return metadata.distribution(top)
    except metadata.PackageNotFoundError:
        return _holder(top)


def _holder(top: str) -> Distribution | None:
    """The installed package of another name that holds the module `top`."""
    from importlib import metadata

    if find_spec(top) is None:
        return None
    for package in metadata.distributions():  # `packages_distributions` takes ten times as long
        files = f"\n{package.read_text('RECORD') or ''}"
        if f"\n{top}/__init__.py," in files or f"\n{top}.py," in files:
            return package
    names = metadata.packages_distributions().get(top, [])
    return metadata.distribution(names[0]) if names else None


def environment() -> str:
    """Hash of the names, versions and files of all installed packages but this one.

    A model of an installed package may compute with any other: what it imports is not declared
    reliably, and a plug-in is not declared at all.
    """
    return _environment(_folders_now())


def _folders_now() -> tuple[tuple[str, int], ...]:
    """The folders of installed packages; one that comes or goes changes the time of a folder.

    Not all of Python's path: setuptools puts packages of its own there when it is imported.
    """
    listed = [folder for folder in dict.fromkeys(map(Path, sys.path)) if folder.name in FOLDERS]
    return tuple((str(f), f.stat().st_mtime_ns) for f in listed if f.is_dir())


@cache
def _environment(folders: tuple[tuple[str, int], ...]) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(_lists(Path(folder) for folder, _ in folders), key=str):
        files = path / "RECORD"
        digest.update(f"{path.name}\n".encode() + (files.read_bytes() if files.is_file() else b""))
    return digest.hexdigest()


def _lists(folders: Iterable[Path]) -> Iterator[Path]:
    """The folders or files that describe an installed package, except this one."""
    ours = f"{DISTRIBUTION.replace('-', '_')}-"
    for folder in folders:
        entries = [*folder.glob("*.dist-info"), *folder.glob("*.egg-info")]
        yield from (path for path in entries if not path.name.startswith(ours))


def check_files(tops: Iterable[str]) -> None:
    """Raise `Unidentified` if a loaded file of any installed package was edited.

    The list of a package's files has their checksums. A model of the packages with the top-level
    names `tops` may compute with any other; of their own, all files must stand in the list.
    """
    recorded, top_names = _recorded(_folders_now()), {*tops}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not isinstance(file, str) or not FOLDERS & {*Path(file).parts}:
            continue
        checksum = recorded.get(_real(file))
        if checksum is None and name.partition(".")[0] in top_names:
            raise Unidentified(f"{file} is not a file that a package installed")
        state = os.stat(file)
        if checksum and _checksum(file, state.st_mtime_ns, state.st_size) != checksum:
            raise Unidentified(f"{file} was edited since it was installed")


@cache
def _recorded(folders: tuple[tuple[str, int], ...]) -> dict[str, str]:
    """The sha256, in base 64, of each file that an installed package lists, by its path."""
    checksums: dict[str, str] = {}
    for path in _lists(Path(folder) for folder, _ in folders):
        if (path / "RECORD").is_file():
            base = os.path.realpath(path.parent)
            for row in csv.reader((path / "RECORD").read_text(encoding="utf-8").splitlines()):
                if len(row) > 1 and row[1]:
                    file = os.path.normpath(os.path.join(base, row[0]))
                    checksums[file] = row[1].removeprefix("sha256=")
    return checksums


_real = cache(os.path.realpath)


@cache
def _checksum(file: str, modified: int, size: int) -> str:
    """The sha256 of `file`, which was `modified` then and has this `size`, in base 64."""
    digest = hashlib.sha256(Path(file).read_bytes()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
