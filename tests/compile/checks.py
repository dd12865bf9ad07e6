# SPDX-License-Identifier: MIT OR Unlicense
"""Compile checks: each is one test that compiles, links, must fail to, or looks at what came out.

tests/run.py runs them. A check returns nothing if all is well, else what is wrong.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "tools"))
sys.path.insert(0, os.path.dirname(HERE))
sys.dont_write_bytecode = True
import amalgamate  # noqa: E402
import build  # noqa: E402
import catalogue  # noqa: E402
import layers  # noqa: E402
from build import COMMON, STRICT_C, call  # noqa: E402

GCC = os.environ.get("GCC", "gcc")
GXX = os.environ.get("GXX", "g++")
CLANG = os.environ.get("CLANG", "clang")
CLANGXX = os.environ.get("CLANGXX", "clang++")
SCRATCH = os.path.join(ROOT, "build", "compile")

STRICT_CPP = COMMON
STRICT_CPP_DECLARATIONS = STRICT_CPP + ["-Wold-style-cast", "-Wzero-as-null-pointer-constant"]
EVERYTHING = ("-Weverything -Werror -Wno-padded -Wno-declaration-after-statement -Wno-unknown-warning-option "
              "-Wno-unsafe-buffer-usage").split()
EVERYTHING_CPP = EVERYTHING + ("-Wno-c++98-compat -Wno-c++98-compat-pedantic -Wno-old-style-cast "
                               "-Wno-zero-as-null-pointer-constant").split()

MOST_LINES = 17237           # of the header; goes down, never up
MOST_COLUMNS = 120           # of every file in src/
MOST_FUNCTION_LINES = 80
FEW_FUNCTION_LINES = 40      # nine of ten functions are shorter
MOST_DIMENSION_TESTS = 2     # in a part that is meant for both
MOST_PARSE_MS = 30           # that the declarations add to an empty file
FREE_TO_TEST_DIMENSION = ("begin.h", "api.h", "data.h", "vec.h")


class Check:
    """quick: `make test` runs it, otherwise `make test-all`. libraries: [(flavour, dimension)] that must be there."""

    def __init__(self, name, function, *arguments, quick=True, libraries=()):
        self.name, self.function, self.arguments = name, function, arguments
        self.quick, self.libraries = quick, libraries

    def run(self):
        os.makedirs(SCRATCH, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
            return self.function(folder, *self.arguments)


# ---- helpers -------------------------------------------------------------------------------------------------

def file_here(name):
    return os.path.join("tests", "compile", name)


def compile_to(folder, compiler, flags, source, dimension=2, name=None):
    """(object, None) or (None, complaint)"""
    target = os.path.join(folder, name or os.path.basename(source) + ".o")
    command = [compiler] + flags + ["-DKINEMATIC_DIM=%d" % dimension, "-I.", "-Itests/compile", "-c", source,
                                    "-o", target]
    code, text = call(command)
    if code != 0 or text:
        return None, " ".join(command) + "\n" + (text or "exit code %d" % code)
    return target, None


def must_compile(folder, compiler, flags, source, dimension=2):
    return compile_to(folder, compiler, flags, source, dimension)[1]


def must_not_compile(folder, compiler, flags, source, dimension, words):
    _, text = compile_to(folder, compiler, flags, source, dimension)
    if text is None:
        return "compiled, but must not"
    return None if words in text else "failed, but does not say \"%s\":\n%s" % (words, text)


def link_and_run(folder, compiler, objects):
    program = os.path.join(folder, "program")
    code, text = call([compiler] + objects + ["-o", program, "-lm"])
    if code != 0:
        return "does not link:\n" + text
    code, text = call([program])
    return None if code == 0 else "ended with code %d\n%s" % (code, text)


def build_and_run(folder, compiler, flags, sources):
    """sources: (file, dimension, extra flags)"""
    objects = []
    for number, (source, dimension, extra) in enumerate(sources):
        made, complaint = compile_to(folder, compiler, flags + extra, file_here(source), dimension, "%d.o" % number)
        if complaint:
            return complaint
        objects.append(made)
    return link_and_run(folder, compiler, objects)


# ---- the sources ---------------------------------------------------------------------------------------------

def header_in_sync(folder):
    code, text = call([sys.executable, "tools/amalgamate.py", "--check"])
    return text or "exit code %d" % code if code else None


def header_is_short(folder):
    with open(os.path.join(ROOT, "kinematic.h"), encoding="utf-8") as file:
        lines = file.read().count("\n")
    return "kinematic.h has %d lines" % lines if lines >= MOST_LINES else None


def lines_are_short(folder):
    long = []
    for name in sorted(os.listdir(os.path.join(ROOT, "src"))):
        with open(os.path.join(ROOT, "src", name), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                columns = len(line.rstrip("\n"))
                if columns > MOST_COLUMNS:
                    long.append("src/%s:%d: has %d columns" % (name, number, columns))
    return "\n".join(long) or None


def all_parts():
    report = amalgamate.Report()
    return [amalgamate.Part(name, report) for name in amalgamate.read_order(report)]


def functions_are_short(folder):
    lengths, long = [], []
    for part in all_parts():
        for _, name, first, last in amalgamate.functions_of(part, amalgamate.Report()):
            lengths.append(last - first + 1)
            if lengths[-1] > MOST_FUNCTION_LINES:
                long.append("%s:%d: %s has %d lines" % (part.path, first, name, lengths[-1]))
    lengths.sort()
    if lengths[len(lengths) * 9 // 10] >= FEW_FUNCTION_LINES:
        long.append("nine of ten functions must have less than %d lines" % FEW_FUNCTION_LINES)
    return "\n".join(long) or None


def dimension_is_tested_rarely(folder):
    often = []
    for part in all_parts():
        if part.name in FREE_TO_TEST_DIMENSION or re.search(r"[23]\.[ch]$", part.name):
            continue
        tests = [at + 1 for at, name, rest in part.directives()
                 if name in ("if", "elif") and re.search(r"KINI_DIM|KINEMATIC_DIM", rest)]
        if len(tests) > MOST_DIMENSION_TESTS:
            often.append("%s tests the dimension in lines %s" % (part.path, tests))
    return "\n".join(often) or None


def parts_call_downwards(folder):
    return layers.complaints(layers.calls_between_parts())


def library_compiles(folder, dimension):
    """The header as a whole, optimised, and each part by itself, all warnings on."""
    return build.library("plain", dimension)


def same_bytes(folder):
    """The tool gives the same bytes for the same input, and refuses to guess."""
    outputs = []
    for name in ("one.h", "two.h"):
        path = os.path.join(folder, name)
        code, text = call([sys.executable, "tools/amalgamate.py", "--output", path])
        if code != 0:
            return text
        with open(path, "rb") as file:
            outputs.append(file.read())
    if outputs[0] != outputs[1]:
        return "two runs differ"
    if b"\r" in outputs[0] or re.search(rb"[ \t]\n", outputs[0]) or not outputs[0].endswith(b"*/\n"):
        return "carriage returns, trailing blanks or no final newline"
    marked = os.path.join(folder, "kinematic.h")
    code, text = call([sys.executable, "tools/amalgamate.py", "--line", "--output", marked])
    if code != 0:
        return text
    return must_compile(folder, GCC, ["-std=c99", "-I" + folder] + STRICT_C, file_here("implementation.c"))


# Refusals of the tool: (name, file, text to replace or None to append, replacement, words of the refusal).
REFUSED = (
    ("missing_part", "src/order.txt", "math.c\n", "math.c\nnot_there.c\n", "not_there.c, which does not exist"),
    ("unlisted_part", "src/order.txt", "math.c\n", "", "does not list math.c"),
    ("part_listed_twice", "src/order.txt", "math.c\n", "math.c\nmath.c\n", "lists math.c twice"),
    ("part_before_what_it_needs", "src/order.txt", "config.h\nvec2.h\n", "vec2.h\nconfig.h\n", "does not come earlier"),
    ("function_without_comment", "src/api.h", "/* do both name the same thing? */", "", "kin_same has no comment"),
    ("member_without_comment", "src/api.h", "/* corners of the core, around the shape's origin */", "",
     "member without a comment"),
    ("prototype_without_api", "src/api.h", "KIN_API bool kin_same", "bool kin_same", "a prototype without KIN_API"),
    ("private_function_not_static", "src/math.c", None, "int kini_x(void)\n{\n    return 1;\n}\n", "must be static"),
    ("private_function_without_prefix", "src/math.c", None, "static int x(void)\n{\n    return 1;\n}\n", "must begin with kini_"),
    ("reserved_name", "src/math.c", None, "static int _x;\n", "reserved name: _x"),
    ("double_underscore", "src/math.c", None, "static int kini__x;\n", "reserved name: kini__x"),
    ("macro_without_prefix", "src/math.c", None, "#define SIZE 1\n", "macro names begin with"),
    ("name_taken_twice", "src/memory.c", None, "static float kini_sqrt(float a)\n{\n    return a;\n}\n", "also defined in"),
    ("strange_include", "src/math.c", None, "#include KINI_FILE\n", "an include that I do not understand"),
    ("strange_directive", "src/math.c", None, "#ident \"x\"\n", "a directive that I do not understand"),
    ("unfinished_if", "src/math.c", None, "#if 1\n", "do not match"),
    ("carriage_return", "src/math.c", None, "\r\n", "has a carriage return"),
    ("tab", "src/math.c", None, "\t\n", "has a tab"),
    ("version_in_api", "src/api.h", "KIN_VERSION_PATCH ", "KIN_VERSION_PATCH 9", "the version in src/api.h"),
    ("version_in_manual", "src/manual.txt", "kinematic.h ", "kinematic.h 9.", "the version in src/api.h"),
    ("version_in_changelog", "CHANGELOG.md", "## ", "## 9.", "the version in src/api.h"),
)


def tool_refuses(folder, path, old, new, words):
    shutil.copytree(os.path.join(ROOT, "src"), os.path.join(folder, "src"))
    os.mkdir(os.path.join(folder, "tools"))
    for name in ("tools/amalgamate.py", "LICENSE", "CHANGELOG.md", "package.json", "tools/packaging/vcpkg/kinematic/vcpkg.json"):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, name), os.path.join(folder, name))
    target = os.path.join(folder, path)
    with open(target, encoding="utf-8", newline="") as file:
        text = file.read()
    if old is not None and old not in text:
        return "%s has no \"%s\" to spoil" % (path, old)
    with open(target, "w", encoding="utf-8", newline="") as file:
        file.write(text + new if old is None else text.replace(old, new, 1))
    code, said = call([sys.executable, os.path.join(folder, "tools", "amalgamate.py")])
    if code != 1:
        return "exit code %d, not 1\n%s" % (code, said)
    if os.path.exists(os.path.join(folder, "kinematic.h")):
        return "it wrote a header in spite of that"
    return None if words in said else "it does not say \"%s\":\n%s" % (words, said)


# ---- what comes out ------------------------------------------------------------------------------------------

# Functions of the C library and of the compiler's runtime that may be called. No libm but sqrtf.
IMPORTS = set("malloc free sqrtf stderr fputs fprintf fwrite fputc snprintf vsnprintf __assert_fail memcpy memset "
              "memmove memcmp __stack_chk_fail _GLOBAL_OFFSET_TABLE_".split())


def symbols_of(path):
    _, text = call(["nm", path])
    return [(line.split()[-2], line.split()[-1]) for line in text.split("\n") if line]


def names_in_the_library(folder, dimension):
    return build.library("plain", dimension) or names_are_ours("build/test/plain%d/whole.o" % dimension, dimension)


def names_compiled_by(folder, compiler, flags, dimension):
    made, complaint = compile_to(folder, compiler, flags, file_here("implementation.c"), dimension)
    return complaint or names_are_ours(made, dimension)


def names_are_ours(made, dimension):
    wrong = []
    _, sections = call(["objdump", "-t", made])   # constants that hold addresses are data only until they are linked
    constant = {line.split()[-1] for line in sections.split("\n") if ".data.rel.ro" in line}
    for kind, name in symbols_of(made):
        if kind == "U" and name not in IMPORTS:
            wrong.append("asks for " + name)
        elif kind in "DBCdb" and name not in constant:
            wrong.append("has a global: " + name)
        elif kind.isupper() and kind != "U" and not name.startswith("kin%d_" % dimension):
            wrong.append("exports " + name)
    return "\n".join(wrong) or None


def every_declaration_is_defined(folder, dimension):
    complaint = build.library("plain", dimension)
    if complaint:
        return complaint
    report = amalgamate.Report()
    declared = set("kin%d_%s" % (dimension, prototype.name[4:])
                   for prototype in amalgamate.prototypes_of(amalgamate.Part("api.h", report), report)
                   if prototype.dimension in (None, dimension))
    defined = set(name for kind, name in symbols_of("build/test/plain%d/whole.o" % dimension) if kind == "T")
    missing, extra = sorted(declared - defined), sorted(defined - declared)
    return "\n".join(["not defined: " + name for name in missing] + ["not declared: " + name for name in extra]) or None


def nothing_is_fused(folder, compiler, flags, dimension):
    """With fused multiply-add at hand, the implementation does not use it, and the user's own code still does."""
    made, complaint = compile_to(folder, compiler, ["-march=haswell"] + flags, file_here("contraction.c"), dimension)
    if complaint:
        return complaint
    _, text = call(["objdump", "-d", "--no-show-raw-insn", made])
    function, fused = "", {}
    for line in text.split("\n"):
        head = re.match(r"[0-9a-f]+ <(.*)>:", line)
        function = head.group(1) if head else function
        if re.search(r"\bvfn?m(add|sub)", line):
            fused[function] = fused.get(function, 0) + 1
    users = [fused.pop("user_before", 0), fused.pop("user_after", 0)]
    if fused:
        return "fused multiply-add in " + ", ".join(sorted(fused))
    return None if users == [1, 1] else "the user's own setting is not restored: %s" % users


