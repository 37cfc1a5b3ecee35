"""Settings of nbval: numbers are compared to a tolerance, and a final `;` hides the output.

nbval has no option for either, so two of its methods are replaced. The tolerance is far below
the last digit of any printed table and allows for the rounding of another processor or BLAS.
Each kernel has sockets of its own, so two that start at once do not take each other's port.
Notebooks with missing data sets are skipped: their committed outputs come from the real data.
The options that the comparison needs are set here, so that plain `pytest --nbval-lax` passes.
"""

from __future__ import annotations

import math
import os
import re
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from repro import data_sets
from repro._sockets import private_sockets
from repro.runner import notebook as nb

RTOL, ATOL = 1e-6, 1e-9
RULES = Path(__file__).parents[1] / "tests" / "sanitize.cfg"
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)\b")


class Tolerant(str):
    """Text that equals another text if the words are equal and the numbers are close.

    Integers are counts and must match exactly. The tolerance applies where one of the two numbers
    has a point or an exponent.

    >>> Tolerant("n = 3, error 0.25") == "n = 3, error 0.2500000001"
    True
    >>> Tolerant("n = 3, error 0.25") == "n = 4, error 0.25"
    False
    """

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        if str.__eq__(self, other):
            return True
        if not isinstance(other, str) or NUMBER.split(self) != NUMBER.split(other):
            return False
        pairs = zip(NUMBER.findall(self), NUMBER.findall(other), strict=True)
        return all(a == b or (is_real(a + b) and close(a, b)) for a, b in pairs)

    def __ne__(self, other: object) -> bool:
        return not self == other


def is_real(digits: str) -> bool:
    return "." in digits or "e" in digits.lower()


def close(a: str, b: str) -> bool:
    return math.isclose(float(a), float(b), rel_tol=RTOL, abs_tol=ATOL)


@cache
def missing(notebook):
    """The data sets of the notebook that are not available."""
    wanted = nb.read(notebook).defaults.get("data_sets", [])
    return [name for name in wanted if not data_sets.available(name)]


def pytest_configure(config):
    """Where nothing else is said: this environment, our rules, no progress bars in outputs."""
    option = config.option
    if getattr(option, "nbval", False) or getattr(option, "nbval_lax", False):
        option.nbval_sanitize_with = option.nbval_sanitize_with or str(RULES)
        option.nbval_current_env = not option.nbval_kernel_name
        os.environ.setdefault("REPRO_PROGRESS", "0")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.suffix == ".ipynb" and (names := missing(item.path)):
            get = f"python -m repro data fetch {' '.join(names)}"
            item.add_marker(pytest.mark.skip(reason=f"needs real data: {get}"))


try:
    from nbval import kernel
    from nbval.plugin import IPyNbCell
except ImportError:  # the unit tests need no nbval
    pass
else:
    sanitize = IPyNbCell.sanitize

    def sanitize_tolerantly(self, text):
        """Make the text tolerant: nbval sanitizes both texts before it compares them."""
        cleaned = sanitize(self, text)
        return Tolerant(cleaned) if isinstance(cleaned, str) else cleaned

    def execute(self, cell_input, allow_stdin=None):
        """Run a cell with its history, without which the kernel ignores a final `;`."""
        return self.kc.execute(
            cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
        )

    IPyNbCell.sanitize = sanitize_tolerantly
    kernel.RunningKernel.execute_cell_input = execute
    sockets = TemporaryDirectory(prefix="repro-")
    kernel.KernelManager = partial(kernel.KernelManager, **private_sockets(Path(sockets.name)))
