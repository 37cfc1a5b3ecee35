"""Give damaged files to everything that reads files of users, and look for raw errors.

Tables, logs of predictions, descriptions of streams, entries, tables and rounds of the league,
submissions and rosters of a class, notebooks and profiles are written, damaged in their bytes, and
read; commands get such a file and absurd arguments. The reader may give a result or a clear error:
of the kind that it documents, in words that name the file or the argument; of a command in one
line. A stored run may give what was stored, or nothing. Anything else is raw and shown.

    python tests/fuzz_files.py --calls 10000 --seed 1
    python tests/fuzz_files.py --calls 1000 --only league
    python tests/fuzz_files.py --calls 100000 --write docs/reliability.md
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import gzip
import io
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from page import written
from torturing.damages import altered
from tqdm import tqdm

from repro.__main__ import main as main_of_repro
from repro.learners import Majority

COUNTS = {"read": "results", "refused": "errors", "raw": "raw"}  # columns of the page
ERRORS = (ValueError, TypeError, FileNotFoundError)  # that readers document
RAW_WORDS = r"codec can't|Error tokenizing|Expecting value|line \d+ column|invalid literal|NoneType"


@dataclass(frozen=True)
class Reader:
    """What reads a file of a user: the file as it should be, and the call."""

    name: str
    content: dict[str, bytes]
    read: Callable[[Path], Any]


# --- files and their readers


def tables() -> dict[str, bytes]:
    """One table as a CSV file, packed, and as Parquet."""
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "t": pd.date_range("2026-01-01", periods=n, freq="h").astype(str),
            "x": rng.normal(size=n).round(3),
            "colour": rng.choice(["red", "grün", 'a "b", c'], n),
            "y": rng.integers(0, 2, n),
            "p": rng.integers(0, 2, n),
            "score": rng.random(n).round(3),
        }
    )
    frame.loc[::9, "x"] = np.nan
    text = frame.to_csv(index=False).encode()
    return {"a.csv": text, "a.csv.gz": gzip.compress(text, mtime=0), "a.parquet": packed(frame)}


def packed(frame: pd.DataFrame) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.parquet"
        frame.to_parquet(path)
        return path.read_bytes()


def entry() -> dict[str, bytes]:
    """A short entry of the league, which lacks most examples, in three files."""
    from repro.league.entry import FIELDS

    card = "".join(f'{name} = "{name}"\n' for name in FIELDS).encode()
    rows = {"stream": "NSGT", "seed": 0, "example": range(50), "label": 0, "score_0": 1.0}
    frame = pd.DataFrame(rows | {"score_1": 0.0})
    text = frame.to_csv(index=False).encode()
    later = frame.assign(seed=1).to_csv(index=False).encode()
    content = {"card.toml": card, "a.csv": text, "b.csv.gz": gzip.compress(later, mtime=0)}
    return content | {"c.parquet": packed(frame.assign(seed=2, stream="SEA"))}


def submission() -> dict[str, bytes]:
    """A sheet, with the solutions."""
    from repro import course

    sheet = next(iter(course.sheets().values()))
    return {"ann.ipynb": json.dumps(json.loads(sheet.path.read_text(encoding="utf-8"))).encode()}


def ended_round() -> dict[str, bytes]:
    """What is public of a round of the league that is over, and what an entry has handed in."""
    from repro import league

    with tempfile.TemporaryDirectory() as place:
        public = league.open_round(place, "test", blocks=2, draws=1)
        for _ in range(2):
            card = {"by": "a test", "library": "none"}
            league.predict_block(public, Majority(), Path(place, "entries", "one"), card)
            league.next_block(place)
        return {path.name: path.read_bytes() for path in public.iterdir() if path.is_file()}


STORED = {"n": 3, "text": "a", "nan": float("nan"), "array": np.arange(6.0).reshape(2, 3)}


def stored_run() -> dict[str, bytes]:
    """A stored result."""
    from repro.studies.store import Store

    with tempfile.TemporaryDirectory() as place:
        store = Store(place)
        store.save("ab12", STORED)
        return {"ab12.run": store.path("ab12").read_bytes()}


def settings() -> dict[str, dict[str, bytes]]:
    """Short text files, by what they are."""
    from repro import streams
    from repro.league.table import ENTRY_COLUMNS

    rows = [["mine", "SEA", 0, 100, 0.25], ["mine", "SEA", 1, 100, 0.5]]
    entries = pd.DataFrame(rows, columns=["learner", "stream", "seed", "n", "error"])
    entries = entries.reindex(columns=ENTRY_COLUMNS, fill_value="x")
    roster = "name,id\nAnn,007\nBo,8\n"
    profile = "[01_toy]\nn = 3\nnames = ['a', 'b']\n"
    return {
        "mixture": {"a.toml": streams.write_mixture(streams.TESTBED["NSGT"]).encode()},
        "standings": {"a.csv": entries.to_csv(index=False).encode()},
        "roster": {"a.csv": roster.encode()},
        "profile": {"a.toml": profile.encode()},
        "notebook": {"01_toy.ipynb": notebook()},
    }


def notebook() -> bytes:
    """A notebook with parameters."""
    cells = [
        {"cell_type": "code", "source": "n: int = 3\nnames: list[str] = ['a']", "outputs": []},
        {"cell_type": "code", "source": ["print(n)\n", "n"], "outputs": [], "id": "a"},
        {"cell_type": "markdown", "source": "# Title", "metadata": {}},
    ]
    cells[0]["metadata"] = {"tags": ["parameters"]}
    content = {"cells": cells, "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4}
    return json.dumps(content).encode()


@cache
def readers() -> list[Reader]:
    """All readers of users' files; it takes seconds to write these."""
    from repro import course, interop, streams
    from repro.course._cells import read_notebook
    from repro.course._restore import restored
    from repro.course._roster import Roster
    from repro.league import _withheld
    from repro.league.entry import read_entry
    from repro.league.table import read_entries
    from repro.runner import notebook as nb
    from repro.runner import profiles
    from repro.studies.store import Store

    sheets = course.sheets()
    blank = {name: read_notebook(sheet.path) for name, sheet in sheets.items()}

    def read_table(folder: Path) -> Any:
        (path,) = folder.iterdir()
        return streams.read_csv(path, "y", time="t")

    def read_log(folder: Path) -> Any:
        (path,) = folder.iterdir()
        return interop.read_predictions(path, label="y", predicted="p", score="score", time="t")

    def read_sheet(folder: Path) -> Any:
        found = course.find_submissions(folder, sheets)
        for one in found:
            if one.sheet and one.path is not None:
                restored(read_notebook(one.path), blank[one.sheet])
        return found

    def call(folder: Path) -> Any:
        (path,) = folder.iterdir()
        return command(path, random.Random(path.read_bytes()))

    def only_file(read: Callable[[Path], Any]) -> Callable[[Path], Any]:
        return lambda folder: read(next(iter(folder.iterdir())))

    def read_profile(folder: Path) -> Any:
        for name, file in {"profiles": "a.toml", "notebooks": "01_toy.ipynb"}.items():
            (folder / name).mkdir()
            (folder / name / file).write_bytes(b"")
        shutil.copy(folder / "a.toml", folder / "profiles")
        return profiles.read_profile(folder, "a")

    def read_notebook_file(path: Path) -> Any:
        found = nb.read(path)
        return found.provenance, found.defaults, [nb.source(cell) for cell in found.code]

    def read_public(folder: Path) -> Any:
        about = _withheld.read_round(folder)
        return about.hashes(0), about.read_labels(0), about.read_standings()

    def load(folder: Path) -> Any:
        store = Store(folder / "cache")
        store.path("ab12").parent.mkdir(parents=True)
        shutil.copy(folder / "ab12.run", store.path("ab12"))
        with contextlib.redirect_stderr(io.StringIO()):
            found = store.load("ab12", [*STORED])
        if found is None:
            raise ValueError("ab12.run is damaged")
        np.testing.assert_equal(found, STORED)  # an AssertionError is raw
        return found

    calls = {
        "mixture": only_file(streams.read_mixture),
        "standings": only_file(read_entries),
        "roster": only_file(lambda path: Roster(path, {"007", "8", "9"}).table),
        "profile": read_profile,
        "notebook": only_file(read_notebook_file),
    }
    made = [Reader("command", {"a.csv": tables()["a.csv"]}, call)]
    made += [Reader("table", {name: text}, read_table) for name, text in tables().items()]
    made += [Reader("log", {name: text}, read_log) for name, text in tables().items()]
    made.append(Reader("league", entry(), read_entry))
    made.append(Reader("submission", submission(), read_sheet))
    made.append(Reader("round", ended_round(), read_public))
    made.append(Reader("stored run", stored_run(), load))
    made += [Reader(name, content, calls[name]) for name, content in settings().items()]
    return made