def declarations_parse_quickly(folder):
    empty = os.path.join(folder, "empty.c")
    with open(empty, "w", encoding="utf-8") as file:
        file.write("int nothing;\n")

    def milliseconds(source):
        """Processor time of the best of some runs: what else the machine does must not count."""
        best = None
        for _ in range(7):
            child = subprocess.Popen([GCC, "-std=c99", "-fsyntax-only", "-I.", source], cwd=ROOT)
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0
            spent = (usage.ru_utime + usage.ru_stime) * 1000
            best = spent if best is None else min(best, spent)
        return best

    extra = milliseconds(file_here("plain.c")) - milliseconds(empty)
    return "the declarations add %.0f ms" % extra if extra > MOST_PARSE_MS else None


# ---- programs ------------------------------------------------------------------------------------------------

IMPLEMENT = ["-DKINEMATIC_IMPLEMENTATION"]


def two_and_three_in_one(folder, compiler):
    return build_and_run(folder, compiler, [], [
        ("world_user.c", 2, IMPLEMENT), ("world_user.c", 3, IMPLEMENT), ("both_main.c", 2, [])])


def two_against_three(folder):
    """A 2D caller with a 3D implementation is an undefined symbol, not a crash."""
    complaint = build_and_run(folder, GCC, [], [
        ("world_user.c", 2, []), ("implementation.c", 3, []), ("flat_main.c", 2, [])])
    if complaint and "undefined reference to `kin2_" in complaint:
        return None
    return complaint or "it linked, but must not"


