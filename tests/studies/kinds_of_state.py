"""State of the process: (what sets it to VALUE, 0 or 1; what a model reads; what undoes it)."""
# ruff: noqa: E501 -- a snippet per line

from __future__ import annotations

__all__ = ["STATE"]

SYSTEM = {
    "environment": (
        'os.environ["MINE_A"] = "VALUE"',
        'os.environ["MINE_A"]',
        'del os.environ["MINE_A"]',
    ),
    "os.getenv": (
        'os.environ["MINE_B"] = "VALUE"',
        'os.getenv("MINE_B")',
        'del os.environ["MINE_B"]',
    ),
    "os.path.expandvars": (
        'os.environ["MINE_C"] = "VALUE"',
        'os.path.expandvars("$MINE_C")',
        'del os.environ["MINE_C"]',
    ),
    "environment of a process": (
        'os.environ["MINE_D"] = "VALUE"',
        'subprocess.check_output(["printenv", "MINE_D"])',
        'del os.environ["MINE_D"]',
    ),
    "working folder": (
        'Path("VALUE").mkdir(exist_ok=True)\nos.chdir("VALUE")',
        "Path.cwd().name",
        'os.chdir("..")',
    ),
    "umask": (
        "old = os.umask(0o20 + VALUE)",
        "(os.umask(0o20), os.umask(0o20 + now))[0] % 2",
        "os.umask(old)",
    ),
    "limit of open files": (
        "old = resource.getrlimit(resource.RLIMIT_CORE)\nresource.setrlimit(resource.RLIMIT_CORE, (0, old[1]))\n"
        "old_stack = resource.getrlimit(resource.RLIMIT_NOFILE)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (old_stack[0] - VALUE, old_stack[1]))",
        "old_stack[0] - resource.getrlimit(resource.RLIMIT_NOFILE)[0]",
        "resource.setrlimit(resource.RLIMIT_NOFILE, old_stack)\nresource.setrlimit(resource.RLIMIT_CORE, old)",
    ),
    "processor affinity": (
        "old = os.sched_getaffinity(0)\nos.sched_setaffinity(0, {min(old)} if VALUE else old)",
        "os.sched_getaffinity(0) != old",
        "os.sched_setaffinity(0, old)",
    ),
    "signal handler": (
        "old = signal.signal(signal.SIGUSR1, signal.SIG_IGN if VALUE else signal.SIG_DFL)",
        "signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN",
        "signal.signal(signal.SIGUSR1, old)",
    ),
    "timer": (
        "old = signal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 1000 * VALUE)",
        "signal.getitimer(signal.ITIMER_REAL)[0] > 0",
        "signal.setitimer(signal.ITIMER_REAL, 0)\nsignal.signal(signal.SIGALRM, old)",
    ),
    "clock": ("end = time.monotonic() + (-1 if VALUE else 1000)", "time.monotonic() > end", ""),
    "date": (
        "class Day(datetime.date): pass\nday = datetime.date.today() - datetime.timedelta(2 * VALUE)",
        "datetime.date.today() > day + datetime.timedelta(1)",
        "",
    ),
    "time zone": (
        'os.environ["TZ"] = "XXX-VALUE"\ntime.tzset()',
        "-time.timezone // 3600",
        'del os.environ["TZ"]\ntime.tzset()',
    ),
    "locale": (
        'old = locale.setlocale(locale.LC_CTYPE)\nlocale.setlocale(locale.LC_CTYPE, ["C", "C.UTF-8"][VALUE])',
        'locale.nl_langinfo(locale.CODESET) == "UTF-8"',
        "locale.setlocale(locale.LC_CTYPE, old)",
    ),
    "thread": (
        "go, name = threading.Event(), threading.Thread(target=lambda: go.wait(), name='tVALUE', daemon=True)\n"
        "name.start()",
        "[t.name[1:] for t in threading.enumerate() if t.name in ('t0', 't1')][0]",
        "go.set()\nname.join()",
    ),
    "name of a thread": (
        "old = threading.current_thread().name\nthreading.current_thread().name = 'VALUE'",
        "threading.current_thread().name",
        "threading.current_thread().name = old",
    ),
    "queue": ("items = queue.Queue()\n[items.put(VALUE) for _ in range(9)]", "items.get()", ""),
    "lock": ("lock = threading.Lock()\nVALUE and lock.acquire()", "lock.locked()", ""),
    "garbage collector": (
        "old = gc.get_threshold()\ngc.set_threshold(old[0], old[1], 10 + VALUE)",
        "gc.get_threshold()[2] - 10",
        "gc.set_threshold(*old)",
    ),
}

