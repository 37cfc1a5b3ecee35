"""The four basic scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from repro.scenarios.base_set import BaseSet
from repro.scenarios.scenario import Scenario

__all__ = ["SCENARIOS"]

# Presented in the first task only, and in the second only; then the further base sets.
_C10, _C02 = BaseSet((1, 0)), BaseSet((0, 2))
_C01, _C21, _C12 = BaseSet((0, 1)), BaseSet((2, 1)), BaseSet((1, 2))

#: ADD, EXP, INC and SEP of Szadkowski, Drchal and Faigl (Table 1), by name.
SCENARIOS: Mapping[str, Scenario] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            Scenario((_C10, _C02), "ADD", "Adding a new class"),
            Scenario((_C10, _C02, _C01), "EXP", "Expanding a class"),
            Scenario((_C10, _C02, _C21), "INC", "Untraining a class"),
            Scenario((_C10, _C02, _C12), "SEP", "Untraining part of a class"),
        )
    }
)
