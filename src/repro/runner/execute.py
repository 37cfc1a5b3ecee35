"""Execution of one notebook with papermill, in a separate kernel; failures in one line."""

from __future__ import annotations

import importlib.util
import json
import logging
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from repro._folders import install_command, python
from repro._sockets import private_sockets
from repro.runner import notebook as nb
from repro.runner.notebook import Notebook

__all__ = ["Failure", "execute", "interruptible", "uninterrupted"]

# How glibc gives memory back that threads have freed: notebook 06 would hold 0.2 GB more.
MEMORY = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "8000000",
    "MALLOC_TRIM_THRESHOLD_": "32000000",
}
KERNEL = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]


class Failure(RuntimeError):
    """A notebook did not reach its end; the message says where and why, in one line."""


def execute(
    notebook: Notebook,
    output: Path,
    parameters: Mapping[str, Any],
    *,
    environment: Mapping[str, str],
    timeout: int | None = None,
    on_cell: Callable[[int], None] = lambda count: None,
) -> Notebook:
    """Run `notebook` and return it with its outputs; raises `Failure` if it stops on the way.

    The kernel runs this interpreter with private sockets, in the notebook's folder. papermill
    takes the notebook from the disk.

    Parameters
    ----------
    notebook : the notebook to run
    output : the file that papermill writes; after a `Failure`, with the cells run so far
    parameters : values that differ from those in the parameters cell
    environment : variables for the kernel
    timeout : seconds that a cell may take; None for no limit
    on_cell : called with the number of each code cell that begins
    """
    for package in ("papermill", "ipykernel"):
        if importlib.util.find_spec(package) is None:
            how = install_command("notebooks")
            raise Failure(f"no kernel: {package} is not installed; install it with: {how}")
    started: list[int] = []

    def begin(cell: Any, cell_index: int) -> None:
        started.append(cell_index)
        on_cell(len(started))

    with _translated(started, timeout), _private_folder(environment) as folder:
        _papermill(notebook, output, dict(parameters), folder, timeout, begin)
        executed = nb.read(output)
        _check_end(executed)
    return executed


@contextmanager
def interruptible() -> Iterator[None]:
    """Turn the first SIGINT, SIGTERM or SIGHUP into KeyboardInterrupt, and ignore later ones."""
    before = _handlers()

    def stop(number: int, frame: Any) -> None:
        # The client may find its kernel dead before it stops: its log is of no use then.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    try:
        for each in before:
            signal.signal(each, stop)
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP wait until the end of the block."""
    # Not by a mask: it holds for one thread, and the system gives the signal to another.
    received: list[int] = []
    before = _handlers()
    try:
        for each in before:
            signal.signal(each, lambda number, frame: received.append(number))
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        for number in received[:1]:
            signal.raise_signal(number)


def _handlers() -> dict[int, Any]:
    """Who handles signals that end a run; none in a thread, which no signal interrupts."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    numbers = (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP"))
    before = {number: signal.getsignal(number) for number in numbers if number}
    if before.get(getattr(signal, "SIGHUP", None)) == signal.SIG_IGN:  # under nohup
        del before[signal.SIGHUP]
    return before


def _papermill(
    notebook: Notebook,
    output: Path,
    parameters: dict[str, Any],
    folder: Path,
    timeout: int | None,
    begin: Callable[..., None],
) -> None:
    import papermill
    from traitlets.config import Config

    logging.getLogger("papermill").addHandler(logging.NullHandler())
    papermill.execute_notebook(
        notebook.path,
        output,
        parameters,
        kernel_name=notebook.metadata.get("kernelspec", {}).get("name", "python3"),
        language="python",
        progress_bar=False,
        cwd=notebook.path.parent,
        execution_timeout=timeout,
        on_cell_execute=begin,
        coalesce_streams=True,
        extra_arguments=["--log-level=CRITICAL"],
        config=Config({"KernelManager": private_sockets(folder)}),
    )


@contextmanager
def _private_folder(environment: Mapping[str, str]) -> Iterator[Path]:
    """A temporary folder with a kernel of this interpreter, and the variables it inherits.

    The user's start-up files and kernels are not used, and figures appear in the notebook
    whatever `MPLBACKEND` is set to.
    """
    with tempfile.TemporaryDirectory(prefix="repro-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        kernel = folder / "kernels" / "python3" / "kernel.json"
        kernel.parent.mkdir(parents=True)
        kernel.write_text(json.dumps({"argv": KERNEL, "display_name": "Python 3"}))
        inherited = os.environ.get("JUPYTER_PATH")
        ours = {
            "JUPYTER_PATH": os.pathsep.join([name, inherited] if inherited else [name]),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "IPYTHONDIR": str(folder / "ipython"),
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
            "PYTHONHASHSEED": "0",
            "REPRO_PROGRESS": "0",
        }
        before = dict(os.environ)
        os.environ.update(MEMORY | before | ours | dict(environment))
        try:
            yield folder
        finally:
            os.environ.clear()
            os.environ.update(before)


@contextmanager
def _translated(started: list[int], timeout: int | None) -> Iterator[None]:
    """Turn exceptions of papermill, its client and the kernel into a `Failure`."""
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from nbformat import ValidationError
    from papermill.exceptions import PapermillExecutionError

    try:
        yield
    except PapermillExecutionError as error:
        raise Failure(f"In[{error.exec_count}]: {_line(error.ename, error.evalue)}") from None
    except DeadKernelError:
        raise Failure(f"In[{len(started)}]: the kernel died (out of memory, or killed)") from None
    except CellTimeoutError:
        raise Failure(f"In[{len(started)}]: the cell took longer than {timeout} s") from None
    except NoSuchKernel as error:
        raise Failure(
            f"no kernel {error.name!r}; choose the kernel python3 in the notebook, or install "
            f"this one with: {python()} -m ipykernel install --sys-prefix --name {error.name}"
        ) from None
    except ValidationError as error:
        raise Failure(_line("not a valid notebook", str(error))) from None
    except RuntimeError as error:
        if started or isinstance(error, Failure):
            raise
        raise Failure(_line("the kernel did not start", str(error))) from None


def _check_end(executed: Notebook) -> None:
    """Raise `Failure` after ``sys.exit()``, which papermill takes for the end of a notebook."""
    for cell in executed.code:
        if any(entry["output_type"] == "error" for entry in cell["outputs"]):
            raise Failure(f"In[{cell['execution_count']}]: the notebook left before its end")


def _line(name: str, text: str) -> str:
    first = text.strip().splitlines()[:1]
    return f"{name}: {first[0]}" if first else name
