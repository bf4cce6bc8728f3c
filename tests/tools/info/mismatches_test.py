# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Each mismatch provoked once, from the environment to the sentence. usage: mismatches_test.py PROGRAM STAND_INS"""
import shutil

import program


class MismatchTest(program.InfoTest):
    def expect(self, identifier, *parts, environment=None, **changes):
        """The facts have this mismatch and no other, with these parts in its sentence, and the text form says the same."""
        environment = program.everything(**changes) if environment is None else environment
        mismatches = self.facts(environment)["mismatches"]
        self.assertEqual([each["id"] for each in mismatches], [identifier], mismatches)
        for part in parts:
            self.assertIn(part, mismatches[0]["text"])
        self.assertIn(f"What will bite - {self.one_line(mismatches[0]['text'])}", self.one_line(self.text(environment, status=1)))

    def test_ptx_is_newer_than_the_driver_accepts(self):
        self.expect("ptx_too_new", "NVRTC of CUDA 13.4 emits PTX ISA 9.4", "of CUDA 13.2, accepts 9.2 at most", "sm_90",
                    STAND_IN_DRIVER="13020")

    def test_the_runtime_is_of_a_newer_major_than_the_driver(self):
        self.expect("runtime_too_new", "of CUDA 13.4, but the driver of CUDA 12.4", STAND_IN_DRIVER="12040", STAND_IN_PTX="8040")

    def test_the_driver_is_too_old(self):
        mismatches = self.facts(program.everything(STAND_IN_DRIVER="11080"))["mismatches"]
        self.assertEqual([each["id"] for each in mismatches], ["driver_too_old", "runtime_too_new"])
        self.assertIn("of CUDA 11.8, and cubind is made for CUDA 12.0", mismatches[0]["text"])

    def test_nvjitlink_is_older_than_nvrtc(self):
        self.expect("nvjitlink_older_than_nvrtc", "of CUDA 13.3", "of CUDA 13.4", STAND_IN_NVJITLINK="13030")

    def test_nvjitlink_tells_no_version(self):
        self.expect("nvjitlink_older_than_nvrtc", "older than CUDA 12.3", "of CUDA 13.4",
                    CUBIND_NVJITLINK_LIBRARY=program.stand_in("nvjitlink_12_0"))

    def test_nvjitlink_is_of_another_major(self):
        self.expect("nvjitlink_of_another_major", "of CUDA 12.9", "of CUDA 13.4", STAND_IN_NVJITLINK="12090")

    def test_nvrtc_no_longer_compiles_for_the_device(self):
        self.expect("gpu_too_old_for_nvrtc", "Stand-in 0", "7.0", "7.5", STAND_IN_ARCHITECTURE="70")

    def test_nvrtc_does_not_yet_compile_for_the_device(self):
        self.expect("gpu_too_new_for_nvrtc", "Stand-in 0", "12.1", "compute_120", STAND_IN_ARCHITECTURE="121")

    def test_nvrtc_compiles_nothing(self):
        self.expect("nvrtc_compiles_nothing", "NVRTC_ERROR_COMPILATION (6): first line second line", STAND_IN_COMPILE="6")

    def test_the_driver_does_not_start(self):
        self.expect("driver_unusable", "CUDA_ERROR_UNKNOWN", program.stand_in("driver"), STAND_IN_INIT="999")

    def test_there_is_no_device(self):
        self.expect("no_device", "CUDA_VISIBLE_DEVICES", STAND_IN_DEVICES="0")

    def test_an_override_points_to_nothing(self):
        for name in program.LIBRARIES:
            variable = f"CUBIND_{name.upper()}_LIBRARY"
            self.expect("override_unusable", f"{variable} names no library that can be used (/no/such/file: no such file)",
                        **{variable: "/no/such/file"})

    def test_an_override_is_no_absolute_path(self):
        self.expect("override_unusable", "nvrtc.so is not an absolute path", CUBIND_NVRTC_LIBRARY="nvrtc.so")

    def test_an_override_is_a_runtime_of_another_major(self):
        self.expect("override_unusable", "runtime_12.so: is major 12, but major 13 is needed",
                    CUBIND_RUNTIME_LIBRARY=program.stand_in("runtime_12"))

    def test_a_toolkit_folder_has_no_libraries(self):
        for variable in ("CUDA_PATH", "CUDA_HOME"):
            self.expect("toolkit_folder_without_libraries", f"{variable} is {self.folder}, which has no CUDA library in lib64",
                        **{variable: str(self.folder)})
            self.expect("toolkit_folder_without_libraries", "/no/such/folder, which is no folder", **{variable: "/no/such/folder"})
            self.expect("toolkit_folder_without_libraries", "cuda, which is a relative path", **{variable: "cuda"})

    def test_a_toolkit_folder_with_any_library_is_fine(self):
        for folder, name in (("lib64", "libnvrtc.so.12"), ("lib", "libcudart.so.12")):
            (self.folder / folder).mkdir()
            (self.folder / folder / name).touch()
            self.assertEqual(self.facts(program.everything(CUDA_PATH=str(self.folder)))["mismatches"], [])
            shutil.rmtree(self.folder / folder)


if __name__ == "__main__":
    program.main()
