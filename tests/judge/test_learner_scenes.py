"""What a report on learners says of learners whose truth is known: nothing false, in any scene."""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from repro import Stream, judge

pytestmark = pytest.mark.filterwarnings("ignore:.*failed in:RuntimeWarning")

BEST = 0.1  # error of the optimum
N = 1500


@dataclass(frozen=True)
class Scene:
    """Labels that an attribute gives away; others tell the stream, the time and when to err."""

    number: int = 0
    drift_at: int = 0
    known: bool = True

    def sample(self, seed: int) -> Stream:
        rng = np.random.default_rng([self.number, seed])
        y, u = rng.integers(0, 2, N), rng.random(N)
        since = np.arange(N) - (self.drift_at or N)
        X = np.column_stack([y, u, np.full(N, self.number), since, np.full(N, seed % 1000)])
        optimal = np.where(u < BEST, 1 - y, y) if self.known else None
        drifts = [self.drift_at] if self.drift_at else []
        return Stream(X, y, optimal=optimal, drifts=drifts, name=f"scene {self.number}")


class Errs:
    """A model that errs at a rate: one number, one for each stream, or a function of the time."""

    def __init__(self, *rates, noise: float = 0.0, own: bool = False) -> None:
        self.rates, self.noise = rates, noise
        self.seed, self.rng = None, np.random.default_rng() if own else None

    def predict_one(self, x: dict[int, float]) -> int:
        y, u, number, since, _ = x.values()
        rate = self.rates[int(number) % len(self.rates)]
        rate = rate(since) if callable(rate) else rate
        if self.noise and (self.rng or random).random() < self.noise:
            return int((self.rng or random).random() < 0.5)
        return int(1 - y if u < rate else y)

    def learn_one(self, x: dict[int, float], y: int) -> None:
        pass


class Stops(Errs):
    """Stops with an error on the draw, or the stream, for which `when` is true."""

    def __init__(self, *rates, when) -> None:
        super().__init__(*rates)
        self.when = when

    def learn_one(self, x: dict[int, float], y: int) -> None:
        if self.when(x):
            raise ZeroDivisionError("gave up")


