"""Notebooks run whole or not at all, and only if an input changed."""

import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import nbformat
import pytest
from matplotlib.figure import Figure
from toy_checkout import WRITE, content, edit, make_checkout, save, start

from repro import data_sets, figures, provenance
from repro.__main__ import main
from repro._folders import install_command, python
from repro.data_sets import reader
from repro.runner import notebook as nb
from repro.runner import parameters, publish, run, status
from repro.runner.job import prepare

STRIP = ["--keep-output", "--keep-count", "--keep-id", "--extra-keys"]
STRIP += ["metadata.papermill cell.metadata.papermill cell.metadata.execution"]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    return make_checkout(tmp_path / "checkout", monkeypatch)


def is_current(path):
    return publish.current(prepare(nb.read(path), "paper", {})) is not None


def test_equal_inputs_give_equal_bytes_that_say_what_they_came_from(checkout, capsys):
    """Run twice with the real libraries: a figure, a table and the notebook itself."""
    path = save(
        checkout,
        "01_a",
        "import pandas as pd\nfrom matplotlib.figure import Figure\nfrom repro import _folders\n"
        "from repro.figures.save import save\nfrom repro.results import save_table",
        "import os, sys\nprint(os.getcwd())\n"
        "for i in range(9):\n    print(i, flush=True)\n    print(i, file=sys.stderr)",
        'save(Figure(), "01_figure_1")',
        'save_table(pd.DataFrame({"item": ["a"], "x": [1 / 3]}), "01_cells")',
    )
    assert main(["run", "01_a"]) == 0
    first = content(checkout)
    assert main(["run", str(path), "--force"]) == 0
    second = content(checkout)
    results = ["data/results/01_cells.csv", "figures/01_figure_1.png"]
    made = ["build/paper/01_a.ipynb", "data/results/01_provenance.json", *results]
    assert set(second) == {
        *made,
        "notebooks/01_a.ipynb",
        "profiles/quick.toml",
        "src/repro/_files.py",
    }
    assert {name for name in first if first[name] != second[name]} == {"build/paper/01_a.ipynb"}
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "01_a: running (profile paper) ..."
    assert lines[1].startswith("01_a: done in ")
    assert lines[1].endswith(" s, 2 figures and tables; see build/paper/01_a.ipynb")

    described = prepare(nb.read(path), "paper", {}).provenance()
    assert status.png_text(checkout / "figures" / "01_figure_1.png") == described
    record = json.loads(second["data/results/01_provenance.json"])
    assert list(record.pop("outputs")) == results
    assert record == described
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata["repro"] == {**described, "outputs": results}
    assert [cell.execution_count for cell in notebook.cells[1:]] == [1, 2, 3, 4, 5]
    printed, saved = (notebook.cells[i].outputs for i in (3, 4))
    assert [output.name for output in printed] == ["stdout", "stderr"]
    assert printed[0].text.startswith("notebooks\n0\n1\n")
    assert saved[-1].data["text/plain"] == "figures/01_figure_1.png"
    assert str(checkout) not in path.read_text()
    verify = [sys.executable, "-m", "nbstripout", "--verify", *STRIP, path]
    assert subprocess.run(verify, check=False).returncode == 0
    assert list(status.figure_states()) == [("01_a", "01_figure_1", "current")]


