"""A report is one page, a paper's tables, CSV files or a notebook, with the same numbers."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from base64 import b64decode
from html.parser import HTMLParser

import matplotlib
import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from repro import figures
from repro.judge._report import html as report_html
from repro.judge._report.cells import columns_of, raw
from repro.judge._report.html import tone
from repro.judge._report.latex import escaped
from repro.judge.report import Report
from repro.judge.section import Section

BAD_NAME = "Mine <script>alert('x')</script> & 50 %_a"


class Outline(HTMLParser):
    """What stands in a page: its tags, what they refer to, and the texts of cells."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.addresses, self.ids, self.rows, self._cell = [], [], [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.addresses += [v for k, v in given.items() if k in ("src", "href", "action", "data")]
        self.ids += [given["id"]] if "id" in given else []
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = given

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._cell = None

    def handle_data(self, data):
        if self._cell is not None:
            self.rows[-1][-1] += data


def draw(seed=0, panels=2):
    axes = figures.panels([f"stream {i}" for i in range(panels)])
    for ax in axes:
        ax.plot(np.random.default_rng(seed).normal(size=50))
    return axes[0].figure


def make(n_sections=3, call="judge.learner(Mine())", title=f"{BAD_NAME} on streams"):
    table = pd.DataFrame(
        {
            "learner": [BAD_NAME, "NB", "κ⁺"],
            "error": [0.12345, 0.5, np.nan],
            "error ± s.e.": [0.0042, 0.0123, np.nan],
            "rank": [1, 2, 3],
        }
    )
    verdicts = pd.DataFrame(
        {
            "question": ["Is it better?", "Is it warm?", "Where?"],
            "verdict": ["yes", "no: never", "NSGT"],
            "evidence": ["0.1 < 0.2 & more", "none", BAD_NAME],
        }
    )
    sections = [
        Section(
            f"part_{i}", f"Part {i} of <b>", f"First {BAD_NAME}.\n\nSecond.", table, draw(i), "A"
        )
        for i in range(n_sections)
    ]
    settings = {"Seeds": "0 to 9", "Models": BAD_NAME}
    return Report(
        title, f"{BAD_NAME} is third.", verdicts, table, tuple(sections), call,
        "python -m repro judge learner a:B", settings,
    )  # fmt: skip


@pytest.fixture(scope="module")
def report():
    return make()


@pytest.fixture(scope="module")
def page(report, tmp_path_factory):
    return report.to_html(tmp_path_factory.mktemp("page") / "report.html").read_text("utf-8")


# --- cells


@pytest.mark.parametrize(
    ("values", "errors", "cells"),
    [
        ([0.12345], [0.0042], ["0.1235 ± 0.0042"]),
        ([0.12345, 0.5], [0.0042, 0.0123], ["0.123 ± 0.004", "0.500 ± 0.012"]),
        ([0.4188, 0.2], [0.0006, 0.013], ["0.4188 ± 0.0006", "0.200 ± 0.013"]),
        ([0.25, 0.25], [0.0996, 0.00996], ["0.25 ± 0.10", "0.250 ± 0.010"]),
        ([12345, 12000], [4123, 12], ["12300 ± 4100", "12000 ± 10"]),
        ([0.5, 0.25], [0.0, 0.01], ["0.500", "0.250 ± 0.010"]),
        ([0.5, np.nan, np.inf], [np.nan, 0.1, 0.01], ["0.50", "–", "∞"]),
        ([-0.00001], [0.004], ["0.0000 ± 0.0040"]),
        ([3e-9], [1e-10], ["3.0e-09 ± 1e-10"]),
        ([0.0], [0.0], ["0"]),
        ([8.8, 9.25], [5e-15, 0.13], ["8.80", "9.25 ± 0.13"]),  # rounding is no error
    ],
)
def test_a_number_has_the_decimals_of_its_standard_error(values, errors, cells):
    (column,) = columns_of(pd.DataFrame({"x": values, "x ± s.e.": errors}))
    assert (column.name, column.is_number, column.cells) == ("x", True, cells)


