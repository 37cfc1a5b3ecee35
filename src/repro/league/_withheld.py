"""The files of a round whose labels are withheld: what is public of it, block by block.

``round.toml`` has the hash of a secret of which the seeds are made, ``block-00/SEA-0.csv`` the
attributes of a block of one draw, ``labels-00.csv`` the labels of a block, and ``handed_in.csv``
the hash of each file of predictions. The labels that are there say how far the round is.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import _files
from repro._checks import as_folder, check_count
from repro._reading import exactly, reading
from repro.league.entry import COLUMNS, Draw, Entry, prediction_files, read_predictions
from repro.league.streams import STREAMS, draw
from repro.streams.stream import Stream

__all__ = ["ABOUT", "MOST", "Round", "as_hash", "file_of", "read_round", "table_of"]
__all__ += ["write_table"]

ABOUT, HANDED, STANDINGS = "round.toml", "handed_in.csv", "standings.csv"
MOST = 100  # blocks and draws: with more blocks, the last of 10 000 examples could be empty
KINDS = {"round": str, "streams": str, "blocks": int, "draws": int, "secret": str}


class Round(NamedTuple):
    """A round with withheld labels, and the folder in which it is published."""

    public: Path
    name: str
    streams: str  #: hash of the secret
    blocks: int
    draws: int
    secret: str = ""  #: public when the round is over

    @property
    def keys(self) -> list[Draw]:
        """All draws: the name of a stream and a number."""
        return [*product(STREAMS, range(self.draws))]

    @property
    def n_labelled(self) -> int:
        """How many blocks have their labels; the next one is to be predicted."""
        there = [self.labels_path(block).exists() for block in range(self.blocks)]
        return (*there, False).index(False)

    def length(self, name: str) -> int:
        """Examples in a block of a stream; the last block may have fewer."""
        return -(-STREAMS[name].n // self.blocks)

    def examples(self, name: str, block: int) -> range:
        """The examples of a block of a stream."""
        length = self.length(name)
        return range(block * length, min((block + 1) * length, STREAMS[name].n))

    def labels_path(self, block: int) -> Path:
        """Where the labels of a block are published."""
        return self.public / f"labels-{block:02d}.csv"

    def attributes_path(self, key: Draw, block: int) -> Path:
        """Where the attributes of a block of a draw are published."""
        return self.public / f"block-{block:02d}" / f"{key[0]}-{key[1]}.csv"

    def seed(self, number: int, secret: str) -> int:
        """The seed of the draws with a number."""
        return int(as_hash(f"{secret} {number}"), 16) >> 128

    def drawn(self, key: Draw, secret: str) -> Stream:
        """The stream of a draw, with its truth."""
        return draw(key[0], self.seed(key[1], secret))

    def write(self) -> None:
        """Publish what the round is."""
        texts = dict(zip(KINDS, self[1:], strict=True))
        lines = [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in texts.items() if v != ""]
        _files.write(self.public / ABOUT, "\n".join([*lines, ""]).encode())

    def write_attributes(self, block: int, secret: str) -> None:
        """Publish the attributes of a block."""
        for key in self.keys:
            X = self.drawn(key, secret).X[_rows(self.examples(key[0], block))]
            frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
            write_table(self.attributes_path(key, block), frame)

    def write_labels(self, block: int, secret: str) -> None:
        """Publish the labels of a block."""
        labels = {k: self.drawn(k, secret).y[_rows(self.examples(k[0], block))] for k in self.keys}
        write_table(self.labels_path(block), table_of(labels, self, block))

    def read_attributes(self, key: Draw, block: int) -> NDArray[np.float64]:
        """The attributes of a block of a draw, (length, d)."""
        path, n = self.attributes_path(key, block), len(self.examples(key[0], block))
        how: dict[str, Any] = exactly()
        with reading(path, name="attributes", what=f"a CSV file of {n:,} rows of numbers"):
            X = pd.read_csv(path, **how).to_numpy(np.float64)
            if len(X) != n:
                raise ValueError(f"attributes must have {n:,} rows; got {len(X):,} in {path}")
        return X

    def read_labels(self, block: int) -> dict[Draw, NDArray[np.int64]]:
        """The labels of a block, by draw. Raises ValueError if the file is not that."""
        path = self.labels_path(block)
        labels, problems = self.read_block(block, [path])
        if problems:
            raise ValueError(f"labels must be as they were published; got {path}: {problems[0]}")
        return labels

    def read_block(
        self, block: int, paths: list[Path]
    ) -> tuple[dict[Draw, NDArray[np.int64]], list[str]]:
        """The labels in files for a block, and what is wrong with them."""
        found = Entry({}, {}, {}, [])
        read_predictions(found, paths, lambda name: self.examples(name, block))
        if not found.problems and (wrong := {*self.keys} ^ {*found.labels}):
            name, number = min(wrong)
            rule = f"each stream with the seeds 0 to {self.draws - 1}"
            return {}, [f"there must be {rule}; {name}, seed {number} does not fit"]
        return found.labels, found.problems

    def handed_in(self) -> pd.DataFrame:
        """The hash of each file that was handed in: columns ``entry``, ``block``, ``sha256``."""
        path = self.public / HANDED
        if not path.exists():
            return pd.DataFrame({"entry": [], "block": np.array([], np.int64), "sha256": []})
        kinds = {"entry": str, "block": np.int64, "sha256": str}
        with reading(path, name="handed_in", what="a CSV file of hashes"):
            return pd.read_csv(path, dtype=str, keep_default_na=False)[[*kinds]].astype(kinds)

    def write_handed_in(self, hashes: pd.DataFrame) -> None:
        """Publish the hash of each file that was handed in."""
        write_table(self.public / HANDED, hashes.sort_values(["block", "entry"]))

    def hashes(self, block: int) -> dict[str, str]:
        """The hash of each file that was handed in for a block, by the folder of the entry."""
        handed = self.handed_in()
        own = handed[handed["block"] == block]
        return dict(zip(own["entry"], own["sha256"], strict=True))

    def write_standings(self, table: pd.DataFrame) -> None:
        """Publish how the round ended."""
        write_table(self.public / STANDINGS, table)

    def read_standings(self) -> pd.DataFrame:
        """How the round ended, as it was published."""
        path, numbers = self.public / STANDINGS, ["seed", "n", "error", "optimum"]
        with reading(path, name="standings", what="a CSV file with the end of a round"):
            table = pd.read_csv(path, dtype=str, keep_default_na=False)
            return table.assign(**{name: pd.to_numeric(table[name]) for name in numbers})


def _rows(examples: range) -> slice:
    return slice(examples.start, examples.stop)


def as_hash(content: str | bytes) -> str:
    """The sha256 of a text or of bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def file_of(folder: Path, block: int) -> Path:
    """The file that an entry hands in for a block. Raises ValueError without one, or for two."""
    stem = f"block-{block:02d}"
    if len(paths := prediction_files(as_folder(folder, name="entry"), stem)) != 1:
        raise ValueError(f"there must be one file {stem}.csv; got {len(paths)}")
    return paths[0]


