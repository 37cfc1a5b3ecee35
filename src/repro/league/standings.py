"""How a round with withheld labels ended, and whether all that was published fits together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from repro._checks import as_folder
from repro._progress import progress
from repro.league._withheld import Round, as_hash, file_of, read_round
from repro.league.check import REFUSED, Finding, check_withheld, verdict_of
from repro.league.entry import Draw, Entry, errors_of, read_card
from repro.league.streams import DIGITS
from repro.league.table import ENTRY_COLUMNS, rows_of

__all__ = ["Standings", "standings_of", "verify_round"]

WITHHELD = "file, labels withheld"
COLUMNS = ["entry", *ENTRY_COLUMNS[:6], "optimum", *ENTRY_COLUMNS[6:]]


class Standings(NamedTuple):
    """How a round ended."""

    table: pd.DataFrame  #: a row for each entry, stream and draw
    refused: dict[str, list[Finding]]  #: what was found, by the folders that have no rows


def verify_round(public: str | Path, entries: str | Path) -> Standings:
    """Check a round that is over: its secret, streams, predictions and standings fit together.

    Parameters
    ----------
    public : the folder that the organiser published.
    entries : folder of the folders that were handed in.

    Returns the standings, made again. Raises ValueError for what does not fit: a secret with
    another hash, attributes (to three decimals) or labels that its seeds do not draw, a file with
    another hash than in ``handed_in.csv``, other standings.
    """
    about, where = read_round(as_folder(public, name="public")), as_folder(entries, name="entries")
    if not about.secret:
        raise ValueError(f"public must be of a round that is over; got {public}")
    if as_hash(about.secret) != about.streams:
        raise ValueError(f"secret must have the hash {about.streams}; got another in {public}")
    for block in progress(range(about.blocks), desc="published", unit="block"):
        labels = about.read_labels(block)
        for key in about.keys:
            drawn, due = about.drawn(key, about.secret), about.examples(key[0], block)
            X = np.round(drawn.X[due.start : due.stop], DIGITS)
            same = np.array_equal(X, np.round(about.read_attributes(key, block), DIGITS))
            if not same or not np.array_equal(labels[key], drawn.y[due.start : due.stop]):
                what = f"{key[0]}, seed {key[1]}, block {block}"
                raise ValueError(f"secret must draw what is public; it draws another {what}")
    again = standings_of(about, where, about.secret)
    if not _alike(about.read_standings(), again.table):
        raise ValueError(f"standings must be those of the entries; got others in {public}")
    return again


def standings_of(about: Round, entries: Path, secret: str) -> Standings:
    """The errors of those who handed in every block, and what was found in the others."""
    seeds = {key: (key[0], about.seed(key[1], secret)) for key in about.keys}
    given, refused = {}, {}
    hashes = [about.hashes(block) for block in range(about.blocks)]
    for name in sorted(hashes[-1]):
        try:
            handed = [by_name.get(name) for by_name in hashes]
            given[name] = _entry(about, entries / name, handed, seeds)
        except (OSError, ValueError) as error:
            refused[name] = [Finding(REFUSED, "its files are not those handed in", str(error))]
    optima = {s: np.asarray(about.drawn(key, secret).optimal) for key, s in seeds.items()}
    best, frames = errors_of(optima), []
    for name, entry in given.items():
        findings = check_withheld(entry, {o: given[o] for o in given if o != name})
        if verdict_of(findings) == REFUSED:
            refused[name] = findings
            continue
        by_seed = errors_of(entry.labels)
        errors = {key: by_seed[seed] for key, seed in seeds.items()}
        rows = rows_of(entry.card, errors, WITHHELD, findings).assign(entry=name)
        frames.append(rows.assign(optimum=[best[seed] for seed in seeds.values()])[COLUMNS])
    table = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=COLUMNS)
    return Standings(table, refused)


def _entry(
    about: Round, folder: Path, hashes: Sequence[str | None], seeds: dict[Draw, Draw]
) -> Entry:
    """All that was handed in from `folder`, by stream and seed; `hashes` are those of its files."""
    card, problems = read_card(as_folder(folder, name="entry"))
    if problems:
        raise ValueError(problems[0])
    blocks = []
    for block, handed in enumerate(hashes):
        path = file_of(folder, block)
        if as_hash(path.read_bytes()) != handed:
            raise ValueError(f"{path.name} has another hash than was published")
        labels, problems = about.read_block(block, [path])
        if problems:
            raise ValueError(f"{path.name} is wrong: {problems[0]}")
        blocks.append(labels)
    whole = {seed: np.concatenate([b[key] for b in blocks]) for key, seed in seeds.items()}
    return Entry(card, whole, {}, [])


def _alike(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Whether two standings say the same; numbers as far as a CSV file holds them."""
    try:
        pd.testing.assert_frame_equal(one, other, rtol=1e-9, check_dtype=False)
    except AssertionError:
        return False
    return True
