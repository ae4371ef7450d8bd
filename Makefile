# Every target does its own set-up; a machine needs Go and Node and nothing else.
# A variable given to make reaches the program, as one in the environment does:
# `make run PORT=9000`.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# The deployment's own packages (infra) compile CDK for over a minute and are
# left to `check`; a bare `./...` or `go mod download` would fetch them all.
PACKAGES := ./functions/... ./shared/... ./local/...

# The race detector needs a C compiler; it runs where CI says so and one is there.
RACE = $(if $(filter true 1,$(CI)),$(if $(filter 1,$(shell go env CGO_ENABLED)),-race))

# What makes Lambda binaries small and the same for the same source: no paths,
# no version control stamp, no build id, no symbols, no RPC mode.
FUNCTIONS = $(patsubst functions/%/lambda/main.go,%,$(wildcard functions/*/lambda/main.go))
LAMBDA_BUILD = GOOS=linux GOARCH=arm64 CGO_ENABLED=0 GOFLAGS= \
	go build -trimpath -buildvcs=false -tags lambda.norpc -ldflags='-s -w -buildid='

NPM_STAMP = $(if $(wildcard local/package-lock.json),local/node_modules/.stamp)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: $(NPM_STAMP) ## Start the whole system on this machine (PORT, DATA_DIR, INGEST_TIMEOUT, SWEEP_EVERY …)
	@go build -o .bin/local ./local
	@exec .bin/local

.PHONY: test
test: $(NPM_STAMP) ## Run every test that needs Go and Node alone (CI=true adds the race detector)
	go test -shuffle=on -timeout=15m $(RACE) $(PACKAGES)

.PHONY: check
check: $(NPM_STAMP) ## Format, vet, lint, module and fuzz checks
	.ci/check $(PACKAGES)

.PHONY: bench
bench: $(NPM_STAMP) ## Run the benchmarks (BENCH=pattern picks some)
	go test -run='^$$' -bench='$(or $(BENCH),.)' -benchmem $(PACKAGES)

.PHONY: build
build: $(FUNCTIONS:%=build/%/bootstrap) ## Build every Lambda function for arm64 into build/<group>/bootstrap

# Always handed to the go command, which knows better than a time stamp what changed.
.PHONY: $(FUNCTIONS:%=build/%/bootstrap)
$(FUNCTIONS:%=build/%/bootstrap): build/%/bootstrap:
	$(LAMBDA_BUILD) -o $@ ./functions/$*/lambda

.PHONY: generate
generate: ## Write the generated files anew
	go generate $(PACKAGES)

.PHONY: clean
clean: ## Remove what was built or installed; data in .local stays
	rm -rf build .bin local/node_modules

# The emulators, exactly as locked, without running anybody's install scripts.
local/node_modules/.stamp: local/package-lock.json
	cd local && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
