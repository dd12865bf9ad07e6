# SPDX-License-Identifier: MIT OR Unlicense
"""Pictures of the pages: the stages of a step, and the bench as a chart. Inline SVG, coloured by docs/style.css."""
import math

WIDTH, HEIGHT, FLOOR = 360, 200, 168


# ---- a small drawing kit: pixels, y down -------------------------------------------------------------------------

def number(value):
    return ("%.1f" % value).rstrip("0").rstrip(".")


def rect(x, y, w, h, kind, round_by=2):
    return '<rect x="%s" y="%s" width="%s" height="%s" rx="%s" class="%s"/>' % (
        number(x), number(y), number(w), number(h), number(round_by), kind)


def circle(x, y, r, kind):
    return '<circle cx="%s" cy="%s" r="%s" class="%s"/>' % (number(x), number(y), number(r), kind)


def polygon(points, kind):
    return '<polygon points="%s" class="%s"/>' % (" ".join("%s,%s" % (number(x), number(y)) for x, y in points), kind)


def path(points, kind):
    return '<polyline points="%s" class="%s"/>' % (" ".join("%s,%s" % (number(x), number(y)) for x, y in points), kind)


def text(x, y, words, kind="p-text", anchor="middle"):
    return '<text x="%s" y="%s" class="%s" text-anchor="%s">%s</text>' % (number(x), number(y), kind, anchor, words)


def turned(degrees, x, y, *pieces):
    return '<g transform="rotate(%s %s %s)">%s</g>' % (number(degrees), number(x), number(y), "".join(pieces))


def head(x, y, angle, kind, size=8):
    ends = [(x - size * math.cos(angle + turn), y - size * math.sin(angle + turn)) for turn in (0.45, -0.45)]
    return polygon([(x, y)] + ends, kind + " p-head")


def arrow(points, kind="p-go"):
    """A line through all points with a head at the last one."""
    (x0, y0), (x1, y1) = points[-2:]
    angle = math.atan2(y1 - y0, x1 - x0)
    line = points[:-1] + [(x1 - 5 * math.cos(angle), y1 - 5 * math.sin(angle))]
    return path(line, kind) + head(x1, y1, angle, kind)


def arc(x, y, r, first, last, kind="p-go"):
    """An arrow around a point; degrees, clockwise on the screen."""
    steps = 14
    angles = [math.radians(first + (last - first) * i / steps) for i in range(steps + 1)]
    return arrow([(x + r * math.cos(a), y + r * math.sin(a)) for a in angles], kind)


def floor(x=0, w=WIDTH, y=FLOOR):
    return rect(x, y, w, HEIGHT - y, "p-static", 0)


def hero(x, feet, kind="p-hero", look=1):
    """A capsule of 24 x 48; feet is the height of its sole."""
    eyes = "" if "ghost" in kind else "".join(circle(x + by * look, feet - 36, 2.2, "p-eye") for by in (3, 9))
    return rect(x - 12, feet - 48, 24, 48, kind, 12) + eyes


def crate(x, bottom, size=32, kind="p-crate"):
    plain = rect(x - size / 2, bottom - size, size, size, kind, 3)
    if "ghost" in kind:
        return plain
    inner = size / 2 - 6
    return plain + path([(x - inner, bottom - 6), (x + inner, bottom - size + 6)], "p-plank") + \
        rect(x - inner, bottom - size + 6, 2 * inner, 2 * inner, "p-plank", 1)


def wheel(x, y, r, degrees):
    spokes = "".join(path([(x - r * 0.8, y), (x + r * 0.8, y)], "p-spoke") if i == 0 else
                     turned(i * 60, x, y, path([(x - r * 0.8, y), (x + r * 0.8, y)], "p-spoke")) for i in range(3))
    return turned(degrees, x, y, circle(x, y, r, "p-mover"), spokes)


def svg(pieces, title, width=WIDTH, height=HEIGHT):
    return '<svg viewBox="0 0 %d %d" role="img" aria-label="%s" class="picture">%s</svg>' % (
        width, height, title, "\n".join(pieces))


