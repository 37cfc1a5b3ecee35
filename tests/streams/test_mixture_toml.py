"""Mixtures in TOML files: round trips, and errors that name the field and its position."""

# ruff: noqa: E501 (one case per row: the field, its replacement, the message)

from __future__ import annotations

import numpy as np
import pytest
from opinions import second_opinion

from repro import TESTBED
from repro.streams import (
    VARIANTS,
    Component,
    DriftingMixture,
    MixtureClass,
    Transform,
    read_mixture,
    write_mixture,
)

GOOD = """
name = "two"
n = 100
[[classes]]
name = "A"
weight = 2.0
  [[classes.components]]
  mean = [0.0, 1.0]
  covariance = [2.5, 1.0]
  rotation = 45
    [[classes.components.transforms]]
    duration = 50
    translation = [1, 1]
[[classes]]
name = "B"
  [[classes.components]]
  mean = [3.0, 1.0]
  covariance = [[1.0, 0.2], [0.2, 1.0]]
"""
FIRST = "classes[0].components[0]"


@second_opinion("inverse", "streams.read_mixture streams.write_mixture")
@pytest.mark.parametrize("mixture", [*TESTBED.values(), *VARIANTS.values()], ids=lambda m: m.name)
def test_a_written_mixture_is_read_back_equal(mixture):
    assert read_mixture(write_mixture(mixture)) == mixture


def test_planes_pivots_stops_and_odd_names_survive_the_round_trip(tmp_path):
    text = GOOD.replace('"two"', r'"a \"quoted\" \\ name"').replace(
        "rotation = 45", "start = 0\nstop = 90"
    )
    text = text.replace("duration = 50", "duration = 50\norbit = [[0, 1, 30.0]]\npivot = [1, 2]")
    text += "  [[classes.components]]\n  mean = [0, 0]\n  covariance = [1, 1]\n"
    mixture = read_mixture(text)
    assert mixture.name == 'a "quoted" \\ name'
    assert mixture.components[0].stop == 90
    assert mixture.components[0].transforms[0].orbit == ((0, 1, 30.0),)
    assert read_mixture(write_mixture(mixture)) == mixture


def test_a_mixture_without_a_name_has_that_of_its_file(tmp_path):
    path = tmp_path / "moons.toml"
    path.write_text(GOOD.replace('name = "two"\n', "", 1))
    assert read_mixture(path).name == "moons"
    assert read_mixture(str(path)).sample(seed=0).name == "moons"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("duration = 50", "durations = 50", f"{FIRST}.transforms[0].durations is not a field; did you mean duration?"),
        ("n = 100", "size = 100", "size is not a field; the fields are name, classes, n"),
        ("  mean = [0.0, 1.0]\n", "", f"{FIRST}.mean must be given; got no such field"),
        ('name = "B"\n', "", "classes[1].name must be given; got no such field"),
        ("mean = [0.0, 1.0]", "mean = 3", f"{FIRST}.mean must be a list of finite numbers; got 3"),
        ("mean = [0.0, 1.0]", 'mean = ["x", 1]', f"{FIRST}.mean must be a list of finite numbers; got"),
        ("covariance = [2.5, 1.0]", "covariance = [2.5]", f"{FIRST}.covariance must be 2 positive variances"),
        ("covariance = [2.5, 1.0]", "covariance = [2.5, -1.0]", f"{FIRST}.covariance must be 2 positive variances"),
        ("[0.2, 1.0]]", "[0.3, 1.0]]", "classes[1].components[0].covariance must be 2 positive variances"),
        ("rotation = 45", 'rotation = "45"', f"{FIRST}.rotation must be degrees, or ((i, j, degrees), ...)"),
        ("duration = 50", "duration = -5", f"{FIRST}.transforms[0].duration must be a whole number >= 0; got -5"),
        ("duration = 50", "duration = true", f"{FIRST}.transforms[0].duration must be a whole number >= 0; got True"),
        ("translation = [1, 1]", "translation = [1]", f"{FIRST}.transforms[0].translation must hold 2 numbers or none"),
        ("translation = [1, 1]", "scale = 0.0", f"{FIRST}.transforms[0].scale must be finite and > 0; got 0.0"),
        ("weight = 2.0", "weight = -2.0", "classes[0].weight must be finite and >= 0; got -2.0"),
        ("weight = 2.0", 'weight = "much"', "classes[0].weight must be finite and >= 0; got 'much'"),
        ("n = 100", "n = 0", "n must be a whole number >= 1; got 0"),
        ('name = "A"', "name = 1", "classes[0].name must be a text; got 1"),
        ("mean = [3.0, 1.0]", "mean = [3.0]", "classes[1].components[0].covariance must be 1 positive variances"),
    ],
)  # fmt: skip
def test_an_error_names_the_field_with_its_position(old, new, message):
    assert old in GOOD
    with pytest.raises(ValueError) as caught:  # noqa: PT011 (the text is compared below)
        read_mixture(GOOD.replace(old, new, 1))
    assert str(caught.value).startswith(message)


def test_classes_must_be_a_list_of_tables():
    with pytest.raises(ValueError, match="classes must be a list of tables; got 3"):
        read_mixture('name = "x"\nclasses = 3\n')
    with pytest.raises(ValueError, match=r"classes\[0\] must be a table; got 3"):
        read_mixture('name = "x"\nclasses = [3]\n')
    with pytest.raises(ValueError, match="classes must be given"):
        read_mixture('name = "x"\nn = 3\n')


def test_malformed_toml_is_reported_with_the_file_and_the_line(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("name = 'x'\nn = = 3\n")
    with pytest.raises(ValueError, match=r"source must be valid TOML; got .*broken.toml: .*line"):
        read_mixture(path)


def test_a_binary_file_is_not_toml(tmp_path):
    path = tmp_path / "picture.toml"
    path.write_bytes(b"\xff\xd8\n")
    with pytest.raises(ValueError, match=r"source must be valid TOML; got .*picture.toml: .*utf-8"):
        read_mixture(path)


@pytest.mark.parametrize("name", ["two\nlines", "tab\t", "\x7f\x00", "Größe 𝛼", '"', "\\", ""])
def test_any_name_survives_the_round_trip(name):
    part = Component((0.0,), (1.0,))
    mixture = DriftingMixture(name, (MixtureClass(name, (part,)),))
    assert read_mixture(write_mixture(mixture)) == mixture


def test_numbers_of_numpy_are_written_as_numbers():
    change = Transform(np.int64(5), scale=np.float64(2), weight=np.float32(0.5))
    part = Component(np.zeros(2), np.eye(2), transforms=(change,), stop=np.int64(7))
    other = Component((0.0, 0.0), (1.0, 1.0))
    mixture = DriftingMixture("m", (MixtureClass("A", (part, other)),), n=np.int64(9))
    assert read_mixture(write_mixture(mixture)) == mixture


def test_a_missing_file_raises_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_mixture(tmp_path / "none.toml")


@pytest.mark.parametrize("source", [None, 5, 1.5, ["a"], {}, "", "a\0b", b"x"])
def test_a_source_is_a_text_or_a_path(source):
    error = ValueError if isinstance(source, str) else TypeError
    with pytest.raises(error, match="source must be the path of a file; got"):
        read_mixture(source)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    for wrong, error in [(tmp_path / "no.toml", FileNotFoundError), (tmp_path, IsADirectoryError)]:
        with pytest.raises(error, match=f"source must be a file that can be read; got {wrong}"):
            read_mixture(wrong)