def static_twice(folder, compiler, flags):
    return build_and_run(folder, compiler, flags, [("static_one.c", 2, []), ("static_two.c", 3, [])])


def program(folder, compiler, flags, source, dimension=2):
    return build_and_run(folder, compiler, flags, [(source, dimension, [])])


def threads_ask(folder, dimension):
    """Several threads ask one world, watched by the thread sanitizer."""
    flags = ["-O1", "-g", "-fsanitize=thread"]
    made, complaint = compile_to(folder, CLANG, flags, file_here("threads.c"), dimension)
    return complaint or link_and_run(folder, CLANG, [made, "-fsanitize=thread", "-lpthread"])


# Options KINEMATIC_NO_..., and the names of what they leave out
PARTS = {"SNAPSHOT": "snapshot", "DRAW": "debug_draw", "MESH": "mesh$", "TILES": "tiles?(_region|_definition)?$"}


def without(folder, compiler, flags, dimension, *parts):
    """The header without some of its functions: they are neither declared nor there."""
    flags = flags + ["-DKINEMATIC_NO_" + part for part in parts]
    _, declared = call([compiler, "-E", "-P"] + flags + ["-DKINEMATIC_DIM=%d" % dimension, "-I.", file_here("plain.c")])
    complaint = program(folder, compiler, flags, "without.c", dimension)
    names = [name for _, name in symbols_of(os.path.join(folder, "0.o"))] + re.findall(r"(kin%d_\w+)\(" % dimension, declared)
    left = [name for name in names for part in parts if re.match(r"kin\d_\w*" + PARTS[part], name)]
    return complaint or ("still there: " + ", ".join(left) if left else None)


