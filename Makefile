# `make demo` and `make test` do all set-up by themselves on a machine with Python 3.11 or later and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo serve test check format generate bench soak fuzz eval doctor clean

demo: $(INSTALLED)  ## a local model writes a component, over gRPC, proven in the sandbox
	$(BIN)/flowassist demo

serve: $(INSTALLED)  ## keep a server up, and say how to call it
	@test -n "$$OPENAI_API_KEY$$ANTHROPIC_API_KEY" || $(BIN)/flowassist model fetch
	$(BIN)/flowassist serve

test: check  ## everything that must hold before a change lands
	$(BIN)/flowassist model fetch
	$(BIN)/pytest

check: $(INSTALLED)  ## style, types, direction of imports, the contract, generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	tools/generate --check

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

generate: $(INSTALLED)  ## code from proto/, into server/ and clients/
	tools/generate

bench: $(INSTALLED)  ## figures, as ratios within one run
	$(BIN)/python -m benchmarks

SOAK_COUNT ?= 10000
soak: $(INSTALLED)  ## validations in a row, one in five hostile; exit 1 where anything grows
	$(BIN)/python -m benchmarks.soak --count $(SOAK_COUNT)

FUZZ_SECONDS ?= 600
fuzz: $(INSTALLED)  ## ten minutes of inputs that nobody thought of; exit 1 where one fails
	$(BIN)/python -m fuzz --seconds $(FUZZ_SECONDS)

EVAL_INTENT ?= benchmarks/sets/intent.jsonl
EVAL_COMPONENTS ?= benchmarks/sets/components.jsonl
eval: $(INSTALLED)  ## scores of a model on evaluation sets
	$(BIN)/flowassist model fetch
	$(BIN)/flowassist eval --intent $(EVAL_INTENT) --components $(EVAL_COMPONENTS) $(EVAL_FLAGS)

doctor: $(INSTALLED)  ## what works here, and what is missing
	$(BIN)/flowassist doctor

clean:
	rm -rf .venv build

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip==26.3
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group dev \
	  --editable '.[sandbox,embedded,ollama,watsonx]' --editable clients/python
	touch $@
