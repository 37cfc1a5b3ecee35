"""Kernels that kernels call are translated once, in one process at a time."""

import gc
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from repro.kernels import mode

if not mode.LINKED:
    pytest.skip("kernels are not linked in this mode", allow_module_level=True)

from numba.core.compiler import Flags
from numba.core.typed_passes import NopythonTypeInference

from repro.kernels.linking import Kernel, _Flags

OPTIONS = {"nopython": True, "error_model": "numpy", "_nrt": False}


def _half(x):
    if x < 0:
        raise ValueError("negative")
    return x / 2


half = Kernel(_half, targetoptions={**OPTIONS, "forceinline": True})


def _quarter(x):
    return half(half(x))


quarter = Kernel(_quarter, targetoptions=OPTIONS)


def _eighth(x):
    return half(quarter(x))


eighth = Kernel(_eighth, targetoptions=OPTIONS)


def test_a_kernel_called_by_kernels_gets_no_machine_code():
    assert eighth(8.0) == 1.0
    assert not half.overloads
    assert not quarter.overloads
    assert len(half.linked.overloads) == len(quarter.linked.overloads) == 1
    assert (quarter(8.0), half(8.0)) == (2.0, 4.0)
    assert len(half.overloads) == len(quarter.overloads) == 1


def test_each_type_of_argument_is_translated_once():
    before = len(half.linked.overloads)
    assert (eighth(np.float32(8)), eighth(np.float32(16))) == (1.0, 2.0)
    # A float32 is halved to a float64, which was translated already or is so now.
    assert len(half.linked.overloads) <= before + 2
    known = [cres.library for cres in half.linked.overloads.values()]
    eighth(8.0)
    assert [cres.library for cres in half.linked.overloads.values()] == known


def test_an_error_inside_reaches_the_caller():
    with pytest.raises(ValueError, match="negative"):
        eighth(-1.0)


@pytest.mark.parametrize("switch", [gc.enable, gc.disable])
def test_garbage_collection_pauses_while_a_kernel_is_compiled(switch, monkeypatch):
    during = []

    def find_types(*arguments):
        during.append(gc.isenabled())
        raise RuntimeError("no types")

    monkeypatch.setattr(NopythonTypeInference, "run_pass", find_types)
    switch()
    before = gc.isenabled()
    try:
        with pytest.raises(RuntimeError, match="no types"):
            Kernel(_half, targetoptions=OPTIONS)(1.0)
        assert gc.isenabled() == before
    finally:
        gc.enable()
    assert during == [False]


def test_options_of_the_translator_are_equal_by_what_is_set():
    plain = Flags()
    one, same, other = _Flags(plain), _Flags(plain), _Flags(plain)
    other.no_compile = True
    assert one == same == one.copy()
    assert hash(one) == hash(same)
    assert one != other
    assert one.copy() != other.copy()
    assert type(one.copy()) is _Flags


COUNTED = """
import json, sys
from numba.core import event
from repro import Stream, prequential
from repro.kernels.linking import Kernel, Linked
from repro.learners import NaiveBayes
class Counter(event.Listener):
    compiled = []
    def on_start(self, event):
        kernel = event.data["dispatcher"]
        if isinstance(kernel, Kernel | Linked):
            self.compiled.append(f"{type(kernel).__name__} {kernel.__qualname__}")
    def on_end(self, event):
        pass
event.register("numba:compile", Counter())
print("ready", flush=True)
sys.stdin.readline()
prequential(NaiveBayes(), Stream([[0.0, 1.0]] * 4, [0, 1] * 2))
print(json.dumps(Counter.compiled))
"""


def started(cache):
    environment = {"REPRO_CACHE": str(cache), "REPRO_PROGRESS": "0"}
    process = subprocess.Popen(
        [sys.executable, "-c", COUNTED],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout.readline() == "ready\n"
    return process


def test_of_two_processes_one_compiles_and_the_other_loads(tmp_path):
    alone = started(tmp_path / "alone")
    needed = json.loads(alone.communicate("\n")[0])
    assert "Kernel test_then_train" in needed
    both = [started(tmp_path / "both") for _ in range(2)]
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    made = [name for process in both for name in json.loads(process.communicate()[0])]
    assert sorted(made) == sorted(needed)
