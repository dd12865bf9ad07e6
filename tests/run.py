#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Builds and runs all tests; `make test` and `make check` call it.

  --filter E01      only tests whose name contains E01
  --only KIND       unit, scenarios, golden, compile or pages

A test program is one file of tests/unit (utest.h) or tests/scenarios (greatest.h), built plainly, with the address
and undefined sanitizers, and most with the memory sanitizer, each for 2D and 3D (tests/unit/..2.c and ..3.c only
for their own). Golden hashes are in tests/golden/check.py, compile checks in tests/compile/checks.py, those of README,
manual, examples and demo in tests/pages.py. The last line is "N passed, N failed".
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "compile"))
sys.path.insert(0, os.path.join(ROOT, "tests", "golden"))
import check as golden  # noqa: E402
import checks  # noqa: E402
import pages  # noqa: E402

KINDS = ("unit", "scenarios", "golden", "compile", "pages")
FLAVOURS = ("plain", "address", "memory")
# The memory sanitizer sees the golden worlds, the unit tests that share one object, and these; the other scenarios add
# nothing for it, and unit tests with an implementation of their own take long to build.
MEMORY_SCENARIOS = ("mazes", "push", "random", "robust")
SECONDS = 600  # after which a program counts as hanging

# Sanitizers end a program with this code, so that it cannot be mistaken for a failed test.
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="exitcode=99:detect_stack_use_after_return=1", MSAN_OPTIONS="exitcode=99",
                   UBSAN_OPTIONS="print_stacktrace=1")


