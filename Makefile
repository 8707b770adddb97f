# Scrutineer is run from its checkout: `make run` is all that a person needs, `make help` lists the
# rest. Written for GNU make 3.81 and newer and a plain /bin/sh; every path is relative, so that the
# checkout may lie anywhere.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:
.NOTPARALLEL:
.PHONY: help run test check faults scale lint format validators site examples pictures figures release pins clean \
	venv venv-run venv-dev

# What a person may set: EXTRAS="ocr ..." (optional parts), PYTHON=/path/to/python (used when .venv
# is made), ARGS="..." (handed on to streamlit, pytest or uv).
EXTRAS ?=
ARGS ?=
export PYTHON

VENV_PYTHON := .venv/bin/python

# A Python counts as suitable when it runs, has a supported version, and can make a virtual
# environment with pip in it. (A name on PATH proves none of that.)
SUITABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
NO_PYTHON := Scrutineer needs Python 3.11, 3.12 or 3.13 with its venv module: please install one \
(Debian, Ubuntu: apt install python3 python3-venv; macOS: brew install python@3.13) or point to one \
with make PYTHON=/path/to/python.
BAD_PYTHON := That PYTHON cannot be used: it has to be a Python 3.11, 3.12 or 3.13 that runs and has \
its venv module (Debian, Ubuntu: apt install python3-venv).

# .venv/.busy holds the process that is changing .venv and is removed when it is done, so that a
# .venv left half-made by an interruption is known for what it is, and is made anew.
# .venv/.pins-NAME is a copy of requirements/NAME.txt as it was last installed whole.

# $(call install,NAME,what to say)
define install
if ! cmp -s requirements/$(1).txt .venv/.pins-$(1); then \
	echo '$(2)'; \
	echo $$$$ >.venv/.busy; \
	if PIP_USER=0 $(VENV_PYTHON) requirements/progress.py $(VENV_PYTHON) -m pip install \
		--disable-pip-version-check --no-input \
		--no-deps --require-hashes --only-binary=:all: -r requirements/$(1).txt; \
	then cp requirements/$(1).txt .venv/.pins-$(1) && rm -f .venv/.busy; \
	else rm -f .venv/.busy; echo 'That did not install: see above.' >&2; exit 1; \
	fi; \
fi
endef

help:
	@echo 'make run     start Scrutineer in the browser; installs it into .venv the first time'
	@echo 'make test    run the quick tests and one story in a browser, on all cores'
	@echo 'make check   run the tests that make test leaves out'
	@echo 'make faults  kill the program and damage its files 300 times each (KILLS=n, SEED=n): is anything lost?'
	@echo 'make scale   kill workers and servers 200 times on S3 and PostgreSQL'
	@echo 'make lint    check the code: ruff, its formatting, mypy'
	@echo 'make validators  install programs of others into .validators, which tests of exports and services then use'
	@echo 'make site    build the documentation into build/site and check its links (REPOSITORY=address of the files)'
	@echo 'make examples  run the commands that the documentation shows, and write their output below them'
	@echo 'make pictures  film the pictures of the README anew, in the Chromium of the system'
	@echo 'make figures   measure what the documentation says, into docs/figures.md (an hour or two)'
	@echo 'make release  build the wheel, the MCP bundle and its lists of parts (SBOM) into build/release'
	@echo 'make format  format the code, and mend what ruff can mend'
	@echo 'make pins    remake requirements/*.txt from pyproject.toml (ARGS=--upgrade for newer versions)'
	@echo 'make clean   remove .venv and the caches, never the library'
	@echo 'With EXTRAS="NAME ..." the optional parts of these names are installed too; with'
	@echo 'PYTHON=/path/to/python that Python makes .venv (after make clean, if there is one already).'

run: venv-run
	@exec $(VENV_PYTHON) -m streamlit run app.py $(ARGS)

# pytest's last line says how many tests ran, and how long they took.
PYTEST := $(VENV_PYTHON) -m pytest -q -n auto --dist worksteal

test: venv-dev
	@$(PYTEST) -m "story or not (slow or browser)" $(ARGS)

# One more than there are cores: these wait for browsers and other programs more than they compute.
check: venv-dev
	@$(PYTEST) -n "$$($(VENV_PYTHON) -c 'import os; print(os.cpu_count() + 1)')" \
		-m "(slow or browser) and not story" $(ARGS)

# Needs PostgreSQL: apt-get install postgresql
scale: validators
	@$(MAKE) --no-print-directory venv-run EXTRAS="postgresql ray"
	@KILLS=$${KILLS:-200} AWAY_SECONDS=$${AWAY_SECONDS:-60} \
		$(VENV_PYTHON) -m pytest tests/scale --show-capture=stdout $(ARGS)

faults: venv-dev
	@KILLS=$${KILLS:-300} $(VENV_PYTHON) -m pytest tests/faults tests/rulebook/test_hostile.py --show-capture=stdout $(ARGS)

# Without the cache: it does not see that a module has moved, which changes how its imports are to be sorted.
lint: venv-dev
	@status=0; \
	$(VENV_PYTHON) -m ruff check --no-cache . || status=1; \
	$(VENV_PYTHON) -m ruff format --check . || status=1; \
	$(VENV_PYTHON) -m mypy || status=1; \
	exit $$status

format: venv-dev
	@$(VENV_PYTHON) -m ruff check --no-cache --fix-only --quiet .
	@$(VENV_PYTHON) -m ruff format .

