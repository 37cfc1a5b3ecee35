"""Small pieces of HTML that several pages share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import quote

from pages.places import Place
from repro.published.words import AGREES, DIFFERS, DOES_NOT_HOLD, HOLDS, NOT_REFUTED

__all__ = ["badge", "bar", "links", "number", "raw", "table", "with_links"]

NO_NOTES: Mapping[str, str] = {}
OPEN = "open"
#: The look of a verdict; every other is open.
LOOKS = {AGREES: "good", HOLDS: "good", NOT_REFUTED: "fair", DIFFERS: "bad", DOES_NOT_HOLD: "bad"}


def raw(html: str) -> str:
    """Markdown that gives `html` as it is."""
    return f"```{{raw}} html\n{html}\n```\n"


def badge(verdict: str) -> str:
    """A verdict in its colour."""
    return f'<span class="verdict {LOOKS.get(verdict, OPEN)}">{escape(verdict)}</span>'


def bar(
    title: str,
    counts: Counter[str],
    words: Mapping[str, str],
    page: str,
    notes: Mapping[str, str] = NO_NOTES,
    **query: str,
) -> str:
    """Counts as a bar and in words, both with links to the rows that they count.

    `notes` say more of a verdict, behind its count.
    """
    present = sorted((word for word in words if counts[word]), key=_order)
    parts, names = [], []
    for word in present:
        n, look = counts[word], LOOKS.get(word, OPEN)
        name = escape(f"{n} {word if n == 1 else words[word]}")
        chosen = "&amp;".join(f"{k}={quote(v)}" for k, v in {**query, "verdict": word}.items())
        link = f'href="{page}?{chosen}"'
        parts.append(
            f'<a class="{look}" style="flex-grow:{n}" title="{name}" {link} tabindex="-1" '
            'aria-hidden="true"></a>'
        )
        note = f" ({escape(notes[word])})" if word in notes else ""
        names.append(f'<a class="{look}" {link}>{name}{note}</a>')
    return (
        f'<div class="counts"><p>{escape(title)}</p><div class="bar">{"".join(parts)}</div>'
        f"<p>{' '.join(names)}</p></div>"
    )


def _order(verdict: str) -> int:
    return ["good", "fair", OPEN, "bad"].index(LOOKS.get(verdict, OPEN))


def links(places: Iterable[Place]) -> str:
    """Links to places in notebooks."""
    return ", ".join(f'<a href="{p.address}">{escape(p.label)}</a>' for p in places)


def with_links(text: str, places: Iterable[Place]) -> str:
    """HTML whose names of places are links; places that it does not name follow it."""
    for place in places:
        link, name = links([place]), re.escape(place.label).replace("Section\\ ", "(?:Section )?")
        text, n = re.subn(rf"{name}(?!\d)", link, text, count=1)
        text = text if n else f"{text}{': ' * bool(text)}{link}"
    return text


def number(text: str, digits: int = 4) -> str:
    """A number of a file, shortened to so many digits; "" if there is none.

    >>> number("18444"), number("0.08250", 2), number("-1.0000"), number("")
    ('18444', '0.083', '-1', '')
    """
    if text in ("", "nan"):
        return ""
    value = float(text)
    return f"{value:.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"


def table(name: str, columns: Mapping[str, str], rows: Iterable[tuple[str, list[str]]]) -> str:
    """A table that can be searched, sorted and filtered.

    `columns` maps titles to attributes of the title: "data-filter" gives the column a menu. A row
    is its anchor and its cells, each with its ``<td>``.
    """
    head = "".join(f"<th {attributes}>{title}</th>" for title, attributes in columns.items())
    body = "\n".join(_row(anchor, cells, columns) for anchor, cells in rows)
    files = (
        '<link rel="stylesheet" href="_static/datatables.css">\n'
        '<script defer src="_static/datatables.js"></script>\n'
        '<script defer src="_static/tables.js"></script>'
    )
    return raw(
        f'{files}\n<div class="searchable"><table id="{name}" class="display compact">\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _row(anchor: str, cells: list[str], columns: Iterable[str]) -> str:
    """A row; its cells repeat the titles of their columns, for narrow screens."""
    pairs = zip(cells, columns, strict=True)
    labelled = [cell.replace("<td", f'<td data-label="{title}"', 1) for cell, title in pairs]
    return f'<tr id="{anchor}">{"".join(labelled)}</tr>'
