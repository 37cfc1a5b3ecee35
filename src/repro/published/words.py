"""The words of verdicts, apart from the rule: the command line needs them without numpy."""

from __future__ import annotations

__all__ = [
    "AGREES",
    "CELLS",
    "CLAIMS",
    "DIFFERS",
    "DOES_NOT_HOLD",
    "HOLDS",
    "KINDS",
    "LEVEL",
    "LIMITED",
    "MORE_RUNS",
    "NOT_EXPLAINED",
    "NOT_REFUTED",
    "NOT_RUN",
    "TOO_COARSE",
    "TOO_FEW",
    "UNDECIDED",
]

#: Probability that a cell differs, or a claim is decided wrongly, by chance.
LEVEL = 0.05

AGREES, DIFFERS, NOT_RUN = "agrees", "differs", "not run"
TOO_COARSE = "too coarse to tell"  # does not differ, but hardly any number would
HOLDS, DOES_NOT_HOLD, UNDECIDED = "holds", "does not hold", "cannot be told"
NOT_REFUTED = "not refuted"  # of a sentence about every case
TOO_FEW = "too few runs to tell"  # of a smaller profile, where the paper's decides otherwise

#: Each verdict on a published number, with its plural.
CELLS = {
    AGREES: "agree",
    TOO_COARSE: "too coarse to tell",
    DIFFERS: "differ",
    NOT_RUN: "not run",
}
#: Each kind of published number, with the word under which it is counted. A constant needs no
#: learner and no stream, such as a quantile or the size of a file; a fitted number chose a setting;
#: a change that no run detects has no delay to compare.
KINDS = {
    "cell": "cells",
    "missed": "missed in all runs on both sides",
    "constant": "constants",
    "fitted": "used to choose a setting",
}
#: Each verdict on a claim, with its plural.
CLAIMS = {
    HOLDS: "hold",
    NOT_REFUTED: "not refuted",
    DOES_NOT_HOLD: "do not hold",
    UNDECIDED: "cannot be told",
    TOO_FEW: "too few runs to tell",
}

#: The reason of a number that differs and has no other.
NOT_EXPLAINED = "not explained"
#: Why a number is too coarse to tell.
LIMITED = "the published side limits it: no number of our runs would tell"
MORE_RUNS = "more runs of ours would tell"
