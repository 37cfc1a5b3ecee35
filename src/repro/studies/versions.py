"""Versions that users give to code of their own, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from repro._checks import shown

__all__ = ["NO_KEYS", "as_keys"]

NO_KEYS: Mapping[str, str] = {}  #: no name has a version


def as_keys(keys: Any, kinds: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Return `keys`, versions of user code by name.

    `kinds` has the names that there are, of learners, of streams, ... Raises ValueError for another
    name, and for a version that is not a text with at least one letter or digit.
    """
    rule = 'keys must map names to versions of user code, such as {"mine": "v3"}'
    if not isinstance(keys, Mapping):
        raise ValueError(f"{rule}; got {shown(keys)}")
    names = {name for part in kinds.values() for name in part}
    for name, version in keys.items():
        if name not in names:
            raise ValueError(f"keys must be names of {' or '.join(kinds)}; got {shown(name)}")
        if not isinstance(version, str) or not version.strip():
            raise ValueError(f"{rule}; got {shown(version)} for {name!r}")
    return dict(keys)
