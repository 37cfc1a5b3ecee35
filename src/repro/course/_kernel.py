"""How nbgrader grades here: the student's code runs in its kernel, the tests run apart from it.

A course folder's settings name the two steps, so `nbgrader autograde` and formgrader take them too.
"""

from __future__ import annotations

import copy
import json
import time
from ast import literal_eval
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from jupyter_core.utils import run_sync
from nbclient.exceptions import DeadKernelError
from nbclient.util import ensure_async
from nbgrader.preprocessors import Execute, NbGraderPreprocessor
from nbgrader.utils import is_grade

from repro import _folders
from repro.course import _exchange
from repro.course._cells import PLACEHOLDER, TEST, read_notebook
from repro.course._confined_kernel import ConfinedKernel
from repro.course._examiner import Examiner, Fault
from repro.course._restore import restored
from repro.course.sheets import student_of

__all__ = ["Examine", "Restore"]

MOST_DEATHS = 5  # of the kernels of one notebook; then the rest of it gets no points
PATIENCE = 10  # seconds for an interrupt to be heard


class Restore(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader has no types
    """Make what was handed in a notebook with the tests of the released sheet."""

    def preprocess(self, nb: Any, resources: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """See `restored`."""
        blank = read_notebook(_notebook_in("release", resources))
        return nbformat.from_dict(restored(nb, blank)), resources  # type: ignore[no-untyped-call]


class Examine(Execute):  # type: ignore[misc]
    """Run the student's cells in a kernel, and the tests of the sheet in this process.

    The kernel never has the hidden tests: they ask it for the answers one by one. When a cell kills
    the kernel, a new one runs the cells before it again, and then goes on after it.
    """

    def preprocess(self, nb: Any, resources: dict[str, Any], km: Any = None) -> tuple[Any, Any]:
        """Run all cells; the outputs of a test say what is wrong."""
        self._ran: list[tuple[int, Any]] = []
        self.kernel_manager_class = ConfinedKernel
        self._deaths = 0
        sheet = read_notebook(_notebook_in("source", resources))
        written = student_of(nb) or PLACEHOLDER
        self._examiner = Examiner(sheet, "nobody" if written == PLACEHOLDER else written)
        with TemporaryDirectory(ignore_cleanup_errors=True) as home:
            self._home, self._course = home, _course(resources)
            return super().preprocess(nb, resources, km)

    def create_kernel_manager(self) -> Any:
        """A kernel with a folder of its own."""
        manager = super().create_kernel_manager()
        sheets = [root / "notebooks"] if (root := _folders.checkout()) else []
        manager.home, manager.hidden = self._home, [self._course, *sheets]
        return manager

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Run a cell, or examine an answer."""
        if cell.cell_type != "code":
            return cell, resources
        if is_grade(cell):
            self._examine(cell)
        elif self._deaths > MOST_DEATHS:
            cell.outputs = [_error("DeadKernelError", "not run: its kernel has died too often")]
        else:
            self._execute(cell, resources, index)
        return cell, resources

    def _execute(self, cell: Any, resources: Any, index: int) -> None:
        """Run a cell of the student's in the kernel, and revive the kernel if that kills it."""
        try:
            super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            cell.outputs = [_error("DeadKernelError", "this cell has ended the kernel")]
            self._revive()
        else:
            if not any(out.get("ename") == "CellTimeoutError" for out in cell.outputs):
                self._ran.append((index, cell))

    def _examine(self, cell: Any) -> None:
        """Replace the outputs of a test by what it says of the answer."""
        answers = _Answers(self)
        if self._deaths > MOST_DEATHS:
            fault = Fault("DeadKernelError", "not examined: the kernel has died too often")
        else:
            fault = self._examiner.fault(
                cell.metadata.nbgrader.grade_id.removesuffix(TEST), answers
            )
        cell.outputs = list(_outputs(fault, cell.metadata.nbgrader.points))
        if answers.died:
            self._revive()

    def ask(self, expression: str) -> str:
        """The value of `expression`, a text, in the student's kernel.

        Raises TimeoutError after the time of a cell, `DeadKernelError` if the kernel has died, and
        ValueError for what is no text.
        """
        found = run_sync(self._ask)(expression)
        if found.get("status") != "ok":
            raise ValueError(f"{found.get('ename')}: {found.get('evalue')}")
        text = literal_eval(found["data"]["text/plain"])
        if not isinstance(text, str):
            raise ValueError("the kernel did not reply with a text")
        return text

    async def _ask(self, expression: str) -> dict[str, Any]:
        until = time.monotonic() + self.timeout
        sent = await ensure_async(
            self.kc.execute("", silent=True, user_expressions={"answer": expression})
        )
        interrupted = False
        while True:
            if not await ensure_async(self.km.is_alive()):
                raise DeadKernelError("the kernel has ended")
            if time.monotonic() > until:
                if interrupted:
                    await ensure_async(self.km.shutdown_kernel(now=True))
                    raise DeadKernelError("the kernel does not answer")
                interrupted = True
                until = time.monotonic() + PATIENCE
                await ensure_async(self.km.interrupt_kernel())
            try:
                message = await ensure_async(self.kc.get_shell_msg(timeout=1))
            except Empty:  # nothing came in this second
                continue
            if message["parent_header"].get("msg_id") == sent:
                if interrupted:
                    raise TimeoutError(f"stopped after {self.timeout} s")
                return dict(message["content"].get("user_expressions", {}).get("answer", {}))

    def _revive(self) -> None:
        """Start a new kernel and run again what has run in the old one."""
        self._deaths += 1
        if self._deaths > MOST_DEATHS:
            return
        run_sync(self._start_anew)()
        again, self._ran = self._ran, []
        for index, cell in again:
            self._execute(copy.deepcopy(cell), {}, index)
            self.nb.cells[index] = cell  # with the outputs of the first time

    async def _start_anew(self) -> None:
        await self._async_cleanup_kernel()
        self.create_kernel_manager()
        await self.async_start_new_kernel()
        await self.async_start_new_kernel_client()


class _Answers(Mapping[str, Any]):
    """The names of a student's notebook, asked for in its kernel."""

    def __init__(self, kernel: Examine) -> None:
        self._kernel = kernel
        self.died = False

    def __contains__(self, name: object) -> bool:
        return self._reply("value_of", str(name)).kind != "missing"

    def __getitem__(self, name: str) -> Any:
        reply = self._reply("value_of", name)
        if reply.kind == "missing":
            raise KeyError(name)
        if reply.kind == "raised":
            raise ValueError(f"{name} cannot be read: {reply.error}: {reply.value}")
        is_function = isinstance(reply.value, _exchange.Other) and reply.value.is_function
        return _Call(self, name, reply.value) if is_function else reply.value

    def __iter__(self) -> Iterator[str]:
        raise TypeError("the names of a kernel are asked for one by one")

    def __len__(self) -> int:
        raise TypeError("the names of a kernel are asked for one by one")

    def call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        """What the student's function returns; what it raises has the type's name as its class."""
        sent = json.dumps(_exchange.encode(arguments))
        reply = self._reply("result_of", name, sent)
        if reply.kind == "raised":
            raise type(reply.error, (Exception,), {})(reply.value)
        return reply.value

    def _reply(self, how: str, *arguments: str) -> _exchange.Reply:
        if self.died:
            raise DeadKernelError("the kernel has ended")
        module = f"__import__({_exchange.__name__!r}, fromlist=['encode'])"
        given = ", ".join(["globals()", *map(repr, arguments)])
        try:
            return _exchange.read_reply(self._kernel.ask(f"{module}.{how}({given})"))
        except DeadKernelError:
            self.died = True
            raise


class _Call:
    """A student's function, called in its kernel."""

    def __init__(self, answers: _Answers, name: str, function: _exchange.Other) -> None:
        self._answers, self._name, self._function = answers, name, function

    def __call__(self, *arguments: Any) -> Any:
        return self._answers.call(self._name, arguments)

    def __repr__(self) -> str:
        return repr(self._function)


def _outputs(fault: Fault, most: float) -> Iterator[Any]:
    """What nbgrader reads the points from: a number for a part of them, an error for none."""
    new, points = nbformat.v4.new_output, fault.points(most)
    if fault.kind and points:
        yield new("execute_result", {"text/plain": str(points)}, execution_count=1)  # type: ignore[no-untyped-call]
        yield new("stream", name="stdout", text=f"{points} of {most} points. {fault.text}\n")  # type: ignore[no-untyped-call]
    elif fault.kind:
        yield _error(fault.kind, fault.text)


def _error(kind: str, text: str) -> Any:
    """The output of a cell that raised: the message, without the lines of the test."""
    text = text or kind
    said = {"ename": kind, "evalue": text, "traceback": [f"{kind}: {text}"]}
    return nbformat.v4.new_output("error", **said)  # type: ignore[no-untyped-call]


def _notebook_in(kind: str, resources: Mapping[str, Any]) -> Path:
    """The file of the sheet in the folder `kind` of the course that is being graded."""
    sheet = resources["nbgrader"]["assignment"]
    return _course(resources) / kind / sheet / f"{sheet}.ipynb"


def _course(resources: Mapping[str, Any]) -> Path:
    """The course folder, of a notebook in ``course/submitted/student/sheet``."""
    return Path(resources["metadata"]["path"]).resolve().parents[2]
