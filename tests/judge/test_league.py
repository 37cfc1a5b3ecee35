"""The league: standings by hand, runs that resume, and a page that says what the tables say."""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from docs_script import script
from river import drift
from river_version import since_25
from scipy.stats import rankdata

from repro import detectors, prequential, seeds

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


MAKE = script("make_league")
from leagues import detectors as league  # noqa: E402
from leagues import (  # noqa: E402
    injected,
    kswin,
    learners,
    page,
    pareto,
    ranks,
    river_models,
    runs,
    special,
    speed,
    tables,
)
from leagues.entered import with_entries  # noqa: E402
from leagues.places import place_intervals  # noqa: E402
from leagues.standings import (  # noqa: E402
    COLUMNS,
    OPTIMUM,
    excesses,
    merged,
    missing,
    standings,
)

from repro.league import read_entries  # noqa: E402
from repro.league.streams import ROUND, digest_of  # noqa: E402
from repro.league.table import ENTRY_COLUMNS  # noqa: E402

pytestmark = since_25  # the league is of one version
CHEAP = [entry for entry in learners.entries() if entry.name in (OPTIMUM, "Majority", "NoChange")]


def table(*rows):
    """Runs of (learner, stream, seed, error); each of 100 examples, in a second."""
    fixed = {"version": "1", "n": 100, "seconds": 1.0, "state_bytes": 8.0, "failure": ""}
    names = "learner", "stream", "seed", "error"
    return pd.DataFrame([dict(zip(names, row, strict=True)) | fixed for row in rows])[COLUMNS]


TOY = table(
    *[(OPTIMUM, stream, seed, 0.1) for stream in "AB" for seed in range(2)],
    *[("good", stream, seed, 0.1 + 0.018 * seed) for stream in "AB" for seed in range(2)],
    *[("bad", "A", 0, 0.3), ("bad", "B", 0, 0.5), ("bad", "A", 1, 0.3)],
    ("half", "A", 0, 0.1),
)


def test_standings_by_hand():
    found, on_each = standings(TOY, ["A", "B"])
    assert found.index.tolist() == ["good", "bad"]  # half has not finished B
    assert found["seeds"].tolist() == [2, 1]  # bad has finished seed 1 on A only
    assert found["excess"].tolist() == pytest.approx([0.009, 0.3])
    assert found["excess ± s.e."].iloc[0] == pytest.approx(0.009)  # of 0 and 0.018
    assert np.isnan(found["excess ± s.e."].iloc[1])
    assert found["rank"].tolist() == [1, 2]
    assert found["within"].tolist() == [2, 0]
    assert found["worst"].iloc[1] == "B"
    assert found["speed"].tolist() == [100, 100]
    assert on_each.loc["bad", "A"] == pytest.approx(0.2)
    assert on_each.loc["bad", "A ± s.e."] == pytest.approx(0, abs=1e-15)
    assert np.isnan(on_each.loc["half", "B"])


def test_a_failure_and_a_draw_without_optimum_do_not_count():
    failed = TOY.assign(failure=np.where(TOY["learner"] == "good", "ValueError", ""))
    assert standings(failed, ["A", "B"])[0].index.tolist() == ["bad"]
    assert excesses(TOY[TOY["learner"] != OPTIMUM]).empty


def test_new_rows_replace_old_ones_and_another_version_is_missing():
    again = TOY[TOY["learner"] == "bad"].assign(error=0.9, version="2")
    both = merged(TOY, again)
    assert len(both) == len(TOY)
    assert (both.loc[both["learner"] == "bad", "error"] == 0.9).all()
    assert missing(both, "bad", ["A", "B"], 1, "2") == ["B"]
    assert missing(both, "bad", ["A", "B"], 0, "1") == ["A", "B"]


def scene(rng, excess, n_seeds=5):
    """Runs on twelve streams: the optimum, and learners with the mean `excess` and noise."""
    rows = []
    for stream in map(str, range(12)):
        for seed in range(n_seeds):
            rows.append((OPTIMUM, stream, seed, 0.1))
            rows += [(name, stream, seed, 0.1 + e + rng.normal(0, 0.01)) for name, e in excess]
    return table(*rows)


def test_places_that_cannot_change_have_intervals_of_one_place():
    rng = np.random.default_rng(0)
    runs_of = scene(rng, [("a", 0.1), ("b", 0.3), ("c", 0.5)])
    found = place_intervals(runs_of, ["c", "a", "b"], list(map(str, range(12))))
    assert found.to_numpy().tolist() == [[3, 3, 3], [1, 1, 1], [2, 2, 2]]


