"""The shape of the library: what may import what, and what every module and class promises."""

from __future__ import annotations

import ast
import dataclasses
import graphlib
import importlib
import inspect
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

import repro
from repro import data_sets
from repro.evaluation.prequential import Run
from repro.kernels.compiling import folders_with_kernels
from repro.learners import BayesOptimal, Learner
from repro.streams import Component, DriftingMixture, MixtureClass, Stream, Transform

# Lowest first; a module or package imports only from the lines above its own.
LAYERS = [
    "_checks _files _folders _progress",
    "seeds",
    "kernels",
    "data_sets",
    "streams",
    "metrics",
    "detectors",
    "learners",
    "interop",
    "evaluation",
    "provenance results",
    "tables figures published",
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
PACKAGES = sorted(name for name, path in SOURCES.items() if path.name == "__init__.py")
MODULES = [importlib.import_module(f"repro.{name}") for name in SOURCES if name != "__main__"]
CLASSES = [
    thing
    for module in MODULES
    for thing in vars(module).values()
    if inspect.isclass(thing) and thing.__module__ == module.__name__
]


def imported(name: str) -> set[tuple[str, str]]:
    """(module of `repro`, name imported from it or "") for all that the module `name` imports."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            found |= {(a.name, "") for a in node.names if a.name.split(".")[0] == "repro"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "repro":
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                is_module = inner.removeprefix("repro.") in SOURCES
                found.add((inner, "") if is_module else (node.module, alias.name))
    return {(module.removeprefix("repro").removeprefix("."), what) for module, what in found}


def outside(name: str) -> set[str]:
    """Other packages that the module `name` imports."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def part(name: str) -> str:
    return name.split(".")[0]


def test_every_module_has_a_layer_and_every_layer_its_modules():
    assert {part(name) for name in SOURCES} == set(LEVEL)


def test_imports_point_down():
    upward = [
        (name, other)
        for name in SOURCES
        for other in {part(module) for module, _ in imported(name) if module} - {part(name)}
        if LEVEL[other] >= LEVEL[part(name)]
    ]
    assert upward == []


def test_nothing_is_taken_from_the_top_but_the_version():
    """The names of `repro` itself are for users: inside, each comes from where it is defined."""
    taken = {(name, what) for name in SOURCES for module, what in imported(name) if not module}
    assert {what for _, what in taken} <= {"__version__"}, taken


def test_imports_are_absolute():
    """Relative imports would hide from this file."""
    nodes = [(name, n) for name in SOURCES for n in ast.walk(TREES[name])]
    assert [name for name, n in nodes if isinstance(n, ast.ImportFrom) and n.level] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_of_a_package_need_each_other_in_one_direction_only(package):
    """And none of them its own front door."""
    graph = {
        name: {module for module, _ in imported(name) if part(module) == package}
        for name in SOURCES
        if part(name) == package and name != package
    }
    tuple(graphlib.TopologicalSorter(graph).static_order())  # raises CycleError
    assert all(package not in needs for needs in graph.values())


def test_another_modules_inside_stays_there():
    """What is imported is in the other module's `__all__`."""
    private = [
        (name, f"{module}.{what}")
        for name in SOURCES
        for module, what in imported(name)
        if module and what and what not in importlib.import_module(f"repro.{module}").__all__
    ]
    assert private == []


@pytest.mark.parametrize(
    ("package", "homes"),
    [
        ("matplotlib", "figures"),
        ("seaborn", "figures"),
        ("papermill", "runner.execute"),
        ("distributed", "evaluation._workers"),
        ("cloudpickle", "evaluation._workers"),
        ("joblib", "kernels.identity evaluation._keys evaluation._tasks evaluation._workers"),
        ("IPython", ""),
        ("random", ""),
        ("river", "interop._river_classifier"),
        ("sklearn", "data_sets"),
    ],
)
def test_a_package_is_imported_in_its_place_only(package, homes):
    users = {name for name in SOURCES if package in outside(name)}
    assert {n for n in users if not {n, part(n)} & set(homes.split())} == set()


def test_what_a_kernel_uses_is_in_the_name_of_its_cache():
    """It is named after the folders that hold kernels, and after no others."""
    folders = folders_with_kernels()
    assert folders == {"kernels", "metrics", "detectors", "learners"}
    outside_of_them = {
        (module.__name__, function, what)
        for module in MODULES
        for function, kernel in vars(module).items()
        if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == module.__name__
        for other, what in imported(module.__name__.removeprefix("repro."))
        if what in kernel.py_func.__code__.co_names and part(other) not in folders
    }
    assert outside_of_them == set()


def test_generators_are_made_in_seeds_only():
    """Elsewhere `np.random` is a type in signatures."""
    used = {
        (name, node.attr)
        for name in SOURCES
        for node in ast.walk(TREES[name])
        if isinstance(node, ast.Attribute) and ast.unparse(node.value).endswith(".random")
    }
    allowed = {("seeds", "SeedSequence"), ("seeds", "default_rng")}
    assert {(name, what) for name, what in used if what != "Generator"} == allowed
    froms = [(name, n) for name in SOURCES for n in ast.walk(TREES[name])]
    froms = [(name, n) for name, n in froms if isinstance(n, ast.ImportFrom)]
    assert [name for name, n in froms if n.module == "numpy.random"] == []


def test_assert_is_for_tests():
    nodes = [(name, n) for name in SOURCES for n in ast.walk(TREES[name])]
    assert [(name, n.lineno) for name, n in nodes if isinstance(n, ast.Assert)] == []


def test_every_dataclass_is_frozen():
    described = [c for c in CLASSES if dataclasses.is_dataclass(c)]
    assert [c.__name__ for c in described if not c.__dataclass_params__.frozen] == []


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
    """One written by hand: dataclasses and named tuples come with their signature."""
    assert [module.__name__ for module in MODULES if not module.__doc__] == []
    things = [(name, getattr(module, name)) for module in MODULES for name in module.__all__]
    written = {name: inspect.getdoc(thing) or "" for name, thing in things if callable(thing)}
    assert [n for n, text in written.items() if not text or text.startswith(f"{n}(")] == []


# Their modules are imported one by one: they have no front door.
WITHOUT_DOOR = {"kernels", "runner"}
# Public within their package, for its other modules and for compiled code.
NOT_EXPORTED = {
    "detectors": {
        "adwin_mean",
        "adwin_width",
        "check_detector",
        "check_estimate",
        "implements",
        "readings",
        "update",
    },
    "learners": {
        "TemporalOnline",
        "alarmed",
        "as_shares",
        "check_example",
        "check_temporal_base",
        "count_errors",
        "counts",
        "implements",
        "learn",
        "learn_block",
        "newest_known",
        "predicted",
        "restart",
        "test_then_train",
        "votes",
    },
    "evaluation": {"run_of"},
    "interop": {"Steps"},
    "streams": {
        "Pose",
        "as_waits",
        "check_description",
        "check_schema",
        "check_stream",
        "schedule",
    },
    "published": {
        "AGREES",
        "CELLS",
        "CLAIMS",
        "DIFFERS",
        "DOES_NOT_HOLD",
        "DetectionDelays",
        "HOLDS",
        "LEVEL",
        "MeanErrors",
        "Means",
        "NOT_RUN",
        "NO_REASONS",
        "Spread",
        "TextNumbers",
        "UNDECIDED",
        "explained",
        "file_names",
        "quantile",
        "read_file",
        "spread",
        "spread_of_means",
        "verdicts",
    },
}
PASSED_ON = {"streams": data_sets.__all__}  # what `load` raises, and where it looks


@pytest.mark.parametrize("package", [p for p in PACKAGES if p not in WITHOUT_DOOR])
def test_a_package_exports_what_its_modules_make_public(package):
    made = {
        name
        for module in MODULES
        if module.__name__.startswith(f"repro.{package}.")
        and not module.__name__.startswith(f"repro.{package}._")
        for name in module.__all__
    }
    exported = set(importlib.import_module(f"repro.{package}").__all__)
    assert made - exported == NOT_EXPORTED.get(package, set())
    assert exported <= made | set(PASSED_ON.get(package, ()))


def test_every_name_of_the_package_loads_and_others_do_not():
    assert set(dir(repro)) == set(repro.__all__)
    assert all(getattr(repro, name) is not None for name in repro.__all__)
    with pytest.raises(AttributeError, match="No repro attribute sweeep"):
        repro.sweeep  # noqa: B018
