"""The source folder of the site: pages of the repository in their places, and what they link to."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from repro.course._cells import with_points

__all__ = ["copy_pages", "linked_files", "remove_others", "remove_source_maps"]
__all__ += ["remove_unlisted_sources", "remove_unused_images", "share_equal_images"]
__all__ += ["without_solutions", "write"]

PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md")
PAGES += ("notebooks/[0-9]*.ipynb",)
#: Exercises, which the site shows as students get them.
SHEETS = "notebooks/exercises/*.ipynb"
UNFINISHED = (".FAILED.ipynb", ".running.ipynb")
SOLUTION = re.compile(
    r"^([ \t]*)### BEGIN SOLUTION\n.*?### END SOLUTION\n", re.DOTALL | re.MULTILINE
)
HIDDEN = re.compile(
    r"^[ \t]*### BEGIN HIDDEN TESTS\n.*?### END HIDDEN TESTS\n", re.DOTALL | re.MULTILINE
)
MARK = re.compile(r"^# NBVAL_\w+\n?", re.MULTILINE)
IMAGE = re.compile(r"_images/([^\"'?#\s)]+)")
PAGE = re.compile(r'href="(repro[^"#]*\.html)"')  # in the list of sources
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)")


def copy_pages(root: Path, source: Path, others: Iterable[str] = ()) -> set[Path]:
    """Copy all pages below `root`, `others`, and every file they link to; their places.

    A copy keeps its place, so relative links stay right, and its time, so Sphinx reads a page again
    only if it has changed.
    """
    waiting = [path for pattern in (*PAGES, SHEETS, *others) for path in sorted(root.glob(pattern))]
    copied: set[Path] = set()
    while waiting:
        path = waiting.pop()
        place = path.relative_to(root)
        if place in copied or path.name.endswith(UNFINISHED):
            continue
        (source / place).parent.mkdir(parents=True, exist_ok=True)
        if place.match(SHEETS):
            _copy_sheet(path, source / place)
        elif path.suffix == ".ipynb":
            _copy_notebook(path, source / place)
        else:
            shutil.copy2(path, source / place)
        copied.add(place)
        if path.suffix == ".md":
            waiting += linked_files(path, root)
    return copied


def _copy_notebook(path: Path, copy: Path) -> None:
    """Copy a notebook without its marks for tests.

    Links in its outputs, which Sphinx does not follow, lead to the pages.
    """
    text = path.read_text("utf-8").replace("(../docs/verdicts.md)", "(../docs/verdicts.html)")
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["source"] = MARK.sub("", "".join(cell["source"]))
    copy.write_text(json.dumps(notebook), "utf-8")
    os.utime(copy, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))


def _copy_sheet(path: Path, copy: Path) -> None:
    """Copy an exercise without its solutions and hidden tests; the copy has the same time."""
    sheet = with_points(json.loads(path.read_text("utf-8")))
    copy.write_text(json.dumps(without_solutions(sheet)), "utf-8")
    os.utime(copy, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))


def without_solutions(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook without what nbgrader's marks enclose, and without outputs.

    >>> cell = {"cell_type": "code", "source": "### BEGIN SOLUTION\\nx = 1\\n### END SOLUTION\\nx"}
    >>> without_solutions({"cells": [cell]})["cells"][0]["source"]
    '# YOUR CODE HERE\\nx'
    """
    cells = []
    for cell in notebook["cells"]:
        text = HIDDEN.sub("", SOLUTION.sub(r"\1# YOUR CODE HERE\n", "".join(cell["source"]) + "\n"))
        without = {"outputs": []} if "outputs" in cell else {}
        cells.append(cell | {"source": text.rstrip("\n")} | without)
    return notebook | {"cells": cells}


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


def remove_others(source: Path, kept: Iterable[Path]) -> bool:
    """Remove what an earlier build left in `source` and this one has not; whether there was any."""
    wanted = set(kept)
    others = [p for p in source.rglob("*") if p.is_file() and p.relative_to(source) not in wanted]
    for path in others:
        path.unlink()
    return bool(others)


def share_equal_images(site: Path) -> None:
    """Let all pages show the same file of images that are equal, the one with the shortest name.

    A figure is in a notebook's output, and may be on another page as well.
    """
    by_content: dict[bytes, list[Path]] = {}
    for path in sorted((site / "_images").glob("*"), key=lambda path: (len(path.name), path.name)):
        by_content.setdefault(path.read_bytes(), []).append(path)
    groups = by_content.values()
    names = {copy.name: quote(kept.name) for kept, *copies in groups for copy in copies}
    for page in site.rglob("*.html") if names else ():
        text = page.read_text("utf-8")
        shared = IMAGE.sub(lambda at: f"_images/{names.get(unquote(at[1]), at[1])}", text)
        if shared != text:
            page.write_text(shared, "utf-8")


def remove_unused_images(site: Path) -> None:
    """Remove the images that no page shows: those of outputs that a notebook had before."""
    pages = (path.read_text("utf-8") for path in site.rglob("*.html"))
    shown = {unquote(name) for page in pages for name in IMAGE.findall(page)}
    for path in (site / "_images").glob("*"):
        if path.name not in shown:
            path.unlink()


def remove_source_maps(site: Path) -> None:
    """Remove the maps of the theme's styles and scripts, which only its authors need."""
    for path in (site / "_static").rglob("*.map"):
        path.unlink()


def remove_unlisted_sources(site: Path) -> None:
    """Remove the pages with sources of modules that are gone; the list of them has the others."""
    folder = site / "_modules"
    if (folder / "index.html").is_file():
        listed = set(PAGE.findall((folder / "index.html").read_text("utf-8")))
        for path in folder.rglob("*.html"):
            if path.relative_to(folder).as_posix() not in listed | {"index.html"}:
                path.unlink()