def test_the_places_of_equal_learners_can_change():
    rng, streams = np.random.default_rng(1), list(map(str, range(12)))
    both = 0
    for _ in range(20):
        found = place_intervals(scene(rng, [("a", 0.1), ("b", 0.1)], 3), ["a", "b"], streams)
        both += found[["from", "to"]].to_numpy().tolist() == [[1, 2], [1, 2]]
    assert both >= 16  # 19 expected


def test_learners_with_the_same_errors_share_every_place_and_seeds_may_be_missing():
    rows = scene(np.random.default_rng(2), [("a", 0.1)])
    twin = rows[(rows["learner"] == "a") & (rows["seed"] == 0)].assign(learner="one")
    same = pd.concat([rows, rows[rows["learner"] == "a"].assign(learner="twin"), twin])
    found = place_intervals(same, ["a", "one", "twin"], list(map(str, range(12))))
    pd.testing.assert_series_equal(found.loc["a"], found.loc["twin"], check_names=False)
    assert found.notna().all(axis=None)


def test_a_place_lies_in_its_interval_in_the_committed_table():
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    places, _ = standings(done, list(learners.STREAMS))
    found = place_intervals(done, [*places.index], list(learners.STREAMS))
    assert found["place"].tolist() == [*range(1, len(places) + 1)]
    assert found["place"].between(found["from"], found["to"]).all()
    assert (found["to"] > found["from"]).any()


def test_an_entry_by_file_gets_its_place_with_its_origin():
    """It has the errors of naive Bayes, so it stands beside it; time and memory are not known."""
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    bayes = done[done["learner"] == "NaiveBayes"]
    card = {"learner": "Mine", "by": "me", "origin": "file, not re-run", "parameters": "k=3"}
    card |= {"version": "lib 1", "hardware": "here", "code": "none"}
    card |= {"round": "1", "flags": ""}
    mine = bayes.assign(**card)[ENTRY_COLUMNS]
    whole = with_entries(done, mine)
    places, _ = standings(whole, list(learners.STREAMS))
    assert places.at["Mine", "excess"] == pytest.approx(places.at["NaiveBayes", "excess"])
    assert np.isnan(places.at["Mine", "speed"])
    rest = places.drop(index="Mine").drop(columns="rank")
    before = standings(done, list(learners.STREAMS))[0].drop(columns="rank")
    pd.testing.assert_frame_equal(rest, before)
    other = [tables.read(MAKE.TABLES / f"league_{n}.csv", c) for n, c in
             (("speed", speed.COLUMNS), ("detectors", league.COLUMNS))]  # fmt: skip
    empty = [tables.read(Path("none"), part.COLUMNS) for part in (injected, special)]
    other[0] = other[0].query("learner != 'NaiveBayes'")
    text = page.render(done, *other, *empty, mine)
    assert "| Mine | me | lib 1 | file, not re-run | k=3 | here | none | 1 |" in text
    assert "| Mine | `k=3` | file |" in text
    assert "Not timed yet: NaiveBayes." in text
    twin = with_entries(done, mine.assign(learner="NaiveBayes"))
    assert (twin["learner"] == "NaiveBayes by me").sum() == len(mine)


def test_standings_need_all_columns():
    with pytest.raises(ValueError, match="runs must have the columns failure"):
        standings(TOY.drop(columns="failure"), ["A"])


OPTIONS = {"backend": "processes", "scheduler": None, "jobs": 1, "fresh": False}


def test_a_run_that_is_interrupted_goes_on_where_it_was(tmp_path, monkeypatch):
    path, swept = tmp_path / "runs.csv", []
    real = runs.sweep

    def sweep(models, streams, numbers, **options):
        swept.append((*models, len(streams), *numbers))
        if len(swept) == 4:
            raise KeyboardInterrupt
        return real(models, streams, numbers, cache=tmp_path, **options)

    monkeypatch.setattr(runs, "sweep", sweep)
    with pytest.raises(KeyboardInterrupt):
        runs.run(path, CHEAP, 2, cap=1e9, **OPTIONS)
    kept = tables.read(path, COLUMNS)
    assert len(kept) == sum(n for _, n, _ in swept[:3])
    runs.run(path, CHEAP, 2, cap=1e9, **OPTIONS)
    assert len(swept) == len(set(swept)) + 1  # only the one that was interrupted, again
    whole = tables.read(path, COLUMNS)
    assert len(whole) == 2 * len(CHEAP) * len(learners.STREAMS)
    pd.testing.assert_frame_equal(whole.merge(kept[COLUMNS]), kept)
    runs.run(path, CHEAP, 2, cap=1e9, **OPTIONS)
    assert len(swept) == 13  # nothing was left to do


