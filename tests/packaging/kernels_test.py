# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests cubind_add_kernels() of an installed package.

It uses the build folder of packaging_test.py.
"""
import pathlib
import sys
import unittest

from building import WORK, build_and_run, configure, empty_folder, install, run

HERE = pathlib.Path(__file__).resolve().parent


class KernelsTest(unittest.TestCase):
    """Makes headers of .cu files with an installed cubind-gen."""

    PREFIX = WORK / "kernels_prefix"

    @classmethod
    def setUpClass(cls):
        install(WORK / "build", cls.PREFIX, "-DCUBIND_BUILD_GENERATOR=ON")

    def configure(self, *options, prefix=PREFIX, fails=False):
        build = empty_folder("kernels")
        return build, configure(HERE / "kernels", build, f"-DCMAKE_PREFIX_PATH={prefix}", *options, fails=fails)

    def test_a_program_and_a_plugin_have_kernels_of_one_name(self):
        build, _ = self.configure()
        self.assertEqual(build_and_run(build), "_Z5scaleIfEvPT_S0_\n_Z5scalePdd\n")

    def test_only_an_edit_makes_a_header_again(self):
        build, _ = self.configure()
        headers = [build / "cubind_kernels" / target / "scale.cu.hpp" for target in ("consumer", "plugin")]
        build_and_run(build)
        before = [header.stat().st_mtime_ns for header in headers]
        build_and_run(build)
        self.assertEqual([header.stat().st_mtime_ns for header in headers], before)
        (HERE / "kernels" / "plugin" / "scale.cu").touch()
        build_and_run(build)
        after = [header.stat().st_mtime_ns for header in headers]
        self.assertEqual(after[0], before[0])
        self.assertGreater(after[1], before[1])

    def test_programs_are_installed_with_their_templates(self):
        moved = empty_folder("kernels_moved")
        self.PREFIX.rename(moved)
        try:
            build, _ = self.configure(prefix=moved)
            self.assertIn("_Z5scalePdd", build_and_run(build))
        finally:
            moved.rename(self.PREFIX)

    def test_reports_wrong_arguments(self):
        for arguments, message in (("EMBED;elf", "EMBED elf is unknown"), ("EMBED;cubin", "requires ARCHITECTURE"),
                                   ("NAMESPACE", "NAMESPACE has no value"), ("plugin/scale.cu", "two files are called scale.cu")):
            self.assertIn(message, " ".join(self.configure(f"-DCONSUMER_ARGUMENTS={arguments}", fails=True)[1].split()), arguments)

    def test_errors_of_kernels_stop_the_build(self):
        build, _ = self.configure("-DCONSUMER_ARGUMENTS=NAMESPACE;1st")
        self.assertIn("--namespace 1st: this is no name of a namespace", run("cmake", "--build", build, fails=True))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
