"""A report as one HTML page, with everything in it: tables, pictures and colours of verdicts."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure
from PIL import Image

from repro.judge._report.cells import columns_of
from repro.judge.section import Section

__all__ = ["Picture", "fragment", "page", "png", "table", "tone"]

STYLE = Path(__file__).with_name("report.css")
HERE = Path(__file__).with_name("report.html")

# In JupyterLab, whose own style has the rest.
FRAGMENT_STYLE = """\
<style>
.repro-report p { max-width: 60rem; }
.repro-report td, .repro-report th { text-align: left; white-space: normal; }
.repro-report .n { text-align: right; white-space: nowrap; }
.repro-report .good { color: #1a7f4b; }
.repro-report .bad { color: #c2372e; }
.repro-report .open { color: #8a6100; }
.repro-report td.verdict { font-weight: 600; }
</style>"""

LEAST_LISTED = 4  # sections that get a table of contents
MOST_ROWS, FIRST_ROWS = 40, 20  # a table of more rows shows so many of them
MANY = 7  # columns; a table with more is printed in small type
WIDE = 700  # pixels; a wider figure is not made as small as a phone
CODE = "How this was made"

DPI = 160  # of a printer's page as wide as a figure
COLORS = 256
SHOWN = 100  # pixels of a page for an inch, so that texts in figures are as large as others
GOOD = {"yes", "better", "best", "enough", "holds", "real"}
BAD = {"no", "fails", "failed", "persistence", "worse", "worst"}
OPEN = {"cannot", "mixed", "not", "partly", "too", "unclear", "undecided", "unknown"}


def page(
    title: str,
    summary: str,
    parts: Sequence[Section],
    code: Mapping[str, str],
    made: Mapping[str, str],
) -> str:
    """The page: title and summary, the `parts`, and what `made` them, in `code` and in words."""
    made_part = f'<section id="made">\n<h2>{CODE}</h2>\n{_code(code)}{_list(made)}</section>'
    listed = [(part.name, part.title) for part in parts] + [("made", CODE)]
    filled = {
        "title": escape(title),
        "style": STYLE.read_text("utf-8").strip(),
        "summary": _paragraphs(summary),
        "contents": _contents(listed) if len(parts) >= LEAST_LISTED else "",
        "parts": "\n".join(map(_section, parts)),
        "made": made_part,
    }
    return re.sub(r"\{\{([a-z]+)\}\}", lambda match: filled[match[1]], HERE.read_text("utf-8"))


def fragment(title: str, summary: str, parts: Sequence[Section]) -> str:
    """Title, summary and tables of `parts`, without figures, for a notebook."""
    body = [f"<h3>{escape(title)}</h3>", _paragraphs(summary)]
    for part in parts:
        if part.table is not None:
            body.append(f"<h4>{escape(part.title)}</h4>\n{table(part.table)}")
    return f'{FRAGMENT_STYLE}\n<div class="repro-report">\n' + "\n".join(body) + "\n</div>"


def _section(part: Section) -> str:
    lines = [f'<section id="{part.name}">', f"<h2>{escape(part.title)}</h2>"]
    if part.text.strip():
        lines.append(_paragraphs(part.text))
    if part.figure is not None:
        lines.append(_figure(part.figure, part.alt or part.title))
    if part.table is not None:
        lines.append(table(part.table, part.title))
    return "\n".join([*lines, "</section>"])


def _figure(figure: Figure, alt: str) -> str:
    """The picture of `figure`; one of several panels scrolls on a phone, as tables do."""
    picture = png(figure)
    size = f'width="{picture.width}" height="{picture.height}"'
    image = f'<img src="data:image/png;base64,{picture.data}" {size} alt="{escape(alt)}">'
    wide = ' class="wide" tabindex="0"' if picture.width > WIDE else ""
    return f"<figure{wide}>{image}</figure>"


def _paragraphs(text: str) -> str:
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    return "\n".join(f"<p>{escape(part)}</p>" for part in parts)


def table(frame: pd.DataFrame, label: str = "") -> str:
    """The rows of `frame`; wider than a phone it scrolls, so a keyboard must reach it.

    Of a long one the first rows are seen, and the others when the reader asks for them.
    """
    columns = columns_of(frame)
    kinds = [' class="n"' if column.is_number else "" for column in columns]
    heads = zip(kinds, columns, strict=True)
    head = "".join(f'<th scope="col"{kind}>{escape(c.name)}</th>' for kind, c in heads)
    rows = []
    for cells in zip(*(column.cells for column in columns), strict=True):
        tds = [
            _verdict(cell) if column.name == "verdict" else f"<td{kind}>{escape(cell)}</td>"
            for kind, column, cell in zip(kinds, columns, cells, strict=True)
        ]
        rows.append(f"<tr>{''.join(tds)}</tr>")
    many = ' class="many"' if len(columns) > MANY else ""
    head = f"<table{many}>\n<thead><tr>{head}</tr></thead>\n"
    if not label or len(rows) <= MOST_ROWS:
        return _region(head, rows, label)
    rest = _region(head, rows[FIRST_ROWS:], f"{label}, the other rows")
    more = f"<details><summary>{len(rows) - FIRST_ROWS} more rows</summary>\n{rest}</details>"
    return f"{_region(head, rows[:FIRST_ROWS], label)}\n{more}"


def _region(head: str, rows: list[str], name: str) -> str:
    region = f' role="region" tabindex="0" aria-label="{escape(name)}"' if name else ""
    body = "\n".join(rows)
    return f'<div class="scroll"{region}>{head}<tbody>\n{body}\n</tbody>\n</table></div>'


def _verdict(cell: str) -> str:
    return f'<td class="verdict {tone(cell)}"><span>{escape(cell)}</span></td>'


def _contents(listed: Sequence[tuple[str, str]]) -> str:
    links = "\n".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in listed)
    return f'<nav aria-label="Contents">\n<ul>\n{links}\n</ul>\n</nav>'


def _code(code: Mapping[str, str]) -> str:
    texts = (f"<h3>{escape(k)}</h3>\n<pre><code>{escape(v)}</code></pre>" for k, v in code.items())
    return "\n".join(texts) + "\n"


def _list(made: Mapping[str, str]) -> str:
    pairs = "\n".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in made.items())
    return f"<dl>\n{pairs}\n</dl>\n"


class Picture(NamedTuple):
    """A picture in base 64, and its size on a page, in pixels of the page."""

    data: str
    width: int
    height: int


def png(figure: Figure) -> Picture:
    """`figure` on white as a PNG picture with 256 colours."""
    drawn, small = io.BytesIO(), io.BytesIO()
    # Without a version of matplotlib inside, and as large as what is drawn in it.
    figure.savefig(
        drawn, format="png", dpi=DPI, bbox_inches="tight", facecolor="white",
        metadata={"Software": None},
    )  # fmt: skip
    with Image.open(drawn) as image:
        reduced = image.convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
    reduced.save(small, format="PNG", optimize=True)
    width, height = (round(n * SHOWN / DPI) for n in reduced.size)
    return Picture(base64.b64encode(small.getvalue()).decode("ascii"), width, height)


def tone(verdict: str) -> str:
    """``good``, ``bad`` or ``open`` by the first word of `verdict`; empty if it says neither.

    Where "yes" is no good news, as in "Is there drift?", another word says more: "drift at 2000".

    >>> tone("yes"), tone("No: 3 of 9"), tone("undecided"), tone("NB")
    ('good', 'bad', 'open', '')
    """
    words = verdict.lower().split()
    first = words[0].strip(".,:;!?()") if words else ""
    for name, tone_words in {"good": GOOD, "bad": BAD, "open": OPEN}.items():
        if first in tone_words:
            return name
    return ""
