"""What is run: notebooks, sweeps, reports, sheets, each in a folder of its own."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toy_checkout import COMMAND, PARAMETERS

import repro
from torturing.runs import environment

NOTEBOOK = """
from repro import _files, _folders
for i in range(8):
    name = f"01_figure_{i + 1}.png"
    _files.write(_folders.output() / "figures" / name, str(n + VERSION).encode() * 50_000)
print(VERSION)
"""
SWEEP = """
from pathlib import Path
from repro import _files, sweep
from repro.learners import HoeffdingTree, Majority, NaiveBayes
from repro.streams import SEA, RandomRBF

if __name__ == "__main__":
    learners = {"tree": HoeffdingTree(), "Bayes": NaiveBayes(), "majority": Majority()}
    streams = {"SEA": SEA(n=4000), "RBF": RandomRBF(n=4000)}
    table = sweep(learners, streams, 6, jobs=2).drop(columns="seconds")
    _files.write(Path("results/table.csv"), table.to_csv(index=False).encode())
"""
CLUSTER = SWEEP.replace("jobs=2", "backend='dask', scheduler=cluster.scheduler_address").replace(
    "    table = ",
    """
    from distributed import LocalCluster
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    table = """,
)
FETCH = """
import threading, time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
import platformdirs
from repro import _folders, data_sets

class Slow(SimpleHTTPRequestHandler):
    def copyfile(self, source, outputfile):
        while block := source.read(20_000):
            outputfile.write(block)
            time.sleep(0.02)

    def log_message(self, *arguments):
        pass

server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Slow, directory="served"))
threading.Thread(target=server.serve_forever, daemon=True).start()
text = Path("sources.toml").read_text().replace("PORT", str(server.server_port))
Path("checkout/data/sources.toml").write_text(text)
_folders.checkout = lambda: Path("checkout").absolute()
platformdirs.user_cache_dir = lambda *names, **how: "results"
data_sets.fetch("toy")
"""
SOURCES = """
[toy]
title = "Noise"
source = "made up"
licence = "none needed"
order = "none"
missing = "none"
examples = 1
labels = ["a", "b"]
[[toy.files]]
name = "toy.csv.gz"
sha256 = "SHA256"
[[toy.files.downloads]]
url = "http://127.0.0.1:PORT/toy.csv.gz"
"""


@dataclass(frozen=True)
class Work:
    """Something that is run in a folder: how the folder is made, the command, and its results."""

    name: str
    prepare: Callable[[Path], None]
    command: Callable[[Path], list[str]]
    results: Callable[[Path], dict[str, bytes]]

    def is_ours(self) -> bool:
        """Whether its command is one of this project, which shows no traceback."""
        return not self.command(Path())[1].endswith(".py")


def files_in(*folders: str) -> Callable[[Path], dict[str, bytes]]:
    """All files of the `folders` but hidden ones and databases; a zip counts by what is in it."""

    def results(root: Path) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for path in sorted(p for name in folders for p in (root / name).rglob("*") if p.is_file()):
            name = path.relative_to(root).as_posix()
            if "/." in f"/{name}" or path.suffix == ".db":  # nbgrader's, full of random ids
                continue
            if path.suffix == ".zip" and zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as packed:
                    found |= {f"{name}/{part}": packed.read(part) for part in packed.namelist()}
            else:
                found[name] = path.read_bytes()
        return found

    return results


def a_checkout(root: Path) -> None:
    """A toy checkout whose notebook has been run once, and edited since."""
    import nbformat

    for name in ("notebooks", "profiles", "src/repro"):
        (root / name).mkdir(parents=True)
    (root / "src/repro/_files.py").write_text("N = 1\n")
    cells = [nbformat.v4.new_markdown_cell("# Title", id="a")]
    cells += [nbformat.v4.new_code_cell(PARAMETERS, id="b", metadata={"tags": ["parameters"]})]
    cells += [nbformat.v4.new_code_cell(NOTEBOOK.replace("VERSION", "1"), id="c")]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = root / "notebooks/01_a.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    subprocess.run(in_checkout(root), cwd=root, check=True, env=environment(root, "made"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("n + 1", "n + 2").replace("print(1)", "print(2)"))


def in_checkout(root: Path) -> list[str]:
    return [sys.executable, "-c", COMMAND, str(root), "run", "01_a"]


def a_script(root: Path) -> None:
    (root / "sweep_it.py").write_text(SWEEP)


def a_cluster(root: Path) -> None:
    (root / "sweep_it.py").write_text(CLUSTER)


def a_download(root: Path) -> None:
    for name in ("served", "checkout/data"):
        (root / name).mkdir(parents=True)
    content = random.Random(0).randbytes(1_000_000)
    (root / "served/toy.csv.gz").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    (root / "sources.toml").write_text(SOURCES.replace("SHA256", digest))
    (root / "fetch_it.py").write_text(FETCH)


def an_entry(root: Path) -> None:
    """An entry of the league, of one draw of each stream."""
    card = ["--by", "us", "--library", "repro", "--seeds", "1"]
    call = [sys.executable, "-m", "repro", "league", "run", "repro.learners:Majority", *card]
    call += ["--out", "entries/majority"]
    subprocess.run(call, cwd=root, check=True, capture_output=True, env=environment(root, "made"))


def a_stream(root: Path) -> None:
    stream = repro.streams.SEA().sample(seed=1, n=3000)
    stream.to_frame(truth=False).to_csv(root / "stream.csv", index=False)


def submissions(root: Path) -> None:
    """The sheets as they are handed out, from two students."""
    call = [sys.executable, "-m", "repro", "exercises", "--to", "made"]
    subprocess.run(call, cwd=root, check=True, capture_output=True, env=environment(root, "made"))
    (packed,) = (root / "made").glob("*.zip")
    for student in ("ann", "bob"):
        with zipfile.ZipFile(packed) as sheets:
            name = next(n for n in sheets.namelist() if n.endswith(".ipynb"))
            (root / "handed").mkdir(exist_ok=True)
            target = root / "handed" / f"{student}_{Path(name).name}"
            target.write_bytes(sheets.read(name))


def called(*arguments: str) -> Callable[[Path], list[str]]:
    return lambda root: [sys.executable, "-m", "repro", *arguments]


def only(*names: str) -> Callable[[Path], dict[str, bytes]]:
    """The files of these names in the folder `results`."""
    return lambda root: {
        name: path.read_bytes() for name in names if (path := root / "results" / name).is_file()
    }


STREAM = "judge", "stream", "stream.csv", "--label", "y", "--quick", "--csv", "results"
LEAGUE = "league", "add", "entries/majority", "--table", "results/entries.csv"
GRADE = "grade", "handed", "--to", "results", "--replace"
WORKS = [
    Work("notebook", a_checkout, in_checkout, files_in("figures", "data", "notebooks")),
    Work("sweep", a_script, lambda root: [sys.executable, "sweep_it.py"], only("table.csv")),
    Work("cluster", a_cluster, lambda root: [sys.executable, "sweep_it.py"], only("table.csv")),
    Work("download", a_download, lambda root: [sys.executable, "fetch_it.py"], files_in("results")),
    Work("league", an_entry, called(*LEAGUE), files_in("results")),
    Work("report", a_stream, called(*STREAM, "--report", "page.html"), files_in("results")),
    Work(
        "exercises", lambda root: None, called("exercises", "--to", "results"), files_in("results")
    ),
    Work("grades", submissions, called(*GRADE), only("points.csv", "tasks.csv", "predictions.csv")),
]
