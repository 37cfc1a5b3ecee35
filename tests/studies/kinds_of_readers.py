"""What code reads from outside: (what writes VALUE, 0 or 1, at each edit; what a model reads)."""
# ruff: noqa: E501 -- a snippet per line

from __future__ import annotations

__all__ = ["READERS"]

TEXT = 'Path("f").write_text("VALUE")'
ARRAY = 'np.save("f.npy", np.array([VALUE]))'
FRAME = 'pd.DataFrame({"a": [VALUE]})'

FILES = {
    "open": (TEXT, 'with open("f") as f:\n    return f.read()'),
    "open in binary": (TEXT, 'with open("f", "rb") as f:\n    return f.read()'),
    "io.FileIO": (TEXT, 'with io.FileIO("f") as f:\n    return f.readall()'),
    "codecs.open": (TEXT, 'with codecs.open("f", encoding="ascii") as f:\n    return f.read()'),
    "Path.read_text": (TEXT, 'return Path("f").read_text()'),
    "Path.read_bytes": (TEXT, 'return Path("f").read_bytes()'),
    "os.read": (
        TEXT,
        'n = os.open("f", 0)\ntry:\n    return os.read(n, 1)\nfinally:\n    os.close(n)',
    ),
    "mmap": (
        TEXT,
        'with open("f", "rb") as f, mmap.mmap(f.fileno(), 1, prot=mmap.PROT_READ) as m:\n'
        "    return m[:1]",
    ),
    "linecache": (TEXT, 'linecache.clearcache()\nreturn linecache.getline("f", 1)'),
    "fileinput": (TEXT, 'with fileinput.input("f") as f:\n    return f.readline()'),
    "tokenize": (TEXT, 'with tokenize.open("f") as f:\n    return f.read()'),
    "urllib": (
        TEXT,
        'with urllib.request.urlopen(Path("f").resolve().as_uri()) as f:\n    return f.read()',
    ),
    "filecmp": (
        'Path("a").write_text("1")\n' + TEXT,
        'return filecmp.cmp("a", "f", shallow=False)',
    ),
    "hash of a file": (TEXT, 'return hashlib.md5(Path("f").read_bytes()).hexdigest()[:3] == "c4c"'),
    "importlib.resources": (
        'Path("pack_now").mkdir(exist_ok=True)\nPath("pack_now/f").write_text("VALUE")',
        'return (importlib.resources.files(importlib.resources) / os.path.abspath("pack_now/f")).read_text()',
    ),
    "shutil.copyfile": (TEXT, 'shutil.copyfile("f", "g")\nreturn Path("g").read_text()'),
    "symbolic link": (
        'Path("0").write_text("0")\nPath("1").write_text("1")\nPath("l").unlink(missing_ok=True)\n'
        'Path("l").symlink_to("VALUE")',
        'return Path("l").read_text()',
    ),
    "os.readlink": (
        'Path("l").unlink(missing_ok=True)\nPath("l").symlink_to("VALUE")',
        'return os.readlink("l")',
    ),
    "hard link": (
        'Path("f").write_text("5")\nPath("h").unlink(missing_ok=True)\nos.link("f", "h")\n' + TEXT,
        'return Path("h").read_text()',
    ),
    "file written by another process": (
        'subprocess.run(["sh", "-c", "printf VALUE > f"], check=True)',
        'return Path("f").read_text()',
    ),
}

