"""The sites of released versions, beside the newest: a toy repository with tags."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from repro import _folders

pytest.importorskip("sphinx")
pytest.importorskip("math_core")
sys.path.insert(0, str(_folders.need_checkout() / "docs"))

import site_versions
from extensions import publishing
from pages.versions import versions_page

MAKEFILE = """site:
	mkdir -p build/site
	echo "{text} $$REPRO_SITE $$REPRO_SITE_OLDER" > build/site/index.html
	echo built >> "{log}"
	{last}
"""
NEWEST = """
import os, pathlib
pathlib.Path("build/site").mkdir(parents=True, exist_ok=True)
pathlib.Path("build/site/index.html").write_text(os.environ["REPRO_SITE_VERSIONS"])
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A repository with the versions 1.2.0 and 1.10.0, and a tag that is none."""
    root, log = tmp_path / "project", tmp_path / "log"
    root.mkdir()
    monkeypatch.setattr(site_versions, "NEWEST", [sys.executable, "-c", NEWEST])
    monkeypatch.delenv("REPRO_SITE", raising=False)

    def git(*arguments):
        names = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *names, *arguments], cwd=root, check=True, capture_output=True)

    def release(tag, last="true"):
        (root / "Makefile").write_text(MAKEFILE.format(text=f"site of {tag}", log=log, last=last))
        git("add", "Makefile")
        git("commit", "-m", tag)
        git("tag", tag)

    git("init")
    for tag in ("v1.2.0", "v1.10.0", "later"):
        release(tag)
    return SimpleNamespace(root=root, site=root / "build" / "site", log=log, release=release)


def test_each_version_is_built_once_by_its_own_code(project):
    assert site_versions.main(project.root) == 0
    assert (project.site / "index.html").read_text() == "1.10.0 1.2.0"
    for name in ("1.2.0", "1.10.0"):
        text = (project.site / name / "index.html").read_text()
        assert text.split() == ["site", "of", f"v{name}", "yes"]
    assert not (project.site / "later").exists()
    assert len(project.log.read_text().split()) == 2
    (project.site / "1.2.0" / "index.html").unlink()
    left = project.root / "build" / "site-versions" / ".killed" / "1.2.0"
    left.mkdir(parents=True)
    assert site_versions.main(project.root) == 0
    assert (project.site / "1.2.0" / "index.html").exists()
    assert len(project.log.read_text().split()) == 2
    assert not left.exists()


def test_a_version_that_cannot_be_built_leaves_the_site_as_it_was(project, capsys):
    assert site_versions.main(project.root) == 0
    before = {p: p.read_bytes() for p in project.site.rglob("*.html")}
    project.release("v2.0", last="exit 3")
    assert site_versions.main(project.root) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("error: make site ended with 2")
    assert {p: p.read_bytes() for p in project.site.rglob("*.html")} == before
    assert [*(project.root / "build" / "site-versions").glob(".*")] == []


def test_a_version_has_an_address_of_its_own(project, monkeypatch):
    monkeypatch.setenv("REPRO_SITE", "https://example.org/r")
    assert site_versions.main(project.root) == 0
    text = (project.site / "1.2.0" / "index.html").read_text()
    assert "https://example.org/r/1.2.0/" in text.split()
    monkeypatch.setenv("REPRO_SITE", "example.org")
    assert site_versions.main(project.root) == 2


def test_the_pages_of_a_version_lead_to_the_newest(monkeypatch):
    config = SimpleNamespace(html_baseurl="", html_title="repro", release="1.2.0")
    app = SimpleNamespace(config=config)
    for page, link in {"index": "../index.html", "docs/a": "../../index.html"}.items():
        context = {}
        monkeypatch.delenv(publishing.OLDER, raising=False)
        publishing.describe(app, page, "page.html", context, None)
        assert "theme_announcement" not in context
        monkeypatch.setenv(publishing.OLDER, "yes")
        publishing.describe(app, page, "page.html", context, None)
        assert f'href="{link}"' in context["theme_announcement"]
        assert "1.2.0" in context["theme_announcement"]


def test_versions_are_listed_only_where_they_are_built(monkeypatch):
    monkeypatch.delenv("REPRO_SITE_VERSIONS", raising=False)
    assert versions_page() == {}
    monkeypatch.setenv("REPRO_SITE_VERSIONS", "1.10.0 1.2.0")
    (text,) = versions_page().values()
    assert text.index("1.10.0/index.html") < text.index("1.2.0/index.html")
