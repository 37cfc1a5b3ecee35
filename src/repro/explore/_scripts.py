"""The scripts of the page, one idea per file of the folder ``js``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

__all__ = ["KERNELS", "VIEWS", "scripts"]

FOLDER = Path(__file__).parent / "js"
#: Functions with the names and the numbers of this package.
KERNELS = (
    *("fading", "estimators", "kappa", "comparison"),
    *("detectors", "adwin", "detection", "permutations"),
)
#: What the page makes of them, in the order in which it is read.
VIEWS = ("recording", "code", "views", "sentences", "drawing", "cards", "page", "controls")


def scripts(names: Iterable[str]) -> str:
    """The text of the scripts called `names`, one after the other.

    >>> "function fading_error(" in scripts(["estimators"])
    True
    """
    return "\n".join((FOLDER / f"{name}.js").read_text("utf-8") for name in names)