SPREADS = st.floats(1e-4, 1e3)


@example([(0.0, 10.0), (1.5, 0.96875)])
@given(st.lists(st.tuples(st.floats(-1e4, 1e4), SPREADS), min_size=1, max_size=8))
def test_rounding_never_hides_more_than_a_half_of_the_standard_error(pairs):
    """And a standard error has one or two digits."""
    table = pd.DataFrame(pairs, columns=["x", "x ± s.e."])
    for text, (value, spread) in zip(columns_of(table)[0].cells, pairs, strict=True):
        left, right = text.split(" ± ")
        assert abs(float(left) - value) <= spread / 2 * (1 + 1e-9)
        assert abs(float(right) - spread) <= spread / 2 * (1 + 1e-9)
        assert 1 <= len(right.replace(".", "").strip("0")) <= 2


@pytest.mark.parametrize(
    ("values", "cells", "is_number"),
    [
        ([1, 20, 300], ["1", "20", "300"], True),
        ([1.0, np.inf], ["1", "∞"], True),
        ([0.123456, 0.5], ["0.123", "0.500"], True),
        ([1500.5, 0.0213], ["1500", "0.021"], True),
        ([0.5, 2e-8], ["0.500", "2.0e-08"], True),
        ([True, False], ["yes", "no"], False),
        (["a", None], ["a", "–"], False),
        (["miss", 3.0], ["miss", "3"], False),
        ([None, None], ["–", "–"], False),
        (pd.array([1, None], dtype="Int64"), ["1", "–"], True),
    ],
)
def test_numbers_without_a_standard_error_keep_two_digits_at_least(values, cells, is_number):
    (column,) = columns_of(pd.DataFrame({"x": values}))
    assert (column.cells, column.is_number) == (cells, is_number)


def test_the_index_comes_first_unless_it_only_counts():
    frame = pd.DataFrame({"x": [1, 2]})
    assert [c.name for c in columns_of(frame)] == ["x"]
    levels = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["stream", "x"])
    named = columns_of(frame.set_axis(levels))
    assert [(c.name, c.cells) for c in named[:2]] == [("stream", ["a", "b"]), ("x", ["1", "2"])]
    assert len(named) == 3


def test_columns_of_several_levels_are_merged_with_their_standard_errors():
    columns = pd.MultiIndex.from_tuples([("NSGT", "error"), ("NSGT", "error ± s.e.")])
    (column,) = columns_of(pd.DataFrame([[0.5, 0.01]], columns=columns))
    assert (column.name, column.cells) == ("NSGT, error", ["0.500 ± 0.010"])


def test_a_standard_error_without_its_number_stays_a_column():
    (column,) = columns_of(pd.DataFrame({"x ± s.e.": [0.25]}))
    assert (column.name, column.cells) == ("x ± s.e.", ["0.250"])


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [("Yes, it is", "good"), ("no: 3 of 9", "bad"), ("Undecided.", "open"), ("NB", ""), ("", "")],
)
def test_a_verdict_is_coloured_by_its_first_word(verdict, expected):
    assert tone(verdict) == expected


# --- HTML


def test_the_page_refers_to_nothing_outside_of_it(page):
    outline = Outline(page)
    outside = [a for a in outline.addresses if not a.startswith(("data:", "#"))]
    assert outside == []
    assert re.findall(r"https?:|//\w|@import|url\(", re.sub(r"base64,[^\"]+", "", page)) == []
    assert {"script", "link", "iframe"} & {tag for tag, _ in outline.tags} == {"link"}
    links = [attrs for tag, attrs in outline.tags if tag == "link"]
    assert links == [{"rel": "icon", "href": "data:,"}]  # else a browser asks for one


def test_every_text_of_the_user_is_escaped(page):
    assert "<script" not in page
    assert "<b>" not in page
    assert page.count(html.escape(BAD_NAME)) > 8
    assert page.count(f"<td>{html.escape(BAD_NAME)}</td>") == 5  # verdict, main table, sections