# ---- the stages --------------------------------------------------------------------------------------------------

def pending():
    return [floor(), hero(180, FLOOR),
            crate(84, FLOOR, 40, "p-ghost p-add"), text(84, FLOOR - 14, "+", "p-sign p-add"),
            text(84, 60, "kin_add_body", "p-code"), arrow([(84, 70), (84, 118)], "p-add"),
            hero(280, FLOOR, "p-ghost p-drop"), text(280, FLOOR - 18, "×", "p-sign p-drop"),
            text(280, 60, "kin_remove", "p-code"), arrow([(280, 70), (280, 112)], "p-drop"),
            text(180, 28, "what the game asked for since the last step")]


def movers():
    return [floor(), rect(40, 138, 100, 14, "p-ghost"), hero(90, 138, "p-hero p-pale"),
            rect(40, 100, 100, 14, "p-mover"), arrow([(30, 145), (30, 108)]), wheel(262, 112, 46, 24),
            arc(262, 112, 58, -150, -40),
            text(90, 28, "every lift and door ..."), text(262, 28, "... and turntable"),
            text(90, 192, "bodies have not moved yet", "p-small"), text(262, 192, "exact rotation", "p-small")]


def gather():
    x, y = 120, 112
    return [floor(), hero(x, y + 26), arrow([(x, y), (x + 92, y)], "p-own"),
            text(x + 98, y + 4, "velocity, set by control", "p-small", "start"),
            arrow([(x, y), (x, y + 50)], "p-gravity"), text(x + 12, y + 46, "gravity", "p-small", "start"),
            arrow([(x, y), (x + 92, y + 50)], "p-go"), text(x + 98, y + 54, "wanted motion", "p-small", "start"),
            rect(36, 14, 288, 26, "p-card", 6), text(180, 32, "control(world, hero, dt, user)", "p-code")]


def carry():
    plank = rect(210, 118, 120, 10, "p-mover")
    ball_at, around_x, around_y = (300, 102), 270, 123
    dx, dy = ball_at[0] - around_x, ball_at[1] - around_y
    turns = [math.radians(-18 * i / 8) for i in range(9)]
    points = [(around_x + dx * math.cos(a) - dy * math.sin(a), around_y + dx * math.sin(a) + dy * math.cos(a))
              for a in turns]
    now = points[-1]
    return [floor(), rect(30, 140, 104, 14, "p-ghost"), hero(70, 140, "p-ghost"), rect(54, 116, 104, 14, "p-mover"),
            hero(94, 116), crate(136, 116, 28), arrow([(60, 92), (78, 72)]),
            rect(210, 118, 120, 10, "p-ghost"), circle(ball_at[0], ball_at[1], 15, "p-ghost"),
            turned(-18, around_x, around_y, plank), circle(now[0], now[1], 15, "p-hero"), arrow(points, "p-go"),
            polygon([(270, 128), (258, FLOOR), (282, FLOOR)], "p-static"),
            text(94, 28, "riders go along"), text(270, 28, "on an exact arc"),
            text(180, 192, "an idle rider keeps its place on the ground: no drift", "p-small p-on")]


def sweep():
    knee, top = (170, FLOOR), (268, 112)
    start, end = (60, FLOOR), (238, 131)
    return [floor(), polygon([knee, top, (310, 112), (310, FLOOR)], "p-static"),
            polygon([(48, FLOOR), (48, FLOOR - 36), (60, FLOOR - 48), (166, FLOOR - 48), (238, 83), (250, 95),
                     (250, 124), knee], "p-swept"),
            hero(start[0], FLOOR, "p-ghost"), hero(end[0], end[1]),
            arrow([(60, FLOOR - 24), (168, FLOOR - 24), (226, 113)], "p-go"),
            path([(knee[0], knee[1] - 4), (knee[0] - 12, knee[1] - 24)], "p-normal"),
            text(96, 28, "along its own motion ..."), text(268, 28, "... then up the slope"),
            text(180, 192, "the whole way is tested: nothing is skipped at any speed", "p-small p-on")]


