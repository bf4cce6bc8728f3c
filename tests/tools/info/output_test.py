# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the output of cubind-info in both forms and its exit status. usage: output_test.py PROGRAM STAND_INS"""
import os
import re
import shutil
import subprocess
import unittest

import program

KEYS = {
    "": ["schema", "cubind", "bound_release", "libraries", "driver", "compiler", "environment", "mismatches"],
    "library": ["found", "path", "real_path", "found_via", "version", "search_notes", "why_missing", "bound_functions", "lacking_functions"],
    "driver": ["driver_version", "usable", "status", "status_code", "status_description", "ptx_isa", "ptx_isa_is_exact",
               "devices"],
    "compiler": ["ptx_isa", "problem", "headers", "headers_path", "architectures"],
    "environment": ["CUDA_PATH", "CUDA_HOME", *(f"CUBIND_{name.upper()}_LIBRARY" for name in program.GENERATED)],
}
NOTHING = {f"CUBIND_{name.upper()}_LIBRARY": "/no/such/library" for name in program.LIBRARIES}


class JsonTest(program.InfoTest):
    def test_has_the_documented_keys(self):
        for environment in (program.everything(), NOTHING):
            facts = self.facts(environment)
            self.assertEqual(list(facts), KEYS[""])
            self.assertEqual(facts["schema"], 1)
            for name in ("driver", "compiler", "environment"):
                self.assertEqual(list(facts[name]), KEYS[name])
            self.assertEqual(list(facts["libraries"]), program.GENERATED)
            for library in facts["libraries"].values():
                self.assertEqual(list(library), KEYS["library"])

    def test_describes_a_library_that_was_found(self):
        library = self.facts(program.everything(), 0)["libraries"]["nvrtc"]
        self.assertEqual(library["path"], program.stand_in("nvrtc"))
        self.assertEqual(library["found_via"], "environment variable")
        self.assertEqual(library["version"], "13.4")
        self.assertIsNone(library["why_missing"])
        lacking = {each["symbol"]: each for each in library["lacking_functions"]}
        self.assertIn("nvrtcGetCUBIN", lacking)
        self.assertRegex(lacking["nvrtcGetCUBIN"]["since"], r"^\d+\.\d+$")
        self.assertNotIn("nvrtcVersion", lacking)
        self.assertEqual(len(lacking), library["bound_functions"] - 10)

    def test_describes_a_missing_library(self):
        library = self.facts(NOTHING, 1)["libraries"]["driver"]
        self.assertIs(library["found"], False)
        self.assertIn("/no/such/library: no such file", library["why_missing"])
        for key in ("path", "real_path", "found_via", "version", "lacking_functions"):
            self.assertIsNone(library[key], key)
        self.assertGreater(library["bound_functions"], 600)

    def test_describes_the_driver_and_its_devices(self):
        driver = self.facts(program.everything(STAND_IN_DEVICES="2", STAND_IN_ARCHITECTURE="120"))["driver"]
        self.assertEqual(driver["devices"], [{"ordinal": 0, "name": "Stand-in 0", "architecture": 120},
                                             {"ordinal": 1, "name": "Stand-in 1", "architecture": 120}])
        self.assertEqual((driver["usable"], driver["status"], driver["status_code"]), (True, "CUDA_SUCCESS", 0))
        self.assertEqual((driver["ptx_isa"], driver["ptx_isa_is_exact"], driver["driver_version"]), ("9.4", True, None))

    def test_notes_a_file_that_the_search_passed_over(self):
        refused = self.folder / "venv/lib/python3.11/site-packages/nvidia/cu13/lib/libnvrtc.so.13"
        used = self.folder / "conda/lib/libnvrtc.so.13"
        for file in (refused, used):
            file.parent.mkdir(parents=True)
            shutil.copy(program.stand_in("nvrtc"), file)
        refused.chmod(0o666)
        environment = program.everything(CUBIND_NVRTC_LIBRARY=None, VIRTUAL_ENV=str(self.folder / "venv"),
                                         CONDA_PREFIX=str(self.folder / "conda"))
        library = self.facts(environment)["libraries"]["nvrtc"]
        self.assertEqual((library["path"], library["found_via"]), (str(used), "conda"))
        self.assertEqual(len(library["search_notes"]), 1, library["search_notes"])
        self.assertIn(f"{refused}: {refused} can be written by others (mode 0666)", library["search_notes"][0])
        self.assertIn(f"note {refused}: {refused} can be", self.one_line(self.text(environment)))

    def test_reads_the_driver_version_from_the_name_of_the_real_file(self):
        shutil.copy(program.stand_in("driver"), self.folder / "libcuda.so.580.159.04")
        (self.folder / "libcuda.so.1").symlink_to("libcuda.so.580.159.04")
        facts = self.facts(program.everything(CUBIND_DRIVER_LIBRARY=str(self.folder / "libcuda.so.1")), 0)
        self.assertEqual(facts["driver"]["driver_version"], "580.159.04")
        self.assertEqual(facts["libraries"]["driver"]["path"], str(self.folder / "libcuda.so.1"))
        self.assertTrue(facts["libraries"]["driver"]["real_path"].endswith("/libcuda.so.580.159.04"))

    def test_measures_the_ptx_isa_of_the_compiler(self):
        compiler = self.facts(program.everything(STAND_IN_PTX="7080"))["compiler"]
        self.assertEqual((compiler["ptx_isa"], compiler["problem"]), ("7.8", None))
        self.assertEqual(compiler["architectures"], [75, 90, 120])

    def test_writes_json_for_bytes_that_are_not_utf8(self):
        environment = {os.fsencode(name): os.fsencode(value) for name, value in program.everything().items()}
        facts = self.facts(environment | {b"CUDA_PATH": b"/opt/\xff\"\\\n"})
        self.assertEqual(facts["environment"]["CUDA_PATH"], '/opt/\ufffd"\\\n')


