"""Inputs of a notebook's results as one hash: its code, parameters, the library and the data.

To parse four hundred sources takes two seconds, and ``make figures`` starts a process for each
notebook. So what a source does is kept in the cache, under the hash of the source.
"""

from __future__ import annotations

import ast
import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from repro import _files, _folders
from repro.kernels import sources
from repro.runner.notebook import Notebook, source
from repro.runner.program import below, of_notebook
from repro.runner.reach import reached
from repro.studies.code import Code, Meaning, of_source

__all__ = ["inputs_hash", "library"]

MOST = 2000  # sources in the cache; the oldest leave it


def inputs_hash(
    notebook: Notebook, parameters: Mapping[str, Any], *, root: Path, data: str = ""
) -> str:
    """Hash of what decides a notebook's results, as far as its code shows; 16 hexadecimal digits.

    It covers the text of the code cells (neither Markdown nor outputs), the effective `parameters`,
    the modules of the library that the cells reach, without docstrings, comments and annotations,
    the files in the notebook's folder (see `repro.runner.program.of_notebook`), the environment
    variables that the code names, the published numbers, the list of data sources and
    ``requirements.lock``.

    It does not cover files elsewhere that a cell reads by itself, what comes from the clock or
    the network, variables and files whose names the code puts together, or the packages that are
    installed, if they are not those of ``requirements.lock``.

    Parameters
    ----------
    notebook : the notebook, as it was read
    parameters : the effective values, by name
    root : the checkout
    data : which data sets are used, such as real or stand-in, if the files below `root` do not
        decide that
    """
    cells = [source(cell) for cell in notebook.code]
    program, code = of_notebook(notebook), library(root)
    modules = reached(program, code)
    stated = [cells, parameters, data, program.variables(), code.digest(modules)]
    digest = hashlib.sha256(json.dumps(stated, sort_keys=True).encode())
    for folder, paths in (
        (notebook.path.parent, program.files),
        (root, _beside(root, modules)),
        (root, _data(root)),
    ):
        for path in paths:
            digest.update(f"\0{path.relative_to(folder).as_posix()}\0{_content(path)}".encode())
    return digest.hexdigest()[:16]


def _content(path: Path) -> str:
    """Hash of a file; of what it does if it is Python."""
    try:
        content = path.read_bytes()
    except OSError as error:
        return f"not readable: {error.strerror}"
    return (
        of_source(content).digest if path.suffix == ".py" else hashlib.sha256(content).hexdigest()
    )


def _beside(root: Path, modules: Iterable[str]) -> Iterator[Path]:
    """Files of another kind in the folders of the `modules`, such as the style of a report."""
    library = root / "src" / "repro"
    files = (library.joinpath(*name.split(".")) for name in modules)
    folders = {folder for file in files for folder in (file, file.parent)} - {library}
    for path in below(library):
        if path.parent in folders and path.suffix not in (".py", ".pyi"):
            yield path


def _data(root: Path) -> Iterator[Path]:
    """Published numbers, those of other programs, where data are from, and pinned versions."""
    yield from below(root / "data" / "published")
    yield from below(root / "data" / "oracle")
    single = root / "data" / "sources.toml", root / "requirements.lock"
    yield from (path for path in single if path.is_file())


def library(root: Path) -> Code:
    """The code below ``src/repro`` of the checkout `root`, as it is on disk.

    The names that a package loads at first use are in its ``__init__.pyi``. The modules that a
    source names in a text, as `Run.plot` does for ``import_module``, count as its imports: other
    figures are other results of a notebook.
    """
    folder = root / "src" / "repro"
    modules = sources.read(folder) if folder.is_dir() else {}
    lists = {package: _stub(folder, package) for package in modules if b"_stub" in modules[package]}
    return _code(tuple(modules.items()), tuple(lists.items()))


@lru_cache(maxsize=1)
def _code(modules: tuple[tuple[str, bytes], ...], lists: tuple[tuple[str, bytes], ...]) -> Code:
    meanings = _meanings(source for _, source in modules)
    lazy = {package: frozenset(_relative(text, package)) for package, text in lists}
    return Code(dict(modules), lambda source: meanings.get(source) or of_source(source), lazy)


def _stub(folder: Path, package: str) -> bytes:
    """The list of the names that `package` loads at first use; empty without one."""
    path = folder.joinpath(*filter(None, package.split(".")), "__init__.pyi")
    return path.read_bytes() if path.is_file() else b""


def _relative(text: bytes, package: str) -> Iterator[tuple[str, str]]:
    """The modules in a list of names, and the name from each."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level:
            module = ".".join(filter(None, ["repro", package, node.module]))
            yield from ((module, alias.name) for alias in node.names)


def _meanings(contents: Iterable[bytes]) -> dict[bytes, Meaning]:
    """What each source does, from the cache if it is there; a cache that fails costs time only."""
    file, keys = (
        _cache_file(),
        {source: hashlib.sha256(source).hexdigest()[:32] for source in contents},
    )
    rows = _stored(file)
    new = {key: _row(source) for source, key in keys.items() if key not in rows}
    if new:
        rows |= new
        with suppress(OSError):
            body = json.dumps(dict([*rows.items()][-MOST:])).encode()
            _files.write(file, _digest(body) + b"\n" + body)
    return {source: _meaning(*rows[key]) for source, key in keys.items()}


def _cache_file() -> Path:
    """The file in the cache for this version of Python and of the code that reads sources."""
    version = sources.imported()["studies.code"] + sources.imported()["runner.inputs"]
    maker = hashlib.sha256(version + platform.python_version().encode()).hexdigest()
    return _folders.cache() / "code" / f"{maker[:16]}.json"


def _stored(file: Path) -> dict[str, Any]:
    try:
        digest, _, body = file.read_bytes().partition(b"\n")
    except OSError:
        return {}
    return dict(json.loads(body)) if digest == _digest(body) else {}  # else it is damaged


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()


def _row(source: bytes) -> list[Any]:
    digest, imports, named = of_source(source)
    return [digest, sorted(imports | named)]


def _meaning(digest: str, imports: list[list[str]]) -> Meaning:
    return Meaning(digest, frozenset((full, name) for full, name in imports), frozenset())
