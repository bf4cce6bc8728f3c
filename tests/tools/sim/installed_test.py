# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""installed_test.py CUBIND_SIM: tests from which folder an installed cubind-sim takes the simulation."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

launcher = sys.argv.pop(1)


def lib_folder():
    """Returns the folder of the simulation in an installation, relative to its prefix."""
    folder = pathlib.Path(launcher).resolve().parent.parent
    return next(path.relative_to(folder) for path in folder.glob("lib*/**/cubind/sim"))


class InstalledTest(unittest.TestCase):
    """An installation below a folder in which every user can create folders."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.shared = pathlib.Path(scratch.name)
        self.shared.chmod(0o1777)

    def install(self, prefix):
        (prefix / "bin").mkdir(parents=True)
        shutil.copy(launcher, prefix / "bin/cubind-sim")
        folder = prefix / lib_folder()
        folder.mkdir(parents=True)
        (folder / "libcuda.so.1").write_bytes(b"")  # nothing loads it
        return folder

    def start(self, prefix, *command):
        return subprocess.run([prefix / "bin/cubind-sim", *command], capture_output=True, text=True, timeout=60)

    def test_uses_its_own_folder_only(self):
        own = self.install(self.shared / "alice")
        # The places of the build tree.
        for other in self.shared / "sim", self.shared / "alice/sim":
            other.mkdir()
            (other / "libcuda.so.1").write_bytes(b"")
        done = self.start(self.shared / "alice", sys.executable, "-c", "import os; print(os.environ['LD_LIBRARY_PATH'])")
        self.assertEqual(done.stdout.strip().split(":")[0], str(own), done.stderr)
        shutil.rmtree(own)
        done = self.start(self.shared / "alice", "true")
        self.assertEqual(done.returncode, 126)
        self.assertIn("found no simulated libcuda.so.1 beside", done.stderr)

    def test_refuses_what_others_can_change(self):
        own = self.install(self.shared / "alice")
        changes = [(own, 0o777), (own.parent, 0o777), (own / "libcuda.so.1", 0o666), (own / "other.so", 0o666)]
        (own / "other.so").write_bytes(b"")
        for path, mode in changes:
            path = path.resolve()
            before = path.stat().st_mode
            path.chmod(mode)
            done = self.start(self.shared / "alice", "true")
            self.assertEqual(done.returncode, 126, path)
            self.assertIn(f"{path} can be written by others", done.stderr)
            path.chmod(before)
        os.rename(own, self.shared / "elsewhere")
        (self.shared / "elsewhere").chmod(0o777)
        own.symlink_to(self.shared / "elsewhere")
        self.assertIn("elsewhere can be written by others", self.start(self.shared / "alice", "true").stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to give files to another user")
    def test_refuses_what_belongs_to_another_user(self):
        own = self.install(self.shared / "alice")
        for path in own, own / "libcuda.so.1":
            os.chown(path, 12345, -1, follow_symlinks=False)
            done = self.start(self.shared / "alice", "true")
            self.assertEqual(done.returncode, 126)
            self.assertIn(f"{path} belongs to user 12345", done.stderr)
            os.chown(path, 0, -1, follow_symlinks=False)

    def test_rejects_folders_that_the_variable_cannot_name(self):
        own = self.install(self.shared / "a:b")
        done = self.start(self.shared / "a:b", "true")
        self.assertEqual(done.returncode, 126, done.stderr)
        self.assertIn(str(own), done.stderr)


if __name__ == "__main__":
    unittest.main()
