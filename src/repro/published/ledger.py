"""The ledger of a paper: its testable sentences, quoted, each with evidence and verdict."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from types import MappingProxyType
from typing import Any

import pandas as pd

from repro import _folders, provenance
from repro._checks import as_list, check_mapping, check_number, check_values, shown
from repro.published.counts import read_rows
from repro.published.files import paper_file, read_file
from repro.published.judgements import Judgement
from repro.published.words import CLAIMS, DOES_NOT_HOLD, NOT_EXPLAINED, TOO_FEW, UNDECIDED

__all__ = [
    "committed_verdicts",
    "contradicts",
    "judge_claims",
    "ledger",
    "sensitivity",
    "without_contradictions",
]

SUFFIX = "_claims"
NOT_JUDGED = "not judged"


NO_REASONS: Mapping[Any, str] = MappingProxyType({})

#: From the evidence of a paper to the judgements of some of its sentences, by key.
Judge = Callable[[Any], Mapping[Any, Judgement]]

NAMES = ("paper", "section", "sentence", "permutations")


def ledger(
    name: str, judged: Mapping[Any, Judgement], *, reasons: Mapping[Any, str] = NO_REASONS
) -> pd.DataFrame:
    """The sentences of a paper with their verdicts, in the order of the file.

    The sentences are in ``data/published/<name>_claims.csv``, each under a key. Experimental ones
    are judged with several numbers of permutations, which the file lists: they have one row for
    each number, the largest last. The result has the columns paper, section, sentence, quantifier,
    permutations if the file has it (a number, or "" where there is only one row), evidence,
    verdict, own, which is "own" for our own questions, and reason. A sentence that is not judged
    *cannot be told*. In a run with a smaller profile, a verdict that contradicts the committed one
    of the paper's profile becomes *too few runs to tell*.

    Parameters
    ----------
    name : of the paper, such as "permutations".
    judged : key to judgement, or (key, number of permutations) to judgement where the sentence is
        judged with several numbers.
    reasons : key, as in `judged` or without the number, to why the sentence does not hold; shown
        only in rows that do not hold, which are otherwise "not explained".

    Raises ValueError for a name without file, for a key that is not in the file, and for a
    judgement that was made for another quantifier than that of the sentence.

    >>> from repro.published import judge_every
    >>> frame = ledger("permutations", {"minimum": judge_every([0.0, 0.5], "distance - 1")})
    >>> row = frame[frame["evidence"] != "not judged"].iloc[0]
    >>> row["section"], row["quantifier"], row["verdict"]
    ('4.2', 'every', 'not refuted')
    """
    file = read_file(paper_file(name, SUFFIX)).astype(object)
    sentences = file.where(file.notna(), "")
    check_values(judged, Judgement, name="judged", rule="keys to judgements")
    rows = {key: row for record in sentences.to_dict("records") for key, row in _rows(record)}
    for key, judgement in judged.items():
        _check_quantifier(key, judgement, rows)
    check_mapping(reasons, name="reasons", rule="keys to reasons")
    all_keys = {*rows, *(key[0] for key in rows if isinstance(key, tuple))}
    if unknown := [key for key in reasons if key not in all_keys]:
        raise ValueError(f"reasons must have keys of the ledger; got {shown(unknown[0])}")
    judged_rows = [_with_verdict(row, judged.get(key)) for key, row in rows.items()]
    result = without_contradictions(pd.DataFrame(judged_rows))
    why = [reasons.get(k, reasons.get(k[0] if isinstance(k, tuple) else k)) for k in rows]
    fails = result["verdict"] == DOES_NOT_HOLD
    stated = [(w or NOT_EXPLAINED) if f else "" for w, f in zip(why, fails, strict=True)]
    return result.assign(reason=stated)


def _rows(record: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The rows of one sentence with the keys of their judgements."""
    key, several = record.pop("key"), str(record.get("permutations", "")).split()
    for number in map(int, several):
        yield (key, number), record | {"permutations": number}
    if not several:
        yield key, record


def _check_quantifier(key: Any, judgement: Judgement, rows: Mapping[Any, dict[str, Any]]) -> None:
    if key not in rows:
        first = key[0] if isinstance(key, tuple) and key else key
        near = [k for k in rows if first in (k, k[0])] or list(rows)
        raise ValueError(f"judged must have keys among {shown(near)}; got {shown(key)}")
    quantifier = rows[key]["quantifier"]
    if judgement.quantifier != quantifier:
        rule = f"judged must be judged by its quantifier, {quantifier}"
        raise ValueError(f"{rule}; got {shown(judgement.quantifier)} for {shown(key)}")


def _with_verdict(row: dict[str, Any], judgement: Judgement | None) -> dict[str, Any]:
    """The row with its evidence and verdict before the column own."""
    _, evidence, verdict = judgement or Judgement(row["quantifier"], NOT_JUDGED, UNDECIDED)
    own = row.pop("own")
    return row | {"evidence": evidence, "verdict": verdict, "own": own}


