# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests cubind-prof with NVIDIA's driver and CUPTI; prof.py describes the arguments. The exit status is 77 without a GPU."""
import ctypes
import json
import pathlib
import re
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from prof import PYTHON, RANGES, ProfTest, main  # noqa: E402


class GpuTest(ProfTest):
    def test_counts_of_a_known_program_are_exact(self):
        result = self.prof("-f", "table,csv,json,trace", "-a", "kernels,copies,fills,calls,waits,ranges,memory", *PYTHON, "work")
        self.assertEqual((result.status, result.kernels()), (0, [10]), result.errors)
        (file,) = (path for path in self.folder.glob("*.json") if "trace" not in path.name)
        records = json.loads(file.read_text(encoding="utf-8"))
        names = [call["name"] for call in records["calls"]]
        self.assertEqual(sum(name.startswith("cuLaunchKernel") for name in names), 10, result.errors)
        self.assertEqual((len(records["fills"]), len(records["copies"])), (1, 1))
        self.assertEqual({kernel["name"] for kernel in records["kernels"]}, {"scale(float*, int)"})
        self.assertTrue(all(kernel["duration_ns"] > 0 for kernel in records["kernels"]))
        self.assertRegex(result.errors, r"(?m)^100\.0 % .* 10 .*scale\(float\*, int\)$")

    def test_many_launches_lose_no_record(self):
        result = self.profile("much")
        self.assertEqual((result.status, result.kernels()), (0, [2000]), result.errors)

    def test_processes_are_followed(self):
        for number, (action, kernels) in enumerate((("fork", [3, 4]), ("exec", [2, 10]), ("daemon", [6]))):
            result = self.prof("-f", "csv", "-o", self.folder / str(number), *PYTHON, action)
            counts = sorted(len(path.read_text(encoding="utf-8").splitlines()) - 1 for path in (self.folder / str(number)).glob("*.csv"))
            self.assertEqual((result.status, counts), (0, kernels), result.errors)

    def test_ends_keep_the_records(self):
        for number, (end, status) in enumerate((("term", 128 + signal.SIGTERM), ("crash", 128 + signal.SIGSEGV),
                                                ("abort", 128 + signal.SIGABRT), ("kill", 128 + signal.SIGKILL), ("_exit", 8))):
            result = self.profile("work", "sleep", end)
            self.assertEqual((result.status, result.kernels()), (status, (number + 1) * [10]), result.errors)

    def test_ranges_of_nvtx_are_recorded(self):
        result = self.prof(RANGES)
        self.assertEqual(result.status, 0, result.errors)
        self.assertTrue(re.search(r"(?m) 3 .* inner$", result.errors), result.errors)


if __name__ == "__main__":
    try:
        if ctypes.CDLL("libcuda.so.1").cuInit(0) != 0:
            sys.exit(77)
    except OSError:
        sys.exit(77)
    main()
