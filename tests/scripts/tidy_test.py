# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/tidy in a small repository.

usage: tidy_test.py REPOSITORY
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv[1])
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "core.hooksPath=none")
GOOD = "int twice(int value) { return 2 * value; }\n"
BAD = "#include <string>\n#include <utility>\nstd::string twice(std::string a) { std::string b = std::move(a); return a + b; }\n"
FINDING = "bugprone-use-after-move"


@unittest.skipIf(shutil.which("git") is None, "git is not installed")
class TidyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.write("scripts/tidy", (REPOSITORY / "scripts" / "tidy").read_text(encoding="utf-8"))
        shutil.copy(REPOSITORY / ".clang-tidy", self.root)
        self.write(".gitignore", "build/\n")
        for name in ("runtime/a/first.cpp", "runtime/a/second.cpp"):
            self.write(name, GOOD)
        self.git("init", "--quiet")
        self.commit()
        self.configure("runtime/a/first.cpp", "runtime/a/second.cpp")

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.root, *IDENTITY, *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "-m", "tests: change something")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def configure(self, *names, options="", own_options={}):
        """Writes the commands of sources, with options of all of them and of single ones."""
        entries = [{"directory": str(self.root), "file": str(self.root / name),
                    "command": f"c++{options}{own_options.get(name, '')} -std=c++20 -c {self.root / name}"} for name in names]
        self.write("build/dev/compile_commands.json", json.dumps(entries))

    def tidy(self, *arguments):
        done = subprocess.run([sys.executable, "-B", self.root / "scripts" / "tidy", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest(done.stderr.strip())
        return done.returncode, done.stdout + done.stderr

    def assert_finds(self, found, *arguments):
        """Asserts that exactly the files `found` have findings."""
        status, output = self.tidy(*arguments)
        self.assertEqual(status, 1 if found else 0, output)
        for name in ("first.cpp", "second.cpp", "third.cpp", "part.hpp"):
            self.assertEqual(any(name in line and FINDING in line for line in output.splitlines()), name in found, (name, output))

    def test_checks_only_what_differs_from_the_base(self):
        self.write("runtime/a/second.cpp", BAD)
        self.commit()
        self.write("runtime/a/first.cpp", GOOD + "\n")
        self.assert_finds({"second.cpp"})  # on main: since the previous commit
        self.assert_finds(set(), "--base", "HEAD")
        self.write("runtime/a/first.cpp", BAD)
        self.assert_finds({"first.cpp"}, "--base", "HEAD")

    def test_checks_all_commits_of_a_branch(self):
        self.git("checkout", "--quiet", "-b", "branch")
        self.write("runtime/a/first.cpp", BAD)
        self.commit()
        self.write("runtime/a/second.cpp", GOOD + "\n")
        self.commit()
        self.assert_finds({"first.cpp"})

    def test_accepts_findings_in_lines_that_were_there(self):
        self.write("runtime/a/first.cpp", BAD)
        self.commit()
        self.git("mv", "runtime/a/first.cpp", "runtime/a/third.cpp")
        self.write("runtime/a/third.cpp", BAD + GOOD)
        self.configure("runtime/a/third.cpp")
        self.assert_finds(set(), "--base", "HEAD")
        self.assert_finds({"third.cpp"}, self.root / "runtime/a/third.cpp")

    def test_checks_new_files_and_headers(self):
        self.write("runtime/a/third.cpp", BAD)
        self.write("runtime/a/part.hpp", "#pragma once\n" + BAD)
        self.configure("runtime/a/first.cpp", "runtime/a/third.cpp")
        self.assert_finds({"third.cpp", "part.hpp"}, "--base", "HEAD")

    def test_reads_a_header_with_the_command_of_a_source_that_includes_it(self):
        self.write("runtime/a/part.hpp", '#pragma once\n#ifndef OF_THIRD\n#error "a macro of the target is missing"\n#endif\n')
        self.write("runtime/a/whole.hpp", '#pragma once\n#include "part.hpp"\n')
        third, other = "runtime/a/deep/third.cpp", "runtime/a/part.cpp"  # clang-tidy itself would take the command of part.cpp
        self.write(third, '#include "../whole.hpp"\n')
        self.write(other, GOOD)
        self.configure(third, other, own_options={third: " -DOF_THIRD"})
        status, output = self.tidy("--base", "HEAD")
        self.assertEqual(status, 0, output)
        self.assertIn("4 files have no findings", output)

    def test_names_files_that_no_build_compiles(self):
        self.write("tools/third.cpp", BAD)
        status, output = self.tidy("--base", "HEAD")
        self.assertEqual(status, 0)
        self.assertIn("1 files are not compiled", output)

    def test_reads_the_sources_of_unity_builds_and_no_precompiled_headers(self):
        unity = self.write("build/dev/Unity/unity_0_cxx.cxx", f'#include "{self.root}/runtime/a/first.cpp"\n')
        self.configure(unity.relative_to(self.root), options=" -Winvalid-pch -include missing/cmake_pch.hxx")
        self.write("runtime/a/first.cpp", BAD)
        self.assert_finds({"first.cpp"}, "--base", "HEAD")

    def test_reads_commands_of_gcc(self):
        self.configure("runtime/a/first.cpp", options=" -Werror -Wno-restrict -Wno-subobject-linkage -fno-gnu-unique")
        self.write("runtime/a/first.cpp", GOOD + "\n")
        self.assert_finds(set(), "--base", "HEAD")
        self.write("runtime/a/first.cpp", BAD)
        self.assert_finds({"first.cpp"}, "--base", "HEAD")

    def test_the_limit_keeps_the_files_with_the_most_changes(self):
        self.write("runtime/a/first.cpp", GOOD + "\n")
        self.write("runtime/a/second.cpp", BAD * 2)
        status, output = self.tidy("--base", "HEAD", "--limit", 1)
        self.assertEqual(status, 1)
        self.assertIn("1 of 2 changed files are left out", output)
        self.assertIn("second.cpp", output)

    def test_reports_what_it_cannot_read(self):
        self.write("runtime/a/first.cpp", '#include "missing.hpp"\n')
        status, output = self.tidy("--base", "HEAD")
        self.assertEqual(status, 1)
        self.assertIn("'missing.hpp' file not found", output)
        for arguments in (("--base", "nonsense"), ("--build", self.root)):
            self.assertEqual(self.tidy(*arguments)[0], 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