def test_only_what_changed_is_run(checkout, capsys):
    a, b = save(checkout, "01_a", WRITE), save(checkout, "02_b", WRITE.replace("01_", "02_"))
    assert main(["run", "01_a", "02_b"]) == 0
    edit(a, "# Title", "# Other title")
    os.utime(b)
    before = content(checkout)
    capsys.readouterr()
    assert main(["run", "01_a", "02_b"]) == 0
    assert capsys.readouterr().out == "01_a: up to date\n02_b: up to date\n"
    assert content(checkout) == before

    edit(a, "n: int = 1", "n: int = 2")
    assert main(["run", "01_a", "02_b"]) == 0
    assert [line[:9] for line in capsys.readouterr().out.splitlines()] == [
        "01_a: run", "01_a: don", "02_b: up ",
    ]  # fmt: skip
    assert (checkout / "figures/01_figure_1.png").read_bytes() == b"2"

    for name in (
        "src/repro/_files.py",
        "figures/01_figure_1.png",
        "data/results/01_provenance.json",
    ):
        path = checkout / name
        kept = path.read_bytes()
        path.write_bytes(b"other")
        assert not is_current(a)
        path.write_bytes(kept)
        assert is_current(a)
    (checkout / "figures/01_figure_1.png").unlink()
    assert (is_current(a), is_current(b)) == (False, True)


def test_outputs_that_were_cleared_are_put_back(checkout, capsys):
    path = save(checkout, "01_a", WRITE)
    run.run_notebook("01_a")
    before = path.read_bytes()
    save(checkout, "01_a", WRITE)
    assert path.read_bytes() != before
    run.run_notebook("01_a")
    assert "up to date, outputs put back" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_metadata_that_an_editor_wrote_are_put_back(checkout):
    """As JupyterLab and others do when a notebook is only opened."""
    path = save(checkout, "01_a", WRITE)
    run.run_notebook("01_a")
    before = path.read_bytes()
    stored = json.loads(before)
    stored["metadata"]["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    stored["metadata"]["language_info"] = {"name": "python", "version": "3.14", "mimetype": "a/b"}
    stored["cells"][1]["metadata"]["collapsed"] = True
    path.write_text(json.dumps(stored))
    run.run_notebook("01_a")
    after = json.loads(path.read_bytes())
    assert after["metadata"].pop("language_info") == {"name": "python"}
    assert after == json.loads(before)


def test_a_notebook_that_raises_changes_nothing_but_the_failed_notebook(checkout, capsys):
    path = save(checkout, "01_a", WRITE, "assert n == 1, 'n must be 1; got\\nmore'")
    assert main(["run", "01_a"]) == 0
    edit(path, "n: int = 1", "n: int = 2")
    before = content(checkout)
    assert main(["run", "notebooks/01_a.ipynb"]) == 1
    line = "FAILED notebooks/01_a.ipynb In[3]: AssertionError: n must be 1; got"
    assert capsys.readouterr().err == f"{line}  (see build/paper/01_a.FAILED.ipynb)\n"
    after = content(checkout)
    assert after.pop("build/paper/01_a.FAILED.ipynb")
    del before["build/paper/01_a.ipynb"]
    assert after == before
    assert list(status.figure_states()) == [("01_a", "(no figures)", "failed")]

    edit(path, "n: int = 2", "n: int = 1")
    assert main(["run", "01_a"]) == 0
    assert not (checkout / "build/paper/01_a.FAILED.ipynb").exists()


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (
            "import os; os.kill(os.getpid(), 9)",
            " In[2]: the kernel died (out of memory, or killed)",
        ),
        ("import time; time.sleep(60)", " In[2]: the cell took longer than 1 s"),
        ("import sys; sys.exit()", " In[2]: the notebook left before its end"),
    ],
    ids=["dead kernel", "timeout", "exit"],
)
def test_each_way_of_stopping_early_has_its_own_message(checkout, capfd, source, line):
    save(checkout, "01_a", source)
    assert main(["run", "01_a", "--timeout", "1"]) == 1
    shown = f"FAILED notebooks/01_a.ipynb{line}  (see build/paper/01_a.FAILED.ipynb)\n"
    assert capfd.readouterr().err == shown


def test_a_missing_kernel_is_named_with_the_way_to_get_it(checkout, capsys, monkeypatch):
    save(checkout, "01_a", WRITE, kernel="nosuch")
    assert main(["run", "01_a"]) == 1
    assert "FAILED notebooks/01_a.ipynb: no kernel 'nosuch'; choose" in capsys.readouterr().err
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["run", "01_a"]) == 1
    shown = capsys.readouterr().err
    assert f"papermill is not installed; install it with: {install_command('notebooks')}" in shown


