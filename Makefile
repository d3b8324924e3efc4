# Everything a developer or a CI runner calls. `make` alone lists it.
#
#   PYTHON=python3.12 make test     with a Python of your choice (default: the newest)
#   make test PYTEST="-k codec -x"  arguments for pytest

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?=
VENV ?= .venv
EXTRAS ?= dev
# More than processors: tests wait for processes and for disks.
JOBS ?= $(shell echo $$(( ($$(nproc 2>/dev/null || echo 2) * 3 + 1) / 2 )))
PYTEST ?=

BIN := $(VENV)/bin
# Deferred, as it needs the environment.
RUN_PYTEST = TMPDIR="$$($(BIN)/python scripts/scratch.py)" $(BIN)/python -m pytest -q
READY := $(VENV)/.ready
WHOOSH3 := whoosh3==3.54.0
PIP := -m pip -qq --no-input --disable-pip-version-check
# mypy refuses a folder without modules.
TYPED = $(foreach d,gitmem lsp_server tests benchmarks scripts,$(if $(shell find $(d) -name '*.py' -print -quit 2>/dev/null),$(d)))

# Tests measure start-up: compiled modules must be kept.
unexport PYTHONDONTWRITEBYTECODE
# Only what is installed counts.
unexport PYTHONPATH

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' Makefile | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | while IFS=$$'\t' read -r name what; do printf '%-14s %s\n' "$$name" "$$what"; done

# The environment is made once and brought up to date when pyproject.toml has changed.
$(READY): pyproject.toml
	@sh scripts/make_venv.sh $(VENV) '$(PYTHON)' $(EXTRAS)
	@touch $@

DEMO ?=
DEMO_VENV := $(if $(wildcard $(READY)),$(VENV),.venv-demo)
.PHONY: demo
demo: $(DEMO_VENV)/.ready ## see in a minute what gitmem does; DEMO=--keep leaves the repository
	@$(DEMO_VENV)/bin/python examples/demo.py $(DEMO)

# Without what developers need, unless that is there already.
.venv-demo/.ready: pyproject.toml
	@sh scripts/make_venv.sh .venv-demo '$(PYTHON)' ''
	@touch $@

# --- tests -----------------------------------------------------------------------------------

.PHONY: test
test: test-suite test-vscode-unit ## run all tests

# The tests observe real tools; of those only tsc is seldom there. Without npm they skip it.
TSC := build/tools/node_modules/.bin/tsc
$(TSC):
	@mkdir -p build/tools
	@if command -v npm >/dev/null; then \
	    npm install --silent --no-audit --no-fund --prefix build/tools typescript@5.9 || echo "no tsc: npm can't install it"; \
	fi

# Mermaid reads back what graph writes; it wants a page, which jsdom is.
MERMAID := build/tools/node_modules/mermaid/package.json
$(MERMAID):
	@mkdir -p build/tools
	@if command -v npm >/dev/null; then \
	    npm install --silent --no-audit --no-fund --prefix build/tools mermaid@11 jsdom@26 || echo "no mermaid: npm can't install it"; \
	fi

.PHONY: test-suite
test-suite: $(READY) $(TSC) $(MERMAID) ## run all tests
	@echo "tests on $$($(BIN)/python --version)"
	@PATH="$$PATH:$(CURDIR)/$(dir $(TSC))" $(RUN_PYTEST) -n $(JOBS) --dist worksteal $(PYTEST)

# Debian's editors as clients of the language server, and a server to stand in front of. Only the
# superuser can install them.
SERVERS := $(CURDIR)/build/tools/node_modules/.bin:$(CURDIR)/build/tools/pylsp/bin
PYLSP := build/tools/pylsp/bin/pylsp
$(PYLSP): $(READY)
	@mkdir -p build/tools
	@$(BIN)/python -m venv build/tools/pylsp && build/tools/pylsp/bin/python $(PIP) install 'python-lsp-server[pyflakes]>=1.12,<2' || echo "no pylsp: pip can't install it"

PYRIGHT := build/tools/node_modules/.bin/pyright-langserver
$(PYRIGHT):
	@mkdir -p build/tools
	@if command -v npm >/dev/null; then \
	    npm install --silent --no-audit --no-fund --prefix build/tools pyright@1 typescript-language-server@6 typescript@5.9 || echo "no language servers: npm can't install them"; \
	fi

