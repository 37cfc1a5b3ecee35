"""The sentences of paper 5, judged from the runs of notebook 06.

The sentences are in ``data/published/scenarios_claims.csv``. Each function judges those that one
table decides and returns their judgements by key. Accuracies are shares; a part is a task, T1 or
T2, or a base set such as C10.

Our own thresholds: *almost all* is a share of `NEARLY_ALL` or more, *identical* is within `SAME`,
*robust* or *learned* is a share of `MOST` or more, and *small* is a share of `SMALL` or less.
`Evidence.scale` multiplies them, the first and the third as distances from 1, and the steps of
magnitudes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from repro.published.judgements import (
    Judgement,
    judge_every,
    judge_magnitude,
    judge_mean,
    judge_some,
    judge_usually,
)
from repro.published.margins import mean_margins
from repro.scenarios import SCENARIOS, enumerate_scenarios
from repro.statistics.estimates import Floats

__all__ = ["JUDGES", "MOST", "NEARLY_ALL", "SAME", "Evidence"]

Judged = dict[str, Judgement]

NEARLY_ALL, MOST, SAME, SMALL = 0.95, 0.9, 0.05, 0.5


@dataclass(frozen=True, eq=False)
class Evidence:
    """The runs and tables of notebook 06 that its sentences speak of."""

    #: of the four networks: columns assignment, classifier, scenario, part, seed and accuracy
    accuracies: pd.DataFrame
    #: images by (assignment, base set), with the columns "training images" and "test images"
    sizes: pd.DataFrame
    labels: Sequence[Floats]  #: labels of all images, to learn and to test with
    n_pixels: int
    distances: Sequence[Floats]  #: from each generated sample to the nearest new one, SEP
    within_epsilon: pd.Series  #: share of the generated samples within ε of a new one
    #: share of the draws that an autoencoder generates after a tenth of its passes
    early: float
    #: relabelled share of SEP after one pass: rows runs, columns "ENSGEN" and "ENSGENDEL", whose ε
    #: deletes samples
    one_pass: pd.DataFrame
    #: by scenario, pairs of networks that are equal on T2 but different on a base set
    hidden: pd.Series
    tested: pd.Series  #: number of accuracies of each other classifier
    ideal: pd.DataFrame  #: measures of the ideal classifier by scenario
    scale: float = 1.0  #: multiplies our own thresholds

    @property
    def nearly_all(self) -> float:
        """`NEARLY_ALL`, its distance from 1 scaled."""
        return 1 - self.scale * (1 - NEARLY_ALL)

    @property
    def most(self) -> float:
        """`MOST`, its distance from 1 scaled."""
        return 1 - self.scale * (1 - MOST)

    @cached_property
    def runs(self) -> pd.DataFrame:
        """Accuracies by seed; columns (assignment, classifier, scenario, part)."""
        columns = ["assignment", "classifier", "scenario", "part"]
        return self.accuracies.pivot_table(index="seed", columns=columns, values="accuracy")

    def of(self, classifier: str) -> pd.DataFrame:
        """The runs of one network; columns (assignment, scenario, part)."""
        return self.runs.xs(classifier, axis=1, level="classifier").dropna()


# --- Section 2: the scenarios


def judge_enumeration(evidence: Evidence) -> Judged:
    """512 scenarios are possible, and four are left: those that extend ADD by one base set."""
    counts = [step.n for step in enumerate_scenarios()]
    names = [set(scenario.base_set_names) for scenario in SCENARIOS.values()]
    return {
        "possible": judge_magnitude(counts[0], 512, "scenarios", step=0),
        "four": judge_magnitude(counts[-1], 4, "scenarios after all five rules", step=0),
        "own_printed": judge_magnitude(counts[-2], 4, "scenarios after the printed rules", step=0),
        "extends_add": judge_every(
            [len({"C10", "C02"} & sets) - 2 for sets in names], "C10 and C02 in a scenario, - 2"
        ),
        "never_together": judge_every(
            [1 - len({"C01", "C21", "C12"} & sets) for sets in names],
            "1 - number of C01, C21, C12 in a scenario",
        ),
    }


def judge_measures(evidence: Evidence) -> Judged:
    """What the accuracy on a task can say: ideal values, and what T2 hides."""
    on_t1 = [SCENARIOS[name].ideal_accuracy()[0] for name in ("INC", "SEP")]
    transfer = evidence.ideal.loc[["INC", "SEP"], "backward_transfer"]
    return {
        "below_one": judge_every(1 - np.array(on_t1), "1 - ideal T1"),
        "lost": judge_some(
            [float(evidence.hidden.sum()) - 0.5],
            "pairs equal on T2 that differ on a base set, - 0.5",
        ),
        "black_box": judge_every(
            evidence.tested - evidence.tested.max(), "accuracies of a classifier - planned"
        ),
        "own_bwt": judge_every(-transfer, "- backward transfer of the ideal"),
    }


# --- Section 4: the data


def judge_data(evidence: Evidence) -> Judged:
    """Numbers of images, of inputs and of classes."""
    images = evidence.sizes[["training images", "test images"]].sum()
    kinds = np.unique(evidence.labels[0]).size
    training = evidence.sizes["training images"].unstack("assignment")
    uneven = (training / training.mean() - 1).abs().to_numpy().ravel()
    scale = evidence.scale
    return {
        "classes": judge_magnitude(
            sum(map(len, evidence.labels)) / kinds, 7000, "images per class", step=1000 * scale
        ),
        "split": judge_magnitude(
            images["training images"] / images["test images"],
            6,
            "training images per test image",
            step=scale,
        ),
        "equal_size": judge_every(
            0.15 * scale - uneven, f"{0.15 * scale:g} - |size / mean size - 1|"
        ),
        "layers": judge_magnitude(evidence.n_pixels, 728, "inputs", step=0),
        "size": judge_magnitude(evidence.n_pixels, 784, "pixels", step=0),
    }


# --- Section 5: the networks


def judge_ens(evidence: Evidence) -> Judged:
    """ENS and SNG: what they keep in ADD, and whether ENS relabels in INC."""
    ens, sng = evidence.of("ENS"), evidence.of("SNG")
    sizes = evidence.sizes["test images"].unstack("assignment")["197"]
    sizes = sizes.loc[["C10", "C02", "C01, C21, C12"]]
    ideal = SCENARIOS["INC"].ideal_accuracy(sizes.tolist())[0]
    kept = ens.xs(("ADD", "C10"), axis=1, level=("scenario", "part"))
    of_sng = sng.xs(("ADD", "C10"), axis=1, level=("scenario", "part"))
    most, tenth = evidence.most, 0.1 * evidence.scale
    return {
        "roughly_half": judge_magnitude(ideal, 0.5, "ideal T1 of INC 197", step=tenth),
        "ens_unable": judge_mean(ens["197", "INC", "T1"] - ideal, "T1 of ENS - ideal T1"),
        "ens_021": judge_mean(ens["021", "INC", "C21"] - most, f"C21 of ENS, INC 021, - {most:g}"),
        "ens_robust": judge_mean(kept - most, f"C10 of ENS, ADD, - {most:g}"),
        "own_sng": judge_mean(100 * (tenth - of_sng), f"{100 * tenth:g} - C10 of SNG, ADD [%]"),
    }


def judge_rehearsal(evidence: Evidence) -> Judged:
    """ENSGEN and ENSGENDEL: what they keep and relabel, and what deletion changes."""
    gen, deleted = evidence.of("ENSGEN"), evidence.of("ENSGENDEL")
    apart = (deleted - gen).abs()
    in_sep = apart.columns.get_level_values("scenario") == "SEP"
    two = pd.concat([gen, deleted], axis=1, keys=["ENSGEN", "ENSGENDEL"])
    part = two.columns.get_level_values("part")
    relabelled = two.loc[:, part.isin(["C21", "C12"])]
    nearly_all, same = evidence.nearly_all, SAME * evidence.scale
    return {
        "sep_tells": judge_some(
            mean_margins(apart.loc[:, in_sep] - same), f"|ENSGENDEL - ENSGEN| in SEP - {same:g}"
        ),
        "else_identical": judge_every(
            mean_margins(same - apart.loc[:, ~in_sep]), f"{same:g} - |ENSGENDEL - ENSGEN|"
        ),
        "remember": judge_every(
            mean_margins(two.loc[:, part == "C10"] - nearly_all), f"C10 - {nearly_all:g}"
        ),
        "relabel_78": judge_magnitude(
            mean_margins(gen["021", "SEP", "C12"]), 0.78, "C12 of ENSGEN, SEP 021", step=0.01
        ),
        "relabel_all": judge_mean(
            deleted["021", "SEP", "C12"] - nearly_all,
            f"C12 of ENSGENDEL, SEP 021, - {nearly_all:g}",
        ),
        "may_fail": judge_some(
            mean_margins(nearly_all - relabelled), f"{nearly_all:g} - relabelled share"
        ),
    }


def judge_generated(evidence: Evidence) -> Judged:
    """What is generated: how much, how near to new samples, and what conflicts cost.

    No generated sample lies within ε = .1 of a new one, so ENSGENDEL deletes nothing.
    *small_amount*: `SMALL` of the draws minus the share that a badly trained autoencoder generates.
    *slow_down*: what ENSGENDEL with a larger ε relabels after one pass minus what ENSGEN does.
    """
    small = SMALL * evidence.scale
    gain = evidence.one_pass["ENSGENDEL"] - evidence.one_pass["ENSGEN"]
    return {
        "small_amount": judge_every(
            [small - evidence.early], f"{small:g} - share of the draws, one pass"
        ),
        "slow_down": judge_mean(
            gain.to_numpy(np.float64), "C12 of SEP after one pass, with deletion - without"
        ),
        "not_trained": judge_every(
            np.concatenate([*evidence.distances]) - 0.1, "distance to a new sample - 0.1"
        ),
        "own_epsilon": judge_every(
            -evidence.within_epsilon, "- share of generated samples within .1"
        ),
    }


def judge_assignments(evidence: Evidence) -> Judged:
    """197 is harder than 021: T2 of three different networks in four scenarios."""
    t2 = evidence.runs.xs("T2", axis=1, level="part").mean()
    harder = (t2["021"] - t2["197"]).drop("ENSGENDEL", level="classifier")
    return {"harder": judge_usually(harder, "T2 of 021 - T2 of 197")}


JUDGES = (
    judge_enumeration,
    judge_measures,
    judge_data,
    judge_ens,
    judge_rehearsal,
    judge_generated,
    judge_assignments,
)
