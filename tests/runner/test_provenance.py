"""Provenance: what a result depends on, and what figures, tables and notebooks say of it."""

import json
import os
import subprocess
from pathlib import Path

import matplotlib
import nbformat
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

from repro import _files, _folders, figures, provenance, results
from repro.runner import notebook as nb
from repro.runner.inputs import inputs_hash
from repro.runner.job import Job
from repro.runner.outputs import with_outputs
from repro.runner.status import png_text


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """An empty checkout with one notebook, one library module and one published table."""
    monkeypatch.setattr(_folders, "checkout", lambda: tmp_path)
    monkeypatch.delenv("REPRO_OUTPUT", raising=False)
    monkeypatch.delenv(provenance.VARIABLE, raising=False)
    for name in (
        "src/repro/a.py",
        "src/repro/runner/run.py",
        "data/published/t.csv",
        "requirements.lock",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("N = 1\n")
    cells = [
        nbformat.v4.new_markdown_cell("# Title"),
        nbformat.v4.new_code_cell("from repro.a import N"),
    ]
    (tmp_path / "notebooks").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "notebooks" / "01_a.ipynb")
    return tmp_path


@pytest.fixture
def figure():
    drawn = Figure()
    drawn.subplots().plot([0, 1])
    return drawn


def notebook(checkout):
    return nb.read(checkout / "notebooks" / "01_a.ipynb")


def inputs(checkout, **parameters):
    return inputs_hash(notebook(checkout), parameters, root=checkout)


def edit(checkout, change):
    path = checkout / "notebooks" / "01_a.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(
        ["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def outputs_only(cells):
    cells[1].outputs = [nbformat.v4.new_output("stream", text="1\n")]
    cells[1].execution_count = 7


@pytest.mark.parametrize(
    "change",
    [
        lambda root: edit(root, lambda cells: cells[0].update(source="# Other title")),
        lambda root: edit(root, outputs_only),
        lambda root: os.utime(root / "src/repro/a.py", (0, 0)),
        lambda root: (root / "src/repro/runner/run.py").write_text("N = 2\n"),
        lambda root: (root / "src/repro/a.pyc").write_text("2\n"),
        lambda root: (root / "data/published/.DS_Store").write_text("2\n"),
    ],
    ids=["markdown", "outputs", "touch", "runner", "compiled", "hidden"],
)
def test_the_hash_ignores_changes_that_no_result_depends_on(checkout, change):
    before = inputs(checkout, n=1)
    change(checkout)
    assert inputs(checkout, n=1) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda root: edit(root, lambda cells: cells[1].update(source="from repro.a import N as n")),
        lambda root: (root / "src/repro/a.py").write_text("N = 2\n"),
        lambda root: (root / "src/repro/a.py").rename(root / "src/repro/b.py"),
        lambda root: (root / "data/published/t.csv").write_text("2\n"),
        lambda root: (root / "data/sources.toml").write_text(""),
        lambda root: (root / "requirements.lock").write_text("2\n"),
    ],
    ids=["code", "library", "module name", "published", "sources", "lock"],
)
def test_the_hash_covers_every_input_of_a_result(checkout, change):
    before = inputs(checkout, n=1)
    change(checkout)
    assert inputs(checkout, n=1) != before


def test_the_hash_covers_parameters_and_the_kind_of_data(checkout):
    kinds = [
        inputs_hash(notebook(checkout), {"n": 1}, root=checkout, data=data)
        for data in ("", "stand-in")
    ]
    assert len({*kinds, inputs(checkout, n=2)}) == 3
    assert inputs(checkout, n=1, m=2) == inputs(checkout, m=2, n=1)