.PHONY: test-editors
test-editors: $(READY) $(PYRIGHT) $(PYLSP) ## run the tests in real editors, installed first where they are missing
	@missing=; \
	command -v nvim >/dev/null || missing="$$missing neovim"; \
	command -v emacs >/dev/null || missing="$$missing emacs-nox"; \
	for mode in eglot lsp-mode; do \
	    ls -d /usr/share/emacs/site-lisp/elpa-src/$$mode-* >/dev/null 2>&1 || missing="$$missing elpa-$$mode"; \
	done; \
	command -v clangd >/dev/null || missing="$$missing clangd"; \
	if [ -n "$$missing" ]; then \
	    if [ "$$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then \
	        echo "missing:$$missing; on Debian: apt-get install$$missing" >&2; \
	    else \
	        apt-get update -qq; \
	        DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $$missing >/dev/null; \
	    fi; \
	fi
	@PATH="$$PATH:$(SERVERS)" $(RUN_PYTEST) -rs tests/e2e/test_editors.py tests/e2e/test_real_servers.py $(PYTEST)

# Debian's. Only the superuser can install it.
.PHONY: postgresql
postgresql: ## install PostgreSQL, where it is missing: tests of the hub start servers of their own
	@if ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then \
	    if [ "$$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then \
	        echo "missing: a PostgreSQL server; on Debian: apt-get install postgresql" >&2; exit 1; \
	    fi; \
	    apt-get update -qq; \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends postgresql >/dev/null; \
	fi

# Debian's Java and Maven; the nodes are made of public artifacts, and run in the tests' own folders.
.PHONY: opensearch
opensearch: build/opensearch/.ready ## fetch OpenSearch: tests of the hub start nodes of their own
build/opensearch/.ready: tests/hub/opensearch/pom.xml
	@if ! command -v mvn >/dev/null || ! command -v java >/dev/null; then \
	    if [ "$$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then \
	        echo "missing: Java and Maven; on Debian: apt-get install maven" >&2; exit 1; \
	    fi; \
	    apt-get update -qq; \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends maven default-jdk-headless >/dev/null; \
	fi
	@rm -rf build/opensearch
	@mvn -q -B -f tests/hub/opensearch/pom.xml dependency:copy-dependencies -DoutputDirectory=$(CURDIR)/build/opensearch >&2
	@touch $@

.PHONY: test-hub
test-hub: $(READY) postgresql opensearch ## run the tests of the hub on a real PostgreSQL and OpenSearch
	@$(RUN_PYTEST) -rs -n 2 tests/hub $(PYTEST)

.PHONY: test-opensearch
test-opensearch: $(READY) opensearch ## run the tests of the hub on OpenSearch alone
	@$(RUN_PYTEST) -rs -n 2 tests/hub -k opensearch $(PYTEST)

.PHONY: windows
windows: $(READY) ## build a Windows to test on, under wine, into build/windows
	@sh scripts/windows.sh

# Git under wine finds no way to a folder in /dev; test_sentences can't be imported without numpy.
# A server that stays spares each program's start that of all services, whose first start would hold
# a test's pipes open.
.PHONY: test-windows
test-windows: windows ## the first hour and the unit tests, under the Windows that make windows builds
	@mkdir -p build/windows/tmp
	@. build/windows/surroundings; export TMPDIR=$(CURDIR)/build/windows/tmp; "$$WINESERVER" --persistent=30; "$$WINE" "$$WINDOWS_PYTHON" -c pass </dev/null >/dev/null 2>&1 || true
	@TMPDIR=$(CURDIR)/build/windows/tmp GITMEM_WINDOWS=1 $(BIN)/python -m pytest -q -rs -n 2 --timeout 900 tests/windows/test_first_hour.py $(PYTEST)
	@. build/windows/surroundings; : | "$$WINE" "$$WINDOWS_PYTHON" -m pytest -q -rs --timeout 900 --ignore tests/unit/test_sentences.py tests/unit 2>&1 | cat

.PHONY: test-layouts
test-layouts: $(READY) ## each row of the layouts in the docs, with a git that knows tables, too
	@sh scripts/newer_git.sh
	@PATH="$(CURDIR)/build/git/bin:$$PATH" $(RUN_PYTEST) -rs -n 2 tests/e2e/test_layouts.py tests/integration/test_checkouts.py tests/integration/test_git_places.py $(PYTEST)

.PHONY: scenarios
scenarios: $(READY) ## what is learnt from watched runs, on real tools: right, missed, wrong
	@GITMEM_DEEP=ci $(RUN_PYTEST) -rs -n $(JOBS) tests/scenarios $(PYTEST)

.PHONY: test-fast
test-fast: $(READY) ## leave out what takes more than a few seconds
	@$(RUN_PYTEST) -n $(JOBS) --dist worksteal -m 'not slow and not network' $(PYTEST)

.PHONY: test-costs
test-costs: $(READY) $(TSC) $(MERMAID) ## measure what each test costs, by which make test chooses its share
	@PATH="$$PATH:$(CURDIR)/$(dir $(TSC))" $(BIN)/python scripts/measure_tests.py -n $(JOBS)

# Hours; DEPTH=ci: as many as are looked at every night.
DEPTH ?= 1
.PHONY: test-deep
test-deep: $(READY) ## look at many more random histories and larger numbers than make test
	@GITMEM_DEEP=$(DEPTH) $(if $(filter 1,$(DEPTH)),HYPOTHESIS_PROFILE=deep )$(RUN_PYTEST) -n $(JOBS) --dist worksteal -m deep $(PYTEST)

# What another Python may do differently shows inside processes: files, threads, signals, clocks;
# of whole commands, one of each way. Random histories and rows of outputs ask nothing of it that
# these do not.
OTHERS := tests/unit tests/contract \
	$(addprefix tests/integration/test_,backup.py catalog.py child.py identity.py journal.py memory_api.py \
	    memory_writing.py models.py packs.py store_safety.py sync.py threads.py watch.py) \
	$(addprefix tests/e2e/test_,cli_commands.py forks.py lsp.py mcp_tools.py run.py startup.py)
.PHONY: test-pythons
test-pythons: $(READY) ## run the tests that may differ on every other Python from 3.11 on
	@mine=$$($(BIN)/python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	failed=; \
	while read -r version python; do \
	    if [ "$$version" = "$$mine" ]; then continue; fi; \
	    echo "Python $$version: $$python"; \
	    $(MAKE) test-suite VENV=.venv-$$version PYTHON="$$python" PYTEST="$(OTHERS) -m 'not deep and not slow and not network' $(PYTEST)" </dev/null || failed="$$failed $$version"; \
	done < <(sh scripts/pythons.sh); \
	if [ -n "$$failed" ]; then echo "tests failed on Python$$failed"; exit 1; fi

# Its own environment, because both Whooshes are called whoosh.
.venv-whoosh3/.whoosh3: pyproject.toml Makefile
	@sh scripts/make_venv.sh .venv-whoosh3 '$(PYTHON)' dev
	@touch .venv-whoosh3/.ready
	@.venv-whoosh3/bin/python $(PIP) uninstall --yes whoosh-reloaded whoosh3
	@.venv-whoosh3/bin/python $(PIP) install --no-deps $(WHOOSH3)
	@touch $@

.PHONY: test-whoosh3
test-whoosh3: .venv-whoosh3/.whoosh3 ## run the index tests on the other Whoosh
	@echo "index tests on $(WHOOSH3)"
	@.venv-whoosh3/bin/python -m pytest -q -n $(JOBS) tests/contract/test_index.py

# --- the extension of VS Code ----------------------------------------------------------------

EXTENSION := vscode-extension
PACKAGES := $(EXTENSION)/node_modules/.ready
VSIX := build/gitmem.vsix
EDITOR := build/editor
SOURCES = $(shell find gitmem lsp_server schemas $(EXTENSION)/src -type f -not -name '*.pyc')

$(PACKAGES): $(EXTENSION)/package-lock.json
	@command -v npm >/dev/null || { echo "the extension needs node 20 or later, with npm" >&2; exit 1; }
	@cd $(EXTENSION) && npm ci --no-audit --no-fund --loglevel error
	@touch $@

.PHONY: check-vscode
check-vscode: $(PACKAGES) ## the extension: types, style, size of the bundle, texts; its stories can be read
	@cd $(EXTENSION) && npm run --silent check
	@for story in $$(git ls-files 'tests/*.mjs'); do node --check "$$story" || exit 1; done
	@echo "extension: fine"

.PHONY: test-vscode-unit
test-vscode-unit: $(PACKAGES) ## the extension's tests that need no editor
	@cd $(EXTENSION) && npm test --silent -- --test-reporter=dot

# It says which gitmem it was built with; pip fetches that one where there is none. What vsce warns
# of has to be mended.
$(VSIX): $(READY) $(PACKAGES) $(SOURCES) $(EXTENSION)/package.json $(EXTENSION)/build.mjs
	@rm -rf build/wheel && mkdir -p build
	@$(BIN)/python -m build --wheel --no-isolation --outdir build/wheel . >/dev/null
	@said=$$(cd $(EXTENSION) && npm run --silent package -- --out ../$@ 2>&1) && ! grep -i warning <<<"$$said" || { echo "$$said"; rm -f $@; exit 1; }
	@echo "$@: $$(du -k $@ | cut -f1) kB"

.PHONY: vsix
vsix: $(VSIX) ## package the extension, and the wheel that it installs beside it

.PHONY: chromium
chromium:
	@if ! command -v chromium >/dev/null; then \
	    if [ "$$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then \
	        echo "missing: chromium; on Debian: apt-get install chromium fonts-dejavu-core" >&2; exit 1; \
	    fi; \
	    apt-get update -qq; \
	    DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	fi

SECONDS_EACH ?= 360
.PHONY: fuzz
fuzz: $(READY) ## feed every reader with damaged input, an hour in all; SECONDS_EACH=60 ARGS="--only patches"
	@PYTHONPATH=. nice $(BIN)/python scripts/fuzz.py --seconds $(SECONDS_EACH) $(ARGS)

.PHONY: test-page
test-page: $(READY) $(PACKAGES) chromium ## drive the pages of gitmem serve and of a hub in a real browser
	@GITMEM=$(CURDIR)/$(BIN)/gitmem OUT=$(CURDIR)/build/page node --test --test-reporter=spec tests/e2e/page/

.PHONY: page-pictures
page-pictures: $(READY) $(PACKAGES) chromium ## take the pictures of docs/pages.md in a real browser
	@GITMEM=$(CURDIR)/$(BIN)/gitmem node tests/e2e/page/pictures.mjs build/page/pictures
	@$(BIN)/python scripts/page_pictures.py build/page/pictures docs/images

.PHONY: test-vscode
test-vscode: $(VSIX) chromium ## drive the extension in a real VS Code, installed first where it is missing
	@bash tests/e2e/vscode/install.sh $(CURDIR)/$(EDITOR)
	@GITMEM=$(CURDIR)/$(BIN)/gitmem VSIX=$(CURDIR)/$(VSIX) EDITOR=$(CURDIR)/$(EDITOR) OUT=$(CURDIR)/build/vscode \
	    node --test --test-reporter=spec $(if $(STORY),tests/e2e/vscode/$(STORY).test.mjs,tests/e2e/vscode/)

# All of them; LOOKS="dark-1280 light-800 contrast-1280" into FOLDER=… only to look at them.
LOOKS ?= dark-800
FOLDER ?= docs/images
.PHONY: pictures
pictures: $(VSIX) chromium ## take the pictures of docs/editors.md in a real VS Code
	@bash tests/e2e/vscode/install.sh $(CURDIR)/$(EDITOR)
	@GITMEM=$(CURDIR)/$(BIN)/gitmem VSIX=$(CURDIR)/$(VSIX) EDITOR=$(CURDIR)/$(EDITOR) \
	    node tests/e2e/vscode/pictures.mjs "$(FOLDER)" $(LOOKS)
	@$(BIN)/python scripts/shrink_pictures.py "$(FOLDER)"/vscode-*.png

.PHONY: bench-vscode
bench-vscode: $(VSIX) ## measure the extension in the VS Code that test-vscode installed
	@GITMEM=$(CURDIR)/$(BIN)/gitmem VSIX=$(CURDIR)/$(VSIX) EDITOR=$(CURDIR)/$(EDITOR) \
	    node tests/e2e/vscode/measure.mjs $(REPOSITORY)

# --- checks ----------------------------------------------------------------------------------

.PHONY: check
check: check-style check-types check-imports check-house check-commits check-schemas check-tools check-docs wheel check-vscode ## run everything but the tests

.PHONY: check-style
check-style: $(READY) ## ruff: rules and format
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "not formatted; run: make format"; $(BIN)/ruff format --check . | grep '^Would' || true; exit 1; }
	@echo "style: fine"

.PHONY: check-types
check-types: $(READY) ## mypy, strict, for Linux, macOS and Windows
	@$(BIN)/mypy --no-error-summary --platform linux $(TYPED)
	@$(BIN)/mypy --no-error-summary --platform darwin --cache-dir .mypy_cache/darwin $(TYPED)
	@$(BIN)/mypy --no-error-summary --platform win32 --cache-dir .mypy_cache/win32 gitmem lsp_server scripts
	@echo "types: fine"

.PHONY: check-imports
check-imports: $(READY) ## import-linter: who may know whom
	@said=$$($(BIN)/lint-imports --no-logo --no-cache 2>&1) || { echo "$$said"; exit 1; }
	@echo "imports: fine"

.PHONY: check-house
check-house: $(READY) ## names and sizes of modules, and who opens files
	@$(BIN)/python scripts/check_house.py
	@echo "house: fine"

.PHONY: check-commits
check-commits: $(READY) ## subjects of commits: part: what changes, at most 72 characters
	@$(BIN)/python scripts/check_commits.py
	@echo "commits: fine"

.PHONY: hooks
hooks: ## let git check the message of each commit in this clone
	@git config core.hooksPath scripts/hooks

.PHONY: check-schemas
check-schemas: $(READY) ## schemas/ says what the types say
	@$(BIN)/python scripts/generate_schemas.py --check
	@echo "schemas: fine"

.PHONY: check-tools
check-tools: $(READY) ## the index of tools says what the tools say
	@$(BIN)/python scripts/generate_tools.py --check
	@echo "tools: fine"

TOOL ?=
.PHONY: tool
tool: $(READY) ## renew and test one tool, and say what is missing: make tool TOOL=cargo
	@$(BIN)/python scripts/check_tool.py '$(TOOL)'
	@$(RUN_PYTEST) tests/tools -k "[$(TOOL)- or [$(TOOL)] or -$(TOOL)-" $(PYTEST)

.PHONY: check-docs
check-docs: $(READY) ## the generated parts of docs/ say what the code says
	@$(BIN)/python scripts/generate_docs.py --check
	@echo "docs: fine"

# The theme brings its own icons and search; nothing of the site is loaded from elsewhere.
SITE := $(VENV)/.site
$(SITE): $(READY)
	@$(BIN)/python $(PIP) install 'mkdocs-material>=9.6,<10'
	@touch $@

.PHONY: docs
docs: $(SITE) ## build the documentation as a site under build/site, and check its links
	@$(BIN)/python scripts/build_site.py

.PHONY: wheel
wheel: $(READY) ## build the packages, and use the wheel in an empty environment
	@$(BIN)/python scripts/try_wheel.py

.PHONY: sbom
sbom: $(READY) ## the bill of materials of a release: build/sbom.cdx.json
	@mkdir -p build
	@PYTHONPATH=. $(BIN)/python scripts/sbom.py > build/sbom.cdx.json

# An environment of its own: what audits is not what is audited.
AUDIT := build/audit/bin/pip-audit
$(AUDIT): $(READY)
	@mkdir -p build
	@$(BIN)/python -m venv build/audit && build/audit/bin/python $(PIP) install 'pip-audit>=2.9,<3'

.PHONY: audit
audit: $(AUDIT) ## ask for known vulnerabilities of what a release needs
	@PYTHONPATH=. $(BIN)/python scripts/sbom.py --pins > build/pins.txt
	@$(AUDIT) --strict --no-deps --disable-pip --requirement build/pins.txt

# Minutes for each Python; the repository's earlier commits must be there.
.PHONY: release-check
release-check: $(READY) ## what is to be released, on every Python: install, upgrade, README, demo
	@$(BIN)/python scripts/release_check.py

# --- chores ----------------------------------------------------------------------------------

.PHONY: schemas
schemas: $(READY) ## rewrite schemas/ from the types
	@$(BIN)/python scripts/generate_schemas.py

.PHONY: tools
tools: $(READY) ## rewrite the index of tools from the tools
	@$(BIN)/python scripts/generate_tools.py

.PHONY: format
format: $(READY) ## sort imports and format all code
	@$(BIN)/ruff check --quiet --select I --fix .
	@$(BIN)/ruff format --quiet .

.PHONY: bench-hub
bench-hub: $(READY) ## measure a hub on a server of its own; ARGS="--engine opensearch --records 1000000"
	@$(BIN)/python -m benchmarks.hub $(ARGS)

.PHONY: bench-logs
bench-logs: $(READY) ## read logs with this build and another one; ARGS="--beside CHECKOUT"
	@$(BIN)/python -m benchmarks.logs $(ARGS)

.PHONY: bench-guards
bench-guards: $(READY) ## how often guards are right on histories; ARGS="CLONE... --json FILE"
	@$(BIN)/python -m benchmarks.guards $(ARGS)

.PHONY: bench
bench: $(READY) ## measure, and compare with the targets
	@$(BIN)/python -m benchmarks $(ARGS)

# Fetched once; without a network the figures with the extra are those of the word table.
.PHONY: sentence-model
sentence-model: $(READY) ## install the sentence model that evaluations read with, under build/
	@test -e build/cache/gitmem/models/sentence-model.tensors || { mkdir -p build/cache && XDG_CACHE_HOME=$(CURDIR)/build/cache $(BIN)/gitmem -C / semantic install $(MODEL); } || echo "no sentence model: figures with the extra are those of the word table"

.PHONY: eval
eval: $(READY) sentence-model ## how well failures are told apart and found, on evaluation data if it is there
	@mkdir -p build
	@XDG_CACHE_HOME=$(CURDIR)/build/cache $(BIN)/python -m benchmarks.eval --json build/eval.json $(if $(DATA),--data $(DATA))

# ARGS="--list", "--only go-timeout,ssh --show", "--pure"
.PHONY: eval-identity
eval-identity: $(READY) ## whether a failure is taken for the recorded one, and no other failure is
	@$(BIN)/python -m benchmarks.eval_identity $(ARGS)

# ARGS="--only nim,ruff --show"
.PHONY: eval-output
eval-output: $(READY) ## what is read of real outputs: by tools, behind prefixes, and by form alone
	@$(BIN)/python -m benchmarks.eval_output $(ARGS)

# ARGS="--engine postgresql", "--show false", "--show missed"
.PHONY: eval-hub
eval-hub: $(READY) ## how well failures are found across repositories, and how often *same message* is wrong
	@mkdir -p build
	@$(BIN)/python -m benchmarks.across --json build/eval-hub.json $(if $(DATA),--data $(DATA)) $(ARGS)

# make replay REPOSITORY=path ARGS='--command "npx vitest run {tests}" --limit 20'
.PHONY: replay
replay: $(READY) ## replay real fixes of a history under gitmem run, and compare what was learnt
	@$(BIN)/python -m benchmarks.replay $(if $(REPOSITORY),"$(REPOSITORY)") $(ARGS)

# Peers get environments of their own under build/peers; nothing of gitmem needs them.
.PHONY: compare
compare: $(READY) sentence-model ## compare with other memory systems on our own benchmark
	@mkdir -p build
	@XDG_CACHE_HOME=$(CURDIR)/build/cache $(BIN)/python -m benchmarks.compare --json build/compare.json $(ARGS)

.PHONY: changelog
changelog: $(READY) ## show what the fragments in changes/ will add to CHANGELOG.md
	@$(BIN)/python scripts/changelog.py

# Environments only where our stamp lies in them.
.PHONY: clean
clean: ## remove environments, caches and packages that make made
	@for stamp in .venv/.ready .venv-*/.ready; do \
	    if [ -e "$$stamp" ]; then rm -rf "$$(dirname "$$stamp")"; fi; \
	done
	@rm -rf build dist $(EXTENSION)/{node_modules,dist,dist-tests} .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find gitmem lsp_server tests benchmarks examples scripts -name __pycache__ -type d -prune -exec rm -rf {} +
