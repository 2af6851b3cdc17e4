# assay: build, demo and checks. Needs Go, git and make; npm only for the chart library.
GO ?= go
BIN := bin/assay
# The header of the driver library marks functions deprecated; that is not our code.
export CGO_CFLAGS ?= -O2 -g -Wno-deprecated-declarations
PACKAGES := ./...
# Two cores at most: the machines that run this are small, and pages are timed.
TESTFLAGS ?= -p 2

.DEFAULT_GOAL := build
.PHONY: build demo test golden tamper race check vuln generate assets bench clean

## build: the binary, with the chart library when npm is there to fetch it
build: assets
	$(GO) build -o $(BIN) ./cmd/assay

## demo: example evidence on http://127.0.0.1:8321/ (DEMO=flags, for example --listen 127.0.0.1:0)
demo: build
	$(BIN) demo $(DEMO)

## test: everything that must hold before a change lands
test: check
	$(GO) test $(TESTFLAGS) $(PACKAGES)

## golden: verdicts on labelled pairs of real evidence, with the confusion matrix (ASSAY_CORPUS names the folder that holds corpus and golden)
golden:
	$(GO) test -count=1 $(TESTFLAGS) -run 'Golden|AllCapacityPairs' -v ./cmd/assay

## tamper: 10,000 changed cells of an archive and 500 turned bits of its file, one at a time; verify finds each (minutes)
tamper:
	ASSAY_TAMPER=10000 $(GO) test -count=1 -timeout 1h $(TESTFLAGS) -run 'TestTamper' -v ./cmd/assay

## race: the packages that write from several goroutines, under the race detector, without the long cases (needs a C compiler)
race:
	$(GO) test -race -short $(TESTFLAGS) ./store ./ingest ./web ./runner/gpu ./runner/load ./runner/measure ./runner/prompt ./runner/preflight ./runner/engine

## check: formatting, vet, staticcheck, generated code, notices of what we ship
check: assets
	@out=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); if [ -n "$$out" ]; then echo "gofmt these:"; echo "$$out"; exit 1; fi
	$(GO) vet $(PACKAGES)
	$(GO) tool staticcheck $(PACKAGES)
	$(GO) tool templ generate -check -include-version=false
	@if [ -f assets/dist/echarts.min.js ]; then test -s assets/dist/echarts-LICENSE.txt && test -s assets/dist/echarts-NOTICE.txt; fi || { echo "assets/dist has the chart library without its licence and notice: make assets"; exit 1; }

## vuln: known vulnerabilities in code that is called; says so when their database cannot be reached
vuln:
	.ci/vulncheck $(PACKAGES)

## generate: Go code from templ files
generate:
	$(GO) tool templ generate -include-version=false

## assets: the chart library, by lock file; without npm pages show tables in its place
assets:
	@if [ -f assets/dist/echarts.min.js ]; then :; \
	elif command -v npm >/dev/null 2>&1; then sh assets/build.sh; \
	else echo "assets: npm is not installed; charts will show their tables"; fi

## bench: benchmarks with their memory, for benchstat
bench: assets
	$(GO) test -run '^$$' -bench . -benchmem $(TESTFLAGS) $(PACKAGES)

clean:
	rm -rf bin
