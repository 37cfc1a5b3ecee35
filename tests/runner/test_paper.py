"""Committed results come from the paper's parameters, which are on record."""

from __future__ import annotations

import json

import pytest
from toy_checkout import WRITE, content, edit, make_checkout, save

from repro.__main__ import main
from repro._folders import python
from repro.runner import execute, job, paper, parameters, run, status
from repro.runner import notebook as nb


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    return make_checkout(tmp_path / "checkout", monkeypatch)


@pytest.fixture
def path(checkout):
    """A notebook of the paper, run and recorded."""
    notebook = save(checkout, "01_a", WRITE)
    assert main(["run", "01_a", "--accept"]) == 0
    return notebook


def refused(capsys, checkout, *arguments):
    """The one line of a refused run, which writes nothing."""
    capsys.readouterr()
    before = content(checkout)
    assert main(["run", "01_a", *arguments]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert content(checkout) == before
    return shown.err.strip()


def test_a_value_that_is_not_the_papers_is_refused_and_nothing_is_overwritten(
    path, checkout, capsys
):
    edit(path, "n: int = 1", "n: int = 2")
    assert refused(capsys, checkout) == (
        "error: notebooks/01_a.ipynb: n must be 1, the paper's (profiles/paper.json); got 2; "
        "nothing was run: put it back, or try it with -p n 2 or a profile, or make it the "
        f"paper's with: {python()} -m repro run 01_a --accept"
    )
    assert refused(capsys, checkout, "--force")
    with pytest.raises(parameters.ParameterError, match=r"n must be 1, the paper's .* got 2"):
        run.run_notebook(path)
    assert list(status.figure_states()) == [("01_a", "(no figures)", "code changed")]


def test_each_remedy_that_the_refusal_names_works(path, checkout, capsys):
    edit(path, "n: int = 1", "n: int = 2")
    committed = {"figures/01_figure_1.png", "notebooks/01_a.ipynb", "profiles/paper.json"}
    before = content(checkout)
    assert main(["run", "01_a", "-p", "n", "2"]) == 0
    assert (checkout / "build/custom/figures/01_figure_1.png").read_bytes() == b"2"
    assert main(["run", "01_a", "--profile", "quick"]) == 0
    assert (checkout / "build/quick/figures/01_figure_1.png").read_bytes() == b"7"
    assert {name: content(checkout)[name] for name in committed} == {
        name: before[name] for name in committed
    }
    capsys.readouterr()
    assert main(["run", "01_a", "--accept"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "01_a: n = 2 is the paper's now; it was 1 (profiles/paper.json)"
    assert (checkout / "figures/01_figure_1.png").read_bytes() == b"2"
    assert main(["run", "01_a"]) == 0
    edit(path, "n: int = 2", "n: int = 1")
    assert refused(capsys, checkout)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.5  # share", "1  # share", "alpha must be 0.5, the paper's .*; got 1.0; nothing"),
        ("= 1  # size", "= True  # size", "n must be int; got True"),
        (
            'label: str | None = \\"é\\"',
            "label: str | None = None",
            "label must be 'é', .* got None",
        ),
        ("n: int = 1  # size\\n", "", "n must be 1, .* got no such parameter; nothing was run"),
        ("n: int", "m: int = 3\\nn: int", "m must be in the paper's parameters .* got 3, new;"),
        ('"parameters"', '"other"', "must have a cell tagged parameters .* got none: put it back"),
        ("print(n)", "n = 2", r"n must be assigned in the parameters cell only; got code cell 2"),
    ],
)
def test_every_way_to_another_value_is_refused(path, checkout, capsys, old, new, message):
    stored = json.loads(path.read_text())
    for cell in stored["cells"]:  # in one string, so that a line end can be edited
        cell["source"] = "".join(cell["source"])
    path.write_text(json.dumps(stored, ensure_ascii=False))
    edit(path, old, new)
    line = refused(capsys, checkout)
    with pytest.raises(parameters.ParameterError, match=message):
        raise parameters.ParameterError(line)


@pytest.mark.parametrize(
    "code",
    [
        "n = 2",
        "n += 1",
        "n: int = 2",
        "n, m = 2, 3",
        "for n in range(3):\n    pass",
        "with open('a') as n:\n    pass",
        "print([n := i for i in range(3)])",
        "print([[n := j for j in i] for i in ['a']])",
        "n = await f()",
        "import numpy as n",
        "class n:\n    pass",
        "class A:\n    def f(self):\n        global n\n        n = 2",
        "def n():\n    pass",
        "def f():\n    global n\n    n = 2",
        "del n",
        "if True:\n    n = 2",
        "%time n = 2",
        "%%time\nn = 2",
        "files = !ls\nn = 2",
        "%matplotlib inline\nn?\nn = 2",
    ],
)
def test_a_parameter_that_a_later_cell_overrides_is_refused_with_every_profile(
    checkout, capsys, code
):
    save(checkout, "01_a", "pass", code)
    for options in ([], ["-p", "n", "3"], ["--profile", "quick"]):
        rule = "n must be assigned in the parameters cell only; got code cell 3"
        assert rule in refused(capsys, checkout, *options)


@pytest.mark.parametrize(
    "code",
    [
        "print([n for n in range(3)])",
        "print({n: [n for n in 'a'] for n in range(3)}, n)",
        "f = lambda: [n for n in range(3)]",
        "f = lambda n: n",
        "class A:\n    n = 2",
        "print('\\d', n is 2)",
        "def f(n):\n    n = 2\n    return n",
        "print(n == 2, dict(n=2))",
        "a.n = b['n'] = 2",
        "# n = 2\n'''\nn = 2\n'''",
        "%%bash\nn = 2",
        "text = 'a = %s' % n",
        "%timeit n = 2",
    ],
)
def test_code_that_does_not_assign_a_parameter_is_allowed_in_any_cell(checkout, code):
    notebook = save(checkout, "01_a", code)
    job.check_assigned_once(nb.read(notebook))


def test_a_value_saved_between_the_check_and_the_start_is_refused(path, checkout, monkeypatch):
    """papermill reads the notebook from the disk a moment after the check."""
    edit(path, "print(n)", "print(n, n)")
    as_before = execute.execute

    def late(notebook, *arguments, **options):
        edit(path, "n: int = 1", "n: int = 2")
        return as_before(notebook, *arguments, **options)

    monkeypatch.setattr(execute, "execute", late)
    with pytest.raises(parameters.ParameterError, match=r"n must be 1, the paper's .* got 2"):
        run.run_notebook(path)
    assert (checkout / "figures/01_figure_1.png").read_bytes() == b"1"
    assert not list(checkout.rglob("*.running.ipynb"))


def test_other_code_with_the_papers_values_runs(path, checkout):
    edit(path, "print(n)", "print(n + 1)")
    assert main(["run", "01_a"]) == 0
    assert '"2\\n"' in path.read_text()


def test_a_copy_in_notebooks_does_not_replace_the_figures_of_the_paper(path, checkout, capsys):
    """JupyterLab's "Duplicate" makes 01_a-Copy1, and `make figures` runs whatever has a number."""
    copy = path.with_name("01_a-Copy1.ipynb")
    copy.write_bytes(path.read_bytes())
    edit(copy, "n: int = 1", "n: int = 2")
    for options in ([], ["--accept"]):
        before = content(checkout)
        assert main(["run", "01_a-Copy1", *options]) == 2
        assert "the number 01 and the figures 01_*" in capsys.readouterr().err
        assert content(checkout) == before


def test_a_renamed_notebook_is_accepted_under_its_new_name(path, checkout, capsys):
    path.rename(path.with_name("01_b.ipynb"))
    (checkout / "profiles/quick.toml").unlink()
    assert main(["run", "01_b"]) == 2
    assert f"{python()} -m repro run 01_b --accept" in capsys.readouterr().err
    assert main(["run", "01_b", "--accept"]) == 0
    assert list(paper.recorded(checkout)) == ["01_b"]


def test_a_new_notebook_runs_before_it_is_recorded(path, checkout):
    save(checkout, "02_b", WRITE.replace("01_", "02_"))
    assert main(["run", "02_b"]) == 0
    assert main(["run", "02_b", "--accept"]) == 0
    assert list(paper.recorded(checkout)) == ["01_a", "02_b"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "n", "2"], "--accept goes without -p and --profile"),
        (["--profile", "quick"], "--accept goes without -p and --profile"),
    ],
)
def test_only_values_in_the_cell_can_be_accepted(path, checkout, capsys, arguments, message):
    assert refused(capsys, checkout, "--accept", *arguments) == f"error: {message}"


def test_an_unreadable_record_is_reported(path, checkout, capsys):
    (checkout / "profiles/paper.json").write_text("<<<<<<< HEAD")
    assert "profiles/paper.json is not valid JSON: " in refused(capsys, checkout)
    (checkout / "profiles/paper.json").write_text("[1]")
    assert "profiles/paper.json must hold one object per notebook" in refused(capsys, checkout)


def test_the_record_holds_every_kind_of_value(checkout):
    notebook = save(checkout, "01_a")
    odd = (
        "a: float = 1e-300  # tiny\nb: list[str] = ['x']  # names\nc: int | None = None  # none\n"
        "d: dict[str, float] = {'é': 2}  # by name\ne: bool = False  # no"
    )
    stored = nb.read(notebook).content
    stored["cells"][1]["source"] = odd
    nb.write(notebook, stored)
    changed = nb.read(notebook)
    paper.accept(changed, checkout)
    paper.check(changed, checkout)
    assert paper.recorded(checkout)["01_a"] == changed.defaults
