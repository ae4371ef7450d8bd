# Every target does its own set-up; a machine needs only Go and Node.
# A variable given to make reaches the program, as one in the environment does:
# `make run PORT=9000`.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:

# An older Go would only say which line of go.mod it does not know.
GO_VERSION := $(shell { go version 2>&1 || true; } | sed '$$!d; s/^bash:.* go:/go:/')
ifneq ($(shell [[ '$(GO_VERSION)' =~ ^go.version.*[[:space:]]go1\.([0-9]+) ]] && echo $$((BASH_REMATCH[1] >= 26))),1)
$(error this needs Go 1.26 or later on the PATH: $(GO_VERSION))
endif

# The deployment's own packages (infra) compile CDK for over a minute and are
# left to `check`; a bare `./...` or `go mod download` would fetch them all.
# The end-to-end tests take longest, so they begin first.
PACKAGES := ./local/run/system ./functions/... ./shared/... ./local/...

# Packages that pass are not tested again until something changes that they read (go help test); CI shuffles
# the tests, which are then all run. make check vets.
#
# The race detector needs a C compiler; it runs where CI says so and one is there. With it, tests draw
# a fifth of their cases, and collect garbage less often, which saves a tenth of the time.
#
# .ci/large lists the tests, each with its package, that do a third of the work: end-to-end tests that send most requests,
# and those of size, growth, cost and thousands of drawn cases. They run after the others, without the race detector, in CI, and by
# make large or make check. So do, in CI alone, those with the mark race: what one goroutine computes takes five times as long with the
# detector, and so do bodies of megabytes.
RACE = $(if $(filter true 1,$(CI)),$(filter 1,$(shell go env CGO_ENABLED)))
TEST = .ci/test -vet=off -timeout=30m $(if $(filter true 1,$(CI)),-shuffle=on)
# The package that takes longest begins first.
LISTED = $(shell awk '$(if $(RACE),,NF == 2) {print $$$(1)}' .ci/large | sort -u)
LARGE = $(subst $() ,|,$(call LISTED,2))
TEST_LARGE = $(TEST) -run='^($(LARGE))$$' ./shared/candidate/resume $(filter-out ./shared/candidate/resume,$(call LISTED,1))
TEST_MOST = SKIP='$(LARGE)' $(TEST)

# Keeps Lambda binaries small and reproducible: no paths, no version control stamp, no
# build id, no symbols, no RPC mode, no HTTP/2 (AWS's endpoints speak 1.1), and no
# inlining in the SDK's long generated code (1 MB), nor in the code around a network call
# (0.2 MB).
FUNCTIONS = $(patsubst functions/%/lambda/main.go,%,$(wildcard functions/*/lambda/main.go))
CONTAINERS = $(patsubst functions/%/Dockerfile,%,$(wildcard functions/*/Dockerfile))
LAMBDA_BUILD = GOOS=linux GOARCH=arm64 CGO_ENABLED=0 GOFLAGS= \
	go build -trimpath -buildvcs=false -tags lambda.norpc,nethttpomithttp2 \
	$(patsubst %,-gcflags='%=-l',github.com/aws/aws-sdk-go-v2/... github.com/aws/smithy-go/... github.com/guregu/dynamo/v2/... \
	net/http crypto/tls crypto/x509 ./shared/search/opensearch) -ldflags='-s -w -buildid='

# What emulates DynamoDB: dynoxide, or DynamoDB Local (java) where the lock file has no dynoxide.
DYNAMODB ?= $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),dynoxide,java)
export DYNAMODB

# npm packages of the emulators, of the OpenAPI linter and of the CDK command line.
NPM_STAMP = local/node_modules/.stamp
TOOLS_STAMP = .tools/node_modules/.stamp
INFRA_STAMP = infra/node_modules/.stamp
# Of the engines that make resumes, which local/lab/resumeset installs.
RESUMES_STAMPS = local/lab/resumeset/node_modules/.stamp local/lab/resumeset/heldout/node_modules/.stamp

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

.PHONY: run
run: $(NPM_STAMP) ## Start the whole system on this machine (PORT, DATA_DIR, SWEEP_EVERY, LOCALSTACK …; SEARCH=opensearch and DYNAMODB=java need Java)
	@[ -e .bin/local ] || echo 'compiling, which takes a minute or two the first time, and longer on a busy machine'
	go build -o .bin/local ./local
	@exec $(if $(SEARCH),.ci/$(SEARCH)) .bin/local

.PHONY: status
status: ## Show whether a system runs with its data in DATA_DIR, and where
	@go build -o .bin/local ./local
	@.bin/local status

