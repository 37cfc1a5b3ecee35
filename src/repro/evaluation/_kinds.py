"""Which implementation of `Runner` belongs to which kind of learner."""

from __future__ import annotations

from typing import Any

from repro.evaluation._compiled import CompiledRunner
from repro.evaluation._foreign import ForeignRunner
from repro.evaluation._optimal import OptimalRunner
from repro.evaluation._runner import Runner
from repro.evaluation._temporal import TemporalRunner
from repro.interop.adapting import check_learner
from repro.learners.baselines import BayesOptimal
from repro.learners.learner import Learner
from repro.learners.temporal import Temporal

__all__ = ["runner_of"]


def runner_of(learner: Any) -> Runner:
    """The runner of `learner`; raises TypeError for an object that evaluation cannot run."""
    check_learner(learner)
    if isinstance(learner, BayesOptimal):
        return OptimalRunner(learner)
    if isinstance(learner, Temporal):
        return TemporalRunner(learner, runner_of(learner.base))
    if isinstance(learner, Learner):
        return CompiledRunner(learner)
    return ForeignRunner(learner)
