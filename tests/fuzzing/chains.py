"""Chains of calls: an object is made, then its methods are called; each step is a line of code."""

from __future__ import annotations

import contextlib
import random
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter
from types import CodeType
from typing import Any

from fuzzing import surface, verdicts
from fuzzing.pools import WEIGHTS
from fuzzing.steps import Finding, Step, shrink
from fuzzing.surface import Parameter, Target
from fuzzing.values import Context, right, wrong

PREAMBLE = """\
import datetime, decimal, fractions, pathlib, types
import matplotlib.pyplot as plt, numpy as np, pandas as pd, sklearn.naive_bayes
import river.datasets, river.drift, river.naive_bayes
import repro
from repro import *
from repro import seeds
from repro.streams import label_delay
nan, inf, AX = float("nan"), float("inf"), plt.figure().add_subplot()
"""
TIMEOUT = 60.0  # seconds of processor time; compilation of kernels counts
STEPS = 4  # at most, after the first
RETURNED, REFUSED = "returned", "refused with a clear error"
NESTED = re.compile(r"\b(\w+)\.([A-Za-z]\w*)\(")


class Timeout(BaseException):
    """A call took too long; no `except Exception` of the library catches it."""


@dataclass
class Counts:
    """Counts of the calls of one path, by outcome."""

    calls: int = 0
    refused: int = 0
    returned: int = 0
    raw: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def add(self, other: Counts) -> None:
        """Add the counts of `other`."""
        for name in ("calls", "refused", "returned", "raw", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.slowest = max(self.slowest, other.slowest)


@dataclass
class Player:
    """Plays chains and counts the outcomes; `namespace` holds what `PREAMBLE` defines."""

    seed: int
    only: str = ""
    counts: dict[str, Counts] = field(default_factory=dict)
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)
    before_call: Any = None  # called with each line before it runs
    verbose: bool = False
    shrunk: dict[tuple[str, str], list[Step]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.namespace: dict[str, Any] = {}
        exec(PREAMBLE, self.namespace)
        every = surface.targets()
        self.by_path = {t.path: t for t in every}
        drawn = [t for t in every if re.search(self.only, t.path)]
        if not drawn:
            raise SystemExit(f"--only must match a public name; got {self.only!r}")
        self.targets = drawn
        weights = [_weight(t) for t in drawn]
        self.cumulative = [sum(weights[: i + 1]) for i in range(len(weights))]
        self.calls = 0

    def play(self, number: int) -> None:
        """The chain with this `number`; the same for the same seed and library."""
        rnd = random.Random(f"{self.seed} {number}")
        (target,) = rnd.choices(self.targets, cum_weights=self.cumulative)
        steps: list[Step] = []
        values: list[Any] = []
        step, arguments = self._first(rnd, target)
        for _ in range(1 + rnd.randrange(STEPS + 1)):
            steps.append(step)
            done, result = self._call(steps, values, arguments)
            if not done:
                break
            values.append(result)
            drawn = self._next(rnd, steps, values)
            if drawn is None:
                break
            step, arguments = drawn
        self._tidy(steps)

    def _tidy(self, steps: list[Step]) -> None:
        """Close figures and undo changes of the common axes before the next chain."""
        plt = self.namespace["plt"]
        plt.close("all")
        if any("AX" in code for step in steps for code in step.arguments.values()):
            self.namespace["AX"] = plt.figure().add_subplot()

    def _first(self, rnd: random.Random, target: Target) -> tuple[Step, dict[str, Any]]:
        ctx = Context(rnd)
        codes, values = self._arguments(ctx, target.path, target.parameters, target.is_record)
        return Step(target.path, codes, variadic=_variadic(target.parameters)), values

    def _next(
        self, rnd: random.Random, steps: list[Step], values: list[Any]
    ) -> tuple[Step, dict[str, Any]] | None:
        """A method or property of an earlier object, most often of the last one."""
        inside = {i for i, s in enumerate(steps) if self._is_inside(s)}
        owners = [i for i, v in enumerate(values) if _is_object(v) and i not in inside]
        if not owners:
            return None
        i = owners[-1] if rnd.random() < 0.7 else rnd.choice(owners)
        kind = type(values[i])
        methods, properties = surface.methods(kind), surface.properties(kind)
        if not methods and not properties:
            return None
        name = rnd.choice([*methods, *methods, *properties])
        if name in properties:
            return Step(f".{name}", {}, i, is_property=True), {}
        path = f"{kind.__name__}.{name}"
        codes, arguments = self._arguments(Context(rnd, values[i]), path, methods[name], False)
        variadic = _variadic(methods[name])
        return Step(f".{name}", codes, i, variadic=variadic), arguments

    def _is_inside(self, step: Step) -> bool:
        """Whether users do not call the result of `step`: it is a record or an adapter."""
        target = self.by_path.get(step.call)
        return target is not None and (target.is_record or step.call in surface.INSIDE)

    def _arguments(
        self, ctx: Context, path: str, parameters: tuple[Parameter, ...], is_record: bool
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Codes and values of arguments: all right, one wrong or several wrong; few defaults."""
        rnd = ctx.rnd
        variadic = any(p.variadic for p in parameters)
        given = [p for p in parameters if p.required or variadic or rnd.random() < 0.5]
        mood = 1.0 if is_record or not given else rnd.random()
        spoiled = {rnd.choice(given).name} if mood < 0.45 and given else set()
        if mood < 0.12:
            spoiled = {p.name for p in given if rnd.random() < 0.6}
        codes, values = {}, {}
        for p in given:
            codes[p.name], values[p.name] = self._argument(ctx, path, p, p.name in spoiled)
        return codes, values

    def _argument(self, ctx: Context, path: str, p: Parameter, spoil: bool) -> tuple[str, Any]:
        for _ in range(6):
            with contextlib.suppress(Exception):
                code = right(ctx, path, p)
                value = self._value(code)
                if spoil:
                    bent = wrong(ctx, p, code, value)
                    return bent, self._value(bent)
                return code, value
        return "None", None

    def _value(self, code: str) -> Any:
        return eval(_compiled(code), self.namespace)

    def _names(self, steps: list[Step]) -> set[str]:
        """Arguments of this call, of the calls that made its objects, and of objects inside it."""
        names: set[str] = set()
        for s in steps:
            names |= set(s.arguments)
            codes = " ".join([s.code() if s.receiver is None else "", *s.arguments.values()])
            for found in NESTED.finditer(codes):
                if target := self.by_path.get(f"{found[1]}.{found[2]}"):
                    names |= {p.name for p in target.parameters}
        return names

    def _path(self, steps: list[Step], values: list[Any]) -> str:
        step = steps[-1]
        if step.receiver is None:
            return step.call
        kind = type(values[step.receiver])
        return f"{kind.__module__.split('.')[1]}.{kind.__name__}{step.call}"

    def _call(
        self, steps: list[Step], values: list[Any], arguments: dict[str, Any]
    ) -> tuple[bool, Any]:
        """Run and count the last of `steps`; whether its result is possible, and the result."""
        path = self._path(steps, values)
        counts = self.counts.setdefault(path, Counts())
        counts.calls += 1
        self.calls += 1
        if self.before_call is not None:
            self.before_call(Finding("", "", path, "", steps).code())
        if self.verbose:
            print(f"v{len(steps) - 1} = {steps[-1].code()}", flush=True)
        started = perf_counter()
        outcome, result = self._attempt(steps, values, arguments)
        took = perf_counter() - started
        counts.seconds += took
        counts.slowest = max(counts.slowest, took)
        counts.refused += outcome is REFUSED
        counts.returned += outcome is RETURNED
        if isinstance(outcome, Finding):
            counts.raw += 1
            self._keep(outcome)
        return outcome is RETURNED, result

    def _attempt(
        self, steps: list[Step], values: list[Any], arguments: dict[str, Any]
    ) -> tuple[str | Finding, Any]:
        """Run the last of `steps`; returns RETURNED, REFUSED or the fault found, and the result."""
        path, before = self._path(steps, values), verdicts.snapshot(arguments)
        try:
            with time_limit(TIMEOUT):
                result = _run(steps[-1], values, arguments, self.namespace)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            reason = verdicts.unclear(error, arguments, self._names(steps))
            if not reason:
                return REFUSED, None
            where, _ = verdicts.frame_of(error)
            text = f"{type(error).__name__}: {str(error)[:300]}  [{reason}]"
            return Finding(type(error).__name__, where or path, path, text, list(steps)), None
        wrong = verdicts.changed(before, arguments) or verdicts.impossible(path, result, arguments)
        if wrong:
            return Finding("impossible", path, path, wrong, list(steps)), None
        return RETURNED, result

    def _keep(self, finding: Finding) -> None:
        known = self.findings.setdefault(finding.key, finding)
        if known is not finding:
            known.count += 1
        elif finding.key in self.shrunk:
            finding.steps = self.shrunk[finding.key]
        else:
            shrink(finding, self._ends_in)
            self.shrunk[finding.key] = finding.steps

    def _ends_in(self, steps: list[Step]) -> tuple[str, str] | None:
        """The key of the fault that is found when the last of `steps` runs after the others."""
        values: list[Any] = []
        self._tidy(steps)
        try:
            for i, step in enumerate(steps):
                arguments = {name: self._value(code) for name, code in step.arguments.items()}
                outcome, result = self._attempt(steps[: i + 1], values, arguments)
                if outcome is not RETURNED:
                    last = isinstance(outcome, Finding) and i == len(steps) - 1
                    return outcome.key if last else None
                values.append(result)
        except Exception:  # the argument itself cannot be made
            return None
        return None


def _run(
    step: Step,
    values: list[Any],
    arguments: dict[str, Any],
    namespace: dict[str, Any],
) -> Any:
    if step.receiver is None:
        function = eval(_compiled(step.call), namespace)
    else:
        function = getattr(values[step.receiver], step.call[1:])
    if step.is_property:
        return function
    if step.variadic:
        return function(*arguments.values())
    return function(**arguments)


def _is_object(value: Any) -> bool:
    kind = type(value)
    return kind.__module__.startswith("repro.") and not kind.__name__.startswith("_")


def _variadic(parameters: tuple[Parameter, ...]) -> str:
    return next((p.name for p in parameters if p.variadic), "")


def _weight(target: Target) -> float:
    return WEIGHTS.get(target.path, WEIGHTS.get(target.module, 1.0))


@lru_cache(maxsize=50_000)
def _compiled(code: str) -> CodeType:
    return compile(code, "<fuzz>", "eval")


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `Timeout` after `seconds` of processor time, as soon as Python code runs again."""

    def stop(*_: Any) -> None:
        raise Timeout(f"more than {seconds:g} s")

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
