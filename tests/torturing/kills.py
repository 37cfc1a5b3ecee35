"""Kills of a run at a random moment, and what they leave."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

from tqdm import tqdm

from torturing.runs import PATIENCE, Prepared, finish, processes_of, said_in, start, stored_in
from torturing.works import Work

SIGNALS = signal.SIGKILL, signal.SIGTERM, signal.SIGINT
ENDING = 20.0  # seconds that a killed run's other processes may take to end
WHILE_WRITING = 0.03  # seconds after the first change of a result in which half of the kills come
UNFINISHED = re.compile(r"\.(tmp|part|staging|gathered|running\.ipynb)$")


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
    half = [n for n, part in now.items() if all(k.get(n) != part for k in known)]
    seen["half files"] += bool(half)
    seen["stopped while results were written"] += now not in known
    stored = stored_in(root)
    code, said = finish(work, root, mark)
    seen["next run fails"] += bool(code)
    seen["next run differs"] += work.results(root) != prepared.after
    files = [p.relative_to(root).as_posix() for p in root.rglob("*") if UNFINISHED.search(p.name)]
    seen["files left"] += bool(files)
    for what, names in {"half": half, "left": files}.items():
        if names:
            tqdm.write(f"{what}: {', '.join(names)}")
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