def test_the_links_of_the_contents_lead_to_sections(page):
    outline = Outline(page)
    links = [a[1:] for a in outline.addresses if a.startswith("#")]
    assert links == ["verdicts", "table", "part_0", "part_1", "part_2", "made"]
    assert set(links) <= set(outline.ids)
    assert len(set(outline.ids)) == len(outline.ids)


def test_a_short_report_has_no_contents(tmp_path):
    page = make(1).to_html(tmp_path / "a.html").read_text("utf-8")
    assert [tag for tag, _ in Outline(page).tags if tag in ("nav", "a")] == []


def test_the_answer_comes_first_and_how_it_was_made_last(page):
    order = ["<h1>", "is third.", ">Verdicts</h2>", ">Main table</h2>", "Part 0", "Part 2", "made"]
    order += ["judge.learner(Mine())", "python -m repro judge learner a:B", "Seeds", "numpy "]
    body = page[page.index("<h1>") :]
    body = re.sub(r"<nav.*?</nav>", "", body, flags=re.DOTALL)
    places = [body.index(text) for text in order]
    assert places == sorted(places)


def test_tables_of_the_page_hold_the_numbers_with_their_standard_errors(page):
    outline = Outline(page)
    rows = [row for row in outline.rows if row[:1] == ["NB"]]
    assert rows == [["NB", "0.500 ± 0.012", "2"]] * 4
    heads = [attrs for tag, attrs in outline.tags if tag == "th"]
    assert [a.get("class") for a in heads[3:6]] == [None, "n", "n"]


def test_verdicts_are_words_and_colours(page):
    assert '<td class="verdict good"><span>yes</span></td>' in page
    assert '<td class="verdict bad"><span>no: never</span></td>' in page
    for name in ("good", "bad", "open"):
        assert f".{name} span" in page


def test_pictures_have_texts_sizes_and_few_colours(page):
    images = [attrs for tag, attrs in Outline(page).tags if tag == "img"]
    assert [a["alt"] for a in images] == ["A"] * 3
    with Image.open(io.BytesIO(b64decode(images[0]["src"].partition(",")[2]))) as picture:
        assert (picture.format, picture.mode) == ("PNG", "P")
        assert "Software" not in picture.info
        shape = int(images[0]["width"]) / int(images[0]["height"])
        assert math.isclose(shape, picture.width / picture.height, rel_tol=0.01)


def test_equal_reports_give_equal_bytes(page, tmp_path):
    """Also after the figures have been shown elsewhere."""
    again = make()
    if matplotlib.__version_info__ >= (3, 11):  # older ones lay a figure out again
        again.sections[0].figure.canvas.draw()
    assert again.to_html(tmp_path / "a.htm").read_text("utf-8") == page


def test_six_figures_take_less_than_a_megabyte(tmp_path):
    assert make(6).to_html(tmp_path / "a.html").stat().st_size < 1_000_000


def test_a_phone_scrolls_tables_not_the_page(page, tmp_path, browser):
    path = tmp_path / "a.html"
    path.write_text(page, "utf-8")
    for width, scheme in ((390, "dark"), (1280, "light")):
        tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        asked, said = [], []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.on("console", lambda message, said=said: said.append(message.text))
        tab.goto(path.as_uri())
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        ground = tab.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
        card = tab.evaluate("getComputedStyle(document.querySelector('figure')).backgroundColor")
        assert card == "rgb(255, 255, 255)"
        assert (asked, said) == ([path.as_uri()], [])
        tab.close()


# --- LaTeX


