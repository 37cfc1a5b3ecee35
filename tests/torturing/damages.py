"""Damage to a file that the next run reads back."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

from torturing.runs import Prepared, finish

KINDS = {
    "stored runs": "cache/**/*.run",
    "compiled kernels": "cache/kernels-*/*.code",
    "what is known of the code": "cache/code/*.json",
    "what is known of a fresh Python": "cache/fresh/*.json",
    "records of runs": "data/results/*_provenance.json",
    "executed notebooks": "build/paper/*.ipynb",
    "figures": "figures/*.png",
    "data sets": "results/**/*.csv.gz",
}


def damaged(
    prepared: Prepared, kind: str, folder: Path, rng: random.Random, mark: str
) -> Counter[str] | None:
    """Change a file of a finished run, run again; None if there is no such file."""
    work, root = prepared.work, folder / "trial"
    finished = folder / "finished" / work.name
    shutil.rmtree(root, ignore_errors=True)
    if not finished.exists():  # in the folder of the trials, since some files hold its path
        shutil.copytree(prepared.before, root)
        finish(work, root, mark)
        finished.parent.mkdir(exist_ok=True)
        root.rename(finished)
    shutil.copytree(finished, root, symlinks=True)
    files = sorted(path for path in root.glob(KINDS[kind]) if path.is_file())
    if not files:
        return None
    for path in rng.sample(files, min(3, len(files))):
        path.write_bytes(altered(path.read_bytes(), rng))
    code, said = finish(work, root, mark)
    again = work.results(root)
    return Counter(
        {
            "damages": 1,
            "next run fails": int(bool(code)),
            "tracebacks": int("Traceback" in said),
            "next run differs": int(again != prepared.after),
        }
    )


def altered(content: bytes, rng: random.Random) -> bytes:
    """One bit flipped, the end or all of it lost, or other bytes at the end."""
    changed = bytearray(content)
    how = rng.randrange(5)
    if how < 2 and changed:
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    elif how == 2:
        del changed[rng.randrange(len(changed) + 1) :]
    elif how == 3:
        changed.clear()
    else:
        changed += rng.randbytes(16)
    return bytes(changed)
