"""LaTeX as MathML, which every browser draws without a script and without the network."""

from __future__ import annotations

import re

import math_core

__all__ = ["mathml"]

#: Browsers put an exponent beside a bracket of fixed size too low, beside a growing one right.
GROWING = ((re.compile(r"\\[Bb]igg?l\b"), r"\\left"), (re.compile(r"\\[Bb]igg?r\b"), r"\\right"))

_converter = math_core.LatexToMathML(fancy_error=False)


def mathml(latex: str, *, block: bool) -> str:
    r"""The MathML of a formula; raises `math_core.LatexError` for a command that is not known.

    >>> mathml("x^2", block=False)
    '<math><msup><mi>x</mi><mn>2</mn></msup></math>'
    """
    for pattern, replacement in GROWING:
        latex = pattern.sub(replacement, latex)
    return str(_converter.convert_with_local_state(latex, displaystyle=block))
