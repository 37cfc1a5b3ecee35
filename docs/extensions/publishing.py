"""What a public host and its visitors need: descriptions, a card, a map of the site, a page 404.

The address of the site is the environment variable ``REPRO_SITE``, such as
``https://example.org/repro/``. Without it the site has no canonical links, no map and no card's
picture, which all need a whole address.
"""

from __future__ import annotations

import os
import re
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx

__all__ = ["ADDRESS", "OLDER", "as_address", "describe", "setup", "write_files"]

ADDRESS = "REPRO_SITE"
OLDER = "REPRO_SITE_OLDER"  # set where the newest site is one folder above, see site_versions.py
MARKUP = re.compile(r"<[^>]*>")
LONGEST = 200  # characters of a description
LOST = "404"  # the page that a host shows for an address without a page
CARD = "_images/01_figure_2.png"
#: Listings of sources and indices, which a search engine need not show.
NOT_LISTED = ("_modules/", "genindex", "py-modindex", "search", LOST)


def as_address(text: str) -> str:
    """Return the address of a site with a slash at its end, or "" for none.

    Raises ValueError unless it is the whole address of a folder.

    >>> as_address("https://example.org/repro"), as_address("")
    ('https://example.org/repro/', '')
    """
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query):
        rule = f"{ADDRESS} must be the address of the site, such as https://example.org/repro/"
        raise ValueError(f"{rule}; got {text!r}")
    return f"{text.rstrip('/')}/" if text else ""


def describe(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Add the description of a page, and the card that a link to it shows elsewhere."""
    base = app.config.html_baseurl
    tags = {"og:type": "website", "og:site_name": app.config.html_title}
    # The title of a page is HTML: "Speed &amp; <code>memory</code>".
    title = MARKUP.sub("", str(context.get("title") or "")) or app.config.html_title
    tags["og:title"] = unescape(title)
    text = _first_words(doctree)
    if text:
        tags["og:description"] = text
    if base:
        tags |= {"og:url": f"{base}{pagename}.html", "og:image": base + CARD}
        tags["twitter:card"] = "summary_large_image"
    lines = [f'<meta name="description" content="{escape(text)}">'] if text else []
    lines += [f'<meta property="{n}" content="{escape(v)}">' for n, v in tags.items()]
    if pagename == LOST:
        # It is shown at any depth, where relative addresses would lead nowhere.
        lines.insert(0, f'<base href="{escape(base)}">' if base else "")
        lines.append('<meta name="robots" content="noindex">')
    if OLDER in os.environ:
        newest = "../" * (pagename.count("/") + 1) + "index.html"
        link = f'<a href="{newest}">the newest pages</a>'
        context["theme_announcement"] = f"Version {app.config.release}; see {link}."
    context["metatags"] = context.get("metatags", "") + "\n".join(filter(None, lines))


def _first_words(doctree: nodes.document | None) -> str:
    """The first paragraph of a page, cut at a word; "" for a page that was not written."""
    if doctree is None:
        return ""
    texts = (" ".join(p.astext().split()) for p in doctree.findall(nodes.paragraph))
    text = next((text for text in texts if len(text) > 40), "")
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} ..."


def write_files(app: Sphinx, exception: Exception | None) -> None:
    """Write ``.nojekyll``, ``robots.txt`` and, where the address is known, ``sitemap.xml``."""
    if exception is not None or app.builder.name != "html":
        return
    folder, base = Path(app.outdir), app.config.html_baseurl
    (folder / ".nojekyll").touch()  # else a host leaves out folders that begin with "_"
    robots = "User-agent: *\nAllow: /\n"
    if base:
        robots += f"Sitemap: {base}sitemap.xml\n"
        (folder / "sitemap.xml").write_text(_sitemap(base, sorted(app.env.all_docs)), "utf-8")
    (folder / "robots.txt").write_text(robots, "utf-8")


def _sitemap(base: str, pages: list[str]) -> str:
    listed = [page for page in pages if not page.startswith(NOT_LISTED)]
    rows = "".join(f"<url><loc>{escape(f'{base}{page}.html')}</loc></url>\n" for page in listed)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{rows}</urlset>\n'


def setup(app: Sphinx) -> dict[str, Any]:
    """Describe each page as it is written, and write the files at the end."""
    app.connect("html-page-context", describe)
    app.connect("build-finished", write_files)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
