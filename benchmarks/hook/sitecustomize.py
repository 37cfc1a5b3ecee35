"""Where the processor time of a notebook goes: Python runs this file first if PYTHONPATH has it.

A timer interrupts the main thread; the time since the last interrupt is counted under what it is
doing, or if it waits for threads of this library, under what they are doing. A compiled loop is
interrupted only when it returns, to the line that called it, so its time counts where it belongs.
Nothing of the library is replaced.
"""

import atexit
import json
import os
import signal
import sys
import threading
import time

EVERY = 0.02  # seconds of processor time between two interrupts
SAVE = 1.0  # between two savings: a worker may be ended without notice

# What a thread is doing: the first of these whose words are in a file's path on its stack.
DOING = {
    "compiling": ("numba/core/compiler", "llvmlite", "jax/_src/compiler", "jax/_src/interpreters"),
    "importing": ("<frozen importlib",),
    "drawing": ("matplotlib", "seaborn", "repro/figures"),
    "sampling": ("repro/streams", "repro/data_sets", "repro/permutations"),
    "learning": ("repro/evaluation", "repro/learners", "repro/networks", "sklearn"),
}


def begin(folder, notebook):
    spent, last = {}, [0.0, 0.0]  # processor time at the last interrupt, and at the last saving
    path = os.path.join(folder, f"{notebook}-{os.getpid()}.json")

    def count(signum, frame):
        now = time.process_time()
        found = _found(frame)
        for doing in found:
            spent[doing] = spent.get(doing, 0.0) + (now - last[0]) / len(found)
        last[0] = now
        if now - last[1] > SAVE:
            last[1] = now
            with open(path, "w", encoding="ascii") as file:
                json.dump(spent, file)

    signal.signal(signal.SIGPROF, count)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    # At its end Python forgets `count`, and the signal would end the process as an error.
    atexit.register(signal.setitimer, signal.ITIMER_PROF, 0)


def _found(frame):
    """What the threads that work are doing; `frame` is that of the main thread."""
    if frame.f_code.co_filename.endswith("threading.py"):  # it waits
        main = threading.main_thread().ident
        others = [other for ident, other in sys._current_frames().items() if ident != main]
        if found := [doing for doing in map(_doing, others) if doing != "other"]:
            return found
    return [_doing(frame)]


def _doing(frame):
    paths = []
    while frame is not None:
        paths.append(frame.f_code.co_filename)
        frame = frame.f_back
    for doing, words in DOING.items():
        if any(word in path for path in paths for word in words):
            return doing
    return "other"


if "REPRO_SHARES" in os.environ and "REPRO_OUTPUT" in os.environ:
    stage = os.path.basename(os.environ["REPRO_OUTPUT"])  # 01_testbed.staging
    begin(os.environ["REPRO_SHARES"], stage.partition(".")[0])
