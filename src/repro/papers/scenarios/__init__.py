"""Paper 5, Szadkowski, Drchal and Faigl (2019): a reading of it, and its claims.

`setup` has a network that is read in another way; `claims` judges its sentences from the runs of
notebook 06. The scenarios are `repro.scenarios.SCENARIOS`, the networks `repro.networks.MNIST`.
"""

from repro.papers.scenarios.setup import ForgetfulSNG

__all__ = ["ForgetfulSNG"]
