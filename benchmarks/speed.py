"""Part `learners`: seconds of each learner on each stream, in all libraries, round by round.

In a round every library is measured once, right after the other, so that a ratio compares
neighbours in time. A library that has had its seconds for a learner leaves out the later rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pandas as pd
from cases import CASES, Case
from timing import Timed, least
from with_moa import Moa
from with_river import RiverRun

import data
from repro import Stream, prequential
from repro.learners import Learner

SECONDS = 20.0  # of one library on one learner and stream, after which no further round begins
RIVER_SECONDS = 2.0  # of one round of river: slow learners get every s-th example only


def measure(
    streams: list[str], learners: list[str], rounds: int, scale: float, moa: Moa | None
) -> pd.DataFrame:
    """One row per stream, learner, library and round."""
    rows = []
    for stream_name in streams:
        stream = data.make(stream_name, scale)
        for name in learners:
            print(f"  {stream_name}: {name}", flush=True)
            ways = _ways(CASES[name], stream_name, stream, moa)
            for library, number, timed in _rounds(ways, rounds):
                key = {"stream": stream_name, "learner": name, "library": library}
                rows.append({**key, "round": number, "n": len(stream), **timed._asdict()})
            size = prequential(CASES[name].ours, stream, proba=False).state_bytes
            rows[-1]["state_bytes"] = size
    frame = pd.DataFrame(rows)
    frame["state_bytes"] = frame.groupby(["stream", "learner"])["state_bytes"].transform("max")
    return frame


def _ways(case: Case, name: str, stream: Stream, moa: Moa | None) -> dict[str, Callable[[], Timed]]:
    """How each library is measured once."""
    ways = {
        "ours": lambda: _ours(case.ours, stream, proba=False),
        "ours with shares": lambda: _ours(case.ours, stream, proba=True),
    }
    if moa is not None:
        words = case.moa(stream)
        ways["MOA"] = lambda: moa.time(name, stream, words, evaluator=False)
        ways["MOA with measures"] = lambda: moa.time(name, stream, words, evaluator=True)
    river = RiverRun(case.river, stream, RIVER_SECONDS)
    ways["river"] = lambda: least(river)
    return ways


def _rounds(ways: dict[str, Callable[[], Timed]], rounds: int) -> Iterator[tuple[str, int, Timed]]:
    spent = dict.fromkeys(ways, 0.0)
    for number in range(rounds):
        for library, measured in ways.items():
            if spent[library] < SECONDS:
                begin = time.perf_counter()
                yield library, number, measured()
                spent[library] += time.perf_counter() - begin


def _ours(learner: Learner, stream: Stream, *, proba: bool) -> Timed:
    """The whole call, as its user waits for it; what was compiled before is not in it."""

    def call() -> Timed:
        begin = time.perf_counter()
        run = prequential(learner, stream, proba=proba)
        return Timed(time.perf_counter() - begin, len(stream), run.error)

    prequential(learner, stream.take([0]), proba=proba)
    return least(call)
