"""What stands in a module: a hash of each function, class and constant, alike in all processes."""

from __future__ import annotations

import builtins
import dis
import functools
import hashlib
import itertools
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

__all__ = ["ENDS", "MODULE", "PLAIN", "THING", "Names", "constants_in", "digest_of", "made_of"]
__all__ += ["names_in", "parts_of"]

Names = dict[str, str]  #: name inside a module, with a dot inside a class -> hash

PLAIN = type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented)
# What Python itself writes into a class as it goes; and annotations, under names of each version.
WRITTEN = {"__dict__", "__weakref__", "__doc__", "__slotnames__", "_abc_impl", "__module__"}
WRITTEN |= {"__abstractmethods__"}
ANNOTATIONS = "__annot"
# What shells write into the builtins.
SHELL = {"_", "copyright", "credits", "display", "exit", "get_ipython", "help", "input", "license"}
SHELL |= {"quit"}
COMPILED = types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType
COMPILED += (np.ufunc,)  # type: ignore[assignment]
NAMED = type, types.ModuleType  # of which the name counts, and no part
ENDS = {*PLAIN, *COMPILED, *NAMED, types.CodeType}  # kinds of things that have no parts
FIXED = {property, tuple, frozenset}  # kinds whose parts cannot be replaced in place
MODULE = "module "  #: before the name of a module that a module has; it may not be loaded yet
THING = "thing "  #: before the hash of something that is known by its class alone
WRAPPED = "py_func", "__wrapped__", "__func__", "func"  # by a kernel, a cache, a method, a partial
STORE_GLOBAL = dis.opmap["STORE_GLOBAL"]
DEEPEST = 20  # things inside things; a mock has no end


def names_in(module: types.ModuleType) -> Names:
    """The hash of every name of `module`, and of every name of the classes that it defines."""
    is_ours, hashes = module.__name__.partition(".")[0] == "repro", {}
    written = frozenset() if is_ours else _written(module)
    for name, value in list(vars(module).items()):
        if name.startswith("__") and name.endswith("__"):
            continue
        if name in written or (module is builtins and name in SHELL):
            continue
        if isinstance(value, types.ModuleType):
            hashes[name] = MODULE + value.__name__
            continue
        if isinstance(value, type) and value.__module__ == module.__name__:
            hashes |= _names_of_class(name, value, is_ours)
        elif isinstance(value, types.FunctionType) and value.__module__ != module.__name__:
            hashes[name] = digest_of(_named(value))
        elif isinstance(value, COMPILED):
            # One may stand where another was, `math.exp` for `math.log`. Under another name than
            # its own it may be what a loop over a set left behind.
            is_certain = value.__name__ == name or module.__name__.partition(".")[0] == "numpy"
            hashes[name] = digest_of((type(value).__name__, value.__name__ if is_certain else ""))
        elif is_ours or name.isupper() or type(value) not in PLAIN:
            # What a private name stands for may change: a table of what was done before.
            hashes[name] = _described(value, is_ours and name.isupper() and name[0] != "_")
    return hashes


def _names_of_class(name: str, kind: type, is_ours: bool) -> Names:
    """The hash of a class called `name`, and of every name in it and in the classes in it."""
    hashes = {name: digest_of([_named(parent) for parent in kind.__mro__])}
    for inside, value in list(vars(kind).items()):
        full = f"{name}.{inside}"
        if isinstance(value, type) and value.__qualname__ == f"{kind.__qualname__}.{inside}":
            hashes |= _names_of_class(full, value, is_ours)
        elif inside not in WRITTEN and not inside.startswith(ANNOTATIONS):
            hashes[full] = _described(value, is_ours and inside.isupper())
    return hashes


def _written(module: types.ModuleType) -> frozenset[str]:
    """The names of `module` that its own functions assign, at their first use for one."""
    functions = [value for value in vars(module).values() if type(value) is types.FunctionType]
    codes = [f.__code__ for f in functions if f.__module__ == module.__name__]
    return frozenset().union(*map(_assigned, codes))


@functools.lru_cache(maxsize=100_000)
def _assigned(code: types.CodeType) -> frozenset[str]:
    """The global names that `code` assigns."""
    if STORE_GLOBAL not in code.co_code[::2]:
        return frozenset()
    steps = dis.get_instructions(code)
    return frozenset(step.argval for step in steps if step.opcode == STORE_GLOBAL)


def constants_in(module: types.ModuleType) -> Names:
    """The hash of each table of `module` that is a constant by its name."""
    tables = dict, list, set, np.ndarray
    named = [(k, v) for k, v in vars(module).items() if k.isupper() and k[0] != "_"]
    return {name: _described(value, True) for name, value in named if isinstance(value, tables)}


