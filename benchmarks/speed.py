"""Part `learners`: seconds of each learner on each stream, in all libraries, round by round.

In a round every library is measured once, right after the other, so that a ratio compares
neighbours in time. A library that has had its seconds for a learner leaves out the later rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pandas as pd
from cases import CASES, Case
from timing import Timed, least, now
from with_moa import Moa
from with_river import RiverRun

import data
from repro import Stream, prequential
from repro.learners import Learner, Temporal

SECONDS = 2.0  # of one library on one learner and stream, after which no further round begins
MOA_SECONDS = 0.7  # of one run of MOA: slow learners get the first examples only, and so do ours
MOA_LEAST = 4_000  # examples of such a run
ARRAYS = 10_000  # examples of a run of CapyMOA on arrays, at most
RIVER_SECONDS = 0.6  # of one run of river: slow learners get a part of the examples

Ways = dict[str, Callable[[], Timed]]


def measure(
    streams: list[str], learners: list[str], rounds: int, scale: float, moa: Moa | None
) -> pd.DataFrame:
    """One row per stream, learner, library and round."""
    rows = []
    for stream_name in streams:
        stream = data.make(stream_name, scale)
        if stream is None:
            continue
        for name in learners:
            print(f"  {stream_name}: {name}", flush=True)
            case, key = CASES[name], {"stream": stream_name, "learner": name}
            n, ways = _ways(case, stream_name, stream, moa)
            for library, number, timed in _rounds(ways, rounds):
                found = {"library": library, "round": number, "n": n, **timed._asdict()}
                rows.append({**key, **found})
    if not rows:
        raise SystemExit("there is no stream to measure on")
    return pd.DataFrame(rows)


def _ways(case: Case, name: str, stream: Stream, moa: Moa | None) -> tuple[int, Ways]:
    """Number of examples, and how each library is measured once."""
    n, ways = len(stream), {}
    if moa is not None and case.moa is not None:
        words = case.moa(stream)
        affordable = int(moa.rate(name, stream, words) * MOA_SECONDS)
        n = min(n, max(MOA_LEAST, affordable // 1000 * 1000))
        short = min(n, ARRAYS)
        ways["MOA"] = lambda: moa.time(name, stream, words, "loop", n)
        ways["CapyMOA, file"] = lambda: moa.time(name, stream, words, "file", n)
        ways["CapyMOA, arrays"] = lambda: moa.time(name, stream, words, "arrays", short)
    part = data.first(stream, n)
    ways = {
        "ours": lambda: _ours(case.ours, part, proba=False),
        "ours with shares": lambda: _ours(case.ours, part, proba=True),
        **ways,
    }
    if case.river is not None:
        river = RiverRun(case.river, part, RIVER_SECONDS)
        ways["river"] = lambda: least(river)
    return n, ways


def _rounds(ways: Ways, rounds: int) -> Iterator[tuple[str, int, Timed]]:
    spent = dict.fromkeys(ways, 0.0)
    for number in range(rounds):
        for library, measured in ways.items():
            if spent[library] < SECONDS:
                begin = time.perf_counter()
                yield library, number, measured()
                spent[library] += time.perf_counter() - begin


def _ours(learner: Learner | Temporal, stream: Stream, *, proba: bool) -> Timed:
    """The whole call, as its user waits for it; what was compiled before is not in it."""

    def call() -> Timed:
        begin = now()
        run = prequential(learner, stream, proba=proba)
        seconds = now() - begin
        return Timed(seconds, len(stream), run.error, run.state_bytes)

    prequential(learner, stream.take([0]), proba=proba)
    return least(call)
