"""The commands ``python -m repro league streams | run | check | add | round``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from repro.judge import targets

__all__ = ["add", "add_model", "card_of", "model_of", "tried"]

WRONG = (TypeError, ValueError, RuntimeError, OSError)
SEEDS = "number of draws of each stream (default: 5)"


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands to the sub-commands of a parser."""
    text = "write the streams of the league as CSV files, for a learner of any language"
    command = commands.add_parser("streams", help=text, description=text)
    command.add_argument("--out", required=True, metavar="FOLDER", help="where they are written")
    command.add_argument("--seeds", type=int, default=5, metavar="N", help=SEEDS)
    command.set_defaults(command=_streams)

    _add_run(commands)
    text = "say what is wrong with an entry"
    command = commands.add_parser("check", help=text, description=text)
    _add_entry(command)
    command.set_defaults(command=_check)

    text = "check an entry, and put it into a table"
    command = commands.add_parser("add", help=text, description=text)
    _add_entry(command)
    command.add_argument("--table", default="entries.csv", metavar="FILE", help="a CSV file")
    text = "MODULE:NAME of its model, which is run again and must predict the same"
    command.add_argument("--rerun", metavar="MODULE:NAME", help=text)
    command.add_argument("--jobs", "-j", type=int, default=2, metavar="N", help="runs at once")
    command.set_defaults(command=_add)


def _add_run(commands: argparse._SubParsersAction[Any]) -> None:
    text = "run a learner in Python on the streams, and write its entry"
    command = commands.add_parser("run", help=text, description=text)
    add_model(command)
    command.add_argument("--seeds", type=int, default=5, metavar="N", help=SEEDS)
    command.add_argument("--jobs", "-j", type=int, default=2, metavar="N", help="runs at once")
    command.set_defaults(command=_run)


def add_model(command: argparse.ArgumentParser) -> None:
    """Add the arguments that name a model, and say what its card does."""
    what = "module:Name of a class or an object; modules of this folder count"
    command.add_argument("target", metavar="MODULE:NAME", help=what)
    command.add_argument("--out", required=True, metavar="FOLDER", help="of the entry")
    command.add_argument("--by", required=True, metavar="WHO", help="who makes the entry")
    text = "name and version of the library"
    command.add_argument("--library", required=True, metavar="NAME", help=text)
    command.add_argument("--parameters", default="", metavar="TEXT", help="what is not a default")
    command.add_argument("--code", default="not public", metavar="URL", help="where the code is")


def _add_entry(command: argparse.ArgumentParser) -> None:
    command.add_argument("entry", metavar="FOLDER", help="with card.toml and predictions")
    text = "folder of other entries, to find copies (default: the one around FOLDER)"
    command.add_argument("--among", metavar="FOLDER", help=text)


def _streams(options: argparse.Namespace) -> int:
    from repro.league.streams import write_streams

    paths = tried(lambda: write_streams(options.out, options.seeds))
    if paths is None:
        return 2
    print(f"{len(paths) - 1} streams and {paths[-1].name} in {options.out}")
    return 0


def _run(options: argparse.Namespace) -> int:
    from repro.league.made import write_entry

    def made() -> Path:
        target = targets.find(options.target)
        card = card_of(options, target)
        return write_entry(options.out, model_of(target), card, options.seeds, jobs=options.jobs)

    folder = tried(made)
    if folder is None:
        return 2
    print(f"{folder}: card.toml and the predictions; league check {folder} says what is wrong")
    return 0


def _check(options: argparse.Namespace) -> int:
    from repro.league.check import REFUSED, check_entry, verdict_of

    findings = tried(lambda: check_entry(options.entry, options.among))
    if findings is None:
        return 2
    for finding in findings:
        print(finding)
    verdict = verdict_of(findings)
    print(f"{options.entry}: {verdict}")
    return 1 if verdict == REFUSED else 0


def _add(options: argparse.Namespace) -> int:
    from repro.league.table import Refused, add_entry

    def added() -> Any:
        learner = model_of(targets.find(options.rerun)) if options.rerun else None
        how = {"among": options.among, "learner": learner, "jobs": options.jobs}
        return add_entry(options.entry, options.table, **how)

    try:
        rows = added()
    except Refused as refused:
        print(f"refused: {refused}", file=sys.stderr)
        return 1
    except WRONG as error:
        print(f"repro league: {error}", file=sys.stderr)
        return 2
    first = rows.iloc[0]
    mean = 100 * rows["error"].mean()
    print(f"{first['learner']}: {len(rows)} draws, mean error {mean:.2f} %, {first['origin']}")
    if first["flags"]:
        print(f"flagged: {first['flags']}")
    return 0


def card_of(options: argparse.Namespace, target: targets.Target) -> dict[str, str]:
    """The card that the arguments of `add_model` give."""
    names = "by", "library", "parameters", "code"
    return {"learner": target.name} | {name: getattr(options, name) for name in names}


def model_of(target: targets.Target) -> Any:
    """The model that was named; of a class, one with its defaults."""
    return target.value() if isinstance(target.value, type) else target.value


def tried(work: Any) -> Any:
    """What `work` returns; None, with a line on stderr, if it raises."""
    try:
        return work()
    except WRONG as error:
        print(f"repro league: {error}", file=sys.stderr)
        return None
