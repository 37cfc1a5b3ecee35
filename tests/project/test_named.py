"""What has names: the testbed, the scenarios, the networks' settings."""

import pickle
import re

import pytest

from repro import TESTBED, networks, scenarios

every_mapping = pytest.mark.parametrize(
    "named", [TESTBED, scenarios.SCENARIOS, networks.MNIST, networks.DIGITS]
)


@every_mapping
def test_an_unknown_name_is_told_which_there_are(named):
    for name in ("nope", 3, [], None):
        with pytest.raises(
            KeyError, match=rf"one of {', '.join(named)}; got {re.escape(repr(name))}"
        ):
            named[name]
    assert "nope" not in named
    assert named.get("nope") is None


@every_mapping
def test_it_shows_its_names_and_keeps_what_it_has(named):
    assert repr(named) == f"<{', '.join(named)}>"
    with pytest.raises(TypeError, match="does not support item assignment"):
        named["other"] = 1
    again = pickle.loads(pickle.dumps(named))
    assert dict(again) == dict(named)
    assert named | {"x": 1} == {**named, "x": 1}


@every_mapping
def test_it_joins_another_mapping_from_both_sides_and_the_right_one_wins(named):
    first = next(iter(named))
    other = {"x": 1, first: 2}
    assert other | named == {**other, **named}
    assert list(other | named) == ["x", first, *list(named)[1:]]
    assert named | other == {**named, **other}
    assert named | named == dict(named)
    for wrong in ([], 3, None):
        with pytest.raises(TypeError):
            wrong | named
