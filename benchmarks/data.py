"""The streams that every library learns from: the same arrays for all."""

from __future__ import annotations

from functools import cache

import numpy as np
import real

from repro import TESTBED, Stream

# Segments of the digits 0..9 on a seven-segment display: top, upper left, upper right, middle,
# lower left, lower right, bottom.
DIGITS = """
    1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011
"""


def gaussian(rng: np.random.Generator) -> Stream:
    """NSGT of the testbed: 2 numeric attributes, 2 classes."""
    return TESTBED["NSGT"].sample(seed=0)


def led(rng: np.random.Generator, n: int = 20_000) -> Stream:
    """LED digits (Breiman et al. 1984): 7 segments, each inverted with probability 0.1, then 17
    irrelevant attributes; all binary and nominal; 10 classes.
    """
    segments = np.array([[int(c) for c in digit] for digit in DIGITS.split()])
    y = rng.integers(0, 10, n)
    seen = segments[y] ^ (rng.random((n, 7)) < 0.1)
    X = np.hstack([seen, rng.integers(0, 2, (n, 17))]).astype(float)
    return Stream(X, y, nominal=[2] * 24, n_classes=10)


def waveform(rng: np.random.Generator, n: int = 20_000) -> Stream:
    """Waveforms (Breiman et al. 1984): mixtures of two of three triangles, at 21 places, with
    standard normal noise; 3 classes.
    """
    place = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - np.abs(place - centre), 0) for centre in (7, 15, 11)])
    first, second = np.array([(0, 1), (0, 2), (1, 2)]).T
    y, share = rng.integers(0, 3, n), rng.random((n, 1))
    mixed = share * triangles[first[y]] + (1 - share) * triangles[second[y]]
    return Stream(mixed + rng.standard_normal((n, 21)), y, n_classes=3)


STREAMS = {
    "NSGT": gaussian,
    "LED-24": led,
    "Waveform-21": waveform,
    "Elec2": lambda rng: real.elec2(),
    "KDD99": lambda rng: real.kdd99(),
}


@cache
def whole(name: str) -> Stream | None:
    """The stream `name`; None when it is a file that is not there."""
    return STREAMS[name](np.random.default_rng(20_181))


def make(name: str, scale: float = 1.0) -> Stream | None:
    """The stream `name`, or its first part when `scale` is below 1."""
    stream = whole(name)
    if stream is None or scale >= 1:
        return stream
    return first(stream, max(100, int(len(stream) * scale)))


def first(stream: Stream, n: int) -> Stream:
    """The first `n` examples."""
    return stream if n >= len(stream) else stream.take(np.arange(n))
