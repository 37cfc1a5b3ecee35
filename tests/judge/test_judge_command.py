"""`python -m repro judge` writes a report whole, or says in one line why not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types

import nbformat
import pandas as pd
import pytest

from repro.__main__ import main
from repro.judge.report import Report

MINE = """
class Mine:
    def predict_one(self, x): ...
    def learn_one(self, x, y): ...

mine = Mine()
class both:
    models = {"A": mine, "B": Mine}
"""


class Judge:
    """In place of the three functions: it keeps what it was asked, and answers at once."""

    def __init__(self):
        self.asked = []
        self.failure = None

    def __call__(self, *models, **options):
        self.asked.append((*models, options))
        if self.failure:
            raise self.failure
        columns = ["question", "verdict", "evidence"]
        verdicts = pd.DataFrame([["Is it better?", "yes", "0.1 < 0.2"]], columns=columns)
        return Report("Mine", "It is third.", verdicts, pd.DataFrame({"x": [1]}), (), "its own")


@pytest.fixture
def judge(monkeypatch):
    asked = Judge()
    for kind in ("learner", "detector", "stream", "predictions"):
        module = types.ModuleType(f"repro.judge.of_{kind}")
        setattr(module, kind, asked)
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return asked


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder with a module of the user, as the current one."""
    (tmp_path / "mymodule.py").write_text(MINE)
    (tmp_path / "my.csv").write_text("a,y\n1,2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in [n for n in sys.modules if n.startswith("mymodule")]:
        del sys.modules[name]


def written(folder):
    """Names of the files in `folder` that were not there before."""
    files = (p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    return {p.relative_to(folder).as_posix() for p in files} - {"mymodule.py", "my.csv"}


def called(path):
    """The first cell of the notebook at `path`, without the import that all have."""
    return nbformat.read(path, as_version=4).cells[1].source.partition("prose\n")[2]


def test_a_class_of_this_folder_is_judged(folder, judge, capsys):
    assert main(["judge", "learner", "mymodule:Mine"]) == 0
    ((model, options),) = judge.asked
    assert (model.__name__, options) == ("Mine", {"jobs": 2})  # the others are of the function
    assert capsys.readouterr().out == "It is third.\nwrote judge-learner.html\n"
    assert written(folder) == {"judge-learner.html"}


def test_all_outputs_are_written_and_say_how_they_were_made(folder, judge, capsys):
    command = ["judge", "learner", "mymodule:Mine", "mymodule:mine", "--streams", "NSGT, NSLC"]
    command += ["--seeds", "3", "--jobs", "1", "--quick", "--references", "mymodule:both.models"]
    command += ["--report", "a/r.html", "--csv", "b", "--latex", "c.tex", "--notebook", "d.ipynb"]
    assert main(command) == 0
    ((models, options),) = judge.asked
    assert list(models) == ["Mine", "mine"]
    assert options.pop("references") == sys.modules["mymodule"].both.models
    assert options == {"streams": ("NSGT", "NSLC"), "seeds": 3, "jobs": 1, "quick": True}
    names = ["a/r.html", "b/verdicts.csv", "b/table.csv", "c.tex", "d.ipynb"]
    assert capsys.readouterr().out.splitlines()[1:] == [f"wrote {name}" for name in names]
    assert written(folder) == set(names)
    assert called("d.ipynb").splitlines() == [
        "import mymodule",
        "from repro import judge",
        "",
        "report = judge.learner({'Mine': mymodule.Mine, 'mine': mymodule.mine}, "
        "streams=('NSGT', 'NSLC'), seeds=3, jobs=1, quick=True, "
        "references={**mymodule.both.models})",
    ]
    page = (folder / "a/r.html").read_text("utf-8")
    assert "python -m repro judge learner mymodule:Mine mymodule:mine --streams &#x27;NSGT" in page
    assert "its own" not in page


def test_a_report_says_the_command_of_the_shell(folder, judge, monkeypatch):
    arguments = ["judge", "learner", "mymodule:Mine", "--report", "r.html"]
    monkeypatch.setattr(sys, "argv", ["repro", *arguments])
    assert main() == 0
    page = (folder / "r.html").read_text("utf-8")
    assert "python -m repro judge learner mymodule:Mine --report r.html" in page


def test_a_mapping_is_given_as_it_is_and_joined_to_others(folder, judge):
    assert main(["judge", "learner", "mymodule:both.models", "--notebook", "a.ipynb"]) == 0
    assert list(judge.asked[0][0]) == ["A", "B"]
    assert called("a.ipynb").endswith("judge.learner(mymodule.both.models, jobs=2)")
    assert main(["judge", "learner", "mymodule:both.models", "mymodule:Mine",
                 "--notebook", "a.ipynb"]) == 0  # fmt: skip
    assert list(judge.asked[1][0]) == ["A", "B", "Mine"]
    assert called("a.ipynb").endswith("judge.learner({**mymodule.both.models, "
                                      "'Mine': mymodule.Mine}, jobs=2)")  # fmt: skip


def test_a_detector_is_judged_with_its_parameter(folder, judge):
    command = ["judge", "detector", "mymodule:Mine", "--parameter", "delta", "--values", "0.1,0.01"]
    assert main([*command, "--seeds", "5", "--notebook", "a.ipynb"]) == 0
    options = {"parameter": "delta", "values": (0.1, 0.01), "seeds": 5, "jobs": 2}
    assert judge.asked[0][1:] == (options,)
    assert called("a.ipynb").endswith(
        "judge.detector(mymodule.Mine, parameter='delta', values=(0.1, 0.01), seeds=5, jobs=2)"
    )
    assert "judge-detector.html" in written(folder)


def test_a_file_is_judged_with_its_columns(folder, judge):
    command = ["judge", "stream", "my.csv", "--label", "y", "--time", "t", "--nominal", "a,b"]
    assert main([*command, "--missing", "drop", "--notebook", "a.ipynb"]) == 0
    options = {"label": "y", "time": "t", "nominal": ("a", "b"), "missing": "drop", "jobs": 2}
    assert judge.asked == [("my.csv", options)]
    assert called("a.ipynb").endswith(
        "judge.stream('my.csv', label='y', time='t', nominal=('a', 'b'), missing='drop', jobs=2)"
    )


def test_a_log_of_predictions_is_judged_with_its_columns(folder, judge):
    command = ["judge", "predictions", "my.csv", "--label", "y", "--predicted", "old,new"]
    command += ["--score", "s1,s2", "--time", "t", "--label-time", "came", "--groups", "zone"]
    command += ["--positive", "fraud", "--separator", ";"]
    assert main([*command, "--notebook", "a.ipynb"]) == 0
    options = {"label": "y", "predicted": ("old", "new"), "time": "t", "label_time": "came"}
    options |= {"score": ("s1", "s2"), "groups": ("zone",), "positive": "fraud", "separator": ";"}
    assert judge.asked == [("my.csv", options)]
    assert called("a.ipynb").endswith(
        "judge.predictions('my.csv', label='y', predicted=('old', 'new'), time='t', "
        "label_time='came', score=('s1', 's2'), groups=('zone',), positive='fraud', "
        "separator=';')"
    )
    assert "judge-predictions.html" in written(folder)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learner", "mymodule.Mine"], "a model must be named like mymodule:MyModel; got 'mymod"),
        (["learner", "mymodule.py:Mine"], "got 'mymodule.py:Mine'; leave .py out: mymodule:Mine"),
        (["learner", "nowhere:Mine"], "there is no module nowhere in .* and among the installed"),
        (["learner", "mymodule:Mien"], "mymodule has no Mien; did you mean Mine[?]"),
        (["learner", "mymodule:both.x"], "mymodule.both has no x"),
        (["learner", "mymodule:mine", "mymodule:mine"], "must have different names; got 'mine'"),
        (
            ["learner", "mymodule:mine", "--report", "a.pdf"],
            "got '.pdf'",
        ),
        (["learner", "mymodule:mine", "--latex", "a.txt"], "got '.txt'"),
        (["learner", "mymodule:mine", "--csv", "my.csv"], "folder must be a folder; got the file"),
    ],
)
def test_a_wrong_argument_is_one_line_before_anything_runs(
    folder, judge, capsys, arguments, message
):
    assert main(["judge", *arguments]) == 2
    out, err = capsys.readouterr()
    assert re.match(f"error: .*{message}", err), err
    assert (out, err.count("\n"), judge.asked, written(folder)) == ("", 1, [], set())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learner"], "required: MODULE:NAME"),
        (["learner", "a:B", "--seeds", "0"], "--seeds: must be a whole number of at least 1; got"),
        (["learner", "a:B", "--jobs", "x"], "must be a whole number of at least 1; got 'x'"),
        (["learner", "a:B", "--streams", ","], "must be names with commas between; got ','"),
        (["detector", "a:B", "--values", "1,b"], "must be numbers with commas between; got '1,b'"),
        (["stream", "my.csv"], "required: --label"),
        (["stream", "none.csv"], "argument FILE: there is no file 'none.csv' in "),
        (["predictions", "none.csv", "--label", "y"], "FILE: there is no file 'none.csv' in "),
        (["river"], "invalid choice: 'river'"),
    ],
)
def test_a_wrong_option_is_one_line(folder, judge, capsys, arguments, message):
    with pytest.raises(SystemExit, match="2"):
        main(["judge", *arguments])
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n"), judge.asked, written(folder)) == ("", 1, [], set())


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1\n1 / 0\n", r"ZeroDivisionError: division by zero \(mymodule.py, line 2\)"),
        (
            "import nowhere\n",
            r"ModuleNotFoundError: No module named 'nowhere' \(mymodule",
        ),
        ("def f(:\n", r"SyntaxError: .* \(mymodule.py, line 1\)"),
        ("raise SystemExit('bye')\n", r"SystemExit: bye \(mymodule.py, line 1\)"),
        ("raise ValueError('two\\nlines')\n", r"ValueError: two lines \(mymodule.py, line 1\)"),
    ],
)
def test_a_module_that_raises_is_named_with_its_error(folder, judge, capsys, code, message):
    (folder / "mymodule.py").write_text(code)
    assert main(["judge", "detector", "mymodule:Mine"]) == 1
    out, err = capsys.readouterr()
    assert re.match(f"error: mymodule cannot be imported: {message}", err), err
    assert (out, written(folder)) == ("", set())