def half_an_override(folder):
    return must_not_compile(folder, GCC, ["-DKINEMATIC_MALLOC=malloc"], file_here("implementation.c"), 2, "or neither")


# ---- the list ------------------------------------------------------------------------------------------------

OPTIONS = (
    ("assert", ["-DKINEMATIC_ASSERT(c)=((void)(c))"]),
    ("no_assert", ["-DNDEBUG"]),
    ("malloc", ["-DKINEMATIC_MALLOC(n)=my_malloc(n)", "-DKINEMATIC_FREE(p)=my_free(p)", "-include",
                file_here("my_malloc.h")]),
    ("memcpy", ["-DKINEMATIC_MEMCPY=__builtin_memcpy", "-DKINEMATIC_MEMSET=__builtin_memset"]),
    ("sqrt", ["-DKINEMATIC_SQRT(x)=__builtin_sqrtf(x)"]),
    ("no_stdio", ["-DKINEMATIC_NO_STDIO"]),
    ("no_stdlib", ["-DKINEMATIC_NO_STDLIB"]),
    ("no_determinism", ["-DKINEMATIC_NO_DETERMINISM"]),
    ("static", ["-DKINEMATIC_STATIC"]),
    ("editor", ["-D__INTELLISENSE__"]),
)

FREESTANDING = ["-ffreestanding", "-DKINEMATIC_NO_STDLIB", "-O1", "-std=c99"]
SYNTAX = ["-fsyntax-only"]   # all that a compiler has to say, but for gcc on functions that nobody calls
IMPLEMENTATION = file_here("implementation.c")


