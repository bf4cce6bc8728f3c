# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/library-packages with libraries that do not exist, and with the pins of every release.

usage: library_packages_test.py REPOSITORY
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv[1])

TOY = {
    "headers": ["toy.h", "box/toy_box.h"], "type_headers": ["toy_types.h"], "release": {"header": "toy.h", "macro": "TOY_VERSION"},
    "loading": {"file_names": ["libtoy.so.13", "libtoy.so.12"], "wheel_directories": ["nvidia/toy/lib", "nvidia/toy/extra/lib64"]},
    "packages": {"12.4": ["toy-cu12"], "12.8": ["toy-cu12", "toy-box-cu12"], "13": ["toy"],
                 "include_directories": ["nvidia/toy/extra/include"], "files": ["lib/libtoy-data.so.{release}"]},
}
PLAIN = {"headers": ["plain.h"], "loading": {"file_names": ["libplain.so.1"], "from_os_loader_only": True},
         "packages": {"12": ["toy-cu12"], "13": ["toy"]}}


class LibraryPackagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        shutil.copy(REPOSITORY / "scripts" / "library-packages", self.root / "scripts")
        self.write("toy", TOY)
        self.write("plain", PLAIN)

    def write(self, name, settings):
        folder = self.root / "api-specs" / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "library.json").write_text(json.dumps(settings), encoding="utf-8")

    def run_script(self, *arguments, text=""):
        return subprocess.run([sys.executable, "-B", self.root / "scripts" / "library-packages", *map(str, arguments)], input=text,
                              capture_output=True, text=True)

    def answer(self, *arguments, text=""):
        result = self.run_script(*arguments, text=text)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()

    def test_prints_each_package_of_the_release_once(self):
        self.assertEqual(self.answer("packages", "12.4"), ["toy-cu12"])
        self.assertEqual(self.answer("packages", "12.9"), ["toy-cu12", "toy-box-cu12"])
        self.assertEqual(self.answer("packages", "13.0"), ["toy"])

    def test_requires_a_younger_header_since_its_first_release(self):
        self.write("toy", TOY | {"headers_since": {"box/toy_box.h": "12.8", "toy_types.h": "13.0"}})
        self.assertEqual(self.answer("files", "12.4")[1:3], ["toy header toy.h", "toy library libtoy.so.13 libtoy.so.12"])
        self.assertIn("toy header box/toy_box.h", self.answer("files", "12.8"))
        self.assertNotIn("toy header toy_types.h", self.answer("files", "12.9"))
        self.assertIn("toy header toy_types.h", self.answer("files", "13.0"))

    def test_leaves_out_a_library_before_its_first_release(self):
        self.assertEqual(self.answer("missing", "12.3"), ["toy"])
        self.assertEqual(self.answer("missing", "12.4"), [])
        self.assertEqual(self.answer("missing", "14.0"), ["plain", "toy"])
        self.assertEqual(self.answer("files", "12.3"), ["plain header plain.h"])

    def test_leaves_out_a_library_that_is_not_pinned(self):
        pins = self.root / "12.9.txt"
        pins.write_text("# toy-box-cu12==1\ntoy-cu12==12.9.1 --hash=sha256:0\n", encoding="utf-8")
        self.assertEqual(self.answer("--pins", pins, "missing", "12.9"), ["toy"])
        pins.write_text("toy-cu12==12.9.1\ntoy-box-cu12==12.9.1\n", encoding="utf-8")
        self.assertEqual(self.answer("--pins", pins, "missing", "12.9"), [])

    def test_prints_packages_and_shared_libraries_of_the_selected_libraries_only(self):
        self.write("other", TOY | {"headers": ["other.h"], "type_headers": [], "packages": {"13": ["other"], "files": ["include/other.inc"]}})
        self.assertEqual(self.answer("--libraries", "other", "packages", "13.1"), ["other"])
        files = self.answer("--libraries", "other", "files", "13.1")
        self.assertIn("toy header toy.h", files)
        self.assertIn("other library libtoy.so.13 libtoy.so.12", files)
        self.assertEqual([line for line in files if line.startswith("toy ") and "header" not in line], [])
        self.assertEqual([line for line in self.answer("--libraries", "toy", "files", "13.1") if " file " in line],
                         ["other file include/other.inc", "toy file lib/libtoy-data.so.13.1"])

    def test_rejects_a_selected_library_that_the_release_does_not_have(self):
        result = self.run_script("--libraries", "toy", "packages", "12.0")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("toy", result.stderr)

    def test_prints_the_required_files(self):
        self.assertEqual(self.answer("files", "13.1"), [
            "plain header plain.h", "toy header toy.h", "toy header box/toy_box.h", "toy header toy_types.h",
            "toy library libtoy.so.13 libtoy.so.12", "toy file lib/libtoy-data.so.13.1"])

    def test_prints_folders_that_differ_from_those_of_most_wheels(self):
        self.assertEqual(self.answer("directories", "13.1"), ["include nvidia/toy/extra/include", "library nvidia/toy/extra/lib64"])

    def test_reads_the_versions_that_the_toolkit_requires(self):
        requirements = ("toy==13.10.0.20.*; (sys_platform == 'linux') and extra == 'all'\ntoy==13.10.0.20.*; extra == 'toy'\n"
                        "toy-link<14,>=13.4.92; extra == 'all'\nunversioned; python_version >= '3.8'\n")
        self.assertEqual(self.answer("versions", "13.4", text=requirements), ["toy 13.10.0.20", "toy-link 13.4.92"])

    def test_rejects_texts_that_are_options_or_leave_the_folder(self):
        for key, value in (("13", ["--option"]), ("13", "toy"), ("include_directories", ["../include"]),
                           ("include_directories", ["/usr/include"]), ("files", ["lib/../../x"]), ("13", ["a b"])):
            self.write("toy", {**TOY, "packages": {**TOY["packages"], key: value}})
            for question in ("packages", "files"):
                result = self.run_script(question, "13.4")
                self.assertNotEqual(result.returncode, 0, (key, value))
                self.assertIn("toy/library.json", result.stderr)
        self.assertNotEqual(self.run_script("packages", "13").returncode, 0)

    def test_every_release_pins_the_packages_of_the_libraries_that_have_facts_of_it(self):
        script = REPOSITORY / "scripts" / "library-packages"
        for pins in sorted((REPOSITORY / "scripts" / "releases").glob("*.txt")):
            missing = subprocess.run([sys.executable, "-B", script, "--pins", pins, "missing", pins.stem], check=True,
                                     capture_output=True, text=True).stdout.split()
            for library in missing:
                facts = REPOSITORY / "api-specs" / library / "api.json"
                releases = json.loads(facts.read_text(encoding="utf-8"))["releases"] if facts.exists() else []
                self.assertNotIn(pins.stem, releases, f"{pins.name} does not pin the packages of {library}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
