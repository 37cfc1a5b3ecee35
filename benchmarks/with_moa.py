"""MOA's side, seen from here: the process that runs it, in an environment of its own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from children import Child, environment
from timing import Timed

from repro import Stream

Followed = dict[str, tuple[float, float]]  # seconds and error on a chunk, by learner


class Moa(Child):
    """A JVM that stays warm between requests; `close` ends it."""

    def __init__(self, python: str) -> None:
        super().__init__(python, "moa_child.py")

    def rate(self, name: str, stream: Stream, learner: str) -> float:
        """Instances per second of MOA's `learner`, like ``lazy.kNN -k 1``, warm, roughly."""
        return float(self._ask(name, stream, learner, "loop", len(stream), rate=True))

    def time(self, name: str, stream: Stream, learner: str, way: str, n: int) -> Timed:
        """Time of one run on the first `n` of `stream`; the ways are those of moa_child.py."""
        return Timed(*self._ask(name, stream, learner, way, n, rate=False))

    def labels(self, name: str, stream: Stream, learner: str) -> list[int]:
        """What MOA's `learner` predicts along the `stream`, test-then-train."""
        return [*self._ask(name, stream, learner, "labels", len(stream), rate=False)]

    def follow(self, chunks: Iterator[Stream], learners: dict[str, str]) -> Iterator[Followed]:
        """Seconds and error of each of the `learners` on each of the `chunks`, one stream."""
        path = Path(self.folder.name) / "chunk"
        for number, chunk in enumerate(chunks):
            _write_arrays(path, chunk)
            yield self.ask(chunk=str(path), learners=learners, first=number == 0)

    def _ask(self, name: str, stream: Stream, learner: str, way: str, n: int, *, rate: bool) -> Any:
        path = Path(self.folder.name) / name
        if not path.with_suffix(".npz").exists():
            _write_arrays(path, stream)
            _write_arff(path.with_suffix(".arff"), stream)
        return self.ask(path=str(path), learner=learner, way=way, n=n, rate=rate)


def _write_arrays(path: Path, stream: Stream) -> None:
    kinds = {"nominal": stream.nominal, "n_classes": stream.n_classes}
    np.savez(path.with_suffix(".npz"), X=stream.X, y=stream.y, **kinds)


def _write_arff(path: Path, stream: Stream) -> None:
    """The whole `stream` as the text file that MOA's users keep their data in."""
    lines = ["@relation benchmark"]
    for j, values in enumerate(stream.schema.nominal):
        lines.append(f"@attribute x{j} {_kind(values) if values else 'numeric'}")
    lines += [f"@attribute y {_kind(stream.schema.n_classes)}", "@data", ""]
    coded = replace(stream, provenance=None)  # codes in place of names
    text = coded.to_frame(truth=False).to_csv(header=False, index=False)
    path.write_text("\n".join(lines) + text, encoding="ascii")


def _kind(values: int) -> str:
    return "{" + ",".join(map(str, range(values))) + "}"


def start(python: str | None) -> Moa | None:
    """MOA, or None with the reason said when there is no Java or no CapyMOA."""
    if shutil.which("java") is None:
        print("no Java found: MOA's columns stay empty (install Java 17 or newer)", flush=True)
        return None
    try:
        return Moa(python or environment("capymoa"))
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"CapyMOA does not start, so MOA's columns stay empty: {error}", flush=True)
        return None
