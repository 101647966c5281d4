# make demo   installs into .venv, discusses a topic offline with the embedded model, prints the report
# make test   installs what the tests need, checks style, types, layers and safety, runs all tests
# make lint   style, types, layers, what bandit finds, and the page's scripts (when its tools are there)
# make audit  looks up whether anything that was installed has a known hole; says so when it cannot
# make bench  runs the benchmarks and writes their figures to docs/performance.md
# make man    writes the man page from the help texts; make site the documentation as a site, into site/
# make fuzz   feeds what reads text from outside with new examples, ten minutes each (FUZZ_SECONDS)
#
# Needs Python 3.11 or later with venv, git and make: on Debian `apt install python3-venv git make`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
ROOMS := agents moderator mindmap reports library models roundtable configs
PAGE := roundtable/web/page
# By another name, so that `make -n` does not run the line that has it.
AGAIN := $(MAKE)
# Tests wait for servers, browsers and terminals more than they count: three at a time for two cores.
PROCESSES ?= $(shell $(PYTHON) -c 'import os; print(3 * (os.cpu_count() or 1) // 2)')
TOPIC := What are descriptors, and how are attributes looked up in Python?

# What is compiled is kept, whatever the shell says: a command that a test starts compiles 600 files otherwise.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test lint audit bench man site fuzz clean

help:
	@sed -n 's/^# \{0,1\}//p; /^$$/q' Makefile

# A stamp each: what is installed is not installed again until pyproject.toml changes.
$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "roundtable needs Python 3.11 or later; name one with: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "Python has no venv here; on Debian: apt install python3-venv" >&2; exit 1; }
	@echo "Installing into $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/.installed
	@echo "Installing what the tests need …"
	@$(PIP) install --editable '.[test]'
	@touch $@

demo: $(VENV)/.installed
	$(BIN)/roundtable run "$(TOPIC)" --docs python --offline --model embedded --out demo --force
	@echo
	@cat demo/report.md

# What bandit finds is told on its standard output; on the other it warns of comments that hold for part of a line.
lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive $(ROOMS) 2>/dev/null
	@if [ -d $(PAGE)/node_modules/eslint ]; then npm --prefix $(PAGE) run --silent lint; \
		else echo "the page's scripts are not checked: npm ci --ignore-scripts in $(PAGE) brings the tools"; fi

# What only reads the sources runs beside the tests, which wait; what it said is shown at the end.
test: $(VENV)/.installed-test
	$(BIN)/ruff check .
	@said=$$(mktemp); trap 'rm -f "$$said"' EXIT; \
	$(AGAIN) --no-print-directory lint >"$$said" 2>&1 & linting=$$!; \
	failed=0; $(BIN)/python -m pytest --numprocesses $(PROCESSES) --dist worksteal || failed=$$?; \
	wait $$linting || failed=1; cat "$$said"; exit $$failed

audit: $(VENV)/.installed-test
	$(BIN)/python .ci/audit.py

bench: $(VENV)/.installed-test
	$(BIN)/python -m benchmarks

man: $(VENV)/.installed
	$(BIN)/python .ci/man_page.py

site: $(VENV)/.installed-test
	$(BIN)/mkdocs build --quiet --strict

FUZZ_SECONDS ?= 600
FUZZED := $(addprefix test_any_input.py::test_,citations replies front_matter outlines journals) \
	$(addprefix test_any_file.py::test_,documents damaged_documents reference_lists reference_lists_of_values manuscripts \
		edited_outlines settings) \
	$(addprefix test_any_answer.py::test_,typed_commands sent_commands answers_of_catalogues feeds \
		results_of_tools bundles damaged_bundles saved_reports)

fuzz: $(VENV)/.installed-test
	@set -e; for target in $(FUZZED); do echo "$$target"; end=$$(($$(date +%s) + $(FUZZ_SECONDS))); \
		while [ "$$(date +%s)" -lt "$$end" ]; do $(BIN)/python -m pytest -q -p no:randomly \
			--timeout=1800 --hypothesis-profile=explore "tests/hostile/fuzzed/$$target" ; done; done

clean:
	rm -rf $(VENV) demo dist build site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
