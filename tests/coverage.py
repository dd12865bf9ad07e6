#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""What the tests reach of kinematic.h, in each dimension; `make coverage` calls it.

Builds every test program with gcc --coverage, runs it, lets gcovr add up, and says how many lines and branches of the
implementation were reached, which parts and functions have the most left, and which lines those are (--lines).
Ends with 1 if a dimension is below the targets.
"""
import argparse
import bisect
import concurrent.futures
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # noqa: E402

ROOT = run.ROOT
LINES, BRANCHES = 95.0, 85.0
MOST_FUNCTIONS = 40
OWN_ROOT = "test_work"      # brings its own square root, so that kini_sqrt is another function there


def all_programs(dimension):
    programs = [program for program in run.programs_for(("unit", "scenarios"), "", run.whole_tests())
                if program.flavour == "plain" and program.dimension == dimension and OWN_ROOT not in program.path]
    for program in programs:
        program.path = program.path.replace("/plain", "/coverage")
    return [program.path for program in programs] + ["build/test/coverage%d/golden/golden" % dimension]


def build_and_run(path, make):
    built = subprocess.run(make + ["-s", path], cwd=ROOT)
    if built.returncode != 0:
        return "%s was not built" % path
    try:
        done = subprocess.run([path], cwd=ROOT, timeout=run.SECONDS, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "%s is still running after %d s" % (path, run.SECONDS)
    return "%s ended with code %d" % (path, done.returncode) if done.returncode else None


def collect(dimension, make, jobs):
    """gcovr's report on kinematic.h."""
    folder = "build/test/coverage%d" % dimension
    for base, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in names:
            if name.endswith(".gcda"):
                os.remove(os.path.join(base, name))
    subprocess.run(make + ["-s", folder + "/start.o", folder + "/open.o"], cwd=ROOT, check=True)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for complaint in pool.map(lambda path: build_and_run(path, make), all_programs(dimension)):
            if complaint:
                print(complaint)
    report = subprocess.run(["gcovr", "-r", ROOT, "--filter", os.path.join(ROOT, "kinematic.h"), "--json", "-", folder],
                            cwd=ROOT, stdout=subprocess.PIPE, check=True)
    files = json.loads(report.stdout)["files"]
    return [file for file in files if file["file"].endswith("kinematic.h")][0]


def places():
    """(first lines, names) of functions and of parts in kinematic.h."""
    functions, parts = [], []
    with open(os.path.join(ROOT, "kinematic.h"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            banner = re.match(r"/\* =+ (\S+) =+ \*/|/\* -+ (\S+\.[ch]) -+ \*/", line)
            found = re.match(r"(?:static|KINI_PART|KIN_API)\b[^;=]*?\b(kini?_\w+)\([^;]*$", line)
            if banner:
                parts.append((number, banner.group(1) or banner.group(2)))
            elif found:
                functions.append((number, found.group(1)))
    return functions, parts


def name_at(names, number):
    index = bisect.bisect_right(names, (number, "\uffff")) - 1
    return names[index][1] if index >= 0 else "-"


class Count:
    def __init__(self):
        self.lines = self.reached = self.branches = self.taken = 0
        self.missed = []

    def add(self, line):
        self.lines += 1
        self.reached += line["count"] > 0
        taken = sum(branch["count"] > 0 for branch in line["branches"])
        self.branches += len(line["branches"])
        self.taken += taken
        if line["count"] == 0 or taken < len(line["branches"]):
            self.missed.append("%d%s" % (line["line_number"], "" if line["count"] == 0 else "b"))

    def left(self):
        return self.lines - self.reached + (self.branches - self.taken) * 0.5

    def __str__(self):
        return "%5.1f %% of %5d lines, %5.1f %% of %5d branches" % (
            100.0 * self.reached / max(self.lines, 1), self.lines,
            100.0 * self.taken / self.branches if self.branches else 100, self.branches)


def show(dimension, report, with_lines):
    functions, parts = places()
    total, by_part, by_function = Count(), {}, {}
    for line in report["lines"]:
        if line.get("gcovr/noncode"):
            continue
        function = name_at(functions, line["line_number"])
        part = name_at(parts, line["line_number"])
        total.add(line)
        by_part.setdefault(part, Count()).add(line)
        by_function.setdefault((function, part), Count()).add(line)
    print("\n%dD  %-26s %s" % (dimension, "kinematic.h", total))
    for part, count in sorted(by_part.items(), key=lambda entry: -entry[1].left()):
        print("    %-26s %s" % (part, count))
    print("  functions with the most left (lines; b: a branch of it):")
    worst = sorted(by_function.items(), key=lambda entry: -entry[1].left())
    for (function, part), count in worst[:None if with_lines else MOST_FUNCTIONS]:
        if count.left() > 0:
            print("    %-28s %-14s %s" % (function, part, " ".join(count.missed)))
    return 100.0 * total.reached >= LINES * total.lines and 100.0 * total.taken >= BRANCHES * total.branches


def main():
    parser = argparse.ArgumentParser(description="What the tests reach of kinematic.h.")
    parser.add_argument("--make", default="make", help="the make to build with")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--lines", action="store_true", help="all functions, not only the worst")
    arguments = parser.parse_args()
    os.environ.pop("MAKEFLAGS", None)
    make = [arguments.make, "--no-print-directory", "HEADER_READY=1", "WHOLE=" + " ".join(run.whole_tests())]
    good = [show(dimension, collect(dimension, make, arguments.jobs), arguments.lines) for dimension in (2, 3)]
    print("\ntargets: %.0f %% of lines, %.0f %% of branches" % (LINES, BRANCHES))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
