"""The page that shows the explorer, which `docs/explorer` writes."""

from __future__ import annotations

from pathlib import Path

import explorer
from explorer.page import write_page

import repro

__all__ = ["explorer_page", "write_explorer"]

NAME = "explorer.html"
TEXT = """\
---
hide-toc: true
---

# Explorer

Play a stream, move the sliders, and see what each estimator, detector and measure makes of it.

```{raw} html
<p><a href="explorer.html">Open it alone</a></p>
<iframe class="explorer" src="explorer.html" title="Explorer"></iframe>
```
"""


def explorer_page() -> dict[str, str]:
    """The page that shows the explorer, by name."""
    return {"explore.md": TEXT}


def write_explorer(folder: Path) -> None:
    """Write the explorer unless the one in `folder` is newer than its parts and the library.

    It runs learners, which takes half a minute.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / NAME
    folders = [Path(package.__file__).parent for package in (explorer, repro)]
    sources = [path for parent in folders for path in parent.rglob("*.*")]
    changed = max(path.stat().st_mtime for path in sources if "__pycache__" not in path.parts)
    if not written.is_file() or written.stat().st_mtime < changed:
        write_page(written)
