"""What must not be published is refused before anybody can upload it."""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from pathlib import Path

import pytest
import release

from repro import _folders

ROOT = _folders.need_checkout()
VERSIONED = "pyproject.toml", "CITATION.cff", "src/repro/__init__.py", "CHANGELOG.md"


@pytest.fixture
def copy(tmp_path) -> Path:
    """The files that name the version."""
    for name in VERSIONED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_four_files_name_one_version(copy):
    assert release.version_of(ROOT) == release.version_of(copy)


@pytest.mark.parametrize("name", VERSIONED)
def test_a_file_that_names_another_version_is_found(copy, name):
    version = release.version_of(copy)
    text = (copy / name).read_text("utf-8")
    (copy / name).write_text(text.replace(version, "9.9.9"), "utf-8")
    with pytest.raises(release.Refused, match=rf"{name} 9\.9\.9"):
        release.version_of(copy)


def wheel(path: Path, names) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return path


WHOLE = [f"repro/{name}" for name in release.NEEDED] + ["repro_streams-1.dist-info/RECORD"]


def test_a_whole_wheel_passes(tmp_path):
    release.check_wheel(wheel(tmp_path / "a.whl", WHOLE))


@pytest.mark.parametrize("lost", release.NEEDED)
def test_a_wheel_without_what_users_need_is_refused(tmp_path, lost):
    names = [name for name in WHOLE if name != f"repro/{lost}"]
    with pytest.raises(release.Refused, match=f"must have repro/{lost}"):
        release.check_wheel(wheel(tmp_path / "a.whl", names))


@pytest.mark.parametrize(
    "name",
    ["tests/a.py", "repro/__pycache__/a.pyc", "repro/elec.arff", "repro/build/cache/a.csv",
     "repro/01_testbed.running.ipynb", "repro/.ipynb_checkpoints/a.ipynb"],
)  # fmt: skip
def test_a_wheel_with_what_is_of_others_is_refused(tmp_path, name):
    with pytest.raises(release.Refused, match="must not have"):
        release.check_wheel(wheel(tmp_path / "a.whl", [*WHOLE, name]))


def test_a_source_archive_with_data_of_others_is_refused(tmp_path):
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a-1/data/elec.arff"), io.BytesIO())
    with pytest.raises(release.Refused, match=r"elec\.arff"):
        release.check_source(path)


def test_what_is_left_to_a_person_is_said(copy):
    """The copy is no repository, so nothing is uncommitted there."""
    lines = [*release.left_to_do(copy, "1.0.0")]
    assert any("CHANGELOG.md" in line for line in lines)
    (copy / "CHANGELOG.md").write_text("## 1.0.0, 2026-12-01\n")
    lines = [*release.left_to_do(copy, "1.0.0")]
    assert [line.split()[0] for line in lines] == ["git", "upload"]


def test_a_python_that_is_not_here_is_said_and_not_tried(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(release, "FOLDER", tmp_path)
    assert not release.try_wheel(tmp_path / "a.whl", str(tmp_path / "python9"))
    assert "not tried with Python" in capsys.readouterr().out
