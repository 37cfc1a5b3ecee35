"""Places in the notebooks: which cell or section shows what, and the anchor of it on the site."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

__all__ = ["NOT_HOLDING", "NotebookPlaces", "Place", "anchors_of"]

#: The anchor of the paragraph that says what does not hold, and why.
NOT_HOLDING = "what-does-not-hold"

SECTION = re.compile(r"(\d+\.\d+)\s")
NAMED = re.compile(r"(Figure|Table)s?:?\s+(.*?)[.:]?$")
SEVERAL = re.compile(r",\s*|\s+and\s+|\s+to\s+")
TITLE = re.compile(r"#+\s*([^\n]*)|\*\*(.+?)\*\*|(What does not hold)", re.DOTALL)
INSIDE = re.compile(r"\*\*((?:Figure|Table)s? \d[^*]*)\*\*")


@dataclass(frozen=True)
class Place:
    """A place on the page of a notebook: what to call it, and its anchor."""

    label: str
    page: str
    anchor: str

    @property
    def address(self) -> str:
        """The address of this place, relative to the root of the site."""
        return f"{self.page}#{self.anchor}"


def anchors_of(text: str) -> list[str]:
    """The anchors that a title, or the bold words that begin a paragraph, give their place.

    >>> anchors_of("1.9 Where the description is silent")
    ['section-1-9']
    >>> anchors_of("Figures 4 and 5."), anchors_of("Figure: late labels.")
    (['figure-4', 'figure-5'], ['figure-late-labels'])
    >>> anchors_of("What does not hold, and why."), anchors_of("A table.")
    (['what-does-not-hold'], [])
    """
    if section := SECTION.match(text):
        return ["section-" + section[1].replace(".", "-")]
    if text.startswith("What does not hold"):
        return [NOT_HOLDING]
    if named := NAMED.match(text):
        kind, names = named[1].lower(), SEVERAL.split(named[2])
        return [f"{kind}-{_slug(name)}" for name in names]
    return []


@dataclass(frozen=True)
class NotebookPlaces:
    """The places of one notebook."""

    path: Path
    number: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", int(self.path.name[:2]))

    @property
    def page(self) -> str:
        """The address of the page, relative to the root of the site."""
        return f"notebooks/{self.path.stem}.html"

    @cached_property
    def title(self) -> str:
        """The title of the notebook, without its number."""
        first = next(text for kind, _, text in self._cells if kind == "markdown")
        return re.sub(r"^#\s*\d+\.\s*", "", first.splitlines()[0])

    @cached_property
    def anchors(self) -> set[str]:
        """All anchors that titles and captions give."""
        return {anchor for title in self._titles() for anchor in anchors_of(title)}

    @cached_property
    def captions(self) -> dict[str, str]:
        """The text of each figure's caption without its name, by anchor."""
        found: dict[str, str] = {}
        for paragraph in self._paragraphs():
            if (title := TITLE.match(paragraph)) and re.match("Fig.*[.]$", title[2] or ""):
                for anchor in anchors_of(title[2]):
                    found.setdefault(anchor, " ".join(paragraph[title.end() :].split()))
        return found

    def judging(self, keys: Iterable[str]) -> dict[str, Place]:
        """The cell that judges each claim: the last that has the claim's key as a literal.

        Claims that functions of the library judge have the cell that calls them.
        """
        wanted, found = set(keys), {}
        for kind, name, text in self._cells:
            if kind == "code":
                is_call = "judge_claims(" in text
                for key in wanted if is_call else _literals(text) & wanted:
                    found[key] = Place("judged here", self.page, name)
        return found

    def named(self, reason: str) -> list[Place]:
        """The places that a reason names: "Section 1.9", "see 3.3 and 3.10", "Figure 2"."""
        sections = rf"(?:see|Sections?|and|,|to|\()\s+(?=({self.number}\.\d+)\b(?! of the paper))"
        places = [Place(f"Section {name}", self.page, anchors_of(name + " ")[0])
                  for name in re.findall(sections, reason.replace("(", "( "))]  # fmt: skip
        for kind, name in re.findall(r"(Figure|Table) (\d+)\b(?! prints| of the paper)", reason):
            places.append(Place(f"{kind} {name}", self.page, f"{kind.lower()}-{name}"))
        return [place for place in dict.fromkeys(places) if place.anchor in self.anchors]

    def section(self, beginning: str) -> Place | None:
        """The section whose title begins so, after its number."""
        for title in self._titles():
            if (number := SECTION.match(title)) and title[number.end() :].startswith(beginning):
                return Place(f"Section {number[1]}", self.page, anchors_of(title)[0])
        return None

    @property
    def not_holding(self) -> Place | None:
        """The paragraph that says what does not hold, and why."""
        known = NOT_HOLDING in self.anchors
        return Place("What does not hold", self.page, NOT_HOLDING) if known else None

    def _titles(self) -> list[str]:
        """The titles of sections, the first words of paragraphs in bold, and names of figures."""
        paragraphs = self._paragraphs()
        found = [title for paragraph in paragraphs if (title := TITLE.match(paragraph))]
        inside = [name for paragraph in paragraphs for name in INSIDE.findall(paragraph)]
        return [title[1] or title[2] or title[3] for title in found] + inside

    def _paragraphs(self) -> list[str]:
        texts = [text for kind, _, text in self._cells if kind == "markdown"]
        return [part for text in texts for part in re.split(r"\n\s*\n", text)]

    @cached_property
    def _cells(self) -> list[tuple[str, str, str]]:
        """Kind, id and text of each cell."""
        cells = json.loads(self.path.read_text(encoding="utf-8"))["cells"]
        return [(c["cell_type"], c.get("id", ""), "".join(c["source"])) for c in cells]


def _literals(code: str) -> set[str]:
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:  # a cell with commands of IPython
        return set()
    texts = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return texts | {n.arg for n in nodes if isinstance(n, ast.keyword) and n.arg}


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