PYTHON = {
    "sys.argv": ('old = sys.argv\nsys.argv = ["VALUE"]', "sys.argv[0]", "sys.argv = old"),
    "sys.path": ('sys.path.append("VALUE")', "sys.path[-1]", "sys.path.pop()"),
    "sys.modules": (
        'sys.modules["mine_a"] = VALUE',
        'sys.modules["mine_a"]',
        'del sys.modules["mine_a"]',
    ),
    "recursion limit": (
        "old = sys.getrecursionlimit()\nsys.setrecursionlimit(5000 + VALUE)",
        "sys.getrecursionlimit() % 2",
        "sys.setrecursionlimit(old)",
    ),
    "switch interval": (
        "old = sys.getswitchinterval()\nsys.setswitchinterval(0.01 if VALUE else 0.005)",
        "sys.getswitchinterval() > 0.007",
        "sys.setswitchinterval(old)",
    ),
    "digits of integers": (
        "old = sys.get_int_max_str_digits()\nsys.set_int_max_str_digits(5000 + VALUE)",
        "sys.get_int_max_str_digits() % 2",
        "sys.set_int_max_str_digits(old)",
    ),
    "sys.dont_write_bytecode": (
        "old = sys.dont_write_bytecode\nsys.dont_write_bytecode = bool(VALUE)",
        "sys.dont_write_bytecode",
        "sys.dont_write_bytecode = old",
    ),
    "sys.stdin": (
        'old = sys.stdin\nsys.stdin = io.StringIO("VALUE" * 9)',
        "sys.stdin.read(1)",
        "sys.stdin = old",
    ),
    "sys.displayhook": (
        "old = sys.displayhook\nsys.displayhook = VALUE",
        "sys.displayhook",
        "sys.displayhook = old",
    ),
    "sys.ps1": ('sys.ps1 = "VALUE"', "sys.ps1", "del sys.ps1"),
    "tracing of threads": (
        "threading.setprofile(VALUE or None)",
        "threading.getprofile() or 0",
        "threading.setprofile(None)",
    ),
    "attribute of a module": ("math.mine = VALUE", "math.mine", "del math.mine"),
    "attribute of __main__": (
        'sys.modules["__main__"].mine = VALUE',
        'importlib.import_module("__main__").mine',
        'del sys.modules["__main__"].mine',
    ),
    "builtins": ("builtins.mine = VALUE", "mine", "del builtins.mine"),
    "patched clock": (
        'patch = mock.patch("time.time", lambda: VALUE)\npatch.start()',
        "time.time()",
        "patch.stop()",
    ),
    "patched module function": (
        'patch = mock.patch.object(math, "floor", lambda a: VALUE)\npatch.start()',
        "math.floor(3.2)",
        "patch.stop()",
    ),
    "patched dictionary": (
        'patch = mock.patch.dict(os.environ, MINE_E="VALUE")\npatch.start()',
        'os.environ["MINE_E"]',
        "patch.stop()",
    ),
    "patched open": (
        'patch = mock.patch("builtins.open", mock.mock_open(read_data="VALUE"))\npatch.start()',
        'open("nothing").read()',
        "patch.stop()",
    ),
    "linecache": (
        'linecache.cache["mine"] = 1, None, ["VALUE"], "mine"',
        'linecache.getline("mine", 1)',
        "linecache.clearcache()",
    ),
    "file type": (
        'mimetypes.add_type("a/VALUE", ".mine")',
        'mimetypes.guess_type("a.mine")[0][-1]',
        "mimetypes.init()",
    ),
    "codec": (
        "def find(name):\n    if name == 'mine_codec':\n        return codecs.CodecInfo(None, lambda b, e=0: ('VALUE', 1))\n"
        "codecs.register(find)",
        'b"a".decode("mine_codec")',
        "codecs.unregister(find)",
    ),
    "error handler of codecs": (
        'codecs.register_error("mine_errors", lambda error: ("VALUE", error.end))',
        'b"\\xff".decode("ascii", "mine_errors")',
        "",
    ),
    "csv dialect": (
        'csv.register_dialect("mine", delimiter=",;"[VALUE])',
        'len(next(csv.reader(["0;0"], "mine"))) - 1',
        'csv.unregister_dialect("mine")',
    ),
    "csv field size": (
        "old = csv.field_size_limit(9000 + VALUE)",
        "csv.field_size_limit() % 2",
        "csv.field_size_limit(old)",
    ),
    "first weekday": (
        "calendar.setfirstweekday(VALUE)",
        "calendar.firstweekday()",
        "calendar.setfirstweekday(0)",
    ),
    "temporary folder": (
        'old = tempfile.tempdir\ntempfile.tempdir = "VALUE"',
        "tempfile.gettempdir()",
        "tempfile.tempdir = old",
    ),
    "time limit of sockets": (
        "socket.setdefaulttimeout(50 + VALUE)",
        "socket.getdefaulttimeout() - 50",
        "socket.setdefaulttimeout(None)",
    ),
    "log level": (
        'logging.getLogger("mine").setLevel(10 + VALUE)',
        'logging.getLogger("mine").level - 10',
        'logging.getLogger("mine").setLevel(0)',
    ),
    "filters of warnings": (
        'caught = warnings.catch_warnings()\ncaught.__enter__()\nwarnings.simplefilter(["ignore", "error"][VALUE], UserWarning)',
        'raises(lambda: warnings.warn("a", UserWarning))',
        "caught.__exit__(None, None, None)",
    ),
    "warnings shown": (
        "old = warnings.showwarning\nwarnings.showwarning = VALUE",
        "warnings.showwarning",
        "warnings.showwarning = old",
    ),
    "decimal context": (
        "old = decimal.getcontext().prec\ndecimal.getcontext().prec = 20 + VALUE",
        "decimal.getcontext().prec - 20",
        "decimal.getcontext().prec = old",
    ),
    "rounding of decimals": (
        "old = decimal.getcontext().rounding\ndecimal.getcontext().rounding = ['ROUND_DOWN', 'ROUND_UP'][VALUE]",
        'decimal.Decimal("0.5").to_integral_value()',
        "decimal.getcontext().rounding = old",
    ),
    "copyreg of a type of Python": (
        "class Odd:\n    a = 5\ncopyreg.pickle(Odd, lambda odd: (int, (VALUE,)))",
        "copy.deepcopy(Odd())",
        "copyreg.dispatch_table.pop(Odd)",
    ),
    "event loop policy": (
        "old = asyncio.get_event_loop_policy()\n"
        "asyncio.set_event_loop_policy(type('VALUE', (asyncio.DefaultEventLoopPolicy,), {})())",
        "type(asyncio.get_event_loop_policy()).__name__",
        "asyncio.set_event_loop_policy(old)",
    ),
}

