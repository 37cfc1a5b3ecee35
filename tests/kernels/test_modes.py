"""Kernels are linked, or plain: the same results, and plain where numba's private parts differ."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from declared import PINNED, PROJECT
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import repro
from repro.kernels import mode

ROOT = Path(repro.__file__).parent
TREES = {path: ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}
PRIVATE = [ROOT / "kernels" / name for name in ("linking.py", "disk.py", "bound.py")]
PUBLIC = {"__version__", "config", "extending", "jit", "njit", "typeof", "types"}
needs_linker = pytest.mark.skipif(bool(mode._reason()), reason=mode._reason() or "linked")
NAMES = {name for names in mode.INTERNALS.values() for name in names.split()}

# What the files in PRIVATE use of others.
OTHERS = {
    "Python": "HIGHEST_PROTOCOL __closure__ __code__ __eq__ __hash__ __init__ __module__"
    " __qualname__ __slots__ co_code co_firstlineno digest digest_size"
    " disable dumps enable encode fromkeys getuid hexdigest isenabled loads mkdir"
    " read_bytes sha256 st_mode st_uid stat stderr strerror sub unlink version write_bytes",
    "numpy": "ctypes data uint8 zeros",
    "llvmlite": "as_bitcode as_pointer global_variables inttoptr llvm_version_info load name"
    " parse_bitcode store type",
    "numba, public": "Dispatcher Function Type TypeRef __version__ args instance_type int64 intp"
    " py_func return_type typeof void",
    "this package": "Unidentified _accepts _form _function _loaded _name _path check_unchanged"
    " implementation linked overload_of parts_of replacing turn wanted",
}


def run(code, *arguments, **environment):
    """The output of `code` and what it says on stderr, in a process of its own."""
    kept = {k: v for k, v in os.environ.items() if k not in {mode.VARIABLE, "REPRO_PROGRESS"}}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=kept | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout, done.stderr


# --- the list of private parts


def test_private_parts_of_numba_are_imported_by_two_modules_only():
    users = {
        path.name
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba.core")
    }
    assert users == {"linking.py", "disk.py"}


def test_elsewhere_numba_is_used_by_public_names():
    nodes = [node for tree in TREES.values() for node in ast.walk(tree)]
    names = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute)
        if isinstance(node.value, ast.Name) and node.value.id == "numba"
    }
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    names |= {alias.name for node in imports if node.module == "numba" for alias in node.names}
    assert names <= PUBLIC
    modules = {str(node.module) for node in imports if str(node.module).startswith("numba.")}
    assert {name for name in modules if ".core" not in name} == {"numba.extending"}


def imports():
    """Module and name of each import from ``numba.core``."""
    return {
        (node.module, alias.name)
        for path in PRIVATE
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba.core")
        for alias in node.names
    }


def attributes():
    """Names that the files in PRIVATE read or write in objects, or define in classes."""
    nodes = [node for path in PRIVATE for node in ast.walk(TREES[path])]
    found = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            found |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            assigned = [part for part in node.body if isinstance(part, ast.Assign)]
            found |= {target.id for part in assigned for target in part.targets}
    return found


def test_every_import_of_a_private_part_is_listed():
    passes = {(module, name) for module, name in imports() if name.endswith("_passes")}
    unlisted = {
        (module, name)
        for module, name in imports() - passes
        if name not in mode.INTERNALS.get(module, "").split()
    }
    assert unlisted == set()
    assert {f"{module}.{name}" for module, name in passes} <= set(mode.INTERNALS)


def test_every_attribute_of_a_private_part_is_listed():
    others = {name for names in OTHERS.values() for name in names.split()}
    assert attributes() - NAMES == others


def test_the_list_names_only_what_is_used():
    nodes = [node for path in PRIVATE for node in ast.walk(TREES[path])]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}  # fields of a result
    names = {name for _, name in imports()} | {n.arg for n in nodes if isinstance(n, ast.keyword)}
    assert NAMES - attributes() - texts - names == {"BaseContext"}  # of which there are objects


# --- the choice of the mode


TAKEN_AWAY = """
import importlib, json, os, sys
from types import FunctionType
import numba, pandas, scipy.signal, scipy.stats
import repro.kernels.sources  # all that is the same for each child

def take_away(place, name):
    module, _, inside = place.partition(":")
    owner = importlib.import_module(module)
    if not inside:
        return delattr(owner, name)
    for base in getattr(owner, inside).__mro__[:-1]:
        for function in vars(base).values():
            if isinstance(function, FunctionType):
                code = function.__code__
                names, local = (
                    tuple(known + "_" if known == name else known for known in part)
                    for part in (code.co_names, code.co_varnames)
                )
                function.__code__ = code.replace(co_names=names, co_varnames=local)
        if name in vars(base):
            delattr(base, name)

def said_without(place, name):
    out, into = os.pipe()
    if not os.fork():
        os.dup2(into, 2)
        take_away(place, name)
        from repro.kernels import mode
        if ":" not in place:
            from repro import Stream
        os._exit(mode.LINKED)
    os.close(into)
    with open(out) as file:
        said = file.read()
    return said, os.waitstatus_to_exitcode(os.wait()[1])

