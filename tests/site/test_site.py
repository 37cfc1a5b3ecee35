"""The site holds together: links, anchors, counts, places, size."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("math_core")

from site_links import faults, read_page

from repro import _folders
from repro.published.words import CELLS, CLAIMS, DIFFERS, DOES_NOT_HOLD
from repro.runner import status

ROOT = _folders.need_checkout()
MEBIBYTE = 2**20
sys.path.insert(0, str(ROOT / "docs"))


@pytest.fixture(scope="module")
def notebooks():
    from pages.verdicts import notebooks

    return notebooks(ROOT)


@pytest.mark.slow
def test_every_link_and_anchor_is_there_and_nothing_comes_from_elsewhere(site):
    assert list(faults(site)) == []


def test_the_checker_finds_each_kind_of_fault(tmp_path):
    (tmp_path / "b.html").write_text('<p id="here">')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">right</a> <a href="b.html#there">x</a> <a href="c.html">x</a>'
        '<img src="https://example.org/x.png"> <a href="https://example.org">right</a>'
    )
    assert sorted(faults(tmp_path)) == [
        "a.html loads https://example.org/x.png",
        "a.html: b.html#there: no such anchor",
        "a.html: c.html: no such file",
    ]


@pytest.mark.slow
def test_the_site_is_small_and_has_every_notebook_and_page(site):
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    assert size < 25 * MEBIBYTE
    pages = {path.with_suffix("").name for path in (site / "notebooks").glob("*.html")}
    assert {path.stem for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")} <= pages
    pages = {path.stem for path in (site / "docs").glob("*.html")}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} == pages


def test_images_of_earlier_outputs_are_removed(tmp_path):
    from pages.staging import remove_unused_images

    remove_unused_images(tmp_path)  # without images
    (tmp_path / "_images").mkdir()
    (tmp_path / "notebooks").mkdir()
    for name in ("a.png", "b 2.png", "old.png"):
        (tmp_path / "_images" / name).touch()
    (tmp_path / "index.html").write_text('<img src="_images/a.png" alt="old.png">', "utf-8")
    (tmp_path / "notebooks" / "b.html").write_text('<a href="../_images/b%202.png">', "utf-8")
    remove_unused_images(tmp_path)
    left = {path.name for path in (tmp_path / "_images").iterdir()}
    assert left == {"a.png", "b 2.png"}


def test_equal_images_are_stored_once(tmp_path):
    from pages.staging import remove_unused_images, share_equal_images

    share_equal_images(tmp_path)  # without images
    (tmp_path / "_images").mkdir()
    (tmp_path / "notebooks").mkdir()
    for name, content in {"01 a.png": b"one", "0f3a7c.png": b"two", "9b2e44d1.png": b"one"}.items():
        (tmp_path / "_images" / name).write_bytes(content)
    pages = {
        "index": "_images/01%20a.png _images/0f3a7c.png",
        "notebooks/b": "_images/9b2e44d1.png",
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(f'<img src="{text}">', "utf-8")
    for _ in range(2):  # a second build finds the same
        share_equal_images(tmp_path)
        remove_unused_images(tmp_path)
        assert {p.name for p in (tmp_path / "_images").iterdir()} == {"01 a.png", "0f3a7c.png"}
        shown = (tmp_path / "notebooks" / "b.html").read_text("utf-8")
        assert shown == '<img src="_images/01%20a.png">'


def test_maps_of_styles_and_scripts_are_removed(tmp_path):
    from pages.staging import remove_source_maps

    remove_source_maps(tmp_path)  # without styles
    (tmp_path / "_static" / "styles").mkdir(parents=True)
    for name in ("styles/a.css", "styles/a.css.map", "b.js", "b.js.map"):
        (tmp_path / "_static" / name).touch()
    remove_source_maps(tmp_path)
    left = {path.name for path in (tmp_path / "_static").rglob("*") if path.is_file()}
    assert left == {"a.css", "b.js"}


def test_pages_of_modules_that_are_gone_are_removed(tmp_path):
    from pages.staging import remove_unlisted_sources

    remove_unlisted_sources(tmp_path)  # without sources
    (tmp_path / "_modules" / "repro").mkdir(parents=True)
    for name in ("index", "repro/a", "repro/old"):
        (tmp_path / "_modules" / f"{name}.html").write_text('<a href="repro/a.html">a</a>')
    remove_unlisted_sources(tmp_path)
    left = {path.name for path in (tmp_path / "_modules").rglob("*.html")}
    assert left == {"index.html", "a.html"}


@pytest.mark.slow
def test_each_number_that_differs_and_each_claim_that_does_not_hold_leads_to_its_cause(
    site, notebooks
):
    from pages.cells import place_of_cell
    from pages.claims import places_of_claim

    for notebook in notebooks:
        cells = [row for row in notebook.cells if row["verdict"] == DIFFERS]
        claims = [c for c in notebook.claims if c.row["verdict"] == DOES_NOT_HOLD]
        found = [place_of_cell(notebook, row) for row in cells]
        found += [places_of_claim(notebook, c) for c in claims]
        assert all(found), notebook.name
        anchors = read_page(site / notebook.places.page).anchors
        assert {place.anchor for places in found for place in places} <= anchors


def test_every_claim_is_judged_by_one_cell(notebooks):
    for notebook in notebooks:
        keys = {claim.key for claim in notebook.claims}
        assert notebook.places.judging(keys).keys() == keys


def test_a_reason_that_names_a_section_has_that_section_as_its_place(notebooks):
    testbed = notebooks[0].places
    assert [p.anchor for p in testbed.named("period not stated, see Section 1.9")] == [
        "section-1-9"
    ]
    assert [p.anchor for p in testbed.named("see 1.9 and 1.10")] == ["section-1-9", "section-1-10"]
    assert [p.anchor for p in testbed.named("as in Figure 2")] == ["figure-2"]
    for none in ("1.9 points off", "see 1.99", "see 2.1", "Section 1.9 of the paper", "Figure 99"):
        assert testbed.named(none) == []


def test_the_bars_count_what_the_command_counts(notebooks):
    lines = dict(line.split("  ", 1) for line in status.verdicts())
    for notebook in notebooks:
        said = lines[notebook.path.stem]
        for counts, words, parts in (
            (notebook.counts_of_claims, CLAIMS, r"claims: ([^;]*)"),
            (notebook.counts_of_cells, CELLS, r"(?:cells|constants): ([^;]*)"),
        ):
            text = ", ".join(re.findall(parts, said))
            for word, plural in words.items():
                numbers = re.findall(rf"(\d+) (?:{word}|{plural})\b", text)
                assert sum(map(int, numbers)) == counts[word], (notebook.name, word)


def test_sections_captions_cells_and_causes_of_a_notebook_have_anchors(tmp_path):
    """A toy notebook: what the places promise is what the page has."""
    from pages.places import NotebookPlaces

    text = """# 7. Toy\n\n## 7.1 First\n\n**Figure 2.** Up.\n\nSee **Figure 3** here.
