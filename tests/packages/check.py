#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""Installs, packs and consumes the library as users do; `make packages` calls it. Ends with "N passed, N failed".

  install     make install, then a program built with pkg-config
  dist        make dist, twice the same bytes
  cmake       add_subdirectory on the sources, FetchContent on the archive of make dist, find_package on what CMake
              installed: each with the header, with the compiled 2D and with the compiled 3D library
  vcpkg       the port, with stand-ins for vcpkg's functions in vcpkg.cmake
  conan       the recipe's version, sources and targets, with stand-ins for Conan's modules
  versions    every file that has to state the version states that of src/api.h
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CONSUMER = os.path.join(HERE, "consumer")
sys.dont_write_bytecode = True


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def version():
    return ".".join(re.findall(r"#define KIN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", read("src/api.h")))


class Wrong(Exception):
    pass


def run(command, cwd=ROOT, **environment):
    """Its output; it must end with code 0."""
    done = subprocess.run(command, cwd=cwd, env=dict(os.environ, **environment), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode != 0:
        raise Wrong("%s\nended with code %d\n%s" % (" ".join(command), done.returncode, text))
    return text


def expect(found, wanted):
    if found != wanted:
        raise Wrong("expected %r, got %r" % (wanted, found))


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(path, name), folder)
                  for path, _, names in os.walk(folder) for name in names)


def make(*arguments):
    return run(["make", "-s", "--no-print-directory"] + list(arguments))


BOTH_SAY = "flat 1, solid 1\n"


def header_says():
    major, minor, patch = map(int, version().split("."))
    return "version %d, stands\n" % (major * 10000 + minor * 100 + patch)


# ---- make install, make dist -----------------------------------------------------------------------------------------

def pkg_config(folder, name):
    """Flags, as its pkg-config file below a folder gives them."""
    environment = dict(PKG_CONFIG_LIBDIR=folder, PKG_CONFIG_PATH="")
    expect(run(["pkg-config", "--modversion", name], **environment), version() + "\n")
    return run(["pkg-config", "--cflags", "--libs", name], **environment).split()


def check_install(folder):
    prefix = os.path.join(folder, "prefix")
    make("install", "PREFIX=" + prefix)
    expect(files_below(prefix), ["include/kinematic.h", "lib/pkgconfig/kinematic.pc"])
    program = os.path.join(folder, "header")
    run(["cc", "-std=c99", os.path.join(CONSUMER, "header.c"), "-o", program] +
        pkg_config(os.path.join(prefix, "lib", "pkgconfig"), "kinematic"))
    expect(run([program]), header_says())
    make("uninstall", "PREFIX=" + prefix)
    expect(files_below(prefix), [])


def check_install_staged(folder):
    make("install", "DESTDIR=" + folder, "PREFIX=/usr", "LIBDIR=/usr/lib64")
    expect(files_below(folder), ["usr/include/kinematic.h", "usr/lib64/pkgconfig/kinematic.pc"])
    text = open(os.path.join(folder, "usr/lib64/pkgconfig/kinematic.pc"), encoding="utf-8").read()
    expect([line for line in text.split("\n") if folder in line or "@" in line], [])
    expect("includedir=/usr/include\n" in text and "libdir=/usr/lib64\n" in text, True)


def archive():
    return os.path.join(ROOT, "build", "kinematic-%s.tar.gz" % version())


def check_dist(folder):
    make("dist")
    with open(archive(), "rb") as file:
        first = file.read()
    make("dist")
    with open(archive(), "rb") as file:
        expect(file.read() == first, True)
    run(["tar", "-xf", archive(), "-C", folder])
    expect(os.listdir(folder), ["kinematic-" + version()])
    packed = os.path.join(folder, "kinematic-" + version())
    expect(files_below(packed), sorted(run(["git", "ls-files"]).split()))
    expect(open(os.path.join(packed, "kinematic.h"), encoding="utf-8").read() == read("kinematic.h"), True)


# ---- CMake -----------------------------------------------------------------------------------------------------------

def consume(folder, *options):
    build = os.path.join(folder, "consumer")
    run(["cmake", "-S", CONSUMER, "-B", build, "-DCMAKE_BUILD_TYPE=Debug"] + list(options))
    run(["cmake", "--build", build])
    expect(run([os.path.join(build, "header")]), header_says())
    expect(run([os.path.join(build, "both")]), BOTH_SAY)


def install_by_cmake(folder, *options):
    """The prefix."""
    prefix, build = os.path.join(folder, "prefix"), os.path.join(folder, "library")
    run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_INSTALL_PREFIX=" + prefix] +
        list(options))
    run(["cmake", "--build", build, "--target", "install"])
    return prefix


def check_cmake_subdirectory(folder):
    consume(folder, "-DWAY=subdirectory", "-DSOURCE=" + ROOT)


def check_cmake_fetch(folder):
    make("dist")
    consume(folder, "-DWAY=fetch", "-DSOURCE=" + archive())


def check_cmake_find(folder):
    """The installed package is moved first: it must not know where it was."""
    prefix = install_by_cmake(folder, "-DCMAKE_INSTALL_LIBDIR=lib")
    moved = shutil.move(prefix, os.path.join(folder, "moved"))
    consume(folder, "-DWAY=find", "-DVERSION=" + version(), "-DCMAKE_PREFIX_PATH=" + moved)


