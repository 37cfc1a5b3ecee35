"""The stand-in follows Elec2's labelling rule and has similar statistics."""

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro import Stream, data_sets, streams
from repro.streams import ELEC2_STATISTICS, electricity, electricity_like

MARKET = electricity_like(seed=0)


@second_opinion("brute force", "streams.electricity_like")
def test_the_label_says_whether_the_price_exceeds_the_mean_of_the_48_before():
    """One by one, with integers: prices have six decimals."""
    price = [round(p * 1e6) for p in MARKET.X[:, 3]]
    assert price == pytest.approx(MARKET.X[:, 3] * 1e6, abs=1e-6)
    for t in range(48, 3000):
        assert MARKET.y[t] == (48 * price[t] > sum(price[t - 48 : t]))


def test_a_price_equal_to_the_mean_is_not_up():
    """With integers, since by rounding 0.1 could exceed the mean of equal prices."""
    assert electricity._labels(np.full(60, 0.1)).tolist() == [0] * 12


def test_length_attributes_and_clock_are_those_of_elec2():
    X, names = MARKET.X, MARKET.provenance.attributes
    assert X.shape == (45_312, 8)
    assert names == data_sets.describe("elec2").attributes
    assert MARKET.provenance.labels == data_sets.describe("elec2").labels
    assert MARKET.schema == streams.Schema((0, 7, 0, 0, 0, 0, 0, 0), 2)
    day, period = X[:, 1].reshape(944, 48), X[:, 2].reshape(944, 48)
    assert day[:, 0].tolist() == [(d + 1) % 7 for d in range(944)]
    assert (day == day[:, :1]).all()
    assert (period == period[0]).all()
    assert period[0].tolist() == [round(k / 47, 6) for k in range(48)]
    assert (np.diff(X[:, 0]) >= 0).all()
    assert (X[:, [0, *range(2, 8)]].min(), X[:, 3:].max()) == (0, 1)


def test_columns_of_the_neighbour_are_constant_until_the_market_opens():
    before, after = MARKET.X[:17_424, 5:], MARKET.X[17_424:, 5:]
    assert (before == before[0]).all()
    assert (after.std(axis=0) > 0.05).all()
    assert 17_424 in MARKET.drifts


def test_a_regime_begins_at_each_of_seven_positions():
    """The price level between two of them moves more than from week to week within one."""
    assert len(MARKET.drifts) == 7
    assert all(position % 48 == 0 for position in MARKET.drifts)
    week = 7 * 48
    log_price = np.log(MARKET.X[:, 3] + 1e-6)
    steps = {p: abs(log_price[p : p + week].mean() - log_price[p - week : p].mean())
             for p in range(week, len(MARKET) - week, week)}  # fmt: skip
    at = [abs(log_price[p : p + week].mean() - log_price[p - week : p].mean())
          for p in MARKET.drifts]  # fmt: skip
    assert np.median(at) > 2 * np.median(list(steps.values()))


@second_opinion("published numbers", "streams.electricity_like streams.compare_with_elec2")
@pytest.mark.parametrize("seed", range(4))
def test_statistics_are_near_those_of_elec2(seed):
    """Regimes depend on the seed, and so do the numbers; the bounds hold for twenty seeds."""
    table = streams.compare_with_elec2(electricity_like(seed))
    difference = (table["electricity-like"] - table["Elec2"]).abs()
    assert difference["examples"] == 0
    assert difference["share of UP"] < 0.04
    assert difference["P(T): label as before"] < 0.03
    for row in ["label as a day before", "label as a week before", "price as before"]:
        assert difference[row] < 0.1
    assert difference.drop("examples").max() < 0.3
    assert table.loc["P(T): label as before"].min() > table.loc["share of UP"].max()


def test_the_seed_decides_the_market():
    assert (electricity_like(3).X == electricity_like(3).X).all()
    assert (electricity_like(3).y != electricity_like(4).y).any()
    assert "seed=3" in str(electricity_like(3).provenance)
    with pytest.raises(ValueError, match="seed must be a whole number >= 0; got -1"):
        electricity_like(-1)


def test_statistics_of_another_stream_are_refused():
    with pytest.raises(ValueError, match="stream must have the attributes of Elec2; got 1"):
        streams.electricity_statistics(Stream([[0.0]] * 400, [0, 1] * 200))


@second_opinion("published numbers", "streams.load")
@second_opinion("the data", "streams.electricity_statistics")
def test_the_stored_statistics_are_those_of_elec2():
    if not data_sets.available("elec2"):
        pytest.skip("elec2 is not available")
    measured = streams.electricity_statistics(streams.load("elec2"))
    assert {name: round(value, 4) for name, value in measured.items()} == dict(ELEC2_STATISTICS)


def test_neighbour_and_flow_are_correlated_as_their_formulas_say():
    """Correlations of 0.8 d + 0.6 a and -0.6 n + b from the variances, over eight markets.

    With d of its own variance (about 1.1, of `_demand`), a of deviation 0.7, b of deviation 0.8.
    """
    rows = np.arange(-48, 944 * 48)
    found, expected = [], []
    for seed in range(8):
        X = electricity_like(seed).X[363 * 48 :]
        found.append([np.corrcoef(X[:, 4], X[:, 6])[0, 1], np.corrcoef(X[:, 6], X[:, 7])[0, 1]])
        demand = 0.64 * electricity._demand(rows, np.random.default_rng(seed))[363 * 48 :].var()
        noise = 0.36 * 0.49
        neighbour = demand + noise
        flow = 0.36 * neighbour
        expected.append([np.sqrt(demand / neighbour), -np.sqrt(flow / (flow + 0.64))])
    np.testing.assert_allclose(np.mean(found, axis=0), np.mean(expected, axis=0), atol=0.02)


@pytest.mark.parametrize("wrong", [None, 5, "elec2", np.zeros((9, 8))])
def test_statistics_of_anything_but_a_stream_are_refused(wrong):
    for call in (streams.electricity_statistics, streams.compare_with_elec2):
        with pytest.raises(TypeError, match=r"stream must be a Stream .*; got"):
            call(wrong)


def test_statistics_of_a_short_constant_stream_are_nan():
    numbers = streams.electricity_statistics(Stream(np.ones((40, 8)), [0, 1] * 20))
    undefined = {name for name, value in numbers.items() if np.isnan(value)}
    assert undefined == {name for name in numbers if "corr" in name or "explained" in name} | {
        "label as a day before",
        "label as a week before",
    }
