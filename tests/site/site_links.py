"""What the pages of a folder link to and load, and what of it is not there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: The attributes by which a page loads something, by tag.
LOADS = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


@dataclass
class Page:
    """The anchors of a page, what it links to, and what it loads."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)


class Reader(HTMLParser):
    """Collects a `Page`."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.page.anchors.update(attributes[a] for a in ("id", "name") if a in attributes)
        if tag == "a" and "href" in attributes:
            self.page.links.append(attributes["href"])
        if target := attributes.get(LOADS.get(tag, "")):
            self.page.loaded.append(target)


@cache
def read_page(path: Path) -> Page:
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def faults(folder: Path) -> Iterator[str]:
    """Each link of a page to what is not there, and what it loads from elsewhere."""
    for path in sorted(folder.rglob("*.html")):
        name, page = path.relative_to(folder).as_posix(), read_page(path)
        for target in page.loaded:
            if urlsplit(target).netloc:
                yield f"{name} loads {target}"
        for target in {*page.links, *page.loaded}:
            if fault := _fault(path, folder, target):
                yield f"{name}: {target}: {fault}"


def _fault(path: Path, folder: Path, target: str) -> str:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return ""
    file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not file.is_file():
        return "no such file"
    if not file.is_relative_to(folder.resolve()):
        return "outside of the site"
    anchor = unquote(parts.fragment)
    if anchor and file.suffix == ".html" and anchor not in read_page(file).anchors:
        return "no such anchor"
    return ""
