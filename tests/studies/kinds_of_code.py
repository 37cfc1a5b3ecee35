"""Edits of code: in each snippet VALUE is 0 or 1, and `Base.predict_one` returns `label()`."""
# ruff: noqa: E501 -- a snippet per line

from __future__ import annotations

__all__ = ["CODE"]

FUNCTIONS = {
    "method": "class Model(Base):\n    def label(self): return VALUE",
    "static method": "class Model(Base):\n    @staticmethod\n    def label(): return VALUE",
    "class method": "class Model(Base):\n    @classmethod\n    def label(cls): return VALUE",
    "default argument": "class Model(Base):\n    def label(self, a=VALUE): return a",
    "keyword default": "class Model(Base):\n    def label(self, *, a=VALUE): return a",
    "comprehension": "class Model(Base):\n    def label(self): return [VALUE for _ in 'a'][0]",
    "set of constants": "class Model(Base):\n    def label(self): return int(1 in {VALUE, 5})",
    "nested function": """
        class Model(Base):
            def label(self):
                def inner():
                    return VALUE
                return inner()
    """,
    "helper of a helper": """
        def inner(): return VALUE
        def helper(): return inner()
        class Model(Base):
            def label(self): return helper()
    """,
    "helper that was edited alone": """
        def helper(): return 5
        class Model(Base):
            def label(self): return helper()
        --- # edit
        def helper(): return VALUE
    """,
    "generator": """
        def numbers(): yield VALUE
        class Model(Base):
            def label(self): return next(numbers())
    """,
    "coroutine": """
        async def number(): return VALUE
        class Model(Base):
            def label(self):
                try:
                    number().send(None)
                except StopIteration as stop:
                    return stop.value
    """,
    "context manager": """
        @contextlib.contextmanager
        def number(): yield VALUE
        class Model(Base):
            def label(self):
                with number() as found:
                    return found
    """,
    "attribute of a function": """
        class Model(Base):
            def label(self): return Model.label.answer
        Model.label.answer = VALUE
    """,
    "docstring of a function": """
        def helper():
            "VALUE"
        class Model(Base):
            def label(self): return int(helper.__doc__)
    """,
    "annotation of a function": """
        def helper(a: VALUE): pass
        class Model(Base):
            def label(self): return helper.__annotations__["a"]
    """,
    "name of a function": """
        def fVALUE(): pass
        class Model(Base):
            def label(self): return int(self.rule.__name__[1:])
        model = Model()
        model.rule = fVALUE
    """,
    "line of a function": """
        exec("\\n" * VALUE + "def helper(): pass")
        class Model(Base):
            def label(self): return helper.__code__.co_firstlineno - 1
    """,
    "signature of a function": """
        helper = eval("lambda " + "a" * VALUE + ": 0")
        class Model(Base):
            def label(self): return len(inspect.signature(helper).parameters)
    """,
    "code object put into a function": """
        def helper(): return 5
        def other(): return VALUE
        helper.__code__ = other.__code__
        class Model(Base):
            def label(self): return helper()
    """,
    "defaults put into a function": """
        def helper(a=5): return a
        helper.__defaults__ = (VALUE,)
        class Model(Base):
            def label(self): return helper()
    """,
    "cell put into a closure": """
        def make(a):
            def rule(): return a
            return rule
        helper = make(5)
        helper.__closure__[0].cell_contents = VALUE
        class Model(Base):
            def label(self): return helper()
    """,
    "globals of a function": """
        helper = types.FunctionType((lambda: answer).__code__, {"answer": VALUE})
        class Model(Base):
            def label(self): return helper()
    """,
}

