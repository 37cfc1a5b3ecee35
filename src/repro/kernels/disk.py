"""Compiled kernels on disk: a file each, for arguments that are accepted, one process at a time.

A file begins with the digest of what follows: code that was cut or changed would crash Python, or
compute something else. Since it runs as the user, it is taken from a folder only that nobody else
can write to. After an edit of this package nothing is written; see `compiling` for why. Without a
folder, or with one that is full or read-only, each process compiles for itself.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core.compiler import CompileResult

from repro import _files, _progress
from repro.kernels import sources, turns
from repro.kernels.linking import Kernel, Library

__all__ = ["jitted"]

SUFFIX = ".code"
DIGEST = hashlib.sha256().digest_size
OTHERS_WRITE = 0o022  # bits of a folder's mode


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
    if function.__closure__ is None:  # else what is in it would decide the code as well
        kernel._cache = _OnDisk(function, folder, accepts, MACHINE_CODE)
        kernel.linked._cache = _OnDisk(function, folder, accepts, LINKED_CODE)
    return kernel


class _Form(NamedTuple):
    """What is kept of compiled code: its name, and functions from the code and back to it."""

    name: str
    parts_of: Callable[[Any], Any]
    overload_of: Callable[[Any, Any], Any]


class _OnDisk:
    """What numba asks for compiled code, and hands it to: the code of one function on disk."""

    def __init__(
        self,
        function: Callable[..., Any],
        folder: Path,
        accepts: Callable[[Any], bool],
        form: _Form,
    ) -> None:
        self._function, self.cache_path, self._accepts = function, folder, accepts
        self._form = form

    def load_overload(self, sig: Any, target: Any) -> Any:
        """The code for arguments of the types `sig`; None if it must be compiled."""
        target.refresh()
        overload = self._loaded(sig, target) if self._accepts(sig) else None
        if overload is None and _progress.wanted():
            _say_that_kernels_compile()
        return overload

    def save_overload(self, sig: Any, overload: Any) -> None:
        """Store the code for arguments of the types `sig`."""
        with suppress(sources.Unidentified):  # edited while this process runs the old code
            sources.check_unchanged()
            if overload.library.has_dynamic_globals:  # addresses, of this process
                return
            if self._accepts(sig) and _is_ours(self.cache_path):
                content = tuple(sig), self._form.parts_of(overload)
                body = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
                try:
                    with _files.replacing(self._path(sig, overload.codegen)) as temporary:
                        temporary.write_bytes(hashlib.sha256(body).digest() + body)
                except OSError as error:
                    _say_that_nothing_is_stored(self.cache_path, error.strerror or str(error))

    def turn(self, sig: Any) -> AbstractContextManager[None]:
        """A block in which no other process compiles the function for the arguments `sig`."""
        if not self._accepts(sig):
            return nullcontext()
        return turns.turn(self.cache_path, f"{self._form.name} {self._name} {sig}")

    def _loaded(self, sig: Any, target: Any) -> Any:
        if not _is_ours(self.cache_path):
            return None
        path = self._path(sig, target.codegen())
        try:
            content = path.read_bytes()
        except OSError:
            return None
        body = content[DIGEST:]
        with suppress(Exception):
            if hashlib.sha256(body).digest() == content[:DIGEST]:
                kinds, parts = pickle.loads(body)
                # Types of two modules may have one name, and then one file.
                return self._form.overload_of(target, parts) if kinds == tuple(sig) else None
        print(f"repro: {path.name} is damaged; compiling it again", file=sys.stderr)
        with suppress(OSError):
            path.unlink()
        return None

    @property
    def _name(self) -> str:
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return f"{name}-{self._function.__code__.co_firstlineno}"

    def _path(self, sig: Any, codegen: Any) -> Path:
        """The file for a function, types of arguments, a processor and versions."""
        versions = sys.version, numba.__version__, llvm.llvm_version_info, codegen.magic_tuple()
        text = repr((self._form.name, versions, self._function.__code__.co_code, str(sig)))
        digest = hashlib.sha256(text.encode()).hexdigest()[:24]
        return self.cache_path / f"{re.sub('[<>]', '', self._name)}-{digest}{SUFFIX}"


def _linked_parts(overload: Any) -> Any:
    """The parts of a `Linked` function that a file can hold."""
    fndesc = overload.fndesc
    fndesc.typemap = fndesc.calltypes = None  # may refer to what cannot be pickled
    environments = tuple(overload._find_referenced_environments())
    code = overload.library._final_module.as_bitcode()
    return code, fndesc, overload.environment, overload.signature, environments


def _linked_overload(target: Any, parts: Any) -> Any:
    """The `Linked` function of which `parts` were kept."""
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


MACHINE_CODE = _Form(
    "machine code",
    lambda overload: overload._reduce(),
    lambda target, parts: CompileResult._rebuild(target, *parts),
)
LINKED_CODE = _Form("linked code", _linked_parts, _linked_overload)


@cache
def _is_ours(folder: Path) -> bool:
    """Whether nobody but this user, or who could edit this package, can write to `folder`.

    It is made if it is missing. Windows gives a user's folders to that user alone.
    """
    if os.name == "nt":
        return True
    try:
        folder.mkdir(0o755, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError as error:
        _say_that_nothing_is_stored(folder, error.strerror or str(error))
        return False
    owners = {0, os.getuid(), os.stat(__file__).st_uid}
    if state.st_uid in owners and not state.st_mode & OTHERS_WRITE:
        return True
    _say_that_nothing_is_stored(folder, "others can write to it")
    return False


@cache
def _say_that_nothing_is_stored(folder: Path, why: str) -> None:
    rule = f"compiled kernels are not stored in {folder}: {why}"
    print(f"repro: {rule}; each process compiles them", file=sys.stderr)


@cache
def _say_that_kernels_compile() -> None:
    """Print it once per process, since it takes seconds."""
    print("repro: compiling kernels (seconds, once per machine) ...", file=sys.stderr)
