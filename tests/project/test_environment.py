"""The lock, the conda environment and the commands agree with pyproject.toml."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from importlib import metadata
from itertools import chain

import pytest
import yaml
from declared import LOCK, PIN, PINNED, PROJECT, ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from two_runs import WITHOUT_AVX512

from repro import _folders

pytestmark = pytest.mark.contract

EXTRAS = {name: list(map(Requirement, r)) for name, r in PROJECT["optional-dependencies"].items()}
EVERYTHING = [Requirement(r) for r in PROJECT["dependencies"]] + list(chain(*EXTRAS.values()))
DIRECT = {canonicalize_name(r.name): r.specifier for r in EVERYTHING if r.name != PROJECT["name"]}


def required_by(name, extras):
    """Requirements of the installed distribution `name` with `extras`, on this machine."""
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": e}) for e in {"", *extras}):
            yield requirement


def test_the_distribution_has_its_own_name_and_messages_use_it():
    """It is imported as `repro`; in the package index that name belongs to another project."""
    assert PROJECT["name"] == _folders.DISTRIBUTION != "repro"
    assert (ROOT / "src" / "repro" / "__init__.py").is_file()
    texts = [*(ROOT / "src").rglob("*.py"), *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    promised = re.compile(r"""install ['"]?repro(-streams)?\b""")
    assert [str(path) for path in texts if promised.search(path.read_text())] == []


def test_the_extra_dev_contains_every_other_extra():
    (ours,) = (r for r in EXTRAS["dev"] if r.name == PROJECT["name"])
    assert ours.extras == set(EXTRAS) - {"dev"}


def test_a_package_has_the_same_bound_in_every_list():
    disagree = [r for r in EVERYTHING if r.specifier != DIRECT.get(r.name, r.specifier)]
    assert disagree == []


def test_the_lock_contains_exact_versions_only():
    """Without addresses, options and paths it installs from any package index."""
    assert [line for line in LOCK if not PIN.fullmatch(line)] == []
    assert "://" not in (ROOT / "requirements.lock").read_text()


@pytest.mark.parametrize("name", DIRECT)
def test_lock_holds_each_requirement_within_its_bounds(name):
    assert name in PINNED, f"{name} is not in requirements.lock; run: make lock"
    assert DIRECT[name].contains(PINNED[name])


def test_the_lock_contains_all_requirements_and_no_other_package():
    """The requirements of locked packages are locked as well."""
    todo = [(name, frozenset()) for name in DIRECT]
    todo += [(canonicalize_name(r.name), frozenset(r.extras)) for r in EVERYTHING if r.extras]
    todo = [(name, extras) for name, extras in todo if name != PROJECT["name"]]
    seen, missing = set(), set()
    while todo:
        node = name, extras = todo.pop()
        if node in seen:
            continue
        seen.add(node)
        try:
            installed = metadata.version(name)
        except metadata.PackageNotFoundError:
            installed = "absent"
        if installed != PINNED.get(name, installed):
            pytest.skip(f"needs the locked environment; {name} is {installed} in this one")
        requirements = list(required_by(name, extras))
        missing |= {f"{name}: {r}" for r in requirements if canonicalize_name(r.name) not in PINNED}
        todo += [(canonicalize_name(r.name), frozenset(r.extras)) for r in requirements]
    assert missing == set()
    assert set(PINNED) == {name for name, _ in seen}


def test_conda_environment_has_the_same_names_and_bounds():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    conda = [Requirement(entry) for entry in environment["dependencies"] if isinstance(entry, str)]
    bounds = {r.name: r.specifier for r in conda}
    assert len(bounds) == len(conda), "a package is listed twice"
    assert str(bounds.pop("python")) == PROJECT["requires-python"]
    bounds.pop("pip")  # installs this package into the environment
    assert bounds == DIRECT


def test_citation_names_the_software_and_five_papers():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["version"], citation["license"]) == (PROJECT["version"], PROJECT["license"])
    assert [paper["authors"][0]["family-names"] for paper in citation["references"]] == [
        "Cervantes",
        "Gama",
        "Žliobaitė",
        "Žliobaitė",
        "Szadkowski",
    ]


def make(*arguments):
    """Run make as a user does, without the settings of a make that runs this test."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    command = ["make", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_bare_make_lists_every_verb():
    verbs = re.findall(r"^([a-z]+):.*## (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert {"env", "figures", "test", "bench", "docs", "status"} <= dict(verbs).keys()
    listed = [line.split(maxsplit=2)[1:] for line in make().stdout.splitlines()]
    assert listed == [list(verb) for verb in verbs]


def test_an_unknown_profile_is_refused_by_name():
    answer = make("figures", "PROFILE=fast")
    assert answer.returncode != 0
    assert re.search('PROFILE must be one of: paper .*; got "fast"', answer.stderr)


@pytest.mark.parametrize("command", ["make test", "make figures"])
def test_continuous_integration_runs_what_the_readme_says(command):
    assert command in (ROOT / "README.md").read_text()
    assert command in (ROOT / ".ci/run").read_text()


#: Prints the instructions of AVX-512 that NumPy and numba use, and the kernels of OpenBLAS.
INSTRUCTIONS = """
import numba, numpy, scipy.linalg, threadpoolctl

@numba.njit("float64(float64[::1])", fastmath=True)
def total(values):
    s = 0.0
    for value in values:
        s += value * value
    return s

simd = numpy.show_config(mode="dicts")["SIMD Extensions"]["found"]
print([name for name in simd if "V4" in name or "AVX512" in name])
print(sorted({i["architecture"] for i in threadpoolctl.threadpool_info() if "architecture" in i}))
print("zmm" in "".join(total.inspect_asm().values()))
"""


@pytest.mark.skipif(
    platform.machine() != "x86_64" or metadata.version("numpy") != PINNED["numpy"],
    reason="names of an x86 processor's instructions, as the locked NumPy spells them",
)
def test_the_variables_that_stand_for_an_older_processor_leave_no_avx512():
    """Also that NumPy knows their names: it warns of unknown ones and goes on as before."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "machines.yml").read_text())["jobs"]
    assert jobs["older-processor"]["env"] == WITHOUT_AVX512
    command = [sys.executable, "-W", "error::ImportWarning", "-c", INSTRUCTIONS]
    run = subprocess.run(
        command, env=os.environ | WITHOUT_AVX512, capture_output=True, text=True, check=False
    )
    assert (run.stdout.splitlines(), run.stderr) == (["[]", "['Haswell']", "False"], "")