WRAPPERS = {
    "decorator": """
        def always(function):
            @functools.wraps(function)
            def wrapper(*args): return VALUE
            return wrapper
        class Model(Base):
            @always
            def label(self): return 7
    """,
    "what a decorator wraps": """
        def plain(function):
            @functools.wraps(function)
            def wrapper(*args): return function(*args)
            return wrapper
        class Model(Base):
            @plain
            def label(self): return VALUE
    """,
    "__wrapped__": """
        def helper(): return 5
        helper.__wrapped__ = lambda: VALUE
        class Model(Base):
            def label(self): return inspect.unwrap(helper)()
    """,
    "lru_cache": """
        @functools.lru_cache
        def helper(): return VALUE
        class Model(Base):
            def label(self): return helper()
    """,
    "content of an lru_cache": """
        now = [5]
        @functools.lru_cache
        def helper(): return now[0]
        class Model(Base):
            def label(self): return helper()
        --- # edit
        now[0] = VALUE
        helper.cache_clear()
        helper()
        now[0] = 5
    """,
    "lru_cache of a method": """
        class Model(Base):
            @functools.lru_cache(maxsize=3)
            def label(self): return VALUE
    """,
    "cached property": """
        class Model(Base):
            @functools.cached_property
            def answer(self): return VALUE
            def label(self): return self.answer
    """,
    "cached property that was read": """
        class Model(Base):
            @functools.cached_property
            def answer(self): return now
            def label(self): return self.answer
        now = VALUE
        model = Model()
        model.answer
        now = 5
    """,
    "singledispatch": """
        @functools.singledispatch
        def helper(thing): return 5
        class Model(Base):
            def label(self): return helper(3)
        --- # edit
        @helper.register
        def _(thing: int): return VALUE
    """,
    "singledispatch method": """
        class Model(Base):
            @functools.singledispatchmethod
            def kind(self, thing): return VALUE
            def label(self): return self.kind(2)
    """,
    "partial": "class Model(Base): pass\nmodel = Model()\nmodel.label = functools.partial(int, VALUE)",
    "partial method": """
        class Model(Base):
            def kind(self, a): return a
            label = functools.partialmethod(kind, VALUE)
    """,
    "lambda": "class Model(Base): pass\nmodel = Model()\nmodel.label = lambda: VALUE",
    "closure": """
        def make(answer):
            def rule(): return answer
            return rule
        class Model(Base): pass
        model = Model()
        model.label = make(VALUE)
    """,
    "method put on an object": """
        class Model(Base): pass
        model = Model()
        model.label = types.MethodType(lambda self: VALUE, model)
    """,
    "bound method of another object": """
        class Other:
            def __init__(self, a): self.a = a
            def rule(self): return self.a
        class Model(Base): pass
        model = Model()
        model.label = Other(VALUE).rule
    """,
    "operator": """
        class Model(Base):
            def label(self): return self.rule([VALUE])
        model = Model()
        model.rule = operator.itemgetter(0)
    """,
    "methodcaller": """
        class Model(Base):
            def label(self): return self.rule([0])
        model = Model()
        model.rule = operator.methodcaller("count", VALUE - 1)
    """,
    "callable object": """
        class Rule:
            def __call__(self): return VALUE
        class Model(Base): pass
        model = Model()
        model.label = Rule()
    """,
    "numba function": """
        @numba.njit
        def helper(): return VALUE
        class Model(Base):
            def label(self): return helper.py_func()
    """,
    "numpy function": """
        helper = np.frompyfunc(lambda a: VALUE, 1, 1)
        class Model(Base):
            def label(self): return helper(3)
    """,
    "vectorized function": """
        helper = np.vectorize(lambda a: a + VALUE)
        class Model(Base):
            def label(self): return int(helper([0])[0])
    """,
    "mock": """
        class Model(Base): pass
        model = Model()
        model.label = mock.Mock(return_value=VALUE)
    """,
    "side effect of a mock": """
        class Model(Base):
            label = mock.MagicMock(side_effect=lambda: VALUE)
    """,
    "C function": """
        rule = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: VALUE)
        class Model(Base):
            def label(self): return rule()
    """,
}

