"""Count how often a second implementation has agreed with the library, name by name.

    python tests/opinions.py                     # runs the tests that compare, and counts
    python tests/opinions.py --write page.md     # puts the table between its marks

A test says with `second_opinion` whose numbers it compares ours with: those of another library, of
plain loops that follow the definition, of an enumeration or a formula, of MOA, of the papers. A
comparison is an assertion that passes; one of arrays counts each of their numbers.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from page import written

ROOT = Path(__file__).resolve().parents[1]
#: Modules of which each name that computes something needs a second opinion.
MODULES = ("detectors", "learners", "metrics", "networks", "permutations", "scenarios")
MODULES += ("statistics", "streams")


def second_opinion(by: str, names: str) -> pytest.MarkDecorator:
    """Mark a test that compares `names`, as "metrics.kappa metrics.Kappa", with those of `by`."""
    return pytest.mark.second_opinion(by, *names.split())


# --- what the tests declare


class Opinion(NamedTuple):
    """A test that compares a name."""

    name: str
    by: str
    file: str
    test: str


def declared() -> Iterator[Opinion]:
    """The opinions in the tests, read without running one."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        file = path.relative_to(ROOT / "tests").as_posix()
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "second_opinion":
                        by, names = (ast.literal_eval(argument) for argument in mark.args)
                        for name in names.split():
                            yield Opinion(name, by, file, node.name)


def computing() -> dict[str, Any]:
    """All public names of `MODULES` that compute: no constants, records, protocols or bases."""
    found = {}
    for module in MODULES:
        library = import_module(f"repro.{module}")
        for name in library.__all__:
            thing = getattr(library, name)
            if callable(thing) and not _is_form(thing):
                found[f"{module}.{name}"] = thing
    return found


def _is_form(thing: Any) -> bool:
    """Whether it only holds what others compute, or says what they must have."""
    if not inspect.isclass(thing):
        return False
    is_record = issubclass(thing, tuple) or not _own_methods(thing)
    return is_record or inspect.isabstract(thing) or bool(getattr(thing, "_is_protocol", False))


def _own_methods(kind: type) -> list[str]:
    ours = [c for c in kind.__mro__ if c.__module__.startswith("repro.")]
    methods = {name for c in ours for name, value in vars(c).items() if inspect.isfunction(value)}
    return sorted(name for name in methods if not name.startswith("_"))


# --- how often they agree


class Counter:
    """A plugin of pytest that counts the comparisons of each marked test."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], int] = defaultdict(int)
        self.running: tuple[str, str] | None = None
        for name in ("assert_allclose", "assert_array_equal", "assert_equal"):
            setattr(np.testing, name, self._counting(getattr(np.testing, name)))

    def _counting(self, check: Any) -> Any:
        def counting(actual: Any, desired: Any, *args: Any, **options: Any) -> None:
            check(actual, desired, *args, **options)
            self.add(max(np.size(actual), np.size(desired)))

        return counting

    def add(self, n: int) -> None:
        if self.running:
            self.counts[self.running] += n

    def pytest_assertion_pass(self) -> None:
        self.add(1)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        path, name = item.path.relative_to(ROOT / "tests"), item.name.partition("[")[0]
        self.running = (path.as_posix(), name)
        try:
            return (yield)
        finally:
            self.running = None


def counted() -> tuple[dict[tuple[str, str], int], int]:
    """(number of comparisons of each test, exit code) of a run of all tests that are marked."""
    tests = {(o.file, o.test) for o in declared()}
    chosen = [str(ROOT / "tests" / file) + f"::{test}" for file, test in sorted(tests)]
    sys.pycache_prefix = str(ROOT / "build" / "opinions")  # other bytecode: assertions report
    options = ["-q", "-p", "no:nbval", "-p", "no:cacheprovider"]
    counter = Counter()
    options += ["--override-ini", "enable_assertion_pass_hook=true"]
    code = pytest.main([*options, *chosen], plugins=[counter])
    return counter.counts, int(code)


def table_of(counts: dict[tuple[str, str], int]) -> pd.DataFrame:
    """A row for each name: who agrees, and in how many comparisons."""
    rows = []
    opinions = sorted(declared())
    for name in sorted(computing()):
        mine = [o for o in opinions if o.name == name]
        by = dict.fromkeys(o.by for o in mine)
        n = sum(counts.get((o.file, o.test), 0) for o in mine)
        rows.append({"name": f"`{name}`", "agrees with": ", ".join(by), "comparisons": f"{n:,}"})
    return pd.DataFrame(rows)


def main() -> int:
    """Run, count, and show or write the table."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into a page")
    options = parser.parse_args()
    os.chdir(ROOT)
    counts, code = counted()
    table = table_of(counts)
    print(table.to_string(index=False))
    if options.write and not code:
        written(options.write, {"opinions": table})
    return code


if __name__ == "__main__":
    sys.exit(main())
