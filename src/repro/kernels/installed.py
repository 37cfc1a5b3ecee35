"""The installed package that holds a module: its name, its version and a hash of its files."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import Distribution

__all__ = ["distribution"]


@cache
def distribution(top: str) -> tuple[str, ...] | None:
    """Name and version of the installed package of the module `top`, and a hash of its files.

    The list of an installed package's files holds their checksums, so other code under the same
    version has another hash. None if no package holds the module.
    """
    from importlib import metadata  # here: slower than the rest of `import repro`

    try:
        found = metadata.distribution(top)
    except metadata.PackageNotFoundError:
        holder = _holder(top)
        if holder is None:
            return None
        found = holder
    files = found.read_text("RECORD") or ""
    return found.name, found.version, hashlib.sha256(files.encode()).hexdigest()


def _holder(top: str) -> Distribution | None:
    """The installed package of another name that holds the module `top`."""
    from importlib import metadata

    if find_spec(top) is None:
        return None
    for found in metadata.distributions():  # `packages_distributions` takes ten times as long
        files = f"\n{found.read_text('RECORD') or ''}"
        if f"\n{top}/__init__.py," in files or f"\n{top}.py," in files:
            return found
    names = metadata.packages_distributions().get(top, [])
    return metadata.distribution(names[0]) if names else None
