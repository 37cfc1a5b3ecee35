"""Build the site into build/site: ``python docs/build_site.py``, or ``make site``.

The pages are notebooks with the outputs they have, Markdown files, pages made from the tables of
results, and the reference from the docstrings. No notebook is run and nothing is fetched. A new
page is a new file ``docs/NAME.md``.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from repro._locks import alone
from repro._progress import wanted

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))

from extensions.publishing import ADDRESS, as_address  # noqa: E402
from pages import staging  # noqa: E402
from pages.cells import cells_page  # noqa: E402
from pages.cite import cite_page  # noqa: E402
from pages.claims import claims_page  # noqa: E402
from pages.contents import contents  # noqa: E402
from pages.explorer import explorer_page, write_explorer  # noqa: E402
from pages.front import FIGURES, front_page  # noqa: E402
from pages.reference import reference_pages  # noqa: E402
from pages.scripts import write_scripts  # noqa: E402
from pages.verdicts import notebooks  # noqa: E402
from pages.versions import versions_page  # noqa: E402

ROOT = DOCS.parent
LOST = """\
---
orphan: true
---

# There is no such page

It may have moved with a new version. The [front page](index.md) leads to everything, and the search
at the side finds what is written.
"""


def main() -> int:
    """Write the source folder, then let Sphinx build it; its exit code. Warnings are errors."""
    try:
        as_address(os.environ.get(ADDRESS, ""))
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    work, site = ROOT / "build" / "site-work", ROOT / "build" / "site"
    with alone(work / "lock", lambda: print("waiting for another build of the site")):
        write_scripts(work / "static")
        print("site 1/2: the explorer, for which learners run (half a minute, once)", flush=True)
        write_explorer(work / "extra")
        print("site 2/2: the pages (about two minutes, then those that changed)", flush=True)
        if write_source(work / "source"):
            shutil.rmtree(site, ignore_errors=True)  # Sphinx would keep the pages that are gone
        doctrees = work / "doctrees"
        options = ["-W", "--keep-going", "-c", str(DOCS), "-d", str(doctrees)]
        if not (wanted() and sys.stdout.isatty()):
            options.append("-q")  # else Sphinx says which page it reads
        if changed_since(doctrees / "environment.pickle"):
            options.append("-E")
        code = sphinx(["-b", "html", *options, str(work / "source"), str(site)])
        if code:  # the next build would keep pages with warnings and not repeat these
            shutil.rmtree(doctrees, ignore_errors=True)
        staging.remove_unlisted_sources(site)
        staging.share_equal_images(site)
        staging.remove_unused_images(site)
        staging.remove_source_maps(site)
        return code


def changed_since(environment: Path) -> bool:
    """Whether the code of the site is newer than what Sphinx has read with it."""
    times = [path.stat().st_mtime for path in DOCS.rglob("*.py")]
    return environment.is_file() and environment.stat().st_mtime < max(times)


def write_source(source: Path) -> bool:
    """Copy the pages of the repository, and write those that are made; whether any is gone."""
    known = notebooks(ROOT)
    copied = staging.copy_pages(ROOT, source, [path for path, _ in FIGURES.values()])
    made = {
        "cells.md": cells_page(known),
        "claims.md": claims_page(known),
        "cite.md": cite_page(ROOT),
        **explorer_page(),
        "404.md": LOST,
        **versions_page(),
        **reference_pages(),
    }
    menu = contents(known, [*copied, *map(Path, made)])
    made["index.md"] = front_page(known, ROOT) + menu
    return staging.remove_others(source, copied | staging.write(source, made))


if __name__ == "__main__":
    sys.exit(main())
