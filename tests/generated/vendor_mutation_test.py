# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that vendor_layout.hpp does not compile with a vendor header whose layouts or values were modified.

usage: vendor_mutation_test.py COMPILER INCLUDE_DIR LOADER_INCLUDE GENERATED_DIR
"""
import contextlib
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import bound
import search_path
import vendor_headers

COMPILER, INCLUDE_DIR, LOADER_INCLUDE, GENERATED_DIR = sys.argv[1:]
REPOSITORY = pathlib.Path(GENERATED_DIR).parent

# The modified entity, library, header, pattern, replacement, and the name that the compiler's error must contain. These headers
# have every kind of entity. mutations_of() adds some for each library.
MUTATIONS = [
    ("an enumerator", "driver", "cuda.h", r"(CUDA_ERROR_INVALID_VALUE\s*=\s*)1,", r"\g<1>77,", "CUDA_ERROR_INVALID_VALUE"),
    ("an offset", "driver", "cuda.h", r"size_t srcXInBytes;(.*?)size_t srcY;", r"size_t srcY;\1size_t srcXInBytes;", "srcXInBytes"),
    ("a size", "driver", "cuda.h", r"(char bytes\[16\];)", r"char bytes[24];", "CUuuid"),
    ("a handle", "driver", "cuda.h", r"typedef struct CUevent_st \*CUevent;", "typedef struct CUstream_st *CUevent;", "CUevent"),
    ("an alias", "driver", "cuda.h", r"typedef unsigned long long CUdeviceptr_v2;", "typedef unsigned int CUdeviceptr_v2;", "CUdeviceptr"),
    ("an enumerator", "runtime", "driver_types.h", r"(cudaErrorMemoryAllocation\s*=\s*)2,", r"\g<1>78,", "cudaErrorMemoryAllocation"),
    ("a field's type", "runtime", "driver_types.h", r"size_t\s+totalGlobalMem;", "char totalGlobalMem[4];", "cudaDeviceProp"),
]


def mutations_of(library):
    """Returns mutations of an enumerator, and of the size of a record if the library's headers define one by its name."""
    settings, facts = vendor_headers.settings(REPOSITORY, library), bound.facts(REPOSITORY, library)
    headers = [*settings["headers"], *settings.get("type_headers", [])]
    texts = {header: pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8") for header in headers}
    found = []
    for kind, patterns in (
            ("an enumerator", [(each["name"], rf"(\b{each['name']}\s*=\s*){each['value']}\b", rf"\g<1>{each['value'] + 1000}")
                               for enum in facts["enums"] for each in enum["enumerators"] if each["value"] >= 0]),
            ("a size", [(each["name"], rf"(\bstruct\s+{each['name']}\s*\{{)", r"\1 char cubind_test[64];")
                        for each in facts["records"]])):
        matches = ((kind, library, header, pattern, replacement, name) for name, pattern, replacement in patterns
                   for header, text in texts.items() if name in text and re.search(pattern, text))
        found += itertools.islice(matches, 1)
    return found


@contextlib.contextmanager
def copied_header(folder, header, text):
    """Replaces the link to a header in `folder` by a file with this text, until the end of the context. Headers include others of their
    folder, so all of that is replaced if the header is in a folder within INCLUDE_DIR."""
    first, *rest = pathlib.Path(header).parts
    link = pathlib.Path(folder, first)
    link.unlink()
    if rest:
        link.mkdir()
        for each in pathlib.Path(INCLUDE_DIR, first).iterdir():
            (link / each.name).symlink_to(each)
        pathlib.Path(folder, header).unlink()
    pathlib.Path(folder, header).write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        shutil.rmtree(link) if rest else link.unlink()
        link.symlink_to(pathlib.Path(INCLUDE_DIR, first))


def compile_with(folder, library):
    includes = [f"-I{each}" for each in sorted(pathlib.Path(GENERATED_DIR).glob("*/include"))]
    command = [COMPILER, "-std=c++20", "-fsyntax-only", *includes, "-I", LOADER_INCLUDE, "-isystem", folder, *search_path.options(COMPILER),
               "-x", "c++", "-"]
    return subprocess.run(command, input=f"#include <cubind/{library}/vendor_layout.hpp>\n", capture_output=True, text=True)


class VendorMutationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        for each in pathlib.Path(INCLUDE_DIR).iterdir():
            pathlib.Path(cls.folder, each.name).symlink_to(each)
        cls.libraries = vendor_headers.libraries(INCLUDE_DIR, REPOSITORY)
        cls.mutations = [*MUTATIONS, *(each for library in cls.libraries for each in mutations_of(library))]

    def test_every_library_has_a_mutation(self):
        self.assertEqual(sorted({each[1] for each in self.mutations}), self.libraries)

    def test_unmodified_copies_compile(self):
        for library, header in sorted({(each[1], each[2]) for each in self.mutations}):
            with self.subTest(header):
                text = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8")
                with copied_header(self.folder, header, text):
                    result = compile_with(self.folder, library)
                self.assertEqual(result.returncode, 0, result.stderr[:2000])

    def test_modified_copies_do_not_compile(self):
        for what, library, header, pattern, replacement, named in self.mutations:
            with self.subTest(f"{what} of {header}"):
                text = pathlib.Path(INCLUDE_DIR, header).read_text(encoding="utf-8")
                modified, count = re.subn(pattern, replacement, text, count=1, flags=re.S)
                self.assertEqual(count, 1, "the pattern does not match the header any more")
                with copied_header(self.folder, header, modified):
                    result = compile_with(self.folder, library)
                self.assertNotEqual(result.returncode, 0)
                errors = "\n".join(line for line in result.stderr.splitlines() if "assert" in line)
                self.assertTrue(re.search(named, errors), result.stderr[:2000])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