RANDOM = {
    "random": (
        "random.seed([3, 1][VALUE])",
        "random.getstate()[1] == random.Random(1).getstate()[1]",
        "",
    ),
    "numpy's random state": (
        "np.random.seed(VALUE)  # noqa: NPY002",
        "int(np.random.get_state()[1][0] == 1)",
        "",
    ),
    "random generator of a module": (
        "rng = np.random.default_rng([3, 0][VALUE])",
        "rng.bit_generator.seed_seq.entropy == 0",
        "",
    ),
    "hash of an object": ("class H:\n    def __hash__(self): return VALUE", "hash(H())", ""),
    "identity of an object": ("a = object()\nb = [object(), a][VALUE]", "id(a) == id(b)", ""),
    "os.urandom patched": (
        'patch = mock.patch("os.urandom", lambda n: bytes([VALUE] * n))\npatch.start()',
        "os.urandom(1)[0]",
        "patch.stop()",
    ),
    "uuid": ("uuid_kept = uuid.UUID(int=VALUE)", "uuid_kept.int", ""),
}

LIBRARIES = {
    "np.seterr": (
        'old = np.seterr(divide=["ignore", "raise"][VALUE])',
        "raises(lambda: np.float64(1) / 0)",
        "np.seterr(**old)",
    ),
    "np.seterrcall": (
        "old = np.seterrcall([None, print][VALUE])",
        "np.geterrcall() is print",
        "np.seterrcall(old)",
    ),
    "np.setbufsize": (
        "old = np.setbufsize(8192 * (1 + VALUE))",
        "np.getbufsize() > 8192",
        "np.setbufsize(old)",
    ),
    "numpy print options": (
        "old = np.get_printoptions()\nnp.set_printoptions(precision=VALUE)",
        'str(np.array([0.1])) == "[0.1]"',
        "np.set_printoptions(**old)",
    ),
    "numpy print function": (
        "old = np.get_printoptions()\nnp.set_printoptions(formatter={'int': lambda a: 'VALUE'})",
        "str(np.array([5]))[1]",
        "np.set_printoptions(**old)",
    ),
    "sklearn.set_config": (
        "sklearn.set_config(assume_finite=bool(VALUE))",
        'sklearn.get_config()["assume_finite"]',
        "sklearn.set_config(assume_finite=False)",
    ),
    "pandas option": (
        'pd.set_option("display.precision", 6 + VALUE)',
        'pd.get_option("display.precision") - 6',
        'pd.reset_option("display.precision")',
    ),
    "pandas accessor": (
        "class Mine:\n    def __init__(self, series): self.answer = VALUE\npd.Series.mine_now = property(Mine)",
        "pd.Series([1]).mine_now.answer",
        "del pd.Series.mine_now",
    ),
    "matplotlib setting": (
        'matplotlib.rcParams["lines.linewidth"] = VALUE',
        'matplotlib.rcParams["lines.linewidth"]',
        'matplotlib.rcParams["lines.linewidth"] = matplotlib.rcParamsDefault["lines.linewidth"]',
    ),
    "numba setting": ("numba.config.MINE = VALUE", "numba.config.MINE", "del numba.config.MINE"),
    "joblib setting": (
        "chosen = joblib.parallel_config('threading', n_jobs=2 + VALUE)",
        "joblib.Parallel().n_jobs - 2",
        "chosen.unregister()",
    ),
    "scipy setting": (
        "old = scipy.special.geterr()\nscipy.special.seterr(singular=['ignore', 'raise'][VALUE])",
        "scipy.special.geterr()['singular'] == 'raise'",
        "scipy.special.seterr(**old)",
    ),
    "patched function of numpy": (
        'patch = mock.patch.object(np, "median", lambda a: VALUE)\npatch.start()',
        "np.median([3])",
        "patch.stop()",
    ),
    "patched method of scikit-learn": (
        'patch = mock.patch.object(SGDClassifier, "predict", lambda self, X: VALUE)\npatch.start()',
        "SGDClassifier().predict([[1.0]])",
        "patch.stop()",
    ),
    "patched method of river": (
        'patch = mock.patch.object(GaussianNB, "predict_one", lambda self, x: VALUE)\npatch.start()',
        "GaussianNB().predict_one({})",
        "patch.stop()",
    ),
    "patched function of this package": (
        'patch = mock.patch("repro.metrics.kappa", lambda *args: VALUE)\npatch.start()',
        "repro.metrics.kappa([1], [1])",
        "patch.stop()",
    ),
}

STATE = {"system": SYSTEM, "Python": PYTHON, "random": RANDOM, "libraries": LIBRARIES}
