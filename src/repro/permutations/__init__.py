"""Controlled permutations of a stream: index arrays, their distances, and what to expect of them.

Žliobaitė (2014), Controlled permutations for testing adaptive learning models, Knowledge and
Information Systems 39, 565-578.
"""

from repro.permutations.agreement import kendall_w, rank_disagreement, rankings, switch_probability
from repro.permutations.distances import distances, neighbor_distance, total_neighbor_distance
from repro.permutations.expected import expected_neighbor_distance, printed_neighbor_distance
from repro.permutations.mallows import expected_kendall, mallows_permutation
from repro.permutations.orders import (
    interleaved_parts,
    random_permutation,
    shape_permutation,
    speed_permutation,
    time_permutation,
)
from repro.permutations.rejection import rejection_rates
from repro.permutations.significance import (
    DifferenceTest,
    block_errors,
    block_test,
    crossed_test,
    paired_test,
)
from repro.permutations.strength import strength_for
from repro.permutations.summarize import PermutationStudy, summarize

__all__ = [
    "DifferenceTest",
    "PermutationStudy",
    "block_errors",
    "block_test",
    "crossed_test",
    "distances",
    "expected_kendall",
    "expected_neighbor_distance",
    "interleaved_parts",
    "kendall_w",
    "mallows_permutation",
    "neighbor_distance",
    "paired_test",
    "printed_neighbor_distance",
    "random_permutation",
    "rank_disagreement",
    "rankings",
    "rejection_rates",
    "shape_permutation",
    "speed_permutation",
    "strength_for",
    "summarize",
    "switch_probability",
    "time_permutation",
    "total_neighbor_distance",
]
