"""Paper 5, Szadkowski, Drchal and Faigl (2019): its claims, in `claims`.

Notebook 06 still judges them in its own cells; it will call these when it is run again.
Its scenarios are `repro.scenarios.SCENARIOS`, its networks `repro.networks.MNIST`.
"""

__all__: list[str] = []
