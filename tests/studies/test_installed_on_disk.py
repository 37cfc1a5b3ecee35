"""A model of an installed package runs again when its package, or one that it needs, changes."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import repro

MODEL = """
from below_it import VALUE
class Model:
    def predict_one(self, x):
        return int({answer})
    def learn_one(self, x, y):
        pass
"""
RUN = """
    import sys
    from pathlib import Path
    from repro import Stream, sweep
    import fakemodels.inside
    def run():
        stream = {"S": Stream([[0.0]] * 4, [0, 1, 1, 1])}
        table = sweep({"m": fakemodels.inside.Model()}, stream, [0], cache="results")
        print(table["error"].item(), len([*Path("results").rglob("*.run")]))
    run()
"""


def install(folder: Path, name: str, version: str, files: dict[str, str]) -> None:
    """Write a package as pip does, with the list of its files and their checksums."""
    for old in folder.glob(f"{name}-*.dist-info"):
        for path in old.iterdir():
            path.unlink()
        old.rmdir()
    info = folder / f"{name}-{version}.dist-info"
    files = files | {
        f"{info.name}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    }
    lines = []
    for inside, text in files.items():
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        lines.append(f"{inside},sha256={digest.decode()},{len(text)}")
    (info / "RECORD").write_text("\n".join([*lines, f"{info.name}/RECORD,,"]) + "\n")


def install_model(folder: Path, version: str = "1.0", answer: str = "VALUE") -> None:
    body = MODEL.replace("{answer}", answer)
    install(
        folder, "fakemodels", version, {"fakemodels/__init__.py": "", "fakemodels/inside.py": body}
    )


def install_below(folder: Path, version: str = "1.0", value: int = 0) -> None:
    install(folder, "below_it", version, {"below_it.py": f"VALUE = {value}\n"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of installed packages: a model that predicts 0, and what it needs."""
    made = tmp_path / "site-packages"
    install_model(made)
    install_below(made)
    return made


def run(folder: Path, code: str = RUN) -> tuple[list[str], str]:
    """What a fresh Python prints, and its lines on stderr."""
    paths = [str(folder), str(Path(repro.__file__).parents[1])]
    done = subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(code)],
        cwd=folder.parent, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_an_installed_model_is_stored_and_another_version_runs_again(folder):
    assert run(folder) == (["0.75 1"], "")
    assert run(folder) == (["0.75 1"], "")
    install_model(folder, "2.0", "1 - VALUE")
    assert run(folder) == (["0.25 2"], "")
    install_model(folder, "1.0")
    assert run(folder) == (["0.75 2"], "")  # found again


def test_other_files_under_the_same_version_run_again(folder):
    assert run(folder) == (["0.75 1"], "")
    install_model(folder, "1.0", "1 - VALUE")
    assert run(folder) == (["0.25 2"], "")


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_another_dependency_runs_again(folder, version):
    assert run(folder) == (["0.75 1"], "")
    install_below(folder, version, value=1)
    assert run(folder) == (["0.25 2"], "")


def test_an_edited_file_runs_and_is_not_stored(folder):
    assert run(folder) == (["0.75 1"], "")
    path = folder / "fakemodels" / "inside.py"
    before = path.read_text()
    path.write_text(before.replace("int(VALUE)", "int(1 - VALUE)"))
    for _ in range(2):
        printed, said = run(folder)
        assert printed == ["0.25 1"]
        assert "inside.py was edited since it was installed; results are not stored" in said
    path.write_text(before)
    assert run(folder) == (["0.75 1"], "")


def test_a_file_that_was_added_runs_and_is_not_stored(folder):
    (folder / "fakemodels" / "mine.py").write_text((folder / "fakemodels/inside.py").read_text())
    for _ in range(2):
        printed, said = run(folder, RUN.replace("fakemodels.inside", "fakemodels.mine"))
        assert printed == ["0.75 0"]
        assert "mine.py is not a file that a package installed" in said


@pytest.mark.parametrize("is_stored", [True, False])
def test_an_edited_dependency_runs_and_is_not_stored(folder, is_stored):
    """Also if the first run of all comes after the edit."""
    if is_stored:
        assert run(folder) == (["0.75 1"], "")
    (folder / "below_it.py").write_text("VALUE = 1\n")
    printed, said = run(folder)
    assert printed == [f"0.25 {is_stored:d}"]
    assert "below_it.py was edited since it was installed; results are not stored" in said
    (folder / "below_it.py").write_text("VALUE = 0\n")
    assert run(folder) == (["0.75 1"], "")


EDIT = """
    path = Path(fakemodels.inside.__file__)
    path.write_text(path.read_text().replace("int(VALUE)", "int(1 - VALUE)"))
    run()
"""


def test_an_edit_while_python_runs_is_not_stored(folder):
    """What is in memory runs; whether that is what the file says is unknown."""
    printed, said = run(folder, RUN + EDIT)
    assert printed[0] == "0.75 1"
    assert printed[1].endswith(" 1")
    assert "was edited since it was installed" in said


PATCH = """
    import below_it
    fakemodels.inside.VALUE = 1
    run()
    fakemodels.inside.VALUE = 0
    below_it.VALUE = 1
    run()
"""


def test_a_patched_module_runs_and_is_not_stored(folder):
    printed, said = run(folder, RUN + PATCH)
    assert printed == ["0.75 1", "0.25 1", "0.75 1"]
    assert "fakemodels.inside.VALUE was replaced" in said


def test_a_package_without_a_list_of_files_is_user_code_or_has_its_version(folder):
    """An editable or hand-made package outside the folders of installed ones is user code."""
    elsewhere = folder.parent / "elsewhere"
    folder.rename(elsewhere)
    printed, said = run(elsewhere)
    assert printed == ["0.75 0"]
    assert "learner 'm' has user code" in said


def test_packages_inside_another_package_do_not_count(folder):
    """setuptools puts a folder of its own packages on Python's path when it is imported."""
    assert run(folder) == (["0.75 1"], "")
    install(folder / "outer" / "_vendor", "below_it", "3.0", {"below_it.py": "VALUE = 9\n"})
    added = f"import sys; sys.path.append({str(folder / 'outer' / '_vendor')!r})\n"
    assert run(folder, added + textwrap.dedent(RUN)) == (["0.75 1"], "")


def test_what_differs_between_two_processes_is_no_patch(folder):
    """Such as a default that has the number of the process, as in old versions of numpy."""
    model = MODEL.replace("{answer}", "VALUE")
    own = "import os\ndef read(path=f'/proc/{os.getpid()}/stat'): ...\n" + model
    install(
        folder, "fakemodels", "1.0", {"fakemodels/__init__.py": "", "fakemodels/inside.py": own}
    )
    assert run(folder) == (["0.75 1"], "")
    assert run(folder) == (["0.75 1"], "")
