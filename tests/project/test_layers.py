"""The structure of the library: layers, sizes, and rules that every module and class keeps."""

from __future__ import annotations

import ast
import dataclasses
import graphlib
import importlib
import inspect
import re
import statistics
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from numba.extending import is_jitted

import repro
from repro.evaluation.prequential import Run
from repro.kernels import mode
from repro.kernels.compiling import folders_with_kernels
from repro.learners import BayesOptimal, Learner
from repro.streams import Component, DriftingMixture, MixtureClass, Stream, Transform

pytestmark = pytest.mark.contract

# Lowest first; a module or package imports only from the lines above its own.
LAYERS = [
    "_checks _files _folders _progress _rounding _sockets",
    "_locks _mathml _named _reading _spreadsheets seeds",
    "kernels",
    "_seeding",
    "data_sets",
    "permutations",
    "streams",
    "metrics",
    "detectors",
    "learners networks",
    "registry",
    "statistics",
    "scenarios",
    "interop",
    "studies",
    "evaluation",
    "provenance results",
    "tables figures published",
    "papers",
    "course explore judge",
    "league",
    "runner",
    "__main__",
]
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts.split()}
ROOT = Path(repro.__file__).parent
SOURCES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
    if path != ROOT / "__init__.py"  # its names are in __init__.pyi
}
TREES = {name: ast.parse(path.read_text()) for name, path in SOURCES.items()}
#: All nodes of each module by their type, from one walk.
NODES: dict[str, dict[type[ast.AST], list[Any]]] = {}
for _name, _tree in TREES.items():
    NODES[_name] = defaultdict(list)
    for _node in ast.walk(_tree):
        NODES[_name][type(_node)].append(_node)
PACKAGES = sorted(name for name, path in SOURCES.items() if path.name == "__init__.py")
# Without the private parts of numba that they use, these two cannot be imported.
NOT_IMPORTED = {"__main__"} | (set() if mode.LINKED else {"kernels.disk", "kernels.linking"})
MODULES = [importlib.import_module(f"repro.{name}") for name in SOURCES if name not in NOT_IMPORTED]
CLASSES = [
    thing
    for module in MODULES
    for thing in vars(module).values()
    if inspect.isclass(thing) and thing.__module__ == module.__name__
]


def imported(name: str) -> set[tuple[str, str]]:
    """(module of `repro`, name imported from it or "") for all that the module `name` imports."""
    found = {(a.name, "") for node in NODES[name][ast.Import] for a in node.names if own(a.name)}
    for node in NODES[name][ast.ImportFrom]:
        for alias in node.names if own(node.module or "") else ():
            inner = f"{node.module}.{alias.name}"
            is_module = inner.removeprefix("repro.") in SOURCES
            found.add((inner, "") if is_module else (node.module, alias.name))
    return {(module.removeprefix("repro").removeprefix("."), what) for module, what in found}


def own(module: str) -> bool:
    return module.split(".")[0] == "repro"


def outside(name: str) -> set[str]:
    """Other packages that the module `name` imports."""
    found = {alias.name for node in NODES[name][ast.Import] for alias in node.names}
    return {module.split(".")[0] for module in found | modules_named(name)}


def modules_named(name: str) -> set[str]:
    """Modules in the statements ``from ... import`` of the module `name`."""
    return {node.module or "" for node in NODES[name][ast.ImportFrom]}


def part(name: str) -> str:
    return name.split(".")[0]


# --- sizes

MOST_LINES = 250
#: Modules that are longer, each with its reason.
LONG = {
    "learners._statistics": "what one leaf knows: learned, asked for densities, and grown",
    "learners._tree": "a growing tree, which is read as one",
    "learners.bagging": "three bags of one state, with its kernels",
    "learners.hoeffding_adaptive_tree": "one learner, whose alternates are read with it",
    "learners.hoeffding_option_tree": "one learner, whose options are read with it",
    **dict.fromkeys(
        [
            f"papers.{paper}.claims"
            for paper in (
                *("drift_detection", "estimators", "permutations", "temporal_dependence"),
                "testbed",
            )
        ],
        "one function after the other, in the order of the paper",
    ),
    "streams.composition": "one class, with the checks of its many arguments",
    "streams.label_chain": "one model, with its exact expectations",
}


def test_modules_are_short_unless_there_is_a_reason():
    lines = {name: len(path.read_text().splitlines()) for name, path in SOURCES.items()}
    assert {name: n for name, n in lines.items() if n > MOST_LINES and name not in LONG} == {}


def test_the_list_of_long_modules_names_long_modules_only():
    """Remove a module from the list when it is divided or shortened."""
    lines = {name: len(SOURCES[name].read_text().splitlines()) for name in LONG if name in SOURCES}
    assert [name for name in LONG if lines.get(name, 0) <= MOST_LINES] == []


