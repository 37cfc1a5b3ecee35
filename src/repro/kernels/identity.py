"""What decides how a thing behaves, as one hash: its class, code, settings and state.

joblib hashes values and takes functions and classes by their names. Here a function or a class of
yours counts by what it does: its bytecode, its default arguments, what its closures hold, and the
values of the global names that it uses, followed as far as they lead. Code of this package, of
Python and of installed packages counts by version and source, see `repro.kernels.sources`.
"""

from __future__ import annotations

import builtins
import dataclasses
import dis
import functools
import importlib
import importlib.util
import pickle
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from joblib.hashing import NumpyHasher
from numba.core.dispatcher import Dispatcher

from repro.kernels.sources import Unidentified, origin

__all__ = ["Identity", "identify", "identity", "kernels_of_class", "remember_compiled"]

# Attributes of every class that say nothing of what it does, or cannot be hashed.
IGNORED = {
    *("__dict__", "__weakref__", "__module__", "__doc__", "__annotations__", "__annotate__"),
    *("__annotate_func__", "__annotations_cache__", "__abstractmethods__", "_abc_impl"),
    *("__dataclass_fields__", "__dataclass_params__", "__firstlineno__", "__static_attributes__"),
    "__match_args__",
}
OF_MODULES = {"__builtins__", "__cached__", "__doc__", "__file__", "__loader__", "__spec__"}
OF_MODULES |= {"__name__", "__package__", "__path__"}
# Code that names one of these may do what no hash of it shows.
READS = {"open", "eval", "exec", "globals", "__import__", "import_module", "environ", "getenv"}
READS |= {"read_csv", "read_parquet", "read_pickle", "read_text", "read_bytes", "fromfile"}
READS |= {"loadtxt", "genfromtxt", "memmap", "urlopen"}

#: What belongs to a class without standing in it: `repro.kernels.dispatch` adds states' kernels.
kernels_of_class: list[Callable[[type], Any]] = []


class Identity(NamedTuple):
    """What decides the behaviour of a thing."""

    digest: str  #: the same in every process
    has_code_of_yours: bool  #: whether code counts that is of no installed package


def identity(thing: Any) -> str:
    """Hash of all that decides the behaviour of `thing`; the same in every process.

    Raises `Unidentified` where that cannot be told with certainty: an object that cannot be
    pickled, code that reads files or variables of the environment, a compiled function whose
    helpers or constants changed since it was compiled.
    """
    return identify(thing).digest


def identify(thing: Any) -> Identity:
    """The `identity` of `thing`, and whether code of yours counts in it."""
    hasher = _Hasher()
    try:
        return Identity(hasher.hash(thing), hasher.has_code_of_yours)
    except Unidentified:
        raise
    except RecursionError:
        raise Unidentified("it is nested too deeply") from None
    except Exception as error:
        raise Unidentified(" ".join(str(error).split())[:200]) from None


class _Hasher(NumpyHasher):
    """joblib's hasher, which is given the parts of what has code in place of its name."""

    def __init__(self) -> None:
        super().__init__(hash_name="sha1", coerce_mmap=True)
        self.has_code_of_yours = False
        self._met: dict[int, int] = {}
        self._kept: list[Any] = []  # as long as their ids count

    def save(self, obj: Any) -> None:
        parts = _parts(obj, self)
        super().save(obj if parts is None else parts)

    def memoize(self, obj: Any) -> None:
        # By value: whether two equal constants are one object depends on who compiled them.
        if not isinstance(obj, tuple):
            super().memoize(obj)

    def save_global(self, obj: Any, name: str | None = None, **options: Any) -> None:
        module = pickle.whichmodule(obj, name or obj.__qualname__)  # type: ignore[attr-defined]
        if origin(module) is None:
            raise Unidentified(f"{name or obj!r} is pickled by its name only")
        super().save(("by name", origin(module), module, str(name)))

    def _batch_setitems(self, items: Any, *args: Any) -> None:
        # In their order, which a loop over them would show, and never by joblib's own hash.
        pickle._Pickler._batch_setitems(self, items, *args)  # type: ignore[attr-defined]

    def first(self, thing: Any) -> int | None:
        """None when `thing` is met for the first time, else the number it got then."""
        if id(thing) in self._met:
            return self._met[id(thing)]
        self._met[id(thing)] = len(self._met)
        self._kept.append(thing)
        return None


