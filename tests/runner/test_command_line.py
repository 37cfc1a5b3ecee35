"""`python -m repro` reports what is missing in one line, with a command that works."""

from __future__ import annotations

import builtins
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
from toy_checkout import COMMAND, WRITE, make_checkout, save

import repro
from repro import TESTBED, _folders, data_sets, interop, learners, streams
from repro.__main__ import main
from repro.runner import checks, console, run

COMMANDS = [
    ["run", "01_a"],
    ["status"],
    ["verdicts"],
    ["parameters", "01_a"],
    ["lab", "--no-browser"],
    ["adopt", "01_a"],
]


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    return make_checkout(tmp_path / "checkout", monkeypatch)


def test_the_version_is_printed(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"repro {repro.__version__}\n"


def test_without_a_command_the_line_says_that_one_is_needed(capsys):
    with pytest.raises(SystemExit, match="2"):
        main([])
    assert capsys.readouterr().err == "repro: the following arguments are required: COMMAND\n"


def test_run_is_loaded_in_a_new_process():
    """Names of `repro` are loaded at first use, before any other module of the runner."""
    code = "import repro; print(repro.run_notebook.__module__)"
    command = [sys.executable, "-c", code]
    assert subprocess.check_output(command, text=True) == "repro.runner.run\n"


def test_a_profile_that_is_none_is_refused_once_and_not_by_each_notebook(checkout, capfd):
    for name in ("01_a", "02_b"):
        save(checkout, name, WRITE)
    assert main(["figures", "--profile", "nope"]) == 2
    out, err = capfd.readouterr()
    assert err.count("profile must be one of paper") == 1
    assert "nope" not in out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-j", "1"], ["01_a", "02_b", "11_c"]),
        (["-j", "2"], ["11_c", "01_a", "02_b"]),
        (["0", "-j", "1"], ["01_a", "02_b"]),
        (["11", "01", "-j", "1"], ["01_a", "11_c"]),
    ],
)
def test_figures_run_all_notebooks_or_some(checkout, monkeypatch, arguments, expected):
    """Side by side, those that take longest and those of which nothing is known start first."""
    for name in ("01_a", "02_b", "11_c"):
        (checkout / f"notebooks/{name}.ipynb").touch()
    ran = []

    def run(command, **options):
        name = command[command.index("run") + 1]
        ran.append(name)
        time.sleep(0.1 * len(ran))  # the second one starts beside the first, and ends after it
        return subprocess.CompletedProcess(command, 3 if name == "01_a" else 0)

    monkeypatch.setattr("repro.runner.figures.subprocess.run", run)
    assert main(["figures", *arguments]) == 3
    jobs = int(arguments[-1])  # the first ones start at once, in any order
    assert sorted(ran[:jobs]) == sorted(expected[:jobs])
    assert ran[jobs:] == expected[jobs:]


@pytest.mark.parametrize(
    ("cores", "arguments", "share"),
    [(1, [], 1), (2, [], 1), (9, [], 4), (9, ["-j", "3"], 3), (2, ["-j", "3"], 1), (9, ["1"], 9)],
)
def test_notebooks_that_run_at_once_share_the_cores(checkout, monkeypatch, cores, arguments, share):
    for name in ("01_a", "02_b", "11_c"):
        (checkout / f"notebooks/{name}.ipynb").touch()
    given = set()

    def run(command, env, **options):
        given.add(int(env["LOKY_MAX_CPU_COUNT"]))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("joblib.cpu_count", lambda: cores)
    monkeypatch.setattr("repro.runner.figures.subprocess.run", run)
    assert main(["figures", *arguments]) == 0
    assert given == {share}


