"""Tables between the marks of a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd


def written(page: Path, tables: Mapping[str, pd.DataFrame]) -> None:
    """Put the tables into the page, each between its two marks."""
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
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
