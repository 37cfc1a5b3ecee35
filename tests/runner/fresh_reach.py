"""Print which modules the notebooks take their names from, as a fresh Python finds them; JSON.

No code of the runner is used: the imports of each notebook are executed, each dotted name in its
cells is looked up, and modules are followed through the names that they hold.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import ModuleType

DOTTED = re.compile(r"(?<![\w.'\"])([A-Za-z_]\w*(?:\.\w+)*)")
IMPORT = re.compile(r"^(?:from repro[\w.]* import (?:\([^)]*\)|.*)|import repro.*)$", re.MULTILINE)


def is_ours(name):
    return isinstance(name, str) and name.partition(".")[0] == "repro"


def home(thing, name):
    """The module that defines `thing`: its own, else the one that assigns `name` to it."""
    if isinstance(thing, ModuleType):
        return thing.__name__
    if is_ours(own := getattr(thing, "__module__", None)) and isinstance(thing, type | FUNCTION):
        return own
    for module in [m for n, m in sorted(sys.modules.items()) if is_ours(n)]:
        assigned = re.search(rf"^{name}\b[^\n(]*=", source(module), re.MULTILINE)
        if vars(module).get(name) is thing and assigned:
            return module.__name__
    return own if is_ours(own) else type(thing).__module__


def source(module):
    return Path(module.__file__).read_text() if getattr(module, "__file__", None) else ""


FUNCTION = type(home)


def followed(names):
    """The modules `names`, and those whose classes, functions and modules they hold."""
    found, waiting = set(), [name for name in names if is_ours(name)]
    while waiting:
        name = waiting.pop()
        module = sys.modules.get(name)
        if name in found or module is None:
            continue
        found.add(name)
        if not hasattr(module, "__path__"):
            things = list(vars(module).values())
            waiting += [t.__name__ for t in things if isinstance(t, ModuleType)]
            waiting += [getattr(t, "__module__", None) or "" for t in things]
            waiting = [n for n in waiting if is_ours(n)]
    return {n for n in found if not hasattr(sys.modules[n], "__path__")}


def taken(path):
    cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    space = {}
    for statement in IMPORT.findall(text):
        exec(statement, space)
    for names in set(DOTTED.findall(text)):
        first, *rest = names.split(".")
        thing, name = space.get(first), first
        while rest and isinstance(thing, ModuleType):
            thing, name = getattr(thing, rest[0], None), rest.pop(0)
        if thing is not None and first in space and first != "__builtins__":
            yield home(thing, name)


if __name__ == "__main__":
    roots = {path: set(taken(Path(path))) for path in sys.argv[1:]}
    print(json.dumps({path: sorted(followed(names)) for path, names in roots.items()}))
