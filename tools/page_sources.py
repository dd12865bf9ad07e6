# SPDX-License-Identifier: MIT OR Unlicense
"""The sources of tools/pages.py: the interface in src/api.h, the manual, the examples, Markdown."""
import glob
import html
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Trouble(Exception):
    """Something in the sources that the pages cannot show."""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


# ---- the interface -----------------------------------------------------------------------------------------------

class Item:
    """A function, struct, enum, type or macro of api.h."""

    def __init__(self, kind, name, section):
        self.kind, self.name, self.section = kind, name, section
        self.comment = ""          # its own
        self.group = ""            # what stands above it and the next ones
        self.code = {}             # by dimension: 0 for both, else 2 and 3
        self.members = {}          # the same, of structs and enums with a line for each: [(code, comment)]

    def dimensions(self):
        return sorted(self.code)


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def strip_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def comment_text(text):
    return one_line(" ".join(re.findall(r"/\*(.*?)\*/", text, re.S)))


def tidy(code):
    """A declaration as a reader wants it: no marks for the linker, no blanks that only align."""
    code = re.sub(r"\bKIN_API\s+", "", strip_comments(code))
    code = re.sub(r"\s*KIN_FOR_TCC\([^)]*\)\s*", " ", code)
    return re.sub(r"\s+([;,)])", r"\1", one_line(code))


def name_of(code):
    """(kind, name) of a declaration"""
    flat = tidy(code)
    for kind, pattern in (("struct", r"typedef struct (\w+) \{"), ("enum", r"typedef enum (\w+) \{"),
                          ("type", r"typedef struct (\w+) \1;"), ("type", r"typedef .*?[ *](\w+)\("),
                          ("type", r"typedef .*?(\w+);"), ("enum", r"enum \{ (\w+)"),
                          ("function", r".*?[ *](kin_\w+)\(")):
        found = re.match(pattern, flat)
        if found:
            return kind, found.group(1)
    raise Trouble("src/api.h: not understood: " + flat)


def members_of(code):
    """[(code, comment)] of a struct or enum that is written over several lines"""
    inside = code[code.index("{") + 1:code.rindex("}")]
    rows, above = [], ""
    for piece in re.findall(r"^\s*/\*.*?\*/[ ]*\n|^[^\n]*\n", inside + "\n", re.M | re.S):
        bare = one_line(strip_comments(piece))
        if bare:
            rows.append((re.sub(r"\s*KIN_FOR_TCC\([^)]*\)", "", bare), one_line(above + " " + comment_text(piece))))
            above = ""
        elif comment_text(piece):
            above = comment_text(piece)
    return rows


