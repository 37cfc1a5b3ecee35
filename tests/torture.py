"""Kill runs at random moments, damage the files that they read back, and count what goes wrong.

A killed run must leave no half file, no mixture of old and new, and no process; the next one must
give the bytes of a run that nobody disturbed. A damaged file must be noticed, and change nothing.

    python tests/torture.py                                # 200 kills and 200 damages
    python tests/torture.py --kills 10 --damages 0 --only sweep --seed 3
    python tests/torture.py --write page.md                # puts the counts between its marks
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from page import written
from toy_checkout import COMMAND, PARAMETERS
from tqdm import tqdm

import repro

SIGNALS = signal.SIGKILL, signal.SIGTERM, signal.SIGINT
MARK = "REPRO_TORTURE"  # a variable that the processes of a trial inherit
PATIENCE = 300.0  # seconds for a run
ENDING = 20.0  # seconds that a killed run's other processes may take to end
WHILE_WRITING = 0.03  # seconds after the first change of a result in which half of the kills come
UNFINISHED = re.compile(r"\.(tmp|part|staging|gathered|running\.ipynb)$")

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


# --- what is run


@dataclass(frozen=True)
class Work:
    """Something that is run in a folder: how the folder is made, the command, and its results."""

    name: str
    prepare: Callable[[Path], None]
    command: Callable[[Path], list[str]]
    results: Callable[[Path], dict[str, bytes]]


def files_in(*folders: str) -> Callable[[Path], dict[str, bytes]]:
    """All files of the `folders` but hidden ones; a zip counts by what is in it."""

    def results(root: Path) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for path in sorted(p for name in folders for p in (root / name).rglob("*") if p.is_file()):
            name = path.relative_to(root).as_posix()
            if "/." in f"/{name}":
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
GRADE = "grade", "handed", "--to", "results"
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


# --- one run


def environment(root: Path, mark: str) -> dict[str, str]:
    """The variables of a run: a cache of its own, the library under test, a mark to find it by."""
    source = str(Path(repro.__file__).parents[1])
    ours = {"REPRO_CACHE": str(root / "cache"), "PYTHONPATH": source, "OMP_NUM_THREADS": "1"}
    kept = {k: v for k, v in os.environ.items() if k not in {"REPRO_OUTPUT", "NUMBA_CACHE_DIR"}}
    return kept | ours | {MARK: mark, "REPRO_PROGRESS": "0", "PYTHONHASHSEED": "0"}


def said_in(root: Path) -> Path:
    """The file with what a run said on stderr."""
    return root / "stderr.txt"


def start(work: Work, root: Path, mark: str) -> subprocess.Popen[bytes]:
    # Not a pipe, which the other processes of a killed run would hold open.
    with said_in(root).open("wb") as said:
        return subprocess.Popen(
            work.command(root),
            cwd=root,
            env=environment(root, mark),
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=True,
        )


def finish(work: Work, root: Path, mark: str) -> tuple[int, str]:
    """Run to the end; the exit code and what was said on stderr."""
    code = start(work, root, mark).wait(PATIENCE)
    return code, said_in(root).read_text(encoding="utf-8", errors="replace")


def processes_of(mark: str) -> list[int]:
    """The processes that inherited the mark."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in path.read_bytes().split(b"\0") and int(path.parent.name) != os.getpid():
                found.append(int(path.parent.name))
        except OSError:  # it has ended
            continue
    return found


def stored_in(root: Path) -> int:
    return sum(1 for _ in (root / "cache").rglob("*.run"))


@dataclass
class Prepared:
    """A work before its run and after it, in two folders, and how long the run takes."""

    work: Work
    before: Path
    after: dict[str, bytes]
    seconds: float
    tasks: int

    @classmethod
    def made(cls, work: Work, folder: Path) -> Prepared:
        """The work, run once without a cache of compiled code and once with it."""
        before, scratch = folder / "before", folder / "scratch"
        before.mkdir(parents=True)
        work.prepare(before)
        for _ in range(2):
            shutil.rmtree(scratch, ignore_errors=True)
            shutil.copytree(before, scratch)
            begin = time.monotonic()
            code, said = finish(work, scratch, "made")
            seconds = time.monotonic() - begin
            if code:
                raise RuntimeError(f"{work.name} fails undisturbed: {said[-2000:]}")
            for kernels in (scratch / "cache").glob("kernels-*"):
                shutil.copytree(kernels, before / "cache" / kernels.name, dirs_exist_ok=True)
        return cls(work, before, work.results(scratch), seconds, stored_in(scratch))


