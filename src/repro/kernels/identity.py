"""Identity of a thing as one hash: its class, code, settings and state.

joblib hashes values, but functions and classes by their names only. Here a function or a class of
yours counts by its code, as `repro.kernels.parts` describes it, and everything that it uses counts
in turn. Code of this package, of Python and of installed packages counts by version and source,
see `repro.kernels.sources`.
"""

from __future__ import annotations

import pickle
import weakref
from typing import Any

from joblib.hashing import NumpyHasher
from numba.core.dispatcher import Dispatcher

from repro.kernels.parts import Hasher, Identity, parts
from repro.kernels.sources import Unidentified, origin

__all__ = ["Identity", "identify", "identity", "record_compiled"]


def identity(thing: Any) -> str:
    """Hash of everything that decides the behaviour of `thing`; the same in every process.

    Raises `Unidentified` if that is uncertain: an object that cannot be pickled, code that reads
    files or environment variables, a compiled function whose helpers or constants changed since
    it was compiled.
    """
    return identify(thing).digest


def identify(thing: Any) -> Identity:
    """The `identity` of `thing`, and whether it covers code of yours."""
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
    """joblib's hasher, given the parts of a function or class in place of its name."""

    def __init__(self) -> None:
        super().__init__(hash_name="sha1", coerce_mmap=True)
        self.has_code_of_yours = False
        self._met: dict[int, int] = {}
        self._kept: list[Any] = []  # an id is unique as long as its object lives

    def save(self, obj: Any) -> None:
        found = parts(obj, self)
        super().save(obj if found is None else found)

    def memoize(self, obj: Any) -> None:
        # By value: whether equal constants are one object depends on the compiler.
        if not isinstance(obj, tuple):
            super().memoize(obj)

    def save_global(self, obj: Any, name: str | None = None, **options: Any) -> None:
        module = pickle.whichmodule(obj, name or obj.__qualname__)  # type: ignore[attr-defined]
        if origin(module) is None:
            raise Unidentified(f"{name or obj!r} is pickled by its name only")
        super().save(("by name", origin(module), module, str(name)))

    def _batch_setitems(self, items: Any, *args: Any) -> None:
        # In order, since a loop over the items would show it; joblib would sort them by hash.
        pickle._Pickler._batch_setitems(self, items, *args)  # type: ignore[attr-defined]

    def first(self, thing: Any) -> int | None:
        """None the first time, and afterwards the number that `thing` got then."""
        if id(thing) in self._met:
            return self._met[id(thing)]
        self._met[id(thing)] = len(self._met)
        self._kept.append(thing)
        return None

    def identify(self, thing: Any) -> Identity:
        """The identity of a part that is hashed by itself."""
        return identify(thing)


_compiled_as: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
_described: set[int] = set()  # dispatchers being described: one may call itself


@parts.register(Dispatcher)
def _dispatcher(thing: Any, hasher: Hasher) -> tuple[Any, ...]:
    """A function compiled by numba, with the helpers and constants of the time it compiled."""
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


def record_compiled(dispatcher: Any) -> None:
    """Record what a function of yours is compiled from, since numba does not look again."""
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
