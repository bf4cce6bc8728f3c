# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the options and the outputs of cubind-prof; prof.py describes the arguments."""
import json
import os
import pathlib
import pty
import subprocess
import sys

from prof import PROF, PYTHON, RANGES, SIM, ProfTest, environment, main


class OptionsTest(ProfTest):
    def test_the_table_says_where_the_time_went(self):
        result = self.prof(*PYTHON, "fork")
        self.assertEqual((result.status, result.out, result.names()), (0, "", []))
        self.assertRegex(result.errors, r"(?m)^100\.0 % .* 7 .*scale\(float\*, int\)$")  # of both processes
        self.assertRegex(result.errors, r"(?m)^fills: 2 ")

    def test_files_have_the_name_and_the_number_of_the_process(self):
        result = self.prof("-f", "csv,json,trace", "-o", "results", "-p", "first-", *PYTHON, "work")
        self.assertEqual(result.status, 0, result.errors)
        names = sorted(path.name for path in (self.folder / "results").iterdir())
        stem = names[0].removesuffix(".csv")
        self.assertRegex(stem, r"^first-python[\d.]*-\d+$")
        self.assertEqual(names, [f"{stem}.csv", f"{stem}.json", f"{stem}.trace.json"])
        self.assertNotIn("scale", result.errors)
        for name in names:
            self.assertIn(f"wrote results/{name}\n", result.errors)
        records = json.loads((self.folder / "results" / names[1]).read_text(encoding="utf-8"))
        self.assertEqual(len(records["kernels"]), 10)
        trace = json.loads((self.folder / "results" / names[2]).read_text(encoding="utf-8"))
        events = trace["traceEvents"] if isinstance(trace, dict) else trace
        self.assertEqual(sum(event.get("name") == "scale(float*, int)" for event in events), 10)

    def test_ranges_are_recorded_also_before_the_driver_is_initialized(self):
        result = self.prof(RANGES)
        self.assertEqual(result.status, 0, result.errors)
        self.assertRegex(result.errors, r"(?m)^fills: 3 ")
        self.assertRegex(result.errors, r"(?m)^ranges: \d ")
        self.assertRegex(result.errors, r"(?m) 3 .* inner$")

    def test_activities_are_chosen(self):
        result = self.prof("-f", "json", "-a", "fills,waits", *PYTHON, "work")
        (file,) = self.folder.glob("*.json")
        records = json.loads(file.read_text(encoding="utf-8"))
        counts = {key: len(value) for key, value in records.items() if isinstance(value, list) and value}
        self.assertEqual((result.status, {key: counts.get(key, 0) for key in ("kernels", "copies", "fills")}),
                         (0, {"kernels": 0, "copies": 0, "fills": 1}))
        self.assertEqual(counts["synchronizations"], 1)

    def test_calls_are_in_files_and_on_request_in_the_table(self):
        for arguments, is_shown in (([], False), (["-f", "table,json"], False), (["-a", "calls,kernels"], True)):
            result = self.prof(*arguments, *PYTHON, "work")
            self.assertEqual("cuLaunchKernel" in result.errors, is_shown, result.errors)
        (file,) = self.folder.glob("*.json")
        names = [call["name"] for call in json.loads(file.read_text(encoding="utf-8"))["calls"]]
        self.assertEqual(names.count("cuLaunchKernel"), 10)

    def test_a_limit_of_memory_drops_and_counts(self):
        result = self.prof("--memory", "8M", *PYTHON, "work")
        self.assertEqual(result.status, 0, result.errors)
        self.assertRegex(result.errors, r"(?m)^kernels: 10 ")

    def test_quiet_prints_nothing(self):
        result = self.prof("-q", "-f", "table,csv", *PYTHON, "work")
        self.assertEqual((result.status, result.errors, len(result.names())), (0, "", 1))

    def test_a_terminal_shows_the_progress(self):
        terminal, end = pty.openpty()
        done = subprocess.run([SIM, PROF, *PYTHON, "work", "sleep", "sleep", "sleep"], env=environment(), cwd=self.folder, stderr=end,
                              timeout=60, check=False)
        os.close(end)
        text = os.read(terminal, 65536).decode()
        os.close(terminal)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(text, r"cubind-prof: \d+ s, 10 kernels, \d+ records, 1 processes")

    def test_wrong_options_say_what_is_right(self):
        for arguments, words in (
                ([], ["no program"]), (["--nothing"], ["--nothing"]), (["-f", "xml", "true"], ["csv", "xml"]), (["-f", ""], ["(empty)"]),
                (["-a", "kernels,", "true"], ["(empty)"]), (["-a", "work", "true"], ["copies", "work"]), (["-o"], ["-o", "value"]),
                (["--memory", "1M", "true"], ["8M", "1M"]), (["--memory", "99999999999G", "true"], ["99999999999G"]),
                (["-p", "a/b", "true"], ["a/b"]), (["-o", "/dev/null/folder", "true"], ["/dev/null/folder"]),
                (["-o", "/proc", "-f", "csv", "true"], ["/proc"]), (["--recover", "/no/such"], ["/no/such"]),
                (["--recover", ".", "true"], ["true"]), (["--recover", "."], ["no records"])):
            result = self.prof(*arguments)
            self.assertEqual(result.status, 2, (arguments, result.errors))
            self.assertEqual(len(result.errors.splitlines()), 1)
            for word in ["cubind-prof: ", *words]:
                self.assertIn(word, result.errors)

    def test_options_after_the_program_belong_to_it(self):
        self.assertEqual(self.prof(sys.executable, "-c", "import sys; print(sys.argv[1:])", "--help", "-q").out, "['--help', '-q']\n")

    def test_the_library_exports_what_the_driver_and_nvtx_look_for(self):
        library = pathlib.Path(PROF).parent / "libcubind_prof.so"
        symbols = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
        self.assertEqual({line.split()[-1] for line in symbols.splitlines()}, {"InitializeInjection", "InitializeInjectionNvtx2"})

    def test_help_and_version(self):
        self.assertRegex(self.prof("--help").out, "^usage: cubind-prof ")
        self.assertRegex(self.prof("--version").out, r"^cubind-prof \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    main()