def test_latex_has_both_tables_with_captions_and_escaped_texts(report):
    text = report.to_latex()
    assert text.startswith("% needs \\usepackage{adjustbox, array, booktabs, longtable}\n")
    for name in ("begin", "end"):
        counts = [text.count(f"\\{name}{{{what}}}") for what in ("longtable", "table", "tabular")]
        assert counts == [1, 1, 1]  # the verdicts may break over pages
    assert [text.count(rule) for rule in ("\\toprule", "\\midrule", "\\bottomrule")] == [2] * 3
    assert "NB & $0.500 \\pm 0.012$ & $2$ \\\\" in text
    assert "$\\kappa$$^{+}$ & -- & $3$ \\\\" in text
    mine = r"Mine \textless{}script\textgreater{}alert('x')\textless{}/script\textgreater{}"
    assert text.count(f"{mine} \\& 50 \\%\\_a") == 4  # two captions, a verdict and a row
    assert [line.count("&") - line.count("\\&") for line in text.splitlines() if "NB" in line] == [
        2
    ]


@given(st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=20))
def test_no_special_sign_of_latex_is_left_alone(text):
    rest = escaped(text)
    for command in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}"):
        rest = rest.replace(command, "")
    for command in (r"\textless{}", r"\textgreater{}", r"\textbar{}"):
        rest = rest.replace(command, "")
    assert re.findall(r"(?<!\\)[&%$#_{}~^\\\"<>|](?![&%$#_{}])", rest) == []


def test_signs_of_formulas_become_formulas():
    assert escaped("Ω ≥ λ ± µ₀") == r"$\Omega$ $\geq$ $\lambda$ $\pm$ $\mu$$_{0}$"


# --- CSV


def test_csv_files_hold_the_numbers_unrounded(report, tmp_path):
    paths = report.to_csv(tmp_path / "new" / "folder")
    names = ["verdicts.csv", "table.csv", "part_0.csv", "part_1.csv", "part_2.csv"]
    assert paths == [tmp_path / "new" / "folder" / name for name in names]
    assert sorted(p.name for p in paths[0].parent.iterdir()) == sorted(names)
    with paths[1].open(encoding="utf-8", newline="") as file:
        numbers = [float(row["error ± s.e."] or "nan") for row in csv.DictReader(file)]
    np.testing.assert_array_equal(numbers, report.table["error ± s.e."])
    with paths[0].open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file))[1:] == report.verdicts.to_numpy().tolist()


def test_csv_files_keep_a_named_index():
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["a", "b"], name="stream"))
    assert raw(frame).to_dict("list") == {"stream": ["a", "b"], "x": [1, 2]}


def test_a_section_without_a_table_has_no_file(tmp_path):
    report = make(0)
    words = Section("words", "Words", "Only words.")
    whole = Report(report.title, "", report.verdicts, report.table, (words,), "1")
    assert [p.name for p in whole.to_csv(tmp_path)] == ["verdicts.csv", "table.csv"]
    assert whole.figures == {}


# --- notebook


def test_the_notebook_makes_the_report_again(report, tmp_path):
    path = report.to_notebook(tmp_path / "report.ipynb")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    codes = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert codes[0].splitlines()[-1] == "report = judge.learner(Mine())"
    shown = []
    scope = {"Mine": object, "judge": type("", (), {"learner": lambda model: report})}
    exec(codes[0].replace("from repro import judge", ""), scope)
    for code in codes[1:]:
        shown.append(eval(code, scope) if not code.startswith("#") else None)
    first = report.sections[0]
    assert shown[0] is report
    assert (shown[1], shown[2], shown[3]) == (first.text, first.figure, first.table)
    outputs = [c.outputs[0].data for c in notebook.cells if c.cell_type == "code" and c.outputs]
    kinds = ["text/html", *["text/markdown", "image/png", "text/html"] * 3]
    assert [next(k for k in data if k != "text/plain") for data in outputs] == kinds
    assert "<script" not in json.dumps([o.get("text/html", "") for o in outputs])


@pytest.mark.parametrize(
    ("call", "last"),
    [
        ("import a\n\njudge.learner(\n    a.B(),\n)", "report = judge.learner(\n    a.B(),\n)"),
        ("x = judge.learner(B())", "x = judge.learner(B())\nreport = x"),
        ("report = judge.learner(B())", "\n\nreport = judge.learner(B())"),
        ("judge.learner(<a.B object at 0x7f>)", "# judge.learner(<a.B object at 0x7f>)"),
    ],
)
def test_the_first_cell_is_code_whatever_the_call(call, last, tmp_path):
    path = make(0, call).to_notebook(tmp_path / "a.ipynb")
    code = nbformat.read(path, as_version=4).cells[1].source
    compile(code, "cell", "exec")
    assert code.endswith(last)


