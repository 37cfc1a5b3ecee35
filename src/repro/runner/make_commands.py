"""The commands that stand for targets of the Makefile, where there is no make."""

from __future__ import annotations

import argparse
import subprocess
import sys
from typing import Any

from repro import _folders
from repro.runner import checks, console, figures, status

__all__ = ["add", "add_profile", "print_verdicts"]


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands to the sub-commands of a parser."""
    text = "run all notebooks that changed, then compare with the published numbers"
    command = commands.add_parser("figures", help=text, description=text)
    add_profile(command)
    text = "notebooks that run at once (default: 1)"
    command.add_argument("--jobs", "-j", type=int, default=1, metavar="N", help=text)
    command.set_defaults(command=_figures)

    text = "lint, unit tests, doctests, and the tables of the notebooks; needs the extra dev"
    command = commands.add_parser("test", help=text, description=text)
    text = f"one part: {', '.join(checks.PARTS)} (may be repeated)"
    command.add_argument("--only", action="append", choices=checks.PARTS, help=text)
    command.set_defaults(command=_test)

    text = "make the exercises: a zip for students without solutions, and the teacher's course"
    command = commands.add_parser("exercises", help=text, description=text)
    command.add_argument("--to", metavar="FOLDER", help="default: build/exercises")
    command.set_defaults(command=_exercises)

    text = "grade a folder of submissions, one notebook apart from the other"
    command = commands.add_parser("grade", help=text, description=text)
    command.add_argument("submitted", metavar="FOLDER", help="notebooks of students")
    command.add_argument("--to", metavar="FOLDER", help="default: build/grades")
    command.add_argument("--jobs", "-j", type=int, default=2, metavar="N", help="default: 2")
    command.set_defaults(command=_grade)

    text = "build the site into build/site: notebooks, verdicts, reference, explorer"
    command = commands.add_parser("site", help=text, description=text)
    command.set_defaults(command=_site)


def add_profile(command: argparse.ArgumentParser) -> None:
    """Add the option ``--profile``."""
    text = "paper (default), or a file in profiles/"
    command.add_argument("--profile", default="paper", metavar="NAME", help=text)


def print_verdicts(profile: str) -> None:
    """Print one line per notebook: how many numbers agree and how many claims hold."""
    lines = list(status.verdicts(profile))
    print("\n".join(lines) if lines else "no verdicts yet: no notebook has been run")


def _figures(options: argparse.Namespace) -> int:
    """All notebooks, then the verdicts even if one failed: they show what is missing."""
    code = figures.run_all(_folders.need_checkout(), options.profile, options.jobs)
    print_verdicts(options.profile)
    return code


def _exercises(options: argparse.Namespace) -> int:
    from repro import course

    folder = course.build(options.to)
    console.say(f"{folder / 'students.zip'} is for the class, {folder / 'course'} for the teacher")
    return 0


def _grade(options: argparse.Namespace) -> int:
    from repro import course

    try:
        grades = course.grade(options.submitted, options.to, jobs=options.jobs)
    except (FileNotFoundError, ValueError) as error:
        console.say(f"error: {error}", file=sys.stderr)
        return 2
    console.say(repr(grades))
    console.say(f"points, tasks and feedback: {grades.folder.parent}")
    return 0


def _site(options: argparse.Namespace) -> int:
    root = _folders.need_checkout()
    builder = [sys.executable, str(root / "docs" / "build_site.py")]
    code = subprocess.run(builder, cwd=root, check=False).returncode
    if code == 0:
        console.say(f"open {root / 'build' / 'site' / 'index.html'}")
    return code


def _test(options: argparse.Namespace) -> int:
    return checks.perform(options.only or [*checks.PARTS], _folders.need_checkout())
