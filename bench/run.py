#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Runs the benchmark programs it is given and prints their lines as one table.

Beside the cost of each workload stands that of `naive`, which does the same work with no generality at all: the floor.
Where the system has no counter of instructions, valgrind counts what happens inside bench_measured in a few steps, so
building the world and settling do not count. Without valgrind, and where settling takes very long, those columns stay
empty.

With --json FILE first, no table is printed: the instructions of the workloads in FILE (docs/bench.json) are counted
anew and written there, with the commit.
"""
import json
import os
import re
import shutil
import subprocess
import sys

ROW = "%-12s %6s %9s %9s %8s %8s  %s"
HEAD = ROW % ("workload", "bodies", "ns", "(floor)", "instr.", "(floor)", "per body and step (CPU time); then how well it went")
FLOORS = {"row": "W3-naive"}    # where the name does not tell: W1-tiles has W1-naive
BODY_STEPS = 6000               # how many of them valgrind counts, but at least LEAST_STEPS steps
LEAST_STEPS = 4
LONGEST = 3e9                   # ns that settling may take before it; valgrind is several times slower
SETTLE = 60                     # steps


class Program:
    """One benchmark program; costs are pairs of ns and instructions, both text and "-" if not known."""

    def __init__(self, path, have_valgrind):
        self.path, self.have_valgrind = path, have_valgrind
        self.workloads = self.run("--list").split()
        self.known = {}

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout

    def collected(self, workload, n, steps, *options):
        """Instructions that callgrind has counted, or 0."""
        command = ["valgrind", "--tool=callgrind", "--toggle-collect=bench_measured", "--callgrind-out-file=/dev/null",
                   *options, self.path, "--workload", workload, "--n", str(n), "--steps", str(steps), "--runs", "1"]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
        return int(found.group(1)) if done.returncode == 0 and found else 0

    def count(self, workload, n):
        """A program that was built without valgrind's header cannot switch the counting on; that takes longer."""
        steps = max(LEAST_STEPS, BODY_STEPS // n)
        count = self.collected(workload, n, steps, "--instr-atstart=no") or self.collected(workload, n, steps)
        return "%.0f" % (count / (n * steps)) if count else "-"

    def lines(self, workload, *arguments):
        """Name, bodies, ns, instructions and quality, for all sizes. Counting waits until the clock has stopped."""
        for line in self.run("--workload", workload, *arguments).splitlines():
            name, n, time, instructions, quality = line.split(None, 4)
            if instructions == "-" and self.have_valgrind and float(time) * int(n) * SETTLE < LONGEST:
                instructions = self.count(name, int(n))
            yield name, n, time, instructions, quality

    def cost(self, workload, n):
        if workload not in self.workloads:
            return "-", "-"
        if (workload, n) not in self.known:
            self.known[workload, n] = next(self.lines(workload, "--n", n))[2:4]
        return self.known[workload, n]


def growth(name, lines):
    """How the cost of one body grows with their number."""
    counted = [line for line in lines if line[3] != "-"]
    few, many = (counted or lines)[0], (counted or lines)[-1]
    column = 3 if counted else 2
    return "%-12s %6s %9.2f times the %s per body and step of %s" % (
        name, many[1], float(many[column]) / float(few[column]), "instructions" if column == 3 else "ns", few[1])


def write_json(path, programs):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    for row in data["workloads"]:
        program = next(program for program in programs if row["id"] in program.workloads)
        count = program.cost(row["id"], str(data["bodies"]))[1]
        if count == "-":
            return "instructions cannot be counted here: valgrind is not installed"
        print("%-12s %8d %8s" % (row["id"], row["instructions"], count), flush=True)
        row["instructions"] = int(float(count))
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], stdout=subprocess.PIPE, text=True, check=False)
    data["commit"] = commit.stdout.strip() or data["commit"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(data, indent=2) + "\n")
    return 0


def main():
    have_valgrind = shutil.which("valgrind") is not None
    json_file = sys.argv[2] if sys.argv[1] == "--json" else None
    programs = [Program(path, have_valgrind) for path in sys.argv[3 if json_file else 1:]]
    if json_file:
        return write_json(json_file, programs)
    floor = next(program for program in programs if os.path.basename(program.path) == "naive")
    grown = []
    print(HEAD)
    for program in programs:
        for workload in program.workloads if program is not floor else []:
            lines = []
            for name, n, time, instructions, quality in program.lines(workload):
                under = floor.cost(FLOORS.get(name, name.split("-")[0] + "-naive"), n)
                print(ROW % (name, n, time, under[0], instructions, under[1], quality), flush=True)
                lines.append((name, n, time, instructions))
            grown.append(growth(workload, lines))
    print("\nHow the cost grows:")
    print("\n".join(grown))
    if not have_valgrind:
        print("Instructions are not counted where the system has no counter: valgrind is not installed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