@pytest.mark.long
def test_the_whole_league_runs_from_its_command(tmp_path):
    """On the first examples of each stream, beside the tables that count."""
    before = {path.name: path.read_bytes() for path in MAKE.TABLES.glob("league_*.csv")}
    assert MAKE.main(["--examples", "60", "--tables", str(tmp_path)]) == 0
    found = tables.read(tmp_path / "league_learners.csv", COLUMNS)
    names = {entry.name for entry in learners.entries()}
    assert len(found) == len(names) * len(learners.STREAMS)
    assert set(found.loc[found["failure"] == "", "n"]) == {60}
    whole = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    failed = [set(t.loc[t["failure"] != "", "learner"]) for t in (found, whole)]
    assert failed[0] <= failed[1]
    page, pictures = (tmp_path / "league.md").read_text(), sorted(tmp_path.glob("*.png"))
    assert all(f"| {name} |" in page for name in ("HoeffdingTree", "HoeffdingTreeClassifier"))
    assert len(pictures) == 2
    assert {p.name: p.read_bytes() for p in MAKE.TABLES.glob("league_*.csv")} == before


def test_a_cluster_gets_all_learners_of_a_seed_at_once(tmp_path):
    found = [*runs.batches(tmp_path / "none.csv", CHEAP, 2, cap=1e9, alone=False)]
    assert [(sorted(b.learners), b.seed) for b in found] == [
        (sorted(entry.name for entry in CHEAP), seed) for seed in (0, 0, 1, 1)
    ]
    assert len({b.streams for b in found}) == 2  # of two classes, and of more


def test_a_learner_beyond_the_cap_has_one_seed(tmp_path):
    found = [*runs.batches(tmp_path / "none.csv", CHEAP, 2, cap=-1.0)]
    assert {b.seed for b in found} == {0}


def test_the_failure_of_a_learner_is_a_row(tmp_path):
    (entry,) = [e for e in learners.entries() if e.name == "MultinomialNB"]
    broken = learners.Entry(entry.name, entry.model, entry.version)
    chosen = runs.Batch({broken.name: broken.model}, ("NSGT",), 0)
    runs.make(tmp_path / "runs.csv", chosen, {broken.name: "1"}, cache=tmp_path, **OPTIONS)
    (row,) = tables.read(tmp_path / "runs.csv", COLUMNS).itertuples()
    assert row.failure.startswith("ValueError: ")  # of a logarithm, in words of the Python
    assert "(at example 1) (multinomial.py:" in row.failure
    assert np.isnan(row.error)


# --- who takes part


def test_every_learner_that_is_exported_takes_part():
    from repro import learners as ours

    wanted = {
        name
        for name in ours.__all__
        if inspect.isclass(getattr(ours, name)) and hasattr(getattr(ours, name), "paper")
    }
    abstract = {name for name in wanted if inspect.isabstract(getattr(ours, name))}
    named = {entry.name for entry in learners.entries() if entry.version == learners.OURS}
    assert named == wanted - abstract - {"Learner", "Temporal"}


def test_every_classifier_of_river_takes_part_or_has_a_reason():
    """Found by another route than the page's: the classes below `Classifier` that are public."""
    from river import base

    def below(cls):
        return {cls}.union(*map(below, cls.__subclasses__()))

    models, reasons = river_models.models(), river_models.excluded()  # imports all modules
    there = {
        cls.__name__
        for cls in below(base.Classifier)
        if cls.__module__.startswith("river.") and not inspect.isabstract(cls)
    }
    public = {
        name
        for module in list(sys.modules.values())
        if module.__name__.startswith("river.") and module.__name__.count(".") == 1
        for name in getattr(module, "__all__", ())
    }
    assert set(models) | set(reasons) == there & public
    assert set(models).isdisjoint(reasons)
    assert all(reasons.values())


def test_no_reason_or_argument_is_left_over():
    assert set(river_models.REASONS) <= set(river_models.excluded())
    assert set(river_models.GIVEN) <= set(river_models.models())


def test_the_optimum_is_known_on_every_stream():
    for stream in learners.STREAMS.values():
        assert stream.sample(seed=0, n=100).optimal is not None


