# SPDX-License-Identifier: MIT OR Unlicense
"""README, manual, examples and demo do what they say.

tests/run.py runs these checks. A check returns nothing if all is well, else what is wrong.

  examples   compile without warnings as C, and print what tests/examples/NAME.txt says
  demo       writes docs/demo.svg byte for byte, and says the same text
  README     its first program is examples/hello.c, its output and all other code are tried as they are printed
  manual     every code block is compiled in a function of tests/manual/; those programs check what the blocks do
  docs       the pages are what tools/pages.py makes of the sources; links, anchors and tags are right, all is there
"""
import collections
import difflib
import fcntl
import glob
import html.parser
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "compile"))
from build import library  # noqa: E402
from checks import CLANG, CLANGXX, GCC, GXX, Check, call  # noqa: E402

WARNINGS = "-Wall -Wextra -pedantic -Wshadow -Wconversion -Werror".split()
MOST_README_LINES = 150


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def difference(is_now, should_be):
    lines = difflib.unified_diff(should_be.split("\n"), is_now.split("\n"), "expected", "is", lineterm="", n=1)
    return "\n".join(list(lines)[:40]) if is_now != should_be else None


# The implementation takes long to compile, so most programs here share the library of a flavour with the other tests; the
# README's program is compiled exactly as a reader would.
PLAIN, ADDRESS = "plain", "address"


def dimension_of(source):
    return 3 if re.search(r"#define KINEMATIC_DIM 3", read(source)) else 2


def build(folder, compiler, flags, source, shared=None):
    """(program, None) or (None, complaint)"""
    program = os.path.join(folder, "program")
    rest = ["-I.", source]
    if shared:
        complaint = library(shared, dimension_of(source))
        if complaint:
            return None, complaint
        folder = "build/test/%s%d/" % (shared, dimension_of(source))
        rest = ["-DKIN_IMPLEMENTED"] + (["-I.", source, folder + "whole.o"] if shared == PLAIN else
                                        ["-Itests/inside", source, folder + "parts.a"])
    code, text = call([compiler] + flags + rest + ["-o", program, "-lm", "-pthread"])
    return (program, None) if code == 0 and not text else (None, text or "%s does not compile" % source)


# ---- examples and demo -----------------------------------------------------------------------------------------

def example(folder, name, compiler, flags, shared=None):
    program, complaint = build(folder, compiler, flags + WARNINGS, "examples/%s.c" % name, shared)
    if complaint:
        return complaint
    code, text = call([program])
    if code != 0:
        return "ended with code %d\n%s" % (code, text)
    return difference(text, read("tests/examples/%s.txt" % name))


def demo(folder, compiler, flags, shared):
    """Same bits, same picture: whatever compiler and optimisation. Repair docs/demo.svg with `make docs/demo.svg`."""
    program, complaint = build(folder, compiler, flags + WARNINGS, "examples/demo/demo.c", shared)
    if complaint:
        return complaint
    picture = os.path.join(folder, "demo.svg")
    code, text = call([program, picture])
    if code != 0:
        return "ended with code %d\n%s" % (code, text)
    if read(picture) != read("docs/demo.svg"):
        return "the picture is not docs/demo.svg; if it should not be, run: make docs/demo.svg"
    for words in ("lands on the ledge", "touches the lift", "CRUSHED between the crusher", "lands on the wheel",
                  "touches the flag"):
        if words not in text:
            return "nobody %s:\n%s" % (words, text)
    return None


def play(program, columns, rows, frames, environment):
    """(status, everything on the screen): interrupted after so many frames in a terminal of that size."""
    screen, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = subprocess.Popen([program], stdin=inside, stdout=inside, stderr=inside,
                             env=dict(os.environ, TERM="xterm", **environment))
    os.close(inside)
    seen, told, end = b"", False, time.time() + 30
    while time.time() < end:
        if not select.select([screen], [], [], 1)[0]:
            continue
        try:
            seen += os.read(screen, 65536)
        except OSError:   # the other side is closed
            break
        if seen.count(b"\033[H") >= frames and not told:
            child.send_signal(signal.SIGINT)
            told = True
    else:
        child.kill()
    status = child.wait()
    os.close(screen)
    return status, seen


# Size of the terminal, what the environment says; characters in a line of the level, lines of level and events.
TERMINALS = ((80, 24, {}, 80, 23), (240, 62, {}, 240, 59), (100, 16, {}, 80, 15), (40, 12, {}, 40, 11),
             (16, 5, {}, 16, 4), (80, 24, {"COLUMNS": "50", "LINES": "10"}, 50, 9))


