# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that cubind-prof follows the processes of a program; prof.py describes the arguments."""
import os
import shutil
import subprocess
import sys

from prof import PROF, PYTHON, SIM, STATIC, ProfTest, environment, main


class ProcessesTest(ProfTest):
    def test_each_process_that_uses_cuda_has_its_records(self):
        result = self.profile("fork")
        self.assertEqual((result.status, result.kernels()), (0, [3, 4]), result.errors)

    def test_a_program_that_replaces_itself_has_the_records_of_both(self):
        result = self.profile("exec")
        self.assertEqual((result.status, result.kernels()), (0, [2, 10]), result.errors)
        second, first = result.names()
        self.assertEqual(second.removesuffix("-1.csv"), first.removesuffix(".csv"))

    def test_processes_that_are_left_behind_are_waited_for(self):
        result = self.profile("daemon")
        self.assertEqual((result.status, result.kernels()), (0, [6]), result.errors)

    def test_other_processes_are_left_alone_on_request(self):
        result = self.prof("--no-follow", "-f", "csv", *PYTHON, "fork", "work")
        self.assertEqual((result.status, result.kernels()), (0, [10]), result.errors)

    def test_a_program_may_close_all_files_and_leave_its_folder(self):
        result = self.profile("work", "close", "open", "folder", "work")
        self.assertEqual((result.status, result.kernels()), (0, [20]), result.errors)

    def test_a_shell_and_what_it_starts_are_recorded(self):
        result = self.prof("-f", "csv", "sh", "-c", '"$@"; "$@"; exit 3', "sh", *PYTHON, "work")
        self.assertEqual((result.status, result.kernels()), (3, [10, 10]), result.errors)

    def test_programs_without_cuda_have_no_records(self):
        for program, status in ((["true"], 0), (["false"], 1), ([STATIC], 5), ([*PYTHON, "nothing"], 0)):
            result = self.prof("-f", "csv", *program)
            self.assertEqual((result.status, result.names()), (status, []), result.errors)
            self.assertIn("no process used CUDA", result.errors)

    def test_why_nothing_was_recorded_is_a_note(self):
        result = self.prof(*PYTHON, "work", variables={"CUBIND_STAND_IN_CUPTI": "fail=1,status=39"})
        self.assertEqual(result.status, 0)
        self.assertIn("Nothing was recorded", result.errors)
        self.assertIn("CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", result.errors)
        quiet = self.prof("-q", *PYTHON, "work", variables={"CUBIND_STAND_IN_CUPTI": "fail=1,status=39"})
        self.assertIn("Nothing was recorded", quiet.errors)
        missing = self.prof(*PYTHON, "work", variables={"CUBIND_CUPTI_LIBRARY": "/no/such/library.so"})
        self.assertEqual(missing.status, 0)
        self.assertIn("Nothing was recorded", missing.errors)
        self.assertIn("/no/such/library.so", missing.errors)

    def test_failures_of_cupti_change_no_program(self):
        for first in (2, 12, 40):
            result = self.prof(*PYTHON, "work", "sleep", "exit7", variables={"CUBIND_STAND_IN_CUPTI": f"fail_from={first}"})
            self.assertEqual(result.status, 7, result.errors)
            self.assertIn("CUPTI_ERROR_UNKNOWN", result.errors)

    def test_a_program_may_subscribe_to_callbacks(self):
        result = self.profile("subscribe", "work")
        self.assertEqual((result.status, result.kernels()), (0, [10]), result.errors)

    def test_records_that_cupti_drops_are_counted(self):
        result = self.prof(*PYTHON, "work", variables={"CUBIND_STAND_IN_CUPTI": "drop=3"})
        self.assertEqual(result.status, 0)
        self.assertRegex(result.errors, r"\b3\b.*(dropped|missing)|(dropped|missing).*\b3\b")

    def test_privileged_programs_are_refused(self):
        program = self.folder / "program"
        shutil.copy("/bin/true", program)
        for mode, word in ((0o4755, "setuid"), (0o2755, "setgid")):
            os.chmod(program, mode)
            result = self.prof(program)
            self.assertEqual(result.status, 126)
            self.assertIn(f"{program} is a {word} program", result.errors)
        os.chmod(program, 0o755)
        try:
            os.setxattr(program, "security.capability", bytes.fromhex("0100000200200000000000000000000000000000"))
        except OSError:
            return  # not root, or a file system without them
        self.assertIn("file capabilities", self.prof(program).errors)

    def test_programs_that_cannot_be_started(self):
        file = self.folder / "file"
        file.write_text("no program", encoding="utf-8")
        for program, status, word in (("/no/such/program", 127, "No such file"), ("no-such-program", 127, "no folder of PATH"),
                                      (file, 126, "not executable"), (self.folder, 126, "folder")):
            result = self.prof(program)
            self.assertEqual(result.status, status, result.errors)
            self.assertIn(word, result.errors)
            self.assertIn(f"cannot start {program}", result.errors)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_another_profiler_is_named(self):
        result = self.prof("true", variables={"CUDA_INJECTION64_PATH": "/opt/other.so"})
        self.assertEqual(result.status, 2)
        self.assertIn("CUDA_INJECTION64_PATH is set to /opt/other.so", result.errors)

    def test_ranges_go_to_cupti_unless_the_program_has_another_tool(self):
        show = (sys.executable, "-c", "import os; print(os.environ.get('NVTX_INJECTION64_PATH'))")
        self.assertRegex(self.prof(*show).out, r"/libcubind_prof\.so\n$")
        self.assertEqual(self.prof(*show, variables={"NVTX_INJECTION64_PATH": "/opt/other.so"}).out, "/opt/other.so\n")
        self.assertEqual(self.prof("-a", "kernels", *show).out, "None\n")

    def test_the_command_starts_the_launcher_of_the_simulation(self):
        result = subprocess.run([PROF, "-f", "csv", SIM, *PYTHON, "work"], env=environment(), cwd=self.folder, capture_output=True,
                                text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(list(self.folder.glob("*.csv"))), 1)


if __name__ == "__main__":
    main()
