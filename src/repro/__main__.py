"""The command line: ``python -m repro run | status | verdicts | parameters``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from repro import _folders, _notebook, parameters, run, status

__all__ = ["main"]


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code: 0, 1 for a failed notebook, 2 for a wrong argument."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except (parameters.ParameterError, status.VerdictError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except _notebook.InvalidNotebook as error:
        print(f"FAILED {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; earlier results are as they were", file=sys.stderr)
        return 130


def _run(options: argparse.Namespace) -> int:
    """Check everything first, then run one notebook after the other, also after a failure."""
    jobs, n_failed = [], 0
    for name in options.notebooks:
        path = _find(name)
        given = parameters.from_text(path, options.parameters)
        jobs.append(run.prepare(path, options.profile, given))
    for job in jobs:
        try:
            run.perform(job, force=options.force, timeout=options.timeout)
        except run.RunFailed as failure:
            print(failure, file=sys.stderr, flush=True)
            n_failed += 1
    return 1 if n_failed else 0


def _status(options: argparse.Namespace) -> int:
    rows = list(status.figure_states(options.profile))
    widths = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    for notebook, figure, state in rows:
        print(f"{notebook:{widths[0]}}  {figure:{widths[1]}}  {state}")
    return 0


def _verdicts(options: argparse.Namespace) -> int:
    lines = list(status.verdicts(options.profile))
    print("\n".join(lines) if lines else "no verdicts yet: no notebook has been run")
    return 0


def _parameters(options: argparse.Namespace) -> int:
    known = parameters.declared(_find(options.notebook)).values()
    rows = [(f"{p.name}: {p.type} = {p.default!r}", p.comment) for p in known]
    width = max((len(row[0]) for row in rows), default=0)
    for line, comment in rows:
        print(f"{line:{width}}  # {comment}" if comment else line)
    return 0


def _find(name: str) -> Path:
    return run.find(name, _folders.checkout() or Path.cwd())


def _parser() -> argparse.ArgumentParser:
    parser = Parser("repro", description="Run the notebooks of the paper and see where it stands.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    text = "run notebooks whose code, parameters, library or data changed"
    command = commands.add_parser("run", help=text, description=text)
    command.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="a path, or a name")
    _add_profile(command)
    text = "change one parameter; results then go to build/custom (may be repeated)"
    command.add_argument(
        "-p", dest="parameters", nargs=2, action="append", default=[], help=text,
        metavar=("NAME", "VALUE"),
    )  # fmt: skip
    command.add_argument("--force", action="store_true", help="run even if nothing changed")
    text = "stop a cell that takes longer"
    command.add_argument("--timeout", type=int, metavar="SECONDS", help=text)
    command.set_defaults(command=_run)

    text = "say of each figure: current, code changed, never run or failed"
    command = commands.add_parser("status", help=text, description=text)
    _add_profile(command)
    command.set_defaults(command=_status)

    text = "count the published numbers that agree and the claims that hold"
    command = commands.add_parser("verdicts", help=text, description=text)
    _add_profile(command)
    command.set_defaults(command=_verdicts)

    text = "list the parameters of a notebook: name, type, default, comment"
    command = commands.add_parser("parameters", help=text, description=text)
    command.add_argument("notebook", metavar="NOTEBOOK", help="a path, or a name")
    command.set_defaults(command=_parameters)
    return parser


def _add_profile(command: argparse.ArgumentParser) -> None:
    text = "paper (default), or a file in profiles/"
    command.add_argument("--profile", default="paper", metavar="NAME", help=text)


if __name__ == "__main__":
    sys.exit(main())
