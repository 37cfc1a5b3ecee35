"""Slides: the figures of the sheets under their questions, from runs with the solutions."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from repro import _files
from repro._folders import install_command, need_checkout
from repro.course._cells import code_cells, read_notebook, source
from repro.course.sheets import Sheet, sheets

__all__ = ["slides"]

# In the kernel: pictures of 220 dots per inch, so that a figure of 6 inches fills a slide.
LARGE = '%config InlineBackend.print_figure_kwargs = {"bbox_inches": "tight", "dpi": 220}'


def slides(
    output: Path | str | None = None, chosen: Mapping[str, Sheet] | None = None
) -> list[Path]:
    """Run each sheet with its solutions; save its figures, and a deck of them for each sheet.

    The deck ``02_estimators.pdf`` has a page for each figure, under the title of its task;
    ``02_sliding-plot.png`` is one of the figures.

    Parameters
    ----------
    output : the folder to write to; by default ``build/exercises/slides`` of the checkout
    chosen : the sheets by name; by default those of the checkout

    Returns the files, each deck after its figures. Raises ImportError without nbclient, and
    nbclient's `CellExecutionError` if a solution fails.
    """
    where = Path(output) if output else need_checkout() / "build" / "exercises" / "slides"
    where.mkdir(parents=True, exist_ok=True)
    by_name = sheets() if chosen is None else chosen
    return [path for sheet in by_name.values() for path in _save(_executed(sheet), sheet, where)]


def _executed(sheet: Sheet) -> dict[str, Any]:
    """The notebook of a sheet with its outputs."""
    try:
        import nbformat
        from nbclient import NotebookClient
    except ImportError:
        how = install_command("notebooks")
        raise ImportError(f"slides need nbclient; install it with: {how}") from None
    notebook = read_notebook(sheet.path)
    code_cells(notebook)[0]["source"] = f'{LARGE}\nstudent = "slides"'
    read: Any = nbformat.reads  # without type hints
    ready: Any = read(json.dumps(notebook), as_version=4)
    backend = "module://matplotlib_inline.backend_inline"
    environment = os.environ | {"MPLBACKEND": backend, "REPRO_PROGRESS": "0"}
    client: Any = NotebookClient(ready, timeout=600, kernel_name="python3")
    client.extra_arguments = ["--log-level=ERROR"]
    client.execute(env=environment)
    return dict(ready)


def _save(notebook: Mapping[str, Any], sheet: Sheet, where: Path) -> list[Path]:
    """Write the pictures, named after the sheet's number and the cell's id, and the deck."""
    saved, titles, title = [], [], ""
    for cell in notebook["cells"]:
        for line in source(cell).splitlines() if cell["cell_type"] == "markdown" else ():
            title = line.lstrip("# ") if line.startswith("#") else title
        pictures = [out["data"] for out in cell.get("outputs", ()) if "data" in out]
        for data in (picture for picture in pictures if "image/png" in picture):
            saved.append(where / f"{sheet.name[:2]}_{cell['id']}.png")
            saved[-1].write_bytes(base64.b64decode(data["image/png"]))
            titles.append(title)
    return [*saved, _deck(saved, titles, where / f"{sheet.name}.pdf")]


def _deck(pictures: list[Path], titles: list[str], path: Path) -> Path:
    """Write pages of the width and height of a screen."""
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    with _files.replacing(path) as temporary, PdfPages(temporary) as pages:
        for picture, title in zip(pictures, titles, strict=True):
            page = Figure(figsize=(13.33, 7.5))
            page.text(0.04, 0.92, title, size=26)
            ax = page.add_axes((0.04, 0.04, 0.92, 0.82))
            ax.imshow(imread(picture))
            ax.axis("off")
            pages.savefig(page, dpi=220)
    return path
