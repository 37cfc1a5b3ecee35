"""Rules for a clear error, and results that are impossible whatever the arguments."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import NotFittedError

import repro

SOURCE = str(Path(repro.__file__).parent)
CLEAR_TYPES = (ValueError, TypeError, FileNotFoundError, NotADirectoryError)
CLEAR_TYPES += (IsADirectoryError, ImportError, ModuleNotFoundError)
ROUNDING = 1e-9

#: Faults that are known, as (function, part of the message): to be mended, then removed here.
KNOWN = {
    ("section", "must be one of the sections"),  # a KeyError, as it is documented
}


def frame_of(error: BaseException) -> tuple[str, bool]:
    """``file:line function`` of our last frame, "" without one; whether nothing is below it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(SOURCE)]
    if not ours:
        return "", False
    last = ours[-1]
    where = Path(last.filename).relative_to(SOURCE)
    return f"{where}:{last.lineno} {last.name}", last is frames[-1]


def unclear(error: BaseException, arguments: dict[str, Any], names: Collection[str]) -> str:
    """The fault of an error raised by a call with these `arguments`; "" if the error is clear.

    It must be a ValueError, a TypeError, a FileNotFoundError or an ImportError (or an error of
    ours), raised by a line of ours, with a message that names an argument (one of `names`), the
    rule and the value: ``alpha must lie in (0, 1]; got 1.5``. There are three exceptions. For a
    missing file or package the message names it or says how to get it. For an unknown field of a
    file it reads ``classes[0].colour is not a field; the fields are ...``. Memory that cannot be
    had is no fault of an argument: a MemoryError says how many bytes were asked for.
    """
    kind, message, where = type(error), str(error), frame_of(error)[0]
    if kind.__name__ == "WrongAnswer":  # what a student is told, in words of its own
        return ""
    if where.startswith("interop/") and _is_of_sklearn(error):  # as any classifier of that library
        return ""
    if any(where.endswith(name) and part in message for name, part in KNOWN):
        return ""
    if kind is MemoryError and re.search(r"\d bytes$", message):
        return "" if frame_of(error)[1] else "raised below our code"
    if kind not in CLEAR_TYPES and not kind.__module__.startswith("repro."):
        return f"{kind.__name__} instead of ValueError or TypeError"
    if isinstance(error, FileNotFoundError | ImportError) and (
        "get it" in message or "install" in message or _shows_a_value(message, arguments)
    ):
        return ""
    if not frame_of(error)[1]:
        return "raised below our code"
    if re.search(r"\w is not a field; (the fields are|did you mean) ", message):
        return ""
    found = re.fullmatch(r"(?P<subject>.+?) must .+; got .+", message, re.DOTALL)
    if not found:
        return "message without 'argument must rule; got value'"
    # One of the `assignments` is an assignment.
    known = {*names, *(name.removesuffix("s") for name in names)}
    if not set(re.findall(r"[A-Za-z_]\w*", found["subject"])) & known:
        return f"message names {found['subject']!r}, which is no argument"
    return ""


def _is_of_sklearn(error: BaseException) -> bool:
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    in_its_words = "/sklearn/" in last or isinstance(error, NotFittedError)
    return in_its_words and isinstance(error, ValueError | TypeError)


def _shows_a_value(message: str, arguments: dict[str, Any]) -> bool:
    texts = (str(value) for value in arguments.values() if isinstance(value, str | Path))
    return any(text and text in message for text in texts)


