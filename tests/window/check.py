#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Plays examples/window on an X server without a screen (Xvfb), with real keys (xdotool), and looks at screenshots;
`make test-window` calls it. The last line is "N passed, N failed".

  --picture FILE    also writes a screenshot as PNG
"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Blue, green, red, as the X server keeps them.
HERO, PLANK, CRATE = b"\x87\xe7\x7e", b"\xc4\xd6\x4f", b"\x3d\xa3\xe8"
LIFT, OUTLINE = b"\xff\xa2\x5a", b"\xa0\xa0\xa0"
WIDTH, HEIGHT, ZOOM = 960, 540, 3
PATIENCE = 60   # seconds to wait for something to be seen, on a busy machine
MOST_LINES = 250


class Wrong(Exception):
    pass


def wait_for(what, look):
    """The first thing that look finds."""
    end = time.time() + PATIENCE
    while time.time() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise Wrong("not seen within %d s: %s" % (PATIENCE, what))


class Shot:
    """A screenshot: rows of pixels, each three bytes blue, green, red and one that means nothing."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        head = struct.unpack(">25I", data[:100])   # the X window dump format
        self.line = head[12]
        start = head[0] + 12 * head[19]
        self.data = data[start:start + self.line * HEIGHT]

    def find(self, colour):
        """(x, y) of all pixels of a colour, taken from the middle of each game pixel."""
        spots = []
        for y in range(1, HEIGHT, ZOOM):
            row = self.data[y * self.line:(y + 1) * self.line]
            if colour in row:
                spots += [(x, y) for x in range(1, WIDTH, ZOOM) if row[4 * x:4 * x + 3] == colour]
        return spots

    def hero(self):
        """Its middle in game pixels of the view, or None."""
        spots = self.find(HERO)
        if len(spots) < 100:   # of 130: outlines may cover some
            return None
        return tuple(sum(spot[axis] for spot in spots) / len(spots) / ZOOM for axis in (0, 1))

    def write(self, path):
        """As PNG."""
        rows = b""
        for y in range(HEIGHT):
            row = self.data[y * self.line:y * self.line + 4 * WIDTH]
            rows += b"\0" + b"".join(bytes(row[at + 2:at - 1 if at else None:-1]) for at in range(0, 4 * WIDTH, 4))

        def chunk(name, body):
            return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        head = struct.pack(">2I5B", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) +
                       chunk(b"IEND", b""))


class Screen:
    """An X server without a screen."""

    def __init__(self, folder):
        self.folder = folder
        reader, writer = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "%dx%dx24" % (WIDTH, HEIGHT),
                                        "-fbdir", folder, "-nolisten", "tcp"], pass_fds=[writer],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as file:
            number = file.readline().strip()
        if not number:
            raise Wrong("Xvfb does not start")
        self.environment = dict(os.environ, DISPLAY=":" + number, SDL_VIDEODRIVER="x11", SDL_AUDIODRIVER="dummy")

    def shot(self):
        return Shot(os.path.join(self.folder, "Xvfb_screen0"))

    def hero(self):
        return self.shot().hero()

    def key(self, what, name):
        subprocess.run(["xdotool", what, name], env=self.environment, check=True)

    def close(self):
        self.server.terminate()
        self.server.wait()


class Game:
    """A program in the window, from its start to its end."""

    def __init__(self, screen, program, *arguments):
        self.screen = screen
        self.child = subprocess.Popen([program] + list(arguments), cwd=ROOT, env=screen.environment)

    def __enter__(self):
        wait_for("the hero", self.screen.hero)
        return self

    def __exit__(self, kind, value, trace):
        if self.child.poll() is None:
            self.screen.key("key", "Escape")
        try:
            code = self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            code = "none: escape does not end it"
        if not kind and code != 0:
            raise Wrong("the game ended with code %s" % code)


def at_rest(screen):
    """Where the hero is when it has stopped."""
    places = [None]

    def look():
        places.append(screen.hero())
        time.sleep(0.2)
        return places[-1] == places[-2] and places[-1]
    return wait_for("a hero that stands still", look)


def expect(good, text):
    if not good:
        raise Wrong(text)


# ---- the checks --------------------------------------------------------------------------------------------------

def check_keys_move_the_hero(screen, folder):
    with Game(screen, "build/window"):
        begin = at_rest(screen)
        screen.key("keydown", "Right")
        wait_for("the hero further right", lambda: (screen.hero() or begin)[0] > begin[0] + 30)
        screen.key("keyup", "Right")
        right = at_rest(screen)
        expect(abs(right[1] - begin[1]) < 1, "it is not on the same floor: %s, then %s" % (begin, right))
        screen.key("keydown", "a")
        wait_for("the hero further left", lambda: (screen.hero() or right)[0] < right[0] - 20)
        screen.key("keyup", "a")


def check_space_jumps(screen, folder):
    with Game(screen, "build/window"):
        begin = at_rest(screen)
        screen.key("keydown", "space")
        wait_for("the hero in the air", lambda: (screen.hero() or begin)[1] < begin[1] - 10)
        screen.key("keyup", "space")
        expect(abs(at_rest(screen)[1] - begin[1]) < 1, "it does not come down where it was")


def check_tab_shows_the_overlay(screen, folder):
    with Game(screen, "build/window"):
        at_rest(screen)
        expect(not screen.shot().find(OUTLINE), "there are outlines before anything is pressed")
        screen.key("key", "Tab")
        wait_for("outlines", lambda: len(screen.shot().find(OUTLINE)) > 200)
        screen.key("key", "Tab")
        wait_for("no outlines", lambda: not screen.shot().find(OUTLINE))


def check_the_map_is_read(screen, folder):
    """Another level: a hero that drops through the plank it stands on."""
    path = os.path.join(folder, "level.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(["#" + " " * 18 + "#"] * 4 + ["#   @" + " " * 14 + "#", "#  ---" + " " * 13 + "#"] +
                             ["#" + " " * 18 + "#"] * 4 + ["#" * 20] * 2) + "\n")
    with Game(screen, "build/window", path):
        begin = at_rest(screen)
        expect(abs(begin[0] - 72) < 1, "the hero is at %s, not at 72" % begin[0])
        expect(len(screen.shot().find(PLANK)) > 150, "there is no plank")
        screen.key("keydown", "Down")
        wait_for("the hero below the plank", lambda: (screen.hero() or begin)[1] > begin[1] + 60)
        screen.key("keyup", "Down")


def check_gamepad(screen, folder):
    program = os.path.join(folder, "pad")
    flags = subprocess.run(["pkg-config --cflags --libs sdl2 || sdl2-config --cflags --libs"], shell=True,
                           stdout=subprocess.PIPE, check=True).stdout.decode().split()
    subprocess.run(["cc", "-std=c99", "-O0", "-I.", "tests/window/pad.c", "-o", program] + flags + ["-lm"], cwd=ROOT,
                   check=True)
    with Game(screen, program):
        begin = wait_for("the hero", screen.hero)
        wait_for("the hero further right", lambda: (screen.hero() or begin)[0] > begin[0] + 10)
        wait_for("the hero in the air", lambda: (screen.hero() or begin)[1] < begin[1] - 10)
        expect(at_rest(screen)[0] < 150, "it did not stop before the hill")


def check_a_row_is_pushed(screen, folder, picture=None):
    """Over the hill and on with the three crates, until a lift is seen; keeps the picture if one is wanted."""
    def look():
        shot = screen.shot()
        return shot if len(shot.find(CRATE)) > 500 and len(shot.find(LIFT)) > 200 else None
    with Game(screen, "build/window"):
        screen.key("keydown", "Right")
        shot = wait_for("crates and a lift", look)
        screen.key("keyup", "Right")
        crates, hero = shot.find(CRATE), shot.hero()
        expect(hero and 0 < min(crates)[0] / ZOOM - hero[0] < 8, "the hero is not behind the crates")
        if picture:
            shot.write(picture)


def check_without_sdl(screen, folder):
    done = subprocess.run(["tools/window.sh"], cwd=ROOT, env=dict(os.environ, PKG_CONFIG="false", SDL2_CONFIG="false"),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    expect(done.returncode == 1 and b"apt-get install libsdl2-dev" in done.stdout, done.stdout.decode())


def check_a_wrong_path_is_told(screen, folder):
    done = subprocess.run(["build/window", "no/such/file"], cwd=ROOT, env=screen.environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    expect(done.returncode == 1 and b"no/such/file" in done.stdout, done.stdout.decode())


def check_it_is_short(screen, folder):
    with open(os.path.join(ROOT, "examples/window/window.c"), encoding="utf-8") as file:
        lines = file.read().count("\n")
    expect(lines < MOST_LINES, "window.c has %d lines" % lines)


def main():
    parser = argparse.ArgumentParser(description="Plays examples/window with real keys and looks at it.")
    parser.add_argument("--picture", help="write a screenshot as PNG to this file")
    picture = parser.parse_args().picture
    passed, failed = 0, 0
    subprocess.run(["tools/window.sh"], cwd=ROOT, check=True)
    for name, check in sorted((name[6:], check) for name, check in globals().items() if name.startswith("check_")):
        with tempfile.TemporaryDirectory() as folder:
            screen = Screen(folder)
            try:
                check(screen, folder, *([picture] if name == "a_row_is_pushed" else []))
                complaint = None
            except Exception as error:   # a broken check must not end the run without its last line
                complaint = str(error) if isinstance(error, Wrong) else "%s: %s" % (type(error).__name__, error)
            screen.close()
        passed, failed = passed + (not complaint), failed + bool(complaint)
        print("window/%-36s %s" % (name, "FAILED\n    " + complaint.replace("\n", "\n    ") if complaint else "passed"),
              flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
