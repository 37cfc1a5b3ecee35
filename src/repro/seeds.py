"""Independent random generators from one integer seed.

No other module of the library makes generators. Each random part of a task has a name, so its
random numbers do not depend on the other parts, their order or the number of processes.
"""

from __future__ import annotations

import random
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from repro._checks import check_count, shown

__all__ = ["generator", "integer", "shared_as_new", "spawn"]

_SHARED = threading.RLock()


def generator(seed: int, *names: str) -> np.random.Generator:
    """The generator of the part called `names`, for `seed`; the same on every machine.

    Different names (or different seeds) give independent streams of random numbers.

    >>> a, b = generator(7, "stream"), generator(7, "learner")
    >>> bool(a.random() == b.random()), bool(generator(7, "stream").random() == a.random())
    (False, False)
    >>> float(generator(7, "stream").random()) == float(generator(7, "stream").random())
    True
    """
    return np.random.default_rng(_sequence(seed, names))


def integer(seed: int, *names: str) -> int:
    """A 63-bit seed of the part called `names`, for models that take an integer."""
    return int(_sequence(seed, names).generate_state(1, np.uint64)[0] >> np.uint64(1))


def spawn(seed: int, n: int) -> list[np.random.Generator]:
    """`n` independent generators, the same for the same `seed` on every machine."""
    children = _sequence(seed, ()).spawn(check_count(n, name="n", most=sys.maxsize))
    return [np.random.default_rng(child) for child in children]


@contextmanager
def shared_as_new(seed: int = 0) -> Iterator[None]:
    """A block in which the generators that all of Python shares are seeded, and put back after it.

    This package draws from none of them; a model of another library may. Threads wait for each
    other: two in such a block would draw from one generator.
    """
    with _SHARED:
        before = random.getstate(), np.random.get_state()  # noqa: NPY002
        random.seed(seed)
        np.random.seed(seed)  # noqa: NPY002
        try:
            yield
        finally:
            random.setstate(before[0])
            np.random.set_state(before[1])  # noqa: NPY002


def _sequence(seed: int, names: tuple[str, ...]) -> np.random.SeedSequence:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"names must be texts; got {shown(name)}")
    # Two checksums of the name, 64 bits in total, so that names of the library do not collide.
    key = [
        f(name.encode("utf-8", "surrogatepass"))
        for name in names
        for f in (zlib.crc32, zlib.adler32)
    ]
    return np.random.SeedSequence(check_count(seed, name="seed", least=0), spawn_key=key)
