# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests every way to use cubind: find_package, pkg-config and add_subdirectory, with static and shared libraries.

building.py describes the command line. Installed files are always deleted first.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

from building import (COMPILER, DEFAULT_LIBRARIES, HAS_SIM, LIBRARIES, NO_LIBRARIES, ONLY, OPTIONS, SOURCE, WORK, build_and_run, build_shared,
                      configure, empty_folder, in_prefix, install, run)

HERE = pathlib.Path(__file__).resolve().parent
PREFIX = WORK / "prefix"
sys.path.insert(0, str(HERE.parent / "docs"))

import page_programs  # noqa: E402

INCLUDES_SODIUM = re.compile(r"^#include <sodium\.h>", re.M)
CORE_OUTPUT = "CUDA_ERROR_SHARED_OBJECT_INIT_FAILED\n64\n"
DRIVER_OUTPUT = "CUDA_ERROR_OUT_OF_MEMORY CUDA_ERROR_SHARED_OBJECT_INIT_FAILED\n"
NVRTC_OUTPUT = "NVRTC_ERROR_INTERNAL_ERROR 0 0 nvrtcVersion\n"


class ConsumerTest(unittest.TestCase):
    objects = {}

    def consume(self, prefix, components, *options, fails=False):
        build = empty_folder("find_package")
        output = configure(HERE / "find_package", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCONSUMER_COMPONENTS={components}",
                           *options, fails=fails)
        return output if fails else build_and_run(build)

    def consume_core(self, prefix):
        self.consume(prefix, "core;driver")
        return run(WORK / "find_package" / "core_consumer", env=NO_LIBRARIES)

    def compile_with_pkg_config(self, prefix, source=HERE / "find_package" / "main.cpp", packages=("cubind-driver",), **variables):
        """Compiles a program with the flags that pkg-config prints for the packages, runs it, and returns its output."""
        environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", *packages, env=environment).split()
        for flag in flags:
            if flag.startswith(("-I", "-L")):
                self.assertTrue(pathlib.Path(flag[2:]).is_dir(), flag)
        # The programs for all packages of a prefix have the same object.
        compile_flags = tuple(each for each in flags if not each.startswith(("-l", "-L", "-Wl,")))
        program, key = WORK / "pkg_config_consumer", (source, compile_flags)
        if key not in self.objects:
            self.objects[key] = WORK / f"pkg_config_{len(self.objects)}.o"
            run(COMPILER, "-std=c++20", "-c", source, *compile_flags, "-o", self.objects[key])
        run(COMPILER, self.objects[key], *flags, "-o", program)
        return run(program, env={**NO_LIBRARIES, "LD_LIBRARY_PATH": str(prefix / "lib"), **variables})

    def check_pkg_config_of_each_library(self, prefix):
        files = {each.stem for each in (prefix / "lib" / "pkgconfig").glob("*.pc")}
        self.assertLessEqual({"cubind-core", "cubind-driver", "cubind-layers", "cubind-loader", "cubind-nvrtc"}, files)
        main = HERE / "find_package" / "main.cpp"
        for package in files:
            # A package states all its dependencies if a program that also uses the driver's functions can be linked with it.
            self.assertEqual(self.compile_with_pkg_config(prefix, main, (package, "cubind-driver")), DRIVER_OUTPUT, package)
        self.assertEqual(self.compile_with_pkg_config(prefix, HERE / "core" / "main.cpp", ["cubind-core"]), CORE_OUTPUT)
        # The layers read the environment before main().
        output = self.compile_with_pkg_config(prefix, main, ["cubind-driver", "cubind-layers"], CUBIND_LAYERS="no_such_layer")
        self.assertIn("no_such_layer", output)


