"""One class of a drifting mixture."""

from __future__ import annotations

from dataclasses import dataclass

from repro._checks import as_list, check_number, check_text, settle
from repro.streams.component import Component

__all__ = ["MixtureClass"]


@dataclass(frozen=True)
class MixtureClass:
    """One class of a mixture.

    Parameters
    ----------
    name : name of the class.
    components : its Gaussian components, at least one.
    weight : weight of the class among all classes.

    Raises TypeError for an argument of the wrong kind, ValueError for a wrong value.
    """

    name: str
    components: tuple[Component, ...]
    weight: float = 1.0

    def __post_init__(self) -> None:
        rule = "a list of Components"
        settle(
            self,
            name=check_text(self.name, name="name"),
            components=tuple(as_list(self.components, Component, name="components", rule=rule)),
            weight=check_number(self.weight, name="weight", least=0),
        )
        if not self.components:
            raise ValueError(f"components must hold at least one component; got () in {self.name}")