ARRAYS = {
    "np.load": (ARRAY, 'return np.load("f.npy")[0]'),
    "np.load of an archive": (
        'np.savez("f.npz", a=[VALUE])',
        'with np.load("f.npz") as f:\n    return f["a"][0]',
    ),
    "np.load of pickled objects": (
        'np.save("f.npy", np.array([VALUE], object))',
        'return np.load("f.npy", allow_pickle=True)[0]',
    ),
    "np.lib.format.open_memmap": (ARRAY, 'return np.lib.format.open_memmap("f.npy", mode="r")[0]'),
    "np.memmap": ('np.array([VALUE]).tofile("f")', 'return np.memmap("f", int, "r")[0]'),
    "np.memmap held open": (
        'np.array([5]).tofile("f")\nheld = np.memmap("f", int, "r+")\nheld[0] = VALUE',
        "return held[0]",
    ),
    "np.fromfile": ('np.array([VALUE]).tofile("f")', 'return np.fromfile("f", int)[0]'),
    "np.loadtxt": (TEXT, 'return np.loadtxt("f", int)'),
    "np.genfromtxt": (TEXT, 'return np.genfromtxt("f", int)'),
    "np.fromregex": (TEXT, 'return np.fromregex("f", r"(\\d)", [("a", int)])["a"][0]'),
    "array.fromfile": (
        'Path("f").write_bytes(bytes([VALUE]))',
        'found = array.array("b")\nwith open("f", "rb") as f:\n    found.fromfile(f, 1)\nreturn found[0]',
    ),
    "struct": (
        'Path("f").write_bytes(struct.pack("i", VALUE))',
        'return struct.unpack("i", Path("f").read_bytes())[0]',
    ),
    "joblib.load": ('joblib.dump(VALUE, "f")', 'return joblib.load("f")'),
    "joblib.load with a memory map": (
        'joblib.dump(np.array([VALUE]), "f")',
        'return joblib.load("f", mmap_mode="r")[0]',
    ),
    "joblib.Memory": (
        'memory = joblib.Memory("m", verbose=0)\nmemory.clear(warn=False)\n'
        "count = memory.cache(operator.add)\ncount(VALUE, 0)\npaths = [*Path('m').rglob('output.pkl')]\n"
        "joblib.dump(VALUE, paths[0])\ncount = memory.cache(operator.add)",
        "return joblib.load(paths[0])",
    ),
    "pickle": (
        'Path("f").write_bytes(pickle.dumps(VALUE))',
        'return pickle.loads(Path("f").read_bytes())',
    ),
    "cloudpickle": (
        'Path("f").write_bytes(cloudpickle.dumps(lambda: VALUE))',
        'return pickle.loads(Path("f").read_bytes())()',
    ),
    "marshal": (
        'Path("f").write_bytes(marshal.dumps(VALUE))',
        'return marshal.loads(Path("f").read_bytes())',
    ),
    "scipy.io": (
        'scipy.io.savemat("f.mat", {"a": VALUE})',
        'return scipy.io.loadmat("f.mat")["a"].item()',
    ),
    "scipy.sparse": (
        'scipy.sparse.save_npz("f.npz", scipy.sparse.csr_matrix([[VALUE]]))',
        'return scipy.sparse.load_npz("f.npz")[0, 0]',
    ),
    "wave": (
        'with wave.open("f", "wb") as f:\n    f.setparams((1, 1, 8, 0, "NONE", ""))\n    f.writeframes(bytes([VALUE]))',
        'with wave.open("f", "rb") as f:\n    return f.readframes(1)[0]',
    ),
    "svmlight": (
        'Path("f").write_text("VALUE 1:1")',
        'return sklearn.datasets.load_svmlight_file("f")[1][0]',
    ),
    "image": (
        'PIL.Image.new("L", (1, 1), VALUE).save("f.png")',
        'with PIL.Image.open("f.png") as f:\n    return f.getpixel((0, 0))',
    ),
    "PIL and matplotlib": (
        'PIL.Image.new("L", (1, 1), 255 * VALUE).save("f.png")',
        'return matplotlib.image.imread("f.png").item()',
    ),
}

