# SPDX-License-Identifier: MIT OR Unlicense
"""Builds test programs, such as build/test/plain2/scenarios/push: flavour and dimension, kind, name.

A program is one source of tests/unit, tests/scenarios or tests/golden, linked with the library, which is compiled once
for each flavour and dimension, in two forms:

  whole.o   the header, as users compile it: for scenarios and golden worlds, built plainly
  parts.a   the parts of src/, each compiled alone, so that tests can call what is private: for all the others

Scenarios are also linked with scene_step.o, the step of a scene and its checks, which is where their time goes.

A unit test that needs a part's static functions, or that part with other options, includes it (#include "tree.c"): the
linker then has no use for the one in parts.a.
"""
import glob
import os
import re
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GCC = os.environ.get("GCC", "gcc")
CLANG = os.environ.get("CLANG", "clang")
SECONDS = 900   # after which a command counts as hanging

COMMON = ("-Wall -Wextra -pedantic -Werror -Wshadow -Wconversion -Wsign-conversion -Wdouble-promotion -Wfloat-equal "
          "-Wcast-qual -Wcast-align -Wundef -Wpointer-arith -Wwrite-strings -Wredundant-decls -Wvla -Wformat=2 "
          "-Wswitch-enum -Wmissing-declarations").split()
STRICT_C = COMMON + "-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wbad-function-cast".split()
SANITIZED = "-O1 -finline-hint-functions -gline-tables-only -fno-omit-frame-pointer -fno-sanitize-recover=all"


class Flavour:
    """Flags for the library, for unit tests, for scene_step.c and scenarios that compute a lot (FAST), and for all other
    scenarios; what is added to all of them and to linking; and what long tests divide their number of rounds by
    (TEST_SHARE)."""

    def __init__(self, compiler, library, unit, fast, other, added, share, whole=False, library_of=None):
        self.compiler, self.library, self.link = compiler, library.split() + added.split(), added.split()
        self.unit, self.fast, self.other = unit.split(), fast.split(), other.split()
        self.share, self.whole, self.library_of = share, whole, library_of


# Test sources take long to optimise and most run for moments, so most are not. The address sanitizer watches the library
# in every program, and the test's own source in unit tests.
ADDRESS = "-fsanitize=address,undefined,float-cast-overflow"
FLAVOURS = {
    "plain": Flavour(GCC, "-O2", "-O0", "-O2", "-O0", "", 10, whole=True),
    "slow": Flavour(GCC, "-O2", "-O1", "-O2", "-O1", "", 1, whole=True, library_of="plain"),
    "address": Flavour(CLANG, SANITIZED, "-O0", "-O1 -fno-sanitize=all", "-O0 -fno-sanitize=all", ADDRESS, 80),
    "memory": Flavour(CLANG, SANITIZED, "-O0", "-O1", "-O0", "-fsanitize=memory", 80),
    "thread": Flavour(CLANG, SANITIZED, "-O1", "-O1", "-O0", "-fsanitize=thread", 40),
    "coverage": Flavour(GCC, "-O0 -DNDEBUG", "-O0", "-O0", "-O0", "--coverage", 20),
}
FAST = ("mazes", "random", "test_narrow_brute", "test_narrow_brute3")
FAST_UNIT = ("test_collide", "test_idle", "test_parallel", "test_tree")   # include parts, which sanitizers have to see

locks, locks_lock, libraries = {}, threading.Lock(), {}
spent = threading.local()   # .seconds of processor time, by this thread's commands


def call(command, environment=None, seconds=SECONDS):
    """(exit code, everything it said)"""
    child = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
    late = threading.Timer(seconds, child.kill)
    late.start()
    text = child.stdout.read().decode("utf-8", "replace")
    child.stdout.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if not late.is_alive():
        text += "\nstill running after %d s" % seconds
    late.cancel()
    spent.seconds = getattr(spent, "seconds", 0) + usage.ru_utime + usage.ru_stime
    return child.returncode, text


def is_fresh(target, command, inputs):
    """Was it made by this command, after everything it was made from?"""
    try:
        made = os.path.getmtime(os.path.join(ROOT, target))
        with open(os.path.join(ROOT, target + ".d"), encoding="utf-8") as file:
            rule, _, how = file.read().partition("\n# ")
        needed = rule.replace("\\\n", " ").partition(":")[2].split() + inputs
        return how == " ".join(command) and all(os.path.getmtime(os.path.join(ROOT, path)) < made for path in needed)
    except OSError:
        return False


def make(target, command, inputs):
    """Runs a command that makes the target, and its rule (target.d) if it compiles, unless it is fresh. What is wrong,
    or None."""
    with locks_lock:
        lock = locks.setdefault(target, threading.Lock())
    with lock:
        if is_fresh(target, command, inputs):
            return None
        os.makedirs(os.path.join(ROOT, os.path.dirname(target)), exist_ok=True)
        for path in (target, target + ".d"):
            if os.path.exists(os.path.join(ROOT, path)):
                os.remove(os.path.join(ROOT, path))
        code, text = call(command)
        if code == 0:
            with open(os.path.join(ROOT, target + ".d"), "a", encoding="utf-8") as file:
                file.write("\n# " + " ".join(command))
        return None if code == 0 else "%s\n%s" % (" ".join(command), text)


