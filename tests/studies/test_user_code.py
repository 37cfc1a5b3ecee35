"""User code runs each time: whatever is edited, the result is that of a fresh run."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any

import pytest
from kinds_of_code import CODE
from kinds_of_functions import HELD
from kinds_of_readers import READERS
from kinds_of_state import STATE

from repro import Stream, sweep

STREAM = {"S": Stream([[0.0]] * 4, [0, 1, 1, 1])}  # always predicting 1 has error 0.25

MODULES = """abc array ast asyncio bs4 builtins bz2 calendar cloudpickle codecs configparser
contextlib contextvars copy copyreg csv ctypes dataclasses datetime dbm.dumb decimal enum filecmp
fileinput functools gc glob gzip hashlib http.client http.server importlib importlib.resources
importlib.util inspect io itertools joblib json linecache locale logging lzma marshal math
matplotlib.image mimetypes mmap multiprocessing.shared_memory numba operator os PIL.Image pickle
plistlib pyarrow.csv pyarrow.parquet queue random resource runpy scipy.io scipy.sparse scipy.special
shelve shutil signal sklearn.datasets socket socketserver sqlalchemy sqlite3 string struct
subprocess sys tarfile tempfile threading time tokenize tomllib types typing urllib.request uuid
warnings wave weakref xml.etree.ElementTree yaml zipfile zipimport"""

HEAD = """
import numpy as np
import pandas as pd
import repro
from pathlib import Path
from unittest import mock
from river import compose, linear_model, optim
from river.naive_bayes import GaussianNB
from sklearn.linear_model import SGDClassifier

class Base:
    def predict_one(self, x):
        return self.label()
    def learn_one(self, x, y):
        pass

def raises(function):
    try:
        function()
    except Exception:
        return True
    return False
"""
READS = """
class Model(Base):
    def label(self):
        return int(self.read())
    def read(self):
{}
"""
HOLDS = """
last = linear_model.LogisticRegression(
    optim.SGD(0.0), intercept_lr=0.0, initializer=optim.initializers.Constant(1.0)
)
model = compose.FuncTransformer({}) | compose.FuncTransformer(dict) | last
"""


def snippets() -> Iterator[tuple[str, str]]:
    """Name and text of each kind of edit."""
    for theme, table in CODE.items():
        for name, text in table.items():
            yield f"{theme}: {name}", textwrap.dedent(text)
    for theme, pairs in READERS.items():
        for name, (write, read) in pairs.items():
            model = READS.format(textwrap.indent(read, " " * 8))
            yield f"{theme}: {name}", f"{model}\n--- # edit\n{write}"
    for theme, triples in STATE.items():
        for name, (change, read, undo) in triples.items():
            model = READS.format(f"        return {read}")
            ending = f"def undo():\n{textwrap.indent(undo or 'pass', '    ')}"
            yield f"{theme}: {name}", f"{model}\n--- # edit\nnow = VALUE\n{change}\n{ending}"
    for name, (change, function) in HELD.items():
        yield f"held: {name}", f"{change}\n{HOLDS.format(function)}"


KINDS = dict(snippets())


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What every snippet finds imported."""
    found: dict[str, Any] = {}
    for name in MODULES.split():
        importlib.import_module(name)
        found[name.partition(".")[0]] = sys.modules[name.partition(".")[0]]
    exec(HEAD, found)
    return found


def compiled(text: str) -> CodeType:
    """A snippet as Python runs it elsewhere: without this file's `annotations`."""
    return compile(text, "cell", "exec", dont_inherit=True)


def errors_of(text: str, names: dict[str, Any], **options: Any) -> Iterator[float]:
    """The error of the model of a snippet, with 0, again with 0, and with 1."""
    once, _, each = text.rpartition("--- # edit\n")
    cell = sys.modules["cell"] = ModuleType("cell")
    vars(cell).update(names)
    exec(compiled(once), vars(cell))
    for value in ("0", "0", "1"):
        vars(cell).pop("model", None)
        try:
            exec(compiled(each.replace("VALUE", value)), vars(cell))
            model = cell.model if "model" in vars(cell) else cell.Model()
            table = sweep({"mine": model}, STREAM, [0], **options)
        finally:
            vars(cell).pop("undo", lambda: None)()
        assert table["failure"].tolist() == [""]
        yield table["error"].item()


def test_there_are_many_kinds():
    assert len(KINDS) >= 160


@pytest.mark.parametrize("kind", KINDS)
def test_an_edit_of_any_kind_is_run_and_nothing_is_stored(
    kind, names, tmp_path, monkeypatch, capsys
):
    """One line says of which learner."""
    monkeypatch.chdir(tmp_path)
    expected = [0.75, 0.75, 0.0 if kind.startswith("held") else 0.25]
    for error in errors_of(KINDS[kind], names, cache=tmp_path / "cache"):
        assert error == expected.pop(0)
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("repro: learner 'mine' has user code, ")
    assert not list((tmp_path / "cache").rglob("*.run"))