def read_round(public: Path) -> Round:
    """The round that is published in the folder `public`. Raises ValueError without one."""
    path = public / ABOUT
    with reading(path, name="public", what="the folder of a round that began"):
        read = {"secret": ""} | tomllib.loads(path.read_text(encoding="utf-8"))
    for field, kind in KINDS.items():
        if not isinstance(read.get(field), kind):
            raise ValueError(f"{field} must be of type {kind.__name__}; got none in {path}")
    blocks = check_count(read["blocks"], name="blocks", least=2, most=MOST)
    draws = check_count(read["draws"], name="draws", most=MOST)
    return Round(public, read["round"], read["streams"], blocks, draws, read["secret"])


def table_of(labels: Mapping[Draw, NDArray[np.int64]], about: Round, block: int) -> pd.DataFrame:
    """The `labels` of a block, by draw, as a table with a row for each example."""
    frames = [
        pd.DataFrame(dict(zip(COLUMNS, (name, k, about.examples(name, block), y), strict=True)))
        for (name, k), y in labels.items()
    ]
    return pd.concat(frames, ignore_index=True)


def write_table(path: Path, frame: pd.DataFrame) -> None:
    """Write `frame` as a CSV file, whole or not at all."""
    text = frame.to_csv(index=False, lineterminator="\n")
    _files.write(path, text.encode())
