"""One integer, many independent generators."""

from __future__ import annotations

import numpy as np
import pytest

from repro import seeds


def first(rng: np.random.Generator) -> float:
    return float(rng.random())


def test_the_same_seed_and_name_give_the_same_numbers_after_other_draws():
    alone = first(seeds.generator(3, "stream"))
    seeds.generator(3, "learner").random(100)
    assert first(seeds.generator(3, "stream")) == alone


def test_seeds_names_and_their_order_give_different_numbers():
    asked = [(0,), (1,), (0, "a"), (0, "b"), (0, "a", "b"), (0, "b", "a"), (0, "ab")]
    numbers = {first(seeds.generator(*arguments)) for arguments in asked}
    assert len(numbers) == len(asked)


def test_spawned_generators_are_independent_of_each_other():
    draws = np.array([rng.standard_normal(20_000) for rng in seeds.spawn(5, 3)])
    correlations = np.corrcoef(draws)[np.triu_indices(3, 1)]
    assert np.abs(correlations).max() < 5 / np.sqrt(20_000)


def test_spawning_more_generators_does_not_change_the_first():
    assert [first(rng) for rng in seeds.spawn(5, 2)] == [first(r) for r in seeds.spawn(5, 9)[:2]]


def test_an_integer_fits_63_bits_and_is_fixed():
    numbers = [seeds.integer(seed, "learner") for seed in range(50)]
    assert len(set(numbers)) == 50
    assert all(0 <= number < 2**63 for number in numbers)
    assert numbers == [seeds.integer(seed, "learner") for seed in range(50)]


@pytest.mark.parametrize("seed", [-1, 1.5, None, True])
def test_a_seed_must_be_a_count(seed):
    with pytest.raises(ValueError, match="seed must be a whole number >= 0; got"):
        seeds.generator(seed)
