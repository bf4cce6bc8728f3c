# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that cubind-prof has the records of a program however it ends; prof.py describes the arguments."""
import resource
import signal
import subprocess

from prof import PROF, PYTHON, SIM, ProfTest, environment, main

MISSING = "records of its last 50 ms may be missing"


class EndsTest(ProfTest):
    def test_a_program_that_ends_as_it_wants_has_all_records(self):
        for actions, status in ((["work"], 0), (["work", "exit7"], 7)):
            result = self.profile(*actions)
            self.assertEqual((result.status, result.kernels()[-1]), (status, 10))
            self.assertNotIn(MISSING, result.errors)

    def test_a_program_that_a_signal_ends_has_all_records(self):
        for index, (end, number) in enumerate((("term", signal.SIGTERM), ("crash", signal.SIGSEGV), ("abort", signal.SIGABRT))):
            result = self.profile("work", end)
            self.assertEqual(result.status, 128 + number, result.errors)
            self.assertEqual(result.kernels(), (index + 1) * [10])
            self.assertNotIn(MISSING, result.errors)

    def test_a_program_that_is_killed_loses_its_last_records_only(self):
        for index, (end, status) in enumerate((("kill", 137), ("_exit", 8))):
            result = self.profile("work", "sleep", end)
            self.assertEqual((result.status, result.kernels()), (status, (index + 1) * [10]), result.errors)
            self.assertIn(MISSING, result.errors)

    def test_a_signal_in_a_child_of_fork_does_not_wait(self):
        result = self.profile("fork_and_term")
        self.assertEqual((result.status, result.kernels()), (0, [1]), result.errors)

    def test_a_signal_to_the_command_ends_the_program(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([SIM, PROF, "-f", "csv", "-p", f"{number}-", *PYTHON, "wait"], env=environment(), cwd=self.folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                process.send_signal(number)
                process.communicate(timeout=60)
            self.assertIn(process.returncode, (128 + number, 1))  # Python's own handler of SIGINT ends with a KeyboardInterrupt
            self.assertEqual(len(list(self.folder.glob(f"{number}-*.csv"))), 1)

    def test_a_disk_that_is_full_is_reported_and_changes_no_program(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        result = self.prof("-f", "table,json", *PYTHON, "much", "exit7", preexec_fn=limit)
        self.assertEqual(result.status, 7, result.errors)
        self.assertRegex(result.errors, r"python.* \(process \d+\): \d+ records could not be written: File too large")

    def test_outputs_that_cannot_be_written_can_be_written_later(self):
        result = self.prof("-f", "json", "-p", 250 * "x", *PYTHON, "work")  # a name that is too long
        self.assertEqual(result.status, 125, result.errors)
        (spool,) = self.folder.glob(".cubind-prof-*")
        self.assertIn(f"--recover {spool}", result.errors)
        recovered = self.prof("-f", "csv", "--recover", spool)
        self.assertEqual((recovered.status, recovered.kernels()), (0, [10]), recovered.errors)

        # Files of which the end was not written, of which a part is damaged, and which are none.
        (file,) = spool.iterdir()
        whole = file.read_bytes()
        for content, status in ((whole[:-10], 0), (whole[:400] + b"x" + whole[401:], 0), (whole[:256], 0), (whole[:100], 125), (b"x" * 999, 125)):
            file.write_bytes(content)
            damaged = self.prof("-f", "csv", "-p", "damaged-", "--recover", spool)
            self.assertEqual(damaged.status, status, damaged.errors)
        self.assertIn(f"{file} is no file of records", damaged.errors)


if __name__ == "__main__":
    main()
