"""Data sets that are files: Elec2 and KDD Cup 1999, read only when their sum is right.

Looked for in the folders of REPRO_DATA (separated like PATH), then in data/raw.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pandas as pd

from repro import Stream

RAW = Path(__file__).resolve().parent.parent / "data" / "raw"
FILES = {
    "elec2.csv.gz": "a68f3fd93c1c99b151e80452a76216d7433354da59afb8bd9b385b783bfdd9c4",
    "kdd99_10.csv.gz": "f4f1e7652e173cecc9c1861f86b94418a740cbcf6c039efb3e3215a81426030b",
}
KDD_NOMINAL = (
    "protocol_type",
    "service",
    "flag",
    "land",
    "logged_in",
    "is_host_login",
    "is_guest_login",
)
KDD_ROWS = 100_000  # of 494 021, the first ones


def elec2() -> Stream | None:
    """Elec2 (Harries 1999), whole: 7 numeric attributes and the day of the week; UP is 1."""
    frame = _read("elec2.csv.gz")
    if frame is None:
        return None
    y = (frame.pop("target") == "UP").to_numpy().astype(int)
    frame["day"] -= 1
    nominal = [7 if name == "day" else 0 for name in frame]
    return Stream(frame.to_numpy(float), y, nominal, 2)


def kdd99() -> Stream | None:
    """KDD Cup 1999, the first rows of the 10 % set; codes and 23 labels by the whole of it."""
    frame = _read("kdd99_10.csv.gz")
    if frame is None:
        return None
    labels, y = np.unique(frame.pop("target"), return_inverse=True)
    nominal = [0] * frame.shape[1]
    for name in KDD_NOMINAL:
        values, frame[name] = np.unique(frame[name], return_inverse=True)
        nominal[frame.columns.get_loc(name)] = max(2, len(values))
    return Stream(frame[:KDD_ROWS].to_numpy(float), y[:KDD_ROWS], nominal, len(labels))


def _read(name: str) -> pd.DataFrame | None:
    """The file `name`, or None with a line that says so."""
    folders = [Path(f) for f in os.environ.get("REPRO_DATA", "").split(os.pathsep) if f]
    for path in (folder / name for folder in [*folders, RAW]):
        if path.is_file():
            if hashlib.sha256(path.read_bytes()).hexdigest() != FILES[name]:
                raise ValueError(f"{name} must have the sha256 {FILES[name]}; {path} has another")
            return pd.read_csv(path)
    print(f"{name} is neither in REPRO_DATA nor in data/raw: its stream is left out", flush=True)
    return None