def check_cmake_shared_and_pkg_config(folder):
    """Shared libraries, used by what CMake writes for pkg-config."""
    prefix = install_by_cmake(folder, "-DBUILD_SHARED_LIBS=ON", "-DCMAKE_INSTALL_LIBDIR=lib")
    objects, libraries = [], []
    for name, package in (("flat", "kinematic2"), ("solid", "kinematic3")):
        flags = pkg_config(os.path.join(prefix, "lib", "pkgconfig"), package)
        objects.append(os.path.join(folder, name + ".o"))
        libraries += flags
        run(["cc", "-std=c99", "-c", os.path.join(CONSUMER, name + ".c"), "-o", objects[-1]] +
            [flag for flag in flags if flag[:2] in ("-I", "-D")])
    program = os.path.join(folder, "both")
    run(["cc", os.path.join(CONSUMER, "both.c")] + objects + ["-o", program] +
        [flag for flag in libraries if flag[:2] in ("-L", "-l")])
    expect(run([program], LD_LIBRARY_PATH=os.path.join(prefix, "lib")), BOTH_SAY)


# ---- recipes ---------------------------------------------------------------------------------------------------------

def check_vcpkg(folder):
    port = os.path.join(ROOT, "tools", "packaging", "vcpkg", "kinematic")
    prefix = os.path.join(folder, "prefix")
    run(["cmake", "-DPORT=" + port, "-DCURRENT_PACKAGES_DIR=" + prefix, "-DBUILD=" + os.path.join(folder, "build"),
         "-P", os.path.join(HERE, "vcpkg.cmake")])
    found = files_below(prefix)
    for name in ("include/kinematic.h", "lib/libkinematic2.a", "lib/libkinematic3.a", "share/kinematic/LICENSE"):
        expect(name in found, True)


class Record(types.SimpleNamespace):
    """Takes every property."""

    def set_property(self, name, value):
        setattr(self, name, value)


def conan_modules(folder):
    """Stand-ins for what the recipe imports."""
    def copy(recipe, pattern, source, target):
        os.makedirs(os.path.dirname(os.path.join(target, pattern)), exist_ok=True)
        shutil.copy(os.path.join(source, pattern), os.path.join(target, pattern))

    def load(recipe, path):
        with open(path, encoding="utf-8") as file:
            return file.read()

    conan, tools, cmake, files = [types.ModuleType(name) for name in ("conan", "conan.tools", "conan.tools.cmake",
                                                                      "conan.tools.files")]
    conan.ConanFile = object
    cmake.CMake = cmake.cmake_layout = files.rmdir = None
    files.copy, files.load = copy, load
    sys.modules.update({module.__name__: module for module in (conan, tools, cmake, files)})


def check_conan(folder):
    """All that it exports is enough for CMake; its targets are those of CMakeLists.txt."""
    path = os.path.join(ROOT, "tools", "packaging", "conan", "conanfile.py")
    conan_modules(folder)
    names = {}
    exec(compile(open(path, encoding="utf-8").read(), path, "exec"), names)
    recipe = names["Kinematic"]()
    recipe.recipe_folder, recipe.export_sources_folder = os.path.dirname(path), os.path.join(folder, "exported")
    recipe.set_version()
    expect(recipe.version, version())
    recipe.export_sources()
    build = os.path.join(folder, "build")
    run(["cmake", "-S", recipe.export_sources_folder, "-B", build, "-DKINEMATIC_INSTALL=ON"])
    recipe.settings, recipe.cpp_info = Record(os="Linux"), Record(components={})
    recipe.cpp_info.components = {name: Record() for name in ("kinematic", "kinematic2", "kinematic3")}
    recipe.package_info()
    wanted = set(re.findall(r"^#   (kinematic::\w+)", read("CMakeLists.txt"), re.M))
    expect(set(part.cmake_target_name for part in recipe.cpp_info.components.values()), wanted)


def check_versions(folder):
    run(["python3", "tools/amalgamate.py", "--check"])   # header, manual, CHANGELOG, package.json, vcpkg.json
    expect(run(["tools/version.sh"]), version() + "\n")
    clib = json.loads(read("package.json"))
    expect([name for name in clib["src"] if not os.path.exists(os.path.join(ROOT, name))], [])
    port = json.loads(read("tools/packaging/vcpkg/kinematic/vcpkg.json"))
    expect([clib["version"], port["version"]], [version()] * 2)


def main():
    parser = argparse.ArgumentParser(description="Installs, packs and consumes the library.")
    parser.add_argument("--filter", default="", help="only checks whose name contains this")
    wanted = parser.parse_args().filter
    passed, failed = 0, 0
    os.environ.pop("MAKEFLAGS", None)
    os.environ.pop("MAKELEVEL", None)
    os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
    for name, check in sorted((name[6:], check) for name, check in globals().items() if name.startswith("check_")):
        if wanted not in "packages/" + name:
            continue
        with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "build")) as folder:
            try:
                check(folder)
                complaint = None
            except Exception as error:   # a broken check must not end the run without its last line
                complaint = str(error) if isinstance(error, Wrong) else "%s: %s" % (type(error).__name__, error)
        passed, failed = passed + (not complaint), failed + bool(complaint)
        said = "FAILED\n    " + complaint.replace("\n", "\n    ") if complaint else "passed"
        print("packages/%-36s %s" % (name, said), flush=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
