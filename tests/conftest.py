"""The order of the tests, hypothesis without a time limit, and the built site.

Tests of one kind of learner stand together.

numba compiles a learner once for each kind, such as `OzaBag` of `HoeffdingTree`, which takes up to
ten seconds; later processes load the result from the disk cache. Processes that run side by side
take blocks of consecutive tests, so in this order each kind is compiled by one of them. The kinds
come first: the short tests that follow fill the gaps at the end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from repro import _folders
from repro._locks import alone
from repro.kernels import mode
from repro.learners import Learner, Temporal

# As a module with doctests it would have the name of notebooks/conftest.py.
collect_ignore = ["conftest.py"]

settings.register_profile("repro", deadline=None)  # the first example may compile
settings.load_profile("repro")


def pytest_configure(config: pytest.Config) -> None:
    """Collect no doctests from modules that need private parts of numba which it does not have."""
    if not mode.LINKED:
        modules = [Path(mode.__file__).with_name(name) for name in ("disk.py", "linking.py")]
        config.option.ignore = [*(config.option.ignore or ()), *map(str, modules)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count doctests among the contracts, and put each kind of learner together."""
    for item in items:
        if isinstance(item, pytest.DoctestItem):
            item.add_marker("contract")
    items.sort(key=lambda item: (not (kind := kind_of(item)), kind))


def kind_of(item: pytest.Item) -> str:
    """The kind of the first learner among the parameters of a test; empty without one.

    A parameter may be the learner, or its name in the test module's table `LEARNERS`.
    """
    params = getattr(item, "callspec", None)
    table = getattr(getattr(item, "module", None), "LEARNERS", None)
    named = table if isinstance(table, dict) else {}
    for value in params.params.values() if params else ():
        learner = named.get(value) if isinstance(value, str) else value
        if isinstance(learner, Learner | Temporal):
            return " of ".join(names(learner))
        if isinstance(learner, type) and issubclass(learner, Learner):
            return learner.__name__
    return ""


def names(description: Any) -> Iterator[str]:
    """The class of a learner or detector, then those of what it wraps."""
    yield type(description).__name__
    for field in fields(description):
        if is_dataclass(inner := getattr(description, field.name)):
            yield from names(inner)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, in which pages are looked at; tests skip without it, unless it must be there."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if (program := shutil.which("chromium")) is None:
        needed = os.environ.get("REPRO_NEEDS_BROWSER")
        assert not needed, "Chromium was installed, and is not found"
        pytest.skip("no Chromium on this machine: Debian's package chromium has it")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the site, built without a warning, once for all processes of a test run."""
    root = _folders.need_checkout()
    work = root / "build" / "site-work"
    run, note = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid())), work / "tested"
    with alone(work / "test-lock", lambda: None):
        if not note.is_file() or note.read_text() != run:
            command = [sys.executable, str(root / "docs" / "build_site.py")]
            built = subprocess.run(command, capture_output=True, text=True, check=False)
            assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-4000:]
            note.write_text(run)
    return root / "build" / "site"