# --- the committed tables and the page


def test_the_page_is_what_the_tables_give():
    assert MAKE.page() == MAKE.PAGE.read_text(), "run: python docs/make_league.py --only page"


def test_a_frozen_round_holds_the_tables_and_is_not_written_again(tmp_path):
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    few = done[done["learner"].isin([OPTIMUM, "NoChange"]) & (done["seed"] < 2)]
    tables.write(tmp_path / "league_learners.csv", few)
    copy = tmp_path / f"league-{ROUND}" / "league_learners.csv"  # of a call that was killed
    copy.parent.mkdir()
    copy.write_text("half")
    assert MAKE.main(["--freeze", "--tables", str(tmp_path)]) == 0
    (folder,) = tmp_path.glob("league-*")
    card = tomllib.loads((folder / "card.toml").read_text())
    body = (tmp_path / "league_learners.csv").read_bytes()
    assert (folder / "league_learners.csv").read_bytes() == body
    assert card["sha256"] == {"league_learners.csv": hashlib.sha256(body).hexdigest()}
    assert card["seeds"] == [0, 1]
    assert card["streams"] == digest_of(2)
    assert card["runs"] == len(few) == 2 * 2 * len(learners.STREAMS)
    tables.write(tmp_path / "league_learners.csv", few.head(3))
    with pytest.raises(FileExistsError, match="is frozen in"):
        MAKE.main(["--freeze", "--tables", str(tmp_path)])
    assert (folder / "league_learners.csv").read_bytes() == body


def test_what_is_frozen_has_the_hashes_of_its_card():
    folders = sorted(MAKE.TABLES.glob("league-*"))
    assert folders
    for folder in folders:
        hashes = tomllib.loads((folder / "card.toml").read_text())["sha256"]
        bodies = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
        assert {name: hashlib.sha256(body).hexdigest() for name, body in bodies.items()} == hashes


def test_the_picture_shows_the_tables_and_the_page_names_its_front():
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    times = tables.read(MAKE.TABLES / "league_speed.csv", speed.COLUMNS)
    pairs = page.against_speed(standings(done, list(learners.STREAMS))[0], times)
    (ax,) = pareto.picture(pairs).axes
    shown = np.vstack([drawn.get_offsets() for drawn in ax.collections])
    wanted = pairs.sort_values("library", kind="stable")[["speed", "excess"]].to_numpy()
    shown, wanted = (points[np.lexsort(points.T)] for points in (np.asarray(shown), wanted))
    np.testing.assert_allclose(shown, wanted)
    best = pareto.front(pairs)
    assert [text.get_text() for text in ax.texts] == best[::-1]
    for name in pairs.index:
        ahead = (pairs["speed"] > pairs.speed[name]) & (pairs["excess"] < pairs.excess[name])
        assert not (name in best and ahead.any())
        assert name in best or ahead.any()
    line = next(line for line in MAKE.PAGE.read_text().splitlines() if "at least as fast" in line)
    assert [line.index(f" {name} (") for name in best] == sorted(
        line.index(f" {name} (") for name in best
    )
    assert MAKE.PAGE.with_name(page.PICTURE).read_bytes().startswith(b"\x89PNG")


def test_the_picture_of_ranks_shows_the_table_and_who_is_worse_than_the_best():
    """By a plain loop over the streams, and the distance that the page gives."""
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    whole = with_entries(done, read_entries(MAKE.TABLES / MAKE.ENTRIES))
    places, on_each = standings(whole, list(learners.STREAMS))
    columns = [[on_each.at[name, s] for name in places.index] for s in learners.STREAMS]
    mean = sum(rankdata(column) for column in columns) / len(columns)
    (ax,) = ranks.picture(places, len(learners.STREAMS)).axes
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [places.index[i] for i in np.argsort(mean, kind="stable")]
    drawn = [container.lines[0].get_xdata() for container in ax.containers]
    np.testing.assert_allclose(np.concatenate(drawn).astype(float), np.sort(mean))
    line = next(line for line in MAKE.PAGE.read_text().splitlines() if "Nemenyi" in line)
    least, worse = re.search(r"more than ([\d.]+) apart.* mean rank: (\d+)\.", line).groups()
    assert len(drawn[1]) == int(worse) == np.sum(mean - mean.min() > float(least))
    assert MAKE.PAGE.with_name(page.RANKS).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["NaiveBayes", "NoChangeClassifier"])
