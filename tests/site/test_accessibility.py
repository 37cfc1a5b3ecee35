"""Nobody is left out: axe finds no fault on any kind of page, wide and light or narrow and dark."""

from __future__ import annotations

from pathlib import Path

import pytest

from repro import _folders

pytest.importorskip("sphinx")
pytest.importorskip("math_core")

pytestmark = pytest.mark.slow

#: One page of each kind; the others are made by the same code.
KINDS = [
    *("index", "cells", "claims", "cite", "explorer", "404", "search"),
    *("docs/judging", "docs/verdicts", "docs/league"),
    pytest.param("notebooks/02_estimators", marks=pytest.mark.long),
    *("notebooks/exercises/03_drift_detection", "reference/index", "reference/permutations"),
]
WINDOWS = [("light", {"width": 1280, "height": 900}), ("dark", {"width": 390, "height": 844})]
RUN = """async () => {
  const { violations } = await axe.run(document, { iframes: false, resultTypes: ["violations"] })
  return violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`)
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe, from the package that ``requirements.txt`` beside this file names."""
    folder = _folders.need_checkout() / "build" / "axe" / "axe_playwright_python"
    if not (folder / "axe.min.js").is_file():
        pytest.skip("axe is not installed: see tests/site/requirements.txt")
    return (folder / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("name", KINDS)
def test_axe_finds_no_fault(browser, site, axe, name):
    assert faults(browser, site / f"{name}.html", axe) == []


def test_axe_finds_faults(browser, tmp_path, axe):
    page = tmp_path / "page.html"
    page.write_text('<title>x</title><h1>x</h1><img src="x.png"><p style="color: #ccc">pale</p>')
    found = {fault.partition(":")[0] for fault in faults(browser, page, axe)}
    assert {"html-has-lang", "image-alt", "color-contrast"} <= found


def faults(browser, path: Path, axe: str) -> list[str]:
    found = []
    # A notebook has thousands of cells of tables: half a minute for each window.
    for scheme, size in WINDOWS[: 1 if path.parent.name == "notebooks" else 2]:
        page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
        page.goto(path.as_uri())
        page.wait_for_load_state("networkidle")
        page.evaluate(axe)
        found += page.evaluate(RUN)
        page.context.close()
    return found
