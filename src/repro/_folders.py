"""Where things are: the checkout, the folder that results go to, and the cache."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["NoCheckout", "cache", "checkout", "need_checkout", "output"]


class NoCheckout(RuntimeError):
    """What was asked for needs the notebooks, and this package is installed without them."""


def checkout() -> Path | None:
    """The checkout this package runs from, or None when it is installed elsewhere."""
    root = Path(__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "notebooks").is_dir() else None


def need_checkout() -> Path:
    """The checkout; raises `NoCheckout` where there is none."""
    if (root := checkout()) is None:
        rule = "this needs a checkout of the project, with its notebooks"
        here = f"this package is installed in {Path(__file__).resolve().parent}"
        raise NoCheckout(f"{rule}; {here}: in a checkout run python -m pip install -e .")
    return root


def output() -> Path:
    """The folder that holds ``figures/`` and ``data/results/`` of this run.

    ``REPRO_OUTPUT`` when it is set, as the runner and the notebook checks do: only a run with the
    paper's parameters on the papers' data touches the committed results. Else, as in a notebook
    opened by hand, ``build/interactive`` of the checkout, or the working directory without one.
    """
    if chosen := os.environ.get("REPRO_OUTPUT"):
        return Path(chosen)
    root = checkout()
    return root / "build" / "interactive" if root else Path.cwd()


def cache() -> Path:
    """The folder of compiled kernels and finished sweep cells; safe to delete at any time.

    ``REPRO_CACHE`` when it is set, else ``build/cache`` in the checkout, else the user's cache.
    """
    if chosen := os.environ.get("REPRO_CACHE"):
        return Path(chosen)
    if root := checkout():
        return root / "build" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "repro"
