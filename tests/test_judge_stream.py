"""A report on your stream: its parts by other routes, and whole reports on hard tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from repro import data_sets, prequential, seeds, streams
from repro.judge._stream_blocks import correlation_time, cut
from repro.judge._stream_changes import (
    changed_columns,
    find_changes,
    scores_of_losses,
    scores_of_means,
)
from repro.judge._stream_entrants import AUGMENTED
from repro.judge._stream_labels import season
from repro.judge._stream_learners import choose
from repro.judge._stream_tests import LEVEL, cross_losses, detect, extra_error
from repro.judge._stream_trial import TEST, false_alarms, like
from repro.judge._stream_warmth import inflation, needed
from repro.judge.of_stream import stream as judge_stream
from repro.learners import NaiveBayes, NoChange
from repro.streams import SEA, LabelChain, Shuffled, Stream, sudden


def autoregression(phi, n, rng):
    values = np.empty(n)
    values[0], noise = rng.normal(), rng.normal(size=n) * (1 - phi**2) ** 0.5
    for t in range(1, n):
        values[t] = phi * values[t - 1] + noise[t]
    return values


# --- dependence


@pytest.mark.parametrize("no_change", [0.5, 0.8, 0.9, 0.95])
def test_correlation_time_of_a_chain_is_that_of_its_second_eigenvalue(no_change):
    """Of two equal classes it is (1 + r) / (1 - r) with r = 2 * no_change - 1."""
    chain = LabelChain.two_classes(0.5, no_change, n=40_000)
    r = 2 * no_change - 1
    found = np.mean([correlation_time(chain.sample(seed).y) for seed in range(5)])
    assert found == pytest.approx((1 + r) / (1 - r), rel=0.12)


def test_correlation_time_of_numbers_is_that_of_an_autoregression():
    rng = seeds.generator(1, "test")
    found = np.mean([correlation_time(autoregression(0.8, 20_000, rng)) for _ in range(5)])
    assert found == pytest.approx(1.8 / 0.2, rel=0.12)


def test_a_sudden_drift_does_not_look_like_dependence():
    """Each half of 2 alternating labels is as good as independent; together they have a jump."""
    rng = seeds.generator(2, "test")
    y = np.concatenate([rng.random(5000) < 0.2, rng.random(5000) < 0.8]).astype(np.int64)
    assert correlation_time(y) < 2


def test_blocks_are_separate_long_enough_and_whole_periods():
    blocks = cut(10_000, memory=20.0, period=48)
    assert blocks.length % 48 == 0
    assert blocks.length >= 5 * 20
    assert (blocks.starts[1:] - blocks.stops[:-1] == 20).all()
    assert blocks.stops[-1] <= 10_000


@pytest.mark.parametrize("period", [7, 24, 48])
def test_a_season_is_found_in_persistent_labels(period):
    rng = seeds.generator(period, "test")
    level = autoregression(0.9, 9_600, rng) + np.sin(2 * np.pi * np.arange(9_600) / period)
    assert season((level > 0).astype(np.int64)) == period


def test_persistent_labels_without_a_season_have_none():
    found = [season(LabelChain.two_classes(0.6, 0.95).sample(seed).y) for seed in range(50)]
    assert found == [0] * 50


# --- changes


def test_the_scores_of_means_are_the_cusums_of_a_plain_loop():
    rng = seeds.generator(3, "test")
    means = rng.normal(size=(9, 2))
    z = (means - means.mean(axis=0)) / means.std(axis=0)
    expected = [
        max(abs(z[:s, j].sum()) / np.sqrt(s * (9 - s) / 9) for j in (0, 1)) for s in range(2, 8)
    ]
    np.testing.assert_allclose(scores_of_means(means)(np.arange(9)[np.newaxis])[0], expected)


def test_the_scores_of_losses_are_those_of_least_squares():
    """Row and column effects fitted off the diagonal with numpy, then means of pairs in a loop."""
    rng, m = seeds.generator(4, "test"), 7
    losses = rng.random((m, m))
    pairs = [(b, c) for b in range(m) for c in range(m) if b != c]
    design = np.zeros((len(pairs), 2 * m))
    for i, (b, c) in enumerate(pairs):
        design[i, b] = design[i, m + c] = 1
    values = np.array([losses[pair] for pair in pairs])
    left = dict(zip(pairs, values - design @ np.linalg.lstsq(design, values)[0], strict=True))
    for s, score in zip(range(2, 6), scores_of_losses(losses)(np.arange(m)[None])[0], strict=True):
        apart = [left[b, c] for b, c in pairs if (b < s) != (c < s)]
        same = [left[b, c] for b, c in pairs if (b < s) == (c < s)]
        expected = (np.mean(apart) - np.mean(same)) * np.sqrt(s * (m - s) / m)
        assert score == pytest.approx(expected, abs=1e-12)


def test_two_jumps_of_a_mean_are_found_where_they_are():
    rng = seeds.generator(5, "test")
    means = rng.normal(size=(30, 1)) + np.repeat([0, 8, 16], 10)[:, np.newaxis]
    found = find_changes(scores_of_means(means), 30, rng, level=0.05)
    assert found.blocks == (10, 20)
    assert found.p_value == 1 / 1000


def test_only_the_column_that_jumps_is_named():
    rng = seeds.generator(6, "test")
    means = rng.normal(size=(30, 5))
    means[15:, 3] += 6
    assert np.flatnonzero(changed_columns(means, rng) <= 0.05).tolist() == [3]


def test_extra_error_is_the_difference_between_models_of_both_sides():
    losses = np.full((6, 6), 0.1)
    losses[:3, 3:] = losses[3:, :3] = 0.4
    cost, error = extra_error(losses, 0, 3, 6)
    assert cost == pytest.approx(0.3)
    assert error == pytest.approx(0, abs=1e-12)


def test_cross_losses_are_those_of_models_that_learned_one_block():
    stream = SEA(n=400).sample(seed=1)
    blocks = cut(400, memory=1.0)
    losses = cross_losses(stream, [0, 1, 2], blocks)
    both = np.r_[blocks.starts[2] : blocks.stops[2], blocks.starts[5] : blocks.stops[5]]
    online = NaiveBayes().online(stream.schema)
    for i in both[:50]:
        online.learn_one(stream.X[i], stream.y[i])
    wrong = [online.predict_one(stream.X[i]) != stream.y[i] for i in both[50:]]
    assert losses[2, 5] == pytest.approx(np.mean(wrong))


# --- the test of drift


@pytest.mark.parametrize("no_change", [0.5, 0.9, 0.97])
def test_false_alarms_on_dependent_streams_keep_the_nominal_level(no_change):
    """At most 5 % of drift-free chains, up to two binomial standard errors; detectors do not."""
    chain = LabelChain.two_classes(0.5, no_change, distance=1.5, n=4000)
    table = false_alarms(chain, range(200))
    limit = 100 * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / 200) ** 0.5)
    assert table.at[TEST, "wrong [%]"] <= limit
    if no_change > 0.5:
        assert table.at["EDDM", "wrong [%]"] > 50


@pytest.mark.parametrize("phi", [0.9, 0.99])
def test_slow_attributes_that_say_nothing_are_not_taken_for_drift(phi):
    chain = LabelChain.two_classes(0.6, 0.8, distance=1.5, n=4000)
    rng, wrong = seeds.generator(7, "test"), 0
    for seed in range(100):
        drawn = chain.sample(seed)
        X = np.column_stack([drawn.X, autoregression(phi, 4000, rng)])
        drift = detect(Stream(X, drawn.y), rng, orders=199)
        wrong += any(aspect.found for aspect in drift.aspects.values())
    assert wrong <= 100 * (LEVEL + 2 * (LEVEL * (1 - LEVEL) / 100) ** 0.5)


@pytest.mark.parametrize("seed", range(5))
def test_a_sudden_drift_of_the_concept_is_found_where_it_is(seed):
    drawn = sudden(SEA(7.0), SEA(9.5), at=5000, n=10_000).sample(seed)
    drift = detect(drawn, seeds.generator(seed, "test"))
    assert [p for p in drift.concept.positions if abs(p - 5000) <= 250]
    assert not drift.attributes.found


@pytest.mark.parametrize("name", ["NSGR", "NSLC", "NSPC-A", "NSCX"])
def test_drift_of_the_testbed_is_found(name):
    drift = detect(streams.TESTBED[name].sample(0), seeds.generator(0, "test"))
    assert drift.concept.p_value <= 0.05


def test_a_change_of_the_concept_alone_is_told_from_one_of_the_labels():
    """The two classes exchange their attributes; their shares and those of x stay 1/2."""
    rng = seeds.generator(11, "test")
    y = rng.integers(0, 2, 6000)
    side = np.where(np.arange(6000) < 3000, y, 1 - y)
    drift = detect(Stream((side + rng.normal(size=6000))[:, None], y), rng)
    assert drift.concept.positions == (3000,)
    assert not drift.labels.found
    assert not drift.attributes.found


def test_too_few_blocks_are_said_to_tell_nothing():
    chain = LabelChain.two_classes(0.5, 0.995, n=1000)
    drift = detect(chain.sample(0), seeds.generator(0, "test"))
    assert all(np.isnan(aspect.p_value) for aspect in drift.aspects.values())


def test_the_simulated_chain_has_the_persistence_of_the_labels():
    y = LabelChain.two_classes(0.6, 0.9, n=50_000).sample(1).y
    chain = like(y, error=0.2)
    assert chain.no_change_accuracy() == pytest.approx(np.mean(y[1:] == y[:-1]), abs=1e-4)
    assert chain.priors == pytest.approx(np.bincount(y) / y.size, abs=1e-3)


# --- estimates


def test_inflation_of_chained_losses_is_their_correlation_time():
    """The variance of a mean of dependent values is the correlation time times the independent."""
    chain = LabelChain.two_classes(0.5, 0.9, n=40_000)
    found = [inflation(chain.sample(s).y.astype(float), 9.0)[0] for s in range(20)]
    assert np.mean(found) == pytest.approx(9.0, rel=0.15)


def test_examples_needed_give_the_precision_wanted():
    n = needed(0.2, 1.0, 0.01)
    rng = seeds.generator(9, "test")
    hits = abs(rng.binomial(n, 0.2, 4000) / n - 0.2) <= 0.01
    assert hits.mean() == pytest.approx(0.95, abs=0.015)


# --- whole reports

N = 5000


def troubled(n=N):
    """A table with times, texts, gaps, a constant column and names of labels; it does not drift."""
    rng, drawn = seeds.generator(10, "test"), LabelChain.two_classes(0.6, 0.9, n=n).sample(2)
    frame = pd.DataFrame(
        {
            "when": pd.date_range("2024-01-01", periods=n, freq="30min").astype(str),
            "price": drawn.X[:, 0].round(3),
            "zone": rng.choice(["north", "south", "east"], n),
            "flat": 1.0,
            "class": np.where(drawn.y == 1, "UP", "DOWN"),
        }
    )
    frame.loc[rng.choice(n, n // 25), "price"] = np.nan
    frame.loc[rng.choice(n, n // 50), "zone"] = None
    return frame


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("stream")


@pytest.fixture(scope="module")
def report(folder):
    path = folder / "trouble.csv"
    troubled().to_csv(path, index=False)
    options = {"label": "class", "time": "when", "nominal": ["zone"]}
    return judge_stream(path, **options, jobs=1, quick=True, cache=folder / "cache")


def section(report, name):
    (found,) = [part for part in report.sections if part.name == name]
    return found


def test_a_troubled_table_is_read_and_each_column_is_accounted_for(report):
    read = section(report, "read")
    assert set(read.table.index) >= {"when", "price", "zone", "flat", "class"}
    assert "5,000 examples" in read.text
    assert "DOWN" in read.text


def test_the_errors_of_the_report_are_those_of_prequential_runs(report):
    frame = troubled()
    stream = Stream.from_frame(frame, "class", time="when", nominal=["zone"])
    for name, learner in {"naive Bayes": NaiveBayes(), "no change": NoChange()}.items():
        error = prequential(learner, stream).error
        assert report.table.at[name, "error [%]"] == pytest.approx(100 * error)


def test_the_confusion_table_has_the_names_of_the_labels_and_sums_to_all_examples(report):
    table = section(report, "confusion").table
    assert list(table.index) == ["DOWN", "UP"]
    assert table[["DOWN", "UP"]].to_numpy().sum() == N


def test_dependent_labels_without_drift_are_said_to_be_just_that(report):
    verdicts = report.verdicts.set_index("question")["verdict"]
    assert verdicts["Is there drift?"] == "none seen"
    assert "more often than by chance" in verdicts["Do labels depend on each other?"]
    assert section(report, "drift").table["changes"].sum() == 0


def test_the_report_answers_each_question_with_evidence_and_pictures_in_words(report):
    assert len(report.verdicts) == 6
    assert report.verdicts.map(bool).all(axis=None)
    assert {"kappa", "labels", "learners", "drift", "warm"} <= set(report.figures)
    assert all(part.alt for part in report.sections if part.figure is not None)


def test_the_report_says_how_it_was_made(report, folder):
    path = folder / "trouble.csv"
    assert report.call == (
        f"repro.judge.stream({str(path)!r}, label='class', time='when', nominal=('zone',), "
        "quick=True)"
    )
    assert report.command.endswith("--label class --time when --nominal zone --quick")


def test_a_column_beside_each_estimate_has_its_standard_error(report):
    measures = [name for name in report.table if name.endswith("± s.e.")]
    assert len(measures) == 5
    for name in measures:
        columns = list(report.table)
        assert columns.index(name) == columns.index(name.removesuffix(" ± s.e.")) + 1


def test_elec2_is_beyond_persistence_only_for_few_and_its_market_change_is_found(folder):
    """Rows 17 424 on have data of the neighbouring market: papers count it as a change."""
    if not data_sets.available("elec2"):
        pytest.skip("elec2 is not available")
    elec2 = streams.load("elec2")
    report = judge_stream(elec2, jobs=1, quick=True, cache=folder / "cache")
    assert report.table.at["naive Bayes", "κ_per"] < 0
    assert report.table.at["no change", "κ_per"] == 0
    table = section(report, "drift").table
    (position,) = map(int, table.at["attributes", "positions"].split(", "))
    assert abs(position - 17_424) <= table.at["attributes", "± examples"]
    assert "season of 48 examples" in section(report, "labels").text
    copy = judge_stream(Shuffled(elec2).sample(1), jobs=1, quick=True, cache=folder / "cache")
    verdicts = copy.verdicts.set_index("question")["verdict"]
    assert verdicts["Is there drift?"] == "none seen"
    assert verdicts["Do labels depend on each other?"].startswith("independent")


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.ones((600, 2)), np.arange(600) % 3),
        (np.tile([[0.0], [1.0]], (300, 1)), np.arange(600) % 2),
        (np.linspace(0, 1, 300)[:, None], np.arange(300) == 150),
        (np.linspace(0, 1, 50)[:, None], np.arange(50) % 2),
        (np.linspace(0, 1, 600)[:, None], np.arange(600) * 7 % 60),
    ],
    ids=["constant attributes", "no error", "one example of a class", "50 rows", "60 classes"],
)
def test_hard_streams_are_judged(X, y, folder):
    report = judge_stream(Stream(X, y.astype(int)), jobs=1, quick=True, cache=folder / "cache")
    assert len(report.verdicts) == 6
    assert "nan" not in report.summary


def test_labels_of_one_class_leave_nothing_to_predict():
    report = judge_stream(Stream(np.zeros((300, 1)), np.zeros(300, int)))
    assert "nothing to predict" in report.summary
    assert report.table["share [%]"].tolist() == [100]


def test_too_few_examples_are_not_judged():
    report = judge_stream(Stream(np.zeros((20, 1)), np.arange(20) % 2))
    assert "only 20 examples" in report.summary


@pytest.mark.parametrize(
    ("source", "options", "kind", "message"),
    [
        (5, {"label": "y"}, TypeError, "source must be the path of a CSV or Parquet file"),
        (pd.DataFrame({"y": [0, 1]}), {}, ValueError, "label must name the column to predict"),
        (Stream([[0.0]] * 2, [0, 1]), {"label": "y"}, ValueError, "label must not be given"),
        (Stream([[0.0]] * 2, [0, 1]), {"jobs": 0.5}, ValueError, "jobs must be"),
        (Stream([[0.0]] * 2, [0, 1]), {"seed": -1}, ValueError, "seed must be"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_one_line(source, options, kind, message):
    with pytest.raises(kind, match=message) as caught:
        judge_stream(source, **options)
    assert "\n" not in str(caught.value)


def test_a_missing_label_column_is_named(folder):
    path = folder / "short.csv"
    troubled(60).to_csv(path, index=False)
    with pytest.raises(ValueError, match="klass"):
        judge_stream(path, label="klass")


def test_long_streams_leave_the_slow_learners_out():
    assert "nearest neighbour" in choose(SEA(n=1000).sample(), quick=False)
    long = Stream(np.zeros((500_000, 9)), np.zeros(500_000, int), n_classes=2)
    assert "nearest neighbour" in choose(long, quick=False)
    assert "nearest neighbour" not in choose(long, quick=True)
    assert "naive Bayes" in choose(long, quick=True)


def test_a_very_long_stream_is_not_copied_for_a_learner(monkeypatch):
    stream = SEA(n=200).sample()
    assert AUGMENTED in choose(stream, quick=False)
    monkeypatch.setattr("repro.judge._stream_learners.MOST_COPIED", stream.X.size - 1)
    assert AUGMENTED not in choose(stream, quick=False)
    assert AUGMENTED in choose(stream.take(range(100)), quick=False)