def _described(value: Any, is_constant: bool) -> str:
    """Hash of `value`; the content of a table counts only if it is a constant by its name."""
    parts = _parts(value, is_constant, ())
    return (THING if parts[0] == "one of" else "") + digest_of(parts)


def digest_of(parts: Any) -> str:
    """Hash of `parts`, texts and tuples of texts."""
    return hashlib.sha1(repr(parts).encode(), usedforsecurity=False).hexdigest()[:16]


def _named(thing: Any) -> tuple[str, str]:
    return str(getattr(thing, "__module__", "")), str(getattr(thing, "__qualname__", ""))


def _parts(value: Any, deep: bool, above: tuple[int, ...]) -> Any:
    """What `value` is made of, as texts and tuples; `above` are the ids of what holds it."""
    kind = type(value)
    if kind in PLAIN:
        return kind.__name__, repr(value)
    if id(value) in above or len(above) > DEEPEST:
        return "itself", *_named(kind)
    inside = (*above, id(value))
    again = functools.partial(_parts, deep=deep, above=inside)
    if isinstance(value, type):
        return "class", *_named(value)
    if kind is types.FunctionType:
        return _function(value, inside)
    for name in WRAPPED:
        if (held := getattr(value, name, None)) is not None:
            return kind.__qualname__, again(held), [again(part) for part in _arguments(value)]
    if isinstance(value, COMPILED):
        return kind.__name__, value.__name__
    if kind is property:
        return "property", again(value.fget), again(value.fset), again(value.fdel)
    if kind in (tuple, frozenset) or (deep and kind in (list, set)):
        listed = [again(part) for part in value]
        return kind.__name__, listed if kind in (tuple, list) else sorted(map(repr, listed))
    if deep and isinstance(value, Mapping):
        return kind.__name__, [(again(k), again(v)) for k, v in list(value.items())]
    if deep and kind is np.ndarray and not value.dtype.hasobject:
        return value.dtype.str, value.shape, digest_of(value.tobytes())
    if deep and is_dataclass(value):
        return _named(kind), [again(getattr(value, f.name)) for f in fields(value)]
    return "one of", *_named(kind)


def parts_of(value: Any) -> tuple[Any, ...]:
    """The things of which `names_in` takes the hash in place of `value`: its code, defaults, ..."""
    kind: Any = type(value)
    if kind is types.FunctionType:
        named, cells = value.__kwdefaults__ or {}, value.__closure__ or ()
        inside = value.__defaults__ or (), named, named.values(), map(_content, cells)
        return value.__code__, *itertools.chain(*inside)
    if kind is property:
        return value.fget, value.fset, value.fdel
    if kind in (tuple, frozenset):
        return tuple(value)
    if not _has_parts(kind):
        return ()
    held = (getattr(value, name, None) for name in WRAPPED)
    return *[thing for thing in held if thing is not None][:1], *_arguments(value)


@functools.cache
def _has_parts(kind: type) -> bool:
    """Whether things of this `kind` may hold a function: they have such a name, or any."""
    names = *WRAPPED, "__getattr__"
    return kind.__dictoffset__ != 0 or any(hasattr(kind, name) for name in names)


def made_of(value: Any, seen: set[int], depth: int = 0) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield the things inside `value` whose parts may be replaced in place, with their parts."""
    kind: Any = type(value)
    if kind in ENDS or id(value) in seen or isinstance(value, NAMED) or depth > DEEPEST:
        return
    seen.add(id(value))
    parts = parts_of(value)
    if kind not in FIXED and _has_parts(kind):
        yield value, parts
    for part in parts:
        if type(part) not in ENDS:
            yield from made_of(part, seen, depth + 1)


def _arguments(value: Any) -> list[Any]:
    """The arguments that a partial function holds."""
    if isinstance(value, functools.partial):
        return [*value.args, *value.keywords, *value.keywords.values()]
    return []


def _function(value: Any, above: tuple[int, ...]) -> Any:
    """A function by its code, defaults and closure."""
    again = functools.partial(_parts, deep=False, above=above)
    defaults = [again(part) for part in value.__defaults__ or ()]
    named = [(k, again(v)) for k, v in (value.__kwdefaults__ or {}).items()]
    cells = [again(_content(cell)) for cell in value.__closure__ or ()]
    return "function", *_named(value), _code(value.__code__), defaults, named, cells


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"


@functools.lru_cache(maxsize=100_000)
def _code(code: types.CodeType) -> str:
    constants = [
        _code(c) if isinstance(c, types.CodeType) else _constant(c) for c in code.co_consts
    ]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return digest_of((code.co_code, constants, names, counts, code.co_exceptiontable))


def _constant(constant: Any) -> str:
    if isinstance(constant, frozenset):
        return repr(sorted(map(repr, constant)))  # its order differs between processes
    return repr(constant)
