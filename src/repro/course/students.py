"""The seed of a student: everybody computes with other numbers, and the grader knows which."""

from __future__ import annotations

from repro import seeds
from repro._checks import check_text

__all__ = ["normalised", "student_seed"]


def normalised(student: str) -> str:
    """The id as it is compared: without surrounding spaces, in lower case.

    Raises TypeError unless `student` is a text, ValueError if nothing is left of it.

    >>> normalised("  Ada01 ")
    'ada01'
    """
    text = check_text(student, name="student").strip().lower()
    if not text:
        raise ValueError(f"student must be an id, such as 'ada01'; got {student!r}")
    return text


def student_seed(student: str) -> int:
    """The seed of a student's streams, a number below a thousand million.

    It depends on the normalised id alone, so it is the same on every machine.

    >>> student_seed("ada01") == student_seed(" ADA01 "), student_seed("ada01") == student_seed("b")
    (True, False)
    """
    return seeds.integer(0, "student", normalised(student)) % 1_000_000_000
