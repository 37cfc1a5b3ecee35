"""Change the library in small ways, and count the changes that no test sees.

    python tests/mutants.py                            # 400 mutants, over all wings
    python tests/mutants.py --n 40 --seed 3 --only metrics
    python tests/mutants.py --write page.md            # puts the counts between its marks
    python tests/mutants.py --n 100 --seed 7 --write page.md --add    # another 100

A mutant has one change: another comparison or operator, a number that is one more, a condition that
is turned, an argument or a check left out. It is killed if a test fails that passes without the
change. Tried are those that run the changed line, the quickest first, then those of the files
nearest to its module (`tests/touched.py` says which these are), as many as take a minute. Which
tests run a line is known from a run of all of them (`tests/covered.py`), up to an hour, which is
made if there are more than 60 mutants; for fewer, without one, the nearest files are tried. A test
that takes more than a minute fails. What survives is a change without effect, or a test that is
missing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import covered
import pandas as pd
import pytest
import touched
from covered import Covered, file_of
from page import written
from tqdm import tqdm

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "src" / "repro"
REASONS = ROOT / "tests" / "survivors.toml"  # why no test sees a mutant, by its key
PATIENCE = 60.0  # seconds for a test; one that takes longer has failed
BUDGET = 60.0  # seconds that the tests of a mutant have taken without it
END = 2 * BUDGET  # seconds after which they are stopped: what they have not seen by then survives
MOST = 12  # test files of a module that all use: the nearest
FEW = 60  # mutants for which the tests do not run with coverage
COPIED = ("src", "tests", "data", "notebooks", "profiles", "docs", "benchmarks", "figures")
COPIED += ("pyproject.toml", "README.md", "Makefile", "requirements.lock", "environment.yml")
#: Starts processes in which libraries are imported, but not ours.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["__main__", "hypothesis", "matplotlib.pyplot", "pandas", "pytest", "river", "scipy.stats"]
)

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div, ast.Mod: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one module: its file, the line, the code before and after, the new text."""

    file: str
    line: int
    before: str
    after: str
    text: str
    lines: tuple[int, ...] = ()  # those of the statement, if it runs when a function is called

    @property
    def wing(self) -> str:
        """The folder of the library, or "top" for a module outside all."""
        parts = Path(self.file).relative_to("src/repro").parts
        return parts[0] if len(parts) > 1 else "top"

    @property
    def key(self) -> str:
        """Its name in `REASONS`: the line may move."""
        return f"{self.file}: {self.before} -> {self.after}"

    def distance(self, test: str) -> tuple[bool, int, str]:
        """How far a file of tests is: first those of the same wing, then by what they use."""
        is_of_wing = Path(test).parts[:2] == ("tests", self.wing.strip("_"))
        return not is_of_wing, len(touched.used(ROOT / test)), test

    def __str__(self) -> str:
        return f"{self.file}:{self.line}  {self.before}  ->  {self.after}"


# --- what is changed


