"""The front page: what this is, three ways in, and the verdicts of every paper with a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

import yaml

from pages.markup import bar, links, number, raw
from pages.verdicts import CHOSE_NONE, Notebook, is_explained
from repro.published.words import CELLS, CLAIMS, DIFFERS

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
{explained}

{story}
::::{{container}} ways
:::{{container}} way
**[Check a number](cells.md)**

Search the [published numbers](cells.md) and the [claims](claims.md); see what differs, and why.
Run the [notebooks](notebooks/01_testbed.ipynb) yourself with [one command](README.md).
:::
:::{{container}} way
**[Judge a learner](docs/judging.md)**

Bring a learner, a drift detector, a stream or a log of predictions. A report compares it with
[those of the papers](docs/learners.md) and with the best that is possible, and says what it cannot
tell. The [reference](reference/index.rst) defines each measure; the [league](docs/league.md) ranks.
:::
:::{{container}} way
**[Teach]({teach})**

{teaching}
:::
:::{{container}} way
**[Play a stream](explore.md)**

Move the sliders of the explorer: what each estimator, detector and measure makes of a drift, and of
labels that come late.
:::
::::

## Start

In a copy of the project, with Python 3.11 or newer, pip and make:

```sh
make figures PROFILE=quick   # every table and figure from fewer runs, in minutes
make lab                     # read and run the notebooks, on copies
pip install .                # the library alone
```

[How to use it](README.md) has the rest, also for a machine without make.

*repro* {version} is made by {authors} and free under the licence {licence}:
[how to cite](cite.md) it and the papers, [what changed](CHANGELOG.md),
[how to contribute](CONTRIBUTING.md).

## Six notebooks, five papers

::::::{{container}} papers
"""
STORY = """\
<p><strong>Start with one number that is wrong.</strong> {paper} print {published} for the
{quantity}. It is {ours}: {cause} ({place}).</p>
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
    """The page as Markdown; `root` has the figures and CITATION.cff."""
    has_exercises = (root / "docs" / "teaching.md").is_file()
    text = TEXT.format(
        totals=raw("\n".join(_totals(notebooks))),
        explained=_explained(notebooks),
        story=_story(notebooks),
        **_about(root),
        teach="docs/teaching.md" if has_exercises else "notebooks/05_permutations.ipynb",
        teaching=EXERCISES if has_exercises else NOTEBOOKS,
    )
    return text + "".join(_card(notebook, root) for notebook in notebooks) + "::::::\n\n"


def _totals(notebooks: Sequence[Notebook]) -> Iterator[str]:
    cells: Counter[str] = sum((n.counts_of_cells for n in notebooks), Counter())
    claims: Counter[str] = sum((n.counts_of_claims for n in notebooks), Counter())
    yield _bar_of_cells(cells, notebooks)
    yield bar(f"{sum(claims.values())} claims", claims, CLAIMS, "claims.html")


def _explained(notebooks: Sequence[Notebook]) -> str:
    """Of the numbers in the bar that differ, how many have a known cause."""
    causes = _causes(notebooks)
    known = f"Of the {causes.total()} numbers that differ, {causes[True]} are explained."
    left = f" Beside the other {causes[False]} stands what was tried and excluded."
    return known + left * bool(causes[False])


def _causes(notebooks: Sequence[Notebook]) -> Counter[bool]:
    return Counter(is_explained(row) for n in notebooks for row in n.held_out_that_differ)


def _story(notebooks: Sequence[Notebook]) -> str:
    """One number that differs, with its cause: the exact one, which needs no run."""
    for notebook in notebooks:
        for row in notebook.held_out_that_differ:
            if is_explained(row) and float(row.get("s.e.") or 1) == 0 and "quantity" in row:
                words = {name: escape(row[name]) for name in ("quantity", "published")}
                cause = escape(row["reason"].partition(": ")[2] or row["reason"])
                place = links(notebook.places.named(row["reason"])) or escape(notebook.name)
                paper, ours = escape(notebook.paper), number(row["reproduced"])
                story = STORY.format(**words, paper=paper, ours=ours, cause=cause, place=place)
                return raw(story)
    return ""


def _about(root: Path) -> dict[str, str]:
    """Who made it, the version and the licence, from CITATION.cff."""
    about = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    authors = [a.get("name") or f"{a['given-names']} {a['family-names']}" for a in about["authors"]]
    names = " and ".join(filter(None, (", ".join(authors[:-1]), authors[-1])))
    return {"authors": names, "licence": about["license"], "version": str(about["version"])}


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
        yield raw(_bar_of_cells(cells, [notebook], notebook=notebook.name))
    if claims:
        title = f"{sum(claims.values())} claims of {notebook.paper}"
        yield raw(bar(title, claims, CLAIMS, "claims.html", notebook=notebook.name))


def _bar_of_cells(cells: Counter[str], of: Sequence[Notebook], **query: str) -> str:
    """Verdicts on numbers that chose no setting, with links to these numbers."""
    title = f"{sum(cells.values())} published numbers that {CHOSE_NONE}"
    notes = {DIFFERS: f"{_causes(of)[True]} of them explained"} if cells[DIFFERS] else {}
    return bar(title, cells, CELLS, "cells.html", notes, kind=CHOSE_NONE, **query)


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