def test_other_parameters_leave_committed_files_alone(checkout):
    path = save(checkout, "01_a", WRITE, "print(alpha, label)")
    before = content(checkout)
    executed = run.run_notebook(path, profile="quick")
    assert executed == checkout / "build/quick/01_a.ipynb"
    assert (checkout / "build/quick/figures/01_figure_1.png").read_bytes() == b"7"
    assert main(["run", "01_a", "-p", "alpha", "1", "-p", "label", "None"]) == 0
    text = (checkout / "build/custom/01_a.ipynb").read_text()
    assert '"1.0 None\\n"' in text
    after = content(checkout)
    assert {name: after[name] for name in before} == before
    assert all(name.startswith("build/") for name in set(after) - set(before))


def test_a_try_takes_its_other_parameters_from_the_quick_profile(checkout, capsys):
    save(checkout, "01_a", WRITE, "print(n)")
    for options, n in (([], 7), (["--profile", "paper"], 1), (["--profile", "quick"], 7)):
        assert main(["run", "01_a", "-p", "alpha", "1", *options]) == 0
        assert f'"{n}\\n"' in (checkout / "build/custom/01_a.ipynb").read_text()
        said = capsys.readouterr().out
        assert ("other parameters as in the profile quick" in said) == (not options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "m", "1"], "01_a.ipynb has no parameter 'm'; there are: n, alpha, label"),
        (["-p", "alfa", "1"], "01_a.ipynb has no parameter 'alfa'; did you mean alpha?"),
        (["-p", "n", "1.5"], "n must be int; got 1.5"),
        (["-p", "n", "true"], "n must be int; got True"),
        (["-p", "alpha", "half"], "alpha must be float; got 'half'"),
        (
            ["--profile", "fast"],
            "profile must be one of paper, bad, latin, quick, typo, wrong; got 'fast'",
        ),
        (["--profile", "typo"], "profile typo: 01_a.ipynb has no parameter 'm'; there are: "),
        (
            ["--profile", "wrong"],
            "profiles/wrong.toml must have one table per notebook; got '01_b': ",
        ),
        (["--profile", "bad"], "profiles/bad.toml is not valid TOML: "),
        (["--profile", "latin"], "profiles/latin.toml is not valid TOML: "),
        (["02_b"], "there is no notebook '02_b'; there are: 01_a"),
    ],
)
def test_a_wrong_argument_is_one_line_and_writes_nothing(checkout, capsys, arguments, message):
    save(checkout, "01_a", WRITE)
    for name, text in {"typo": "[01_a]\nm = 1", "wrong": "[01_b]\nn = 1", "bad": "[01_a"}.items():
        (checkout / "profiles" / f"{name}.toml").write_text(text)
    (checkout / "profiles" / "latin.toml").write_text("# é", encoding="latin-1")
    before = sorted(checkout.rglob("*"))
    assert main(["run", "01_a", *arguments]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith(f"error: {message}")
    assert (shown.err.count("\n"), shown.out) == (1, "")
    assert sorted(checkout.rglob("*")) == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not valid JSON: "),
        ([], "it has no list of cells"),
        ({"cells": {}}, "it has no list of cells"),
        ({"cells": [], "metadata": []}, "its metadata, and what the runner noted there, must be"),
        ({"cells": [], "metadata": {"repro": 1}}, "its metadata, and what the runner noted there"),
        ({"cells": [[]]}, "cell 1 and its metadata must be objects"),
        ({"cells": [{}, {"metadata": "x"}]}, "cell 2 and its metadata must be objects"),
        ({"cells": [{"source": None}]}, "the source of cell 1 must be a text or a list of texts"),
        ({"cells": [{"source": ["", 1]}]}, "the source of cell 1 must be a text or a list"),
        ({"cells": [{"metadata": {"tags": 3}}]}, "the tags of cell 1 must be a list"),
        ({"cells": [{"outputs": None}]}, "the outputs of cell 1 must be a list"),
    ],
)
def test_a_file_that_is_no_notebook_is_refused_in_words(tmp_path, content, says):
    path = tmp_path / "01_a.ipynb"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(nb.InvalidNotebook, match=f"/01_a.ipynb: .*{says}"):
        nb.read(path)