TABLES = {
    "csv": (
        'Path("f").write_text("VALUE,5")',
        'with open("f") as f:\n    return next(csv.reader(f))[0]',
    ),
    "pd.read_csv": (FRAME + '.to_csv("f")', 'return pd.read_csv("f")["a"][0]'),
    "pd.read_table": (FRAME + '.to_csv("f", sep="\\t")', 'return pd.read_table("f")["a"][0]'),
    "pd.read_fwf": ('Path("f").write_text("a\\nVALUE\\n")', 'return pd.read_fwf("f")["a"][0]'),
    "pd.read_json": (FRAME + '.to_json("f")', 'return pd.read_json("f")["a"][0]'),
    "pd.read_pickle": (FRAME + '.to_pickle("f")', 'return pd.read_pickle("f")["a"][0]'),
    "pd.read_parquet": (FRAME + '.to_parquet("f")', 'return pd.read_parquet("f")["a"][0]'),
    "pd.read_feather": (FRAME + '.to_feather("f")', 'return pd.read_feather("f")["a"][0]'),
    "pd.read_stata": (FRAME + '.to_stata("f")', 'return pd.read_stata("f")["a"][0]'),
    "pd.read_xml": (
        FRAME + '.to_xml("f", parser="etree")',
        'return pd.read_xml("f", parser="etree")["a"][0]',
    ),
    "pyarrow": (
        'pyarrow.parquet.write_table(pyarrow.table({"a": [VALUE]}), "f")',
        'return pyarrow.parquet.read_table("f")["a"][0].as_py()',
    ),
    "pyarrow.csv": (
        'Path("f").write_text("a\\nVALUE\\n")',
        'return pyarrow.csv.read_csv("f")["a"][0].as_py()',
    ),
    "json": ('Path("f").write_text("[VALUE]")', 'with open("f") as f:\n    return json.load(f)[0]'),
    "yaml": (
        'Path("f").write_text("a: VALUE")',
        'return yaml.safe_load(Path("f").read_text())["a"]',
    ),
    "tomllib": (
        'Path("f").write_text("a = VALUE")',
        'return tomllib.loads(Path("f").read_text())["a"]',
    ),
    "configparser": (
        'Path("f").write_text("[a]\\nb = VALUE\\n")',
        'found = configparser.ConfigParser()\nfound.read("f")\nreturn found["a"]["b"]',
    ),
    "plistlib": (
        'Path("f").write_bytes(plistlib.dumps({"a": VALUE}))',
        'return plistlib.loads(Path("f").read_bytes())["a"]',
    ),
    "xml": (
        'Path("f").write_text("<a>VALUE</a>")',
        'return xml.etree.ElementTree.parse("f").getroot().text',
    ),
    "html": (
        'Path("f").write_text("<p>VALUE</p>")',
        'return bs4.BeautifulSoup(Path("f").read_text(), "html.parser").p.text',
    ),
    "template": (
        'Path("f").write_text("${a}VALUE")',
        'return string.Template(Path("f").read_text()).substitute(a="")',
    ),
    "ast.literal_eval": (
        'Path("f").write_text("[VALUE]")',
        'return ast.literal_eval(Path("f").read_text())[0]',
    ),
}

DATABASES = {
    "sqlite3": (
        'with contextlib.closing(sqlite3.connect("f")) as f:\n'
        '    f.executescript("drop table if exists t; create table t (a); insert into t values (VALUE)")',
        'with contextlib.closing(sqlite3.connect("f")) as f:\n'
        '    return f.execute("select a from t").fetchone()[0]',
    ),
    "pd.read_sql": (
        f'with contextlib.closing(sqlite3.connect("f")) as f:\n    {FRAME}.to_sql("t", f, if_exists="replace")',
        'with contextlib.closing(sqlite3.connect("f")) as f:\n'
        '    return pd.read_sql("select a from t", f)["a"][0]',
    ),
    "sqlalchemy": (
        f'engine = sqlalchemy.create_engine("sqlite:///f", poolclass=sqlalchemy.pool.NullPool)\n'
        f'{FRAME}.to_sql("t", engine, if_exists="replace")',
        'with engine.connect() as f:\n    return f.execute(sqlalchemy.text("select a from t")).scalar()',
    ),
    "shelve": (
        'with shelve.open("f") as f:\n    f["a"] = VALUE',
        'with shelve.open("f", "r") as f:\n    return f["a"]',
    ),
    "dbm": (
        'with dbm.dumb.open("f") as f:\n    f["a"] = "VALUE"',
        'with dbm.dumb.open("f", "r") as f:\n    return f["a"]',
    ),
    "database in memory": (
        'f = sqlite3.connect(":memory:")\nf.executescript("create table t (a); insert into t values (VALUE)")\n'
        "def undo(): f.close()",
        'return f.execute("select a from t").fetchone()[0]',
    ),
}

