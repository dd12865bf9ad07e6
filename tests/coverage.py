#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Coverage of src/ by the tests, in each dimension; `make coverage` calls it.

Builds every test program with gcc --coverage, runs it, lets gcovr add up, and says how many lines and branches of the
implementation were reached, which parts and functions have the most left, and which lines those are (--lines).
Ends with 1 if a dimension is below the targets.
"""
import argparse
import bisect
import concurrent.futures
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import run  # noqa: E402
from checks import amalgamate, build  # noqa: E402

ROOT = run.ROOT
LINES, BRANCHES = 95.0, 85.0
MOST_FUNCTIONS = 40
OWN_ROOT = "test_work"      # brings its own square root, so that kini_sqrt is another function there


def all_programs(dimension):
    """Every source once."""
    programs = set(program.path.replace("/%s%d" % (program.flavour, dimension), "/coverage%d" % dimension)
                   for program in run.programs_for(("unit", "scenarios"), "", False)
                   if program.dimension == dimension and OWN_ROOT not in program.path)
    return sorted(programs) + ["build/test/coverage%d/golden/golden" % dimension]


def build_and_run(path):
    complaint = build.program(path)
    if complaint:
        return complaint
    code, text = build.call([path])
    return "%s ended with code %d\n%s" % (path, code, text[-2000:]) if code else None


def collect(dimension, jobs):
    """gcovr's report on the parts: [{"file": ..., "lines": [...]}]"""
    folder = "build/test/coverage%d" % dimension
    for base, _, names in os.walk(os.path.join(ROOT, folder)):
        for name in names:
            if name.endswith(".gcda"):
                os.remove(os.path.join(base, name))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda job: job(), build.pieces("coverage", dimension)))
        for complaint in pool.map(build_and_run, all_programs(dimension)):
            if complaint:
                print(complaint)
    report = subprocess.run(["gcovr", "-r", ROOT, "--filter", os.path.join(ROOT, "src", ""), "--json", "-", folder],
                            cwd=ROOT, stdout=subprocess.PIPE, check=True)
    return json.loads(report.stdout)["files"]


def functions_in(path):
    """[(first line, name)] of one part."""
    part = amalgamate.Part(os.path.basename(path), amalgamate.Report())
    return [(first, name) for _, name, first, _ in amalgamate.functions_of(part, amalgamate.Report())]


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
    total, by_part, by_function = Count(), {}, {}
    for file in report:
        functions, part = functions_in(file["file"]), file["file"]
        for line in file["lines"]:
            if line.get("gcovr/noncode"):
                continue
            total.add(line)
            by_part.setdefault(part, Count()).add(line)
            by_function.setdefault((name_at(functions, line["line_number"]), part), Count()).add(line)
    print("\n%dD  %-26s %s" % (dimension, "all parts", total))
    for part, count in sorted(by_part.items(), key=lambda entry: -entry[1].left()):
        print("    %-26s %s" % (part, count))
    print("  functions with the most left (lines; b: a branch of it):")
    worst = sorted(by_function.items(), key=lambda entry: -entry[1].left())
    for (function, part), count in worst[:None if with_lines else MOST_FUNCTIONS]:
        if count.left() > 0:
            print("    %-28s %-14s %s" % (function, part, " ".join(count.missed)))
    return 100.0 * total.reached >= LINES * total.lines and 100.0 * total.taken >= BRANCHES * total.branches


def main():
    parser = argparse.ArgumentParser(description="What the tests reach of src/.")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--lines", action="store_true", help="all functions, not only the worst")
    arguments = parser.parse_args()
    good = [show(dimension, collect(dimension, arguments.jobs), arguments.lines) for dimension in (2, 3)]
    print("\ntargets: %.0f %% of lines, %.0f %% of branches" % (LINES, BRANCHES))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