.PHONY: test
test: $(NPM_STAMP) ## Run the tests that need Go and Node alone, but the large ones (CI=true adds those and the race detector, DRAWS=5 draws five times the cases)
	@echo 'On two cores this takes about 3.5 minutes the first time; in CI, with the race detector and the large tests, 8.'
	@SECONDS=0; $(if $(RACE),GOGC=400) $(TEST_MOST) $(if $(RACE),-race -short) $(PACKAGES); \
	$(if $(filter true 1,$(CI)),$(TEST_LARGE);) echo "$$SECONDS" >.bin/test.seconds # for make bench

.PHONY: large
large: $(NPM_STAMP) ## Run the large tests, which make test leaves out: load, growth, cost, thousands of drawn cases
	@$(TEST_LARGE)

.PHONY: quick
quick: $(NPM_STAMP) ## Format, vet and test (-short) the packages that differ from main, and their importers
	@.ci/quick $(PACKAGES)

# The table is printed even if a case failed.
.PHONY: faults
faults: $(NPM_STAMP) ## Let every call of every writer to AWS and the provider fail in every way, and print a table of the results (FAULTS=^erase selects operations)
	@mkdir -p .bin
	@status=0; go test ./local/run/system -count=1 -timeout=3h -run='^TestFaultSweep$$/$(FAULTS)' -faults='$(CURDIR)/.bin/faults.txt' || status=$$?; \
	cat .bin/faults.txt; exit $$status

.PHONY: soak
soak: $(NPM_STAMP) ## Run the long checks: an outage, kills, a flood, a file of candidates (SOAK=kill selects one, SCALE=0.1 shortens them)
	@go test ./local/lab/soak -count=1 -v -timeout=3h -run='^TestSoak$$' -soak=$(or $(SCALE),1) -parts='$(SOAK)'

# PACKAGES of the command line, not of this file. gremlins takes a folder, and all packages in it.
MUTATED = $(patsubst %/...,%,$(if $(filter command,$(firstword $(origin PACKAGES))),$(PACKAGES),\
	./shared/agency ./shared/account ./shared/gateway ./functions/ingest ./functions/publisher ./shared/search/catalogue))
MUTATIONS = --invert-assignments --invert-bitwise --invert-bwassign --invert-logical --invert-loopctrl --remove-self-assignments
.PHONY: mutate
mutate: $(NPM_STAMP) ## Change the operators of the code, one after the other, and print what the tests of its package do not find (PACKAGES; hours)
	go -C .tools build -o ../.bin/ github.com/go-gremlins/gremlins/cmd/gremlins
	@# A changed loop can allocate without end.
	@ulimit -d 8000000; status=0; for folder in $(MUTATED); do \
	nice .bin/gremlins unleash $(MUTATIONS) --workers=2 --timeout-coefficient=10 --threshold-efficacy=85 $$folder || status=$$?; \
	done; exit $$status

.PHONY: resumes
resumes: ## Measure the resume reader on files that it was not built on (needs Python 3.11, Node 20.19 or later with npm, and make; SET=--heldout needs Chromium and XeLaTeX too)
	go run ./local/lab/resumeset make $(SET)
	go run ./local/lab/resumeset score $(SET)

.PHONY: fuzzapi
fuzzapi: $(NPM_STAMP) ## Let Schemathesis send 5,000 requests and more that the OpenAPI document allows or forbids (needs Python)
	@.ci/fuzzapi

.PHONY: dynamodb
dynamodb: $(NPM_STAMP) ## Run the tests that use DynamoDB on AWS's own emulator (needs Java 17 and Maven)
	@.ci/dynamodb $(PACKAGES)

.PHONY: check
check: $(NPM_STAMP) $(TOOLS_STAMP) ## Check format, linters, modules, pages, clients, licences, fuzz targets, the deployment, SAM and LocalStack, and run most of make dynamodb (PART=code selects a part)
	.ci/check $(PACKAGES)

BENCH_STAMP = local/lab/bench/peers/node/node_modules/.stamp

# A peer that needs Java or pdftotext is left out, and so shown as not measured, where that is missing.
.PHONY: bench
bench: export LAMBDA_BUILD := $(LAMBDA_BUILD)
bench: $(NPM_STAMP) $(BENCH_STAMP) ## Compare with peers and print a table in ten minutes (ROWS=1,5 some rows; BENCH=pattern: go's benchmarks instead)
ifdef BENCH
	go test -run='^$$' -bench='$(BENCH)' -benchmem -timeout=1h $(PACKAGES)
	@# A module of its own, whose go.mod follows ours.
	$(if $(shell command -v java),.ci/opensearch) go -C shared/search/roleindex/bench test -mod=mod -run='^$$' -bench='$(BENCH)' -benchtime=1x -timeout=4h .
