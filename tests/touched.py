"""Run the nearest tests of the files that were touched: ``python tests/touched.py``.

Touched are the files that differ from the last commit; ``--base HEAD~1`` compares with the one
before, ``--base main`` with another branch. The nearest tests of a module are the files
that use a name defined in it; if no test does, those that use one of the modules that use it, and
so on. Other files are tested by the test files that name them. Tests marked slow are left out.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Tests that find their files by a pattern, not by name.
BY_FOLDER = {"src": ["tests/project/test_layers.py"], "docs": ["tests/project/test_docs.py"]}
BY_FOLDER |= {"notebooks": ["tests/runner/test_notebooks.py"]}
LINTED = {".py", ".pyi", ".ipynb"}


def main() -> int:
    """Lint the touched files and run their nearest tests; the exit status is 0 if all pass."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--base", help="compare with this commit")
    parser.add_argument("--list", action="store_true", help="list the tests and run nothing")
    options = parser.parse_args()
    touched = list(touched_files(options.base))
    if not touched:
        print(f"nothing differs from {options.base or 'the last commit'}")
        print("what the last commit changed: make check BASE=HEAD~1; everything: make test ALL=1")
        return 0
    chosen, left = nearest_tests(touched)
    say("touched", touched)
    say("run", chosen)
    print(f"left out: {len(left)} other test files, tests marked slow, the notebooks")
    print("all of them: make test ALL=1")
    if options.list:
        return 0
    return max([run(*command) for command in commands(touched, chosen)], default=0)


def commands(touched: list[str], chosen: list[str]) -> Iterator[list[str]]:
    """The command lines of the tools, without the interpreter."""
    if linted := [file for file in touched if Path(file).suffix in LINTED]:
        yield ["ruff", "check", "--force-exclude", *linted]
        yield ["ruff", "format", "--check", "--force-exclude", *linted]
    if any(file.startswith("src/") for file in linted):
        yield ["mypy"]
    if chosen:
        side_by_side = ["--numprocesses", "auto"] if len(chosen) > 2 else []
        yield ["pytest", "-q", "-p", "no:nbval", "-m", "not slow", *side_by_side, *chosen]


def run(tool: str, *arguments: str) -> int:
    print(f"\n$ {tool} {' '.join(arguments)}", flush=True)
    done = subprocess.run([sys.executable, "-m", tool, *arguments], cwd=ROOT, check=False)
    return 0 if tool == "pytest" and done.returncode == 5 else done.returncode  # 5: no test left


def say(what: str, files: Iterable[str]) -> None:
    print(f"{what}: {' '.join(files) or 'nothing'}")


def touched_files(base: str | None) -> Iterator[str]:
    """Paths that exist and differ from `base`, in order, new files included."""
    new = git("ls-files", "--others", "--exclude-standard")
    found = git("diff", "--name-only", base or "HEAD") + new
    yield from (file for file in sorted(set(found)) if (ROOT / file).is_file())


def git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def nearest_tests(touched: list[str]) -> tuple[list[str], list[str]]:
    """Arguments for pytest, and the test files that are not among them."""
    tests = {relative(path) for path in (ROOT / "tests").rglob("test_*.py")}
    chosen: set[str] = set()
    for file in touched:
        if file in tests or (file.startswith("src/") and file.endswith(".py")):
            chosen.add(file)  # its tests or its doctests
        chosen |= tests_of(file) | set(BY_FOLDER.get(file.partition("/")[0], ()))
    if "README.md" in touched:
        chosen.add("README.md")
    return sorted(chosen), sorted(tests - chosen)


def tests_of(file: str) -> set[str]:
    """The test files that use a touched file: by import, or by its name in their text."""
    if file in MODULES.values():
        return next(rings_of(file), set())
    uses = {relative(path): used(path) for path in sorted((ROOT / "tests").rglob("*.py"))}
    stem, name = re.escape(Path(file).stem), re.escape(Path(file).name)
    naming = rf"^(from|import) {stem}\b" if file.startswith("tests/") else rf"\b{name}\b"
    found = {test for test in uses if re.search(naming, (ROOT / test).read_text(), re.MULTILINE)}
    return {test for test in found - {file} if is_test(test)}


def rings_of(file: str) -> Iterator[set[str]]:
    """The test files of a module of the library, the nearest first; see `rings`."""
    uses = {relative(path): used(path) for path in sorted((ROOT / "tests").rglob("*.py"))}
    return rings({name for name, path in MODULES.items() if path == file}, uses)


def rings(wanted: set[str], uses: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """The nearest tests, and then those that use one of the modules above; each test once."""
    known: set[str] = set()
    given: set[str] = set()
    while wanted - known:
        found = {test for test, modules in uses.items() if modules & wanted and is_test(test)}
        if found - given:
            yield found - given
        given |= found
        known |= wanted
        wanted = wanted | {
            name for name, path in MODULES.items() if wanted & used(ROOT / path) and name != "repro"
        }


def is_test(file: str) -> bool:
    return Path(file).name.startswith("test_")


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


#: Name of a module -> its file.
MODULES = {module_name(p): relative(p) for p in sorted((ROOT / "src" / "repro").rglob("*.py"))}


@cache
def exported(package: str) -> dict[str, str]:
    """Name -> the module it comes from, of the names that a package imports for its users."""
    path = ROOT / MODULES.get(package, "")
    if path.name != "__init__.py":
        return {}
    stub = path.with_suffix(".pyi")
    tree = ast.parse((stub if stub.exists() else path).read_text())
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = f"{package}.{node.module or ''}".rstrip(".") if node.level else node.module
            found |= {alias.name: str(module) for alias in node.names}
    return found


def home(module: str, name: str) -> str:
    """The module that defines `name`, which `module` has; a module's own name for a module."""
    if f"{module}.{name}" in MODULES:
        return f"{module}.{name}"
    source = exported(module).get(name)
    return home(source, name) if source and source != module else module


@cache
def used(path: Path) -> set[str]:
    """The modules of `repro` whose names a Python file uses."""
    tree = ast.parse(path.read_text())
    found: set[str] = set()
    packages: dict[str, str] = {}  # the name in the file -> the package or module
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "repro":
                    packages[alias.asname or "repro"] = alias.name if alias.asname else "repro"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("repro"):
            for alias in node.names:
                source = home(str(node.module), alias.name)
                found.add(source)
                if source.rpartition(".")[2] == alias.name:
                    packages[alias.asname or alias.name] = source
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (source := package_of(node.value, packages)):
            found.add(home(source, node.attr))
    return {name for name in found if name in MODULES and not exported(name)}


def package_of(node: ast.expr, packages: Mapping[str, str]) -> str | None:
    """The package that an expression such as ``repro.metrics`` names, if it does."""
    if isinstance(node, ast.Name):
        return packages.get(node.id)
    if isinstance(node, ast.Attribute) and (outer := package_of(node.value, packages)):
        inner = home(outer, node.attr)
        return inner if inner.rpartition(".")[2] == node.attr else None
    return None


if __name__ == "__main__":
    sys.exit(main())
