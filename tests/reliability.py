"""All campaigns in short, one after the other: what was tried, and how much of it went wrong.

The tables of the campaigns go into a page of their own, build/reliability.md, since those of
docs/reliability.md are of many more trials; their totals are shown, or put into a page.

    python tests/reliability.py                                 # less than an hour
    python tests/reliability.py --write docs/reliability.md     # puts the totals into the page
    python tests/reliability.py --totals --write page.md        # of the last run, without a new one
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
from page import table_in, written
from torture import WRONG

ROOT = Path(__file__).resolve().parents[1]
PAGE, HERE = ROOT / "docs" / "reliability.md", ROOT / "build" / "reliability.md"
#: The campaigns, and how much of each is tried.
PARTS = {
    "torture.py": ["--kills", "16", "--damages", "16", "--faults", "14", "--minutes", "12"],
    "mutants.py": ["--n", "12"],
    "fuzz.py": ["--calls", "50000", "--jobs", "2", "--quiet"],
    "load.py": ["--scale", "0.02"],
    "opinions.py": [],
}
#: By table: what is counted, in which column, and the columns of what went wrong.
COUNTED = {
    "kills": ("kills", "kills", WRONG),
    "damages": ("damages", "damages", WRONG),
    "faults": ("faults", "faults", WRONG),
    "mutants": ("mutants", "mutants", {"survives", "no test", "unclear"}),
    "calls": ("absurd calls", "calls", {"raw"}),
    "load": ("examples and tasks", "examples or tasks", set()),
    "opinions": ("comparisons", "comparisons", set()),  # the table is of a run without a failure
}


def totals(page: Path) -> pd.DataFrame:
    """Of each table in `page`: what is counted, how many there are, and how many went wrong.

    Raises ValueError for a table that is not there, since its campaign did not come to its end.
    """
    rows = []
    if lacks := [name for name in COUNTED if table_in(page, name).empty]:
        raise ValueError(f"{page} has no table of {', '.join(lacks)}")
    for name, (what, tried, wrong) in COUNTED.items():
        numbers = table_in(page, name).map(lambda text: text.replace(",", ""))
        failed = sum(pd.to_numeric(numbers[column]).sum() for column in wrong & {*numbers})
        n = f"{pd.to_numeric(numbers[tried]).sum():,}"
        rows.append((what, n, f"{failed:,}" if wrong else ""))
    return pd.DataFrame(rows, columns=["what", "tried", "went wrong"])


def main() -> int:
    """Run the campaigns, and show or write the totals; 1 if one of them failed."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the totals into a page")
    parser.add_argument("--totals", action="store_true", help="those of the last run")
    options = parser.parse_args()
    failed = []
    if not options.totals:
        HERE.parent.mkdir(exist_ok=True)
        shutil.copy(PAGE, HERE)
        written(HERE, dict.fromkeys(COUNTED, pd.DataFrame()))  # none of an earlier run can be taken
        for script, arguments in PARTS.items():
            command = [sys.executable, str(ROOT / "tests" / script), *arguments]
            if subprocess.run([*command, "--write", str(HERE)], cwd=ROOT, check=False).returncode:
                failed.append(script)
    elif not HERE.is_file():
        parser.error(f"--totals needs a run before it; there is no {HERE}")
    if failed:
        print(f"\nsomething went wrong in {', '.join(failed)}", file=sys.stderr)
    table = totals(HERE)
    print(f"\n{table.to_string(index=False)}")
    if options.write:
        written(options.write, {"totals": table})
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