def strict_checks():
    """Silent in every language standard; `make test` tries the oldest of C and of C++."""
    out = []
    for dim in (2, 3):
        for source in ("plain", "implementation"):
            path, title = file_here(source + ".c"), "%dd_%s" % (dim, source)
            for compiler, name in ((GCC, "gcc"), (CLANG, "clang")):
                for standard in ("c99", "c11", "c17", "c2x"):
                    out.append(Check("strict_%s_%s_%s" % (name, standard, title), must_compile, compiler,
                                     SYNTAX + ["-std=" + standard] + STRICT_C, path, dim, quick=standard == "c99"))
            for compiler, name in ((GXX, "gcc"), (CLANGXX, "clang")):
                flags = STRICT_CPP_DECLARATIONS if source == "plain" else STRICT_CPP
                for standard in ("c++11", "c++14", "c++17", "c++20"):
                    out.append(Check("strict_%s_%s_%s" % (name, standard, title), must_compile, compiler,
                                     SYNTAX + ["-x", "c++", "-std=" + standard] + flags, path, dim,
                                     quick=standard == "c++11"))
            out.append(Check("everything_clang_c99_" + title, must_compile, CLANG,
                             SYNTAX + ["-std=c99"] + EVERYTHING, path, dim, quick=False))
            out.append(Check("everything_clang_c++11_" + title, must_compile, CLANGXX,
                             SYNTAX + ["-x", "c++", "-std=c++11"] + EVERYTHING_CPP, path, dim, quick=False))
    out.append(Check("strict_gcc_optimised_more_3d", must_compile, GCC, ["-std=c99", "-O3"] + STRICT_C, IMPLEMENTATION, 3,
                     quick=False))
    return out


