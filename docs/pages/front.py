"""The front page: what this is, three ways in, and the verdicts of every paper with a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pages.markup import bar, raw
from pages.verdicts import CHOSE_NONE, Notebook
from repro.published.words import CELLS, CLAIMS

__all__ = ["FIGURES", "front_page"]

#: The figure that shows best what a notebook is about, and its anchor; another notebook shows none.
FIGURES = {
    "01": ("figures/01_figure_2.png", "figure-2"),
    "02": ("figures/02_figure_6.png", "figure-6"),
    "03": ("figures/03_figure_agreement.png", "figure-agreement"),
    "04": ("figures/04_figure_3.png", "figure-3"),
    "05": ("figures/05_figure_winner.png", "figure-the-winner"),
    "06": ("figures/06_figure_8.png", "figure-8"),
}

TEXT = """\
---
hide-toc: true
---

# How to evaluate learners that learn from streams

Five papers about evaluation under drift, computed again number by number. Every published number
stands beside ours, every sentence that can be tested is tested, and every verdict leads to the cell
that shows it.

{totals}
::::{{container}} ways
:::{{container}} way
**[Check a number](cells.md)**

Search the [published numbers](cells.md) and the [claims](claims.md); see what differs, and why.
Run the [notebooks](notebooks/01_testbed.ipynb) yourself with [one command](README.md).
:::
:::{{container}} way
**[Judge a learner](README.md#use)**

Bring a learner or a drift detector and compare it with [those of the papers](docs/learners.md) and
with the best that is possible. The [reference](reference/index.rst) defines every measure.
:::
:::{{container}} way
**[Teach]({teach})**

{teaching}
:::
::::

## Six notebooks, five papers

::::::{{container}} papers
"""
CARD = """\
:::::{{container}} paper
**[{title}]({link})**

{bars}
{figure}
:::::

"""
EXERCISES = """\
[Exercises](docs/teaching.md) with checks that say what is wrong, hidden tests and points, on the
questions of the papers: which estimate, which test, which baseline."""
NOTEBOOKS = """\
Each notebook asks a question, derives the measure, shows it on streams whose truth is known, and
ends with advice to an evaluator."""


def front_page(notebooks: Sequence[Notebook], root: Path) -> str:
    """The page as Markdown; `root` has the figures."""
    has_exercises = (root / "docs" / "teaching.md").is_file()
    text = TEXT.format(
        totals=raw("\n".join(_totals(notebooks))),
        teach="docs/teaching.md" if has_exercises else "notebooks/05_permutations.ipynb",
        teaching=EXERCISES if has_exercises else NOTEBOOKS,
    )
    return text + "".join(_card(notebook, root) for notebook in notebooks) + "::::::\n\n"


def _totals(notebooks: Sequence[Notebook]) -> Iterator[str]:
    cells: Counter[str] = sum((n.counts_of_cells for n in notebooks), Counter())
    claims: Counter[str] = sum((n.counts_of_claims for n in notebooks), Counter())
    yield _bar_of_cells(cells)
    yield bar(f"{sum(claims.values())} claims", claims, CLAIMS, "claims.html")


def _card(notebook: Notebook, root: Path) -> str:
    return CARD.format(
        title=f"{notebook.places.number}. {notebook.places.title}",
        link=f"notebooks/{notebook.path.name}",
        bars="\n".join(_bars(notebook)),
        figure=_figure(notebook, root),
    )


def _bars(notebook: Notebook) -> Iterator[str]:
    cells, claims = notebook.counts_of_cells, notebook.counts_of_claims
    if cells:
        yield raw(_bar_of_cells(cells, notebook=notebook.name))
    if claims:
        title = f"{sum(claims.values())} claims of {notebook.paper}"
        yield raw(bar(title, claims, CLAIMS, "claims.html", notebook=notebook.name))


def _bar_of_cells(cells: Counter[str], **query: str) -> str:
    """Verdicts on numbers that chose no setting, with links to these numbers."""
    title = f"{sum(cells.values())} published numbers that {CHOSE_NONE}"
    return bar(title, cells, CELLS, "cells.html", kind=CHOSE_NONE, **query)


def _figure(notebook: Notebook, root: Path) -> str:
    """The figure with the first sentence of its caption."""
    path, anchor = FIGURES.get(notebook.path.name[:2], ("", ""))
    caption = notebook.places.captions.get(anchor)
    if caption is None or not (root / path).is_file():
        return ""
    first = caption.partition(". ")[0].rstrip(".")
    link = f"{notebook.places.page}#{anchor}"
    return (
        f"```{{image}} {path}\n:alt: {first}\n:target: {link}\n:loading: lazy\n```\n\n"
        f":::{{container}} caption\n{first}.\n:::\n"
    )