# --- kills


def killed(prepared: Prepared, folder: Path, rng: random.Random, mark: str) -> Counter[str]:
    """Kill a run, look at what it left, run again; how often each thing was seen."""
    work, root = prepared.work, folder / "trial"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(prepared.before, root)
    earlier = work.results(root)
    process = start(work, root, mark)
    if rng.random() < 0.5:
        wait_for_writing(process, work, root, earlier)
        time.sleep(rng.uniform(0, WHILE_WRITING))
    else:
        time.sleep(rng.uniform(0, prepared.seconds))
    number = rng.choice(SIGNALS)
    process.send_signal(number)
    process.wait(PATIENCE)
    said = said_in(root).read_text(encoding="utf-8", errors="replace")
    seen = Counter({"kills": 1, "at the end already": int(process.returncode == 0)})
    end = time.monotonic() + ENDING
    while (left := processes_of(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    for one in left:
        os.kill(one, signal.SIGKILL)
    seen["processes left"] += bool(left)
    seen["tracebacks"] += "Traceback" in said and "KeyboardInterrupt" not in said  # of a script
    now = work.results(root)
    known = [earlier, prepared.after]
    seen["half files"] += any(all(k.get(n) != part for k in known) for n, part in now.items())
    seen["stopped while results were written"] += now not in known
    stored = stored_in(root)
    code, said = finish(work, root, mark)
    seen["next run fails"] += bool(code)
    seen["next run differs"] += work.results(root) != prepared.after
    seen["files left"] += any(UNFINISHED.search(p.name) for p in root.rglob("*") if p.is_file())
    seen["stored at the kill"] += stored
    seen["tasks"] += prepared.tasks
    return seen


def wait_for_writing(
    process: subprocess.Popen[bytes], work: Work, root: Path, earlier: dict[str, bytes]
) -> None:
    """Wait until a result is there that was not, or has changed; or until the run has ended."""
    places = [root / name for name in ("results", "figures", "data", "notebooks")]

    def look() -> list[tuple[str, int]]:
        entries = []
        for place in places:
            for folder, _, names in os.walk(place):
                entries += [(f"{folder}/{name}", 0) for name in names]
        return sorted(entries)

    first, stamps = look(), stamped(root, earlier)
    while process.poll() is None and look() == first and stamped(root, earlier) == stamps:
        time.sleep(0.001)


def stamped(root: Path, names: dict[str, bytes]) -> list[int]:
    stamps = []
    for name in names:
        try:
            stamps.append(os.stat(root / name).st_mtime_ns)
        except OSError:
            stamps.append(0)
    return stamps


# --- damage

KINDS = {
    "stored runs": "cache/**/*.run",
    "compiled kernels": "cache/kernels-*/*.code",
    "what is known of the code": "cache/code/*.json",
    "what is known of a fresh Python": "cache/fresh/*.json",
    "records of runs": "data/results/*_provenance.json",
    "executed notebooks": "build/paper/*.ipynb",
    "figures": "figures/*.png",
}


def damaged(prepared: Prepared, folder: Path, rng: random.Random, kind: str, mark: str) -> Any:
    """Change a file of a finished run, run again; None if there is no such file."""
    work, root = prepared.work, folder / "trial"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(prepared.before, root)
    finish(work, root, mark)
    files = sorted(path for path in root.glob(KINDS[kind]) if path.is_file())
    if not files:
        return None
    for path in rng.sample(files, min(3, len(files))):
        path.write_bytes(altered(path.read_bytes(), rng))
    code, said = finish(work, root, mark)
    again = work.results(root)
    return Counter(
        {
            "damages": 1,
            "next run fails": int(bool(code)),
            "tracebacks": int("Traceback" in said),
            "next run differs": int(again != prepared.after),
        }
    )


def altered(content: bytes, rng: random.Random) -> bytes:
    """One bit flipped, the end or all of it lost, or other bytes at the end."""
    changed = bytearray(content)
    how = rng.randrange(5)
    if how < 2 and changed:
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif how == 2:
        del changed[rng.randrange(len(changed) + 1) :]
    elif how == 3:
        changed.clear()
    else:
        changed += rng.randbytes(16)
    return bytes(changed)


# --- the whole

KILLED = [
    "kills", "stopped while results were written", "half files", "processes left", "files left",
    "next run fails", "next run differs", "tracebacks", "tasks", "stored at the kill",
]  # fmt: skip
DAMAGED = ["damages", "next run fails", "next run differs", "tracebacks"]
WRONG = {"half files", "processes left", "files left", "next run fails", "next run differs"}
WRONG |= {"tracebacks"}


@dataclass
class Outcome:
    """What was seen, by work and by kind of file."""

    kills: dict[str, Counter[str]] = field(default_factory=dict)
    damages: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def n_wrong(self) -> int:
        """How often something was seen that must not be."""
        counters = [*self.kills.values(), *self.damages.values()]
        return sum(counter[name] for counter in counters for name in WRONG)

    def tables(self) -> dict[str, pd.DataFrame]:
        """The two tables of the page."""
        kills = pd.DataFrame(
            [{"killed": name} | {n: c[n] for n in KILLED} for name, c in self.kills.items()]
        )
        damages = pd.DataFrame(
            [{"damaged": name} | {n: c[n] for n in DAMAGED} for name, c in self.damages.items()]
        )
        return {"kills": kills, "damages": damages}


def torture(kills: int, damages: int, seed: int, only: str = "", quiet: bool = False) -> Outcome:
    """So many kills and damages, over all works in turn; `seed` decides when and where."""
    works = [work for work in WORKS if re.search(only, work.name)]
    outcome, rng = Outcome(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        bar = tqdm(total=kills + damages, unit=" trials", disable=quiet, desc="preparing")
        prepared = {w.name: Prepared.made(w, Path(place) / w.name) for w in works}
        bar.set_description("killing")
        for i in range(kills):
            one = prepared[works[i % len(works)].name]
            seen = killed(one, Path(place), random.Random(rng.random()), f"kill-{os.getpid()}-{i}")
            outcome.kills.setdefault(one.work.name, Counter()).update(seen)
            say(one.work.name, seen, bar)
        bar.set_description("damaging")
        pairs = [(w, kind) for kind in KINDS for w in works if w.name in ("notebook", "sweep")]
        i = 0
        while i < damages and pairs:
            work, kind = pair = pairs[i % len(pairs)]
            trial = random.Random(rng.random())
            mark = f"damage-{os.getpid()}-{i}"
            seen = damaged(prepared[work.name], Path(place), trial, kind, mark)
            if seen is None:
                pairs.remove(pair)
                continue
            outcome.damages.setdefault(kind, Counter()).update(seen)
            say(f"{work.name}, {kind}", seen, bar)
            i += 1
        bar.close()
    return outcome


def say(name: str, seen: Counter[str], bar: Any) -> None:
    bar.update()
    if wrong := [what for what in seen if what in WRONG and seen[what]]:
        bar.write(f"{name}: {', '.join(wrong)}")


def main() -> int:
    """Run, show the counts, and return 1 if something went wrong."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--kills", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--damages", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=0, help="decides the moments and the places")
    parser.add_argument("--only", default="", help="a regular expression on the names of works")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the counts into a page")
    options = parser.parse_args()
    outcome = torture(options.kills, options.damages, options.seed, options.only)
    for name, table in outcome.tables().items():
        print(f"\n{name}\n{table.to_string(index=False)}")
    if options.write:
        written(options.write, outcome.tables())
    return 1 if outcome.n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
