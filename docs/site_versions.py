"""Build the site of each released version beside that of the checkout: ``make site VERSIONS=1``.

The site of the checkout is ``build/site``; that of the tag v1.2.0 is ``build/site/1.2.0``. A
version is built by its own code in its own environment (about five minutes), once: what is built is
kept in ``build/site-versions``. A page of the newest site lists them, and all their pages lead to
it.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

from extensions.publishing import ADDRESS, OLDER, as_address  # noqa: E402
from pages.versions import VERSIONS  # noqa: E402

from repro._locks import alone  # noqa: E402

RELEASED = re.compile(r"v\d+(\.\d+)+")
NEWEST = [sys.executable, "-m", "repro", "site"]
#: What a build of another version must not get: the options of this `make`, and its environment.
NOT_PASSED = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "VERSIONS", "PYTHONPATH", "VIRTUAL_ENV")


def main(root: Path = DOCS.parent) -> int:
    """Build what is not built yet, then the site of the checkout, and put them together."""
    try:
        base = as_address(os.environ.get(ADDRESS, ""))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    kept = root / "build" / "site-versions"
    with alone(kept / "lock", lambda: print("waiting for another build of the versions")):
        return _build_all(root, kept, base)


def _build_all(root: Path, kept: Path, base: str) -> int:
    for left in kept.glob(".*"):  # of a build that was killed
        shutil.rmtree(left)
    try:
        built = {name: build(root, commit, name, base, kept) for name, commit in released(root)}
    except subprocess.CalledProcessError as error:
        print(f"error: {' '.join(map(str, error.cmd))} ended with {error.returncode}; the site is "
              "as it was", file=sys.stderr)  # fmt: skip
        return 1
    site = root / "build" / "site"
    for name in built:
        shutil.rmtree(site / name, ignore_errors=True)
    environment = os.environ | {VERSIONS: " ".join(built)}
    code = subprocess.run(NEWEST, cwd=root, env=environment, check=False).returncode
    for name, folder in built.items():
        shutil.copytree(folder, site / name)
    return code


def released(root: Path) -> Iterator[tuple[str, str]]:
    """Number and commit of each version that has a tag, the newest first."""
    tags = _git(root, "tag", "--list", "--sort=-version:refname")
    for tag in filter(RELEASED.fullmatch, tags.split()):
        yield tag.removeprefix("v"), _git(root, "rev-parse", f"{tag}^{{commit}}").strip()


def build(root: Path, commit: str, name: str, base: str, kept: Path) -> Path:
    """The folder with the site of a `commit`, built in a clone of its own if it is not there."""
    address = f"{base}{name}/" if base else ""
    place = kept / hashlib.sha256(f"{commit} {address}".encode()).hexdigest()[:16]
    if place.is_dir():
        return place
    print(f"site of version {name}: its environment and its pages (about five minutes)", flush=True)
    with tempfile.TemporaryDirectory(dir=kept, prefix=".") as folder:
        clone = Path(folder) / name
        _git(root, "clone", "--quiet", "--shared", "--no-checkout", str(root), str(clone))
        _git(clone, "checkout", "--quiet", "--detach", commit)
        environment = {k: v for k, v in os.environ.items() if k not in NOT_PASSED}
        environment |= {ADDRESS: address, OLDER: "yes"}
        subprocess.run(["make", "site"], cwd=clone, env=environment, check=True)
        os.replace(clone / "build" / "site", place)
    return place


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())
