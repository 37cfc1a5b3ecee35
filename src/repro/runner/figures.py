"""All notebooks of the paper, side by side."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from repro.runner.parameters import ParameterError

__all__ = ["run_all"]


def run_all(root: Path, profile: str, jobs: int | None = None, only: Sequence[str] = ()) -> int:
    """Run each notebook in a process of its own, even if one fails; the largest exit code.

    Parameters
    ----------
    root : the checkout.
    profile : as in `repro.run`.
    jobs : how many notebooks run at once, >= 1; by default one per core.
    only : beginnings of the names of the notebooks to run, such as "01"; by default all run.

    Raises ParameterError for other numbers of jobs, and for a beginning that no name has.
    """
    if jobs is None:
        from joblib import cpu_count  # here: it takes half a second to import

        jobs = cpu_count()
    if jobs < 1:
        raise ParameterError(f"--jobs must be 1 or more; got {jobs}")

    def run(name: str) -> int:
        command = [sys.executable, "-m", "repro", "run", name, "--profile", profile]
        return subprocess.run(command, cwd=root, check=False).returncode

    # The last ones take longest. They start first, or one core would wait for them in the end.
    names = _names(root, only)[:: 1 if jobs == 1 else -1]
    with ThreadPoolExecutor(jobs) as pool:
        return max(pool.map(run, names), default=0)


def _names(root: Path, only: Sequence[str]) -> list[str]:
    paths = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    names = [path.stem for path in paths if "." not in path.stem]
    for beginning in only:
        if not any(name.startswith(beginning) for name in names):
            rule = f"must begin the name of a notebook: {', '.join(names)}"
            raise ParameterError(f"NOTEBOOK {rule}; got {beginning!r}")
    return [name for name in names if not only or name.startswith(tuple(only))]