ARCHIVES = {
    "gzip": (
        'with gzip.open("f", "wt") as f:\n    f.write("VALUE")',
        'with gzip.open("f", "rt") as f:\n    return f.read()',
    ),
    "bz2": (
        'with bz2.open("f", "wt") as f:\n    f.write("VALUE")',
        'with bz2.open("f", "rt") as f:\n    return f.read()',
    ),
    "lzma": (
        'with lzma.open("f", "wt") as f:\n    f.write("VALUE")',
        'with lzma.open("f", "rt") as f:\n    return f.read()',
    ),
    "zipfile": (
        'with zipfile.ZipFile("f", "w") as f:\n    f.writestr("a", "VALUE")',
        'with zipfile.ZipFile("f") as f:\n    return f.read("a")',
    ),
    "zipfile.Path": (
        'with zipfile.ZipFile("f", "w") as f:\n    f.writestr("a", "VALUE")',
        'with zipfile.ZipFile("f") as f:\n    return zipfile.Path(f, "a").read_text()',
    ),
    "import from a zip file": (
        'with zipfile.ZipFile("f.zip", "w") as f:\n    f.writestr("mine_zip.py", "answer = VALUE")',
        'found = zipimport.zipimporter("f.zip")\nfound.invalidate_caches()\n'
        'names = {}\nexec(found.get_code("mine_zip"), names)\nreturn names["answer"]',
    ),
    "tarfile": (
        TEXT + '\nwith tarfile.open("f.tar", "w") as f:\n    f.add("f")',
        'with tarfile.open("f.tar") as f:\n    return f.extractfile("f").read()',
    ),
    "shutil.unpack_archive": (
        'Path("d").mkdir(exist_ok=True)\nPath("d/a").write_text("VALUE")\nshutil.make_archive("f", "tar", "d")',
        'shutil.unpack_archive("f.tar", "g")\nreturn Path("g/a").read_text()',
    ),
}

FOLDER = 'shutil.rmtree("d", ignore_errors=True)\nPath("d").mkdir()\nPath("d/VALUE").touch()'
FOLDERS = {
    "os.listdir": (FOLDER, 'return os.listdir("d")[0]'),
    "os.scandir": (FOLDER, 'with os.scandir("d") as found:\n    return next(found).name'),
    "os.walk": (FOLDER, 'return next(os.walk("d"))[2][0]'),
    "glob": (FOLDER, 'return glob.glob("d/*")[0][-1]'),
    "Path.iterdir": (FOLDER, 'return next(Path("d").iterdir()).name'),
    "Path.exists": (FOLDER, 'return Path("d/1").exists()'),
    "filecmp.dircmp": (
        FOLDER + '\nPath("e").mkdir(exist_ok=True)\nPath("e/1").touch()',
        'return len(filecmp.dircmp("d", "e").common)',
    ),
    "size of a file": ('Path("f").write_text("a" * VALUE)', 'return os.path.getsize("f")'),
    "time of a file": (
        'Path("f").touch()\nos.utime("f", (VALUE, VALUE))',
        'return os.stat("f").st_mtime',
    ),
    "mode of a file": (
        'Path("f").touch()\nos.chmod("f", 0o600 + VALUE)',
        'return os.stat("f").st_mode % 2',
    ),
    "access to a file": (
        'Path("f").touch()\nos.chmod("f", 0o600 + 0o100 * VALUE)',
        'return os.access("f", os.X_OK)',
    ),
    "links of a file": (
        'Path("f").touch()\nPath("h").unlink(missing_ok=True)\nVALUE and os.link("f", "h")',
        'return os.stat("f").st_nlink - 1',
    ),
    "lock of a file": (
        'Path("f").unlink(missing_ok=True)\nVALUE and Path("f").touch()',
        'return os.path.isfile("f")',
    ),
}

