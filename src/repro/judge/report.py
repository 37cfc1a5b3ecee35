"""A report: verdicts in words first, then the tables and figures that they rest on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from repro import _files, _folders, provenance
from repro._checks import as_new_folder, check_frame, shown
from repro._spreadsheets import as_csv
from repro.judge._report import html, latex, notebook
from repro.judge._report.cells import raw
from repro.judge._report.paths import as_file
from repro.judge.section import Section

__all__ = ["Report"]

VERDICTS, TABLE = "verdicts", "table"  # names of the first two parts


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What `repro.judge` answers.

    In JupyterLab it shows its summary, its verdicts and its main table; ``print`` its summary.

    Attributes
    ----------
    title : heading.
    summary : the answer in one paragraph.
    verdicts : one row per question; columns question, verdict, evidence. The first word of a
        verdict decides its colour: yes is green, no red, partly and undecided are yellow; other
        words have none.
    table : the main table, with ``± s.e.`` columns.
    sections : the questions one by one; their names differ.
    call : the Python code that made the report.
    command : the same as a shell command; empty where there is none.
    settings : what was run: streams, seeds, versions of models.
    """

    title: str
    summary: str
    verdicts: pd.DataFrame
    table: pd.DataFrame
    sections: tuple[Section, ...]
    call: str
    command: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_frame(self.verdicts, ["question", "verdict", "evidence"], name="verdicts")
        check_frame(self.table, name="table")
        names = [part.name for part in self._parts()]
        for name in names:
            if not re.fullmatch(r"[a-z0-9_]+", name):
                rule = "names of sections must be small letters, digits and underscores"
                raise ValueError(f"{rule}; got {shown(name)}")
            if names.count(name) > 1:
                rule = f"names of sections must differ, also from {VERDICTS!r} and {TABLE!r}"
                raise ValueError(f"{rule}; got {shown(name)} twice")

    @property
    def figures(self) -> dict[str, Figure]:
        """Figures by the name of their section."""
        return {s.name: s.figure for s in self.sections if s.figure is not None}

    def section(self, name: str) -> Section:
        """The section called `name`; raises KeyError, with the names that there are."""
        for section in self.sections:
            if section.name == name:
                return section
        names = ", ".join(section.name for section in self.sections) or "none"
        raise KeyError(f"name must be one of the sections {names}; got {shown(name)}")

    def to_html(self, path: str | Path) -> Path:
        """Write the report as one HTML file, which needs no other file; returns its path.

        It has the tables with ``0.123 ± 0.004`` in a cell, the figures, and at the end the code,
        the settings and the versions that made it. It suits a desk, a phone, a printer and a dark
        room. Equal reports give equal bytes, and the file is written whole or not at all.

        Raises TypeError for another kind of path, ValueError for a suffix other than ``.html`` and
        ``.htm``, IsADirectoryError for a folder, OSError where it cannot be written.
        """
        target = as_file(path, ".html", ".htm")
        about = self._made()
        text = html.page(self.title, self.summary, self._parts(), self._code(), about)
        _files.write(target, text.encode())
        return target

    def to_latex(self) -> str:
        r"""The verdicts and the main table as LaTeX tables with captions.

        They need ``\usepackage{adjustbox, array, booktabs, longtable}``.
        """
        tables = [latex.table(part, f"{self.title}: {part.title}") for part in self._parts()[:2]]
        return latex.PACKAGES + "\n".join(tables)

    def to_csv(self, folder: str | Path) -> list[Path]:
        """Write the tables to ``verdicts.csv``, ``table.csv`` and ``<section>.csv`` in `folder`.

        Returns their paths. The numbers are not rounded: 17 significant digits read back as equal.
        A text that a spreadsheet would run, such as ``=1+1``, begins with ``'``.
        The folder is made, and each file is replaced as a whole. Raises TypeError and ValueError
        for what is no path, NotADirectoryError for a file, OSError where it cannot be written.
        """
        target = as_new_folder(folder, name="folder")
        paths = []
        for part in self._parts():
            if part.table is not None:
                paths.append(target / f"{part.name}.csv")
                text = as_csv(raw(part.table), index=False, float_format="%.17g")
                _files.write(paths[-1], text.encode())
        return paths

    def to_notebook(self, path: str | Path) -> Path:
        """Write a notebook that makes the report again, to be changed and re-run; its path.

        Its first cell has the code of `call`, the others show the texts, tables and figures; what
        this report says stands below them until they are run. A call that names objects that code
        cannot make stands there as a comment, to be filled in.

        Raises TypeError for another kind of path, ValueError for a suffix other than ``.ipynb``,
        IsADirectoryError for a folder, OSError where it cannot be written.
        """
        target = as_file(path, ".ipynb")
        text = notebook.notebook(self.title, self._repr_html_(), self.sections, self.call)
        _files.write(target, text.encode())
        return target

    def _parts(self) -> list[Section]:
        """All that has a table, the verdicts first."""
        verdicts = Section(VERDICTS, "Verdicts", "", self.verdicts)
        return [verdicts, Section(TABLE, "Main table", "", self.table), *self.sections]

    def _code(self) -> dict[str, str]:
        return {"In Python": self.call} | ({"As a command": self.command} if self.command else {})

    def _made(self) -> dict[str, str]:
        """Settings and versions; the commit only where the code is that of a checkout."""
        versions = provenance.surroundings()
        if _folders.checkout() is None:
            versions.pop("Commit", None)
        return {str(k): str(v) for k, v in self.settings.items()} | versions

    def __str__(self) -> str:
        return self.summary

    def __repr__(self) -> str:
        tables = f"{len(self.verdicts)} verdicts, {len(self.sections)} sections"
        return f"Report({self.title!r}: {tables}, {len(self.figures)} figures)"

    def _repr_html_(self) -> str:
        return html.fragment(self.title, self.summary, self._parts()[:2])
