#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Golden hashes: every compiler and machine must compute the worlds of golden.c to the same bits
(L02 of the catalogue), the build that forgets every cache before every step too (O25).

  check.py --write       `make golden`: takes what gcc -O2 computes now as the new 2d.txt and 3d.txt
  check.py --portable    `make portable`: other compilers, other machines; T=s390x only those whose name has that

`make test` runs the builds in HERE through tests/run.py. A difference is a fault in src/, never to be cured by flags.
"""
import argparse
import concurrent.futures
import os
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FOLDER))
sys.path.insert(0, os.path.dirname(FOLDER))
import build as programs  # noqa: E402

SOURCE = "tests/golden/golden.c"
GCC = os.environ.get("GCC", "gcc")
CLANG = os.environ.get("CLANG", "clang")
ENVIRONMENT = dict(os.environ, WINEDEBUG="-all", WINEPREFIX=os.path.join(ROOT, "build", "golden", "wine"))


class Build:
    """A way to build golden.c, by a command or as the test program of a flavour; and a way to run it."""

    def __init__(self, name, command=None, runner="", made=None, libraries="-lm", quick=False,
                 near=False):
        self.name, self.made, self.quick, self.near = name, made, quick, near
        self.command, self.runner, self.libraries = (command or "").split(), runner.split(), libraries.split()

    def program(self, dimension):
        if self.made:
            return "build/test/%s%d/golden/golden" % (self.made, dimension)
        ending = ".exe" if "mingw" in self.name else ".wasm" if "wasm" in self.name else ""
        return "build/golden/%s.%dd%s" % (self.name.replace(" ", "_"), dimension, ending)

    def build(self, dimension):
        """An error message, or None."""
        target = self.program(dimension)
        if self.made:
            return programs.program(target)
        command = self.command + ["-DKINEMATIC_DIM=%d" % dimension, "-I.", SOURCE, "-o", target] + self.libraries
        return programs.make(target, command, [SOURCE, "kinematic.h"])

    def lines(self, dimension):
        code, text = programs.call(self.runner + [os.path.join(ROOT, self.program(dimension))], ENVIRONMENT)
        if code != 0:
            raise RuntimeError("%s ended with code %d\n%s" % (self.program(dimension), code, text))
        return text.replace("\r\n", "\n").split("\n")


# Contraction is asked for where compilers can do it: the implementation must know how to refuse.
HERE = [
    Build("gcc -O0", GCC + " -std=c99 -O0"),
    Build("gcc -O2", made="plain", quick=True),
    Build("gcc -O2 forgetful", GCC + " -std=c99 -O2 -DKINI_FORGET=true"),
    Build("gcc -O3 native", GCC + " -std=gnu99 -O3 -march=native -ffp-contract=fast"),
    Build("clang -O0", CLANG + " -std=c99 -O0", quick=True),
    Build("clang -O2", CLANG + " -std=c99 -O2"),
    Build("clang -O3 native", CLANG + " -std=gnu99 -O3 -march=native -ffp-contract=fast"),
    Build("address sanitizer", made="address", quick=True),
    Build("memory sanitizer", made="memory"),
]

WASM = ("clang --target=wasm32 -std=c99 -O2 -ffreestanding -nostdlib -DKINEMATIC_NO_STDLIB -Wl,--no-entry "
        "-Wl,--export=golden -Wl,--allow-undefined -Wl,-z,stack-size=1048576")

ELSEWHERE = [
    Build("tcc", "tcc -std=c99"),
    Build("mingw -O2", "x86_64-w64-mingw32-gcc -std=c99 -O2", "wine"),
    Build("i386 SSE -O2", "gcc -m32 -msse2 -mfpmath=sse -std=c99 -O2"),
    Build("aarch64 -O2", "aarch64-linux-gnu-gcc -std=gnu99 -O2 -ffp-contract=fast -static", "qemu-aarch64"),
    Build("aarch64 -O3", "aarch64-linux-gnu-gcc -std=gnu99 -O3 -ffp-contract=fast -static", "qemu-aarch64"),
    Build("riscv64 -O2", "riscv64-linux-gnu-gcc -std=gnu99 -O2 -ffp-contract=fast -static", "qemu-riscv64"),
    Build("s390x -O2", "s390x-linux-gnu-gcc -std=gnu99 -O2 -ffp-contract=fast -static", "qemu-s390x"),
    Build("aarch64 -O3 vectorised", "aarch64-linux-gnu-gcc -std=gnu99 -O3 -fvect-cost-model=unlimited "
          "-ffp-contract=fast -static", "qemu-aarch64"),
    Build("x86-64-v3 -O3 vectorised", "gcc -std=gnu99 -O3 -march=x86-64-v3 -fvect-cost-model=unlimited "
          "-ffp-contract=fast"),
    Build("x86-64-v3 clang -O3", "clang -std=gnu99 -O3 -march=x86-64-v3 -ffp-contract=fast"),
    Build("wasm32 -O2", WASM, "node tests/golden/wasm.js", libraries="", near=True),
    Build("wasm32 simd128 -O2", WASM + " -msimd128", "node tests/golden/wasm.js", libraries=""),
    Build("wasm32 simd128 -O3", WASM + " -msimd128 -O3", "node tests/golden/wasm.js", libraries=""),
]


# ---- comparing -------------------------------------------------------------------------------------------------

def golden_file(dimension):
    return os.path.join(FOLDER, "%dd.txt" % dimension)


def expected(dimension):
    if not os.path.exists(golden_file(dimension)):
        return []
    with open(golden_file(dimension), encoding="ascii") as file:
        return file.read().split("\n")


def difference(wanted, got, dimension):
    """The first line that differs, in words, or None."""
    for number in range(max(len(wanted), len(got))):
        old = wanted[number] if number < len(wanted) else ""
        new = got[number] if number < len(got) else ""
        if old != new:
            return "tests/golden/%dd.txt differs first in line %d\n  was %s\n  is  %s" % (dimension, number + 1,
                                                                                          old or "-", new or "-")
    return None


class Check:
    """One build in one dimension, as tests/run.py wants it."""

    def __init__(self, build, dimension):
        self.build, self.dimension, self.quick = build, dimension, build.quick
        self.name = "%s %dD" % (build.name, dimension)
        self.libraries = [(build.made, dimension)] if build.made else []

    def run(self):
        return self.build.build(self.dimension) or self.compare()

    def compare(self):
        complaint = difference(expected(self.dimension), self.build.lines(self.dimension), self.dimension)
        return complaint and complaint + ("\nIf every build says so, and the library was meant to change its ways: "
                                          "make golden")


def all_checks(builds=None):
    """Those of `make test` and `make test-all` if nothing else is asked for; near: elsewhere, but soon done."""
    builds = builds or HERE + [build for build in ELSEWHERE if build.near]
    return [Check(build, dimension) for build in builds for dimension in (2, 3)]


# ---- commands --------------------------------------------------------------------------------------------------

def write():
    for dimension in (2, 3):
        build = HERE[1]
        complaint = build.build(dimension)
        if complaint:
            print(complaint)
            return 1
        lines = build.lines(dimension)
        change = difference(expected(dimension), lines, dimension)
        print(change or "tests/golden/%dd.txt is as it was" % dimension)
        with open(golden_file(dimension), "w", encoding="ascii", newline="\n") as file:
            file.write("\n".join(lines))
    return 0


def show(check):
    begin = time.time()
    try:
        complaint = check.run()
    except Exception as error:  # the others are still of interest
        complaint = "%s: %s" % (type(error).__name__, error)
    print("%-24s %s (%.1f s)" % (check.name, "DIFFERS" if complaint else "the same bits", time.time() - begin))
    if complaint:
        print("    " + complaint.replace("\n", "\n    "), flush=True)
    return not complaint


def portable(jobs, wanted):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(show, [check for check in all_checks(ELSEWHERE) if wanted in check.name]))
    print("%d passed, %d failed" % (results.count(True), results.count(False)))
    return 0 if results and all(results) else 1


def main():
    parser = argparse.ArgumentParser(description="Golden hashes.")
    parser.add_argument("--write", action="store_true", help="take what is computed now as golden")
    parser.add_argument("--portable", action="store_true", help="compare other compilers and machines")
    parser.add_argument("--filter", default="", help="only builds whose name contains this")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    arguments = parser.parse_args()
    return write() if arguments.write else portable(arguments.jobs, arguments.filter)


if __name__ == "__main__":
    sys.exit(main())
