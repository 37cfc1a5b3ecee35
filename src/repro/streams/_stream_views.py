"""A stream by some of its attributes, and as a table of its size and classes for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from repro.data_sets.description import Description

__all__ = ["as_html", "columns_of"]

MOST_SHOWN = 8  # classes and drifts


def columns_of(stream: Any, features: Sequence[str]) -> dict[str, Any]:
    """The fields of `stream` that change if it has only the attributes `features`."""
    about = stream.provenance or Description("", "")
    names = about.attributes
    if isinstance(features, str) or not isinstance(features, Sequence) or not features:
        raise ValueError(f"features must be a list of at least one name; got {features!r}")
    if unknown := [name for name in features if name not in names]:
        known = ", ".join(names) or "none are known"
        raise ValueError(f"features must be names of attributes ({known}); got {unknown[0]!r}")
    columns = [names.index(name) for name in features]
    about = replace(about, attributes=tuple(features))
    return {
        "X": stream.X[:, columns],
        "nominal": np.asarray(stream.nominal)[columns],
        "provenance": about,
    }


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
    labels = getattr(stream.provenance, "labels", ())
    names = labels if len(labels) == len(counts) else [str(k) for k in range(len(counts))]
    shares = counts / len(stream)
    return _listed([f"{name} {share:.1%}" for name, share in zip(names, shares, strict=True)])


def _listed(items: list[str]) -> str:
    more = len(items) - MOST_SHOWN
    return ", ".join(items[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