def test_a_full_disk_is_said_in_one_line_and_results_stay(checkout, monkeypatch, capsys):
    """An error of writing does not name its file, one of opening does."""
    path = save(checkout, "01_a", WRITE)
    assert main(["run", "01_a"]) == 0
    before = content(checkout)
    for file in ((), (str(path),)):

        def full(*arguments, file=file):
            raise OSError(errno.ENOSPC, "No space left on device", *file)

        monkeypatch.setattr(run.execute, "_papermill", full)
        capsys.readouterr()
        assert main(["run", "01_a", "--force"]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        where = file[0] if file else checkout / "build/paper"
        assert line == f"FAILED 01_a: No space left on device: {where}"
        assert content(checkout) == before


def test_a_missing_argument_is_reported_in_one_line(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["run"])
    assert capsys.readouterr().err == (
        "repro run: the following arguments are required: NOTEBOOK\n"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("n = 1", "must read 'name: type = literal  # comment'; got 'n = 1'"),
        ("n: int = f(1)  # no", "got 'n: int = f(1)  # no'"),
        ("n: int = 1.5", "n must be int; got 1.5"),
        ("n: array = 1", "n must be array; got 1"),
    ],
)
def test_a_line_of_the_parameters_cell_of_another_form_is_refused(checkout, capsys, line, message):
    path = save(checkout, "01_a")
    edit(path, "n: int = 1  # size", line)
    assert main(["run", "01_a"]) == 2
    assert message in capsys.readouterr().err


def test_parameters_are_listed_as_declared(checkout, capsys):
    save(checkout, "01_a")
    assert main(["parameters", "01_a"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "n: int = 1               # size",
        "alpha: float = 0.5       # share",
        "label: str | None = 'é'  # text",
    ]


def test_a_flipped_bit_in_what_a_run_has_left_makes_it_run_again(checkout):
    """Or it changes nothing that the next call writes."""
    path = save(checkout, "01_a", "import pandas as pd", "print(n)\nn", WRITE)
    assert main(["run", "01_a"]) == 0
    job = prepare(nb.read(path), "paper", {})
    is_as_before, rng = content(checkout), random.Random(5)
    for file in (job.path(".ipynb"), job.record):
        whole = file.read_bytes()
        for i in range(len(whole)):
            changed = bytearray(whole)
            changed[i] ^= 1 << rng.randrange(8)
            file.write_bytes(changed)
            if (executed := publish.current(job)) is not None:
                publish.store_outputs(job, executed)
                file.write_bytes(whole) if file != job.record else None
                assert content(checkout) == is_as_before, changed[max(0, i - 40) : i + 40]
        file.write_bytes(whole)


@pytest.mark.parametrize("text", ["{not json", '{"cells": 3}', "[]"])
def test_a_file_that_is_not_a_notebook_is_reported(checkout, capsys, text):
    (checkout / "notebooks/01_a.ipynb").write_text(text)
    assert main(["run", "01_a"]) == 1
    assert capsys.readouterr().err.startswith("FAILED notebooks/01_a.ipynb: not ")
    assert main(["status"]) == 0
    assert capsys.readouterr().out == "01_a  (not a notebook)  failed\n"


def test_two_kernels_at_once_do_not_interfere(checkout):
    """As with `make -j2`; a third process asks for a notebook that is already running."""
    for stem in ("01_a", "02_b"):
        save(checkout, stem, WRITE.replace("01_", stem[:3]))
    processes = [start(checkout, "run", stem) for stem in ("01_a", "02_b", "01_a")]
    shown = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], shown
    assert sum("01_a: done" in out for out, _ in shown) == 1
    assert sum("01_a: up to date" in out for out, _ in shown) == 1
    assert is_current(checkout / "notebooks/01_a.ipynb")
    assert is_current(checkout / "notebooks/02_b.ipynb")


