# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the wheels of packaging/python in environments of their own, without a network.

usage: wheels_test.py [--only=CLASS] SOURCE SCRATCH GENERATOR COMPILER [CMAKE_OPTION...]

The variables CUBIND_CUDA_PYTHON_DIR, CUBIND_CUDA_LIBRARY_DIR and CUBIND_CUDA_INCLUDE_DIR name the packages of scripts/fetch-python and
NVIDIA's libraries and headers. Without them, the tests that need them are skipped.
"""
import base64
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock
import zipfile

from building import COMPILER, GENERATOR, HAS_SIM, NO_LIBRARIES, ONLY, OPTIONS, SOURCE, WORK, configure, empty_folder, run

BUILDERS = pathlib.Path(SOURCE) / "packaging/python"
PAGE = (BUILDERS / "README.md").read_text(encoding="utf-8")
# The compiler takes the least time for objects without optimization, which no other test shares.
PLAIN = [each for each in OPTIONS if "BUILD_TYPE" not in each]


def folder_of(variable):
    value = os.environ.get(variable, "")
    return pathlib.Path(value) if value and os.path.isdir(value) else None


PACKAGES, LIBRARIES, INCLUDES = map(folder_of, ("CUBIND_CUDA_PYTHON_DIR", "CUBIND_CUDA_LIBRARY_DIR", "CUBIND_CUDA_INCLUDE_DIR"))


@functools.cache
def source_wheel():
    return pathlib.Path(run(sys.executable, "-B", BUILDERS / "source_wheel.py", empty_folder("wheels_source")).strip())


@functools.cache
def environment_of(wheel, name):
    """Returns the folder of a fresh environment in which the wheel is installed."""
    environment = empty_folder(name)
    run(sys.executable, "-m", "venv", environment)
    pip(environment, "install", wheel)
    return environment


def pip(environment, *arguments, **options):
    return run(environment / "bin/python", "-m", "pip", "--disable-pip-version-check", arguments[0], "--no-index", *arguments[1:], **options)


@functools.cache
def sources_environment():
    return environment_of(source_wheel(), "wheels_venv")


def upgrade(test, name, wheel, old_file):
    """Replaces an installed wheel of an earlier minor version that has `old_file`. Checks that nothing of it remains."""
    sys.path.insert(0, str(BUILDERS))
    import wheel_file
    with unittest.mock.patch.object(wheel_file, "version", lambda: "0.0.7"):
        old = wheel_file.WheelFile(WORK / "wheels_earlier", name, "an earlier version", "py3-none-any", is_pure=True)
        old.add(old_file, b"earlier\n")
        old.close()
    environment = environment_of(old.path, f"wheels_upgraded_{name}")

    def installed(pattern):
        return [each.name for each in environment.rglob(pattern)]

    stem, file = name.replace("-", "_"), pathlib.Path(old_file).name
    test.assertEqual(installed(file) + installed(f"{stem}-*.dist-info"), [file, f"{stem}-0.0.7.dist-info"])
    pip(environment, "install", wheel)
    test.assertEqual(installed(file) + installed(f"{stem}-*.dist-info"), [f"{stem}-{wheel_file.version()}.dist-info"])
    return environment


def cmake_dir():
    return run(sources_environment() / "bin/python", "-m", "cubind", "--cmake-dir").strip()


@functools.cache
def readme_program():
    """Builds README's program with the project of the wheels' page, and returns the program's path."""
    project = empty_folder("wheels_project")
    project.mkdir()
    readme = (pathlib.Path(SOURCE) / "README.md").read_text(encoding="utf-8")
    (project / "main.cpp").write_text(re.search(r"^```cpp\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)[1], encoding="utf-8")
    (project / "CMakeLists.txt").write_text(re.search(r"^```cmake\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1], encoding="utf-8")
    build = WORK / "wheels_build"
    configure(project, build, f"-Dcubind_DIR={cmake_dir()}", *PLAIN)
    run("cmake", "--build", build, "--parallel", os.cpu_count())
    return build / "app"


class SourceWheelTest(unittest.TestCase):
    def configure_project(self, lines, *options, fails=False):
        project = empty_folder("wheels_lines")
        project.mkdir()
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(lines LANGUAGES CXX)\n" + lines)
        return configure(project, project / "build", f"-Dcubind_DIR={cmake_dir()}", *options, fails=fails)

    def test_pip_builds_the_same_wheel(self):
        folder = empty_folder("wheels_pip")
        pip(sources_environment(), "wheel", "--no-deps", "--wheel-dir", folder, BUILDERS)
        self.assertEqual((folder / source_wheel().name).read_bytes(), source_wheel().read_bytes())

    def test_records_every_file_with_its_digest(self):
        with zipfile.ZipFile(source_wheel()) as wheel:
            record = next(each for each in wheel.namelist() if each.endswith(".dist-info/RECORD"))
            listed = dict(line.split(",", 1) for line in wheel.read(record).decode().splitlines())
            self.assertEqual(sorted(listed), sorted(wheel.namelist()))
            for name in listed:
                data = wheel.read(name)
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                self.assertEqual(listed[name], "," if name == record else f"sha256={digest},{len(data)}", name)

    def test_is_upgraded_from_another_minor_version(self):
        environment = upgrade(self, "cubind", source_wheel(), "cubind/source/runtime/earlier.cpp")
        self.assertEqual(run(environment / "bin/python", "-m", "cubind", "--cmake-dir").count(str(environment)), 1)

    def test_builds_the_program_of_the_readme(self):
        self.assertIn("No CUDA driver found", run(readme_program(), env=NO_LIBRARIES, fails=True))

    def test_defines_the_targets_and_options_of_the_repository(self):
        show = """
            get_property(targets DIRECTORY ${cubind_SOURCE_DIR} PROPERTY BUILDSYSTEM_TARGETS)
            get_cmake_property(names CACHE_VARIABLES)
            list(FILTER names INCLUDE REGEX "^CUBIND_")
            message(STATUS "defined: ${targets};${names}")
        """
        options = ["-DCUBIND_LIBRARIES=driver;nvrtc", "-DCUBIND_BUILD_SIM=ON", "-DCUBIND_BUILD_TOOLS=ON", "-DCUBIND_BUILD_GENERATOR=OFF"]
        defined = [re.search(r"defined: (.*)", self.configure_project(lines + show, *options))[1].split(";")
                   for lines in ("find_package(cubind REQUIRED)\n", f"add_subdirectory({SOURCE} cubind)\n")]
        self.assertIn("cubind_nvrtc", defined[0])
        self.assertIn("CUBIND_BUILD_CORE", defined[0])
        self.assertEqual(*defined)

    def test_is_found_twice(self):
        self.configure_project("find_package(cubind REQUIRED)\nfind_package(cubind REQUIRED COMPONENTS driver)\n", "-DCUBIND_LIBRARIES=driver")

    def test_reports_a_missing_component(self):
        output = self.configure_project("find_package(cubind REQUIRED COMPONENTS nvml)", "-DCUBIND_LIBRARIES=driver", fails=True)
        self.assertRegex(re.sub(r"\s+", " ", output), "no target cubind::nvml .*CUBIND_LIBRARIES")

    def test_reports_another_version(self):
        version = run(sources_environment() / "bin/python", "-m", "cubind", "--version").strip()
        minor = version.rpartition(".")[0]
        self.configure_project(f"find_package(cubind {minor} REQUIRED)", "-DCUBIND_LIBRARIES=driver")
        for other in ("0.0", f"{minor}.999", "99"):
            self.assertIn(f"version: {version}", self.configure_project(f"find_package(cubind {other} REQUIRED)", fails=True))


@functools.cache
def sim_wheel():
    output = run(sys.executable, "-B", BUILDERS / "sim_wheel.py", empty_folder("wheels_sim"), WORK / "wheels_sim_build", "-G", GENERATOR,
                 f"-DCMAKE_CXX_COMPILER={COMPILER}", *OPTIONS)
    return pathlib.Path(output.splitlines()[-1])


@unittest.skipUnless(HAS_SIM, "this build has no simulated driver")
class SimWheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.environment = environment_of(sim_wheel(), "wheels_sim_venv")

    def run_simulated(self, *command, **options):
        return run(self.environment / "bin/cubind-sim", *command, **options)

    def test_tag_is_the_oldest_glibc_with_all_symbols(self):
        tagged = tuple(map(int, re.search(r"-py3-none-manylinux_(\d+)_(\d+)_", sim_wheel().name).groups()))
        needed = {}
        for file in [self.environment / "bin/cubind-sim", *(self.environment / "lib/cubind/sim").iterdir()]:
            symbols = run("objdump", "-T", file)
            self.assertNotIn("GLIBCXX", symbols, file)
            needed[file.name] = max(tuple(map(int, each)) for each in re.findall(r"\(GLIBC_(\d+)\.(\d+)", symbols))
        self.assertEqual(set(needed) & {"cubind-sim", "libcuda.so.1", "libcudart.so.13", "libnvidia-ml.so.1"}, set(needed) - {"libcubind_sim_compilers.so"})
        self.assertEqual(max(needed.values()), tagged)

    def test_pip_refuses_it_on_an_older_glibc(self):
        machine = re.search(r"manylinux_\d+_\d+_(\w+)\.whl", sim_wheel().name)[1]
        output = pip(self.environment, "install", "--target", WORK / "wheels_old", "--only-binary=:all:", "--platform", f"manylinux_2_28_{machine}",
                     sim_wheel(), fails=True)
        self.assertIn("is not a supported wheel on this platform", output)

    def test_is_installed_twice_and_removed(self):
        environment = environment_of(sim_wheel(), "wheels_removed")
        pip(environment, "install", "--force-reinstall", sim_wheel())
        run(environment / "bin/python", "-m", "pip", "uninstall", "--yes", "cubind-sim")
        self.assertEqual([each for each in environment.rglob("*cubind*") if not each.is_dir()], [])

    def test_is_upgraded_from_another_minor_version(self):
        environment = upgrade(self, "cubind-sim", sim_wheel(), "lib/cubind/sim/libearlier.so.1")
        self.assertIn("cubind-sim", run(environment / "bin/cubind-sim", "--help"))

    def test_runs_python_with_the_simulated_driver(self):
        program = ("import ctypes; cuda = ctypes.CDLL('libcuda.so.1'); count = ctypes.c_int(); cuda.cuInit(0); "
                   "cuda.cuDeviceGetCount(ctypes.byref(count)); print(count.value)")
        self.assertEqual(self.run_simulated("--devices", "3", self.environment / "bin/python", "-c", program), "3\n")

    @unittest.skipUnless(LIBRARIES, "needs NVRTC of CUBIND_CUDA_LIBRARY_DIR")
    def test_runs_the_program_of_the_readme(self):
        output = self.run_simulated(readme_program(), env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARIES)})
        self.assertRegex(output, r": y\[0\] = 5\n$")

    @unittest.skipUnless(PACKAGES and LIBRARIES and INCLUDES, "needs the packages of scripts/fetch-python, and CUDA's headers and libraries")
    def test_runs_the_tests_of_the_page_with_pytest(self):
        if not (PACKAGES / "pytest").is_dir():
            self.skipTest(f"{PACKAGES} has no pytest; run scripts/fetch-python, on Python 3.11 or newer")
        # The packages become a part of the environment, as if they had been installed in it.
        site = next((self.environment / "lib").glob("python*/site-packages"))
        (site / "packages.pth").write_text(f"import site; site.addsitedir({str(PACKAGES)!r})\n", encoding="utf-8")
        project = empty_folder("wheels_pytest")
        project.mkdir()
        (project / "test_page.py").write_text(re.search(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)[1], encoding="utf-8")
        shutil.copy(pathlib.Path(SOURCE) / "tests/packaging/wheels/test_numba.py", project)
        toolkit = project / "toolkit"  # what NVIDIA's wheels would bring
        (toolkit / "nvvm/libdevice").mkdir(parents=True)
        for link, target in (("include", INCLUDES), ("lib64", LIBRARIES), ("nvvm/lib64", LIBRARIES),
                             ("nvvm/libdevice/libdevice.10.bc", LIBRARIES / "libdevice.10.bc")):
            (toolkit / link).symlink_to(target)
        done = subprocess.run([self.environment / "bin/cubind-sim", self.environment / "bin/python", "-m", "pytest", "-v", "-p", "no:cacheprovider", project],
                              capture_output=True, text=True, check=False, cwd=project,
                              env={**os.environ, "CUPY_ACCELERATORS": "", "CUDA_PATH": str(toolkit), "CUDA_HOME": str(toolkit),
                                   "CUPY_CACHE_DIR": str(project / "kernels"), "LD_LIBRARY_PATH": str(LIBRARIES)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("test_page.py::test_arrays", "test_page.py::test_kernel", "test_numba.py::test_adds_vectors"):
            self.assertIn(f"{name} PASSED", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *ONLY])