class TextTest(program.InfoTest):
    def test_prints_compatible_libraries(self):
        text = self.text(program.everything())
        self.assertRegex(self.one_line(text), r"file +/\S*driver\.so, found via environment variable")
        for part in (r"^  release +CUDA 13\.4$",
                     r"^  accepts PTX +9\.4 and older$", r"^    0 +Stand-in 0, compute capability 9\.0$", r"^  emits PTX +9\.4$",
                     r"^  compiles for +7\.5, 9\.0, 12\.0$", r"^No problems were found\.$"):
            self.assertRegex(text, re.compile(part, re.M))

    def test_truncates_lacking_functions_without_all(self):
        text, everything = (self.text(program.everything(), *options) for options in ((), ("--all",)))
        self.assertRegex(text, re.compile(r"^    since \d+\.\d+ ", re.M))
        self.assertRegex(self.one_line(text), r"and \d+ more")
        self.assertNotIn(" more", everything)
        self.assertIn("cuMemcpyHtoD_v2,", everything)
        rows = len(re.findall(r"^    since ", text, re.M))
        names_before_commas = re.findall(r"\b(?:cu|cuda|nvrtc|nvJitLink)[A-Z]\w+,", text)
        self.assertLessEqual(len(names_before_commas), 5 * rows)

    def test_explains_a_missing_library_in_one_line_or_in_full(self):
        self.assertIn("No CUDA nvrtc found", self.one_line(self.text(NOTHING, status=1)))
        self.assertNotIn("Tried, in this order", self.text(NOTHING, status=1))
        everything = self.text(NOTHING, "--all", status=1)
        self.assertIn("Tried, in this order:", everything)
        self.assertIn("environment variable: /no/such/library: no such file", everything)

    def test_prints_the_status_of_an_unusable_driver(self):
        text = self.one_line(self.text(program.everything(STAND_IN_INIT="100"), status=1))
        self.assertIn("devices none: CUDA_ERROR_NO_DEVICE (100): ", text)
        self.assertIn("(12345): ", self.one_line(self.text(program.everything(STAND_IN_INIT="12345"), status=1)))