@pytest.mark.parametrize(
    ("failure", "code", "line"),
    [
        (
            ValueError("label must be a column; got 'z'"),
            2,
            "error: label must be",
        ),
        (RuntimeError("no run\nfinished"), 1, "error: RuntimeError: no run finished"),
        (
            PermissionError(13, "Permission denied"),
            1,
            "error: PermissionError: [Errno 13] P",
        ),
        (KeyError(), 1, "error: KeyError"),
        (KeyboardInterrupt(), 130, "interrupted; finished runs are kept: the same command contin"),
    ],
)
def test_a_run_that_fails_is_one_line_and_writes_nothing(
    folder, judge, capsys, failure, code, line
):
    judge.failure = failure
    (folder / "judge-learner.html").write_text("old")
    assert main(["judge", "learner", "mymodule:Mine"]) == code
    out, err = capsys.readouterr()
    assert err.startswith(line)
    assert (out, err.count("\n")) == ("", 1)
    assert (folder / "judge-learner.html").read_text() == "old"


def test_help_is_there_before_numpy_is_loaded(tmp_path):
    code = (
        "import sys; from repro.__main__ import main\ntry: main(['judge', 'learner', '--help'])\n"
    )
    code += "finally: print({'numpy', 'pandas', 'numba', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "--report" in done.stdout
    assert done.stdout.endswith("set()\n")


def test_the_functions_are_not_hidden_by_modules_of_their_names():
    """`judge.learner` is the function, also after its module has been imported."""
    from repro import judge

    for kind in ("learner", "detector", "stream", "predictions"):
        __import__(f"repro.judge.of_{kind}")
        assert callable(getattr(judge, kind))