else
	go build -o .bin/bench ./local/lab/bench
	@.bin/bench $(if $(ROWS),--rows=$(ROWS))
endif

.PHONY: build
build: $(FUNCTIONS:%=build/%.zip) $(CONTAINERS:%=build/%/bootstrap) ## Build every function for arm64: build/<group>/bootstrap and build/<group>.zip

# Always handed to the go command, which tracks changes better than time stamps do.
.PHONY: $(FUNCTIONS:%=build/%/bootstrap) $(CONTAINERS:%=build/%/bootstrap)
$(FUNCTIONS:%=build/%/bootstrap): build/%/bootstrap:
	$(LAMBDA_BUILD) -o $@ ./functions/$*/lambda
$(CONTAINERS:%=build/%/bootstrap): build/%/bootstrap:
	$(LAMBDA_BUILD) -o $@ ./functions/$*
	cp functions/$*/Dockerfile build/$*/
$(FUNCTIONS:%=build/%.zip): build/%.zip: build/%/bootstrap
	@go run ./infra/zip $@ $<

# The deployment. STAGE is a row of infra/cdk.json.
STAGE ?= dev
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION = 20
# Templates for checking; infra/deploy writes those that are deployed.
SYNTH = cd infra && AWS_EC2_METADATA_DISABLED=true node_modules/.bin/cdk synth --quiet --no-notices -c checking=true

.PHONY: synth templates
synth: build ## Write the CloudFormation templates of all stages in infra/cdk.out
	@$(MAKE) --no-print-directory templates
templates: $(INFRA_STAMP)
	rm -rf infra/cdk.out
	$(SYNTH)
	@rm -f infra/cdk.out/performance-counters.json # the times it took: all else is the same for the same source

.PHONY: diff deploy destroy
diff: ## Show what deploying STAGE would change
deploy: ## Deploy STAGE (dev, prod-us, prod-eu, scale) after showing the changes and asking
destroy: ## Remove STAGE; the data of a prod stage stays
diff deploy destroy:
	infra/deploy $@ $(STAGE)

.PHONY: localstack
localstack: ## Deploy dev to a LocalStack on this machine, of an edition with API Gateway v2 (LOCALSTACK=http://localhost:4566)
	infra/localstack

# What infra/deploy builds once its checks have passed.
.PHONY: deployable
deployable: build $(INFRA_STAMP)

# Functions for this machine's processor, in a template that lets SAM set endpoints. A test builds them in a directory of its own.
PROGRAMS = build/sam
.PHONY: sam
# CDK's rules take most of a synthesis, and nothing is deployed from this one.
sam: export CDK_VALIDATION = false
sam: $(FUNCTIONS:%=$(PROGRAMS)/%/bootstrap) $(INFRA_STAMP) ## Prepare the functions for SAM in containers: sam local start-api, sam local invoke (make run SAM=1)
	@for name in $(CONTAINERS); do mkdir -p build/sam/$$name && cp functions/$$name/Dockerfile build/sam/$$name/; done
	$(SYNTH) -c stage=dev -c sam=$$(go env GOARCH) -c code=../build/sam -o ../build/sam/cdk.out
	@printf 'ready: start the system (make run SAM=1), then sam local start-api\n'
.PHONY: $(FUNCTIONS:%=$(PROGRAMS)/%/bootstrap)
$(FUNCTIONS:%=$(PROGRAMS)/%/bootstrap): $(PROGRAMS)/%/bootstrap:
	$(subst GOARCH=arm64,,$(LAMBDA_BUILD)) -o $@ ./functions/$*/lambda

.PHONY: generate
generate: $(TOOLS_STAMP) ## Regenerate the generated files
	go generate $(PACKAGES)

.PHONY: clean
clean: ## Remove what was built or installed; data in .local stays
	rm -rf build .bin local/node_modules local/lab/bench/peers/node/node_modules $(dir $(RESUMES_STAMPS)) infra/node_modules .tools/node_modules infra/cdk.out

# Exactly as locked, without running install scripts of packages.
$(NPM_STAMP) $(TOOLS_STAMP) $(INFRA_STAMP) $(BENCH_STAMP) $(RESUMES_STAMPS): %/node_modules/.stamp: %/package-lock.json
	@node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major*100 + minor < 2019 ? 1 : 0)' >/dev/null 2>&1 && command -v npm >/dev/null || \
	{ echo "this needs Node 20.19 or later, with npm, on the PATH: $$(node --version 2>&1 | sed 's/^bash:.* node:/node:/')"; exit 1; }
	cd $* && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=5
	@touch $@

$(NPM_STAMP): | $(if $(filter java,$(DYNAMODB)),.bin/java/pom.xml)
.bin/java/pom.xml: .tools/pom.xml
	.ci/java
	@touch $@
