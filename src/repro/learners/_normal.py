r"""The normal distribution function, the same to the last bit on every machine.

It uses the rational functions of S. L. Moshier's Cephes library (Methods and Programs for
Mathematical Functions, 1989), as SciPy's `ndtr` does. The error functions of C libraries differ
from them, and from each other, in the last bit. The weights of leaves are computed from it, and the
last bit decides whether a leaf has seen 200 examples.
"""

from __future__ import annotations

import numpy as np

from repro.kernels.compiling import kernel, outlined

__all__ = ["normal_probability"]

SQRT_HALF = np.sqrt(0.5)
# Coefficients from the highest power down; the leading 1 of each denominator is left out.
ERF = (
    9.60497373987051638749e0,
    9.00260197203842689217e1,
    2.23200534594684319226e3,
    7.00332514112805075473e3,
    5.55923013010394962768e4,
)
ERF_BELOW = (
    3.35617141647503099647e1,
    5.21357949780152679795e2,
    4.59432382970980127987e3,
    2.26290000613890934246e4,
    4.92673942608635921086e4,
)
NEAR = (  # from 1 to 8
    2.46196981473530512524e-10,
    5.64189564831068821977e-1,
    7.46321056442269912687e0,
    4.86371970985681366614e1,
    1.96520832956077098242e2,
    5.26445194995477358631e2,
    9.34528527171957607540e2,
    1.02755188689515710272e3,
    5.57535335369399327526e2,
)
NEAR_BELOW = (
    1.32281951154744992508e1,
    8.67072140885989742329e1,
    3.54937778887819891062e2,
    9.75708501743205489753e2,
    1.82390916687909736289e3,
    2.24633760818710981792e3,
    1.65666309194161350182e3,
    5.57535340817727675546e2,
)
FAR = (  # from 8 on
    5.64189583547755073984e-1,
    1.27536670759978104416e0,
    5.01905042251180477414e0,
    6.16021097993053585195e0,
    7.40974269950448939160e0,
    2.97886665372100240670e0,
)
FAR_BELOW = (
    2.26052863220117276590e0,
    9.39603524938001434673e0,
    1.20489539808096656605e1,
    1.70814450747565897222e1,
    9.60896809063285878198e0,
    3.36907645100081516050e0,
)
LAST = 26.6  # beyond it, e^-x^2 and the tail of the normal distribution are 0


@outlined
def normal_probability(z):  # type: ignore[no-untyped-def]
    """Probability that a standard normal number is at most `z`."""
    x = z * SQRT_HALF
    if abs(x) < SQRT_HALF:
        return 0.5 + 0.5 * _erf(x)
    tail = 0.5 * _erfc(abs(x))
    return 1.0 - tail if x > 0 else tail


@kernel
def _erf(x):  # type: ignore[no-untyped-def]
    """The error function where abs(x) <= 1."""
    return x * _polynomial(ERF[0], x * x, ERF[1:]) / _polynomial(1.0, x * x, ERF_BELOW)


@kernel
def _erfc(x):  # type: ignore[no-untyped-def]
    """1 minus the error function, where x >= 0."""
    if x < 1:
        return 1.0 - _erf(x)
    if x > LAST:
        return 0.0
    if x < 8:
        return np.exp(-x * x) * _polynomial(NEAR[0], x, NEAR[1:]) / _polynomial(1.0, x, NEAR_BELOW)
    return np.exp(-x * x) * _polynomial(FAR[0], x, FAR[1:]) / _polynomial(1.0, x, FAR_BELOW)


@kernel
def _polynomial(first, x, others):  # type: ignore[no-untyped-def]
    value = first
    for coefficient in others:
        value = value * x + coefficient
    return value
