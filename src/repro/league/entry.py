"""An entry of the league: a folder with a card and the predictions of a learner."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro._checks import as_folder
from repro._reading import as_frame, names_in_csv, names_in_parquet, open_parquet, reading
from repro.league.streams import STREAMS, draw

__all__ = ["CARD", "COLUMNS", "FIELDS", "NAMED", "Draw", "Entry", "errors_of"]
__all__ += ["prediction_files", "read_card", "read_entry", "read_predictions"]

CARD = "card.toml"
#: of a card, with what they say
FIELDS = {
    "learner": "its name in the table",
    "by": "who made the entry",
    "library": "name and version of the library or program",
    "parameters": 'what differs from the defaults; "" for nothing',
    "hardware": "the machine",
    "code": 'where the code is, or "not public"',
    "round": "as in round.toml",
    "streams": "as in round.toml",
}
OPTIONAL = {"parameters"}  # fields that may be empty
COLUMNS = "stream", "seed", "example", "label"
SCORE = "score_"  # and the class
SUM = 1e-3  # by which the scores of an example may miss 1
NAMED = 3  # problems of one kind that are named
ENDINGS = ".csv", ".csv.gz", ".parquet"

Draw = tuple[str, int]  #: name of a stream and seed


class Entry(NamedTuple):
    """What stands in the folder of an entry, as far as it can be read, and what is wrong there."""

    card: dict[str, str]
    labels: dict[Draw, NDArray[np.int64]]  #: predicted, (n,) each
    scores: dict[Draw, NDArray[np.float64]]  #: (n, K) each; none where the files have none
    problems: list[str]

    @property
    def seeds(self) -> list[int]:
        """The seeds that were predicted."""
        return sorted({seed for _, seed in self.labels})


def read_entry(folder: str | Path) -> Entry:
    """The entry in `folder`: its ``card.toml``, and all its files of predictions together.

    These are ``*.csv``, ``*.csv.gz`` or ``*.parquet`` with the columns ``stream``, ``seed``,
    ``example`` (0, 1, ... in the order of time) and ``label`` (0..K-1), and optionally a score for
    each class, ``score_0``, ``score_1``, ..., that add up to 1. What is wrong is listed in
    `problems`, in words; the other draws are read all the same. Raises NotADirectoryError if there
    is no such folder.
    """
    path = as_folder(folder, name="folder")
    card, problems = read_card(path)
    found = Entry(card, {}, {}, problems)
    read_predictions(found, prediction_files(path), lambda name: range(STREAMS[name].n))
    return found


def read_predictions(
    found: Entry, paths: Sequence[Path], examples: Callable[[str], range]
) -> Entry:
    """Put what the files at `paths` predict into `found`, and what is wrong there; returns it.

    `examples` says which examples of a stream there must be.
    """
    problems = found.problems
    try:
        frame = _frame(paths)
    except (OSError, ValueError, ImportError) as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        problems.append(f"the predictions cannot be read: {text}")
        return found
    if lost := int(frame[["stream", "seed"]].isna().any(axis=1).sum()):
        problems.append(f"{lost:,} rows have no stream or no seed")
    for (name, seed), part in frame.groupby(["stream", "seed"], sort=False):
        problem = _draw(found, name, seed, part, examples)
        if problem:
            problems.append(f"{name}, seed {seed}: {problem}")
    problems += _absent(frame)
    return found


def read_card(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The texts of the card in `folder`, and what is wrong with it."""
    try:
        read = tomllib.loads((folder / CARD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}, [f"there is no {CARD}"]
    except (OSError, ValueError) as error:
        return {}, [f"{CARD} cannot be read: {error}"]
    card = {name: read[name] for name in FIELDS if isinstance(read.get(name), str)}
    lacks = [n for n in FIELDS if n not in card or not (card[n].strip() or n in OPTIONAL)]
    return card, [f"{CARD} has no text {name!r} ({FIELDS[name]})" for name in lacks]


def prediction_files(folder: Path, stem: str = "") -> list[Path]:
    """The tables in `folder`, in the order of their names; with a `stem` only that of this name."""
    names = {f"{stem}{ending}" for ending in ENDINGS}
    paths = sorted(folder.iterdir())
    return [p for p in paths if (p.name in names if stem else p.name.endswith(ENDINGS))]


def _frame(paths: Sequence[Path]) -> pd.DataFrame:
    """All predictions in the files, in the order of the files."""
    if not paths:
        raise ValueError("there is no file *.csv, *.csv.gz or *.parquet")
    frames = []
    for path in paths:
        with reading(path, name="predictions", what="a table"):
            frames.append(_table(path))
    frame = pd.concat(frames, ignore_index=True)
    if lacks := [name for name in COLUMNS if name not in frame]:
        raise ValueError(f"there is no column {lacks[0]!r}; got {', '.join(map(str, frame))}")
    return frame


def _table(path: Path) -> pd.DataFrame:
    if path.suffix == ".parquet":
        with open_parquet(path) as file:
            _check_different(names_in_parquet(file))
            return as_frame(file.read())
    _check_different(names_in_csv(path))
    return pd.read_csv(path, dtype={"stream": str}, keep_default_na=True)


def _check_different(names: list[str]) -> None:
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"columns must have different names; got two called {twice[0]!r}")


