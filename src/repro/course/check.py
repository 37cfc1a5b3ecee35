"""Checks of a student's answers: each names what is wrong, and none hides another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from repro import seeds
from repro._checks import check_count, check_flag, check_mapping, check_text, shown
from repro.course._cells import PLACEHOLDER
from repro.course._compare import bare, holds, items_in, numbers_in, same, short, unlike
from repro.course.students import normalised, student_seed

__all__ = ["Check", "WrongAnswer"]

LETTERS = "ABCDEFGH"
MISSING = object()
RIGHT = "Right."
PASSED = "The form is right. Whether the answer is right, the grading says."


class WrongAnswer(AssertionError):
    """One or more answers are wrong; the message has a line for each fault.

    Attributes
    ----------
    right : the share of the answers that are right, 0 if the fault is none of a single answer
    """

    right = 0.0


class Check:
    """The checks of one student's answers, which it finds by their names.

    An answer is a variable or a function of the student's notebook. A single check raises
    `WrongAnswer`; in a ``with`` block all checks are made first, and one error lists all faults.

    Parameters
    ----------
    student : the student's id, a text or a number, which decides the numbers of the sheet
    answers : where the answers are, ``globals()`` in a notebook
    self_study : whether the checks know what is right, as in a sheet for self-study

    >>> check = Check("ada01", {"error": 31.2, "alarms": [4, 7]})
    >>> with check:
    ...     check.close("error", 0.312, decimals=3)
    ...     check.equal("alarms", [4, 7])
    ...     check.number("delay")
    Traceback (most recent call last):
    repro.course.check.WrongAnswer: 2 faults
    - error must be 0.312; got 31.2: that is 100 times the answer: give a share of 1, not percent
    - delay is not there: run the cell in which you assign it
    """

    def __init__(
        self, student: str | int, answers: Mapping[str, Any], self_study: bool = False
    ) -> None:
        self.student = normalised(student)
        if self.student == PLACEHOLDER:
            raise ValueError(f"write your own id into the first cell, in place of {student!r}")
        self.seed = student_seed(student)
        self._passed = RIGHT if check_flag(self_study, name="self_study") else PASSED
        self._answers = check_mapping(answers, name="answers", rule="names to values: globals()")
        self._faults: list[str] | None = None
        self._asked_for, self._wrong = set[str](), set[str]()  # answers; those with a fault
        self._answer = ""  # that of the check that is made; empty if a rule is about several
        self._options: dict[str, tuple[str, ...]] = {}

    def __enter__(self) -> Check:
        self._faults = []
        self._asked_for, self._wrong = set[str](), set[str]()
        return self

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        faults, self._faults = self._faults or [], None
        if isinstance(error, Exception):
            faults.append(f"{type(error).__name__}: {error}")
            self._wrong.add("")
        elif error is not None:
            return
        if not faults:
            return print(self._passed)
        head = f"{len(faults)} fault" + "s" * (len(faults) > 1)
        wrong = WrongAnswer("\n- ".join([head, *faults]))
        if "" not in self._wrong and self._asked_for:
            wrong.right = 1 - len(self._wrong) / len(self._asked_for)
        raise wrong from error

    # --- what a student may see: is the answer there, and of the right form?

    def number(self, name: str, least: float | None = None, most: float | None = None) -> None:
        """The answer is one number, from `least` to `most`."""
        if (answer := self._find(name)) is MISSING:
            return
        got = numbers_in(answer)
        if got is None or got.size != 1:
            self._fault(f"{name} must be one number; got {shown(answer)}")
        elif not (least is None or got.item() >= least) or not (most is None or got.item() <= most):
            bounds = f"from {least}" if most is None else f"from {least} to {most}"
            self._fault(f"{name} must be {bounds}; got {got.item():.6g}")

    def array(self, name: str, n: int | None = None) -> None:
        """The answer holds numbers in one dimension, `n` of them: an array, list or series."""
        if (answer := self._find(name)) is MISSING:
            return
        got = numbers_in(answer)
        if got is None or got.ndim != 1:
            self._fault(f"{name} must be a sequence of numbers; got {shown(answer)}")
        elif n is not None and got.size != n:
            self._fault(f"{name} must have {n} numbers; got {got.size}")

    def collection(self, name: str) -> None:
        """The answer is a set of values, or a list, array, series or index of them."""
        answer = self._find(name)
        if answer is not MISSING and items_in(answer) is None:
            self._fault(f"{name} must be a set; got {shown(answer)}")

    def function(self, name: str, *arguments: Any) -> None:
        """The answer is a function, and a call with `arguments` returns something."""
        if self._call(name, arguments) is None:
            self._fault(f"{name} must return a value; got None: is there a `return`?")

    def letter(self, name: str) -> None:
        """The answer is one of the letters that `ask` printed."""
        letters = LETTERS[: len(self._asked(name))]
        answer = self._find(name)
        if answer is not MISSING and not (isinstance(answer, str) and bare(answer) in letters):
            self._fault(f"{name} must be a letter of {letters}; got {shown(answer)}")

    def ask(self, name: str, *options: str) -> None:
        """Print the `options` of the question `name`, in an order of this student's own."""
        self._options[check_text(name, name="name")] = options
        for letter, i in zip(LETTERS, self._order(name), strict=False):
            print(f"{letter}. {options[i]}")

    def option(self, name: str, number: int) -> str:
        """The letter of an option, by its number 1, 2, ... in the call of `ask`."""
        order = self._order(name)
        number = check_count(number, name="number", most=len(order))
        return LETTERS[order.index(number - 1)]

    # --- what only the grader sees: is the answer right?

    def close(
        self,
        name: str,
        value: Any,
        *,
        decimals: int | None = None,
        within: float | None = None,
        mistakes: Mapping[str, Any] | None = None,
    ) -> None:
        """The answer is the number or the numbers `value`, in a list, an array or a series.

        Parameters
        ----------
        name : the answer
        value : the right number, or numbers; nan equals nan
        decimals : an answer rounded to so many digits is right; by default a relative 1e-6 counts
        within : or else, how far from `value` an answer may be
        mistakes : common mistakes in words, each with the value it leads to
        """
        if (answer := self._find(name)) is not MISSING:
            far = None if decimals is None else 0.5 * 10.0**-decimals
            self._fault(unlike(name, answer, value, far if within is None else within, mistakes))

    def equal(self, name: str, value: Any, mistakes: Mapping[str, Any] | None = None) -> None:
        """The answer is the whole number, text or truth value, or a list or set of such."""
        slips = check_mapping(mistakes or {}, name="mistakes", rule="texts to values")
        answer = self._find(name)
        if answer is MISSING or same(answer, value):
            return
        named = [f": {text}" for text, wrong in slips.items() if same(answer, wrong)]
        self._fault(f"{name} must be {value!r}; got {shown(answer)}{''.join(named[:1])}")

    def returns(
        self,
        name: str,
        arguments: tuple[Any, ...],
        value: Any,
        *,
        decimals: int | None = None,
        mistakes: Mapping[str, Any] | None = None,
    ) -> None:
        """A call of the answer with copies of the `arguments` returns numbers close to `value`."""
        result = self._call(name, arguments)
        if result is not MISSING:
            call = f"{name}({', '.join(short(a) for a in arguments)})"
            far = None if decimals is None else 0.5 * 10.0**-decimals
            self._fault(unlike(call, result, value, far, mistakes))

    def chose(self, name: str, number: int, why: str = "") -> None:
        """The answer is the letter of the option `number`, 1, 2, ... in the call of `ask`."""
        answer = self._find(name)
        if answer is MISSING or not isinstance(answer, str):
            self.letter(name)
        elif bare(answer) != (right := self.option(name, number)):
            reason = f": {why}" if why else ""
            self._fault(f"{name} must be {right}; got {shown(answer)}{reason}")

    def that(self, truth: bool, rule: str) -> None:
        """What `rule` says holds, for answers that have more than one right form."""
        self._answer = ""
        if not holds(truth):
            self._fault(check_text(rule, name="rule"))

    def value(self, name: str) -> Any:
        """The answer itself; None if it is not there, which is a fault."""
        return None if (answer := self._find(name)) is MISSING else answer

    def _find(self, name: str) -> Any:
        self._answer = check_text(name, name="name")
        self._asked_for.add(name)
        if name not in self._answers:
            self._fault(f"{name} is not there: run the cell in which you assign it")
        return self._answers.get(name, MISSING)

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        function: Callable[..., Any] | object = self._find(name)
        if function is MISSING:
            return MISSING
        if not callable(function):
            self._fault(f"{name} must be a function; got {shown(function)}")
            return MISSING
        try:
            return function(*deepcopy(arguments))
        except Exception as error:
            call = f"{name}({', '.join(short(a) for a in arguments)})"
            self._fault(f"{call} raised {type(error).__name__}: {error}")
            return MISSING

    def _asked(self, name: str) -> tuple[str, ...]:
        if check_text(name, name="name") not in self._options:
            raise WrongAnswer(f"the options of {name} are not there: run the cell that prints them")
        return self._options[name]

    def _order(self, name: str) -> list[int]:
        n = len(self._asked(name))
        return seeds.generator(self.seed, "options", name).permutation(n).tolist()

    def _fault(self, text: str) -> None:
        if not text:
            return
        self._wrong.add(self._answer)
        if self._faults is None:
            raise WrongAnswer(text)
        if text not in self._faults:  # a form and a value that are not there: one fault
            self._faults.append(text)
