"""Synthetic market with Elec2's length and labelling rule, a stand-in for Elec2.

It also has Elec2's eight attributes and its cycles, and its label statistics are similar
(`compare_with_elec2`). A number measured on it is not a number about Elec2.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from repro import seeds
from repro.data_sets.description import Description
from repro.streams.stream import Stream, check_stream

__all__ = ["ELEC2_STATISTICS", "compare_with_elec2", "electricity_like", "electricity_statistics"]

DAY, DAYS = 48, 944  # half-hours per day, days
OPENING = 363 * DAY  # first row of Elec2 with data of the neighbouring market
MICRO = 1e6  # prices have six decimals, as in Elec2; means of integers are exact
ATTRIBUTES = (
    "date", "day", "period", "nswprice", "nswdemand", "vicprice", "vicdemand", "transfer",
)  # fmt: skip

#: What `electricity_statistics` gives for Elec2 itself, rounded to four digits.
ELEC2_STATISTICS = MappingProxyType(
    {
        "examples": 45312.0,
        "share of UP": 0.4245,
        "P(T): label as before": 0.8533,
        "label as a day before": 0.6562,
        "label as a week before": 0.6606,
        "share of UP, lowest half-hour": 0.0498,
        "share of UP, highest half-hour": 0.6928,
        "price, mean": 0.0579,
        "price, standard deviation": 0.04,
        "price as before": 0.1546,
        "price, autocorrelation of a half-hour": 0.8609,
        "price, autocorrelation of a day": 0.4179,
        "demand, mean": 0.4254,
        "demand, standard deviation": 0.1633,
        "demand, explained by the half-hour": 0.5192,
        "demand, explained by the day": 0.0905,
        "demand, autocorrelation of a day": 0.8537,
        "demand, autocorrelation of a week": 0.9179,
        "correlation of price and demand": 0.305,
    }
)


def electricity_like(seed: int = 0) -> Stream:
    r"""A generated market similar to Elec2: 45 312 half-hours, 944 days, two classes.

    The price :math:`p_t` and the label :math:`y_t` (1 is UP) follow

    .. math:: \log p_t = \ell_r + s_r d_t + a_t + f_t + j_t,\qquad
              y_t = 1\Bigl[p_t > \tfrac{1}{48} \textstyle\sum_{i=1}^{48} p_{t-i}\Bigr]

    rounded to steps, as bids are: a level and a slope that jump with each of eight regimes *r*, the
    demand :math:`d_t` with its daily, weekly and yearly cycle, a slow and a fast autoregression,
    and spikes that fade. One regime begins at row 17 424, before which vicprice, vicdemand and
    transfer are constant; `drifts` are the first rows of regimes. The labelling rule holds from
    the first row, because one more day is drawn before it. The optimal label is unknown. The
    attributes are those of Elec2 in its order. As in Elec2, `day` is nominal, and prices and
    demands are scaled to [0, 1] with the extremes of the whole stream.

    Raises ValueError for a seed that is no whole number >= 0.

    >>> stream = electricity_like(seed=0)
    >>> stream
    Stream('electricity-like', n=45312, n_features=8, n_classes=2)
    >>> price = stream.X[:, 3]
    >>> bool((price[48] > price[:48].mean()) == stream.y[48])
    True
    """
    rng = {part: seeds.generator(seed, "electricity", part) for part in ("regimes", "nsw", "vic")}
    others = np.setdiff1d(np.arange(20, DAYS - 20), OPENING // DAY)
    starts = np.sort(np.append(rng["regimes"].choice(others, 6, replace=False) * DAY, OPENING))
    rows = np.arange(-DAY, DAYS * DAY)  # from a day before the first row
    demand = _demand(rows, rng["nsw"])
    price = _price(rows, demand, starts, rng)
    neighbour = 0.8 * demand + 0.6 * _autoregression(len(rows), 0.97, 0.7, rng["vic"])
    flow = -0.6 * neighbour + _autoregression(len(rows), 0.98, 0.8, rng["vic"])
    cheap = np.exp(0.5 * _autoregression(len(rows), 0.9, 1.0, rng["vic"]))
    closed = rows < OPENING
    columns = [rows // DAY / (DAYS - 1), (rows // DAY + 1.0) % 7, rows % DAY / (DAY - 1)]
    columns += [price, _scaled(demand)]
    columns += [_constant_while(closed, _scaled(c)) for c in (cheap, neighbour, flow)]
    X = np.column_stack(columns).round(6)[DAY:]
    return Stream(
        X,
        _labels(price),
        np.array([0, 7, 0, 0, 0, 0, 0, 0]),
        n_classes=2,
        drifts=tuple(int(row) for row in starts),
        name="electricity-like",
        provenance=_describe(seed),
    )


def electricity_statistics(stream: Stream) -> dict[str, float]:
    """Statistics of labels, price and demand of `stream`, which has the attributes of Elec2.

    A statistic is nan if the stream is too short or too constant for it. Raises TypeError unless
    `stream` is a Stream, ValueError for other attributes.
    """
    check_stream(stream)
    if stream.X.shape[1] != len(ATTRIBUTES):
        raise ValueError(f"stream must have the attributes of Elec2; got {stream.X.shape[1]}")
    y, price, demand = stream.y, stream.X[:, 3], stream.X[:, 4]
    half_hour = np.arange(len(y)) % DAY
    up = pd.Series(y).groupby(half_hour).mean()
    return {
        "examples": float(len(y)),
        "share of UP": float(y.mean()),
        "P(T): label as before": _agreement(y, 1),
        "label as a day before": _agreement(y, DAY),
        "label as a week before": _agreement(y, 7 * DAY),
        "share of UP, lowest half-hour": float(up.min()),
        "share of UP, highest half-hour": float(up.max()),
        "price, mean": float(price.mean()),
        "price, standard deviation": float(price.std()),
        "price as before": _agreement(price, 1),
        "price, autocorrelation of a half-hour": _correlation(price, price, 1),
        "price, autocorrelation of a day": _correlation(price, price, DAY),
        "demand, mean": float(demand.mean()),
        "demand, standard deviation": float(demand.std()),
        "demand, explained by the half-hour": _explained(demand, half_hour),
        "demand, explained by the day": _explained(demand, stream.X[:, 1]),
        "demand, autocorrelation of a day": _correlation(demand, demand, DAY),
        "demand, autocorrelation of a week": _correlation(demand, demand, 7 * DAY),
        "correlation of price and demand": _correlation(price, demand, 0),
    }


def compare_with_elec2(stream: Stream) -> pd.DataFrame:
    """The statistics of `stream` beside those of Elec2, one row each.

    >>> table = compare_with_elec2(electricity_like(seed=0))
    >>> table.loc["P(T): label as before", "Elec2"]
    np.float64(0.8533)
    """
    measured = electricity_statistics(stream)
    columns = {"Elec2": dict(ELEC2_STATISTICS), stream.name: measured}
    return pd.DataFrame(columns).rename_axis("statistic")


def _demand(rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Two peaks a day, quiet weekends, high in summer and winter; unscaled."""
    hour, weekday = rows % DAY / DAY, (rows // DAY + 1) % 7  # 0 is a Sunday
    daily = sum(
        a * np.cos(2 * np.pi * k * (hour - shift))
        for k, a, shift in ((1, -1.0, 0.16), (2, -0.5, 0.1), (3, -0.12, 0.05))
    )
    weekly = 0.75 * ((weekday > 0) & (weekday < 6))
    yearly = 0.45 * np.cos(4 * np.pi * rows / (365 * DAY))
    weather = _autoregression(len(rows), 0.98, 0.35, rng)
    growth = _autoregression(len(rows), 0.9997, 0.35, rng)
    return np.asarray(daily + weekly + yearly + weather + growth)


def _price(
    rows: NDArray[np.int64],
    demand: NDArray[np.float64],
    starts: NDArray[np.int64],
    rng: dict[str, np.random.Generator],
) -> NDArray[np.float64]:
    """Prices in (0, 1]; the highest one is a cap at 17 times the mean, as for bids."""
    n, regime = len(rows), np.searchsorted(starts, rows, side="right")
    level = rng["regimes"].normal(0, 0.35, len(starts) + 1)[regime]
    slope = 0.25 * np.exp(rng["regimes"].normal(0, 0.25, len(starts) + 1))[regime]
    spikes = (rng["nsw"].random(n) < 0.012) * rng["nsw"].exponential(0.9, n)
    log_price = level + slope * demand + _fading(spikes, 0.8)
    log_price += _autoregression(n, 0.9995, 0.25, rng["nsw"])
    log_price += _autoregression(n, 0.85, 0.15, rng["nsw"]) + 0.07 * rng["nsw"].normal(size=n)
    price = np.exp(np.round(log_price / 0.05) * 0.05)
    price = np.minimum(price, 17 * price.mean())
    return np.asarray(np.round(price / price.max(), 6))


def _labels(price: NDArray[np.float64]) -> NDArray[np.int64]:
    """1 if a price exceeds the mean of the previous 48; for the prices after the first 48."""
    whole = np.rint(price * MICRO).astype(np.int64)
    total = np.cumsum(np.append(0, whole))
    return (DAY * whole[DAY:] > total[DAY:-1] - total[: -DAY - 1]).astype(np.int64)


def _autoregression(
    n: int, phi: float, deviation: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """x_t = phi x_(t-1) + noise, stationary, with the standard deviation `deviation`."""
    noise = deviation * np.sqrt(1 - phi**2) * rng.standard_normal(n)
    noise[0] /= np.sqrt(1 - phi**2)
    return _fading(noise, phi)


def _fading(steps: NDArray[np.float64], phi: float) -> NDArray[np.float64]:
    """x_t = phi x_(t-1) + step t, from 0."""
    from scipy.signal import lfilter  # here: slow to import

    return np.asarray(lfilter([1.0], [1.0, -phi], steps))


def _scaled(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return (x - x.min()) / (x.max() - x.min())


def _constant_while(closed: NDArray[np.bool_], x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(closed, x[~closed].mean(), x)


def _agreement(x: NDArray[np.generic], lag: int) -> float:
    return float(np.mean(x[lag:] == x[:-lag])) if len(x) > lag else np.nan


def _correlation(a: NDArray[np.float64], b: NDArray[np.float64], lag: int) -> float:
    late, early = a[lag:], b[: max(len(b) - lag, 0)]
    if len(late) < 2 or np.ptp(late) == 0 or np.ptp(early) == 0:
        return np.nan
    return float(np.corrcoef(late, early)[0, 1])


def _explained(x: NDArray[np.float64], group: NDArray[np.generic]) -> float:
    """Share of the variance of `x` that lies between the groups."""
    means = pd.Series(x).groupby(group).transform("mean")
    return float(means.var(ddof=0) / x.var()) if np.ptp(x) > 0 else np.nan


def _describe(seed: int) -> Description:
    return Description(
        "electricity-like",
        "A generated electricity market in the shape of Elec2",
        DAYS * DAY,
        f"repro.streams.electricity_like(seed={seed})",
        "none needed: generated",
        "in time: every half-hour of 944 days",
        "none",
        (
            "Not measured: numbers on it are not numbers about Elec2.",
            "As in Elec2, the label is UP exactly when nswprice exceeds the mean of the 48 before.",
        ),
        ATTRIBUTES,
        ("DOWN", "UP"),
    )
