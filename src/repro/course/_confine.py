"""Run a command that can read and write some folders only: ``_confine.py SETTINGS COMMAND ...``.

Linux's Landlock (kernel 5.13 and newer) needs no rights and no other program. It is called by
number, since the C library has no names for it. This file is run by itself, without the package.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Iterable

__all__ = ["can_confine", "confine"]

CREATE, ADD, RESTRICT = 444, 445, 446  # the system calls, the same on all processors but Alpha
ABI, BENEATH, NO_NEW_PRIVILEGES = 1, 1, 38
EXECUTE, READ_FILE, READ_DIR = 1 << 0, 1 << 2, 1 << 3
READ = EXECUTE | READ_FILE | READ_DIR
OF_FILES = EXECUTE | READ_FILE | 1 << 1 | 1 << 14  # what a rule about a file may name
# All of the first version; moving between folders came with the second, truncating with the third.
RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1}


class _Rule(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def can_confine() -> bool:
    """Whether this system can do it."""
    return sys.platform == "linux" and _call(CREATE, None, 0, ABI) >= 1


def confine(read: Iterable[str], write: Iterable[str]) -> None:
    """From here on this process, and what it starts, reads and writes only in these folders.

    Raises OSError where the system refuses.
    """
    rights = RIGHTS[max(1, min(3, _call(CREATE, None, 0, ABI)))]
    handled = ctypes.c_uint64(rights)
    rules = _checked(_call(CREATE, ctypes.byref(handled), ctypes.sizeof(handled), 0))
    for allowed, paths in ((READ, read), (rights, write)):
        for path in filter(os.path.exists, paths):
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            most = allowed & rights if os.path.isdir(path) else allowed & rights & OF_FILES
            _checked(_call(ADD, rules, BENEATH, ctypes.byref(_Rule(most, place)), 0))
            os.close(place)
    _checked(ctypes.CDLL(None, use_errno=True).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(_call(RESTRICT, rules, 0))


def _call(number: int, *arguments: object) -> int:
    call = ctypes.CDLL(None, use_errno=True).syscall
    return int(call(ctypes.c_long(number), *arguments))


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"the system does not confine the process: {os.strerror(code)}")
    return result


if __name__ == "__main__":
    settings = json.loads(sys.argv[1])
    confine(settings["read"], settings["write"])
    os.execv(sys.argv[2], sys.argv[2:])
