"""Exercises for a class: checks that say what is wrong, seeds of a student, sheets and grading."""

from __future__ import annotations

__all__: list[str] = []
