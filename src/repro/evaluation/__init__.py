"""Evaluation: a learner along a stream, test-then-train or with a holdout, and sweeps of both."""

from repro.evaluation.holdout import Holdout, holdout
from repro.evaluation.prequential import Run, prequential
from repro.evaluation.repeated import repeated_errors
from repro.evaluation.scenario import ScenarioRun, evaluate_scenario
from repro.evaluation.scenario_runs import ScenarioKey, evaluate_scenarios
from repro.evaluation.sweep import sweep

__all__ = [
    "Holdout",
    "Run",
    "ScenarioKey",
    "ScenarioRun",
    "evaluate_scenario",
    "evaluate_scenarios",
    "holdout",
    "prequential",
    "repeated_errors",
    "sweep",
]
