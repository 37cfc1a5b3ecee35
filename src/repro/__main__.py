"""The command line: ``python -m repro run | status | verdicts | parameters | data``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

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
        jobs.append(run.supplied(run.prepare(path, options.profile, given)))
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


def _data_list(options: argparse.Namespace) -> int:
    from repro import data_sets

    print(f"{'NAME':14}  {'EXAMPLES':>8}  {'CLASSES':>7}  WHERE")
    for name in data_sets.data_sets():
        about = data_sets.describe(name)
        folders = dict.fromkeys(str(path.parent) for path in data_sets.locate(name))
        here = ", ".join(folders) or "in scikit-learn"
        where = here if data_sets.available(name) else "to be fetched"
        print(f"{name:14}  {about.examples:8}  {len(about.labels):7}  {where}")
    return 0


def _data_fetch(options: argparse.Namespace) -> int:
    from repro import data_sets

    return _for_each_set(options.sets, data_sets.fetch, missing_is_failure=True)


def _data_verify(options: argparse.Namespace) -> int:
    from repro import data_sets

    return _for_each_set(options.sets, data_sets.verify, missing_is_failure=bool(options.sets))


def _for_each_set(
    names: Sequence[str], check: Callable[[str], None], *, missing_is_failure: bool
) -> int:
    """One line for each data set, all of them if none is named; the exit code."""
    from repro import data_sets

    if unknown := set(names) - set(data_sets.data_sets()):
        known = ", ".join(data_sets.data_sets())
        print(f"error: NAME must be one of {known}; got {min(unknown)}", file=sys.stderr)
        return 2
    n_failed = 0
    for name in names or data_sets.data_sets():
        try:
            check(name)
            state = "verified"
        except data_sets.DataNotFound as error:
            n_failed += missing_is_failure
            state = f"FAILED: {error}" if missing_is_failure else "not there"
        except (data_sets.DataCorrupt, OSError) as error:
            n_failed += 1
            state = f"FAILED: {error}"
        print(f"{name}: {state}", file=sys.stderr if "FAILED" in state else sys.stdout, flush=True)
    return 1 if n_failed else 0


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

    text = "list, download or verify the real data sets"
    command = commands.add_parser("data", help=text, description=text)
    _add_data(command.add_subparsers(title="commands", required=True, metavar="COMMAND"))
    return parser


def _add_data(commands: Any) -> None:
    text = "say of each data set how large it is and where it lies"
    command = commands.add_parser("list", help=text, description=text)
    command.set_defaults(command=_data_list)
    text = "download what is not there, and verify all of it"
    command = commands.add_parser("fetch", help=text, description=text)
    command.add_argument("sets", nargs="*", metavar="NAME", help="a data set; none: all of them")
    command.set_defaults(command=_data_fetch)
    text = "compare every file with its checksum; nothing is downloaded"
    command = commands.add_parser("verify", help=text, description=text)
    command.add_argument("sets", nargs="*", metavar="NAME", help="a data set; none: all of them")
    command.set_defaults(command=_data_verify)


def _add_profile(command: argparse.ArgumentParser) -> None:
    text = "paper (default), or a file in profiles/"
    command.add_argument("--profile", default="paper", metavar="NAME", help=text)


if __name__ == "__main__":
    sys.exit(main())
