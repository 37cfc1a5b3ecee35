"""Which of two ways kernels are compiled, decided once per process: linked or plain.

Linked kernels (`linking`, `disk`, and the addresses of `bound`) rest on private parts of numba, so
they need a version that the tests ran. With another one, or where a private part is missing, they
are plain: compiled by numba's public names alone (`plain`), to the same bits in about four times
the time. ``REPRO_PLAIN_NUMBA=1`` asks for that.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dis import get_instructions
from importlib import import_module
from inspect import getmro, isfunction
from typing import Any

import numba

from repro import _progress

__all__ = ["INTERNALS", "LINKED", "called_as", "generated", "jitted"]

VARIABLE = "REPRO_PLAIN_NUMBA"
TESTED = (0, 61), (0, 69)  # from the first on, before the second; pyproject.toml says the same

# Every private part of numba that the linked way uses. A test reads the sources for others.
INTERNALS = {
    "numba.core.base": "BaseContext",
    "numba.core.base:BaseContext": "codegen get_abi_sizeof get_constant get_dummy_value"
    " get_value_type insert_user_function refresh typing_context",
    "numba.core.caching:_Cache": "cache_path load_overload save_overload",
    "numba.core.codegen": "JITCodeLibrary",
    "numba.core.codegen:JITCPUCodegen": "magic_tuple set_env",
    "numba.core.codegen:JITCodeLibrary": "_finalize_dynamic_globals _finalize_final_module"
    " _finalized _final_module _optimize_final_module has_dynamic_globals",
    "numba.core.compiler": "CompileResult CompilerBase Flags",
    "numba.core.compiler:CompileResult": "_fields _find_referenced_environments _rebuild _reduce"
    " codegen environment fndesc library lifted referenced_envs reload_init signature"
    " target_context typing_context",
    "numba.core.compiler:CompilerBase": "define_pipelines flags state",
    "numba.core.compiler:Flags": "_values no_cfunc_wrapper no_compile no_cpython_wrapper",
    "numba.core.compiler_machinery": "PassManager",
    "numba.core.compiler_machinery:PassManager": "add_pass finalize",
    "numba.core.environment": "lookup_environment",
    "numba.core.funcdesc:FunctionDescriptor": "calltypes qualname typemap",
    "numba.core.registry": "CPUDispatcher",
    "numba.core.registry:CPUDispatcher": "_cache _numba_type_ add_overload compile get_overload"
    " overloads pipeline_class targetctx",
    "numba.core.sigutils": "normalize_signature",
    "numba.core.targetconfig": "ConfigStack",
    "numba.core.targetconfig:ConfigStack": "top_or_none",
    "numba.core.typed_passes": "IRLegalization NativeLowering NoPythonBackend"
    " NopythonTypeInference PreLowerStripPhis",
    "numba.core.types:Dispatcher": "get_call_type get_overload",
    "numba.core.typing.templates": "AbstractTemplate infer infer_global",
    "numba.core.typing.templates:AbstractTemplate": "context generic get_impl_key key",
    "numba.core.untyped_passes": "FixupArgs GenericRewrites IRProcessing ReconstructSSA"
    " TranslateByteCode",
}


def _missing() -> Iterator[str]:
    """Full names of the `INTERNALS` that this numba does not have."""
    for place, names in INTERNALS.items():
        module, _, inside = place.partition(":")
        try:
            owner = import_module(module)
            owner = getattr(owner, inside) if inside else owner
        except (ImportError, AttributeError):
            yield place.replace(":", ".")
            continue
        full, has = place.replace(":", "."), _gives if inside else hasattr
        yield from (f"{full}.{name}" for name in names.split() if not has(owner, name))


def _gives(owner: Any, name: str) -> bool:
    """Whether a class has `name`, or a function of it sets that in an object, or takes it."""
    if hasattr(owner, name):
        return True
    codes = [f.__code__ for c in getmro(owner) for f in vars(c).values() if isfunction(f)]
    return any(name in code.co_varnames for code in codes) or any(
        step.opname == "STORE_ATTR" and step.argval == name
        for code in codes
        if name in code.co_names
        for step in get_instructions(code)
    )


def _reason() -> str:
    """Why kernels must be plain with this numba; empty if they need not be."""
    first, end = (".".join(map(str, version)) for version in TESTED)
    version = tuple(map(int, re.findall(r"\d+", numba.__version__)[:2]))
    if not TESTED[0] <= version < TESTED[1]:
        return f"numba {numba.__version__} is not a tested version (>={first},<{end})"
    missing = next(_missing(), "")
    return f"numba {numba.__version__} has no {missing}" if missing else ""


def _is_linked() -> bool:
    if os.environ.get(VARIABLE, "0") not in {"", "0"}:
        return False
    if reason := _reason():
        os.environ[VARIABLE] = "1"  # for the workers of a sweep, which need not say it again
        if _progress.wanted():
            print(f"repro: {reason}; kernels take four times as long to compile", file=sys.stderr)
    return not reason


LINKED = _is_linked()

if LINKED:
    from repro.kernels.disk import jitted
    from repro.kernels.linking import called_as, generated
else:
    from repro.kernels.plain import called_as, generated, jitted
