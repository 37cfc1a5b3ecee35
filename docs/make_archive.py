"""Make the folder that a data archive takes: code, generated data sets, and metadata.

    make archive                    # into build/archive

The folder has the committed checkout as a zip, and a draw of each stream of the league with its
truth as a CSV file. Each CSV file has metadata in the Croissant format, with which loaders of data
sets read it; ``ro-crate-metadata.json`` says of each file what it is. Both are written by the
libraries of their formats, read again, and compared with the files. Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import mlcroissant as mlc
import pandas as pd
import yaml
from rocrate.rocrate import ROCrate
from tqdm import tqdm

from repro.league.streams import STREAMS, draw
from repro.streams import export

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "archive"
SEED = 0
LICENCE = "https://spdx.org/licenses/"
#: What the columns of `Stream.to_frame` are that are no attributes.
COLUMNS = {
    "y": "class",
    "drift": "1 where a drift begins",
    "optimal": "label that the Bayes-optimal classifier predicts",
    "bayes_risk": "probability that the Bayes-optimal classifier is wrong",
}


class Refused(Exception):
    """Metadata that do not fit their files; the message says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the folder; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", type=Path, default=FOLDER, help="default: build/archive")
    options = parser.parse_args(arguments)
    made = options.to.with_name(options.to.name + ".making")
    shutil.rmtree(made, ignore_errors=True)
    (made / "streams").mkdir(parents=True)
    about = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    try:
        files = {code(made, about): "the code, its tests, tables and figures, as committed"}
        for name in tqdm(STREAMS, desc="streams"):
            table, card = data_set(name, made / "streams", about)
            files |= {table: said_of(name), card: f"metadata of {table.name}, in Croissant 1.0"}
        crate(made, files, about)
    except (Refused, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(options.to, ignore_errors=True)
    made.rename(options.to)
    print(f"{options.to}: {len(files) + 1} files; nothing is uploaded")
    return 0


def code(folder: Path, about: dict[str, Any]) -> Path:
    """The committed checkout as a zip; refused while something is not committed."""
    if changed := git("status", "--porcelain"):
        raise Refused(f"all files must be committed; changed are:\n{changed}")
    path = folder / f"repro-streams-{about['version']}.zip"
    git("archive", "--format=zip", f"--prefix={path.stem}/", f"--output={path}", "HEAD")
    return path


def git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def when() -> datetime:
    """The time of the last commit, so that the same commit gives the same metadata."""
    return datetime.fromisoformat(git("log", "-1", "--format=%cI"))


def said_of(name: str) -> str:
    """What a data set is."""
    return f"A draw of the stream {name} with seed {SEED}, in the order of time: {STREAMS[name]!r}"


# --- data sets


def data_set(name: str, folder: Path, about: dict[str, Any]) -> tuple[Path, Path]:
    """A stream as a CSV file, and its metadata."""
    stream = draw(name, SEED)
    table, frame = export(stream, folder / f"{name}.csv"), stream.to_frame()
    card = folder / f"{name}.croissant.json"
    text = json.dumps(metadata(name, table, frame, about).to_json(), indent=2, default=str)
    card.write_text(text + "\n", encoding="utf-8")
    check_data_set(card, frame)
    return table, card


def metadata(name: str, table: Path, frame: pd.DataFrame, about: dict[str, Any]) -> mlc.Metadata:
    """The metadata of a table: its file, and the kind and meaning of each column."""
    file = mlc.FileObject(
        id="table",
        name=table.name,
        content_url=table.name,
        content_size=f"{table.stat().st_size} B",
        encoding_formats=["text/csv"],
        sha256=hashlib.sha256(table.read_bytes()).hexdigest(),
    )
    fields = [
        mlc.Field(
            id=f"examples/{column}",
            name=column,
            description=COLUMNS.get(column, "attribute"),
            data_types=[kind_of(frame[column])],
            source=mlc.Source(file_object="table", extract=mlc.Extract(column=column)),
        )
        for column in frame
    ]
    return mlc.Metadata(
        name=name,
        description=said_of(name),
        license=[LICENCE + about["license"]],
        creators=[mlc.Organization(name=author["name"]) for author in about["authors"]],
        version=str(about["version"]),
        date_published=when(),
        cite_as=about["title"],
        url=about.get("repository-code"),
        distribution=[file],
        record_sets=[mlc.RecordSet(id="examples", name="examples", fields=fields)],
    )


def kind_of(column: pd.Series[Any]) -> Any:
    """The kind of a column, in the words of the format."""
    return mlc.DataType.INTEGER if column.dtype.kind in "biu" else mlc.DataType.FLOAT


def check_data_set(card: Path, frame: pd.DataFrame) -> None:
    """Read the table by its metadata, as a loader does; raises `Refused` if it reads another."""
    data = mlc.Dataset(jsonld=str(card))
    if errors := data.metadata.issues.errors:
        raise Refused(f"{card.name}: {'; '.join(errors)}")
    read = pd.DataFrame.from_records(iter(data.records("examples")))
    read.columns = [column.partition("/")[2] for column in read]
    if not read.astype(float).equals(frame.astype(float)):
        raise Refused(f"{card.name} reads other numbers than its table has")


# --- the whole


def crate(folder: Path, files: dict[Path, str], about: dict[str, Any]) -> None:
    """Write what each file is, and read it again."""
    made = ROCrate()
    made.name, made.description = about["title"], about.get("abstract", about["title"])
    made.datePublished, made.license = when(), LICENCE + about["license"]
    formats = {".csv": "text/csv", ".json": "application/ld+json", ".zip": "application/zip"}
    for path, text in files.items():
        place = path.relative_to(folder).as_posix()
        kind = {"encodingFormat": formats[path.suffix], "contentSize": str(path.stat().st_size)}
        made.add_file(path, place, properties={"name": path.name, "description": text, **kind})
    made.metadata.write(folder)
    check_crate(folder, files)


def check_crate(folder: Path, files: dict[Path, str]) -> None:
    """Refuse metadata that leave out a file or name one that is not there."""
    named = {entity.id for entity in ROCrate(folder).data_entities}
    there = {path.relative_to(folder).as_posix() for path in files}
    if named != there:
        raise Refused(f"ro-crate-metadata.json must name the files; it differs in {named ^ there}")


if __name__ == "__main__":
    sys.exit(main())
