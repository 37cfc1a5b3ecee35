"""Paper 2: the drift detection of Gama, Sebastião and Rodrigues (2013), Section 5.

Four streams with one sudden change, two Hoeffding trees, 17 estimates of their error, and the
Page-Hinkley test with delta 0.1 and threshold 100. What the paper leaves open, it leaves to MOA:
seeds, the first tree of RT, irrelevant attributes; Section 3.3 of notebook 03 says how we read it.

The league adds gradual changes and streams without a change, and other detectors (Section 3.14 of
notebook 03).
"""

from __future__ import annotations

from repro.detectors.adwin import ADWIN
from repro.detectors.ddm import DDM
from repro.detectors.detector import Detector
from repro.detectors.eddm import EDDM
from repro.detectors.estimates import Estimate, FadingEstimate, SlidingEstimate
from repro.detectors.monitor import Monitor
from repro.detectors.page_hinkley import PageHinkley
from repro.detectors.ratio import ErrorRatio
from repro.learners.hoeffding_tree import HoeffdingTree
from repro.streams.compose import gradual, sudden
from repro.streams.composition import Composition
from repro.streams.description import StreamDescription
from repro.streams.led import LED
from repro.streams.random_rbf import RandomRBF
from repro.streams.random_tree import RandomTree
from repro.streams.redrawn import Redrawn
from repro.streams.waveform import Waveform

__all__ = [
    "AFTER",
    "ALPHAS",
    "CHANGE",
    "DETECTORS",
    "DRIFTS",
    "ESTIMATES",
    "LEAGUE",
    "LEARNERS",
    "PAGE_HINKLEY",
    "PAIRS",
    "PLAIN",
    "RATIOS",
    "STREAMS",
    "TRADEOFF",
    "WINDOWS",
    "detectors",
    "tradeoff",
]

# --- Section 5.2: streams and learners

#: The first example of the second concept.
CHANGE: dict[str, int] = {"LED": 128_000, "RBF": 32_000, "RT": 32_000, "Waveform": 32_000}
AFTER = 32_000  #: examples after the change

#: The two concepts of each stream; a `Redrawn` one has a new model in every run.
PAIRS: dict[str, tuple[StreamDescription, StreamDescription]] = {
    "LED": (LED(), Redrawn(LED(drifting=7))),
    "RBF": (Redrawn(RandomRBF()), RandomRBF(model_seed=10, speed=0.01)),
    "RT": (RandomTree(model_seed=1, java=True), Redrawn(RandomTree(java=True))),
    "Waveform": (Waveform(), Redrawn(Waveform(drifting=21))),
}
#: The streams of Tables 2 and 3.
STREAMS: dict[str, StreamDescription] = {
    name: sudden(*pair, at=CHANGE[name], n=CHANGE[name] + AFTER) for name, pair in PAIRS.items()
}
#: Trees with majority-class leaves, and with adaptive naive-Bayes leaves.
LEARNERS: dict[str, HoeffdingTree] = {
    "MC": HoeffdingTree(leaf="mc"),
    "NBA": HoeffdingTree(leaf="nba"),
}

# --- Tables 2 and 3: the test and what it monitors

PAGE_HINKLEY = PageHinkley(delta=0.1, threshold=100.0)
ALPHAS = (0.997, 0.9985, 0.999, 0.9993, 0.9994)  #: fading factors, the weight of the past
WINDOWS = (1000, 2000, 3000, 4000, 5000)  #: lengths of sliding windows

#: The rows of Table 2: one estimate of the error.
PLAIN: dict[str, Estimate] = {
    "prequential": FadingEstimate(1.0),
    **{f"alpha={a:.4f}": FadingEstimate(a) for a in ALPHAS},
    **{f"window={w}": SlidingEstimate(w) for w in WINDOWS},
}
#: The rows of Table 3: a short-term estimate divided by a long-term one.
RATIOS: dict[str, Estimate] = {
    **{
        f"alpha=0.9970 / alpha={a:.4f}": ErrorRatio(FadingEstimate(0.997), FadingEstimate(a))
        for a in ALPHAS[2:]
    },
    **{
        f"window=1000 / window={w}": ErrorRatio(SlidingEstimate(1000), SlidingEstimate(w))
        for w in WINDOWS[2:]
    },
}
#: All of them, and the losses themselves, which the paper does not monitor.
ESTIMATES: dict[str, Estimate] = PLAIN | RATIOS | {"losses": SlidingEstimate(1)}

# --- beyond the paper: Section 3.14 of notebook 03

_WIDTH = 2_000  # of a gradual change; nearly all of it lies within as many examples of its middle
_SHOWN = ("prequential", "window=1000", "alpha=0.9970")

#: For each kind of drift, its positions: an example, or the first and the last of a gradual one.
DRIFTS: dict[str, list[int] | list[tuple[int, int]]] = {
    "sudden": [AFTER],
    "gradual": [(AFTER - _WIDTH, AFTER + _WIDTH)],
    "none": [],
}
#: Each pair of concepts with each kind of drift, such as "sudden, LED".
LEAGUE: dict[str, StreamDescription] = {
    f"{kind}, {name}": stream
    for name, (old, new) in PAIRS.items()
    for kind, stream in {
        "sudden": sudden(old, new, at=AFTER, n=2 * AFTER),
        "gradual": gradual(old, new, at=AFTER, width=_WIDTH, n=2 * AFTER),
        "none": Composition([old], at=[], n=2 * AFTER),
    }.items()
}


def detectors(delta: float = 0.1, threshold: float = 100.0) -> dict[str, Detector]:
    """The Page-Hinkley test on several estimates, and three other detectors at their defaults.

    Parameters
    ----------
    delta, threshold : tolerance and alarm level of the test; the defaults are the paper's.

    >>> list(detectors())[-3:]
    ['DDM', 'EDDM', 'ADWIN']
    """
    test = PageHinkley(delta, threshold)
    windows = ErrorRatio(SlidingEstimate(1000), SlidingEstimate(3000))
    return {
        **{f"PH on {name}": Monitor(PLAIN[name], test) for name in _SHOWN},
        "PH on the losses": test,
        "PH on ratio .997 / .999": Monitor(ErrorRatio(), test),
        "PH on ratio 1000 / 3000": Monitor(windows, test),
        "DDM": DDM(),
        "EDDM": EDDM(),
        "ADWIN": ADWIN(),
    }


def tradeoff(delta: float = 0.1) -> dict[str, list[Detector]]:
    """Several settings of each detector, from many false alarms to few.

    Parameters
    ----------
    delta : tolerance of the Page-Hinkley test.

    >>> [detector.drift_threshold for detector in tradeoff()["EDDM"]]
    [0.94, 0.9, 0.8, 0.7]
    """
    tests = [PageHinkley(delta, threshold) for threshold in (3.0, 10.0, 30.0, 100.0, 300.0)]
    return {
        **{f"PH on {name}": [Monitor(PLAIN[name], test) for test in tests] for name in _SHOWN[1:]},
        "PH on ratio .997 / .999": [Monitor(ErrorRatio(), test) for test in tests],
        "PH on losses": [*tests],
        "DDM": [DDM(drift_threshold=level) for level in (2.0, 2.5, 3.0, 4.0, 6.0)],
        "EDDM": [EDDM(drift_threshold=level) for level in (0.94, 0.9, 0.8, 0.7)],
        "ADWIN": [ADWIN(delta=level) for level in (0.3, 0.05, 0.002, 1e-5, 1e-10)],
    }


DETECTORS = detectors()  #: at the paper's settings
TRADEOFF = tradeoff()  #: the same
