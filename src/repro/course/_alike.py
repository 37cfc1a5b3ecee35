"""What a teacher should look at: ids that are shared, and answers that are equal word for word."""

from __future__ import annotations

import io
import tokenize
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from repro.course._cells import TEST, code_cells, grading, read_notebook, source
from repro.course._restore import restored
from repro.course.sheets import Sheet
from repro.course.students import normalised
from repro.course.submissions import Submission

__all__ = ["flagged"]

LEAST = 3  # tasks whose answers must be equal, so that one short answer flags nobody
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def flagged(submissions: Sequence[Submission], chosen: Mapping[str, Sheet]) -> list[Submission]:
    """The submissions, with notes on an id that others have too, and on answers like another's.

    Answers are compared as Python's tokens, so comments and layout do not count. A note needs that
    all answers of a sheet are equal, at least three, and none is the blank cell of the sheet.
    """
    notes: dict[int, list[str]] = defaultdict(list)
    for group in _groups(submissions, _id_of).values():
        _note(notes, submissions, group, "shares the id {id} with {others}")
    answers = _Texts(chosen)
    for group in _groups(submissions, answers.of).values():
        _note(notes, submissions, group, "all answers are word for word those of {others}")
    return [replace(s, notes=(*s.notes, *notes[i])) for i, s in enumerate(submissions)]


class _Texts:
    """The answers of a submission, as tokens."""

    def __init__(self, chosen: Mapping[str, Sheet]) -> None:
        self._sheets = {name: read_notebook(sheet.path) for name, sheet in chosen.items()}

    def of(self, one: Submission) -> object:
        """The tokens of each answered task; None if too few are answered."""
        if one.path is None or not one.sheet:
            return None
        sheet = self._sheets[one.sheet]
        cells = code_cells(restored(read_notebook(one.path), sheet))
        texts: dict[str, tuple[str, ...]] = {}
        for cell in cells:
            name = grading(cell).get("grade_id", TEST)
            if not name.endswith(TEST) and "raise NotImplementedError" not in source(cell):
                texts[name] = _tokens(source(cell))
        return (one.sheet, *sorted(texts.items())) if len(texts) >= LEAST else None


def _id_of(one: Submission) -> object:
    return (one.sheet, normalised(one.written)) if one.sheet and one.written.strip() else None


def _groups(
    submissions: Sequence[Submission], key: Callable[[Submission], object]
) -> dict[object, list[int]]:
    """The places of submissions of different students that share a key."""
    places: dict[object, list[int]] = defaultdict(list)
    for i, one in enumerate(submissions):
        if (value := key(one)) is not None:
            places[value].append(i)
    return {value: held for value, held in places.items() if len(held) > 1}


def _note(
    notes: dict[int, list[str]], submissions: Sequence[Submission], group: list[int], text: str
) -> None:
    for i in group:
        others = ", ".join(sorted(submissions[j].student for j in group if j != i))
        notes[i].append(text.format(id=submissions[i].written, others=others))


def _tokens(code: str) -> tuple[str, ...]:
    """The tokens of `code` without comments and layout; its words where it is not Python."""
    try:
        found = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return tuple(code.split())
    return tuple(token.string for token in found if token.type not in LAYOUT and token.string)
