"""Tables hold the numbers of descriptions and comparisons."""

from __future__ import annotations

import pandas as pd
import pytest

from repro import TESTBED, published, tables


def test_table_4_has_a_row_for_every_phase_that_changes_something():
    table = tables.mixture_table(TESTBED).groupby("data set", sort=False).size()
    assert table.to_dict() == {
        "NSGT": 2,
        "NSGT-F": 2,
        "NSGR": 2,
        "NSLC": 2,
        "NSGT-I": 6,
        "NSPC": 3,
        "NSPC-A": 3,
        "NSGT-5D": 2,
        "NSCX": 7,
    }


def test_table_4_reads_as_the_paper_prints_it():
    rows = tables.mixture_table(TESTBED).set_index("data set")
    a = rows.loc["NSPC"].iloc[0]
    assert (a["weight"], a["centre"], a["variances"], a["rotation"]) == (
        0.05,
        "(-2, 0)",
        "(2.5, 1)",
        "45°",
    )
    assert (a["period"], a["change"]) == ("500-9499", "weight to 0.45")
    assert rows.loc["NSGT-I", "period"].tolist()[:3] == ["0-4999", "5000", "5000-9999"]
    assert rows.loc["NSCX", "change"].iloc[0] == "move by (5, 5), rotate by 90°, variance x 2"
    assert rows.loc["NSPC", "change"].iloc[2] == "none"


def comparison() -> pd.DataFrame:
    rows = [("NSGT", "NB", seed, 0.2527 + 0.001 * seed) for seed in (-1, 0, 1)]
    rows += [("NSGT", "SGD", seed, 0.2 + 0.001 * seed) for seed in (-1, 0, 1)]
    table = pd.DataFrame(rows, columns=["stream", "learner", "seed", "error"])
    return published.compare("testbed_table3", table)


def test_a_cell_shows_reproduced_and_published_in_the_published_order():
    matrix = tables.beside_published(comparison())
    assert matrix.shape == (9, 8)
    assert matrix.index[0] == "NSGT"
    assert matrix.columns[0] == "Optimal"
    assert matrix.loc["NSGT", "NB"] == "25.27 | 25.27"
    assert matrix.loc["NSGT", "SGD"] == "20.00 | 7.68 !"
    assert matrix.loc["NSGT", "DWM"] == "– | 4.21"


def test_a_cell_must_stand_in_the_comparison_once():
    once = comparison()
    twice = pd.concat([once, once.iloc[[3]]])
    with pytest.raises(ValueError, match="one row per stream, learner; got"):
        tables.beside_published(twice)
    with pytest.raises(ValueError, match="must have no missing stream, learner; got nan"):
        tables.beside_published(once.assign(stream=once["stream"].where(once.index > 0)))


def test_bold_marks_its_cells_and_equal_tables_give_equal_pages():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, index=["x", "y"])
    bold = pd.DataFrame({"b": [True, False]}, index=["x", "y"])
    pages = [tables.styled(frame, name="t", bold=bold).to_html() for _ in range(2)]
    assert pages[0] == pages[1]
    assert pages[0].count("font-weight: bold") == 1
    assert 'id="T_t_row0_col1"' in pages[0]


def test_a_styled_table_is_readable_without_html():
    frame = pd.DataFrame({"a": [1, 0.123], "b": ["π < 4", "-"]}, index=["x", "y"])
    bold = pd.DataFrame({"b": [True, False]}, index=["x", "y"])
    table = tables.styled(frame, name="t", bold=bold)
    assert repr(table).split() == ["a", "b", "x", "1.00", "π", "<", "4", "*", "y", "0.12", "-"]
    assert repr(table.hide()).split()[:3] == ["a", "b", "1.00"]
    assert "0x" not in repr(tables.styled(frame, name="t"))


def test_delays_whose_squares_are_too_large_for_a_number_have_a_text_without_a_warning():
    assert tables.delay_text([1e200, 0.0]).endswith(" ± inf")
    assert tables.delay_text([1e308, 1e308]) == "inf ± inf"