def test_the_commit_is_the_last_one_that_touched_an_input(checkout):
    assert provenance.commit() == "unknown"
    git(checkout, "init", "-q")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "library")
    first = git(checkout, "rev-parse", "HEAD")[:10]
    assert provenance.commit() == first

    (checkout / "src/repro/runner/run.py").write_text("2\n")
    (checkout / "figure.png").write_text("")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "runner and figure")
    assert provenance.commit() == first

    (checkout / "src/repro/a.py").write_text("2\n")
    assert provenance.commit() == f"{first}+changes"
    git(checkout, "commit", "-qam", "library")
    assert provenance.commit() == git(checkout, "rev-parse", "HEAD")[:10]


def test_provenance_is_that_of_the_runner_in_its_kernels(checkout, monkeypatch):
    alone = provenance.current()
    assert alone["Inputs"] == "interactive"
    assert f"numpy {np.__version__}" in alone["Packages"]
    described = Job(notebook(checkout), checkout, "paper", {}, {"n": 1}).provenance()
    monkeypatch.setenv(provenance.VARIABLE, json.dumps(described))
    assert provenance.current() == described == {
        **alone,
        "Notebook": "01_a",
        "Profile": "paper",
        "Inputs": inputs(checkout, n=1),
        "Parameters": '{"n": 1}',
    }  # fmt: skip


def test_a_figure_carries_its_provenance_and_the_same_bytes_each_time(
    checkout, figure, monkeypatch
):
    path = figures.save(figure, "01_figure_1").path
    first = path.read_bytes()
    monkeypatch.setitem(matplotlib.rcParams, "savefig.dpi", 40)
    again = figures.save(figure.axes[0], "01_figure_1")
    assert again.path.read_bytes() == again._repr_png_() == first
    assert repr(again) == "figures/01_figure_1.png"
    assert path == checkout / "build/interactive/figures/01_figure_1.png"
    assert png_text(path) == provenance.current()
    with Image.open(path) as image:
        assert image.text == provenance.current()
        assert image.mode == "P"
        assert image.size == tuple(150 * figure.get_size_inches())


def test_a_figure_that_fails_half_way_leaves_the_old_one(checkout, figure, monkeypatch):
    path = figures.save(figure, "01_figure_1").path
    before = path.read_bytes()

    def half(target, **options):
        target.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(figure, "savefig", half)
    with pytest.raises(OSError, match="disk full"):
        figures.save(figure, "01_figure_1")
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("name", ["figure_1", "1_figure", "01_Figure", "01", "01_a/b", "01_a.png"])
def test_names_of_another_form_are_refused(checkout, figure, name, monkeypatch, tmp_path):
    """In a run of the paper's notebooks."""
    monkeypatch.setenv("REPRO_OUTPUT", str(tmp_path))
    with pytest.raises(ValueError, match=r"name must be like '01_figure_2'; got "):
        figures.save(figure, name)
    with pytest.raises(ValueError, match=r"name must be like '01_cells'; got "):
        results.save_table(pd.DataFrame(), name)


def test_only_figures_and_axes_are_saved(checkout):
    with pytest.raises(TypeError, match=r"must be a matplotlib Figure or Axes; got \[1\]"):
        figures.save([1], "01_figure_1")


def test_a_table_is_plain_text_with_fixed_decimals(checkout):
    frame = pd.DataFrame(
        {"n": [1, 2], "x": [0.1 + 0.2, np.nan], "y": [-0.0001, 1 / 3]},
        index=pd.Index(["a", "b, c"], name="item"),
    )
    path = results.save_table(frame, "01_cells", decimals={"y": 2})
    assert path == checkout / "build/interactive/data/results/01_cells.csv"
    text = 'item,n,x,y\na,1,0.30000000000000004,0.00\n"b, c",2,,0.33\n'
    assert path.read_bytes() == text.encode()
    path = results.save_table(frame.reset_index(drop=True), "01_cells", decimals=1)
    assert path.read_bytes() == b"n,x,y\n1,0.3,0.0\n2,,0.3\n"


