"""Results to files: measurements as CSV, the machine beside them, tables into the README."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import tables

HERE = Path(__file__).resolve().parent
README = HERE / "README.md"


def save(folder: Path, part: str, frame: pd.DataFrame, about: dict[str, object]) -> None:
    """Write ``<part>.csv`` and ``<part>.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    frame.to_csv(folder / f"{part}.csv", index=False, float_format="%.6g", lineterminator="\n")
    (folder / f"{part}.json").write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def text(folder: Path, part: str) -> str:
    """The tables of `part` in Markdown, made from its files, with a line on the machine."""
    frame = pd.read_csv(folder / f"{part}.csv")
    about = json.loads((folder / f"{part}.json").read_text(encoding="utf-8"))
    parts = [_markdown(table(frame)) for table in TABLES[part]]
    if (folder / f"{part}.png").is_file():
        parts.insert(0, f"![{part}](results/{part}.png)")
    parts.append("Measured on " + ", ".join(f"{k} {v}" for k, v in about.items()) + ".")
    return "\n\n".join(parts)


def put_into_readme(part: str, table: str) -> None:
    """Replace what stands between the markers of `part`."""
    begin, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
    head, found, rest = README.read_text(encoding="utf-8").partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{README.name} must hold the markers {begin} and {end}")
    README.write_text(f"{head}{begin}\n{table}\n{end}{tail}", encoding="utf-8")


def _markdown(table: pd.DataFrame) -> str:
    texts = [":--" if column in WORDS else "--:" for column in table]
    rows = [list(table), texts, *table.astype(str).to_numpy().tolist()]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


WORDS = {"stream", "learner", "estimator", "what bounds it", "against"}
WORDS |= {"notebook", "model", "detector or estimator", "drifts", "library"}
TABLES: dict[str, list[Callable[[pd.DataFrame], pd.DataFrame]]] = {
    "learners": [tables.summary, tables.means, tables.learners],
    "profile": [tables.profile],
    "compiling": [tables.compiling],
    "scaling": [tables.scaling],
    "growth": [tables.growth],
    "inside": [tables.inside],
    "plain": [tables.plain],
    "notebooks": [tables.notebooks],
    "costs": [tables.costs],
    "streams": [tables.streams],
    "estimators": [tables.estimators],
    "detectors": [tables.detectors, tables.detectors_beside],
}
