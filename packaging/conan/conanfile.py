# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""A recipe of Conan 2, for gcc and clang on Linux:

    conan create packaging/conan -s compiler.cppstd=20
    conan create packaging/conan -s compiler.cppstd=20 -o "cubind/*:core=False" -o "cubind/*:libraries=driver,nvml"

cubind::core requires libsodium of Conan Center. Where that cannot be reached, packaging/conan/libsodium is a recipe for the system's:
conan create packaging/conan/libsodium. Programs then call find_package(cubind COMPONENTS core).

No test runs this recipe. It was checked by hand with Conan 2.34 and g++ 12, without a network: with and without core, each with its test package.
"""
import os
import re
import shutil

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir))
FILES = ("CMakeLists.txt", "LICENSE")
FOLDERS = ("cmake", "generated", "runtime", "simulation", "tools")


class CubindRecipe(ConanFile):
    name = "cubind"
    description = "CUDA's host APIs for modern C++"
    license = "Apache-2.0"
    topics = ("cuda", "gpu", "bindings")
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "core": [True, False], "sim": [True, False], "tools": [True, False], "libraries": ["ANY"]}
    default_options = {"shared": False, "core": True, "sim": False, "tools": False, "libraries": "default"}

    def set_version(self):
        text = load(self, os.path.join(ROOT, "runtime/loader/include/cubind/version.hpp"))
        self.version = ".".join(re.findall(r"#define CUBIND_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))

    def export_sources(self):
        for file in FILES:
            shutil.copy2(os.path.join(ROOT, file), self.export_sources_folder)
        for folder in FOLDERS:  # copy() reads all files below `src`
            copy(self, "*", src=os.path.join(ROOT, folder), dst=os.path.join(self.export_sources_folder, folder))

    def requirements(self):
        if self.options.core:
            self.requires("libsodium/[>=1.0.18 <2]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update({
            "CUBIND_LIBRARIES": str(self.options.libraries).replace(",", ";"),
            "CUBIND_BUILD_CORE": bool(self.options.core),
            "CUBIND_BUILD_SIM": bool(self.options.sim),
            "CUBIND_BUILD_TOOLS": bool(self.options.tools),
            "CUBIND_BUILD_GENERATOR": False,
            "CUBIND_BUILD_EXAMPLES": False,
            "CUBIND_BUILD_TESTS": False,
            "CMAKE_UNITY_BUILD": True,
        })
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # Programs use the package that cubind installs itself: find_package(cubind COMPONENTS core).
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/cubind"]
