"""Figures of the paper: arrays in, axes out; and saving them with their provenance."""

from repro.figures.save import save

__all__ = ["save"]
