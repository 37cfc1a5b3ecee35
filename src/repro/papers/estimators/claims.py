"""The sentences of Sections 1 to 4 of paper 2, judged from the runs of notebook 02.

The sentences are in ``data/published/estimators_claims.csv``. Each function judges those that one
experiment decides and returns their judgements by key. Errors are in percentage points.

Our own thresholds: what *comes close* is within `CLOSE` points of the error, a share of rejections
within `SIMILAR` points, and up to `LEVEL_READ` % of rejections count as a level of 1 %.
`Evidence.scale` multiplies all three.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import binom

from repro.detectors.estimates import FadingEstimate, SlidingEstimate
from repro.metrics.estimators import fading_error, prequential_error, sliding_error
from repro.metrics.expectation import expected_error
from repro.metrics.memory import hoeffding_sample_size, window_for
from repro.metrics.q_statistic import q_statistic
from repro.papers.estimators.setup import (
    BY_FADING,
    BY_WINDOW,
    ESTIMATORS,
    FORGETTING,
    THRESHOLD,
    WINDOWS,
)
from repro.published.claims import equivalence_margin
from repro.published.judgements import (
    Judgement,
    judge_every,
    judge_magnitude,
    judge_mean,
    judge_some,
    judge_usually,
)
from repro.published.margins import Margins, mean_margins
from repro.statistics.estimates import Floats

__all__ = ["CLOSE", "JUDGES", "LEVEL_READ", "REASONS", "SIMILAR", "Curves", "Evidence"]

Judged = dict[str, Judgement]

CLOSE, SIMILAR, LEVEL_READ = 0.5, 5.0, 2.0  #: points
TINY = 1e-9  # the floating-point error that an identity may have

#: The streams of Figure 3 on which the tree still improves.
LEARNING = ["Waveform", "RBF", "RT"]
STREAMS = ["Waveform", "LED", "RBF", "RT"]
WEEK = 7 * 48  # half-hours


@dataclass(frozen=True, eq=False)
class Curves:
    """The tree of Figures 2 and 3 on four streams, by (stream, seed)."""

    loss: Mapping[tuple[str, int], Floats]
    optimal: Mapping[tuple[str, int], Floats]  #: losses of the optimal rule on the same examples
    holdout: Mapping[tuple[str, int], Floats]  #: error on a holdout set at `positions`, in percent
    optimal_holdout: Mapping[tuple[str, int], float]  #: that of the optimal rule, in percent
    positions: Floats  #: examples learned before each test on the holdout set

    @property
    def seeds(self) -> list[int]:
        """The seeds of the runs."""
        return list(dict.fromkeys(seed for _, seed in self.loss))

    @property
    def n(self) -> int:
        """Examples of a stream."""
        return len(next(iter(self.loss.values())))

    @cached_property
    def half(self) -> NDArray[np.bool_]:
        """Which of the positions lie in the second half."""
        return self.positions > self.n // 2

    def tested(self, stream: str) -> Floats:
        """Holdout error of each run, shape (seeds, positions)."""
        return np.array([self.holdout[stream, k] for k in self.seeds])

    def estimated(self, stream: str, of: str) -> Floats:
        """An estimate of each run at the positions in percent, shape (seeds, positions)."""
        at = self.positions - 1
        return 100 * np.array([ESTIMATORS[of](self.loss[stream, k])[at] for k in self.seeds])

    def above_optimal(self, stream: str) -> Floats:
        """`tested` above the error of the optimal rule on the same examples."""
        luck = np.array([[self.optimal_holdout[stream, k]] for k in self.seeds])
        return self.tested(stream) - luck

    @cached_property
    def average(self) -> dict[tuple[str, str], Floats]:
        """Mean of each estimate over the second half, above that of the optimal rule, (seeds,)."""
        later = slice(self.n // 2, None)
        return {
            (name, of): np.array(
                [
                    100
                    * (estimate(self.loss[name, k]) - estimate(self.optimal[name, k]))[later].mean()
                    for k in self.seeds
                ]
            )
            for name, (of, estimate) in product(STREAMS, ESTIMATORS.items())
        }

    @cached_property
    def target(self) -> dict[str, Floats]:
        """Mean holdout error over the second half, above that of the optimal rule, (seeds,)."""
        return {name: self.above_optimal(name)[:, self.half].mean(axis=1) for name in STREAMS}

    @cached_property
    def gaps(self) -> dict[tuple[str, str], Floats]:
        """Each estimate minus the holdout error in the second half, shape (seeds, positions)."""
        return {
            (name, of): (self.estimated(name, of) - self.tested(name))[:, self.half]
            for name, of in product(STREAMS, ESTIMATORS)
        }

    @cached_property
    def rms(self) -> dict[tuple[str, str], Floats]:
        """Root mean square of the gaps of each run, shape (seeds,)."""
        return {key: np.sqrt((gap**2).mean(axis=1)) for key, gap in self.gaps.items()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """The runs and tables of notebook 02 that its sentences speak of."""

    trees: pd.DataFrame  #: accuracy in percent, one row per number of examples, one column per tree
    n_test: int  #: examples behind each of these accuracies
    figure_3: Curves
    led_average: Floats  #: `Curves.average` of more runs on LED, shape (runs, estimators)
    led_target: Floats  #: `Curves.target` of the same runs, shape (runs,)
    lemma: pd.Series  #: share of steps above P_e in percent, by estimator, stream and seed
    #: distance from the Bayes error of naive Bayes on LED: rows seeds, columns (estimate, examples)
    distance: pd.DataFrame
    fixed_window: Floats  #: largest distance of a window of 1000 in each run, shape (seeds,)
    bayes: Mapping[str, float]  #: Bayes error of each stream in percent
    cost: Mapping[str, Any]  #: of each learner, the bytes of its state along a stream
    bounded: pd.DataFrame  #: a tree with each budget, with the column "memory [KiB]"
    networks: Mapping[tuple[int, int], Floats]  #: squared losses by (hidden units, seed)
    q: Mapping[tuple[str, int], Floats]  #: Q of the networks by (memory, seed)
    m: Mapping[tuple[str, int], Floats]  #: McNemar's statistic on SEA by (memory, seed)
    concept: int  #: examples of a concept of SEA
    #: examples from the first drift to the first rejection: one row per run, a column per memory
    onset: pd.DataFrame
    level: pd.DataFrame  #: rejections of equal learners in percent: mean and sem, Section 2.8
    missed: pd.DataFrame  #: errors of type II in percent by examples, with "± s.e."
    signs: pd.DataFrame  #: runs of equal learners with one sign of Q in percent, with "± s.e."
    n_trials: int  #: simulated runs behind `level`
    scale: float = 1.0  #: factor of the thresholds `CLOSE`, `SIMILAR` and `LEVEL_READ`

    @property
    def close(self) -> float:
        """Points of error within which an estimate comes close."""
        return CLOSE * self.scale

    @property
    def seeds(self) -> list[int]:
        """The seeds of Q and M."""
        return list(dict.fromkeys(seed for _, seed in self.m))

    @cached_property
    def sign_changes(self) -> dict[tuple[str, int], int]:
        """Sign changes of Q after the first four weeks."""
        return {k: int(np.sum(np.diff(np.sign(q[4 * WEEK :])) != 0)) for k, q in self.q.items()}

    @cached_property
    def below_again(self) -> dict[tuple[str, int], float]:
        """Share of steps without significance after cumulative M first rejected, in percent."""
        start = {
            k: self.concept + int(np.argmax(self.m["cumulative", k][self.concept :] > THRESHOLD))
            for k in self.seeds
        }
        return {
            (name, k): float(100 * np.mean(np.abs(m[start[k] :]) <= THRESHOLD))
            for (name, k), m in self.m.items()
        }


_within, _columns = equivalence_margin, np.column_stack


# --- Sections 2 and 3.1: examples and memory


def judge_not_judged(evidence: Evidence) -> Judged:
    """Sentences about time, which depends on the machine, or about data that are not public."""
    return {
        "faster": judge_mean(None, "not judged: needs timings, which differ between machines"),
        "constant": judge_every(None, "not judged: space is constant, update time needs timings"),
        "rapid_increase": judge_magnitude(
            None, 80, "not judged: the web-mining data are not public", step=1
        ),
    }


def judge_accuracy(evidence: Evidence) -> Judged:
    """The accuracy of each tree of Figure 1 rises from each number of examples to the next."""
    share = evidence.trees / 100
    variance = share * (1 - share) / evidence.n_test
    gained = 100 * share.diff().iloc[1:].to_numpy().ravel()
    error = 100 * np.sqrt(variance + variance.shift()).iloc[1:].to_numpy().ravel()
    return {
        "accuracy_increases": judge_every(
            Margins(gained, error), "next size - one, 10 000 to 2 million examples"
        )
    }


def judge_memory(evidence: Evidence) -> Judged:
    """Trees grow in the second half of a stream, a linear model does not, a bounded tree stops."""
    grown = pd.Series({name: float(np.ptp(size[[25, -1]])) for name, size in evidence.cost.items()})
    grown /= 2**10
    trees = ["Hoeffding tree, mc", "Hoeffding tree", "Option tree"]
    larger = evidence.bounded["memory [KiB]"].diff().iloc[1:2]
    return {
        "vfdt_limit": judge_some(larger, "KiB, handheld - sensor"),
        "tree_grows": judge_every(grown[trees] - 1, "growth in the second half - 1 [KiB]"),
        "linear_fixed": judge_every(
            TINY - grown[["Linear SVM"]], "1e-9 - growth, second half [KiB]"
        ),
    }


# --- Section 3.2: limits of the estimates


def judge_limits(evidence: Evidence) -> Judged:
    """Naive Bayes, consistent on LED, comes to the Bayes error; a fixed window keeps its noise.

    A case is a run; its margin is `close` minus the distance at the end of the longest stream.
    """
    distance, close = evidence.distance, f"{evidence.close:g}"
    sizes = distance.columns.get_level_values("examples")
    last = evidence.close - distance.xs(sizes.max(), axis=1, level="examples").abs()
    rms = np.sqrt((distance**2).mean()).unstack("estimate")
    memory = sizes.max() // 5
    return {
        "limit_holdout": judge_every(
            last["holdout"], f"{close} - |H_e - Bayes error|, naive Bayes on LED"
        ),
        "limit_prequential": judge_every(
            last["prequential"], f"{close} - |P_e - Bayes error|, naive Bayes on LED"
        ),
        "limit_window": judge_every(
            last["windows"], f"{close} - |P_w - Bayes error|, w = {memory}"
        ),
        "limit_fading": judge_every(
            last["fading factors"], f"{close} - |P_α - Bayes error|, memory {memory}"
        ),
        "main_lesson": judge_every(
            rms.loc[sizes.min()] - rms.loc[sizes.max()], "distance, first size - last"
        ),
        "own_fixed_window": judge_every(
            evidence.close - evidence.fixed_window, f"{close} - largest distance"
        ),
    }


def judge_holdout(evidence: Evidence) -> Judged:
    """The mean loss of a fixed rule on examples that it never learns is its error on average.

    The rule is the optimal one, whose error is known. A case is a stream, a run one holdout set;
    the mean distance must be within `close`.
    """
    curves, close = evidence.figure_3, evidence.close
    tested = {name: [curves.optimal_holdout[name, k] for k in curves.seeds] for name in STREAMS}
    away = [_within(np.array(tested[name]) - evidence.bayes[name], close) for name in STREAMS]
    return {
        "holdout_unbiased": judge_every(
            mean_margins(np.hstack(away)),
            f"{close:g} - |mean distance of the optimal rule's loss from the Bayes error|",
        )
    }


def judge_hoeffding(evidence: Evidence) -> Judged:
    """A mean of 18 445 losses is within one point with probability .95, at any error rate."""
    size = hoeffding_sample_size(0.01, 0.05)
    n, rates = int(size), np.arange(1, 20) / 20
    low, high = (binom.cdf(n * (rates + side), n, rates) for side in (-0.01, 0.01))
    return {
        "hoeffding_chance": judge_every(high - low - 0.95, "probability - .95"),
        "hoeffding_size": judge_magnitude(size - 18_444, 0, "n - 18 444", step=1),
    }


def judge_bayes_errors(evidence: Evidence) -> Judged:
    """The Bayes errors of Waveform and LED, and how near a tree comes to them."""
    close, trees = evidence.close, evidence.figure_3.average
    what = f"{close:g} - |P_w - Bayes error|, w = 5000"
    return {
        "bayes_waveform": judge_magnitude(
            evidence.bayes["Waveform"], 14, "Bayes error [%]", step=1
        ),
        "bayes_led": judge_magnitude(evidence.bayes["LED"], 26, "Bayes error [%]", step=1),
        "own_tree_led": judge_mean(_within(trees["LED", "w = 5000"], close), what),
        "own_tree_waveform": judge_mean(_within(trees["Waveform", "w = 5000"], close), what),
    }


def judge_forgetting(evidence: Evidence) -> Judged:
    """Every estimate with forgetting comes to the holdout error, on average and in one run."""
    curves, close = evidence.figure_3, evidence.close
    pairs = [*product(STREAMS, FORGETTING)]
    near = [_within(curves.average[key] - curves.target[key[0]], close) for key in pairs]
    ends = [[*by][:: len(by) - 1] for by in (BY_WINDOW, BY_FADING)]
    alike = [
        _within(curves.average[name, short] - curves.average[name, long], close)
        for name, (short, long) in product(STREAMS, ends)
    ]
    one_run = close - _columns([curves.rms[key] for key in pairs])
    middle, end = (
        _columns([curves.gaps[name, "prequential"][:, at] for name in LEARNING]) for at in (0, -1)
    )
    return {
        "always_converges": judge_every(
            mean_margins(np.hstack(near)), f"{close:g} - |mean distance from the holdout error|"
        ),
        "size_no_matter": judge_mean(
            np.hstack(alike), f"{close:g} - |w = 100 - w = 5000|, and the same of the factors"
        ),
        "own_one_run": judge_mean(one_run, f"{close:g} - RMS distance in a run"),
        "own_comes_nearer": judge_mean(
            middle - end, "gap in the middle - at the end, Waveform, RBF, RT"
        ),
    }


def judge_pessimism(evidence: Evidence) -> Judged:
    """The error over the whole history is above the holdout error, and its first part is why.

    *pessimistic* is about the mean of each of four streams in the second half; LED, where the tree
    hardly improves, has more runs. *pessimistic_figure* is about fifths of Waveform in Figure 2.
    """
    curves = evidence.figure_3
    excess = [curves.average[name, "prequential"] - curves.target[name] for name in LEARNING]
    ours = mean_margins(_columns(excess))
    led = mean_margins(evidence.led_average[:, 0] - evidence.led_target)
    above = Margins(
        np.append(ours.value, led.value),
        np.append(ours.standard_error, led.standard_error),
        np.append(np.repeat(ours.df, len(LEARNING)), led.df),
    )
    at = curves.positions - 1
    luck = [100 * prequential_error(curves.optimal["Waveform", k])[at] for k in curves.seeds]
    lag = curves.estimated("Waveform", "prequential") - np.array(luck)
    lag -= curves.above_optimal("Waveform")
    fifths = _columns([part.mean(axis=1) for part in np.array_split(lag, 5, axis=1)])
    falls = [
        -np.diff(
            [part.mean(axis=1) for part in np.array_split(curves.tested(name), 5, axis=1)], axis=0
        )
        for name in STREAMS
    ]
    tenth, close = curves.n // 10, evidence.close
    first = [100 * (loss.mean() - loss[tenth:].mean()) for loss in curves.loss.values()]
    first_part = np.reshape(first, (len(STREAMS), -1)).T
    return {
        "pessimistic": judge_mean(above, "P_e - holdout error, Waveform, RBF, RT and LED"),
        "pessimistic_figure": judge_every(
            mean_margins(fifths), "P_e - holdout error, each fifth of Waveform"
        ),
        "first_part": judge_some(
            mean_margins(first_part - close), f"P_e - P_e without the first tenth - {close:g}"
        ),
        "improves": judge_every(
            mean_margins(np.vstack(falls).T), "holdout error, fifth - next, 4 streams"
        ),
    }


def judge_lemma(evidence: Evidence) -> Judged:
    """P_w and P_α are at most P_e: true of expectations while the learner improves, not of runs."""
    curves, share = evidence.figure_3, evidence.lemma
    known = min(18_444, curves.n) - 1
    at_known = [
        100 * (prequential_error(loss)[known] - estimate(loss)[known])
        for loss, estimate in product(curves.loss.values(), BY_WINDOW.values())
    ]
    of_led = {of: np.abs(curves.estimated("LED", of) - evidence.bayes["LED"]) for of in ESTIMATORS}
    closer = of_led["prequential"] - of_led["w = 1000"]
    lower = [
        curves.average[name, "prequential"] - curves.average[name, of]
        for name, of in product(LEARNING, FORGETTING)
    ]
    led = evidence.led_average
    return {
        "lemma": judge_every(-share.loc[[*BY_WINDOW]], "- share of steps above P_e [%]"),
        "lemma_fading": judge_every(-share.loc[[*BY_FADING]], "- share of steps above P_e [%]"),
        "lemma_18444": judge_every(at_known, f"P_e - P_w at {known + 1}, all runs and windows"),
        "own_lemma_learning": judge_mean(_columns(lower), "P_e - P"),
        "own_lemma_led": judge_mean(led[:, :1] - led[:, 1:], "P_e - P"),
        "smaller_error": judge_mean(
            closer[:, curves.positions > known].mean(axis=1), "|P_e - μ| - |P_w - μ|, w = 1000, LED"
        ),
    }


def judge_identities(evidence: Evidence) -> Judged:
    """What follows from the definitions: infinite memory, the sum of weights, what is stored."""
    curves = evidence.figure_3
    loss = curves.loss["LED", curves.seeds[0]]
    boundless = sliding_error(loss, curves.n), fading_error(loss, 1.0)
    apart = [np.abs(estimate - prequential_error(loss)).max() for estimate in boundless]
    sums = [(1 - a) * np.sum(a ** np.arange(100_000.0)) - 1 for a in (0.995, 0.999, 0.9994)]
    states = SlidingEstimate(1000).start(), FadingEstimate(0.999).start()
    window, factor = (sum(np.size(part) for part in state) for state in states)
    return {
        "infinite_memory": judge_every(TINY - np.array(apart), "1e-9 - |difference|, LED"),
        "increment": judge_every(TINY - np.abs(sums), "1e-9 - |(1 - α) N - 1|, α = .995 to .9994"),
        "memory_window": judge_every(window - factor, "numbers stored, w = 1000 - α"),
    }


# --- Section 3.4: how large a window


def judge_window_sizes(evidence: Evidence) -> Judged:
    """A small window adapts sooner, a large one varies less, and the gain in precision ends.

    *no_more_precise* is about LED, where the tree hardly improves: beyond 5000 losses the root mean
    squared distance from the holdout error falls by less than `close`.
    """
    curves, close = evidence.figure_3, evidence.close
    jump = np.repeat([0.0, 1.0], 10_000)
    steps = {w: int(np.sum(expected_error(jump, window=w).mean[10_000:] < 0.5)) for w in WINDOWS}
    half = curves.half
    steady = [curves.estimated("LED", f"w = {w}")[:, half].std(axis=1) for w in WINDOWS]
    of_size = [curves.rms[name, "w = 100"] - curves.rms[name, "w = 5000"] for name in STREAMS]
    gained = curves.rms["LED", "w = 5000"] - curves.rms["LED", "prequential"]
    return {
        "small_adapts": judge_some(float(steps[5000] - steps[100]), "steps, w = 5000 - w = 100"),
        "large_variance": judge_every(
            mean_margins(-np.diff(steady, axis=0).T), "s.d., window - next window, LED"
        ),
        "more_precise": judge_usually(np.concatenate(of_size), "RMS, w = 100 - w = 5000"),
        "no_more_precise": judge_some(
            mean_margins(close - gained), f"{close:g} - (RMS distance, w = 5000 - P_e), LED"
        ),
    }


def judge_sample_sizes(evidence: Evidence) -> Judged:
    """The numbers of Section 3.4, with half of the interval as ε, as its examples have it.

    *own_whole_interval* asks the same with the whole interval, as its equation is printed.
    """
    inside = binom.cdf(1000 * (0.5 + np.array([-1, 1]) / 1000**0.5), 1000, 0.5)
    whole, n = [400 * np.sqrt(0.25 / 1000) - 3, window_for(0.005) - 10_000], window_for(0.01)
    return {
        "coverage": judge_magnitude(
            100 * np.diff(inside)[0], 95, "p̂ ± 2 sqrt(.25 / n) covers p, n = 1000 [%]", step=1
        ),
        "window_1000": judge_magnitude(
            200 * np.sqrt(0.25 / 1000), 3, "2 sqrt(.25 / n) in %", step=1
        ),
        "window_1_percent": judge_magnitude(n, 10_000, "n", step=1)._replace(
            evidence=f"2 sqrt(.25 / n) is 1 % for n = {n}, published 10000"
        ),
        "weight_3000": judge_magnitude(0.995**3000, 2.9e-7, "weight", step=1e-8),
        "own_whole_interval": judge_every(0.5 - np.abs(whole), "0.5 - |4 sqrt(.25 / n) - printed|"),
    }


# --- Section 4: comparing two learners


def judge_q(evidence: Evidence) -> Judged:
    """Q of two networks that forecast demand: its sign, and what it says of the next 250."""
    turns, seeds, q = evidence.sign_changes, evidence.seeds, evidence.q
    forgetful = [name for name in dict.fromkeys(name for name, _ in q) if name != "cumulative"]
    more = [[turns[name, k] - turns["cumulative", k] for name in forgetful] for k in seeds]
    foresees = [
        [np.corrcoef(q[name, k][:-250], q["w = 250", k][250:])[0, 1] for name in forgetful]
        for k in seeds
    ]
    first = seeds[0]
    swapped = q_statistic(evidence.networks[20, first], evidence.networks[5, first])
    error = Margins(
        5 * evidence.scale - evidence.signs["one sign"].iloc[0], evidence.signs["± s.e."].iloc[0]
    )
    rare = f"{5 * evidence.scale:g} - runs with one sign over the second half [%]"
    return {
        "q_symmetric": judge_every(
            TINY - np.abs(q["cumulative", first] + swapped).max(), "1e-9 - |sum|"
        ),
        "q_one_sign": judge_every(
            [-turns["cumulative", k] for k in seeds],
            "- sign changes after four weeks, runs on Elec2",
        ),
        "q_long_term": judge_mean(more, "sign changes, with forgetting - cumulative"),
        "q_captures": judge_mean(foresees, "correlation with Q of the next 250"),
        "own_q_sign": judge_mean(error, rare),
    }


def judge_mcnemar(evidence: Evidence) -> Judged:
    """McNemar's statistic on SEA: cumulative it stays high, with forgetting it falls again."""
    under, seeds, m = evidence.below_again, evidence.seeds, evidence.m
    forgetful = [name for name in dict.fromkeys(name for name, _ in m) if name != "cumulative"]
    back = [[under[name, k] - under["cumulative", k] for name in forgetful] for k in seeds]
    third = [m["cumulative", k][2 * evidence.concept :].min() - THRESHOLD for k in seeds]
    return {
        "never_below": judge_every([-under["cumulative", k] for k in seeds], "- steps below [%]"),
        "not_informative": judge_mean(back, "steps below, with forgetting - cumulative [%]"),
        "own_third_concept": judge_every(third, "least M - 6.635"),
    }