def option_checks():
    out = []
    for dim in (2, 3):
        for name, flags in OPTIONS:
            source = "plain.c" if name == "editor" else "implementation.c"
            compiler = GCC if dim == 2 else CLANG
            out.append(Check("option_%s_%dd" % (name, dim), must_compile, compiler,
                             SYNTAX + ["-std=c99"] + STRICT_C + flags, file_here(source), dim))
        for target in ("wasm32", "arm-none-eabi"):
            out.append(Check("freestanding_%s_%dd" % (target, dim), must_compile, CLANG,
                             ["--target=" + target] + FREESTANDING + STRICT_C, IMPLEMENTATION, dim, quick=False))
        out.append(Check("static_c++_%dd" % dim, must_compile, GXX,
                         SYNTAX + ["-x", "c++", "-std=c++11", "-DKINEMATIC_STATIC"] + STRICT_CPP, IMPLEMENTATION, dim))
    for part in PARTS:
        out.append(Check("without_%s_2d" % part, without, GCC, ["-std=c99"] + STRICT_C, 2, part))
        out.append(Check("without_%s_3d" % part, without, CLANGXX, ["-x", "c++", "-std=c++11"] + STRICT_CPP, 3, part, quick=False))
    out.append(Check("without_all_2d", without, GXX, ["-x", "c++", "-std=c++11"] + STRICT_CPP, 2, *PARTS))
    out.append(Check("without_all_3d", without, CLANG, ["-std=c99"] + STRICT_C, 3, *PARTS))
    out.append(Check("half_an_override_is_an_error", half_an_override))
    return out


def promise_checks():
    """The same bits: what breaks them is refused, unless the user gives up the promise."""
    out = []
    for name, compiler, flag in (("gcc_fast_math", GCC, "-ffast-math"), ("clang_fast_math", CLANG, "-ffast-math"),
                                 ("gcc_finite_math", GCC, "-ffinite-math-only"), ("gcc_x87", GCC, "-mfpmath=387"),
                                 ("gcc_unsafe_math", GCC, "-funsafe-math-optimizations")):
        out.append(Check(name + "_is_an_error", must_not_compile, compiler, [flag], IMPLEMENTATION, 2, "equal results"))
        out.append(Check(name + "_on_request", must_compile, compiler, SYNTAX + [flag, "-DKINEMATIC_NO_DETERMINISM"],
                         IMPLEMENTATION, 2))
        out.append(Check(name + "_is_fine_for_callers", must_compile, compiler, [flag], file_here("plain.c"), 2))
    for name, compiler, flags, dim in (("gcc_2d", GCC, ["-O3", "-ffp-contract=fast"], 2),
                                       ("gcc_3d", GCC, ["-O3", "-march=skylake-avx512"], 3),
                                       ("clang_2d", CLANG, ["-O3", "-ffp-contract=fast"], 2),
                                       ("g++", GXX, ["-O2", "-x", "c++"], 2),
                                       ("clang++", CLANGXX, ["-O1", "-x", "c++"], 3)):
        out.append(Check("nothing_is_fused_" + name, nothing_is_fused, compiler, flags, dim, quick=False))
    return out