class CommandLineTest(program.InfoTest):
    def test_prints_help_and_version(self):
        self.assertIn("usage: cubind-info", self.text({}, "--help"))
        self.assertRegex(self.text({}, "--version"), r"^cubind-info \d+\.\d+\.\d+, bindings of CUDA \d+\.\d+\n$")

    def test_finds_an_artifact_and_loads_nothing(self):
        environment = program.everything(CONDA_PREFIX=str(self.folder))
        self.assertIn(f"{program.stand_in('nvrtc')}, found via environment variable",
                      self.text(environment, "--find", "nvrtc"))
        program_file = self.folder / "bin/nvdisasm"
        program_file.parent.mkdir()
        program_file.write_text("")
        program_file.chmod(0o755)
        text = self.text(environment | {"PATH": ""}, "--find=nvdisasm")
        self.assertIn(f"nvdisasm (program)\n  {program_file}, found via conda", text)
        self.assertIn("Searched before:", text)
        self.assertIn("/no/such/library: no such file", self.text(NOTHING, "--find=nvJitLink", status=1))
        self.assertIn('no library "nonsense"; it has cudart,', self.text(environment, "--find=nonsense", status=1))

    def test_does_not_find_a_library_of_which_only_the_headers_are_usable(self):
        header = self.folder / "include/nvrtc.h"
        header.parent.mkdir()
        header.write_text("")
        environment = NOTHING | {"CONDA_PREFIX": str(self.folder), "CUBIND_NVRTC_LIBRARY": "/no/such/library"}
        text = self.text(environment, "--find=nvrtc", status=1)
        self.assertIn(f"nvrtc (headers)\n  {header.parent}, found via conda", text)

    @unittest.skipIf(os.geteuid() != 0, "only root can create a setuid program of another user")
    def test_ignores_the_environment_of_a_setuid_program(self):
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest("the temporary folder does not allow setuid programs")
        self.folder.chmod(0o755)
        tool = self.folder / "conda/bin/nvdisasm"
        copy = self.folder / "cubind-info"
        tool.parent.mkdir(parents=True)
        tool.write_text("")
        shutil.copy(program.PROGRAM, copy)
        environment = {"CONDA_PREFIX": str(self.folder / "conda"), "PATH": ""}
        for mode, is_found in ((0o755, True), (0o4755, False)):
            tool.chmod(0o755)
            os.chown(copy, 12345, 12345)
            copy.chmod(mode)
            text = subprocess.run([copy, "--find=nvdisasm"], env=environment, capture_output=True, check=False).stdout.decode()
            self.assertEqual(str(tool) in text, is_found, text)
            self.assertEqual("$CONDA_PREFIX: not set" in text, not is_found, text)

    def test_rejects_a_wrong_command_line(self):
        for wrong, part in (("--nope", "--nope"), ("-x", "-x"), ("--json=3", "--json=3"), ("--find", "--find needs a name"),
                            ("--find=", "--find needs a name"), ("stray", '"stray"')):
            result = program.run({}, wrong)
            self.assertEqual((result.returncode, result.stdout), (2, b""), wrong)
            self.assertIn(part, result.stderr.decode())
            self.assertIn("--help", result.stderr.decode())

    def test_runs_in_an_empty_environment(self):
        self.facts({})

    @unittest.skipUnless(os.path.exists("/dev/full"), "this machine has no /dev/full")
    def test_fails_if_the_output_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            status = subprocess.run([program.PROGRAM], env=NOTHING, stdout=full, check=False).returncode
        self.assertEqual(status, 2)


if __name__ == "__main__":
    program.main()