def judge_memories_of_m(evidence: Evidence) -> Judged:
    """A window and a fading factor of one memory reject alike; other factors do not.

    A run that never rejects counts to its end. The few runs that reject late have a large part in
    the mean of *same_point*, so its evidence gives the medians too.
    """
    m, seeds, points = evidence.m, evidence.seeds, SIMILAR * evidence.scale
    higher, lower = (
        {key: 100 * np.mean(sign * values > THRESHOLD) for key, values in m.items()}
        for sign in (1, -1)
    )
    similar = [
        [share["w = 1000", k] - share["α = 0.999", k] for k in seeds] for share in (higher, lower)
    ]
    differ = [abs(higher["α = 0.999", k] - higher["α = 0.99", k]) - points for k in seeds]
    onset, n = evidence.onset, len(m["cumulative", seeds[0]])
    apart = [
        (onset[window] - onset[factor]).to_numpy()
        for window, factor in (("w = 1000", "α = 0.999"), ("w = 100", "α = 0.99"))
    ]
    medians = " and ".join(f"{np.median(steps):.0f}" for steps in apart)
    return {
        "similar_results": judge_mean(
            np.hstack([_within(np.array(each), points) for each in similar]),
            f"{points:g} - |shares of rejections, w = 1000 - α = .999| [%]",
        ),
        "same_point": judge_mean(
            np.hstack([_within(steps, n / 100) for steps in apart]),
            f"{n // 100} - |steps apart|, two pairs; their medians are {medians}",
        ),
        "other_factors": judge_mean(
            differ, f"|shares of rejections, α = .999 - α = .99| - {points:g} [%]"
        ),
    }


