"""What the project declares that it needs: pyproject.toml and requirements.lock."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = [
    line
    for line in (ROOT / "requirements.lock").read_text().splitlines()
    if line and not line.startswith("#")
]
PIN = re.compile(r"[a-z0-9][a-z0-9-]*==[\w.!+]+( ; [\w.<>=!'\" ()*]+)?")
# name -> version, of the pins that apply to this Python on this machine
PINNED = {
    canonicalize_name(pin.name): next(iter(pin.specifier)).version
    for pin in map(Requirement, filter(PIN.fullmatch, LOCK))
    if pin.marker is None or pin.marker.evaluate()
}