def compile_one(target, compiler, flags, source, dimension):
    command = [compiler] + flags + ["-DKINEMATIC_DIM=%d" % dimension, "-MMD", "-MF", target + ".d", "-c", source, "-o",
                                    target]
    return make(target, command, [])


# ---- the library ------------------------------------------------------------------------------------------------

def parts_of(dimension):
    """src/*.c but for those of the other dimension."""
    other = "3.c" if dimension == 2 else "2.c"
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "src", "*.c"))
                  if not path.endswith(other))


def folder_of(name, dimension):
    return "build/test/%s%d" % (FLAVOURS[name].library_of or name, dimension)


def object_of(part, folder):
    return "%s/parts/%s.o" % (folder, os.path.basename(part)[:-2])


def pieces(name, dimension, with_parts=True):
    """Jobs that compile the pieces of one flavour's library, any number at once; what each returns is a complaint."""
    flavour, folder = FLAVOURS[name], folder_of(name, dimension)
    strict = STRICT_C if flavour.compiler == GCC else ["-Wall", "-Wextra", "-Werror"]
    flags = flavour.library + strict + ["-std=c99"]
    jobs = [lambda: compile_one(folder + "/start.o", flavour.compiler, ["-O0"], "tests/start.c", dimension)]
    if flavour.whole:
        jobs.insert(0, lambda: compile_one(folder + "/whole.o", flavour.compiler, flags + ["-I."],
                                           "tests/compile/implementation.c", dimension))
    for_parts = flags + (["-O1"] if name == "plain" else [])
    jobs += [lambda part=part: compile_one(object_of(part, folder), flavour.compiler, for_parts, part, dimension)
             for part in parts_of(dimension) if with_parts]
    return jobs


def parts_archive(name, dimension):
    folder = folder_of(name, dimension)
    objects = [object_of(part, folder) for part in parts_of(dimension)]
    return make(folder + "/parts.a", ["ar", "rcs", folder + "/parts.a"] + objects, objects)


def needs_parts(name, kind):
    """Does a program of this kind need parts.a? Otherwise it is linked with whole.o."""
    return kind == "unit" or not FLAVOURS[name].whole


def library(name, dimension, kind=None):
    """Makes sure, once, that all is there that programs of this kind need. A complaint or None."""
    name, with_parts = FLAVOURS[name].library_of or name, needs_parts(name, kind)
    if (name, dimension, with_parts) not in libraries:
        complaints = [complaint for complaint in (job() for job in pieces(name, dimension, with_parts)) if complaint]
        libraries[name, dimension, with_parts] = "\n".join(complaints) or (
            parts_archive(name, dimension) if with_parts else None)
    return libraries[name, dimension, with_parts]


def test_flags(flavour, flags, with_whole):
    """For a source of tests."""
    return (flavour.link + flags + ["-std=gnu99", "-gline-tables-only" if flavour.compiler == CLANG else "-g1"] +
            ["-Wall", "-Wextra", "-DKIN_IMPLEMENTED", "-DTEST_SHARE=%d" % flavour.share, "-Itests", "-Ibuild/deps"] +
            (["-I."] if with_whole else ["-Itests/inside", "-Isrc"]))


# ---- programs ---------------------------------------------------------------------------------------------------

def scene_step(flavour, folder, dimension):
    flags = test_flags(flavour, flavour.fast, flavour.whole)
    return compile_one(folder + "/scene_step.o", flavour.compiler, flags, "tests/scene_step.c", dimension)


def program(path):
    """Builds what a path such as build/test/plain2/scenarios/push says, and the library if need be. A complaint or
    None."""
    match = re.fullmatch(r"build/test/([a-z]+)([23])/(?:(unit|scenarios|golden)/(\w+)|whole\.o|parts\.a)", path)
    if not match or match.group(1) not in FLAVOURS:
        return "no test program is called " + path
    name, dimension, kind, test = match.group(1), int(match.group(2)), match.group(3), match.group(4)
    complaint = library(name, dimension, kind or ("unit" if path.endswith("parts.a") else None))
    if complaint or not kind:
        return complaint
    flavour, folder, source = FLAVOURS[name], folder_of(name, dimension), "tests/%s/%s.c" % (kind, test)
    with_whole = not needs_parts(name, kind)
    linked = [path + ".o", folder + "/start.o", folder + ("/whole.o" if with_whole else "/parts.a")]
    fast = test in FAST or flavour.whole and test in FAST_UNIT
    flags = test_flags(flavour, flavour.fast if fast else flavour.unit if kind == "unit" else flavour.other, with_whole)
    if kind == "scenarios":
        flags.append("-DSCENE_LINKED")
        linked.insert(1, folder + "/scene_step.o")
        complaint = scene_step(FLAVOURS[flavour.library_of or name], folder, dimension)
    complaint = complaint or compile_one(path + ".o", flavour.compiler, flags, source, dimension)
    return complaint or make(path, [flavour.compiler] + flavour.link + linked + ["-o", path, "-lm", "-pthread"], linked)