CLASSES = {
    "class attribute": "class Model(Base):\n    a = VALUE\n    def label(self): return self.a",
    "property": """
        class Model(Base):
            @property
            def answer(self): return VALUE
            def label(self): return self.answer
    """,
    "descriptor": """
        class Answer:
            def __get__(self, thing, kind): return VALUE
        class Model(Base):
            answer = Answer()
            def label(self): return self.answer
    """,
    "__set_name__": """
        class Answer:
            def __set_name__(self, kind, name): kind.other = VALUE
        class Model(Base):
            answer = Answer()
            def label(self): return self.other
    """,
    "__init_subclass__": """
        class Middle(Base):
            def __init_subclass__(cls): cls.answer = VALUE
        class Model(Middle):
            def label(self): return self.answer
    """,
    "__class_getitem__": """
        class Model(Base):
            def __class_getitem__(cls, item): return VALUE
            def label(self): return Model[5]
    """,
    "__getattr__": """
        class Model(Base):
            def __getattr__(self, name):
                if name.startswith("_") or name != "answer":
                    raise AttributeError(name)
                return VALUE
            def label(self): return self.answer
    """,
    "__getattribute__": """
        class Model(Base):
            def __getattribute__(self, name):
                return VALUE if name == "answer" else object.__getattribute__(self, name)
            def label(self): return self.answer
    """,
    "__new__": """
        class Model(Base):
            def __new__(cls):
                made = object.__new__(cls)
                made.answer = VALUE
                return made
            def label(self): return self.answer
    """,
    "__init__": """
        class Model(Base):
            def __init__(self): self.answer = VALUE
            def label(self): return self.answer
    """,
    "short repr": """
        class Model(Base):
            def __init__(self): self.answer = VALUE
            def __repr__(self): return "Model()"
            def label(self): return self.answer
    """,
    "equality": """
        class One:
            def __init__(self): self.answer = VALUE
            def __eq__(self, other): return True
            def __hash__(self): return 1
        class Model(Base):
            def __init__(self): self.one = One()
            def label(self): return self.one.answer
    """,
    "base class": """
        class Middle(Base):
            def label(self): return VALUE
        class Model(Middle): pass
    """,
    "order of the base classes": """
        class A:
            def label(self): return 0
        class B:
            def label(self): return 1
        Model = type("Model", (B, A, Base) if VALUE else (A, B, Base), {})
    """,
    "mixin": """
        class Mixin:
            def predict_one(self, x): return VALUE
        class Model(Mixin, Base): pass
    """,
    "base classes assigned": """
        class A(Base):
            def label(self): return 5
        class B(Base):
            def label(self): return VALUE
        class Model(A): pass
        Model.__bases__ = (B,)
    """,
    "class assigned": """
        class Other(Base):
            def label(self): return VALUE
        class Model(Base): pass
        model = Model()
        model.__class__ = Other
    """,
    "metaclass": """
        class Meta(type):
            @property
            def answer(cls): return VALUE
        class Model(Base, metaclass=Meta):
            def label(self): return type(self).answer
    """,
    "__prepare__": """
        class Meta(type):
            @classmethod
            def __prepare__(meta, name, bases): return {"answer": VALUE}
        class Model(Base, metaclass=Meta):
            def label(self): return self.answer
    """,
    "class docstring": """
        class Model(Base):
            "VALUE"
            def label(self): return int(self.__doc__)
    """,
    "class annotation": """
        class Model(Base):
            answer: VALUE
            def label(self): return Model.__annotations__["answer"]
    """,
    "name of a class": """
        class Model(Base):
            def label(self): return int(type(self).__name__[-1])
        model = type("ModelVALUE", (Model,), {})()
    """,
    "module of a class": """
        class Model(Base):
            __module__ = "VALUE"
            def label(self): return int(self.__module__)
    """,
    "class decorator": """
        def answering(kind):
            kind.label = lambda self: VALUE
            return kind
        @answering
        class Model(Base): pass
    """,
    "class made with type()": 'Model = type("Model", (Base,), {"label": lambda self: VALUE})',
    "method put on a class": "class Model(Base): pass\n--- # edit\nModel.label = lambda self: VALUE",
    "abstract base class": """
        class Kind(abc.ABC): pass
        class Other: pass
        class Model(Base):
            def label(self): return int(issubclass(Other, Kind))
        if VALUE:
            Kind.register(Other)
    """,
    "enum": """
        class Answer(enum.Enum):
            IT = VALUE
        class Model(Base):
            def label(self): return Answer.IT.value
    """,
    "dataclass default": """
        @dataclasses.dataclass
        class Model(Base):
            answer: int = VALUE
            def label(self): return self.answer
    """,
    "dataclass factory": """
        @dataclasses.dataclass
        class Model(Base):
            answer: int = dataclasses.field(default_factory=lambda: VALUE)
            def label(self): return self.answer
    """,
    "metadata of a field": """
        @dataclasses.dataclass
        class Model(Base):
            answer: int = dataclasses.field(default=5, metadata={"a": VALUE})
            def label(self): return dataclasses.fields(self)[0].metadata["a"]
    """,
    "named tuple": """
        class Answer(typing.NamedTuple):
            a: int = VALUE
        class Model(Base):
            def label(self): return Answer().a
    """,
    "subclass of a dictionary": """
        class Answers(dict):
            def __missing__(self, key): return VALUE
        class Model(Base):
            def __init__(self): self.answers = Answers()
            def label(self): return self.answers[3]
    """,
    "subclass of an array": """
        class Array(np.ndarray):
            def __array_finalize__(self, other): self.answer = VALUE
        class Model(Base):
            def __init__(self): self.array = np.zeros(1).view(Array)
            def label(self): return self.array.answer
    """,
    "subclass of a number": """
        class Number(int):
            def __add__(self, other): return VALUE
        class Model(Base):
            def __init__(self): self.number = Number(3)
            def label(self): return self.number + 1
    """,
    "slots": """
        class Model(Base):
            __slots__ = ("answer",)
            def __init__(self): self.answer = VALUE
            def label(self): return self.answer
    """,
}

