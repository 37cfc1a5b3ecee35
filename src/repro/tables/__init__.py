"""Tables for notebooks: rounded, marked, and equal in bytes for equal results."""

from repro.tables.comparisons import (
    beside_published,
    delay_text,
    delays_beside_published,
    reports_table,
)
from repro.tables.display import Prose, prose, styled
from repro.tables.mixtures import mixture_table

__all__ = [
    "Prose",
    "beside_published",
    "delay_text",
    "delays_beside_published",
    "mixture_table",
    "prose",
    "reports_table",
    "styled",
]
