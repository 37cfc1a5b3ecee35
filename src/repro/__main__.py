"""The command line: ``python -m repro COMMAND``; it does without make all that make does.

``python -m repro COMMAND --help`` lists the arguments of a command.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TypeAlias

from repro import __version__, _folders
from repro._folders import python
from repro.judge import command as judge_command
from repro.league import command as league_command
from repro.league import round_command
from repro.runner import (
    console,
    data_commands,
    job,
    lab,
    make_commands,
    needs,
    paper,
    profiles,
    run,
    status,
)
from repro.runner import notebook as nb
from repro.runner.notebook import Notebook
from repro.runner.parameters import ParameterError

__all__ = ["main"]

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code.

    0; 1 for a failed notebook or outside a checkout; 2 for a wrong argument or parameters that
    are not the paper's; 130 after an interruption; 141 if the reader of the output has left, as
    in ``python -m repro status | head -1``.
    """
    try:
        try:
            return _main(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # discard the rest of the output: it would raise again at the exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _main(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options, others = parser.parse_known_args(arguments)
    if others and options.command is not _lab:
        parser.error(f"unrecognized arguments: {' '.join(others)}")
    options.others = others
    options.arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return int(options.command(options))
    except (ParameterError, status.VerdictError) as error:
        console.say(f"error: {error}", file=sys.stderr)
        return 2
    except (_folders.NoCheckout, lab.LabError, needs.Missing) as error:
        console.say(f"error: {error}", file=sys.stderr)
        return 1
    except nb.InvalidNotebook as error:
        console.say(f"FAILED {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        console.say("interrupted; notebooks that are not done keep their results", file=sys.stderr)
        return 130


def _run(options: argparse.Namespace) -> int:
    """Check every notebook first, then run them one by one, even if one fails."""
    if options.accept and (options.parameters or options.profile not in (None, "paper")):
        raise ParameterError("--accept goes without -p and --profile")
    profile = options.profile or ("quick" if options.parameters else "paper")
    jobs, n_failed = [], 0
    for name in options.notebooks:
        notebook = _find(name)
        values = profiles.from_text(notebook, options.parameters)
        jobs.append(job.prepare(notebook, profile, values))
    for each in jobs:
        if options.accept:
            _accept(each)
        job.check(each)
        if each.is_committed and lab.edited(each.root, each.notebook.path):
            how = f"{python()} -m repro adopt {each.name} brings them here"
            console.say(f"{each.name}: the copy in lab/ has edits ({how})")
    for each in [job.with_data(each) for each in jobs]:
        if options.parameters and not options.profile:
            how = "--profile paper takes the paper's values, and longer"
            console.say(f"{each.name}: other parameters as in the profile {profile} ({how})")
        try:
            run.perform(each, force=options.force, timeout=options.timeout)
        except run.RunFailed as failure:
            console.say(str(failure), file=sys.stderr)
            n_failed += 1
    return 1 if n_failed else 0


def _accept(accepted: job.Job) -> None:
    if not accepted.is_committed:
        where = accepted.show(accepted.notebook.path)
        raise ParameterError(f"--accept is for the notebooks of notebooks/; got {where}")
    for line in paper.accept(accepted.notebook, accepted.root):
        console.say(f"{accepted.name}: {line} ({paper.RECORD})")


def _lab(options: argparse.Namespace) -> int:
    """Replace this process by JupyterLab, which then gets the terminal's signals and answers."""
    root = _folders.need_checkout()
    command = lab.command(root, options.others)
    for line in lab.copy_all(root):
        console.say(line)
    for name in ("MPLBACKEND", "REPRO_OUTPUT"):  # kernels draw into the notebook and build/
        os.environ.pop(name, None)
    os.execv(command[0], command)


def _adopt(options: argparse.Namespace) -> int:
    root = _folders.need_checkout()
    for name in options.notebooks:
        console.say(lab.adopt(name, root))
    return 0


def _status(options: argparse.Namespace) -> int:
    rows = list(status.figure_states(options.profile))
    widths = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    for notebook, figure, state in rows:
        print(f"{notebook:{widths[0]}}  {figure:{widths[1]}}  {state}")
    return 0


def _verdicts(options: argparse.Namespace) -> int:
    make_commands.print_verdicts(options.profile, as_tables=options.tables)
    return 0


def _parameters(options: argparse.Namespace) -> int:
    parameters = _find(options.notebook).parameters.values()
    rows = [(f"{p.name}: {p.type} = {p.default!r}", p.comment) for p in parameters]
    width = max((len(row[0]) for row in rows), default=0)
    for line, comment in rows:
        print(f"{line:{width}}  # {comment}" if comment else line)
    return 0


def _find(name: str) -> Notebook:
    """Read the notebook `name`; a path needs no checkout."""
    path = Path(name)
    return nb.read(path.resolve()) if path.is_file() else job.find(name, _folders.need_checkout())


def _parser() -> argparse.ArgumentParser:
    parser = Parser("repro", description="Run the notebooks of the paper and see where it stands.")
    parser.add_argument("--version", action="version", version=f"repro {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_running(commands)
    _add_reporting(commands)
    _add_others(commands)
    return parser


def _add_running(commands: Commands) -> None:
    text = "run notebooks whose code, parameters, library or data changed"
    command = commands.add_parser("run", help=text, description=text)
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="a path, or a name")
    make_commands.add_profile(command, default=None)
    text = (
        "change one parameter (may be repeated); the others are then those of quick, unless you "
        "name a profile, and results go to build/custom"
    )
    command.add_argument(
        "-p", dest="parameters", nargs=2, action="append", default=[], help=text,
        metavar=("NAME", "VALUE"),
    )  # fmt: skip
    command.add_argument("--force", action="store_true", help="run even if nothing changed")
    text = f"make the values in the parameters cell the paper's ({paper.RECORD}), then run"
    command.add_argument("--accept", action="store_true", help=text)
    text = "stop a cell that takes longer"
    command.add_argument("--timeout", type=int, metavar="SECONDS", help=text)
    command.set_defaults(command=_run)
    make_commands.add(commands)


def _add_reporting(commands: Commands) -> None:
    text = "list each figure with its state: current, code changed, never run or failed"
    command = commands.add_parser("status", help=text, description=text)
    make_commands.add_profile(command)
    command.set_defaults(command=_status)

    text = "count the published numbers that agree and the claims that hold"
    command = commands.add_parser("verdicts", help=text, description=text)
    make_commands.add_profile(command)
    text = "as tables in Markdown, which the README has"
    command.add_argument("--tables", action="store_true", help=text)
    command.set_defaults(command=_verdicts)

    text = "list the parameters of a notebook: name, type, default, comment"
    command = commands.add_parser("parameters", help=text, description=text)
    command.add_argument("notebook", metavar="NOTEBOOK", help="a path, or a name")
    command.set_defaults(command=_parameters)


def _add_others(commands: Commands) -> None:
    text = "open copies of the notebooks in JupyterLab; more arguments go to it"
    command = commands.add_parser("lab", help=text, description=text, allow_abbrev=False)
    command.set_defaults(command=_lab)

    text = "bring the edits of copies in lab/ into notebooks/"
    command = commands.add_parser("adopt", help=text, description=text)
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="a copy, by name or path")
    command.set_defaults(command=_adopt)

    text = "judge your learner, drift detector or stream; the report is one file"
    command = commands.add_parser("judge", help=text, description=text)
    judge_command.add(command.add_subparsers(title="commands", required=True, metavar="COMMAND"))

    text = "enter the league of learners with a file of predictions"
    command = commands.add_parser("league", help=text, description=text)
    parts = command.add_subparsers(title="commands", required=True, metavar="COMMAND")
    league_command.add(parts)
    round_command.add(parts)

    text = "list, download or verify the real data sets"
    command = commands.add_parser("data", help=text, description=text)
    data_commands.add(command.add_subparsers(title="commands", required=True, metavar="COMMAND"))


if __name__ == "__main__":
    sys.exit(main())
