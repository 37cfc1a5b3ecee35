"""Entries made here: a learner in Python is run, and its predictions are written."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import _files
from repro._checks import (
    as_labels,
    as_new_folder,
    as_seeds,
    check_mapping,
    check_text,
    is_whole,
    shown,
)
from repro.evaluation.sweep import sweep
from repro.league.entry import CARD, FIELDS, Entry
from repro.league.streams import ROUND, SEEDS, STREAMS, digest_of

__all__ = ["PREDICTIONS", "checked_card", "predictions_of", "rerun", "write_card", "write_entry"]
__all__ += ["write_predictions"]

PREDICTIONS = "predictions.csv.gz"


def predictions_of(
    learner: Any, seeds: int | Iterable[int] = SEEDS, *, jobs: int = 1
) -> dict[tuple[str, int], NDArray[np.int64]]:
    """Run `learner` test-then-train on all streams; its predicted labels by stream and seed.

    Raises RuntimeError with its message if a run fails.
    """
    how: dict[str, Any] = {"jobs": jobs, "measures": {}}
    how["label_measures"] = {"labels": lambda y, y_pred: y_pred}
    table = sweep({"learner": learner}, STREAMS, as_seeds(seeds), **how)
    if len(failed := table[table["failure"] != ""]):
        first = failed.iloc[0]
        raise RuntimeError(f"{first['stream']}, seed {first['seed']}: {first['failure']}")
    rows = zip(table["stream"], table["seed"], table["labels"], strict=True)
    return {(name, seed): labels for name, seed, labels in rows}


def write_entry(
    folder: str | Path,
    learner: Any,
    card: Mapping[str, str],
    seeds: int | Iterable[int] = SEEDS,
    *,
    jobs: int = 1,
) -> Path:
    """Run `learner` on all streams, and write its entry into `folder`.

    Parameters
    ----------
    folder : of the entry; a file of the same name is replaced.
    learner : anything that `repro.prequential` takes.
    card : texts for the card, by the names of `FIELDS`. ``learner``, ``hardware``, ``round`` and
        ``streams`` are filled in, the first two if they are not given.
    seeds, jobs : as in `repro.sweep`.

    Returns the folder. Raises TypeError and ValueError for a card with other fields or other things
    than texts, and RuntimeError if a run fails; then nothing is written.
    """
    given = {"learner": type(learner).__name__, **checked_card(card)}
    as_new_folder(folder, name="folder")
    return write_predictions(folder, predictions_of(learner, seeds, jobs=jobs), given)


def write_predictions(
    folder: str | Path, labels: Mapping[tuple[str, int], NDArray[np.int64]], card: Mapping[str, str]
) -> Path:
    """Write the entry of the predicted `labels`, by stream and seed, into `folder`.

    `card` is as in `write_entry`, with a ``learner``. Returns the folder. Raises TypeError and
    ValueError as `write_entry` does.
    """
    path, given = as_new_folder(folder, name="folder"), checked_card(card)
    about = ROUND, digest_of(_seeds_of(labels))
    frames = [
        pd.DataFrame({"stream": name, "seed": seed, "example": range(len(y)), "label": y})
        for (name, seed), y in labels.items()
    ]
    with _files.replacing(path / PREDICTIONS) as temporary:
        how: dict[str, Any] = {"compression": {"method": "gzip", "mtime": 0}}
        pd.concat(frames).to_csv(temporary, index=False, lineterminator="\n", **how)
    write_card(path, given, *about)
    return path


def write_card(folder: Path, given: Mapping[str, str], name: str, streams: str) -> None:
    """Write the card of an entry for the round `name`, with the texts that are `given`."""
    filled = {"learner": "", "by": "", "library": "", "parameters": "", "code": "not public"}
    filled |= {"hardware": f"{platform.machine()}, {platform.system()}"}
    filled |= {**given, "round": name, "streams": streams}
    lines = (f"{field} = {json.dumps(filled[field], ensure_ascii=False)}" for field in FIELDS)
    _files.write(folder / CARD, "\n".join([*lines, ""]).encode())


def _seeds_of(labels: Mapping[tuple[str, int], Any]) -> list[int]:
    rule = "pairs of a stream's name and a seed >= 0 to predicted labels"
    for key, y in check_mapping(labels, name="labels", rule=rule).items():
        is_pair = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], str)
        if not is_pair or not is_whole(key[1]) or key[1] < 0:
            raise ValueError(f"labels must map {rule}; got the key {shown(key)}")
        as_labels(y, name="labels")
    if not labels:
        raise ValueError(f"labels must map {rule}; got none")
    return sorted({int(seed) for _, seed in labels})


def checked_card(card: Mapping[str, str]) -> Mapping[str, str]:
    """Return `card` if it has fields of `FIELDS` and texts only."""
    for name, text in check_mapping(card, name="card", rule="fields to texts").items():
        if name not in FIELDS:
            raise ValueError(f"card must have the fields {', '.join(FIELDS)}; got {name!r}")
        check_text(text, name=name)
    return card


def rerun(given: Entry, learner: Any, *, jobs: int = 1) -> float:
    """Share of the predictions of an entry that `learner` makes again."""
    again = predictions_of(learner, given.seeds, jobs=jobs)
    equal = [given.labels[key] == again[key] for key in given.labels]
    return float(np.mean(np.concatenate(equal))) if equal else 0.0
