"""The hash of a notebook's inputs: code that it reaches, files beside it, variables."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from toy_checkout import WRITE, make_checkout, save

from repro.runner import inputs as inputs_module
from repro.runner import notebook as nb
from repro.runner import run
from repro.runner.inputs import inputs_hash, library
from repro.runner.program import of_notebook
from repro.runner.reach import reached
from repro.studies.code import of_source

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))

# A library in small: a package with all its names at hand, and one that loads them at first use.
TOY = {
    "__init__.py": "import lazy_loader\nx = lazy_loader.attach_stub(__name__, __file__)",
    "__init__.pyi": "from . import learners as learners\nfrom .runs import Run as Run",
    "learners/__init__.py": "from repro.learners.bag import Bag\n"
    "from repro.learners.tree import Tree",
    "learners/bag.py": "class Bag: ...",
    "learners/tree.py": "from repro.learners._leaf import LEAF\nclass Tree: ...",
    "learners/_leaf.py": "LEAF = 1",
    "runs/__init__.py": "import lazy_loader\nx = lazy_loader.attach_stub(__name__, __file__)",
    "runs/__init__.pyi": "from .run import Run as Run\nfrom .sweep import sweep as sweep",
    "runs/run.py": "class Run:\n    def plot(self): import_module('repro.figures').plot_run()",
    "runs/sweep.py": "def sweep(): ...",
    "figures/__init__.py": "from repro.figures.curve import plot_run\n"
    "from repro.figures.bar import bar",
    "figures/curve.py": "def plot_run(): ...",
    "figures/bar.py": "def bar(): ...",
    "figures/look.css": "black",
    "figures/pages/__init__.py": "",
    "figures/pages/page.css": "white",
}
BAG, TREE = {"learners.bag"}, {"learners.tree", "learners._leaf"}
RUN, SWEEP, BAR = {"runs.run", "figures.curve"}, {"runs.sweep"}, {"figures.bar", "figures"}
LEARNERS = {"learners"} | BAG | TREE
FIGURES = BAR | {"figures.curve"}


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A checkout with the toy library."""
    monkeypatch.setenv("REPRO_CACHE", str(tmp_path / "cache"))
    root = make_checkout(tmp_path / "toy", monkeypatch)
    for name, text in TOY.items():
        path = root / "src/repro" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


def hash_of(root, path=None):
    return inputs_hash(nb.read(path or root / "notebooks/01_a.ipynb"), {}, root=root)


def modules_of(root, *cells):
    program = of_notebook(nb.read(save(root, "01_a", *cells)))
    return set(reached(program, library(root)))


@pytest.mark.parametrize(
    ("cell", "modules"),
    [
        ("1 + 1", set()),
        ("import numpy as learners\nlearners.Bag", set()),
        ("from repro import learners", set()),
        ("from repro import learners\nlearners.Bag()", BAG),
        ("from repro import learners as l\ndef f():\n    return [l.Tree(l.Bag())]", BAG | TREE),
        ("from repro.learners import Bag as B", BAG),
        ("from repro.learners.tree import Tree", TREE),
        ("import repro\nrepro.learners.tree.Tree(), repro.Run", TREE | RUN),
        ("import repro.runs\nrepro.runs.sweep()", SWEEP),
        ("import repro.runs as r\nr.sweep()", SWEEP),
        ("from repro.runs import sweep", SWEEP),
        ("from repro import Run", RUN),
        ("from repro import learners\nprint(learners)", LEARNERS),
        ("from repro import learners\nmore = learners\nmore.Bag()", LEARNERS),
        ("from repro import learners\ngetattr(learners, name)", LEARNERS),
        ("from repro.learners import *", LEARNERS),
        ("from repro import runs\nprint(runs)", {"runs"} | RUN | SWEEP),
        ("import importlib\nimportlib.import_module('repro.figures')", FIGURES),
        ("import repro\nprint(repro)", {"", *LEARNERS, *RUN}),
        ("from repro import *", {"", *LEARNERS, *RUN}),
        ("!python -m repro.learners", {"", *LEARNERS, *RUN}),
        ("from repro import Run (", {"", *LEARNERS, *RUN}),
    ],
)
def test_a_notebook_reaches_what_it_takes_from_a_namespace(toy, cell, modules):
    """And all of a namespace that it does something else with, or that no one can tell."""
    assert modules_of(toy, cell) == modules