def program_checks():
    strict = ["-std=c99"] + STRICT_C
    return [
        Check("2d_and_3d_in_one_program_gcc", two_and_three_in_one, GCC, quick=False),
        Check("2d_and_3d_in_one_program_clang", two_and_three_in_one, CLANG),
        Check("2d_caller_3d_implementation_does_not_link", two_against_three, quick=False),
        Check("both_dimensions_in_one_file_is_an_error", must_not_compile, GCC, ["-w"], file_here("both_dimensions.c"),
              2, "in one source file"),
        Check("threads_ask_2d", threads_ask, 2, quick=False),
        Check("threads_ask_3d", threads_ask, 3, quick=False),
        Check("dimension_4_is_an_error", must_not_compile, GCC, [], file_here("plain.c"), 4, "must be 2 or 3"),
        Check("static_in_two_files_gcc", static_twice, GCC, strict, quick=False),
        Check("static_in_two_files_clang", static_twice, CLANG, strict),
        Check("static_without_implementation_is_an_error", must_not_compile, GCC, [], file_here("static_alone.c"), 2,
              "KINEMATIC_STATIC needs"),
        Check("plain_first_implementation_later_2d", program, GCC, strict, "later.c", 2, quick=False),
        Check("plain_first_implementation_later_3d", program, CLANG, strict, "later.c", 3),
        Check("included_twice_gcc", program, GCC, strict, "twice.c", quick=False),
        Check("included_twice_clang", program, CLANG, strict, "twice.c"),
        Check("references_g++", program, GXX, ["-std=c++11"] + STRICT_CPP, "references.cc", 2),
        Check("references_clang++", program, CLANGXX, ["-std=c++20"] + STRICT_CPP, "references.cc", 3, quick=False),
        Check("hostile_before_gcc", must_compile, GCC, SYNTAX + strict, file_here("hostile_before.c"), 2),
        Check("hostile_before_clang", must_compile, CLANG, SYNTAX + strict, file_here("hostile_before.c"), 3),
        Check("hostile_before_g++", must_compile, GXX, SYNTAX + ["-x", "c++"] + STRICT_CPP, file_here("hostile_before.c"), 3),
        Check("hostile_after_gcc", must_compile, GCC, SYNTAX + strict, file_here("hostile_after.c"), 2),
        Check("hostile_after_clang", must_compile, CLANG, SYNTAX + strict, file_here("hostile_after.c"), 3),
    ]


def all_checks():
    out = [
        Check("header_is_in_sync", header_in_sync),
        Check("header_is_made_the_same_every_time", same_bytes, quick=False),
        Check("header_is_under_%d_lines" % MOST_LINES, header_is_short),
        Check("lines_are_short", lines_are_short),
        Check("catalogue", catalogue.catalogue),
        Check("functions_are_short", functions_are_short),
        Check("dimension_is_tested_rarely", dimension_is_tested_rarely),
        Check("parts_call_downwards", parts_call_downwards),
        Check("declarations_parse_quickly", declarations_parse_quickly),
    ]
    out += [Check("tool_refuses_" + refused[0], tool_refuses, *refused[1:], quick=False) for refused in REFUSED]
    for dim in (2, 3):
        needs = [("plain", dim)]
        out.append(Check("library_compiles_silently_%dd" % dim, library_compiles, dim, libraries=needs))
        out.append(Check("every_declaration_is_defined_%dd" % dim, every_declaration_is_defined, dim, libraries=needs))
        out.append(Check("only_our_names_%dd" % dim, names_in_the_library, dim, libraries=needs))
        out.append(Check("only_our_names_clang_%dd" % dim, names_compiled_by, CLANG, ["-O0", "-std=c99"], dim, quick=False))
        out.append(Check("only_our_names_c++_%dd" % dim, names_compiled_by, GXX, ["-O0", "-x", "c++"], dim, quick=False))
    return out + program_checks() + promise_checks() + option_checks() + strict_checks()