WORDS = [
    "",
    "-1",
    "0",
    "nan",
    "x",
    "é",
    "--",
    "-h",
    "1e9",
    "a.csv",
    "y",
    "p",
    "y,p",
    ".",
    "a b",
]
OPTIONS = {
    "judge predictions": ["label", "predicted", "time", "score", "model", "groups", "positive"],
    "judge stream": ["label", "time", "seeds", "jobs"],
    "judge detector": ["parameter", "values", "arl0", "seeds"],
    "league check": ["among"],
    "league run": ["out", "by", "library", "seeds"],
    "parameters": ["profile"],
    "verdicts": ["profile"],
    "data verify": ["sets"],
    "grade": ["roster", "jobs"],
}


def command(path: Path, rng: random.Random) -> str:
    """Call one command in the file's folder, with options at random; what it printed.

    Raises ValueError for an error in one line, RuntimeError for one in several.
    """
    name = rng.choice(sorted(OPTIONS))
    arguments = [*name.split(), rng.choice([str(path), str(path), *WORDS])]
    if name == "judge predictions" and rng.random() < 0.7:
        arguments = [*name.split(), str(path), "--label", "y", "--predicted", "p"]
    for option in OPTIONS[name]:
        if rng.random() < 0.3:
            arguments += [f"--{option}", rng.choice(["x", "t", "score", "colour", *WORDS])]
    if name.startswith("judge"):
        arguments += ["--report", str(path.with_suffix(".html"))]
    if name in ("judge stream", "judge detector"):
        arguments.append("--quick")
    out, err = io.StringIO(), io.StringIO()
    here = contextlib.chdir(path.parent)  # a folder of the user's is searched to its depth
    with here, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main_of_repro(arguments)
        except SystemExit as error:
            code = error.code
    said = err.getvalue().splitlines()
    lines = [line for line in said[:-1] if not line.startswith("repro: ")] + said[-1:]
    if code == 1 and not said and out.getvalue():  # a verdict, such as "refused"
        return out.getvalue()
    if code not in (0, 1, 2) or (code and len(lines) != 1):
        raise RuntimeError(f"{arguments} ends with {code}: {' / '.join(lines)[-200:]}")
    if code:
        raise ValueError(f"a.csv: {lines[0]}")
    return out.getvalue()


