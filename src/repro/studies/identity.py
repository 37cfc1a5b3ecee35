"""What a thing is, as one hash, if no user code takes part in what it does.

A thing is identified if all that it is made of is data, descriptions of this package, or objects
whose classes an installed package holds. What it does is then decided by their values, by the
modules of this package that they reach, and by the packages that are installed. User code could
read a file, a clock or the network: whatever one looked for in it, something else would be missed.
So a thing with user code is not identified, unless the user gives it a name and a version.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import importlib
import pickle
import sys
import types
from typing import Any, NamedTuple

import numpy as np
from joblib.hashing import NumpyHasher

from repro.kernels import sources
from repro.studies.installed import is_installed

__all__ = ["Identity", "identify"]

# Packages whose classes read nothing, such as `int`, `collections.Counter` and `numpy.float64`.
PLAIN_TYPES = "builtins", "collections", "numbers", "repro"
FUNCTIONS = types.FunctionType, types.BuiltinFunctionType, np.ufunc


class Identity(NamedTuple):
    """What a thing is."""

    digest: str  #: of its values; user code counts by its name only
    modules: frozenset[str]  #: of this package, in which its classes and functions are defined
    tops: frozenset[str]  #: top-level names of the installed packages of its classes
    user_code: str  #: what of it is user code, or why that cannot be told; "" if identified


def identify(thing: Any) -> Identity:
    """The `Identity` of `thing`; the same in every process for equal values."""
    hasher = _Hasher(thing)
    try:
        digest = hasher.hash(thing)
    except RecursionError:
        digest, hasher.user_code = "", "it is nested too deeply"
    except Exception as error:
        digest, hasher.user_code = "", " ".join(f"it cannot be pickled: {error}".split())[:200]
    return Identity(digest, frozenset(hasher.modules), frozenset(hasher.tops), hasher.user_code)


class _Hasher(NumpyHasher):
    """joblib's hasher of values, which notes where their classes are defined."""

    def __init__(self, whole: Any) -> None:
        super().__init__(hash_name="sha1", coerce_mmap=True)
        self.whole = whole
        self.modules: set[str] = set()
        self.tops: set[str] = set()
        self.user_code = ""
        self._maker: Any = self  # the function that makes the object that is being saved
        self._kind: Any = self  # the class of that object
        self._holders: list[str] = []  # packages of the objects around, from the outermost

    def save(self, obj: Any) -> None:
        kind = type(obj)
        if obj is self._maker or obj is self._kind:
            super().save(self._by_name(obj))
        elif isinstance(obj, type):
            super().save(self._class(obj))
        elif isinstance(obj, FUNCTIONS) or hasattr(obj, "py_func"):
            super().save(self._function(obj))
        elif isinstance(obj, types.ModuleType):
            self._note(f"the module {obj.__name__}")
            super().save(("module", obj.__name__))
        elif isinstance(obj, types.MethodType):
            super().save(("method", obj.__func__, obj.__self__))
        elif dataclasses.is_dataclass(obj) and kind.__module__.startswith("repro."):
            self._holders.append("repro")
            super().save((self._by_name(kind), _values(obj)))
            self._holders.pop()
        elif isinstance(obj, np.ndarray) and kind not in (np.ndarray, np.memmap):
            before, self._kind = self._kind, kind
            super().save(("array", *obj.__reduce__()[1:]))  # more than its numbers, such as a mask
            super().save(self._by_name(kind))
            self._kind = before
        else:
            super().save(obj)

    def save_reduce(self, func: Any, args: Any, *others: Any, **named: Any) -> None:
        before = self._maker, self._kind
        self._maker, self._kind = func, type(named.get("obj"))
        holder = self._kind.__module__.partition(".")[0]
        if holder not in sys.stdlib_module_names:
            self._holders.append(holder)
        super().save_reduce(func, args, *others, **named)
        if holder not in sys.stdlib_module_names:
            self._holders.pop()
        self._maker, self._kind = before

    def save_set(self, items: Any) -> None:
        """Save a set in the order of the hashes of its items."""
        digests = []
        for item in items:
            inner = _Hasher(item)  # joblib's own would not look whose code the item has
            inner.modules, inner.tops, inner.whole = self.modules, self.tops, self.whole
            inner._holders = self._holders
            digests.append(inner.hash(item))
            self._note(inner.user_code)
        self.save((type(items).__name__, sorted(digests)))

    dispatch = NumpyHasher.dispatch | {set: save_set, frozenset: save_set}

    def save_global(self, obj: Any, name: str | None = None, **options: Any) -> None:
        """Save an object by the name that its class gives it."""
        if callable(obj):  # such as a function with a cache, or one of Cython
            return self.save(self._function(obj))
        module = pickle.whichmodule(obj, name or obj.__qualname__)  # type: ignore[attr-defined]
        self._from(module, f"{module}.{name}")
        super().save(("by name", module, str(name)))

    def memoize(self, obj: Any) -> None:
        # By value: whether equal constants are one object depends on the compiler.
        if not isinstance(obj, tuple):
            super().memoize(obj)

    def _batch_setitems(self, items: Any, *args: Any) -> None:
        # In order, since a loop over the items would show it; joblib would sort them by hash.
        pickle._Pickler._batch_setitems(self, items, *args)  # type: ignore[attr-defined]

    def _by_name(self, thing: Any) -> tuple[str, str, str]:
        """Module and name of a class, or of the function that makes an object."""
        module, name = str(thing.__module__), str(thing.__qualname__)
        if _named(module, name) is thing:
            self._from(module, f"{module}.{name}")
        else:
            self._note(f"{module}.{name}")
        return "by name", "" if self.user_code else module, name

    def _class(self, thing: Any) -> tuple[str, str, str]:
        """A class that an object holds as a value: it may be called, as a function.

        `shelve.Shelf` in a model of another package was put there by the user, and reads a file.
        """
        top = str(thing.__module__).partition(".")[0]
        is_plain = top in PLAIN_TYPES or thing is np.ndarray or issubclass(thing, np.generic)
        if not is_plain and self._holders and top not in self._holders[-1:]:
            self._note(f"the class {thing.__module__}.{thing.__qualname__}")
        return self._by_name(thing)

    def _function(self, thing: Any) -> tuple[Any, ...]:
        """A function by its name if this package, or that of the object that holds it, has it.

        Any other is user code: `numpy.load` in a model of another package was put there by the
        user, and may read a file. Alone it is identified, since nothing says what it would read.
        """
        module, name = str(thing.__module__), getattr(thing, "__qualname__", thing.__name__)
        is_known = module.partition(".")[0] in {"repro", *self._holders[-1:]} or thing is self.whole
        is_known = is_known or thing is copy.deepcopy  # what it copies is seen beside it
        if is_known and _named(module, name) is thing:
            self._from(module, f"the function {module}.{name}")
            return "function", module, name
        self._note(f"the function {module}.{name}")
        plain = getattr(thing, "py_func", thing)
        cells = [_content(cell) for cell in getattr(plain, "__closure__", None) or ()]
        defaults = getattr(plain, "__defaults__", None), getattr(plain, "__kwdefaults__", None)
        return "function", name, defaults, cells

    def _from(self, module: str, what: str) -> None:
        """Note that something is defined in `module`."""
        top, _, inside = module.partition(".")
        if top == "repro" and inside in sources.imported():
            self.modules.add(inside)
        elif top in sys.stdlib_module_names or module == NumpyHasher.__module__:
            pass
        elif is_installed(module):
            self.tops.add(top)
        else:
            self._note(what)

    def _note(self, what: str) -> None:
        self.user_code = self.user_code or what


def _values(thing: Any) -> list[Any]:
    """The fields of a dataclass, and what was put beside them, but not what it caches there."""
    kind = type(thing)
    names = [field.name for field in dataclasses.fields(kind)]
    beside = sorted(vars(thing).keys() - {*names}) if hasattr(thing, "__dict__") else []
    more = [n for n in beside if not isinstance(getattr(kind, n, None), functools.cached_property)]
    return [getattr(thing, name) for name in (*names, *more)] + more


@functools.cache
def _module(name: str) -> Any:
    return importlib.import_module(name)


def _named(module: str, name: str) -> Any:
    """What the installed or imported `module` has under `name`, with dots; None if nothing."""
    top, _, inside = module.partition(".")
    is_ours = top == "repro" and inside in sources.imported()
    if not is_ours and not is_installed(module):
        return None
    value: Any = _module(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return "empty"
