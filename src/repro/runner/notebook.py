"""A notebook as a value: read once from its file, then asked by every other part of the runner.

The content is plain JSON, and nothing is executed here. A `Notebook` does not follow its file;
where the file may have changed since, the runner reads it again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from repro import _files
from repro.runner.parameters import Parameter, ParameterError, parse

__all__ = ["PARAMETERS", "Cell", "Content", "InvalidNotebook", "Notebook", "encoded", "number"]
__all__ += ["plain", "read", "relative", "source", "tags", "write"]

PARAMETERS = "parameters"  # tag of the cell that declares them

Cell = dict[str, Any]
Content = dict[str, Any]


class InvalidNotebook(ValueError):
    """A file that is not a notebook of format 4."""


@dataclass(frozen=True)
class Notebook:
    """A notebook file and its content at the time it was read."""

    path: Path
    content: Content

    @property
    def name(self) -> str:
        """The name of the file, as in ``01_testbed.ipynb``."""
        return self.path.name

    @property
    def stem(self) -> str:
        """The name without its suffix, as in ``01_testbed``."""
        return self.path.stem

    @property
    def number(self) -> str:
        """The number that the names of its figures and tables begin with, as in "01"."""
        return number(self.stem)

    @property
    def cells(self) -> list[Cell]:
        """All cells, in order."""
        return list(self.content["cells"])

    @cached_property
    def code(self) -> list[Cell]:
        """The code cells, in order."""
        return [cell for cell in self.cells if cell.get("cell_type") == "code"]

    @property
    def metadata(self) -> dict[str, Any]:
        """The metadata of the notebook; empty if it has none."""
        return dict(self.content.get("metadata", {}))

    @property
    def provenance(self) -> dict[str, Any]:
        """What the runner noted about the run that the outputs come from."""
        return dict(self.metadata.get("repro", {}))

    @property
    def parameters_cell(self) -> Cell | None:
        """The cell tagged ``parameters``; None if there is none."""
        cells = [cell for cell in self.code if PARAMETERS in tags(cell)]
        if len(cells) > 1:
            one = f"{self.name} must have one cell tagged parameters"
            raise ParameterError(f"{one}; got {len(cells)}")
        return cells[0] if cells else None

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The declared parameters, by name, in order; empty without a parameters cell."""
        cell = self.parameters_cell
        return parse(source(cell), self.name) if cell else {}

    @property
    def defaults(self) -> dict[str, Any]:
        """The values in the parameters cell, by name."""
        return {name: parameter.default for name, parameter in self.parameters.items()}

    def with_content(self, content: Content) -> Notebook:
        """The notebook at the same path with another `content`."""
        return Notebook(self.path, content)

    def with_metadata(self, new: dict[str, Any]) -> Notebook:
        """The notebook with `new` metadata beside the others."""
        return self.with_content(self.content | {"metadata": self.metadata | new})


def read(path: Path) -> Notebook:
    """The notebook at `path`; raises `InvalidNotebook` for a file that holds none."""
    name = f"{path.parent.name}/{path.name}"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidNotebook(f"{name}: not valid JSON: {error}") from None
    if fault := _fault(content):
        raise InvalidNotebook(f"{name}: not a notebook of format 4: {fault}")
    return Notebook(path, content)


def _fault(content: Any) -> str:
    """What makes `content` no notebook; "" if nothing does."""
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        return "it has no list of cells"
    about = content.get("metadata", {})
    if not isinstance(about, dict) or not isinstance(about.get("repro", {}), dict):
        return "its metadata, and what the runner noted there, must be objects"
    for i, cell in enumerate(content["cells"], 1):
        if not isinstance(cell, dict) or not isinstance(cell.get("metadata", {}), dict):
            return f"cell {i} and its metadata must be objects"
        text = cell.get("source", "")
        if not all(isinstance(line, str) for line in (text if isinstance(text, list) else [text])):
            return f"the source of cell {i} must be a text or a list of texts"
        for what, within in (("tags", cell.get("metadata", {})), ("outputs", cell)):
            if not isinstance(within.get(what, []), list):
                return f"the {what} of cell {i} must be a list"
    return ""


def write(path: Path, content: Content) -> bool:
    """Write as `nbformat` and `nbstripout` do; False if the file has these bytes already."""
    return _files.write(path, encoded(content))


def encoded(content: Content) -> bytes:
    """The bytes of a notebook's file."""
    text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return text.encode()


def source(cell: Cell) -> str:
    """The text of a cell, which the format stores as one string or as a list of lines."""
    text = cell.get("source", "")
    return text if isinstance(text, str) else "".join(text)


def plain(cell: Cell) -> str:
    """The text of a cell as Python, without IPython's own syntax: ``%``, ``!`` and ``?``.

    The statement after a magic such as ``%time`` stays, since it runs as it is.
    """
    text = source(cell)
    if re.match(r"\s*%%(?!(?:time|capture|prun)\b)", text):  # another language, or apart
        return ""
    text = re.sub(r"(?m)^([ \t]*)%(?:time|prun)[ \t]+", r"\1", text)
    text = re.sub(r"(?m)^[ \t]*(?:[%!?].*|[\w.]+\?+)$", "", text)
    return re.sub(r"(?m)^([ \t]*[\w., ]+=)[ \t]*[%!].*$", r"\1 None", text)


def tags(cell: Cell) -> tuple[str, ...]:
    """The tags of a cell."""
    return tuple(cell.get("metadata", {}).get("tags", []))


def number(stem: str) -> str:
    """The number that a notebook's name begins with: "01" for ``01_testbed``; else the name."""
    digits = re.match(r"\d+", stem)
    return digits[0] if digits else stem


def relative(path: Path, root: Path) -> str:
    """`path` relative to `root`, for messages; unchanged if it lies elsewhere."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