class Interface:
    """Reads api.h from top to bottom. A comment above a declaration belongs to it; if that has one at its end as well,
    the one above belongs to it and to all that follow without a gap."""

    def __init__(self):
        self.items, self.sections, self.by_name = [], ["version"], {}
        self.dimension, self.above, self.group = 0, "", ""
        text = read("src/api.h")
        self.lines = text[text.index("#define KIN_VERSION_MAJOR"):].split("\n")
        self.at = 0
        while self.at < len(self.lines):
            self.take_line(self.lines[self.at])

    def take_line(self, line):
        banner = re.match(r"/\* ---- (.*?) -+ \*/", line)
        self.at += 1
        if banner:
            self.sections.append(banner.group(1))
            self.above = self.group = ""
        elif not line.strip():
            self.group = ""
        elif line.startswith("#"):
            self.take_directive(line)
        elif line.startswith("/*"):
            while "*/" not in line:
                line += "\n" + self.lines[self.at]
                self.at += 1
            self.above, self.group = comment_text(line), ""
        else:
            self.take_declaration(line)

    def take_directive(self, line):
        if re.match(r"#define KIN_VERSION ", line):
            self.add(Item("macro", "KIN_VERSION", self.sections[-1]), "KIN_VERSION", "",
                     "The version of the header as one number: 10000 * major + 100 * minor + patch.")
        elif re.match(r"#if KINEMATIC_DIM == 2", line):
            self.dimension = 2
        elif line.startswith("#else") and self.dimension == 2:
            self.dimension = 3
        elif line.startswith("#endif"):
            self.dimension, self.above = 0, ""
        elif line.startswith("#if") and not line.startswith("#ifndef KINEMATIC_NO_"):   # those are shown
            depth = 1
            while depth:
                depth += self.lines[self.at].startswith("#if") - self.lines[self.at].startswith("#endif")
                self.at += 1
            self.above = ""

    def take_declaration(self, line):
        def ended(text):
            bare = strip_comments(text)
            return bare.count("{") == bare.count("}") and bare.rstrip().endswith(";") and "/*" not in bare
        while not ended(line):
            if self.at == len(self.lines):
                raise Trouble("src/api.h: a declaration does not end: " + line[:80])
            line += "\n" + self.lines[self.at]
            self.at += 1
        kind, name = name_of(line)
        item = self.by_name.get(name) or Item(kind, name, self.sections[-1])
        over_lines = kind in ("struct", "enum") and "\n" in line
        blank = re.sub(r"/\*.*?\*/", lambda found: " " * len(found.group()), line, flags=re.S)
        own = "" if over_lines else comment_text(line[blank.rindex(";"):])
        if over_lines:
            item.members[self.dimension] = members_of(line)
        if self.above and (own or not over_lines and self.group):
            self.group, self.above = self.above, ""
        item.group = item.group or ("" if own == "" else self.group)
        above, self.above = self.above, "" if self.dimension != 2 else self.above
        self.add(item, name, tidy(line), own or above)

    def add(self, item, name, code, comment):
        if name not in self.by_name:
            self.items.append(item)
            self.by_name[name] = item
        item.code[self.dimension] = code
        if comment and comment not in item.comment:
            item.comment = "2D: %s; 3D: %s" % (item.comment, comment) if item.comment else comment

    def constants(self):
        """{KIN_NAME: name of the enum it is in}"""
        out = {}
        for item in self.items:
            if item.kind == "enum":
                for code in item.code.values():
                    for name in re.findall(r"\bKIN_[A-Z]\w*", code):
                        out[name] = item.name
        return out

    def member_names(self):
        return set(name for item in self.items for rows in item.members.values() if item.kind == "struct"
                   for code, _ in rows for name in re.findall(r"\b([a-z]\w*_\w+)\b(?=[;,\[)])", code)
                   if not name.startswith("kin_"))


# ---- examples ----------------------------------------------------------------------------------------------------

MOST_LINES = 14    # of an example that is found by itself


class Example:
    def __init__(self, code, path, title):
        self.code, self.path, self.title = code, path, title


def written_examples():
    """{name: Example}: those that were written for the reference"""
    out = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "tests/manual/*.c"))):
        path = os.path.relpath(path, ROOT)
        for names, code in re.findall(r"^ */\* Example: (.*?) \*/\n(.*?)^ */\* End \*/", read(path), re.M | re.S):
            code = re.sub(r" {3,}//", "  //", re.sub(r"^    ", "", code, flags=re.M)).rstrip()
            for name in names.split(", "):
                out[name] = Example(code, path, "")
    return out


def whole_manual():
    """The manual of the header, with the recipes in full in place of their list."""
    recipes = read("docs/recipes.txt") + "\n"
    return re.sub(r"(?ms)^RECIPES\n.*?(?=^GOOD TO KNOW$)", lambda _: recipes, read("src/manual.txt"))


def manual_snippets():
    """[(title, code)]: blocks of the manual that are indented by 8"""
    found, title, block = [], "", []
    for line in whole_manual().split("\n") + ["END"]:
        if block and (line.startswith(" " * 8) or not line):
            block.append(line[8:])
            continue
        if block:
            found.append((title, "\n".join(block).rstrip()))
            block = []
        heading = re.fullmatch(r"(?:  )?([A-Z][A-Za-z0-9 -]*)", line)
        if heading:
            title = heading.group(1)
        elif re.match(r" {8}\S", line) and not re.match(r" {8}KINEMATIC_", line):
            block = [line[8:]]
    return found


