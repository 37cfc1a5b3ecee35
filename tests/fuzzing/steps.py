"""Steps (lines of code), findings at the last of them, and shrinking them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

PATIENCE = 60.0  # seconds for making a finding shorter
#: Tried in place of longer arguments when a finding is made shorter.
SIMPLE = (
    "1", "0", "-1", "0.5", "None", "nan", "'a'", "[]", "1j", "[0, 1]", "[None]", "['a']",
    "[[1], 2]", "[nan]", "{}", "object()", "10**30", "2**63", "np.array(0)", "pd.NA",
)  # fmt: skip


@dataclass
class Step:
    """One line of code: the call (``metrics.Kappa`` or ``.update``) and its arguments."""

    call: str
    arguments: dict[str, str]
    receiver: int | None = None  # number of the step that made the object
    is_property: bool = False
    variadic: str = ""

    def code(self) -> str:
        """The line, without the assignment."""
        owner = "" if self.receiver is None else f"v{self.receiver}"
        if self.is_property:
            return f"{owner}{self.call}"
        if self.variadic:
            texts = list(self.arguments.values())
        else:
            texts = [f"{name}={code}" for name, code in self.arguments.items()]
        return f"{owner}{self.call}({', '.join(texts)})"


class Text(Step):
    """Lines of a process that died, as they were."""

    def code(self) -> str:
        """The lines."""
        return self.call


@dataclass
class Finding:
    """A raw error or an impossible result, with the lines that lead to it."""

    kind: str
    where: str
    path: str
    text: str
    steps: list[Step]
    count: int = 1

    @property
    def key(self) -> tuple[str, str]:
        """Findings with the same key are one fault."""
        return self.kind, self.where

    def code(self) -> str:
        """The lines as Python code, to be run after `PREAMBLE`."""
        used = {s.receiver for s in self.steps}
        return "\n".join(
            f"v{i} = {s.code()}" if i in used else s.code() for i, s in enumerate(self.steps)
        )


def shrink(
    finding: Finding,
    ends_in: Callable[[list[Step]], tuple[str, str] | None],
    seconds: float = PATIENCE,
) -> None:
    """Drop and simplify steps and arguments of `finding` as long as the fault stays the same.

    After so many `seconds` no further attempt is begun: each runs all the steps again.
    """
    stop, again = monotonic() + seconds, True
    while again:
        again = False
        for steps in _simpler(finding.steps):
            if monotonic() >= stop:
                return
            if ends_in(steps) == finding.key:
                finding.steps, again = steps, True
                break


def _simpler(steps: list[Step]) -> Iterator[list[Step]]:
    for i in range(len(steps) - 1):
        if all(s.receiver != i for s in steps):
            later = [replace(s, receiver=_without(s.receiver, i)) for s in steps[i + 1 :]]
            yield steps[:i] + later
    for i, step in enumerate(steps):
        for name, code in step.arguments.items():
            others = {n: c for n, c in step.arguments.items() if n != name}
            yield [*steps[:i], replace(step, arguments=others), *steps[i + 1 :]]
            for short in SIMPLE:
                if len(short) < len(code):
                    changed = {**step.arguments, name: short}
                    yield [*steps[:i], replace(step, arguments=changed), *steps[i + 1 :]]


def _without(receiver: int | None, i: int) -> int | None:
    return receiver - 1 if receiver is not None and receiver > i else receiver
