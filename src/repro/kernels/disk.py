"""Linked kernels on disk: numba's cache, for arguments that are accepted, one process at a time.

After an edit of this package nothing is written to it. See `compiling` for why.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.caching import Cache, CompileResultCacheImpl
from numba.core.compiler import CompileResult

from repro import _progress
from repro.kernels import sources, turns
from repro.kernels.linking import Kernel, Library

__all__ = ["jitted"]


def jitted(
    function: Callable[..., Any],
    options: dict[str, Any],
    *,
    folder: Path,
    accepts: Callable[[Any], bool],
) -> Any:
    """`function` as a `Kernel` with `options` of numba, stored in `folder`.

    `accepts` gets the types of the arguments, and says whether their code may be stored.
    """
    kernel = Kernel(function, targetoptions=options)
    previous = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read by the cache once: other packages keep theirs
    try:
        kernel._cache = _OnDisk(function, CompileResultCacheImpl, folder, accepts)
        kernel.linked._cache = _OnDisk(function, _LinkedResults, folder, accepts)
    finally:
        numba.config.CACHE_DIR = previous
    return kernel


class _OnDisk(Cache):
    """numba's cache on disk, for the arguments that `accepts` accepts."""

    def __init__(
        self, function: Callable[..., Any], results: type, folder: Path, accepts: Any
    ) -> None:
        self._impl_class = results
        self._folder, self._accepts = folder, accepts
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        overload = super().load_overload(sig, target_context) if self._accepts(sig) else None
        if overload is None and _progress.wanted():
            _say_that_kernels_compile()
        return overload

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(sources.Unidentified):  # edited while this process runs the old code
            sources.check_unchanged()
            if self._accepts(sig):
                super().save_overload(sig, data)

    def turn(self, sig: Any) -> AbstractContextManager[None]:
        """A block in which no other process compiles the function for the arguments `sig`."""
        if not self._accepts(sig):
            return nullcontext()
        return turns.turn(self._folder, f"{self._impl.filename_base} {sig}")


@cache
def _say_that_kernels_compile() -> None:
    """Print it once per process, since it takes seconds."""
    print("repro: compiling kernels (seconds, once per machine) ...", file=sys.stderr)


class _LinkedResults(CompileResultCacheImpl):
    """What numba's cache on disk keeps of a `Linked` function."""

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """A name apart from that of the kernel's machine code."""
        return f"linked-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, result: Any) -> Any:
        """The parts of a translation that a file can hold."""
        fndesc = result.fndesc
        fndesc.typemap = fndesc.calltypes = None  # may refer to what cannot be pickled
        environments = tuple(result._find_referenced_environments())
        code = result.library._final_module.as_bitcode()
        return code, fndesc, result.environment, result.signature, environments

    def rebuild(self, target: Any, parts: Any) -> Any:
        """The translation of which `parts` were stored."""
        code, fndesc, environment, signature, environments = parts
        library = Library(target.codegen(), fndesc.qualname)
        library._final_module = llvm.parse_bitcode(code)
        library._finalize_final_module()
        fields = dict.fromkeys(CompileResult._fields)
        return CompileResult(
            **fields
            | {
                "target_context": target,
                "typing_context": target.typing_context,
                "library": library,
                "environment": environment,
                "fndesc": fndesc,
                "signature": signature,
                "lifted": (),
                "reload_init": [],
                "referenced_envs": environments,
            }
        )
