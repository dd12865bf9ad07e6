#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Joins the parts in src/ into kinematic.h.

  tools/amalgamate.py                writes kinematic.h (only if its bytes change)
  tools/amalgamate.py --check        compares instead of writing; exit code 1 if they differ
  tools/amalgamate.py --line         with #line marks back to src/, for debugging; never committed
  tools/amalgamate.py --output FILE  writes somewhere else
  tools/amalgamate.py --declarations FILE
                                     writes the prototypes that the header does without, for tests that look inside

A private function that is defined before it is used needs no prototype in one file: its comment goes to the function.
src/order.txt is the one list of parts. The same input gives the same bytes. What the tool does not understand
is an error with exit code 1, and then nothing is written.
"""
import argparse
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPDX = "/* SPDX-License-Identifier: MIT OR Unlicense"
WIDTH = 120
SHORT_SECTION = 8   # lines that are left of a private header's section when its prototypes are gone

# Reserved names that code may use; in directives any may be tested, but none defined.
COMPILER_NAMES = re.compile(r"__asm__|__attribute__|__declspec|__builtin_\w+|__(atomic|ATOMIC)_\w+|_mm_\w+|__m128i?|__cplusplus|__func__")
OWN_MACROS = re.compile(r"KIN_|KINI_|KINEMATIC_")


class Trouble(Exception):
    """Something in the sources that must be put right; carries every message found so far."""


class Report:
    def __init__(self):
        self.messages = []

    def add(self, path, line, text):
        self.messages.append("%s:%d: %s" % (path, line, text))

    def stop_if_any(self):
        if self.messages:
            raise Trouble("\n".join(self.messages))


def blank_comments(text):
    """The text with comments and the insides of literals replaced by blanks; every line keeps its place."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        piece = match.group(0)
        if piece[0] in "\"'":
            return piece[0] + re.sub(r"[^\n]", " ", piece[1:-1]) + piece[0]
        return re.sub(r"[^\n]", " ", piece)

    return pattern.sub(blank, text)


class Part:
    """One file of src/: its lines, and the same lines without comments and literals."""

    def __init__(self, name, report):
        self.name = name
        self.path = "src/" + name
        with open(os.path.join(ROOT, "src", name), "rb") as file:
            raw = file.read()
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise Trouble("%s: not UTF-8" % self.path)
        for bad, what in (("\ufeff", "a byte order mark"), ("\r", "a carriage return"), ("\t", "a tab")):
            if bad in text:
                report.add(self.path, text[:text.index(bad)].count("\n") + 1, "has " + what)
        self.lines = [line.rstrip() for line in text.split("\n")]
        while self.lines and not self.lines[-1]:
            self.lines.pop()
        self.code = [line.rstrip() for line in blank_comments("\n".join(self.lines)).split("\n")]
        self.functions, self.complaints = None, []   # see functions_of
        self.without, self.notes = set(), {}   # lines that the header does without; comments that come before a line
        if not self.lines or self.lines[0] != SPDX:
            report.add(self.path, 1, "must begin with: " + SPDX)

    def directives(self):
        """(line index, name, rest) of every preprocessor directive."""
        for at, line in enumerate(self.code):
            match = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
            if match:
                yield at, match.group(1), match.group(2)

    def plain_code(self):
        """The code with directives (and their continuations) and functions that a macro makes blanked, as one text."""
        out, inside = [], False
        for line in self.code:
            inside = inside or bool(re.match(r"\s*#|KINI_\w+\(.*\)$", line))
            out.append("" if inside else line)
            inside = inside and line.endswith("\\")
        return "\n".join(out)


def functions_of(part, report):
    """(head text, name, first line, last line) of every function defined in a part, which is read once."""
    if part.functions is None:
        part.functions = find_functions(part, part.complaints)
    for line, complaint in part.complaints:
        report.add(part.path, line, complaint)
    return part.functions


