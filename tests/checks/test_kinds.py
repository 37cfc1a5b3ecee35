"""Results, tables, published numbers, figures and seeds refuse what they cannot take, in words."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from repro import TESTBED, figures, published, results, seeds, tables
from repro._checks import as_floats, as_labels, check_frame
from repro.streams import LED, SEA

ERRORS = pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, 0.4]})
RUN = {"stream": "LED", "learner": "MC", "estimator": "prequential", "seed": 0}
RUNS = pd.DataFrame([RUN | {"delay": 20.0, "false_alarms": 0}])
SWEPT = pd.DataFrame(
    [{"stream": "NSGT", "learner": "NB", "seed": s, "error": 0.25} for s in (0, 1)]
)
WATCHED = pd.DataFrame([RUN | {"n": 100, "alarms": {"prequential": [20]}}])


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


CALLS = {
    "names must be texts; got 1": lambda: seeds.generator(0, 1),
    "n must be at most .*; got 9223372036854775808": lambda: seeds.spawn(0, 2**63),
    "n must be a whole number >= 1; got np.timedelta64": lambda: seeds.spawn(
        0, np.timedelta64(1, "D")
    ),
    "bound must be finite and >= 0; got np.timedelta64": lambda: published.equivalence_margin(
        [0.5], np.timedelta64(1, "D")
    ),
    "frame must be a DataFrame; got 1": lambda: results.save_table(1, "01_cells"),
    "decimals must be a whole number >= 0; got -1": lambda: results.save_table(
        ERRORS, "01_cells", decimals=-1
    ),
    r"mixtures must map names to DriftingMixtures; got \[\]": lambda: tables.mixture_table([]),
    "mixtures must map names to DriftingMixtures; got 1 for 'a'": lambda: tables.mixture_table(
        {"a": 1}
    ),
    "comparison must be a DataFrame; got None": lambda: tables.beside_published(None),
    "comparison must have the columns stream, learner, .*; got": lambda: tables.beside_published(
        ERRORS
    ),
    "comparison must have one row per stream, learner; got": lambda: tables.beside_published(
        pd.concat([published.compare("testbed_table3", SWEPT)] * 2)
    ),
    "delays must hold numbers; got 'a'": lambda: tables.delay_text("a"),
    "reports must map names to DetectionReports; got 1 for 'A'": lambda: tables.reports_table(
        {"A": 1}
    ),
    "bold must hold booleans; got": lambda: tables.styled(ERRORS, name="t", bold=ERRORS),
    "frame must have unique row names; got": lambda: tables.styled(
        pd.concat([ERRORS, ERRORS]), name="t"
    ),
    "name must be one of .*; got 'x'": lambda: published.read("x"),
    "frame must hold numbers in the column 'error'; got": lambda: published.compare(
        "testbed_table3", SWEPT.assign(error="low")
    ),
    "reasons must map cells to reasons; got 1": lambda: published.compare(
        "testbed_table3", SWEPT, reasons=1
    ),
    "df must be positive, one for all or .*; got 0": lambda: published.estimated_claim(
        "a", [1.0], [1.0], "c", df=0
    ),
    "margin must hold numbers; got 1j": lambda: published.claim("a", 1j, "b"),
    "text must be a text; got 1": lambda: published.claim(1, None, "b"),
    "estimates must hold numbers; got": lambda: published.estimated_claim("a", ["b"], [1.0], "c"),
    "errors must have the columns C; got": lambda: published.error_differences(
        ERRORS, worse="C", better="A"
    ),
    "worse must be a column's name or a list of them; got 1": lambda: published.error_differences(
        ERRORS, worse=1, better="A"
    ),
    r"difference must have shape \(runs,\); got \(\)": lambda: published.equivalence_margin(
        0.5, 1.0
    ),
    "bound must be finite and >= 0; got 'a'": lambda: published.equivalence_margin([0.5], "a"),
    "rows must be claims; got 'a'": lambda: published.claims("a"),
    "frame must be a DataFrame; got 2": lambda: published.compare("estimators_table2", 2),
    "frame must have one row per quantity; got 'a' twice": lambda: published.compare(
        "temporal_text", pd.DataFrame({"quantity": ["a", "a"], "reproduced": [1.0, 2.0]})
    ),
    "frame must have s.e. >= 0 and df > 0; got": lambda: published.compare(
        "temporal_text", pd.DataFrame({"quantity": ["a"], "reproduced": [1.0], "s.e.": [-1.0]})
    ),
    "alarms must be a text; got 1": lambda: published.delays_of(WATCHED, 1, after=1),
    "after must be at most n, 100; got 101": lambda: published.delays_of(WATCHED, after=101),
    "table.'alarms'. must map estimators to alarms; got 1": lambda: published.delays_of(
        WATCHED.assign(alarms=1), after=1
    ),
    "ax must be matplotlib Axes; got 1": lambda: figures.plot_error({}, ax=1),
    "curves must map names to errors; got 1": lambda: figures.plot_error(1),
    r"curves\['a'\] must have shape \(n,\); got \(1, 1\)": lambda: figures.plot_error({"a": [[1]]}),
    r"bayes_label must be a text; got \[\]": lambda: figures.plot_error({}, bayes_label=[]),
    "every must be a whole number >= 1; got 0": lambda: figures.plot_error({}, every=0),
    "drift_at must be numbers; got 5": lambda: figures.plot_error({}, drift_at=5),
    r"curves\['a'\] must have one value per t, \(1,\); got \(2,\)": lambda: figures.plot_bands(
        [0], {"a": ([0.5, 0.5], 0.0)}
    ),
    "curves.* must be a centre and a half-width; got 0.5": lambda: figures.plot_bands(
        [0], {"a": 0.5}
    ),
    "error_bars must have the columns A, B; got": lambda: figures.plot_measures(
        ERRORS, error_bars=SWEPT
    ),
    "comparison must have the columns .*verdict; got": lambda: figures.plot_agreement(ERRORS),
    "points must have the columns detector, x, y; got": lambda: figures.plot_tradeoff(
        ERRORS, x="x", y="y"
    ),
    "threshold must be finite; got 'a'": lambda: figures.plot_statistic([0.5], threshold="a"),
    "titles must be texts; got 1 among them": lambda: figures.panels([1]),
    "size must be a width and a height; got 3": lambda: figures.panels(["a"], size=3),
    "mixture must be a DriftingMixture; got SEA": lambda: figures.plot_mixture(SEA(), times=[0]),
    "times must be finite and >= 0, at least one; got": lambda: figures.plot_mixture(
        TESTBED["NSGT"], times=[]
    ),
    "stream must have two attributes; got 24": lambda: figures.plot_mixture(
        TESTBED["NSGT"], times=[0], stream=LED(n=5).sample()
    ),
    "note must be a text; got 1": lambda: figures.save(plt.figure(), "01_a", note=1),
    "figure_or_axes must be a matplotlib Figure or Axes; got": lambda: figures.save(
        plt.Figure, "01_a"
    ),
}


@pytest.mark.parametrize("message", CALLS)
def test_the_error_names_the_argument_the_rule_and_the_value(message):
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=message):
        CALLS[message]()


@pytest.mark.parametrize(
    "values",
    [[0.5, 1], (0.5, 1), np.array([0.5, 1], object), pd.Series([0.5, 1]), np.float32([0.5, 1])],
)
def test_numbers_of_every_kind_are_floats(values):
    assert as_floats(values, name="x").tolist() == [0.5, 1.0]


@pytest.mark.parametrize("values", [["a"], [1j], [pd.Timestamp(0)], [[1], [2, 3]], {}, print, "1"])
def test_what_holds_no_numbers_is_refused_without_a_warning(values):
    """Warnings are errors in the tests."""
    with pytest.raises(ValueError, match="x must hold numbers; got"):
        as_floats(values, name="x")


def test_masked_labels_are_refused():
    with pytest.raises(ValueError, match="y must hold no masked values"):
        as_labels(np.ma.masked_array([0, 1], [False, True]))


def test_a_masked_value_is_missing_and_not_what_lies_under_the_mask():
    assert np.isnan(as_floats(np.ma.masked_array([1, 7], [False, True]), name="x")[1])


def test_missing_values_of_pandas_are_nan_and_the_callers_frame_stays_as_it_is():
    given = pd.DataFrame({"error": pd.array([1, None], dtype="Int64")})
    checked = check_frame(given, ["error"], name="frame", numbers=["error"])
    np.testing.assert_array_equal(checked["error"], [1, np.nan])
    assert given["error"].dtype == "Int64"


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="frame must have one column of each name; got several"):
        check_frame(pd.concat([ERRORS, ERRORS], axis=1), name="frame")


def test_a_table_of_published_numbers_does_not_depend_on_the_type_of_the_errors():
    """Objects, strings of pandas' own type and floats give the same comparison."""
    plain = published.compare("testbed_table3", SWEPT)
    for kind in (object, "Float64"):
        other = published.compare("testbed_table3", SWEPT.astype({"error": kind}))
        pd.testing.assert_frame_equal(plain, other)


def test_a_change_may_come_with_the_first_example():
    (row,) = published.delays_of(WATCHED, after=100).to_dict("records")
    assert row["delay"] == 20


def test_margins_near_the_largest_number_cannot_be_told_and_warn_of_nothing():
    assert published.claim("a", [1e300, -1e300, 0.0], "b").verdict == "cannot be told"


def test_a_figure_without_anything_to_name_has_no_legend():
    ax = figures.plot_delays(published.compare("estimators_table2", RUNS.iloc[:0]))
    assert ax.get_legend() is None
