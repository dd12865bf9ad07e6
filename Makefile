# SPDX-License-Identifier: MIT OR Unlicense
#
# kinematic.h needs no build: copy it. This file makes it from src/, and tests it. `make help` lists what can be asked for.

GCC     ?= gcc
GXX     ?= g++
CLANG   ?= clang
CLANGXX ?= clang++
PYTHON  ?= python3
JOBS    ?= 2
export GCC GXX CLANG CLANGXX PYTHON JOBS UTEST_H GREATEST_H
export FUZZ_SECONDS KIN_SEEDS KIN_STEPS KIN_CROWDS PREFIX INCLUDEDIR LIBDIR DESTDIR

.DEFAULT_GOAL := all
.PHONY: all help demo install uninstall dist packages window test-window expected pages test test-all test-headers check \
        golden portable coverage analyze bench fuzz fuzz-afl setup clean distclean always
.DELETE_ON_ERROR:
.SECONDARY:

WARN := -Wall -Wextra -pedantic -Wshadow
RUN  := $(PYTHON) tests/run.py --jobs $(JOBS) --filter "$(T)"

# ---- the header ------------------------------------------------------------------------------------------------
kinematic.h: $(wildcard src/*.c src/*.h) src/order.txt src/manual.txt LICENSE CHANGELOG.md tools/amalgamate.py
	@if command -v $(PYTHON) > /dev/null; then $(PYTHON) tools/amalgamate.py && touch $@; \
	else echo "$(PYTHON) is not installed: taking kinematic.h as it is"; fi

# ---- examples --------------------------------------------------------------------------------------------------
# The implementation is compiled once for each dimension; KIN_IMPLEMENTED tells the examples so.
LIBRARY  := build/kinematic2.o build/kinematic3.o
EXAMPLES := $(patsubst examples/%.c,build/examples/%,$(wildcard examples/*.c))

build/kinematic%.o: tests/compile/implementation.c kinematic.h
	@mkdir -p $(@D)
	$(CC) -std=c99 -O0 -DKINEMATIC_DIM=$* -I. -c $< -o $@

build/examples/%: examples/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=c99 -O0 $(WARN) -DKIN_IMPLEMENTED -I. $^ -o $@ -lm -pthread

all: kinematic.h $(EXAMPLES) ## the header and the examples (also plain `make`)

# Not optimised, and with kinematic.h as it is, newer parts or not: it plays three seconds after a fresh clone.
build/demo: always
	@mkdir -p $(@D); test -e $@ && test -z "$$(find kinematic.h examples/demo -newer $@)" || \
	{ echo "building the demo: a few seconds" && $(CC) -std=c99 -O0 -I. examples/demo/demo.c -o $@ -lm; }

demo: build/demo ## plays a level in the terminal and writes it to build/demo.svg, for a browser
	@build/demo build/demo.svg

window: kinematic.h ## plays examples/window in a window; says what to install where SDL2 is missing
	@CC="$(CC)" tools/window.sh && build/window

playground: kinematic.h ## build/playground.html: a page to play with, the library as wasm in it
	@$(PYTHON) examples/playground/build.py

docs/playground.html: kinematic.h always # which the front page shows
	@$(PYTHON) examples/playground/build.py --docs

# Files that tests compare with. Look at the difference before committing it.
docs/demo.svg: kinematic.h build/demo
	@build/demo --text $@ > /dev/null

expected: docs/demo.svg $(EXAMPLES) ## takes what demo and examples give now as what tests expect of them
	@for name in $(notdir $(EXAMPLES)); do build/examples/$$name > tests/examples/$$name.txt || exit 1; done

pages: ## docs/ from the header, the manual, the examples and the catalogue
	@$(PYTHON) tools/pages.py

# ---- tests -----------------------------------------------------------------------------------------------------
test-headers:
	@tools/get_test_headers.sh

test: ## the tests, in minutes; T=E01 only those whose name contains E01
	@tools/setup.sh
	@$(MAKE) -s --no-print-directory kinematic.h test-headers
	@$(RUN)

test-all: ## what `make test` leaves out: more sanitizers, compilers, language standards, seeds and rounds
	@tools/setup.sh all
	@$(MAKE) -s --no-print-directory kinematic.h test-headers
	@$(RUN) --rest

build/test/%: always kinematic.h # one test program: build/test/plain2/scenarios/push
	@$(PYTHON) tests/run.py --build $@

check: kinematic.h ## is the header in sync with src/, does it compile silently, what does it export, which part calls which
	@$(PYTHON) tests/compile/layers.py
	@$(RUN) --only compile

golden: kinematic.h ## takes the hashes that the library computes now as the golden ones of tests/golden
	@$(PYTHON) tests/golden/check.py --write

portable: kinematic.h ## the golden hashes by other compilers and on other machines; T=s390x only those with that name
	@tools/setup.sh portable
	@$(PYTHON) tests/golden/check.py --jobs $(JOBS) --filter "$(T)" --portable

coverage: kinematic.h test-headers ## what the tests reach of src/, in each dimension, and what they do not
	@tools/setup.sh coverage
	@$(PYTHON) tests/coverage.py --jobs $(JOBS)

analyze: kinematic.h ## clang-tidy, cppcheck and gcc -fanalyzer over the implementation, in each dimension
	@tools/setup.sh analyze
	@tools/analyze.sh

fuzz: kinematic.h test-headers ## fuzz targets, FUZZ_SECONDS=60 each, random worlds (KIN_SEEDS=1000, KIN_STEPS=2000), KIN_CROWDS=20000 crowds and piles: hours
	@$(PYTHON) tests/fuzz/run.py --jobs $(JOBS)

fuzz-afl: kinematic.h ## the fuzz targets under AFL++, FUZZ_SECONDS=60 each
	@tools/setup.sh fuzz-afl
	@$(PYTHON) tests/fuzz/run.py --afl

packages: kinematic.h ## installs, packs and consumes the library by pkg-config, CMake and recipes
	@tools/setup.sh packages && $(PYTHON) tests/packages/check.py --filter "$(T)"

test-window: kinematic.h ## examples/window on an X server without a screen, with real keys and screenshots
	@tools/setup.sh window && $(PYTHON) tests/window/check.py

BENCHES := $(patsubst bench/%.c,build/bench/%,$(wildcard bench/*.c))

build/bench/%: bench/%.c $(wildcard bench/*.h) kinematic.h
	@mkdir -p $(@D)
	$(GCC) -std=gnu99 -O3 -g1 $(WARN) -I. $< -o $@ -lm -pthread

bench: $(BENCHES) ## the workloads, timed and counted (without valgrind only timed)
	@$(PYTHON) bench/run.py $(BENCHES)

install: kinematic.h ## the header and its pkg-config file; PREFIX=/usr/local, DESTDIR= (compiled libraries: see CMakeLists.txt)
	@tools/install.sh

uninstall: ## takes away what install with the same PREFIX has brought
	@tools/install.sh --remove

dist: kinematic.h ## the release archive, build/kinematic-VERSION.tar.gz
	@tools/dist.sh

setup: ## installs what the tests need beyond a C compiler and make, saying so first
	@tools/setup.sh

clean: ## removes what was built, but keeps the two test headers in build/deps
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} +; fi

distclean: clean ## removes the whole build folder
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20
