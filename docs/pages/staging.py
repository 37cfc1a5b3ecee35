"""The source folder of the site: pages of the repository in their places, and what they link to."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["copy_pages", "linked_files", "remove_others", "write"]

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "notebooks/[0-9]*.ipynb")
#: Made by other parts of the project; the site is built with or without them.
OPTIONAL = ("notebooks/exercises/*.ipynb",)
UNFINISHED = (".FAILED.ipynb", ".running.ipynb")
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)")


def copy_pages(root: Path, source: Path, others: Iterable[str] = ()) -> set[Path]:
    """Copy all pages below `root`, `others`, and every file they link to; their places.

    A copy keeps its place, so relative links stay right, and its time, so Sphinx reads a page again
    only if it has changed.
    """
    waiting = [path for pattern in (*PAGES, *OPTIONAL, *others) for path in sorted(root.glob(pattern))]
    copied: set[Path] = set()
    while waiting:
        path = waiting.pop()
        place = path.relative_to(root)
        if place in copied or path.name.endswith(UNFINISHED):
            continue
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, source / place)
        copied.add(place)
        if path.suffix == ".md":
            waiting += linked_files(path, root)
    return copied


def linked_files(page: Path, root: Path) -> Iterator[Path]:
    """The files below `root` to which a Markdown page has relative links."""
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        path = (page.parent / target).resolve()
        if path.is_file() and path.is_relative_to(root):
            yield path


def write(source: Path, pages: Mapping[str, str]) -> set[Path]:
    """Write pages that are made, by name; those that have not changed keep their time."""
    for name, text in pages.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return {Path(name) for name in pages}


def remove_others(source: Path, kept: Iterable[Path]) -> None:
    """Remove what an earlier build left in `source` and this one has not."""
    wanted = set(kept)
    for path in [p for p in source.rglob("*") if p.is_file()]:
        if path.relative_to(source) not in wanted:
            path.unlink()