def test_a_committed_row_is_the_error_of_a_prequential_run(name):
    (entry,) = [e for e in learners.entries() if e.name == name]
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    chosen = (done["learner"] == name) & (done["stream"] == "SEA") & (done["seed"] == 0)
    (row,) = done[chosen].itertuples()
    if row.version != entry.version:
        pytest.skip(f"the table is of {row.version}")
    seed = seeds.integer(0, "learner")
    run = prequential(entry.model, learners.STREAMS["SEA"].sample(seed=0), seed, proba=False)
    assert row.error == pytest.approx(run.error, rel=1e-5)
    assert row.n == len(run.loss)


def test_the_standings_of_the_committed_table_are_those_of_a_plain_loop():
    done = tables.read(MAKE.TABLES / "league_learners.csv", COLUMNS)
    found, _ = standings(done, list(learners.STREAMS))
    name = found.index[0]
    good = done[(done["failure"] == "")]
    error = {(r.learner, r.stream, r.seed): r.error for r in good.itertuples()}
    means = []
    for seed in range(100):
        pairs = [((name, s, seed), (OPTIMUM, s, seed)) for s in learners.STREAMS]
        if all(a in error and b in error for a, b in pairs):
            means.append(sum(error[a] - error[b] for a, b in pairs) / len(pairs))
    assert found["excess"].iloc[0] == pytest.approx(sum(means) / len(means))
    assert found["seeds"].iloc[0] == len(means)


# --- detectors


def test_every_detector_of_river_takes_part_or_has_a_reason():
    from river import base, drift

    kinds = base.DriftDetector, base.BinaryDriftDetector
    modules = drift, drift.binary
    found = {
        name
        for module in modules
        for name in module.__all__
        if inspect.isclass(thing := getattr(module, name, None)) and issubclass(thing, kinds)
    }
    named = {name.removeprefix("river ") for name in league.FAMILIES if name.startswith("river ")}
    assert named | set(league.EXCLUDED) == found


def test_every_detector_of_ours_takes_part():
    ours = {type(family.make(family.low)) for family in league.FAMILIES.values()}
    exported = [getattr(detectors, name) for name in detectors.__all__]
    kinds = [x for x in exported if inspect.isclass(x) and issubclass(x, detectors.Detector)]
    wanted = {kind for kind in kinds if getattr(kind, "paper", "")}
    assert len(wanted) > 5
    assert wanted == ours & set(exported)


@pytest.mark.parametrize("alpha", [0.1, 0.01, 1e-6])
def test_kswin_alarms_where_that_of_river_does(alpha):
    """River's own, on losses whose rate goes up and down every 300."""
    rng = np.random.default_rng(5)
    losses = (rng.random(1_500) < np.where(np.arange(1_500) // 300 % 2, 0.1, 0.5)).astype(np.uint8)
    for seed in range(2):
        alarms = detectors.as_detector(drift.KSWIN(alpha=alpha)).alarms(losses, seed)
        ours = detectors.as_detector(kswin.KSWIN(alpha=alpha)).alarms(losses, seed)
        np.testing.assert_array_equal(ours, alarms)
    with pytest.raises(ValueError, match=r"x must be 0 or 1; got 0\.5"):
        kswin.KSWIN().update(0.5)


@pytest.mark.parametrize("name", league.FAMILIES)
def test_both_ends_of_the_search_are_detectors(name):
    family = league.FAMILIES[name]
    for value in (family.low, family.high):
        detectors.as_detector(family.make(value)).alarms(np.zeros(40))


def test_a_committed_row_is_what_its_parameter_gives():
    done = tables.read(MAKE.TABLES / "league_detectors.csv", league.COLUMNS)
    chosen = (done["detector"] == "DDM") & (done["losses"] == league.INDEPENDENT)
    (row,) = done[chosen].to_dict("records")
    found = league.measured(
        league.FAMILIES["DDM"].make(row["value"]), league.drawn(league.INDEPENDENT, league.SEEDS)
    )
    for name, value in found:
        assert row[name] == pytest.approx(value, rel=1e-5), name


def test_the_rates_of_false_alarms_are_about_equal():
    """On losses that the calibration did not see."""
    done = tables.read(MAKE.TABLES / "league_detectors.csv", league.COLUMNS)
    own = done[(done["losses"] == league.INDEPENDENT) & (done["failure"] == "")]
    apart = (own["MTFA"] - league.ARL0).abs() / own["MTFA ± s.e."].clip(lower=1)
    assert apart.median() < 3
