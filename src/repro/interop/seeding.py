"""Seeded copies of models of other libraries."""

from repro._seeding import seeded

__all__ = ["seeded"]
