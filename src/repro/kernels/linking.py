"""Kernels called by kernels: translated once for their types, optimised only inside their callers.

numba makes machine code of every function, also of one that is only ever inlined, and optimises it
again inside each of its callers: ten levels of calls are optimised ten times. Here compiled code
calls the `Linked` twin of a `Kernel`. The twin stops at LLVM's code before optimisation, which is
linked into the caller and optimised with it, once. A call from Python compiles the kernel itself.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from numba import types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, Flags
from numba.core.compiler_machinery import PassManager
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.sigutils import normalize_signature
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import AbstractTemplate, infer, infer_global

__all__ = ["Kernel", "Library", "Linked", "called_as", "generated"]


class Library(JITCodeLibrary):
    """LLVM's code of a function and of all that it calls, to be linked into a caller's."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _Flags(Flags):
    """Options of numba that are equal if the same ones are set to the same values.

    numba looks up each operator under the options, and lists all of them each time.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values


class _Translator(CompilerBase):
    """numba's compiler up to LLVM's code, without the steps that no kernel needs."""

    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        super().__init__(typing, target, Library(target.codegen(), "linked"), *others)
        flags = self.state.flags = _Flags(self.state.flags)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True

    def define_pipelines(self) -> list[Any]:
        """The steps for plain loops: no inner functions, `with` or expressions of whole arrays."""
        steps = PassManager("linked")
        steps.add_pass(untyped_passes.TranslateByteCode, "analyse bytecode")
        steps.add_pass(untyped_passes.FixupArgs, "set up arguments")
        steps.add_pass(untyped_passes.IRProcessing, "process numba's code")
        steps.add_pass(untyped_passes.GenericRewrites, "rewrite constant indices and exceptions")
        steps.add_pass(untyped_passes.ReconstructSSA, "assign each variable once")
        steps.add_pass(typed_passes.NopythonTypeInference, "find the types")
        steps.add_pass(typed_passes.PreLowerStripPhis, "write choices as assignments")
        steps.add_pass(typed_passes.IRLegalization, "check for what has no translation")
        steps.add_pass(typed_passes.NativeLowering, "write LLVM's code")
        steps.add_pass(typed_passes.NoPythonBackend, "wrap up")
        steps.finalize()
        return [steps]


def _turn(dispatcher: Any, sig: Any) -> AbstractContextManager[None]:
    """A block in which no other process compiles what `dispatcher` lacks for `sig`."""
    args, _ = normalize_signature(sig)
    if args in dispatcher.overloads or not hasattr(dispatcher._cache, "turn"):
        return nullcontext()
    return dispatcher._cache.turn(args)


@contextmanager
def _without_collection() -> Iterator[None]:
    """A block in which Python does not look for garbage: that takes an eighth of a compilation."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Linked(CPUDispatcher):
    """A function for calls from compiled code only."""

    def __init__(
        self, function: Callable[..., Any], locals: Any = None, targetoptions: Any = None
    ) -> None:
        super().__init__(function, locals or {}, targetoptions, pipeline_class=_Translator)

    def compile(self, sig: Any) -> None:
        """Translate the function for the types of arguments `sig`, or load it."""
        with _turn(self, sig):
            super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Keep a translation; compiled code finds it by its library, for want of an address."""
        self.targetctx.insert_user_function(cres.library, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres

    def get_overload(self, sig: Any) -> Any:
        """The library of the translation for the types of arguments `sig`."""
        return self.overloads[tuple(sig)].library


class Kernel(CPUDispatcher):
    """A compiled function whose calls from compiled code go to its twin `linked`."""

    def __init__(
        self, function: Callable[..., Any], locals: Any = None, targetoptions: Any = None
    ) -> None:
        super().__init__(function, locals or {}, targetoptions)
        self.linked = Linked(function, locals, targetoptions)

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.linked)

    def compile(self, sig: Any) -> Any:
        """Compile the kernel for the types of arguments `sig`, or load it; its entry point."""
        with _turn(self, sig), _without_collection():
            return super().compile(sig)

    def add_overload(self, cres: Any) -> None:
        """Keep machine code, and give each function linked into it its globals.

        numba does that for the functions that it makes machine code of.
        """
        super().add_overload(cres)
        for variable in cres.library._final_module.global_variables:
            if (environment := lookup_environment(variable.name)) is not None:
                cres.codegen.set_env(variable.name, environment)


def called_as(stub: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Let the decorated function choose what compiled code calls in place of `stub`.

    It gets the types of the arguments, and returns a compiled function, or None if there is none.
    """

    def register(choose: Callable[..., Any]) -> Any:
        class Template(AbstractTemplate):
            key = stub

            def generic(self, args: Any, kws: Any) -> Any:
                if (function := choose(*args, **kws)) is None:
                    return None
                kind = types.Dispatcher(getattr(function, "linked", function))
                signature = kind.get_call_type(self.context, args, kws)
                if signature is not None:
                    self.implementation = kind.get_overload(signature)
                return signature

            def get_impl_key(self, signature: Any) -> Any:
                return self.implementation

        infer(Template)
        infer_global(stub, types.Function(Template))
        return choose

    return register


def generated(stub: Callable[..., Any], **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Let compiled code call, in place of `stub`, what the decorated function writes.

    It gets the types of the arguments, and returns a function of Python, which is compiled with
    `options` of numba.
    """

    def register(write: Callable[..., Any]) -> Any:
        written: dict[Any, Linked] = {}

        def choose(*kinds: Any) -> Linked:
            key = kinds, ConfigStack.top_or_none()  # of the caller: whether it counts references
            if key not in written:
                function = write(*kinds)
                function.__module__ = write.__module__
                written[key] = Linked(function, {}, {"nopython": True, **options})
            return written[key]

        called_as(stub)(choose)
        return write

    return register
