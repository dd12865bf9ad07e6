#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Builds the playground and tests it.

  check.py core      in node: wasm, recorded plays, rewinding, sharing, and copied C programs by gcc
  check.py browser   in Chromium, by keys, mouse and fingers; says so and fails nothing where there is none

The last line is "N passed, N failed".
"""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else "core"
    build = [sys.executable, "examples/playground/build.py"] + (["--wasm"] if part == "core" else [])
    for command in (build, ["node", "tests/playground/%s.js" % part]):
        code = subprocess.run(command, cwd=ROOT).returncode
        if code:
            sys.exit(code)


if __name__ == "__main__":
    main()