# The virtual environment with nothing in it yet.
venv:
	@for extra in $(EXTRAS); do \
		test -f "requirements/$$extra.txt" || { \
			echo "There is no optional part named $$extra: it would have a file requirements/$$extra.txt." >&2; \
			exit 1; }; \
	done
	@if test -f .venv/.busy && kill -0 "$$(cat .venv/.busy)" 2>/dev/null; then \
		echo 'Another make is installing into .venv: please try again when it is done.' >&2; exit 1; \
	fi; \
	if test -f .venv/.made && test ! -f .venv/.busy && $(VENV_PYTHON) -c '$(SUITABLE)' 2>/dev/null; then \
		exit 0; \
	fi; \
	found=; \
	if test -n "$$PYTHON"; then \
		if "$$PYTHON" -c '$(SUITABLE)' >/dev/null 2>&1; then found=$$PYTHON; \
		else echo '$(BAD_PYTHON)' >&2; exit 1; fi; \
	else \
		for name in python3.13 python3.12 python3.11 python3; do \
			if "$$name" -c '$(SUITABLE)' >/dev/null 2>&1; then found=$$name; break; fi; \
		done; \
		if test -z "$$found"; then echo '$(NO_PYTHON)' >&2; exit 1; fi; \
	fi; \
	rm -rf .venv && mkdir .venv && echo $$$$ >.venv/.busy || exit 1; \
	"$$found" -m venv .venv || exit 1; \
	touch .venv/.made && rm -f .venv/.busy

# ... with what Scrutineer runs with, and the optional parts asked for ...
venv-run: venv
	@$(call install,run,Installing what Scrutineer needs into .venv (once: 370 MB to fetch and 1.1 GB on disk; a minute or two) ...)
	@$(foreach extra,$(EXTRAS),$(call install,$(extra),Installing the optional part $(extra) into .venv ...);) :

# ... and with what its tests and checks need.
venv-dev: venv-run
	@$(call install,dev,Installing what the tests and checks need into .venv ...)

# Pins hold for every supported Python and system at once. dev, and after it every optional part,
# keep to the versions of run. Wheels only: nothing is built while installing.
COMPILE = $(VENV_PYTHON) -m uv pip compile pyproject.toml --quiet --no-config \
	--python $(VENV_PYTHON) --no-python-downloads --universal --python-version 3.11 \
	--only-binary :all: --generate-hashes \
	--no-annotate --custom-compile-command 'make pins' $(ARGS)
PINNED_EXTRAS = $(filter-out run dev,$(sort $(EXTRAS) \
	$(patsubst requirements/%.txt,%,$(wildcard requirements/*.txt))))

# Programs of others, each kind in an environment of its own: they must not mix with what Scrutineer
# runs with. $(call install-apart,ENVIRONMENT,PINS)
define install-apart
if ! cmp -s $(2) $(1)/.pins; then \
	echo 'Installing the programs of others into $(1) ...'; \
	rm -rf $(1) && $(VENV_PYTHON) -m venv $(1) && \
	PIP_USER=0 $(1)/bin/python requirements/progress.py $(1)/bin/python -m pip install \
		--disable-pip-version-check --no-input --no-deps --require-hashes --only-binary=:all: \
		-r $(2) && \
	cp $(2) $(1)/.pins; \
fi
endef

validators: venv-dev
	@$(call install-apart,.validators,tests/exports/validators.txt)

# The documentation. Not part of .ci/run.
site: venv-dev
	@$(call install-apart,.site,docs/site/requirements.txt)
	@$(VENV_PYTHON) -m docs.site.build $(REPOSITORY)

# What a person publishes; nothing is published here.
release: validators
	@rm -rf build/release
	@$(VENV_PYTHON) -m uv build --quiet --wheel --out-dir build/release
	@$(VENV_PYTHON) release/bundle.py build/release/*.whl build/release
	@for part in $(sort run mcp $(EXTRAS)); do \
		PYTHONWARNINGS=ignore .validators/bin/cyclonedx-py requirements "requirements/$$part.txt" \
			--output-reproducible --pyproject pyproject.toml -o "build/release/scrutineer-$$part.cdx.json" || exit 1; \
	done

examples: venv-run
	@$(VENV_PYTHON) -m docs.site.examples

pictures: venv-dev
	@$(VENV_PYTHON) -m docs.site.pictures

figures: venv-dev
	@$(call install-apart,.readers,docs/site/readers.txt)
	@$(VENV_PYTHON) -m docs.site.figures $(ARGS)

pins:
	@$(MAKE) --no-print-directory venv-dev EXTRAS=
	@$(COMPILE) -o requirements/run.txt
	@$(COMPILE) --group dev -c requirements/run.txt -o requirements/dev.txt
	@$(subst pyproject.toml,tests/exports/validators.in,$(COMPILE)) \
		-o tests/exports/validators.txt
	@for name in requirements readers; do \
		$(subst pyproject.toml,docs/site/$$name.in,$(COMPILE)) -o docs/site/$$name.txt || exit 1; \
	done
	@for extra in $(PINNED_EXTRAS); do \
		$(COMPILE) --extra "$$extra" -c requirements/run.txt -c requirements/dev.txt \
			-o "requirements/$$extra.txt" || exit 1; \
	done

clean:
	@rm -rf .venv .validators .site .readers build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
