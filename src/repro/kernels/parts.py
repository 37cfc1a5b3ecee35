"""What to hash in place of a Python thing: the parts that decide how it behaves.

A function counts by its bytecode, default arguments, closure and the global names that it uses; a
class by its attributes and bases. Code of an installed package counts by its name and origin.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import types
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from repro.kernels.bytecode import check_reads, global_names, imported_modules
from repro.kernels.sources import Unidentified, origin

__all__ = ["Hasher", "Identity", "kernels_of_class", "parts"]

# Attributes of a class that do not affect what it does, or that cannot be hashed.
IGNORED = {
    *("__dict__", "__weakref__", "__module__", "__doc__", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__annotations_cache__", "__abstractmethods__", "_abc_impl"),
    *("__dataclass_fields__", "__dataclass_params__", "__firstlineno__", "__static_attributes__"),
    "__match_args__",
}
OF_MODULES = {"__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__spec__"}
OF_MODULES |= {"__name__", "__package__", "__path__"}

#: Functions that list further parts of a class: `repro.kernels.dispatch` adds a state's kernels.
kernels_of_class: list[Callable[[type], Any]] = []


class Identity(NamedTuple):
    """The hash of a thing, and whether it covers code that may be edited at any time."""

    digest: str  #: the same in every process
    has_code_of_yours: bool  #: whether code counts that no installed package holds


class Hasher(Protocol):
    """What `parts` asks of the hasher that it works for."""

    has_code_of_yours: bool

    def first(self, thing: Any) -> int | None: ...
    def identify(self, thing: Any) -> Identity: ...


def _once(describe: Callable[[Any, Hasher], tuple[Any, ...]]) -> Callable[[Any, Hasher], Any]:
    """Describe a thing by its name if that is installed code, else by its parts, once."""

    def described(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
        if (named := _by_name(thing)) is not None:
            return named
        hasher.has_code_of_yours = True
        number = hasher.first(thing)
        return describe(thing, hasher) if number is None else ("met", number)

    return described


def _by_name(thing: Any) -> tuple[Any, ...] | None:
    """Module and name of `thing` if an installed module has it under that name; else None."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    found: Any = importlib.import_module(module) if origin(module) else None
    for part in name.split("."):
        found = getattr(found, part, None)
    return ("by name", origin(module), module, name) if found is thing else None


@functools.singledispatch
def parts(thing: Any, hasher: Hasher) -> Any:
    """What to hash in place of `thing`; None to hash `thing` itself."""
    kind = type(thing)
    if not (dataclasses.is_dataclass(thing) and origin(kind.__module__) and _by_name(kind)):
        return None
    # A description of this package counts by its fields, not by what it caches beside them.
    return kind, [getattr(thing, field.name) for field in dataclasses.fields(thing)]


@parts.register(types.FunctionType)
@_once
def _function(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    check_reads(thing)
    used = sorted(global_names(thing.__code__))
    scope = {name: thing.__globals__[name] for name in used if name in thing.__globals__}
    imported = imported_modules(thing)
    cells = [_content(cell) for cell in thing.__closure__ or ()]
    defaults = thing.__defaults__, thing.__kwdefaults__
    inside = {name: value for name, value in vars(thing).items() if name != "__wrapped__"}
    return "function", thing.__code__, defaults, cells, scope, imported, inside


@parts.register(types.CodeType)
def _code(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    counts = thing.co_argcount, thing.co_posonlyargcount, thing.co_kwonlyargcount, thing.co_flags
    names = thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_cellvars
    return "code", thing.co_code, thing.co_exceptiontable, thing.co_consts, counts, names


@parts.register(type)
@_once
def _class(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    inside = [(n, v) for n, v in sorted(vars(thing).items()) if n not in IGNORED]
    more = [of(thing) for of in kernels_of_class]
    return "class", thing.__qualname__, type(thing), thing.__bases__, inside, more


@parts.register(types.ModuleType)
def _module(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    if (found := origin(thing.__name__)) is not None:
        return "module", found, thing.__name__
    if thing.__name__ == "__main__":
        raise Unidentified("it uses the module __main__ as a whole")
    hasher.has_code_of_yours = True
    if (number := hasher.first(thing)) is not None:
        return "met", number
    return "module", [(n, v) for n, v in sorted(vars(thing).items()) if n not in OF_MODULES]


@parts.register(types.MethodType)
def _method(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "method", thing.__func__, thing.__self__


@parts.register(property)
def _property(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "property", thing.fget, thing.fset, thing.fdel


@parts.register(staticmethod)
@parts.register(classmethod)
def _wrapped(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return type(thing).__name__, thing.__func__


@parts.register(functools.cached_property)
def _cached_property(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "cached property", thing.func


@parts.register(functools._lru_cache_wrapper)
@_once
def _cached_function(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "cached", thing.__wrapped__, thing.cache_parameters()


@parts.register(types.MemberDescriptorType)
@parts.register(types.GetSetDescriptorType)
def _slot(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "slot", thing.__name__


@parts.register(types.WrapperDescriptorType)
@parts.register(types.MethodDescriptorType)
@parts.register(types.ClassMethodDescriptorType)
def _descriptor(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "descriptor", thing.__objclass__, thing.__name__


@parts.register(types.MappingProxyType)
def _mapping(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    return "mapping", dict(thing)


@parts.register(set)
@parts.register(frozenset)
def _set(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    found = [hasher.identify(element) for element in thing]
    hasher.has_code_of_yours |= any(each.has_code_of_yours for each in found)
    return type(thing).__name__, sorted(each.digest for each in found)


@parts.register(np.ndarray)
def _array(thing: Any, hasher: Hasher) -> Any:
    """Subclasses hold more than their numbers, such as a mask."""
    return None if type(thing) in (np.ndarray, np.memmap) else ("array", *thing.__reduce__())


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"
