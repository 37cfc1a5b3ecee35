"""The streams of the league: as descriptions, and as files for learners of any language."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from repro import _files
from repro._checks import as_new_folder, as_seeds, check_choice
from repro._progress import progress
from repro.streams.compose import sudden
from repro.streams.composition import Composition
from repro.streams.hyperplane import Hyperplane
from repro.streams.led import LED
from repro.streams.sea import SEA, SEA_THRESHOLDS
from repro.streams.stream import Stream
from repro.streams.testbed import TESTBED
from repro.streams.waveform import Waveform

__all__ = ["DIGITS", "ROUND", "SEEDS", "STREAMS", "digest_of", "draw", "write_streams"]

ROUND = "2026.11"
SEEDS = 5  # draws of each stream that an entry predicts
N = 10_000
DIGITS = 3  # decimals of attributes in a digest: processors differ in the last bits

#: name -> description: the nine streams of the testbed, and four classic generators with drift
STREAMS: dict[str, Any] = {
    **TESTBED,
    "SEA": Composition(
        tuple(SEA(threshold) for threshold in SEA_THRESHOLDS),
        (2_500, 5_000, 7_500),
        n=N,
        name="SEA",
    ),
    "LED": sudden(LED(n_irrelevant=3), LED(n_irrelevant=3, drifting=3), at=5_000, n=N, name="LED"),
    "Waveform": sudden(Waveform(), Waveform(drifting=10), at=5_000, n=N, name="Waveform"),
    "Hyperplane": Hyperplane(drifting=5, n=N),
}


@lru_cache(maxsize=256)
def draw(name: str, seed: int) -> Stream:
    """The draw of the stream `name` of `STREAMS` with `seed`."""
    drawn: Stream = STREAMS[check_choice(name, [*STREAMS], name="stream")].sample(seed=seed)
    return drawn


def digest_of(seeds: int | Iterable[int] = SEEDS) -> str:
    """Hash of the examples of all streams with the `seeds`; the same on every machine.

    >>> len(digest_of([0]))
    16
    """
    digest = hashlib.sha256()
    for seed in as_seeds(seeds):
        for name in STREAMS:
            stream = draw(name, seed)
            digest.update(f"{name} {seed} {stream.X.shape}".encode() + stream.y.tobytes())
            digest.update((np.round(stream.X, DIGITS) + 0.0).tobytes())
    return digest.hexdigest()[:16]


def write_streams(folder: str | Path, seeds: int | Iterable[int] = SEEDS) -> list[Path]:
    """Write the draws of all streams as ``<stream>-<seed>.csv`` into `folder`, and ``round.toml``.

    A file has the columns ``x0``, ``x1``, ... and ``label``, one row per example in the order of
    time. A learner predicts the label of a row from its attributes and from the rows before it.
    ``round.toml`` has what the card of an entry repeats: the round, and the digest of the streams.

    Returns the paths of all files. Raises ValueError for seeds that are none.
    """
    path, numbers = as_new_folder(folder, name="folder"), as_seeds(seeds)
    pairs = [(name, seed) for seed in numbers for name in STREAMS]
    paths = []
    for name, seed in progress(pairs, desc="streams", unit="stream"):
        stream = draw(name, seed)
        frame = pd.DataFrame(stream.X, columns=[f"x{j}" for j in range(stream.X.shape[1])])
        text = frame.assign(label=stream.y).to_csv(index=False, lineterminator="\n")
        paths.append(path / f"{name}-{seed}.csv")
        _files.write(paths[-1], text.encode())
    about = f'round = "{ROUND}"\nstreams = "{digest_of(numbers)}"\nseeds = {[*numbers]}\n'
    paths.append(path / "round.toml")
    _files.write(paths[-1], about.encode())
    return paths
