# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that arguments with a default in the vendor's C++ declarations can be omitted in every compilation mode.

usage: default_arguments_test.py COMPILER INCLUDE_DIR LOADER_INCLUDE GENERATED_DIR
"""
import re
import pathlib
import subprocess
import sys
import tempfile
import unittest

import search_path

COMPILER, INCLUDE_DIR, LOADER_INCLUDE, GENERATED_DIR = sys.argv[1:]

# Calls with the fewest arguments that the declarations in cuda_runtime_api.h accept.
CALLS = {
    "cudaMemcpyAsync": "nullptr, nullptr, 0, cubind::runtime::cudaMemcpyHostToDevice",
    "cudaMemsetAsync": "nullptr, 0, 0",
    "cudaEventRecord": "nullptr",
    "cudaMemcpyToSymbol": "nullptr, nullptr, 0",
    "cudaMallocManaged": "0",
    "cudaStreamWaitEvent": "nullptr, nullptr",
    "cudaStreamAttachMemAsync": "nullptr, nullptr",
    "cudaGraphInstantiate": "nullptr",
}


def compile_calls(order, per_thread, calls):
    vendor = "#include <cuda_runtime_api.h>\n"
    text = (vendor if order == "before" else "") + "#include <cubind/runtime.hpp>\n" + (vendor if order == "after" else "")
    text += "void calls() {\n" + "".join(f"    (void)cubind::runtime::{name}({given});\n" for name, given in calls.items()) + "}\n"
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "calls.cpp")
        source.write_text(text, encoding="utf-8")
        command = [COMPILER, "-std=c++20", "-fsyntax-only", "-I", f"{GENERATED_DIR}/runtime/include", "-I", LOADER_INCLUDE,
                   "-isystem", INCLUDE_DIR, *search_path.options(COMPILER),
                   *(["-DCUDA_API_PER_THREAD_DEFAULT_STREAM"] if per_thread else []), str(source)]
        return subprocess.run(command, capture_output=True, text=True)


class DefaultArgumentsTest(unittest.TestCase):
    def test_the_vendors_header_has_these_defaults(self):
        text = pathlib.Path(INCLUDE_DIR, "cuda_runtime_api.h").read_text(encoding="utf-8")
        for name in CALLS:
            self.assertTrue(re.search(rf"\b{name}\([^;]*(?:__dv\(|=)[^;]*;", text), name)

    def test_arguments_with_defaults_can_be_omitted(self):
        for order in ("none", "before", "after"):
            for per_thread in (False, True):
                with self.subTest(f"vendor header {order}, {'per-thread' if per_thread else 'legacy'}"):
                    result = compile_calls(order, per_thread, CALLS)
                    self.assertEqual(result.returncode, 0, result.stderr[:3000])

    def test_omitting_a_required_argument_does_not_compile(self):
        fewer = {name: ", ".join(given.split(", ")[:-1]) for name, given in CALLS.items()}
        for name, given in fewer.items():
            self.assertNotEqual(compile_calls("none", False, {name: given}).returncode, 0, name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
