"""Call all public names with valid, nearly valid and absurd arguments, and check the outcome.

A call may return a possible result, or raise a clear error: argument, rule and value. Any other
outcome is raw: another error, a warning, a crash, an endless call, an impossible result, a modified
argument. Each raw error is shown once, with its count and the lines of Python that cause it. The
names come from `__all__`; a chain of calls depends only on the seed and its number.

    python tests/fuzz.py --calls 1000000 --seed 0 --jobs 2
    python tests/fuzz.py --calls 20000 --only metrics     # a regular expression on the names
    python tests/fuzz.py --chain 123                      # one chain again, each line printed
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pandas as pd
from page import written
from tqdm import tqdm

MEMORY = 12 * 2**30  # bytes of address space, including numba's compiler and the libraries
SILENCE = 300.0  # seconds that one call may take; then its process is ended
REPORT_EVERY = 0.5
#: Expected warnings: `sweep` documents the first, joblib gives the second in a process.
DOCUMENTED = ("task failed", "Loky-backed parallel loops")


def main() -> int:
    """Run, report, and return 1 if there was a raw outcome."""
    options = parse()
    prepare()
    if options.chain is not None:
        return replay(options)
    tally = Tally()
    started = time.monotonic()
    with tqdm(total=options.calls, unit=" calls", disable=options.quiet, smoothing=0.05) as bar:
        for message in run(options, tally):
            bar.update(message)
            bar.set_postfix(raw=tally.raw, refresh=False)
    tally.show(time.monotonic() - started, table=not options.quiet)
    if options.write:
        written(options.write, {"calls": tally.by_module()})
    return 1 if tally.raw else 0


def resolved(path: str) -> Path:
    """The whole path, since `prepare` leaves the folder."""
    return Path(path).resolve()


def parse() -> argparse.Namespace:
    """The options of the command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--calls", type=int, default=10_000, help="how many calls (default 10000)")
    parser.add_argument("--seed", type=int, default=0, help="decides every call (default 0)")
    parser.add_argument("--only", default="", metavar="PATTERN", help="names such as ^metrics")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--chain", type=int, help="play the chain of this number alone")
    parser.add_argument("--write", type=resolved, metavar="PAGE", help="put the counts into a page")
    parser.add_argument("--quiet", action="store_true", help="no progress bar, no table of names")
    return parser.parse_args()


