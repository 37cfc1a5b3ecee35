"""The table of the entries that were accepted: a row for each draw."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from repro import _files, _locks
from repro._checks import as_path, check_frame
from repro._reading import reading
from repro.league.check import REFUSED, Findings, check_read
from repro.league.entry import Draw, errors_of, read_entry
from repro.league.made import rerun
from repro.league.streams import STREAMS

__all__ = ["ENTRY_COLUMNS", "Refused", "add_entry", "read_entries", "rows_of"]

#: ``origin``: "file, not re-run", or "re-run, equal"; ``flags``: what a person should look at
ENTRY_COLUMNS = ["learner", "stream", "seed", "version", "n", "error", "origin"]
ENTRY_COLUMNS += ["by", "parameters", "hardware", "code", "round", "flags"]
NOT_RERUN, EQUAL = "file, not re-run", "re-run, equal"


class Refused(ValueError):
    """The entry is not taken; the message says why."""


def add_entry(
    folder: str | Path,
    table: str | Path,
    *,
    among: str | Path | None = None,
    learner: Any = None,
    jobs: int = 1,
) -> pd.DataFrame:
    """Check the entry in `folder`, and put it into the `table`, in place of its older rows.

    Parameters
    ----------
    folder, among : as in `check_entry`.
    table : path of a CSV file, which is made if it is not there.
    learner : the model of the entry, which is run again; its predictions must be equal.
    jobs : processes for that.

    Returns the rows. Raises `Refused` for an entry that is refused, whose name in the table is
    somebody else's, or whose model predicts something else; then the table stays as it was.
    """
    path = as_path(table, name="table")
    entry = read_entry(folder)  # once: it may be edited meanwhile
    findings = check_read(entry, folder, among)
    if refused := [f"{f.what}. {f.evidence}" for f in findings if f.verdict == REFUSED]:
        raise Refused(f"entry must not be refused; got {'; '.join(refused)}")
    origin = NOT_RERUN
    if learner is not None:
        if (share := rerun(entry, learner, jobs=jobs)) < 1:
            raise Refused(
                f"learner must predict what the entry holds; got {100 * share:.2f} % of it"
            )
        origin = EQUAL
    new = rows_of(entry.card, errors_of(entry.labels), origin, findings)
    _put(new, path, entry.card)
    return new


def rows_of(
    card: Mapping[str, str], errors: Mapping[Draw, float], origin: str, findings: Findings
) -> pd.DataFrame:
    """The rows of an entry that is accepted, one for each of its `errors`."""
    flags = "; ".join(finding.what for finding in findings)
    rows = [
        [card["learner"], name, seed, card["library"], STREAMS[name].n, error, origin]
        + [card[field] for field in ("by", "parameters", "hardware", "code", "round")]
        + [flags]
        for (name, seed), error in errors.items()
    ]
    return pd.DataFrame(rows, columns=ENTRY_COLUMNS)


def _put(new: pd.DataFrame, path: Path, card: Mapping[str, str]) -> None:
    """Replace the rows of a learner in the file at `path`."""
    # Two that read the same table would each write it without the other's rows.
    with _locks.alone(_locks.lock_of(path), lambda: None):
        old = read_entries(path)
        own = old["learner"] == card["learner"]
        if makers := sorted({*old.loc[own, "by"]} - {card["by"]}):
            raise Refused(
                f"learner must be a new name; got {card['learner']!r}, which is {makers[0]}'s"
            )
        both = pd.concat([part for part in (old[~own], new) if len(part)])
        both = both.sort_values(ENTRY_COLUMNS[:3], ignore_index=True)
        text = both.to_csv(index=False, float_format="%.6g", lineterminator="\n")
        _files.write(path, text.encode())


def read_entries(table: str | Path) -> pd.DataFrame:
    """The rows of the entries in `table`; none if there is no such file."""
    path = as_path(table, name="table")
    if not path.is_file():
        return pd.DataFrame(columns=ENTRY_COLUMNS)
    texts = {name: str for name in ENTRY_COLUMNS if name not in ("seed", "n", "error")}
    with reading(path, name="table", what="a CSV file of entries"):
        frame = pd.read_csv(path, dtype=texts, keep_default_na=False)
    return check_frame(frame, ENTRY_COLUMNS, name="table")
