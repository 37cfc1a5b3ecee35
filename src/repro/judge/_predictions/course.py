"""The sections on change: of the error, of the labels; alarms of detectors; late labels; groups."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from repro import seeds
from repro.detectors import ADWIN, DDM, EDDM
from repro.figures import mark_drifts, plot_error, plot_means
from repro.interop.prediction_log import LabelDelays
from repro.judge._predictions.facts import Facts
from repro.judge._report.cells import with_error
from repro.judge._report.shared import bonferroni, label, sentence
from repro.judge.section import Section
from repro.metrics import sliding_error
from repro.statistics.drift import Aspect
from repro.statistics.estimates import LEVEL, mean_estimate
from repro.statistics.series import LEAST_BLOCKS, compare_groups, error_changes

__all__ = ["alarm_section", "change_section", "changes_of", "compare_section", "delay_section"]
__all__ += ["group_section", "groups_of"]

DETECTORS = {"DDM": DDM(), "EDDM": EDDM(), "ADWIN": ADWIN()}
REPEATS = 20  # streams of independent losses that alarms are compared with
LISTED = 10
GROUPS = 20  # in the figure
LABELS = None  # where the others are names of models, which are texts


def changes_of(facts: Facts, rng: np.random.Generator) -> dict[str | None, Aspect]:
    """Changes of the error of each model, and of the share of the largest class (`LABELS`)."""
    largest = (facts.log.y == facts.log.counts.argmax()) * 1.0
    tested = [*facts.losses.items(), (LABELS, largest)]
    part = LEVEL / len(tested)
    return {name: error_changes(values, rng, level=part) for name, values in tested}


def change_section(facts: Facts, changes: Mapping[str | None, Aspect]) -> Section:
    """The tests, and the error with its changes marked."""
    n, tests = len(facts.log), len(changes)
    rows = {
        "share of the largest class" if name is LABELS else f"error of {name}": {
            "p (corrected)": bonferroni(aspect.p_value, tests),
            "changes": f"at least {len(aspect.positions) + 1}"
            if aspect.unplaced
            else len(aspect.positions),
            "positions": ", ".join(map(str, aspect.positions)),
            "± examples": aspect.blocks.length,
            "blocks": aspect.blocks.n,
        }
        for name, aspect in changes.items()
    }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("what may change")
    text = (
        "The losses are cut into blocks of at least five correlation times, and the order of the "
        "blocks is compared with random orders of them. All tests together find a change where "
        f"there is none in at most {LEVEL:.0%} of such streams. Dependence that reaches beyond a "
        "block cannot be told from a change. An error changes when the model is less suited to the "
        "examples, and also when the examples get harder for any model: the losses alone cannot "
        "tell which."
    )
    window, every = max(50, n // 50), max(1, n // 1000)
    curves = {label(m): sliding_error(loss, window) for m, loss in facts.losses.items()}
    ax = plot_error(curves, start=min(window, n - 1), every=every)
    positions = sorted({p for m in facts.losses for p in changes[m].positions})
    mark_drifts(ax, positions)
    ax.legend(frameon=False)
    marked = (
        f"changes marked at {sentence(map(str, positions))}" if positions else "no change marked"
    )
    last = [f"{m} ends at {100 * c[-1]:.1f} %" for m, c in curves.items()]
    alt = f"Error over the last {window:,} examples, with {marked}: {'; '.join(last)}."
    figure = ax.get_figure(root=True)
    return Section("changes", "Does the error change?", text, table, figure, alt)


def alarm_section(facts: Facts, seed: int) -> Section:
    """Alarms of detectors, beside those on independent losses with the same error."""
    rows = []
    for model, loss in facts.losses.items():
        rng = seeds.generator(seed, "judge", "alarms")
        numbers: dict[str, list[int]] = {name: [] for name in DETECTORS}  # of false alarms
        for _ in range(REPEATS):
            same = (rng.random(loss.size) < loss.mean()).astype(np.float64)
            for name, detector in DETECTORS.items():
                numbers[name].append(len(detector.alarms(same)))
        for name, detector in DETECTORS.items():
            alarms = detector.alarms(loss)
            more = ", ..." if alarms.size > LISTED else ""
            false = mean_estimate(numbers[name])
            rows.append(
                {"model": model, "detector": name, "alarms": int(alarms.size)}
                | with_error("without a change", false)
                | {"first alarms": ", ".join(map(str, alarms[:LISTED])) + more}
            )
    table = pd.DataFrame(rows).set_index(["model", "detector"])
    text = (
        "Where drift detectors would raise an alarm on these losses, and how many alarms they "
        f"raise on as many independent losses with the same error ({REPEATS} simulated streams). "
        "These detectors take losses for independent: many more alarms than that come from changes "
        "of the error or from losses that depend on each other."
    )
    return Section("alarms", "Where would detectors raise an alarm?", text, table)


def compare_section(facts: Facts) -> Section:
    """The models in pairs."""
    text = (
        "The difference is the error of A less that of B on the same examples; its standard error "
        "allows for dependence, and p-values are corrected for the number of pairs (Holm). That "
        "test is for one look at the whole log. The last column is for those who looked all along: "
        "the number of examples after which the 95 % confidence sequence of the mean difference "
        "leaves out 0, which holds at all times at once."
    )
    order = ["A", "B", "difference [%]", "difference [%] ± s.e.", "p (corrected)"]
    table = facts.pairs[[*order, "only A errs", "only B errs", "told after"]]
    return Section("pairs", "Which model is better?", text, table)


def delay_section(facts: Facts, delays: LabelDelays) -> Section:
    """How late labels come."""
    unit = f" [{delays.unit}]" if delays.unit else ""
    rows = {}
    for name, share in (("least", 0), ("half", 50), ("90 %", 90), ("99 %", 99), ("most", 100)):
        rows[name] = {
            f"time{unit}": float(np.percentile(delays.waits, share)),
            "examples": int(np.percentile(delays.examples, share, method="higher")),
        }
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("labels that came by then")
    early = int((delays.waits < 0).sum())
    text = (
        f"Half of the labels came after at most {rows['half'][f'time{unit}']:,.6g}"
        f"{' seconds' if delays.unit else ''}, when {rows['half']['examples']:,} more examples had "
        "been predicted. A model cannot have learned from them before. The rule that predicts the "
        f"last known label is taken to know labels up to {facts.delay + 1:,} examples before."
    )
    if early:
        text += (
            f" {early:,} labels have a time before that of their prediction: a model may have "
            "known them, and then its error says nothing."
        )
    return Section("delays", "How late do labels come?", text, table)


def groups_of(facts: Facts) -> dict[str, dict[str, pd.DataFrame]]:
    """For each column and model the frame of its groups, with their names.

    The p-values of all columns and models hold together.
    """
    frames: dict[str, dict[str, pd.DataFrame]] = {}
    tests = len(facts.log.groups) * len(facts.losses)
    for column, group in facts.log.groups.items():
        names = dict(enumerate(group.names))
        for model, loss in facts.losses.items():
            frame = compare_groups(loss, group.codes, facts.block).rename(index=names)
            frame["p_value"] = (tests * frame["p_value"]).clip(upper=1)
            frames.setdefault(column, {})[model] = frame
    return frames


def _by_group(column: str, by_model: Mapping[str, pd.DataFrame], part: str) -> pd.DataFrame:
    """A part of the frames in percent, a column for each model; the first model's worst first."""
    order = np.argsort(-next(iter(by_model.values()))["mean"].to_numpy(), kind="stable")
    wide = pd.DataFrame({model: 100 * frame[part] for model, frame in by_model.items()})
    return wide.iloc[order].rename(index=lambda name: f"{column}: {name}")


