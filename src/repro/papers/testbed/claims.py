"""The sentences of paper 1, judged from the runs of notebook 01.

The sentences are in ``data/published/testbed_claims.csv``. Each function judges those about one
data set or one question and returns their judgements by key. Errors are in percentage points, and a
learner's *excess* is its error minus that of the optimal classifier on the same draw.

The words of the paper are read by one scale: learners perform *equally well* within `EQUAL` points;
a learner is *unaffected*, or *very close* to the optimal classifier, within `SLIGHT`, and *close*
within `CLOSE`; a cost is *much lower* if the other is `CHEAPER` times as large. `Evidence.scale`
multiplies all four: `published.sensitivity` shows what depends on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from repro.published.claims import equivalence_margin, error_differences
from repro.published.judgements import (
    Judgement,
    judge_every,
    judge_magnitude,
    judge_mean,
    judge_usually,
)
from repro.published.margins import Margins, mean_margins
from repro.statistics.estimates import Floats
from repro.streams.testbed import TESTBED

__all__ = ["CHEAPER", "CLOSE", "EQUAL", "JUDGES", "REASONS", "SLIGHT", "Evidence", "other_readings"]

Judged = dict[str, Judgement]

EQUAL, SLIGHT, CLOSE = 0.5, 1.0, 2.0  #: points of error
CHEAPER = 2.0  #: ratio of costs
PIECE = 50  #: losses in one mean of `pieces`

LINEAR, WINDOWS = ["NB", "SGD"], ["NN100", "NN1500", "NN6000"]
ENSEMBLES, FLEXIBLE = ["DWM", "OZAB"], ["SGD", "DWM", "OZAB"]
#: Spans of a stream, in examples: from the first to before the second.
FIRST_HALF, SECOND_HALF = (0, 5000), (5000, 10_000)
SECOND_QUARTER, THIRD_QUARTER, LAST_QUARTER = (2500, 5000), (5000, 7500), (7500, 10_000)
BEFORE_5000, AFTER_5000, NEXT_500 = (4500, 5000), (5000, 5500), (5500, 6000)
AROUND_5000, BEFORE_2500, AFTER_2500 = (4750, 5250), (2000, 2500), (2500, 3000)
AROUND_7000, LAST_500 = (6750, 7250), (9500, 10_000)

Span = tuple[int, int]


def pieces(loss: Floats) -> Floats:
    """The means of each `PIECE` losses of the first 10 000, shape (200,): a measure of the runs."""
    return loss[:10_000].reshape(-1, PIECE).mean(axis=1)


@dataclass(frozen=True)
class Draws:
    """Errors in percent of some learners on some streams, over the whole stream and over spans."""

    runs: pd.DataFrame  #: columns stream, learner, seed, error and pieces, as a sweep returns them

    @cached_property
    def errors(self) -> pd.DataFrame:
        """One row per (stream, seed), one column per learner."""
        return 100 * self.runs.pivot(index=["stream", "seed"], columns="learner", values="error")

    @cached_property
    def pieces(self) -> pd.DataFrame:
        """One row per (stream, learner, seed), one column per piece: its first example."""
        each = self.runs.set_index(["stream", "learner", "seed"])["pieces"].sort_index()
        table = 100 * np.stack(list(each))
        return pd.DataFrame(table, each.index, range(0, PIECE * table.shape[1], PIECE))

    def error(self, stream: str, span: Span | None = None) -> pd.DataFrame:
        """Errors by seed, one column per learner: of a span, or of the whole stream."""
        if span is None:
            return self.errors.loc[stream].dropna(axis=1)
        part = self.pieces.loc[stream].loc[:, span[0] : span[1] - 1]
        return part.mean(axis=1).unstack("learner")

    def excess(self, stream: str, span: Span | None = None) -> pd.DataFrame:
        """The errors above that of the optimal classifier."""
        errors = self.error(stream, span)
        return errors.sub(errors["Optimal"], axis=0)

    def rise(self, stream: str, first: Span, second: Span) -> pd.DataFrame:
        """The error in the second span minus that in the first."""
        return self.error(stream, second) - self.error(stream, first)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The runs and tables of notebook 01 that its sentences speak of."""

    draws: Draws  #: all learners on all data sets
    close: Draws  #: more draws, of the learners and data sets of close sentences
    at_rest: pd.DataFrame  #: sweep of NN100 and NN6000 on the two concepts of NSPC-A at rest
    bayes: Mapping[str, Any]  #: `Mixture.bayes_error` of each data set, at equal steps of time
    #: for each reading of NSCX, at the end, by example: loss of a fitted line - of the optimum
    line_excess: Mapping[str, Floats]
    #: severity of the change of NSGR from 0 to each time; columns share and standard_error
    severity: pd.DataFrame
    order: Sequence[str]  #: the data sets, in the order of the paper's table
    #: cost of an example in times that of naive Bayes: a row per data set, a column per learner
    costs: pd.DataFrame
    scale: float = 1.0  #: factor of the thresholds `EQUAL`, `SLIGHT`, `CLOSE` and `CHEAPER`

    @property
    def equal(self) -> float:
        """Points within which learners perform equally well."""
        return EQUAL * self.scale

    @property
    def slight(self) -> float:
        """Points within which a learner is unaffected, or very close to the optimal classifier."""
        return SLIGHT * self.scale

    @property
    def near(self) -> float:
        """Points within which a learner is close to the optimal classifier."""
        return CLOSE * self.scale

    def affected(self, stream: str) -> pd.DataFrame:
        """The rise of the error over the 500 examples after 5000 above the 500 before."""
        return self.draws.rise(stream, BEFORE_5000, AFTER_5000)