def find_functions(part, complaints):
    found, depth, head, head_line, line = [], 0, "", 0, 1
    start = None
    for char in part.plain_code():
        if char == "\n":
            line += 1
        if depth == 0 and not head.strip():
            head, head_line = "", line
        if char == "{":
            if depth == 0:
                start = (head, head_line)
            depth += 1
        elif char == "}":
            depth -= 1
            if depth < 0:
                complaints.append((line, "a closing brace too many"))
                return found
            if depth == 0:
                text = " ".join(start[0].split())
                match = re.search(r"(\w+) ?\(", text)
                if match and "=" not in text and not re.match(r"(typedef|struct|enum|union)\b", text):
                    found.append((text, match.group(1), start[1], line))
                    head = ""
        elif depth == 0:
            head = "" if char == ";" else head + char
    if depth:
        complaints.append((len(part.code), "a closing brace is missing"))
    return found


# ---- checks --------------------------------------------------------------------------------------------------

def check_names(part, report):
    for at, name, rest in part.directives():
        if name == "define":
            macro = re.match(r"\w+", rest)
            if not macro or not OWN_MACROS.match(macro.group(0)):
                report.add(part.path, at + 1, "macro names begin with KIN_, KINI_ or KINEMATIC_: " + rest)
            if macro and "__" in macro.group(0):
                report.add(part.path, at + 1, "no double underscore: " + macro.group(0))
    testing = False
    for at, line in enumerate(part.code):
        testing = testing or bool(re.match(r"\s*#\s*(if|elif|ifdef|ifndef|error|include|pragma)\b", line))
        if testing:
            testing = line.endswith("\\")
            continue
        for word in re.findall(r"\b[A-Za-z_]\w*", line):
            if (word.startswith("_") or "__" in word) and not COMPILER_NAMES.fullmatch(word):
                report.add(part.path, at + 1, "reserved name: " + word)


def check_functions(part, public, report):
    for head, name, first, _ in functions_of(part, report):
        if name in public:
            if re.match(r"(static|KINI_PART)\b", head):
                report.add(part.path, first, "%s is declared in api.h: write KIN_API here" % name)
        elif not re.match(r"(static|KINI_PART)\b", head):
            report.add(part.path, first, "private function %s must be static or KINI_PART" % name)
        elif not name.startswith("kini_"):
            report.add(part.path, first, "private function %s must begin with kini_" % name)


def check_clashes(parts, report):
    """All parts become one file, so a name may be taken once; a part for one dimension does not meet its twin."""
    taken = {}
    for part in parts:
        twin = re.search(r"([23])\.[ch]$", part.name)
        names = set(name for _, name, _, _ in functions_of(part, Report()))
        names.update(re.findall(r"^(?:typedef\b[^;{]*\b|\} )(kini_\w+);", part.plain_code(), re.M))
        names.update(re.findall(r"^typedef struct (kini_\w+)", part.plain_code(), re.M))
        for name in sorted(names):
            for dimension in twin.group(1) if twin else "23":
                other = taken.setdefault((name, dimension), part.name)
                if other != part.name:
                    report.add(part.path, 1, "%s is also defined in src/%s" % (name, other))
                    break


def check_versions(api, title, report):
    numbers = []
    for word in ("MAJOR", "MINOR", "PATCH"):
        match = re.search(r"#define KIN_VERSION_%s (\d+)" % word, "\n".join(api.lines))
        numbers.append(match.group(1) if match else "?")
    version = ".".join(numbers)
    if not re.match(r"kinematic\.h %s: " % re.escape(version), title):
        report.add("src/manual.txt", 1, "must begin with \"kinematic.h %s: \", the version in src/api.h" % version)
    with open(os.path.join(ROOT, "CHANGELOG.md"), encoding="utf-8") as file:
        match = re.search(r"^## (\S+)", file.read(), re.M)
    if not match or match.group(1) != version:
        report.add("CHANGELOG.md", 1, "the first \"## \" heading must be %s, the version in src/api.h" % version)
    for path in ("package.json", "tools/packaging/vcpkg/kinematic/vcpkg.json"):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            if '  "version": "%s",\n' % version not in file.read():
                report.add(path, 1, "its version must be %s, the version in src/api.h" % version)


