#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Makes the pages in docs/ from the header, the manual, the examples and the catalogue.

  tools/pages.py             writes docs/*.html
  tools/pages.py --check     compares instead of writing; exit code 1 and a message if they differ

docs/style.css, recipes.txt, coming-from.md and bench.json are written by hand (bench.json also by bench/run.py --json);
docs/playground.html, which the front page shows, is made by `make docs/playground.html`.
The same input gives the same bytes. Sources are read by page_sources.py, pictures drawn by page_pictures.py.
"""
import argparse
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import page_pictures as pictures  # noqa: E402
from page_sources import (ROOT, Interface, Manual, Trouble, Writer, escape, find_example, manual_snippets,  # noqa: E402
                          one_line, read, section_title, slug, written_examples)

DOCS = os.path.join(ROOT, "docs")
SOURCE = "../"    # where the pages find the source tree
PAGES = [("index.html", "kinematic.h"), ("manual.html", "Manual"), ("reference.html", "Reference"),
         ("cheatsheet.html", "Cheat sheet"), ("coming-from.html", "Coming from"), ("stages.html", "Stages"),
         ("catalogue.html", "Behaviours"), ("bench.html", "Bench")]

# Types that have no comment of their own in api.h.
WORDS = {
    "kin_vec": "A vector or a point.", "kin_world": "A world. Only pointers to it are handed out.",
    "kin_event_type": "What an event tells.", "kin_event": "Something that happened in a step.",
    "kin_event_fn": "Called at the end of each step, once for each event.",
    "kin_log_fn": "Called with one line of text for each call that was refused.",
    "kin_alloc_fn": "Gives memory that suits every type, or NULL.", "kin_free_fn": "Takes memory back.",
    "kin_world_desc": "How a world is made. Zero is the default in [brackets].",
    "kin_stats": "Counts of a world.", "kin_static_desc": "How a static is made.",
    "kin_mover_desc": "How a mover is made.", "kin_body_desc": "How a body is made.",
    "kin_tiles_desc": "How a grid of tiles is made.",
    "kin_tile": "What a value from 4 to 255 means in a grid.", "kin_form": "What a thing is made of.",
    "kin_footing": "How a body stands.", "kin_ground": "What a body stands on.",
    "kin_contact": "One thing that another one touches.", "kin_hit": "What a cast or a test found.",
    "kin_filter": "What a question is about.", "kin_draw": "Two functions of yours that draw.",
    "kin_draw_options": "What kin_debug_draw_options draws.",
    "KIN_DRAW_SHAPES": "Layers of kin_debug_draw_options; add the ones that you want.",
}


# A hero on a platform.
ICON = ("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
        "%3Crect y='11' width='16' height='5' fill='%233f8ae0'/%3E"
        "%3Crect x='4' y='1' width='7' height='10' rx='3.5' fill='%233fa653'/%3E%3C/svg%3E")


# ---- the frame of a page -----------------------------------------------------------------------------------------

def contents(heads):
    rows = ['<li class="l%d"><a href="#%s">%s</a></li>' % (level, name, title) for level, name, title in heads]
    return '<nav class="toc" aria-label="Contents"><ul>\n%s\n</ul></nav>' % "\n".join(rows)


def frame(path, title, body, heads=None, full=False, lead=""):
    links = "\n".join('<a href="%s"%s>%s</a>' % (where, ' class="home"' if where == "index.html" else
                                                 ' class="here" aria-current="page"' if where == path else "", name)
                      for where, name in PAGES)
    return """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="%s">
<title>%s</title>
<link rel="icon" href="%s">
<link rel="stylesheet" href="style.css">
</head>
<body>
<header class="bar"><nav aria-label="Pages">
%s
</nav></header>
<div class="page%s">
%s<main%s>
%s
</main>
</div>
<footer>%s. MIT or Unlicense, whichever you prefer. Made from the sources by tools/pages.py.</footer>
</body>
</html>
""" % (escape(lead or title), escape(title), ICON, links, " with-toc" if heads else "",
       contents(heads) + "\n" if heads else "", ' class="full"' if full else "", body, version())


def version():
    return "kinematic.h " + re.match(r"kinematic\.h (\S+):", read("src/manual.txt")).group(1)


# ---- the front page ----------------------------------------------------------------------------------------------

FEATURES = [
    (lambda: pictures.stage_picture("Carry"), "Rides that do not drift",
     "Movers go first. Whatever stands on a lift, a shuttle or a turntable goes along in the same step, exactly, and "
     "keeps its place for hours."),
    (lambda: pictures.stage_picture("Pairs"), "Whole rows are pushed",
     "Heroes push crates, crates push crates. A row moves together or stops together, whatever the order in which "
     "things were added."),
    (lambda: pictures.stage_picture("Crush"), "A crush is an event",
     "What has no room left is told, with what squeezed it. Movers pass or wait, as you like. No body ends in a "
     "wall."),
    (lambda: pictures.svg(pictures.one_way(), "Up through a one-way ledge, and down by a call"), "One-way floors",
     "From below you come through, from above you land, one call drops you. On lifts and tiles, at any angle."),
    (lambda: pictures.svg(pictures.tiles(), "Tiles with slopes, one-ways, a belt and coins"), "Levels of tiles",
     "Grids with slopes, one-ways, belts and sensors, beside free shapes and meshes. No seams, and cells may "
     "change at any time."),
    (lambda: pictures.svg(pictures.rollback(), "A wrong guess is played again from a snapshot"),
     "The same bits everywhere",
     "A fixed step, poses to draw in between, snapshots that continue bit for bit and a hash to compare: rollback "
     "works."),
]


def readme_part(title):
    found = re.search(r"^## %s\n(.*?)(?=^## )" % re.escape(title), read("README.md"), re.M | re.S)
    if not found:
        raise Trouble("README.md has no section " + title)
    return found.group(1).strip()


def own_links(text):
    """Links of README.md, which are relative to the root."""
    return re.sub(r"\]\((?!https?:|#)(?:docs/)?([^)]+)\)", lambda found: "](%s)" % (
        found.group(1) if found.group(0).startswith("](docs/") else SOURCE + found.group(1)), text)


def scenes():
    """Pictures of the playground, if they are there."""
    folder = os.path.join(DOCS, "playground")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    shown = [(name, name[:-4].replace("-", " ").capitalize()) for name in names
             if name.endswith(".png") and name != "empty.png"]
    if not shown:
        return ""
    figures = ['<figure><img src="playground/%s" alt="Scene: %s" loading="lazy"><figcaption>%s</figcaption></figure>'
               % (name, title, title) for name, title in shown]
    return '<h2 id="scenes">Scenes of the playground</h2>\n<div class="scenes">%s</div>\n' % "\n".join(figures)


def front(writer):
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", read("README.md"), re.M | re.S)
    show = """<iframe src="playground.html" title="Playground" allow="clipboard-write *; gamepad *"></iframe>
<noscript><img src="playground/platformer.png" width="800" height="460" alt="A level of tiles with crates and a lift">
</noscript>
<figcaption>The playground: play, take the level apart while it runs, take it along as C.
<a href="playground.html">Open it in a page of its own.</a></figcaption>"""
    intro = one_line(read("README.md").split("\n\n")[1])
    cards = "\n".join('<div class="card">%s<h3>%s</h3><p>%s</p></div>' % (draw(), title, words)
                      for draw, title, words in FEATURES)
    table, _ = writer.markdown(own_links(readme_part("Beside others")))
    lists, _ = writer.markdown(own_links(readme_part("What it does")))
    body = """<div class="hero"><h1>kinematic.h</h1>
<div class="buttons"><a class="first" href="manual.html">Manual</a>
<a href="%skinematic.h">The header</a></div></div>
<p class="lead">%s</p>
<figure class="stage-show">%s</figure>
<h2 id="what">What it does</h2>
<div class="cards">%s</div>
%s
%s<h2 id="program">A whole program</h2>
<p>Copy one file, define one macro, and this walks, jumps, rides a lift and gets off again:</p>
<div class="two"><div>%s</div><div><p class="soft">It prints</p><pre><code>%s</code></pre>
<p>More: <a href="manual.html#recipes">recipes</a> for jumps, lifts, crates, crushers, tiles, stairs, cameras and
rollback; <a href="%sexamples">complete programs</a>; the <a href="stages.html">stages of a step</a> in pictures; what
users of <a href="coming-from.html#godot">Godot</a>, <a href="coming-from.html#unity">Unity</a>,
<a href="coming-from.html#box2d">Box2D</a> and <a href="coming-from.html#bump-lua">bump</a> know under other
names.</p></div></div>
<h2 id="beside-others">Beside others</h2>
%s""" % (SOURCE, writer.names(intro), show, cards, lists, scenes(), writer.block(blocks[0][1].rstrip()),
         escape(blocks[1][1].rstrip()), SOURCE, table.replace("<table>", '<table class="compare">'))
    return frame("index.html", "kinematic.h: kinematic physics for games in one C header", body, full=True, lead=intro)


# ---- manual, stages, catalogue, coming from ----------------------------------------------------------------------

def manual(writer):
    made = Manual(writer)
    body = """<h1>Manual</h1>
<p class="lead">%s The same text, with the recipes in short, stands at the top of the header.</p>
%s""" % (escape(made.first), "\n".join(made.out))
    return frame("manual.html", "Manual of kinematic.h", body, made.heads)


def stages(writer):
    figures = "\n".join('<figure id="%s">%s<figcaption><h3><span>%d</span>%s</h3>%s</figcaption></figure>' % (
        slug(title), pictures.stage_picture(title), i, title, writer.names(words))
        for i, (title, _, words) in enumerate(pictures.STAGES, 1))
    around = "\n".join('<figure>%s<figcaption><h3>%s</h3>%s</figcaption></figure>' % (
        pictures.svg(draw(), title + ": " + words.split(".")[0]), title, writer.names(words))
        for title, draw, words in pictures.AROUND)
    listed = re.findall(r"^ {3,4}\d+ (\w+)  ", read("src/manual.txt"), re.M)
    if listed != [title for title, _, _ in pictures.STAGES]:
        raise Trouble("the stages in src/manual.txt are %s" % ", ".join(listed))
    body = """<h1>The stages of a step</h1>
<p class="lead">%s runs these ten stages, one after the other. The source has a part for each of them.</p>
<p>Dashed outlines are where things were. Blue are movers, green is a body of yours, orange are crates, grey is the
level.</p>
<div class="stages">%s</div>
<h2 id="around-the-step">Around the step</h2>
<div class="stages">%s</div>
<h2 id="parts">The parts of the source</h2>
<p>The header is joined from the parts in <a href="%ssrc">src/</a>. They stand in layers; an arrow is a call.</p>
<p class="paper"><img src="parts.svg" alt="The parts of the source in layers, with arrows for calls"></p>""" % (
        writer.link("kin_world_step", "<code>kin_world_step</code>"), figures, around, SOURCE)
    return frame("stages.html", "The stages of a step of kinematic.h", body, full=True)


def stacked(made, kind="stack"):
    """Tables whose cells stand below each other on a phone"""
    return made.replace("<table>", '<table class="%s">' % kind)


def catalogue(writer):
    text = read("tests/scenarios/README.md")
    text = re.sub(r"\]\((\.\./)?([^)#:]+)\)", lambda found: "](%stests/%s%s)" % (
        SOURCE, "" if found.group(1) else "scenarios/", found.group(2)), text)

    def key(cell):
        name = cell.strip("`")
        return name if re.fullmatch(r"[A-Z]\d\d[a-z]?", name) or re.fullmatch(r"`\w+_\w+`", cell) else None
    seen = set()

    def once(cell):
        name = key(cell)
        fresh = name if name not in seen else None
        seen.add(name)
        return fresh
    body, heads = writer.markdown(text, once)
    return frame("catalogue.html", "Behaviours of kinematic.h", stacked(body), [head for head in heads if head[0] > 1])


def coming_from(writer):
    body, heads = writer.markdown(read("docs/coming-from.md"))
    return frame("coming-from.html", "Coming from another engine to kinematic.h", stacked(body, "stack names"),
                 [head for head in heads if head[0] > 1])


# ---- bench -------------------------------------------------------------------------------------------------------

def bench(writer):
    data = json.loads(read("docs/bench.json"))
    notes = "\n".join("<tr><td>%s</td><td>%s</td><td>%s</td></tr>" % (
        escape(row["name"] + ", " + row["what"]), escape(peer["name"]), escape(peer["note"]))
        for row in data["workloads"] for peer in row["peers"] if peer.get("note"))
    body = """<h1>Bench</h1>
<p class="lead">Instructions per body and step with %d bodies, as of commit %s. Fewer is better.</p>
<p>Each workload has a scale of its own, since what counts is the comparison within it. The <em>floor</em> is the least
that the work can cost: a program written for that workload alone, with no generality at all.</p>
%s
<h2 id="measured">How it was measured</h2>
<p><code>make bench</code> runs the workloads of <a href="%sbench">bench/</a> on your machine: nanoseconds of CPU time,
and instructions from the processor's counter or, where the system does not give it, from valgrind's callgrind. Building
the world and 60 steps of settling are not counted; setting velocities and platforms before each step is. The figures
above are instructions by callgrind, gcc 12 with -O3, x86-64, one thread. Instructions are shown because they are the
same in every run; times of one machine vary by 20 %%.</p>
<p>The others do the same workloads, compiled with the same flags, with what each of them has for it: a character mover
where there is one, rigid bodies where there is none. They do not always do the same work:</p>
<div class="wide"><table><thead><tr><th>workload</th><th>library</th><th>note</th></tr></thead>
<tbody>%s</tbody></table></div>
<p>Bodies at rest among things at rest are skipped, exactly: the hash of the world is the same as if they had been
looked at. That is the row with %d instructions.</p>
<p class="soft">The data are in <a href="bench.json">bench.json</a>.</p>""" % (
        data["bodies"], escape(data["commit"]), pictures.chart(data), SOURCE, notes,
        next(row["instructions"] for row in data["workloads"] if row["id"] == "rest"))
    return frame("bench.html", "Bench of kinematic.h", body)


# ---- reference ---------------------------------------------------------------------------------------------------

def sentence(text):
    text = text.strip()
    return text if not text or text[-1] in ".!?" else text + "."


def capital(text):
    return text[:1].upper() + text[1:] if not re.match(r"\w+_|\w+\(|0\.\.", text) else text


def described(item):
    return capital(sentence(item.comment or WORDS.get(item.name, "")))


def with_default(writer, comment):
    """Members tell their default in brackets."""
    return re.sub(r"\[([^\]]*)\](?!\()", r'<span class="default">[\1]</span>', writer.names(comment))


def users_of(interface, item):
    """Where a type is taken or given."""
    if item.kind in ("function", "macro"):
        return []
    pattern = re.compile(r"\b%s\b" % item.name)
    return [other.name for other in interface.items if other is not item
            and (any(pattern.search(code) for code in other.code.values())
                 or any(pattern.search(code) for rows in other.members.values() for code, _ in rows))]


def prototype(writer, item):
    out = []
    for dimension in item.dimensions():
        rows = item.members.get(dimension)
        mark = '<span class="dim">%dD</span> ' % dimension if dimension else ""
        if rows is None:
            out.append('<pre class="proto"><code>%s%s</code></pre>' % (mark, writer.code(item.code[dimension])))
        else:
            out.append('<table class="members stack"><tbody>%s</tbody></table>' % "\n".join(
                "<tr><td><code>%s</code></td><td>%s</td></tr>" % (
                    writer.code(code), with_default(writer, capital(comment)))
                for code, comment in rows))
    return "\n".join(out)


def item_section(writer, interface, item, example):
    out = ['<section class="item" id="%s"><h3>%s<small>%s</small></h3>' % (item.name, item.name, item.kind),
           "<p>%s%s</p>" % (with_default(writer, described(item)),
                            " " + writer.names(sentence(item.group)) if item.group else "")]
    if item.code.get(0) != "":
        out.append(prototype(writer, item))
    users = users_of(interface, item)
    if users:
        names = ", ".join(writer.link(name, "<code>%s</code>" % name) for name in users[:12])
        out.append('<p class="used">Used by %s%s.</p>' % (names, " and others" if len(users) > 12 else ""))
    if not example:
        return "\n".join(out) + "</section>"
    where = '<a href="manual.html#%s">manual, %s</a>' % (slug(example.title), escape(example.title.capitalize())) \
        if example.path.endswith("manual.txt") else '<a href="%s%s">%s</a>' % (SOURCE, example.path, example.path)
    out.append('<details class="example" open><summary>Example</summary>%s<p class="soft">From %s.</p></details>'
               "</section>" % (writer.block(example.code), where))
    return "\n".join(out)


def example_for(interface, item, written, snippets):
    """Of the name itself, else of one of an enum's constants, else of a function or struct that uses the type."""
    names = [item.name]
    if item.kind == "enum":
        names += re.findall(r"\bKIN_[A-Z]\w*", " ".join(item.code.values()))
    for name in names + users_of(interface, item):
        found = find_example(name, written, snippets)
        if found:
            return found
    return None   # tests/pages.py asks for one


def reference(writer, interface):
    written, snippets = written_examples(), manual_snippets()
    out, heads = [], []
    for section in interface.sections:
        items = [item for item in interface.items if item.section == section]
        title = section_title(section)
        heads.append((2, slug(title), title))
        out.append('<h2 id="%s">%s</h2>' % (slug(title), title))
        rest = section[len(title):].strip(":; ")
        if rest:
            out.append('<p class="soft">%s</p>' % capital(sentence(escape(rest))))
        for item in items:
            heads.append((3, item.name, item.name))
            out.append(item_section(writer, interface, item, example_for(interface, item, written, snippets)))
    rules = re.search(r"Descriptors may be all zero.*?changes nothing\.", read("src/api.h"), re.S).group()
    body = """<h1>Reference</h1>
<p class="lead">Every public function and type, with its comment and a piece of a program that uses it.</p>
<p>%s</p>
%s""" % (writer.names(one_line(rules)), "\n".join(out))
    return frame("reference.html", "Reference of kinematic.h", body, heads)


# ---- cheat sheet -------------------------------------------------------------------------------------------------

GROUPS = [
    ("World", r"kin_world_(?!.*(?:gravity|up$)).*|kin_version"), ("Gravity", r"kin_world_.*(?:gravity|up)"),
    ("Values and shapes", r"kin_(v|turn|c|ball|capsule|box|hull|same)"),
    ("Add and remove", r"kin_(add_.*|remove|alive|next)"), ("Tiles", r"kin_(define_tile|[gs]et_tile.*)"),
    ("Move", r"kin_(set_(velocity|spin|leftover)|move_to|drop_through|move)"),
    ("Teleport and change", r"kin_(set_.*|ignore)"),
    ("Ground and contacts",
     r"kin_(get_(ground|wall|ceiling|contacts|riders|events)|on_.*|is_(crushed|embedded|blocked))"),
    ("Ask", r"kin_(cast_.*|overlap.*|closest|find_room|test_move)"), ("Read", r"kin_(get_.*|is_.*)"),
    ("State and drawing", r"kin_(snapshot_.*|debug_draw.*)"),
]
SHEET_STRUCTS = ["kin_world_desc", "kin_static_desc", "kin_mover_desc", "kin_body_desc", "kin_tiles_desc"]


def short_call(code):
    """kin_add_body(world, desc): names of arguments without their types"""
    name, arguments = re.match(r".*?(kin_\w+)\((.*)\);", code).groups()
    names = [re.findall(r"\w+", argument)[-1] for argument in arguments.split(",") if argument.strip() != "void"]
    return "%s(%s)" % (name, ", ".join("w" if one == "world" else one for one in names))


def cheat_sheet(writer, interface):
    left = [item for item in interface.items if item.kind == "function"]
    sections = []
    for title, pattern in GROUPS + [("More", r".*")]:
        taken = [item for item in left if re.fullmatch(pattern, item.name)]
        left = [item for item in left if item not in taken]
        if taken:
            rows = []
            for item in taken:
                call = short_call(item.code[item.dimensions()[0]])
                name, rest = call.split("(", 1)
                rows.append('<li><code><a href="reference.html#%s">%s</a>(%s</code></li>' % (
                    item.name, name.replace("kin_", "kin_<wbr>"), escape(rest)))
            sections.append("<section><h2>%s</h2><ul>%s</ul></section>" % (title, "\n".join(rows)))
    known = " ".join(code for code, _ in interface.by_name["kin_static_desc"].members[0])
    for name in SHEET_STRUCTS:
        words = []
        for code, comment in interface.by_name[name].members[0]:
            default = re.findall(r"\[([^\]]*)\](?!\()", comment)
            names = re.findall(r"(\w+)(?=[;,])", code)
            if name in ("kin_mover_desc", "kin_body_desc") and \
                    all(re.search(r"\b%s[;,]" % one, known) for one in names):
                continue
            words.append("<code>%s</code>%s" % (", ".join(names), ' <span class="soft">[%s]</span>' % escape(
                ", ".join(default)) if default else ""))
        if name == "kin_mover_desc":
            words.append('<span class="soft">and as kin_static_desc, but attach</span>')
        if name == "kin_body_desc":
            words.append('<span class="soft">and as kin_static_desc, but one_way, surface_velocity, attach</span>')
        sections.append('<section><h2><a href="reference.html#%s">%s</a></h2><p>%s</p></section>' % (
            name, name, ", ".join(words)))
    choices = []
    for item in interface.items:
        names = re.findall(r"\bKIN_[A-Z]\w*", item.code.get(0, ""))
        if item.kind == "enum" and len(names) > 1:
            choices.append('<li><a href="reference.html#%s"><code>%s</code></a></li>' % (
                item.name, ", <wbr>".join(names)))
    sections.append("<section><h2>Choices, the default first</h2><ul>%s</ul></section>" % "\n".join(choices))
    numbers = """<section><h2>Numbers, for unit = 1</h2><ul><li>slop 0.005, touch margin 0.01, crush 0.01</li>
<li>resting gap -0.0001 to 0.005</li><li>steep from max_slope to 85 degrees, then a wall</li>
<li>2D: y up, counter-clockwise; 3D: y up, right-handed</li><li>coordinates end at 1e9</li></ul></section>
<section><h2>A game</h2><ul><li><code>#define KINEMATIC_IMPLEMENTATION</code> in one file</li>
<li><code>#define KINEMATIC_DIM 3</code> in every file, for 3D</li><li>input, then advance, then events, then draw</li>
</ul></section>"""
    body = """<h1 class="low">Cheat sheet <span class="soft">w is the world, [default]</span></h1>
<div class="sheet">%s
%s</div>""" % ("\n".join(sections), numbers)
    return frame("cheatsheet.html", "Cheat sheet of kinematic.h", body, full=True)


# ---- all of them -------------------------------------------------------------------------------------------------

def make_all():
    """{path: text}"""
    interface = Interface()
    writer = Writer(interface)
    return {
        "index.html": front(writer), "manual.html": manual(writer),
        "reference.html": reference(Writer(interface, "reference.html"), interface),
        "cheatsheet.html": cheat_sheet(writer, interface), "coming-from.html": coming_from(writer),
        "stages.html": stages(writer), "catalogue.html": catalogue(writer), "bench.html": bench(writer),
    }


def main():
    parser = argparse.ArgumentParser(description="Makes the pages in docs/.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    try:
        made = make_all()
    except Trouble as trouble:
        print(trouble)
        return 1
    stale = []
    for name, text in sorted(made.items()):
        path = os.path.join(DOCS, name)
        old = read(path) if os.path.exists(path) else None
        if old != text:
            stale.append("docs/" + name)
            if not arguments.check:
                with open(path, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
    if arguments.check and stale:
        print("not as the sources say: %s; run: python3 tools/pages.py" % ", ".join(stale))
        return 1
    if not arguments.check:
        print("wrote %s" % ", ".join(stale) if stale else "docs/ is in step")
    return 0


if __name__ == "__main__":
    sys.exit(main())
