"""The page of published numbers beside ours, with the cause of each that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from pages.markup import badge, number, table, with_links
from pages.places import Place
from pages.verdicts import CHOSE_NONE, Notebook, kind_of
from repro.published.words import DIFFERS

__all__ = ["cells_page", "place_of_cell"]

TEXT = """\
# Numbers

Every published number beside ours ± its standard error. The *resolution* is the smallest difference
that could have been seen; a number *differs* if the difference exceeds it. Choose *differs* to see
the causes and where the notebook shows them. [What the counts say](docs/verdicts.md) has the rules.

"""
COLUMNS = {
    "Notebook": 'data-filter="notebook"',
    "Number": 'class="wide"',
    "Published": "",
    "Ours": "",
    "Difference": "",
    "Resolution": "",
    "Verdict": 'data-filter="verdict"',
    "Kind": 'data-filter="kind" data-by="kind"',
    "Cause": 'data-filter="cause" class="wide"',
}
#: The columns that say which number it is, before "published" in every file.
NOT_NAMES = ("kind", "decimals", "section")


def cells_page(notebooks: Sequence[Notebook]) -> str:
    """The page as Markdown."""
    return TEXT + table("table-of-numbers", COLUMNS, [row for n in notebooks for row in _rows(n)])


def place_of_cell(notebook: Notebook, row: Mapping[str, str]) -> list[Place]:
    """Where the notebook shows why a number differs: what the reason names, or all comparisons."""
    if row["verdict"] != DIFFERS:
        return []
    table_of_all = notebook.places.section("Published and reproduced")
    return notebook.places.named(row["reason"]) or ([table_of_all] if table_of_all else [])


def _rows(notebook: Notebook) -> Iterator[tuple[str, list[str]]]:
    for i, row in enumerate(notebook.cells):
        places = place_of_cell(notebook, row)
        cause = escape(row["reason"])
        yield (
            f"{notebook.path.name[:2]}-{i}",
            [
                f"<td>{escape(notebook.name)}</td>",
                f'<td class="wide">{escape(_name(row))}</td>',
                _value(row, "published", "published missed"),
                _value(row, "reproduced", "missed"),
                _value(row, "difference"),
                _value(row, "resolution"),
                f"<td>{badge(row['verdict'])}</td>",
                _kind(kind_of(row)),
                f'<td class="wide" data-cause="{cause}">{with_links(cause, places)}</td>',
            ],
        )


def _kind(kind: str) -> str:
    """How a number is counted; the usual kind is not said in each row."""
    return f'<td data-kind="{escape(kind)}">{escape(kind) if kind != CHOSE_NONE else ""}</td>'


def _name(row: Mapping[str, str]) -> str:
    """Which number it is: "Table 2, LED, MC, prequential"."""
    first = list(row)[: list(row).index("published")]
    names = [f"Table {row[c]}" if c == "table" else row[c] for c in first if c not in NOT_NAMES]
    section = f" (Section {row['section']})" if row.get("section") else ""
    return ", ".join(names) + section


def _value(row: Mapping[str, str], column: str, missed: str = "") -> str:
    """A number with its standard error and, for a delay, the runs that missed the change."""
    value = number(row[column])
    error = number(row.get("s.e.", ""), 2) if column == "reproduced" else ""
    shown = f"{value} ± {error}" if value and error not in ("", "0") else value
    n_missed = int(float(row.get(missed) or 0)) if missed else 0
    note = f"{n_missed} missed" if n_missed else ""
    text = " ".join(part for part in (shown, f"({note})" if shown and note else note) if part)
    return f'<td data-order="{row[column]}">{text}</td>'