def functions_in(text):
    """[code] of a C file, functions with the comment above them"""
    comment, head = r"(?:/\*(?:[^*]|\*(?!/))*\*/\n)?", r"(?:static )?[\w ]+[ *]\w+\([^;{]*\)\n"
    return re.findall(r"^%s%s\{\n.*?^\}" % (comment, head), text, re.M | re.S)


def around(code, name):
    """Some lines of a longer piece around the use of a name, cut at the edges of blocks where possible."""
    lines = code.split("\n")
    if len(lines) <= MOST_LINES:
        return code
    at = next(i for i, line in enumerate(lines) if re.search(r"\b%s\b" % name, line))
    first, last = max(0, at - 4), min(len(lines), at + 6)
    while last < min(len(lines), first + MOST_LINES) and not lines[last - 1].rstrip().endswith((";", "}", "{", "*/")):
        last += 1
    cut = lines[first:last]
    blank = min([len(line) - len(line.lstrip()) for line in cut if line.strip()] or [0])
    return "\n".join(line[blank:] for line in cut).strip("\n")


def find_example(name, written, snippets):
    """The shortest of the manual, else of the examples."""
    if name in written:
        return written[name]
    use = re.compile(r"\b%s\b" % name + (r"\(" if re.match(r"kin_(?!\w+_desc|\w+_fn)", name) else ""))
    plain = re.compile(r"\b%s\b" % name)
    for pattern in (use, plain):
        fits = [(title, code) for title, code in snippets if pattern.search(code)]
        if fits:
            title, code = min(fits, key=lambda one: len(one[1]))
            return Example(around(code, name), "src/manual.txt", title)
        pieces = []
        for path in sorted(glob.glob(os.path.join(ROOT, "examples/*.c"))):
            path = os.path.relpath(path, ROOT)
            pieces += [(code, path) for code in functions_in(read(path)) if pattern.search(code)]
        if pieces:
            code, path = min(pieces, key=lambda one: len(one[0]))
            return Example(around(code, name), path, "")
    return None


# ---- HTML --------------------------------------------------------------------------------------------------------

KEYWORDS = set("""auto bool break case char const continue default do double else enum extern false float for if inline
int long return short signed sizeof static struct switch true typedef union unsigned void volatile while NULL uint8_t
uint32_t uint64_t size_t""".split())
TOKEN = re.compile(r"(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|"
                   r"(?P<directive>^[ ]*#\w+)|(?P<number>\b(?:0x[0-9A-Fa-f]+|\d+\.?\d*(?:e-?\d+)?)[fuU]*\b)|"
                   r"(?P<name>[A-Za-z_]\w*)|(?P<other>.)", re.S | re.M)


def escape(text):
    return html.escape(text, quote=False)


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


