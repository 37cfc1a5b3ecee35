"""Scenarios of incremental classification: what to keep, to learn and to relabel in each task.

>>> [(name, scenario.base_set_names) for name, scenario in SCENARIOS.items()][-1]
('SEP', ('C10', 'C02', 'C12'))
"""

from repro.scenarios.base_set import BaseSet
from repro.scenarios.enumeration import EnumerationStep, enumerate_scenarios
from repro.scenarios.scenario import SCENARIOS, Scenario
from repro.scenarios.tasks import Tasks

__all__ = [
    "SCENARIOS",
    "BaseSet",
    "EnumerationStep",
    "Scenario",
    "Tasks",
    "enumerate_scenarios",
]