def pairs():
    ghosts = [hero(150, FLOOR, "p-ghost")] + [crate(186 + 36 * i, FLOOR, 36, "p-ghost") for i in range(3)]
    row = [hero(204, FLOOR)] + [crate(240 + 36 * i, FLOOR, 36) for i in range(3)]
    return [floor(), rect(330, 74, 30, 94, "p-static", 0)] + ghosts + row + [
        arrow([(20, 146), (128, 146)], "p-own"), text(74, 138, "wanted", "p-small"),
        arrow([(318, 116), (148, 116)], "p-limit"), text(236, 108, "the wall's limit comes back", "p-small"),
        text(180, 28, "a push moves the whole row in one step,"), text(180, 46, "as far as its last crate can go")]


def depenetrate():
    return [floor(), rect(0, 50, 96, 118, "p-static", 0),
            rect(78, 118, 64, 64, "p-crate p-pale", 3), rect(78, 118, 18, 50, "p-deep", 0),
            rect(78, FLOOR, 64, 14, "p-deep", 0),
            rect(97, 104, 64, 64, "p-ghost p-out", 3), arrow([(112, 148), (131, 134)], "p-go"),
            text(132, 28, "the shortest way out of both"),
            "".join(rect(206, 62 + 34 * i, 140, 26, "p-card", 6) +
                    text(276, 79 + 34 * i, "%d  bodies from %s" % (i + 1, others), "p-small")
                    for i, others in enumerate(("bodies", "movers", "statics"))),
            text(276, 192, "statics last: they win", "p-small p-on")]


def ground():
    pieces = []
    for i, (degrees, kind, words) in enumerate(((25, "p-stable", "stable"), (60, "p-steep", "steep"))):
        x, a = 62 + 118 * i, math.radians(degrees)
        rise = min(90, 90 * math.tan(a))
        run = rise / math.tan(a)
        pieces.append(polygon([(x - run / 2, FLOOR), (x + run / 2, FLOOR), (x + run / 2, FLOOR - rise)], "p-static"))
        mx, my = x, FLOOR - rise / 2
        nx, ny = -math.sin(a), -math.cos(a)
        pieces += [circle(mx + 15 * nx, my + 15 * ny, 15, "p-hero"),
                   arrow([(mx, my), (mx + 46 * nx, my + 46 * ny)], kind), text(x, 28, words)]
    vx = 298
    pieces += [polygon([(vx - 52, 80), (vx, FLOOR), (vx - 52, FLOOR)], "p-static"),
               polygon([(vx + 52, 80), (vx, FLOOR), (vx + 52, FLOOR)], "p-static"),
               circle(vx, FLOOR - 38, 18, "p-hero"),
               arrow([(vx - 16, FLOOR - 29), (vx + 25, FLOOR - 53)], "p-steep"),
               arrow([(vx + 16, FLOOR - 29), (vx - 25, FLOOR - 53)], "p-steep"),
               arrow([(vx, FLOOR - 56), (vx, FLOOR - 92)], "p-stable"), text(vx, 28, "a wedge: stable")]
    return [floor()] + pieces + [text(180, 192, "max_slope decides; beyond 85 degrees it is a wall", "p-small p-on")]


def crush():
    return [floor(), rect(28, 48, 124, 40, "p-mover"), arrow([(90, 56), (90, 82)], "p-on-arrow"),
            rect(68, 88, 44, 80, "p-crate p-pale", 3), rect(68, 88, 44, 14, "p-deep", 0),
            arrow([(128, 104), (128, 130)], "p-limit"), arrow([(128, 160), (128, 134)], "p-limit"),
            text(90, 28, "no room left: CRUSHED"),
            rect(208, 48, 124, 40, "p-ghost"), rect(208, 40, 124, 40, "p-mover"),
            path([(208, 90), (332, 90)], "p-limit"), rect(248, 84, 44, 84, "p-crate", 3),
            text(270, 28, "or it waits: BLOCKED"),
            text(90, 192, "KIN_BLOCKED_PASS", "p-small p-on"), text(270, 192, "KIN_BLOCKED_STOP", "p-small p-on")]