def test_the_notebook_that_trains_networks_comes_last_and_alone(checkout, monkeypatch):
    for name in ("01_a", "05_b", "06_c", "07_d"):
        (checkout / f"notebooks/{name}.ipynb").touch()
    given = {}

    def run(command, env, **options):
        given[command[command.index("run") + 1]] = int(env["LOKY_MAX_CPU_COUNT"])
        return subprocess.CompletedProcess(command, 3 if "06_c" in command else 0)

    monkeypatch.setattr("joblib.cpu_count", lambda: 8)
    monkeypatch.setattr("repro.runner.figures.subprocess.run", run)
    assert main(["figures"]) == 3
    assert list(given)[-1] == "06_c"
    assert given == {"01_a": 4, "05_b": 4, "07_d": 4, "06_c": 8}


def test_notebooks_that_are_tested_at_once_share_the_cores(checkout, monkeypatch):
    for name in ("01_a", "02_b", "11_c"):
        (checkout / f"notebooks/{name}.ipynb").touch()
    monkeypatch.setattr("joblib.cpu_count", lambda: 9)
    (check,) = checks.checks_of("notebooks", checkout)
    assert check.variables["LOKY_MAX_CPU_COUNT"] == "3"


def test_a_quick_test_takes_the_contracts_and_two_notebooks_and_says_what_it_leaves_out(
    checkout, capsys, monkeypatch
):
    monkeypatch.delenv(checks.SKIP_LONG, raising=False)
    for name in ("01_testbed", "02_estimators", "03_drift_detection", "06_scenarios"):
        (checkout / f"notebooks/{name}.ipynb").touch()
    (checkout / "tests").mkdir()
    (checkout / "tests/test_a.py").write_text("pytestmark = pytest.mark.contract\n")
    (checkout / "tests/test_b.py").write_text("")
    (checkout / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\ntestpaths = ["tests", "src"]\n'
    )
    (unit,) = checks.checks_of("unit", checkout, "fast")
    assert unit.command[-4:] == ["-m", "contract", "tests/test_a.py", "src"]
    (tables,) = checks.checks_of("notebooks", checkout, "fast")
    assert tables.command[-2:] == [f"notebooks/{n}.ipynb" for n in checks.FAST]
    (others,) = checks.checks_of("notebooks", checkout, "rest")
    (all_tables,) = checks.checks_of("notebooks", checkout, "all")
    assert sorted(tables.command[-2:] + others.command[-2:]) == all_tables.command[-4:]
    (rest,) = checks.checks_of("unit", checkout, "rest")
    assert rest.command[-2:] == ["-m", "not contract"]
    assert list(checks.checks_of("lint", checkout, "rest")) == []
    said = capsys.readouterr()
    lines = (said.out + said.err).splitlines()
    assert [line.partition(" (all: make test ALL=1")[0] for line in lines] == [
        "left out: 1 of 2 files of unit tests",
        "left out: the tables of 01_testbed, 06_scenarios",
    ]
    monkeypatch.setenv(checks.SKIP_LONG, "1")
    (short,) = checks.checks_of("notebooks", checkout, "all")
    assert short.command[-3:] == all_tables.command[-4:-1]
    (unit,) = checks.checks_of("unit", checkout, "rest")
    assert unit.command[-2:] == ["-m", "not contract and not long"]
    (unit,) = checks.checks_of("unit", checkout, "all")
    assert unit.command[-2:] == ["-m", "not long"]
    said = capsys.readouterr()
    assert "left out, since REPRO_SKIP_LONG is set: 06_scenarios" in said.out + said.err
    assert "left out, since REPRO_SKIP_LONG is set: unit tests marked long" in said.out + said.err


def test_joblib_starts_as_many_processes_as_its_share():
    code = "import joblib; print(joblib.cpu_count(), joblib.effective_n_jobs(-1))"
    said = subprocess.check_output(
        [sys.executable, "-c", code], env=os.environ | {"LOKY_MAX_CPU_COUNT": "1"}, text=True
    )
    assert said == "1 1\n"