COPIES = {
    "__getstate__ beside __deepcopy__": """
        class Model(Base):
            def __init__(self, answer): self.answer = answer
            def __getstate__(self): return {}
            def __deepcopy__(self, memo): return Model(self.answer)
            def label(self): return self.answer
        model = Model(VALUE)
    """,
    "__getstate__": """
        class Model(Base):
            def __getstate__(self): return {"answer": VALUE}
            def label(self): return self.answer
    """,
    "__setstate__": """
        class Model(Base):
            def __init__(self): self.answer = 5
            def __setstate__(self, state): self.answer = VALUE
            def label(self): return self.answer
    """,
    "__reduce__": """
        class Model(Base):
            def __init__(self, answer=5): self.answer = answer
            def __reduce__(self): return Model, (VALUE,)
            def label(self): return self.answer
    """,
    "__reduce_ex__": """
        class Model(Base):
            def __init__(self, answer=5): self.answer = answer
            def __reduce_ex__(self, protocol): return Model, (VALUE,)
            def label(self): return self.answer
    """,
    "__copy__": """
        class Inner:
            answer = 5
            def __copy__(self):
                made = Inner()
                made.answer = VALUE
                return made
        class Model(Base):
            def label(self): return copy.copy(Inner()).answer
    """,
    "__deepcopy__": """
        class Model(Base):
            answer = 5
            def __deepcopy__(self, memo):
                made = Model()
                made.answer = VALUE
                return made
            def label(self): return self.answer
    """,
    "__getnewargs__": """
        class Model(Base):
            def __new__(cls, answer=5):
                made = object.__new__(cls)
                made.__dict__["answer"] = answer
                return made
            def __getnewargs__(self): return (VALUE,)
            def __getstate__(self): return None
            def label(self): return self.answer
    """,
    "copyreg": """
        class Model(Base):
            def __init__(self, answer=5): self.answer = answer
            def label(self): return self.answer
        copyreg.pickle(Model, lambda model: (Model, (VALUE,)))
    """,
    "clone": """
        class Model(Base):
            def __init__(self, answer=5): self.answer = answer
            def clone(self, *args, **named): return Model(VALUE)
            def label(self): return self.clone().answer
    """,
    "singleton by name": """
        class Single:
            answer = VALUE
            def __reduce__(self): return "THE_ONE"
        THE_ONE = Single()
        class Model(Base):
            def __init__(self): self.one = THE_ONE
            def label(self): return self.one.answer
    """,
    "models in a list": """
        class One:
            def __init__(self): self.answer = VALUE
        class Model(Base):
            def __init__(self): self.models = [One()]
            def label(self): return self.models[0].answer
    """,
}

