# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the headers that cubind-gen makes of all .cu files of this folder, together in one source file.

usage: generated_headers_test.py CUBIND_GEN COMPILER REPOSITORY CUDA_INCLUDE SCRATCH
"""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

GEN, COMPILER = sys.argv[1:3]
REPOSITORY, CUDA, SCRATCH = (pathlib.Path(each) for each in sys.argv[3:])
FILES = pathlib.Path(__file__).resolve().parent / "files"
KEYWORD = re.compile(r"^// (instance|define|standard|include|option): (.*)$", re.MULTILINE)
OPTIONS = {"instance": "--instantiate={}", "define": "--option=-D{}", "standard": "--option=--std={}", "include": f"--include={FILES}/{{}}"}
INCLUDES = [REPOSITORY / folder for folder in ("runtime/core/include", "runtime/loader/include", "runtime/error/include", "runtime/kernels/include",
                                               *(f"generated/{name}/include" for name in ("driver", "nvrtc", "nvjitlink", "nvvm")))]


class GeneratedHeadersTest(unittest.TestCase):
    maxDiff = None

    def test_all_headers_compile_together(self):
        shutil.rmtree(SCRATCH, ignore_errors=True)
        SCRATCH.mkdir(parents=True)
        lines = []
        for number, file in enumerate(sorted(FILES.glob("*.cu"))):
            text = file.read_text(encoding="utf-8")
            options = [OPTIONS[keyword].format(value) for keyword, value in KEYWORD.findall(text) if keyword in OPTIONS]
            # A namespace for each file, because the files have types of equal names.
            done = subprocess.run([GEN, "kernels", file, f"--output={SCRATCH}", f"--toolkit={CUDA}", f"--toolkit={CUDA}/cccl",
                                   f"--namespace=file_{number}", *options], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            lines.append(f'#include "{file.name}.hpp"\n')
        self.assertGreaterEqual(len(lines), 40)
        (SCRATCH / "all.cpp").write_text("".join(lines), encoding="utf-8")
        folders = [f"-I{folder}" for folder in (*INCLUDES, SCRATCH, FILES, FILES / "headers")]
        # __int128, which one of the files uses, is an extension.
        done = subprocess.run([COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", *folders,
                               SCRATCH / "all.cpp"], capture_output=True, text=True)
        self.assertEqual(done.stderr[:3000], "")
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
