"""What was made of each column, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from repro.data_sets.description import ColumnUse
from repro.streams._column_plan import Attribute
from repro.streams._column_rules import ColumnRules

__all__ = ["counted", "use_of_attribute", "use_of_label", "use_of_time", "why_dropped"]

MOST_SHOWN = 10  # values in a sentence


def why_dropped(column: NDArray[np.float64], attribute: Attribute, rules: ColumnRules) -> str:
    """The reason to leave out an attribute with these values or codes; empty if it is kept."""
    if attribute.codes is not None and attribute.codes.is_full:
        return f"more than {attribute.codes.most} different values, as identifiers have"
    known = column[~np.isnan(column)]
    if not len(known):
        return "no value"
    says_missing = attribute.codes is not None and rules.missing == "own"
    says_missing = says_missing and len(known) < len(column)
    return "one value only" if known.min() == known.max() and not says_missing else ""


def use_of_label(label: str, names: Sequence[str]) -> ColumnUse:
    """The use of the label."""
    return ColumnUse(label, "label", f"{len(names)} classes: {_shown(names)}", tuple(names))


def use_of_time(time: str | None) -> list[ColumnUse]:
    """The use of the time, if there is one."""
    return [] if time is None else [ColumnUse(time, "time", "the order of the rows")]


def use_of_attribute(
    attribute: Attribute, values: tuple[str, ...], n_missing: int, rules: ColumnRules
) -> ColumnUse:
    """The use of an attribute; `values` is empty if it is numeric."""
    kind = "nominal" if attribute.codes else "number"
    said = [attribute.origin, f"{len(values)} values: {_shown(values)}" if values else ""]
    if n_missing:
        own = attribute.codes is not None and rules.missing == "own"
        how = "a value of their own" if own else "replaced by the last one known"
        said.append(f"{n_missing} missing: {how}")
    return ColumnUse(attribute.name, kind, "; ".join(filter(None, said)) or "as it is", values)


def counted(count: int, what: str) -> str:
    """``2 rows without a label left out``; empty for none."""
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"{rows} {what} left out" if count else ""


def _shown(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_SHOWN]) + (" ..." if len(names) > MOST_SHOWN else "")