class InstalledTest(ConsumerTest):
    @classmethod
    def setUpClass(cls):
        install(WORK / "build", PREFIX)

    def test_find_package_works(self):
        self.assertEqual(self.consume(PREFIX, "driver"), DRIVER_OUTPUT)
        self.assertEqual(self.consume(PREFIX, "driver;runtime;nvrtc;nvjitlink;core;layers;loader"), DRIVER_OUTPUT)

    def test_find_package_passes_on_libsodium(self):
        self.assertEqual(self.consume_core(PREFIX), CORE_OUTPUT)

    def test_find_package_reports_that_the_core_needs_libsodium(self):
        hidden = ["-DCMAKE_FIND_ROOT_PATH=/no/such/root", "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY"]
        self.assertIn("libsodium-dev", self.consume(PREFIX, "core;driver", *hidden, fails=True))
        self.assertEqual(self.consume(PREFIX, "driver", *hidden), DRIVER_OUTPUT)

    @unittest.skipUnless(HAS_SIM, "this build has no simulated driver")
    def test_runs_programs_on_the_simulated_driver_with_layers(self):
        build = empty_folder("simulated")
        configure(HERE / "simulated", build, f"-DCMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", build, "--parallel", os.cpu_count())
        output = run(build / "consumer", env={**NO_LIBRARIES, "CUBIND_LAYERS": "trace,leaks"})
        self.assertIn("cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x", output)
        self.assertIn("device memory 0x", output)
        drop_in_environment = {**os.environ, "LD_LIBRARY_PATH": str(PREFIX / "lib" / "cubind" / "sim"), "CUBIND_SIM_DEVICES": "3"}
        self.assertIn("3 devices, 3 in the runtime library, 3 in NVML", run(build / "foreign", env=drop_in_environment))

    @unittest.skipUnless(HAS_SIM, "this build has no simulated driver")
    def test_runs_the_project_and_the_commands_of_the_testing_page(self):
        page = (pathlib.Path(SOURCE) / "docs" / "testing-without-a-gpu.md").read_text(encoding="utf-8")
        lists, workflow = (re.search(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1] for language in ("cmake", "yaml"))
        # The page names find_package() as the alternative to add_subdirectory().
        lists, replaced = re.subn(r"^add_subdirectory\(cubind\)  # or (.*)$", r"\1", lists, flags=re.MULTILINE)
        self.assertEqual(replaced, 1)
        project = empty_folder("testing_page")
        project.mkdir()
        (project / "CMakeLists.txt").write_text(lists, encoding="utf-8")
        (project / "tests.cpp").write_text(page_programs.programs(page)[0][0], encoding="utf-8")
        commands = re.findall(r"- run: (.*)", workflow)
        variables = {**NO_LIBRARIES, "CMAKE_PREFIX_PATH": str(PREFIX), "CXX": COMPILER}
        for command in commands:
            if command.startswith("ctest"):
                variables.update(re.findall(r"^ +(CUBIND_\w+): (.*)$", workflow, re.MULTILINE))
            if not command.startswith(("sudo", "python3 -m venv", ".venv/bin/pip")):  # without NVRTC, its test is skipped
                output = run("sh", "-c", command, cwd=project, env=variables)
        self.assertIn("100% tests passed", output)
        self.assertIn("[  PASSED  ]", run(project / "build" / "tests", env=variables), "all tests in one process")

        # The runner builds cubind, too, so it needs the libraries that a build of cubind needs.
        required = re.search(r"build\) echo (.*) ;;", (pathlib.Path(SOURCE) / "scripts" / "install-packages").read_text())[1].split()
        installed = " ".join(each for each in commands if each.startswith("sudo apt-get install")).split()
        for package in ("libgtest-dev", *(each for each in required if each.startswith("lib"))):
            self.assertIn(package, installed)

    def test_find_package_reports_an_unknown_component(self):
        self.assertIn("no_such_library", self.consume(PREFIX, "driver;no_such_library", fails=True))

    def test_find_package_works_in_a_moved_prefix(self):
        moved = empty_folder("moved")
        shutil.copytree(PREFIX, moved)
        PREFIX.rename(WORK / "hidden")
        try:
            self.assertEqual(self.consume(moved, "driver"), DRIVER_OUTPUT)
        finally:
            (WORK / "hidden").rename(PREFIX)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_works_for_each_library(self):
        self.check_pkg_config_of_each_library(PREFIX)

    @unittest.skipUnless(shutil.which("pkg-config") and HAS_SIM, "needs pkg-config and the simulated driver")
    def test_pkg_config_links_the_simulated_driver_and_layers(self):
        output = self.compile_with_pkg_config(PREFIX, HERE / "simulated" / "main.cpp", ["cubind-layers", "cubind-sim"],
                                              CUBIND_LAYERS="trace,leaks")
        self.assertIn("cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x", output)

    def test_static_libraries_define_symbols_of_the_versioned_namespace_only(self):
        for archive in (PREFIX / "lib").glob("*.a"):
            for line in run("nm", "-C", "--defined-only", "--extern-only", archive).splitlines():
                self.assertNotRegex(line, r"CUBIND_NAMESPACE|\bcubind::(?!v\d+_\d+::)", archive.name)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_works_with_another_prefix_at_installation(self):
        other = empty_folder("other_prefix")
        run("cmake", "--install", WORK / "build", "--prefix", other)
        PREFIX.rename(WORK / "hidden")
        try:
            self.assertEqual(self.compile_with_pkg_config(other), DRIVER_OUTPUT)
        finally:
            (WORK / "hidden").rename(PREFIX)

    def test_installs_no_paths_of_the_build(self):
        for path in PREFIX.rglob("*"):
            if path.suffix in {".cmake", ".pc", ".hpp"}:
                text = path.read_text(encoding="utf-8")
                for folder in (SOURCE, WORK / "build"):
                    # Matches absolute paths only, not the ends of other paths.
                    self.assertNotRegex(text, rf"(?<![\w}}.-]){re.escape(str(folder))}/", path)

    def test_installs_no_precompiled_header(self):
        self.assertEqual([each for each in PREFIX.rglob("*") if each.suffix in {".gch", ".pch"}], [])

    def test_installs_every_public_header(self):
        source = pathlib.Path(SOURCE)
        # The build has the default libraries; CUPTI, NCCL, NVSHMEM and libmathdx are none of them.
        folders = [each for each in source.glob("runtime/*/include") if each.parent.name not in ("bootstrap", "math", "nccl_core", "nvshmem_core", "profile")]
        folders += [source / "simulation/include"] if HAS_SIM else []
        folders += [source / "generated" / name / "include" for name in DEFAULT_LIBRARIES]
        public = {each.relative_to(folder) for folder in folders for each in folder.rglob("*.hpp")}
        installed = {each.relative_to(PREFIX / "include") for each in (PREFIX / "include").rglob("*.hpp")}
        self.assertEqual(sorted(map(str, public ^ installed)), [])

    def test_installs_cubind_info(self):
        self.assertIn("cubind-info", run(PREFIX / "bin" / "cubind-info", "--version"))

    def test_installs_the_license(self):
        self.assertEqual(len(list(PREFIX.rglob("LICENSE"))), 1)


