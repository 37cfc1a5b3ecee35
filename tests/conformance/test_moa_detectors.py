"""Our detectors raise alarms at the same steps as MOA's, which the five papers used.

MOA is a black box here (see tests/data/README.md). The sequences contain sudden, gradual and
recurring changes, no change, and clustered losses.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from opinions import second_opinion

from repro.detectors import ADWIN, DDM, DRIFT, EDDM, WARNING

pytestmark = pytest.mark.contract

ORACLE = np.load(Path(__file__).parents[1] / "data" / "moa_detectors.npz")
LOSSES = ("sudden", "stationary", "gradual", "falling", "short", "clustered")
NUMBERS = ("real", "steps")  # in hundredths


def values_of(name: str) -> np.ndarray:
    x = ORACLE[f"{name}.x"]
    return x / 100 if name in NUMBERS else np.unpackbits(x).astype(float)


@second_opinion("MOA", "detectors.ADWIN")
@pytest.mark.parametrize("delta", [0.002, 0.05, 0.99])
@pytest.mark.parametrize("name", LOSSES + NUMBERS)
def test_adwin_drops_the_same_part_of_its_window_at_the_same_time(name, delta):
    """With `delta` .99 the shortest parts, which the paper does not define, matter as well."""
    online, alarms, widths = ADWIN(delta), [], []
    for i, value in enumerate(values_of(name)):
        online.update(value)
        if online.drift_detected:
            alarms.append(i)
            widths.append(online.width)
    assert alarms == ORACLE[f"{name}.ADWIN_{delta}"].tolist()
    assert widths == ORACLE[f"{name}.ADWIN_{delta}.width"].tolist()


@second_opinion("MOA", "detectors.DDM detectors.EDDM")
@pytest.mark.parametrize("detector", [DDM(), EDDM()], ids=lambda d: type(d).__name__)
@pytest.mark.parametrize("name", LOSSES)
def test_warnings_and_alarms_are_the_same(name, detector):
    levels, key = detector.levels(values_of(name)), f"{name}.{type(detector).__name__}"
    np.testing.assert_array_equal(np.flatnonzero(levels == DRIFT), ORACLE[key])
    np.testing.assert_array_equal(levels == WARNING, np.unpackbits(ORACLE[f"{key}.warnings"]))


@pytest.mark.parametrize(
    ("zeros", "levels"),
    [(26, "....wwD"), (27, "...wD"), (28, ".wD"), (29, "D"), (30, "D")],
)
def test_ddm_begins_to_test_at_the_29th_loss(zeros, levels):
    """MOA's levels on losses of 1, after `zeros` losses of 0."""
    after = DDM().levels(np.r_[np.zeros(zeros), np.ones(8)])[zeros:]
    assert "".join(".wD"[level] for level in after[: len(levels)]) == levels


def test_the_sequences_are_different_for_the_detectors():
    """Each detector raises a different number of alarms on at least four sequences."""
    for kind in ("ADWIN_0.002", "DDM", "EDDM"):
        counts = [ORACLE[f"{name}.{kind}"].size for name in LOSSES]
        assert len(set(counts)) >= 4, (kind, counts)
