"""Write docs/conformance.md: ``python tests/conformance/table.py``, or ``make docs``.

The numbers are computed, and the reasons are in the text below. Without the data set elec2, the
rows of elec2 do not change.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

import numpy as np
from oracle import (
    LEARNERS,
    LEAST_AGREEMENT,
    ONE_DRAW,
    SEEDS,
    SEEDS_BESIDE_ONE_DRAW,
    STREAMS,
    TWO_CLASSES,
    WIDER,
    Comparison,
    compare,
    is_there,
)

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"
COLUMNS = [
    "learner",
    "stream",
    "agreement [%]",
    "ours [%]",
    "MOA [%]",
    "verdict",
    "reason where outside",
]

# Both run on windows of half the length of each stream. For each stream: number of windows, mean
# difference of accuracy in points (ours less MOA's), and its standard error.
WINDOWS = {
    "LED": (8, 0.01, 0.09),
    "NSGT": (24, -0.16, 0.09),
    "NSCX": (24, 0.11, 0.12),
    "NSGT-5D": (24, 0.17, 0.09),
    "SEA": (24, -0.01, 0.09),
    "elec2": (24, -0.06, 0.17),
}

TEXT = """# Conformance with MOA

The five papers used MOA. This page compares each learner of this library with MOA's, run as a black
box (`tests/data/README.md`) on the same streams: each example is predicted and then learned, from
the first one on. `make docs` writes this page, and `tests/conformance` checks the same comparisons.

A verdict is *within* when

* for a learner without random numbers, at least {least} % of the predictions agree, and the
  accuracies differ by at most {wider} points;
* for a learner with random numbers, our mean accuracy over {seeds} seeds ({seeds_one} for HAT) lies
  in the range of MOA's five seeds, widened by {wider} points on both sides. The ranges are in
  brackets.

{summary}

