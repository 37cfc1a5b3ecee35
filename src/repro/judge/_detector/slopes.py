"""How much sooner a detector alarms if it may alarm more often."""

from __future__ import annotations

import numpy as np

from repro.judge._detector.losses import TOLERANCE
from repro.judge._detector.measures import false_alarms, report_on
from repro.judge._detector.references import RANDOM
from repro.judge._detector.results import Row, Study

__all__ = ["slope"]


def slope(study: Study, row: Row) -> float:
    """Change of ARL1 of a sudden change with the logarithm of the rate, from the curve's settings.

    Random alarms at a rate p wait :math:`(1 - e^{-pT})/p` of the T examples that are allowed.
    """
    if row.detector == RANDOM:
        levels = [key[2] for key in study.rates if key[:2] == (row.losses, row.beside)]
        p = 1 / np.array([study.target(row, level) for level in levels])
        return float(np.mean(-np.expm1(-p * TOLERANCE) / p - TOLERANCE * np.exp(-p * TOLERANCE)))
    settings = [p for p in study.curves if (p.losses, p.detector) == (row.losses, row.detector)]
    logs, waits = [], []
    for point in settings:
        alarms = study.curves[point]
        rate, report = false_alarms(alarms).mean(), report_on(alarms, "sudden")
        if rate > 0 and report is not None and np.isfinite(report.arl1):
            logs.append(np.log(rate))
            waits.append(report.arl1)
    own = false_alarms(study.alarms[row]).mean()
    if len(logs) < 2 or not own > 0:
        return 0.0
    order = np.argsort(logs)
    x, y = np.array(logs)[order], np.array(waits)[order]
    x, first = np.unique(x, return_index=True)
    if x.size < 2:
        return 0.0
    i = int(np.clip(np.searchsorted(x, np.log(own)), 1, x.size - 1))
    return float(abs(y[first][i] - y[first][i - 1]) / (x[i] - x[i - 1]))
