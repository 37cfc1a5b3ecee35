"""MOA's drift detectors, for moa_child.py: in a loop in Java, and element by element from Python.

loop      one call into the JVM, over an array in its memory: `input` and `getChange` of each
          value, and nothing else. Compiled here, so this way needs a JDK; else it answers None.
elements  `add_element` of CapyMOA's detector in a loop in Python: what its users write.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import jpype
import numpy as np
from capymoa.drift import detectors
from timing import Timed, least, now

WARM = 0.5  # seconds of running that are thrown away, so that the JVM has compiled the detector

JAVA = """
public class Detecting {
    public static int alarms(
            moa.classifiers.core.driftdetection.ChangeDetector detector, double[] values) {
        int alarms = 0;
        for (double value : values) {
            detector.input(value);
            if (detector.getChange()) alarms++;
        }
        return alarms;
    }
}
"""


def answer(detector: str, settings: str, way: str, path: str, n: int) -> Timed | None:
    """Least time of the detector over the first `n` of the losses in the file `path`; alarms."""
    losses, make = np.load(path)[:n], getattr(detectors, detector)
    if way == "loop" and _loop() is None:
        return None
    values = jpype.JArray(jpype.JDouble)(losses) if way == "loop" else losses.tolist()
    run = {"loop": _in_java, "elements": _in_python}[way]
    begin = now()
    while now() - begin < WARM:
        run(make.from_cli(settings), values)
    return least(lambda: run(make.from_cli(settings), values))


def _in_java(detector: Any, values: Any) -> Timed:
    loop, inside = _loop(), detector.moa_detector
    begin = now()
    alarms = loop.alarms(inside, values)
    return Timed(now() - begin, len(values), float(alarms))


def _in_python(detector: Any, values: list[float]) -> Timed:
    alarms, begin = 0, now()
    for value in values:
        detector.add_element(value)
        alarms += detector.detected_change()
    return Timed(now() - begin, len(values), float(alarms))


@cache
def _loop() -> Any:
    compiler = jpype.JClass("javax.tools.ToolProvider").getSystemJavaCompiler()
    if compiler is None:
        return None
    folder = tempfile.mkdtemp(dir=".")  # the folder of with_moa.py's process, removed in the end
    source = Path(folder).resolve() / "Detecting.java"
    source.write_text(JAVA, encoding="ascii")
    known = str(jpype.java.lang.System.getProperty("java.class.path"))
    options = ["-cp", known, "-d", str(source.parent), str(source)]
    if compiler.run(None, None, None, *options):
        return None
    jpype.addClassPath(str(source.parent))
    return jpype.JClass("Detecting")
