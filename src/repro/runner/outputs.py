"""What a run adds to its notebook: a front of verdicts, and outputs for the committed one.

Equal runs give equal bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from repro.runner import notebook as nb
from repro.runner.job import Job
from repro.runner.notebook import Cell, Content, Notebook, source

__all__ = ["digest", "with_front", "with_outputs"]

VERDICTS = "verdicts"  # tag of the cell that shows the box
BANNER = "banner"  # tag of the cell that says that a run is not the paper's

# Run times and the like differ from run to run: as `nbstripout` with the options of the Makefile.
VOLATILE = {"papermill", "signature", "widgets"}
VOLATILE_IN_CELL = {"papermill", "execution", "ExecuteTime", "collapsed", "scrolled"}
VOLATILE_IN_CELL |= {"heading_collapsed", "hidden"}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def with_front(job: Job, executed: Notebook, stage: Path) -> Notebook:
    """`executed` with its verdicts at the top, and a banner on anything but the paper's run.

    The cell tagged ``verdicts`` is near the top, where no result exists yet when it runs. Its
    output becomes what it would show now.

    Parameters
    ----------
    job : the job that was run.
    executed : the notebook after the run.
    stage : the folder with the ``data/results`` of the run.
    """
    result = executed.with_content(json.loads(json.dumps(executed.content)))
    for cell in result.code:
        if VERDICTS in nb.tags(cell):
            cell["outputs"] = [_shown(job.notebook.number, stage, cell.get("execution_count"))]
    if job.is_committed:
        return result
    cells = [cell for cell in result.cells if BANNER not in nb.tags(cell)]
    return result.with_content(result.content | {"cells": [_banner(job), *cells]})


def _shown(number: str, stage: Path, count: int | None) -> dict[str, Any]:
    from repro.published.box import verdict_box  # here: a run with nothing to do needs no numpy

    box = verdict_box(number, stage)
    data = {"text/markdown": box._repr_markdown_(), "text/plain": repr(box)}
    return {
        "output_type": "execute_result",
        "execution_count": count,
        "metadata": {},
        "data": data,
    }


def _banner(job: Job) -> Cell:
    changed = ", ".join(f"`{name} = {value!r}`" for name, value in sorted(job.changed.items()))
    text = f"> **Not the run of the paper**: profile `{job.profile}`"
    text += f", with {changed}." if changed else "."
    text += " Fewer runs or other data decide less; the numbers of the paper's profile are in "
    text += f"`notebooks/{job.notebook.name}`."
    tags = {"tags": [BANNER]}
    return {"cell_type": "markdown", "id": "banner", "metadata": tags, "source": text}


def with_outputs(notebook: Notebook, executed: Notebook, hide: tuple[str, ...]) -> Content | None:
    """The content of `notebook` with outputs and counts of `executed`.

    Metadata that differ from run to run, or with the editor, are left out. Addresses in memory
    are replaced, and paths below a folder in `hide` become relative to it, so that equal runs
    give equal bytes on every machine.

    Returns None if the two have different code cells.
    """
    if list(map(source, notebook.code)) != list(map(source, executed.code)):
        return None
    result = notebook.with_content(json.loads(json.dumps(notebook.content)))
    for cell, ran in zip(result.code, executed.code, strict=True):
        cell["execution_count"] = ran.get("execution_count")
        cell["outputs"] = list(_hidden(ran.get("outputs", []), hide))
    for cell in result.cells:
        cell["metadata"] = _without(cell.get("metadata", {}), VOLATILE_IN_CELL)
    metadata = _stable(result.metadata) | {"repro": executed.metadata["repro"]}
    return result.content | {"metadata": metadata}


def digest(executed: Notebook, hide: tuple[str, ...]) -> str:
    """Hash of code cells, counts and outputs; `hide` as above. The lines of texts may be joined."""
    parts = [
        [source(cell), cell.get("execution_count"), _joined(list(_hidden(outputs, hide)))]
        for cell in executed.code
        for outputs in [cell.get("outputs", [])]
    ]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _joined(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _joined(each) for key, each in value.items()}
    if isinstance(value, list):
        is_text = all(isinstance(each, str) for each in value)
        return "".join(value) if value and is_text else [_joined(each) for each in value]
    return value


def _stable(metadata: dict[str, Any]) -> dict[str, Any]:
    """The metadata of a notebook without run times and without what an editor adds."""
    metadata = _without(metadata, VOLATILE)
    if "language_info" in metadata:  # editors add the version that happens to run
        metadata["language_info"] = {"name": "python"}
    if metadata.get("kernelspec", {}).get("name") == KERNEL["name"]:
        metadata["kernelspec"] = dict(KERNEL)
    return metadata


def _without(metadata: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key not in keys}


def _hidden(outputs: list[Any], folders: tuple[str, ...]) -> Iterator[Any]:
    """The outputs without addresses; paths below one of the `folders` become relative to it."""
    for output in outputs:
        text = json.dumps(output, ensure_ascii=False)
        for folder in folders:
            text = text.replace(json.dumps(folder, ensure_ascii=False)[1:-1] + "/", "")
        if "ipykernel_" in text:  # an image of a megabyte in base64 is slow to search for paths
            text = re.sub(r"/[\w./-]*ipykernel_\d+/\d+\.py", "IPYKERNEL", text)
        if " at 0x" in text:  # the address of an object; as in tests/sanitize.cfg
            text = re.sub(r" at 0x[0-9a-f]{6,}>", " at 0xADDRESS>", text)
        yield json.loads(text)