# --- damage


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Bytes, lines or values put elsewhere; packed files also in what they hold."""
    if content[:2] == b"\x1f\x8b" and rng.random() < 0.7:
        return gzip.compress(damaged(gzip.decompress(content), rng), mtime=0)
    if content[:1] == b"{" and rng.random() < 0.8:
        return json.dumps(other_json(json.loads(content), rng)).encode()
    how = rng.randrange(5)
    if how < 2:
        return altered(content, rng)
    if how == 2:
        lines = content.split(b"\n")
        i, j = (rng.randrange(len(lines)) for _ in range(2))
        lines[i] = rng.choice([lines[j], b"", lines[i] + b"," + lines[j], b'"' + lines[i]])
        return b"\n".join(lines)
    values = re.split(rb"([,\n=])", content)
    for _ in range(rng.randint(1, 5)):
        values[rng.randrange(len(values))] = rng.choice(VALUES)
    return b"".join(values)


VALUES = [
    b"",
    b"nan",
    b"inf",
    b"-1",
    b"1e400",
    b"9" * 30,
    b"2026-13-45",
    b"\x00",
    b"\xff\xfe",
    b"''",
]
VALUES += [b"x" * 5000, "é".encode(), b"True", b"0x1F", b"1_000", b"\r", b"[]", b"NSGT", b"label"]
THINGS: list[Any] = [None, 0, -1, 1e308, "", "x", [], {}, [[]], {"a": 1}, True, "\ud800", [None]]


def other_json(thing: Any, rng: random.Random) -> Any:
    """The same JSON with one part replaced, lost or doubled."""
    thing = copy.deepcopy(thing)
    place = thing
    for _ in range(rng.randint(0, 6)):
        inside = list(place.values()) if isinstance(place, dict) else place
        deeper = [each for each in inside if isinstance(each, dict | list) and each]
        if not deeper:
            break
        place = rng.choice(deeper)
    key = rng.choice(list(place)) if isinstance(place, dict) else rng.randrange(len(place))
    how = rng.randrange(3)
    if how == 0:
        del place[key]
    elif how == 1 and isinstance(place, list):
        place.insert(rng.randrange(len(place) + 1), place[key])
    else:
        place[key] = rng.choice(THINGS)
    return thing


# --- the whole


def raw(error: BaseException, folder: Path) -> str:
    """Why the error is not clear; "" if it is."""
    text = str(error)
    if type(error) not in ERRORS and not type(error).__module__.startswith("repro."):
        return f"{type(error).__module__}.{type(error).__name__} is raised"
    if not text.strip():
        return "there is no message"
    if re.search(RAW_WORDS, text) and not any(path.name in text for path in folder.iterdir()):
        return "the message is of another library, and names no file"
    return ""


Seen = dict[str, Counter[str]]


def fuzzed(calls: int, seed: int, only: str = "", quiet: bool = False) -> tuple[Seen, dict]:
    """So many readings; by reader, how many gave a result or an error; and each kind of raw one."""
    rng, found = random.Random(seed), {}
    known = [reader for reader in readers() if re.search(only, reader.name)]
    seen: Seen = {reader.name: Counter() for reader in known}
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-files-", ignore_cleanup_errors=True) as place,
        contextlib.suppress(KeyboardInterrupt),  # what was counted until then is shown
    ):
        for i in tqdm(range(calls), unit=" files", disable=quiet):
            reader, folder = known[i % len(known)], Path(place, "files")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            wrong = rng.choice(sorted(reader.content))
            for name, content in reader.content.items():
                (folder / name).write_bytes(damaged(content, rng) if name == wrong else content)
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                try:
                    reader.read(folder)
                    seen[reader.name]["results"] += 1
                    continue
                except Exception as error:
                    why, last = raw(error, folder), traceback.extract_tb(error.__traceback__)[-1]
                    said = f"{type(error).__name__}: {str(error)[:300]}"
            seen[reader.name]["raw" if why else "errors"] += 1
            where = f"{Path(last.filename).name}:{last.lineno}"
            if why and (reader.name, why, where) not in found:
                found[reader.name, why, where] = f"{wrong}, {said}"
    return seen, found


def main() -> int:
    """Read damaged files, show what was raw, and return 1 if anything was."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--calls", type=int, default=10_000, help="how many (default: 10000)")
    parser.add_argument("--seed", type=int, default=0, help="decides all damage")
    parser.add_argument("--only", default="", help="a regular expression on the names of readers")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the counts into a page")
    parser.add_argument("--add", action="store_true", help="add to the counts in that page")
    options = parser.parse_args()
    if options.add and not options.write:
        parser.error("--add must go with --write, the page that has the counts")
    os.environ.setdefault("REPRO_PROGRESS", "0")
    # A shell lets what it starts in the background ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seen, found = fuzzed(options.calls, options.seed, options.only)
    for (name, why, where), said in found.items():
        print(f"{name}: {why} ({where})\n    {said}")
    rows = [
        {"what": name, "files": counts.total()} | {k: counts[v] for k, v in COUNTS.items()}
        for name, counts in seen.items()
    ]
    table = pd.DataFrame(rows)
    print(table.to_string(index=False))
    if options.write:
        written(options.write, {"files": table}, add=options.add)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
