"""Notebook files as plain JSON: read, compare, copy outputs, write; nothing is executed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from repro import _files

__all__ = ["InvalidNotebook", "clean", "code", "encoded", "number", "plain", "read"]
__all__ += ["relative", "source", "tagged", "with_outputs", "write"]

Notebook = dict[str, Any]

# Run times and the like differ from run to run: as `nbstripout` with the options of the Makefile.
VOLATILE = {"papermill", "signature", "widgets"}
VOLATILE_IN_CELL = {"papermill", "execution", "ExecuteTime", "collapsed", "scrolled"}
VOLATILE_IN_CELL |= {"heading_collapsed", "hidden"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class InvalidNotebook(ValueError):
    """A file that is no notebook."""


def read(path: Path) -> Notebook:
    """The notebook at `path`, its cells checked to be there."""
    name = f"{path.parent.name}/{path.name}"
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InvalidNotebook(f"{name}: not valid JSON: {error}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise InvalidNotebook(f"{name}: not a notebook of format 4: it has no list of cells")
    return notebook


def write(path: Path, notebook: Notebook) -> bool:
    """Write as `nbformat` and `nbstripout` do; False if the file has these bytes already."""
    return _files.write(path, encoded(notebook))


def encoded(notebook: Notebook) -> bytes:
    """The bytes of a notebook's file."""
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return text.encode()


def source(cell: dict[str, Any]) -> str:
    """The text of a cell, which the format stores as one string or as a list of lines."""
    text = cell.get("source", "")
    return text if isinstance(text, str) else "".join(text)


def plain(cell: dict[str, Any]) -> str:
    """The text of a cell as Python, without what only IPython knows: ``%``, ``!`` and ``?``.

    A statement behind a magic word such as ``%time`` stays, since it runs as it is.
    """
    text = source(cell)
    if re.match(r"\s*%%(?!(?:time|capture|prun)\b)", text):  # another language, or apart
        return ""
    text = re.sub(r"(?m)^([ \t]*)%(?:time|prun)[ \t]+", r"\1", text)
    text = re.sub(r"(?m)^[ \t]*(?:[%!?].*|[\w.]+\?+)$", "", text)
    return re.sub(r"(?m)^([ \t]*[\w., ]+=)[ \t]*[%!].*$", r"\1 None", text)


def code(notebook: Notebook) -> list[dict[str, Any]]:
    """The code cells, in order."""
    return [cell for cell in notebook["cells"] if cell.get("cell_type") == "code"]


def tagged(notebook: Notebook, tag: str) -> list[dict[str, Any]]:
    """The code cells that carry `tag`."""
    return [cell for cell in code(notebook) if tag in cell.get("metadata", {}).get("tags", [])]


def number(notebook: Path) -> str:
    """The number a notebook's files begin with: "01" for ``01_testbed.ipynb``."""
    digits = re.match(r"\d+", notebook.stem)
    return digits[0] if digits else notebook.stem


def relative(path: Path, root: Path) -> str:
    """`path` as seen from `root`, for messages; unchanged when it lies elsewhere."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def with_outputs(notebook: Notebook, executed: Notebook, hide: tuple[str, ...]) -> Notebook | None:
    """`notebook` with the outputs and counts of `executed`; None if their code cells differ.

    What changes from run to run, or with the program that saved it last, is left out of the
    metadata, and the folders in `hide` and addresses in memory out of the outputs, so that equal
    runs give equal bytes on every machine.
    """
    pairs = list(zip(code(notebook), code(executed), strict=False))
    if len(code(notebook)) != len(code(executed)) or any(source(a) != source(b) for a, b in pairs):
        return None
    result: Notebook = json.loads(json.dumps(notebook))
    for cell, (_, ran) in zip(code(result), pairs, strict=True):
        cell["execution_count"] = ran.get("execution_count")
        cell["outputs"] = list(_hidden(ran.get("outputs", []), hide))
    for cell in result["cells"]:
        cell["metadata"] = clean(cell.get("metadata", {}))
    result["metadata"] = _without(result.get("metadata", {}), VOLATILE)
    if "language_info" in result["metadata"]:  # editors add the version that happens to run
        result["metadata"]["language_info"] = {"name": "python"}
    if result["metadata"].get("kernelspec", {}).get("name") == KERNEL["name"]:
        result["metadata"]["kernelspec"] = dict(KERNEL)
    result["metadata"]["repro"] = executed["metadata"]["repro"]
    return result


def clean(metadata: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a cell without what differs from run to run."""
    return _without(metadata, VOLATILE_IN_CELL)


def _without(metadata: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key not in keys}


def _hidden(outputs: list[Any], folders: tuple[str, ...]) -> Iterator[Any]:
    """The outputs, paths below one of the `folders` written as relative to it."""
    for output in outputs:
        text = json.dumps(output, ensure_ascii=False)
        for folder in folders:
            text = text.replace(json.dumps(folder, ensure_ascii=False)[1:-1] + "/", "")
        if "ipykernel_" in text:  # an image of a megabyte in base64 is slow to search for paths
            text = re.sub(r"/[\w./-]*ipykernel_\d+/\d+\.py", "IPYKERNEL", text)
        if " at 0x" in text:  # where an object was; as in tests/sanitize.cfg
            text = re.sub(r" at 0x[0-9a-f]{6,}>", " at 0xADDRESS>", text)
        yield json.loads(text)
