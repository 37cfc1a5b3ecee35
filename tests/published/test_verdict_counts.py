"""p-values, Holm's correction, the excess over Optimal, and planted numbers that must be caught."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from repro import published
from repro.published import means
from repro.published.counts import (
    columns_of_cells,
    columns_of_claims,
    counts_by_kind,
    summary_of_cells,
    summary_of_claims,
)
from repro.published.means import MeanErrors
from repro.published.verdict import too_coarse, verdicts
from repro.seeds import generator
from repro.statistics.differences import Means, spread, spread_of_means

ROOT = Path(__file__).parents[2]
N_CELLS = 2000


@given(
    st.lists(st.tuples(st.floats(0, 9), st.integers(1, 30)), min_size=1, max_size=3),
    st.floats(-20, 20),
    st.sampled_from([0.0, 0.01, 1.0]),
)
def test_a_cell_differs_if_and_only_if_its_p_value_is_below_the_level(terms, difference, step):
    variance, df = np.array(terms).T[:, :, None]
    found = spread(variance, df, step=step)
    p = found.p([difference]).item()
    if variance.sum() == 0:
        assert np.isnan(p)
    elif abs(p - 0.05) > 1e-6:
        differs = verdicts([difference], found.resolution).item() == "differs"
        assert differs == (p < 0.05)


def test_p_values_are_those_of_welch():
    rng = generator(5, "welch")
    a, b = rng.normal(0, 1, (8, 50)), rng.normal(1, 3, (12, 50))
    one, other = (Means(x.mean(axis=0), x.std(axis=0, ddof=1), np.full(50, len(x))) for x in (a, b))
    p = spread_of_means(one, other).p(one.mean - other.mean)
    np.testing.assert_allclose(p, stats.ttest_ind(a, b, equal_var=False).pvalue, rtol=1e-6)


def test_resolutions_are_fine_up_to_a_tenth_or_half_a_point_or_the_printed_step():
    assert too_coarse([4.0, 4.0, -4.0], [0.4, 0.41, 0.41]).tolist() == [False, True, True]
    assert too_coarse([49.0, 0.1], [0.6, 0.5], points=0.5).tolist() == [True, False]
    assert not too_coarse(0.02, 0.01, step=0.01)
    assert not too_coarse(1.0, np.nan)
    assert verdicts([0.0, 9.0, 0.0], 1.0, [False, True, True]).tolist() == [
        "agrees",
        "differs",
        "too coarse to tell",
    ]


# --- counts


def test_counts_are_of_cells_and_constants_apart_from_values_and_from_texts():
    rows = [
        {"verdict": "agrees", "p": 0.5, "differs after Holm": False, "kind": np.nan},
        {"verdict": "differs", "p": 0.01, "differs after Holm": True},
        {"verdict": "differs", "p": np.nan, "differs after Holm": True, "kind": "constant"},
    ]
    found = counts_by_kind(rows)
    assert list(found) == ["cell", "constant"]
    assert (found["cell"].with_p, found["cell"].after_holm) == (2, 1)
    assert found["cell"].by_chance == pytest.approx(0.1)
    assert (found["constant"].with_p, found["constant"].verdicts["differs"]) == (0, 1)
    texts = [{k: "" if v != v else str(v) for k, v in row.items()} for row in rows]
    assert counts_by_kind(texts) == found
    frame = published.count_verdicts(pd.DataFrame(rows))
    assert frame.index.tolist() == ["cells", "constants"]
    assert frame.loc["cells", ["number", "agree", "differ"]].tolist() == [2, 1, 1]
    assert frame.loc["cells", "differ by chance"] == pytest.approx(0.1)
    with pytest.raises(ValueError, match=r"kind must be one of \['cell', .*\]; got 'x'"):
        counts_by_kind([{"verdict": "agrees", "kind": "x"}])
    with pytest.raises(ValueError, match="cells must have the columns verdict"):
        published.count_verdicts(pd.DataFrame({"a": [1]}))


# --- the excess over Optimal


def paired(
    monkeypatch, *, shift: float = 0.0, easy: float = 2.0, n: int = 10
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """NB and Optimal on streams whose difficulty varies; a published NB that is off by `shift`."""
    rng = generator(7, "paired", str(n))

    def draws(count: int) -> tuple[np.ndarray, np.ndarray]:
        optimal = rng.normal(10, easy, (N_CELLS, count))
        return optimal, optimal + rng.normal(5, 0.3, (N_CELLS, count))

    optimal, learner = (x.mean(axis=1).round(2) for x in draws(10))
    streams = np.arange(N_CELLS)
    wide = pd.DataFrame({"stream": streams, "Optimal": optimal, "NB": learner + shift})
    monkeypatch.setattr(means, "read_file", lambda name: wide)
    columns = {"stream": streams.repeat(n), "seed": np.tile(np.arange(n), N_CELLS)}
    ours = [
        pd.DataFrame(columns).assign(learner=name, error=x.ravel() / 100)
        for name, x in zip(("Optimal", "NB"), draws(n), strict=True)
    ]
    table = MeanErrors("made_up", "stream", 100.0, 2, 10)
    cells = table.judged(pd.concat(ours))
    return cells[cells["learner"] == "Optimal"], cells[cells["learner"] == "NB"]


@pytest.mark.parametrize("n", [3, 10])
def test_of_equal_errors_at_most_5_percent_differ_though_two_tests_judge_them(monkeypatch, n):
    optimal, nb = paired(monkeypatch, n=n)
    assert optimal["resolution of excess"].isna().all()
    for cells in (optimal, nb):
        share = (cells["verdict"] == "differs").mean()
        assert share == pytest.approx(0.05, abs=2.5 * np.sqrt(0.05 * 0.95 / N_CELLS))
        assert share == pytest.approx((cells["p"] < 0.05).mean())


def test_the_excess_shows_what_the_errors_of_difficult_streams_hide(monkeypatch):
    _, nb = paired(monkeypatch, shift=1.0)
    assert (nb["verdict"] == "differs").mean() > 0.99
    assert (nb["difference"].abs() > nb["resolution"]).mean() < 0.3
    assert nb["difference of excess"].mean() == pytest.approx(-1.0, abs=0.02)


def test_without_optimal_or_its_spread_the_error_is_judged_alone_at_the_whole_level(monkeypatch):
    wide = pd.DataFrame({"stream": ["a"], "Optimal": [0.0], "NB": [5.0]})
    monkeypatch.setattr(means, "read_file", lambda name: wide)
    table = MeanErrors("made_up", "stream", 100.0, 2, 10)
    rows = [("a", "NB", k, 0.05 + 0.001 * k) for k in range(5)]
    columns = ["stream", "learner", "seed", "error"]
    alone = table.judged(pd.DataFrame(rows, columns=columns)).iloc[1]
    zero = [("a", "Optimal", k, 0.0) for k in range(5)]
    exact = table.judged(pd.DataFrame(rows + zero, columns=columns)).iloc[1]
    reach = stats.t(4).isf(0.025) * 0.1 * np.std(range(5), ddof=1) * np.sqrt(1 / 5 + 1 / 10)
    for cell in (alone, exact):
        assert np.isnan(cell["difference of excess"])
        assert cell["resolution"] == pytest.approx(reach, rel=1e-3)


# --- planted numbers


def ten(rows: np.ndarray) -> np.ndarray:
    return generator(8, "planted").choice(rows, 10, replace=False)


def runs_with(mean: float, standard_error: float, n: int = 10) -> np.ndarray:
    """Numbers that have this mean and standard error exactly."""
    z = np.linspace(-1, 1, n)
    return mean + standard_error * np.sqrt(n) * z / z.std(ddof=1)


def sweep_of(results: pd.DataFrame) -> pd.DataFrame:
    """Runs of a learner on a stream that give the numbers of a table of results."""
    parts = [
        pd.DataFrame({"error": runs_with(row["reproduced"], row["s.e."]) / 100, "seed": range(10)})
        for _, row in results.iterrows()
    ]
    keys = results[["stream", "learner"]].loc[results.index.repeat(10)].reset_index(drop=True)
    return pd.concat([keys, pd.concat(parts, ignore_index=True)], axis=1)


def test_ten_wrong_errors_planted_in_the_results_are_caught():
    """Each is off by two resolutions, the other verdicts stay."""
    results = pd.read_csv(ROOT / "data/results/01_cells.csv")
    others = results[results["learner"] != "Optimal"]  # without draws there is no excess
    before = published.compare("testbed_table3", sweep_of(others))
    agrees = np.flatnonzero(before["verdict"] == "agrees")
    planted = ten(agrees)
    results.loc[planted, "reproduced"] = (
        before.loc[planted, "published"] + 2 * before.loc[planted, "resolution"]
    )
    after = published.compare("testbed_table3", sweep_of(results[results["learner"] != "Optimal"]))
    assert (after.loc[planted, "verdict"] == "differs").all()
    assert (after.loc[planted, "reason"] == published.NOT_EXPLAINED).all()
    others = after.index.difference(planted)
    assert (after.loc[others, "verdict"] == before.loc[others, "verdict"]).all()


def delays_of(results: pd.DataFrame) -> pd.DataFrame:
    """Runs that give the delays, misses and false alarms of a table of results."""
    parts = []
    for _, row in results.iterrows():
        n = int(row["runs"] - row["missed"])
        delay = np.full(int(row["runs"]), np.nan)
        delay[:n] = runs_with(row["reproduced"], row["s.e."], n) if n > 1 else row["reproduced"]
        false_alarms = np.arange(len(delay)) < row["false-alarm runs"]
        keys = row[["stream", "learner", "estimator"]].to_dict()
        columns = {"seed": range(len(delay)), "delay": delay, "false_alarms": 1 * false_alarms}
        parts.append(pd.DataFrame(columns).assign(**keys))
    return pd.concat(parts, ignore_index=True)


@pytest.mark.parametrize("what", ["delay", "missed", "false-alarm runs"])
def test_ten_wrong_delays_planted_in_the_results_are_caught(what):
    results = pd.read_csv(ROOT / "data/results/03_cells.csv").query("table == 2")
    results = results.reset_index(drop=True)
    before = published.compare("estimators_table2", delays_of(results))
    good = before["verdict"].isin(["agrees", "too coarse to tell"]) & (before["missed"] == 0)
    planted = ten(np.flatnonzero(good & (before["published missed"] == 0)))
    if what == "delay":
        results.loc[planted, "reproduced"] += 3 * before.loc[planted, "resolution"]
    else:
        results.loc[planted, what] = 15  # of 20
    after = published.compare("estimators_table2", delays_of(results))
    assert (after.loc[planted, "verdict"] == "differs").all()
    others = after.index.difference(planted)
    assert (after.loc[others, "verdict"] == before.loc[others, "verdict"]).all()


def test_ten_wrong_numbers_of_texts_are_caught():
    for name in ("estimators_text", "temporal_text", "permutations_text"):
        right = published.read(name)
        frame = right[["quantity"]].assign(reproduced=right["published"])
        assert (published.compare(name, frame)["verdict"] == "agrees").all()
        for i, row in right.iterrows():
            wrong = frame.copy()
            wrong.loc[i, "reproduced"] += 0.51 * 10.0 ** -row["decimals"]
            assert published.compare(name, wrong)["verdict"].tolist().count("differs") == 1


def test_ten_wrong_claims_planted_in_a_ledger_are_caught():
    """The opposite of ten sentences that hold does not hold, whatever the quantifier."""
    file = pd.read_csv(ROOT / "data/published/permutations_claims.csv", keep_default_na=False)
    rng = generator(9, "claims")
    judge = {"mean": published.judge_mean, "every": published.judge_every}
    own = file[file["quantifier"].isin(list(judge)) & (file["permutations"] == "")]
    assert len(own) >= 20
    margins = {key: np.abs(rng.normal(1, 0.1, (10, 3))) for key in own["key"]}
    planted = set(own["key"].iloc[ten(np.arange(len(own)))])
    judged = {
        row["key"]: judge[row["quantifier"]](
            given if row["quantifier"] == "mean" else given.ravel(), "margin"
        )
        for _, row in own.iterrows()
        for given in [margins[row["key"]] * (-1 if row["key"] in planted else 1)]
    }
    frame = published.ledger("permutations", judged)
    caught = set(frame.loc[frame["verdict"] == "does not hold", "sentence"])
    assert caught == set(own.loc[own["key"].isin(planted), "sentence"])


def test_equivalent_cells_are_counted_by_their_verdict():
    rows = [
        {"verdict": verdict, "p": 0.5, "equivalent": shown}
        for verdict, shown in [("agrees", True), ("agrees", False), ("differs", "True")]
    ]
    (line,) = summary_of_cells(rows)
    assert line.startswith("cells: 2 agree (1 equivalent), 1 differs (at most 0.2 by chance, 0 aft")
    assert "1 within the margin" in line
    columns = columns_of_cells(rows)
    assert (columns["of these equivalent"], columns["of these within the margin"]) == ("1", "1")
    assert "equivalent" not in summary_of_cells([{"verdict": "agrees", "p": 0.5}])[0]


def test_tested_sentences_are_wrong_by_chance_in_one_of_forty():
    exact = {"verdict": "holds", "evidence": "d: +1", "quantifier": "every"}
    tested = exact | {"evidence": "d: +1.0 ± 0.1"}
    assert "at most 0.1 decided wrongly" in summary_of_claims([exact, tested, tested])[0]
    assert "chance" not in summary_of_claims([exact])[0]
    assert columns_of_claims([exact, tested])["decided wrongly by chance at most"] == "0.0"
