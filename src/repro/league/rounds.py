"""A round of the league whose labels are withheld: nobody can predict what is published already.

The organiser draws a secret, of which the seeds of the draws are made, and publishes its hash. The
attributes of the streams come in blocks; the labels of a block are published when its predictions
have been handed in. At the end the secret is published too, so that anybody can draw the streams
again and compare: the labels were fixed before the first prediction.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from repro import _files, _locks
from repro._checks import as_folder, as_new_folder, check_count, check_flag, check_text
from repro._progress import progress
from repro._reading import reading
from repro.evaluation.prequential import prequential
from repro.league._withheld import (
    ABOUT,
    MOST,
    Round,
    as_hash,
    file_of,
    read_round,
    table_of,
    write_table,
)
from repro.league.entry import NAMED, read_card
from repro.league.made import checked_card, write_card
from repro.league.standings import standings_of
from repro.league.streams import STREAMS
from repro.streams.stream import Stream

__all__ = ["Taken", "next_block", "open_round", "predict_block"]

PUBLIC, ENTRIES, SECRET = "public", "entries", "secret.txt"
LEAST = 16  # characters of a secret


class Taken(NamedTuple):
    """What `next_block` did."""

    block: int  #: whose labels are published now
    entries: list[str]  #: the folders that handed it in
    left_out: dict[str, str]  #: why, by the folders that are out of the round
    is_over: bool  #: whether it was the last block


def open_round(
    folder: str | Path, name: str, *, blocks: int = 20, draws: int = 3, secret: str | None = None
) -> Path:
    """Begin a round: draw its secret, and publish its hash and the attributes of the first block.

    Parameters
    ----------
    folder : of the organiser, who publishes its folder ``public`` and shows nobody its file
        ``secret.txt``. What participants hand in goes to its ``entries/NAME``: a ``card.toml`` as
        in `read_entry`, and ``block-00.csv``, ``block-01.csv``, ... with the columns ``stream``,
        ``seed`` (0, 1, ... for the draws), ``example`` and ``label``.
    name : of the round, such as "2027.01".
    blocks : 2 to 100 parts of each stream. The labels of a part come after all its predictions.
    draws : of each stream, at most 100.
    secret : at least 16 characters; by default 256 random bits. Who guesses it knows all labels.

    Returns the folder ``public``. Raises FileExistsError if `folder` holds a round already, and
    TypeError or ValueError for other arguments.
    """
    _check_printable(name, 1, name="name")
    blocks = check_count(blocks, name="blocks", least=2, most=MOST)
    draws = check_count(draws, name="draws", most=MOST)
    key = secrets.token_hex(32) if secret is None else secret
    _check_printable(key, LEAST, name="secret")
    path = as_new_folder(folder, name="folder")
    about = Round(path / PUBLIC, name, as_hash(key), blocks, draws)
    with _locks.alone(_locks.lock_of(path / SECRET), lambda: None):
        if (about.public / ABOUT).exists():
            raise FileExistsError(f"folder must hold no round yet; got {path}")
        about.write_attributes(0, key)
        (path / ENTRIES).mkdir(exist_ok=True)
        with _files.replacing(path / SECRET) as temporary:
            temporary.touch(mode=0o600)
            temporary.write_text(key, encoding="utf-8")
        about.write()
    return about.public


def next_block(folder: str | Path, *, leave_out: bool = False) -> Taken:
    """Take the predictions of the current block, and publish its labels and the next attributes.

    The hash of each file that was handed in is published before the labels, in ``handed_in.csv``.
    After the last block the secret is published, and ``standings.csv`` has the errors.

    Parameters
    ----------
    folder : of `open_round`.
    leave_out : whether to go on without those whose files are missing or wrong: they are out of the
        round. By default nothing is published then.

    Returns what was done. Raises ValueError for files that are missing or wrong, if nobody would be
    left in the round, for a round that is over, and for a secret that is not that of the round.
    """
    path, leave_out = as_folder(folder, name="folder"), check_flag(leave_out, name="leave_out")
    with _locks.alone(_locks.lock_of(path / SECRET), lambda: None):
        about = read_round(path / PUBLIC)
        if about.secret:
            raise ValueError(f"folder must hold a round that is not over; got {path}")
        secret = _secret_of(path, about)
        if (block := about.n_labelled) < about.blocks:
            left_out = _take(about, path / ENTRIES, block, leave_out=leave_out)
            if block + 1 < about.blocks:
                about.write_attributes(block + 1, secret)
            about.write_labels(block, secret)  # last: they say which block is next
        else:  # a call was stopped after the last labels
            block, left_out = block - 1, {}
        if is_over := block + 1 == about.blocks:
            end = standings_of(about, path / ENTRIES, secret)
            about.write_standings(end.table)
            about._replace(secret=secret).write()
            left_out |= {name: "; ".join(map(str, found)) for name, found in end.refused.items()}
        return Taken(block, sorted(about.hashes(block)), left_out, is_over)


def predict_block(
    public: str | Path, learner: Any, folder: str | Path, card: Mapping[str, str]
) -> Path:
    """Predict the current block of a round with a learner in Python, and write what is handed in.

    The learner goes along all that is published: it predicts a block and then learns it.

    Parameters
    ----------
    public : the folder that the organiser publishes.
    learner : anything that `repro.prequential` takes; the number of a draw seeds it.
    folder : of the entry; its card and the file of the block are written.
    card : as in `write_entry`.

    Returns the path of the file. Raises ValueError for a round without a block to predict.
    """
    about, path = read_round(as_folder(public, name="public")), as_new_folder(folder, name="folder")
    given = {"learner": type(learner).__name__, **checked_card(card)}
    if (block := about.n_labelled) == about.blocks:
        raise ValueError(f"public must be of a round with a block to predict; got {public}")
    labels = [about.read_labels(done) for done in range(block)]
    y_pred = {}
    for key in progress(about.keys, desc=f"block {block}", unit="draw"):
        schema, n = STREAMS[key[0]].schema, len(about.examples(key[0], block))
        X = np.concatenate([about.read_attributes(key, done) for done in range(block + 1)])
        # The labels of the block are not known: any will do, as they are learned after its end.
        y = np.concatenate([*(each[key] for each in labels), np.zeros(n, np.int64)])
        known = Stream(X, y, nominal=schema.nominal, n_classes=schema.n_classes)
        run = prequential(learner, known, seed=key[1], batch=about.length(key[0]), proba=False)
        y_pred[key] = run.y_pred[-n:]
    write_card(path, given, about.name, about.streams)
    target = path / f"block-{block:02d}.csv"
    write_table(target, table_of(y_pred, about, block))
    return target


# --- parts


def _check_printable(text: str, least: int, *, name: str) -> None:
    stripped = check_text(text, name=name).strip()
    if stripped != text or not text.isprintable() or len(text) < least:
        rule = f"at least {least} printable characters without a blank at its ends"
        raise ValueError(f"{name} must have {rule}; got {len(text)}")


def _secret_of(folder: Path, about: Round) -> str:
    with reading(folder / SECRET, name="folder", what="that of the organiser"):
        secret = (folder / SECRET).read_text(encoding="utf-8").strip()
    if as_hash(secret) != about.streams:
        raise ValueError(f"{SECRET} must have the hash {about.streams}; got another secret")
    return secret


def _take(about: Round, entries: Path, block: int, *, leave_out: bool) -> dict[str, str]:
    """Publish the hashes of the files for a block; returns what is wrong with others."""
    names = sorted(path.name for path in entries.iterdir() if path.is_dir())
    names = names if block == 0 else sorted(about.hashes(block - 1))
    hashes, wrong = {}, {}
    for name in names:
        try:
            hashes[name] = _hash_of(about, entries / name, block)
        except (OSError, ValueError) as error:
            wrong[name] = str(error)
    if wrong and not leave_out:
        texts = "; ".join(f"{name}: {text}" for name, text in wrong.items())
        raise ValueError(f"entries must hand in a right file for block {block}; got {texts}")
    if not hashes:  # as before anybody has handed in, or when the same call is made twice
        raise ValueError(f"entries must include one with a right file for block {block}; got none")
    new = pd.DataFrame({"entry": [*hashes], "block": block, "sha256": [*hashes.values()]})
    known = about.handed_in()
    about.write_handed_in(pd.concat([known[known["block"] < block], new]))
    return wrong


def _hash_of(about: Round, folder: Path, block: int) -> str:
    """The hash of what an entry hands in for a block. Raises ValueError for what is wrong."""
    card, problems = read_card(folder)
    for field, own in (("round", about.name), ("streams", about.streams)):
        if not problems and card[field] != own:
            problems.append(f"its card has the {field} {card[field]!r}; this is {own!r}")
    path = file_of(folder, block)
    own_hash = as_hash(path.read_bytes())
    problems += about.read_block(block, [path])[1]
    if as_hash(path.read_bytes()) != own_hash:
        problems.append(f"{path.name} changed while it was read")
    if problems:
        more = f" and {len(problems) - NAMED} more" if len(problems) > NAMED else ""
        raise ValueError("; ".join(problems[:NAMED]) + more)
    return own_hash
