# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Causes each mismatch once by the environment and checks its text. usage: mismatches_test.py PROGRAM STAND_INS"""
import shutil

import program


class MismatchTest(program.InfoTest):
    def expect(self, identifier, *parts, environment=None, **changes):
        """Checks that this is the only mismatch, that its text contains the parts, and that the text form prints it."""
        environment = program.everything(**changes) if environment is None else environment
        mismatches = self.facts(environment)["mismatches"]
        self.assertEqual([each["id"] for each in mismatches], [identifier], mismatches)
        for part in parts:
            self.assertIn(part, mismatches[0]["text"])
        self.assertIn(f"Problems - {self.one_line(mismatches[0]['text'])}", self.one_line(self.text(environment, status=1)))

    def test_reports_ptx_that_is_newer_than_the_driver_accepts(self):
        self.expect("ptx_too_new", "NVRTC of CUDA 13.4", "PTX ISA 9.4", "CUDA 13.2", "9.2", "sm_90",
                    STAND_IN_DRIVER="13020")

    def test_reports_a_runtime_of_a_newer_major_than_the_driver(self):
        self.expect("runtime_too_new", "CUDA 13.4", "CUDA 12.4", STAND_IN_DRIVER="12040", STAND_IN_PTX="8040")

    def test_reports_a_driver_that_is_too_old(self):
        mismatches = self.facts(program.everything(STAND_IN_DRIVER="11080"))["mismatches"]
        self.assertEqual([each["id"] for each in mismatches], ["driver_too_old", "runtime_too_new"])
        self.assertRegex(mismatches[0]["text"], r"CUDA 11\.8.*CUDA 12\.0")

    def test_reports_an_nvjitlink_that_is_older_than_nvrtc(self):
        self.expect("nvjitlink_older_than_nvrtc", "of CUDA 13.3", "of CUDA 13.4", STAND_IN_NVJITLINK="13030")

    def test_reports_an_nvjitlink_without_version(self):
        self.expect("nvjitlink_older_than_nvrtc", "older than CUDA 12.3", "of CUDA 13.4",
                    CUBIND_NVJITLINK_LIBRARY=program.stand_in("nvjitlink_12_0"))

    def test_reports_an_nvjitlink_of_another_major(self):
        self.expect("nvjitlink_of_another_major", "of CUDA 12.9", "of CUDA 13.4", STAND_IN_NVJITLINK="12090")

    def test_reports_a_device_that_is_too_old_for_nvrtc(self):
        self.expect("gpu_too_old_for_nvrtc", "Stand-in 0", "7.0", "7.5", STAND_IN_ARCHITECTURE="70")

    def test_reports_a_device_that_is_too_new_for_nvrtc(self):
        self.expect("gpu_too_new_for_nvrtc", "Stand-in 0", "12.1", "compute_120", STAND_IN_ARCHITECTURE="121")

    def test_reports_an_nvrtc_that_fails_to_compile(self):
        self.expect("nvrtc_compiles_nothing", "NVRTC_ERROR_COMPILATION (6): first line second line", STAND_IN_COMPILE="6")

    def test_reports_a_driver_that_does_not_initialize(self):
        self.expect("driver_unusable", "CUDA_ERROR_UNKNOWN", program.stand_in("driver"), STAND_IN_INIT="999")

    def test_reports_missing_devices(self):
        self.expect("no_device", "CUDA_VISIBLE_DEVICES", STAND_IN_DEVICES="0")

    def test_reports_an_override_that_does_not_exist(self):
        for name in program.LIBRARIES:
            variable = f"CUBIND_{name.upper()}_LIBRARY"
            self.expect("override_unusable", variable, "(/no/such/file: no such file)",
                        **{variable: "/no/such/file"})

    def test_reports_an_override_that_is_not_an_absolute_path(self):
        self.expect("override_unusable", "nvrtc.so is not an absolute path", CUBIND_NVRTC_LIBRARY="nvrtc.so")

    def test_reports_an_override_of_another_major(self):
        self.expect("override_unusable", "runtime_12.so: is major 12, but major 13 is needed",
                    CUBIND_RUNTIME_LIBRARY=program.stand_in("runtime_12"))

    def test_reports_a_toolkit_folder_without_libraries(self):
        for variable in ("CUDA_PATH", "CUDA_HOME"):
            self.expect("toolkit_folder_without_libraries", f"{variable} is {self.folder}, which has no CUDA library in lib64",
                        **{variable: str(self.folder)})
            self.expect("toolkit_folder_without_libraries", "/no/such/folder, which is not a folder",
                        **{variable: "/no/such/folder"})
            self.expect("toolkit_folder_without_libraries", "cuda, which is a relative path", **{variable: "cuda"})

    def test_reports_a_stub_of_the_driver(self):
        self.expect("driver_is_stub", "is a stub of the driver (CUDA_ERROR_STUB_LIBRARY)", "install the NVIDIA driver", STAND_IN_INIT="34")
        stub = self.folder / "lib64/stubs/libcuda.so.1"
        stub.parent.mkdir(parents=True)
        shutil.copy(program.stand_in("driver"), stub)
        self.expect("driver_is_stub", f"Only a stub of the driver was found ({stub}: is a stub: ", "install the NVIDIA driver",
                    CUBIND_DRIVER_LIBRARY=None, LD_LIBRARY_PATH=str(stub.parent))
        self.expect("override_unusable", f"{stub}: is a stub: ", CUBIND_DRIVER_LIBRARY=str(stub))

    def test_reports_libraries_of_another_toolkit_than_that_of_the_variable(self):
        for folder in ("other/lib64", "toolkit/lib64"):
            (self.folder / folder).mkdir(parents=True)
            shutil.copy(program.stand_in("nvrtc"), self.folder / folder / "libnvrtc.so.13")
        changes = {"CUBIND_NVRTC_LIBRARY": None, "LD_LIBRARY_PATH": str(self.folder / "other/lib64")}
        for variable in ("CUDA_PATH", "CUDA_HOME"):
            self.expect("other_toolkit_used", f"{variable} is {self.folder}/toolkit, ", f"nvrtc ({self.folder}/other/lib64/libnvrtc.so.13)",
                        f"unset {variable}", **changes, **{variable: str(self.folder / "toolkit")})
        (self.folder / "link").symlink_to("other")
        for accepted in ("other", "link"):
            self.assertEqual(self.facts(program.everything(**changes, CUDA_HOME=str(self.folder / accepted)))["mismatches"], [])
        (self.folder / "toolkit/lib64/libnvrtc.so.13").rename(self.folder / "toolkit/lib64/libcufile.so.0")
        self.assertEqual(self.facts(program.everything(**changes, CUDA_HOME=str(self.folder / "toolkit")))["mismatches"], [])

    def test_accepts_a_toolkit_folder_with_any_library(self):
        for folder, name in (("lib64", "libnvrtc.so.12"), ("lib", "libcudart.so.12")):
            (self.folder / folder).mkdir()
            (self.folder / folder / name).touch()
            self.assertEqual(self.facts(program.everything(CUDA_PATH=str(self.folder)))["mismatches"], [])
            shutil.rmtree(self.folder / folder)


if __name__ == "__main__":
    program.main()
