"""The commands ``python -m repro data list | fetch | verify``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from repro.data_sets import Description

__all__ = ["add"]


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the three commands to the sub-commands of a parser."""
    text = "list the data sets with their sizes and folders"
    command = commands.add_parser("list", help=text, description=text)
    command.set_defaults(command=_data_list)
    text = "download missing data sets, and verify all files"
    command = commands.add_parser("fetch", help=text, description=text)
    command.add_argument("sets", nargs="*", metavar="NAME", help="a data set (default: all)")
    command.add_argument("--yes", action="store_true", help="also sets without a stated licence")
    command.set_defaults(command=_data_fetch)
    text = "compare every file with its checksum; download nothing"
    command = commands.add_parser("verify", help=text, description=text)
    command.add_argument("sets", nargs="*", metavar="NAME", help="a data set (default: all)")
    command.set_defaults(command=_data_verify)


def _data_list(options: argparse.Namespace) -> int:
    from repro import data_sets

    print(f"{'NAME':14}  {'EXAMPLES':>8}  {'CLASSES':>7}  WHERE")
    for name in data_sets.names():
        about = data_sets.describe(name)
        folders = dict.fromkeys(str(path.parent) for path in data_sets.locate(name))
        here = ", ".join(folders) or "in scikit-learn"
        where = here if data_sets.available(name) else "to be fetched"
        print(f"{name:14}  {about.examples:8}  {len(about.labels):7}  {where}")
    return 0


def _data_fetch(options: argparse.Namespace) -> int:
    from repro import data_sets

    def fetch(name: str) -> None:
        about = data_sets.describe(name)
        is_free = about.states_licence or options.yes or data_sets.available(name)
        if not (is_free or _wanted(about)):
            raise data_sets.DataNotFound(f"licence: {about.licence}; to fetch it anyway: --yes")
        data_sets.fetch(name)

    return _for_each_set(options.sets, fetch, missing_is_failure=True)


def _wanted(about: Description) -> bool:
    """Whether the user, if there is one, wants a set whose licence is not stated."""
    if not sys.stdin.isatty():
        return False
    print(f"{about.name}: {about.source}\n  licence: {about.licence}", file=sys.stderr)
    try:
        return input("  fetch it? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:  # Ctrl-D
        return False


def _data_verify(options: argparse.Namespace) -> int:
    from repro import data_sets

    return _for_each_set(options.sets, data_sets.verify, missing_is_failure=bool(options.sets))


def _for_each_set(
    names: Sequence[str], check: Callable[[str], None], *, missing_is_failure: bool
) -> int:
    """Check each named data set, or all of them, and print a line for each; the exit code."""
    from repro import data_sets

    if unknown := set(names) - set(data_sets.names()):
        choices = ", ".join(data_sets.names())
        print(f"error: NAME must be one of {choices}; got {min(unknown)}", file=sys.stderr)
        return 2
    n_failed, missing, chosen = 0, False, names or data_sets.names()
    for name in chosen:
        try:
            check(name)
            state = "verified"
        except data_sets.DataNotFound as error:
            n_failed += missing_is_failure
            missing = missing_is_failure and len(chosen) > 1
            why = f"it is missing; {str(error).splitlines()[-1]}" if missing else error
            state = f"FAILED: {why}" if missing_is_failure else "not there"
        except (data_sets.DataCorrupt, OSError) as error:
            n_failed += 1
            state = f"FAILED: {error}"
        print(f"{name}: {state}", file=sys.stderr if "FAILED" in state else sys.stdout, flush=True)
    if missing:
        print("how to get a set by hand says: python -m repro data fetch NAME", file=sys.stderr)
    return 1 if n_failed else 0