def group_section(facts: Facts, frames: Mapping[str, Mapping[str, pd.DataFrame]]) -> Section:
    """The error in each group of rows."""
    rows = []
    for column, by_model in frames.items():
        for model, frame in by_model.items():
            for name, g in frame.sort_values("mean", ascending=False).iterrows():
                rows.append(
                    {"group": f"{column}: {name}", "model": model, "examples": int(g["n"])}
                    | with_error("error [%]", (100 * g["mean"], 100 * g["standard_error"]))
                    | {"the rest [%]": 100 * g["rest"], "p (corrected)": g["p_value"]}
                )
    table = pd.DataFrame(rows)
    text = (
        "The error in each group of rows, the largest first, and in all other rows. P-values are "
        "of no difference from the rest, corrected for the number of groups of a column (Holm), of "
        "columns and of models (Bonferroni). A "
        f"group in fewer than {LEAST_BLOCKS} blocks of {facts.block:,} consecutive examples is not "
        "tested: rows that follow each other are like one."
    )
    errors, spread = (
        pd.concat([_by_group(c, by_model, part) for c, by_model in frames.items()]).head(GROUPS)
        for part in ("mean", "standard_error")
    )
    ax = plot_means(
        errors.rename(columns=label),
        error_bars=2 * spread.to_numpy(),
        ylabel="Error [%], with two standard errors",
    )
    ax.tick_params(axis="x", rotation=90)
    ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    alt = "Error of each group: " + "; ".join(
        f"{model} {', '.join(f'{g} {e:.1f} %' for g, e in errors[model].items())}"
        for model in errors
    )
    return Section(
        "groups", "Is a group of rows worse?", text, table, ax.get_figure(root=True), f"{alt}."
    )
