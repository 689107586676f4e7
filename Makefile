# Two commands: `make test` checks everything, `make play` starts a game. Both need Python 3.11 or
# newer and make, and install the rest into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/ready
# For the tests that learn. Every kind of machine has its own build, some have none: not in the lock.
TORCH := torch==2.13.0; sys_platform != 'darwin' or platform_machine != 'x86_64'
TORCH_STAMP := .venv/torch

# What is formatted and linted.
PYTHON_FILES := src tests benchmarks examples tools docs hatch_build.py
.PHONY: test play check check-format check-lint check-types check-page check-workflows format docs hooks web wasm dev browser lock audit licences fuzz clean

# Servers, databases and browsers share the machine with each other: what fails beside them is tried
# once more alone, and fails for good if it does so again. What comes before them does not.
test: $(STAMP)
	$(MAKE) -j 2 check web browser $(TORCH_STAMP)
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q \
	  || $(BIN)/python -m pytest --last-failed --last-failed-no-failures none -q -rA
	BAGHDAD_PLAIN=1 $(BIN)/python -m pytest -n 2 -q tests/rules/by_number tests/bots/test_tactician.py

# `make play ROOM=1` lets phones in the same room join.
play: web
	$(BIN)/baghdad $(if $(filter-out 0,$(ROOM)),--room)

check: check-format check-lint check-types check-page check-workflows

check-format: $(STAMP)
	$(BIN)/ruff format --check $(PYTHON_FILES)

check-lint: $(STAMP)
	$(BIN)/ruff check $(PYTHON_FILES)

check-types: $(STAMP)
	$(BIN)/mypy

# After the page was built, since both install what it is built with.
check-page: web
	$(BIN)/python hatch_build.py check

# What they must look like; then what makes them unsafe. Neither asks GitHub.
check-workflows: $(STAMP)
	$(BIN)/pre-commit validate-config
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --no-progress --quiet --strict-collection --pedantic .github .pre-commit-config.yaml

# Mends what `make check` finds, where a program can.
format: $(STAMP)
	$(BIN)/ruff check --fix $(PYTHON_FILES)
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/python hatch_build.py format

# All documents and the reference of the library as a site: build/docs/index.html. A link that leads
# nowhere, or a docstring that can't be read, is an error.
docs: $(STAMP)
	$(BIN)/sphinx-build --conf-dir docs --doctree-dir build/doctrees --fail-on-warning --keep-going --quiet . build/docs

# The steps of `make check` before every commit.
hooks: $(STAMP)
	$(BIN)/pre-commit install

# The page of the browser game; nothing to do where it is up to date.
web: $(STAMP)
	$(BIN)/python hatch_build.py

# The engine for browsers, kept in the repository. Needs LLVM's linker: Debian's lld, or `pip install ziglang`.
wasm: $(STAMP)
	$(BIN)/python -m baghdad.wasm.build
	$(BIN)/python tools/wasm_types.py

# The page while you change it, beside a server that runs already: `.venv/bin/baghdad`.
dev: $(STAMP)
	$(BIN)/python hatch_build.py dev

# Chromium for the tests of the page, where there is none yet.
browser: $(STAMP)
	$(BIN)/python tools/browser.py

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Baghdad needs Python 3.11 or newer; say which with: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

$(TORCH_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet "$(TORCH)"
	touch $@

# Exact versions with hashes for every platform and Python; no addresses.
lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	  --no-header --no-emit-index-url --no-emit-find-links --no-emit-package torch --upgrade \
	  --group dev pyproject.toml -o requirements.lock

# Known vulnerabilities of all that is locked: asks the network, and says where it got no answer.
audit: $(STAMP)
	$(BIN)/python tools/audit.py

# All that is shipped, and under which licence: `.venv/bin/python tools/licences.py --texts` has their texts, too.
licences: web
	$(BIN)/python tools/licences.py

# All that the server reads, for an hour: `make fuzz MINUTES=5 JOBS=4`. Needs Atheris.
fuzz: $(STAMP)
	$(BIN)/python tools/fuzz.py --minutes $(or $(MINUTES),60) --jobs $(or $(JOBS),1)

clean:
	rm -rf .venv build dist web/node_modules src/baghdad/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
