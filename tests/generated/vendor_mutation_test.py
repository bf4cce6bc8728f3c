# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that vendor_layout.hpp does not compile with a vendor header whose layouts or values were modified.

usage: vendor_mutation_test.py COMPILER INCLUDE_DIR LOADER_INCLUDE GENERATED_DIR
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

COMPILER, INCLUDE_DIR, LOADER_INCLUDE, GENERATED_DIR = sys.argv[1:]

# The modified entity, library, header, pattern, replacement, and the name that the compiler's error must contain.
MUTATIONS = [
    ("an enumerator", "driver", "cuda.h", r"(CUDA_ERROR_INVALID_VALUE\s*=\s*)1,", r"\g<1>77,", "CUDA_ERROR_INVALID_VALUE"),
    ("an offset", "driver", "cuda.h", r"size_t srcXInBytes;(.*?)size_t srcY;", r"size_t srcY;\1size_t srcXInBytes;", "srcXInBytes"),
    ("a size", "driver", "cuda.h", r"(char bytes\[16\];)", r"char bytes[24];", "CUuuid"),
    ("a handle", "driver", "cuda.h", r"typedef struct CUevent_st \*CUevent;", "typedef struct CUstream_st *CUevent;", "CUevent"),
    ("an alias", "driver", "cuda.h", r"typedef unsigned long long CUdeviceptr_v2;", "typedef unsigned int CUdeviceptr_v2;", "CUdeviceptr"),
    ("an enumerator", "runtime", "driver_types.h", r"(cudaErrorMemoryAllocation\s*=\s*)2,", r"\g<1>78,", "cudaErrorMemoryAllocation"),
    ("a field's type", "runtime", "driver_types.h", r"size_t\s+totalGlobalMem;", "char totalGlobalMem[4];", "cudaDeviceProp"),
    ("an enumerator", "nvrtc", "nvrtc.h", r"(NVRTC_ERROR_COMPILATION\s*=\s*)6,", r"\g<1>79,", "NVRTC_ERROR_COMPILATION"),
    ("an enumerator", "nvjitlink", "nvJitLink.h", r"NVJITLINK_INPUT_CUBIN = 1,", "NVJITLINK_INPUT_CUBIN = 11,", "NVJITLINK_INPUT_CUBIN"),
]


def copy_headers(folder, header, text):
    """Copies all of INCLUDE_DIR to `folder`, because headers include others of their folder, with `text` as one header."""
    for each in pathlib.Path(INCLUDE_DIR).iterdir():
        pathlib.Path(folder, each.name).symlink_to(each)
    pathlib.Path(folder, header).unlink()
    pathlib.Path(folder, header).write_text(text, encoding="utf-8")


def compile_with(folder, library):
    source = pathlib.Path(folder, "cubind_source.cpp")
    source.write_text(f"#include <cubind/{library}/vendor_layout.hpp>\n", encoding="utf-8")
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-I", f"{GENERATED_DIR}/{library}/include", "-I", LOADER_INCLUDE,
               "-isystem", folder, str(source)]
    return subprocess.run(command, capture_output=True, text=True)


class VendorMutationTest(unittest.TestCase):
    def test_unmodified_copies_compile(self):
        for library, header in sorted({(each[1], each[2]) for each in MUTATIONS}):
            with self.subTest(header), tempfile.TemporaryDirectory() as folder:
                text = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8")
                copy_headers(folder, header, text)
                result = compile_with(folder, library)
                self.assertEqual(result.returncode, 0, result.stderr[:2000])

    def test_modified_copies_do_not_compile(self):
        for what, library, header, pattern, replacement, named in MUTATIONS:
            with self.subTest(f"{what} of {header}"), tempfile.TemporaryDirectory() as folder:
                text = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8")
                modified, count = re.subn(pattern, replacement, text, count=1, flags=re.S)
                self.assertEqual(count, 1, "the pattern does not match the header any more")
                copy_headers(folder, header, modified)
                result = compile_with(folder, library)
                self.assertNotEqual(result.returncode, 0)
                errors = "\n".join(line for line in result.stderr.splitlines() if "assert" in line)
                self.assertTrue(re.search(named, errors), result.stderr[:2000])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
