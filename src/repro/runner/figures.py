"""All notebooks of the paper, side by side."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from repro.runner.parameters import ParameterError

__all__ = ["run_all"]


def run_all(root: Path, profile: str, jobs: int | None = None) -> int:
    """Run each notebook in a process of its own, even if one fails; the largest exit code.

    Parameters
    ----------
    root : the checkout.
    profile : as in `repro.run`.
    jobs : how many notebooks run at once, >= 1; by default one per core.
    """
    if jobs is None:
        from joblib import cpu_count  # here: it takes half a second to import

        jobs = cpu_count()
    if jobs < 1:
        raise ParameterError(f"--jobs must be 1 or more; got {jobs}")
    paths = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    names = [path.stem for path in paths if "." not in path.stem]

    def run(name: str) -> int:
        command = [sys.executable, "-m", "repro", "run", name, "--profile", profile]
        return subprocess.run(command, cwd=root, check=False).returncode

    with ThreadPoolExecutor(jobs) as pool:
        return max(pool.map(run, names), default=0)
