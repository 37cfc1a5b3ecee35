"""All notebooks of the paper, side by side."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from repro.runner.parameters import ParameterError
from repro.runner.profiles import read_profile

__all__ = ["run_all", "share_of_cores"]

AT_ONCE = 2
LONGEST = "05 04 01 02 03"  # by their time, see benchmarks/README.md; others come before them
ALONE = "06"  # trains networks; each uses more than a core, and most of a gigabyte


def run_all(root: Path, profile: str, jobs: int | None = None, only: Sequence[str] = ()) -> int:
    """Run each notebook in a process of its own, even if one fails; the largest exit code.

    Parameters
    ----------
    root : the checkout.
    profile : as in `repro.run_notebook`.
    jobs : how many notebooks run at once, >= 1; by default two, as one alone has parts that use a
        single core. Each starts as many processes as its share of the cores. Notebook 06 comes
        last and alone, with a thread for each core.
    only : beginnings of the names of the notebooks to run, such as "01"; by default all run.

    Raises ParameterError for other numbers of jobs, for a profile that is not valid, and for a
    beginning that no name has.
    """
    read_profile(root, profile)  # once, and not by each notebook
    if jobs is not None and jobs < 1:
        raise ParameterError(f"--jobs must be 1 or more; got {jobs}")
    names = _names(root, only)
    alone = [name for name in names if name[:2] == ALONE]
    shared = [name for name in names if name not in alone]
    at_once = max(1, min(jobs or min(AT_ONCE, _cores()), len(shared)))
    if at_once > 1:  # the longest first, or a core would wait for it in the end
        shared.sort(key=lambda name: LONGEST.find(name[:2]))

    def run(name: str, n: int) -> int:
        command = [sys.executable, "-m", "repro", "run", name, "--profile", profile]
        environment = os.environ | share_of_cores(n)
        return subprocess.run(command, cwd=root, env=environment, check=False).returncode

    with ThreadPoolExecutor(at_once) as pool:
        codes = [*pool.map(partial(run, n=at_once), shared)]
    return max(codes + [run(name, 1) for name in alone], default=0)


def share_of_cores(n: int) -> dict[str, str]:
    """The environment of each of `n` notebooks that run at once: joblib counts its share only.

    Otherwise each would start as many processes as there are cores.
    """
    return {"LOKY_MAX_CPU_COUNT": str(max(1, _cores() // n))}


def _cores() -> int:
    from joblib import cpu_count  # here: it takes half a second to import

    return int(cpu_count())


def _names(root: Path, only: Sequence[str]) -> list[str]:
    paths = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    names = [path.stem for path in paths if "." not in path.stem]
    for beginning in only:
        if not any(name.startswith(beginning) for name in names):
            rule = f"must begin the name of a notebook: {', '.join(names)}"
            raise ParameterError(f"NOTEBOOK {rule}; got {beginning!r}")
    return [name for name in names if not only or name.startswith(tuple(only))]
