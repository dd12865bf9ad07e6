# SPDX-License-Identifier: MIT OR Unlicense
"""The catalogue, tests/scenarios/README.md, and the tests are in step. A check of tests/compile/checks.py.

Its tables have one line for each number (A01) or, at the end, for each test without a number (`far_walking`), with
links to the files that test it. Wrong are a test without a line, a line without a test, a file that is not linked or
that has no such test, a number twice or out of order, and an invariant without its section.
"""
import glob
import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios")
INVARIANTS = ["N%d" % n for n in range(1, 13)]
NUMBER = re.compile(r"(?:[A-Z]\d\d[a-z]?|N\d)(?=_)")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def key_of(test):
    """A01_landing is known by its number, far_walking by its name."""
    number = NUMBER.match(test)
    return number.group() if number else "`%s`" % test


def tests_by_file():
    """{file: set of keys}"""
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "*.c")):
        names = re.findall(r"^(?:SCENARIO\(|TEST )(\w+)", read(path), re.M)
        found[os.path.basename(path)] = set(key_of(name) for name in names)
    return found


def lines_of(text):
    """[(key, files, line number)] of the tables of sections A to O and the last one"""
    rows = []
    for number, line in enumerate(text.split("\n"), 1):
        row = re.fullmatch(r"\| ([A-Z]\d\d[a-z]?|`\w+`) \| .+ \| (.*\]\(.*\)) \|", line)
        if row:
            rows.append((row.group(1), re.findall(r"\]\(([^)]+)\)", row.group(2)), number))
    return rows


def elsewhere(path, key):
    """A test that is not a scenario names its number in its file."""
    path = os.path.join(FOLDER, path)
    return os.path.isfile(path) and re.search(r"\b%s(?![0-9a-z])" % key, read(path))


def catalogue(folder=None):
    text, tests, wrong, seen = read(os.path.join(FOLDER, "README.md")), tests_by_file(), [], {}
    rows = lines_of(text)
    for key, files, number in rows:
        if key in seen:
            wrong.append("README.md:%d: %s has a line already" % (number, key))
        seen[key] = files
        for path in files:
            if not (key in tests[path] if path in tests else elsewhere(path, key)):
                wrong.append("README.md:%d: %s has no test in %s" % (number, key, path))
    numbers = [key for key, _, _ in rows if key[0] != "`"]
    if numbers != sorted(numbers):
        wrong.append("README.md: numbers are not in order")
    for path in sorted(tests):
        for key in sorted(tests[path]):
            if key in INVARIANTS:
                if not re.search(r"^### %s " % key, text, re.M):
                    wrong.append("tests/scenarios/%s: %s has no section in README.md" % (path, key))
            elif key not in seen:
                wrong.append("tests/scenarios/%s: %s has no line in README.md" % (path, key))
            elif path not in seen[key]:
                wrong.append("tests/scenarios/%s: the line of %s in README.md does not link to it" % (path, key))
    if re.findall(r"^### (N\d+) ", text, re.M) != INVARIANTS:
        wrong.append("README.md: sections of the invariants are not N1 to N12")
    for path in re.findall(r"\]\(([^)#:]+)\)", text):
        if not os.path.exists(os.path.join(FOLDER, path)):
            wrong.append("README.md: links to %s, which is not there" % path)
    return "\n".join(wrong) or None


if __name__ == "__main__":
    print(catalogue() or "the catalogue is in step: 1 passed, 0 failed")
