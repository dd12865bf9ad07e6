#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Long random runs; `make fuzz` and `make fuzz-afl` (--afl) call it.

FUZZ_SECONDS [60] is the time for each fuzz target, KIN_SEEDS [1000] and KIN_STEPS [2000] are the number of random worlds
and their length, KIN_CROWDS [20000] the number of crowds and of piles. Fuzz targets are libFuzzer's; AFL++ understands
them too. What they find goes to tests/fuzz/corpus, cut down by `build/fuzz/api2 -minimize_crash=1 -runs=10000 FILE`, and
into a unit test in words.
"""
import argparse
import concurrent.futures
import glob
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import build  # noqa: E402

WEEK = 7 * 24 * 3600
FLAGS = "-O1 -g -fsanitize=fuzzer,address,undefined,float-cast-overflow -fno-sanitize-recover=all -I. -Itests".split()
AFL = {"AFL_SKIP_CPUFREQ": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_UI": "1", "AFL_BENCH_UNTIL_CRASH": "1"}


def setting(name, usual):
    return os.environ.get(name) or str(usual)


def targets():
    names = sorted(os.path.basename(path)[:-2] for path in glob.glob(os.path.join(HERE, "*.c")))
    return [(name, dimension) for name in names for dimension in (2, 3)]


def built(folder, compiler, name, dimension):
    """(program, complaint)"""
    path = "build/%s/%s%d" % (folder, name, dimension)
    command = [compiler] + FLAGS + ["-DKINEMATIC_DIM=%d" % dimension, "-MMD", "-MF", path + ".d",
                                    "tests/fuzz/%s.c" % name, "-o", path, "-lm"]
    return path, build.make(path, command, [])


def write_seeds(program, folder):
    os.makedirs(os.path.join(build.ROOT, folder), exist_ok=True)
    return build.call([program], dict(os.environ, KIN_SEEDS_TO=folder))


def play_target(name, dimension):
    program, complaint = built("fuzz", build.CLANG, name, dimension)
    if complaint:
        return 1, complaint
    code, text = write_seeds(program, program + ".corpus")
    if code == 0:
        code, text = build.call([program, "-max_total_time=" + setting("FUZZ_SECONDS", 60), "-timeout=60", "-max_len=4096",
                                 "-artifact_prefix=%s." % program, program + ".corpus", "tests/fuzz/corpus"], None, WEEK)
    return code, text[-4000:]


def play_worlds(program, seeds):
    complaint = build.program(program)
    environment = dict(os.environ, KIN_SEEDS=seeds, KIN_STEPS=setting("KIN_STEPS", 2000))
    return (1, complaint) if complaint else build.call([program], environment, WEEK)


def play_afl(name, dimension):
    program, complaint = built("fuzz-afl", "afl-clang-fast", name, dimension)
    if complaint:
        return 1, complaint
    code, text = write_seeds(program, program + ".seeds")
    if code == 0:
        code, text = build.call(["afl-fuzz", "-V", setting("FUZZ_SECONDS", 60), "-t", "60000", "-i", program + ".seeds",
                                 "-o", program + ".out", "--", program], dict(os.environ, **AFL), WEEK)
    crashes = glob.glob(os.path.join(build.ROOT, program + ".out", "default", "crashes", "*"))
    return (1, "see %s.out/default/crashes" % program) if crashes else (code, text[-4000:])


def jobs_of(afl):
    """(title, function, arguments): the longest first."""
    if afl:
        return [("%s%d" % target, play_afl, target) for target in targets()]
    seeds, crowds = setting("KIN_SEEDS", 1000), setting("KIN_CROWDS", 20000)
    runners = [("scenarios/random", seeds), ("scenarios/crowds", crowds), ("scenarios/mazes", seeds),
               ("scenarios/moving", seeds), ("unit/test_idle", seeds)]
    worlds = [("build/test/slow%d/%s" % (dimension, name), count) for name, count in runners for dimension in (2, 3)]
    return ([("%s, %s seeds" % world, play_worlds, world) for world in worlds] +
            [("%s%d" % target, play_target, target) for target in targets()])


def main():
    parser = argparse.ArgumentParser(description="Long random runs.")
    parser.add_argument("--afl", action="store_true", help="the fuzz targets under AFL++")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    arguments = parser.parse_args()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = {pool.submit(function, *rest): title for title, function, rest in jobs_of(arguments.afl)}
        for job in concurrent.futures.as_completed(running):
            code, text = job.result()
            passed, failed = passed + (code == 0), failed + (code != 0)
            print("%s: %s" % (running[job], "well" if code == 0 else "code %d\n%s" % (code, text)), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