def test_every_digit_that_matters_survives_the_file(checkout):
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=50) * 10.0 ** np.arange(50)})
    lines = results.save_table(frame, "01_cells").read_text().splitlines()
    assert [float(line) for line in lines[1:]] == frame.x.tolist()
    np.testing.assert_allclose(results.read_table("01_cells").x, frame.x, rtol=1e-15)


def test_a_table_is_read_from_the_run_first_and_then_from_the_checkout(checkout, monkeypatch):
    monkeypatch.setenv("REPRO_OUTPUT", str(checkout))
    results.save_table(pd.DataFrame({"x": [1]}), "01_cells")
    monkeypatch.setenv("REPRO_OUTPUT", str(checkout / "build"))
    assert results.read_table("01_cells").x.tolist() == [1]
    results.save_table(pd.DataFrame({"x": [2]}), "01_cells")
    assert results.read_table("01_cells").x.tolist() == [2]
    with pytest.raises(FileNotFoundError, match="got '01_claims'"):
        results.read_table("01_claims")


def test_a_table_that_would_lose_rows_names_or_decimals_is_refused(checkout):
    frame = pd.DataFrame({"x": [1.0]}, index=["a"])
    with pytest.raises(ValueError, match="frame must have a named index or the default one; got"):
        results.save_table(frame, "01_cells")
    with pytest.raises(ValueError, match=r"decimals must name columns of frame; got \['z'\]"):
        results.save_table(frame.reset_index(drop=True), "01_cells", decimals={"z": 1})


def test_writing_the_same_bytes_again_does_not_touch_the_file(tmp_path):
    path = tmp_path / "new" / "a.txt"
    assert _files.write(path, b"1")
    os.utime(path, (0, 0))
    assert not _files.write(path, b"1")
    assert path.stat().st_mtime == 0
    assert _files.write(path, b"2")
    assert os.listdir(path.parent) == ["a.txt"]


def test_an_open_file_keeps_its_old_content(tmp_path):
    path = tmp_path / "a.txt"
    _files.write(path, b"old")
    with path.open("rb") as reader:
        _files.write(path, b"new")
        assert reader.read() == b"old"
    assert path.read_bytes() == b"new"


def executed(text, **metadata):
    """A notebook as papermill leaves it, with one cell that printed `text`."""
    output = nbformat.v4.new_output("stream", text=text)
    cell = nbformat.v4.new_code_cell("n = 1", outputs=[output], execution_count=4)
    cell.metadata.update(tags=["kept"], **metadata)
    content = nbformat.v4.new_notebook(cells=[cell], metadata={"repro": {"Inputs": "1"}})
    return nb.Notebook(Path("01_a.ipynb"), json.loads(nbformat.writes(content)))


def test_outputs_are_stored_without_times_paths_and_addresses():
    volatile = {"papermill": {"duration": 1.5}, "execution": {"busy": "12:00"}}
    text = "/home/t/paper/figures/a.png\n/tmp/ipykernel_17/42.py:1: hm\n<A at 0x7f8725e74610>"
    ran = executed(text, **volatile)
    notebook = ran.with_content(ran.content | {"metadata": volatile})
    stored = with_outputs(notebook, ran, ("/home/t/paper",))
    assert stored["metadata"] == {"execution": volatile["execution"], "repro": {"Inputs": "1"}}
    assert stored["cells"][0]["metadata"] == {"tags": ["kept"]}
    assert stored["cells"][0]["execution_count"] == 4
    assert stored["cells"][0]["outputs"][0]["text"] == [
        "figures/a.png\n",
        "IPYKERNEL:1: hm\n",
        "<A at 0xADDRESS>",
    ]
    assert notebook.metadata == volatile, "the notebook that was read stays as it is"


def test_outputs_of_other_code_are_not_stored():
    ran, other = executed("1"), executed("1")
    other.code[0]["source"] = ["n = 2"]
    assert with_outputs(other, ran, ()) is None
    other.content["cells"] *= 2
    assert with_outputs(executed("1").with_content(other.content), ran, ()) is None
