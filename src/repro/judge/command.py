"""The commands ``python -m repro judge learner | detector | stream | predictions``."""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from repro.judge import targets as targets_of
from repro.judge._report.options import add_outputs, add_runs, as_numbers, as_words

if TYPE_CHECKING:
    from repro.judge.report import Report

__all__ = ["add"]

WRONG_ARGUMENT = (TypeError, ValueError, FileNotFoundError, IsADirectoryError, NotADirectoryError)
LEARNER = "streams", "seeds", "margin", "delay", "label_share", "jobs", "quick", "keys"
WIDTH = 100  # of the summary, on a wide terminal
TARGET = "module:Name of a class, an object or a mapping of them; modules of this folder count"


class Question(NamedTuple):
    """A call of one of the functions, and the code that means the same."""

    ask: Callable[[], Report]
    call: str


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands to the sub-commands of a parser."""
    text = "judge a learner on streams whose optimum is known, beside the papers' learners"
    command = commands.add_parser("learner", help=text, description=text)
    command.add_argument("targets", nargs="+", metavar="MODULE:NAME", help=TARGET)
    text = "streams of the testbed (default: all nine) or data sets, as in NSGT,elec2"
    command.add_argument("--streams", type=as_words, metavar="NAMES", help=text)
    text = "other learners to compare with: MODULE:NAME, or the papers' names, as in NB,DWM"
    command.add_argument("--references", type=as_words, metavar="NAMES", help=text)
    text = "points of error within which two learners are practically equal (default: 0.5)"
    command.add_argument("--margin", type=float, metavar="POINTS", help=text)
    text = "examples after which a label arrives (default: 0)"
    command.add_argument("--delay", type=int, metavar="N", help=text)
    text = "share of the examples whose label arrives at all (default: 1)"
    command.add_argument("--label-share", type=float, metavar="SHARE", help=text)
    add_runs(command)
    add_outputs(command, "learner")
    command.set_defaults(command=_learner)

    text = "judge a drift detector: delay, misses and false alarms, at equal false-alarm rates"
    command = commands.add_parser("detector", help=text, description=text)
    command.add_argument("targets", nargs="+", metavar="MODULE:NAME", help=TARGET)
    text = "the parameter whose values trade false alarms for delay"
    command.add_argument("--parameter", metavar="NAME", help=text)
    command.add_argument(
        "--values", type=as_numbers, metavar="NUMBERS", help="as in 0.1,0.01,0.001"
    )
    text = "compare at one false alarm in so many examples (needs --parameter)"
    command.add_argument("--arl0", type=float, metavar="N", help=text)
    add_runs(command)
    add_outputs(command, "detector")
    command.set_defaults(command=_detector)
    _add_files(commands)


def _add_files(commands: argparse._SubParsersAction[Any]) -> None:
    """The commands that take a file."""
    text = "judge your stream: do learners gain on it, does it drift, which learner suits it"
    command = commands.add_parser("stream", help=text, description=text)
    command.add_argument("source", type=_file, metavar="FILE", help="a CSV or Parquet file")
    command.add_argument("--label", required=True, metavar="COLUMN", help="column of the labels")
    command.add_argument("--time", metavar="COLUMN", help="column of the time, for the order")
    text = "columns of names, not of quantities, as in colour,zone"
    command.add_argument("--nominal", type=as_words, metavar="COLUMNS", help=text)
    text = "missing values: last, own, drop ... (see repro.streams.read_csv)"
    command.add_argument("--missing", metavar="WHAT", help=text)
    add_runs(command, seeds=False)
    add_outputs(command, "stream")
    command.set_defaults(command=_stream)

    text = "judge a log of predictions, of any model: error, classes, calibration, changes, groups"
    command = commands.add_parser("predictions", help=text, description=text)
    command.add_argument("source", type=_file, metavar="FILE", help="a CSV or Parquet file")
    command.add_argument("--label", required=True, metavar="COLUMN", help="column of the labels")
    text = "column of the predictions, or one column per model, as in old,new"
    command.add_argument("--predicted", required=True, type=as_words, metavar="COLUMNS", help=text)
    command.add_argument("--time", metavar="COLUMN", help="column of the time, for the order")
    text = "column of the times at which the labels came (needs --time)"
    command.add_argument("--label-time", metavar="COLUMN", help=text)
    text = "column of the score for each column of predictions"
    command.add_argument("--score", type=as_words, metavar="COLUMNS", help=text)
    text = "column that names the model, for files with a row per model and example"
    command.add_argument("--model", metavar="COLUMN", help=text)
    text = "columns that divide the rows into groups, as in region,product"
    command.add_argument("--groups", type=as_words, metavar="COLUMNS", help=text)
    command.add_argument("--positive", metavar="CLASS", help="the class that scores are of")
    command.add_argument("--separator", metavar="CHARACTER", help="between fields (default: ,)")
    add_outputs(command, "predictions")
    command.set_defaults(command=_predictions)


def _learner(options: argparse.Namespace) -> int:
    return _models(options, "learner", *LEARNER)


def _detector(options: argparse.Namespace) -> int:
    names = "parameter", "values", "arl0", "seeds", "jobs", "quick", "keys"
    return _models(options, "detector", *names)


def _models(options: argparse.Namespace, kind: str, *names: str) -> int:
    """Judge the models of a `kind`; one alone is called after its class."""

    def prepare() -> Question:
        ask = getattr(importlib.import_module(f"repro.judge.of_{kind}"), kind)
        targets = [targets_of.find(text) for text in options.targets]
        models, code = targets[0].value, targets[0].code
        if len(targets) > 1:
            models, code = targets_of.together(targets)
        arguments = _given(options, *names)
        codes = [code, *(f"{name}={value!r}" for name, value in arguments.items())]
        if getattr(options, "references", None):
            others = list(map(_reference, options.references))
            arguments["references"], code = targets_of.together(others)
            codes.append(f"references={code}")
            targets += others
        return Question(lambda: ask(models, **arguments), _call(targets, kind, codes))

    return _perform(options, prepare)


def _file(text: str) -> str:
    """The path of a file, checked before anything else is asked for."""
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text!r} in {Path.cwd()}")
    return text


def _stream(options: argparse.Namespace) -> int:
    def prepare() -> Question:
        from repro.judge.of_stream import stream

        arguments = _given(options, "label", "time", "nominal", "missing", "jobs", "quick")
        codes = [repr(options.source), *(f"{name}={value!r}" for name, value in arguments.items())]
        return Question(lambda: stream(options.source, **arguments), _call([], "stream", codes))

    return _perform(options, prepare)


def _predictions(options: argparse.Namespace) -> int:
    def prepare() -> Question:
        from repro.judge.of_predictions import predictions

        names = ["label", "predicted", "time", "label_time", "score", "model", "groups"]
        arguments = _given(options, *names, "positive", "separator")
        codes = [repr(options.source), *(f"{name}={value!r}" for name, value in arguments.items())]
        ask = lambda: predictions(options.source, **arguments)  # noqa: E731
        return Question(ask, _call([], "predictions", codes))

    return _perform(options, prepare)


def _given(options: argparse.Namespace, *names: str) -> dict[str, Any]:
    """The options that were given; the others keep the defaults of the function."""
    return {name: value for name in names if (value := getattr(options, name))}


def _reference(name: str) -> targets_of.Target:
    """A learner to compare with: yours, or by its name in the testbed's paper."""
    if ":" in name:
        return targets_of.find(name)
    from repro.papers.testbed import LEARNERS

    if name not in LEARNERS:
        rule = f"--references must name learners MODULE:NAME or of {', '.join(LEARNERS)}"
        raise targets_of.UnknownTarget(f"{rule}; got {name!r}")
    code = f"papers.testbed.LEARNERS[{name!r}]"
    return targets_of.Target(name, LEARNERS[name], code, "from repro import papers")


