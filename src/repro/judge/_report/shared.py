"""What every report takes and says: models by name, seeds, versions, lists in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING, Any

from repro import __version__
from repro._checks import shown
from repro.statistics.estimates import PointEstimate
from repro.statistics.shares import share_interval

if TYPE_CHECKING:
    from repro.statistics.drift import Aspect

__all__ = [
    "as_models",
    "bonferroni",
    "by_class",
    "label",
    "number_text",
    "numbered",
    "one_line",
    "points_text",
]
__all__ += ["sentence", "share_text", "versions", "where"]

MODELS = "a model, a class, a list of them, or a mapping of names to them"


def as_models(models: Any, *, name: str = "models") -> dict[str, Any]:
    """Return `models` as a dictionary of instances by name, at least one.

    Parameters
    ----------
    models : a model, a class (constructed without arguments), a list or tuple of both, or a
        mapping of names to both. Models of a list are called after their classes; of several of
        one class the second is ``"NaiveBayes 2"``.
    name : of the argument, for messages.

    Raises TypeError for a class that cannot be constructed without arguments and for names that
    are not texts, ValueError for no model and an empty name.

    >>> from repro.learners import Majority, NaiveBayes
    >>> list(as_models([NaiveBayes, NaiveBayes(), Majority]))
    ['NaiveBayes', 'NaiveBayes 2', 'Majority']
    """
    if models is None or isinstance(models, str | bytes | int | float):
        raise TypeError(f"{name} must be {MODELS}; got {shown(models)}")
    # Not every Mapping or Sequence: an ensemble of river is a list of its members.
    if isinstance(models, Mapping) and not hasattr(models, "learn_one"):
        named = dict(models)
    elif isinstance(models, list | tuple) and not hasattr(models, "_fields"):
        named = by_class(models)
    else:
        named = by_class([models])
    if not named:
        raise ValueError(f"{name} must hold at least one model; got {shown(models)}")
    for key in named:
        if not isinstance(key, str):
            raise TypeError(f"{name} must map names, which are texts, to models; got {shown(key)}")
        if not key.strip():
            raise ValueError(f"{name} must have names that are not empty; got {shown(key)}")
    return {key: _instance(model, f"{name}[{key!r}]") for key, model in named.items()}


def by_class(models: Sequence[Any]) -> dict[str, Any]:
    """The `models` by the names of their classes or functions; a second one is ``"NB 2"``."""
    return numbered((getattr(m, "__name__", type(m).__name__), m) for m in models)


def numbered(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The things of `pairs` by their names; the second one of a name has " 2" behind it.

    >>> numbered([("NB", 1), ("NB", 2)])
    {'NB': 1, 'NB 2': 2}
    """
    named: dict[str, Any] = {}
    for name, thing in pairs:
        number = 1
        while (key := name if number == 1 else f"{name} {number}") in named:
            number += 1
        named[key] = thing
    return named


def _instance(model: Any, name: str) -> Any:
    if not isinstance(model, type):
        return model
    try:
        return model()
    except Exception as error:
        rule = f"{name} must be an instance, or a class that needs no arguments"
        raise TypeError(f"{rule}; got the class {model.__name__}, and {one_line(error)}") from error


def versions(models: Mapping[str, Any]) -> dict[str, str]:
    """Name and version of the package that each of the `models` is from.

    ``"your code"`` for what belongs to no installed package, such as a class of a notebook.

    >>> from repro.learners import NaiveBayes
    >>> list(versions({"NB": NaiveBayes()}))
    ['NB']
    """
    return {name: _version(model) for name, model in models.items()}


@cache
def _installed() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()


def _version(model: Any) -> str:
    root = str(type(model).__module__).partition(".")[0]
    if root == "repro":
        return f"repro {__version__}"
    for distribution in _installed().get(root, ()):
        return f"{distribution} {metadata.version(distribution)}"
    return "your code"


def one_line(error: object) -> str:
    """An `error` with its kind, or a text, in one line.

    >>> one_line(ValueError("must be a number;\\n got None"))
    'ValueError: must be a number; got None'
    """
    kind = f"{type(error).__name__}: " if isinstance(error, BaseException) else ""
    return kind + " ".join(str(error).split())


def label(name: str) -> str:
    """`name` as a label of a figure, where a dollar sign would begin a formula.

    >>> print(label("$x"))
    \\$x
    """
    return name.replace("$", r"\$")


def sentence(items: Iterable[Any], last: str = "and") -> str:
    """The `items` as a list in words.

    >>> sentence("abc"), sentence(["NSGT"]), sentence([])
    ('a, b and c', 'NSGT', 'none')
    """
    words = [str(item) for item in items]
    if len(words) < 2:
        return words[0] if words else "none"
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def bonferroni(p_value: float, tests: int) -> float:
    """`p_value` corrected for the number of `tests`; nan, of no test, stays nan.

    >>> bonferroni(0.02, 3), bonferroni(0.5, 3), bonferroni(float("nan"), 3)
    (0.06, 1.0, nan)
    """
    return p_value if math.isnan(p_value) else min(1.0, tests * p_value)


def where(aspect: Aspect) -> str:
    """The positions of changes with the reach of their uncertainty, a block to each side."""
    if not aspect.positions:
        return "at places that cannot be told"
    places = [f"{p:,}" for p in aspect.positions]
    more = ", and at places that cannot be told" if aspect.unplaced else ""
    return f"near example {sentence(places)} (± {aspect.blocks.length:,}){more}"


def number_text(estimate: PointEstimate, number: str = ".0f", error: str = ".0f") -> str:
    """A number with its standard error, if there is one: 0 is that of values that do not show it.

    >>> number_text(PointEstimate(12.4, 3.2)), number_text(PointEstimate(12.4, 0.0))
    ('12 ± 3', '12')
    """
    value, spread, _ = estimate
    if not 0 < spread < math.inf:
        return f"{value:{number}}"
    shown = f"{spread:{error}}"
    return f"{value:{number}} ± {shown if float(shown) else f'{spread:.1g}'}"


def points_text(estimate: PointEstimate) -> str:
    """A share, or a difference of shares, in percentage points with its standard error.

    >>> points_text(PointEstimate(0.124, 0.032)), points_text(PointEstimate(0.5, float("nan")))
    ('12.40 ± 3.20', '50.00')
    """
    value, spread, df = estimate
    return number_text(PointEstimate(100 * value, 100 * spread, df), ".2f", ".2f")


def share_text(count: int, n: int, standard_error: float) -> str:
    """The share of `count` in `n` examples in percent, with its standard error.

    A share of 0 or 1 shows no spread; it has the exact interval of independent examples.

    >>> share_text(12, 100, 0.034), share_text(0, 100, 0.0)
    ('12.00 ± 3.40 %', '0 % (95 %: 0.00 to 3.62 %, if examples are independent)')
    """
    if 0 < count < n:
        return f"{points_text(PointEstimate(count / n, standard_error))} %"
    low, high = share_interval(count, n)
    interval = f"{100 * low:.2f} to {100 * high:.2f} %"
    return f"{100 * count / n:.0f} % (95 %: {interval}, if examples are independent)"