def commit():
    names = ["ended", "left", "freed", "continued", "began", "landed", "crushed", "embedded", "blocked"]
    pieces, x, y = [text(180, 24, "events, always in this order")], 14, 36
    for name in names:
        w = 14 + 6.4 * len(name)
        if x + w > 350:
            x, y = 14, y + 28
        pieces += [rect(x, y, w, 21, "p-card", 10), text(x + w / 2, y + 14.5, name, "p-small")]
        x += w + 8
    return [floor()] + pieces + [
        hero(90, FLOOR, "p-ghost"), hero(250, FLOOR, "p-ghost"), hero(186, FLOOR, "p-hero"),
        text(90, 192, "step 41", "p-small p-on"), text(250, 192, "step 42", "p-small p-on"),
        text(186, 192, "drawn", "p-small p-on"), arrow([(104, 112), (236, 112)], "p-go")]


def one_way():
    ledge = rect(120, 92, 120, 10, "p-oneway")
    return [floor(), ledge, hero(70, FLOOR, "p-ghost"), hero(150, 92), hero(214, FLOOR, "p-ghost"),
            arrow([(70, 112), (96, 60), (138, 52)], "p-go"), arrow([(214, 100), (214, 146)], "p-own"),
            text(180, 28, "up through it, land, drop"), text(180, 192, "kin_drop_through", "p-small p-on")]


def tiles():
    rows = ["#          #", "#          #", "#    ---   #", "#  /##     #", "########>>>#"]
    size, left, top, pieces = 28, 12, 32, []
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            x, y = left + size * c, top + size * r
            if cell == "#":
                pieces.append(rect(x, y, size + 0.5, size + 0.5, "p-static", 0))
            elif cell == "-":
                pieces.append(rect(x, y, size + 0.5, 6, "p-oneway", 0))
            elif cell == "/":
                pieces.append(polygon([(x, y + size), (x + size, y + size), (x + size, y)], "p-static"))
            elif cell == ">":
                pieces += [rect(x, y, size + 0.5, size + 0.5, "p-static", 0),
                           arrow([(x + 5, y + 9), (x + 23, y + 9)], "p-own")]
    return pieces + [hero(82, top + 4 * size), crate(264, top + 4 * size, 26), circle(192, top + 42, 7, "p-coin"),
                     circle(220, top + 42, 7, "p-coin"), text(180, 22, "slopes, one-ways, belts, coins")]


def advance():
    """Frames of uneven length above, steps of the same length below."""
    frames, x, pieces = (84, 60, 132, 52), 16, [text(180, 24, "frames of your game")]
    for w in frames:
        pieces.append(rect(x, 36, w - 3, 22, "p-hero p-pale", 4))
        x += w
    pieces.append(text(180, 92, "steps of the world"))
    pieces += [rect(16 + 38 * i, 104, 35, 22, "p-mover", 4) for i in range(8)]
    return pieces + [rect(320, 104, 24, 22, "p-ghost", 4), arrow([(332, 150), (332, 130)]),
                     text(344, 168, "left over: alpha, kept for the next frame", "p-small", "end"),
                     text(16, 190, "after a hitch: at most max_catch_up, the rest is dropped", "p-small", "start")]


def rollback():
    pieces = [text(180, 24, "a snapshot of each frame")]
    for i in range(7):
        x = 40 + 46 * i
        pieces += [path([(x + 9, 64), (x + 37, 64)], "p-gravity") if i < 6 else "",
                   circle(x, 64, 9, "p-mover" if i < 3 else "p-crate p-pale")]
    pieces += [arrow([(316, 78), (316, 98), (136, 98), (136, 76)], "p-limit"),
               text(230, 115, "the truth arrives: kin_snapshot_load", "p-small")]
    for i in range(2, 7):
        x = 40 + 46 * i
        pieces += [circle(x, 152, 9, "p-hero"), path([(x + 9, 152), (x + 37, 152)], "p-own") if i < 6 else ""]
    return pieces + [path([(127, 74), (127, 142)], "p-own"),
                     text(224, 184, "run again: the same bits on both machines", "p-small")]


