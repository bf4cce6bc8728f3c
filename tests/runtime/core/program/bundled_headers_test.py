# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles programs with an NVRTC that has no headers beside it, so that the headers that it contains are installed.

usage: bundled_headers_test.py PROGRAM FOLDER_OF_NVRTC SCRATCH
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, NVRTC, SCRATCH = (pathlib.Path(each) for each in sys.argv[1:4])
CCCL = "cuda/std/cstdint"


class BundledHeadersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        cls.libraries = SCRATCH / "nvrtc" / "lib"
        cls.libraries.mkdir(parents=True)
        for library in NVRTC.glob("libnvrtc*.so*"):
            try:
                os.link(library.resolve(), cls.libraries / library.name)
            except OSError:  # another file system
                shutil.copy(library.resolve(), cls.libraries / library.name)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(SCRATCH)

    def setUp(self):
        self.cache = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))
        self.headers = self.cache / "cubind" / "headers"

    def start(self, *arguments):
        (nvrtc,) = self.libraries.glob("libnvrtc.so.[0-9]*")
        environment = {"XDG_CACHE_HOME": str(self.cache), "CUBIND_NVRTC_LIBRARY": str(nvrtc), "LD_LIBRARY_PATH": str(self.libraries),
                       "PATH": os.environ["PATH"]}
        return subprocess.Popen([PROGRAM, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def compile(self, *arguments):
        return self.start(*arguments).communicate()[0]

    def test_installs_headers_once(self):
        self.assertEqual(self.compile(CCCL), "compiled\n")
        (folder,) = self.headers.iterdir()
        self.assertTrue((folder / "cccl" / "cub").is_dir())
        changed = folder.stat().st_mtime_ns
        self.assertEqual(self.compile(CCCL), "cached\n")
        self.assertEqual(self.compile("cooperative_groups.h"), "compiled\n")
        self.assertEqual(folder.stat().st_mtime_ns, changed)

    def test_installs_nothing_for_other_headers(self):
        self.assertIn("could not open source file \"mine.hpp\"", self.compile("mine.hpp"))
        self.assertIn("device code includes <cuda/std/cstdint> instead", self.compile("stdint.h"))
        self.assertFalse(self.headers.exists())

    def test_several_processes_install_at_once(self):
        processes = [self.start(CCCL) for _ in range(4)]
        self.assertLessEqual({process.communicate()[0] for process in processes}, {"compiled\n", "cached\n"})
        self.assertEqual(len(list(self.headers.iterdir())), 1)

    def test_removes_what_a_killed_process_has_left(self):
        left = self.headers / ".13.9-1-1.4711"
        left.mkdir(parents=True)
        os.utime(left, (1, 1))
        self.assertEqual(self.compile(CCCL), "compiled\n")
        self.assertFalse(left.exists())

    def test_a_chosen_folder_works_with_the_cache(self):
        chosen = self.cache / "chosen"
        self.assertEqual(self.compile(CCCL, chosen), "compiled\n")
        self.assertTrue((chosen / "cccl" / "cub").is_dir())
        self.assertEqual(self.compile(CCCL, chosen), "cached\n")
        (header,) = chosen.glob("cccl/cuda/std/cstdint")
        header.write_text(header.read_text() + "// changed\n")
        self.assertEqual(self.compile(CCCL, chosen), "compiled\n")
        self.assertFalse(self.headers.exists())
        (self.cache / "file").touch()
        self.assertIn("nvrtcInstallBundledHeaders failed", self.compile(CCCL, self.cache / "file" / "folder"))

    def test_reports_a_folder_that_others_can_change(self):
        self.headers.mkdir(parents=True)
        self.headers.chmod(0o777)
        output = self.compile(CCCL)
        self.assertIn("were found and refused", output)
        self.assertIn(str(self.headers), output)
        self.assertEqual(list(self.headers.iterdir()), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
