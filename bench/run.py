#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Runs the benchmark programs it is given and prints their lines as one table.

Where the system has no counter of instructions, the column is filled by valgrind for 100 bodies (and for 1000 crates
in a row, to show that the cost per crate does not grow): callgrind counts what happens inside bench_measured, so
building the world and settling do not count. Without valgrind the column stays empty.
"""
import re
import shutil
import subprocess
import sys

COUNT_STEPS = 60


def is_counted(workload, n):
    return n == 100 or (workload == "row" and n == 1000)


def count_instructions(program, workload, n):
    """Instructions per body and step, or "-"."""
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=bench_measured", "--callgrind-out-file=/dev/null",
               program, "--workload", workload, "--n", str(n), "--steps", str(COUNT_STEPS), "--runs", "1"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
    if done.returncode != 0 or not found:
        return "-"
    return "%.0f" % (int(found.group(1)) / (n * COUNT_STEPS))


def show(program, workload, have_valgrind):
    """One workload at all sizes. Counting waits until they have run, so as not to disturb the clock."""
    done = subprocess.run([program, "--workload", workload], stdout=subprocess.PIPE, text=True, check=False)
    for line in done.stdout.splitlines():
        name, n, time, instructions, quality = line.split(None, 4)
        if instructions == "-" and have_valgrind and is_counted(name, int(n)):
            instructions = count_instructions(program, name, int(n))
        print("%-14s %6s %9s %9s  %s" % (name, n, time, instructions, quality), flush=True)
    return done.returncode


def main():
    have_valgrind = shutil.which("valgrind") is not None
    print("%-14s %6s %9s %9s  %s" % ("workload", "bodies", "ns", "instr.", "per body and step (CPU time); then how well it went"))
    status = 0
    for program in sys.argv[1:]:
        names = subprocess.run([program, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        status = max([status] + [abs(show(program, name, have_valgrind)) for name in names])
    if not have_valgrind:
        print("Instructions are not counted where the system has no counter: valgrind is not installed.")
    return status


if __name__ == "__main__":
    sys.exit(main())
