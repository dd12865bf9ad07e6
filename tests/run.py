#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Builds and runs tests. `make test` takes the quick ones, `make test-all` (--rest) the others.

  --rest              the tests that `make test` leaves out
  --filter E01        only tests whose name contains E01
  --flavour memory    only programs of that flavour (tests/build.py), and no checks
  --only KIND         unit, scenarios, golden, compile, pages or scripts
  --build PATH ...    builds these programs (build/test/plain2/scenarios/push) and runs nothing

A test program is one file of tests/unit (utest.h) or tests/scenarios (greatest.h), built in some flavours
(tests/build.py), each for 2D and 3D (tests/unit/..2.c and ..3.c only for their own). Golden hashes are in tests/golden/check.py, compile
checks in tests/compile/checks.py, those of README, manual, examples and demo in tests/pages.py; whatever else is a test
is a line in SCRIPTS. Seconds are processor time. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import glob
import os
import re
import resource
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "compile"))
sys.path.insert(0, os.path.join(ROOT, "tests", "golden"))
import build  # noqa: E402
import check as golden  # noqa: E402
import checks  # noqa: E402
import pages  # noqa: E402

KINDS = ("unit", "scenarios", "golden", "compile", "pages", "scripts")

# (name, command, is it quick?): ends with code 0 if all is well; a last line "N passed, N failed" is counted.
SCRIPTS = [
    ("packages", [sys.executable, "tests/packages/check.py"], False),
    ("window", [sys.executable, "tests/window/check.py"], False),
    ("playground", [sys.executable, "tests/playground/check.py", "core"], True),
    ("playground in Chromium", [sys.executable, "tests/playground/check.py", "browser"], False),
]

# Runners of random worlds: how many of them `make test` plays, and up to which seed `make test-all` goes on. KIN_ROOMS
# are those that take a second each, KIN_COMPARED those that are played twice, to be compared; `make test-all` compares
# the others. Beyond these, faults are open (scenarios/seeds.h); `make fuzz` looks for more.
RANDOM = {"unit/test_idle": (10, 300), "scenarios/random": (50, 50), "scenarios/crowds": (50, 300),
          "scenarios/mazes": (50, 320), "scenarios/moving": (50, 300)}
ROOMS, COMPARED = 4, 20

# `make test` plays every scenario as users compile the library, these also under the address sanitizer, which sees every
# unit test. The memory sanitizer sees the golden worlds, all unit tests and these scenarios. `make test-all` has the rest:
# all other scenarios under the address sanitizer, unit tests as users compile it, with all their rounds, and the scenarios
# that are played once more (.._on_mesh.c, .._on_tiles.c).
ADDRESS_SCENARIOS = ("bodies", "found", "life", "mazes", "random", "tiles")
MEMORY_SCENARIOS = ("mazes", "push", "random", "robust")
SANITIZED_STEPS = {"KIN_STEPS": "150"}   # of random worlds

# Sanitizers end a program with this code, so that it cannot be mistaken for a failed test.
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="exitcode=99:detect_stack_use_after_return=1", MSAN_OPTIONS="exitcode=99",
                   TSAN_OPTIONS="exitcode=99", UBSAN_OPTIONS="print_stacktrace=1")


# ---- programs --------------------------------------------------------------------------------------------------

class Program:
    def __init__(self, kind, name, flavour, dimension, seeds=None):
        self.kind, self.name, self.flavour, self.dimension = kind, name, flavour, dimension
        self.path = "build/test/%s%d/%s/%s" % (flavour, dimension, kind, name)
        self.title = "%s/%s %dD %s" % (kind, name, dimension, flavour)
        self.environment = dict(ENVIRONMENT, **(seeds or {}))

    def run(self, wanted):
        """(passed, failed, output)"""
        complaint = build.program(self.path)
        if complaint:
            return 0, 1, complaint
        runs = [self.run_once(arguments) for arguments in self.calls(wanted)]
        return sum(run[0] for run in runs), sum(run[1] for run in runs), "".join(run[2] for run in runs)

    def calls(self, wanted):
        """Argument lists that run what is wanted. utest.h cannot search for a part of a name, so we do it."""
        if not wanted or wanted in self.title:
            return [[]]
        if self.kind == "scenarios":
            return [["-t", wanted]]
        listed = build.call([self.path, "--list-tests"], dict(ENVIRONMENT, ASAN_OPTIONS="detect_leaks=0"))[1]
        return [["--filter=" + name] for name in listed.split() if wanted in name]

    def run_once(self, arguments):
        code, text = build.call([self.path] + arguments, self.environment)
        passed, failed = (count_utest if self.kind == "unit" else count_greatest)(text)
        if code != 0 and not failed:
            text += "\n%s ended with code %d" % (self.path, code)
            failed = 1
        if code == 0 and not failed and "PASSED" not in text and "Pass:" not in text:
            text += "\n%s did not say how many tests it ran" % self.path
            failed = 1
        return passed, failed, text


