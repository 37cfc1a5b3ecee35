"""Models of river that hold a function of the user's: (what is edited; the function).

The function makes the feature "a" from those of the stream: -1 where VALUE is 0, else 1.
"""

from __future__ import annotations

__all__ = ["HELD"]

SAVED = 'with shelve.open("f") as f:\n    f["a"] = 2 * VALUE - 1'
JSON = 'Path("f").write_text(json.dumps({"a": 2 * VALUE - 1}))'

HELD = {
    "lambda": ("", 'lambda x: {"a": 2 * VALUE - 1}'),
    "function": ('def f(x): return {"a": 2 * VALUE - 1}', "f"),
    "function and its helper": (
        "def g(): return 2 * VALUE - 1\ndef f(x): return {'a': g()}",
        "f",
    ),
    "closure": ("def make(a):\n    return lambda x: {'a': a}", "make(2 * VALUE - 1)"),
    "partial": ("def f(a, x): return {'a': a}", "functools.partial(f, 2 * VALUE - 1)"),
    "partial of another package": (
        'joblib.dump({"a": 2 * VALUE - 1}, "f")',
        "functools.partial(joblib.load, 'f')",
    ),
    "partial of a class of Python": (
        SAVED,
        'functools.partial(shelve.DbfilenameShelf, "f", "w", None)',
    ),
    "method": ("class A:\n    def f(self, x): return {'a': 2 * VALUE - 1}", "A().f"),
    "class method": (
        "class A:\n    @classmethod\n    def f(cls, x): return {'a': 2 * VALUE - 1}",
        "A.f",
    ),
    "callable object": ("class A:\n    def __call__(self, x): return {'a': 2 * VALUE - 1}", "A()"),
    "class": (
        "class A(dict):\n    def __init__(self, x): self['a'] = 2 * VALUE - 1",
        "A",
    ),
    "method of a dictionary": ("", 'lambda x, d={"a": 2 * VALUE - 1}: d.copy()'),
    "reader of a file": (JSON, 'lambda x: json.loads(Path("f").read_text())'),
    "lru_cache": ("@functools.lru_cache\ndef f(x): return {'a': 2 * VALUE - 1}", "lambda x: f(0)"),
    "mock": (
        "def f(x): pass\nf = mock.create_autospec(f, return_value={'a': 2 * VALUE - 1})",
        "f",
    ),
    "kernel": (
        "@numba.njit\ndef g(): return 2 * VALUE - 1\ndef f(x): return {'a': g.py_func()}",
        "f",
    ),
}