AROUND = [
    ("Advance", advance,
     "kin_world_advance runs the steps that fit into the time of your frame and keeps the rest, so the world "
     "always moves in steps of the same length. kin_get_draw_pose is in between."),
    ("Rollback", rollback,
     "A snapshot holds all that the future depends on. A world that is restored continues bit for bit, so a guess "
     "that proved wrong can be played again, and kin_world_hash tells whether two machines agree."),
    ("One-way", one_way,
     "Surfaces with one_way block only from their outward side. kin_drop_through lets a body fall through those it "
     "stands on; lifts, tiles and slopes can be one-way too."),
]

STAGES = [
    ("Pending", pending,
     "Things that were added and removed since the last step become part of the world, or leave it. A handle that "
     "was removed is dead at once; here its contacts end, once each."),
    ("Movers", movers,
     "All movers move before any body does. Each is asked by its controller and takes its new pose: by velocity "
     "and spin, or to where kin_move_to sent it. Bodies of this step meet the new pose and the motion that led to "
     "it."),
    ("Gather", gather,
     "Each body gets its gravity, its controller is asked, and the motion that it wants in this step is written "
     "down. The controller still sees the ground and the contacts of the last step. Nothing moves yet."),
    ("Carry", carry,
     "A body that stands on a mover, on a belt or on another body goes where that takes it, in the same step. An "
     "idle rider keeps its local place, so it does not drift, neither on turntables nor after an hour."),
    ("Sweep", sweep,
     "Each body moves along its own motion against statics, tiles, meshes and movers, and slides along what it "
     "hits. What goes into a surface is taken from its velocity, the rest is kept."),
    ("Pairs", pairs,
     "Bodies meet bodies. A pushed body pushes on, so a row moves together; what its last member cannot do is "
     "refused to all of them. The order in which things were added does not matter."),
    ("Depenetrate", depenetrate,
     "Bodies that still overlap something are separated, without giving them velocity. Statics come last, so no "
     "body ends in a wall. A body that cannot be freed is reported as embedded."),
    ("Ground", ground,
     "Each body learns what it stands on: stable ground up to max_slope, steep ground beyond, walls. Falling "
     "ground is followed by up to snap, unless the body moves away from it."),
    ("Crush", crush,
     "A body that was pressed from opposite sides by more than there is room for is crushed: an event says so, and "
     "the game decides. A mover that stops when blocked goes back instead, with all that it had moved."),
    ("Commit", commit,
     "New poses are stored, contacts are compared with those of the last step, and events are sent. Drawing "
     "happens between the last two poses, so motion is smooth at every frame rate."),
]


def stage_picture(name):
    for title, draw, words in STAGES:
        if title == name:
            return svg(draw(), "%s: %s" % (title, words.split(".")[0]))
    raise KeyError(name)


# ---- the bench ---------------------------------------------------------------------------------------------------

def grouped(value):
    return "{:,}".format(value)


def chart(data):
    """One panel for each workload, with a scale of its own: what counts is the comparison within it."""
    pieces, y, left, most = [], 8, 176, 400
    for row in data["workloads"]:
        bars = [("kinematic.h", row["instructions"], "c-own")]
        bars += [(peer["name"], peer["instructions"], "c-peer") for peer in row["peers"]]
        if row.get("floor"):
            bars.append(("hand-written floor", row["floor"], "c-floor"))
        largest = max(value for _, value, _ in bars)
        if len(bars) == 1:   # nothing to compare with: the scale of the first workload
            largest = max(largest, data["workloads"][0]["instructions"])
        pieces += [text(0, y + 14, row["name"], "c-title", "start"), text(640, y + 14, row["what"], "c-note", "end")]
        y += 22
        for name, value, kind in bars:
            w = max(2, most * value / largest)
            pieces += [text(left - 8, y + 12, name, "c-label", "end"), rect(left, y, w, 16, kind, 3),
                       text(left + w + 6, y + 12.5, grouped(value), "c-value", "start")]
            y += 20
        y += 14
    made = svg(pieces, "Instructions per body and step, fewer is better", 640, y)
    return made.replace('class="picture"', 'class="chart"')
