# SPDX-License-Identifier: MIT OR Unlicense
#
# kinematic.h needs no build: copy the one header. This file makes that header from src/, and tests it.
# `make help` lists what can be asked for.

GCC     ?= gcc
GXX     ?= g++
CLANG   ?= clang
CLANGXX ?= clang++
PYTHON  ?= python3
JOBS    ?= 2
export GCC GXX CLANG CLANGXX PYTHON JOBS UTEST_H GREATEST_H

.DEFAULT_GOAL := all
.PHONY: all help demo install uninstall dist packages window test-window expected pages test check golden portable coverage analyze bench fuzz afl-setup fuzz-afl setup clean distclean always
.DELETE_ON_ERROR:

WARN := -Wall -Wextra -pedantic -Wshadow

# ---- the header ----------------------------------------------------------------------------------------------

PARTS := $(wildcard src/*.c src/*.h)

# The test runner calls make again and again; it has seen to the header already.
ifndef HEADER_READY
kinematic.h: $(PARTS) src/order.txt src/manual.txt LICENSE CHANGELOG.md tools/amalgamate.py
	@if command -v $(PYTHON) > /dev/null; then $(PYTHON) tools/amalgamate.py; \
	else echo "$(PYTHON) is not installed: taking kinematic.h as it is"; fi
endif

# ---- examples ------------------------------------------------------------------------------------------------

EXAMPLES := $(patsubst examples/%.c,build/examples/%,$(wildcard examples/*.c))

build/examples/%: examples/%.c kinematic.h
	@mkdir -p $(@D)
	$(CC) -std=c99 -O2 $(WARN) -I. $< -o $@ -lm

all: kinematic.h $(EXAMPLES) ## the header and the examples (also plain `make`)

# Not optimised: it is there in a fifth of the time, and still has time to spare in every frame.
build/demo: $(wildcard examples/demo/*) kinematic.h
	@mkdir -p $(@D) && echo "building the demo: a few seconds"
	@$(CC) -std=c99 -O0 -I. examples/demo/demo.c -o $@ -lm

demo: build/demo ## plays a level in the terminal and writes it to build/demo.svg, for a browser
	@build/demo build/demo.svg

# What tests compare with: the README's picture, and what the examples print. Look at the difference before committing it.
docs/demo.svg: build/demo
	@build/demo --text $@ > /dev/null

expected: docs/demo.svg $(EXAMPLES) ## takes what demo and examples give now as what tests expect of them
	@for name in $(notdir $(EXAMPLES)); do build/examples/$$name > tests/examples/$$name.txt || exit 1; done

pages: ## docs/ from the header, the manual, the examples and the catalogue
	@$(PYTHON) tools/pages.py

# ---- tests -----------------------------------------------------------------------------------------------------

# Three builds of every test program, each for 2D and 3D, and a fourth for `make coverage`. TEST_SHARE is what long
# random tests divide their number of rounds by, so that the sanitizers, which are ten times slower, take no longer than
# the plain build.
FLAVOURS := plain address memory coverage
CC_plain   := $(GCC) -O2 -DTEST_SHARE=1
CC_address := $(CLANG) -O1 -gline-tables-only -fno-omit-frame-pointer -fno-sanitize-recover=all -DTEST_SHARE=40 \
              -fsanitize=address,undefined,float-cast-overflow
CC_memory  := $(CLANG) -O1 -gline-tables-only -fno-omit-frame-pointer -fno-sanitize-recover=all -DTEST_SHARE=80 \
              -fsanitize=memory
CC_coverage := $(GCC) -O0 --coverage -DNDEBUG -DTEST_SHARE=20
TEST_FLAGS := -std=gnu99 -Wall -Wextra -MMD -MP -I. -Itests -Ibuild/deps

# Unit tests look inside: they see the private declarations and share an object whose private functions are extern.
# Those in WHOLE look into one part's own static functions, or set options, and compile the whole implementation, which
# takes long; the test runner finds out which. Scenarios use the interface only: plainly on the object that users have.
WHOLE ?= $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
SHARED_plain   := closed.o
SHARED_address := open.o
SHARED_memory  := open.o
SHARED_coverage := open.o
SECRETS := -DKINI_KEEP_MACROS -DKINI_PART=extern -DKINI_DECLARATIONS='"build/declarations.h"'
build/declarations.h: $(PARTS) src/order.txt tools/amalgamate.py
	@mkdir -p $(@D) && $(PYTHON) tools/amalgamate.py --declarations $@ && touch $@

DEPS := build/deps/utest.h build/deps/greatest.h
build/deps/utest.h: tools/get_test_headers.sh $(if $(UTEST_H)$(GREATEST_H),always)
	@tools/get_test_headers.sh && touch $(if $(UTEST_H)$(GREATEST_H),-r $@) $@
build/deps/greatest.h: build/deps/utest.h
	@test -f $@ || tools/get_test_headers.sh

define RULES
$(patsubst %,build/test/$(1)$(2)/unit/%,$(WHOLE)): build/test/$(1)$(2)/unit/%: tests/unit/%.c kinematic.h $(DEPS) build/test/$(1)$(2)/start.o
	@mkdir -p $$(@D)
	$$(CC_$(1)) $(TEST_FLAGS) -DKINEMATIC_DIM=$(2) -DKINI_KEEP_MACROS $(if $(filter-out plain,$(1)),-O0,-O1) $$< build/test/$(1)$(2)/start.o -o $$@ -lm

build/test/$(1)$(2)/unit/%: tests/unit/%.c kinematic.h $(DEPS) build/declarations.h build/test/$(1)$(2)/start.o build/test/$(1)$(2)/open.o
	@mkdir -p $$(@D)
	$$(CC_$(1)) $(TEST_FLAGS) -DKINEMATIC_DIM=$(2) $(SECRETS) $$< build/test/$(1)$(2)/start.o build/test/$(1)$(2)/open.o -o $$@ -lm

build/test/$(1)$(2)/scenarios/%: tests/scenarios/%.c kinematic.h $(DEPS) build/test/$(1)$(2)/start.o build/test/$(1)$(2)/$(SHARED_$(1))
	@mkdir -p $$(@D)
	$$(CC_$(1)) $(TEST_FLAGS) -DKINEMATIC_DIM=$(2) -DKIN_IMPLEMENTED $$< build/test/$(1)$(2)/start.o build/test/$(1)$(2)/$(SHARED_$(1)) -o $$@ -lm

build/test/$(1)$(2)/golden/%: tests/golden/%.c kinematic.h build/test/$(1)$(2)/$(SHARED_$(1))
	@mkdir -p $$(@D)
	$$(CC_$(1)) $(TEST_FLAGS) -DKINEMATIC_DIM=$(2) -DKIN_IMPLEMENTED $$< build/test/$(1)$(2)/$(SHARED_$(1)) -o $$@ -lm

build/test/$(1)$(2)/start.o: tests/start.c
	@mkdir -p $$(@D)
	$$(CC_$(1)) -c $$< -o $$@

build/test/$(1)$(2)/open.o: tests/compile/implementation.c kinematic.h
	@mkdir -p $$(@D)
	$$(CC_$(1)) -std=c99 -Wall -Wextra -DKINEMATIC_DIM=$(2) -DKINI_PART=extern -I. -c $$< -o $$@

build/test/$(1)$(2)/closed.o: tests/compile/implementation.c kinematic.h
	@mkdir -p $$(@D)
	$$(CC_$(1)) -std=c99 -Wall -Wextra -DKINEMATIC_DIM=$(2) -I. -c $$< -o $$@
endef
$(foreach flavour,$(FLAVOURS),$(foreach dim,2 3,$(eval $(call RULES,$(flavour),$(dim)))))
-include $(wildcard build/test/*/*/*.d)

test: ## all tests; T=E01 only those whose name contains E01
	@tools/setup.sh
	@$(MAKE) -s --no-print-directory kinematic.h $(DEPS)
	@$(PYTHON) tests/run.py --make "$(MAKE)" --jobs $(JOBS) --filter "$(T)"

check: kinematic.h ## is the header in sync with src/, does it compile silently everywhere, what does it export
	@$(PYTHON) tests/run.py --make "$(MAKE)" --jobs $(JOBS) --filter "$(T)" --only compile

golden: kinematic.h ## takes the hashes that the library computes now as the golden ones of tests/golden
	@$(PYTHON) tests/golden/check.py --make "$(MAKE)" --write

portable: kinematic.h ## the golden hashes by other compilers and on other machines; T=s390x only those with that name
	@tools/setup.sh portable
	@$(PYTHON) tests/golden/check.py --make "$(MAKE)" --jobs $(JOBS) --filter "$(T)" --portable

coverage: kinematic.h $(DEPS) ## what the tests reach of the header, in each dimension, and what they do not
	@tools/setup.sh coverage
	@$(PYTHON) tests/coverage.py --make "$(MAKE)" --jobs $(JOBS)

# gcc's analyzer needs more memory than there is for the header as a whole, so it sees the parts one by one. cppcheck does
# not see that kini_clear sets what it is given (ctuuninitvar); the memory sanitizer watches that.
TIDY := clang-tidy --quiet tests/compile/implementation.c --
CPPCHECK := cppcheck --quiet --std=c99 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
            --suppress=ctuuninitvar -D__GNUC__=12 -D__SSE__=1
ANALYZER := $(GCC) -std=c99 -fanalyzer -fdiagnostics-path-format=none -Werror -Isrc -o /dev/null -c
PARTS_2 := $(filter-out %3.c,$(wildcard src/*.c))
PARTS_3 := $(filter-out %2.c,$(wildcard src/*.c))

analyze: kinematic.h ## clang-tidy, cppcheck and gcc -fanalyzer over the implementation, in each dimension
	@tools/setup.sh analyze
	@for dim in 2 3; do \
	    echo "$${dim}D: clang-tidy"; $(TIDY) -std=c99 -DKINEMATIC_DIM=$$dim -I. || exit 1; \
	    echo "$${dim}D: cppcheck"; $(CPPCHECK) -DKINEMATIC_DIM=$$dim -I. tests/compile/implementation.c || exit 1; \
	done
	@echo "2D: gcc -fanalyzer"; for part in $(PARTS_2); do $(ANALYZER) -DKINEMATIC_DIM=2 $$part || exit 1; done
	@echo "3D: gcc -fanalyzer"; for part in $(PARTS_3); do $(ANALYZER) -DKINEMATIC_DIM=3 $$part || exit 1; done

# ---- the rest --------------------------------------------------------------------------------------------------

BENCHES := $(patsubst bench/%.c,build/bench/%,$(wildcard bench/*.c))

build/bench/%: bench/%.c $(wildcard bench/*.h) kinematic.h
	@mkdir -p $(@D)
	$(GCC) -std=gnu99 -O3 -g1 $(WARN) -I. $< -o $@ -lm

install: kinematic.h ## the header and its pkg-config file; PREFIX=/usr/local, DESTDIR= (compiled libraries: see CMakeLists.txt)
	@PREFIX="$(PREFIX)" INCLUDEDIR="$(INCLUDEDIR)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" tools/install.sh

uninstall: ## takes away what install with the same PREFIX has brought
	@PREFIX="$(PREFIX)" INCLUDEDIR="$(INCLUDEDIR)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" tools/install.sh --remove

dist: kinematic.h ## the release archive, build/kinematic-VERSION.tar.gz
	@tools/dist.sh

packages: kinematic.h ## installs, packs and consumes the library by pkg-config, CMake and recipes
	@tools/setup.sh packages && $(PYTHON) tests/packages/check.py --filter "$(T)"

bench: $(BENCHES) ## the workloads, timed and counted (without valgrind only timed)
	@$(PYTHON) bench/run.py $(BENCHES)

# Fuzz targets are libFuzzer's; AFL++ understands them too. What they find goes to tests/fuzz/corpus, cut down by
# `build/fuzz/api2 -minimize_crash=1 -runs=10000 FILE`, and into a unit test in words.
FUZZ_TARGETS := $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
FUZZERS := $(foreach dim,2 3,$(patsubst %,build/fuzz/%$(dim),$(FUZZ_TARGETS)))
AFL_FUZZERS := $(patsubst build/fuzz/%,build/fuzz-afl/%,$(FUZZERS))
FUZZ_SECONDS ?= 60
FUZZ_FLAGS := -O1 -g -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -I. -Itests

define FUZZ_RULES
build/fuzz/%$(1): tests/fuzz/%.c tests/fuzz/fuzz.h tests/motion.h tests/scenarios/solid.h kinematic.h
	@mkdir -p $$(@D)
	$(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer -DKINEMATIC_DIM=$(1) $$< -o $$@ -lm

build/fuzz-afl/%$(1): tests/fuzz/%.c tests/fuzz/fuzz.h tests/motion.h tests/scenarios/solid.h kinematic.h
	@mkdir -p $$(@D)
	afl-clang-fast $(FUZZ_FLAGS) -fsanitize=fuzzer -DKINEMATIC_DIM=$(1) $$< -o $$@ -lm
endef
$(foreach dim,2 3,$(eval $(call FUZZ_RULES,$(dim))))

RANDOM_WORLDS := $(foreach dim,2 3,$(foreach name,scenarios/random scenarios/mazes scenarios/moving unit/test_idle,build/test/plain$(dim)/$(name)))
CROWDS := $(foreach dim,2 3,build/test/plain$(dim)/scenarios/crowds)
KIN_SEEDS ?= 1000
KIN_STEPS ?= 2000
KIN_CROWDS ?= 20000

# Each of them is a job of its own: JOBS run at once, the longest first.
FUZZ_RUNS := $(patsubst %,run-%,$(filter %/random,$(RANDOM_WORLDS)) $(CROWDS) $(filter-out %/random,$(RANDOM_WORLDS)) $(FUZZERS))
.PHONY: $(FUZZ_RUNS)

fuzz: $(FUZZERS) $(RANDOM_WORLDS) $(CROWDS) ## the fuzz targets, FUZZ_SECONDS=60 each, random worlds (KIN_SEEDS=1000, KIN_STEPS=2000), crowds and piles (KIN_CROWDS=20000 of each: this takes hours)
	@$(MAKE) --no-print-directory -k -j $(JOBS) --output-sync=line $(FUZZ_RUNS)

$(patsubst %,run-%,$(FUZZERS)): run-%: %
	@mkdir -p $*.corpus && KIN_SEEDS_TO=$*.corpus $*
	@$* -max_total_time=$(FUZZ_SECONDS) -timeout=60 -max_len=4096 -artifact_prefix=$*. $*.corpus tests/fuzz/corpus

$(patsubst %,run-%,$(RANDOM_WORLDS)): run-%: %
	@echo "$*: KIN_SEEDS=$(KIN_SEEDS) KIN_STEPS=$(KIN_STEPS)" && KIN_SEEDS=$(KIN_SEEDS) KIN_STEPS=$(KIN_STEPS) $*

$(patsubst %,run-%,$(CROWDS)): run-%: %
	@echo "$*: KIN_CROWDS=$(KIN_CROWDS)" && KIN_SEEDS=$(KIN_CROWDS) $*

afl-setup:
	@tools/setup.sh fuzz-afl

fuzz-afl: afl-setup $(AFL_FUZZERS) ## the fuzz targets under AFL++, FUZZ_SECONDS=60 each
	@for program in $(AFL_FUZZERS); do \
	    mkdir -p $$program.seeds && KIN_SEEDS_TO=$$program.seeds $$program || exit 1; \
	    AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_BENCH_UNTIL_CRASH=1 \
	        afl-fuzz -V $(FUZZ_SECONDS) -t 60000 -i $$program.seeds -o $$program.out -- $$program || exit 1; \
	    test -z "$$(ls $$program.out/default/crashes 2> /dev/null)" || { echo "$$program: see $$program.out/default/crashes"; exit 1; }; \
	done

setup: ## installs what the tests need beyond a C compiler and make, saying so first
	@tools/setup.sh

clean: ## removes what was built, but keeps the two test headers in build/deps
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} +; fi

distclean: clean ## removes the whole build folder
	@rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18
