"""What the papers' sentences are judged to be, on scenes whose truth is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations, product
from itertools import permutations as every_order
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from repro import _folders
from repro.papers.drift_detection import claims as detection
from repro.papers.estimators import claims as estimators
from repro.papers.permutations import claims as permutations
from repro.papers.scenarios import claims as scenarios
from repro.papers.temporal_dependence import claims as temporal
from repro.papers.testbed import claims as testbed
from repro.permutations import (
    distances,
    expected_neighbor_distance,
    printed_neighbor_distance,
    total_neighbor_distance,
)
from repro.published import Margins, judge_claims, read, sensitivity
from repro.seeds import generator
from repro.streams import LabelChain

ROOT = _folders.checkout()
MODULES = {"01": testbed, "02": estimators, "03": detection}
MODULES |= {"04": temporal, "05": permutations, "06": scenarios}
LEDGERS = ["testbed", "estimators", "detection", "temporal", "permutations", "scenarios"]


@pytest.mark.parametrize(("number", "name"), [*zip(MODULES, LEDGERS, strict=True)])
def test_every_sentence_of_a_paper_is_judged(number, name):
    judged = pd.read_csv(ROOT / "data" / "results" / f"{number}_claims.csv", dtype=str)
    assert not (judged["evidence"] == "not judged").any()
    sentences = read(f"{name}_claims")
    several = sentences.reindex(columns=["permutations"])["permutations"].tolist()
    rows = [len(numbers.split()) if isinstance(numbers, str) else 1 for numbers in several]
    assert len(judged) == sum(rows)


@pytest.mark.parametrize("claims", MODULES.values(), ids=MODULES)
def test_every_judge_is_documented_and_counted(claims):
    judges = [
        v
        for k, v in vars(claims).items()
        if k.startswith("judge_") and v.__module__ == claims.__name__
    ]
    assert set(judges) == set(claims.JUDGES)
    assert all(len(judge.__doc__.split()) > 5 for judge in judges)


@pytest.mark.parametrize(
    ("claims", "name"),
    [(m, n) for m, n in zip(MODULES.values(), LEDGERS, strict=True) if hasattr(m, "REASONS")],
    ids=str,
)
def test_every_reason_is_of_a_sentence(claims, name):
    assert set(claims.REASONS) <= set(read(f"{name}_claims")["key"])


# --- drift detection


def runs(delay, *, false_alarms=0, seeds=10):
    """The runs of all estimates, streams and trees, with a delay from a function of them."""
    rng = generator(0, "runs")
    names = [*detection.FORGETTING, "prequential", *detection.RATIOS, "losses"]
    rows = [
        (stream, tree, seed, name, delay(name, tree) + rng.normal(), false_alarms)
        for stream, tree, seed, name in product(
            detection.CHANGE, ("MC", "NBA"), range(seeds), names
        )
    ]
    columns = ["stream", "learner", "seed", "estimator", "delay", "false_alarms"]
    return pd.DataFrame(rows, columns=columns)


def memory(name):
    """Longer for later windows and factors."""
    order = [*detection.FADING, *detection.SLIDING]
    return float(order.index(name) % 5) if name in order else 0.0


def evidence(frame, loss=(), alarms=()):
    empty = pd.DataFrame()
    return detection.Evidence(frame, empty, empty, np.asarray(loss, float), alarms)


@pytest.mark.parametrize(
    ("sign", "verdict"), [(100, "not refuted"), (-100, "does not hold"), (0, "not refuted")]
)
def test_the_delay_grows_with_the_memory(sign, verdict):
    judged = detection.judge_memory(evidence(runs(lambda name, _: 1000 + sign * memory(name))))
    assert {j.verdict for j in judged.values()} == {verdict}


@pytest.mark.parametrize(("mc", "verdict"), [(1200, "holds"), (900, "does not hold")])
def test_the_leaves_that_detect_sooner(mc, verdict):
    frame = runs(lambda _, tree: mc if tree == "MC" else 1000)
    assert detection.judge_leaves(evidence(frame))["nba_faster"].verdict == verdict


@pytest.mark.parametrize("detects", [True, False])
def test_one_run_that_misses_refutes_always(detects):
    frame = runs(lambda *_: 1000)
    frame.loc[frame["estimator"] == "prequential", "delay"] = np.nan
    if not detects:
        at = frame.query(
            "estimator == 'window=3000' and stream == 'LED' and learner == 'NBA'"
        ).index
        frame.loc[at[0], "delay"] = np.nan
    judged = detection.judge_forgetting(evidence(frame))
    assert judged["always_detects"].verdict == ("not refuted" if detects else "does not hold")
    assert judged["advantage"].verdict == judged["improves_delay"].verdict == "holds"
    assert judged["no_false_alarm"].verdict == "not refuted"
    whole = detection.judge_whole_history(evidence(frame))
    assert whole["only_waveform"].verdict == "does not hold"
    assert whole["misses_others"].verdict == "not refuted"


@pytest.mark.parametrize(("after", "verdict"), [(0.2, "holds"), (0.1, "cannot be told")])
def test_the_error_rises_in_figure_8(after, verdict):
    rng = generator(1, "figure 8")
    loss = rng.random(30_000) < np.repeat([0.1, after], 15_000)
    judged = detection.judge_figure_8(evidence(runs(lambda *_: 1.0), loss, [3, 15_100, 15_200]))
    assert judged["increment"].verdict == verdict
    assert judged["allows_detecting"].evidence.endswith("deciding case +4900")


def test_a_sentence_that_two_functions_judge_is_refused():
    twice = [detection.judge_memory, detection.judge_memory]
    with pytest.raises(ValueError, match="judges must judge each key once; got 'window_delays'"):
        judge_claims("detection", twice, evidence(runs(lambda *_: 1.0)))


# --- the testbed


def draws(error, seeds=12, n=10_000):
    """Draws of all learners on NSGT with an error rate from a function of learner and piece."""
    rng, names = generator(2, "draws"), ["Optimal", *testbed.LINEAR, *testbed.ENSEMBLES]
    rows = []
    for name, seed in product([*names, *testbed.WINDOWS], range(seeds)):
        rate = np.array([error(name, at / n) for at in range(n)])
        loss = (rng.random(n) < rate).astype(float)
        rows.append(("NSGT", name, seed, loss.mean(), testbed.pieces(loss)))
    columns = ["stream", "learner", "seed", "error", "pieces"]
    return testbed.Draws(pd.DataFrame(rows, columns=columns))


def as_the_paper_says(name, time):
    level = {"Optimal": 0.03, "NN100": 0.045, "DWM": 0.04, "OZAB": 0.04}
    grows = {"NB": 0.47, "SGD": 0.1, "NN6000": 0.3, "NN1500": 0.15}
    return level.get(name, 0.03) + grows.get(name, 0.0) * time


def no_difference(name, time):
    return 0.1


@pytest.fixture(scope="module")
def nsgt():
    made = {}
    for scene in (as_the_paper_says, no_difference):
        of = draws(scene)
        made[scene] = testbed.Evidence(
            of, of, pd.DataFrame(), {}, {}, pd.DataFrame(), ["NSGT"], pd.DataFrame()
        )
    return made


def test_the_sentences_on_nsgt_hold_where_they_are_true(nsgt):
    judged = testbed.judge_nsgt(nsgt[as_the_paper_says])
    true = ["nsgt_equal", "nsgt_small_window", "nsgt_sgd_intermediate", "nsgt_nb_worst"]
    true += ["nsgt_sgd_rises", "nsgt_nn100_stable", "nsgt_ensembles_stable", "nsgt_nb_half"]
    assert {judged[key].verdict for key in true} == {"holds"}
    assert judged["nsgt_nb_never"].verdict == "not refuted"


def test_no_sentence_of_a_difference_holds_where_there_is_none(nsgt):
    judged = testbed.judge_nsgt(nsgt[no_difference])
    differences = ["nsgt_small_window", "nsgt_sgd_intermediate", "nsgt_nb_worst", "nsgt_sgd_rises"]
    assert not {judged[key].verdict for key in differences} & {"holds"}
    assert judged["nsgt_nb_half"].verdict == "does not hold"


def rises(name, time):
    """Naive Bayes rises by 1.5 points at a quarter of the stream and at its half."""
    return 0.1 + 0.015 * (name == "NB") * ((time >= 0.25) + (time >= 0.5))


def test_other_readings_of_a_threshold_change_the_margin_by_as_much():
    of = draws(rises, seeds=30)
    frame = of.runs.assign(stream="NSGR")
    scene = testbed.Draws(pd.concat([frame, of.runs]))
    close = testbed.Draws(of.runs.assign(stream="NSPC"))
    empty = pd.DataFrame()
    judged = testbed.other_readings(
        testbed.Evidence(scene, close, empty, {}, {}, empty, ["NSGT", "NSGR"], empty)
    )
    margins = {}
    for least in ("0.5", "1", "2"):
        said = judged.loc[("nsgr_nb_periods", f"more than {least} points"), "evidence"]
        margins[least] = float(re.search(r"([+-][\d.]+) ±", said)[1])
    assert margins["0.5"] - margins["1"] == pytest.approx(0.5, abs=0.02)
    assert margins["1"] - margins["2"] == pytest.approx(1.0, abs=0.02)


def test_spans_are_means_of_losses(nsgt):
    of = nsgt[as_the_paper_says].draws
    halves = (of.error("NSGT", testbed.FIRST_HALF) + of.error("NSGT", testbed.SECOND_HALF)) / 2
    pd.testing.assert_frame_equal(halves, of.error("NSGT")[list(halves)], check_names=False)
    assert (of.excess("NSGT")["Optimal"] == 0).all()


# --- estimators and scenarios: sentences that are arithmetic


def test_sample_sizes_are_those_of_the_examples():
    judged = estimators.judge_sample_sizes(None)
    assert judged["window_1000"].verdict == judged["window_1_percent"].verdict == "holds"
    assert judged["own_whole_interval"].verdict == "does not hold"


def test_hoeffdings_bound_is_never_exceeded():
    judged = estimators.judge_hoeffding(None)
    assert judged["hoeffding_chance"].verdict == "not refuted"
    assert judged["hoeffding_size"].verdict == "holds"


@pytest.mark.parametrize(
    ("sizes", "equal"), [((700, 600), "not refuted"), ((800, 500), "does not hold")]
)
def test_parts_of_a_scenario_are_equally_large_within_15_percent(sizes, equal):
    index = pd.MultiIndex.from_product([["random"], range(2)], names=["assignment", "part"])
    columns = {"training images": sizes, "test images": [s / 6 for s in sizes]}
    frame = pd.DataFrame(columns, index).swaplevel()
    labels = np.repeat(np.arange(10.0), 6000), np.repeat(np.arange(10.0), 1000)
    scene = SimpleNamespace(sizes=frame, labels=labels, n_pixels=784, scale=1.0)
    judged = scenarios.judge_data(scene)
    assert judged["equal_size"].verdict == equal
    assert judged["classes"].verdict == judged["split"].verdict == judged["size"].verdict == "holds"
    assert judged["layers"].verdict == "does not hold"


def test_four_scenarios_are_left():
    judged = scenarios.judge_enumeration(None)
    assert judged["four"].verdict == judged["possible"].verdict == "holds"
    assert judged["own_printed"].verdict == "does not hold"


# --- temporal dependence


def test_what_is_arithmetic_about_label_chains():
    judged = temporal.judge_equations(SimpleNamespace(sums_of_eq_3=np.array([1.0, 1.2])))
    assert judged["eq2_reduces"].verdict == "not refuted"
    assert judged["eq3"].verdict == "does not hold"
    fit = SimpleNamespace(of_window=np.array([0.9, 0.8, 0.7]))
    assert temporal.judge_short_windows(fit)["proposition_9"].verdict == "not refuted"
    unfit = SimpleNamespace(of_window=np.array([0.9, 0.8, 0.85]))
    assert temporal.judge_short_windows(unfit)["proposition_9"].verdict == "does not hold"


def with_alarms(gain, seeds=5):
    """Runs with random alarms in which the most alarms gain `gain` of accuracy over the fewest."""
    rng = generator(3, "alarms")
    orders = ["original", "labels in order", "shuffled"]
    levels = {"1.0e-04": 0.7, "1.0e+00": 0.7 + gain, "NB": 0.7, "DDM": 0.7}
    rows = [
        (f"Elec2, {order}", name, seed, level + 0.001 * rng.normal())
        for order, (name, level), seed in product(orders, levels.items(), range(seeds))
    ]
    alarms = pd.DataFrame(rows, columns=["stream", "learner", "seed", "accuracy"])
    in_order = pd.DataFrame(
        [("Elec2", "Persistent", 0.85)], columns=["stream", "learner", "accuracy"]
    )
    fields = dict.fromkeys(temporal.Evidence.__dataclass_fields__)
    return temporal.Evidence(**fields | {"alarms": alarms, "in_order": in_order, "scale": 1.0})


@pytest.mark.parametrize(
    ("p", "alpha", "stay"), [(0.5, 0.02, 0.5), (0.5, 0.02, 0.9), (0.8, 0.1, 0.8)]
)
def test_the_deviation_of_a_prior_is_that_of_a_long_chain(p, alpha, stay):
    chain = LabelChain.two_classes(p, stay, n=400_000)
    y = pd.Series((chain.sample(1).y == 0).astype(float))
    A = np.array(chain.transition)
    expected = temporal.prior_deviation(p, alpha, A[0, 0] - A[1, 0])
    assert y.ewm(alpha=alpha).mean()[5000:].std() == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(("gain", "verdict"), [(0.05, "holds"), (-0.05, "does not hold")])
def test_random_alarms_help_where_they_do(gain, verdict):
    judged = temporal.judge_alarms(with_alarms(gain))
    assert judged["clear_trends"].verdict == judged["ddm_outperformed"].verdict == verdict
    assert judged["alarms_cost"].verdict == {"holds": "does not hold"}.get(verdict, "holds")
    assert judged["overlapping"].verdict == judged["below_limit"].verdict == "holds"


def test_errors_under_the_printed_condition_are_correlated():
    chain = temporal.LabelChain.two_classes(0.6, 0.9)
    scene = SimpleNamespace(
        elec2_chain=chain, class_errors=np.full((4, 2), 0.3), correlation=np.array([0, 0, 0.2])
    )
    judged = temporal.judge_errors(scene)
    assert judged["condition_1"].verdict == judged["condition_2"].verdict == "not refuted"
    assert judged["condition_3"].verdict == "does not hold"
    assert judged["small_impact"].evidence.endswith("deciding case +0.42")  # factor 1: independent


def with_bagging(augmented, seeds=6):
    """Ten points ahead on Elec2; on Ozone κ⁺ is .3, .4 with correction, `augmented` with labels."""
    rng, names = generator(5, "bagging"), ["LBAG", "LBAG, TC", "LBAG, TA"]
    kappas = {"Elec2": [0.5, 0.5, 0.5], "Ozone": [0.3, 0.4, augmented]}
    rows = [
        (seed, stream, name, 0.9 + 0.001 * rng.random(), np.array([np.nan, k, k + noise]), k)
        for seed, stream in product(range(seeds), kappas)
        for name, k, noise in zip(names, kappas[stream], 1e-4 * rng.random(3), strict=True)
    ]
    columns = ["seed", "stream", "learner", "accuracy", "along", "κ"]
    level = {"Persistent": 0.8, "LBAG": 0.82}
    learners = [*temporal.BASE, "Persistent"]
    in_order = [(s, name, level.get(name, 0.8)) for s in kappas for name in learners]
    fields = dict.fromkeys(temporal.Evidence.__dataclass_fields__) | {"scale": 1.0}
    fields["bagging"] = pd.DataFrame(rows, columns=columns)
    fields["in_order"] = pd.DataFrame(in_order, columns=["stream", "learner", "accuracy"])
    return temporal.Evidence(**fields)


@pytest.mark.parametrize(("augmented", "alike"), [(0.31, "holds"), (0.2, "does not hold")])
def test_what_bagging_gains_on_ozone_is_in_hundredths_of_kappa(augmented, alike):
    scene = with_bagging(augmented)
    assert scene.strong == ["Elec2"]
    judged = temporal.judge_bagging(scene)
    assert judged["augmented_ozone"].verdict == alike
    assert judged["lbag_ozone"].evidence.startswith("mean κ⁺ - 20, hundredths: +10.00")
    true = ["lbag_best", "positive_elec2", "outperform_elec2", "lbag_ozone", "correction_ozone"]
    assert {judged[key].verdict for key in true} == {"holds"}
    ahead = "lead over Persistent in points, Elec2: deciding one of 2 parts: +10.0"
    assert judged["outperform_elec2"].evidence.startswith(ahead)


def test_a_z_above_its_quantile_has_the_level_of_the_test():
    index = pd.MultiIndex.from_tuples([("a", "Majority")], names=["stream", "learner"])
    scene = SimpleNamespace(
        chains=pd.DataFrame(
            [("alternating", "Persistent", k) for k in (-0.9, -0.8)],
            columns=["stream", "learner", "κ"],
        ),
        runs=pd.DataFrame({"κ": [0.0]}, index),
        rejected={"those of Ozone": np.repeat([0.0, 100.0], [60, 40])},
        strong=[],
        labelled={},
        kappas=lambda rows: None,
    )
    judged = temporal.judge_kappa(scene)
    said = "% of a standard normal z above 1.65: 4.947, published 5 (4.5 to 5.5)"
    assert judged["z_test"] == ("magnitude", said, "holds")
    assert judged["own_z_unequal"].verdict == "does not hold"
    assert judged["kappa_negative"].verdict == "holds"


def test_a_minus_sign_keeps_the_standard_errors():
    margins = temporal._minus(temporal._above(Margins([0.5], [0.1], 9), 0.2))
    assert margins.value == pytest.approx([-0.3])
    assert (margins.standard_error, margins.df) == ([0.1], 9)


# --- permutations


def test_what_is_arithmetic_about_permutations():
    judged = permutations.judge_examples(None)
    assert {judged[key].verdict for key in ("example_distance", "not_metrics")} == {"holds"}
    shape = permutations.judge_shape(
        SimpleNamespace(largest=pd.Series({(50, "shape"): 2.9}), seed=0)
    )
    assert shape["shape_below_3"].verdict == "not refuted"
    assert shape["shape_fixed_k"].verdict == "does not hold"


def on_chess(hoeff, n=10):
    """Accuracies on Chess with Hoeff `hoeff` points from the others, and 5 more in time order."""
    rng = generator(4, "chess")
    index = pd.MultiIndex.from_product([["original", "time", "shape", "reversed"], range(n)])
    level = 60 + 5.0 * (index.get_level_values(0) == "time")
    names = list(permutations.LEARNERS)
    noise = 0.1 * rng.normal(size=(len(index), len(names)))
    frame = pd.DataFrame(level[:, None] + noise, index=index, columns=names)
    frame["Hoeff"] += hoeff
    return SimpleNamespace(steady=frame, chess=frame, counts=[n], scale=1.0)


@pytest.mark.parametrize(("hoeff", "most"), [(-3, "does not hold"), (3, "holds")])
def test_the_order_of_the_learners_on_chess(hoeff, most):
    judged = permutations.judge_chess(on_chess(hoeff))
    assert judged["hoeff_most_time", 10].verdict == most
    least = {"holds": "does not hold"}.get(most, "holds")
    assert (
        judged["hoeff_least_original"].verdict == judged["hoeff_least_shape", 10].verdict == least
    )
    assert judged["time_above_original", 10].verdict == "holds"
    assert judged["sudden_not_incremental", 10].verdict == "holds"


def test_only_counts_that_were_run_are_judged():
    fields = dict.fromkeys(permutations.Evidence.__dataclass_fields__) | {"seed": 5}
    runs = pd.DataFrame({"seed": [5, 6, 24]})
    assert permutations.Evidence(**fields | {"runs": runs}).counts == [10]


def as_in_notebook_02():
    """Losses of one run."""
    loss = (generator(6, "losses").random(3000) < 0.3) * 1.0
    curves = SimpleNamespace(loss={("LED", 7): loss}, seeds=[7], n=loss.size)
    return SimpleNamespace(figure_3=curves)


def as_in_notebook_05():
    """What the sentences on distances need: all orders of seven, and what is printed of each."""
    orders = [np.array(order) for order in every_order(range(7))]
    of_7 = [distances(o) | {"neighbour": total_neighbor_distance(o)} for o in orders]
    of = expected_neighbor_distance, printed_neighbor_distance
    strengths = product(("time", "speed"), (50, 503, 45_312), (0.01, 0.1, 0.5, 0.9))
    extent = {(kind, size, p): [f(kind, size, p=p) for f in of] for kind, size, p in strengths}
    n, totals = 12, {}
    for k in (1, 3, 7):
        cuts = (np.split(np.arange(n), np.add(c, 1)) for c in combinations(range(n - 1), k))
        mean = np.mean([total_neighbor_distance(np.concatenate(parts[::-1])) for parts in cuts])
        totals[k] = [mean, n - 1 + 2 * (n - k) - 2 * n / (k + 1)]
    fields = dict.fromkeys(permutations.Evidence.__dataclass_fields__) | {"seed": 0, "scale": 1.0}
    fields["orders_of_7"] = pd.DataFrame(of_7)
    fields["extent"] = pd.DataFrame(extent, index=["exact", "printed"]).T
    fields["proposition_4"] = pd.DataFrame(totals, index=["mean D", "Proposition 4"]).T
    return permutations.Evidence(**fields | {"runs": pd.DataFrame({"seed": range(100)})})


@pytest.mark.parametrize(
    ("number", "judges", "evidence"),
    [
        ("02", ["sample_sizes", "hoeffding"], None),
        ("02", ["identities"], as_in_notebook_02),
        (
            "05",
            ["examples", "distances", "time_and_speed", "shape", "sequences", "extent"],
            as_in_notebook_05,
        ),
        ("06", ["enumeration"], None),
    ],
)
def test_what_needs_no_run_is_as_in_the_table(number, judges, evidence):
    claims, ledger = MODULES[number], dict(zip(MODULES, LEDGERS, strict=True))[number]
    functions = [getattr(claims, f"judge_{name}") for name in judges]
    judged = judge_claims(ledger, functions, evidence and evidence())
    there = judged["evidence"] != "not judged"
    table = pd.read_csv(ROOT / "data" / "results" / f"{number}_claims.csv")
    assert there.sum() >= len(judges)
    columns = ["sentence", "evidence", "verdict"]
    pd.testing.assert_frame_equal(
        judged.loc[there, columns].astype(str), table.loc[there, columns].astype(str)
    )


# --- wrong arguments of the functions that judge


@dataclass
class Scaled:
    scale: float = 1.0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: judge_claims("x", [], None), ValueError, "name must be one of .*; got 'x'"),
        (lambda: judge_claims("testbed", 3, None), TypeError, "judges must be functions; got 3"),
        (lambda: judge_claims("testbed", [3], None), TypeError, "got 3 among them"),
        (lambda: judge_claims("testbed", [lambda _: 5], None), TypeError, "judged must .*; got 5"),
        (lambda: sensitivity("testbed", [], None), TypeError, "with the field scale; got None"),
        (lambda: sensitivity("testbed", [], Scaled), TypeError, "evidence must be an instance"),
        (lambda: sensitivity("testbed", [], Scaled(), scales=[]), ValueError, "at least one"),
        (lambda: sensitivity("testbed", [], Scaled(), scales=3), TypeError, "scales must be"),
        (lambda: sensitivity("testbed", [], Scaled(), scales=["a"]), ValueError, "finite and > 0"),
        (lambda: sensitivity("testbed", [], Scaled(), scales=[0]), ValueError, "got 0"),
    ],
)
def test_wrong_arguments_get_a_clear_error(call, error, message):
    with pytest.raises(error, match=message):
        call()
