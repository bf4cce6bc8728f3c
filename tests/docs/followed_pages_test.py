# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Follows the pages with whole projects literally: the tutorial and the page about the installation.

usage: followed_pages_test.py CASE BUILD SCRATCH COMPILER [VARIABLE=VALUE...] [CMAKE_OPTION...]

CASE is a class below. BUILD is a complete build folder of cubind, which is installed in SCRATCH. The variables tell where NVRTC is. A project
that builds cubind is configured with the options.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import projects

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CASE, BUILD, SCRATCH, COMPILER, *REST = sys.argv[1:]
VARIABLES = dict(each.split("=", 1) for each in REST if not each.startswith("-"))
OPTIONS = [each for each in REST if each.startswith("-")]


def empty_folder(name):
    folder = pathlib.Path(SCRATCH) / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def page(name):
    return (ROOT / name).read_text(encoding="utf-8")


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))} returned {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = empty_folder("prefix")
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.environment = projects.environment_with(cls.prefix, CXX=COMPILER, **VARIABLES)


class TutorialTest(Installed):
    """The tutorial."""

    def test_can_be_followed_in_an_empty_folder(self):
        folder = empty_folder("tutorial")
        self.assertGreater(projects.follow(page("docs/tutorial.md"), folder, self.environment), 10)
        complete = {each.name: each.read_text(encoding="utf-8") for each in (ROOT / "docs/tutorial").iterdir()}
        self.assertEqual({name: (folder / name).read_text(encoding="utf-8") for name in complete}, complete)


class InstallTest(Installed):
    """The page about the installation."""

    def setUp(self):
        self.folder = empty_folder("install")
        self.folder.mkdir(parents=True)
        program = re.search(r"^```cpp\n(.*?)^```$", page("README.md"), re.DOTALL | re.MULTILINE)[1]
        (self.folder / "main.cpp").write_text(program, encoding="utf-8")

    def check_program(self, file):
        done = subprocess.run([file], capture_output=True, text=True, env={**self.environment, "CUBIND_DRIVER_LIBRARY": "/no/such/file"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("No CUDA driver found", done.stderr)

    def build(self, lists, *options):
        (self.folder / "CMakeLists.txt").write_text(lists, encoding="utf-8")
        build = self.folder / "build"
        shutil.rmtree(build, ignore_errors=True)
        output = run("cmake", "-S", self.folder, "-B", build, *options, env=self.environment)
        run("cmake", "--build", build, "--parallel", "2", "--target", "app", env=self.environment)
        self.check_program(build / "app")
        return output

    def test_each_project_is_built(self):
        lists = [block for language, block in projects.BLOCK.findall(page("docs/install.md")) if language == "cmake"]
        fetching = [each for each in lists if "FetchContent" in each]
        installed = [each for each in lists if "find_package(cubind" in each]
        self.assertEqual((len(fetching), len(installed), len(lists)), (1, 2, 3))
        for each in installed:
            self.build(each)
        # Offline, without what is installed, and as fast as possible: most of the time of this test is spent here.
        self.environment = {**self.environment, "CMAKE_PREFIX_PATH": ""}
        self.build(fetching[0], f"-DFETCHCONTENT_SOURCE_DIR_CUBIND={ROOT}", "-DCMAKE_UNITY_BUILD=ON", "-DCUBIND_PRECOMPILE_HEADERS=ON", *OPTIONS)

    @unittest.skipUnless(shutil.which("pkg-config"), "pkg-config is not installed")
    def test_commands_build_the_program(self):
        for kind, *what in projects.steps(page("docs/install.md")):
            if kind == "run":
                run("bash", "-ec", what[0].replace("g++", COMPILER), cwd=self.folder, env=self.environment)
                self.check_program(self.folder / "app")
                (self.folder / "app").unlink()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], CASE])
