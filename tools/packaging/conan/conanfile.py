# SPDX-License-Identifier: MIT OR Unlicense
"""Conan 2 recipe, which builds the sources it lies in: conan create tools/packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy, load, rmdir

SOURCES = ("kinematic.h", "CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md", "tools/packaging/kinematic.c",
           "tools/packaging/kinematic.pc.in")


class Kinematic(ConanFile):
    name = "kinematic"
    description = "Kinematic physics for games in one C header, 2D or 3D"
    license = "MIT OR Unlicense"
    topics = ("physics", "kinematic", "character-controller", "platformer", "collision", "single-header")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"
    generators = "CMakeToolchain"

    def root(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self.root(), "kinematic.h"))
        self.version = ".".join(re.findall(r"#define KIN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for name in SOURCES:
            copy(self, name, self.root(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(variables={"KINEMATIC_INSTALL": "ON"})
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))   # Conan writes its own
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        math = ["m"] if self.settings.os in ("Linux", "FreeBSD") else []
        self.cpp_info.set_property("cmake_file_name", "kinematic")
        header = self.cpp_info.components["kinematic"]
        header.set_property("cmake_target_name", "kinematic::kinematic")
        header.set_property("pkg_config_name", "kinematic")
        header.libs, header.libdirs, header.system_libs = [], [], math
        for dimension in ("2", "3"):
            compiled = self.cpp_info.components["kinematic" + dimension]
            compiled.set_property("cmake_target_name", "kinematic::kinematic" + dimension)
            compiled.set_property("pkg_config_name", "kinematic" + dimension)
            compiled.libs, compiled.requires = ["kinematic" + dimension], ["kinematic"]
            compiled.defines = ["KINEMATIC_DIM=" + dimension]