def judge_levels(evidence: Evidence) -> Judged:
    """How often McNemar's test errs: once, at every step, with faded counts, with more examples.

    *type_2* compares the errors of ten tests of 1000 examples each with those of one: their number
    grows. *own_type_2* asks whether one test of more examples errs more often.
    """
    once, always = (evidence.level[look].loc["McNemar"] for look in ("once", "every step"))
    plain, faded = once.iloc[:3], once.iloc[3:]
    mended = evidence.level["once"].loc[["McNemar, divided", "Q / s.e."]]
    df, level = evidence.n_trials - 1, LEVEL_READ * evidence.scale
    rejections = f"{level:g} - rejections [%]"
    errors, error = evidence.missed.iloc[:, 0], evidence.missed["± s.e."]
    more = Margins(errors.diff().iloc[1:], np.hypot(*error))
    return {
        "type_1": judge_mean(
            Margins(level - plain["mean"], plain["sem"], df), f"{rejections}, one look"
        ),
        "threshold": judge_magnitude(THRESHOLD, 6.635, "quantile of χ²", step=0.001),
        "type_2": judge_some(
            Margins(9 * errors.iloc[0] / 100, 9 * error.iloc[0] / 100, df),
            "errors of type II, ten tests of 1000 examples - one",
        ),
        "power_length": judge_some(
            Margins(-more.value, more.standard_error, df), "power, n = 10 000 - n = 1000 [%]"
        ),
        "own_type_2": judge_mean(more, "errors of type II, n = 10 000 - n = 1000 [%]"),
        "own_faded_level": judge_mean(
            Margins(faded["mean"] - 0.5, faded["sem"], df), "rejections - 0.5 [%]"
        ),
        "own_divided_level": judge_mean(
            Margins(level - mended["mean"], mended["sem"], df), rejections
        ),
        "own_every_step": judge_mean(
            Margins(level - always["mean"], always["sem"], df), rejections
        ),
    }


