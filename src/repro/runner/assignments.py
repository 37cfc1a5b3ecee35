"""A parameter is assigned in the parameters cell only; a later cell would undo what a run sets."""

from __future__ import annotations

import symtable

from repro.runner import notebook as nb
from repro.runner.notebook import Notebook
from repro.runner.parameters import ParameterError

__all__ = ["check_assigned_once"]


def check_assigned_once(notebook: Notebook) -> None:
    """Raise `ParameterError` if a later cell of `notebook` assigns a parameter.

    A value from a profile or the command line would have no effect there, and the provenance of
    the figures would name values that they do not come from.
    """
    for number, cell in enumerate(notebook.code, start=1):
        if nb.PARAMETERS not in nb.tags(cell):
            for name in notebook.parameters.keys() & _assigned(nb.plain(cell)):
                rule = f"{name} must be assigned in the parameters cell only"
                advice = "set the value there, or use another name here"
                raise ParameterError(f"{notebook.name}: {rule}; got code cell {number}: {advice}")


def _assigned(code: str) -> set[str]:
    """The global names that `code` binds; empty for a syntax error, since it cannot run either."""
    try:
        tables = [symtable.symtable(code, "cell", "exec")]
    except SyntaxError:
        return set()
    names = {s.get_name() for s in tables[0].get_symbols() if s.is_assigned() or s.is_imported()}
    for table in tables:  # a function binds a global name only if it declares it global
        tables += table.get_children()
        symbols = (s for s in table.get_symbols() if s.is_declared_global() and s.is_assigned())
        names |= {symbol.get_name() for symbol in symbols}
    return names
