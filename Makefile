# Two commands: `make test` checks everything, `make play` starts a game. Both need Python 3.11 or
# newer and make, and install the rest into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/ready

.PHONY: test play check web lock clean

test: check web
	$(BIN)/python -m pytest -n 2 -q
	BAGHDAD_PLAIN=1 $(BIN)/python -m pytest -n 2 -q tests/rules

play: web
	$(BIN)/baghdad demo

check: $(STAMP)
	$(BIN)/ruff format --check src tests benchmarks tools hatch_build.py
	$(BIN)/ruff check src tests benchmarks tools hatch_build.py
	$(BIN)/mypy
	$(BIN)/python hatch_build.py check

# The page of the browser game; nothing to do where it is up to date.
web: $(STAMP)
	$(BIN)/python hatch_build.py

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Baghdad needs Python 3.11 or newer; say which with: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

# Exact versions with hashes for every platform and Python; no addresses.
lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links --upgrade \
	  --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf .venv build dist web/node_modules src/baghdad/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