def changes(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[Any], ast.AST | None]]]:
    """The nodes that can be changed, each with the change; None takes the node away."""
    for node in _of_code(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
            yield node, _swapped("ops", True)
        elif isinstance(node, ast.BoolOp) or (
            isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPS
        ):
            yield node, _swapped("op", False)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, lambda n: n.operand
        elif isinstance(node, (ast.If, ast.IfExp)):
            yield node, _turned
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
            yield node, _more
        elif isinstance(node, ast.keyword) and node.arg is not None:
            yield node, lambda n: None
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node, lambda n: ast.Pass()  # such as a check


def _of_code(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those of annotations, decorators and tests for a type checker."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and "TYPE_CHECKING" not in _first_line(node):
                yield node
                yield from _of_code(node)


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node.test) if isinstance(node, ast.If) else ""


def _swapped(name: str, many: bool) -> Callable[[Any], ast.AST]:
    def change(node: Any) -> ast.AST:
        old = getattr(node, name)
        new = SWAPS[type(old[0] if many else old)]()
        setattr(node, name, [new] if many else new)
        return node

    return change


def _turned(node: Any) -> ast.AST:
    node.test = ast.UnaryOp(ast.Not(), node.test)
    return node


def _more(node: Any) -> ast.AST:
    node.value = (not node.value) if isinstance(node.value, bool) else node.value + 1
    return node


def mutants_of(file: str) -> list[Callable[[], Mutant]]:
    """One call for each change of the module, which makes the mutant."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    places = [*changes(tree)]
    return [lambda i=i: _mutant(file, tree, i) for i in range(len(places))]  # type: ignore[misc]


def _mutant(file: str, tree: ast.Module, i: int) -> Mutant:
    tree = copy.deepcopy(tree)
    node, change = [*changes(tree)][i]
    before, line = ast.unparse(node).partition("\n")[0], getattr(node, "lineno", 0)
    parents = {
        id(child): parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)
    }
    parent, lines = parents[id(node)], _lines(node, parents)
    new = change(node)
    for name, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, name, new)
        elif isinstance(value, list) and any(each is node for each in value):
            others = [new if each is node else each for each in value]
            setattr(parent, name, [each for each in others if each is not None])
    after = "" if new is None else ast.unparse(new).partition("\n")[0]
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return Mutant(file, line, before, after, text, lines)


def _lines(node: ast.AST, parents: Mapping[int, ast.AST]) -> tuple[int, ...]:
    """The lines of the statement with the node, without those of statements inside of it.

    The body of the function, if the node is in its arguments; empty outside of functions.
    """
    while not isinstance(node, ast.stmt):
        node = parents[id(node)]
    if isinstance(node, ast.FunctionDef):
        return (*range(node.body[0].lineno, (node.end_lineno or 0) + 1),)
    above = node
    while not isinstance(above, ast.FunctionDef):
        if id(above) not in parents:
            return ()
        above = parents[id(above)]
    inner = [part.lineno for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt)]
    return (*range(node.lineno, min([*inner, (node.end_lineno or 0) + 1])),)


def sampled(n: int, seed: int, only: str = "") -> list[Mutant]:
    """`n` mutants, the wings in turn: in each a change at random, none of them twice."""
    rng = random.Random(seed)
    files = sorted(path.relative_to(ROOT).as_posix() for path in LIBRARY.rglob("*.py"))
    wings: dict[str, list[Callable[[], Mutant]]] = {}
    for file in files:
        wing = Mutant(file, 0, "", "", "").wing
        if re.search(only, wing):
            wings.setdefault(wing, []).extend(mutants_of(file))
    for made in wings.values():
        rng.shuffle(made)
    chosen: list[Mutant] = []
    while len(chosen) < n and any(wings.values()):
        for made in wings.values():
            if made and len(chosen) < n:
                chosen.append(made.pop()())
    return chosen


# --- whether a test sees it


class Copies:
    """Checkouts in which mutants are tried, one for each worker."""

    def __init__(self, folder: Path, run: Covered | None = None) -> None:
        self.folder, self.run, self.lock = folder, run, threading.Lock()
        self.free = list[Path]()
        self.unsound = set[str]()  # tests that fail without a change, because they read the source

    def take(self) -> Path:
        with self.lock:
            if self.free:
                return self.free.pop()
            root = Path(tempfile.mkdtemp(dir=self.folder))
        for name in COPIED:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "raw")
                shutil.copytree(ROOT / name, root / name, ignore=ignored)
            else:
                shutil.copy2(ROOT / name, root / name)
        from repro import _folders  # not above: the processes of the tests import this module

        for kernels in _folders.cache().glob("kernels-*"):  # compiled already
            shutil.copytree(kernels, root / "cache" / kernels.name)
        subprocess.run(["git", "init", "-q"], cwd=root, check=True)
        return root

    def nearest(self, mutant: Mutant) -> list[str]:
        """The tests that may see a mutant, or files of tests: the nearest first."""
        with self.lock:  # two threads must not read source at once: Python 3.11 fails then
            rings = islice(touched.rings_of(mutant.file), 2)
            near = [file for ring in rings for file in sorted(ring, key=mutant.distance)[:MOST]]
            near = [mutant.file, *near]
            if self.run is None:
                return near
            lines = mutant.lines or covered.lines_of_functions(mutant.file)
            tests, others = self.run.tests(mutant.file, lines), self.run.of_files(near)
        tests.sort(key=lambda test: file_of(test) not in near)
        return self.run.within(BUDGET, [*tests, *others])

    def tried(self, mutant: Mutant) -> str:
        """ "killed", "survives", "no test", or "unclear" if a test fails by chance."""
        root, end = self.take(), time.monotonic() + END
        try:
            return self._seen_by(root, mutant, self.nearest(mutant), end)
        finally:
            shutil.copy2(ROOT / mutant.file, root / mutant.file)
            self.free.append(root)

    def _seen_by(self, root: Path, mutant: Mutant, tests: list[str], end: float) -> str:
        """What the tests say, but for those that fail without the change as well."""
        while True:
            what, failed = passes(root, mutant.file, mutant.text, tests, self.unsound, end)
            if what != "killed" or not failed:  # no test has run: the module breaks
                return what
            with self.lock:
                plain = ast.parse((ROOT / mutant.file).read_text(encoding="utf-8"))
            _, again = passes(root, mutant.file, ast.unparse(plain) + "\n", [failed])
            if not again:  # it passes, or is there with the change only
                return "killed"
            if failed in self.unsound:
                return "unclear"
            self.unsound.add(failed)


def passes(
    root: Path,
    file: str,
    text: str,
    tests: Sequence[str],
    unsound: Collection[str] = (),
    end: float = float("inf"),
) -> tuple[str, str]:
    """What the tests say of `text` in the place of the file, and which one failed, if one did.

    Tests are names of tests, or of files for all that are in them, but for the `unsound` ones. They
    are stopped at the time `end`, as if the others would pass.
    """
    (root / file).write_text(text, encoding="utf-8")
    watched = _Watched(root, [*tests], {*unsound})
    watched.running.write_text("", encoding="utf-8")
    watched.failed.write_text("", encoding="utf-8")
    process = PROCESSES.Process(target=_run_tests, args=(root, watched))
    process.start()
    while process.is_alive() and time.time() - watched.running.stat().st_mtime < PATIENCE:
        process.join(1)
        if time.monotonic() > end:
            break
    if is_stopped := process.is_alive():
        is_late = time.monotonic() <= end
        watched.failed.write_bytes(watched.running.read_bytes() if is_late else b"")
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # also what the tests have started
    process.join()
    what = {0: "survives", 5: "no test"}.get(process.exitcode, "killed")
    if is_stopped:
        what = "killed" if is_late else "survives"
    return what, watched.failed.read_text(encoding="utf-8")


class _Watched:
    """Chooses and orders tests, writes down which one is running, and the first that fails."""

    def __init__(self, root: Path, tests: list[str], unsound: set[str]) -> None:
        self.tests, self.unsound = tests, unsound
        self.running, self.failed = root / "running.txt", root / "failed.txt"

    @property
    def files(self) -> list[str]:
        """The files of the tests, in their order."""
        return [*dict.fromkeys(map(file_of, self.tests))]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {name: i for i, name in enumerate(self.tests)}
        wanted = {i: place.get(i.nodeid, place.get(file_of(i.nodeid))) for i in items}
        chosen = [i for i in items if wanted[i] is not None and i.nodeid not in self.unsound]
        items[:] = sorted(chosen, key=wanted.__getitem__)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running.write_text(nodeid, encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed.read_text(encoding="utf-8"):
            self.failed.write_text(report.nodeid, encoding="utf-8")


def _run_tests(root: Path, watched: _Watched) -> None:
    """Leave this process, in which only other libraries are imported, with the code of pytest."""
    os.setsid()
    os.chdir(root)
    ours = {"PYTHONPATH": f"{root}/src", "REPRO_CACHE": f"{root}/cache", "MPLBACKEND": "agg"}
    os.environ.pop("REPRO_OUTPUT", None)
    os.environ.update(ours, OMP_NUM_THREADS="1")
    here = Path(__file__).parent
    sys.path[:] = [str(root / "src"), *(p for p in sys.path if Path(p).resolve() != here)]
    for name, module in [*sys.modules.items()]:  # those beside this file are tested in their copies
        if Path(getattr(module, "__file__", None) or "/").parent == here and name != "__mp_main__":
            del sys.modules[name]
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process
    marks = "not slow and not long"
    plain = ["-x", "-q", "-p", "no:nbval", "-p", "no:cacheprovider", "-m", marks]
    plain += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is imported already
    os._exit(int(pytest.main([*plain, *watched.files], plugins=[watched])))


# --- the whole


def main() -> int:
    """Try the mutants, show the counts by wing, and name those that survive."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--n", type=int, default=400, help="how many (default: 400)")
    parser.add_argument("--seed", type=int, default=0, help="decides which")
    parser.add_argument("--only", default="", help="a regular expression on the names of wings")
    parser.add_argument("--jobs", type=int, default=2, help="tried at once (default: 2)")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the counts into a page")
    parser.add_argument(
        "--add", action="store_true", help="add to the counts in that page: a part of a campaign"
    )
    options = parser.parse_args()
    if options.add and not options.write:
        parser.error("--add must go with --write, the page that has the counts")
    # A shell lets what it starts in the background ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    chosen = sampled(options.n, options.seed, options.only)
    run = covered.made() if len(chosen) > FEW else covered.kept()
    seen, survivors = tried(chosen, options.jobs, run)
    rows = [{"wing": wing, "mutants": c.total(), **counted(c)} for wing, c in sorted(seen.items())]
    table = pd.DataFrame(rows)
    print(f"\n{table.to_string(index=False)}\n")
    print(f"{table['killed'].sum()} of {table['mutants'].sum()} killed; seed {options.seed}")
    if options.write:
        known = tomllib.loads(REASONS.read_text(encoding="utf-8"))
        found = [
            (f"`{m.file}:{m.line}`", f"`{m.before}`", f"`{m.after}`", what, known.get(m.key, ""))
            for m, what in survivors
        ]
        names = ["where", "before", "after", "outcome", "why"]
        tables = {"mutants": table, "survivors": pd.DataFrame(found, columns=names)}
        written(options.write, tables, add=options.add)
    return 0