def test_an_edit_changes_the_hash_if_the_notebook_reaches_it(toy):
    save(toy, "01_a", "from repro import learners, figures\nlearners.Tree(), figures.plot_run()")
    edits = {name: text + "\nEDITED = 1\n" for name, text in TOY.items()}
    before, changed = hash_of(toy), set()
    for name, text in edits.items():
        path = toy / "src/repro" / name
        kept = path.read_text()
        path.write_text(text)
        changed |= {name} if hash_of(toy) != before else set()
        path.write_text(kept)
    around = {"__init__.py", "learners/__init__.py", "figures/__init__.py", "figures/look.css"}
    assert changed == around | {"learners/tree.py", "learners/_leaf.py", "figures/curve.py"}
    assert hash_of(toy) == before


def test_a_source_that_is_not_python_counts_as_it_is(toy):
    save(toy, "01_a", "from repro.learners import Bag")
    before = hash_of(toy)
    for text in ("class (", "class ((", "\0"):
        (toy / "src/repro/learners/bag.py").write_text(text)
        assert hash_of(toy) != before
        before = hash_of(toy)


EVERY = b"""class A(B):
    x: ClassVar[int] = 1
    def f(self, *a, k=None, **b) -> int:
        "Text."
        return f"{self.x:>{k}}" + f'{a!r}' if k else [i async for i in b][1:, ...]
match x:
    case {"a": [1, *r], **s} | None: pass
type_ = lambda: (yield)
"""


def test_the_hash_of_code_is_the_same_in_every_version_of_python():
    """As found with 3.11, 3.12 and 3.13; `ast.dump` gives two texts, and so did f-strings."""
    assert of_source(EVERY).digest.startswith("f3928fb54bcc4263")