class Writer:
    """Text and code as HTML; names of the interface become links to their place in the reference."""

    def __init__(self, interface, page=""):
        self.interface, self.page = interface, page
        self.targets = {item.name: item.name for item in interface.items}
        self.targets.update(interface.constants())
        self.members = interface.member_names()

    def link(self, name, inside):
        target = self.targets.get(name)
        place = "" if self.page == "reference.html" else "reference.html"
        return '<a href="%s#%s">%s</a>' % (place, target, inside) if target else inside

    def code(self, text):
        out = []
        for token in TOKEN.finditer(text):
            kind, piece = token.lastgroup, token.group()
            shown = escape(piece)
            if kind == "name" and piece in self.targets:
                out.append(self.link(piece, shown))
            elif kind == "name":
                out.append("<b>%s</b>" % shown if piece in KEYWORDS else shown)
            elif kind in ("comment", "string", "directive", "number"):
                out.append('<i class="%s">%s</i>' % (kind[0], shown))
            else:
                out.append(shown)
        return "".join(out)

    def block(self, text):
        return "<pre><code>%s</code></pre>" % self.code(text)

    def names(self, text):
        """Plain text, in which names of the interface are set as code."""
        def mark(found):
            name = found.group()
            if name in self.targets:
                return self.link(name, "<code>%s</code>" % name)
            return "<code>%s</code>" % name if name in self.members or name.startswith(("KIN", "kin_")) else name
        return "".join("<code>%s</code>" % escape(piece[1:-1]) if piece.startswith("`") else
                       re.sub(r"\b[A-Za-z]\w*_\w+\b", mark, escape(piece)) for piece in re.split(r"(`[^`]+`)", text))

    def inline(self, text):
        """Markdown within a line"""
        out = []
        for piece in re.split(r"(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*)", text):
            link = re.fullmatch(r"\[([^\]]+)\]\(([^)]+)\)", piece)
            if piece.startswith("`"):
                out.append("<code>%s</code>" % self.code(piece[1:-1]))
            elif piece.startswith("**"):
                out.append("<strong>%s</strong>" % self.inline(piece[2:-2]))
            elif link:
                out.append('<a href="%s">%s</a>' % (html.escape(link.group(2)), self.inline(link.group(1))))
            else:
                out.append(escape(piece))
        return "".join(out)

    def table(self, lines, keys=None):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        out = ['<div class="wide"><table>', "<thead><tr>%s</tr></thead><tbody>" % "".join(
            "<th>%s</th>" % self.inline(cell) for cell in rows[0])]
        for row in rows[2:]:
            mark = keys and keys(row[0])
            out.append("<tr%s>%s</tr>" % (' id="%s"' % mark if mark else "", "".join(
                '<td data-label="%s">%s</td>' % (escape(head), self.inline(cell)) for head, cell in zip(rows[0], row))))
        return "\n".join(out + ["</tbody></table></div>"])

    def markdown(self, text, keys=None):
        """(html, [(level, id, title)])"""
        out, heads = [], []
        blocks = re.split(r"\n{2,}", text.strip())
        for block in blocks:
            lines = block.split("\n")
            if lines[0].startswith("#"):
                level = len(lines[0]) - len(lines[0].lstrip("#"))
                title = lines[0].lstrip("# ")
                heads.append((level, slug(title), title))
                out.append('<h%d id="%s">%s</h%d>' % (level, slug(title), self.inline(title), level))
                lines = lines[1:]
            if not lines:
                continue
            if lines[0].startswith("|"):
                out.append(self.table(lines, keys))
            elif lines[0].startswith("```"):
                out.append(self.block("\n".join(lines[1:-1])))
            elif lines[0].startswith("- "):
                points = re.split(r"^- ", "\n".join(lines), flags=re.M)[1:]
                out.append("<ul>%s</ul>" % "\n".join("<li>%s</li>" % self.inline(one_line(point)) for point in points))
            else:
                out.append("<p>%s</p>" % self.inline(one_line("\n".join(lines))))
        return "\n".join(out), heads


# ---- the manual --------------------------------------------------------------------------------------------------