class InstalledSharedTest(ConsumerTest):
    @classmethod
    def setUpClass(cls):
        empty_folder("prefix_shared")
        run("cmake", "--install", build_shared(*in_prefix(WORK / "prefix_shared")))

    def test_find_package_works(self):
        self.assertEqual(self.consume(WORK / "prefix_shared", "driver"), DRIVER_OUTPUT)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_pkg_config_works_for_each_library(self):
        self.check_pkg_config_of_each_library(WORK / "prefix_shared")

    def test_exports_no_internal_class(self):
        for name in ("core", "interop", "layers", "loader"):
            headers = (pathlib.Path(SOURCE) / "runtime" / name / "src").rglob("*.hpp")
            classes = {each for header in headers for each in re.findall(r"^class (\w+) .*\{$", header.read_text(), re.M)}
            self.assertTrue(classes, name)
            symbols = run("nm", "-DC", "--defined-only", WORK / "prefix_shared" / "lib" / f"libcubind_{name}.so")
            exported = {each for each in classes if re.search(rf"^\S+ [TVD] .*\bcubind::v\d+_\d+::(\w+::)*{each}::", symbols, re.M)}
            self.assertEqual(exported, set(), name)

    def test_find_package_needs_no_development_files_of_libsodium(self):
        self.assertEqual(self.consume_core(WORK / "prefix_shared"), CORE_OUTPUT)
        self.assertIn("libsodium.so", run("readelf", "-d", WORK / "prefix_shared" / "lib" / "libcubind_core.so"))

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_loads_the_printers_with_the_library(self):
        prefix = WORK / "prefix_shared"
        library = next((prefix / "lib").glob("libcubind_core.so.*.*.*"))
        output = run("gdb", "-nx", "-batch", "-iex", f"set auto-load scripts-directory {prefix}/share/gdb/auto-load",
                     "-iex", f"add-auto-load-safe-path {prefix}", library, "-ex", "info pretty-printer global cubind")
        self.assertRegex(output, r"(?m)^  cubind$")

    def test_cubind_info_finds_its_libraries_in_a_moved_prefix(self):
        moved = empty_folder("moved_shared")
        shutil.copytree(WORK / "prefix_shared", moved, symlinks=True)
        self.assertIn("cubind-info", run(moved / "bin" / "cubind-info", "--version"))

    def test_installs_every_library_with_a_versioned_name(self):
        libraries = sorted((WORK / "prefix_shared" / "lib").glob("libcubind_*.so"))
        self.assertGreaterEqual(len(libraries), 6)
        for library in libraries:
            self.assertRegex(run("readelf", "-d", library), rf"SONAME.*{library.name}\.\d+\.\d+\]")


