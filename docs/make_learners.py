"""Write docs/learners.md from the classes: ``python docs/make_learners.py``, or ``make docs``.

Names, definitions, papers and defaults come from the code. This file adds what the code does not
contain: how the five papers used a learner, and where MOA and river differ from it.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path
from typing import Any

import repro
from repro import detectors, learners

PAGE = Path(__file__).with_name("learners.md")

PAPERS = {
    1: "Cervantes et al. (2018)",
    2: "Gama et al. (2013)",
    3: "Žliobaitė et al. (2015)",
    4: "Žliobaitė (2014)",
    5: "Szadkowski et al. (2019)",
}

# Paper and settings, by class. Papers that only mention a learner are left out.
USED: dict[str, list[tuple[int, str]]] = {
    "Majority": [(3, "the baseline of kappa")],
    "NoChange": [(3, "the baseline of temporal kappa, called persistent")],
    "NaiveBayes": [
        (1, "as it is"),
        (2, "with and without drift detection, on SEA"),
        (3, "as it is; in DDM"),
        (4, "in OzaBagAdwin, DDM and EDDM"),
    ],
    "LinearSVM": [(1, "`learning_rate=0.01, l2=1e-4`, attributes not scaled")],
    "NearestNeighbors": [(1, "`k=1`, `window` 100, 1500 and 6000, attributes scaled")],
    "HoeffdingTree": [
        (1, "in OzaBagAdwin"),
        (2, '`leaf="mc"` and `leaf="nba"`'),
        (3, "as it is; in leveraging bagging"),
    ],
    "HoeffdingAdaptiveTree": [(3, "as it is")],
    "HoeffdingOptionTree": [(4, "as it is; not on Electricity, for lack of memory")],
    "OzaBag": [],
    "OzaBagAdwin": [
        (1, "`OzaBagAdwin(HoeffdingTree())`"),
        (4, "`OzaBagAdwin(NaiveBayes())`, and with `n_members=1`"),
    ],
    "LeveragingBag": [(3, "`LeveragingBag(HoeffdingTree())`")],
    "DynamicWeightedMajority": [
        (
            1,
            "`DynamicWeightedMajority(NaiveBayes(), rescale=False)`, and with `rescale=True`; "
            "neither this nor the period is stated, no period fits all",
        ),
    ],
    "DriftRetraining": [
        (2, "naive Bayes, relearned at each drift, on SEA"),
        (3, "`DriftRetraining(NaiveBayes(), DDM())`, and with `RandomAlarms(p)`"),
        (4, "`DriftRetraining(NaiveBayes(), DDM())` and with `EDDM()`"),
    ],
    "TemporallyAugmented": [(3, "`lags` 1 and more, around each of its learners")],
    "TemporalCorrection": [(3, "`alpha` .999 (Electricity), .9999 (Cover), .99999 (KDD99)")],
    "BayesOptimal": [(1, "the optimum beside every learner")],
    "ADWIN": [(1, "in OzaBagAdwin"), (3, "in HAT and leveraging bagging"), (4, "in OzaBagAdwin")],
    "DDM": [(3, "as it is"), (4, "as it is")],
    "EDDM": [(4, "as it is")],
    "PageHinkley": [(2, "`delta=0.1, threshold=100`, see Monitor")],
    "EDetector": [],
    "Monitor": [(2, "`PageHinkley(delta=0.1, threshold=100)` on error estimates and their ratio")],
    "RandomAlarms": [(3, "`p` from 0 to 1, `warmup=30`")],
}

NOT_THERE = "not there"

# Differences of MOA and of river, by class; "" means that none is known.
DIFFERENCES: dict[str, tuple[str, str]] = {
    "Majority": (
        "",
        "Of equally frequent classes it predicts the one seen first, ours the lowest.",
    ),
    "NoChange": ("", ""),
    "NaiveBayes": (
        "None in the default. `exact=True` has no votes only where every class has density 0, and "
        "knows the number of values of a nominal attribute from the start.",
        "`GaussianNB` has the population variance (divisor n), adds 1e-9 to every density, and "
        "takes nominal codes for numbers; no model has both kinds of attributes. `BernoulliNB` "
        "equals `exact=True` on binary attributes.",
    ),
    "LinearSVM": (
        "`SGD` knows two classes only: of more it predicts the first two. Its default learning "
        "rate is .0001 today.",
        "`LogisticRegression(optim.SGD(.01), optim.losses.Hinge(), l2=...)` shrinks by 1 - ηλ at "
        "every example, ours by 1 - ηλ / t; without `l2` they are equal.",
    ),
    "NearestNeighbors": (
        "Its defaults are k = 10 and a window of 1000.",
        "`KNNClassifier` does not scale, takes k neighbours where several tie for the k-th "
        "place, and answers with the label of one neighbour at distance 0. Its engine by default "
        "searches approximately; with `LazySearch` and without such ties it equals `scale=False`.",
    ),
    "HoeffdingTree": (
        "Only rounding: 5 of 465 945 predictions on eight streams differ.",
        "Naive Bayes leaves skip attributes of likelihood 0 instead of excluding the class, and "
        "have no Laplace correction for nominal attributes. Candidates, bound and defaults are "
        "the same, yet later splits differ.",
    ),
    "HoeffdingAdaptiveTree": (
        "It draws its weights from a fixed seed, whatever seed is given: every run is the same.",
        "Its ADWIN empties the window after an alarm.",
    ),
    "HoeffdingOptionTree": (
        "It has fewer options in one place, on one of eight streams: 43 predictions of 10 001.",
        NOT_THERE,
    ),
    "OzaBag": ("Other random numbers.", "A member learns an example k times, not with weight k."),
    "OzaBagAdwin": (
        "Other random numbers.",
        "`ADWINBaggingClassifier` watches whether members are right, not whether they are wrong: "
        "it replaces its best member when one gets better. Its ADWIN empties the window after an "
        "alarm.",
    ),
    "LeveragingBag": (
        "Other random numbers.",
        "A member learns an example k times, not with weight k; ADWIN empties the window after an "
        "alarm.",
    ),
    "DynamicWeightedMajority": ("", NOT_THERE),
    "DriftRetraining": (
        "",
        "Its DDM and EDDM begin one loss later; what a passing warning taught the second learner "
        "stays, so that it is not fresh at the next.",
    ),
    "TemporallyAugmented": ("", NOT_THERE),
    "TemporalCorrection": (NOT_THERE, NOT_THERE),
    "BayesOptimal": (NOT_THERE, NOT_THERE),
    "ADWIN": ("", "It empties its window after an alarm, so alarms that would follow are missing."),
    "DDM": ("", "It begins one loss later: `DDM(warm_start=32)` here gives its levels."),
    "EDDM": ("", "It has the sample deviation (divisor n - 1) and begins one loss later."),
    "PageHinkley": (
        "not compared",
        'It forgets, waits for 30 values and looks in both directions; with `alpha=1, mode="up", '
        "min_instances=1` it is ours.",
    ),
    "EDetector": (NOT_THERE, NOT_THERE),
    "Monitor": (NOT_THERE, NOT_THERE),
    "RandomAlarms": (NOT_THERE, "`DummyDriftDetector` alarms the likelier the longer it has not."),
}

# Input, behaviour, and the test in tests/learners/test_bad_input.py.
BAD_INPUT: list[tuple[str, str, str]] = [
    (
        "a nominal code out of range, or no whole number",
        "`Stream` and `learn_one` raise ValueError, with column, code and row; nothing is learned",
        "test_a_code_out_of_range_is_refused",
    ),
    (
        "infinities and nan",
        "ValueError in `Stream`, `learn_one`, `predict_one` and `update`; nothing is learned",
        "test_infinities_are_refused",
    ),
    (
        "numbers as large as 1e150",
        "learned; vote shares stay finite",
        "test_huge_numbers_leave_the_shares_finite",
    ),
    (
        "a label that is no class of the schema",
        "ValueError; nothing is learned",
        "test_a_label_beyond_the_classes_is_refused",
    ),
    (
        "a class without any label yet",
        "gets no votes. Where no class has votes, shares are equal and class 0 is predicted; only "
        "`TemporalCorrection` may then predict a class not seen yet, since its counts start at 1",
        "test_a_class_not_seen_yet_is_not_predicted",
    ),
    ("K = 1", "class 0 with share 1, always; trees stay a leaf", "test_one_class"),
    (
        "constant attributes",
        "are ignored: naive Bayes gives every class density 1 there, nearest neighbours leave them "
        "out of the distance, trees never split on them",
        "test_constant_attributes",
    ),
    (
        "weight 0",
        "changes nothing and draws no random number; a weight below 0, infinite or nan is a "
        "ValueError",
        "test_a_weight_of_zero_changes_nothing",
    ),
    (
        "no example yet",
        "class 0 with equal shares",
        "test_before_any_example",
    ),
    (
        "one example",
        "its class is predicted where it was seen; elsewhere naive Bayes, and trees whose leaves "
        "use it, have no votes",
        "test_one_example",
    ),
]


def entry(cls: type) -> str:
    """The section of one class."""
    moa, river = DIFFERENCES.get(cls.__name__, ("not compared", "not compared"))
    parts = [
        f"### {cls.__name__}",
        markdown(inspect.getdoc(cls) or ""),
        f"**Published:** {cls.paper}.",  # type: ignore[attr-defined]
        parameters(cls),
        used(cls.__name__),
        f"**MOA:** {_said(moa)}\n\n**river:** {_said(river)}",
    ]
    return "\n\n".join(parts)


def _said(difference: str) -> str:
    return difference.removesuffix(".") + "." if difference else "no difference known."


def parameters(cls: Any) -> str:
    """The settings, with their defaults."""
    fields = dataclasses.fields(cls)
    if not fields:
        return "**Parameters:** none."
    rows = [f"| `{f.name}` | {f.type} | {_default(f)} |" for f in fields]
    return "\n".join(["| parameter | type | default |", "| :-- | :-- | :-- |", *rows])


def _default(field: Any) -> str:
    return "required" if field.default is dataclasses.MISSING else f"`{field.default!r}`"


def used(name: str) -> str:
    """Which papers used it, and how."""
    if not USED.get(name):
        return "**In the papers:** not used by itself."
    rows = [f"| {number}, {PAPERS[number]} | {how} |" for number, how in USED[name]]
    return "\n".join(["| in paper | settings |", "| :-- | :-- |", *rows])


def markdown(text: str) -> str:
    """A docstring without its examples; formulas as Markdown has them."""
    blocks = [block for block in text.split("\n\n") if not block.lstrip().startswith(">>>")]
    return "\n\n".join(map(_block, blocks))


def _block(block: str) -> str:
    lead, found, formula = block.partition(".. math::")
    lead = re.sub(r":math:`([^`]+)`", r"$\1$", lead.replace("``", "`"))
    if not found:
        return lead
    return f"{lead}$$\n" + " ".join(formula.split()) + "\n$$"


def public(module: Any) -> list[type]:
    """Its final classes that describe something: those that name a paper."""
    things = [getattr(module, name) for name in module.__all__]
    classes = [t for t in things if inspect.isclass(t) and getattr(t, "paper", "")]
    return [cls for cls in classes if not inspect.isabstract(cls)]


def contents(classes: list[type]) -> str:
    """A line of links."""
    names = [cls.__name__ for cls in classes]
    return ", ".join(f"[{name}](#{name.lower()})" for name in names)


def render() -> str:
    """The page."""
    found, watching = public(learners), public(detectors)
    bad = [f"| {case} | {what} |" for case, what, _ in BAD_INPUT]
    parts = [
        "# Learners and detectors",
        "Written by `make docs` from the classes, whose docstrings are the definitions. How far "
        "predictions agree with those of MOA, which the five papers ran, is in "
        "[conformance](conformance.md); speed beside MOA and river in "
        "[benchmarks](../benchmarks/README.md); how to write a learner in "
        "[CONTRIBUTING](../CONTRIBUTING.md).",
        f"Learners: {contents(found)}.",
        f"Detectors: {contents(watching)}.",
        "## Learners",
        *map(entry, found),
        "## Detectors",
        *map(entry, watching),
        "## Bad input",
        "Decided, and tested for every learner in `tests/learners/test_bad_input.py`.",
        "\n".join(["| input | what happens |", "| :-- | :-- |", *bad]),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
    print(f"docs/{PAGE.name}: repro {repro.__version__}")
