# make run    build, then play random games: the main job
# make test   build, then run the whole test suite
# make check  build, then run the tests that matter most, for who tries a change
# make bench  build, then time everything that is timed
# make bench-compare REV=COMMIT   times this tree and that commit by turns, and tells the ratios
# make docs   build, then make the site in build/site, and try every block of code on its pages
# make sanitize   build the core for AddressSanitizer and UBSan, then run the tests of its edge
# make fuzz   feed readers and the C API with what they do not expect, for two minutes
# make lint   formatting, Cython style and types
# make clean  remove what these made
#
# All of them work in .venv, which they make. Another Python: make clean test PYTHON=python3.13

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install
STUBBED := $(subst /,.,$(basename $(wildcard nardy_fast/*/_*.pyi)))

#: Vectors, perft, plays, batches, games, the command.
CHECKED := tests/test_vectors.py tests/test_earlier.py tests/bulk/test_perft.py tests/bulk/test_batch.py tests/core/test_plays.py \
	tests/games/test_game.py tests/commands/test_cli.py

#: The code on the pages; each is for one process.
PAGES := $(BIN)/python -m pytest --quiet -n auto --dist loadfile docs README.md README.ru.md

.PHONY: run test check bench bench-compare docs sanitize fuzz lint clean

run: $(VENV)/built
	$(BIN)/nardy-fast simulate

test: $(VENV)/built $(VENV)/test-tools
	$(BIN)/python -m pytest -n auto --durations=15
	$(PAGES)

check: $(VENV)/built $(VENV)/test-tools
	$(BIN)/python -m pytest -n auto -m "not slow" --quiet $(CHECKED)

bench: $(VENV)/built $(VENV)/test-tools
	$(BIN)/python -m pytest bench --benchmark-only --benchmark-columns=min,median,rounds --benchmark-sort=name

bench-compare: $(VENV)/built
	$(BIN)/python bench/compare.py $(REV)

docs: $(VENV)/built $(VENV)/test-tools $(VENV)/docs-tools
	$(BIN)/sphinx-build -W --keep-going --quiet docs build/site
	$(PAGES)
	@echo 'build/site/index.html is the first page'

sanitize: $(VENV)/built $(VENV)/test-tools
	$(BIN)/python tools/sanitize.py

fuzz: $(VENV)/built $(VENV)/test-tools
	$(BIN)/python tools/fuzz.py --seconds 90
	$(BIN)/python tools/sanitize.py --fuzz 30

lint: export PATH := $(CURDIR)/$(BIN):$(PATH)
lint: $(VENV)/built $(VENV)/dev-tools
	ruff check
	ruff format --check
	cython-lint src nardy_fast examples
	mypy --strict nardy_fast
	stubtest --allowlist .ci/stubtest.txt --ignore-disjoint-bases $(STUBBED)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("nardy_fast needs Python 3.11 or later: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

# The package stays here and is found through a link. What setup.py needs is installed first: then it can be asked to compile.
$(VENV)/installed: $(BIN)/python pyproject.toml
	$(PIP) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')
	$(PIP) --no-build-isolation --editable '.[cli]'
	touch $@

# Compiles what has changed since.
$(VENV)/built: $(VENV)/installed setup.py $(wildcard src/*/* nardy_fast/*/*.pxd nardy_fast/*/include/*)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

# Names what is installed already, so that only the tools of the extra are fetched.
$(VENV)/%-tools: $(BIN)/python pyproject.toml | $(VENV)/built
	$(PIP) 'nardy_fast[$*]'
	touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info nardy_fast/*/*.so nardy_fast/core/v3
