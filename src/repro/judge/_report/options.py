"""Options that the commands ``python -m repro judge`` share, and the values that they take."""

from __future__ import annotations

import argparse

__all__ = ["add_outputs", "add_runs", "as_count", "as_numbers", "as_versions", "as_words"]


def add_runs(command: argparse.ArgumentParser, *, seeds: bool = True) -> None:
    """Options on how much runs."""
    if seeds:
        command.add_argument("--seeds", type=as_count, metavar="N", help="number of seeds")
        command.add_argument(
            "--keys", type=as_versions, help="versions of user code, as in mine=v3"
        )
    text = "runs at once (default: %(default)s)"
    command.add_argument("--jobs", "-j", type=as_count, metavar="N", default=2, help=text)
    command.add_argument("--quick", action="store_true", help="fewer runs, in half a minute")


def add_outputs(command: argparse.ArgumentParser, kind: str) -> None:
    """Options on what is written, of a `kind` of report."""
    name = f"judge-{kind}.html"
    text = f"the report, one HTML file (default: {name})"
    command.add_argument("--report", default=name, metavar="FILE", help=text)
    command.add_argument("--csv", metavar="FOLDER", help="its tables as CSV files")
    command.add_argument("--latex", metavar="FILE", help="its verdicts and main table for a paper")
    command.add_argument("--notebook", metavar="FILE", help="a notebook that makes it again")


def as_words(text: str) -> tuple[str, ...]:
    """Names with commas between."""
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise argparse.ArgumentTypeError(f"must be names with commas between; got {text!r}")
    return words


def as_versions(text: str) -> dict[str, str]:
    """Versions of user code, as in ``mine=v3``."""
    pairs = [word.partition("=")[::2] for word in as_words(text)]
    if all(name and version for name, version in pairs):
        return dict(pairs)
    raise argparse.ArgumentTypeError(f"must be as in mine=v3,other=v1; got {text!r}")


def as_numbers(text: str) -> tuple[float, ...]:
    """Numbers with commas between."""
    try:
        return tuple(float(word) for word in as_words(text))
    except ValueError:
        text = f"must be numbers with commas between; got {text!r}"
        raise argparse.ArgumentTypeError(text) from None


def as_count(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1; got {text!r}")
    return int(text)
