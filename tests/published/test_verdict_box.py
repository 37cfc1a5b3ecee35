"""The box of verdicts at the top of a notebook, and the banner on runs that are not the paper's."""

from __future__ import annotations

import json

import pytest
from matplotlib.figure import Figure
from PIL import Image
from toy_checkout import make_checkout, save

from repro import figures, provenance, published, tables
from repro.__main__ import main
from repro.runner import notebook as nb

CELLS = "stream,learner,verdict,p,reason\n"
CLAIMS = "section,sentence,verdict,own,reason\n"


def write(folder, cells="", claims=""):
    results = folder / "data" / "results"
    results.mkdir(parents=True)
    (results / "01_cells.csv").write_text(CELLS + cells)
    (results / "01_claims.csv").write_text(CLAIMS + claims)
    return folder


def test_the_box_counts_and_gives_the_reasons_that_are_known_first(tmp_path):
    names = ["A,x", "B,x", "C,x", "D,x", "E,x", "F,y", "G,y"]
    why = ["not explained", *["Section 1.2: period"] * 4, "Section 1.3: place", "Section 1.4: size"]
    cells = "".join(f"{n},differs,.01,{w}\n" for n, w in zip(names, why, strict=True))
    claims = "3,All of it.,does not hold,,Section 1.1: one\n,Ours?,does not hold,own,no\n"
    box = published.verdict_box("01", write(tmp_path, cells + "H,y,agrees,.5,\n", claims))
    assert box.lines[2:] == [
        "- cells: 1 agrees, 7 differ (at most 0.4 by chance, 0 after Holm), 0 not run",
        "  - B x, C x, D x and 1 more: Section 1.2: period",
        "  - F y: Section 1.3: place",
        "  - G y: Section 1.4: size",
        "  - and 1 more, each with its reason in the table",
        "- claims: 0 hold, 1 does not hold, 0 cannot be told",
        "  - “All of it.”: Section 1.1: one",
        "- own questions: 0 hold, 1 does not hold, 0 cannot be told",
    ]
    assert box._repr_markdown_().startswith("> **Verdicts of this run**, from `01_cells.csv` and")


def test_a_long_sentence_is_cut_at_a_word(tmp_path):
    claims = f"3,{'word ' * 40},does not hold,,\n"
    box = published.verdict_box("01", write(tmp_path, "", claims))
    (line,) = [line for line in box.lines if "“" in line]
    assert line.startswith("  - “word word")
    assert line.endswith("word …”: not explained")
    assert len(line) < 140


def test_without_results_the_box_says_so(tmp_path):
    assert repr(published.verdict_box("01", tmp_path)).startswith("No verdicts yet")


@pytest.mark.parametrize("number", ["1", 1, "one", "../1", None])
def test_a_number_of_another_form_is_refused(number):
    with pytest.raises(ValueError, match="number must be two digits, as in '01'; got"):
        published.verdict_box(number)


def test_prose_is_shown_as_markdown_and_as_itself():
    text = tables.prose("It is *0.5*.")
    assert repr(text) == text._repr_markdown_() == "It is *0.5*."
    with pytest.raises(TypeError, match="text must be"):
        tables.prose(3)


SOURCE = """
from repro import _files, _folders
row = "S,L,%s,.5,\\n" % ("agrees" if n == 1 else "differs")
text = "stream,learner,verdict,p,reason\\n" + row
_files.write(_folders.output() / "data/results/01_cells.csv", text.encode())
"""


def tagged(root):
    """A notebook with the box before the cell that writes the verdicts."""
    path = save(root, "01_a", "from repro import published\npublished.verdict_box('01')", SOURCE)
    content = json.loads(path.read_text())
    content["cells"][2]["metadata"]["tags"] = ["verdicts"]
    path.write_text(json.dumps(content))
    return path


def shown(path):
    (cell,) = [cell for cell in nb.read(path).code if "verdicts" in nb.tags(cell)]
    (output,) = cell["outputs"]
    return "".join(output["data"]["text/plain"])


def test_a_run_shows_its_own_verdicts_at_the_top(tmp_path, monkeypatch):
    root = make_checkout(tmp_path / "checkout", monkeypatch)
    path = tagged(root)
    assert main(["run", "01_a"]) == 0
    assert "- cells: 1 agrees, 0 differ" in shown(path)
    before = path.read_bytes()
    assert main(["run", "01_a", "--profile", "quick"]) == 0
    assert path.read_bytes() == before
    assert "- cells: 0 agree, 1 differs" in shown(root / "build/quick/01_a.ipynb")


def test_only_a_run_that_is_not_the_papers_has_a_banner(tmp_path, monkeypatch):
    root = make_checkout(tmp_path / "checkout", monkeypatch)
    tagged(root)
    for arguments in (["run", "01_a"], ["run", "01_a", "--profile", "quick"]):
        assert main(arguments) == 0
    paper, quick = (nb.read(root / "build" / name / "01_a.ipynb") for name in ("paper", "quick"))
    assert not [cell for cell in paper.cells if "banner" in nb.tags(cell)]
    assert "banner" in nb.tags(quick.cells[0])
    assert "profile `quick`, with `n = 7`" in nb.source(quick.cells[0])


def test_only_a_figure_that_is_not_the_papers_is_marked(tmp_path, monkeypatch):
    monkeypatch.setenv("REPRO_OUTPUT", str(tmp_path))
    pictures = {}
    for profile in ("paper", "quick"):
        monkeypatch.setenv(provenance.VARIABLE, json.dumps({"Profile": profile}))
        path = figures.save(Figure(figsize=(3, 2)), f"01_{profile}").path
        pictures[profile] = Image.open(path).convert("L")
    assert pictures["paper"].getextrema() == (255, 255)
    box = pictures["quick"].point(lambda value: 255 - value).getbbox()
    width, height = pictures["quick"].size
    assert box[0] > width / 2
    assert box[1] > height / 2
