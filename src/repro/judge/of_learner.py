"""Your learner, judged by the methods of the papers against what is possible."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from repro._checks import as_seeds, check_count, check_flag, check_number, shown
from repro.judge._learner.answers import Findings
from repro.judge._learner.any_time import any_time_section
from repro.judge._learner.costs import cost_section, failure_section, run_section
from repro.judge._learner.inputs import Entrants, as_entrants, as_streams, first_draws
from repro.judge._learner.pairs import comparisons, paired_section
from repro.judge._learner.ranking import rank_section
from repro.judge._learner.recovery import recoveries_of, recovery_section
from repro.judge._learner.repeated import run_twice
from repro.judge._learner.runs import Options, Runs, run_all
from repro.judge._learner.sections import (
    advice_on,
    error_section,
    excess_section,
    kappa_section,
    permutation_section,
    shown_learners,
)
from repro.judge._learner.tables import main_table
from repro.judge._learner.words import summary, verdicts
from repro.judge._report.call import as_call, as_command
from repro.judge._report.shared import sentence, versions
from repro.judge.report import Report
from repro.judge.section import Section
from repro.streams.testbed import TESTBED
from repro.studies.versions import NO_KEYS, as_keys

__all__ = ["learner"]

QUICK_STREAMS = "NSGT", "NSGR", "NSPC-A", "NSCX"  # one for each kind of drift of the testbed
QUICK_SEEDS = 3


def learner(
    learners: Any,
    streams: Any = None,
    seeds: int | Iterable[int] = 10,
    *,
    references: Any = None,
    margin: float = 0.5,
    delay: int = 0,
    label_share: float = 1.0,
    jobs: int = 1,
    quick: bool = False,
    cache: str | Path | None = None,
    fresh: bool = False,
    keys: Mapping[str, str] = NO_KEYS,
) -> Report:
    """Judge learners on streams whose truth is known, beside learners of the papers.

    The report has errors and their excess over the Bayes-optimal classifier on the same draws, the
    share of the possible gain over the better of majority and persistence, the recovery after each
    drift, memory and time; ranks with Friedman's test and a critical-difference diagram; paired
    tests with Holm's correction; and controlled permutations of the order. Where the truth of a
    stream is unknown, kappas that account for repeated labels take the place of the excess. The
    draws of different streams are independent.

    Parameters
    ----------
    learners : a learner of ours, of river or of scikit-learn, your object with their methods,
        a class of these (constructed without arguments), a list of them, or a mapping of names.
    streams : name -> description or `Stream`; or one of these, a list, or names of the testbed,
        of which all are taken by default.
    seeds : of the draws; a number n stands for 0..n-1. A `Stream` runs with the first one only.
    references : learners to compare with, as `learners`; by default those of the testbed's paper.
        Majority and persistence (`NoChange`) always take part.
    margin : points of error within which two learners are called practically equal.
    delay : examples after which a label arrives, as in `prequential`.
    label_share : of the examples whose label arrives at all, in (0, 1].
    jobs : number of processes, -1 for one per core.
    quick : a first impression: three seeds, four of the nine streams of the testbed, three of the
        paper's learners, and no permutations.
    cache : folder of stored results, as in `repro.sweep`: a second call continues.
    fresh : run all tasks again.
    keys : name of a learner or stream with user code -> version of that code, as in `repro.sweep`:
        without it such code runs each time.

    A run that fails is named first in the report. Learners are compared on the draws that all of
    them finished; one that fails on more than half of the draws of a stream is last there. Raises
    RuntimeError if all runs of the learners fail, TypeError and ValueError for wrong arguments.

    >>> from repro import judge
    >>> from repro.learners import NaiveBayes
    >>> report = judge.learner(NaiveBayes(), "NSGT", seeds=2, references=[], jobs=1)
    >>> report.table.index.tolist()
    ['Optimal', 'NaiveBayes', 'Majority', 'NoChange']
    """
    streams = None if streams is TESTBED else streams
    numbers, named_streams = as_seeds(seeds), as_streams(TESTBED if streams is None else streams)
    margin = check_number(margin, name="margin", least=0)
    delay = check_count(delay, name="delay", least=0)
    if not 0 < check_number(label_share, name="label_share", least=0) <= 1:
        raise ValueError(f"label_share must lie in (0, 1]; got {shown(label_share)}")
    entrants = as_entrants(learners, references, quick=check_flag(quick, name="quick"))
    if quick:
        numbers = numbers[:QUICK_SEEDS]
        if streams is None:
            named_streams = {name: named_streams[name] for name in QUICK_STREAMS}
    keyed = as_keys(keys, {"learners": entrants.learners, "streams": named_streams})
    draws = first_draws(named_streams, numbers[0])
    options = Options(jobs, cache, fresh, keyed, delay, label_share)
    runs = run_all(entrants, named_streams, draws, numbers, options)
    _warn(runs)
    tests = comparisons(runs, margin)
    findings = Findings(runs, main_table(runs), tests, recoveries_of(runs), run_twice(runs))
    late = {"delay": delay, "label_share": label_share}
    arguments = _arguments(
        streams, seeds, references=references, margin=margin, **late, quick=quick
    )
    mine = {name: entrants.learners[name] for name in entrants.mine}
    return Report(
        f"Learner report: {sentence(entrants.mine)}",
        summary(findings),
        verdicts(findings),
        findings.table,
        tuple(_sections(findings, quick, margin)),
        as_call(mine, arguments),
        as_command(mine, arguments),
        _settings(runs, entrants, jobs),
    )


def _sections(findings: Findings, quick: bool, margin: float) -> list[Section]:
    runs, order = findings.runs, list(findings.table.index)
    shown = shown_learners(runs, order)
    sections = [
        error_section(runs, order, shown),
        excess_section(runs, order, shown),
        recovery_section(runs, findings.recovery, shown),
        rank_section(runs),
        paired_section(runs, findings.tests, margin),
        any_time_section(runs, order),
        None if quick else permutation_section(runs),
        kappa_section(runs, advice_on(runs)),
        cost_section(runs, findings.table, shown),
        failure_section(runs),
        run_section(runs),
    ]
    return [section for section in sections if section is not None]


def _warn(runs: Runs) -> None:
    """One line for each learner that failed somewhere."""
    for row in runs.failures.drop_duplicates("learner").itertuples():
        text = f"{row.learner} failed in {row.runs} runs, on {row.streams}: {row.failure}"
        warnings.warn(text, RuntimeWarning, stacklevel=3)


def _arguments(streams: Any, seeds: Any, **others: Any) -> dict[str, Any]:
    """The arguments that are not the default, as code."""
    arguments = {} if streams is None else {"streams": streams}
    if seeds != 10:
        arguments["seeds"] = seeds if isinstance(seeds, int) else as_seeds(seeds)
    parameters = inspect.signature(learner).parameters
    changed = {n: v for n, v in others.items() if v is not parameters[n].default}
    return arguments | changed


def _settings(runs: Runs, entrants: Entrants, jobs: int) -> dict[str, str]:
    seeds = runs.seeds
    shown = f"{seeds[0]} to {seeds[-1]}" if seeds == list(range(seeds[0], seeds[-1] + 1)) else seeds
    streams = [f"{name} ({len(draw)} examples)" for name, draw in runs.draws.items()]
    mine = {name: entrants.learners[name] for name in entrants.mine}
    return {
        "Streams": ", ".join(streams),
        "Seeds": str(shown) if len(seeds) > 1 else str(seeds[0]),
        "Models": "; ".join(
            f"{name}: {_without_address(mine[name])} ({version})"
            for name, version in versions(mine).items()
        ),
        "Compared with": ", ".join(entrants.others),
        "Labels": _labels_in_words(runs.options),
        "Processes": "one per core" if jobs == -1 else str(jobs),
    }


def _labels_in_words(options: Options) -> str:
    late = "after each prediction" if not options.delay else f"{options.delay} examples late"
    return late if options.share == 1 else f"{late}, for {options.share:.3g} of the examples"


def _without_address(model: Any) -> str:
    """`repr` of a model in one line, without its place in memory, which no other run has."""
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", " ".join(repr(model).split()))
