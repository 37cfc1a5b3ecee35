"""CSV files that a spreadsheet shows and does not run."""

import io

import numpy as np
import pandas as pd
import pytest

from repro._spreadsheets import as_csv, harmless

ATTACKS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1)", "\t=1", "\r=1", "=", "- no", "+"]
PLAIN = ["", "a=1", "-3", "+4.5", "-1e3", "-inf", "1-1", "é", " =1", "a@b.c"]


@pytest.mark.parametrize("text", ATTACKS)
def test_a_formula_is_a_text_wherever_it_stands(text):
    frame = pd.DataFrame({text: ["x"], "y": [text]}, index=pd.Index([text], name="who"))
    how = {"dtype": str, "keep_default_na": False, "lineterminator": "\n"}
    again = pd.read_csv(io.StringIO(as_csv(frame)), **how)
    assert list(again) == ["who", f"'{text}", "y"]
    assert again.iloc[0].tolist() == [f"'{text}", "x", f"'{text}"]


@pytest.mark.parametrize("value", [*PLAIN, -3, 2.5, None, True, float("inf")])
def test_other_values_stay(value):
    assert harmless(value) is value


def test_numbers_are_written_as_pandas_does():
    values = [-1.5, np.nan, 1 / 3, -np.inf]
    frame = pd.DataFrame({"a": values, "b": pd.array([-1, None, 2, 3], "Int64"), "c": list("wxyz")})
    frame["d"], frame["e"] = frame["c"].astype("category"), [None, 1, "u", -2.5]
    how = {"index": False, "float_format": "%.17g"}
    assert as_csv(frame, **how) == frame.to_csv(lineterminator="\n", **how)
    pairs = pd.MultiIndex.from_product([["=1", "b"], [-1, 2]], names=["n", "m"])
    assert as_csv(frame.set_axis(pairs)).splitlines()[1].startswith("'=1,-1,")


def test_columns_of_the_same_name_stay_apart():
    frame = pd.DataFrame([["=1", "=2"]], columns=["a", "a"])
    assert as_csv(frame, index=False) == "a,a\n'=1,'=2\n"
