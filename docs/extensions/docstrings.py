"""How docstrings become pages: their lists of parameters, and names between single backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

__all__ = ["find_public_name", "setup", "shorten", "skip_silent", "with_lists"]

ARRAY = re.compile(
    r"~?numpy\.ndarray\[tuple\[~?typing\.Any, \.\.\.\], ~?numpy\.dtype\[~?numpy\.(\w+)\]\]"
)
ITEM = re.compile(r"(\*{0,2}\w[\w, *]*?) : (.*)")


def with_lists(lines: list[str]) -> Iterator[str]:
    """Turn underlined headings into rubrics, and "name : text" below them into definitions.

    Napoleon takes the text behind the colon for a type; here it says what the argument is.

    >>> list(with_lists(["Parameters", "----------", "a, b : losses, shape (n,),", "    paired."]))
    ['.. rubric:: Parameters', '', '``a, b``', '    losses, shape (n,),', '    paired.']
    """
    in_list = False
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if line.strip() and following and set(following) == {"-"}:
            yield f".. rubric:: {line}"
            in_list = True
        elif line and set(line) == {"-"}:
            yield ""
        elif in_list and (item := ITEM.fullmatch(line)):
            yield from (f"``{item[1]}``", f"    {item[2]}")
        else:
            if in_list and line and not line.startswith(" "):
                yield ""  # a paragraph ends the list
                in_list = False
            yield line


def find_public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.reference | None:
    """Resolve `streams.Stream` and `Stream` as names of `repro` or of one of its packages."""
    if node.get("refdomain") != "py" or node.get("reftype") != "obj":
        return None
    target, objects = node["reftarget"], env.domains.python_domain.objects
    places = {(o.docname, o.node_id) for name, o in objects.items() if name.endswith("." + target)}
    if len(places) != 1:  # not a public name, or several
        return None
    docname, anchor = places.pop()
    address = app.builder.get_relative_uri(node["refdoc"], docname)
    return nodes.reference("", "", content, internal=True, refuri=f"{address}#{anchor}")


def skip_silent(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out the fields of named tuples, which say only "Alias for field number 0"."""
    return True if type(member).__name__ == "_tuplegetter" else None


def shorten(
    app: Sphinx, what: str, name: str, member: Any, options: Any, signature: str, result: str
) -> tuple[str | None, str | None]:
    """Write the types of arrays as in the source: numpy's names stand for long expressions."""
    texts = [text and ARRAY.sub(r"NDArray[\1]", text) for text in (signature, result)]
    return texts[0], texts[1]


def _rewrite(
    app: Sphinx, what: str, name: str, member: Any, options: Any, lines: list[str]
) -> None:
    lines[:] = list(with_lists(lines))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the four."""
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-process-docstring", _rewrite)
    app.connect("autodoc-skip-member", skip_silent)
    app.connect("missing-reference", find_public_name)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
