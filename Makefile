# The verbs of this project; `make` alone lists them. Each makes its own environment first, so
# Python 3.11 or newer, pip and make are all that a machine needs.

PYTHON ?= python3.11 python3 python
PROFILE ?= paper

# `paper` is the defaults of the notebooks, which must be those of profiles/paper.json; every
# other profile is a TOML file.
PROFILES := paper $(basename $(notdir $(wildcard profiles/*.toml)))
ifeq ($(filter $(PROFILE),$(PROFILES)),)
$(error PROFILE must be one of: $(PROFILES); got "$(PROFILE)")
endif

NOTEBOOKS := $(filter-out %.FAILED.ipynb %.running.ipynb,$(sort $(wildcard notebooks/[0-9]*.ipynb)))
RUNS := $(NOTEBOOKS:notebooks/%.ipynb=run-%)

PY := .venv/bin/python
READY := .venv/.ready

# Sweeps and `make -j2` run processes side by side: one thread each.
export OMP_NUM_THREADS ?= 1
# A kernel draws into its notebook only if no other backend was asked for.
unexport MPLBACKEND

# What a committed notebook keeps: outputs and counts, which nbval compares; no run times.
STRIP := --keep-output --keep-count --keep-id \
  --extra-keys "metadata.papermill cell.metadata.papermill cell.metadata.execution"
# One process per core; a notebook stays in one, since its cells build on each other.
SIDE_BY_SIDE := --numprocesses auto
NBVAL := --nbval-lax --nbval-current-env --nbval-sanitize-with=tests/sanitize.cfg \
  --nbval-cell-timeout=1200

.PHONY: help env figures test lint bench data docs status lock lab clean distclean $(RUNS)

help: ## list these verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

env: $(READY) ## make or update .venv from requirements.lock

# The verdicts come last, also when a notebook failed: they say which numbers are missing.
figures: $(READY) ## run the notebooks that changed, then compare with the published numbers (PROFILE=paper|quick, -j2)
	@status=0; \
	$(if $(RUNS),$(MAKE) --no-print-directory --keep-going $(RUNS) || status=$$?;) \
	$(PY) -m repro verdicts --profile $(PROFILE) || status=$$?; \
	exit $$status

# Always asked: by a hash of code, parameters and data, `repro run` knows whether anything is to do.
$(RUNS): run-%: notebooks/%.ipynb $(READY)
	@$(PY) -m repro run $< --profile $(PROFILE)

# The notebooks are checked last and write to build/, so that committed results stay as they are.
# No progress bars: a bar that a slow machine shows is an output that was not there before.
test: lint ## lint, unit tests, doctests, and the tables of the notebooks
	MPLBACKEND=agg $(PY) -m pytest $(SIDE_BY_SIDE) --dist worksteal
	$(if $(NOTEBOOKS),REPRO_OUTPUT=$(CURDIR)/build/nbval REPRO_PROGRESS=0 $(PY) -m pytest $(SIDE_BY_SIDE) --dist loadscope $(NBVAL) $(NOTEBOOKS))

lint: $(READY) ## style, types, and no run times in committed notebooks
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(if $(NOTEBOOKS),$(PY) -m nbstripout --verify $(STRIP) $(NOTEBOOKS))

bench: $(READY) ## instances per second of every learner, beside other libraries
	$(PY) benchmarks/run.py

# Elec2 is no part of the project: without it the rows of that stream stay as they are.
docs: $(READY) ## write docs/*.md from the code
	$(PY) docs/make_learners.py
	$(PY) tests/conformance/table.py

data: $(READY) ## download the real data sets that are not there, and verify all of them
	$(PY) -m repro data fetch

status: $(READY) ## say of each figure: current, code changed, never run or failed
	@$(PY) -m repro status --profile $(PROFILE)

# What is edited there stays there: `python -m repro adopt NOTEBOOK` brings it into notebooks/.
lab: $(READY) ## open copies of the notebooks in JupyterLab (ARGS="--no-browser --port 9999")
	@$(PY) -m repro lab $(ARGS)

# Keeps the pins that still fit; `make lock LOCK=--upgrade` takes the newest of everything.
# One version of each package for all Pythons, so that everybody computes with the same numpy.
lock: $(READY) ## write requirements.lock from pyproject.toml (LOCK=--upgrade for the newest)
	$(PY) -m uv pip compile pyproject.toml --quiet --all-extras --universal --python-version 3.11 \
	  --fork-strategy fewest --no-annotate --no-emit-index-url --no-emit-find-links \
	  --custom-compile-command "make lock" --output-file requirements.lock $(LOCK)

clean: ## remove build/: caches, other profiles, failed runs
	rm -rf build

distclean: clean ## remove .venv as well
	rm -rf .venv

# The set-up. Its stamp is written last, so an interrupted set-up is taken up where it stopped:
# every step finds what it already did (uv would not compile packages that it finds installed,
# hence the step of its own; it makes every later start three times as fast).
# Without ensurepip (Debian's python3 alone) pip comes from outside. uv knows nothing of pip's
# own configuration: where only pip reaches the packages, pip installs them.
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
	@echo "set-up 2/4: $$(grep -c '==' requirements.lock) packages of requirements.lock (5 to 60 s)"
	@$(PIP) "$$(grep -o '^uv==[^ ;]*' requirements.lock)"
	@$(UV) -r requirements.lock \
	|| { echo "set-up 2/4: uv did not get them; with pip (about 2 min)"; \
	     $(PIP) --no-compile -r requirements.lock; }
	@echo "set-up 3/4: byte-compilation (about 15 s)"
	@$(PY) -m compileall -q -j 0 .venv/lib >/dev/null 2>&1 || true
	@echo "set-up 4/4: this package (about 2 s)"
	@$(UV) --no-deps --no-build-isolation --editable .
	@touch $@
