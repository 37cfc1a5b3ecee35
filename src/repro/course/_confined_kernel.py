"""The kernel of a student's notebook, which finds neither hidden tests nor the work of others."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jupyter_client.manager import AsyncKernelManager

from repro import _folders
from repro._sockets import private_sockets
from repro.course import _confine
from repro.course._confine import can_confine

__all__ = ["ConfinedKernel"]

# What Python, its packages and their compiled parts read of a Linux system.
SYSTEM = ("/bin", "/etc", "/lib", "/lib64", "/proc", "/sys", "/usr")
DEVICES = ("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero")  # no disk among them
PACKAGES = ("site-packages", "dist-packages")


class ConfinedKernel(AsyncKernelManager):
    """A kernel that reads Python and this package, and writes into its own folder only.

    So a student's code finds no hidden test and no other submission, and leaves nothing behind.
    Where the system cannot do that (`can_confine`), the kernel is like any other.
    """

    home = ""  # the folder of this notebook
    hidden: Sequence[Path] = ()  # no folder that may be read has one of these inside

    async def start_kernel(self, **how: Any) -> None:  # type: ignore[override]
        """Start it in its folder, with a copy of the compiled kernels: it may add to that.

        Its sockets are there too, since of two kernels that start at once one may find its port
        taken, and a student would have no points.
        """
        for name, value in private_sockets(Path(self.home)).items():
            setattr(self, name, value)
        base = Path(os.environ.get("NUMBA_CACHE_DIR") or _folders.cache())
        for folder in base.glob("kernels-*"):
            copy_here = Path(self.home, folder.name)
            shutil.copytree(folder, copy_here, dirs_exist_ok=True)
        names = ("TMPDIR", "IPYTHONDIR", "REPRO_CACHE", "NUMBA_CACHE_DIR")
        environment = {**os.environ, **dict.fromkeys(names, self.home)}
        await self._async_start_kernel(**how | {"cwd": self.home, "env": environment})

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        """The command of the kernel, after one that confines it."""
        command: list[str] = super().format_kernel_cmd(extra_arguments)
        if not can_confine():
            return command
        places = [sys.prefix, sys.base_prefix, *(p for p in sys.path if Path(p).name in PACKAGES)]
        places += [str(Path(_folders.__file__).parents[1]), self.connection_file]
        for name, folder in (("XDG_CACHE_HOME", ".cache"), ("XDG_CONFIG_HOME", ".config")):
            base = os.environ.get(name) or Path.home() / folder
            places.append(str(Path(base, "matplotlib")))  # its list of fonts takes seconds to make
        read = [
            place
            for place in [*SYSTEM, *DEVICES, *places]
            if not self._shows(Path(place).resolve())
        ]
        settings = {"read": read, "write": [self.home, "/dev/null"]}
        return [sys.executable, "-I", _confine.__file__, json.dumps(settings), *command]

    def _shows(self, place: Path) -> bool:
        return any(path.is_relative_to(place) for path in self.hidden)
