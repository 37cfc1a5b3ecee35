"""A stream as a table: of its examples, and of its size and classes for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import pandas as pd

__all__ = ["as_frame", "as_html"]

MOST_SHOWN = 8  # classes and drifts


def as_frame(stream: Any) -> pd.DataFrame:
    """One row per example, see `Stream.to_frame`."""
    frame = pd.DataFrame(stream.X, columns=[f"x{j}" for j in range(stream.X.shape[1])])
    for j in np.flatnonzero(stream.schema.nominal):
        frame[f"x{j}"] = frame[f"x{j}"].astype(int)
    frame["y"] = stream.y
    frame["drift"] = np.isin(np.arange(len(stream)), stream.drifts).astype(int)
    for name in ("optimal", "bayes_risk"):
        if getattr(stream, name) is not None:
            frame[name] = getattr(stream, name)
    return frame


def as_html(stream: Any) -> str:
    """The table of a `Stream`: its size, classes with their shares, drifts, and what is known."""
    kinds = np.asarray(stream.nominal) > 0
    truth = {"Bayes risk": stream.bayes_risk, "optimal labels": stream.optimal}
    known = ", ".join(name for name, values in truth.items() if values is not None)
    rows = {
        "examples": f"{len(stream):,}",
        "attributes": f"{(~kinds).sum()} numeric, {kinds.sum()} nominal",
        "classes": _classes(stream),
        "drifts": _listed([f"{position:,}" for position in stream.drifts]) or "none known",
        "truth": known or "unknown",
    }
    cells = "".join(f"<tr><th>{key}</th><td>{escape(text)}</td></tr>" for key, text in rows.items())
    return f"<table><caption>{escape(stream.name or 'Stream')}</caption>{cells}</table>"


def _classes(stream: Any) -> str:
    counts = np.bincount(stream.y, minlength=stream.n_classes)
    labels = getattr(stream.description, "labels", ())
    names = labels if len(labels) == len(counts) else [str(k) for k in range(len(counts))]
    shares = counts / len(stream)
    return _listed([f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True)])


def _listed(items: list[str]) -> str:
    more = len(items) - MOST_SHOWN
    return ", ".join(items[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