def impossible(path: str, result: Any, arguments: dict[str, Any]) -> str:
    """Why the `result` of the call or property `path` is impossible; "" if it is possible."""
    checks = [check for pattern, check in INVARIANTS if re.search(pattern, path)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return "; ".join(filter(None, (check(result, arguments) for check in checks)))
        except Exception as error:  # the result has another shape or type than documented
            return f"the check of {result!r:.100} raised {error!r}"


def changed(before: dict[str, Any], after: dict[str, Any]) -> str:
    """Names of the arrays that a call wrote into."""
    names = [name for name, value in before.items() if not _same(value, after[name])]
    return f"{', '.join(names)} was written into" if names else ""


def snapshot(arguments: dict[str, Any]) -> dict[str, Any]:
    """Copies of the arguments that a call could write into."""
    frames = pd.DataFrame | pd.Series
    copies = {n: np.array(v) for n, v in arguments.items() if isinstance(v, np.ndarray)}
    return copies | {n: v.copy() for n, v in arguments.items() if isinstance(v, frames)}


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.dtype == object or a.tobytes() == np.array(b).tobytes()
    return bool(a.equals(b))


def _numbers(result: Any) -> np.ndarray:
    """All numbers in a result, flat."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, tuple | list):
        parts = [_numbers(part) for part in result]
        return np.concatenate(parts) if parts else np.zeros(0)
    try:
        return np.asarray(result, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        return np.zeros(0)


def between(low: float, high: float) -> Callable[[Any, Any], str]:
    """A check that all numbers lie in `low`..`high` or are nan."""

    def check(result: Any, _: Any) -> str:
        values = _numbers(result)
        wrong = values[(values < low - ROUNDING) | (values > high + ROUNDING)]
        return f"{wrong[0]} is not in {low}..{high}" if wrong.size else ""

    return check


def _mean_of_losses(result: Any, arguments: dict[str, Any]) -> str:
    """A mean lies between the least and the greatest loss."""
    loss = np.asarray(arguments["loss"], dtype=np.float64)
    low, high = loss.min(), loss.max()
    slack = ROUNDING * max(abs(low), abs(high))
    if np.shape(result) != loss.shape:
        return f"{np.shape(result)} values for {loss.shape} losses"
    outside = (result < low - slack) | (result > high + slack) | np.isnan(result)
    return f"mean {result[outside][0]} of losses in {low}..{high}" if outside.any() else ""


def _rows_of_shares(result: Any, _: Any) -> str:
    """Each row sums to 1, or is nan throughout."""
    if isinstance(result, dict):  # river's form
        result = list(result.values())
    shares = np.atleast_2d(np.asarray(result, dtype=np.float64))
    sums = shares.sum(axis=1)
    fine = (abs(sums - 1) < 1e-6) & (shares >= -ROUNDING).all(axis=1) | np.isnan(shares).all(axis=1)
    return "" if fine.all() else f"shares {shares[~fine][0]}"


def _stream(result: Any, _: Any) -> str:
    if not isinstance(result, repro.Stream):
        return ""
    wrong = [
        result.X.shape[:1] != result.y.shape and "as many rows as labels",
        not np.isfinite(result.X).all() and "finite attributes",
        not ((result.y >= 0) & (result.y < result.n_classes)).all() and "labels 0..K-1",
        result.bayes_risk is not None and between(0, 1)(result.bayes_risk, None),
    ]
    return ", ".join(f"a stream without {reason}" for reason in wrong if reason)


def _run(run: Any, arguments: dict[str, Any]) -> str:
    n = len(run.y_pred)
    wrong = [
        "losses of 0 and 1" * (not np.isin(run.loss, (0, 1)).all()),
        "an error in 0..1" * bool(between(0, 1)(run.error, None)),
        "shares" * (run.proba is not None and bool(_rows_of_shares(run.proba, None))),
        "rising alarms" * bool(_alarms(run.alarms, {"x": np.zeros(n)})),
    ]
    return ", ".join(f"a run without {reason}" for reason in wrong if reason)


def _alarms(result: Any, arguments: dict[str, Any]) -> str:
    alarms, n = np.asarray(result), len(np.atleast_1d(np.asarray(arguments["x"])))
    fine = (np.diff(alarms) > 0).all() and ((alarms >= 0) & (alarms < n)).all()
    return "" if fine else f"alarms {alarms.tolist()} in {n} values"


def _schedule(result: Any, arguments: dict[str, Any]) -> str:
    order, after = result
    n = len(order)
    if sorted(order.tolist()) != list(range(n)) or (np.diff(after) < 0).any():
        return f"order {order.tolist()}, after {after.tolist()}"
    too_early = "labels known too early" if (after > np.arange(n) + 1).any() else ""
    return between(0, n)(after, None) or too_early


def _permutation(result: Any, _: Any) -> str:
    fine = sorted(np.asarray(result).tolist()) == list(range(len(result)))
    return "" if fine else f"{result} is no permutation"


def _nothing(result: Any, _: Any) -> str:
    return "" if result is None else f"a command returned {result!r}"


def _block(result: Any, arguments: dict[str, Any]) -> str:
    return between(1, len(arguments["x"]))(result, None)


POSITIVE = between(0, np.inf)
#: Pattern of the path, check. A new function is checked by what its name says it returns.
INVARIANTS: tuple[tuple[str, Callable[[Any, dict[str, Any]], str]], ...] = (
    (r"^metrics\.(prequential|sliding|fading)_error$", _mean_of_losses),
    (r"\.kappa(_temporal|_combined|_majority)?$", between(-np.inf, 1)),
    (r"\.(baselines|p_value|share|p)$", between(0, 1)),
    (r"\.(standard_error|kappa_standard_error|q_standard_error|state_bytes|width)$", POSITIVE),
    (r"\.(hoeffding_sample_size|window_for|effective_memory)$", POSITIVE),
    (
        r"\.(random_delay|delay_by_time|first_detection|run_lengths|expected_delay)$",
        POSITIVE,
    ),
    (r"\.(alpha_for|expected_error|previous_labels)$", POSITIVE),
    (r"\.recovery$", lambda r, a: POSITIVE(r.duration, a)),
    (r"\.block_length$", _block),
    (r"\.(posterior|predict_proba_one|shares|priors|temporal_correction)$", _rows_of_shares),
    (r"\.bayes_error$|\.exact_error$", lambda r, a: "" if r is None else between(0, 1)(r, a)),
    (r"\.(sample|take|select|electricity_like|stand_in|load)$", _stream),
    (r"^repro\.prequential$", _run),
    (r"\.(alarms|adwin|ddm|eddm|page_hinkley)$", lambda r, a: _alarms(r, a) if "x" in a else ""),
    (r"\.levels$", between(0, 2)),
    (r"\.schedule$", _schedule),
    (r"\.ideal_accuracy$", between(0, 1)),
    (r"^metrics\.continual_report$", between(-2, 1)),
    (r"^repro\.evaluate_scenario$", lambda r, a: between(0, 1)(r.shares, a)),
    (r"_permutation$", _permutation),
    (r"\.(update|reset|learn_one)$", _nothing),
)