class Program:
    def __init__(self, kind, name, flavour, dimension):
        self.kind, self.name = kind, name
        self.path = "build/test/%s%d/%s/%s" % (flavour, dimension, kind, name)
        self.flavour, self.dimension = flavour, dimension
        self.title = "%s/%s %dD %s" % (kind, name, dimension, flavour)

    def shared_objects(self, whole):
        """What several programs are linked with, as the Makefile says."""
        folder = os.path.dirname(os.path.dirname(self.path))
        if self.kind == "scenarios":
            return [folder + "/start.o", folder + ("/closed.o" if self.flavour == "plain" else "/open.o")]
        return [folder + "/start.o"] + ([] if self.name in whole else [folder + "/open.o"])

    def run(self, wanted):
        """(passed, failed, output)"""
        passed, failed, output = 0, 0, ""
        for arguments in self.calls(wanted):
            good, bad, text = self.run_once(arguments)
            passed, failed, output = passed + good, failed + bad, output + text
        return passed, failed, output

    def calls(self, wanted):
        """Argument lists that run what is wanted. utest.h cannot search for a part of a name, so we do it."""
        if not wanted or wanted in self.name:
            return [[]]
        if self.kind == "scenarios":
            return [["-t", wanted]]
        quiet = dict(ENVIRONMENT, ASAN_OPTIONS="detect_leaks=0")
        listed = subprocess.run([self.path, "--list-tests"], cwd=ROOT, env=quiet, capture_output=True, text=True)
        return [["--filter=" + name] for name in listed.stdout.split() if wanted in name]

    def run_once(self, arguments):
        try:
            done = subprocess.run([self.path] + arguments, cwd=ROOT, env=ENVIRONMENT, timeout=SECONDS,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            text, code = done.stdout.decode("utf-8", "replace"), done.returncode
        except subprocess.TimeoutExpired as late:
            text, code = (late.stdout or b"").decode("utf-8", "replace") + "\nstill running after %d s" % SECONDS, -1
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


def mentions(path, wanted):
    """Could this source hold a test of that name? Tests are what macros at the start of a line make."""
    if not wanted or wanted in os.path.basename(path):
        return True
    with open(path, encoding="utf-8") as file:
        made = re.findall(r"^[A-Z]\w*[ (]\s*(\w+)(?:,\s*(\w+))?", file.read(), re.M)
    return any(wanted in name or wanted in first + "." + second
               for first, second in made for name in (first, second) if name)


def programs_for(kinds, wanted, whole):
    found = []
    for kind, pattern in (("unit", "tests/unit/test_*.c"), ("scenarios", "tests/scenarios/*.c")):
        if kind not in kinds:
            continue
        for source in sorted(glob.glob(os.path.join(ROOT, pattern))):
            if mentions(source, wanted):
                name = os.path.basename(source)[:-2]
                only = name[-1:] if kind == "unit" and name[-1:] in "23" else "23"
                all_three = name not in whole if kind == "unit" else name in MEMORY_SCENARIOS
                flavours = FLAVOURS if all_three else FLAVOURS[:2]
                found += [Program(kind, name, flavour, int(dim)) for flavour in flavours for dim in only]
    return found


def private_names(pattern):
    names = set()
    for path in glob.glob(os.path.join(ROOT, "src", pattern)):
        with open(path, encoding="utf-8") as file:
            names.update(re.findall(r"\b(?:kini|KINI)_\w+", file.read()))
    return names


def whole_tests():
    """Unit tests that need the implementation in their own file: they use names that only one part knows, or they
    set options."""
    found, secret = [], private_names("*.c") - private_names("*.h")
    for source in sorted(glob.glob(os.path.join(ROOT, "tests", "unit", "*.c"))):
        with open(source, encoding="utf-8") as file:
            text = file.read()
        options = re.search(r"^\s*#\s*define (KINI_|KINEMATIC_(?!IMPLEMENTATION))", text, re.M)
        if options or secret.intersection(re.findall(r"\b(?:kini|KINI)_\w+", text)):
            found.append(os.path.basename(source)[:-2])
    return found


class Screen:
    """Counts, and shows a line for everything that ends."""

    def __init__(self, total):
        self.total, self.ended, self.passed, self.failed, self.broken = total, 0, 0, 0, []
        self.lock = threading.Lock()

    def show(self, title, passed, failed, seconds, output):
        with self.lock:
            self.ended += 1
            self.passed += passed
            self.failed += failed
            line = "%d passed" % passed + (", %d FAILED" % failed if failed else "")
            print("[%*d/%d] %-62s %s (%.1f s)" % (len(str(self.total)), self.ended, self.total, title, line, seconds),
                  flush=True)
            if failed:
                self.broken.append(title)
                print(shorten(output), flush=True)


def shorten(output):
    """What a reader of a failure needs: no tests that went well, and not thousands of lines."""
    lines = [line for line in output.split("\n") if not re.match(r"\S*\[ (RUN      |      OK )\]|PASS ", line)]
    if len(lines) > 80:
        lines = lines[:60] + ["... %d lines more ..." % (len(lines) - 80)] + lines[-20:]
    return "\n".join("    " + line for line in lines)


def build_and_run(program, wanted, make, screen):
    begin = time.time()
    built = subprocess.run(make + ["-s", program.path], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode != 0:
        screen.show(program.title, 0, 1, time.time() - begin, built.stdout.decode("utf-8", "replace"))
        return
    text = built.stdout.decode("utf-8", "replace")
    passed, failed, output = program.run(wanted)
    if passed or failed or not wanted:
        screen.show(program.title, passed, failed, time.time() - begin, text + output)
    else:
        screen.ended += 1


def check_and_show(kind, check, screen):
    begin = time.time()
    try:
        complaint = check.run()
    except Exception as error:  # a broken check must not end the run without its last line
        complaint = "%s: %s" % (type(error).__name__, error)
    screen.show(kind + "/" + check.name, 0 if complaint else 1, 1 if complaint else 0, time.time() - begin,
                complaint or "")


def main():
    parser = argparse.ArgumentParser(description="Builds and runs all tests.")
    parser.add_argument("--filter", default="", help="only tests whose name contains this")
    parser.add_argument("--only", choices=KINDS, help="only this kind")
    parser.add_argument("--make", default="make", help="the make to build with")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    arguments = parser.parse_args()
    kinds = (arguments.only,) if arguments.only else KINDS
    # Outer flags such as a jobserver are not ours: each program is one small build.
    os.environ.pop("MAKEFLAGS", None)
    os.environ.pop("MFLAGS", None)
    os.environ.pop("MAKELEVEL", None)
    make = [arguments.make, "--no-print-directory", "HEADER_READY=1"]

    whole = whole_tests()
    programs = programs_for(kinds, arguments.filter, whole)
    make.append("WHOLE=" + " ".join(whole))
    wanted_checks = [("golden", check) for check in golden.all_checks(make)]
    wanted_checks += [("compile", check) for check in checks.all_checks()]
    wanted_checks += [("pages", check) for check in pages.all_checks()]
    wanted_checks = [(kind, check) for kind, check in wanted_checks
                     if kind in kinds and arguments.filter in kind + "/" + check.name]
    begin = time.time()
    screen = Screen(len(programs) + len(wanted_checks))
    shared = sorted(set(path for program in programs for path in program.shared_objects(whole)) |
                    set(pages.shared_objects([check for kind, check in wanted_checks if kind == "pages"])))
    if shared and subprocess.run(make + ["-s", "-k", "-j%d" % arguments.jobs] + shared, cwd=ROOT).returncode != 0:
        screen.show("the implementation by itself", 0, 1, time.time() - begin, "it does not compile; see above")
        programs, wanted_checks = [], [(kind, check) for kind, check in wanted_checks if kind == "compile"]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = [pool.submit(build_and_run, program, arguments.filter, make, screen) for program in programs]
        jobs += [pool.submit(check_and_show, kind, check, screen) for kind, check in wanted_checks]
        for job in jobs:
            job.result()
    if screen.broken:
        print("\nfailed:\n  " + "\n  ".join(sorted(screen.broken)))
    if not screen.passed and not screen.failed:
        print("no test has \"%s\" in its name" % arguments.filter)
    print("%.0f s" % (time.time() - begin))
    print("%d passed, %d failed" % (screen.passed, screen.failed))
    return 1 if screen.failed or not screen.passed else 0


if __name__ == "__main__":
    sys.exit(main())