def test_a_kernel_is_told_how_to_give_memory_back_unless_you_say_it(checkout, monkeypatch):
    monkeypatch.setenv("MALLOC_ARENA_MAX", "7")
    names = "MALLOC_ARENA_MAX", "MALLOC_TRIM_THRESHOLD_"
    save(checkout, "01_a", WRITE, f"import os\nprint([os.environ[n] for n in {names}])")
    assert main(["run", "01_a"]) == 0
    printed = json.loads((checkout / "notebooks/01_a.ipynb").read_text())["cells"][-1]["outputs"]
    assert "['7', '32000000']" in str(printed)


def test_nothing_to_do_imports_nothing_heavy(checkout):
    save(checkout, "01_a", WRITE)
    main(["run", "01_a"])
    for command in (["run", "01_a"], ["status"], ["verdicts"]):
        process = start(checkout, *command)
        assert process.communicate(timeout=60)[0].endswith("\n[]\n")


def test_a_stopped_run_leaves_no_kernel_and_no_half_notebook(checkout, tmp_path):
    tell = "import os, time, pathlib\npathlib.Path({!r}).write_text(str(os.getpid()))\n"
    signals = {"01_a": signal.SIGINT, "02_b": signal.SIGTERM}
    for stem in signals:
        save(checkout, stem, WRITE, tell.format(str(tmp_path / stem)) + "time.sleep(60)")
    before = content(checkout)
    processes = {stem: start(checkout, "run", stem) for stem in signals}
    for stem, process in processes.items():
        while not ((tmp_path / stem).exists() and (tmp_path / stem).read_text()):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signals[stem])
    for stem, process in processes.items():
        shown = process.communicate(timeout=30)[1]
        assert shown == "interrupted; notebooks that are not done keep their results\n"
        assert process.returncode == 130
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / stem).read_text()), 0)
    assert content(checkout) == before


