"""Mixtures in TOML files, with errors that name the field.

>>> text = '''
... name = "two"
... n = 1000
... [[classes]]
... name = "A"
...   [[classes.components]]
...   mean = [0, 0]
...   covariance = [2.5, 1.0]      # variances, or a matrix
...   rotation = 45                # degrees
...     [[classes.components.transforms]]
...     duration = 1000
...     translation = [10, 10]
... [[classes]]
... name = "B"
...   [[classes.components]]
...   mean = [5, 0]
...   covariance = [[2.0, 0.5], [0.5, 1.0]]
... '''
>>> read_mixture(text).sample(seed=3)
Stream('two', n=1000, n_features=2, n_classes=2)
>>> read_mixture(text.replace("duration", "durations"))
Traceback (most recent call last):
    ...
ValueError: classes[0].components[0].transforms[0].durations is not a field; did you mean duration?
"""

from __future__ import annotations

import difflib
import errno
import json
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from repro._checks import as_path, check_kind
from repro.streams.component import Component, Transform
from repro.streams.mixture import DriftingMixture, MixtureClass

__all__ = ["read_mixture", "write_mixture"]

#: For each kind of table: its fields that are lists of tables, and the kind of these tables.
CHILDREN: dict[type, dict[str, type]] = {
    DriftingMixture: {"classes": MixtureClass},
    MixtureClass: {"components": Component},
    Component: {"transforms": Transform},
    Transform: {},
}


def read_mixture(source: str | Path) -> DriftingMixture:
    """The mixture that a TOML file, or a TOML text with at least one line break, describes.

    Fields are those of `DriftingMixture`, `MixtureClass`, `Component` and `Transform`.
    Raises ValueError that names the field, such as ``classes[0].components[1].mean``; TypeError for
    a source of the wrong kind, OSError for a file that cannot be read.
    """
    is_text = isinstance(source, str) and "\n" in source
    where = "the text" if is_text else str(source)
    try:
        text = str(source) if is_text else as_path(source, name="source").read_text("utf-8")
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"source must be valid TOML; got {where}: {error}") from None
    except OSError as error:
        kind = ValueError if error.errno == errno.ENAMETOOLONG else type(error)
        raise kind(f"source must be a file that can be read; got {where[:200]}: {error}") from None
    if not is_text:
        table.setdefault("name", Path(source).stem)
    return _build(DriftingMixture, table, "")


def write_mixture(mixture: DriftingMixture) -> str:
    """The TOML text of `mixture`; `read_mixture` makes an equal mixture of it."""
    check_kind(mixture, DriftingMixture, name="mixture")
    return "\n".join(_lines(mixture, "", 0)) + "\n"


def _build(kind: type, table: Any, place: str) -> Any:
    if not isinstance(table, dict):
        raise ValueError(f"{place} must be a table; got {table!r}")
    by_name = {f.name: f for f in fields(kind)}
    prefix = f"{place}." if place else ""
    for name in table:
        if name not in by_name:
            near = difflib.get_close_matches(name, by_name, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(by_name)}"
            raise ValueError(f"{prefix}{name} is not a field; {hint}")
    for name, f in by_name.items():
        if name not in table and f.default is MISSING and f.default_factory is MISSING:
            raise ValueError(f"{prefix}{name} must be given; got no such field")
    values = {name: _value(kind, name, v, f"{prefix}{name}") for name, v in table.items()}
    return _located(lambda: kind(**values), place)


def _value(kind: type, name: str, value: Any, place: str) -> Any:
    child = CHILDREN[kind].get(name)
    if child is None:
        return _tuples(value)
    if not isinstance(value, list):
        raise ValueError(f"{place} must be a list of tables; got {value!r}")
    return tuple(_build(child, item, f"{place}[{i}]") for i, item in enumerate(value))


def _located(make: Callable[[], Any], place: str) -> Any:
    """Add `place` to an error message about a field. In a file every fault is a ValueError."""
    try:
        return make()
    except (TypeError, ValueError) as error:
        raise ValueError(f"{place}.{error}" if place else str(error)) from None


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, list) else value


def _lines(item: Any, place: str, depth: int) -> list[str]:
    pad, lines, tables = "  " * depth, [], []
    for f in fields(item):
        value = getattr(item, f.name)
        if f.name in CHILDREN[type(item)]:
            path = f"{place}.{f.name}" if place else f.name
            for child in value:
                tables += [f"{pad}[[{path}]]", *_lines(child, path, depth + 1)]
        elif value is not None and value != ():
            lines.append(f"{pad}{f.name} = {_literal(value)}")
    return lines + tables


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_literal(v) for v in value)}]"
    if isinstance(value, str):
        # TOML and JSON escape the same characters, except one.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
