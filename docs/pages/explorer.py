"""The explorer, a page that plays streams: `repro.explore` writes it, a page here shows it."""

from __future__ import annotations

from pathlib import Path

import repro
from repro import explore

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
    """The page that shows the explorer, by name; none where `repro.explore` does not write it."""
    return {"explore.md": TEXT} if hasattr(explore, "page") else {}


def write_explorer(folder: Path) -> None:
    """Write the explorer unless the one in `folder` is newer than the library.

    It runs learners, which takes half a minute.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / NAME
    sources = Path(repro.__file__).parent.rglob("*.*")
    changed = max(path.stat().st_mtime for path in sources if "__pycache__" not in path.parts)
    if hasattr(explore, "page") and (not written.is_file() or written.stat().st_mtime < changed):
        explore.page(written)