JUDGES = (
    judge_not_judged,
    judge_accuracy,
    judge_memory,
    judge_limits,
    judge_holdout,
    judge_hoeffding,
    judge_bayes_errors,
    judge_forgetting,
    judge_pessimism,
    judge_lemma,
    judge_identities,
    judge_window_sizes,
    judge_sample_sizes,
    judge_q,
    judge_mcnemar,
    judge_memories_of_m,
    judge_levels,
)

_NOISIER = (
    "Section 2.3: the proof replaces losses by expectations; in one run a short memory is "
    "noisier than P_e"
)

#: Why a sentence does not hold; shown only where it does not. Sections are of notebook 02.
REASONS: Mapping[str, str] = {
    "lemma": _NOISIER,
    "lemma_fading": _NOISIER,
    "lemma_18444": _NOISIER,
    "smaller_error": "Section 2.3: LED has a nearly constant error; fewer losses are noisier",
    "pessimistic_figure": "Section 2.2: a split makes the tree worse, and P_e lags behind it",
    "improves": "Section 2.2: a split makes the tree worse for a while",
    "own_one_run": "Section 2.3: a short memory is noisy, in the table of RMS distances",
    "own_tree_waveform": "Section 2.3: the tree itself is above the Bayes error, on a holdout set",
    "limit_holdout": "Section 2.4: a holdout set that is not large enough keeps its noise",
    "own_fixed_window": "Section 2.4: the noise of a window of fixed length does not vanish",
    "own_whole_interval": "Section 2.5: the examples use half of the interval",
    "q_one_sign": "Section 2.6: where the networks are nearly equal, Q is near 0 and crosses it",
    "never_below": "Section 2.7: soon after the first rejection A and B differ on few examples",
    "own_type_2": "Section 2.8: with more examples a true difference is missed less often",
    "own_q_sign": "Section 2.8: the difference of two sums is a random walk, which keeps its sign",
    "own_faded_level": "Section 2.8: the denominator is too large by (1 + α) / (1 + α^i)",
    "own_every_step": "Section 2.8: the largest of many statistics exceeds the quantile of one",
}
