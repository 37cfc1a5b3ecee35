"""Things that have names: a read-only mapping whose error and text say which names there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from repro._checks import shown

__all__ = ["Named"]

Thing = TypeVar("Thing")


class Named(Mapping[str, Thing]):
    """Things by name, in their order."""

    def __init__(self, things: Mapping[str, Thing]) -> None:
        self._things = dict(things)

    def __getitem__(self, name: str) -> Thing:
        try:
            return self._things[name]
        except (KeyError, TypeError):  # a list, say, has no hash
            names = ", ".join(self)
            raise KeyError(f"name must be one of {names}; got {shown(name)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __or__(self, others: Mapping[str, Thing]) -> dict[str, Thing]:
        return {**self, **others}

    def __ror__(self, others: Mapping[str, Thing]) -> dict[str, Thing]:
        return {**others, **self}

    def __repr__(self) -> str:
        return f"<{', '.join(self)}>"