def body_lines(function: ast.FunctionDef) -> int:
    """Lines of a function's body, without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_functions_are_short():
    """The median body has at most 8 lines; at most 2 in 100 pass 25 lines, and none 50."""
    lines = [body_lines(node) for nodes in NODES.values() for node in nodes[ast.FunctionDef]]
    assert statistics.median(lines) <= 8
    assert sum(n > 25 for n in lines) <= 0.02 * len(lines)
    assert max(lines) <= 50


# --- imports


def test_the_layers_name_every_part_of_the_library_and_nothing_else():
    assert {part(name) for name in SOURCES} == set(LEVEL)


def test_imports_point_down():
    upward = [
        (name, other)
        for name in SOURCES
        for other in {part(module) for module, _ in imported(name) if module} - {part(name)}
        if LEVEL[other] >= LEVEL[part(name)]
    ]
    assert upward == []


def test_modules_import_only_the_version_from_repro_itself():
    """The names of `repro` are for users; the library imports a name from its own module."""
    taken = {(name, what) for name in SOURCES for module, what in imported(name) if not module}
    assert {what for _, what in taken} <= {"__version__"}, taken


def test_imports_are_absolute():
    """`imported` does not see relative imports."""
    assert [name for name in SOURCES for n in NODES[name][ast.ImportFrom] if n.level] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_of_a_package_have_no_circular_imports(package):
    """And no module imports from the `__init__` of its own package."""
    graph = {
        name: {module for module, _ in imported(name) if part(module) == package}
        for name in SOURCES
        if part(name) == package and name != package
    }
    tuple(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError
    assert all(package not in needs for needs in graph.values())


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_private_modules_and_names_are_used_by_their_own_wing_only():
    """Files above the wings, such as `_files`, are for all; ``module._name`` counts as a use."""
    assert [pair for name in SOURCES for pair in private_uses(name)] == []


def private_uses(name: str) -> set[tuple[str, str]]:
    """(`name`, private module or name of another wing) for each that the module `name` uses."""
    uses = {f"{module}.{what}".strip(".") for module, what in imported(name)}
    homes = {
        alias.asname or alias.name: f"{node.module}.{alias.name}".removeprefix("repro.")
        for node in NODES[name][ast.ImportFrom]
        for alias in node.names
        if own(node.module or "")
    }
    uses |= {
        f"{homes[node.value.id]}.{node.attr}"
        for node in NODES[name][ast.Attribute]
        if isinstance(node.value, ast.Name) and node.value.id in homes
    }
    others = {used for used in uses if part(used) != part(name)}
    return {(name, used) for used in others if any(map(is_private, used.split(".")[1:]))}


def test_only_public_names_are_imported_from_another_module():
    """Public names are those in `__all__`."""
    private = [
        (name, f"{module}.{what}")
        for name in SOURCES
        for module, what in imported(name)
        if module not in {"", *NOT_IMPORTED}
        if what and what not in importlib.import_module(f"repro.{module}").__all__
    ]
    assert private == []


RIVER = ["_river_classifier", "_river_dataset", "_river_detector", "adapting"]


@pytest.mark.parametrize(
    ("package", "homes"),
    [
        ("matplotlib", "figures explore judge course.slides"),
        ("polars", "streams._stream_views"),
        ("seaborn", "figures"),
        ("papermill", "runner.execute"),
        ("distributed", "studies.cluster"),
        ("cloudpickle", "studies.job studies.messages"),
        ("joblib", "evaluation studies runner.figures"),
        ("IPython", ""),
        ("jax", "networks._jax"),
        ("optax", "networks._jax"),
        ("random", "seeds"),
        ("river", " ".join(f"interop.{name}" for name in RIVER)),
        ("sklearn", "data_sets interop._refitted interop._sklearn_classifier"),
    ],
)
def test_a_package_is_imported_only_by_the_modules_listed(package, homes):
    users = {name for name in SOURCES if package in outside(name)}
    assert {n for n in users if not {n, part(n)} & set(homes.split())} == set()


def test_kernels_use_only_code_that_is_hashed_into_the_name_of_their_cache():
    """The hash covers the folders that contain kernels."""
    folders = folders_with_kernels()
    assert folders == {
        *("kernels", "metrics", "detectors", "learners", "permutations", "statistics"),
    }
    outside_of_them = {
        (module.__name__, function, what)
        for module in MODULES
        for function, kernel in vars(module).items()
        if is_jitted(kernel) and kernel.py_func.__module__ == module.__name__
        for other, what in imported(module.__name__.removeprefix("repro."))
        if what in kernel.py_func.__code__.co_names and part(other) not in folders
    }
    assert outside_of_them == set()


def test_only_seeds_makes_generators():
    """Elsewhere `np.random` is a type in signatures."""
    used = {
        (name, node.attr)
        for name in SOURCES
        for node in NODES[name][ast.Attribute]
        if isinstance(node.value, ast.Attribute) and node.value.attr == "random"
    }
    allowed = {("seeds", "SeedSequence"), ("seeds", "default_rng")}
    allowed |= {("seeds", name) for name in ("get_state", "seed", "set_state")}  # of user code
    assert {(name, what) for name, what in used if what != "Generator"} == allowed
    assert [name for name in SOURCES if "numpy.random" in modules_named(name)] == []


def test_the_library_has_no_assert():
    assert [(name, n.lineno) for name in SOURCES for n in NODES[name][ast.Assert]] == []


def test_every_dataclass_is_frozen():
    described = [c for c in CLASSES if dataclasses.is_dataclass(c)]
    assert [c.__name__ for c in described if not c.__dataclass_params__.frozen] == []


def test_only_settle_sets_fields_of_frozen_dataclasses():
    nodes = [(name, node) for name in SOURCES for node in ast.walk(TREES[name])]
    setters = {
        n for n, node in nodes if isinstance(node, ast.Attribute) and "__setattr__" in node.attr
    }
    assert setters == {"_checks.fields"}


def test_descriptions_are_dataclasses():
    named = {Transform, Component, MixtureClass, DriftingMixture, Stream, Run, BayesOptimal}
    learners = {c for c in CLASSES if issubclass(c, Learner)}
    assert len(learners) > 5
    assert [c.__name__ for c in named | learners if not dataclasses.is_dataclass(c)] == []


def test_no_class_of_ours_has_a_concrete_parent_of_ours():
    def is_abstract(c: type) -> bool:
        return inspect.isabstract(c) or getattr(c, "_is_protocol", False)

    children = [(c, base) for c in CLASSES for base in c.__mro__[1:] if base in CLASSES]
    assert [pair for pair in children if not is_abstract(pair[1])] == []


def test_no_implemented_method_is_overridden():
    found = [
        f"{c.__name__}.{name}"
        for c in CLASSES
        for base in c.__mro__[1:]
        if base in CLASSES
        for name, method in vars(base).items()
        if name in vars(c) and inspect.isfunction(method) and not name.startswith("__")
        if not getattr(method, "__isabstractmethod__", False)
    ]
    assert found == []


def test_all_lists_names_that_exist():
    listed = [(module, name) for module in MODULES for name in module.__all__]
    assert [(m.__name__, name) for m, name in listed if not hasattr(m, name)] == []
    assert len(set(listed)) == len(listed)


def test_every_public_name_has_a_docstring():
    """Written by hand: the signature that Python gives to a dataclass does not count."""
    assert [module.__name__ for module in MODULES if not module.__doc__] == []
    things = [(name, getattr(module, name)) for module in MODULES for name in module.__all__]
    written = {name: inspect.getdoc(thing) or "" for name, thing in things if callable(thing)}
    assert [n for n, text in written.items() if not text or text.startswith(f"{n}(")] == []


def test_no_default_hides_the_signature():
    """The help of a function starts with its defaults, each as its repr."""
    functions = {
        f"{module.__name__}.{name}": function
        for module in MODULES
        for name in module.__all__
        if inspect.isfunction(function := getattr(module, name))
    }
    lengths = {name: len(str(inspect.signature(one))) for name, one in functions.items()}
    assert {name: length for name, length in lengths.items() if length > 1500} == {}


# Packages whose `__init__` exports nothing: users import their modules.
WITHOUT_EXPORTS = {"kernels", "papers", "runner", "studies"}
PARTS = "detector", "learner", "predictions", "report", "stream"
WITHOUT_EXPORTS |= {f"judge._{part}" for part in PARTS}
# Names that only other modules of the library and compiled code use.
NOT_EXPORTED = {
    "course": {"MARK", "make_anew"},
    "data_sets": {
        *("LARGEST", "DataFile", "DataSet", "Download", "catalogue", "data_set", "from_table"),
        *("content", "digits", "find", "is_original"),
    },
    "detectors": {
        *("Fit", "Runs", "alarms_on", "alarms_of_groups", "fit_on", "fit_task"),
        "adwin_mean",
        "adwin_rose",
        "adwin_width",
        "LONGEST",
        "MOST_RUNS",
        "check_detector",
        "check_estimate",
        "estimate",
        "implements",
        "readings",
        "simulated",
        "update",
    },
    "learners": {
        "Growth",
        "NoExample",
        "TemporalOnline",
        *("as_shares", "predicted", "total_weight"),
        "alarmed",
        "check_example",
        "check_temporal_base",
        "counts",
        "growth_of",
        "grown",
        "implements",
        "inherit",
        "inherit_array",
        "inherit_parts",
        "is_example",
        "learn",
        "learn_block",
        "learn_predicted",
        "learn_weighted_block",
        "newest_known",
        "predict_block",
        "restart",
        "shares_block",
        "test_then_train",
        "test_then_train_delayed",
        "votes",
    },
    "evaluation": {"FIELDS", "Settings", "run_of", "run_task", "run_through"},
    "explore": {"boundary", "concept_at"},
    "figures": {
        *("CYCLE", "LINES", "MARKERS", "PALETTE", "RING", "SIZE", "SMALL", "TINY", "WIDTH"),
        "Look",
        "pick_colors",
        "pick_looks",
    },
    "interop": {"Steps", "check_learners"},
    "judge": {"add", "BrokenModule", "Target", "UnknownTarget", "find", "together"},
    "league": {
        *("ACCEPTED", "FLAGGED", "REFUSED", "Findings", "check_predictions", "CARD", "FIELDS"),
        *("check_read", "errors_of", "PREDICTIONS", "rerun", "ROUND", "SEEDS", "digest_of"),
        *("draw", "add"),
        *("ENTRY_COLUMNS", "Refused"),
        *("COLUMNS", "DIGITS", "Draw", "NAMED", "prediction_files", "read_card"),
        *(
            "read_predictions",
            "check_withheld",
            "checked_card",
            "write_card",
            "standings_of",
            "rows_of",
        ),
        *("add_model", "card_of", "model_of", "tried"),
    },
    "metrics": {"WindowSum", "as_epsilon", "as_runs"},
    "networks": {
        *("LABELS", "classifier", "start_classifiers", "train_classifier", "two_scores"),
        *("check_stop", "check_training", "check_widths"),
    },
    "scenarios": {"as_base_sets", "states_of", "wanted_labels"},
    "streams": {
        *("WithDensity", "WithRandomModel", "drawn"),
        "Pose",
        "as_waits",
        "check_description",
        "check_schema",
        "check_stream",
        "schedule",
    },
    "permutations": {
        *("STRENGTHS", "as_order", "as_strength"),
        *("check_length", "check_strength", "check_swaps"),
    },
    "statistics": {
        *(
            "FEWEST",
            "Floats",
            "LEAST_BLOCKS",
            "LEAST_PAIRS",
            "LEVEL",
            "Means",
            "ORDERS",
            "Spread",
            "TIMES",
        ),
        "MOST_LABELS",
        *("BLOCK_LEARNERS", "Ranks", "best_losses", "block_rows", "cross_losses", "extra_error"),
        "find_changes",
        "spread",
        "spread_of_means",
    },
    "published": {
        "AFTER_HOLM",
        "AGREES",
        "CELLS",
        "CLAIMS",
        "Counts",
        "DIFFERS",
        "DOES_NOT_HOLD",
        "DetectionDelays",
        "HOLDS",
        "KINDS",
        "LEVEL",
        "LIMITED",
        "MORE_RUNS",
        "MeanErrors",
        "NOT_REFUTED",
        "NOT_RUN",
        "ORIGINS",
        "ScenarioAccuracies",
        "TOO_COARSE",
        "TOO_FEW",
        "TextNumbers",
        "UNDECIDED",
        "as_margins",
        "beside",
        "columns_of_cells",
        "columns_of_claims",
        "compared",
        "committed_verdicts",
        "contradicts",
        "counts_by_kind",
        "equivalent",
        "excess",
        "file_names",
        "known_margins",
        "limits",
        "margin_text",
        "fitted",
        "paper_file",
        "papers_with",
        "read_rows",
        "read_file",
        "summary_of_cells",
        "summary_of_claims",
        "too_coarse",
        "verdict_on_all",
        "without_contradictions",
        "summary",
        "verdicts",
    },
}


@pytest.mark.parametrize("package", [p for p in PACKAGES if p not in WITHOUT_EXPORTS])
def test_a_package_exports_the_public_names_of_its_modules(package):
    made = {
        name
        for module in MODULES
        if module.__name__.startswith(f"repro.{package}.")
        and not module.__name__.startswith(f"repro.{package}._")
        and not re.fullmatch(r"repro\.papers\.\w+\.claims", module.__name__)  # used as modules
        for name in module.__all__
    }
    exported = set(importlib.import_module(f"repro.{package}").__all__)
    assert made - exported == NOT_EXPORTED.get(package, set())
    assert exported <= made


def test_every_name_of_the_package_loads_and_others_do_not():
    assert set(dir(repro)) == set(repro.__all__)
    assert all(getattr(repro, name) is not None for name in repro.__all__)
    with pytest.raises(AttributeError, match="No repro attribute sweeep"):
        repro.sweeep  # noqa: B018