NAMES = {
    "global constant": "A = VALUE\nclass Model(Base):\n    def label(self): return A",
    "global array": "A = np.array([VALUE])\nclass Model(Base):\n    def label(self): return int(A[0])",
    "array changed in place": """
        A = np.zeros(1, int)
        class Model(Base):
            def label(self): return int(A[0])
        --- # edit
        A[0] = VALUE
    """,
    "globals()": """
        class Model(Base):
            def label(self): return globals()["ans" + "wer"]
        answer = VALUE
    """,
    "module of its own": """
        sys.modules["mine_here"] = types.ModuleType("mine_here")
        sys.modules["mine_here"].answer = VALUE
        class Model(Base):
            def label(self):
                import mine_here
                return mine_here.answer
    """,
    "module __getattr__": """
        module = types.ModuleType("module")
        module.__getattr__ = lambda name: VALUE
        class Model(Base):
            def label(self): return module.answer
    """,
    "exec": """
        text = "found = VALUE"
        class Model(Base):
            def label(self):
                names = {}
                exec(text, names)
                return names["found"]
    """,
    "eval": 'text = "VALUE"\nclass Model(Base):\n    def label(self): return eval(text)',
    "compile": """
        code = compile("VALUE", "cell", "eval")
        class Model(Base):
            def label(self): return eval(code)
    """,
    "importlib.import_module": """
        Path("mine_now.py").write_text("answer = VALUE" + " " * VALUE)
        class Model(Base):
            def label(self):
                importlib.invalidate_caches()
                sys.path.insert(0, os.getcwd())
                try:
                    return importlib.import_module("mine_now").answer
                finally:
                    sys.path.pop(0)
                    sys.modules.pop("mine_now", None)
    """,
    "spec from a file": """
        Path("mine_now.py").write_text("answer = VALUE" + " " * VALUE)
        class Model(Base):
            def label(self):
                spec = importlib.util.spec_from_file_location("a", "mine_now.py")
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                return module.answer
    """,
    "runpy": """
        Path("mine_now.py").write_text("answer = VALUE")
        class Model(Base):
            def label(self): return runpy.run_path("mine_now.py")["answer"]
    """,
    "import hook": """
        class Finder:
            def find_spec(self, name, path=None, target=None):
                return importlib.util.spec_from_loader(name, self) if name == "made_up" else None
            def create_module(self, spec): return None
            def exec_module(self, module): module.answer = VALUE
        class Model(Base):
            def label(self):
                import made_up
                del sys.modules["made_up"]
                return made_up.answer
        finder = Finder()
        sys.meta_path.insert(0, finder)
        def undo(): sys.meta_path.remove(finder)
    """,
    "builtin patched": """
        class Model(Base):
            def label(self): return answer_of_all()
        builtins.answer_of_all = lambda: VALUE
        def undo(): del builtins.answer_of_all
    """,
    "weak reference": """
        class Held: pass
        held = Held()
        held.answer = VALUE
        reference = weakref.ref(held)
        class Model(Base):
            def label(self): return reference().answer
    """,
    "weak dictionary": """
        class Held: pass
        held, table = Held(), weakref.WeakKeyDictionary()
        table[held] = VALUE
        class Model(Base):
            def label(self): return table[held]
    """,
    "context variable": """
        variable = contextvars.ContextVar("variable")
        variable.set(VALUE)
        class Model(Base):
            def label(self): return variable.get()
    """,
    "local of a thread": """
        local = threading.local()
        local.answer = VALUE
        class Model(Base):
            def label(self): return local.answer
    """,
    "iterator": """
        class Model(Base):
            def label(self): return next(self.answers)
        model = Model()
        model.answers = iter([VALUE] * 1000)
    """,
    "object known to the garbage collector": """
        class Marker: pass
        class Model(Base):
            def label(self):
                return next(o.answer for o in gc.get_objects() if type(o) is Marker)
        marker = Marker()
        marker.answer = VALUE
    """,
}

CODE = {
    "functions": FUNCTIONS,
    "wrappers": WRAPPERS,
    "classes": CLASSES,
    "copies": COPIES,
    "names": NAMES,
}
