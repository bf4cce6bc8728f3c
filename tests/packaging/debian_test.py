# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the Debian packages: installs them in a root of their own, and uses, upgrades and removes them there.

The packages contain what the builds of the other tests of packaging have made: shared libraries, and the simulation and cubind-gen
from the build with static libraries, which do not differ. building.py describes the command line.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import unittest

from building import COMPILER, CUDA, GENERATOR, HAS_SIM, NO_LIBRARIES, SOURCE, WORK, build_all, build_shared, empty_folder, run
from debian_root import Root, field, files_of, has_dpkg

HERE = pathlib.Path(__file__).resolve().parent
MULTIARCH = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True, text=True).stdout.strip() if has_dpkg() else ""
COMPONENTS = {"shared": ["libraries", "development", "tools"], "static": ["simulation", "simulation_development", "launcher", "generator"]}


def pack(folder, builds, *settings):
    """Writes the packages to a folder and returns them by name."""
    settings = ["CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "CPACK_INSTALL_CMAKE_PROJECTS=" + ";".join(f"{builds[kind]};cubind;{kind};/" for kind in COMPONENTS),
                f"CPACK_COMPONENTS_ALL={';'.join(each for components in COMPONENTS.values() for each in components)}",
                *(f"CPACK_COMPONENTS_{kind.upper()}={';'.join(components)}" for kind, components in COMPONENTS.items()), *settings]
    run("cpack", "-G", "DEB", "--config", builds["shared"] / "CPackConfig.cmake", "-B", empty_folder(folder),
        *(word for setting in settings for word in ("-D", setting)))
    return {field(each, "Package"): each for each in (WORK / folder).glob("*.deb")}


