"""A toy checkout: a few small files, and notebooks that run in a second or two."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import nbformat

from repro import _folders

PARAMETERS = 'n: int = 1  # size\nalpha: float = 0.5  # share\nlabel: str | None = "é"  # text'
# Writes a figure without matplotlib, which would take long to import in a kernel.
WRITE = """
from repro import _files, _folders
_files.write(_folders.output() / "figures" / "01_figure_1.png", str(n).encode())
print(n)
"""
# The command line in a new process, with another checkout; the last line lists heavy imports.
COMMAND = """
import sys
from pathlib import Path
from repro import _folders
_folders.checkout = lambda: Path(sys.argv[1])
from repro.__main__ import main
code = main(sys.argv[2:])
print(sorted({"numpy", "pandas", "matplotlib", "papermill"} & set(sys.modules)))
sys.exit(code)
"""


def make_checkout(root, monkeypatch):
    """A checkout without notebooks; kernels import the library under test."""
    for name in ("notebooks", "profiles", "src/repro"):
        (root / name).mkdir(parents=True)
    (root / "src/repro/_files.py").write_text("N = 1\n")
    (root / "profiles/quick.toml").write_text("[01_a]\nn = 7\n")
    monkeypatch.setattr(_folders, "checkout", lambda: root)
    monkeypatch.setenv("PYTHONPATH", str(Path(_folders.__file__).parents[1]))
    monkeypatch.delenv("REPRO_OUTPUT", raising=False)
    return root


def save(root, stem, *sources, kernel="python3"):
    """Write a notebook with a title, the parameters cell and one code cell for each source."""
    cells = [nbformat.v4.new_markdown_cell("# Title")]
    cells += [nbformat.v4.new_code_cell(source) for source in (PARAMETERS, *sources)]
    cells[1].metadata["tags"] = ["parameters"]
    for i, cell in enumerate(cells):
        cell["id"] = f"cell-{i}"
    kernelspec = {"name": kernel, "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernelspec})
    path = root / "notebooks" / f"{stem}.ipynb"
    nbformat.write(notebook, path)
    return path


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def content(root):
    """All visible files of a checkout and their bytes, but for those of the cache."""
    files = [path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock"]
    named = {path.relative_to(root).as_posix(): path for path in files}
    return {n: path.read_bytes() for n, path in named.items() if not n.startswith("build/cache/")}


def start(root, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, root, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
