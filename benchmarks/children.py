"""Libraries in environments of their own: made on demand in build/, and asked line by line."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"


class Child:
    """A process that answers requests, JSON both ways; its first line says the versions.

    `folder` is for what is too large for a line; `close` ends the process and removes it.
    """

    def __init__(self, python: str, script: str) -> None:
        self.script, self.folder = script, tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [python, str(HERE / script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=self.folder.name,
        )
        self.versions = self._read()

    def ask(self, **request: Any) -> Any:
        """The answer to `request`."""
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._read()

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()

    def _read(self) -> Any:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.script} ended with {self.process.wait()}; see above")
        return json.loads(line)


def environment(name: str) -> str:
    """The Python of the environment in build/, which is made when it is missing or out of date."""
    requirements, folder = HERE / f"requirements-{name}.txt", BUILD / f"bench-{name}"
    python, stamp = folder / "bin" / "python", folder / ".ready"
    if stamp.is_file() and stamp.read_text() == requirements.read_text():
        return str(python)
    print(f"making {folder.relative_to(HERE.parent)} (about a minute, once)", flush=True)
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
    install = ["install", "--quiet", "-r", str(requirements)]
    uv = [sys.executable, "-m", "uv", "pip", *install, "--python", str(python)]
    # uv knows nothing of pip's own configuration: where only pip reaches the packages, pip it is.
    if subprocess.run(uv, stderr=subprocess.DEVNULL).returncode:
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", *install]
        subprocess.run(pip, check=True)
    stamp.write_text(requirements.read_text())
    return str(python)
