"""The words of verdicts, apart from the rule: the command line needs them without numpy."""

from __future__ import annotations

__all__ = [
    "AGREES",
    "CELLS",
    "CLAIMS",
    "DIFFERS",
    "DOES_NOT_HOLD",
    "HOLDS",
    "NOT_EXPLAINED",
    "NOT_REFUTED",
    "NOT_RUN",
    "UNDECIDED",
]

AGREES, DIFFERS, NOT_RUN = "agrees", "differs", "not run"
HOLDS, DOES_NOT_HOLD, UNDECIDED = "holds", "does not hold", "cannot be told"
NOT_REFUTED = "not refuted"  # of a sentence about every case

#: Each verdict on a published number, with its plural.
CELLS = {AGREES: "agree", DIFFERS: "differ", NOT_RUN: "not run"}
#: Each verdict on a claim, with its plural.
CLAIMS = {
    HOLDS: "hold",
    NOT_REFUTED: "not refuted",
    DOES_NOT_HOLD: "do not hold",
    UNDECIDED: "cannot be told",
}

#: The reason of a number that differs and has no other.
NOT_EXPLAINED = "not explained"