def _draw(
    found: Entry, name: Any, seed: Any, part: pd.DataFrame, examples: Callable[[str], range]
) -> str:
    """Put the predictions of one draw into `found`; what is wrong with them, "" for nothing."""
    if name not in STREAMS:
        return f"there is no such stream; there are {', '.join(STREAMS)}"
    if not _is_whole(np.array([seed])) or seed < 0:
        return "the seed must be a whole number of at least 0"
    due, K = examples(name), STREAMS[name].schema.n_classes
    example, label = part["example"].to_numpy(), part["label"].to_numpy()
    if len(part) != len(due):
        return f"there must be {len(due):,} examples; got {len(part):,}"
    if not np.array_equal(example, due):
        return f"the examples must be {due[0]}, {due[0] + 1}, ..., {due[-1]} in this order"
    if not _is_whole(label) or label.min() < 0 or label.max() >= K:
        return f"labels must be whole numbers from 0 to {K - 1}"
    found.labels[name, int(seed)] = label.astype(np.int64)
    columns = [f"{SCORE}{k}" for k in range(K)]
    if not any(column in part for column in columns):
        return ""
    if not all(column in part for column in columns):
        return f"there must be a score for each of the {K} classes"
    return _scored(found, (name, int(seed)), part[columns])


def _scored(found: Entry, draw: Draw, columns: pd.DataFrame) -> str:
    if columns.isna().all(axis=None):  # other draws have scores
        return ""
    try:
        scores = columns.to_numpy(np.float64)
    except (TypeError, ValueError):
        return "scores must be numbers"
    if not np.isfinite(scores).all() or scores.min() < 0 or abs(scores.sum(1) - 1).max() > SUM:
        return "scores must not be negative, and must add up to 1 for each example"
    taken = scores[np.arange(len(scores)), found.labels[draw]]
    if wrong := np.count_nonzero(taken < scores.max(axis=1) - SUM):
        return f"in {wrong:,} examples the label is not the class with the greatest score"
    found.scores[draw] = scores
    return ""


def _is_whole(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "f":
        return bool(np.isfinite(values).all() and np.all(values == np.round(values)))
    return values.dtype.kind in "iu"


def _absent(frame: pd.DataFrame) -> list[str]:
    """Streams that were left out with a seed that others have."""
    given = set(zip(frame["stream"], frame["seed"], strict=True))
    seeds = sorted({seed for name, seed in given if name in STREAMS})
    absent = [f"{name}, seed {s}" for s in seeds for name in STREAMS if (name, s) not in given]
    if not absent:
        return []
    more = f" and {len(absent) - NAMED} more" if len(absent) > NAMED else ""
    return [f"not predicted: {'; '.join(absent[:NAMED])}{more}"]


def errors_of(labels: Mapping[Draw, NDArray[np.int64]]) -> dict[Draw, float]:
    """The error of the predicted `labels` on each draw."""
    return {key: float(np.mean(labels[key] != draw(*key).y)) for key in labels}
