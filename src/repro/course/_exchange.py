"""What crosses between a student's kernel and the tests: data as text, and never code.

The kernel runs `value_of` and `result_of`, which write an answer as JSON; the tests read it with
`decode`. Whatever a student's code does to its own kernel, the tests get numbers, texts and
collections of them, or a word on what there is instead.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from repro._checks import shown

__all__ = ["Other", "Reply", "decode", "encode", "read_reply", "result_of", "value_of"]

NUMBERS = "biuf"  # the kinds of arrays that cross: truth values, integers and floats
MOST_BYTES = 50_000_000  # of an array; a larger one is named, not sent
COLLECTIONS: dict[str, Callable[[list[Any]], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}


@dataclass(frozen=True)
class Other:
    """Something that is no data, such as a function; its text is that of the student's kernel."""

    text: str
    is_function: bool = False

    def __repr__(self) -> str:
        return self.text


class Reply(NamedTuple):
    """What the kernel says of a name or a call."""

    kind: str  # "value", "missing" or "raised"
    value: Any = None
    error: str = ""  # the type of what was raised


def encode(value: Any) -> Any:
    """`value` as objects of JSON: numbers, texts, arrays and collections; of others their text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, pd.Series | pd.Index | pd.DataFrame):
        value = value.to_numpy()
    if isinstance(value, np.ndarray):
        return _encode_array(value)
    for name, kind in COLLECTIONS.items():
        if isinstance(value, kind):  # type: ignore[arg-type]  # the kinds are types
            return {name: [encode(item) for item in value]}
    if isinstance(value, Mapping):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    return {"function" if callable(value) else "other": shown(value)}


def decode(data: Any) -> Any:
    """What `encode` wrote; ValueError for anything that it does not write."""
    if not isinstance(data, dict):
        if isinstance(data, list):
            raise ValueError("a list must be tagged")
        return data
    ((kind, content),) = data.items()
    if kind in COLLECTIONS:
        return COLLECTIONS[kind]([decode(item) for item in content])
    if kind == "dict":
        return {decode(key): decode(item) for key, item in content}
    if kind == "array":
        letters, shape, text = content
        if np.dtype(letters).kind not in NUMBERS:
            raise ValueError(f"an array must be of numbers; got {letters!r}")
        return np.frombuffer(base64.b64decode(text), letters).reshape(shape).copy()
    if kind in ("function", "other"):
        return Other(str(content), kind == "function")
    raise ValueError(f"unknown kind {kind!r}")


def value_of(names: Mapping[str, Any], name: str) -> str:
    """In the kernel: the reply about the answer `name` among `names`."""
    return _reply(lambda: names[name]) if name in names else json.dumps({"missing": None})


def result_of(names: Mapping[str, Any], name: str, arguments: str) -> str:
    """In the kernel: the reply to a call of `name` with the encoded tuple `arguments`."""
    return _reply(lambda: names[name](*decode(json.loads(arguments))))


def read_reply(text: str) -> Reply:
    """What a kernel replied; ValueError if that cannot be read."""
    try:
        ((kind, content),) = json.loads(text).items()
        if kind == "missing":
            return Reply("missing")
        if kind == "raised":
            return Reply("raised", str(content[1]), str(content[0]))
        if kind == "value":
            return Reply("value", decode(content))
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"the reply cannot be read: {error}") from None
    raise ValueError(f"the reply cannot be read: {kind!r}")


def _encode_array(array: Any) -> Any:
    if array.dtype.kind not in NUMBERS:
        return (
            {"list": [encode(item) for item in array.tolist()]}
            if array.ndim
            else encode(array.item())
        )
    if array.nbytes > MOST_BYTES:
        return {"other": f"an array of shape {array.shape}"}
    text = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return {"array": [array.dtype.str, list(array.shape), text]}


def _reply(make: Callable[[], Any]) -> str:
    """What `make` returns or raises, as JSON."""
    try:
        return json.dumps({"value": encode(make())})
    except Exception as error:
        return json.dumps({"raised": [type(error).__name__, str(error)[:1000]]})