def is_comment_line(line):
    return line.endswith("*/") and not re.match(r"/\* ----", line)


def has_comment(api, first, last):
    """Is there a comment beside these lines, or right above them on lines of its own?"""
    if any("/*" in line for line in api.lines[first:last + 1]):
        return True
    above = first - 1
    return above >= 0 and not api.code[above].strip() and is_comment_line(api.lines[above])


def check_members(api, report):
    """Every member of a public struct says what it is."""
    inside = False
    for at, line in enumerate(api.code):
        if re.match(r"typedef struct \w+ \{$", line):
            inside = True
        elif inside and line.startswith("}"):
            inside = False
        elif inside and line.strip() and not has_comment(api, at, at):
            report.add(api.path, at + 1, "member without a comment: " + line.strip())


# ---- the public part -------------------------------------------------------------------------------------------

class Prototype:
    """`without` is the macro that leaves it out, or None."""

    def __init__(self, result, name, parameters, dimension, without):
        self.result, self.name, self.parameters, self.dimension = result, name, parameters, dimension
        self.without = without


def prototypes_of(api, report):
    found, at, dimension, without = [], 0, None, None
    while at < len(api.code):
        line = api.code[at]
        if re.match(r"#if KINEMATIC_DIM == 2", line):
            dimension = 2
        elif re.match(r"#else", line) and dimension == 2:
            dimension = 3
        elif re.match(r"#ifndef KINEMATIC_NO_", line):
            without = line.split()[1]
        elif re.match(r"#endif", line):
            dimension = without = None
        if line.startswith("KIN_API"):
            first = at
            while not api.code[at].endswith(";"):
                at += 1
                if at == len(api.code) or api.code[at].startswith(("KIN_API", "#")):
                    raise Trouble("%s:%d: a prototype without its semicolon" % (api.path, first + 1))
            text = " ".join(" ".join(api.code[first:at + 1]).split())
            match = re.fullmatch(r"KIN_API ([\w ]+?[ *]+)(kin_\w+)\((.*)\);", text)
            if not match:
                raise Trouble("%s:%d: not a prototype that I understand: %s" % (api.path, first + 1, text))
            if not has_comment(api, first, at):
                report.add(api.path, first + 1, "%s has no comment" % match.group(2))
            found.append(Prototype(match.group(1).strip(), match.group(2), match.group(3), dimension, without))
        elif re.match(r"\w.*\(.*\);", line) and not line.startswith("typedef"):
            report.add(api.path, at + 1, "a prototype without KIN_API")
        at += 1
    return found


def rename_table(api, prototypes):
    """Public names that the linker sees, and struct tags, which C++ puts into them."""
    tags = re.findall(r"^typedef struct (kin_\w+)", "\n".join(api.code), re.M)
    names = sorted(set(tags) | set(prototype.name for prototype in prototypes))
    column = max(len(name) for name in names) + 1
    return ["#define %s KIN_NAMED(%s)" % (name.ljust(column), name[len("kin_"):]) for name in names]


BY_REFERENCE = re.compile(r"const (kin_\w+_desc|kin_shape|kin_tile|kin_draw) \*(\w+)")


def broken(head):
    """A function's head as one line, or as two if it is too long."""
    if len(head) <= WIDTH:
        return [head]
    cut = head.rindex(", ", 0, WIDTH) + 1
    return [head[:cut], " " * (head.index("(") + 1) + head[cut + 1:]]


