# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""troubleshooting_test.py PROGRAM DRIVER_FOLDER NVRTC RUNTIME: makes each failure of the page for troubleshooting happen on the
simulated driver, and compares the messages on the page with what is printed."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/troubleshooting.md"
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NO_DRIVER = "No CUDA driver found: libcuda.so.1"
# Processes that have lost their context cannot free what NVRTC and the driver hold.
ENVIRONMENT = {**{key: value for key, value in os.environ.items() if not key.startswith(("CUBIND_", "CUDA_"))},
               "LSAN_OPTIONS": "detect_leaks=0"}


# The failures whose environment is not that of a program on the simulated driver.
def environments(folder, nvrtc):
    writable = folder / "libnvrtc.so.13"
    writable.write_bytes(pathlib.Path(nvrtc).read_bytes()[:4096])
    writable.chmod(0o666)
    stubs = folder / "stubs"
    stubs.mkdir()
    (stubs / "libcuda.so.1").write_bytes(writable.read_bytes())
    return {
        "driver": [{"LD_LIBRARY_PATH": ""}, {"CUBIND_DRIVER_LIBRARY": str(stubs / "libcuda.so.1")}],
        "device": [{"CUDA_VISIBLE_DEVICES": "-1"}, {"CUBIND_SIM_DEVICES": "many"}],
        "runtime": [{"CUBIND_SIM_RELEASE": "12.4"}],
        "nvrtc": [{"CUBIND_NVRTC_LIBRARY": "/opt/none/libnvrtc.so.13"}, {"CUBIND_NVRTC_LIBRARY": str(writable)}],
        "function": [{"CUBIND_SIM_RELEASE": "12.2"}],
        "newer ptx": [{"CUBIND_SIM_RELEASE": "12.2"}],
        "time": [{"CUBIND_SIM_KERNEL_SECONDS": "1"}],
    }


def output(program, failure, environment):
    done = subprocess.run([program, failure], env=environment, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout + done.stderr


def all_output(program, driver_folder, nvrtc, runtime):
    names = re.findall(r'^    {"([a-z ]+)",', (PAGE.parent.parent / "tests/docs/troubleshooting.cpp").read_text(), re.MULTILINE)
    # With sanitizers, NVRTC does not find its further libraries without the path.
    libraries = os.pathsep.join([driver_folder, str(pathlib.Path(nvrtc).parent)])
    usual = {**ENVIRONMENT, "LD_LIBRARY_PATH": libraries, "CUBIND_NVRTC_LIBRARY": nvrtc, "CUBIND_RUNTIME_LIBRARY": runtime}
    with tempfile.TemporaryDirectory() as folder:
        special = environments(pathlib.Path(folder), nvrtc)
        return "".join(output(program, name, {**usual, **changes}) for name in names for changes in special.get(name, [{}]))


def pattern(line):
    """Returns a regular expression for a line of the page, in which "..." stands for anything."""
    return ".*".join(re.escape(part) for part in line.split("..."))


class TroubleshootingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = PAGE.read_text(encoding="utf-8")
        cls.output = all_output(*ARGUMENTS)

    def check(self, messages):
        missing = [message for message in messages if not re.search(pattern(message), self.output)]
        if NO_DRIVER not in self.output:  # this machine has a driver
            missing = [message for message in missing if not message.startswith(NO_DRIVER)]
        self.assertEqual(missing, [], f"is on the page, but is not printed:\n{self.output}")

    def test_headings_are_messages(self):
        messages = [message for heading in HEADING.findall(self.page) for message in re.findall(r"`([^`]+)`", heading)]
        self.assertGreater(len(messages), 20)
        self.check(messages)

    def test_blocks_are_messages(self):
        lines = [line for block in BLOCK.findall(self.page) for line in block.splitlines()]
        self.assertGreater(len(lines), 20)
        self.check(lines)

    def test_a_message_that_is_not_printed_is_found(self):
        with self.assertRaises(AssertionError):
            self.check(["CUDA_ERROR_OUT_OF_MEMORY (3)"])


if __name__ == "__main__":
    ARGUMENTS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
