"""The commands that stand for targets of the Makefile, where there is no make."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from repro import _folders, _locks
from repro.runner import checks, console, figures, needs, status

__all__ = ["add", "add_profile", "print_verdicts"]

SITE = ("sphinx", "furo", "itables", "myst_nb", "math_core", "ziamath", "bokeh")


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands to the sub-commands of a parser."""
    text = "run all notebooks that changed, then compare with the published numbers"
    command = commands.add_parser("figures", help=text, description=text)
    text = "beginning of a name, such as 01 (default: all)"
    command.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help=text)
    add_profile(command)
    text = "notebooks that run at once, each on its share of the cores (default: 2; 06 runs alone)"
    command.add_argument("--jobs", "-j", type=int, metavar="N", help=text)
    command.set_defaults(command=_figures)

    text = "lint, contracts, doctests, and the tables of two notebooks; needs the extra dev"
    command = commands.add_parser("test", help=text, description=text)
    text = "all unit tests, and the tables of all notebooks"
    scope = command.add_mutually_exclusive_group()
    scope.add_argument("--all", action="store_const", const="all", dest="scope", help=text)
    text = "what this command leaves out without --all"
    scope.add_argument("--rest", action="store_const", const="rest", dest="scope", help=text)
    text = f"one part: {', '.join(checks.PARTS)} (may be repeated)"
    command.add_argument("--only", action="append", choices=checks.PARTS, help=text)
    command.set_defaults(command=_test, scope="fast")

    text = "make the exercises: a zip for students without solutions, and the teacher's course"
    command = commands.add_parser("exercises", help=text, description=text)
    command.add_argument("--to", metavar="FOLDER", help="default: build/exercises")
    say = "make self-study.zip in place of the class's: its checks say whether an answer is right"
    command.add_argument("--self-study", action="store_true", help=say)
    command.set_defaults(command=_exercises)

    text = "grade a folder of submissions, one notebook apart from the other"
    command = commands.add_parser("grade", help=text, description=text)
    command.add_argument("submitted", metavar="FOLDER", help="notebooks of students")
    text = "where to write (default: a new folder in build/grades for the day and the sheets)"
    command.add_argument("--to", metavar="FOLDER", help=text)
    text = "the participants as a CSV file; writes platform.csv, the same table with the points"
    command.add_argument("--roster", metavar="FILE", help=text)
    text = "make a folder with grades anew"
    command.add_argument("--replace", action="store_true", help=text)
    text = "codes for names in tables and the course folder; key.csv says who is who"
    command.add_argument("--anonymous", action="store_true", help=text)
    text = "run nothing: write tables and feedback again, with the points that a person has given"
    command.add_argument("--collect", action="store_true", help=text)
    command.add_argument("--jobs", "-j", type=int, default=2, metavar="N", help="default: 2")
    command.set_defaults(command=_grade)

    text = "build the site into build/site: notebooks, verdicts, reference, explorer"
    command = commands.add_parser("site", help=text, description=text)
    command.set_defaults(command=_site)


def add_profile(command: argparse.ArgumentParser, default: str | None = "paper") -> None:
    """Add the option ``--profile``."""
    first = "paper (default)" if default else "paper (default; with -p: quick)"
    text = f"{first}, or a file in profiles/"
    command.add_argument("--profile", default=default, metavar="NAME", help=text)


def print_verdicts(profile: str, *, as_tables: bool = False) -> None:
    """Print one line per notebook, or tables: how many numbers agree and how many claims hold."""
    lines = list(status.verdict_tables(profile) if as_tables else status.verdicts(profile))
    print("\n".join(lines) if lines else "no verdicts yet: no notebook has been run")


def _figures(options: argparse.Namespace) -> int:
    """All notebooks, then the verdicts even if one failed: they show what is missing."""
    root = _folders.need_checkout()
    code = figures.run_all(root, options.profile, options.jobs, options.notebooks)
    print_verdicts(options.profile)
    return code


def _exercises(options: argparse.Namespace) -> int:
    def make(output: Path) -> str:
        from repro import course

        folder = course.build(output, self_study=options.self_study)
        if options.self_study:
            return f"{folder / 'self-study.zip'} is for people without a teacher"
        return f"{folder / 'students.zip'} is for the class, {folder / 'course'} for the teacher"

    return _teach("exercises", options.to, make)


def _grade(options: argparse.Namespace) -> int:
    def make(_: Path) -> str:
        from repro import course

        grades = course.grade(
            options.submitted,
            options.to,
            roster=options.roster,
            jobs=options.jobs,
            replace=options.replace,
            anonymous=options.anonymous,
            collect=options.collect,
        )
        return f"{grades!r}\npoints, tasks and feedback: {grades.folder.parent}"

    return _teach("grades", options.to, make)


def _teach(name: str, to: str | None, make: Callable[[Path], str]) -> int:
    """Let `make` fill the folder `to`, by default build/`name`, alone; say what it says."""
    output = Path(to) if to else _folders.need_checkout() / "build" / name
    lock = _locks.lock_of(output)
    try:
        with _locks.alone(lock, lambda: console.say(f"waiting: {output} is being made")):
            console.say(make(output))
    except _folders.NoCheckout:
        raise
    except Exception as error:  # nbgrader's database has errors of its own
        lines = str(error).strip().splitlines() or [type(error).__name__]
        # Of ours the first line is what, and the last one of a log why.
        is_ours = isinstance(error, ImportError | RuntimeError | ValueError | OSError)
        chosen = [lines[0], *lines[1:][-1:]] if is_ours else [lines[0], f"(in {output})"]
        console.say(f"error: {' '.join(chosen)}", file=sys.stderr)
        return 2 if isinstance(error, ValueError | FileNotFoundError) else 1
    return 0


def _site(options: argparse.Namespace) -> int:
    root = _folders.need_checkout()
    needs.need("the site", "site", packages=SITE)
    builder = [sys.executable, str(root / "docs" / "build_site.py")]
    code = subprocess.run(builder, cwd=root, check=False).returncode
    if code == 0:
        console.say(f"open {root / 'build' / 'site' / 'index.html'}")
    return code


def _test(options: argparse.Namespace) -> int:
    parts, root = options.only or [*checks.PARTS], _folders.need_checkout()
    return checks.perform(parts, root, options.scope)
