"""A version of the league that stays: a folder with its tables, and a card that says what they are.

The tables of the league go on changing; who cites a place cites a folder. A frozen folder is never
written again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from leagues.standings import COLUMNS
from leagues.tables import read
from repro import __version__, _files
from repro.league.entry import CARD
from repro.league.streams import ROUND, digest_of

__all__ = ["freeze"]


def freeze(tables: Path, names: Sequence[str]) -> Path:
    """Copy the files with these `names` from the folder `tables` into that of the round.

    The card names the round, the version of this package, the digest of the streams of all seeds
    in the tables, and the sha256 of each file; it is written last. Returns the folder. Raises
    FileExistsError if the round is frozen already, and FileNotFoundError without a table of
    learners.
    """
    folder = tables / f"league-{ROUND}"
    if (folder / CARD).exists():
        raise FileExistsError(f"the round {ROUND} is frozen in {folder}; begin another")
    runs = read(tables / names[0], COLUMNS)
    if runs.empty:
        raise FileNotFoundError(f"there is no {names[0]} in {tables}")
    seeds = sorted({int(seed) for seed in runs["seed"]})
    there = {name: (tables / name).read_bytes() for name in names if (tables / name).is_file()}
    card = [f'round = "{ROUND}"', f'repro = "{__version__}"', f'streams = "{digest_of(seeds)}"']
    card += [f"seeds = {seeds}", f"runs = {len(runs)}", "", "[sha256]"]
    card += [f'"{name}" = "{hashlib.sha256(body).hexdigest()}"' for name, body in there.items()]
    for name, body in there.items():
        _files.write(folder / name, body)
    _files.write(folder / CARD, ("\n".join(card) + "\n").encode())
    return folder
