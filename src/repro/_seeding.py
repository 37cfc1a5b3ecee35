"""Seeded copies of models of other libraries."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from repro import seeds
from repro.kernels.compiling import is_ours

__all__ = ["seeded"]

SEEDS = ("seed", "random_state")
GENERATORS = ("Random", "RandomState", "Generator")  # of `random`, and of numpy, old and new
CONTAINERS = dict, list, tuple, np.ndarray
NUMBERS = int, float, complex, np.generic
WHOLE = *NUMBERS, str, bytes, set, frozenset, type(None), type, FunctionType, BuiltinFunctionType


def seeded(model: Any, seed: int) -> Any:
    """A copy of `model` in which each `seed` or `random_state` that is None is set from `seed`.

    This includes the models inside `model`. A river model is constructed again with its seeds,
    since some models draw numbers in the constructor. A river model that has learned is copied as
    it is, and its generators are restarted. A seed that was set stays, and a learner of ours that
    has learned is not changed.

    Raises TypeError for a model that `copy.deepcopy` cannot copy.
    """
    if isinstance(model, type):
        raise TypeError(f"model must be an instance, not the class; got {model.__name__}")
    if hasattr(model, "_get_params") and hasattr(model, "clone"):
        params = model._get_params()
        filled = _filled(params, seed, (type(model).__name__,))
        if is_ours(type(model)) and params["seed"] is None:
            filled["seed"] = seed  # its run then equals that of the learner itself
        if not _same(filled, params) and not _has_learned(model):
            with suppress(TypeError):  # not every detector of river takes parameters
                model = model.clone(filled)
    memo: dict[int, Any] = {}
    try:
        copied = copy.deepcopy(model, memo)
    except Exception as error:
        rule = "model must be one that copy.deepcopy can copy"
        raise TypeError(f"{rule}; got {type(model).__name__} ({error})") from error
    parts = [part for key, part in memo.items() if key != id(memo)]  # that entry holds originals
    _seed_parts(parts if any(part is copied for part in parts) else [*parts, copied], seed)
    return copied


def _same(filled: Any, params: Any) -> bool:
    """Whether `_filled` changed nothing; compared by identity, since parameters may be arrays."""
    if isinstance(filled, dict):
        return all(_same(value, params[name]) for name, value in filled.items())
    if type(filled) is tuple and type(params) is tuple and len(filled) == len(params):
        return all(map(_same, filled, params))
    return filled is params


def _filled(parameters: Mapping[str, Any], seed: int, path: tuple[str, ...]) -> dict[str, Any]:
    """`parameters` with every `seed` set; river nests a model as (class, parameters)."""
    filled: dict[str, Any] = {}
    for name, value in parameters.items():
        inner = (*path, str(name))
        match value:
            case None if name == "seed":
                filled[name] = _number(seed, *inner)
            case dict():
                filled[name] = _filled(value, seed, inner)
            case (type() as kind, dict() as inside):
                filled[name] = kind, _filled(inside, seed, inner)
            case _:
                filled[name] = value
    return filled


def _number(seed: int, *path: str) -> int:
    return seeds.integer(seed, "learner", *path) % 2**32  # scikit-learn takes 32 bits


def _seed_parts(parts: list[Any], seed: int) -> None:
    """Set each seed in `parts` that is still None, and restart the generators it belongs to."""
    kept = {
        id(generator)
        for part in parts
        if any(_attribute(part, name) is not None for name in SEEDS)
        for generator in _generators(part)
    }
    for i, part in enumerate(parts):
        for name in SEEDS:
            if _attribute(part, name, 0) is not None:
                continue
            number = _number(seed, type(part).__name__, name, str(i))
            with suppress(AttributeError):  # frozen, or a learner of ours that has learned
                setattr(part, name, number)
                for generator in _generators(part):
                    if id(generator) not in kept:
                        _restart(generator, number)


def _attribute(part: Any, name: str, default: Any = None) -> Any:
    with suppress(Exception):  # a property of another library may raise anything
        return getattr(part, name, default)
    return default


def _generators(part: Any) -> list[Any]:
    values = getattr(part, "__dict__", {}).values()
    return [value for value in values if type(value).__name__ in GENERATORS]


def _restart(generator: Any, number: int) -> None:
    if hasattr(generator, "bit_generator"):
        bits = generator.bit_generator
        bits.state = type(bits)(number).state
    else:
        generator.seed(number)


def _has_learned(model: Any) -> bool:
    """Whether a river `model` differs from a fresh clone in more than random numbers."""
    fresh, *others = (model.clone() for _ in range(4))
    drawn = set().union(*(_differences(fresh, other) for other in others))
    return not _differences(model, fresh) <= drawn


def _differences(first: Any, second: Any) -> set[tuple[Any, ...]]:
    """Paths of the attributes in which two objects differ, without generators."""
    paths: set[tuple[Any, ...]] = set()
    seen: dict[tuple[int, int], Any] = {}
    waiting: list[tuple[tuple[Any, ...], Any, Any]] = [((), first, second)]
    while waiting:
        path, a, b = waiting.pop()
        if a is b or (id(a), id(b)) in seen or type(a).__name__ in GENERATORS:
            continue
        seen[id(a), id(b)] = a, b  # keeps both alive: no other object can get their ids
        inside = _parts(a), _parts(b)
        if type(a) is not type(b) or inside[0].keys() != inside[1].keys():
            paths.add(path)
        elif inside[0]:
            named = not isinstance(a, CONTAINERS)  # items belong to the container's attribute
            pairs = ((key, part, inside[1][key]) for key, part in inside[0].items())
            waiting += [
                ((*path, key) if named else path, part, other) for key, part, other in pairs
            ]
        elif not _equal(a, b):
            paths.add(path)
    return paths


def _parts(thing: Any) -> dict[Any, Any]:
    """The parts of `thing` by name or position; empty for numbers, texts and plain arrays."""
    if isinstance(thing, dict):
        return dict(thing)
    if isinstance(thing, list | tuple):
        return dict(enumerate(thing))
    if isinstance(thing, np.ndarray):
        return dict(enumerate(thing.flat)) if thing.dtype.hasobject else {}
    if isinstance(thing, WHOLE):
        return {}
    with suppress(Exception):  # not every object can be reduced to parts
        made = thing.__reduce_ex__(4)
        if isinstance(made, tuple):
            state = made[2] if len(made) > 2 else None
            named = state if isinstance(state, dict) else {"state": state}
            return {**named, "arguments": made[1], "items": [list(x or ()) for x in made[3:5]]}
    return {}


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    return repr(a) == repr(b) if isinstance(a, float | np.floating) else bool(a == b)  # nan is nan
