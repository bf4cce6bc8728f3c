# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a modified copy of the vendor's headers results in a reading that differs by exactly the modifications.

usage: reader_mutation_test.py COMPILER INCLUDE_DIR
"""
import pathlib
import re
import sys
import tempfile
import unittest

import expected_diff
import raw_headers

COMPILER, INCLUDE_DIR = sys.argv[1:]

# The modified entity, library, header, pattern, replacement, and the complete difference.
MUTATIONS = [
    ("an added enumerator", "driver", "cuda.h", r"(CUDA_ERROR_INVALID_VALUE\s*=\s*1),", r"\1, CUBIND_MORE = 1234,",
     {("enumerators", "added", "CUBIND_MORE"): ("cudaError_enum", 1234)}),
    ("an enumerator's value", "runtime", "driver_types.h", r"(cudaErrorMemoryAllocation\s*=\s*)2,", r"\g<1>78,",
     {("enumerators", "changed", "cudaErrorMemoryAllocation"): ("cudaError", 2, 78)}),
    ("a removed enumerator", "driver", "cuda.h", r"CUDA_ERROR_UNKNOWN\s*=\s*999", "",
     {("enumerators", "removed", "CUDA_ERROR_UNKNOWN"): ("cudaError_enum", 999)}),
    ("a struct that grows", "driver", "cuda.h", r"int textureAlign;", r"\g<0> long more[2];",
     {("records", "CUdevprop_st"): (56, 72, 4, 8), ("fields", "CUdevprop_st", "added", "more"): ("long[2]", 56)}),
    ("an added first field", "runtime", "driver_types.h", r"struct __device_builtin__ cudaHostNodeParams\s*\{", r"\g<0> char more;",
     {("records", "cudaHostNodeParams"): (16, 24, 8, 8), ("fields", "cudaHostNodeParams", "added", "more"): ("char", 0),
      ("fields", "cudaHostNodeParams", "moved", "fn"): (0, 8), ("fields", "cudaHostNodeParams", "moved", "userData"): (8, 16)}),
    ("a field's type", "driver", "cuda.h", r"int(?= clockRate;)", "unsigned",
     {("records", "CUdevprop_st"): (56, 56, 4, 4), ("fields", "CUdevprop_st", "retyped", "clockRate"): ("int", "unsignedint")}),
    ("an alignment", "driver", "cuda.h", r"int maxThreadsPerBlock;", r"alignas(8) \g<0>",
     {("records", "CUdevprop_st"): (56, 56, 4, 8)}),
    ("a parameter's type", "driver", "cuda.h", r"cuInit\(unsigned int ", "cuInit(unsigned long ",
     {("functions", "changed", "cuInit"): ("CUresult(unsignedint)", "CUresult(unsignedlong)")}),
    ("a returned type", "nvrtc", "nvrtc.h", r"\bnvrtcResult (nvrtcVersion\()", r"int \1",
     {("functions", "changed", "nvrtcVersion"): ("nvrtcResult(int*,int*)", "int(int*,int*)")}),
    ("a removed function with its group", "driver", "cuda.h", r"CUresult CUDAAPI cuDriverGetVersion\([^;]*\);", "",
     {("functions", "removed", "cuDriverGetVersion"): ("CUresult(int*)", "CUDA_VERSION", True),
      ("groups", "removed", "CUDA_VERSION"): ()}),
    ("an added function in a view", "driver", "cuda.h", r"(#undef cuMemGetInfo\n)", r"\1CUresult CUDAAPI cuMore(CUevent *, size_t);\n",
     {("functions", "added", "cuMore"): ("CUresult(CUevent*,size_t)", "", False)}),
    ("another symbol of a name", "driver", "cuda.h", r"(#define cuDeviceTotalMem\s+)cuDeviceTotalMem_v2", r"\1cuDeviceTotalMem_v9",
     {("public_names", "cuDeviceTotalMem"): ("cuDeviceTotalMem_v2", "cuDeviceTotalMem_v9", "", ""),
      ("functions", "removed", "cuDeviceTotalMem_v2"): ("CUresult(size_t*,CUdevice)", "CUDA_DEVICE", True),
      ("functions", "added", "cuDeviceTotalMem_v9"): ("CUresult(size_t*,CUdevice)", "CUDA_DEVICE", True)}),
    ("a handle that becomes an alias", "driver", "cuda.h", r"typedef struct CUevent_st \*CUevent;", "typedef void *CUevent;",
     {("types", "changed", "CUevent"): ("alias", "CUevent_st*", "void*")}),
    ("a callback's parameter", "driver", "cuda.h", r"(CUDA_CB \*CUoccupancyB2DSize\)\()int ", r"\1long ",
     {("types", "changed", "CUoccupancyB2DSize"): ("callback", "size_t(int)", "size_t(long)")}),
    ("a constant's value", "runtime", "driver_types.h", r"(#define cudaHostAllocPortable\s+)0x01\b", r"\g<1>0x11",
     {("constants", "changed", "cudaHostAllocPortable"): (1, 17)}),
    ("an added constant", "nvrtc", "nvrtc.h", r"(#ifdef __cplusplus\n)", r"#define NVRTC_MORE (sizeof(void *) << 2)\n\1",
     {("constants", "added", "NVRTC_MORE"): ("unsignedlong", 32)}),
    ("a function's group", "nvjitlink", "nvJitLink.h", r"\\ingroup linking(?=(?:(?!\\ingroup).)*?\bnvJitLinkComplete\b)", r"\\ingroup more",
     {("groups", "added", "more"): ()}),
]


def copy_headers(folder, header, text):
    """Copies all of INCLUDE_DIR to `folder`, because headers include others of their folder, with `text` as one header."""
    for each in pathlib.Path(INCLUDE_DIR).iterdir():
        pathlib.Path(folder, each.name).symlink_to(each)
    pathlib.Path(folder, header).unlink()
    pathlib.Path(folder, header).write_text(text, encoding="utf-8")


def rounds():
    """Returns lists of mutations of one header. The differences in a list have no key in common, so that each remains visible next to
    the others."""
    found = []
    for mutation in MUTATIONS:
        for each in found:
            if each[0][1:3] == mutation[1:3] and not any(mutation[-1].keys() & other[-1].keys() for other in each):
                each.append(mutation)
                break
        else:
            found.append([mutation])
    return found


class ReaderMutationTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.readings = {library: raw_headers.reading(COMPILER, INCLUDE_DIR, library) for library in {each[1] for each in MUTATIONS}}

    def difference(self, library, header, text):
        with tempfile.TemporaryDirectory() as folder:
            copy_headers(folder, header, text)
            return expected_diff.expected(self.readings[library], raw_headers.reading(COMPILER, folder, library))

    def test_an_unmodified_copy_has_no_difference(self):
        for library, header in sorted({each[1:3] for each in MUTATIONS}):
            with self.subTest(header):
                text = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8")
                self.assertEqual(self.difference(library, header, text), {})

    def check(self, mutations):
        """Checks the difference of a header with all these mutations."""
        _, library, header, *_ = mutations[0]
        text, differences = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8"), {}
        for what, _, _, pattern, replacement, difference in mutations:
            text, count = re.subn(pattern, replacement, text, count=1, flags=re.S)
            self.assertEqual(count, 1, f"{what}: the pattern does not match the header any more")
            differences.update(difference)
        self.assertEqual(self.difference(library, header, text), differences)

    def test_a_modified_copy_differs_by_the_modifications(self):
        for mutations in rounds():
            with self.subTest(f"{mutations[0][2]}: {', '.join(each[0] for each in mutations)}"):
                self.check(mutations)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
