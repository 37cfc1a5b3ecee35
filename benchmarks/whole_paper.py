"""Part `notebooks`: `make figures` in a clean copy of the project, and where its time goes.

The copy has no results, no cache of results and no compiled kernels. Each of its processes counts
its own processor time (`hook/sitecustomize.py`). Memory is the sum over all processes; a page that
several of them share is divided among them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pandas as pd
import psutil

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DONE = re.compile(r"^(\w+): done in ([\d.]+) s")


def measure(notebooks: list[str], profile: str) -> pd.DataFrame:
    """One row per notebook and kind of work, in seconds of processor time, and one for the whole.

    Parameters
    ----------
    notebooks : beginnings of the names of those to run; none: all.
    profile : "paper", or "quick" for a trial.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy, shares = Path(folder) / "project", Path(folder) / "shares"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
        shares.mkdir()
        seconds, memory, lines = _run(
            copy, shares, Path(folder) / "cache", [*notebooks, "--profile", profile]
        )
        walls = {found[1]: float(found[2]) for line in lines if (found := DONE.match(line))}
        rows = _rows(shares, walls)
    whole = {"notebook": "all", "wall": seconds, "memory": memory}
    return pd.DataFrame([*rows, whole])


def _run(
    copy: Path, shares: Path, cache: Path, options: list[str]
) -> tuple[float, float, list[str]]:
    """Seconds, most memory in bytes, and what the command said."""
    paths = [str(HERE / "hook"), str(copy / "src")]
    environment = os.environ | {"REPRO_CACHE": str(cache), "REPRO_SHARES": str(shares)}
    environment["PYTHONPATH"] = os.pathsep.join(paths)
    command = [sys.executable, "-m", "repro", "figures", *options]
    begin = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    watch = _Memory(process.pid)
    watch.start()
    lines = []
    for line in process.stdout:
        print(f"  {line.rstrip()}", flush=True)
        lines.append(line)
    if process.wait():
        raise RuntimeError(f"{' '.join(command[1:])} failed; see above")
    return time.perf_counter() - begin, watch.most, lines


class _Memory(threading.Thread):
    """The most memory that a process and its children have had together, read every two seconds."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.root, self.most = psutil.Process(pid), 0

    def run(self) -> None:
        while self.root.is_running():
            try:
                family = [self.root, *self.root.children(recursive=True)]
                self.most = max(self.most, sum(_bytes(process) for process in family))
            except psutil.Error:
                return
            time.sleep(2)


def _bytes(process: psutil.Process) -> int:
    try:
        memory = process.memory_full_info()
    except (psutil.Error, OSError):  # it has ended
        return 0
    return int(getattr(memory, "pss", memory.uss))


def _rows(shares: Path, walls: dict[str, float]) -> list[dict[str, object]]:
    rows = []
    for notebook, wall in sorted(walls.items()):
        spent: dict[str, float] = {}
        for path in shares.glob(f"{notebook}-*.json"):
            for doing, seconds in json.loads(path.read_text()).items():
                spent[doing] = spent.get(doing, 0.0) + seconds
        rows += [
            {"notebook": notebook, "wall": wall, "work": doing, "processor": seconds}
            for doing, seconds in spent.items()
        ]
    return rows