def prepare() -> None:
    """Disable downloads and bars, and write to a temporary folder; kernels stay cached."""
    from repro import _folders

    folder = tempfile.mkdtemp(prefix="repro-fuzz-")
    os.environ.setdefault("NUMBA_CACHE_DIR", str(_folders.cache()))
    changes = {"REPRO_CACHE": folder, "REPRO_OUTPUT": folder, "REPRO_DATA": folder}
    os.environ.update(changes, REPRO_OFFLINE="1", REPRO_PROGRESS="0", MPLBACKEND="agg")
    os.environ["OMP_NUM_THREADS"] = "1"
    # joblib's processes of a sweep may outlive a worker that was stopped.
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker:UserWarning"
    paths = [str(Path(__file__).parent.resolve()), *sys.path, os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    os.chdir(folder)


def player(options: argparse.Namespace, **settings: Any) -> Any:
    """A `Player`, with warnings as errors from now on."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from fuzzing.chains import Player

        made = Player(options.seed, options.only, **settings)
    warnings.simplefilter("error")
    for documented in DOCUMENTED:
        warnings.filterwarnings("ignore", message=documented)
    warnings.filterwarnings("ignore", module="sklearn|river")  # of models that are not ours
    return made


def replay(options: argparse.Namespace) -> int:
    """Play one chain, printing each line before it runs."""
    from fuzzing.chains import PREAMBLE

    print(PREAMBLE)
    made = player(options, verbose=True)
    made.play(options.chain)
    for finding in made.findings.values():
        print(f"{finding.where}: {finding.text}")
    return 1 if made.findings else 0


@dataclass
class Worker:
    """A process that plays every n-th chain, and its last message."""

    process: Any
    answers: Connection
    line: Any
    number: Any
    told: bytes = b""
    heard: float = field(default_factory=time.monotonic)


def work(
    options: argparse.Namespace, first: int, calls: int, answers: Connection, line: Any, number: Any
) -> None:
    """Play chains until `calls` calls were made, and send counts and findings regularly."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - as long as the process

    def note(code: str) -> None:
        line.value = code.encode()[:4000]

    made = player(options, before_call=note)
    chain, told, last = first, 0, time.monotonic()
    while made.calls < calls:
        number.value = chain
        play(made, chain)
        chain += options.jobs
        if time.monotonic() - last > REPORT_EVERY or made.calls >= calls:
            answers.send((made.calls - told, made.counts, list(made.findings.values())))
            told, last = made.calls, time.monotonic()
            made.counts, made.findings = {}, {}
    answers.close()


def play(made: Any, chain: int) -> None:
    """Play a chain; an error in the fuzzer itself is a finding too."""
    from fuzzing.steps import Finding, Text

    try:
        made.play(chain)
    except Exception as error:
        text = f"{error!r} in {traceback.extract_tb(error.__traceback__)[-1]}"
        lines = [Text(f"# python tests/fuzz.py --chain {chain}", {})]
        found = Finding("fuzzer", type(error).__name__, "fuzzer", text, lines)
        made.findings.setdefault(found.key, found)
        made.calls += 1  # so an error before the first call cannot repeat forever


def run(options: argparse.Namespace, tally: Tally) -> Iterator[int]:
    """Start the processes, and yield the numbers of calls made since the last yield.

    A process that crashes or hangs is a finding; a new process continues with the next chain.
    """
    context = multiprocessing.get_context("spawn")
    left = dict.fromkeys(range(options.jobs), options.calls // options.jobs)
    left[0] += options.calls % options.jobs
    workers = {j: start(context, options, j, left[j]) for j in left if left[j] > 0}
    while workers:
        ready = wait([w.answers for w in workers.values()], timeout=1.0)
        for j, worker in list(workers.items()):
            ended = False
            if worker.answers in ready:
                try:
                    calls, counts, findings = worker.answers.recv()
                except EOFError:
                    ended = True
                else:
                    worker.heard = time.monotonic()
                    left[j] -= calls
                    tally.add(counts, findings)
                    yield calls
            if worker.line.value != worker.told:
                worker.told, worker.heard = worker.line.value, time.monotonic()
            silent = time.monotonic() - worker.heard > SILENCE
            if not ended and not silent:
                continue
            if silent:
                worker.process.kill()
            worker.process.join()
            del workers[j]
            if left[j] > 0:
                what = "no end" if silent else f"exit {worker.process.exitcode}"
                tally.died(what, worker.line.value.decode(errors="replace"), worker.number.value)
                left[j] -= 1
                workers[j] = start(context, options, worker.number.value + options.jobs, left[j])
                yield 1


def start(context: Any, options: argparse.Namespace, first: int, calls: int) -> Worker:
    """A new process that begins with the chain `first`."""
    ours, theirs = context.Pipe(duplex=False)
    line, number = context.Array("c", 4096, lock=False), context.Value("q", first, lock=False)
    process = context.Process(
        target=work, args=(options, first, calls, theirs, line, number), daemon=True
    )
    process.start()
    theirs.close()
    return Worker(process, ours, line, number)


class Tally:
    """Counts and findings of all processes."""

    def __init__(self) -> None:
        self.counts: dict[str, Any] = {}
        self.findings: dict[tuple[str, str], Any] = {}

    @property
    def raw(self) -> int:
        """Number of calls with a raw outcome."""
        return sum(finding.count for finding in self.findings.values())

    def add(self, counts: dict[str, Any], findings: list[Any]) -> None:
        """Add the counts of a process; of equal faults, keep the one with the shortest code."""
        for path, new in counts.items():
            if path in self.counts:
                self.counts[path].add(new)
            else:
                self.counts[path] = new
        for finding in findings:
            known = self.findings.get(finding.key)
            if known is not None:
                finding.count += known.count
                if len(known.code()) <= len(finding.code()):
                    known.count = finding.count
                    continue
            self.findings[finding.key] = finding

    def died(self, what: str, code: str, number: int) -> None:
        """Add a finding for a process that ended during a call."""
        from fuzzing.steps import Finding, Text

        lines = f"# python tests/fuzz.py --chain {number}\n{code}"
        last = code.splitlines()[-1] if code else ""
        where = last.partition("(")[0]
        self.add({}, [Finding("process", f"{what} {where}", where, what, [Text(lines, {})])])

    def by_module(self) -> pd.DataFrame:
        """The counts of the names of each module, for a page."""
        modules = sorted({path.partition(".")[0] for path in self.counts})
        rows = []
        for module in modules:
            counts = [c for path, c in self.counts.items() if path.partition(".")[0] == module]
            sums = {name: f"{sum(getattr(c, name) for c in counts):,}" for name in TOTALS}
            rows.append({"module": f"`{module}`", "names": len(counts), **sums})
        return pd.DataFrame(rows)

    def show(self, seconds: float, *, table: bool) -> None:
        """Print the table of names, the faults by module, and a summary line."""
        from fuzzing.chains import PREAMBLE

        if table:
            print(f"{'calls':>9} {'refused':>9} {'returned':>9} {'raw':>7} {'ms':>8} {'max ms':>8}")
            for path, c in sorted(self.counts.items()):
                ms = 1000 * c.seconds / max(c.calls, 1)
                print(
                    f"{c.calls:9} {c.refused:9} {c.returned:9} {c.raw:7} {ms:8.2f} "
                    f"{1000 * c.slowest:8.0f}  {path}"
                )
        if self.findings:
            print(f"\n# Each of these begins with\n{PREAMBLE}")
        for finding in sorted(self.findings.values(), key=lambda f: (f.where, -f.count)):
            print(f"## {finding.count} x {finding.kind} at {finding.where} ({finding.path})")
            print(f"# {finding.text}\n{finding.code()}\n")
        totals = {k: sum(getattr(c, k) for c in self.counts.values()) for k in TOTALS}
        print(
            f"{totals['calls']} calls of {len(self.counts)} names in {seconds:.0f} s: "
            f"{totals['returned']} returned, {totals['refused']} refused with a clear error, "
            f"{self.raw} raw ({len(self.findings)} different)"
        )


TOTALS = ("calls", "refused", "returned", "raw")

if __name__ == "__main__":
    sys.exit(main())
