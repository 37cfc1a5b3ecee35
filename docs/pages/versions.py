"""The page that lists the sites of released versions."""

from __future__ import annotations

import os

from repro import __version__

__all__ = ["VERSIONS", "versions_page"]

VERSIONS = "REPRO_SITE_VERSIONS"  # their numbers, with spaces between; unset if they are not built
TEXT = """\
# Versions

These pages are of the current state of the project ({version}). The pages of a
released version stay as they were, with its numbers:

{rows}

[What changed](CHANGELOG.md) says which results differ between two versions.
"""


def versions_page() -> dict[str, str]:
    """The page as Markdown, by its file name; none where no other version is built."""
    names = os.environ.get(VERSIONS, "").split()
    rows = "\n".join(f'* <a href="{name}/index.html">{name}</a>' for name in names)
    text = TEXT.format(rows=rows, version=__version__)
    return {"versions.md": text} if names else {}
