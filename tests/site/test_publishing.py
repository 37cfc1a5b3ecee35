"""What a host, a search engine and a link elsewhere find: addresses, descriptions, pictures."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from repro import _folders

pytest.importorskip("sphinx")
pytest.importorskip("math_core")
sys.path.insert(0, str(_folders.need_checkout() / "docs"))

from docutils import nodes
from extensions import publishing

ROOT = _folders.need_checkout()
TAG = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)"')


def app(base, folder=None):
    config = SimpleNamespace(html_baseurl=base, html_title="repro")
    env = SimpleNamespace(all_docs=["index", "docs/a", "404", "genindex"])
    builder = SimpleNamespace(name="html")
    return SimpleNamespace(config=config, env=env, builder=builder, outdir=folder)


def tags(base, page="docs/a", text="A sentence that is long enough to say what this is about."):
    doctree = nodes.section("", nodes.paragraph("", "short"), nodes.paragraph("", text))
    context = {"title": "A <b>title</b> &amp; more"}
    publishing.describe(app(base), page, "page.html", context, doctree)
    return context["metatags"]


def test_a_page_with_an_address_has_a_card():
    found = dict(TAG.findall(tags("https://example.org/r/")))
    assert found["description"] == found["og:description"]
    assert found["og:title"] == "A title &amp; more"
    assert found["og:url"] == "https://example.org/r/docs/a.html"
    assert found["og:image"] == "https://example.org/r/_images/01_figure_2.png"


def test_without_an_address_nothing_is_said_that_needs_one():
    assert not {"og:url", "og:image", "twitter:card"} & dict(TAG.findall(tags(""))).keys()


def test_a_description_is_cut_at_a_word_and_cannot_end_its_tag():
    found = dict(TAG.findall(tags("", text='"><script> ' + "word " * 60)))
    assert found["description"].startswith("&quot;&gt;&lt;script&gt; word")
    assert found["description"].endswith("word ...")


def test_the_page_for_lost_readers_finds_its_files_at_any_depth():
    assert '<base href="https://example.org/r/">' in tags("https://example.org/r/", page="404")
    assert "<base" not in tags("https://example.org/r/")


def test_the_map_lists_the_pages_that_people_look_for(tmp_path):
    publishing.write_files(app("https://example.org/r/", tmp_path), None)
    places = [place.text for place in ElementTree.parse(tmp_path / "sitemap.xml").iter()]
    places = [place.strip() for place in places if place and place.strip()]
    assert places == ["https://example.org/r/docs/a.html", "https://example.org/r/index.html"]
    assert "Sitemap: https://example.org/r/sitemap.xml" in (tmp_path / "robots.txt").read_text()
    assert (tmp_path / ".nojekyll").is_file()


def test_without_an_address_there_is_no_map(tmp_path):
    publishing.write_files(app("", tmp_path), None)
    assert {path.name for path in tmp_path.iterdir()} == {".nojekyll", "robots.txt"}


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org", "https://", "http://a?b"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="must be the address of the site"):
        publishing.as_address(address)


def test_it_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setenv(publishing.ADDRESS, "example.org")
    command = [sys.executable, str(ROOT / "docs" / "build_site.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip().endswith("got 'example.org'")


def test_the_bar_and_the_words_of_the_front_page_count_the_same_rows():
    from pages.front import front_page
    from pages.verdicts import is_explained, notebooks

    known = notebooks(ROOT)
    rows = [row for notebook in known for row in notebook.held_out_that_differ]
    explained = sum(map(is_explained, rows))
    page = front_page(known, ROOT)
    assert len(rows) == sum(notebook.counts_of_cells["differs"] for notebook in known)
    assert f"Of the {len(rows)} numbers that differ, {explained} are explained." in page
    assert f"{len(rows)} differ ({explained} of them explained)" in page


@pytest.mark.slow
def test_every_picture_of_a_notebook_has_words(site):
    for path in (site / "notebooks").glob("[0-9]*.html"):
        pictures = re.findall(r"<img [^>]*>", path.read_text("utf-8"))
        words = [re.search(r'alt="([^"]*)"', picture) for picture in pictures]
        assert pictures, path.name
        assert all(word and " " in word[1] for word in words), path.name


@pytest.mark.slow
def test_marks_for_tests_are_no_part_of_a_page(site):
    for path in (site / "notebooks").rglob("*.html"):
        assert "NBVAL" not in path.read_text("utf-8"), path.name


@pytest.mark.slow
def test_each_package_has_its_line_in_the_index_of_the_reference(site):
    text = (site / "reference" / "index.html").read_text("utf-8")
    entries = re.findall(r"<dt>.*?</dt>\s*<dd><p>(.*?)</p>", text, re.DOTALL)
    assert len(entries) == len(list((site / "reference").glob("*.html"))) - 1
    assert all(len(entry) > 20 for entry in entries)


@pytest.fixture
def served(site):
    """The address of the site on a server; a page that was opened as a file keeps its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    handler.func.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_what_is_chosen_in_a_table_can_be_shared_as_a_link(browser, served):
    page = browser.new_page()
    page.goto(f"{served}/cells.html?kind=chose%20no%20setting")
    page.select_option("select[aria-label=verdict]", "differs")
    page.fill(".dt-search input", "LED")
    page.wait_for_function("location.search.includes('LED')")
    chosen = page.locator(".searchable tbody tr[id]").all_inner_texts()
    other = browser.new_page()
    other.goto(page.url)
    other.wait_for_selector(".menus select")
    assert other.locator(".searchable tbody tr[id]").all_inner_texts() == chosen != []
    page.select_option("select[aria-label=verdict]", "")
    assert "verdict" not in page.url
    page.close()
    other.close()


@pytest.mark.slow
def test_the_explorer_is_as_dark_as_the_page_around_it(browser, served):
    page = browser.new_context(color_scheme="light").new_page()
    page.goto(f"{served}/explore.html")
    inside = page.frame_locator("iframe.explorer").locator("body[data-ready]")
    inside.wait_for()
    ground = "e => getComputedStyle(e).backgroundColor"
    light = inside.evaluate(ground)
    page.evaluate("document.body.dataset.theme = 'dark'")
    page.wait_for_timeout(300)
    dark = inside.evaluate(ground)
    assert min(map(int, re.findall(r"\d+", light))) > 200
    assert max(map(int, re.findall(r"\d+", dark))) < 60
    page.context.close()
