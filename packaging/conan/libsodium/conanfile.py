# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The libsodium of the system as a package: conan create packaging/conan/libsodium"""
from conan import ConanFile


class LibsodiumRecipe(ConanFile):
    name = "libsodium"
    version = "1.0.18"
    description = "libsodium-dev of Debian or Ubuntu"
    license = "ISC"
    settings = "os", "arch"

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = ["sodium"]