@unittest.skipUnless(HAS_SIM, "this build has no simulated driver")
@unittest.skipUnless(has_dpkg() and shutil.which("lintian") and shutil.which("help2man"), "dpkg-dev, lintian or help2man is not installed")
class DebianTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        in_usr = ["-DCMAKE_INSTALL_PREFIX=/usr", f"-DCMAKE_INSTALL_LIBDIR=lib/{MULTIARCH}"]
        cls.builds = {"shared": build_shared(*in_usr), "static": build_all(WORK / "build", "-DCUBIND_BUILD_GENERATOR=ON", *in_usr)}
        begin = time.monotonic()
        cls.packages = pack("packages", cls.builds)
        cls.seconds = time.monotonic() - begin
        # A changed version, without building again (debian_version.py). The object file of the simulated driver is left out: lintian would read
        # its thousands of sections for minutes.
        cls.abi = re.search(r"libcubind(\d+\.\d+)", " ".join(cls.packages))[1]
        major, minor = map(int, cls.abi.split("."))
        cls.other_abi = f"{major}.{(minor + 1) % 10}"  # of the same length
        cls.other_packages = pack("other_packages", cls.builds, f"CPACK_PACKAGE_VERSION={cls.other_abi}.0",
                                  f"CPACK_PRE_BUILD_SCRIPTS={HERE / 'debian_version.cmake'}", f"CUBIND_TEST_VERSIONS={cls.abi};{cls.other_abi}",
                                  f"CPACK_COMPONENTS_STATIC={';'.join(set(COMPONENTS['static']) - {'simulation_development'})}")
        cls.version = field(cls.packages["libcubind-dev"], "Version")
        cls.library = f"libcubind{cls.abi}"

    def new_root(self):
        return Root(empty_folder("root"), self.packages.values(), MULTIARCH)

    def installed(self):
        root = self.new_root()
        root.dpkg("--install", *self.packages.values())
        return root

    def test_packs_within_a_minute(self):
        self.assertLess(self.seconds, 60)

    def test_packages_depend_on_each_other(self):
        self.assertEqual(set(self.packages), {self.library, "libcubind-dev", "libcubind-sim", "cubind-tools"})
        depends = {name: field(file, "Depends") for name, file in self.packages.items()}
        self.assertRegex(depends[self.library], r"libc6 .*libsodium23.*libstdc\+\+6")
        self.assertEqual(depends["libcubind-dev"], f"{self.library} (= {self.version})")
        self.assertRegex(depends["cubind-tools"], rf"libclang1-(\d+) .*{self.library} \(>= {self.version}\), libcubind-sim \(= {self.version}\), libclang-common-\1-dev")
        self.assertNotIn("cubind", depends["libcubind-sim"])
        for name in (self.library, "libcubind-sim"):
            self.assertNotIn("libcuda", depends[name])
        shlibs = run("dpkg-deb", "--info", self.packages[self.library], "shlibs").splitlines()
        libraries = {re.search(r"[^/]+(?=\.so\.)", each)[0] for each in files_of(self.packages[self.library]) if ".so." in each}
        self.assertEqual(set(shlibs), {f"{each} {self.abi} {self.library} (>= {self.version.split('-')[0]})" for each in libraries})

    def test_lintian_finds_no_errors(self):
        done = subprocess.run(["lintian", "--allow-root", "--fail-on=error", "--tag-display-limit=0",
                               *self.other_packages.values()],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((done.returncode, re.findall(r"^E: .*", done.stdout, re.MULTILINE)), (0, []), done.stdout)
        self.assertNotIn("unused-override", done.stdout)

    def test_each_file_is_in_one_package_and_in_the_right_one(self):
        files = {name: files_of(file) for name, file in self.packages.items()}
        everything = sum(files.values(), [])
        self.assertEqual(sorted(set(everything)), sorted(everything))
        folder = f"/usr/lib/{MULTIARCH}"
        for library in ("libcuda.so.1", "libcudart.so.13", "libnvidia-ml.so.1"):
            self.assertEqual([name for name in everything if name.endswith(f"/{library}")], [f"{folder}/cubind/sim/{library}"])
            self.assertIn(f"{folder}/cubind/sim/{library}", files["libcubind-sim"])
        loaded = [each for each in files[self.library] if not each.startswith("/usr/share/")]
        self.assertGreater(len(loaded), 20)
        for each in loaded:
            self.assertRegex(each, rf"^{folder}/libcubind_[a-z]+\.so\.\d+\.\d+(\.\d+)?$")
        programs = {each.removeprefix("/usr/bin/") for each in everything if each.startswith("/usr/bin/")}
        self.assertEqual(programs, {"cubind-compile", "cubind-gen", "cubind-info", "cubind-sim"})
        for program in programs:
            self.assertIn(f"/usr/share/man/man1/{program}.1.gz", files["cubind-tools"])

    def project(self):
        """Writes README's program and its lines for CMake to a folder."""
        folder = empty_folder("debian_program")
        folder.mkdir()
        readme = (pathlib.Path(SOURCE) / "README.md").read_text(encoding="utf-8")
        program, lists = (re.search(rf"^```{kind}\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)[1] for kind in ("cpp", "cmake"))
        (folder / "app.cpp").write_text(program, encoding="utf-8")
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES CXX)\nadd_executable(app app.cpp)\n{lists}", encoding="utf-8")
        return folder

    def build_with_cmake(self, root, folder):
        run("cmake", "-S", folder, "-B", folder / "build", "-G", GENERATOR, f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_PREFIX_PATH={root.path}/usr")
        run("cmake", "--build", folder / "build")
        return folder / "build" / "app"

    def build_with_pkg_config(self, root, folder):
        flags = run("pkg-config", "--cflags", "--libs", "cubind-core",
                    env={**os.environ, "PKG_CONFIG_PATH": f"{root.libraries}/pkgconfig"}).split()
        self.assertIn(f"-L{root.libraries}", [os.path.normpath(each) for each in flags])
        run(COMPILER, "-std=c++20", folder / "app.cpp", *flags, "-o", folder / "by_pkg_config")
        return folder / "by_pkg_config"

    def check_output(self, root, program):
        """Runs the program on the simulated driver, with NVRTC if this machine has it."""
        launcher, variables = root.path / "usr/bin/cubind-sim", {**os.environ, "LD_LIBRARY_PATH": str(root.libraries)}
        nvrtc = sorted(CUDA.glob("libnvrtc.so.[0-9]*"))[:1] if CUDA else []
        if nvrtc:
            variables |= {"LD_LIBRARY_PATH": f"{root.libraries}:{CUDA}", "CUBIND_NVRTC_LIBRARY": str(nvrtc[0])}
            self.assertIn("y[0] = 5", run(launcher, program, env=variables))
        else:
            self.assertIn("/no/such/library", run(launcher, program, env={**NO_LIBRARIES, **variables}, fails=True))

    def test_programs_are_built_and_run(self):
        root, folder = self.installed(), self.project()
        self.check_output(root, self.build_with_cmake(root, folder))
        self.check_output(root, self.build_with_pkg_config(root, folder))
        self.assertIn("cubind-info", run(root.path / "usr/bin/cubind-info", "--version", env=NO_LIBRARIES))
        self.assertIn("/cubind/sim/libcuda.so.1", run(root.path / "usr/bin/cubind-sim", root.path / "usr/bin/cubind-info", "--find", "cuda"))

    def test_the_simulated_driver_is_linked_into_programs(self):
        root = self.installed()
        build = empty_folder("debian_simulated")
        run("cmake", "-S", HERE / "simulated", "-B", build, "-G", GENERATOR, f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_PREFIX_PATH={root.path}/usr")
        run("cmake", "--build", build, "--target", "consumer")
        output = run(build / "consumer", env={**NO_LIBRARIES, "CUBIND_LAYERS": "trace,leaks"})
        self.assertIn("cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x", output)

    def test_cubind_gen_works_outside_of_a_repository(self):
        root = self.installed()
        elsewhere = empty_folder("elsewhere")
        elsewhere.mkdir()
        generator, share = root.path / "usr/bin/cubind-gen", root.path / "usr/share/cubind"
        self.assertIn("cuMemAlloc_v2", run(generator, "model", "driver", cwd=elsewhere))
        self.assertIn("cuGreenCtxCreate", run(generator, "diff", "12.3", "12.4", cwd=elsewhere))
        run(generator, "emit", "nvfatbin", "--output", "code", cwd=elsewhere)
        code = elsewhere / "code/nvfatbin/include/cubind/nvfatbin.hpp"
        self.assertEqual(code.read_text(), (pathlib.Path(SOURCE) / "generated/nvfatbin/include/cubind/nvfatbin.hpp").read_text())
        run(generator, "kernels", HERE / "kernels/scale.cu", "--output", "headers", "--instantiate", "scale<float>", cwd=elsewhere)
        self.assertIn("scale", (elsewhere / "headers/scale.cu.hpp").read_text())
        for arguments, part in ((["emit"], "--output"), (["pages"], "--docs"), (["extract", "driver", "--include", "."], str(share))):
            self.assertIn(part, run(generator, *arguments, cwd=elsewhere, fails=True))
        share.rename(share.parent / "hidden")
        for arguments, folder in ((["report"], "api-specs"), (["kernels", HERE / "kernels/scale.cu", "--output", "headers"], "templates")):
            message = run(generator, *arguments, cwd=elsewhere, fails=True)
            self.assertIn(str(share / folder), message)
            self.assertIn("cubind-tools", message)

    def test_removed_packages_leave_nothing(self):
        root = self.new_root()
        before = root.files()
        root.dpkg("--install", *self.packages.values())
        self.assertGreater(len(root.files() - before), 500)
        root.dpkg("--install", *self.packages.values())  # again
        self.assertIn("depends on", root.dpkg("--remove", self.library, fails=True))
        root.dpkg("--purge", *self.packages)
        self.assertEqual(root.files() - before, set())

    def test_is_upgraded_to_another_minor_version(self):
        root = self.installed()
        program = self.build_with_pkg_config(root, self.project())
        other, newer = self.other_abi, self.other_packages
        self.assertEqual(set(newer), set(self.packages) - {self.library} | {f"libcubind{other}"})
        is_newer = other > self.abi
        root.dpkg(*([] if is_newer else ["--force-downgrade"]), "--install", *newer.values())
        self.assertEqual(root.version("cubind-tools"), f"{other}.0-1")
        self.assertEqual(root.version(self.library), self.version)
        needed = run("ldd", root.path / "usr/bin/cubind-info")
        self.assertIn(f"{root.libraries}/libcubind_driver.so.{other} ", os.path.normpath(needed).replace("bin/../", ""))
        self.assertTrue((root.libraries / "libcubind_core.so").resolve().name.startswith(f"libcubind_core.so.{other}."))
        self.assertIn(f"so.{self.abi} => {root.libraries}", run("ldd", program, env={**os.environ, "LD_LIBRARY_PATH": str(root.libraries)}))
        self.check_output(root, program)  # with the older libraries
        root.dpkg("--purge", self.library)
        self.assertIn("cubind-info", run(root.path / "usr/bin/cubind-info", "--version", env=NO_LIBRARIES))
        self.assertEqual([each.name for each in root.libraries.glob(f"libcubind_*.so.{self.abi}*")], [])

    def test_a_copy_in_usr_local_is_separate(self):
        root = self.installed()
        local = root.path / "usr/local"
        for component in COMPONENTS["shared"]:
            run("cmake", "--install", self.builds["shared"], "--prefix", local, "--component", component)
        for prefix in (root.path / "usr", local):
            libraries = re.findall(r"=> (\S*libcubind_\S+)", run("ldd", prefix / "bin/cubind-info"))
            self.assertTrue(libraries)
            for each in libraries:
                self.assertEqual(pathlib.Path(os.path.normpath(each)).parent, prefix / f"lib/{MULTIARCH}")
        before = {each for each in root.files() if "usr/local/" in each}
        root.dpkg("--purge", *self.packages)
        self.assertEqual({each for each in root.files() if "usr/local/" in each}, before)
        self.assertIn("cubind-info", run(local / "bin/cubind-info", "--version", env=NO_LIBRARIES))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
