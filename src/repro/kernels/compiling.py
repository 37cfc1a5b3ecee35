"""Compilation of kernels with numba, cached on disk under a hash of the sources.

numba notices a change of the file that defines a kernel, but not of the files that the kernel
calls. The cache folder is therefore named after the content of all kernels as they were imported,
and after an edit nothing more is written to it: no stale code is ever run. Kernels that call other
code, such as your learner, are compiled in each process, since its edits would go unnoticed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numba

from repro import _folders
from repro.kernels import sources
from repro.kernels.mode import LINKED, jitted

__all__ = ["all_ours", "compiled", "folders_with_kernels", "is_ours", "kernel", "outlined"]

DECORATED = re.compile(rb"^@(compiled|kernel|outlined|implements|verb)\b", re.MULTILINE)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile `function` with numba at its first call; later processes load it from disk.

    LLVM inlines it into each caller, since passing a state of many arrays would cost more than
    the work itself. (numba's own `inline` does not work for kernels that call kernels.)
    """
    return _jitted(function, forceinline=True, _nrt=True)


def kernel(function: Callable[..., Any]) -> Any:
    """`compiled`, for a function that neither creates nor returns an array.

    It need not count references, which takes several times as long as the work itself for a state
    of a dozen arrays. numba refuses a function that does create an array ("NRT required"): assign
    element by element.
    """
    return _jitted(function, forceinline=True, _nrt=False)


def outlined(function: Callable[..., Any]) -> Any:
    """A `kernel` that is not inlined: for long work that is rare, such as a split.

    Inlined it would be no faster, and the caller would take longer to compile. What runs for each
    example is better inlined: to pass a state of many arrays takes as long as ten divisions.
    """
    # Without the first option numba takes over that of the caller.
    return _jitted(function, forceinline=False, _nrt=False)


def _jitted(function: Callable[..., Any], **options: Any) -> Any:
    options |= {"nopython": True, "error_model": "numpy"}
    if LINKED and (not is_ours(function) or numba.config.DISABLE_JIT):
        return numba.jit(function, **options)
    return jitted(function, options, folder=_kernel_cache(), accepts=all_ours)


def all_ours(kinds: Iterable[Any]) -> bool:
    """Whether no type is, or holds, the state of a learner defined outside this package."""
    named = (getattr(kind, "instance_type", kind) for kind in kinds)  # a type as an argument
    return all(
        is_ours(getattr(kind, "instance_class", compiled)) and all_ours(getattr(kind, "types", ()))
        for kind in named
    )


def is_ours(thing: Any) -> bool:
    """Whether `thing`, a function or a class, belongs to this package."""
    return str(thing.__module__).startswith("repro.")


def folders_with_kernels() -> set[str]:
    """The folders of this package that hold compiled functions; each counts as a whole."""
    modules = sources.imported().items()
    return {name.partition(".")[0] for name, source in modules if DECORATED.search(source)}


@cache
def _kernel_cache() -> Path:
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or _folders.cache())
    digest, folders = hashlib.sha256(), folders_with_kernels()
    for name, source in sources.imported().items():
        if name.partition(".")[0] in folders:
            digest.update(f"{name}\0{len(source)}\0".encode() + source)
    return base / f"kernels-{digest.hexdigest()[:16]}"
