"""What stands at the top of a run that is not the paper's."""

from dataclasses import replace
from pathlib import Path

import pytest

from repro.runner.job import find, prepare
from repro.runner.outputs import with_front

ROOT = Path(__file__).resolve().parents[2]
TEXT = {"cell_type": "markdown", "id": "a", "metadata": {}, "source": "A text."}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({}, "> **Not the run of the paper**: profile `mine`. Fewer"),
        (
            {"n": 5, "a": "b"},
            "> **Not the run of the paper**: profile `mine`, with `a = 'b'`, `n = 5`. ",
        ),
    ],
)
def test_a_run_that_is_not_the_papers_says_so_once(changed, says, tmp_path):
    job = replace(prepare(find("01_testbed", ROOT), "quick", {}), profile="mine", changed=changed)
    executed = job.notebook.with_content(job.notebook.content | {"cells": [TEXT]})
    for _ in range(2):  # also where a copy that has the banner runs again
        executed = with_front(job, executed, tmp_path)
        banner, *others = executed.cells
        assert banner["source"].startswith(says)
        assert others == [TEXT]


def test_the_run_of_the_paper_has_no_banner(tmp_path):
    job = prepare(find("01_testbed", ROOT), "paper", {})
    executed = job.notebook.with_content(job.notebook.content | {"cells": [TEXT]})
    assert with_front(job, executed, tmp_path).cells == [TEXT]
