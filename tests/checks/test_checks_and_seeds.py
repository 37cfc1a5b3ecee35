"""Each check names the argument, the rule and the value; seeds depend on names."""

from __future__ import annotations

import pickle
import re
import zlib
from dataclasses import FrozenInstanceError, dataclass
from fractions import Fraction

import numpy as np
import pytest

from repro import seeds
from repro._checks import (
    as_labels,
    as_losses,
    as_matrix,
    as_number,
    check_choice,
    check_count,
    check_fraction,
    check_inside,
    check_number,
    check_probability,
    check_rng,
    settle,
)

ENCODE = " (encode others with np.unique)"

REFUSED = {
    # a sequence of losses
    "no loss": (lambda: as_losses([]), "loss must be a non-empty 1-d array; got shape (0,)"),
    "table": (lambda: as_losses([[1]]), "loss must be a non-empty 1-d array; got shape (1, 1)"),
    "one number": (lambda: as_losses(1.0), "loss must be a non-empty 1-d array; got shape ()"),
    "text": (lambda: as_losses(["a"]), "loss must hold numbers; got dtype ['a']"),
    "nan": (lambda: as_losses([0, 1, np.nan]), "loss must be finite; got nan at index 2"),
    "inf": (lambda: as_losses([0, -np.inf]), "loss must be finite; got -inf at index 1"),
    "infs": (lambda: as_losses([np.inf, -np.inf]), "loss must be finite; got inf at index 0"),
    "named": (lambda: as_losses([], name="x"), "x must be a non-empty 1-d array; got shape (0,)"),
    # a table of examples
    "words": (lambda: as_matrix([["a"]]), "X must hold numbers; got dtype ['a']"),
    "ragged": (lambda: as_matrix([[1, 2], [3]]), "X must hold numbers; got dtype [[1, 2]]"),
    "list": (lambda: as_matrix([1, 2]), "X must have shape (n, d) with n, d >= 1; got (2,)"),
    "no row": (
        lambda: as_matrix(np.empty((0, 3))),
        "X must have shape (n, d) with n, d >= 1; got (0, 3)",
    ),
    "no column": (
        lambda: as_matrix(np.empty((3, 0)), name="Z"),
        "Z must have shape (n, d) with n, d >= 1; got (3, 0)",
    ),
    "hole": (
        lambda: as_matrix([[0, 0], [0, np.nan]]),
        "X must be finite; got nan in row 1, column 1",
    ),
    "endless": (
        lambda: as_matrix([[0, 0], [np.inf, np.nan]]),
        "X must be finite; got inf in row 1, column 0",
    ),
    # labels
    "no label": (lambda: as_labels([]), "y must be a non-empty 1-d array; got shape (0,)"),
    "label table": (lambda: as_labels([[0]]), "y must be a non-empty 1-d array; got shape (1, 1)"),
    "strings": (
        lambda: as_labels(["spam", "ham"]),
        f"y must hold integer labels 0..K-1{ENCODE}; got 'spam' at index 0",
    ),
    "objects": (
        lambda: as_labels(np.array([None, 1])),
        f"y must hold integer labels 0..K-1{ENCODE}; got None at index 0",
    ),
    "complex": (
        lambda: as_labels([1j]),
        f"y must hold integer labels 0..K-1{ENCODE}; got 1j at index 0",
    ),
    "negative": (
        lambda: as_labels([0, 1, -1]),
        f"y must hold integer labels 0..K-1{ENCODE}; got -1 at index 2",
    ),
    "fractional": (
        lambda: as_labels([0, 0.5]),
        f"y must hold integer labels 0..K-1{ENCODE}; got 0.5 at index 1",
    ),
    "label nan": (
        lambda: as_labels([0, np.nan]),
        f"y must hold integer labels 0..K-1{ENCODE}; got nan at index 1",
    ),
    "label inf": (
        lambda: as_labels([0, np.inf]),
        f"y must hold integer labels 0..K-1{ENCODE}; got inf at index 1",
    ),
    "beyond integers": (
        lambda: as_labels([0, 1e300]),
        f"y must hold integer labels 0..K-1{ENCODE}; got 1e+300 at index 1",
    ),
    "a class too many": (
        lambda: as_labels([0, 1, 2], n_classes=2, name="labels"),
        f"labels must hold integer labels 0..1{ENCODE}; got 2 at index 2",
    ),
    # numbers
    **{
        f"fraction {value!r}": (
            lambda value=value: check_fraction(value, name="alpha"),
            f"alpha must lie in (0, 1]; got {value!r}",
        )
        for value in (0, 0.0, -0.1, 1.5, float("nan"), float("inf"), "a", None, True)
    },
    **{
        f"count {value!r}": (
            lambda value=value: check_count(value, name="window"),
            f"window must be a whole number >= 1; got {value!r}",
        )
        for value in (0, -1, 1.0, 2.5, "3", None, True)
    },
    "count from 0": (
        lambda: check_count(-1, name="seed", least=0),
        "seed must be a whole number >= 0; got -1",
    ),
    **{
        f"number {value!r}": (
            lambda value=value: check_number(value, name="delta"),
            f"delta must be finite; got {value!r}",
        )
        for value in (float("nan"), float("inf"), "1", None, False)
    },
    "number too low": (
        lambda: check_number(-0.1, name="l2", least=0),
        "l2 must be finite and >= 0; got -0.1",
    ),
    "number on the edge": (
        lambda: check_number(0, name="rate", above=0),
        "rate must be finite and > 0; got 0",
    ),
    "number nan with edge": (
        lambda: check_number(np.nan, name="rate", least=1, above=0),
        "rate must be finite and >= 1 and > 0; got nan",
    ),
    "choice": (
        lambda: check_choice("c", ("a", "b"), name="leaf"),
        "leaf must be one of a, b; got 'c'",
    ),
    **{
        f"inside {value!r}": (
            lambda value=value: check_inside(value, name="level"),
            f"level must lie in (0, 1); got {value!r}",
        )
        for value in (0, 1, -0.1, 1.5, float("nan"), "a", None, True)
    },
    **{
        f"probability {value!r}": (
            lambda value=value: check_probability(value, name="p"),
            f"p must lie in [0, 1]; got {value!r}",
        )
        for value in (-0.1, 1.5, float("nan"), "a", None, False)
    },
    "count too high": (
        lambda: check_count(2**63, name="n", most=100),
        "n must be at most 100; got 9223372036854775808",
    ),
    "endless count": (
        lambda: check_count(10**5000, name="n", most=100),
        "n must be at most 100; got a value of type int",
    ),
    "endless number": (
        lambda: check_number(10**400, name="x"),
        f"x must be finite; got {str(10**400)[:80]} ...",
    ),
    "number below a fraction": (
        lambda: check_number(0, name="x", least=Fraction(1, 2)),
        "x must be finite and >= 0.5; got 0",
    ),
    "no text": (
        lambda: check_choice([1], ("a", "b"), name="leaf"),
        "leaf must be one of a, b; got [1]",
    ),
    "an array": (
        lambda: check_choice(np.zeros(2), ("a", "b"), name="leaf"),
        "leaf must be one of a, b; got array([0., 0.])",
    ),
    "no generator": (lambda: check_rng(5), "rng must be a numpy.random.Generator; got 5"),
    "one text": (lambda: as_number("1", name="x"), "x must be a number; got '1'"),
    "one nan": (
        lambda: as_number(np.float16("nan"), name="x"),
        "x must be finite; got np.float16(nan)",
    ),
    "one list": (lambda: as_number([1], name="x"), "x must be a number; got [1]"),
    "digits": (lambda: as_losses(["3"]), "loss must hold numbers; got dtype ['3']"),
    "imaginary": (lambda: as_losses(np.array([1j])), "loss must hold numbers; got dtype [1j]"),
    "dates": (
        lambda: as_losses(np.array(["2020"], "M8[Y]")),
        "loss must hold numbers; got dtype [datetime.date(2020, 1, 1)]",
    ),
    "dictionary": (lambda: as_losses({"a": 1}), "loss must hold numbers; got dtype [{'a': 1}]"),
    "too large": (
        lambda: as_losses([10**400]),
        f"loss must hold numbers; got dtype [{str(10**400)[:79]} ...",
    ),
    "shapes": (
        lambda: as_losses([np.zeros((2, 2)), np.zeros((2, 3))]),
        "loss must hold numbers; got dtype [[array([[0., 0.], [0., 0.]]), "
        "array([[0., 0., 0.], [0., 0., 0.]])]]",
    ),
    "ragged labels": (
        lambda: as_labels([[1, 2], [3]]),
        "y must be a non-empty 1-d array; got dtype [[1, 2]]",
    ),
    # seeds
    "seed": (lambda: seeds.generator(-1), "seed must be a whole number >= 0; got -1"),
    "float seed": (lambda: seeds.integer(1.5), "seed must be a whole number >= 0; got 1.5"),
    "no children": (lambda: seeds.spawn(0, 0), "n must be a whole number >= 1; got 0"),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_the_argument_the_rule_and_the_value(call, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (as_losses([True, False]), np.array([1.0, 0.0])),
        (as_losses((1,)), np.array([1.0])),
        (as_matrix([[1, 2]]), np.array([[1.0, 2.0]])),
        (as_matrix(np.asfortranarray(np.eye(3)[:, ::2])), np.eye(3)[:, ::2]),
        (as_labels([2.0, 0.0]), np.array([2, 0])),
        (as_labels([True, False]), np.array([1, 0])),
        (as_labels(np.array([1, 0], np.uint8), n_classes=5), np.array([1, 0])),
    ],
)
def test_accepted_sequences_are_returned_as_contiguous_arrays(got, expected):
    np.testing.assert_array_equal(got, expected)
    assert got.dtype == expected.dtype
    assert got.flags.c_contiguous


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (check_fraction(1, name="alpha"), 1.0),
        (check_fraction(np.float32(0.5), name="alpha"), 0.5),
        (check_count(np.int64(3), name="n"), 3),
        (check_count(np.uint8(3), name="n", most=3), 3),
        (check_inside(Fraction(1, 4), name="level"), 0.25),
        (check_probability(1, name="p"), 1.0),
        (check_probability(np.float16(0), name="p"), 0.0),
        (as_number(np.bool_(True), name="x"), 1.0),
        (as_number(np.float16(0.5), name="x"), 0.5),
        (as_number(np.array(3), name="x"), 3.0),
        (as_number(Fraction(1, 2), name="x"), 0.5),
        (check_count(0, name="n", least=0), 0),
        (check_number(np.int8(-3), name="x"), -3.0),
        (check_number(0, name="x", least=0), 0.0),
        (check_choice("a", iter("ab"), name="x"), "a"),
    ],
)
def test_accepted_numbers_are_returned_as_python_numbers(got, expected):
    assert got == expected
    assert type(got) is type(expected)


