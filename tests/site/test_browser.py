"""The pages in a browser: a phone's and a desktop's width, light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("math_core")

PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
#: Source listings and indices look all the same.
ALIKE = ("_modules", "genindex", "py-modindex", "explorer")

pytestmark = pytest.mark.slow

#: Pictures that are not drawn, tables that are cut off, and a page that is wider than the window.
FAULTS = """async () => {
  const found = [], scrolls = (e) => /auto|scroll/.test(getComputedStyle(e).overflowX);
  for (const img of document.images) {
    img.loading = "eager";
    await img.decode().catch(() => {});
    if (!img.naturalWidth) found.push(`picture ${img.src}`);
  }
  const width = document.documentElement.clientWidth;
  for (const table of document.querySelectorAll("article table")) {
    let box = table;
    while (box && !scrolls(box)) box = box.parentElement;
    const inside = table.getBoundingClientRect().right <= width + 1;
    if (!inside && (!box || box === document.body)) found.push(`table ${table.className}`);
  }
  if (document.documentElement.scrollWidth > width + 1) found.push("wider than the window");
  return found;
}"""


@pytest.fixture
def opened(browser, site):
    """Open a page of the site as a file; what it says on the console is a fault."""
    contexts = []

    def open_page(name, size=DESKTOP, scheme="light"):
        context = browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page, said = context.new_page(), []
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda m: m.type in ("error", "warning") and said.append(m.text))
        page.on("request", lambda r: said.append(r.url) if r.url.startswith("http") else None)
        page.goto(f"{site.as_uri()}/{name}")
        return page, said

    yield open_page
    for context in contexts:
        context.close()


def names(site: Path) -> list[str]:
    paths = [path.relative_to(site) for path in sorted(site.rglob("*.html"))]
    return [path.as_posix() for path in paths if not path.as_posix().startswith(ALIKE)]


def test_no_page_has_an_error_a_cut_table_or_a_missing_picture(opened, site):
    """Each page is loaded once; then the window grows, and the theme changes."""
    page, said = opened("index.html", PHONE, "dark")
    found = []
    for name in names(site):
        page.set_viewport_size(PHONE)
        page.goto(f"{site.as_uri()}/{name}")
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            for scheme in ("dark", "light"):
                page.emulate_media(color_scheme=scheme)
                faults = [*page.evaluate(FAULTS), *said]
                found += [f"{name}, {size['width']}, {scheme}: {fault}" for fault in faults]
                said.clear()
    assert found == []


def test_the_look_at_a_page_finds_each_kind_of_fault(browser):
    wide = '<table class="{}" style="width: 3000px"><tr><td>x</td></tr></table>'
    page = browser.new_page()
    page.set_content(
        f'<article>{wide.format("cut")}<img src="data:image/png;base64,xx">'
        f'<div style="overflow-x: auto">{wide.format("scrolls")}</div></article>'
    )
    found = page.evaluate(FAULTS)
    page.close()
    assert found == ["picture data:image/png;base64,xx", "table cut", "wider than the window"]


def test_the_page_is_dark_where_the_reader_prefers_it(opened):
    light, dark = (opened("index.html", PHONE, scheme)[0] for scheme in ("light", "dark"))
    ground = "getComputedStyle(document.body).backgroundColor"
    least, most = (
        sorted(map(int, re.findall(r"\d+", p.evaluate(ground))[:3])) for p in (light, dark)
    )
    assert least[0] > 200
    assert most[-1] < 60


def test_search_finds_what_is_written(opened):
    page, said = opened("index.html")
    page.fill("input[name=q]", "fading")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ul.search li a")
    found = page.locator("ul.search li a").all_inner_texts()
    assert any("fading_error" in title for title in found)
    assert any("Estimators" in title for title in found)
    assert said == []


def rows(page):
    return page.locator(".searchable tbody tr[id]").count()


def test_a_count_leads_to_the_rows_that_it_counts(opened):
    page, said = opened("index.html")
    link = page.locator('.paper .counts p a[href*="cells.html"][href*="differs"]').first
    n = int(link.inner_text().split()[0])
    link.click()
    page.wait_for_selector(".menus select")
    assert rows(page) == n > 0
    assert set(page.locator(".searchable tbody .verdict").all_inner_texts()) == {"differs"}
    assert said == []


def test_every_count_of_numbers_is_that_of_the_rows_it_leads_to(opened):
    page, said = opened("index.html")
    links = page.locator('.counts p a[href*="cells.html"]').all()
    counts = {link.get_attribute("href"): int(link.inner_text().split()[0]) for link in links}
    assert len(counts) > 10
    for address, n in counts.items():
        page.goto(page.url.rpartition("/")[0] + "/" + address)
        page.wait_for_selector(".menus select")
        told = re.search(r"of ([\d,]+) entr", page.locator(".dt-info").inner_text())
        assert told is not None
        assert int(told[1].replace(",", "")) == n, address
    assert said == []


def test_the_ledger_is_searched_sorted_and_filtered(opened):
    page, said = opened("claims.html")
    page.wait_for_selector(".menus select")
    page.fill(".dt-search input", "window")
    some = rows(page)
    page.select_option("select[aria-label=verdict]", "holds")
    assert 0 < rows(page) < some
    page.fill(".dt-search input", "")
    page.select_option("select[aria-label=verdict]", "")
    page.click("thead th:nth-child(2)")
    sections = page.locator(".searchable tbody td:nth-child(2)").all_inner_texts()
    assert sections == sorted(sections)
    assert said == []


def test_a_link_to_a_row_shows_it_on_whatever_page_of_the_table_it_is(opened):
    page, _ = opened("claims.html#06-own_epsilon")
    page.wait_for_selector('[id="06-own_epsilon"]')
    assert page.locator('[id="06-own_epsilon"]').is_visible()


def test_the_code_of_a_notebook_can_be_hidden(opened):
    page, _ = opened("notebooks/02_estimators.html")
    code = page.locator("div.cell_input").first
    assert code.is_visible()
    page.click("button.hide-code")
    assert not code.is_visible()


def test_formulas_are_drawn(opened):
    """A fraction stands: its denominator is below its numerator."""
    page, _ = opened("reference/metrics.html")
    box = "e => e.getBoundingClientRect().y"
    fraction = page.locator("div.math mfrac").first
    top, bottom = (fraction.locator("xpath=./*").nth(i).evaluate(box) for i in (0, 1))
    assert bottom > top
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px Formulas'))")


def test_the_league_is_sorted_by_numbers_and_filtered_by_library(opened):
    page, said = opened("docs/league.html")
    table = page.locator(".searchable").first
    table.locator("select[aria-label=library]").select_option("river")
    assert set(table.locator("tbody tr td:nth-child(4)").all_inner_texts()) == {"river"}
    table.locator("thead th:nth-child(12)").click()
    page.locator("thead th:nth-child(12)[aria-sort=ascending]").wait_for()
    page.wait_for_timeout(500)  # the rows are sorted a moment later
    speeds = table.locator("tbody tr td:nth-child(12)").all_inner_texts()
    numbers = [float(re.sub(r"\s", "", text)) for text in speeds if text != "–"]
    assert len(numbers) > 10
    assert numbers == sorted(numbers)
    assert said == []