def without_contradictions(frame: pd.DataFrame) -> pd.DataFrame:
    """The ledger `frame`, with `TOO_FEW` in place of verdicts that fewer runs turned around.

    It changes nothing in a run with the paper's parameters, outside of a run, on stand-ins, whose
    verdicts are about other data, and where there is no committed ledger.
    """
    profile = provenance.current().get("Profile", "paper")
    if profile == "paper" or "stand-in" in profile:
        return frame
    committed = committed_verdicts()
    words = [
        TOO_FEW if contradicts(row["verdict"], committed.get(_key(row))) else row["verdict"]
        for row in frame.to_dict("records")
    ]
    return frame.assign(verdict=words)


def contradicts(verdict: str, committed: str | None) -> bool:
    """Whether a decided `verdict` differs from the one that more runs gave."""
    return committed is not None and verdict not in (UNDECIDED, committed)


def committed_verdicts() -> dict[Hashable, str]:
    """The verdict of each sentence in the ledgers of ``data/results``; none without a checkout."""
    root = _folders.checkout()
    paths = sorted((root / "data" / "results").glob("*_claims.csv")) if root else []
    return {_key(row): row["verdict"] for path in paths for row in read_rows(path, CLAIMS)}


def _key(row: Mapping[str, Any]) -> Hashable:
    """What names a row of a ledger; a file holds all of it as texts."""
    return tuple(
        str(row.get(name, "")) for name in ("paper", "section", "sentence", "permutations")
    )


def judge_claims(
    name: str,
    judges: Iterable[Judge],
    evidence: Any,
    *,
    reasons: Mapping[Any, str] = NO_REASONS,
) -> pd.DataFrame:
    """The ledger of a paper whose sentences are judged by functions of the same evidence.

    Parameters
    ----------
    name, reasons : as in `ledger`.
    judges : functions, each from the evidence to the judgements of one sentence or a family of
        them, by key. A sentence has one judge; raises ValueError where two judge the same key.
    evidence : the runs and tables that the functions need.

    >>> from repro.published import judge_every
    >>> least = lambda margins: {"minimum": judge_every(margins, "distance - 1")}
    >>> frame = judge_claims("permutations", [least], [0.0, 0.5])
    >>> frame.loc[frame["evidence"] != "not judged", "verdict"].tolist()
    ['not refuted']
    """
    return ledger(name, _judged(judges, evidence), reasons=reasons)


def sensitivity(
    name: str, judges: Iterable[Judge], evidence: Any, *, scales: Sequence[float] = (0.5, 1.0, 2.0)
) -> pd.DataFrame:
    """The verdicts of the sentences that depend on our own thresholds, with other thresholds.

    A word such as "similar" gets a number from us. The result has one row for each sentence whose
    evidence changes when all such numbers are multiplied by one of `scales`, with the columns
    sentence and "thresholds × scale", its verdict with each.

    Parameters
    ----------
    name, judges : as in `judge_claims`.
    evidence : a dataclass with the field `scale`, which multiplies our thresholds; raises
        TypeError for another.
    scales : at least one; raises ValueError for none.

    >>> from dataclasses import make_dataclass
    >>> from repro.published import judge_every
    >>> Evidence = make_dataclass("Evidence", ["scale"])
    >>> least = lambda evidence: {"minimum": judge_every([evidence.scale - 0.8], "distance")}
    >>> sensitivity("permutations", [least], Evidence(1.0)).iloc[0, 1:].tolist()
    ['does not hold', 'not refuted', 'not refuted']
    """
    if not is_dataclass(evidence) or isinstance(evidence, type) or not hasattr(evidence, "scale"):
        rule = "evidence must be an instance of a dataclass with the field scale"
        raise TypeError(f"{rule}; got {shown(evidence)}")
    given: list[float] = as_list(scales, name="scales", rule="a list of numbers > 0")
    scales = [check_number(scale, name="scales", above=0) for scale in given]
    if not scales:
        raise ValueError("scales must have at least one number; got none")
    judges = [*judges]
    sentences = read_file(paper_file(name, SUFFIX)).set_index("key")["sentence"]
    judged = {scale: _judged(judges, replace(evidence, scale=scale)) for scale in scales}
    first = judged[scales[0]]
    depends = [key for key in first if len({of[key].evidence for of in judged.values()}) > 1]
    rows = [
        {"sentence": sentences[key[0] if isinstance(key, tuple) else key]}
        | {f"thresholds × {scale:g}": judged[scale][key].verdict for scale in scales}
        for key in depends
    ]
    return pd.DataFrame(rows, columns=["sentence", *(f"thresholds × {s:g}" for s in scales)])


def _judged(judges: Iterable[Judge], evidence: Any) -> dict[Any, Judgement]:
    """The judgements of all `judges`; raises ValueError where two judge the same key."""
    judged: dict[Any, Judgement] = {}
    functions: list[Judge] = as_list(judges, name="judges", rule="functions")
    for judge in functions:
        if not callable(judge):
            raise TypeError(f"judges must be functions; got {shown(judge)} among them")
        of_judge = check_mapping(judge(evidence), name="judged", rule="keys to judgements")
        if twice := [key for key in of_judge if key in judged]:
            raise ValueError(f"judges must judge each key once; got {shown(twice[0])} twice")
        judged |= of_judge
    return judged