PROCESSES = {
    "subprocess": (TEXT, 'return subprocess.check_output(["cat", "f"])'),
    "os.popen": (TEXT, 'with os.popen("cat f") as f:\n    return f.read()'),
    "os.system": (TEXT, 'return os.system("test $(cat f) = 0") != 0'),
    "pipe": (
        'ends = os.pipe()\nos.write(ends[1], b"VALUE" * 9)\ndef undo(): [os.close(end) for end in ends]',
        "return os.read(ends[0], 1)",
    ),
    "socket": (
        'pair = socket.socketpair()\npair[0].send(b"VALUE" * 9)\ndef undo(): [one.close() for one in pair]',
        "return pair[1].recv(1)",
    ),
    "server of this machine": (
        'server = socketserver.TCPServer(("127.0.0.1", 0), type("H", (socketserver.BaseRequestHandler,), '
        '{"handle": lambda self: self.request.send(b"VALUE")}))\n'
        "threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()\n"
        "def undo():\n    server.shutdown()\n    server.server_close()",
        "with socket.create_connection(server.server_address) as found:\n    return found.recv(1)",
    ),
    "file in a web server of this machine": (
        "class Handler(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n        self.send_response(200)\n        self.end_headers()\n"
        '        self.wfile.write(b"VALUE")\n    def log_message(self, *args): pass\n'
        'server = http.server.HTTPServer(("127.0.0.1", 0), Handler)\n'
        "threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()\n"
        "def undo():\n    server.shutdown()\n    server.server_close()",
        'found = http.client.HTTPConnection(*server.server_address)\nfound.request("GET", "/")\n'
        "with contextlib.closing(found):\n    return found.getresponse().read()",
    ),
    "shared memory": (
        "block = multiprocessing.shared_memory.SharedMemory(create=True, size=1)\nblock.buf[0] = VALUE\n"
        "def undo():\n    block.close()\n    block.unlink()",
        "return block.buf[0]",
    ),
    "value of multiprocessing": (
        'number = multiprocessing.Value("i", VALUE)',
        "return number.value",
    ),
    "memory at an address": (
        "number = ctypes.c_int(VALUE)",
        "return ctypes.c_int.from_address(ctypes.addressof(number)).value",
    ),
    "anonymous memory map": (
        "block = mmap.mmap(-1, 1)\nblock[0] = VALUE\ndef undo(): block.close()",
        "return block[0]",
    ),
    "temporary file": (
        'held = tempfile.TemporaryFile()\nheld.write(b"VALUE")\nheld.flush()\ndef undo(): held.close()',
        "held.seek(0)\nreturn held.read()",
    ),
    # A library that is written again while it is loaded loses its addresses: Python crashes at its end.
    "shared library": (
        'name = "VALUE.so"\nif not os.path.exists(name): shutil.copy(importlib.import_module("numpy.random._common").__file__, name)',
        "return int(Path(ctypes.PyDLL(os.path.abspath(name))._name).stem)",
    ),
}

READERS = {
    "files": FILES,
    "arrays": ARRAYS,
    "tables": TABLES,
    "databases": DATABASES,
    "archives": ARCHIVES,
    "folders": FOLDERS,
    "processes": PROCESSES,
}
