"""Your drift detectors beside others, at equal rates of false alarms."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from repro import __version__
from repro._checks import as_seeds, check_flag, check_number
from repro.detectors.foreign import ForeignDetector
from repro.judge._detector.budget import QUICK, within
from repro.judge._detector.inputs import Given, as_given
from repro.judge._detector.losses import (
    FALL,
    KINDS,
    REAL,
    calibration_losses,
    independent_losses,
    learner_losses,
    shuffled_losses,
)
from repro.judge._detector.references import REFERENCES
from repro.judge._detector.results import SOURCES, Study
from repro.judge._detector.study import Runner, study_of
from repro.judge._detector.tables import (
    calibration_table,
    curve_table,
    delay_table,
    delays_alt,
    delays_figure,
    detected_figure,
    every_group,
    kind_table,
    main_table,
    null_table,
    soon_alt,
    tradeoff_alt,
    tradeoff_figure,
)
from repro.judge._detector.verdicts import verdicts_on
from repro.judge._detector.words import ABOUT, summary
from repro.judge._report.call import as_call, as_command
from repro.judge._report.shared import sentence, versions
from repro.judge.report import Report
from repro.judge.section import Section
from repro.studies.versions import NO_KEYS, as_keys

__all__ = ["detector"]


def detector(
    detectors: Any,
    *,
    seeds: int | Iterable[int] = 10,
    parameter: str | Callable[[float], Any] | Mapping[str, Any] | None = None,
    values: Iterable[float] | Mapping[str, Iterable[float]] = (),
    arl0: float | None = None,
    budget: float = 900.0,
    jobs: int = 1,
    quick: bool = False,
    cache: str | Path | None = None,
    keys: Mapping[str, str] = NO_KEYS,
) -> Report:
    """Judge drift detectors: delay, misses and false alarms, beside others at the same rate.

    The detectors see independent 0/1 losses whose error rises, and the losses of a Hoeffding tree
    on LED, RBF, RT, Waveform and SEA, with sudden, gradual, incremental and no change. Beside them,
    on the same losses, are DDM, EDDM, ADWIN, Page-Hinkley on the losses and on the ratio of two
    estimates, random alarms, and no alarm. They are set to the same rate of false alarms, on other
    losses without a change than those that are reported.

    Parameters
    ----------
    detectors : a detector, a class, a list of them, or a mapping of names to them; of this package,
        of river and other libraries, or any object that `repro.detectors.as_detector` takes. With a
        `parameter` also a function from its value to a detector.
    seeds : number of seeds, or the seeds; each is one run on each stream.
    parameter : name of the parameter that decides how often the detector alarms, or a function
        from its value to a detector; or a mapping from names of detectors to these.
    values : of the parameter, for the curve of delay against false alarms; or a mapping as well.
    arl0 : examples per false alarm at which the detectors are compared. The `parameter` is searched
        between the least and the largest of the `values`. By default the others are set to the rate
        of each detector as it is given.
    budget : CPU seconds that each detector may take, estimated from a short run. For a slower one
        all detectors get fewer seeds, two at least; one that needs more even so is left out. Both
        are said.
    jobs : number of processes, -1 for one per core; results do not depend on it.
    quick : use two seeds.
    cache : folder of finished work; default the cache of the checkout. A second call continues
        after what was finished.
    keys : name of a detector with user code -> version of that code, as in `repro.sweep`: without
        it such code runs each time.

    Returns a `Report`. A detector that fails is named in its last section with the reason.

    Raises TypeError if no detector can be used, RuntimeError if all fail while they run, and
    ValueError for arguments outside their range.
    """
    numbers = as_seeds(seeds)
    check_flag(quick, name="quick")
    target = None if arl0 is None else check_number(arl0, name="arl0", above=1)
    user_detectors, failures = as_given(detectors, parameter, values)
    keyed = as_keys(keys, {"detectors": user_detectors})
    _check_arl0(target, user_detectors)
    _check_names(user_detectors)
    used = numbers[:QUICK] if quick else numbers
    used, too_slow = within(budget, user_detectors, used)
    failures |= too_slow
    user_detectors = {n: g for n, g in user_detectors.items() if n not in too_slow}
    if not user_detectors:
        raise RuntimeError("; ".join(f"detectors[{n!r}]: {t}" for n, t in too_slow.items()))
    real = learner_losses(used, moved=True, jobs=jobs, cache=cache)
    independent = independent_losses(used, [*KINDS, FALL], moved=True)
    losses = {**real, **independent, **shuffled_losses(real, used)}
    held = calibration_losses(used, jobs=jobs, cache=cache)
    runner = Runner(losses, used, jobs, cache, keyed)
    study = study_of(user_detectors, runner, held, target)
    failures |= study.failures
    _say(failures)
    if not study.as_given:
        lines = "; ".join(f"detectors[{n!r}]: {text}" for n, text in failures.items())
        raise RuntimeError(f"no detector could be run: {lines}")
    arguments = _arguments(user_detectors, numbers, target, quick)
    return _report(study, user_detectors, failures, used, arguments)


def _check_arl0(arl0: float | None, user_detectors: Mapping[str, Given]) -> None:
    if arl0 is not None and not any(len(g.values) > 1 for g in user_detectors.values()):
        rule = "arl0 needs a parameter and at least two values between which it is searched"
        raise ValueError(f"{rule}; got arl0={arl0:g} without them")


def _check_names(user_detectors: Mapping[str, Given]) -> None:
    taken = [name for name in user_detectors if name in REFERENCES]
    if taken:
        rule = f"detectors must not be called as those beside them, {', '.join(REFERENCES)}"
        raise ValueError(f"{rule}; got {taken[0]!r}")


def _say(failures: Mapping[str, str]) -> None:
    for name, text in failures.items():
        print(f"repro: {name} has no result: {text}", file=sys.stderr)


def _report(
    study: Study,
    user_detectors: Mapping[str, Given],
    failures: Mapping[str, str],
    seeds: list[int],
    arguments: Mapping[str, Any],
) -> Report:
    names = list(study.as_given)
    detectors = {name: user_detectors[name].detector for name in names}
    models = {n: d.model if isinstance(d, ForeignDetector) else d for n, d in detectors.items()}
    return Report(
        title=f"Drift detection: {sentence(names)}",
        summary="\n\n".join(summary(study, name) for name in names),
        verdicts=pd.concat([verdicts_on(study, name) for name in names], ignore_index=True),
        table=main_table(study),
        sections=tuple(_sections(study, failures)),
        call=as_call(models, arguments).replace("judge.learner(", "judge.detector("),
        command=as_command(models, arguments).replace("judge learner", "judge detector"),
        settings={
            "seeds": ", ".join(map(str, seeds)),
            "examples per false alarm": str(arguments.get("arl0", "those of each detector")),
            "losses": sentence(f"{n} groups of {s}" for s, n in _counts(study).items()),
            "repro": __version__,
            **versions(models),
        },
    )


def _counts(study: Study) -> dict[str, int]:
    groups = {group for alarms in study.as_given.values() for group in alarms}
    return {source: sum(g.losses == source for g in groups) for source in SOURCES}


def _sections(study: Study, failures: Mapping[str, str]) -> Iterable[Section]:
    table = main_table(study)
    for i, name in enumerate(study.as_given):
        title = f"Delays at the false-alarm rate of {name}"
        # For one detector that is the main table again.
        rows = table[table["at the rate of"] == name] if len(study.as_given) > 1 else None
        figure = delays_figure(table, name)
        alt = delays_alt(table, name)
        yield Section(f"equal_rates_{i + 1}", title, ABOUT["equal_rates"], rows, figure, alt)
    delays = delay_table(study)
    for i, name in enumerate(study.as_given):
        title = f"How soon sudden changes are detected at the rate of {name}"
        rows = delays[delays["at the rate of"] == name].reset_index(drop=True)
        figure = detected_figure(study, name)
        yield Section(f"delays_{i + 1}", title, ABOUT["delays"], rows, figure, soon_alt(rows))
    fixed = [n for n in study.as_given if not any(p.detector == n for p in study.curves)]
    for source in SOURCES:
        curve = curve_table(study, source, fixed)
        short = "learner" if source == REAL else "independent"
        title = f"Delay against false alarms, {source}"
        figure, alt = tradeoff_figure(curve), tradeoff_alt(curve, source)
        yield Section(f"tradeoff_{short}", title, ABOUT["tradeoff"], curve, figure, alt)
    title = "False alarms on a learner's losses and on independent ones"
    yield Section("false_alarms", title, ABOUT["false_alarms"], null_table(study))
    for kind in KINDS:
        title = f"{kind.capitalize()} changes" if kind != "none" else "No change"
        yield Section(kind, title, ABOUT[kind], kind_table(study, kind))
    title = "Calibration"
    yield Section("calibration", title, ABOUT["calibration"], calibration_table(study))
    yield Section("each", "Each stream and size", ABOUT["each"], every_group(study))
    if failures:
        lines = pd.DataFrame(list(failures.items()), columns=["what", "why"])
        yield Section("failures", "What failed", ABOUT["failures"], lines)


def _arguments(
    user_detectors: Mapping[str, Given], seeds: list[int], arl0: float | None, quick: bool
) -> dict[str, Any]:
    """The arguments that are not the default, as the caller would write them."""
    count = len(seeds)
    arguments: dict[str, Any] = {"seeds": count if seeds == list(range(count)) else seeds}
    if swept := {name: g for name, g in user_detectors.items() if g.make is not None}:
        arguments["parameter"] = {name: g.parameter for name, g in swept.items()}
        arguments["values"] = {name: list(g.values) for name, g in swept.items()}
    if arl0 is not None:
        arguments["arl0"] = arl0
    return {**arguments, "quick": True} if quick else arguments