class SubsetTest(ConsumerTest):
    """An installation of the driver library alone, which is not sufficient to build the high-level layer."""

    prefix = WORK / "prefix_subset"

    @classmethod
    def setUpClass(cls):
        install(WORK / "build_subset", cls.prefix, "-DCUBIND_LIBRARIES=driver", "-DCUBIND_BUILD_SIM=OFF")

    def configure_with(self, libraries, *options, fails=False):
        return configure(SOURCE, empty_folder("subset"), f"-DCUBIND_LIBRARIES={libraries}", "-DCUBIND_BUILD_GENERATOR=OFF",
                         "-DCUBIND_BUILD_TESTS=OFF", "-DCUBIND_BUILD_EXAMPLES=OFF", *options, fails=fails)

    def targets(self):
        names = [*LIBRARIES, "core", "error", "loader", "layers", "sim_driver", "system"]
        return set(re.findall(rf"\bcubind_(?:{'|'.join(names)})\b", run("cmake", "--build", WORK / "subset", "--target", "help")))

    def test_installs_only_the_selected_libraries(self):
        names = {"cubind_driver", "cubind_layers", "cubind_loader"}
        self.assertEqual({each.stem.removeprefix("lib") for each in (self.prefix / "lib").glob("libcubind_*")}, names)
        packages = {each.stem.replace("-", "_") for each in (self.prefix / "lib" / "pkgconfig").glob("*.pc")}
        self.assertEqual(packages, names)
        headers = self.prefix / "include" / "cubind"
        self.assertTrue((headers / "driver.hpp").exists())
        for name in ("runtime", "nvrtc", "nvjitlink", "core"):
            self.assertFalse((headers / f"{name}.hpp").exists(), name)
            self.assertFalse((headers / name).exists(), name)
        self.assertFalse((self.prefix / "bin" / "cubind-info").exists())

    def test_find_package_works_and_lists_the_components(self):
        self.assertEqual(self.consume(self.prefix, "driver;layers"), DRIVER_OUTPUT)
        output = " ".join(self.consume(self.prefix, "driver;nvrtc", fails=True).split())
        self.assertRegex(output, r"no component nvrtc\..*components are: loader, driver, layers\..*CUBIND_LIBRARIES")

    def test_adds_no_target_of_other_libraries(self):
        output = self.configure_with("nvrtc", "-DCUBIND_BUILD_SIM=ON")
        self.assertEqual(self.targets(), {"cubind_nvrtc", "cubind_loader", "cubind_layers"})
        for part, missing in (("cubind::core", "driver, nvjitlink, nvvm"), ("cubind::system", "driver, nvml"), ("cubind::sim", "driver"), ("cubind-info", "driver")):
            self.assertRegex(output, rf"{part}.* CUBIND_LIBRARIES leaves out: {missing}\.")

    def test_adds_the_libraries_of_the_default(self):
        default = {"cubind_" + name for name in DEFAULT_LIBRARIES}
        self.configure_with("default", "-DCUBIND_BUILD_SIM=ON")
        self.assertEqual(self.targets(), default | {"cubind_core", "cubind_error", "cubind_loader", "cubind_layers", "cubind_sim_driver",
                                                    "cubind_system"})

    def test_builds_everything_with_the_libraries_that_the_classes_need(self):
        output = self.configure_with("nvjitlink;driver;nvml;nvrtc;nvvm;driver", "-DCUBIND_BUILD_SIM=ON")
        self.assertEqual(self.targets(), {"cubind_" + each for each in ("driver", "nvml", "nvrtc", "nvjitlink", "nvvm", "core", "error",
                                                                         "loader", "layers", "sim_driver", "system")})
        self.assertNotIn("leaves out", output)

    def test_reports_a_library_that_does_not_exist(self):
        output = " ".join(self.configure_with("driver;no_such_library", fails=True).split())
        self.assertRegex(output, "no_such_library.*" + ".*".join(sorted(LIBRARIES)))
        self.assertIn("CUBIND_LIBRARIES is empty", self.configure_with("", fails=True))

    def test_reports_that_examples_need_other_libraries(self):
        output = " ".join(self.configure_with("driver", "-DCUBIND_BUILD_EXAMPLES=ON", fails=True).split())
        self.assertRegex(output, r"CUBIND_BUILD_EXAMPLES.* leaves out: runtime, nvrtc, nvjitlink\..*CUBIND_BUILD_EXAMPLES=OFF")