def demo_plays(folder, compiler, flags, shared):
    """In a terminal of any size it draws frames that fit; an interrupt ends it, gives the screen and the cursor back and
    says what to do next."""
    program, complaint = build(folder, compiler, flags, "examples/demo/demo.c", shared)
    if complaint:
        return complaint
    for columns, rows, environment, wide, high in TERMINALS:
        status, seen = play(program, columns, rows, 3, environment)
        frames = seen.split(b"\033[H")[1:]
        if status != 0 or len(frames) < 3:
            return "%d x %d: %d frames, ended with status %d" % (columns, rows, len(frames), status)
        lines = frames[1].split(b"\n")
        if len(lines) != high or lines[0].count(b"\342\226\200") != wide:
            return "%d x %d: %d lines of %d" % (columns, rows, len(lines), lines[0].count(b"\342\226\200"))
        if b"\033[?25h\033[?1049l" not in seen or b"What next?" not in seen:
            return "%d x %d: the terminal is not given back" % (columns, rows)
    return None


def demo_helps(folder, compiler, flags, shared):
    program, complaint = build(folder, compiler, flags, "examples/demo/demo.c", shared)
    if complaint:
        return complaint
    code, text = call([program, "--help"])
    if code != 0 or not text.startswith("usage: demo"):
        return "--help: code %d\n%s" % (code, text)
    code, text = call([program, "--no-such-option"])
    return None if code == 2 and "--help" in text else "an unknown option: code %d\n%s" % (code, text)


# ---- README ----------------------------------------------------------------------------------------------------

def readme_blocks():
    return re.findall(r"^```(\w*)\n(.*?)^```$", read("README.md"), re.M | re.S)


def readme_is_short(folder):
    lines = read("README.md").count("\n")
    return "README.md has %d lines" % lines if lines >= MOST_README_LINES else None


def readme_program(folder):
    blocks = readme_blocks()
    program, output = blocks[0][1], blocks[1][1]
    hello = re.sub(r"^/\*.*?\*/\n", "", read("examples/hello.c"), flags=re.S)
    if program != hello:
        return "the README's program is not examples/hello.c:\n" + difference(program, hello)
    if program.count("\n") > 26:
        return "the program has %d lines" % program.count("\n")
    return difference(output, read("tests/examples/hello.txt"))


