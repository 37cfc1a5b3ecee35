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

    def rate(self, name: str, stream: Stream, learner: str) -> float:
        """Instances per second of MOA's `learner`, like ``lazy.kNN -k 1``, warm, roughly."""
        return float(self._ask(name, stream, learner, "loop", len(stream), rate=True))

    def time(self, name: str, stream: Stream, learner: str, way: str, n: int) -> Timed:
        """Time of one run on the first `n` of `stream`; the ways are those of moa_child.py."""
        return Timed(*self._ask(name, stream, learner, way, n, rate=False))

    def _ask(self, name: str, stream: Stream, learner: str, way: str, n: int, *, rate: bool) -> Any:
        path = Path(self.folder.name) / name
        if not path.with_suffix(".npz").exists():
            kinds = {"nominal": stream.nominal, "n_classes": stream.n_classes}
            np.savez(path.with_suffix(".npz"), X=stream.X, y=stream.y, **kinds)
            _write_arff(path.with_suffix(".arff"), stream)
        request = {"path": str(path), "learner": learner, "way": way, "n": n, "rate": rate}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._read()

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()

    def _read(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"MOA ended with status {self.process.wait()}; see above")
        return json.loads(line)


def _write_arff(path: Path, stream: Stream) -> None:
    """The whole `stream` as the text file that MOA's users keep their data in."""
    lines = ["@relation benchmark"]
    for j, values in enumerate(stream.schema.nominal):
        lines.append(f"@attribute x{j} {_kind(values) if values else 'numeric'}")
    lines += [f"@attribute y {_kind(stream.schema.n_classes)}", "@data", ""]
    frame = stream.to_frame()
    columns = [f"x{j}" for j in range(stream.X.shape[1])]
    text = frame[[*columns, "y"]].to_csv(header=False, index=False)
    path.write_text("\n".join(lines) + text, encoding="ascii")


def _kind(values: int) -> str:
    return "{" + ",".join(map(str, range(values))) + "}"


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
