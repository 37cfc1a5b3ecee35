"""Published beside reproduced: numbers with standard errors, claims with evidence, verdicts.

The published numbers are files in ``data/published``; nothing here is typed in.
"""

from repro.published.claims import Claim, claim, claims, estimated, margin, within
from repro.published.delays import compare_both, compare_delays, delays_of, read_delays
from repro.published.means import TABLES, PublishedTable, compare, read
from repro.published.verdict import BOUND, NOT_EXPLAINED, NOTHING, explained, read_file

__all__ = [
    "BOUND",
    "NOTHING",
    "NOT_EXPLAINED",
    "TABLES",
    "Claim",
    "PublishedTable",
    "claim",
    "claims",
    "compare",
    "compare_both",
    "compare_delays",
    "delays_of",
    "estimated",
    "explained",
    "margin",
    "read",
    "read_delays",
    "read_file",
    "within",
]
