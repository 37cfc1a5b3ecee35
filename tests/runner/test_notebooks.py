"""The fixed shape of the notebooks, read from their JSON."""

from __future__ import annotations

import ast
import re
import statistics
from pathlib import Path

import pytest

from repro.runner import notebook as nb
from repro.runner import paper, status
from repro.runner.job import check_assigned_once

pytestmark = pytest.mark.contract

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def lines(cell: dict) -> list[str]:
    return [line for line in nb.source(cell).splitlines() if line.strip()]


@every_notebook
def test_it_opens_with_title_question_answer_then_parameters_then_imports(path):
    cells = nb.read(path).cells
    title = nb.source(cells[0])
    assert title.startswith(f"# {int(path.stem[:2])}. ")
    assert "**Question.**" in title
    assert "**Answer.**" in title
    assert cells[1]["metadata"]["tags"] == ["parameters"]
    statements = ast.parse(nb.source(cells[2])).body
    assert isinstance(statements[0], ast.Import | ast.ImportFrom)


@every_notebook
def test_parameters_are_typed_literals_with_a_comment(path):
    parameters = nb.read(path).parameters
    assert parameters
    assert all(parameter.comment for parameter in parameters.values())


@every_notebook
def test_parameters_are_the_papers_and_stay_so(path):
    """After a change on purpose: python -m repro run NOTEBOOK --accept."""
    assert path.stem in paper.recorded(ROOT)
    notebook = nb.read(path)
    paper.check(notebook, ROOT)
    check_assigned_once(notebook)


def test_the_record_names_no_other_notebook():
    assert list(paper.recorded(ROOT)) == [path.stem for path in NOTEBOOKS]


@every_notebook
def test_cells_are_short_and_define_nothing(path):
    sizes = []
    for cell in nb.read(path).code:
        sizes.append(len(lines(cell)))
        tree = ast.parse(nb.source(cell))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        assert not any(isinstance(node, kinds) for node in ast.walk(tree)), lines(cell)[0]
        assert "filterwarnings" not in nb.source(cell)
    assert max(sizes) <= 15
    assert statistics.median(sizes) <= 8


@every_notebook
def test_every_figure_is_followed_by_a_checked_table(path):
    """nbval compares tables, not pictures."""
    waiting = []
    for cell in nb.read(path).code:
        source = nb.source(cell)
        if "NBVAL_CHECK_OUTPUT" in source:
            waiting = []
        if "figures.save(" in source:
            assert len(waiting) <= 1, f"{waiting} have no table"
            waiting.append(lines(cell)[-1])
    assert not waiting


@every_notebook
def test_every_figure_has_a_caption(path):
    """Just before its cell, just after it, or after its table."""
    cells = nb.read(path).cells
    for i, cell in enumerate(cells):
        if cell["cell_type"] == "code" and "figures.save(" in nb.source(cell):
            near = cells[max(i - 1, 0) : i + 3]
            texts = [nb.source(c) for c in near if c["cell_type"] == "markdown"]
            assert any("**Figure" in text for text in texts), lines(cell)[-1]


@every_notebook
def test_no_time_that_depends_on_the_machine_is_shown(path):
    for cell in nb.read(path).code:
        assert "µs" not in nb.source(cell), lines(cell)[0]
        assert ".seconds" not in nb.source(cell), lines(cell)[0]


@every_notebook
def test_figures_are_drawn_by_functions_and_not_by_methods_of_axes(path):
    """A drawing cell calls `figures`, whose functions are tested."""
    for cell in nb.read(path).code:
        source = nb.source(cell)
        assert "matplotlib" not in source, source
        assert not re.search(r"\b(ax|axes\[[^]]*\])\.\w", source), source
        assert not re.search(r"figures\.(plot|mark)_\w+\(.*\)\.\w", source), source


@every_notebook
def test_it_was_run_from_top_to_bottom_without_an_error(path):
    cells = nb.read(path).code
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = [output["output_type"] for cell in cells for output in cell["outputs"]]
    assert "error" not in kinds
    streams = [o for cell in cells for o in cell["outputs"] if o["output_type"] == "stream"]
    assert streams == []  # no warnings, no progress


@every_notebook
def test_it_ends_with_published_and_reproduced_and_the_claims(path):
    number = path.stem[:2]
    sources = "\n".join(nb.source(cell) for cell in nb.read(path).code)
    assert f'"{number}_cells"' in sources
    assert f'"{number}_claims"' in sources


@every_notebook
def test_its_committed_figures_are_those_that_it_saves(path):
    names = status.figure_names(nb.read(path))
    assert names
    assert {file.stem for file in (ROOT / "figures").glob(f"{path.stem[:2]}_*.png")} == set(names)