def test_the_cache_saves_time_and_decides_nothing(toy, tmp_path, monkeypatch):
    save(toy, "01_a", "from repro.learners import Bag")
    before = hash_of(toy)
    (file,) = (tmp_path / "cache/code").iterdir()

    def parse(source):
        raise AssertionError("parsed again")

    inputs_module._code.cache_clear()
    monkeypatch.setattr(inputs_module, "of_source", parse)
    assert hash_of(toy) == before
    monkeypatch.undo()
    monkeypatch.setenv("REPRO_CACHE", str(tmp_path / "cache"))
    whole = file.read_bytes()
    flipped = bytes(byte ^ (i == len(whole) // 2) for i, byte in enumerate(whole))
    assert flipped != whole
    for content in (b"", b"[1]", b'{"a": 1}', flipped, whole[:-9], whole + b"x"):
        file.write_bytes(content)
        inputs_module._code.cache_clear()
        assert hash_of(toy) == before


# --- the notebooks of the paper


@cache
def fresh():
    """What each notebook takes from modules at run time, by the name of the notebook."""
    script = Path(__file__).with_name("fresh_reach.py")
    done = subprocess.run(
        [sys.executable, script, *NOTEBOOKS], capture_output=True, text=True, check=True
    )
    found = {Path(path).stem: names for path, names in json.loads(done.stdout).items()}
    return {k: {name.partition(".")[2] for name in names} for k, names in found.items()}


@cache
def of_paper():
    """The modules that each notebook reaches, by its name, and the code."""
    code = library(ROOT)
    programs = {path.stem: of_notebook(nb.read(path)) for path in NOTEBOOKS}
    return {name: reached(program, code) for name, program in programs.items()}, code


@pytest.mark.parametrize("stem", [path.stem for path in NOTEBOOKS])
def test_a_notebook_reaches_what_a_fresh_python_finds(stem):
    """And beyond it nothing that no module or notebook names.

    A fresh Python does not see what functions import later, nor where a plain number comes from.
    """
    modules, code = of_paper()
    found = fresh()[stem]
    assert len(found) > 100
    assert found - set(modules[stem]) == set()
    text = b"\n".join(code.sources[name] for name in modules[stem]).decode()
    assert [name for name in set(modules[stem]) - found - {""} if not is_named(name, text)] == []


def is_named(module, text):
    folder, _, leaf = module.rpartition(".")
    statements = rf"(from|import) repro\.{module}\b|from repro\.?{folder} import .*\b{leaf}\b"
    return re.search(statements, text) or f'"repro.{module.partition(".")[0]}"' in text


def test_an_edit_of_a_number_runs_exactly_the_notebooks_that_reach_the_module():
    """Every module of the package in turn; those that a fresh Python finds among them."""
    modules, code = of_paper()
    before = {stem: code.digest(names) for stem, names in modules.items()}
    packages = {name.rpartition(".")[0] for name in code.sources} | {""}
    for name in code.sources.keys() - packages:
        edited = code._replace(sources={**code.sources, name: code.sources[name] + b"\nEDITED = 1"})
        changed = {stem for stem in before if edited.digest(modules[stem]) != before[stem]}
        assert changed == {stem for stem in before if name in modules[stem]}, name
        assert changed >= {stem for stem in before if name in fresh()[stem]}, name


def test_an_edit_of_words_runs_nothing():
    """A docstring, a comment, an annotation and the list of public names, in every module."""
    modules, code = of_paper()
    worded = {name: edited(source, name) for name, source in code.sources.items()}
    assert b'"""Edited: ' in worded["tables"]
    assert b") -> object:" in worded["kernels.sources"]
    again = code._replace(sources=worded)
    for names in modules.values():
        assert again.reached(names) == names
        assert again.digest(names) == code.digest(names)


def edited(source, name):
    """`source` with other words in it."""
    text = source.decode()
    text = re.sub(r'^( *)"""(?=\w)', r'\1"""Edited: ', text, flags=re.MULTILINE)
    text = text.replace(") -> None:", ") -> object:").replace('__all__ = ["', '__all__ = ["a", "')
    return f"{text}\n# edited: {name}\n".encode()


@pytest.mark.parametrize(
    ("module", "stems"),
    [
        ("streams/read_csv.py", []),
        ("judge/report.py", []),
        ("metrics/kappa.py", ["04"]),
        ("learners/bagging.py", ["01", "02", "04", "05", "06"]),
        ("learners/hoeffding_tree.py", ["01", "02", "03", "04", "05", "06"]),
    ],
)
def test_an_edit_of_one_file_runs_the_notebooks_that_name_what_it_holds(tmp_path, module, stems):
    """By the text of the cells: no notebook reads a CSV file, and 04 is that on kappa."""
    for name in ("src", "data/published", "data/oracle", "notebooks"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("exercises"))
    paths = [tmp_path / "notebooks" / path.name for path in NOTEBOOKS]
    before = [hash_of(tmp_path, path) for path in paths]
    file = tmp_path / "src/repro" / module
    file.write_text(file.read_text().replace('"""', '"""Edited. ', 1) + "\n# edited\n")
    assert [hash_of(tmp_path, path) for path in paths] == before
    file.write_text(file.read_text() + "EDITED = 1\n")
    pairs = zip(paths, before, strict=True)
    assert [path.stem[:2] for path, old in pairs if hash_of(tmp_path, path) != old] == stems


# --- what is beside a notebook

HELPER = "from data import rows\nfrom helper import level\nprint(level, rows)"
READ = "import csv, os\nprint(list(csv.reader(open('rows.csv'))), os.getenv('MY_LEVEL'))"


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A checkout with a notebook that uses two modules, a CSV file and an environment variable."""
    root = make_checkout(tmp_path / "checkout", monkeypatch)
    monkeypatch.delenv("MY_LEVEL", raising=False)
    folder = root / "notebooks"
    (folder / "data").mkdir()
    (folder / "helper.py").write_text('"""A text."""\nfrom deeper import level\n')
    (folder / "deeper.py").write_text("level = 1\n")
    (folder / "data/__init__.py").write_text("rows = 1\n")
    (folder / "rows.csv").write_text("1,2\n")
    (folder / "conftest.py").write_text("from repro import judge\n")
    save(root, "01_a", WRITE, HELPER, READ)
    return root


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("helper.py", "from deeper import level\nlevel += 1\n"),
        ("deeper.py", "level = 2\n"),
        ("data/__init__.py", "rows = 2\n"),
        ("rows.csv", "1,3\n"),
        ("more.csv", ""),
        ("MY_LEVEL", "2"),
        ("MY_LEVEL", ""),
    ],
)
def test_what_is_beside_a_notebook_counts(beside, name, text, capsys, monkeypatch):
    run.run_notebook("01_a")
    run.run_notebook("01_a")
    assert capsys.readouterr().out.splitlines()[-1] == "01_a: up to date"
    if name.isupper():
        monkeypatch.setenv(name, text)
    else:
        (beside / "notebooks" / name).write_text(text)
    run.run_notebook("01_a")
    assert "01_a: running" in capsys.readouterr().out
    run.run_notebook("01_a")
    assert capsys.readouterr().out == "01_a: up to date\n"


def test_what_a_notebook_does_not_name_leaves_it_alone(beside, monkeypatch):
    before = hash_of(beside)
    folder = beside / "notebooks"
    (folder / "helper.py").write_text('"""Another text."""\nfrom deeper import level  # so\n')
    (folder / "conftest.py").write_text("import os\n")
    (folder / "other.py").write_text("level = 3\n")
    (folder / "exercises").mkdir()
    (folder / "exercises/a.csv").write_text("1\n")
    (folder / ".hidden.csv").write_text("1\n")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__/helper.pyc").write_text("1\n")
    shutil.copy(folder / "01_a.ipynb", folder / "02_b.ipynb")
    monkeypatch.setenv("MY_OTHER", "1")
    assert hash_of(beside) == before


def test_a_helper_reaches_the_library_as_a_cell_does(toy):
    (toy / "notebooks/helper.py").write_text("from repro import learners\nbag = learners.Bag()\n")
    assert modules_of(toy, "import numpy") == set()
    assert modules_of(toy, "%run helper.py") == BAG
    assert modules_of(toy, "from helper import bag") == BAG


@pytest.mark.parametrize(
    "cell", ["%env MY_LEVEL", "!echo $MY_LEVEL", "import os\nos.environ['MY_LEVEL']"]
)
def test_each_way_to_name_a_variable_counts(beside, cell, monkeypatch):
    save(beside, "01_a", cell)
    before = hash_of(beside)
    monkeypatch.setenv("MY_LEVEL", "2")
    assert hash_of(beside) != before


def test_the_variables_of_the_runner_do_not_count(beside, monkeypatch):
    """A kernel always has the runner's own values of them."""
    save(beside, "01_a", "import os\nos.environ['REPRO_OUTPUT'], os.environ['REPRO_PROVENANCE']")
    before = hash_of(beside)
    monkeypatch.setenv("REPRO_OUTPUT", "elsewhere")
    monkeypatch.setenv("REPRO_PROVENANCE", "{}")
    assert hash_of(beside) == before


def test_a_file_that_cannot_be_read_is_no_obstacle(beside):
    (beside / "notebooks/rows.csv").unlink()
    os.symlink("rows.csv", beside / "notebooks/rows.csv")
    assert hash_of(beside) != ""
