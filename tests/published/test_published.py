"""Published beside reproduced: the arithmetic by hand, the verdicts at their edges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from repro import published
from repro.runner import status

pytestmark = pytest.mark.contract

ROOT = Path(__file__).parents[2]


def sweep_table(errors: dict[tuple[str, str], list[float]]) -> pd.DataFrame:
    rows = [
        {"stream": stream, "learner": learner, "seed": seed, "error": error}
        for (stream, learner), values in errors.items()
        for seed, error in enumerate(values)
    ]
    return pd.DataFrame(rows)


def cell(frame: pd.DataFrame, stream: str, learner: str) -> pd.Series:
    return frame[(frame["stream"] == stream) & (frame["learner"] == learner)].iloc[0]


def test_the_published_table_has_nine_streams_and_eight_columns_in_order():
    frame = published.read("testbed_table3")
    assert frame["stream"].unique().tolist()[:3] == ["NSGT", "NSGT-F", "NSGR"]
    assert frame["learner"].unique().tolist()[:4] == ["Optimal", "NB", "SGD", "DWM"]
    assert len(frame) == 72
    assert cell(frame, "NSGR", "NN6000").published == 36.95


def test_a_cell_worked_out_by_hand():
    """NB on NSGT is published as 25.27: runs of 25, 25.2 and 25.4 % have sd 0.2."""
    table = sweep_table({("NSGT", "NB"): [0.25, 0.252, 0.254]})
    got = cell(published.compare("testbed_table3", table), "NSGT", "NB")
    assert got["reproduced"] == pytest.approx(25.2)
    assert got["s.e."] == pytest.approx(0.2 / np.sqrt(3))
    assert got["difference"] == pytest.approx(-0.07)
    by_hand = 0.2**2 / 3 + 0.2**2 / 10
    assert got["s.e. of difference"] == pytest.approx(np.sqrt(by_hand + 0.01**2 / 12))
    # Student's .975 quantile with 2 degrees of freedom is 4.3027, the normal one 1.95996.
    resolution = np.sqrt(4.302653**2 * by_hand + 1.959964**2 * 0.01**2 / 12)
    assert got["resolution"] == pytest.approx(resolution, rel=1e-6)
    assert got["verdict"] == "too coarse to tell"  # the resolution is .57 points


@pytest.mark.parametrize(("excess", "verdict"), [(0.99, "agrees"), (1.01, "differs")])
def test_the_verdict_turns_at_the_resolution_on_either_side(excess, verdict):
    spread = np.array([-0.1, 0.0, 0.1])
    reach = np.sqrt(4.302653**2 * 0.1**2 * (1 / 3 + 1 / 10) + 1.959964**2 * 0.01**2 / 12)
    for sign in (1, -1):
        runs = (25.27 + sign * excess * reach + spread) / 100
        table = sweep_table({("NSGT", "NB"): runs.tolist()})
        got = cell(published.compare("testbed_table3", table), "NSGT", "NB")
        assert got["verdict"] == verdict


def test_a_rounded_number_agrees_with_what_it_was_rounded_from():
    """NN100 on NSGR is printed as 0.02: 0.0249 in every run rounds to it, 0.031 does not."""
    for error, verdict in [(0.000249, "agrees"), (0.00031, "differs")]:
        table = sweep_table({("NSGR", "NN100"): [error] * 3})
        got = cell(published.compare("testbed_table3", table), "NSGR", "NN100")
        assert got["verdict"] == verdict


def test_cells_with_fewer_than_two_finished_runs_are_kept_as_not_run():
    table = sweep_table({("NSGT", "NB"): [0.25], ("NSGT", "SGD"): [np.nan, np.nan, 0.07]})
    frame = published.compare("testbed_table3", table)
    assert len(frame) == 72
    assert (frame["verdict"] == "not run").all()
    assert (frame["reason"] == "").all()


def test_only_a_cell_that_differs_shows_its_reason():
    table = sweep_table({("NSGT", "NB"): [0.1, 0.11], ("NSGT", "SGD"): [0.0768, 0.0769]})
    reasons = {("NSGT", "NB"): "a setting", ("NSGT", "SGD"): "never shown"}
    frame = published.compare("testbed_table3", table, reasons=reasons)
    assert cell(frame, "NSGT", "NB").reason == "a setting"
    assert cell(frame, "NSGT", "SGD").reason == ""
    bare = published.compare("testbed_table3", table)
    assert cell(bare, "NSGT", "NB").reason == "not explained"


def test_compare_refuses_an_unknown_table_and_a_frame_without_errors():
    with pytest.raises(ValueError, match=r"name must be one of testbed_table3, .*; got 'table3'"):
        published.compare("table3", sweep_table({("NSGT", "NB"): [0.1]}))
    with pytest.raises(ValueError, match=r"frame must have the columns error; got \["):
        published.compare("testbed_table3", pd.DataFrame({"learner": [], "stream": []}))


@pytest.mark.parametrize(
    ("margin", "verdict"),
    [
        ([1.0, 1.1, 0.9], "holds"),
        ([-1.0, -1.1, -0.9], "does not hold"),
        ([1.0, -1.0, 0.1], "cannot be told"),
        (None, "cannot be told"),
        ([1.0], "cannot be told"),
        ([1.0, np.nan], "cannot be told"),
        ([[1.0, -1.0], [1.01, -1.01]], "does not hold"),
        ([[1.0, 0.5], [1.1, -0.5]], "cannot be told"),
        ([[1.0, 2.0], [1.1, 2.1]], "holds"),
    ],
)
def test_a_claim_is_as_good_as_its_weakest_part(margin, verdict):
    assert published.claim("a claim", margin, "margin").verdict == verdict


def test_the_evidence_shows_the_part_that_is_nearest_to_failing():
    judged = published.claim("a claim", [[5.0, 1.0], [6.0, 1.5]], "gap")
    assert judged.evidence == "gap: +1.25 ± 0.25"


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=20))
def test_a_claim_and_its_opposite_never_both_hold(margin):
    there = published.claim("c", margin, "m").verdict
    back = published.claim("not c", [-m for m in margin], "m").verdict
    assert {there, back} in ({"holds", "does not hold"}, {"cannot be told"})


def test_margin_takes_every_pair_run_by_run():
    errors = pd.DataFrame({"A": [3.0, 4.0], "B": [1.0, 1.0], "C": [2.0, 5.0]})
    got = published.error_differences(errors, worse=["A", "C"], better="B")
    np.testing.assert_array_equal(got, [[2.0, 1.0], [3.0, 4.0]])


def test_within_holds_inside_the_bound_and_not_outside():
    near, far = (
        published.equivalence_margin([0.1, -0.1, 0.05], 1.0),
        published.equivalence_margin([1.4, 1.5, 1.6], 1.0),
    )
    assert published.claim("near", near, "m").verdict == "holds"
    assert published.claim("far", far, "m").verdict == "does not hold"


def test_every_committed_cell_that_does_not_agree_has_its_reason():
    cells = pd.read_csv(ROOT / "data" / "results" / "01_cells.csv", keep_default_na=False)
    assert not (cells["reason"] == "not explained").any()
    assert (
        (cells["reason"] != "") == cells["verdict"].isin(["differs", "too coarse to tell"])
    ).all()


def test_the_readme_has_the_verdicts_of_each_notebook():
    """`python -m repro verdicts --tables` prints them."""
    lines = [line for line in status.verdict_tables() if line]
    assert len(lines) == 2 * (2 + len(list((ROOT / "notebooks").glob("[0-9]*.ipynb"))))
    assert set(lines) <= set(readme().splitlines())


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("estimates", "errors", "verdict"),
    [
        ([0.3, 0.5], [0.1, 0.2], "holds"),
        ([0.3, 0.5], [0.1, 0.3], "cannot be told"),
        ([-0.3, 0.5], [0.14, 0.2], "cannot be told"),  # 2.14 s.e.; Bonferroni asks for 2.24
        ([0.3, -0.5], [0.1, 0.2], "does not hold"),
        ([0.1], [0.0], "holds"),
        ([0.0], [0.0], "cannot be told"),
        ([np.nan, 0.5], [0.1, 0.1], "cannot be told"),
    ],
)
def test_estimates_are_judged_like_means_over_runs(estimates, errors, verdict):
    assert published.estimated_claim("x", estimates, errors, "y").verdict == verdict


@pytest.mark.parametrize(
    ("df", "verdict"), [(np.inf, "holds"), (4, "holds"), (3, "cannot be told")]
)
def test_an_estimate_of_three_standard_errors_needs_four_degrees_of_freedom(df, verdict):
    """Student's .975 quantiles are 2.78 with 4 and 3.18 with 3 degrees of freedom."""
    assert published.estimated_claim("x", [0.3], [0.1], "y", df=df).verdict == verdict


def test_a_claim_of_one_part_is_students_test():
    rng = np.random.default_rng(4)
    for shift in np.linspace(-1.5, 1.5, 31):
        runs = rng.normal(shift, 1, 10)
        test = stats.ttest_1samp(runs, 0)
        verdict = "holds" if test.statistic > 0 else "does not hold"
        verdict = verdict if test.pvalue < 0.05 else "cannot be told"
        assert published.claim("x", runs, "y").verdict == verdict


def test_a_claim_is_the_estimate_of_its_runs():
    runs = np.random.default_rng(0).normal(0.2, 1, (50, 3))
    errors = runs.std(axis=0, ddof=1) / np.sqrt(50)
    as_estimate = published.estimated_claim("x", runs.mean(0), errors, "y", df=49)
    assert published.claim("x", runs, "y") == as_estimate
    with pytest.raises(ValueError, match="standard_error must have one value per estimate"):
        published.estimated_claim("x", [1, 2], [1], "y")
