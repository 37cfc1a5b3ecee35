"""Judgements by quantifier: wrong sentences are caught, and chance decides in at most 5 %."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from repro import published
from repro.published import (
    Margins,
    judge_every,
    judge_magnitude,
    judge_mean,
    judge_some,
    judge_usually,
    means,
)
from repro.published.margins import margin_text
from repro.seeds import generator

N = 4000  # simulated sentences
PLANTED = {
    "mean": lambda: judge_mean([-0.5, -0.4, -0.6], "A is better than B, and is worse"),
    "every": lambda: judge_every([1.0] * 299 + [-0.01], "true of 299 cases of 300"),
    "some": lambda: judge_some([-1.0] * 300, "true of no case"),
    "usually": lambda: judge_usually([1.0] * 30 + [-0.1] * 70, "true of 30 cases of 100"),
    "magnitude": lambda: judge_magnitude(Margins(2.0, 0.01), 3.0, "three times", step=0.1),
}


def at_most(level: float) -> float:
    return level + 3 * np.sqrt(level * (1 - level) / N)


def at_least(level: float) -> float:
    return level - 3 * np.sqrt(level * (1 - level) / N)


@pytest.mark.parametrize("quantifier", published.QUANTIFIERS)
def test_a_wrong_sentence_of_each_quantifier_is_caught(quantifier):
    judged = PLANTED[quantifier]()
    assert (judged.quantifier, judged.verdict) == (quantifier, "does not hold")


@pytest.mark.parametrize(
    "judged",
    [
        judge_mean([0.5, 0.4, 0.6], "m"),
        judge_some([-1.0] * 299 + [0.01], "m"),
        judge_usually([1.0] * 70 + [-0.1] * 30, "m"),
        judge_magnitude(Margins(2.96, 0.01), 3.0, "m", step=0.1),
    ],
)
def test_a_true_sentence_holds(judged):
    assert judged.verdict == "holds"


@pytest.mark.parametrize("judge", [judge_mean, judge_every, judge_some, judge_usually])
def test_without_data_nothing_can_be_told(judge):
    assert judge(None, "needs MNIST")[1:] == ("needs MNIST", "cannot be told")
    assert judge_magnitude(None, 1.0, "needs", step=0.1)[1:] == ("needs", "cannot be told")


def test_the_mean_is_judged_as_estimated_claims_are():
    rng = generator(0, "means")
    for shift in np.linspace(-1, 1, 21):
        runs = rng.normal(shift, 1, (8, 3))
        verdict = published.claim("x", runs, "m").verdict
        assert judge_mean(runs, "m").verdict == verdict
        assert judge_mean(published.mean_margins(runs), "m").verdict == verdict
    assert judge_mean([1.0], "m")[1:] == ("m: too few runs", "cannot be told")
    assert judge_mean([[1.0, np.nan], [1.1, 2.0]], "m").verdict == "cannot be told"


def test_one_exact_counterexample_refutes_and_a_tie_does_not():
    assert judge_every([3.0, 0.0], "m")[1:] == (
        "m: not refuted in 2 cases; deciding case +0",
        "not refuted",
    )
    assert judge_every([3.0, -1e-12], "m").verdict == "does not hold"
    assert judge_every([np.nan, 1.0], "m").evidence == "m: not refuted in 1 case; deciding case +1"
    assert judge_every([np.nan], "m").verdict == judge_every([], "m").verdict == "cannot be told"


def test_a_sentence_without_a_case_cannot_be_told():
    """As where a query finds nothing, which generated stand-ins may do."""
    for none in ([], Margins([]), Margins(pd.Series(dtype=float), pd.Series(dtype=float), [])):
        for judge in (judge_every, judge_some, judge_usually):
            assert judge(none, "m")[1:] == ("m", "cannot be told")
        assert judge_magnitude(none, 1.0, "m", step=0.0)[1:] == ("m", "cannot be told")


@pytest.mark.parametrize("df", [3, 10, np.inf])
@pytest.mark.parametrize("k", [1, 5, 40])
def test_cases_at_the_edge_refute_or_show_a_sentence_in_2_5_percent(df, k):
    """All margins are 0 in truth: Bonferroni is nearly exact for independent cases."""
    rng = generator(1, "cases", f"{df} {k}")
    z = rng.normal(size=(N, k))
    error = np.ones((N, k)) if df == np.inf else np.sqrt(rng.chisquare(df, (N, k)) / df)
    margins = [Margins(m, e, df) for m, e in zip(z, error, strict=True)]
    refuted = np.mean([judge_every(m, "m").verdict == "does not hold" for m in margins])
    shown = np.mean([judge_some(m, "m").verdict == "holds" for m in margins])
    for share in (refuted, shown):
        assert at_least(0.0247) <= share <= at_most(0.025)


def test_some_is_false_where_all_cases_are_below_0_and_only_there():
    assert judge_some(Margins([-0.3, -0.2], 0.1), "m").verdict == "does not hold"
    assert judge_some(Margins([-0.3, -0.1], 0.1), "m").verdict == "cannot be told"
    assert judge_some(Margins([0.2, -9.0], 0.1), "m").verdict == "cannot be told"  # 2.24 s.e. asked
    assert judge_some(Margins([0.23, -9.0], 0.1), "m")[1:] == (
        "m: shown by 1 of 2 cases; deciding case +0.23 ± 0.10",
        "holds",
    )


def test_in_the_worst_case_of_some_one_margin_of_0_is_called_below_in_2_5_percent():
    rng = generator(2, "some")
    found = [
        judge_some(Margins([-9.0, z], 1.0), "m").verdict == "does not hold"
        for z in rng.normal(size=N)
    ]
    assert at_least(0.025) <= np.mean(found) <= at_most(0.025)


@given(st.integers(1, 60), st.integers(0, 60))
def test_usually_is_the_exact_binomial_test_of_one_half(k, positive):
    x = min(positive, k)
    low, high = stats.binomtest(x, k).proportion_ci(0.95, method="exact")
    judged = judge_usually([1.0] * x + [-1.0] * (k - x), "m")
    expected = "holds" if low > 0.5 else "does not hold" if high < 0.5 else "cannot be told"
    assert judged.verdict == expected
    assert judged.evidence.endswith(f"share {low:.2f} to {high:.2f}")


@pytest.mark.parametrize("k", [5, 6, 20, 101])
def test_a_share_of_one_half_is_decided_in_at_most_5_percent(k):
    """All outcomes listed, each with its probability."""
    words = [judge_usually([1.0] * x + [-1.0] * (k - x), "m").verdict for x in range(k + 1)]
    p = stats.binom(k, 0.5).pmf(np.arange(k + 1))
    for word in ("holds", "does not hold"):
        assert p[np.array(words) == word].sum() <= 0.025
    assert ("holds" in words) == (k >= 6)


def test_in_a_tie_the_sentence_is_not_true():
    ties = judge_usually([1.0] * 10 + [0.0] * 90, "m")
    assert ties[1:] == (
        "m: positive in 10 of 100 cases, 90 ties; share 0.05 to 0.18",
        "does not hold",
    )


@pytest.mark.parametrize(
    ("estimate", "verdict"),
    [
        (2.5, "holds"),
        (2.0, "holds"),
        (3.0, "holds"),
        (3.001, "does not hold"),
        ([2.0, 3.0, 1.99], "does not hold"),
        (Margins(3.2, 0.05), "does not hold"),
        (Margins(2.6, 0.5), "cannot be told"),  # 1.96 s.e. exceed half of the range
        (Margins(9.0, 0.5), "does not hold"),
        (Margins([2.5, np.inf]), "does not hold"),
    ],
)
def test_a_range_is_its_middle_rounded_to_its_width(estimate, verdict):
    assert judge_magnitude(estimate, 2.5, "2 to 3", step=1.0).verdict == verdict


def test_a_fraction_is_a_number():
    assert judge_magnitude(2.5, Fraction(5, 2), "m", step=Fraction(1, 2)).verdict == "holds"


def test_a_magnitude_is_judged_by_the_rule_of_published_numbers():
    """A number of a text has the same verdict, where the estimate is precise enough."""
    rng = generator(3, "magnitudes")
    for error in (0.0, 0.001, 0.01):
        for ours in 0.5 + rng.normal(0, 0.02, 30):
            frame = pd.DataFrame({"quantity": ["x"], "reproduced": ours, "s.e.": error, "df": 9})
            text = means.TextNumbers("x")
            table = pd.DataFrame(
                {"quantity": ["x"], "published": 0.5, "decimals": 2, "section": "1", "kind": ""}
            )
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(means, "read_file", lambda _, table=table: table)
                cell = text.judged(frame)["verdict"].item()
            judged = judge_magnitude(Margins(ours, error, 9), 0.5, "x", step=0.01).verdict
            assert judged == {"agrees": "holds", "differs": "does not hold"}[cell]


def test_equal_magnitudes_differ_in_5_percent():
    rng = generator(4, "magnitudes")
    found = [
        judge_magnitude(Margins(10 + z, 0.1), 10, "m", step=0.0).verdict
        for z in rng.normal(0, 0.1, N)
    ]
    share = np.mean(np.array(found) == "does not hold")
    assert at_least(0.05) <= share <= at_most(0.05)


@pytest.mark.parametrize(
    ("estimate", "error", "text"),
    [
        (0.123456, 0.0456, "+0.123 ± 0.046"),
        (-1.0, 0.0996, "-1.00 ± 0.10"),
        (0.5, 0.00123, "+0.5000 ± 0.0012"),
        (1234.5, 99.6, "+1230 ± 100"),
        (1.5, 3.0, "+1.5 ± 3.0"),
        (2.0, np.inf, "+2"),
        (1e-20, 1e-21, "+1e-20 ± 1e-21"),
        (1 / 3, 0.0, "+0.3333"),
        (np.nan, 0.1, "+nan"),
    ],
)
def test_evidence_has_two_significant_digits_of_the_standard_error(estimate, error, text):
    assert margin_text(estimate, error) == text


MESSAGES = {
    "margins must have shape": lambda: judge_every([[1.0]], "m"),
    "standard_error of margins must be >= 0": lambda: judge_every(Margins([1.0], [-1.0]), "m"),
    "df of margins must be > 0": lambda: judge_some(Margins([1.0], 1.0, 0), "m"),
    "standard_error of margins must be >= 0, one": lambda: judge_some(
        Margins([1.0], [1.0, 1.0]), "m"
    ),
    "runs must have shape": lambda: published.mean_margins([1.0]),
    r"margin must have shape \(runs,\) or": lambda: judge_mean([[[1.0]]], "m"),
    "published must be finite": lambda: judge_magnitude(1.0, np.nan, "m", step=0.1),
    "step must be finite and >= 0": lambda: judge_magnitude(1.0, 1.0, "m", step=-1.0),
    "margins must hold numbers": lambda: judge_every(["a"], "m"),
    "estimate must hold numbers": lambda: judge_magnitude("a", 1.0, "m", step=1.0),
}


@pytest.mark.parametrize("message", MESSAGES)
def test_bad_arguments_are_named(message):
    with pytest.raises(ValueError, match=message):
        MESSAGES[message]()


# --- the evidence shows the case that decides


def test_the_evidence_of_every_shows_the_case_that_refutes():
    """A lower mean with a wide interval does not refute; a higher one with a narrow one does."""
    margins = Margins([-0.113, -0.173], [0.060, 0.016])
    judged = judge_every(margins, "m")
    assert judged.verdict == "does not hold"
    assert judged.evidence == "m: refuted in 1 of 2 cases; deciding case -0.173 ± 0.016"


def test_the_evidence_of_a_mean_shows_the_part_that_fails():
    judged = judge_mean(Margins([-0.5, -0.3], [0.4, 0.01]), "m")
    assert judged == ("mean", "m: deciding one of 2 parts: -0.300 ± 0.010", "does not hold")
    judged = judge_mean(Margins([0.5, 0.3], [0.4, 0.01]), "m")
    assert judged == ("mean", "m: deciding one of 2 parts: +0.50 ± 0.40", "cannot be told")


def test_the_evidence_of_some_shows_the_case_that_is_nearest_to_an_example():
    judged = judge_some(Margins([-5.0, -0.5], [3.0, 0.1]), "m")  # -5 ± 3 alone does not refute
    assert judged.verdict == "cannot be told"
    judged = judge_some(Margins([-5.0, -0.5], [0.1, 0.2]), "m")
    assert judged[1:] == ("m: shown by 0 of 2 cases; deciding case -0.50 ± 0.20", "does not hold")


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(0.1, 9)), min_size=1, max_size=6))
def test_a_sentence_that_fails_shows_a_case_that_is_below_0(cases):
    """At the level of all k cases together, the margin that is shown refutes on its own."""
    margins = Margins(*np.transpose(cases))
    refutes = margins.value[margins.interval(0.05 / len(cases))[1] < 0]
    for judge in (judge_every, judge_mean):
        judged = judge(margins, "m")
        assert (judged.verdict == "does not hold") == bool(refutes.size)
        if refutes.size:
            shown = float(judged.evidence.split()[-3])
            assert np.abs(refutes - shown).min() < 0.6  # shown to two digits of its error


def test_a_case_whose_bound_is_unknown_is_not_the_example_that_is_shown():
    """Two equal repeats, beside a case that is clearly above 0."""
    found = judge_some(Margins([0.5, 0.3], [0.0, 0.1], [1, 50]), "m")
    assert found == ("some", "m: shown by 1 of 2 cases; deciding case +0.30 ± 0.10", "holds")
    alone = judge_some(Margins([0.5], [0.0], [1]), "m")
    assert alone == ("some", "m: shown by 0 of 1 case; deciding case +0.5", "cannot be told")
