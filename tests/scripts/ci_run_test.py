# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that .ci/run hides headers, libraries and CUDA in /usr/local from the tests that it runs, and nothing else.

usage: ci_run_test.py REPOSITORY
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
LOCAL = pathlib.Path("/usr/local")
REPORT = 'echo "arguments $*"; command -v python3; find /usr/local/include /usr/local/lib -mindepth 1; ls -d /usr/local/* | sed "s/^/entry /"\n'
CAN_MOUNT = os.geteuid() == 0 and subprocess.run(
    ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False).returncode == 0


class CiRunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name in (".ci", "scripts"):
            (root / name).mkdir()
        self.script = shutil.copy(REPOSITORY / ".ci/run", root / ".ci/run")
        (root / "scripts/test").write_text(REPORT, encoding="utf-8")

    def lines(self, **options):
        return subprocess.run(["bash", self.script], check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options).stdout.splitlines()

    @unittest.skipUnless(CAN_MOUNT, "mounts are not permitted")
    def test_hides_headers_libraries_and_cuda(self):
        before = sorted(LOCAL.iterdir())
        _, python, *rest = self.lines()
        self.assertEqual(python, "/usr/bin/python3")
        entries = {line.removeprefix("entry /usr/local/") for line in rest}
        self.assertEqual({each for each in entries if each.startswith(("cuda", "/"))}, set())
        self.assertLessEqual({"include", "lib"}, entries)
        self.assertEqual({each.name for each in before if each.name in ("bin", "etc", "share")} - entries, set())
        self.assertEqual(sorted(LOCAL.iterdir()), before, "other processes must see no change")

    @unittest.skipUnless(os.geteuid() == 0, "requires root to become another user")
    def test_goes_on_without_mounts(self):
        parent = pathlib.Path(self.script).parents[1]
        for path in (parent, *parent.rglob("*")):
            path.chmod(0o755)
        note, arguments, *_ = self.lines(user="nobody")
        self.assertIn("not permitted", note)
        self.assertEqual(arguments, "arguments --full")


unittest.main()
