"""MOA's side, seen from here: its environment, and the process that runs it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from timing import Timed

from repro import Stream

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent / "build" / "bench-capymoa"
REQUIREMENTS = HERE / "requirements-capymoa.txt"


class Moa:
    """A JVM that stays warm between requests; `close` ends it."""

    def __init__(self, python: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [python, str(HERE / "moa_child.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.folder.name,
        )
        self.versions = self._read()

    def time(self, name: str, stream: Stream, learner: str, *, evaluator: bool) -> Timed:
        """Time of one run of MOA's `learner`, like ``lazy.kNN -k 1``, on `stream`."""
        path = Path(self.folder.name) / f"{name}.npz"
        if not path.exists():
            kinds = {"nominal": stream.nominal, "n_classes": stream.n_classes}
            np.savez(path, X=stream.X, y=stream.y, **kinds)
        request = {"path": str(path), "learner": learner, "evaluator": evaluator}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return Timed(*self._read())

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()

    def _read(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"MOA ended with status {self.process.wait()}; see above")
        return json.loads(line)


def start(python: str | None) -> Moa | None:
    """MOA, or None with the reason said when there is no Java or no CapyMOA."""
    if shutil.which("java") is None:
        print("no Java found: MOA's columns stay empty (install Java 17 or newer)", flush=True)
        return None
    try:
        return Moa(python or _environment())
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"CapyMOA does not start, so MOA's columns stay empty: {error}", flush=True)
        return None


def _environment() -> str:
    """The Python of the environment in build/, which is made when it is missing or out of date."""
    python, stamp = ENVIRONMENT / "bin" / "python", ENVIRONMENT / ".ready"
    if stamp.is_file() and stamp.read_text() == REQUIREMENTS.read_text():
        return str(python)
    print(f"making {ENVIRONMENT.relative_to(HERE.parent)} (about a minute, once)", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], check=True)
    install = ["install", "--quiet", "-r", str(REQUIREMENTS)]
    uv = [sys.executable, "-m", "uv", "pip", *install, "--python", str(python)]
    # uv knows nothing of pip's own configuration: where only pip reaches the packages, pip it is.
    if subprocess.run(uv, stderr=subprocess.DEVNULL).returncode:
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", *install]
        subprocess.run(pip, check=True)
    stamp.write_text(REQUIREMENTS.read_text())
    return str(python)
