"""How often the report on a stream says drift: on fifteen kinds without any, and sixteen with.

    python benchmarks/drift_answers.py [--draws 200] [--jobs 2] [--only KIND ...]

Each draw is a stream of its own, and gets what `repro.judge.stream` says of its drift. The rows
(one per kind, with the number of draws in which label shares, attributes and concept were said to
change) are written to ``results/drift_answers.csv``, and their shares into the README beside.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy.typing import NDArray
from report import put_into_readme
from tqdm import tqdm

from repro import Stream
from repro.judge._stream.drift import drift_of
from repro.statistics import season

N = 6000
ASPECTS = ["label shares", "attributes", "concept"]
FILE = Path(__file__).parent / "results" / "drift_answers.csv"

Rng = np.random.Generator
Labels = NDArray[np.int64]
Kind = Callable[[Rng], Stream]


# --- labels and attributes


def coins(rng: Rng, p: float | NDArray[np.float64] = 0.5) -> Labels:
    """Independent labels, of which `p` are one."""
    return (rng.random(N) < p).astype(np.int64)


def of(y: Labels, rng: Rng, noise: float = 1.0) -> Stream:
    """Two attributes of which one tells the label, up to noise."""
    return Stream(np.column_stack([y + rng.normal(0, noise, y.size), rng.normal(size=y.size)]), y)


def part(rng: Rng, parts: int) -> Labels:
    """The number of the part that each example is in; parts begin where `rng` says."""
    starts = (np.arange(1, parts) + rng.uniform(-0.2, 0.2, parts - 1)) * N / parts
    return np.searchsorted(starts, np.arange(N), side="right")


# --- without drift


def independent(rng: Rng) -> Stream:
    """Independent labels, one informative attribute."""
    return of(coins(rng), rng)


def markov(rng: Rng) -> Stream:
    """Labels stay for about ten examples."""
    return of(np.cumsum(rng.random(N) < 0.1) % 2, rng)


def autoregressive(rng: Rng) -> Stream:
    """Attributes remember about twenty examples; one decides the label."""
    X = np.zeros((N, 2))
    shocks = rng.normal(size=(N, 2))
    for i in range(1, N):
        X[i] = 0.9 * X[i - 1] + shocks[i]
    return Stream(X, (X[:, 0] + rng.normal(0, 1, N) > 0).astype(np.int64))


def daily(rng: Rng, period: float) -> Stream:
    phase = rng.uniform(0, 2 * np.pi)
    return of(coins(rng, 0.5 + 0.4 * np.sin(phase + 2 * np.pi * np.arange(N) / period)), rng)


def whole_periods(rng: Rng) -> Stream:
    """A daily course of the labels, 60 whole days."""
    return daily(rng, 100)


def cut_period(rng: Rng) -> Stream:
    """A daily course of the labels, 41.7 days."""
    return daily(rng, 144)


def heavy_runs(rng: Rng) -> Stream:
    """Runs of equal labels of which the longest hold much of the stream."""
    lengths = np.ceil(5 * rng.pareto(1.3, N) + 1).astype(np.int64)
    return of(np.repeat(np.arange(N) % 2, lengths)[:N], rng, 1.5)


def groups(rng: Rng) -> Stream:
    """People one after the other, with attributes and labels of their own."""
    who = np.repeat(np.arange(N), rng.integers(10, 50, N))[:N]
    stream = of(coins(rng, rng.beta(2, 2, N)[who]), rng)
    return Stream(stream.X + rng.normal(size=(N, 2))[who], stream.y)


def rare(rng: Rng) -> Stream:
    """3 % of the labels are one."""
    return of(coins(rng, 0.03), rng, 0.3)


def duplicates(rng: Rng) -> Stream:
    """Each example stands in the stream about four times."""
    stream, rows = independent(rng), rng.integers(0, N // 4, N)
    return Stream(stream.X[rows], stream.y[rows])


def missing(rng: Rng) -> Stream:
    """A fifth of an attribute is missing, and read as the value before."""
    stream = independent(rng)
    frame = pd.DataFrame(stream.X, columns=["a", "b"]).assign(y=stream.y)
    gone = np.repeat(rng.random(N) < 0.2, rng.integers(1, 10, N))[:N]
    frame.loc[gone, "a"] = np.nan
    return Stream.from_frame(frame, label="y")


def constant(rng: Rng) -> Stream:
    """Five classes and an attribute of one value."""
    y = rng.integers(0, 5, N)
    return Stream(np.column_stack([y + rng.normal(size=N), np.ones(N)]), y)


def clock(rng: Rng) -> Stream:
    """The hour and the weekday are attributes."""
    stream, t = independent(rng), np.arange(N) + rng.integers(168)
    return Stream(np.column_stack([stream.X, t % 24, t // 24 % 7]), stream.y)


def cut_clock(rng: Rng) -> Stream:
    """The hour is an attribute; rows are missing, one of twenty."""
    stream, t = independent(rng), np.flatnonzero(rng.random(2 * N) > 0.05)[:N]
    return Stream(np.column_stack([stream.X, t % 24]), stream.y)


def cut_days(rng: Rng) -> Stream:
    """A daily course decides nearly all labels; rows are missing, one of twenty."""
    t = np.flatnonzero(rng.random(2 * N) > 0.05)[:N]
    return of((t % 48 < 24) ^ coins(rng, 0.02), rng)


def warm_days(rng: Rng) -> Stream:
    """An attribute has a daily course, and decides the label."""
    wave = np.sin(2 * np.pi * np.arange(N) / 29.53 + rng.uniform(0, 2 * np.pi))
    X = np.column_stack([wave + 0.5 * rng.normal(size=N), rng.normal(size=N)])
    return Stream(X, (rng.random(N) < 1 / (1 + np.exp(-X[:, 0]))).astype(np.int64))


# --- with drift


def turned(rng: Rng, flip: NDArray[np.bool_], noise: float = 0.5) -> Stream:
    """Attributes that tell the label the other way round where `flip` says; they do not move."""
    X = rng.normal(size=(N, 2))
    y = (X[:, 0] + rng.normal(0, noise, N) > 0).astype(np.int64)
    return Stream(X, np.where(flip, 1 - y, y))


def sudden(rng: Rng) -> Stream:
    """The concept turns round half way."""
    return turned(rng, part(rng, 2) == 1)


def gradual(rng: Rng) -> Stream:
    """It turns round, example by example ever more often."""
    return turned(rng, rng.random(N) < np.clip(np.arange(N) / N * 2 - 0.5, 0, 1))


def incremental(rng: Rng) -> Stream:
    """The boundary turns by 90 degrees along the stream."""
    X, angle = rng.normal(size=(N, 2)), np.pi / 2 * np.arange(N) / N
    edge = X[:, 0] * np.cos(angle) + X[:, 1] * np.sin(angle)
    return Stream(X, (edge + rng.normal(0, 0.3, N) > 0).astype(np.int64))


def three_turns(rng: Rng) -> Stream:
    """Three parts take turns."""
    return turned(rng, part(rng, 3) % 2 == 1)


def six_turns(rng: Rng) -> Stream:
    """Six parts take turns."""
    return turned(rng, part(rng, 6) % 2 == 1)


def ten_turns(rng: Rng) -> Stream:
    """Ten parts take turns."""
    return turned(rng, part(rng, 10) % 2 == 1)


def twenty_turns(rng: Rng) -> Stream:
    """Twenty parts take turns."""
    return turned(rng, part(rng, 20) % 2 == 1)


def xor(rng: Rng) -> Stream:
    """The label is the exclusive or of two signs; it turns round half way."""
    X = rng.normal(size=(N, 2))
    y = ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(np.int64)
    return Stream(X, np.where(part(rng, 2) == 1, 1 - y, y))


def local(rng: Rng) -> Stream:
    """The concept turns round for a quarter of the examples, where an attribute is large."""
    stream = turned(rng, np.zeros(N, bool))
    here = (stream.X[:, 1] > 0.67) & (part(rng, 2) == 1)
    return Stream(stream.X, np.where(here, 1 - stream.y, stream.y))


def episode(rng: Rng) -> Stream:
    """A tenth of the stream, somewhere, follows another concept."""
    start = rng.integers(N // 10, 8 * N // 10)
    at = np.arange(N)
    return turned(rng, (at >= start) & (at < start + N // 10))


def one_of_ten(rng: Rng) -> Stream:
    """Of ten attributes another one decides the label."""
    X, which = rng.normal(size=(N, 10)), np.where(part(rng, 2) == 1, 6, 2)
    return Stream(X, (X[np.arange(N), which] + rng.normal(0, 0.5, N) > 0).astype(np.int64))


def more_of_one(rng: Rng) -> Stream:
    """A class becomes more frequent, from 40 to 55 %."""
    return of(coins(rng, np.where(part(rng, 2) == 1, 0.4, 0.55)), rng)


def moved(rng: Rng) -> Stream:
    """An attribute that the label does not depend on moves."""
    stream = independent(rng)
    return Stream(stream.X + np.outer(part(rng, 2) == 1, [0, 0.7]), stream.y)


def wider(rng: Rng) -> Stream:
    """An attribute that the label does not depend on becomes wider."""
    stream = independent(rng)
    return Stream(stream.X * np.where(np.outer(part(rng, 2) == 1, [0, 1]), 1.6, 1), stream.y)


def other_values(rng: Rng) -> Stream:
    """The shares of the four values of a nominal attribute change."""
    shares = [0.4, 0.3, 0.2, 0.1], [0.25, 0.25, 0.25, 0.25]
    values = np.array([rng.choice(4, N, p=p) for p in shares])[part(rng, 2), np.arange(N)]
    y = coins(rng)
    X = np.column_stack([y + rng.normal(size=N), values])
    return Stream(X, y, np.array([0, 4]))


def warmer(rng: Rng) -> Stream:
    """An attribute with a daily course moves, beside the hour."""
    stream, t = independent(rng), np.arange(N)
    wave = np.sin(2 * np.pi * t / 24) + rng.normal(size=N) + 0.7 * part(rng, 2)
    return Stream(np.column_stack([stream.X, wave, t % 24]), stream.y)


WITHOUT = [independent, markov, autoregressive, whole_periods, cut_period, heavy_runs, groups]
WITHOUT += [rare, duplicates, missing, constant, clock, cut_clock, cut_days, warm_days]
WITH: dict[Kind, str] = dict.fromkeys(
    [sudden, gradual, incremental, three_turns, six_turns, ten_turns, twenty_turns, xor, local],
    "concept",
)
WITH |= {episode: "concept", one_of_ten: "concept", more_of_one: "label shares"}
WITH |= dict.fromkeys([moved, wider, other_values, warmer], "attributes")
KINDS = {kind.__name__: kind for kind in [*WITHOUT, *WITH]}


# --- what is said


def said(kind: str, draw: int) -> list[bool]:
    """Of which aspects drift is said."""
    rng = np.random.default_rng([draw, *kind.encode()])
    stream = KINDS[kind](rng)
    drift, _ = drift_of(stream, season(stream.y), rng, draw, quick=True)
    return [drift.aspects[aspect].found for aspect in ASPECTS]


def row(kind: str, answers: list[list[bool]]) -> dict[str, object]:
    """Counts of a kind; "any" of draws in which drift of any kind is said."""
    table = np.array(answers)
    return {
        "kind": kind,
        "changes": WITH.get(KINDS[kind], "nothing"),
        "draws": len(table),
        "any": int(table.any(axis=1).sum()),
        **dict(zip(ASPECTS, table.sum(axis=0).tolist(), strict=True)),
    }


def markdown(table: pd.DataFrame) -> str:
    """The rows as a table of the README: shares of draws."""
    lines = ["| stream | what changes | draws | any drift | " + " | ".join(ASPECTS) + " |"]
    lines.append("|---" * (4 + len(ASPECTS)) + "|")
    for row in table.to_dict("records"):
        name = (KINDS[row["kind"]].__doc__ or "").partition("\n")[0].rstrip(".")
        shares = [f"{100 * row[c] / row['draws']:.3g} %" for c in ("any", *ASPECTS)]
        lines.append("| " + " | ".join([name, row["changes"], str(row["draws"]), *shares]) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run all kinds, or those named, and write their rows."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--draws", type=int, default=200, help="of each kind without drift")
    parser.add_argument("--with-drift", type=int, default=20, help="draws of each kind with drift")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--only", nargs="*", default=list(KINDS), choices=KINDS, metavar="KIND")
    options = parser.parse_args()
    old = pd.read_csv(FILE).set_index("kind", drop=False).T.to_dict() if FILE.is_file() else {}
    for kind in tqdm(options.only, unit="kind"):
        draws = options.with_drift if KINDS[kind] in WITH else options.draws
        work = (delayed(said)(kind, draw) for draw in range(draws))
        old[kind] = row(kind, Parallel(options.jobs)(work))
        table = pd.DataFrame([old[kind] for kind in KINDS if kind in old])
        table.to_csv(FILE, index=False)
    put_into_readme("drift answers", markdown(table))


if __name__ == "__main__":
    main()
