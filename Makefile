# The commands of this project; `make` alone lists them. Each sets up the environment first, so
# a machine needs only Python 3.11 or newer, pip and make.

PYTHON ?= python3.11 python3 python
PROFILE ?= paper

# The profile `paper` uses the defaults of the notebooks, which must equal profiles/paper.json.
# Every other profile is a TOML file.
PROFILES := paper $(basename $(notdir $(wildcard profiles/*.toml)))
ifeq ($(filter $(PROFILE),$(PROFILES)),)
$(error PROFILE must be one of: $(PROFILES); got "$(PROFILE)")
endif

PY := .venv/bin/python
# With READER=1 `make figures`, `make lab` and `make status` do with half of the packages.
READY := .venv/.$(if $(READER),reader,ready)
PACKAGES := $(if $(READER),--constraint requirements.lock hatchling,-r requirements.lock)

# Notebooks and sweeps run in processes side by side: one thread each.
export OMP_NUM_THREADS ?= 1
# A notebook shows its figures only if no other backend is set.
unexport MPLBACKEND
# pytest rewrites the assertions of every test file, in every process, unless it may keep bytecode.
unexport PYTHONDONTWRITEBYTECODE

# One process per core; without nbval, which takes seconds to load.
UNIT := -p no:nbval --numprocesses auto --dist worksteal

.PHONY: help env figures test check lint coverage lowest newest fuzz load mutants \
  opinions reliability torture bench data docs status lock \
  lab exercises grade site release archive clean distclean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

env: $(READY) ## make or update .venv from requirements.lock (READER=1: to run notebooks, no more)

# Two notebooks run at once, on their shares of the cores; `make -j1 figures` runs one at a time.
JOBS = $(patsubst -j%,--jobs %,$(filter-out -j,$(filter -j%,$(MAKEFLAGS))))
figures: $(READY) ## run the notebooks that changed, then compare with the published numbers (PROFILE=paper|quick, -j1)
	@$(PY) -m repro figures --profile $(PROFILE) $(JOBS)

# What shows in minutes that an installation works; with ALL=1 everything, with REST=1 the rest.
test: $(READY) ## lint, contracts, doctests, tables of two notebooks (ALL=1: all tests and tables)
	@$(PY) -m repro test $(if $(ALL),--all) $(if $(REST),--rest)

check: $(READY) ## lint and test what differs from the last commit, in seconds (BASE=HEAD~1, main)
	@MPLBACKEND=agg $(PY) tests/touched.py $(if $(BASE),--base $(BASE))

lint: $(READY) ## style, spelling, types, and no run times in committed notebooks
	@$(PY) -m repro test --only lint

# Compiled code cannot be measured: kernels are left out, see [tool.coverage] in pyproject.toml.
coverage: $(READY) ## lines of the library that the unit tests run
	MPLBACKEND=agg $(PY) -m pytest $(UNIT) --cov --cov-report=term

# An old ipykernel prints a warning of the debugger, and other versions may warn of what ours need not
# mind. uv would keep the pins of an older file.
define other_versions
	$(PY) -m uv venv --quiet --allow-existing --python $(2) build/$(1)
	rm -f build/$(1).txt
	$(PY) -m uv pip compile pyproject.toml --quiet --all-extras --resolution $(3) \
	  --python build/$(1)/bin/python --no-annotate --no-header --output-file build/$(1).txt
	$(PY) -m uv pip sync --quiet --python build/$(1)/bin/python build/$(1).txt
	MPLBACKEND=agg PYDEVD_DISABLE_FILE_VALIDATION=1 PYTHONPATH=$(CURDIR)/src \
	  REPRO_CACHE=$(CURDIR)/build/$(1)/cache \
	  build/$(1)/bin/python -m pytest $(UNIT) -m "not slow and not long" --override-ini=filterwarnings=
endef

# Newer Pythons have no wheels of the oldest versions.
lowest: $(READY) ## fast unit tests with the oldest versions that pyproject.toml allows
	$(call other_versions,lowest,3.11,lowest-direct)

WITH ?= 3.11
newest: $(READY) ## fast unit tests with the newest versions of all packages (WITH=3.13 or a path)
	$(call other_versions,newest,$(WITH),highest)

# Each writes its table into docs/reliability.md with ARGS="--write docs/reliability.md".
fuzz: $(READY) ## call all public names with absurd arguments (ARGS="--calls 1000000 --jobs 2")
load: $(READY) ## a hundred million examples, a hundred thousand tasks (ARGS="--scale 0.01")
mutants: $(READY) ## change the library in 400 small ways and count what tests see (ARGS="--n 40")
opinions: $(READY) ## count how often other implementations agree, name by name
torture: $(READY) ## kill runs and damage their files, 200 times each (ARGS="--kills 20 --damages 20")
fuzz load mutants opinions torture:
	@$(PY) tests/$@.py $(ARGS)

# Less than an hour, also on a slow machine that does nothing else.
reliability: $(READY) ## all of these in short, their totals (ARGS="--write docs/reliability.md")
	@$(PY) tests/reliability.py $(ARGS)

bench: $(READY) ## instances per second of every learner, beside other libraries
	$(PY) benchmarks/run.py

# Elec2 is not part of the project: without it, the rows of that stream do not change.
docs: $(READY) ## write docs/*.md from the code (the rows of Elec2 need make data)
	$(PY) docs/make_learners.py
	$(PY) tests/conformance/table.py

data: $(READY) ## download missing real data sets, verify all (ARGS=--yes: also without a licence)
	$(PY) -m repro data fetch $(ARGS)

status: $(READY) ## say of each figure: current, code changed, never run or failed
	@$(PY) -m repro status --profile $(PROFILE)

# Edits stay in the copies: `python -m repro adopt NOTEBOOK` brings them into notebooks/.
lab: $(READY) ## open copies of the notebooks in JupyterLab (ARGS="--no-browser --port 9999")
	@$(PY) -m repro lab $(ARGS)

exercises: $(READY) ## make the exercises: a zip for students, a course folder for the teacher
	@$(PY) -m repro exercises

# docs/teaching.md says what the folder may hold. The code of the students runs on this machine.
grade: $(READY) ## points for a folder of submissions (SUBMITTED=folder TO=folder ROSTER=file)
	@$(if $(SUBMITTED),,echo "error: name the folder: make grade SUBMITTED=folder" >&2; exit 2)
	@$(PY) -m repro grade "$(SUBMITTED)" $(if $(TO),--to "$(TO)") $(if $(ROSTER),--roster "$(ROSTER)")

# VERSIONS=1: the sites of all released versions as well, each built once by its own code.
site: $(READY) ## build the site into build/site: notebooks, verdicts, reference, explorer
	@$(PY) $(if $(VERSIONS),docs/site_versions.py,-m repro site)

# Nothing is uploaded and no tag is set: its last lines say what is left to do by hand.
release: $(READY) ## build the archives of a version, and try them on each Python that is here
	@$(PY) tests/release.py

# The libraries of the two formats of metadata are got for this command alone, on top of .venv.
ON_TOP := import pathlib, sys, sysconfig; \
  site = sysconfig.get_paths()["purelib"]; \
  pathlib.Path(sys.argv[1], "venv.pth").write_text(f"import site; site.addsitedir({site!r})")
archive: $(READY) ## make the folder that a data archive takes: code, streams, metadata
	@$(PY) -m venv --without-pip build/archive-tools
	@$(PY) -c '$(ON_TOP)' build/archive-tools/lib/python3.*/site-packages
	@$(PY) -m pip --python build/archive-tools/bin/python --quiet --disable-pip-version-check \
	  install -r docs/archive-requirements.txt
	@build/archive-tools/bin/python docs/make_archive.py

# Pins that still fit are kept; `make lock LOCK=--upgrade` takes the newest version of everything.
# Each package has one version for all Pythons, so everybody computes with the same numpy.
lock: $(READY) ## write requirements.lock from pyproject.toml (LOCK=--upgrade for the newest)
	$(PY) -m uv pip compile pyproject.toml --quiet --all-extras --universal --python-version 3.11 \
	  --fork-strategy fewest --no-annotate --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" --output-file requirements.lock $(LOCK)

clean: ## remove build/: caches, other profiles, failed runs
	rm -rf build

distclean: clean ## remove .venv as well
	rm -rf .venv

# The set-up. Its stamp is written last, so an interrupted set-up continues: each step skips what is
# done. Byte-compilation is a step of its own, since uv does not compile packages that it finds
# installed; it makes every later start three times as fast.
# Without ensurepip (Debian's python3 alone), pip comes from outside. uv does not read pip's
# configuration: where only pip reaches the packages, pip installs them.
RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PIP := $(PY) -m pip --quiet --disable-pip-version-check install
UV := $(PY) -m uv pip install --quiet --python $(PY)
$(READY): requirements.lock pyproject.toml
	@if ! $(PY) -c '$(RECENT)' 2>/dev/null || ! $(PY) -m pip --version >/dev/null 2>&1; then \
	  for python in $(PYTHON) none; do "$$python" -c '$(RECENT)' 2>/dev/null && break; done; \
	  if [ "$$python" = none ]; then \
	    echo "error: this project needs Python 3.11 or newer; tried $(PYTHON) and found:" >&2; \
	    for python in $(PYTHON); do echo "  $$python: $$($$python --version 2>&1)" >&2; done; \
	    echo "name another with: make PYTHON=/path/to/python3.11 ..." >&2; \
	    exit 1; \
	  fi; \
	  echo "set-up 1/4: virtual environment in .venv with $$($$python --version) (about 5 s)"; \
	  "$$python" -m venv --clear .venv >/dev/null 2>&1 \
	  || { "$$python" -m venv --clear --without-pip .venv \
	       && "$$python" -m pip --python $(PY) install --quiet pip; }; \
	fi
	@echo "set-up 2/4: the packages of requirements.lock$(if $(READER), that notebooks need) (5 to 60 s)"
	@$(PIP) "$$(grep -o '^uv==[^ ;]*' requirements.lock)"
	@$(UV) $(PACKAGES) $(if $(READER),-r pyproject.toml --extra reader) \
	|| { echo "set-up 2/4: uv did not get them; with pip (about 2 min)"; \
	     $(PIP) --no-compile $(PACKAGES) $(if $(READER),'.[reader]'); }
	@echo "set-up 3/4: byte-compilation (about 15 s)"
	@$(PY) -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true
	@echo "set-up 4/4: this package (about 2 s)"
	@$(UV) --no-deps --no-build-isolation --editable .
	@touch $@
