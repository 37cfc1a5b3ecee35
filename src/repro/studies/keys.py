"""Keys of stored results: hashes of all that decides a result, and no more.

A key covers the values of the parts of a task, the code of this package that they reach (see
`repro.studies.code`), and the packages that this code or their classes come from. A task has no key
if a part of it is user code without a version, or if the code in memory is not that of the files.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable
from functools import cache, cached_property
from threading import Event
from typing import Any, NamedTuple

from repro.kernels.sources import Unidentified, check_unchanged
from repro.studies import code, installed
from repro.studies.identity import Identity, identify
from repro.studies.memory import check_replaced
from repro.studies.task import Part, Task

__all__ = ["USER_CODE_RAN", "Key", "Keys", "Reach", "package_digest", "reach_of"]

#: Set when a task with user code ran in this process. It may have patched what all code computes
#: with; to look at that takes 30 ms, too long for each of ten thousand tasks.
USER_CODE_RAN = Event()

# What all code computes with.
BELOW = {"numpy", "scipy", "builtins", "math", "cmath", "random", "_random", "collections", "copy"}
BELOW |= {"itertools", "functools", "operator", "heapq", "bisect", "statistics", "fractions"}


class Reach(NamedTuple):
    """The code behind a result."""

    modules: tuple[str, ...]  #: of this package
    tops: frozenset[str]  #: top-level names of the installed packages of its classes
    is_whole: bool  #: whether the modules are all, since user code may reach any
    digest: str  #: of the modules, and of the packages that they and the classes come from

    def check(self) -> None:
        """Raise `Unidentified` unless the code in memory is that of the files."""
        check_unchanged(self.modules)
        if self.tops:
            installed.check_files(self.tops)
        check_replaced(self.modules, self.tops)
        if USER_CODE_RAN.is_set():
            check_replaced((), BELOW)

    def is_unchanged(self) -> bool:
        """Whether `check` raises nothing."""
        try:
            self.check()
        except Unidentified:
            return False
        return True

    def is_here(self) -> bool:
        """Whether this process, a worker, has the code of the sender, unchanged."""
        here = reach_of(self.modules, self.tops, self.is_whole)
        return here.digest == self.digest and self.is_unchanged()


class Key(NamedTuple):
    """The key of a task's result, and the code behind it; no text where it is not stored."""

    text: str = ""
    reach: Reach | None = None


class Keys:
    """The keys of many tasks, which have parts in common."""

    def __init__(self) -> None:
        #: Why results are not stored, one line for each part.
        self.notes: dict[str, None] = {}
        self._identities: dict[int, tuple[Any, Identity]] = {}  # and the thing, as in _shared
        self._reaches: dict[Any, Reach | None] = {}
        self._shared: dict[Any, tuple[Any, Any, Reach | None]] = {}

    def of(self, task: Task) -> Key:
        """The key of `task`."""
        texts = [_text(part) for part in task.parts]
        others = [part for part, text in zip(task.parts, texts, strict=True) if not text]
        # Tasks that differ only in a number, such as the seed, share all that takes time.
        case = (id(task.function), *map(id, others))
        if case not in self._shared:
            kept = task.function, others  # a thing has its id as long as kept
            self._shared[case] = kept, *self._of_parts([_function(task), *others])
        _, digest, reach = self._shared[case]
        if reach is None:
            return Key()
        digest = digest.copy()
        digest.update(repr(texts).encode())
        return Key(digest.hexdigest()[:40], reach)

    def _of_parts(self, parts: list[Part]) -> tuple[Any, Reach | None]:
        """What the key of a task with these parts says of them; no reach where it has no key."""
        pairs = [(part, self._of_part(part)) for part in parts]
        unknown = [part for part, identity in pairs if self._note(part, identity)]
        if unknown:
            return None, None
        roots = frozenset().union(*(identity.modules for _, identity in pairs))
        tops = frozenset().union(*(identity.tops for _, identity in pairs))
        has_user_code = any(identity.user_code for _, identity in pairs)
        reach = self._reach(roots, tops - {"numpy"}, has_user_code)
        if reach is None:
            return None, None
        # What the user named counts by version, and by its settings.
        values = [(part.name if part.version else "", part.version, i.digest) for part, i in pairs]
        return hashlib.sha256(repr((reach.digest, values)).encode()), reach

    @cached_property
    def _below(self) -> str:
        """Why what all code computes with is not as in a fresh Python; "" if it is."""
        try:
            check_replaced((), BELOW)
        except Unidentified as reason:
            return str(reason)
        return ""

    def _of_part(self, part: Part) -> Identity:
        identity = self._identity(part.thing)
        if part.source is None or identity.user_code:
            return identity
        return identity._replace(user_code=self._identity(part.source).user_code)

    def _identity(self, thing: Any) -> Identity:
        if id(thing) not in self._identities:
            self._identities[id(thing)] = thing, identify(thing)
        return self._identities[id(thing)][1]

    def _note(self, part: Part, identity: Identity) -> bool:
        """Whether a part forbids a key; `notes` then say why."""
        if identity.digest and (part.version or not identity.user_code):
            return False
        what = f"{part.name or 'a part'} has user code, {identity.user_code}"
        unless = "" if part.version else " unless keys name its version"
        self.notes[f"{what}, and runs each time{unless}"] = None
        return True

    def _reach(self, roots: frozenset[str], tops: frozenset[str], whole: bool) -> Reach | None:
        """The checked reach of `roots`; of the `whole` package, which user code may reach."""
        case = roots, tops, whole
        if case not in self._reaches:
            modules = code.loaded().sources if whole else _reached(roots)
            reach = reach_of(modules, tops, whole)
            self._reaches[case] = reach
            try:
                if self._below:
                    raise Unidentified(self._below)
                reach.check()
            except Unidentified as reason:
                self.notes[f"{reason}; results are not stored"] = None
                self._reaches[case] = None
        return self._reaches[case]


def reach_of(modules: Iterable[str], tops: frozenset[str], whole: bool = False) -> Reach:
    """The code of the `modules` and of installed packages, as this process has it."""
    listed = tuple(sorted(modules))
    digest, outside = _meaning(listed)
    parts = [digest, *installed.versions(outside), platform.machine()]
    if tops or whole:
        parts.append(installed.environment())
    return Reach(listed, tops, whole, hashlib.sha256("\n".join(parts).encode()).hexdigest())


@cache
def _reached(roots: frozenset[str]) -> tuple[str, ...]:
    """The modules that `roots` reach, in the code as it was imported, which does not change."""
    return code.loaded().reached(roots)


@cache
def _meaning(modules: tuple[str, ...]) -> tuple[str, frozenset[str]]:
    """What the `modules` do, as a hash, and the other packages that they import."""
    return code.loaded().digest(modules), code.loaded().outside(modules)


def package_digest() -> str:
    """Hash of all sources of this package, as they were imported, and of all installed packages."""
    digest = hashlib.sha256(installed.environment().encode())
    for name, source in code.loaded().sources.items():
        digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()


def _text(part: Part) -> str:
    """All that a number or a text is; "" of another part."""
    if part.version or part.source is not None:
        return ""
    kind = type(part.thing)
    return hex(part.thing) if kind is int else repr(part.thing) if kind is str else ""


def _function(task: Task) -> Part:
    return Part(f"the function {task.function.__qualname__}", task.function)