def readme_code(folder, language, compiler, flags):
    """Each further block of a language is a file of its own, or the inside of a function."""
    blocks = [text for kind, text in readme_blocks() if kind == language][1 if language == "c" else 0:]
    if not blocks:
        return "the README has no block of " + language
    for text in blocks:
        source = os.path.join(folder, "block." + ("c" if language == "c" else "cc"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        program, complaint = build(folder, compiler, flags + WARNINGS, source)
        if complaint:
            return text + complaint
        code, said = call([program])
        if code != 0:
            return "ended with code %d\n%s" % (code, said)
    return None


def readme_links(folder):
    missing = [path for path in re.findall(r"\]\(([^)#:]+)\)|src=\"([^\":]+)\"", read("README.md"))
               if not os.path.exists(os.path.join(ROOT, path[0] or path[1]))]
    return "the README links to what is not there: %s" % missing if missing else None


def readme_names(folder):
    """Scenarios and make targets that the README names exist."""
    text = read("README.md")
    scenarios = "".join(read(path) for path in glob.glob(os.path.join(HERE, "scenarios", "*.c")))
    proofs = " ".join(re.findall(r"yes \([^)]*\)|T=\w+", text))
    missing = [name for name in re.findall(r"\b[A-Z]\d\d\b", proofs)
               if not re.search(r"^(SCENARIO\(|TEST )%s[a-z]?_" % name, scenarios, re.M)]
    missing += [name for name in re.findall(r"\bmake ([a-z]+)\b", text)
                if not re.search(r"^%s:" % name, read("Makefile"), re.M)]
    return "the README names what is not there: %s" % missing if missing else None


# ---- manual ----------------------------------------------------------------------------------------------------

def whole_manual():
    """The manual of the header, with the recipes in full in place of their list."""
    recipes = read("docs/recipes.txt") + "\n"
    return re.sub(r"(?ms)^RECIPES\n.*?(?=^GOOD TO KNOW$)", lambda _: recipes, read("src/manual.txt"))


def manual_snippets():
    """[(name, text)]: blocks indented by 8, named by the heading (upper case, or indented by 2) above, and numbered."""
    found, title, block, numbers = [], "", [], {}
    for line in whole_manual().split("\n") + ["END"]:
        if block and (line.startswith(" " * 8) or not line):
            block.append(line[8:])
            continue
        if block:
            name = re.sub(r"\W+", "_", title.lower()).strip("_")
            numbers[name] = numbers.get(name, 0) + 1
            found.append(("%s_%d" % (name, numbers[name]), "\n".join(block).rstrip() + "\n"))
            block = []
        heading = re.fullmatch(r"(?:  )?([A-Z][A-Za-z0-9 -]*)", line)
        if heading:
            title = heading.group(1)
        elif re.match(r" {8}\S", line) and not re.match(r" {8}KINEMATIC_|   .*  0x", line):
            block = [line[8:]]
    return found


def manual_program(folder, source, compiler, flags, shared):
    """The tests in tests/manual include the snippets as files."""
    names = []
    for name, text in manual_snippets():
        names.append(name)
        with open(os.path.join(folder, name + ".inc"), "w", encoding="utf-8") as file:
            file.write(text)
    flags = flags + ["-I" + folder, "-Ibuild/deps", "-std=gnu99", "-Wall", "-Wextra", "-Werror"]
    program, complaint = build(folder, compiler, flags, source, shared)
    if complaint:
        return complaint
    code, text = call([program])
    return "ended with code %d\n%s" % (code, text) if code != 0 or "PASSED" not in text else None


def manual_snippets_are_tried(folder):
    used = set()
    for path in glob.glob(os.path.join(HERE, "manual", "*.c")):
        used.update(re.findall(r'#include "(\w+)\.inc"', read(path)))
    names = set(name for name, _ in manual_snippets())
    wrong = ["not tried: " + name for name in sorted(names - used)]
    wrong += ["not in the manual: " + name for name in sorted(used - names)]
    return "\n".join(wrong) or None


# ---- docs ------------------------------------------------------------------------------------------------------

MOST_DOCS_BYTES = 1500000
UNCLOSED = set("meta link img br hr wbr".split())   # by HTML; in pictures every tag is closed


class Page(html.parser.HTMLParser):
    """Links, anchors and tags of one page."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.path, self.links, self.ids, self.open, self.wrong, self.tags = path, [], [], [], [], collections.Counter()
        self.feed(read(path))
        self.close()
        if self.open:
            self.wrong.append("not closed: %s" % self.open)

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        values = dict(attributes)
        self.links += [values[name] for name in ("href", "src") if name in values]
        self.ids += [values["id"]] if "id" in values else []
        if tag == "img" and not values.get("alt"):
            self.wrong.append("a picture without a text for those who do not see it")
        if any(name.startswith("on") for name in values):
            self.wrong.append("a script in <%s>" % tag)
        if tag not in UNCLOSED:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in UNCLOSED:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in UNCLOSED:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append("line %d: </%s> closes nothing" % (self.getpos()[0], tag))


def docs_pages():
    """{name: Page} of what tools/pages.py makes; the playground has tests of its own"""
    paths = sorted(glob.glob(os.path.join(ROOT, "docs", "*.html")))
    return {os.path.basename(path): Page(path) for path in paths if os.path.basename(path) != "playground.html"}


def docs_in_step(folder):
    code, text = call([sys.executable, "tools/pages.py", "--check"])
    return text or "exit code %d" % code if code else None


def docs_playground_in_step(folder):
    """With its sources. The library in it is that of the last release, or newer: `make dist` asks for today's."""
    code, text = call([sys.executable, "examples/playground/build.py", "--check"])
    stale = code != 0 or "page" in text.split()
    return text + ": docs/playground.html is older; run: make docs/playground.html" if stale else None


def docs_links(folder):
    """Every link leads to a file, every anchor to an id that is there once."""
    pages, wrong = docs_pages(), []
    for name, page in pages.items():
        wrong += ["docs/%s: id %s is there %d times" % (name, one, count)
                  for one, count in collections.Counter(page.ids).items() if count > 1]
        for link in page.links:
            if re.match(r"https?:|data:", link):
                continue
            path, _, anchor = link.partition("#")
            target = path or name
            if not os.path.exists(os.path.join(ROOT, "docs", target)):
                wrong.append("docs/%s: links to %s" % (name, link))
            elif anchor and target in pages and anchor not in pages[target].ids:
                wrong.append("docs/%s: links to %s, which is no place there" % (name, link))
    return "\n".join(wrong) or None


def docs_tags(folder):
    """Tags are balanced, and nobody needs scripts to read a page."""
    wrong = ["docs/%s: %s" % (name, text) for name, page in docs_pages().items() for text in page.wrong]
    wrong += ["docs/%s has scripts" % name for name, page in docs_pages().items() if page.tags["script"]]
    return "\n".join(wrong) or None


def docs_are_complete(folder):
    """Every public name is in the reference, with an example; every function is on the cheat sheet."""
    text, reference, sheet = read("src/api.h"), read("docs/reference.html"), read("docs/cheatsheet.html")
    functions = set(re.findall(r"^KIN_API[^;(]*?\b(kin_\w+)\(", text, re.M))
    types = set(re.findall(r"^typedef (?:struct|enum) (kin_\w+)", text, re.M) + re.findall(r"(kin_\w+_fn)\(", text))
    entries = dict(re.findall(r'<section class="item" id="(\w+)">(.*?)</section>', reference, re.S))
    wrong = ["%s is not in the reference" % name for name in sorted((functions | types) - set(entries))]
    wrong += ["%s has no comment in src/api.h, and none in tools/pages.py" % name for name in sorted(entries)
              if "<p></p>" in entries[name]]
    wrong += ["%s has no example: use it in examples/ or src/manual.txt, or add one to tests/manual/reference2.c" % name
              for name in sorted(entries) if '<details class="example"' not in entries[name]]
    wrong += ["%s is not on the cheat sheet" % name for name in sorted(functions) if "#%s\"" % name not in sheet]
    return "\n".join(wrong) or None if functions and types else "src/api.h declares nothing"


def docs_are_small(folder):
    """Without the playground, which brings the library along."""
    bytes_of = sum(os.path.getsize(path) for path in glob.glob(os.path.join(ROOT, "docs", "**"), recursive=True)
                   if not path.endswith("playground.html"))
    return "docs/ has %d bytes" % bytes_of if bytes_of > MOST_DOCS_BYTES else None


# ---- the list --------------------------------------------------------------------------------------------------

SANITIZERS = "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all".split()


def all_checks():
    out = []
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.c"))):
        name = os.path.basename(path)[:-2]
        out.append(Check("example_%s_gcc" % name, example, name, GCC, ["-std=c99", "-O2"], PLAIN))
        out.append(Check("example_%s_clang" % name, example, name, CLANG, ["-std=c99"] + SANITIZERS, ADDRESS))
    out.append(Check("demo_gcc", demo, GCC, ["-std=c99", "-O2"], PLAIN))
    out.append(Check("demo_clang", demo, CLANG, ["-std=c99"] + SANITIZERS, ADDRESS))
    out.append(Check("demo_plays_in_a_terminal", demo_plays, GCC, ["-std=c99", "-O2"], PLAIN))
    out.append(Check("demo_helps", demo_helps, GCC, ["-std=c99", "-O2"], PLAIN))
    out.append(Check("readme_is_short", readme_is_short))
    out.append(Check("readme_program", readme_program))
    out.append(Check("readme_program_runs", example, "hello", GCC, ["-std=c99"]))
    out.append(Check("readme_c", readme_code, "c", GCC, ["-std=c99"]))
    out.append(Check("readme_cpp_gcc", readme_code, "cpp", GXX, ["-std=c++11"]))
    out.append(Check("readme_cpp_clang", readme_code, "cpp", CLANGXX, ["-std=c++20"]))
    out.append(Check("readme_links", readme_links))
    out.append(Check("readme_names", readme_names))
    out.append(Check("manual_snippets_are_tried", manual_snippets_are_tried))
    out.append(Check("docs_in_step", docs_in_step))
    out.append(Check("docs_playground_in_step", docs_playground_in_step))
    out.append(Check("docs_links", docs_links))
    out.append(Check("docs_tags", docs_tags))
    out.append(Check("docs_are_complete", docs_are_complete))
    out.append(Check("docs_are_small", docs_are_small))
    for source in sorted(glob.glob(os.path.join(HERE, "manual", "*.c"))):
        name = os.path.basename(source)[:-2]
        out.append(Check("%s_gcc" % name, manual_program, source, GCC, ["-O1"], PLAIN))
        out.append(Check("%s_clang" % name, manual_program, source, CLANG, SANITIZERS, ADDRESS))
    for check in out:
        check.libraries = [(shared, dim) for shared in (PLAIN, ADDRESS) if shared in check.arguments for dim in (2, 3)]
    return out