def cpp_overloads(prototypes):
    """For every function that takes a descriptor: the same with a reference, for C++ callers."""
    out, without = [], None
    for prototype in prototypes:
        if not BY_REFERENCE.search(prototype.parameters):
            continue
        parameters = BY_REFERENCE.sub(r"const \1 &\2", prototype.parameters)
        arguments = []
        for parameter in prototype.parameters.split(", "):
            name = re.search(r"(\w+)$", parameter).group(1)
            arguments.append("&" + name if BY_REFERENCE.fullmatch(parameter) else name)
        result = prototype.result if prototype.result.endswith("*") else prototype.result + " "
        returns = "" if prototype.result == "void" else "return "
        head = "static inline %s%s(%s)" % (result, prototype.name, parameters)
        body = "{ %s%s(%s); }" % (returns, prototype.name, ", ".join(arguments))
        lines = [head + " " + body] if len(head + body) < WIDTH else broken(head) + [body]
        if prototype.without and out[-1:] == ["#endif"] and prototype.without == without:
            out[-1:] = lines + ["#endif"]
        else:
            out += ["#ifndef " + prototype.without] + lines + ["#endif"] if prototype.without else lines
        without = prototype.without
    return out


# ---- joining ---------------------------------------------------------------------------------------------------

def drop_guard(part, report):
    """Indices of the include guard's three lines."""
    directives = list(part.directives())
    good = (len(directives) > 2 and directives[0][1] == "ifndef" and directives[1][1] == "define"
            and directives[0][2] == directives[1][2] and directives[-1][1] == "endif")
    if not good:
        report.add(part.path, 1, "a header among the parts needs an include guard")
        return set()
    return set((directives[0][0], directives[1][0], directives[-1][0]))


def sort_includes(part, order, guarded, report):
    """Which lines to drop, and the system headers to collect; those inside an #if stay where they are."""
    dropped, system, depth = set(guarded), [], 0
    for at, name, rest in part.directives():
        if at in guarded:
            continue
        if name in ("if", "ifdef", "ifndef"):
            depth += 1
        elif name == "endif":
            depth -= 1
        elif name == "include":
            rest = re.match(r"\s*#\s*include\s*(.*)", part.lines[at]).group(1)
            own = re.fullmatch(r'"([\w.]+)"', rest)
            if own:
                if own.group(1) not in order[:order.index(part.name)]:
                    report.add(part.path, at + 1, "%s does not come earlier in src/order.txt" % rest)
                dropped.add(at)
            elif not re.fullmatch(r"<[\w./]+>", rest):
                report.add(part.path, at + 1, "an include that I do not understand: " + rest)
            elif depth == 0:
                system.append(rest)
                dropped.add(at)
        elif name not in ("define", "undef", "else", "elif", "error", "pragma"):
            report.add(part.path, at + 1, "a directive that I do not understand: #" + name)
    if depth:
        report.add(part.path, len(part.lines), "#if and #endif do not match")
    return dropped, system


def drop_empty_groups(part, dropped):
    """An #if group in which nothing but dropped lines is left goes too."""
    stack = []
    for at in range(len(part.code)):
        match = re.match(r"\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b", part.code[at])
        if at in dropped:
            continue
        if not match:
            if part.lines[at].strip() and stack:
                for group in stack:
                    group[1] = True
        elif match.group(1) in ("if", "ifdef", "ifndef"):
            stack.append([[at], False])
        elif stack:
            stack[-1][0].append(at)
            if match.group(1) == "endif":
                lines, used = stack.pop()
                if not used:
                    dropped.update(lines)
    return dropped


def drop_short_headings(lines, least):
    """A heading goes if fewer lines than these are left under it, in a private header with the blank lines around it."""
    lines = tidy(lines)
    headings = [at for at, line in enumerate(lines) if re.match(r"/\* ----", line)] + [len(lines)]
    short = [at for at, end in zip(headings, headings[1:]) if sum(1 for line in lines[at + 1:end] if line) < least]
    if least > 1:
        short += [at + by for at in short for by in (-1, 1) if lines[at + by:at + by + 1] == [""]]
    return tidy([line for at, line in enumerate(lines) if at not in short])


def tidy(lines):
    """No blank lines at the ends, never two in a row."""
    out = []
    for line in lines:
        if line or (out and out[-1]):
            out.append(line)
    while out and not out[-1]:
        out.pop()
    return out