def count_utest(text):
    passed = re.search(r"\[  PASSED  \]\S* (\d+) tests", text)
    failed = re.search(r"\[  FAILED  \]\S* (\d+) tests", text)
    if not passed:  # it died on the way
        return len(re.findall(r"^\S*\[       OK \]", text, re.M)), len(re.findall(r"^\S*\[  FAILED  \]", text, re.M))
    return int(passed.group(1)), int(failed.group(1)) if failed else 0


def count_greatest(text):
    total = re.search(r"Pass: (\d+), fail: (\d+), skip: (\d+)", text)
    return (int(total.group(1)), int(total.group(2))) if total else (0, 0)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def mentions(path, wanted):
    """Could this source hold a test of that name? Tests are what macros at the start of a line make."""
    if not wanted or wanted in os.path.basename(path):
        return True
    made = re.findall(r"^[A-Z]\w*[ (]\s*(\w+)(?:,\s*(\w+))?", text_of(path), re.M)
    return any(wanted in name or wanted in first + "." + second
               for first, second in made for name in (first, second) if name)


def seeds_of(runner, rest):
    """Environment of a runner of random worlds; None for others."""
    if runner not in RANDOM:
        return None
    first, last = RANDOM[runner]
    if not rest:
        return {"KIN_SEEDS": str(first), "KIN_ROOMS": str(ROOMS), "KIN_COMPARED": str(COMPARED)}
    if first == last:
        return {"KIN_FIRST": str(COMPARED + 1), "KIN_SEEDS": str(last - COMPARED), "KIN_ROOMS": "2"}
    return {"KIN_FIRST": str(first + 1), "KIN_SEEDS": str(last - first)}


def flavours_of(kind, name, source, rest):
    """[(flavour, environment)] of one test source."""
    runner = "%s/%s" % (kind, name)
    if kind == "unit" and not rest:
        return [("address", seeds_of(runner, rest))]
    if not rest:
        found = [("plain", seeds_of(runner, rest))] if "_on_" not in name else []
        return found + [("address", SANITIZED_STEPS)] if name in ADDRESS_SCENARIOS else found
    found = [("plain", None)] if "_on_" in name else []
    if kind == "scenarios" and name not in ADDRESS_SCENARIOS:
        found.append(("address", None))
    if runner in RANDOM:
        found.append(("plain", seeds_of(runner, rest)))
    elif kind == "unit" or "TEST_SHARE" in text_of(source):
        found.append(("slow", None))
    if kind == "unit" or name in MEMORY_SCENARIOS:
        found.append(("memory", SANITIZED_STEPS))
    if name == "test_parallel":
        found.append(("thread", SANITIZED_STEPS))
    return found


def programs_for(kinds, wanted, rest):
    found = []
    for kind, pattern in (("unit", "tests/unit/test_*.c"), ("scenarios", "tests/scenarios/*.c")):
        for source in sorted(glob.glob(os.path.join(ROOT, pattern))) if kind in kinds else []:
            if mentions(source, wanted):
                name = os.path.basename(source)[:-2]
                only = name[-1:] if kind == "unit" and name[-1:] in "23" else "23"
                found += [Program(kind, name, flavour, int(dimension), seeds)
                          for flavour, seeds in flavours_of(kind, name, source, rest) for dimension in only]
    # The longest first, so that none is left running alone at the end.
    return sorted(found, key=lambda program: program.name not in build.FAST + build.FAST_UNIT)


# ---- checks and scripts ----------------------------------------------------------------------------------------

class Check:
    """Whatever has a name and a function that returns what is wrong."""

    def __init__(self, kind, check):
        self.title, self.check = kind + "/" + check.name, check

    def run(self, wanted):
        complaint = self.check.run()
        return 0 if complaint else 1, 1 if complaint else 0, complaint or ""


class Script:
    def __init__(self, name, command):
        self.title, self.command = "scripts/" + name, command

    def run(self, wanted):
        code, text = build.call(self.command, ENVIRONMENT)
        counts = re.search(r"^(\d+) passed, (\d+) failed\s*\Z", text, re.M)
        passed, failed = (int(counts.group(1)), int(counts.group(2))) if counts else (int(code == 0), int(code != 0))
        return passed, failed or int(code != 0), text