def _difference(errors: pd.DataFrame, worse: str | list[str], better: str | list[str]) -> Floats:
    return error_differences(errors, worse=worse, better=better)


_within, _columns = equivalence_margin, np.column_stack


# --- Sections 3.1 and 4.1: global change


def judge_nsgt(evidence: Evidence) -> Judged:
    """Both classes move together on NSGT: learners that forget follow, naive Bayes fails."""
    draws, errors = evidence.draws, evidence.draws.error("NSGT")
    by_thousand = draws.pieces.loc["NSGT"].loc["NB"].T
    by_thousand = by_thousand.groupby(by_thousand.index // 1000).mean().T.diff(axis=1).iloc[:, 1:]
    late = draws.rise("NSGT", THIRD_QUARTER, LAST_QUARTER)
    rise = draws.rise("NSGT", FIRST_HALF, SECOND_HALF)
    stable = "|last quarter - third|"
    intermediate = [
        _difference(errors, "SGD", [*ENSEMBLES, "NN100"]),
        _difference(errors, ["NB", "NN6000"], "SGD"),
    ]
    return {
        "nsgt_equal": judge_mean(
            _within(errors["DWM"] - errors["OZAB"], evidence.equal),
            f"{evidence.equal:g} - |DWM - OZAB|",
        ),
        "nsgt_small_window": judge_mean(_difference(errors, WINDOWS[1:], "NN100"), "NN - NN100"),
        "nsgt_sgd_intermediate": judge_mean(np.hstack(intermediate), "SGD - better, worse - SGD"),
        "nsgt_nb_worst": judge_mean(_difference(errors, "NB", [*FLEXIBLE, *WINDOWS]), "NB - other"),
        "nsgt_nb_never": judge_every(
            mean_margins(by_thousand), "NB, rise from one thousand examples to the next"
        ),
        "nsgt_nb_half": judge_magnitude(
            mean_margins(draws.error("NSGT", LAST_500)["NB"]), 50, "NB, last 500", step=5
        ),
        "nsgt_sgd_rises": judge_mean(rise["SGD"], "SGD, second half - first"),
        "nsgt_ensembles_stable": judge_mean(
            np.hstack([_within(late[name], evidence.slight) for name in ENSEMBLES]),
            f"{evidence.slight:g} - {stable}",
        ),
        "nsgt_nn100_stable": judge_mean(
            _within(late["NN100"], evidence.slight), f"{evidence.slight:g} - {stable}"
        ),
    }


def judge_overlap(evidence: Evidence) -> Judged:
    """Nearest neighbours are less accurate than the ensembles where classes overlap.

    A case is a data set that overlaps, all but NSGR, and an ensemble.
    """
    overlapping = [name for name in evidence.order if name != "NSGR"]
    behind = [
        evidence.draws.excess(stream)["NN100"] - evidence.draws.excess(stream)[name]
        for name in ENSEMBLES
        for stream in overlapping
    ]
    return {
        "nn_less_accurate": judge_every(
            mean_margins(_columns(behind)), "NN100 - DWM or OZAB, data sets that overlap"
        )
    }


def judge_nsgr(evidence: Evidence) -> Judged:
    """The classes of NSGR change places and come back: who is hurt, and by how much.

    *nsgr_90_degrees*, *nsgr_contradicts* and *nsgr_maximum* are about the stream: the share of
    examples whose optimal label at 0 is wrong at another time.
    """
    draws, errors = evidence.draws, evidence.draws.error("NSGR")
    share, rise = evidence.severity["share"], evidence.affected("NSGR")
    second = [
        _difference(errors, ["NB", "NN6000", *ENSEMBLES], "SGD"),
        _difference(errors, "SGD", "NN100"),
    ]
    of_nb = draws.rise("NSGR", BEFORE_2500, AFTER_2500)["NB"], rise["NB"]
    slight = evidence.slight
    return {
        "nsgr_sgd_second": judge_mean(np.hstack(second), "next - SGD, SGD - NN100"),
        "nsgr_long_memory": judge_mean(_difference(errors, "NN6000", WINDOWS[:2]), "NN6000 - NN"),
        "nsgr_90_degrees": judge_magnitude(
            float(np.interp(0.01, share.loc[:5000], share.loc[:5000].index)),
            2500,
            "example from which 1 % of the old labels are wrong",
            step=500,
        ),
        "nsgr_contradicts": judge_magnitude(
            float(share[5000]), 1, "severity from 0 to 5000", step=0.01
        ),
        "nsgr_nb_extreme": judge_mean(
            _difference(errors, "NB", [*FLEXIBLE, *WINDOWS]), "NB - other"
        ),
        "nsgr_maximum": judge_every(
            Margins(share[5000] - share, evidence.severity["standard_error"]),
            "severity from 0 to 5000 - to another time",
        ),
        "nsgr_nb_periods": judge_mean(
            _columns(of_nb) - slight, f"NB, rise at 2500 - {slight:g}, at 5000 - {slight:g}"
        ),
        "nsgr_dwm_recovers": judge_mean(-rise["DWM"], "DWM, 500 examples before 5000 - after"),
        "nsgr_sgd_unaffected": judge_mean(_within(rise["SGD"], slight), f"{slight:g} - |change|"),
    }


#: Where the peak of the error on NSGR is looked for, and by how much the curve of the last 500
#: losses lags behind them, in examples.
PEAK, LAG = (2500, 5500), 250


def _centre(evidence: Evidence, span: Span = PEAK, lag: int = LAG) -> pd.DataFrame:
    """The mean example of the errors on NSGR, weighted by the error; one column per learner."""
    peak = evidence.draws.pieces.loc["NSGR"].loc[:, span[0] : span[1] - PIECE]
    when = peak.columns + PIECE // 2 + lag
    return (peak.mul(when).sum(axis=1) / peak.sum(axis=1)).unstack("learner")


def _width(evidence: Evidence) -> pd.DataFrame:
    """The standard deviation that belongs to `_centre`."""
    peak = evidence.draws.pieces.loc["NSGR"].loc[:, PEAK[0] : PEAK[1] - PIECE]
    when, weights = peak.columns + PIECE // 2 + LAG, peak.div(peak.sum(axis=1), axis=0)
    mean = (weights * when).sum(axis=1)
    return np.sqrt((weights * when**2).sum(axis=1) - mean**2).unstack("learner")


def judge_nsgr_peaks(evidence: Evidence) -> Judged:
    """OZAB detects the change of NSGR earlier than DWM and adapts slower: peaks of the error."""
    centre, width = _centre(evidence), _width(evidence)
    return {
        "nsgr_ozab_earlier": judge_mean(
            centre["DWM"] - centre["OZAB"], "centre of the peak in examples, DWM - OZAB"
        ),
        "nsgr_ozab_slower": judge_mean(
            width["OZAB"] - width["DWM"], "width of the peak in examples, OZAB - DWM"
        ),
        "nsgr_dwm_5000": judge_magnitude(
            mean_margins(centre["DWM"]), 5000, "centre of DWM's peak in Fig. 2b", step=500
        ),
    }


# --- Section 4.2: local change


def judge_nslc(evidence: Evidence) -> Judged:
    """The classes of NSLC meet and part again, and the frontier between them turns."""
    draws, errors = evidence.draws, evidence.draws.error("NSLC")
    circle = np.radians(np.arange(360))
    around = _columns([2 + 0.01 * np.cos(circle), -2 + 0.01 * np.sin(circle)])
    towards = [TESTBED["NSLC"].posterior(around, t)[:, 0].argmax() for t in (0.0, 10_000.0)]
    others = [*LINEAR, *ENSEMBLES, "NN100", "NN1500"]
    like_nn = [_within(errors["NB"] - errors[name], evidence.slight) for name in WINDOWS[:2]]
    slight, near = evidence.slight, evidence.near
    met = draws.rise("NSLC", BEFORE_2500, AROUND_5000)
    at_most = draws.excess("NSLC", AROUND_5000)[[*LINEAR, *ENSEMBLES]]
    tracked = evidence.close.excess("NSLC", SECOND_HALF)[FLEXIBLE]
    return {
        "nslc_rotation": judge_magnitude(
            float(np.ptp(towards)), 90, "degrees that the frontier turns", step=2
        ),
        "nslc_nn6000_worst": judge_mean(_difference(errors, "NN6000", others), "NN6000 - other"),
        "nslc_nb_like_nn": judge_mean(np.hstack(like_nn), f"{slight:g} - |NB - NN100 or NN1500|"),
        "nslc_sgd_best": judge_mean(
            _difference(errors, ["NB", *ENSEMBLES, *WINDOWS], "SGD"), "other - SGD"
        ),
        "nslc_nn_above_10": judge_mean(
            draws.error("NSLC", AROUND_5000)[WINDOWS] - 10, "NN, 4750 to 5249, - 10 %"
        ),
        "nslc_nn_most_affected": judge_mean(
            _difference(met, WINDOWS, [*LINEAR, *ENSEMBLES]), "rise to 5000, NN - other"
        ),
        "nslc_rest_close": judge_mean(near - at_most, f"{near:g} - excess, 4750 to 5249"),
        "nslc_track_closely": judge_mean(slight - tracked, f"{slight:g} - excess, second half"),
    }


def judge_nslc_separates(evidence: Evidence) -> Judged:
    """In the second half of NSLC the error of NN100 falls while naive Bayes leaves the optimum."""
    draws = evidence.draws
    falls = -draws.rise("NSLC", THIRD_QUARTER, LAST_QUARTER)["NN100"]
    leaves = draws.excess("NSLC", LAST_QUARTER)["NB"] - draws.excess("NSLC", THIRD_QUARTER)["NB"]
    what, slight = "fall of NN100, rise of NB's excess", evidence.slight
    first, last = (draws.excess("NSLC", span)["NB"] for span in (FIRST_HALF, LAST_QUARTER))
    return {
        "nslc_nb_separates": judge_mean(_columns([falls, leaves]), what),
        "nslc_nb_first_part": judge_mean(
            _columns([slight - first, last - slight]),
            f"excess of NB: {slight:g} - first half, last quarter - {slight:g}",
        ),
    }


# --- Section 4.3: long-term memory


def judge_nsgti(evidence: Evidence) -> Judged:
    """NSGT-I goes through the same drift twice: who gains from having seen it."""
    draws, errors = evidence.draws, evidence.draws.error("NSGT-I")
    jump, slight = evidence.affected("NSGT-I"), evidence.slight
    recovers = -draws.rise("NSGT-I", AFTER_5000, LAST_QUARTER)
    gain = -draws.rise("NSGT-I", FIRST_HALF, SECOND_HALF)
    gain_of_nb = -evidence.close.rise("NSGT-I", FIRST_HALF, SECOND_HALF)["NB"]
    sgd = draws.pieces.loc["NSGT-I"].loc["SGD"].T
    sgd = sgd.groupby(sgd.index // 500).mean().T
    at_7000 = draws.excess("NSGT-I", AROUND_7000)["NB"]
    others = [*LINEAR, "DWM", *WINDOWS[1:]]
    return {
        "nsgti_best": judge_mean(
            _difference(errors, others, ["OZAB", "NN100"]), "other - OZAB or NN100"
        ),
        "nsgti_peaks": judge_mean(
            np.hstack([jump[ENSEMBLES], recovers[ENSEMBLES]]), "rise at 5000, fall to last quarter"
        ),
        "nsgti_nn100_unaffected": judge_mean(
            _within(jump["NN100"], slight), f"{slight:g} - |change|"
        ),
        "nsgti_sgd_gains": judge_mean(gain["SGD"], "SGD, phase 1 - phase 2"),
        "nsgti_sgd_falls": judge_mean(-jump["SGD"], "SGD, 500 before 5000 - after"),
        "nsgti_sgd_minimum": judge_every(
            mean_margins(sgd.sub(sgd[10], axis=0).drop(columns=10)),
            "SGD, other 500 - 5000 to 5499",
        ),
        "nsgti_nn6000_gains": judge_mean(gain["NN6000"], "NN6000, phase 1 - phase 2"),
        "nsgti_smaller_better": judge_mean(_difference(errors, WINDOWS[1:], "NN100"), "NN - NN100"),
        "nsgti_nb_gains": judge_mean(gain_of_nb, "NB, phase 1 - phase 2"),
        "nsgti_nb_bayes": judge_mean(slight - at_7000, f"{slight:g} - excess of NB, 6750 to 7249"),
    }


def judge_half_way(evidence: Evidence) -> Judged:
    """The share of its way that the first component of NSGT-I has gone at example 7000."""
    at = TESTBED["NSGT-I"].components[0].at([5000, 7000, 9999]).mean[:, 0]
    share = np.diff(at)[0] / np.ptp(at)
    return {"nsgti_half_way": judge_magnitude(share, 0.5, "share of the way at 7000", step=0.1)}


# --- Sections 4.4 and 4.5: changing priors, gradual and sudden


def judge_nspc(evidence: Evidence) -> Judged:
    """The priors of NSPC change gradually; naive Bayes is best, and nearest neighbours worst.

    *nspc_nb_best* has more draws for the learners that come close to naive Bayes.
    """
    mixture, errors = TESTBED["NSPC"], evidence.draws.error("NSPC")
    of_a = mixture.priors(np.arange(10_001)) @ (mixture.labels == 0)
    close, near = evidence.close.error("NSPC"), evidence.near
    groups = [
        mean_margins(_difference(close, FLEXIBLE, "NB")),
        mean_margins(_difference(errors, WINDOWS, "NB")),
    ]
    best = Margins(
        np.hstack([group.value for group in groups]),
        np.hstack([group.standard_error for group in groups]),
        len(errors) - 1,
    )
    excess = evidence.draws.excess("NSPC")[["NB", *FLEXIBLE]]
    return {
        "nspc_balanced": judge_every(1e-9 - np.abs(of_a - 0.5), "1e-9 - |prior of A - 0.5|"),
        "nspc_nb_best": judge_mean(best, "other - NB"),
        "nspc_nn_worst": judge_mean(
            _difference(errors, WINDOWS, [*LINEAR, *ENSEMBLES]), "NN - other"
        ),
        "nspc_medium_window": judge_mean(
            _difference(errors, ["NN100", "NN6000"], "NN1500"), "other window - NN1500"
        ),
        "nspc_follow": judge_mean(near - excess, f"{near:g} - excess"),
        "nspc_dwm_poorer": judge_mean(close["DWM"] - close["NB"], "DWM - NB"),
    }


def judge_nspca(evidence: Evidence) -> Judged:
    """The priors of NSPC-A jump at 5000: rises of the error there, and how fast they go.

    Most are rises of the error over the 500 examples after the jump above the 500 before; the *next
    500* are those from 5500. Two sentences about DWM have more draws.
    """
    draws, close, errors = evidence.draws, evidence.close, evidence.draws.error("NSPC-A")
    rise, after = evidence.affected("NSPC-A"), draws.excess("NSPC-A", NEXT_500)
    risen = close.rise("NSPC-A", BEFORE_5000, AFTER_5000)
    ended = draws.rise("NSPC-A", SECOND_QUARTER, LAST_QUARTER)
    settled, slight = draws.excess("NSPC-A", SECOND_QUARTER), evidence.slight
    gained = _difference(errors, "NB", ["SGD", "OZAB"])
    four = [*LINEAR, *ENSEMBLES]
    pairs = [(a, b) for i, a in enumerate(four) for b in four[i + 1 :]]
    similar = [_within(errors[a] - errors[b], slight) for a, b in pairs]
    return {
        "nspca_similar": judge_mean(
            np.hstack(similar), f"{slight:g} - |one of NB, SGD, DWM, OZAB - another|"
        ),
        "nspca_better_than_nb": judge_mean(
            np.hstack([gained, slight - gained]), f"NB - other, {slight:g} - (NB - other)"
        ),
        "nspca_nb_slow": judge_mean(
            _columns([rise["NB"], after["NB"] - slight]),
            f"rise of NB, excess of 5500 to 5999 - {slight:g}",
        ),
        "nspca_sgd_quick": judge_mean(
            _columns([rise["SGD"], after["NB"] - after["SGD"]]),
            "rise of SGD, NB - SGD in 5500 to 5999",
        ),
        "nspca_dwm_peak": judge_mean(
            _difference(risen, LINEAR, "DWM"), "rise of NB or SGD - of DWM"
        ),
        "nspca_dwm_ends_worse": judge_mean(
            close.rise("NSPC-A", SECOND_QUARTER, LAST_QUARTER)["DWM"], "DWM, last quarter - second"
        ),
        "nspca_ozab_peak": judge_mean(
            _difference(rise, [*LINEAR, "DWM"], "OZAB"), "rise of NB, SGD or DWM - of OZAB"
        ),
        "nspca_ozab_returns": judge_mean(
            _within(ended["OZAB"], slight), f"{slight:g} - |last quarter - second|"
        ),
        "nspca_nn_worst": judge_mean(_difference(errors, WINDOWS, four), "NN - other"),
        "nspca_nn_overlap": judge_mean(
            _difference(settled, WINDOWS, four), "excess before the change, NN - other"
        ),
    }


# --- Sections 4.6 to 4.8: speed, dimension, complexity


def judge_nsgtf(evidence: Evidence) -> Judged:
    """NSGT-F moves faster than NSGT: the error on it minus that on NSGT, of the same seeds.

    *nsgtf_dwm_corrected*: the largest error of DWM in 500 examples above its median, minus the same
    of OZAB; and how far it has fallen within the next 2000 examples, minus half of that height.
    """
    draws, slight, equal = evidence.draws, evidence.slight, evidence.equal
    fast = draws.error("NSGT-F")
    change = fast - draws.error("NSGT")
    sooner = draws.error("NSGT-F", FIRST_HALF) - draws.error("NSGT", FIRST_HALF)
    hurt = np.hstack([change[[*LINEAR, "DWM"]] - slight, _within(change["OZAB"], slight)])
    higher, fallen = _peak(draws, "NSGT-F", "DWM")
    moved = [np.linalg.norm(_moved(name)) for name in ("NSGT-F", "NSGT")]
    return {
        "nsgtf_three_times": judge_magnitude(
            moved[0] / moved[1], 3, "distance moved, NSGT-F / NSGT", step=0
        ),
        "nsgtf_dwm_corrected": judge_mean(
            _columns([higher - _peak(draws, "NSGT-F", "OZAB")[0], fallen - higher / 2]),
            "height of the peak, DWM - OZAB; fall of DWM's - half of its height",
        ),
        "nsgtf_decrease": judge_mean(hurt, f"change - {slight:g}, {slight:g} - |change of OZAB|"),
        "nsgtf_nn100_better": judge_mean(-change["NN100"], "NN100, NSGT - NSGT-F"),
        "nsgtf_nn100_matches": judge_mean(
            _within(fast["NN100"] - fast["OZAB"], equal), f"{equal:g} - |NN100 - OZAB|"
        ),
        "nsgtf_trends": judge_mean(
            draws.rise("NSGT-F", FIRST_HALF, SECOND_HALF)[LINEAR], "second half - first"
        ),
        "nsgtf_earlier": judge_mean(sooner[LINEAR], "first half, NSGT-F - NSGT"),
    }


def _moved(stream: str) -> Sequence[float]:
    """How far the first component moves in its first phase."""
    return TESTBED[stream].components[0].transforms[0].translation


def _peak(draws: Draws, stream: str, learner: str) -> tuple[Floats, Floats]:
    """Height of the largest error in 500 examples above the median, and its fall after it."""
    table = draws.pieces.loc[stream].loc[learner].T
    windows = table.groupby(table.index // 500).mean().T.to_numpy(np.float64)[:, 2:]
    at = windows[:, :-4].argmax(axis=1)
    top = windows[np.arange(len(windows)), at]
    after = [row[i + 1 : i + 5].min() for row, i in zip(windows, at, strict=True)]
    return top - np.median(windows, axis=1), top - np.array(after)


def judge_nsgt5d(evidence: Evidence) -> Judged:
    """NSGT-5D has five attributes: its overlap and speed, and errors on it beside NSGT."""
    plain, five = evidence.draws.error("NSGT"), evidence.draws.error("NSGT-5D")
    level, error = (
        np.array([bayes.error.mean(), np.linalg.norm(bayes.standard_error) / len(bayes.error)])
        for bayes in (evidence.bayes["NSGT-5D"], evidence.bayes["NSGT"])
    )
    overlap, slight = level / error[0], evidence.slight
    behind = [_difference(errors, "SGD", ENSEMBLES) for errors in (plain, five)]
    return {
        "nsgt5d_overlap": judge_magnitude(Margins(*overlap[:, None]), 1, "Bayes errors", step=0.2),
        "nsgt5d_speed": judge_magnitude(
            _way("NSGT-5D") / _way("NSGT"), 1, "ratio of the ways", step=0.01
        ),
        "nsgt5d_nn100": judge_mean(
            five["NN100"] - plain["NN100"] - slight, f"NN100, NSGT-5D - NSGT - {slight:g}"
        ),
        "nsgt5d_nn6000": judge_mean(
            _within(five["NN6000"] - plain["NN6000"], slight), f"{slight:g} - |NSGT-5D - NSGT|"
        ),
        "nsgt5d_sgd": judge_mean(np.hstack(behind), "SGD - DWM or OZAB"),
    }


def _way(name: str) -> float:
    """How far the first component of the data set moves."""
    ends = TESTBED[name].components[0].at([0, 9999]).mean
    return float(np.linalg.norm(ends[1] - ends[0]))


def judge_nscx(evidence: Evidence) -> Judged:
    """NSCX: a third distribution comes, overlap rises and falls, a line should do at the end.

    *nscx_a2_diagonal* and *nscx_exchange* are about the stream as we read it: the smaller of the
    two distances that A2 moves, and the priors at 0 and at 10 000.
    """
    draws, errors = evidence.draws, evidence.draws.error("NSCX")
    a2 = TESTBED["NSCX"].components[1].at([0.0, 10_000.0])
    moved = np.abs(np.ptp(np.broadcast_to(a2.mean, (2, 2)), axis=0)).min()
    (a1_before, a2_before, _), (a1_after, a2_after, _) = TESTBED["NSCX"].priors([0.0, 10_000.0])
    slight, near = evidence.slight, evidence.near
    first, second = draws.excess("NSCX", FIRST_HALF), draws.excess("NSCX", SECOND_HALF)
    last, quarter = draws.excess("NSCX", LAST_500), draws.excess("NSCX", LAST_QUARTER)
    bayes = evidence.bayes["NSCX"].error
    curve = np.interp(np.arange(10_001), np.linspace(0, 10_000, len(bayes)), bayes)
    most = curve[:5000].max()
    followers = _difference(errors, [*LINEAR, *WINDOWS[1:]], ["NN100", "DWM"])
    stays = _columns([last["DWM"] - slight, quarter["DWM"] - near])
    gains = -draws.rise("NSCX", FIRST_HALF, SECOND_HALF)[WINDOWS]
    line = f"{slight:g} - excess of a fitted line, t = 10 000"
    return {
        "nscx_a2_diagonal": judge_every(
            moved - 1, "least distance that A2 moves along an axis - 1"
        ),
        "nscx_exchange": judge_every(
            [0.01 - abs(a1_after - a2_before), 0.01 - abs(a2_after - a1_before)],
            "0.01 - |prior of A1 or A2 at the end - of the other at the start|",
        ),
        "nscx_ozab_best": judge_mean(
            _difference(errors, [*LINEAR, *WINDOWS, "DWM"], "OZAB"), "other - OZAB"
        ),
        "nscx_next": judge_mean(followers, "other - NN100 or DWM"),
        "nscx_sgd_like_nb": judge_mean(
            near - _difference(errors, "NB", "SGD"), f"{near:g} - (NB - SGD)"
        ),
        "nscx_overlap": judge_every(
            100 * np.array([most - curve[0], most - curve[5000:].max()]),
            "largest Bayes error - first, - later",
        ),
        "nscx_nn_improves": judge_mean(gains, "NN, first half - second"),
        "nscx_separable": judge_mean(slight - evidence.line_excess["NSCX"], line),
        "own_separable": judge_mean(slight - evidence.line_excess["NSCX-V"], line),
        "nscx_sgd_not": judge_mean(last["SGD"] - slight, f"excess of SGD, last 500, - {slight:g}"),
        "nscx_dwm_end": judge_mean(
            stays, f"excess of DWM, last 500 - {slight:g}, last quarter - {near:g}"
        ),
        "nscx_nn_overlap": judge_mean(
            first["NN100"] - second["NN100"], "excess of NN100, first half - second"
        ),
        "nscx_sgd_third": judge_mean(
            draws.excess("NSCX")["SGD"] - near, f"excess of SGD - {near:g}"
        ),
    }


# --- Sections 3.1, 4 and 5: over all data sets


def judge_kinds_of_change(evidence: Evidence) -> Judged:
    """Which learner copes with which change: Section 5 of the paper."""
    draws = evidence.draws
    grown = draws.excess("NSLC", AROUND_5000) - draws.excess("NSLC", BEFORE_2500)
    through = draws.excess("NSPC", FIRST_HALF) - draws.excess("NSPC", SECOND_HALF)
    faster = draws.error("NSGT-F") - draws.error("NSGT")
    inertia = [
        _difference(evidence.affected("NSPC-A"), "SGD", "OZAB"),
        _difference(draws.excess("NSPC-A", NEXT_500), "OZAB", "SGD"),
    ]
    simple = _difference(draws.error("NSGR"), ENSEMBLES, ["SGD", "NN100"])
    slight = evidence.slight
    return {
        "simple_better": judge_mean(simple, "DWM or OZAB - SGD or NN100, NSGR"),
        "nn_less_tolerant": judge_mean(grown[WINDOWS], "rise to 5000 on NSLC, NN - Optimal"),
        "gradual_by_all": judge_every(
            mean_margins(through.drop(columns="Optimal") + slight),
            f"{slight:g} - rise of the excess, NSPC",
        ),
        "nspca_inertia": judge_mean(np.hstack(inertia), "rise, SGD - OZAB; next 500, OZAB - SGD"),
        "dwm_slower_than_ozab": judge_mean(
            faster["DWM"] - faster["OZAB"], "NSGT-F - NSGT, DWM - OZAB"
        ),
        "nn_by_window": judge_mean(
            _difference(faster, WINDOWS[1:], "NN100"), "NSGT-F - NSGT, NN - NN100"
        ),
    }


def judge_windows(evidence: Evidence) -> Judged:
    """A small window adapts, a long one is more accurate at rest; noise and dimension hurt."""
    at_rest, excess = evidence.at_rest, evidence.draws.excess
    at_rest = 100 * at_rest.pivot(index=["stream", "seed"], columns="learner", values="error")
    larger = [
        _difference(at_rest.loc[name], "NN100", "NN6000")
        for name in evidence.at_rest["stream"].unique()
    ]
    trade = [_difference(evidence.affected("NSPC-A"), "NN6000", "NN100"), *larger]
    noise = excess("NSPC")["NN100"] - excess("NSGR")["NN100"]
    inputs = excess("NSGT-5D")["NN100"] - excess("NSGT")["NN100"]
    return {
        "window_trades": judge_mean(
            np.hstack(trade), "rise on NSPC-A, NN6000 - NN100; no change, NN100 - NN6000"
        ),
        "nn_noise_dimension": judge_mean(
            _columns([noise, inputs]), "excess of NN100, NSPC - NSGR, NSGT-5D - NSGT"
        ),
    }


def judge_all_data_sets(evidence: Evidence) -> Judged:
    """The data sets, and the learners over all of them: errors, storage, time."""
    errors = evidence.draws.errors.groupby("seed").mean()
    ahead = (evidence.draws.errors["DWM"] - evidence.draws.errors["OZAB"]).groupby("stream").mean()
    much = CHEAPER * evidence.scale
    kept = evidence.draws.runs.groupby(["seed", "learner"])["state_bytes"].max().unstack() / 1024
    shape = pd.DataFrame([(s.n_features, s.n) for s in TESTBED.values()], dtype=float)
    return {
        "two_dimensional": judge_every(
            -shape.sub([2, 10_000]).abs().max(axis=1), "- deviation, data sets"
        ),
        "most_accurate": judge_mean(
            _difference(errors, [*LINEAR, *WINDOWS], ENSEMBLES),
            "mean over the data sets, other - DWM or OZAB",
        ),
        "ozab_usually_lower": judge_usually(ahead, "DWM - OZAB, data sets"),
        "dwm_cheaper": judge_mean(
            (evidence.costs["OZAB"] / evidence.costs["DWM"] - much).to_numpy(),
            f"cost of OZAB / cost of DWM - {much:g}, data sets, measured on one machine",
        ),
        "own_mean_error": judge_mean(errors["DWM"] - errors["OZAB"], "mean error, DWM - OZAB"),
        "own_storage": judge_mean(kept["OZAB"] - 10 * kept["DWM"], "KiB, OZAB - 10 times DWM"),
    }


JUDGES = (
    judge_nsgt,
    judge_overlap,
    judge_nsgr,
    judge_nsgr_peaks,
    judge_nslc,
    judge_nslc_separates,
    judge_nsgti,
    judge_half_way,
    judge_nspc,
    judge_nspca,
    judge_nsgtf,
    judge_nsgt5d,
    judge_nscx,
    judge_kinds_of_change,
    judge_windows,
    judge_all_data_sets,
)


def other_readings(evidence: Evidence) -> pd.DataFrame:
    """Sentences whose reading was chosen after first results, judged under neighbouring readings.

    The result has the index (sentence, reading) and the columns evidence and verdict. The first
    row of each sentence is the reading that counts.
    """
    rows: dict[tuple[str, str], Judgement] = {}
    spans: list[Span] = [PEAK, (2000, 5500), (3000, 5500), (2500, 6000)]
    for span, lag in [*((span, LAG) for span in spans), (PEAK, 0), (PEAK, 2 * LAG)]:
        centre, reading = _centre(evidence, span, lag), f"peak from {span[0]} to {span[1] - 1}"
        reading = f"{reading}, lag {lag}"
        earlier = centre["DWM"] - centre["OZAB"]
        rows["nsgr_ozab_earlier", reading] = judge_mean(earlier, "DWM - OZAB")
        rows["nsgr_dwm_5000", reading] = judge_magnitude(
            mean_margins(centre["DWM"]), 5000, "centre", step=500
        )
    at_end = mean_margins(evidence.draws.error("NSGT", LAST_500)["NB"])
    for step in (5, 1, 2, 10):
        reading = f"50 % in steps of {step}"
        rows["nsgt_nb_half", reading] = judge_magnitude(at_end, 50, "NB", step=step)
    of_nb = _columns(
        [
            evidence.draws.rise("NSGR", BEFORE_2500, AFTER_2500)["NB"],
            evidence.affected("NSGR")["NB"],
        ]
    )
    for least in (1.0, 0.5, 2.0):
        reading = f"more than {least:g} points"
        rows["nsgr_nb_periods", reading] = judge_mean(of_nb - least, "NB")
    poorer = evidence.close.error("NSPC")["DWM"] - evidence.close.error("NSPC")["NB"]
    rows["nspc_dwm_poorer", "poorer at all"] = judge_mean(poorer, "DWM - NB")
    rows["nspc_dwm_poorer", f"by more than {EQUAL:g}"] = judge_mean(
        poorer - EQUAL, f"DWM - NB - {EQUAL:g}"
    )
    rows["nspc_dwm_poorer", "by the published 0.30"] = judge_magnitude(
        mean_margins(poorer), 0.3, "DWM - NB", step=0.02
    )
    table = pd.DataFrame({key: row[1:] for key, row in rows.items()}, ["evidence", "verdict"]).T
    table = table.rename_axis(["sentence", "reading"])
    return table.sort_index(level=0, sort_remaining=False)


#: Why a sentence does not hold; shown only where it does not. Sections are of notebook 01.
REASONS: Mapping[str, str] = {
    "two_dimensional": "Section 1.1: Table 4 lists 10 001 examples, and five attributes of NSGT-5D",
    "nn_less_accurate": "Section 1.6: on NSGT-F and NSGT-I DWM has a larger excess than NN100",
    "nsgr_nb_periods": "Section 1.5: NB has hardly an error on NSGR at 2500 and at 2999",
    "nslc_nn_above_10": "Section 1.5: on NSLC the error of NN1500 stays below 10 % around 5000",
    "nsgti_sgd_minimum": "Section 1.5: on NSGT-I the error of SGD is lower at 5999 than at 5499",
    "nsgti_half_way": "Section 1.1: phase 2 starts at 5000, so its middle is 7500 and not 7000",
    "nsgtf_nn100_better": "Section 1.4: NN100 errs more on NSGT-F, whose window lags more",
    "nsgt5d_overlap": "Section 1.2: the Bayes error of NSGT-5D is almost twice that of NSGT",
    "nscx_a2_diagonal": "Section 1.9: A2 does not move in our reading, the nearest to Table 3",
    "nscx_exchange": "Section 1.9: only A1 changes its weight in our reading",
    "nscx_separable": "Section 1.9: A2 keeps its weight in our reading; a line separates NSCX-V",
    "nspc_nb_best": "Section 1.4: on NSPC the mean error of another learner is as low",
    "nslc_track_closely": "Section 1.6: on NSLC the excess of one of them is above a point",
    "nspca_dwm_ends_worse": "Section 1.5: on NSPC-A the error of DWM falls to its former level",
    "nspca_dwm_peak": "Section 1.5: on NSPC-A the error of DWM at 5499 is not below that of SGD",
    "nsgt_ensembles_stable": "Section 1.5: on NSGT the error of DWM still rises after 7500",
    "nsgr_dwm_5000": "Section 1.11: the table for a sceptic shows what the centre depends on",
}