@dataclass(frozen=True)
class Window:
    length: int
    name: str = ""

    def __post_init__(self) -> None:
        settle(self, length=check_count(self.length, name="length"), name=self.name or "window")


def test_a_settled_dataclass_is_the_one_made_of_the_checked_values():
    """In its text, equality, hash, copy and type of fields; and it stays frozen."""
    made, plain = Window(np.int8(5)), Window(length=5, name="window")
    assert (repr(made), made, hash(made)) == (repr(plain), plain, hash(plain))
    assert type(made.length) is int
    assert pickle.loads(pickle.dumps(made)) == made
    with pytest.raises(FrozenInstanceError):
        made.length = 6  # type: ignore[misc]


def test_settle_refuses_a_name_that_is_no_field_and_sets_nothing():
    window = Window(5)
    message = r"Window must be given fields \(length, name\); got size"
    with pytest.raises(TypeError, match=message):
        settle(window, length=6, size=7)
    assert window.length == 5
    assert settle(window, length=6) is window
    assert window.length == 6


def draws(rng: np.random.Generator, n: int = 4000) -> np.ndarray:
    return rng.standard_normal(n)


def test_named_and_spawned_generators_and_the_bare_integers_are_uncorrelated():
    """Every pair of 4000 normal numbers correlates by less than 5 / sqrt(4000)."""
    parts = [
        seeds.generator(7, "a"),
        seeds.generator(8, "a"),
        seeds.generator(7, "b"),
        seeds.generator(7, "a", "b"),
        seeds.generator(7, "b", "a"),
        seeds.generator(7, "ab"),
        *seeds.spawn(7, 3),
        *seeds.spawn(8, 2),
        np.random.default_rng(7),  # the generator of a model with the same integer
    ]
    correlation = np.corrcoef([draws(part) for part in parts])
    off = correlation[~np.eye(len(correlation), dtype=bool)]
    assert np.abs(off).max() < 5 / np.sqrt(4000)


def test_names_with_equal_checksums_get_different_seeds():
    assert zlib.crc32(b"plumless") == zlib.crc32(b"buckeroo")
    assert (draws(seeds.generator(0, "plumless")) != draws(seeds.generator(0, "buckeroo"))).all()