def test_figures_of_an_unknown_notebook_are_refused(checkout, capsys):
    (checkout / "notebooks/01_a.ipynb").touch()
    assert main(["figures", "01", "7"]) == 2
    assert capsys.readouterr().err == (
        "error: NOTEBOOK must begin the name of a notebook: 01_a; got '7'\n"
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A copy of the package outside a checkout."""
    folder = tmp_path_factory.mktemp("site")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(repro.__file__).parent, folder / "repro", ignore=ignored)
    return folder


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_outside_a_checkout_a_command_says_so_in_one_line(installed, tmp_path, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "repro", *arguments],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    line = f"error: this needs a checkout of the project, .* installed in {installed}/repro: "
    assert re.match(line, done.stderr), done
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "arguments",
    [*COMMANDS[:4], ["run", "01_a", "--force"], ["--help"], ["--version"], ["data", "list"]],
    ids=" ".join,
)
def test_a_reader_that_leaves_ends_a_command_without_a_traceback(checkout, arguments):
    """As in `python -m repro status | head -1`."""
    save(checkout, "01_a", WRITE)
    (checkout / "data").mkdir()
    shutil.copy(Path(__file__).parents[2] / "data/sources.toml", checkout / "data")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", COMMAND, checkout, *arguments]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        command, env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
    assert not list(checkout.rglob("*.staging"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def a_terminal(monkeypatch):
    """Make standard output a terminal; in the test itself, since pytest replaces it before."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys, "stdout", Terminal())
    return sys.stdout


def visible(text):
    """The text that remains on each line of a terminal after carriage returns and erasing."""
    return [line.rpartition("\r\033[K")[2] for line in text.split("\n")]


def test_a_line_replaces_the_progress_line_of_any_process(monkeypatch):
    """As under `make -j2`: lines of two processes never run together."""
    terminal = a_terminal(monkeypatch)
    console.show("01_a: cell 12 of 19 (began at 0:08 min)")
    console.say("02_b: up to date")
    console.show("01_a: " + "x" * 100)
    console.clear()
    assert visible(terminal.getvalue()) == ["02_b: up to date", ""]
    assert max(map(len, terminal.getvalue().replace("\033[K", "\r").split("\r"))) < 60
    monkeypatch.setenv("TERM", "dumb")
    assert not console.is_terminal()


def test_progress_names_the_cell_and_its_time(checkout, monkeypatch):
    terminal = a_terminal(monkeypatch)
    save(checkout, "01_a", WRITE)
    run.run_notebook("01_a")
    shown = [line for line in terminal.getvalue().split("\r\033[K") if " cell " in line]
    assert [re.sub(r"\d:\d\d", "T", line) for line in shown] == [
        "01_a: cell 1 of 2 (began at T min)",
        "01_a: cell 2 of 2 (began at T min)",
    ]
    done = visible(terminal.getvalue())
    assert [line[:9] for line in done] == ["01_a: run", "01_a: don", ""]


def test_a_log_says_now_and_then_which_cell_is_running(checkout, monkeypatch, capsys):
    monkeypatch.setattr(run, "REPORT_EVERY", 0.2)
    save(checkout, "01_a", "import time; time.sleep(1)", WRITE)
    run.run_notebook("01_a")
    lines = capsys.readouterr().out.splitlines()
    assert [line[:9] for line in (lines[0], lines[-1])] == ["01_a: run", "01_a: don"]
    assert re.sub(r"\d:\d\d", "T", lines[-2]) in {
        f"01_a: cell {n} of 3 (began at T min)" for n in (2, 3)
    }


BAR = """
from time import sleep
from repro import _progress, learners, streams, sweep
for i in _progress.progress(range(4), desc="runs", delay=0):
    for _ in _progress.progress(range(2), desc="part", delay=0):
        sleep(0.3)
for _ in range(2):
    table = sweep({"no change": learners.NoChange()}, {"SEA": streams.SEA(n=50)}, 2)
"""


def test_a_line_says_how_far_the_cell_is(checkout, monkeypatch):
    """The bar of the kernel is shown by the runner, and leaves nothing in the notebook.

    No output, and no trace in memory: results of a sweep are stored.
    """
    monkeypatch.setenv("REPRO_CACHE", str(checkout / "cache"))
    monkeypatch.setattr(run, "LOOK_EVERY", 0.05)
    terminal = a_terminal(monkeypatch)
    save(checkout, "01_a", BAR, WRITE)
    run.run_notebook("01_a")
    bars = re.findall(r"cell 2 of 3 \(began at \d:\d\d min\), (.+?)\r", terminal.getvalue())
    counts = [int(re.match(r"runs: (\d)/4, ", bar)[1]) for bar in bars]  # its end may be cut
    assert counts == sorted(counts)
    assert {*counts} > {0}
    executed = json.loads((checkout / "build" / "paper" / "01_a.ipynb").read_text())
    assert len(list((checkout / "cache").rglob("*.run"))) == 2
    ran = [cell for cell in executed["cells"] if "runs" in "".join(cell["source"])]
    assert [cell["outputs"] for cell in ran] == [[]]


# --- how to install what is missing


def test_in_a_checkout_the_command_installs_it_with_the_extra(tmp_path, monkeypatch):
    monkeypatch.setattr(_folders, "checkout", lambda: tmp_path)
    monkeypatch.chdir(tmp_path)
    assert (
        _folders.install_command("models") == f'{_folders.python()} -m pip install -e ".[models]"'
    )
    monkeypatch.chdir("/")
    assert _folders.install_command("models").endswith(f' -e "{tmp_path}[models]"')


def test_outside_a_checkout_the_command_names_packages_since_no_index_has_ours(monkeypatch):
    monkeypatch.setattr(_folders, "checkout", lambda: None)
    lines = ['river>=0.22; extra == "models"', "dask>=2024.8 ; extra == 'dask'", "numpy>=2.0"]
    lines += ['scikit-learn>=1.5.1; extra == "models"']
    monkeypatch.setattr(metadata, "requires", {_folders.DISTRIBUTION: lines}.__getitem__)
    command = shlex.split(_folders.install_command("models"))
    assert command[1:] == ["-m", "pip", "install", "river>=0.22", "scikit-learn>=1.5.1"]

    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", absent)
    assert _folders.install_command("models").startswith("in a checkout of the project: ")


def test_the_interpreter_of_the_command_is_the_one_that_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert shlex.split(_folders.python()) == [sys.executable]
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python3"))
    (tmp_path / "python3").symlink_to("python")
    assert _folders.python() == "python"
    monkeypatch.setenv("PATH", "/nowhere")
    assert _folders.python() == "python3"


@pytest.mark.parametrize(
    ("module", "extra", "call"),
    [
        (
            "river.base",
            "models",
            lambda path: interop.to_river(learners.NoChange(), streams.Schema((0,), 2)),
        ),
        (
            "pyarrow",
            "data",
            lambda path: streams.export(
                TESTBED["NSGT"].sample(seed=0, n=10), path / "stream.parquet"
            ),
        ),
        ("sklearn.datasets", "networks", lambda path: streams.load("digits")),
        (
            "distributed",
            "dask",
            lambda path: repro.sweep(
                {"a": learners.NoChange()}, {"s": TESTBED["NSGT"]}, seeds=[0],
                backend="dask", scheduler="tcp://localhost:1",
            ),
        ),
    ],
    ids=["river", "pyarrow", "scikit-learn", "dask"],
)  # fmt: skip
def test_a_missing_package_is_named_with_its_extra(tmp_path, monkeypatch, module, extra, call):
    real, name = builtins.__import__, module.partition(".")[0]

    def fails(wanted, *arguments, **options):
        if wanted.partition(".")[0] == name:
            raise ImportError(f"No module named {wanted!r}", name=name)
        return real(wanted, *arguments, **options)

    for known in [key for key in sys.modules if key.partition(".")[0] in (name, "fastparquet")]:
        monkeypatch.delitem(sys.modules, known)
    monkeypatch.delitem(sys.modules, "repro.interop._river_classifier", raising=False)
    monkeypatch.setattr(builtins, "__import__", fails)
    with pytest.raises((ImportError, data_sets.DataNotFound)) as raised:
        call(tmp_path)
    assert _folders.install_command(extra) in str(raised.value)
    assert list(tmp_path.iterdir()) == []