def tried(
    chosen: Sequence[Mutant], jobs: int, run: Covered | None = None, quiet: bool = False
) -> tuple[dict[str, Counter[str]], list[tuple[Mutant, str]]]:
    """What became of the mutants of each wing, and those that no test sees, shown at once."""
    seen, survivors = dict[str, Counter[str]](), list[tuple[Mutant, str]]()
    # Until the last thread has ended: Ctrl-C may come several times.
    with tempfile.TemporaryDirectory(prefix="mutants-") as place, stopping() as stopped:
        copies = Copies(Path(place), run)
        pool = ThreadPoolExecutor(jobs)
        mutants = {pool.submit(copies.tried, mutant): mutant for mutant in chosen}
        left, bar = {*mutants}, tqdm(total=len(chosen), unit=" mutants", disable=quiet)
        try:
            while left:
                finished, left = wait(left, timeout=1, return_when=FIRST_COMPLETED)
                for done in finished:
                    mutant, what = mutants[done], done.result()
                    seen.setdefault(mutant.wing, Counter())[what] += 1
                    bar.update()
                    if what in ("survives", "no test"):
                        survivors.append((mutant, what))
                        bar.write(f"{mutant}  ({what})")
                if stopped.is_set():  # what was tried until now is shown
                    break
        finally:
            bar.close()
            pool.shutdown(cancel_futures=True)
    return seen, survivors


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets: as an exception it may come while a lock is taken, or twice."""
    stopped = threading.Event()
    before = signal.signal(signal.SIGINT, lambda number, frame: stopped.set())
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


def counted(counts: Counter[str]) -> dict[str, int]:
    """The columns of the table."""
    return {name: counts[name] for name in ("killed", "survives", "no test", "unclear")}


if __name__ == "__main__":
    sys.exit(main())
