#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Which part of src/ calls which: a part may call parts of its own layer (src/order.txt) and of lower ones.

  layers.py          prints calls upwards and cycles, and draws docs/parts.svg; `make check` calls it

tests/compile/checks.py fails if there are more calls upwards than MOST_UPWARD.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "tools"))   # its pages.py is not the one of tests/
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402

MOST_UPWARD = 0          # functions of higher layers that parts call: goes down, never up
PICTURE = os.path.join(ROOT, "docs", "parts.svg")


def layers_of_parts():
    """[(title, [part, ...])] as in src/order.txt, the lowest first; a comment there begins a layer."""
    layers = [("declarations", [])]
    with open(os.path.join(ROOT, "src", "order.txt"), encoding="utf-8") as file:
        for line in list(file)[1:]:
            name, _, title = line.partition("#")
            if title.strip():
                layers.append((title.strip(), []))
            elif name.strip().endswith(".c"):
                layers[-1][1].append(name.strip())
    return [(title, names) for title, names in layers if names]


def calls_between_parts():
    """{(part, other part): {function of the other: the functions that call it}}"""
    parts = [amalgamate.Part(name, amalgamate.Report()) for _, names in layers_of_parts() for name in names]
    home, functions = {}, {}
    for part in parts:
        functions[part.name] = amalgamate.functions_of(part, amalgamate.Report())
        for _, name, _, _ in functions[part.name]:
            home.setdefault(name, []).append(part.name)
    calls = {}
    for part in parts:
        for _, caller, first, last in functions[part.name]:
            for name in set(re.findall(r"\bkini?_\w+", "\n".join(part.code[first - 1:last]))):
                for other in home.get(name, ()):
                    if other != part.name and part.name not in home[name]:
                        calls.setdefault((part.name, other), {}).setdefault(name, []).append(caller)
    return calls


def levels():
    """{part: number of its layer}, 0 for the lowest"""
    return dict((name, level) for level, (_, names) in enumerate(layers_of_parts()) for name in names)


def upward_calls(calls):
    """[(part, function, other part, callers)] of calls to a higher layer"""
    level = levels()
    return sorted((part, name, other, callers) for (part, other), names in calls.items() if level[other] > level[part]
                  for name, callers in names.items())


def cycles(calls):
    """Parts that call each other in a circle: [[part, ...]]"""
    below = {}
    for part, other in calls:
        below.setdefault(part, set()).add(other)
    reach = {}
    for part in below:
        seen, left = set(), [part]
        while left:
            left += [other for other in below.get(left.pop(), ()) if other not in seen and not seen.add(other)]
        reach[part] = seen
    groups = set(tuple(sorted(other for other in reach[part] if part in reach.get(other, ()))) for part in reach
                 if part in reach[part])
    return [list(group) for group in sorted(groups)]


def complaints(calls):
    """A message if there are more upward calls than allowed, or None."""
    upward = upward_calls(calls)
    if len(upward) <= MOST_UPWARD:
        return None
    return "%d calls upwards, at most %d are allowed:\n%s" % (len(upward), MOST_UPWARD, "\n".join(map(told, upward)))


def told(call):
    return "%s calls %s of %s, in %s" % (call[0], call[1], call[2], ", ".join(sorted(call[3])))


# ---- the picture -------------------------------------------------------------------------------------------------

WIDE, BOX, HIGH, GAP, ROW = 1240, 84, 26, 10, 150


def positions():
    """{part: (x, y)} of its box: layers in rows, the lowest at the bottom."""
    layers, at = layers_of_parts(), {}
    for row, (_, names) in enumerate(reversed(layers)):
        left = (WIDE - len(names) * (BOX + GAP)) / 2
        for column, name in enumerate(names):
            at[name] = (left + column * (BOX + GAP), 60 + row * ROW + (column % 2) * 34)
    return at


def needed_edges(edges):
    """Edges without those that a longer way also shows."""
    below = {}
    for part, other in edges:
        below.setdefault(part, set()).add(other)

    def reaches(part, goal, seen):
        for other in below.get(part, ()):
            if other == goal or (other not in seen and not seen.add(other) and reaches(other, goal, seen)):
                return True
        return False

    return [(part, other) for part, other in edges
            if not any(step != other and reaches(step, other, set()) for step in below[part])]


def arrow(at, part, other, kind):
    (x1, y1), (x2, y2) = at[part], at[other]
    x1, x2 = x1 + BOX / 2, x2 + BOX / 2
    y1, y2 = (y1 + HIGH, y2) if y1 < y2 else (y1, y2 + HIGH)
    bend = (y2 - y1) / 2 if abs(y2 - y1) > HIGH else 30
    return ('<path class="%s" d="M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f" marker-end="url(#%s-end)"><title>%s calls %s</title></path>'
            % (kind, x1, y1, x1, y1 + bend, x2, y2 - bend, x2, y2, kind, part[:-2], other[:-2]))


STYLE = """text { font: 13px sans-serif; fill: #222 } .part { fill: #fff; stroke: #456 } .name { text-anchor: middle }
.layer { fill: #eef2f5 } .down, .up { fill: none; stroke-width: 1.2 } .down { stroke: #89a; opacity: .7 } .up { stroke: #c33 }
#down-end { fill: #89a } #up-end { fill: #c33 }"""


def picture(calls):
    layers, at, level = layers_of_parts(), positions(), levels()
    down = needed_edges(sorted(edge for edge in calls if level[edge[1]] < level[edge[0]]))
    up = sorted(edge for edge in calls if level[edge[1]] > level[edge[0]])
    high = len(layers) * ROW
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">' % (WIDE, high),
           "<title>The parts of kinematic.h and which calls which</title>", "<style>%s</style>" % STYLE, "<defs>"]
    out += ['<marker id="%s-end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0L8 4L0 8z"/></marker>' % kind for kind in ("down", "up")]
    out += ["</defs>", '<text x="20" y="24">Calls to lower layers; one that a longer way also shows is left out, and so are calls within a layer.%s</text>'
            % (" Red: calls to higher layers." if up else "")]
    for row, (title, _) in enumerate(reversed(layers)):
        out.append('<rect class="layer" x="10" y="%d" width="%d" height="%d" rx="6"/>' % (38 + row * ROW, WIDE - 20, ROW - 56))
        out.append('<text x="20" y="%d">%s</text>' % (54 + row * ROW, title))
    out += [arrow(at, part, other, "down") for part, other in down] + [arrow(at, part, other, "up") for part, other in up]
    for name, (x, y) in at.items():
        out.append('<rect class="part" x="%.0f" y="%.0f" width="%d" height="%d" rx="4"/>' % (x, y, BOX, HIGH))
        out.append('<text class="name" x="%.0f" y="%.0f">%s</text>' % (x + BOX / 2, y + 17, name[:-2]))
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    calls = calls_between_parts()
    upward = upward_calls(calls)
    print("\n".join(map(told, upward)))
    for group in cycles(calls):
        print("a cycle of %d parts: %s" % (len(group), " ".join(group)))
    print("%d parts, %d pairs that call, %d functions called upwards (at most %d)"
          % (len(levels()), len(calls), len(upward), MOST_UPWARD))
    amalgamate.write(PICTURE, picture(calls))
    return 1 if len(upward) > MOST_UPWARD else 0


if __name__ == "__main__":
    sys.exit(main())
