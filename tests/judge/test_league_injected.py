"""The league of detectors on real streams, here on three that are generated."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from docs_script import script
from river_version import since_25

from repro import Stream
from repro.streams import LED, SEA

script("make_league")
from leagues import injected, injected_page, tables  # noqa: E402

pytestmark = since_25  # the league is of one version
QUICK = ["PageHinkley, delta .1", "random alarms"]


def toy():
    sea = SEA().sample(seed=1, n=4_000)
    labels = Stream(
        np.zeros((3_000, 1)), (np.random.default_rng(2).random(3_000) < 0.4).astype(int)
    )
    return {"sea": sea, "led": LED().sample(seed=3, n=4_000), "labels": labels}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    path = tmp_path_factory.mktemp("league") / "injected.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(injected, "sets", lambda longest: toy())
        patch.setattr(injected, "ARL0", 500)
        patch.setenv("REPRO_CACHE", str(path.parent))
        injected.measure(path, QUICK)
        written = path.stat().st_mtime_ns
        injected.measure(path, QUICK)
        assert path.stat().st_mtime_ns == written  # nothing was left to do
    return tables.read(path, injected.COLUMNS)


def test_rows_of_a_stream_that_is_not_here_are_kept(measured, tmp_path, monkeypatch, capsys):
    path = tmp_path / "injected.csv"
    tables.write(path, measured)
    before = path.read_bytes()
    monkeypatch.setattr(injected, "sets", lambda longest: dict([*toy().items()][:2]))
    for fresh in (False, True):
        injected.measure(path, QUICK, fresh=fresh)
        assert path.read_bytes() == before
    assert "kept, since labels is not here" in capsys.readouterr().out


def test_every_stream_has_the_drifts_that_it_can_have(measured):
    kinds = measured.groupby(["detector", "stream"])["kind"].agg(set)
    assert len(kinds) == 6
    assert (kinds.xs("led", level="stream") == {"none", *injected.CHANGES}).all()
    assert (kinds.xs("labels", level="stream") == {"none", "labels", "priors"}).all()
    drifting = measured[measured["kind"] != "none"]
    assert (drifting["detected"] + drifting["missed"] == len(injected.PLACES)).all()
    assert (measured["failure"] == "").all()


def test_a_parameter_is_that_of_the_other_streams(measured):
    """Of random alarms it is the rate itself, with the error of as many alarms."""
    own = measured[measured["detector"] == "random alarms"].groupby("stream")["value"].first()
    for name, p in own.items():
        n = sum(len(stream) for other, stream in toy().items() if other != name)
        assert p == pytest.approx(1 / 500, abs=4 * (1 / 500 / n) ** 0.5)


def test_random_alarms_miss_as_many_as_chance_says(measured):
    own = measured[(measured["detector"] == "random alarms") & (measured["kind"] != "none")]
    total = own[injected.COUNTS].sum()
    n = total["detected"] + total["missed"]
    expected = np.exp(-injected.TOLERANCE / 500)
    assert total["missed"] / n < expected + 5 * (expected / n) ** 0.5 + 0.1


def test_counts_by_hand():
    """Detected after 3, missed, and detected at once with a false alarm before and two later."""
    far = 1 + injected.TOLERANCE
    runs = [
        injected.Run(np.zeros(5_000, np.uint8), (100,)),
        injected.Run(np.zeros(400, np.uint8), (100,)),
        injected.Run(np.zeros(5_000, np.uint8), (100,)),
    ]
    alarms = [[103], [20], [50, 100, 101, 100 + far, 4_999]]
    found = injected.counted([np.array(a) for a in alarms], runs)
    assert found == {
        "runs": 3, "detected": 2, "missed": 1, "false alarms": 4,
        "delay": 3 + 0, "watched": 2 * (5_000 - far) + 100,
    }  # fmt: skip


def test_measures_by_hand():
    row = {"detected": 3, "missed": 1, "false alarms": 5, "delay": 60, "watched": 1_000, "runs": 4}
    rows = [row | {"kind": kind} for kind in ("none", "labels", "labels")]
    found = injected.measures(pd.DataFrame(rows))
    assert found["false alarms"] == injected.ARL0 * 5 / 1_000
    assert found["delay, labels"] == 20
    assert found["missed, labels"] == 0.25
    assert found["F1, labels"] == pytest.approx(2 * 6 / (2 * 6 + 2 + 10))
    assert np.isnan(found["F1, priors"])


def test_the_page_says_what_the_table_says(measured):
    text = injected_page.injected_part(measured)
    assert "`labels` cannot have a drift of attributes and filter." in text
    lines = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
    assert {line[0].strip("| ") for line in lines[2:]} == set(QUICK)
    for line in lines[2:]:
        own = measured[measured["detector"] == line[0].strip("| ")]
        missed = 100 * injected.measures(own)["missed, labels"]
        shown = re.match(r"\d+", line[2 + 3 * injected.CHANGES.index("labels")])
        assert int(shown[0]) == pytest.approx(missed, abs=0.51)
    assert "Not run yet: river ADWIN" in text
    assert injected_page.injected_part(measured[:0]) == ""


def test_without_data_nothing_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(injected.data_sets, "available", lambda name: False)
    injected.measure(tmp_path / "table.csv")
    assert "there must be two (make data)" in capsys.readouterr().out
    assert not (tmp_path / "table.csv").exists()
