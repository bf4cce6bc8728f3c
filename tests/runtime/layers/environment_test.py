# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests layers that the environment starts in a program that starts none itself.

usage: environment_test.py PROGRAM PROGRAM_WITHOUT_LAYERS
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, WITHOUT_LAYERS = sys.argv[1:3]
RIGHT = ("init: CUDA_SUCCESS\nfirst: CUDA_SUCCESS\nsecond: CUDA_SUCCESS\nunknown: CUDA_ERROR_INVALID_HANDLE\n"
         "at exit: CUDA_SUCCESS\n")
TRACED = ["cuInit", "cuCtxCreate_v2", "cuMemAlloc_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuStreamSynchronize", "cuStreamCreate",
          "cuDriverGetVersion"]


NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


def run(program=PROGRAM, caller=None, **variables):
    """Runs the program, as another user if `caller` has the arguments for it. Returns its standard output and standard error."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("CUBIND_")}
    environment.update({f"CUBIND_{key.upper()}": value for key, value in variables.items()})
    done = subprocess.run([program], env=environment, check=True, capture_output=True, text=True, timeout=60, **(caller or {}))
    return done.stdout, done.stderr


class EnvironmentTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "trace:file")

    def test_no_layer(self):
        self.assertEqual(run(), (RIGHT, ""))
        self.assertEqual(run(layers="", trace="chrome:/no/such/file", validate="nonsense", faults="nonsense"), (RIGHT, ""))
        self.assertEqual(run(layers=","), (RIGHT, ""))

    def test_trace(self):
        for variables in ({}, {"trace": "text"}, {"trace": ""}, {"trace": "text:"}):
            out, err = run(layers="trace", **variables)
            self.assertEqual(out, RIGHT)
            lines = err.splitlines()
            form = r"\[1\] +\d+\.\d{6} s +\d+\.\d us  driver (\w+)\(.*\) -> CUDA_\w+"
            self.assertEqual([re.match(form, line).group(1) for line in lines], TRACED)

    def test_trace_to_files(self):
        self.assertEqual(run(layers="trace", trace=f"text:{self.file}"), (RIGHT, ""))
        self.assertEqual(len(self.file.read_text().splitlines()), len(TRACED))
        self.assertEqual(run(layers="trace", trace=f"json:{self.file}"), (RIGHT, ""))
        self.assertEqual([json.loads(line)["function"] for line in self.file.read_text().splitlines()], TRACED)
        self.assertEqual(run(layers="trace", trace=f"chrome:{self.file}"), (RIGHT, ""))
        events = json.loads(self.file.read_text())
        self.assertEqual([event["name"] for event in events], TRACED + ["process_name"])

    def test_validate(self):
        expected = r"\Acubind: validate: driver: cuStreamSynchronize: hStream is 0x4440, .*no call has returned.* CUstream .*\n\Z"
        for variables in ({}, {"validate": "warn"}):
            out, err = run(layers="validate", **variables)
            self.assertEqual(out, RIGHT)
            self.assertRegex(err, expected)
        out, err = run(layers="validate", validate="fail")
        self.assertEqual(out, RIGHT.replace("INVALID_HANDLE", "INVALID_VALUE"))
        self.assertRegex(err, expected)

    def test_faults(self):
        out_of_memory = "CUDA_ERROR_OUT_OF_MEMORY"
        first = RIGHT.replace("first: CUDA_SUCCESS", f"first: {out_of_memory}")
        second = RIGHT.replace("second: CUDA_SUCCESS", f"second: {out_of_memory}")
        for text, expected in {
            f"cuMemAlloc={out_of_memory}": first,
            f"cuMemAlloc_v2#1={out_of_memory}": first,
            "cuMemAlloc=2": first,
            f"cuMemAlloc#2={out_of_memory}": second,
            f"cuMemAlloc#3={out_of_memory}": RIGHT,
            "": RIGHT,
        }.items():
            self.assertEqual(run(layers="faults", faults=text), (expected, ""))
        out, _ = run(layers="faults", faults=f"cuMemAlloc#2={out_of_memory},cuCtxCreate=CUDA_ERROR_NO_DEVICE")
        self.assertIn(f"first: CUDA_ERROR_INVALID_CONTEXT\nsecond: {out_of_memory}\n", out)
        out, _ = run(layers="faults", faults=f"cuMemAlloc#*={out_of_memory}")
        self.assertIn(f"first: {out_of_memory}\nsecond: {out_of_memory}\n", out)

    def test_leaks(self):
        out, err = run(layers="leaks")
        self.assertEqual(out, RIGHT)
        self.assertRegex(err, r"\Acubind: leaks: created and not destroyed\n"
                              r"context 0x[0-9a-f]+ from driver cuCtxCreate_v2\(flags=0, dev=0\) in thread 1 at [\d.]+ s\n"
                              r"device memory 0x[0-9a-f]+ from driver cuMemAlloc_v2\(bytesize=128\) in thread 1 at [\d.]+ s\n"
                              r"stream 0x[0-9a-f]+ from driver cuStreamCreate\(Flags=1\) in thread 1 at [\d.]+ s\n\Z")
        self.assertEqual(run(layers="leaks,leaks")[1].count("created and not destroyed"), 1)

    def test_nvtx_without_a_tool(self):
        out, err = run(layers="nvtx")
        self.assertEqual(out, RIGHT)
        self.assertRegex(err, r"\Acubind: nvtx: no tool .*NVTX_INJECTION64_PATH.*\n\Z")

    def test_all(self):
        # A call with a fault does not reach the layers below.
        for layers, traced in (("trace,validate,faults,leaks", len(TRACED)), ("leaks,faults,validate,trace", len(TRACED) - 1)):
            out, err = run(layers=layers, trace=f"chrome:{self.file}", faults="cuMemAlloc#2=CUDA_ERROR_OUT_OF_MEMORY")
            self.assertIn("second: CUDA_ERROR_OUT_OF_MEMORY", out)
            self.assertIn("cubind: validate: ", err)
            self.assertIn("cubind: leaks: ", err)
            self.assertEqual(len(json.loads(self.file.read_text())), traced + 1)

    @unittest.skipIf(os.geteuid() != 0, "only root can create a setuid program of another user")
    def test_setuid_program(self):
        folder = self.file.parent
        if os.statvfs(folder).f_flag & os.ST_NOSUID:
            self.skipTest("the folder is mounted with nosuid")
        folder.chmod(0o755)
        program = folder / "program"
        shutil.copy(PROGRAM, program)
        program.chmod(0o755)
        self.assertEqual(len(run(program, NOBODY, layers="trace")[1].splitlines()), len(TRACED), "the environment is read")
        program.chmod(0o4755)
        self.file.write_text("of root")
        self.file.chmod(0o600)
        variables = {"trace": f"json:{self.file}", "faults": "cuMemAlloc=2", "faults_log": str(folder / "log")}
        self.assertEqual(run(program, NOBODY, layers="trace,faults", **variables), (RIGHT, ""))
        self.assertEqual(self.file.read_text(), "of root")
        self.assertEqual(sorted(each.name for each in folder.iterdir()), ["program", self.file.name])

    def test_program_without_layers(self):
        out, err = run(WITHOUT_LAYERS, layers="trace,leaks")
        self.assertEqual(out, RIGHT)
        self.assertRegex(err, r"\Acubind: CUBIND_LAYERS=trace,leaks .*no effect.*cubind::layers.*cubind-layers.*\n\Z")
        for variables in ({}, {"layers": ""}, {"trace": "text"}):
            self.assertEqual(run(WITHOUT_LAYERS, **variables), (RIGHT, ""))

    def test_invalid_values(self):
        form = "FUNCTION[#CALL]=STATUS"
        for variables, expected in (
            ({"layers": "trace,nonsense"}, r'CUBIND_LAYERS: "nonsense" .*trace, validate, faults, leaks or nvtx.*'),
            ({"layers": "leaks, trace"}, r'CUBIND_LAYERS: " trace" .*'),
            ({"layers": "leaks,trace", "trace": "xml"}, r'CUBIND_TRACE: "xml" .*text, json or chrome.*:FILE'),
            ({"layers": "trace,leaks", "trace": "json:/no/such/folder/file"}, r'trace: .*/no/such/folder/file.*: .*; give a .*'),
            ({"layers": "validate,trace,leaks", "validate": "maybe"}, r'CUBIND_VALIDATE: "maybe" .*warn or fail'),
            ({"layers": "faults,trace,leaks", "faults": "cuMemAlloc"}, r'CUBIND_FAULTS: "cuMemAlloc" .*' + re.escape(form)),
            ({"layers": "faults", "faults": "cuMemAllloc=2"}, r'CUBIND_FAULTS: "cuMemAllloc=2" .*a function of a library .*'),
            ({"layers": "faults", "faults": "nvrtcGetErrorString=2"}, r'.*nvrtcGetErrorString.*returns no status.*'),
            ({"layers": "faults,trace", "faults": "cuMemAlloc=OUT_OF_MEMORY"},
             r'CUBIND_FAULTS: "cuMemAlloc=OUT_OF_MEMORY" .*CUresult.*='),
            ({"layers": "faults", "faults": "cuMemAlloc="}, r'CUBIND_FAULTS: "cuMemAlloc=" .*'),
            *(({"layers": "faults,trace", "faults": f"cuMemAlloc={number}"}, rf'CUBIND_FAULTS: "cuMemAlloc={number}" .*CUresult.*=')
              for number in (1 << 31, 1 << 32, (1 << 32) + 2, -(1 << 31) - 1, 1 << 64)),
            *(({"layers": "faults,trace", "faults": f"cuMemAlloc={success}"}, r'faults: .*\b0\b.*success.*')
              for success in ("0", "CUDA_SUCCESS")),
            *(({"layers": "faults", "faults": f"cuMemAlloc#{call}=2"}, r'CUBIND_FAULTS: "cuMemAlloc#.*=2" .*\b1, or \*, .*#')
              for call in ("0", "-1", "x", "", "1x", " 1", 1 << 64)),
        ):
            out, err = run(**variables)
            self.assertRegex(err, rf"\Acubind: {expected}\n\Z", variables)
            self.assertEqual(out, RIGHT, "no layer is started")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
