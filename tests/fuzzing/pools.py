"""Pools of right arguments by name, and of garbage, all written as Python code.

An entry is a tuple of codes, of which one is drawn, or a function of the call's context. A name
with one meaning as a number and another as an array has two entries, (name, "scalar") and
(name, "array"). A meaning in one function only is in `BY_CALL`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzzing.values import Context

Entry = tuple[str, ...] | Callable[[Any], str]

GARBAGE: tuple[str, ...] = (
    "None", "True", "False", "0", "1", "-1", "3", "0.5", "-0.5", "1.5", "nan", "inf", "-inf",
    "-0.0", "2**63", "-2**63", "10**30", "1e300", "-1e300", "1e-200", "5e-324", "1j", "''", "'a'",
    "'\\0'", "'é' * 300", "b'a'", "[]", "()", "{}", "set()", "[[]]", "[None]", "['a']", "[nan]",
    "[inf]", "[True]", "[1j]", "[-1]", "[2**63]", "[10**30]", "[1e300]", "[0, 1, 10**9]",
    "[0.0, 1.0]", "[1, 2]", "[[1, 2], [3]]", "[[0.0, 1.0], [1.0, 0.0]]", "[[1], 2]", "{'a': 1}",
    "{1: [0.5]}", "{None: None}", "{1, 2}", "range(3)", "range(0)", "(i for i in range(3))",
    "iter([])", "len", "print", "lambda *given, **named: None", "object()", "object", "int",
    "np.array(0.5)", "np.array(1)", "np.array([])", "np.zeros((2, 0))", "np.zeros((1, 1, 1))",
    "np.array([0, 1], np.float16)", "np.array([0.0, 1.0], np.float32)", "np.array(['a'])",
    "np.array([None])", "np.array([0, 1j])", "np.array(['2020-01-01'], 'datetime64[D]')",
    "np.array([1, 2], 'timedelta64[s]')", "np.zeros(2, [('a', float)])", "np.array(None)",
    "np.array([2**64 - 1], np.uint64)", "np.array([0, 2**62])", "np.timedelta64(1, 'D')",
    "np.datetime64('NaT')", "np.float16(0.1)", "np.float32(0.5)", "np.float64(nan)", "np.int8(-1)",
    "np.uint64(2**64 - 1)", "np.True_", "np.array([True, False])", "np.ma.masked",
    "np.ma.masked_array([0.0, 1.0], [True, False])", "np.matrix([[0, 1]])", "pd.NA", "pd.NaT",
    "pd.Series([0.0, 1.0], index=[5, 9])", "pd.Series(dtype=float)",
    "pd.Series([1, None], dtype='Int64')",
    "pd.Series(['a', 'b'])", "pd.Timestamp('2020-01-01')", "pd.DataFrame()", "pd.Index([0, 1])",
    "pd.DataFrame({'a': [1, 2], 'b': [0.5, nan]})", "decimal.Decimal('0.1')",
    "decimal.Decimal('nan')", "fractions.Fraction(1, 3)", "datetime.date(2020, 1, 1)",
    "pathlib.Path('a')", "np.random.default_rng(0)", "np", "np.float64", "slice(3)", "...",
    "memoryview(b'ab')", "bytearray(2)", "NotImplemented", "types.SimpleNamespace(n=3)",
    "learners.NaiveBayes()", "learners.NaiveBayes", "detectors.DDM()", "streams.SEA(n=20)",
    "repro.Stream([[0.0], [1.0]], [0, 1])", "AX",
)  # fmt: skip

#: Names of what decides how much memory or time a call takes: never drawn as huge numbers that a
#: 64-bit machine can count to. 2**63 and 10**30 are drawn like other garbage.
SIZES = {
    "n", "window", "memory", "block", "blocks", "parts", "batches", "k", "n_runs", "n_features",
    "n_classes", "points",
    "n_members", "n_irrelevant", "n_centroids", "n_nominal", "n_numeric", "n_values", "n_resamples",
    "max_depth", "max_buckets", "max_members", "limit", "columns", "steps", "jobs", "lag", "lags",
    "decimals", "size", "drifting", "nominal", "schema", "arl0", "drift_at", "warm_start",
    "min_count", "warmup",
    "at", "width", "start", "stop", "rate", "duration", "after", "clock", "positions", "every",
    "hidden", "encoder", "latent", "passes", "draws", "batch",
}  # fmt: skip

LEARNERS = (
    "learners.NaiveBayes()", "learners.Majority()", "learners.NoChange()", "learners.LinearSVM()",
    "learners.NearestNeighbors(k=2, window=5)", "learners.HoeffdingTree(grace_period=5)",
    "learners.HoeffdingTree(leaf='mc')",
    "learners.DriftRetraining(learners.NaiveBayes(), detectors.DDM(warm_start=5))",
    "learners.OzaBag(learners.NaiveBayes(), n_members=2)",
    "learners.TemporallyAugmented(learners.NaiveBayes())",
    "learners.TemporalCorrection(learners.NaiveBayes())",
    "learners.BayesOptimal()",
)  # fmt: skip
MODELS = ("sklearn.naive_bayes.GaussianNB()", "river.naive_bayes.GaussianNB()")
BASES = ("learners.NaiveBayes()", "learners.NoChange()", "learners.HoeffdingTree(grace_period=5)")
DETECTORS = (
    "detectors.DDM(warm_start=5)", "detectors.EDDM()", "detectors.ADWIN()",
    "detectors.RandomAlarms(0.1)",
    "detectors.PageHinkley(threshold=1.0)",
)  # fmt: skip
FOREIGN = (
    "detectors.ForeignDetector(river.drift.ADWIN())", "river.drift.NoDrift()", "river.drift.KSWIN",
    "river.drift.PageHinkley()",
)  # fmt: skip
EXPORTED = ("streams.LED(n=20)", "streams.SEA(n=20).sample(0)")
EXAMPLES = (
    "[({'a': 1, 'b': 'u'}, True), ({'b': None}, False), ({'a': nan, 'b': 'v'}, None)]",
    "interop.to_river(streams.LED(n=20))", "river.datasets.synth.SEA(seed=1)",
    "iter([({0: 1.5, '0': 2}, 1), ({0: 2.5}, 0)])",
)  # fmt: skip
ESTIMATES = (
    "detectors.FadingEstimate(0.9)", "detectors.SlidingEstimate(5)",
    "detectors.ErrorRatio(detectors.FadingEstimate(0.9), detectors.SlidingEstimate(50))",
)  # fmt: skip
NETWORKS = (
    "networks.SNG((4,))", "networks.ENS((4,), passes=3, batch=4)",
    "networks.ENSGEN((4,), (4,), 2, passes=3, draws=20, threshold=0.4)",
    "networks.ENSGENDEL((4,), (4,), 2, passes=3, draws=20, threshold=0.4, epsilon=0.2)",
)  # fmt: skip
COMPONENTS = (
    "streams.Component((0.0, 0.0), (2.5, 1.0), transforms=(streams.Transform(10, (1.0, 2.0)),))",
    "streams.Component((1.0, 0.0), (1.0, 1.0), rotation=30.0)",
)
TWO = (
    "streams.DriftingMixture('two', (streams.MixtureClass('A', (streams.Component((0.0, 0.0), "
    "(2.5, 1.0)),)), "
    "streams.MixtureClass('B', (streams.Component((2.0, 0.0), (1.0, 1.0)),))), n=30)"
)
#: Descriptions with the same attributes and classes in a row: they can be put together.
FAMILIES = (
    ("streams.SEA(n=20)", "streams.SEA(9.0, 0.2, n=25)", "streams.SEA(n=3)"),
    ("streams.LED(n=20)", "streams.LED(noise=0.2, drifting=2, n=25)"),
    ("streams.Hyperplane(3, n=20)", "streams.Hyperplane(3, drifting=1, n=25)"),
    (TWO, TWO.replace("'two'", "'three'")),
)
MORE_DESCRIPTIONS = (
    "streams.LabelChain([[0.9, 0.1], [0.3, 0.7]], [0.0, 2.0], n=20)", "streams.Waveform(n=20)",
    "streams.RandomRBF(3, n_centroids=4, n=20)",
    "streams.RandomTree(n_nominal=1, n_numeric=2, n=20)",
    "streams.sudden(streams.SEA(n=10), streams.SEA(9.0, n=10), at=10)",
    "streams.gradual(streams.SEA(n=10), streams.SEA(9.0, n=10), at=10, width=5)",
    "streams.Redrawn(streams.RandomRBF(3, n_centroids=4, n=20))",
)  # fmt: skip
NAMES = ("'digits'", "'elec2'", "'kdd99'", "'no such set'", "'testbed_table3'", "'01_cells'")
RUNS = (
    "pd.DataFrame({'stream': ['LED'] * 3, 'learner': ['MC', 'NBA', 'MC'], 'estimator': "
    "['prequential'] * 3, 'seed': [0, 0, 1], 'delay': [nan, 349.0, 20.0], "
    "'false_alarms': [0, 1, 0]})"
)
SWEEP = (
    "pd.DataFrame({'stream': ['NSGT'] * 4, 'learner': ['NB', 'NB', 'SGD', 'SGD'], "
    "'seed': [0, 1, 0, 1], 'error': [0.25, 0.26, 0.2, nan]})"
)
STUDY = (
    "pd.DataFrame({'learner': ['NB', 'NB', 'SGD', 'SGD'], 'stream': ['a', 'b', 'a', 'b'], "
    "'seed': [0, 0, 0, 0], 'error': [0.25, 0.26, 0.2, nan]})"
)
COMPARISON = f"published.compare('testbed_table3', {SWEEP})"
DELAYS = f"published.compare('estimators_table3', {RUNS})"
WATCHED = (
    "pd.DataFrame({'stream': ['LED'], 'learner': ['MC'], 'seed': [0], 'n': [100], "
    "'alarms': [{'prequential': [20, 70]}]})"
)
IMAGES = "np.arange(24.0)[:, None], np.repeat([0, 1, 2], 8), '012'"
TABLE = (
    "pd.DataFrame({'when': pd.date_range('2026-01-01', periods=4)[::-1], 'a': [1.5, nan, inf, 2.0],"
    " 'b': ['u', None, 'v', 'u'], 'y': [True, False, None, False]}, index=[0, 0, 1, 1])"
)
FRAME = "pd.DataFrame({'a': [0.1, nan], 'b': [0.3, -2.0]}, index=['NB', 'SGD'])"
PREDICTED = (
    "pd.DataFrame({'learner': ['NB', 'NB'], 'family': ['fading', 'sliding'], 'memory': [10, 20], "
    "'simulated': [5.0, 9.0], '± s.e.': [0.5, 1.0], 'formula': [5.0, 8.0], "
    "'expected losses': [5.0, 8.5]})"
)
TRADEOFF = (
    "pd.DataFrame({'detector': ['PH', 'PH', 'DDM'], 'far': [0.0, 1.0, 2.0], "
    "'delay': [5.0, inf, 9.0]})"
)
REPORT = "metrics.detection_report([[150, 420], [430]], [400], 1000)"


def _description(ctx: Context) -> str:
    return ctx.one(*FAMILIES[ctx.family], *MORE_DESCRIPTIONS)


def _related(ctx: Context) -> str:
    return ctx.one(*FAMILIES[ctx.family])


def _stream(ctx: Context) -> str:
    n, family = ctx.rnd.choice((1, 2, 20)), FAMILIES[ctx.family]
    plain = f"repro.Stream({ctx.rows()}, {ctx.labels()}, n_classes={ctx.n_classes})"
    return ctx.one(f"{ctx.one(*family)}.sample({ctx.rnd.randrange(3)}, n={n})", plain)


def _drifting_stream(ctx: Context) -> str:
    return f"{ctx.one(*FAMILIES[ctx.family])}.sample({ctx.rnd.randrange(3)})"


def _positions(ctx: Context) -> str:
    return repr(sorted(ctx.rnd.sample(range(1, 40), ctx.rnd.randrange(4))))


def _shares_of_labels(ctx: Context) -> str:
    draw = f"np.random.default_rng({ctx.rnd.randrange(9)})"
    return ctx.one(
        f"{draw}.random((2, 2))", f"{draw}.dirichlet([1, 1], (2, 2))", "[[1, nan], [1, 1]]"
    )


def _rising(ctx: Context) -> str:
    return f"np.arange({ctx.n}) * {ctx.one('1.0', '0.5', '0.0')}"


def _shares(ctx: Context) -> str:
    k, seed = ctx.n_classes, ctx.rnd.randrange(9)
    return f"np.random.default_rng({seed}).dirichlet(np.ones({k}), {ctx.n})"


def _schema(ctx: Context) -> str:
    nominal = [ctx.rnd.choice((0, 0, 2, 3)) for _ in range(ctx.n_features)]
    return f"streams.Schema({tuple(nominal)}, {ctx.n_classes})"


def _curves(ctx: Context) -> str:
    return ctx.one("{}", f"{{'NB': {ctx.losses()}, 'SGD': {ctx.losses()}}}", "{'a': [0.5]}")


def _fractions(*codes: str) -> tuple[str, ...]:
    return (*codes, "0.5", "0.1", "0.9", "0.01", "1.0")


LABELS: Entry = lambda ctx: ctx.labels()  # noqa: E731
LABEL: Entry = lambda ctx: str(ctx.rnd.randrange(ctx.n_classes))  # noqa: E731
LOSSES: Entry = lambda ctx: ctx.losses()  # noqa: E731
ROWS: Entry = lambda ctx: ctx.rows()  # noqa: E731
NAMES_OF_SETS = ("'C10'", "'C02'", "(2, 1)", "scenarios.BaseSet('C12')", "'C01'", "'C11'")
SCENARIO = tuple(f"scenarios.SCENARIOS['{name}']" for name in ("ADD", "EXP", "INC", "SEP"))
CHAIN = "scenarios.Scenario(['C120', 'C002', 'C301'], 'chain')"
TASKS = tuple(f"scenarios.SCENARIOS['{name}'].build({IMAGES})" for name in ("ADD", "SEP"))
COUNTS: tuple[str, ...] = ("1", "2", "3", "5", "10")
FROM_0: tuple[str, ...] = ("0", "0", "1", "2", "5")
AXES = ("AX", "AX", "AX", "plt.figure().add_subplot()")

BY_NAME: dict[Any, Entry] = {
    "X": ROWS,
    "accuracies": _shares_of_labels,
    "assignment": ("'012'", "{0: 'C10', 1: 'C02'}", "{'C10': [0, 2], 'C02': 1}", "'01'"),
    "alarms": _positions,
    "alpha": _fractions("0.999"),
    "at": _positions,
    ("at", "scalar"): ("5", "10", "1"),
    "ax": AXES,
    "base": BASES,
    "batch": COUNTS,
    "bayes_risk": lambda ctx: f"np.random.default_rng(1).random({ctx.n}) * 0.5",
    "base_sets": ("['C10', 'C02']", "('C10', (0, 2), 'C21')", "['C120', 'C002', 'C301']"),
    "baseline": ("[0.5, 0.5]", "[0.1, 0.9]"),
    ("before", "scalar"): _related,
    ("after", "scalar"): _related,
    "cache": ("'cells'",),
    "classes": lambda ctx: f"(streams.MixtureClass('A', ({ctx.one(*COMPONENTS)},)),)",
    "comparison": (COMPARISON, DELAYS),
    "components": lambda ctx: f"({ctx.one(*COMPONENTS)},)",
    "concept": _description,
    "concepts": lambda ctx: f"({', '.join(_related(ctx) for _ in range(2))})",
    "covariance": ("(1.0, 2.0)", "(2.5,)", "((1.0, 0.5), (0.5, 1.0))"),
    "curves": _curves,
    "decoder_output": ("'linear'", "'sigmoid'"),
    ("delay", "scalar"): FROM_0,
    "delay": lambda ctx: ctx.one("0", "1", "3", ctx.integers(4)),
    "delays": lambda ctx: ctx.one("[90.0, 100.0, inf]", "[nan]", ctx.losses()),
    "delta": _fractions("0.002", "0.05"),
    "detector": DETECTORS,
    "differences": ("[[0.1, 0.2], [0.3, -0.1], [0.0, 0.2]]", "[[0.0, 0.0]]"),
    "draws": COUNTS,
    "drift_at": _positions,
    "drifting": ("0", "1", "2"),
    "dispersion": ("0.5", "0.0", "1.0", "0.9"),
    "distance": ("1.0", "1.5", "2.0", "2.5"),
    "drifts": _positions,
    "encoder": ("(4,)", "(4, 3)", "()"),
    "epsilon": _fractions("0.05"),
    "error": ("0.1", "0.3", "0.5"),
    ("error", "array"): LOSSES,
    "estimate": ESTIMATES,
    "every": ("1", "7", "20"),
    "features": ("('a', 'b')", "['x0']", "()"),
    "frame": (FRAME, "pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})"),
    "given": ("'attributes'", "'attributes and previous label'"),
    "grace_period": ("1", "5", "200"),
    "hidden": ("(4,)", "(4, 3)", "()"),
    "jobs": ("1",),
    "kind": tuple(map(repr, ("time", "speed", "shape", "random", "priors", "labels", "filter"))),
    "label": ("0", "1"),
    "latent": COUNTS,
    "leaf": ("'mc'", "'nb'", "'nba'"),
    "learner": LEARNERS + MODELS,
    "learners": lambda ctx: f"{{'a': {ctx.one(*LEARNERS)}, 'b': {ctx.one(*LEARNERS)}}}",
    "min_count": COUNTS,
    "confidence": ("0.05", "0.95", "0.01"),
    "level": ("0.05", "0.95", "0.01"),
    "loss": LOSSES,
    ("loss", "scalar"): ("0", "1", "0.5", "1.0"),
    "loss_a": LOSSES,
    ("loss_a", "scalar"): ("0", "1", "0.5"),
    "loss_b": LOSSES,
    ("loss_b", "scalar"): ("0", "1", "0.5"),
    "margins": ("[0.3, -0.2]", "[1.0]", "published.Margins([0.3, 0.2], 0.1, 9)", "None"),
    "mean": ("(0.0, 0.0)", "(1.0,)"),
    ("mean", "scalar"): ("0.0", "3.0", "0.5"),
    "means": ("[0.0, 2.0]", "[[0.0, 1.0], [2.0, 0.0]]"),
    "measure": tuple(f"'kappa{m}'" for m in ("", "_temporal", "_combined", "_majority")),
    "memory": ("2**20", "2**25", "10"),
    "mixture": (TWO, "repro.TESTBED['NSGT']", "repro.TESTBED['NSCX']"),
    "model": LEARNERS + MODELS,
    "n": ("1", "2", "10", "40"),
    "n_classes": lambda ctx: str(ctx.n_classes),
    "n_features": COUNTS,
    "n_resamples": ("2", "10"),
    "n_runs": ("1", "2", "5"),
    "name": NAMES,
    "network": NETWORKS,
    "error_after": LOSSES,
    "norm": ("'euclidean'", "'squared'"),
    "noise": ("0.0", "0.1", "0.5"),
    "nominal": lambda ctx: f"({'0, ' * ctx.n_features})",
    "error_before": LOSSES,
    "optimal": LABELS,
    "lag": COUNTS,
    "lags": COUNTS,
    "others": ROWS,
    ("order", "array"): lambda ctx: f"np.random.default_rng(2).permutation({ctx.n})",
    "orders": lambda ctx: f"permutations.interleaved_parts({ctx.n}, 1)",
    "p": LOSSES,
    ("p", "scalar"): _fractions(),
    "parts": ("1", "2", "10"),
    "passes": ("1", "3"),
    "path": ("'a.csv'", "pathlib.Path('b.csv')", "'a.parquet'"),
    "period": ("1", "50"),
    "points": COUNTS,
    "previous": lambda ctx: ctx.one(ctx.labels(), "[0]"),
    "proba": _shares,
    ("proba", "scalar"): ("True", "False"),
    "rows": ("[published.claim('a', [0.3, 0.2], 'b')]", "[]"),
    "runs": (RUNS,),
    "scenario": (*SCENARIO, CHAIN),
    "states": ("[[1, 0], [0, 2]]", "[[1, 0, 1], [0, 2, 2]]", "'C10'", "(1, 0)"),
    "task": ("0", "1"),
    "tasks": TASKS,
    "test_share": ("0.5", "0.3"),
    "tests": ("{'C10': [[0.0]], 'C02': [[1.0], [2.0]]}",),
    "batches": (
        "[repro.Stream([[0.0]], [k], n_classes=2) for k in (0, 1)]",
        "(repro.Stream([[0.0], [1.0]], [0, 1]),) * 2",
    ),
    "scale": ("1.0", "2.0", "True"),
    "schema": _schema,
    "seed": ("0", "1", "2**40", "2**62"),
    "seeds": ("[0]", "range(1)"),
    "steps": ("1", "3"),
    "stop": ("'never'", "'max'", "'mean'"),
    "stream": _stream,
    "streams": lambda ctx: f"{{'s': {_description(ctx)}}}",
    "t": lambda ctx: ctx.one("0", "5", "0.5", f"np.arange({ctx.n})", "[0.0, 3.0]"),
    "table": (FRAME,),
    "test": _stream,
    "theta": ("0.1", "0.0", "7.0"),
    "threshold": ("1.0", "0.5", "8.0", "50.0"),
    "times": _rising,
    "transition": ("[[0.9, 0.1], [0.3, 0.7]]", "[[0.5, 0.5], [0.5, 0.5]]"),
    "translation": ("()", "(1.0, 2.0)"),
    "transforms": ("()", "(streams.Transform(5, (1.0, 0.0)),)"),
    "value": ("0.0", "1.0", "0.5", "1"),
    "weight": ("1.0", "0.0", "0.5", "2"),
    "weights": ("()", "(0.5, 0.2, 1.0)"),
    "width": ("0", "5", "1"),
    "missing": ("'last'", "'own'", "'drop'"),
    "timestamps": ("'drop'", "'seconds'", "'calendar'"),
    "separator": ("','",),
    "max_values": ("100", "1"),
    "widths": ("()", "(0, 5)"),
    "window": ("1", "2", "5", "100"),
    "x": LOSSES,
    ("x", "scalar"): ("0.5", "1.0"),
    "y": LABELS,
    ("y", "scalar"): LABEL,
    "y_pred": LABELS,
    ("y_pred", "scalar"): LABEL,
}

ROW: Entry = lambda ctx: ctx.row()  # noqa: E731
BY_CALL: dict[tuple[str, str], Entry] = {
    ("build", "X"): ("np.arange(24.0)[:, None]", "np.zeros((24, 2))"),
    ("build", "y"): ("np.repeat([0, 1, 2], 8)", "np.repeat([2, 1, 0, 1], 6)"),
    ("build", "sizes"): ("[2, 3]", "[2, 3, 1]", "{'C10': 2, 'C02': 3}"),
    ("build", "nominal"): ("(0,)", "(0, 0)"),
    ("build", "test"): ("(np.arange(6.0)[:, None], [0, 1, 2, 0, 1, 2])",),
    ("BaseSet", "states"): NAMES_OF_SETS,
    ("ideal_accuracy", "sizes"): ("[2, 3]", "[2, 3, 1]", "{'C10': 2, 'C02': 3}"),
    ("continual_report", "sizes"): ("[2, 3]", "[0.5, 2.0]"),
    ("continual_report", "states"): ("[[1, 0], [0, 2]]", "[[1, 2], [1, 1]]"),
    ("calibrate", "arl0"): ("20.0", "50.0"),
    ("calibrate", "factory"): ("lambda t: detectors.PageHinkley(0.1, t)",),
    ("calibrate", "error"): ("0.3",),
    ("compare", "name"): ("'testbed_table3'",),
    ("compare", "frame"): (SWEEP,),
    ("count_verdicts", "cells"): (COMPARISON, DELAYS),
    ("rank_disagreement", "differences"): LOSSES,
    ("switch_probability", "differences"): LOSSES,
    ("switch_probability", "original"): ("0.1", "-1", "[0.5]"),
    ("delays_of", "after"): ("50", "1"),
    ("delays_of", "table"): (WATCHED,),
    ("delays_beside_published", "comparison"): (DELAYS,),
    ("electricity_like", "seed"): ("0",),
    ("expected_delay", "before"): ("0.1", "0.3"),
    ("expected_delay", "after"): ("0.5", "0.9"),
    ("expected_delay", "threshold"): ("1.0", "5.0"),
    ("estimated", "estimates"): ("[0.3, 0.2]", "[0.3]"),
    ("estimated", "standard_error"): ("[0.1, 0.0]", "[0.1]"),
    **{(f, "errors"): ("[[0.1, 0.2], [0.2, 0.2], [0.1, 0.3]]",) for f in ("kendall_w", "rankings")},
    ("block_errors", "n"): ("None", "40"),
    ("block_errors", "order"): lambda ctx: f"np.random.default_rng(2).permutation({ctx.n})",
    ("rejection_rates", "differences"): ("np.arange(12.0).reshape(3, 2, 2)",),
    ("rejection_rates", "tests"): ("{'a': permutations.paired_test}",),
    ("summarize", "table"): (STUDY,),
    ("summarize", "original"): ("'a'", "'original'"),
    ("summarize", "measure"): ("'error'", "'error'", "'seed'"),
    ("not_worse_than_best", "errors"): ("[[0.1, 0.2], [0.2, 0.2], [0.1, 0.3]]", "[[0.1], [0.2]]"),
    ("compare", "reasons"): ("{}", "{('NSGT', 'SGD'): 'a'}"),
    ("learn_one", "x"): ROW,
    **{(f, "model"): DETECTORS + FOREIGN for f in ("as_detector", "ForeignDetector")},
    ("to_river", "learner"): LEARNERS + DETECTORS + FOREIGN + EXPORTED,
    ("from_river", "dataset"): EXAMPLES,
    ("from_river", "nominal"): ("()", "['x1']"),
    ("from_river", "name"): ("'a'",),
    ("to_frame", "backend"): ("'pandas'",),
    ("from_frame", "frame"): (TABLE,),
    ("from_frame", "label"): ("'y'", "'b'"),
    ("from_frame", "time"): ("'when'", "'a'"),
    ("from_frame", "nominal"): ("()", "['a']"),
    ("from_frame", "drop"): ("()", "['a']"),
    ("read_csv", "path"): tuple(
        f"streams.export(streams.LED(n=20).sample(0), 'led.{suffix}')"
        for suffix in ("csv", "parquet")
    ),
    ("read_csv", "label"): ("'y'", "'x1'"),
    ("read_csv", "time"): ("'x0'",),
    ("read_csv", "nominal"): ("()", "['x2', 'x3']"),
    ("read_csv", "drop"): ("()", "['optimal', 'bayes_risk']"),
    ("judge_magnitude", "estimate"): ("0.5", "[0.5, 0.6]", "published.Margins(0.5, 0.1)"),
    ("judge_magnitude", "published"): ("0.5", "2.5"),
    ("judge_magnitude", "step"): ("0.0", "0.1", "1.0"),
    ("judge_mean", "margin"): ("[0.3, 0.2]", "[[0.1, 0.2], [0.3, 0.0]]", "published.Margins(1.0)"),
    ("ledger", "name"): ("'permutations'",),
    ("ledger", "judged"): ("{}", "{'minimum': published.judge_every([0.0], 'a')}"),
    ("margin", "errors"): (FRAME,),
    ("margin", "worse"): ("'a'", "['a', 'b']"),
    ("margin", "better"): ("'b'", "['b']"),
    ("mean_margins", "runs"): ("[0.3, 0.2]", "[[0.1, 0.2], [0.3, 0.0]]"),
    ("mixture_table", "mixtures"): (f"{{'a': {TWO}}}", "repro.TESTBED"),
    ("partial_fit", "X"): lambda ctx: f"np.random.default_rng(1).random(({ctx.n}, 2))",
    ("partial_fit", "y"): lambda ctx: f"np.random.default_rng(2).integers(0, 2, {ctx.n})",
    ("partial_fit", "classes"): ("[0, 1]",),
    ("plot_agreement", "comparison"): (COMPARISON,),
    ("plot_bands", "curves"): ("{'a': ([0.5, 0.25], [0.1, 0.0])}", "{}"),
    ("plot_bands", "t"): ("[10, 20]",),
    ("plot_delays", "comparison"): (DELAYS,),
    ("plot_mixture", "times"): ("[0.0]", "[0.0, 10.0]"),
    ("plot_mixture", "stream"): ("streams.SEA(n=5).sample(0)", f"{TWO}.sample(1)"),
    ("plot_predicted_delays", "table"): (PREDICTED,),
    ("plot_tradeoff", "points"): (TRADEOFF,),
    ("plot_tradeoff", "x"): ("'far'",),
    ("plot_tradeoff", "y"): ("'delay'",),
    ("predict_one", "x"): ROW,
    ("predict_proba_one", "x"): ROW,
    ("read", "name"): ("'testbed_table3'",),
    ("read_mixture", "source"): ("streams.write_mixture(" + TWO + ")", "'a = 1\\n'", "'a.toml'"),
    ("reports_table", "reports"): (f"{{'A': {REPORT}}}", "{}"),
    ("run_lengths", "limit"): ("100", "1000"),
    ("run_lengths", "drift_at"): ("0", "10"),
    ("first_detection", "drift_at"): ("0", "5", "10"),
    ("recovery", "drift_at"): ("0", "5", "10"),
    ("run_lengths", "rate_before"): ("0.1",),
    ("save", "figure_or_axes"): ("AX", "plt.figure(figsize=(1, 1))"),
    ("save_table", "decimals"): ("2", "{'a': 3}"),
    ("select", "features"): ("['x0']", "[]"),
    ("severity", "before"): ("0.0", "5"),
    ("severity", "after"): ("10.0", "20"),
    ("shared_legend", "ax"): ("AX",),
    ("take", "order"): ("[0]", "[0, 1]", "range(1)"),
    ("Permuted", "dispersion"): ("None",),
    ("Permuted", "k"): ("None", "1"),
    ("Permuted", "p"): ("None", "0.5"),
    ("panels", "titles"): ("['a', 'b']",),
    ("monitor_all", "estimates"): lambda ctx: f"{{'a': {ctx.one(*ESTIMATES)}}}",
    ("kappa_advice", "run"): (
        "repro.prequential(learners.NoChange(), streams.SEA(n=20).sample(0))",
    ),
    ("kappa_advice", "stream"): ("streams.SEA(n=20).sample(0)",),
}

#: How often a callable is drawn, where it costs far more than the others (which have 1).
WEIGHTS = {
    "figures": 0.02, "repro.sweep": 0.002, "figures.save": 0.002, "figures.panels": 0.005,
    "tables": 0.1, "published": 0.2, "streams.electricity_like": 0.002,
    "streams.compare_with_elec2": 0.05, "streams.load": 0.05, "data_sets.fetch": 0.01,
    "data_sets.verify": 0.01, "streams.stand_in": 0.002, "detectors.calibrate": 0.01,
    "repro.evaluate_scenario": 0.05, "repro.evaluate_scenarios": 0.002, "interop": 0.3,
    "detectors.run_lengths": 0.05, "repro.prequential": 0.5, "repro.holdout": 0.3,
    "repro.repeated_errors": 0.3, "league": 0.02, "judge": 0.05, "judge.learner": 0.01,
    "explore": 0.1,
}  # fmt: skip
