# SPDX-License-Identifier: Apache-2.0
# Burnscope's everyday commands. `make demo` and `make test` do all set-up by themselves.

SWIFT ?= swift
BUILD ?= .build
TEST_TIMEOUT ?= 1500

.PHONY: setup build release demo test bench accuracy traits docs fuzz format lint clean

## Installs the Debian packages that are missing.
setup:
	@Scripts/setup

build: setup
	$(SWIFT) build

release: setup
	$(SWIFT) build -c release --product burnscope

## Makes a film, serves it, negotiates, verifies, and writes demo-report/.
demo: release
	Scripts/demo

## Builds everything and runs all tests.
test: setup
	$(SWIFT) build --build-tests
	Scripts/run-tests $(TEST_TIMEOUT)

## Ratios against other tools, in one run; writes docs/performance.md's tables to standard output.
bench: release
	$(SWIFT) build -c release --product burnscope-decoder-timing
	Scripts/bench

## 200 verifications against the stand-in server and 150,000 sessions of the decision alone.
accuracy: release
	Scripts/accuracy

## The suite of traits, read by every decoder there is; writes docs/traits.md.
traits: setup
	Scripts/traits

## The documentation of the public modules, warnings as errors.
docs: setup
	Scripts/document

## A short fuzz run of the parsers.
fuzz: setup
	Scripts/fuzz

format:
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift
	Scripts/check-imports

clean:
	rm -rf $(BUILD) demo-report accuracy-work Samples/work