def answers(tmp_path, model, others, *, streams=1, seeds=6, margin=0.5, **scene):
    scenes = {f"s{i}": Scene(i, **scene) for i in range(streams)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return judge.learner(
            {"mine": model}, scenes, seeds, references=others, margin=margin, cache=tmp_path,
            quick=False,
        )  # fmt: skip


def verdict(report, start: str) -> tuple[str, str]:
    rows = report.verdicts[report.verdicts["question"].str.startswith(start)]
    return rows.iloc[0]["verdict"], rows.iloc[0]["evidence"]


OTHERS = "Is it better than the other"


@pytest.mark.parametrize(
    ("mine", "other", "streams", "says"),
    [
        ((0.2,), (0.2,), 1, "practically equal to other"),
        ((0.2,), (0.3,), 1, "better than other"),
        ((0.3,), (0.2,), 1, "worse than other"),
        ((0.2,), (0.3,), 3, "better than other"),
        ((0.1, 0.3, 0.3), (0.6, 0.25, 0.25), 3, "better on some streams and worse on others"),
        ((0.6, 0.25, 0.25), (0.1, 0.3, 0.3), 3, "better on some streams and worse on others"),
        ((0.2,), (0.201,), 1, "practically equal to other"),
        ((0.2,), (0.2, 0.2, 0.3), 3, "better than other"),
    ],
    ids=["twin", "better", "worse", "better-3", "mixed-good", "mixed-bad", "near", "better-on-1"],
)
def test_a_comparison_says_what_is_true_on_each_stream(tmp_path, mine, other, streams, says):
    report = answers(tmp_path, Errs(*mine), {"other": Errs(*other)}, streams=streams)
    word, evidence = verdict(report, OTHERS)
    assert says in evidence
    assert word != ("yes" if "better than other" not in says else "no")


def test_a_small_difference_with_few_draws_is_not_called_equal(tmp_path):
    report = answers(tmp_path, Errs(0.2), {"other": Errs(0.21)}, seeds=2)
    _, evidence = verdict(report, OTHERS)
    assert "equal" not in evidence.partition("cannot be told")[0]
    assert "cannot be told from other" in evidence


def test_a_wide_gap_is_decided_by_three_draws(tmp_path):
    report = answers(tmp_path, Errs(0.1), {"other": Errs(0.5)}, seeds=3)
    word, evidence = verdict(report, OTHERS)
    assert word == "yes"
    assert "other" in evidence.partition("better than")[2]


def test_a_learner_that_gives_up_on_a_draw_gains_no_place_by_it(tmp_path):
    """The draw is the hardest one, so that the mean without it would be lower."""
    rates = {0: 0.2}
    harder = Errs(lambda since: rates[0])
    stops = Stops(0.2, when=lambda x: x[4] == first and x[1] < 0.01)
    first = judge_seed(0, "s0")
    report = answers(tmp_path, stops, {"twin": harder}, seeds=6)
    assert report.table.loc["mine", "rank"] == report.table.loc["twin", "rank"]
    assert verdict(report, OTHERS)[1].startswith("better than Majority and NoChange")
    assert "practically equal to twin" in verdict(report, OTHERS)[1]
    assert "mine stopped with an error in 1 of 6 runs: ZeroDivisionError: gave up" in report.summary
    assert verdict(report, "Does it run?")[0] == "partly"
    assert "only the draws are compared that all learners finished" in report.summary


def judge_seed(seed: int, name: str) -> int:
    """What `Scene.sample` writes into its last attribute."""
    from repro import seeds

    return seeds.integer(seed, "judge", name) % 1000


def test_a_learner_that_fails_on_a_stream_is_last_there_and_says_so(tmp_path):
    stops = Stops(0.1, when=lambda x: x[2] == 1)
    report = answers(tmp_path, stops, {"other": Errs(0.3)}, streams=3, seeds=3)
    ranks = report.section("ranks").table
    assert ranks.loc["mine", "s1"] == len(ranks)
    assert np.isnan(report.table.loc["mine", "error [%]"])
    assert "It counts as last on s1." in report.summary
    assert verdict(report, OTHERS)[0] != "yes"


def test_a_model_that_fails_everywhere_has_no_place(tmp_path):
    models = {"mine": Errs(0.1), "broken": Stops(0.1, when=lambda x: True)}
    report = judge.learner(models, {"s": Scene()}, 3, references=[], cache=tmp_path)
    rows = report.verdicts.set_index("question")["verdict"]
    assert rows["broken: Which place does it have among the learners?"] == "cannot tell"
    assert rows["broken: Does it run?"] == "no"
    assert rows["broken: Is it better than the other learners?"] != "yes"
    assert "broken has place" not in report.summary


@pytest.mark.parametrize(
    ("rate", "says"), [(BEST, "yes"), (BEST + 0.004, "yes"), (BEST + 0.03, "no")]
)
def test_the_distance_from_the_optimum_is_judged_by_its_interval(tmp_path, rate, says):
    report = answers(tmp_path, Errs(rate), [], seeds=6)
    assert verdict(report, "Is it within 1 point")[0] == says


def test_a_model_at_the_margin_of_the_optimum_cannot_be_told(tmp_path):
    report = answers(tmp_path, Errs(BEST + 0.01), [], seeds=4)
    assert verdict(report, "Is it within 1 point")[0] == "cannot tell"


@pytest.mark.parametrize(
    ("noise", "own", "says"),
    [(0.0, False, "yes"), (0.1, False, "no"), (0.1, True, "with the same seed")],
)
def test_a_model_that_is_partly_random_is_found_out(tmp_path, noise, own, says):
    """With numbers that all of Python shares, or with a generator of its own."""
    report = answers(tmp_path, Errs(0.2, noise=noise, own=own), [], seeds=2)
    word, evidence = verdict(report, "Does it predict the same")
    assert word == says
    assert (", 0 predictions differ between two runs" in evidence) == (says != "no")


def after(rate: float, examples: int):
    """A rate of so many examples after the drift, and the optimum's before and later."""
    return lambda since: rate if 0 <= since < examples else BEST


DRIFT = "Does it recover"


@pytest.mark.parametrize("examples", [60, 180])
def test_a_learner_that_is_back_after_so_many_examples_is_said_to_be(tmp_path, examples):
    """The window of the sliding error, 500 examples, would say something above 500."""
    report = answers(tmp_path, Errs(after(0.5, examples)), [], seeds=8, drift_at=600)
    assert verdict(report, DRIFT)[0] == "yes"
    rows = report.section("recovery").table.set_index("learner")
    row = rows.loc["mine"]
    assert row["at least"] <= examples <= row["at most"]
    assert row["back after [examples]"] == pytest.approx(examples, rel=0.15)


def test_a_short_fall_is_seen(tmp_path):
    """From .9 to .7 for 50 examples: over 500 it is two points."""
    report = answers(tmp_path, Errs(after(0.3, 50)), [], seeds=8, drift_at=600)
    word, evidence = verdict(report, DRIFT)
    assert "rises by" in evidence
    assert word in ("yes", "cannot tell")


def test_a_learner_that_never_comes_back_is_said_to_stay_above(tmp_path):
    report = answers(tmp_path, Errs(after(0.3, N)), [], seeds=6, drift_at=600)
    word, evidence = verdict(report, DRIFT)
    assert word == "no"
    assert "points are left at the end" in evidence
    assert "It does not recover" in report.summary


def test_a_learner_that_does_not_notice_is_not_said_to_recover(tmp_path):
    report = answers(tmp_path, Errs(0.2), [], seeds=6, drift_at=600)
    assert verdict(report, DRIFT)[0] == "no rise seen"
    assert "recover" not in report.summary


@dataclass(frozen=True)
class Nothing(Scene):
    """A stream in which nothing changes at twelve drifts."""

    def sample(self, seed: int) -> Stream:
        made = super().sample(seed)
        return Stream(made.X, made.y, optimal=made.optimal, drifts=range(100, 1300, 100))


def test_of_many_drifts_none_is_said_to_raise_the_error_by_chance(tmp_path):
    streams = {name: Nothing(i) for i, name in enumerate("ab")}
    report = judge.learner(
        {"mine": Errs(0.2)}, streams, 4, references=[], quick=True, cache=tmp_path
    )
    table = report.section("recovery").table
    assert len(table) == 24
    assert table["p"].min() < 24 * 0.04  # of one drift alone it would be significant
    rows = report.verdicts.set_index("question")["verdict"].filter(like=DRIFT)
    assert rows.eq("no rise seen").all()
    assert "recover" not in report.summary


def test_one_draw_says_nothing_about_a_drift(tmp_path):
    report = answers(tmp_path, Errs(after(0.5, 100)), [], seeds=1, drift_at=600)
    assert verdict(report, DRIFT) == ("cannot tell", "one draw says nothing about chance")


def test_without_an_optimum_a_lasting_rise_may_be_a_harder_concept(tmp_path):
    report = answers(tmp_path, Errs(after(0.3, N)), [], seeds=6, drift_at=600, known=False)
    word, evidence = verdict(report, DRIFT)
    assert word == "cannot tell"
    assert "the new concept may be harder" in evidence


def test_labels_that_come_late_are_learned_late(tmp_path):
    from repro.learners import NaiveBayes
    from repro.streams import SEA

    stream = {"SEA": SEA(n=600)}
    errors = [
        judge.learner(NaiveBayes(), stream, 3, references=[], cache=tmp_path, **how).table.loc[
            "NaiveBayes", "error [%]"
        ]
        for how in ({}, {"delay": 300}, {"label_share": 0.05}, {"delay": 600})
    ]
    assert errors[0] < errors[1] < errors[3]
    assert errors[0] < errors[2]
