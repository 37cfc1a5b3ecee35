"""Files are written whole or not at all."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["check_name", "replacing", "write"]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`; its file replaces `path` if the block ends without an error.

    Until then `path` keeps its old content, so a reader never sees half a file. After an error the
    temporary file is removed. An OSError without a file name, such as that of a full disk, gets
    the name of `path`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write(path: Path, content: bytes) -> bool:
    """Write `content` to `path`; returns False, without writing, if the file has it already."""
    if path.is_file() and path.read_bytes() == content:
        return False
    with replacing(path) as temporary:
        temporary.write_bytes(content)
    return True


def check_name(name: str, *, example: str) -> str:
    """Return `name` if it can name a result of this run.

    In a run of the paper's notebooks it is two digits and lower-case words, as in ``01_figure_1``.
    Elsewhere it holds letters, digits, dots, dashes and underscores, and begins with neither a dot
    nor a dash.
    """
    if "REPRO_OUTPUT" in os.environ:  # set by the runner and by the checks of notebooks
        form, rule = r"\d\d(_[a-z0-9]+)+", f"name must be like {example!r}"
    else:
        form, rule = r"\w[\w.-]*", "name must hold letters, digits, '.', '-' and '_' only"
    if not isinstance(name, str) or not re.fullmatch(form, name):
        raise ValueError(f"{rule}; got {name!r}")
    return name
