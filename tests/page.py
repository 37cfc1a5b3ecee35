"""Tables between the marks of a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd


def written(page: Path, tables: Mapping[str, pd.DataFrame], *, add: bool = False) -> None:
    """Put the tables into the page, each between its two marks; or `add` them to those there.

    So a campaign can be made in parts: numbers add up by the first column, and a table without
    numbers gets more rows.
    """
    text = page.read_text(encoding="utf-8")
    for name, part in tables.items():
        table = _together(table_in(page, name), part) if add else part
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"{page} must have the marks {begin} and {end}")
        lines = [
            "| " + " | ".join(row) + " |" for row in [list(table), ["---"] * len(table.columns)]
        ]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in table.itertuples(index=False)]
        text = f"{head}{begin}\n\n" + "\n".join(lines) + f"\n\n{end}{tail}"
    page.write_text(text, encoding="utf-8")


def _together(before: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    if before.empty or table.empty:
        return table if before.empty else before
    key, counts = table.columns[0], table.select_dtypes("number").columns
    if counts.empty:
        return pd.concat([before, table]).drop_duplicates()
    both = pd.concat([before.astype(dict.fromkeys(counts, int)), table])
    return both.groupby(key, sort=False)[list(counts)].sum().reset_index()


def table_in(page: Path, name: str) -> pd.DataFrame:
    """What stands between the marks of `name`, as texts; an empty frame for nothing."""
    text = page.read_text(encoding="utf-8")
    inside = text.partition(f"<!-- {name} -->")[2].partition(f"<!-- end of {name} -->")[0]
    rows = [line[2:-2].split(" | ") for line in inside.split("\n") if line.startswith("| ")]
    return pd.DataFrame(rows[2:], columns=rows[0]) if rows else pd.DataFrame()
