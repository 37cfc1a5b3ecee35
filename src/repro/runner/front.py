"""What a run adds to its notebook: the box of verdicts and, unless it is the paper's, a banner."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from repro.published.box import verdict_box
from repro.runner import notebook as nb
from repro.runner.job import Job
from repro.runner.notebook import Cell, Notebook

__all__ = ["with_front"]

VERDICTS = "verdicts"  # tag of the cell that shows the box
BANNER = "banner"  # tag of the cell that says that a run is not the paper's


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