def _once(describe: Callable[[Any, _Hasher], tuple[Any, ...]]) -> Callable[[Any, _Hasher], Any]:
    """Describe what has a name: by it where it is installed code, else by its parts, once."""

    def parts(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
        if (named := _by_name(thing)) is not None:
            return named
        hasher.has_code_of_yours = True
        number = hasher.first(thing)
        return describe(thing, hasher) if number is None else ("met", number)

    return parts


def _by_name(thing: Any) -> tuple[Any, ...] | None:
    """Module and name of `thing` if it is found there and the module is no code of yours."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    found: Any = importlib.import_module(module) if origin(module) else None
    for part in name.split("."):
        found = getattr(found, part, None)
    return ("by name", origin(module), module, name) if found is thing else None


@functools.singledispatch
def _parts(thing: Any, hasher: _Hasher) -> Any:
    """What to hash in place of `thing`; None for `thing` itself."""
    kind = type(thing)
    if not (dataclasses.is_dataclass(thing) and origin(kind.__module__) and _by_name(kind)):
        return None
    # A description of this package: what it caches beside its fields does not count.
    return kind, [getattr(thing, field.name) for field in dataclasses.fields(thing)]


@_parts.register(types.FunctionType)
@_once
def _function(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    used = _names(thing.__code__)
    _check_reads(thing.__code__, used, thing)
    scope = {name: thing.__globals__[name] for name in sorted(used) if name in thing.__globals__}
    imported = [_imported(name, thing) for name in sorted(_imports(thing.__code__))]
    cells = [_content(cell) for cell in thing.__closure__ or ()]
    defaults = thing.__defaults__, thing.__kwdefaults__
    inside = {name: value for name, value in vars(thing).items() if name != "__wrapped__"}
    return "function", thing.__code__, defaults, cells, scope, imported, inside


@_parts.register(types.CodeType)
def _code(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    counts = thing.co_argcount, thing.co_posonlyargcount, thing.co_kwonlyargcount, thing.co_flags
    names = thing.co_names, thing.co_varnames, thing.co_freevars, thing.co_cellvars
    return "code", thing.co_code, thing.co_exceptiontable, thing.co_consts, counts, names


@_parts.register(type)
@_once
def _class(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    inside = [(n, v) for n, v in sorted(vars(thing).items()) if n not in IGNORED]
    more = [of(thing) for of in kernels_of_class]
    return "class", thing.__qualname__, type(thing), thing.__bases__, inside, more


@_parts.register(types.ModuleType)
def _module(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    if (found := origin(thing.__name__)) is not None:
        return "module", found, thing.__name__
    if thing.__name__ == "__main__":
        raise Unidentified("it uses the module __main__ as a whole")
    hasher.has_code_of_yours = True
    if (number := hasher.first(thing)) is not None:
        return "met", number
    return "module", [(n, v) for n, v in sorted(vars(thing).items()) if n not in OF_MODULES]


_compiled_as: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
_described: set[int] = set()  # dispatchers that are being described: one may call itself


@_parts.register(Dispatcher)
def _dispatcher(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    """A function compiled by numba, which keeps the helpers and constants of that moment."""
    if (named := origin(thing.py_func.__module__ or "")) is not None:
        return "numba", named, thing.py_func.__module__, thing.py_func.__qualname__
    hasher.has_code_of_yours = True
    if id(thing) in _described:
        return "numba", "itself"
    now = _compiled_from(thing)
    if thing.signatures and _compiled_as.get(thing) != now:
        name = thing.py_func.__qualname__
        raise Unidentified(f"a helper or a constant of {name} may have changed after it compiled")
    return "numba", now, sorted((name, str(value)) for name, value in thing.targetoptions.items())


def remember_compiled(dispatcher: Any) -> None:
    """Note what a function of yours is compiled from; numba will not look again."""
    if not isinstance(dispatcher, Dispatcher) or origin(dispatcher.py_func.__module__ or ""):
        return
    try:
        now = _compiled_from(dispatcher)
    except Unidentified:
        now = ""
    _compiled_as[dispatcher] = now if _compiled_as.get(dispatcher, now) == now else ""


def _compiled_from(dispatcher: Any) -> str:
    _described.add(id(dispatcher))
    try:
        return identity(dispatcher.py_func)
    finally:
        _described.discard(id(dispatcher))


@_parts.register(types.MethodType)
def _method(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "method", thing.__func__, thing.__self__


@_parts.register(property)
def _property(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "property", thing.fget, thing.fset, thing.fdel


@_parts.register(staticmethod)
@_parts.register(classmethod)
def _wrapped(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return type(thing).__name__, thing.__func__


@_parts.register(functools.cached_property)
def _cached_property(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "cached property", thing.func


@_parts.register(functools._lru_cache_wrapper)
@_once
def _cached_function(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "cached", thing.__wrapped__, thing.cache_parameters()


@_parts.register(types.MemberDescriptorType)
@_parts.register(types.GetSetDescriptorType)
def _slot(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "slot", thing.__name__


@_parts.register(types.WrapperDescriptorType)
@_parts.register(types.MethodDescriptorType)
@_parts.register(types.ClassMethodDescriptorType)
def _descriptor(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "descriptor", thing.__objclass__, thing.__name__


@_parts.register(types.MappingProxyType)
def _mapping(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    return "mapping", dict(thing)


@_parts.register(set)
@_parts.register(frozenset)
def _set(thing: Any, hasher: _Hasher) -> tuple[Any, ...]:
    found = [identify(element) for element in thing]
    hasher.has_code_of_yours |= any(each.has_code_of_yours for each in found)
    return type(thing).__name__, sorted(each.digest for each in found)


@_parts.register(np.ndarray)
def _array(thing: Any, hasher: _Hasher) -> Any:
    """Subclasses hold more than their numbers, such as a mask."""
    return None if type(thing) in (np.ndarray, np.memmap) else ("array", *thing.__reduce__())


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """`code` and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _names(code: types.CodeType) -> set[str]:
    """The global names that `code` looks up."""
    found = (i for each in _codes(code) for i in dis.get_instructions(each))
    return {i.argval for i in found if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}


def _imports(code: types.CodeType) -> set[tuple[int, str]]:
    """Level and name of the modules that `code` imports when it runs."""
    found = set()
    for each in _codes(code):
        steps = list(dis.get_instructions(each))
        for i, step in enumerate(steps):
            if step.opname == "IMPORT_NAME":
                levels = [s.argval for s in steps[max(i - 2, 0) : i] if isinstance(s.argval, int)]
                found.add((levels[0] if levels else 0, step.argval))
    return found


def _imported(named: tuple[int, str], function: types.FunctionType) -> types.ModuleType:
    level, name = named
    try:
        package = function.__globals__.get("__package__") or None
        return importlib.import_module(importlib.util.resolve_name("." * level + name, package))
    except ImportError as error:
        raise Unidentified(f"{function.__qualname__} imports {name!r}: {error}") from None


def _check_reads(code: types.CodeType, used: set[str], function: types.FunctionType) -> None:
    attributes = {name for each in _codes(code) for name in each.co_names} - used
    free = {name for name in used if name in vars(builtins) and name not in function.__globals__}
    if named := sorted((attributes | free) & READS):
        raise Unidentified(f"{function.__qualname__} uses {named[0]!r}, whose result may change")


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"
