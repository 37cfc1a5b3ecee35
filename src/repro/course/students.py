"""The seed of a student: everybody computes with other numbers, and the grader knows which."""

from __future__ import annotations

from typing import Any

from repro import seeds
from repro._checks import check_text

__all__ = ["normalised", "student_seed"]


def normalised(student: str | int) -> str:
    """The id as it is compared: without surrounding spaces, in lower case.

    A whole number is an id, too. Raises TypeError for anything else that is no text, ValueError if
    nothing is left of it.

    >>> normalised("  Ada01 "), normalised(4711)
    ('ada01', '4711')
    """
    written: Any = str(student) if type(student) is int else student
    text = check_text(written, name="student").strip().lower()
    if not text:
        raise ValueError(f"student must be an id, such as 'ada01'; got {student!r}")
    return text


def student_seed(student: str | int) -> int:
    """The seed of a student's streams, a number below a thousand million.

    It depends on the normalised id alone, so it is the same on every machine.

    >>> student_seed("ada01") == student_seed(" ADA01 "), student_seed("ada01") == student_seed("b")
    (True, False)
    """
    return seeds.integer(0, "student", normalised(student)) % 1_000_000_000
