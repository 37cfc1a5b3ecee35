"""The commands that stand for targets of the Makefile, where there is no make."""

from __future__ import annotations

import argparse
from typing import Any

from repro import _folders
from repro.runner import checks, figures, status

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


def _test(options: argparse.Namespace) -> int:
    return checks.perform(options.only or [*checks.PARTS], _folders.need_checkout())
