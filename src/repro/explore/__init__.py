"""Views to play with: sliders for windows, detectors and permutations, on any stream or run."""

from __future__ import annotations

__all__: list[str] = []