class UsedLibrariesTest(unittest.TestCase):
    """A project whose library `top` uses the types of `middle`, which uses those of `base`."""

    def configure_with(self, libraries, uses, fails=False):
        project = empty_folder("used_libraries")
        for name, used in uses.items():
            folder = project / "generated" / name
            folder.mkdir(parents=True)
            (folder / "source.cpp").write_text("", encoding="utf-8")
            line = f"set(CUBIND_LIBRARY_USES {used})\n" if used else ""
            (folder / "sources.cmake").write_text(line + "set(CUBIND_LIBRARY_SOURCES source.cpp)\n", encoding="utf-8")
        (project / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.22)
project(used_libraries VERSION 1.0.0 LANGUAGES CXX)
include({SOURCE}/cmake/CubindTargets.cmake)
add_library(cubind_loader INTERFACE)
cubind_select_libraries(names)
message(NOTICE "selected: ${{names}}.")
foreach(name IN LISTS names)
    cubind_add_generated_library(${{PROJECT_SOURCE_DIR}}/generated/${{name}}/sources.cmake)
    get_target_property(links cubind_${{name}} INTERFACE_LINK_LIBRARIES)
    message(NOTICE "${{name}} links: ${{links}}.")
endforeach()
""", encoding="utf-8")
        return " ".join(configure(project, project / "build", f"-DCUBIND_LIBRARIES={libraries}", fails=fails).split())

    def test_selects_and_links_used_libraries(self):
        output = self.configure_with("top", {"base": "", "far": "", "middle": "base", "top": "middle"})
        self.assertIn("selected: base;middle;top.", output)
        self.assertIn("base links: cubind_loader;$<", output)
        self.assertIn("middle links: cubind_loader;cubind_base;$<", output)
        self.assertIn("top links: cubind_loader;cubind_middle;$<", output)

    def test_reports_a_used_library_without_code(self):
        output = self.configure_with("top", {"top": "middle"}, fails=True)
        self.assertRegex(output, r"uses the types of middle, but .*middle/sources\.cmake does not exist")


class PrefixTest(unittest.TestCase):
    def test_every_file_that_includes_libsodium_finds_it_in_another_prefix(self):
        build, prefix = empty_folder("sodium"), WORK / "sodium_prefix"
        prefix.mkdir(parents=True, exist_ok=True)
        configure(SOURCE, build, f"-Dsodium_INCLUDE_DIR={prefix}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCUBIND_BUILD_GENERATOR=OFF",
                  *(each for each in OPTIONS if "UNITY" not in each))
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        users = {each["file"]: str(prefix) in each["command"] for each in commands
                 if pathlib.Path(each["file"]).exists()  # the build writes some sources
                 and INCLUDES_SODIUM.search(pathlib.Path(each["file"]).read_text(encoding="utf-8"))}
        self.assertTrue(users, "no file includes libsodium; delete this test")
        self.assertEqual([file for file, is_found in users.items() if not is_found], [])


class AddSubdirectoryTest(unittest.TestCase):
    def consume(self, name, *options):
        configure(HERE / "add_subdirectory", WORK / name, f"-DCUBIND_SOURCE={SOURCE}", *options,
                  *(each for each in OPTIONS if "BUILD_TYPE" not in each))
        return build_and_run(WORK / name)

    def test_static_libraries_work(self):
        self.assertEqual(self.consume("subdirectory_static"), NVRTC_OUTPUT)

    def test_configures_without_the_core_if_libsodium_is_missing(self):
        build = empty_folder("subdirectory_without_libsodium")
        output = configure(HERE / "add_subdirectory", build, f"-DCUBIND_SOURCE={SOURCE}",
                           f"-DCMAKE_FIND_ROOT_PATH={build}", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY")
        self.assertIn("libsodium-dev", output)
        self.assertIn("cubind::core is not available", output)

    def test_shared_libraries_work(self):
        self.assertEqual(self.consume("subdirectory_shared", "-DBUILD_SHARED_LIBS=ON"), NVRTC_OUTPUT)
        libraries = sorted(each.name for each in (WORK / "subdirectory_shared").rglob("libcubind_*.so"))
        self.assertEqual(libraries, ["libcubind_loader.so", "libcubind_nvrtc.so"])
        needed = run("readelf", "-d", WORK / "subdirectory_shared" / "consumer")
        self.assertIn("libcubind_nvrtc.so.", needed)
        symbols = run("nm", "-D", "--defined-only", "-C", next((WORK / "subdirectory_shared").rglob("libcubind_nvrtc.so")))
        self.assertRegex(symbols, r"cubind::v\d+_\d+::nvrtc::nvrtcVersion\(\)")
        self.assertNotIn("entry_points::", symbols)


class TwoVersionsTest(unittest.TestCase):
    def test_one_process_loads_plugins_with_different_versions(self):
        other = empty_folder("other_version")
        shutil.copytree(SOURCE, other, ignore=shutil.ignore_patterns("build", ".*", "tests", "docs", "api-specs"))
        header = other / "runtime/loader/include/cubind/version.hpp"
        header.write_text(re.sub(r"(VERSION_MINOR) \d+", r"\1 99", header.read_text()))
        plugins = []
        for name, source in (("this", SOURCE), ("other", other)):
            build = WORK / f"two_versions_{name}"
            configure(HERE / "two_versions", build, f"-DCUBIND_SOURCE={source}", "-DCUBIND_BUILD_CORE=OFF",
                      *(each for each in OPTIONS if "CUBIND_" not in each))
            run("cmake", "--build", build, "--parallel", os.cpu_count())
            plugins.append(build / "libplugin.so")
        names = [set(re.findall(r"^\S+ \S (\S*cubind\S*)$", run("nm", "-D", "--defined-only", each), re.M)) for each in plugins]
        self.assertGreater(len(names[0]), 10)
        self.assertEqual(names[0] & names[1], set())
        output = run(WORK / "two_versions_this" / "host", *plugins, env=NO_LIBRARIES)
        self.assertRegex(output, r"^\d+\.\d+ (NVRTC_ERROR_INTERNAL_ERROR nvrtcVersion)\n\d+\.99 \1\n$")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *ONLY])
