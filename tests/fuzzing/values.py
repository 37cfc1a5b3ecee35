"""Arguments as Python code: right ones by name and annotation, nearly right ones, and garbage."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from fuzzing.pools import BY_CALL, BY_NAME, GARBAGE, SIZES
from fuzzing.surface import Parameter

#: What turns a right argument into one that is nearly right, by the type of the argument.
NEAR_NUMBER = (
    "-({})", "({}) + 0.5", "float({})", "int({})", "np.float32({})", "np.float16({})", "str({})",
    "np.array({})", "np.array([{}])", "[{}]", "({},)", "{} + 0j", "np.int8({})", "np.uint8({})",
    "bool({})", "fractions.Fraction({})", "decimal.Decimal({})", "({}) - 1", "np.float64({})",
    "np.int64({})", "np.longdouble({})", "np.array({}, dtype=object)", "pd.Series([{}])",
    "({}) * 1e-200", "({}) * 1e300", "({}) * nan", "({}) * inf", "np.bool_({})",
)  # fmt: skip
NEAR_ARRAY = (
    *(f"np.asarray({{}}).astype({kind})" for kind in (
        "np.float16", "np.float32", "np.int8", "np.uint64", "bool", "object", "complex", "str",
        "'>f8'", "np.longdouble", "'datetime64[s]'", "'timedelta64[s]'",
    )),
    *(f"np.asarray({{}}){part}" for part in (
        "[:, None]", "[None]", "[:0]", "[:-1]", "[:1]", "[::-1]", ".T", " * 1e300", " * 1e150",
        " * 1e-200", " * -1", " + 0.5", " * nan", " * inf", " + 10**9", " + 2.0**63",
    )),
    "tuple({})", "list({})", "iter({})", "set({})", "dict(enumerate({}))", "memoryview({})",
    "np.append({}, 1)", "np.append({}, nan)", "np.append({}, inf)", "np.append({}, -1)",
    "np.append({}, 10**9)", "np.append({}, 1e300)", "[*{}, None]", "[*{}, 'a']", "[*{}, 10**30]",
    "[*{}, []]", "[*{}, 2**63]", "pd.Series({})", "pd.Series({}).astype('category')",
    "pd.Series({}, index=range(1, len({}) + 1))", "pd.Series({}).convert_dtypes()", "pd.Index({})",
    "pd.DataFrame({})", "np.ma.masked_array({}, np.arange(len({})) == 0)", "({})[0]",
    "np.broadcast_to({}, np.shape({}))", "np.repeat({}, 2, axis=0)[::2]", "np.asfortranarray({})",
    "{{'a': {}}}", "[{}, {}]", "str({})", "(value for value in {})", "np.asarray({}).tolist()",
)  # fmt: skip
NEAR_TEXT = (
    "({}).upper()", "({}) + ' '", "({})[:-1]", "({}).encode()", "[{}]", "pathlib.Path({})",
    "np.str_({})", "({}) * 2", "({}) + '\\0'",
)  # fmt: skip
NEAR_FRAME = (
    "({}).iloc[:0]", "({}).iloc[:, :0]", "({}).iloc[:1]", "({}).iloc[:, 1:]", "({}).iloc[:, :-1]",
    "({}).astype(str)", "({}).astype(object)", "({}).T", "({}).to_dict()", "({}).to_numpy()",
    "({}).assign(learner='a')", "({}).assign(stream=1)", "({}).assign(error='a')",
    "({}).assign(error=nan)", "({}).assign(verdict=None)", "({}).assign(learner=nan)",
    "pd.concat([{}, {}])", "pd.concat([{}, {}], axis=1)", "({}).set_index(({}).columns[0])",
    "({}).rename(columns=str.upper)", "({}).iloc[:, 0]", "({}).isna()", "({}).iloc[::-1]",
    "({}).convert_dtypes()", "({}).set_axis(range(({}).shape[1]), axis=1)",
)  # fmt: skip
NEAR_MAPPING = (
    "list({})", "({}).keys()", "tuple(({}).items())", "{{**({}), 'b': None}}", "{{**({}), 1: 0.5}}",
    "{{**({}), None: [nan]}}", "{{}}", "pd.Series({})", "types.MappingProxyType({})",
)  # fmt: skip
NEAR_OBJECT = ("type({})", "str({})", "[{}]", "{{'a': {}}}", "vars({})", "({}, {})", "iter([{}])")
KINDS: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (str, NEAR_TEXT),
    ((bool, int, float, np.number), NEAR_NUMBER),
    (pd.DataFrame, NEAR_FRAME),
    (dict, NEAR_MAPPING),
    ((list, tuple, np.ndarray), NEAR_ARRAY),
)
#: Right arguments where the name says nothing, by words of the annotation; the first that is there.
BY_ANNOTATION: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Callable", ("np.mean", "lambda *given: 0.5")),
    ("Mapping", ("{'a': 0.5}", "{}")),
    ("DataFrame", ("pd.DataFrame({'a': [0.1, 0.2], 'b': [0.3, nan]})",)),
    ("Generator", ("np.random.default_rng(0)",)),
    ("ArrayLike", ("[0.0, 1.0, 1.0]", "[0, 1, 2]", "[0.5]")),
    ("NDArray", ("np.array([0, 1, 1])", "np.array([0.5, 0.5])")),
    ("tuple", ("()", "(1,)", "(0.5, 0.5)")),
    ("Sequence", ("[0, 1]", "[0.5]")),
    ("Iterable", ("[0, 1]", "range(3)")),
    ("bool", ("True", "False")),
    ("Path", ("'a.csv'", "pathlib.Path('a.csv')")),
    ("str", ("'a'", "'01_a'", "''")),
    ("float", ("0.5", "1.0", "0.0", "0.05", "2.0")),
    ("int", ("0", "1", "2", "3", "10")),
)
HUGE = ("2**40", "10**9", "2**31", "2**62", "2**63 - 1")


class Context:
    """Sizes that the arguments of one call share: lengths, numbers of classes and attributes."""

    def __init__(self, rnd: random.Random, receiver: Any = None) -> None:
        self.rnd = rnd
        self.n = rnd.choice((1, 2, 3, 5, 8, 20, 60))
        self.n_classes = rnd.choice((1, 2, 2, 3, 5))
        self.n_features = rnd.choice((1, 2, 3))
        self.family = rnd.randrange(4)
        if receiver is not None:
            with contextlib.suppress(Exception):  # its settings may be absurd
                self._learn_from(receiver)

    def _learn_from(self, receiver: Any) -> None:
        """Take the sizes from the object of a method: ten attributes if it has ten."""
        for owner in (receiver, getattr(receiver, "schema", None)):
            for name in ("n_features", "n_classes"):
                value = getattr(owner, name, None)
                if type(value) is int and 0 < value < 1000:
                    setattr(self, name, value)

    # Used in the pools.
    def one(self, *codes: str) -> str:
        """One of the `codes`."""
        return self.rnd.choice(codes)

    def losses(self) -> str:
        """Losses of 0 and 1, sometimes other numbers, one per example."""
        draw = self.one("integers(0, 2, {})", "integers(0, 2, {})", "random({})")
        if self.n <= 3 and self.rnd.random() < 0.5:
            return repr([self.rnd.randrange(2) for _ in range(self.n)])
        return f"np.random.default_rng({self.rnd.randrange(9)}).{draw.format(self.n)}"

    def labels(self) -> str:
        """Labels 0..K-1, one per example."""
        seed, k = self.rnd.randrange(9), self.n_classes
        return f"np.random.default_rng({seed}).integers(0, {k}, {self.n})"

    def rows(self) -> str:
        """Attributes (n, d)."""
        size = self.n, self.n_features
        draw = self.one("normal(size={})", "integers(0, 2, {})", "random({})")
        return f"np.random.default_rng({self.rnd.randrange(9)}).{draw.format(size)}"

    def row(self) -> str:
        """Attributes of one example."""
        return repr([self.rnd.choice((0.0, 1.0, 0.5, -2.0)) for _ in range(self.n_features)])

    def integers(self, high: int) -> str:
        """Whole numbers 0..high-1, one per example."""
        return f"np.random.default_rng({self.rnd.randrange(9)}).integers(0, {high}, {self.n})"


def right(ctx: Context, path: str, parameter: Parameter) -> str:
    """Code of a right argument."""
    name, annotation = parameter.name, parameter.annotation
    if "None" in annotation and ctx.rnd.random() < 0.4:
        return "None"
    call = path.rpartition(".")[2]
    found: Any = BY_CALL.get((call, name))
    if found is None:
        is_scalar = not any(w in annotation for w in ("Array", "Seq", "Iter", "tuple", "Mapping"))
        found = BY_NAME.get((name, "scalar" if is_scalar else "array")) or BY_NAME.get(name)
    if found is None:
        found = next((codes for word, codes in BY_ANNOTATION if word in annotation), GARBAGE)
    if isinstance(found, Callable):
        return str(found(ctx))
    return ctx.one(*found)


def wrong(ctx: Context, parameter: Parameter, valid: str, value: Any) -> str:
    """Code of a wrong argument: nearly right (`value` of `valid`, changed) or garbage."""
    chance = ctx.rnd.random()
    if chance < 0.06 and parameter.name not in SIZES:
        return ctx.one(*HUGE)
    if chance < 0.5:
        return ctx.one(*GARBAGE)
    forms = next((forms for kind, forms in KINDS if isinstance(value, kind)), NEAR_OBJECT)
    form = ctx.one(*forms)
    return form.format(*[valid] * form.count("{}"))