def _call(targets: list[targets_of.Target], kind: str, codes: list[str]) -> str:
    """The code of the call, after that of the `targets`; your modules come first."""
    loaded = {target.load for target in targets} | {"from repro import judge"}
    lines = sorted(loaded, key=lambda line: (line.startswith("from"), line))
    return "\n".join(lines) + f"\n\njudge.{kind}({', '.join(codes)})"


def _perform(options: argparse.Namespace, prepare: Callable[[], Question]) -> int:
    """Ask, and write the report; the exit code.

    Paths and names are checked before the first run: a long run that nobody can save is lost.
    """
    try:
        _check_outputs(options)
        question = prepare()
        report = question.ask()
        command = shlex.join(["python", "-m", "repro", *options.arguments])
        report = dataclasses.replace(report, call=question.call, command=command)
        paths = _written(report, options)
    except KeyboardInterrupt:
        return _fail("interrupted; finished runs are kept: the same command continues", 130)
    except WRONG_ARGUMENT as error:
        return _fail(f"error: {error}", 2)
    except Exception as error:
        is_ours = isinstance(error, targets_of.BrokenModule)
        kind = "" if is_ours or not str(error) else f"{type(error).__name__}: "
        return _fail(f"error: {kind}{str(error) or type(error).__name__}", 1)
    width = min(WIDTH, shutil.get_terminal_size().columns)
    print(textwrap.fill(str(report), width))
    print("\n".join(f"wrote {path}" for path in paths))
    return 0


def _check_outputs(options: argparse.Namespace) -> None:
    from repro._checks import as_new_folder
    from repro.judge._report.paths import as_file

    as_file(options.report, ".html", ".htm")
    if options.csv is not None:
        as_new_folder(options.csv, name="folder")
    if options.latex is not None:
        as_file(options.latex, ".tex")
    if options.notebook is not None:
        as_file(options.notebook, ".ipynb")


def _written(report: Report, options: argparse.Namespace) -> list[Path]:
    from repro import _files

    paths = [report.to_html(options.report)]
    if options.csv is not None:
        paths += report.to_csv(options.csv)
    if options.latex is not None:
        _files.write(Path(options.latex), report.to_latex().encode())
        paths.append(Path(options.latex))
    if options.notebook is not None:
        paths.append(report.to_notebook(options.notebook))
    return paths


def _fail(text: str, code: int) -> int:
    """Print `text` as one line."""
    print(" ".join(text.split()), file=sys.stderr)
    return code