**HAT.** MOA draws the weights of its adaptive tree from a fixed seed, so its five runs are one and
the same draw, and that draw has no range. So `tests/conformance` checks the reverse for it:
MOA's number must lie in the range of ours over {seeds_one} seeds, widened by {wider} points, and
does on every stream. Over windows of half the length of a stream, which overlap, the accuracies
differ on average by (ours less MOA's, in points, ± standard error)

| stream | windows | difference |
| :-- | --: | --: |
{windows}

These runs needed MOA itself and are not repeated by `make docs`.

**To the last bit.** After a split the weights of leaves are fractions, and their last bit decides
whether 200 examples have been seen. So trees compute in the order that fits MOA's predictions best,
found by trial: thresholds as range / 11 · i + low; a mean that moves by weight · step / weight of
all; a class's weight below, at and above a threshold as three parts, from the normal distribution
function of the Cephes library; and an empty leaf whose majority is never right. Without any one of
these, the tree differs from MOA's on at least one of the streams.

**Agreement below 100 %**, but within, occurs for {inexact}. What remains:

* *HT_NB and HT_NBA on elec2* (1 and 4 predictions of 45 312): naive Bayes adds logarithms here
  where MOA multiplies densities, which takes one exponential per attribute and class. Two classes
  whose densities differ only by rounding may change places. With products, all predictions agree.
* *HOT_NBA on NSCX* (43 of 10 001): our tree adds a fifth option at example 7476. MOA's tree has
  neither this option nor a later one in its place. Without options after the fourth, all
  predictions agree. With the fifth, no example reaches more than five leaves, so the paper allows
  it; MOA counts differently there.
* *DDM_NB on elec2* (16 of 45 312, from example 21 645 to 26 112): an alarm or a warning comes
  at another example; the cause was not traced further. Naive Bayes alone agrees everywhere.

**Naive Bayes.** MOA multiplies densities, so an example far from all classes gets no votes. It
counts the values of a nominal attribute up to the largest code that a class has shown. Both are
the default of [NaiveBayes](learners.md#naivebayes) here; `NaiveBayes(exact=True)` is the
textbook's.

| learner | of this library |
| :-- | :-- |
{names}

| {columns} |
| :-- | :-- | --: | --: | --: | :-- | :-- |
{rows}
"""


def reason(found: Comparison) -> str:
    """The reason why a comparison is outside; empty if it is within."""
    if found.within:
        return ""
    if (found.stream, found.learner) in TWO_CLASSES:
        return "MOA's supports two classes only: it predicts 0 and 1; ours is one against the rest"
    if found.learner in ONE_DRAW and found.moa_is_within_ours:
        text = f"MOA's five seeds are one draw, in the range of ours widened by {WIDER} points"
        if found.stream in WINDOWS:
            n, difference, error = WINDOWS[found.stream]
            text += f"; mean difference over {n} windows {difference:+.2f} ± {error:.2f}"
        return text
    return "unknown"


def row(found: Comparison) -> str:
    """The line of one learner on one stream."""
    agreement = "–" if found.randomised else f"{found.agreement:.2f}"
    verdict = "within" if found.within else "outside"
    cells = [agreement, _accuracy(found.ours), _accuracy(found.moa), verdict, reason(found)]
    return f"| {found.learner} | {found.stream} | {' | '.join(cells)} |"


def _accuracy(accuracies: tuple[float, ...]) -> str:
    mean = f"{np.mean(accuracies):.2f}"
    if len(accuracies) == 1:
        return mean
    return f"{mean} ({min(accuracies):.2f} to {max(accuracies):.2f})"


def cells_of(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(page: str) -> dict[tuple[str, str], str]:
    """The lines of the comparisons on the page, by learner and stream."""
    lines = [line for line in page.splitlines() if line.count("|") == len(COLUMNS) + 1]
    found = {tuple(cells_of(line)[:2]): line for line in lines}
    return {(a, b): line for (a, b), line in found.items() if a in LEARNERS and b in STREAMS}


def render(page: str) -> str:
    """The new page; rows of missing streams are copied from the old `page`."""
    before, rows = rows_of(page), {}
    for learner, stream in product(LEARNERS, STREAMS):
        if is_there(stream):
            rows[learner, stream] = row(compare(stream, learner))
        elif (learner, stream) in before:
            rows[learner, stream] = before[learner, stream]
    verdict, because = COLUMNS.index("verdict"), COLUMNS.index("reason where outside")
    outside = [cells_of(line) for line in rows.values() if cells_of(line)[verdict] == "outside"]
    unknown = sum(cells[because] == "unknown" for cells in outside)
    agreement = COLUMNS.index("agreement [%]")
    inexact = [
        learner
        for (learner, _), line in rows.items()
        if cells_of(line)[agreement] not in ("100.00", "–") and cells_of(line)[verdict] == "within"
    ]
    return TEXT.format(
        least=LEAST_AGREEMENT,
        wider=WIDER,
        seeds=SEEDS,
        seeds_one=SEEDS_BESIDE_ONE_DRAW,
        summary=f"{len(rows) - len(outside)} of {len(rows)} are within, {len(outside)} outside, "
        f"{unknown} of them for an unknown reason.",
        inexact=", ".join(dict.fromkeys(inexact)),
        windows="\n".join(
            f"| {stream} | {n} | {mean:+.2f} ± {error:.2f} |"
            for stream, (n, mean, error) in WINDOWS.items()
        ),
        names="\n".join(f"| {name} | `{ours!r}` |" for name, ours in LEARNERS.items()),
        columns=" | ".join(COLUMNS),
        rows="\n".join(rows.values()),
    )


def main() -> None:
    PAGE.parent.mkdir(exist_ok=True)
    page = PAGE.read_text() if PAGE.exists() else ""
    PAGE.write_text(render(page))
    missing = [stream for stream in STREAMS if not is_there(stream)]
    if missing:
        print(f"{PAGE.name}: rows not updated, data missing: {', '.join(missing)}", file=sys.stderr)


if __name__ == "__main__":
    main()