def compact(lines):
    """No blank line after a heading or banner; the brace of a function follows its head."""
    out = []
    for line in lines:
        last = out[-1] if out else ""
        if line == "{" and last.endswith(")") and len(last) + 2 <= WIDTH:
            out[-1] = last + " {"
        elif line or not re.match(r"/\* (----|====)", last):
            out.append(line)
    return out


def banner(title):
    return ("/* ==== %s " % title).ljust(WIDTH - 3, "=") + " */"


def headed(part, body):
    """A part under its banner, which is also the first line of the part's opening comment, if that fits."""
    title = re.fullmatch(r"/\* %s: (.*?)( \*/)?" % re.escape(part.name), body[0])
    if title and title.group(2):
        return [banner(part.path + ": " + title.group(1).rstrip("."))] + body[1:]
    if title and len(title.group(0)) + len("==== src/") <= WIDTH:
        first = "/* ==== %s: %s " % (part.path, title.group(1))
        return [(first.ljust(WIDTH, "=") if first.endswith(". ") else first).rstrip()] + body[1:]
    return [banner(part.path)] + body


def body_of(part, order, marks, report):
    """A part as it is in the header, and the system headers it wants. With marks nothing moves:
    dropped lines become blank, so that every line keeps its number."""
    bare = part.name in ("begin.h", "end.h") or part.name.endswith(".c")
    guarded = set() if bare else drop_guard(part, report)
    dropped, system = sort_includes(part, order, guarded, report)
    if marks:
        out = ['#line 1 "src/%s"' % part.name]
        out += ["" if at in dropped else line for at, line in enumerate(part.lines)]
    else:
        dropped = drop_empty_groups(part, dropped | part.without)
        out = []
        for at, line in enumerate(part.lines):
            if at in part.notes:
                own = at - head_comment(part, at)
                out[len(out) - own:len(out) - own] = part.notes[at]
            if at not in dropped:
                out.append(line)
        out = drop_short_headings(out, SHORT_SECTION if part.name.endswith(".h") and part.name != "api.h" else 1)
        if out[:2] == [SPDX, ""] and len(out) > 2 and out[2].startswith("   "):
            out[:3] = ["/* " + out[2].lstrip()]
        out = tidy(out)
    dimension = re.fullmatch(r"\w*?([23])\.h", part.name)
    if dimension:
        out = ["#if KINI_DIM == " + dimension.group(1)] + out + ["#endif"]
    return out, system


# ---- prototypes that one file does without ---------------------------------------------------------------------

class Private:
    """A prototype of a private function in a header: its lines, the comment above it and the one behind it."""

    def __init__(self, part, comment, first, last):
        self.part, self.comment, self.first, self.last = part, comment, first, last
        text = " ".join(" ".join(part.code[first:last + 1]).split())
        self.name = re.search(r"(\w+)\(", text).group(1)
        behind = re.search(r";\s*(/\*.*\*/)$", part.lines[last])
        self.note = part.lines[comment:first] + ([behind.group(1)] if behind else [])


def privates_of(part):
    at, found = 0, []
    while at < len(part.code):
        if part.code[at].startswith("KINI_PART") and "(" in part.code[at]:
            first = comment = at
            while not part.code[at].endswith(";"):
                at += 1
            while comment > 0 and part.lines[comment - 1] and not part.code[comment - 1].strip():
                comment -= 1
                if part.lines[comment].startswith("/*"):
                    break
            found.append(Private(part, comment, first, at))
        at += 1
    return found


def dimensions_of(part):
    twin = re.search(r"([23])\.[ch]$", part.name)
    return twin.group(1) if twin else "23"


def needless_prototypes(parts):
    """Those of functions that are defined before anything uses them, in each dimension."""
    privates = dict((private.name, private) for part in parts if part.name.endswith(".h") for private in privates_of(part))
    needless = dict(privates)
    for dimension in "23":
        known = set()
        for part in (part for part in parts if dimension in dimensions_of(part)):
            begins = dict((first, name) for _, name, first, _ in functions_of(part, Report()))
            own = set(at for private in privates.values() if private.part is part
                      for at in range(private.first, private.last + 1))
            for at, line in enumerate(part.code):
                known.add(begins.get(at + 1))
                if at not in own:
                    for word in re.findall(r"\bkini_\w+", line):
                        if word not in known:
                            needless.pop(word, None)
    return needless


