"""The summary of a report on detectors, and the texts of its sections."""

from __future__ import annotations

import numpy as np

from repro.judge._detector.losses import REAL, SHUFFLED, TOLERANCE
from repro.judge._detector.measures import false_alarms, measured, null_counts
from repro.judge._detector.references import RANDOM
from repro.judge._detector.results import SOURCES, Row, Study
from repro.judge._detector.verdicts import unreached
from repro.judge._report.shared import number_text, sentence
from repro.metrics.detection import DetectionReport
from repro.statistics.estimates import PointEstimate

__all__ = ["ABOUT", "summary"]

ABOUT = {
    "equal_rates": (
        "Each detector stands at the false-alarm rate of the detector in the column 'at the rate "
        "of'. Its parameter is calibrated on losses without a change, on which nothing else is "
        "measured, separately for each stream and for each error rate before a change; the rates "
        "on the losses of this report differ by chance. Changes come at places that are drawn for "
        "each run. An alarm detects a "
        f"change until {TOLERANCE} examples after its end. ARL1 is the "
        "number of examples waited, also for changes that were missed, divided by the number of "
        "detections; it is infinite without any. Random alarms and no alarm are references."
    ),
    "tradeoff": (
        "One setting of a detector gives one point, all its settings a curve: false alarms on "
        "losses without a change, and ARL1 of a sudden change. The lower left is best."
    ),
    "false_alarms": (
        "False alarms of the detectors as they are given. A learner's losses are not independent: "
        "its error falls while it learns, and errors come in runs. The same losses in random order "
        "have the same mean and none of this. A threshold that is calibrated on independent losses "
        "may give another rate of false alarms on those of a learner. A detector that alarms on "
        "any change, such as ADWIN, also alarms when the error falls: while the learner improves, "
        "hardly any setting makes such alarms rare."
    ),
    "delays": (
        "Share of sudden changes that are detected within so many examples, at the same rate of "
        "false alarms, and the median delay with its interval of 95 % (∞: later than the time "
        "allowed, or never)."
    ),
    "calibration": (
        "The value of the parameter on each stream, and for each error rate before a change: with "
        "all digits in the CSV, so that a run can be repeated. Examples per false alarm on the "
        "losses for calibration, with an interval of 95 %: that of a Poisson count, wider where "
        "alarms cluster in some of the runs; comparisons allow for it. Reached: within a fifth of "
        "the wanted rate, or one alarm of it."
    ),
    "each": "The detectors at the rate of the comparison, on each stream and each size of change.",
    "none": "The runs without a change: every alarm is false.",
    "failures": "These had no result; everything else went on.",
}
for kind, how in {
    "sudden": "The error rises at one example.",
    "gradual": (
        "Old and new concept alternate, on streams example by example, in independent losses in "
        "stretches of 100 examples."
    ),
    "incremental": (
        "The concept moves step by step for 4000 examples: the noise of LED and RT, the border of "
        "SEA, the rate of independent losses."
    ),
}.items():
    ABOUT[kind] = f"{how} Measures: see repro.metrics.detection_report."


def summary(study: Study, name: str) -> str:
    """The answer on the detector `name` in a few sentences."""
    parts = [_on(study, name, source) for source in SOURCES]
    return " ".join([*parts, _trap(study, name)])


def _on(study: Study, name: str, source: str) -> str:
    row = Row(source, name, name)
    none, sudden = (study.reports[row][kind] for kind in ("none", "sudden"))
    rate = f"alarms falsely once in {_number(none, 'mtfa')} examples"
    if not np.isfinite(none.mtfa):
        examples, _ = null_counts(study.alarms[row], source)
        rate = f"does not alarm falsely in {examples} examples"
    first = f"On {'the ' if source == REAL else ''}{source} {name} {rate}, {_delay(sudden)}."
    reports = {
        other.detector: reports["sudden"]
        for other, reports in study.reports.items()
        if other[:2] == (source, name) and other.detector != name
    }
    out = [other.detector for other in unreached(study, name) if other.losses == source]
    ranked = sorted((report.arl1, key) for key, report in reports.items() if key not in out)
    told = [
        f"{key} after {_number(reports[key], 'arl1')}"
        for arl1, key in ranked
        if np.isfinite(arl1) and key != RANDOM
    ]
    random = reports.get(RANDOM)
    if random is not None:
        when = f"after {_number(random, 'arl1')}" if random.detected else "not at all"
        told.append(f"random alarms {when}")
    at = "this rate" if np.isfinite(none.mtfa) else "one in so many"
    second = f" At {at} {sentence(told)}." if told else ""
    third = f" The search found no setting of {sentence(out, 'or')} for this rate." if out else ""
    return first + second + third


def _delay(report: DetectionReport) -> str:
    if not report.detected:
        return "and detects no sudden change"
    share, error, _ = measured(report, "mdr")
    percent = number_text(PointEstimate(100 * share, 100 * error), ".1f", ".1f")
    misses = f"misses {percent} %" if report.mdr else "misses none"
    after = f"detects sudden changes after {_number(report, 'arl1')} examples (ARL1)"
    return f"{after} and {misses} of {report.missed + report.detected}"


def _number(report: DetectionReport, measure: str) -> str:
    return number_text(measured(report, measure))


def _trap(study: Study, name: str) -> str:
    alarms = study.as_given[name]
    real, shuffled = (
        false_alarms({g: a for g, a in alarms.items() if g.losses == source}).mean()
        for source in (REAL, SHUFFLED)
    )
    if real == shuffled:
        return ""
    rates = f"{real:.3g} false alarms per 100000 examples, and {shuffled:.3g}"
    return f"As given, it raises {rates} on the same losses in random order."