def checks_for(kinds, wanted, rest):
    found = []
    for kind, module in (("golden", golden), ("compile", checks), ("pages", pages)):
        found += [Check(kind, check) for check in module.all_checks() if kind in kinds and check.quick != rest]
    found += [Script(name, command) for name, command, quick in SCRIPTS if "scripts" in kinds and quick != rest]
    return [check for check in found if wanted in check.title]


# ---- running ---------------------------------------------------------------------------------------------------

class Screen:
    """Counts, and shows a line for everything that ends."""

    def __init__(self, total):
        self.total, self.ended, self.passed, self.failed, self.broken = total, 0, 0, 0, []
        self.lock = threading.Lock()

    def show(self, title, passed, failed, output, seconds):
        with self.lock:
            self.ended += 1
            self.passed += passed
            self.failed += failed
            line = "%d passed" % passed + (", %d FAILED" % failed if failed else "")
            print("[%*d/%d] %-56s %s (%.1f s)" % (len(str(self.total)), self.ended, self.total, title, line, seconds),
                  flush=True)
            if failed:
                self.broken.append(title)
                print(shorten(output), flush=True)


def shorten(output):
    """The output of a failed test without tests that passed, and at most 80 lines."""
    lines = [line for line in output.split("\n") if not re.match(r"\S*\[ (RUN      |      OK )\]|PASS ", line)]
    if len(lines) > 80:
        lines = lines[:60] + ["... %d lines more ..." % (len(lines) - 80)] + lines[-20:]
    return "\n".join("    " + line for line in lines)


def run_and_show(test, wanted, screen):
    build.spent.seconds = 0
    try:
        passed, failed, output = test.run(wanted)
    except Exception as error:  # a broken test must not end the run without its last line
        passed, failed, output = 0, 1, "%s: %s" % (type(error).__name__, error)
    if passed or failed or not wanted:
        screen.show(test.title, passed, failed, output, build.spent.seconds)


def build_libraries(programs, tests, pool):
    """Compiles the pieces of every library that is needed, as many at once as the pool allows. What went wrong."""
    needed = set((build.FLAVOURS[program.flavour].library_of or program.flavour, program.dimension,
                  build.needs_parts(program.flavour, program.kind)) for program in programs)
    needed.update((name, dimension, build.needs_parts(name, None)) for test in tests
                  for name, dimension in getattr(test.check, "libraries", ()))
    jobs = [pool.submit(job) for name, dimension, with_parts in sorted(needed)
            for job in build.pieces(name, dimension, with_parts)]
    return [complaint for complaint in (job.result() for job in jobs) if complaint]


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_all(kinds, wanted, rest, jobs, flavour):
    begin = time.time()
    programs, tests = programs_for(kinds, wanted, rest), checks_for(kinds, wanted, rest)
    if flavour:
        programs, tests = [program for program in programs if program.flavour == flavour], []
    screen = Screen(len(programs) + len(tests))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        complaints = build_libraries(programs, [test for test in tests if isinstance(test, Check)], pool)
        if complaints:
            screen.show("the library by itself", 0, 1, "\n".join(complaints), 0)
            programs, tests = [], [test for test in tests if test.title.startswith("compile/")]
        print("%.0f s: the library is compiled" % (time.time() - begin), flush=True)
        for job in [pool.submit(run_and_show, test, wanted, screen) for test in programs + tests]:
            job.result()
    if screen.broken:
        print("\nfailed:\n  " + "\n  ".join(sorted(screen.broken)))
    if not screen.passed and not screen.failed:
        print("no test has \"%s\" in its name" % wanted)
    print("%.0f s, %.0f s of processor time" % (time.time() - begin, processor_time()))
    print("%d passed, %d failed" % (screen.passed, screen.failed))
    return 1 if screen.failed or not screen.passed else 0


def main():
    parser = argparse.ArgumentParser(description="Builds and runs tests.")
    parser.add_argument("--rest", action="store_true", help="what `make test` leaves out")
    parser.add_argument("--filter", default="", help="only tests whose name contains this")
    parser.add_argument("--only", choices=KINDS, help="only this kind")
    parser.add_argument("--flavour", choices=sorted(build.FLAVOURS), help="only programs of this flavour")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--build", nargs="+", metavar="PATH", help="build these programs and run nothing")
    arguments = parser.parse_args()
    if arguments.build:
        complaints = [complaint for complaint in map(build.program, arguments.build) if complaint]
        print("\n".join(complaints), end="\n" if complaints else "", file=sys.stderr)
        return 1 if complaints else 0
    kinds = (arguments.only,) if arguments.only else KINDS
    return run_all(kinds, arguments.filter, arguments.rest, arguments.jobs, arguments.flavour)


if __name__ == "__main__":
    sys.exit(main())