def drop_prototypes(parts):
    """Takes them out of the headers; each comment goes to the function."""
    needless = needless_prototypes(parts)
    for part in parts:
        gone = set(at for private in needless.values() if private.part is part
                   for at in range(private.comment, private.last + 1))
        notes = dict((first - 1, needless[name].note) for _, name, first, _ in functions_of(part, Report())
                     if name in needless)
        part.notes, part.without = notes, gone
    return needless


def declarations_of(needless):
    out = ["/* Made from src/ by tools/amalgamate.py. */"]
    for private in needless.values():
        out += private.part.lines[private.first:private.last + 1]
    return "\n".join(out) + "\n"


def head_comment(part, at):
    """Where the comment above a function begins, or its head."""
    while at > 0 and part.lines[at - 1] and not part.code[at - 1].strip():
        at -= 1
    return at


def undefine_helpers(parts):
    names = set()
    for part in parts:
        names.update(re.match(r"\w+", rest).group(0) for _, name, rest in part.directives()
                     if name == "define" and rest.startswith("KINI_"))
    return ["#undef " + name for name in sorted(names) if not name.endswith("_H")]


def read_order(report):
    with open(os.path.join(ROOT, "src", "order.txt"), encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    order = [line for line in lines if line]
    present = [name for name in os.listdir(os.path.join(ROOT, "src")) if name.endswith((".c", ".h"))]
    for name in order:
        if name not in present:
            report.add("src/order.txt", 1, "lists %s, which does not exist" % name)
        if order.count(name) > 1:
            report.add("src/order.txt", 1, "lists %s twice" % name)
    for name in sorted(present):
        if name not in order:
            report.add("src/order.txt", 1, "does not list " + name)
    report.stop_if_any()
    if order[:2] != ["begin.h", "api.h"] or order[-1] != "end.h":
        report.add("src/order.txt", 1, "must begin with begin.h and api.h and end with end.h")
        report.stop_if_any()
    return order


def read_text(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        lines = [line.rstrip() for line in file.read().split("\n")]
    if any("*/" in line or "/*" in line for line in lines):
        raise Trouble("%s: must not contain comment marks" % name)
    return tidy(lines)


def as_comment(lines):
    return ["/* " + lines[0]] + ["   " + line if line else "" for line in lines[1:]] + ["*/"]


def join(marks):
    report = Report()
    order = read_order(report)
    parts = [Part(name, report) for name in order]
    report.stop_if_any()
    begin, api, inner, end = parts[0], parts[1], parts[2:-1], parts[-1]

    kinds = [part.name[-1] for part in inner]
    if kinds != sorted(kinds, reverse=True) or "c" not in kinds:
        report.add("src/order.txt", 1, "all headers come before all other parts")
        report.stop_if_any()

    manual, licence = read_text("src/manual.txt"), read_text("LICENSE")
    choice = next(at for at, line in enumerate(licence) if line.startswith("Choice B"))
    licence[choice + 1:] = ["", "The text of the Unlicense is in the file LICENSE and at https://unlicense.org."]
    prototypes = prototypes_of(api, report)
    public = set(prototype.name for prototype in prototypes)
    check_versions(api, manual[0], report)
    check_members(api, report)
    check_clashes(parts, report)
    for part in parts:
        check_names(part, report)
        check_functions(part, public, report)

    needless = {} if marks else drop_prototypes(parts)
    begin_body, begin_system = body_of(begin, order, marks, report)
    api_body, api_system = body_of(api, order, marks, report)
    inner_bodies, inner_system = [], set()
    for part in inner:
        body, system = body_of(part, order, marks, report)
        inner_bodies.append((part, body))
        inner_system.update(system)
    end_body, end_system = body_of(end, order, marks, report)
    if begin_system or end_system:
        report.add("src/order.txt", 1, "begin.h and end.h include nothing")
    report.stop_if_any()

    out = as_comment(manual)
    out += ["", "/* Made from src/ by tools/amalgamate.py. Change the parts, not this file. */", ""] + begin_body
    out += ["", "#ifndef KIN_INCLUDED", "#define KIN_INCLUDED", ""]
    out += ["#include " + name for name in sorted(set(api_system))]
    out += ["", "/* The linker sees kin2_ or kin3_. So both can live in one program, and mixing them up is an",
            "   undefined symbol instead of a crash. */",
            "#if KINEMATIC_DIM == 2", "#define KIN_NAMED(name) kin2_##name",
            "#else", "#define KIN_NAMED(name) kin3_##name", "#endif"]
    out += rename_table(api, prototypes)
    out += ["", "/* Old libraries make bool an int, which would change the structs below. */",
            "#if !defined(__cplusplus) && defined(bool)", '#pragma push_macro("bool")', "#undef bool",
            "#define bool _Bool", "#endif"]
    out += ["", "#ifdef __cplusplus", 'extern "C" {', "#endif", "", banner("src/api.h")] + api_body
    out += ["", "#if !defined(__cplusplus) && defined(bool)", '#pragma pop_macro("bool")', "#endif"]
    out += ["", "#ifdef __cplusplus", "}", "",
            "/* The same with references, so that a descriptor can be made in the call. What may be NULL stays a pointer. */"]
    out += cpp_overloads(prototypes)
    out += ["#endif", "", "#endif /* KIN_INCLUDED */", ""]
    out += ["#if defined(KINEMATIC_IMPLEMENTATION) && !defined(KIN_IMPLEMENTED)", "#define KIN_IMPLEMENTED",
            "#define KINEMATIC_SINGLE_FILE", ""]
    out += ["#include " + name for name in sorted(inner_system)]
    for part, body in inner_bodies:
        if marks or blank_comments("\n".join(body)).strip():   # else none of its prototypes is needed
            out += [""] + headed(part, body)
    out += ["", banner(end.path)] + end_body
    out += ["", "/* Nothing private stays behind but names that begin with kini_; our own tests keep the macros too. */",
            "#ifndef KINI_KEEP_MACROS"]
    out += undefine_helpers(inner)
    out += ["#undef KINEMATIC_SINGLE_FILE", "#endif", "", "#endif /* KIN_IMPLEMENTED */", ""]
    out += as_comment(licence)
    return "\n".join(out if marks else compact(tidy(out))) + "\n", declarations_of(needless)


def write(path, text):
    """All or nothing: a temporary file in the same folder, then renamed. Untouched if nothing changed."""
    data = text.encode("utf-8")
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    temporary = "%s.%d.tmp" % (path, os.getpid())
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def check(path, text):
    have = ""
    if os.path.exists(path):
        with open(path, "rb") as file:
            have = file.read().decode("utf-8", "replace")
    if have == text:
        return 0
    print("%s is not what src/ gives. Repair it with: make kinematic.h" % os.path.relpath(path), file=sys.stderr)
    for number, (old, new) in enumerate(zip(have.split("\n"), text.split("\n")), 1):
        if old != new:
            print("first difference in line %d:\n  is         %s\n  should be  %s" % (number, old, new), file=sys.stderr)
            break
    return 1


def main():
    parser = argparse.ArgumentParser(description="Joins the parts in src/ into kinematic.h.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--line", action="store_true", help="add #line marks back to src/")
    parser.add_argument("--output", default=os.path.join(ROOT, "kinematic.h"), help="file to write")
    parser.add_argument("--declarations", help="file for the prototypes that the header does without")
    arguments = parser.parse_args()
    try:
        text, declarations = join(arguments.line)
    except (Trouble, OSError) as trouble:
        print(trouble, file=sys.stderr)
        return 1
    if arguments.check:
        return check(arguments.output, text)
    if arguments.declarations:
        write(arguments.declarations, declarations)
    else:
        write(arguments.output, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
