#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Makes build/playground.html: one file with the library as wasm, the scripts and the style in it.

  build.py          makes the page; says so, and how large it is
  build.py --wasm   makes only build/playground/*.wasm and core.js, which is what node's test needs
  build.py --docs   makes the page, and docs/playground.html of it
  build.py --check  says what docs/playground.html was made of that is different now, and nothing else

It needs clang (with its wasm32 target) and wasm-ld, which Debian's package lld has.
"""
import base64
import glob
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "playground")
PAGE = os.path.join(ROOT, "build", "playground.html")
IN_DOCS = os.path.join(ROOT, "docs", "playground.html")
CLANG = os.environ.get("CLANG", "clang")

FLAGS = ["--target=wasm32", "-std=c99", "-O2", "-mbulk-memory", "-ffreestanding", "-fvisibility=hidden", "-Wall",
         "-Wextra", "-I" + ROOT, "-I" + HERE]
LIBRARY = """
#define KINEMATIC_NO_STDLIB
#define KINEMATIC_SQRT(x) __builtin_sqrtf(x)
#define KINEMATIC_MEMCPY(to, from, bytes) __builtin_memcpy(to, from, bytes)
#define KINEMATIC_MEMSET(memory, value, bytes) __builtin_memset(memory, value, bytes)
#define KINEMATIC_IMPLEMENTATION
#include "kinematic.h"
"""
# In this order in one scope. Those in CORE do not know that there is a page: node's test runs them.
CORE = ["level.js", "engine.js", "session.js", "export.js", "share.js", "scenes.js", "rollback.js"]
VIEW = ["palette.js", "draw.js", "draw3.js", "input.js", "editor.js", "panel.js", "main.js"]


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def is_older(target, sources):
    return not os.path.exists(target) or any(os.path.getmtime(s) > os.path.getmtime(target) for s in sources)


def run(command, text=None):
    try:
        subprocess.run(command, cwd=ROOT, check=True, input=text, universal_newlines=True)
    except FileNotFoundError:
        sys.exit("%s is not installed (Debian: apt-get install clang lld)" % command[0])
    except subprocess.CalledProcessError as failed:
        sys.exit(failed.returncode)


def build_wasm(dimension):
    """The library takes long to compile, so it is an object of its own."""
    header, glue = os.path.join(ROOT, "kinematic.h"), os.path.join(HERE, "glue.c")
    game = os.path.join(HERE, "game.h" if dimension == 2 else "game3.h")
    library, object_, wasm = (os.path.join(BUILD, "%s%d%s" % (name, dimension, ending)) for name, ending in
                              (("library", ".o"), ("glue", ".o"), ("play", ".wasm")))
    flags = FLAGS + ["-DKINEMATIC_DIM=%d" % dimension]
    script = os.path.abspath(__file__)
    if is_older(library, [header]):
        run([CLANG] + flags + ["-x", "c", "-", "-c", "-o", library], LIBRARY)
    if is_older(object_, [header, glue, game]):
        run([CLANG] + flags + [glue, "-c", "-o", object_])
    if is_older(wasm, [library, object_, script]):
        run(["wasm-ld", "--no-entry", "--export-dynamic", "--stack-first", "--strip-all", "-z", "stack-size=262144",
             library, object_, "-o", wasm])
    with open(wasm, "rb") as file:
        return file.read()


def packed(code):
    return base64.b64encode(gzip.compress(code, 9, mtime=0)).decode()


def quoted(text):
    """As a JavaScript string inside a script element."""
    return json.dumps(text).replace("</", "<\\/")


def scripts(names):
    sources = "const SOURCE2 = %s;\nconst SOURCE3 = %s;\n" % (quoted(read("game.h")), quoted(read("game3.h")))
    return sources + "\n".join("// ---- %s\n%s" % (name, read("js/" + name)) for name in names)


def digest(paths):
    """Of these files, but not of the date and the clang that compile them."""
    found = hashlib.sha256()
    for path in paths:
        with open(path, "rb") as file:
            found.update(file.read().replace(b"\r\n", b"\n") + b"\0")
    return found.hexdigest()[:16]


def sources():
    """The sources of the page, as it names them itself: {part: digest}"""
    own = sorted(path for path in glob.glob(os.path.join(HERE, "**"), recursive=True)
                 if os.path.isfile(path) and path.endswith((".c", ".h", ".js", ".css", ".html", ".py")))
    return {"page": digest(own), "library": digest([os.path.join(ROOT, "kinematic.h")])}


def changed():
    """Names of what was changed since docs/playground.html was made."""
    if not os.path.exists(IN_DOCS):
        return sorted(sources())
    with open(IN_DOCS, encoding="utf-8") as file:
        said = dict(re.findall(r"(\w+) (\w{16})", file.readline()))
    return sorted(part for part, now in sources().items() if said.get(part) != now)


def main():
    os.makedirs(BUILD, exist_ok=True)
    wasm = {dimension: build_wasm(dimension) for dimension in (2, 3)}
    with open(os.path.join(BUILD, "core.js"), "w", encoding="utf-8") as file:
        file.write('"use strict";\n' + scripts(CORE))
    if "--wasm" in sys.argv:
        return
    data = "".join("const WASM%d = '%s';\n" % (d, packed(code)) for d, code in wasm.items())
    page = read("page.html")
    for mark, text in (("/*STYLE*/", read("style.css")), ("/*SCRIPT*/", data + scripts(CORE + VIEW))):
        page = page.replace(mark, text)
    made_of = ", ".join("%s %s" % part for part in sources().items())
    page = page.replace("<!doctype html>", "<!doctype html><!-- made of %s -->" % made_of)
    for path in [PAGE] + ([IN_DOCS] if "--docs" in sys.argv else []):
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
    print("%s: %d kB; wasm %d kB in 2D, %d kB in 3D" % (os.path.relpath(PAGE, ROOT), len(page.encode()) // 1000,
                                                        len(wasm[2]) // 1000, len(wasm[3]) // 1000))


if __name__ == "__main__":
    if "--check" in sys.argv:
        print(" ".join(changed()))
        sys.exit(0)
    print("building the playground: half a minute", flush=True)
    main()
