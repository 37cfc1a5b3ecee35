"""Compilation of kernels: numba, cached on disk under the content of the sources.

numba notices a change of the file that a kernel stands in, but not of the files it calls. The
cache folder is therefore named after the content of all kernels, so nothing stale is ever run.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

from repro import _folders, _progress

__all__ = ["code_hash", "compiled"]

Function = TypeVar("Function", bound=Callable[..., Any])
PACKAGE = Path(__file__).parent
KERNELS = ("_compiled.py", "learners", "metrics", "evaluation.py")


@cache
def code_hash(*parts: str) -> str:
    """Hash of the sources in `parts` (files or folders of the package), 16 hex digits."""
    digest = hashlib.sha256()
    for part in parts:
        path = PACKAGE / part
        for source in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(str(source.relative_to(PACKAGE)).encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:16]


def compiled(function: Function) -> Function:
    """Compile `function` with numba at its first call; later processes load it from disk."""
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(_kernel_cache())  # read at decoration: other packages keep theirs
    try:
        return numba.njit(cache=True)(function)
    finally:
        numba.config.CACHE_DIR = previous


@cache
def _kernel_cache() -> Path:
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or _folders.cache())
    return base / f"kernels-{code_hash(*KERNELS)}"


class _Announcer(event.Listener):
    """Says once per process that kernels are being compiled, since that takes seconds."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        name = getattr(event.data.get("dispatcher"), "__module__", "")
        if not self.said and str(name).startswith("repro.") and _progress.wanted():
            self.said = True
            print("repro: compiling kernels (seconds, once per machine) ...", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


event.register("numba:compile", _Announcer())