internals = json.loads(sys.argv[1]).items()
parts = [(place, name) for place, names in internals for name in names.split()]
print(json.dumps([(*part, *said_without(*part)) for part in parts]))
"""


@needs_linker
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of this one")
def test_without_any_one_private_part_the_library_is_plain_and_says_so():
    found = json.loads(run(TAKEN_AWAY, json.dumps(mode.INTERNALS))[0])
    assert len(found) > 60
    said = {f"{place.replace(':', '.')}.{name}": (text, code) for place, name, text, code in found}
    other = {
        name: answer
        for name, answer in said.items()
        if answer[0].count("\n") != 1 or f" has no {name};" not in answer[0] or answer[1] != 0
    }
    assert other == {}


CHOSEN = """
import os, subprocess, sys
{before}
import repro.kernels.bound
from repro.kernels.mode import LINKED
print(LINKED, os.environ.get("REPRO_PLAIN_NUMBA"), flush=True)
code = "from repro.kernels import mode; print(mode.LINKED)"
subprocess.run([sys.executable, "-c", code], check=True)
"""


@pytest.mark.parametrize("version", ["0.60.9", "0.69.0", "0.69.0rc1", "1.0.0"])
def test_an_unknown_version_is_plain_and_says_so_once_for_all_processes(version):
    code = CHOSEN.format(before=f"import numba; numba.__version__ = {version!r}")
    out, said = run(code)
    assert out.split() == ["False", "1", "False"]
    assert said == (
        f"repro: numba {version} is not a tested version (>=0.61,<0.69); "
        "kernels take four times as long to compile\n"
    )
    assert run(code, REPRO_PROGRESS="0") == (out, "")


@pytest.mark.parametrize("value", ["1", "yes"])
def test_the_variable_asks_for_plain_kernels(value):
    out, said = run(CHOSEN.format(before=""), REPRO_PLAIN_NUMBA=value)
    assert (out.split(), said) == (["False", value, "False"], "")


@needs_linker
@pytest.mark.parametrize("value", ["", "0"])
def test_without_the_variable_kernels_are_linked_if_they_can_be(value):
    out, said = run(CHOSEN.format(before=""), REPRO_PLAIN_NUMBA=value)
    assert (out.split(), said) == (["True", *([value] if value else []), "True"], "")


def test_the_bounds_of_the_tested_versions_are_those_of_the_package():
    (numba,) = (r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "numba")
    first, end = (".".join(map(str, version)) for version in mode.TESTED)
    assert numba.specifier == SpecifierSet(f">={first},<{end}")
    major, minor = map(int, PINNED["numba"].split(".")[:2])
    assert (major, minor + 1) == mode.TESTED[1]


LINE = "repro: compiling kernels (seconds, once per machine) ...\n"


@needs_linker
def test_linked_kernels_say_once_that_they_are_compiled_and_plain_ones_do_not(tmp_path):
    code = "from repro.kernels import random as r; r.poisson(r.start(1), r.poisson_table(1.0))"
    said = [run(code, REPRO_CACHE=str(tmp_path), REPRO_PLAIN_NUMBA=v)[1] for v in ("1", "0", "0")]
    assert said == ["", LINE, ""]
    assert run(code, REPRO_CACHE=str(tmp_path / "other"), REPRO_PROGRESS="0")[1] == ""


ONLINE = """
from repro.kernels import bound
from repro.learners import NaiveBayes
from repro.streams.stream import Schema
online = NaiveBayes().online(Schema((0,), 2))
online.learn_one([0.0], 1)
print(online.predict_one([0.0]), len(bound._store.signatures))
"""


@needs_linker
def test_plain_kernels_are_called_with_arrays_not_addresses():
    assert run(ONLINE, REPRO_PLAIN_NUMBA="1")[0].split() == ["1", "0"]
    assert run(ONLINE)[0].split() == ["1", "1"]


# --- the same results


RESULTS = """
{before}
import hashlib, sys
import numpy as np
from repro import prequential
from repro.detectors import *
from repro.learners import *
from repro.kernels import mode
from repro.streams import SEA, sudden
stream = sudden(SEA(threshold=4.0), SEA(threshold=15.0), at=700, n=1500).sample(seed=1)
for learner in [{learners}]:
    run = prequential(learner, stream)
    found = [run.y_pred, run.loss, run.alarms, ADWIN().alarms(run.loss), DDM().levels(run.loss)]
    print(hashlib.sha256(b"".join(np.asarray(part).tobytes() for part in found)).hexdigest())
print(mode.LINKED)
"""
LEARNERS = """
    NaiveBayes(), OzaBag(HoeffdingTree(grace_period=50)), DriftRetraining(NaiveBayes(), ADWIN()),
"""


def results(learners, before="", **environment):
    """A hash of predictions and alarms for each learner, and whether kernels were linked."""
    code = RESULTS.format(learners=learners, before=before)
    *hashes, linked = run(code, **environment)[0].split()
    return hashes, linked == "True"


@needs_linker
@pytest.mark.slow
def test_both_modes_give_the_same_predictions_and_alarms():
    plain, linked = results(LEARNERS, REPRO_PLAIN_NUMBA="1"), results(LEARNERS)
    assert plain == (linked[0], False)
    assert linked[1]
    assert len(set(linked[0])) == 3


@needs_linker
@pytest.mark.parametrize(
    "before",
    [
        "from numba.core.compiler import CompileResult; del CompileResult._rebuild",
        "from numba.core.compiler import CompileResult; "
        "del CompileResult._find_referenced_environments",
        "from numba.core.cpu import CPUTargetOptions\n"
        "(owner,) = (c for c in CPUTargetOptions.__mro__ if '_nrt' in vars(c))\n"
        "del owner._nrt",
    ],
)
def test_without_a_private_part_a_learner_gives_the_same_predictions(before):
    """Without the option `_nrt`, kernels count references: slower, and the same."""
    environment = {"REPRO_PLAIN_NUMBA": "1"} if "_nrt" in before else {}
    found = results("NaiveBayes()", before, **environment)
    assert found == (results("NaiveBayes()")[0], False)