# --- in a notebook and at the prompt


def test_jupyter_shows_the_answer_and_the_main_table_only(report):
    shown = report._repr_html_()
    outline = Outline(shown)
    assert ["NB", "0.500 ± 0.012", "2"] in outline.rows
    assert {"img", "script"} & {tag for tag, _ in outline.tags} == set()
    assert [tag for tag, _ in outline.tags].count("table") == 2
    assert html.escape(f"{BAD_NAME} is third.") in shown


def test_the_prompt_shows_one_line_and_print_the_summary(report):
    assert repr(report) == (f"Report({report.title!r}: 3 verdicts, 3 sections, 3 figures)")
    assert str(report) == f"{BAD_NAME} is third."
    assert repr(report.sections[0]) == "Section('part_0': text, table, figure)"


def test_figures_of_a_report_are_closed_for_pyplot():
    plt.close("all")
    report = make(2)
    assert plt.get_fignums() == []
    assert list(report.figures) == ["part_0", "part_1"]
    assert report.figures["part_0"] is report.section("part_0").figure


# --- errors


@pytest.mark.parametrize(
    ("method", "path", "error", "match"),
    [
        ("to_html", 3, TypeError, "path must be the path of a file; got 3"),
        ("to_html", "", ValueError, "path must be the path of a file; got ''"),
        ("to_html", "a\0.html", ValueError, "path must be the path of a file"),
        ("to_html", "a.pdf", ValueError, "suffix of path must be .*; got '.pdf'"),
        ("to_html", "folder.html", IsADirectoryError, "path must be the path of a file; got"),
        ("to_html", "file/a.html", NotADirectoryError, "path must be in a folder; got the file"),
        ("to_notebook", "a.html", ValueError, "suffix of path must be .*; got '.html'"),
        ("to_csv", None, TypeError, "folder must be the path of a folder; got None"),
        ("to_csv", "file", NotADirectoryError, "folder must be a folder; got the file 'file'"),
    ],
)
def test_a_path_that_cannot_be_written_is_named(
    report, tmp_path, monkeypatch, method, path, error, match
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(error, match=match):
        getattr(report, method)(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder.html"]
    assert (tmp_path / "file").read_text() == "mine"


def test_a_page_that_fails_leaves_the_old_one(report, tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        report.to_html(path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.html", "old")]


@pytest.mark.parametrize(
    ("names", "match"),
    [
        (["Drift"], "must be small letters, digits and underscores; got 'Drift'"),
        (["../a"], "must be small letters"),
        (["a", "a"], "must differ, .*; got 'a' twice"),
        (["table"], "must differ, also from 'verdicts' and 'table'; got 'table' twice"),
    ],
)
def test_names_of_sections_make_files(names, match):
    report = make(0)
    sections = tuple(Section(name, "Title", "") for name in names)
    with pytest.raises(ValueError, match=match):
        Report("", "", report.verdicts, report.table, sections, "")


def test_verdicts_need_their_columns():
    report = make(0)
    with pytest.raises(ValueError, match="verdicts must have the columns"):
        Report("", "", report.table, report.table, (), "")


def test_a_section_that_is_not_there_is_named(report):
    with pytest.raises(KeyError, match=r"one of the sections part_0, part_1, part_2; got 'x'"):
        report.section("x")


def test_of_a_long_table_the_first_rows_are_seen_and_no_row_is_lost():
    frame = pd.DataFrame({"run": range(100)})
    text = report_html.table(frame, "Each run")
    seen, _, rest = text.partition("<details>")
    assert (seen.count("<tr>"), rest.count("<tr>")) == (21, 81)  # with a head each
    assert "80 more rows" in rest
    assert "<details>" not in report_html.table(frame.iloc[:40], "Each run")