class Manual:
    """src/manual.txt and docs/recipes.txt: headings in capitals, recipes indented by 2, text by 4, code by 8;
    tables as in README.md, indented by 4."""

    def __init__(self, writer):
        self.writer, self.out, self.heads = writer, [], []
        self.title = ""
        text = whole_manual()
        self.first, _, rest = text.partition("\n")
        for chunk in re.split(r"\n(?=\S)", rest.strip("\n")):
            self.section(chunk)

    def head(self, level, title):
        name = slug(title)
        self.heads.append((level, name, title))
        self.out.append('<h%d id="%s">%s</h%d>' % (level, name, escape(title), level))

    def section(self, chunk):
        lines = chunk.split("\n")
        self.title = lines[0].capitalize()
        if self.title == "Contents":
            return
        self.head(2, self.title)
        paragraph = []
        for line in lines[1:] + [""]:
            kind = self.kind_of(line)
            if paragraph and self.kind_of(paragraph[0]) in ("word", "stage", "option") and re.match(r" {12}", line):
                kind = self.kind_of(paragraph[0])   # the line before goes on
            goes_on = not line and paragraph and self.kind_of(paragraph[0]) == "code"
            if paragraph and kind != self.kind_of(paragraph[0]) and not goes_on:
                self.paragraph(paragraph)
                paragraph = []
            if kind == "recipe":
                self.head(3, line.strip())
            elif kind:
                paragraph.append(line)
            elif goes_on:
                paragraph.append(line)
        self.paragraph(paragraph)

    @staticmethod
    def kind_of(line):
        if not line.strip():
            return ""
        if re.match(r"  \S", line):
            return "recipe"
        if re.match(r" {8}KINEMATIC_", line):
            return "option"
        if re.match(r" {8}", line):
            return "code"
        if re.match(r" {4}\|", line):
            return "rows"
        if re.match(r" {4}\w+\s+[0-9A-F]{6}  ", line):
            return "colour"
        if re.match(r" {3,4}\d+ [A-Z]\w+  +", line):
            return "stage"
        if re.match(r" {4}[a-z-]+ {2,}\S", line):
            return "word"
        return "text"

    def paragraph(self, lines):
        if not any(line.strip() for line in lines):
            return
        kind = self.kind_of(lines[0])
        if self.title == "Words":
            kind = "word"
        getattr(self, kind)(lines)

    def text(self, lines):
        text = self.writer.names(one_line(" ".join(lines)))
        if self.title == "Good to know":   # single facts: one point for each sentence
            points = re.split(r"(?<=[.]) (?=\w|<)", text)
            self.out.append("<ul>%s</ul>" % "\n".join("<li>%s</li>" % point for point in points))
        else:
            self.out.append("<p>%s</p>" % text)

    def code(self, lines):
        self.out.append(self.writer.block("\n".join(line[8:] for line in lines).rstrip()))

    def rows(self, lines):
        self.out.append(self.writer.table(lines))

    def word(self, lines):
        rows = []
        for line in lines:
            found = re.match(r" {4}([a-z-]+) {2,}(.*)", line)
            if found:
                rows.append(list(found.groups()))
            elif rows:
                rows[-1][1] += " " + line.strip()
        self.out.append('<dl class="words">%s</dl>' % "\n".join(
            '<dt id="word-%s">%s</dt><dd>%s</dd>' % (slug(name), name, self.writer.names(text)) for name, text in rows))

    def stage(self, lines):
        rows = []
        for line in lines:
            found = re.match(r"\s*(\d+) (\w+)\s+(.*)", line)
            if found:
                rows.append(list(found.groups()))
            elif rows:
                rows[-1][2] += " " + line.strip()
        self.out.append('<ol class="steps">%s</ol><p><a href="stages.html">The stages in pictures.</a></p>' % "\n".join(
            '<li><a href="stages.html#%s">%s</a> %s</li>' % (slug(name), name, self.writer.names(text))
            for _, name, text in rows))

    def colour(self, lines):
        rows = [found for line in lines
                for found in re.findall(r"(\S+)\s+([0-9A-F]{6})\s{2,}(.*?)(?=\s{3,}\S+\s+[0-9A-F]{6}|$)", line)]
        self.out.append('<ul class="colours">%s</ul>' % "\n".join(
            '<li><svg viewBox="0 0 16 16" aria-hidden="true"><rect width="16" height="16" rx="3" fill="#%s"/></svg>'
            ' <span>%s</span> %s</li>' % (value, name, escape(text)) for name, value, text in rows))

    def option(self, lines):
        rows = []
        for line in lines:
            found = re.match(r" {8}(KINEMATIC_\w+(?:\([^)]*\))?(?:, KINEMATIC_\w+\([^)]*\))?)(.*)", line)
            if found:
                start = 8 + len(found.group(1))
                rows.append([found.group(1), line[max(34, start):42].strip(), line[max(42, start):].strip()])
            elif rows:
                rows[-1][2] += " " + line.strip()
        cells = "\n".join("<tr><td><code>%s</code></td><td>%s</td><td>%s</td></tr>" % (
            escape(name).replace("), K", ")</code><br><code>K"),
            "<code>%s</code>" % escape(default) if default else "", self.writer.names(text.strip()))
            for name, default, text in rows)
        self.out.append('<div class="wide"><table class="options"><thead><tr><th>define</th><th>default</th>'
                        "<th>meaning</th></tr></thead><tbody>%s</tbody></table></div>" % cells)


def section_title(name):
    """Banners of api.h are lower case and may go on after a colon or semicolon."""
    short = re.split(r"[:;]", name)[0].strip()
    return short[0].upper() + short[1:]
