"""Paper 5, Szadkowski, Drchal and Faigl (2019): its claims, in `claims`, and readings of it.

Its scenarios are `repro.scenarios.SCENARIOS`, its networks `repro.networks.MNIST`.
"""

__all__: list[str] = []