def test_the_state_of_a_figure_is_read_from_the_figure(checkout, capsys, monkeypatch):
    path = save(
        checkout,
        "01_a",
        '%matplotlib inline\nfigures.save(ax, "01_figure_1")\nsave(name="01_figure_2a", figure=ax)',
        'save(draw("01_figure_9"), "01_figure_3"); other(ax, "01_figure_4")',
    )
    names = ["01_figure_1", "01_figure_2a", "01_figure_3"]
    assert status.figure_names(nb.read(path)) == names
    described = prepare(nb.read(path), "paper", {}).provenance()
    for name, inputs in {names[0]: described["Inputs"], names[1]: "other"}.items():
        monkeypatch.setenv(provenance.VARIABLE, json.dumps({"Inputs": inputs}))
        monkeypatch.setenv("REPRO_OUTPUT", str(checkout))
        figures.save(Figure(), name)
    assert main(["status"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "01_a  01_figure_1   current",
        "01_a  01_figure_2a  code changed",
        "01_a  01_figure_3   never run",
    ]


LEDGER = """section,sentence,permutations,verdict,own
5,a,10,cannot be told,
5,a,100,holds,
4,b,,not refuted,
4,b2,,not refuted,
4,c,,does not hold,
,d,10,does not hold,own
,d,100,holds,own
"""


def test_a_ledger_counts_each_sentence_once_and_our_questions_apart(checkout, capsys):
    save(checkout, "01_a")
    folder = checkout / "data" / "results"
    folder.mkdir(parents=True)
    (folder / "01_claims.csv").write_text(LEDGER)
    assert main(["verdicts"]) == 0
    assert capsys.readouterr().out == (
        "01_a  claims: 1 holds, 2 not refuted, 1 does not hold, 0 cannot be told; "
        "own questions: 1 holds, 0 do not hold, 0 cannot be told\n"
    )


def test_verdicts_are_counted(checkout, capsys):
    save(checkout, "01_a")
    assert main(["verdicts"]) == 0
    assert capsys.readouterr().out == "no verdicts yet: no notebook has been run\n"
    folder = checkout / "data" / "results"
    folder.mkdir(parents=True)
    cells = "item,verdict\na,agrees\nb,agrees\nc,differs\nd,not run\n"
    (folder / "01_cells.csv").write_text(cells)
    (folder / "01_claims.csv").write_text("verdict\nholds\ndoes not hold\ndoes not hold\n")
    (folder / "01_provenance.json").write_text('{"Inputs": "old", "outputs": {}}')
    assert main(["verdicts"]) == 0
    assert capsys.readouterr().out == (
        "01_a  cells: 2 agree, 1 differs, 1 not run; "
        "claims: 1 holds, 2 do not hold, 0 cannot be told  (code changed since)\n"
    )
    many = "verdict,p,differs after Holm,kind\nagrees,.5,False,\ntoo coarse to tell,.2,False,cell\n"
    many += "differs,.01,True,\ndiffers,.04,False,\nagrees,,False,constant\n"
    (folder / "01_cells.csv").write_text(many)
    assert main(["verdicts"]) == 0
    assert capsys.readouterr().out.partition("; claims")[0] == (
        "01_a  cells: 1 agrees, 1 too coarse to tell, 2 differ (at most 0.2 by chance, "
        "1 after Holm), 0 not run; constants: 1 agrees, 0 differ, 0 not run"
    )
    (folder / "01_cells.csv").write_text("verdict,kind\nagrees,no kind\n")
    assert main(["verdicts"]) == 2
    assert "01_cells.csv: kind must be one of" in capsys.readouterr().err
    (folder / "01_cells.csv").write_text("verdict\nmaybe\n")
    assert main(["verdicts"]) == 2
    assert "01_cells.csv: verdict must be one of" in capsys.readouterr().err


def test_verdicts_of_runs_on_stand_ins_are_counted_and_said(checkout, capsys):
    save(checkout, "01_a")
    folder = checkout / "build" / "quick-stand-in" / "data" / "results"
    folder.mkdir(parents=True)
    (folder / "01_cells.csv").write_text("item,verdict\na,agrees\n")
    assert main(["verdicts", "--profile", "quick"]) == 0
    line = "01_a  cells: 1 agrees, 0 differ, 0 not run  (on stand-ins)\n"
    assert capsys.readouterr().out == line
    assert main(["verdicts", "--profile", "quick", "--tables"]) == 0
    assert "(on stand-ins) | 1 |" in capsys.readouterr().out
    real = checkout / "build" / "quick" / "data" / "results"
    real.mkdir(parents=True)
    (real / "01_cells.csv").write_text("item,verdict\na,differs\n")
    assert main(["verdicts", "--profile", "quick"]) == 0
    assert capsys.readouterr().out == "01_a  cells: 0 agree, 1 differs, 0 not run\n"


# --- notebooks that need real data


NEEDED = '\ndata_sets: list[str] = ["elec2"]  # real data\nstand_in: bool = False  # generated'


@pytest.fixture
def no_data(checkout, monkeypatch):
    """No data set is there, and none can be downloaded."""
    monkeypatch.setattr(reader, "_looked_through", lambda: [checkout / "data" / "raw"])
    monkeypatch.setenv("REPRO_OFFLINE", "1")
    (checkout / "data").mkdir()
    shutil.copy(Path(__file__).parents[2] / "data/sources.toml", checkout / "data")
    path = save(checkout, "01_a", WRITE.replace("str(n)", "str(stand_in)"), "stand_in")
    edit(path, "# text", f"# text{json.dumps(NEEDED)[1:-1]}")
    return path


def test_without_its_data_a_notebook_runs_on_stand_ins_and_committed_results_stay(
    no_data, checkout, capsys
):
    (checkout / "figures").mkdir()
    (checkout / "figures/01_figure_1.png").write_bytes(b"of real data")
    before = no_data.read_bytes()
    executed = run.run_notebook(no_data)
    assert executed == checkout / "build/stand-in/01_a.ipynb"
    assert (checkout / "build/stand-in/figures/01_figure_1.png").read_bytes() == b"True"
    assert (checkout / "figures/01_figure_1.png").read_bytes() == b"of real data"
    assert no_data.read_bytes() == before
    described = provenance_of(checkout / "build/stand-in/data/results/01_provenance.json")
    assert json.loads(described["Parameters"])["stand_in"] is True
    assert capsys.readouterr().out.startswith(f"no elec2 ({python()} -m repro data fetch")
    assert (
        run.run_notebook(no_data, profile="quick") == checkout / "build/quick-stand-in/01_a.ipynb"
    )


def test_the_notebook_runs_on_the_data_once_they_are_there(no_data, checkout, monkeypatch):
    run.run_notebook(no_data)
    monkeypatch.setattr(data_sets, "available", lambda name: name == "elec2")
    assert run.run_notebook(no_data) == checkout / "build/paper/01_a.ipynb"
    assert (checkout / "figures/01_figure_1.png").read_bytes() == b"False"


def test_stand_ins_are_used_on_request_even_if_the_data_are_there(no_data, checkout, monkeypatch):
    monkeypatch.setattr(data_sets, "available", lambda name: True)
    assert (
        run.run_notebook(no_data, parameters={"stand_in": True}).parent == checkout / "build/custom"
    )


def test_a_data_set_that_does_not_exist_is_an_error(no_data, checkout):
    edit(no_data, "elec2", "elec3")
    with pytest.raises(parameters.ParameterError, match=r"data_sets must hold .* got 'elec3'"):
        run.run_notebook(no_data)


def provenance_of(path):
    return json.loads(path.read_text())


class Killed(BaseException):
    """The end of a process at this point."""


def moves_until(limit, monkeypatch):
    """Let the process end when a file is moved for the time number `limit`; how often it was."""
    moved, replace = [], os.replace

    def counted(source, place):
        if len(moved) == limit:
            raise Killed
        moved.append(Path(place))
        replace(source, place)

    monkeypatch.setattr(publish.os, "replace", counted)
    return moved


def published(root):
    """The files of a checkout without those of `build`, in which times are."""
    return {name: part for name, part in content(root).items() if not name.startswith("build/")}


def test_results_that_cannot_be_put_in_place_are_kept_for_the_next_run(
    checkout, capsys, monkeypatch
):
    save(checkout, "01_a", WRITE)
    with monkeypatch.context() as patch:
        real = os.replace

        def replace(source, target):
            if Path(target).parent.name == "figures":
                raise PermissionError(13, "Permission denied", str(target))
            real(source, target)

        patch.setattr(publish.os, "replace", replace)
        for _ in range(2):
            assert main(["run", "01_a"]) == 1
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            assert said.startswith("FAILED 01_a: Permission denied: ")
            assert said.endswith("the run is done, and the next one puts its results in place\n")
    assert main(["run", "01_a"]) == 0
    assert "put in place what a killed run had gathered" in capsys.readouterr().out
    assert (checkout / "figures/01_figure_1.png").is_file()


def test_a_damaged_copy_or_record_is_run_again_and_a_saved_one_is_not(checkout, capsys):
    save(checkout, "01_a", WRITE, "print(12345)")
    assert main(["run", "01_a"]) == 0
    whole = published(checkout)
    copy = checkout / "build/paper/01_a.ipynb"
    record = checkout / "data/results/01_provenance.json"
    notebook = nbformat.read(copy, as_version=4)
    notebook.metadata["widgets"] = {}
    notebook.cells[0].metadata["collapsed"] = True
    nbformat.write(notebook, copy)  # by an editor, which joins and splits lines
    damages = [(copy, "12345", "12344"), (copy, '"outputs"', '"outpuds"'), (copy, "{", "")]
    damages += [(record, '"outputs"', '"outpuds"'), (record, "{", ""), (record, '"Inputs": "', '"')]
    for file, old, new in [(copy, "", ""), *damages]:
        text = file.read_text()
        file.write_text(text.replace(old, new) if old else text)
        capsys.readouterr()
        assert main(["run", "01_a"]) == 0
        assert ("up to date" in capsys.readouterr().out) == (not old)
        assert published(checkout) == whole


def test_what_a_killed_run_was_writing_is_removed_by_the_next(checkout):
    path = save(checkout, "01_a", WRITE)
    assert main(["run", "01_a"]) == 0
    record = next(checkout.rglob("01_provenance.json"))
    left = [p.with_name(f".{p.name}.4711.0.tmp") for p in (path, record)]
    others = [path.with_name(".02_b.ipynb.4711.0.tmp"), path.with_name(".01_a.ipynb.kept")]
    for file in left + others:
        file.write_text("half a fi")
    assert main(["run", "01_a"]) == 0
    assert [file.exists() for file in left + others] == [False, False, True, True]


def test_a_kill_while_results_are_published_mixes_no_old_and_new(checkout, capsys, monkeypatch):
    """All files of a run get their new content, or none, wherever it is killed."""
    path = save(checkout, "01_a", WRITE, "print(1)")
    assert main(["run", "01_a"]) == 0
    edit(path, "print(1)", "print(2)")
    earlier = checkout.parent / "earlier"
    shutil.copytree(checkout, earlier)
    assert main(["run", "01_a"]) == 0
    after = published(checkout)
    outcomes = []
    for limit in range(20):
        shutil.rmtree(checkout)
        shutil.copytree(earlier, checkout)
        with monkeypatch.context() as patch:
            moved = moves_until(limit, patch)
            try:
                main(["run", "01_a"])
            except Killed:
                pass
            else:
                break
        capsys.readouterr()
        if not any(place.name.endswith(publish.GATHERED) for place in moved):
            assert content(checkout) == content(earlier)
        assert main(["run", "01_a"]) == 0
        said = capsys.readouterr().out
        gathered = any(place.name.endswith(publish.GATHERED) for place in moved)
        assert ("put in place what a killed run had gathered" in said) == gathered
        assert ("running" in said) == (not gathered)
        assert published(checkout) == after
        outcomes.append(gathered)
    assert outcomes[0] is False
    assert outcomes.count(True) > 3


def test_edits_after_a_kill_are_kept(checkout, capsys, monkeypatch):
    path = save(checkout, "01_a", WRITE, "print(1)")
    with monkeypatch.context() as patch:
        moves_until(2, patch)
        with pytest.raises(Killed):
            main(["run", "01_a"])
    edit(path, "print(1)", "print(12345)")
    assert main(["run", "01_a"]) == 0
    assert "12345" in str(json.loads(path.read_text())["cells"][-1]["outputs"])


def test_signals_wait_until_results_are_published(checkout, capsys, monkeypatch):
    save(checkout, "01_a", WRITE)
    finish = publish.finish
    waiting = threading.Event()

    def interrupted(job):
        if finished := publish.GATHERED in "".join(os.listdir(checkout / "build/paper")):
            os.kill(os.getpid(), signal.SIGTERM)
        return finish(job) or finished

    # A signal goes to any thread that does not block it.
    other = threading.Thread(target=waiting.wait)
    other.start()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(publish, "finish", interrupted)
            assert main(["run", "01_a"]) == 130
    finally:
        waiting.set()
        other.join()
    shown = capsys.readouterr()
    assert "01_a: done" in shown.out
    assert shown.err.endswith("interrupted; notebooks that are not done keep their results\n")
    assert is_current(checkout / "notebooks/01_a.ipynb")
