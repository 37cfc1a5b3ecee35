"""The page "How to cite", from CITATION.cff."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import yaml

__all__ = ["cite_page"]

TEXT = """\
# How to cite

Cite the software, and the paper whose methods you used.

"""


def cite_page(root: Path) -> str:
    """The page as Markdown: each work as a reference and as BibTeX."""
    software = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    works = [software, *software["references"]]
    return TEXT + "\n".join(f"{_reference(work)}\n\n{_bibtex(work)}" for work in works)


def _reference(work: dict[str, Any]) -> str:
    authors = [" ".join(filter(None, (a.get("given-names"), _family(a)))) for a in work["authors"]]
    names = " and ".join(filter(None, (", ".join(authors[:-1]), authors[-1])))
    year = f" ({work['year']})" if "year" in work else f", version {work['version']}"
    place = work.get("journal") or work.get("collection-title")
    where = f" *{place}*" if place else ""
    if "volume" in work:
        where += f" {work['volume']}({work['issue']}), {work['start']}–{work['end']}"
    return f"**{names}{year}.** {work['title']}.{where}{'.' if where else ''}{_link(work)}"


def _link(work: dict[str, Any]) -> str:
    if doi := work.get("doi"):
        return f" [doi:{doi}](https://doi.org/{doi})"
    for identifier in work.get("identifiers", ()):
        if identifier["value"].startswith("arXiv:"):
            number = identifier["value"].removeprefix("arXiv:")
            return f" [arXiv:{number}](https://arxiv.org/abs/{number})"
    return ""


def _bibtex(work: dict[str, Any]) -> str:
    kinds = {"article": "article", "conference-paper": "inproceedings"}
    kind = kinds.get(work["type"], "misc")
    people = " and ".join(
        f"{_family(a)}, {a['given-names']}" if "given-names" in a else f"{{{_family(a)}}}"
        for a in work["authors"]
    )
    fields = {
        "author": people,
        "title": f"{{{work['title']}}}",
        "journal": work.get("journal"),
        "booktitle": work.get("collection-title"),
        "volume": work.get("volume"),
        "number": work.get("issue"),
        "pages": f"{work['start']}--{work['end']}" if "start" in work else None,
        "year": work.get("year"),
        "doi": work.get("doi"),
        "note": f"Version {work['version']}" if "version" in work else None,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"```bibtex\n@{kind}{{{_key(work)},\n{lines}}}\n```\n"


def _family(author: dict[str, str]) -> str:
    return author.get("family-names") or author["name"]


def _key(work: dict[str, Any]) -> str:
    """The first author's name and the year, in ASCII."""
    name = _family(work["authors"][0]).split()[-1] if "year" in work else "repro"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"\W", "", plain).lower() + str(work.get("year", ""))