\n**Table: of all.** Down.\n\nWhat does not hold, and why:\n"""
    code = {"cell_type": "code", "id": "cell-9", "source": "judged = {'a_b': 1, 'c': 2}"}
    cells = [
        {"cell_type": "markdown", "id": "cell-8", "metadata": {}, "source": text},
        code | {"metadata": {}, "outputs": [], "execution_count": 1},
    ]
    notebook = tmp_path / "07_toy.ipynb"
    about = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    content = {"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": about}
    notebook.write_text(json.dumps(content))
    (tmp_path / "conf.py").write_text(
        f"import sys; sys.path.insert(0, {str(ROOT / 'docs')!r})\n"
        "extensions = ['myst_nb', 'extensions.anchors']\nnb_execution_mode = 'off'\n"
        "root_doc = '07_toy'\n"
    )
    command = [sys.executable, "-m", "sphinx", "-qW", str(tmp_path), str(tmp_path / "site")]
    subprocess.run(command, check=True)
    places = NotebookPlaces(notebook)
    there = read_page(tmp_path / "site" / "07_toy.html").anchors
    promised = {"section-7-1", "figure-2", "figure-3", "table-of-all", "what-does-not-hold"}
    assert places.anchors == promised
    assert places.anchors | {"cell-9"} <= there
    assert places.judging(["a_b", "d"])["a_b"].address == "notebooks/07_toy.html#cell-9"


def test_an_exercise_is_shown_without_solutions(tmp_path):
    from pages import staging

    text = "### BEGIN SOLUTION\nsecret = 1\n### END SOLUTION\nassert True\n"
    hidden = "  ### BEGIN HIDDEN TESTS\n  secret\n  ### END HIDDEN TESTS"
    cells = [{"cell_type": "code", "source": [text, hidden], "outputs": ["secret"]}]
    sheet = tmp_path / "notebooks" / "exercises" / "01_sheet.ipynb"
    sheet.parent.mkdir(parents=True)
    sheet.write_text(json.dumps({"cells": cells}))
    copied = staging.copy_pages(tmp_path, tmp_path / "source")
    assert copied == {Path("notebooks/exercises/01_sheet.ipynb")}
    shown = (tmp_path / "source" / "notebooks" / "exercises" / "01_sheet.ipynb").read_text()
    assert "secret" not in shown
    assert "assert True" in shown


def test_what_is_gone_from_the_repository_is_removed_from_the_source(tmp_path):
    from pages.staging import copy_pages, remove_others

    root, source = tmp_path / "root", tmp_path / "source"
    (root / "docs").mkdir(parents=True)
    (root / "README.md").write_text("[code](docs/a.py), [gone](docs/b.py), [far](https://a.org/x)")
    (root / "docs" / "a.py").touch()
    (root / "docs" / "old.md").touch()
    linked = {Path("README.md"), Path("docs/a.py")}
    assert copy_pages(root, source) == linked | {Path("docs/old.md")}
    (root / "docs" / "old.md").unlink()
    assert remove_others(source, copy_pages(root, source))
    assert {p.relative_to(source) for p in source.rglob("*") if p.is_file()} == linked
    assert not remove_others(source, copy_pages(root, source))


def test_a_new_page_is_in_the_menu_without_a_change(notebooks):
    from pages.contents import contents

    menu = contents(notebooks, [Path("docs/league.md"), Path("docs/verdicts.md"), Path("cite.md")])
    assert "\n\ndocs/league\nHow to cite <cite>\n" in menu
    assert menu.count("docs/verdicts") == 1


def test_the_explorer_is_written_again_when_the_library_has_changed(tmp_path, monkeypatch):
    pytest.importorskip("bokeh")
    from pages import explorer
    from pages.explorer import explorer_page, write_explorer

    written = []
    monkeypatch.setattr(explorer, "write_page", written.append)
    path = tmp_path / "explorer.html"
    write_explorer(tmp_path)
    path.touch()
    write_explorer(tmp_path)
    assert written == [path]
    os.utime(path, (0, 0))
    write_explorer(tmp_path)
    assert written == [path, path]
    assert "explorer.html" in explorer_page()["explore.md"]


@pytest.mark.parametrize(
    "name",
    ["explorer.looks", "explorer.page", "explorer.recording", "extensions.docstrings",
     "extensions.publishing", "pages.markup", "pages.places",
     "pages.scripts", "pages.staging"],
)  # fmt: skip
def test_examples_in_docstrings(name):
    if name.startswith("explorer"):
        pytest.importorskip("bokeh")
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


def test_a_formula_that_is_not_known_is_refused():
    import math_core

    from repro._mathml import mathml

    assert "<mfrac>" in mathml(r"\Bigl(\frac12\Bigr)^2", block=True)
    with pytest.raises(math_core.LatexError):
        mathml(r"\nosuchcommand", block=False)
