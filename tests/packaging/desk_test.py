# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests what docs/desk.md describes: std::format(), the module, the printers of GDB, and the presets.

usage: desk_test.py [--only=CLASS] SOURCE SCRATCH GENERATOR COMPILER [CMAKE_OPTION...]

The arguments are those of packaging_test.py, whose build folder it uses. A test whose compiler or debugger is missing is skipped.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

import module_names
from building import COMPILER, HAS_SIM, NO_LIBRARIES, ONLY, SOURCE, WORK, empty_folder, install, run

ROOT, HERE, PREFIX = pathlib.Path(SOURCE), pathlib.Path(__file__).resolve().parent, WORK / "desk_prefix"
CLANG = "clang++-19"  # the newest of Debian 12
LIBCXX = [CLANG, "-std=c++20", "-stdlib=libc++", "-Wall", "-Wextra", "-Werror", *module_names.INCLUDES]
NEEDS_CLANG = unittest.skipUnless(shutil.which(CLANG), f"{CLANG} is not installed")
NEEDS_LIBCXX = unittest.skipUnless(os.path.isdir("/usr/lib/llvm-19/include/c++/v1"), "libc++-19-dev is not installed")
PAGE = (ROOT / "docs/desk.md").read_text(encoding="utf-8")


def setUpModule():
    install(WORK / "build", PREFIX)


def block_of(page, language):
    return re.search(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]


def flags_of(*packages):
    return run("pkg-config", "--cflags", "--libs", *packages, env={**os.environ, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig")}).split()


@NEEDS_CLANG
@NEEDS_LIBCXX
class FormatTest(unittest.TestCase):
    """g++ 12 has no <format>, so that clang++ compiles with its own C++ library."""

    def run_program(self, source, *libraries):
        program = WORK / "format_program"
        run(*LIBCXX, source, *(ROOT / "generated" / library / "src/strings.cpp" for library in libraries), "-o", program)
        return run(program)

    def test_formats_enums_results_and_records(self):
        self.assertEqual(self.run_program(HERE / "desk/formatted.cpp", "driver", "runtime", "nvml"), "")

    def test_program_of_the_page_prints_what_it_states(self):
        source = WORK / "format_page.cpp"
        source.write_text(block_of(PAGE, "cpp"), encoding="utf-8")
        self.assertEqual(self.run_program(source, "driver"), "".join(f"{line}\n" for line in re.findall(r"// (.*)$", source.read_text(), re.M)))

    def test_all_records_of_all_libraries_have_a_format(self):
        lines, functions = ["#include <cubind/detail/format.hpp>"], []
        for header in sorted((ROOT / "generated").glob("*/include/cubind/*/format.hpp")):
            library = header.parent.name
            lines.append(f"#include <cubind/{library}/format.hpp>")
            for record in re.findall(r"struct std::formatter<cubind::\w+::(\w+)>\s*:\s*cubind::detail::RecordFormatter", header.read_text()):
                functions.append(f"void use(const cubind::{library}::{record}& record, cubind::detail::FieldText& text) {{ visit_fields(record, text); }}")
        self.assertEqual(len(lines) - 1, len(list((ROOT / "generated").iterdir())))
        self.assertGreater(len(functions), 700)
        source = WORK / "format_all.cpp"
        source.write_text("\n".join([*lines, *functions, ""]), encoding="utf-8")
        run(*LIBCXX, "-fsyntax-only", source)


@NEEDS_CLANG
class ModuleTest(unittest.TestCase):
    def test_names_are_those_of_the_header(self):
        self.assertEqual(module_names.names_of_module(), module_names.names_of_header(CLANG), "run tests/packaging/module_names.py")

    def test_the_program_of_the_readme_imports_it(self):
        folder = empty_folder("module")
        folder.mkdir()
        program = block_of((ROOT / "README.md").read_text(encoding="utf-8"), "cpp")
        program, replaced = re.subn(r"^#include <cubind/core.hpp>\n(.*?\n)\n", r"\1\nimport cubind;\n\n", program, flags=re.DOTALL)
        self.assertEqual(replaced, 1)
        (folder / "app.cpp").write_text(program, encoding="utf-8")
        installed = block_of(PAGE, "sh").replace("PREFIX", str(PREFIX)).replace("clang++ ", f"{CLANG} ")
        environment = {**NO_LIBRARIES, "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig")}
        run("sh", "-ec", installed, cwd=folder, env=environment)
        self.assertIn("No CUDA driver found", run(folder / "app", env=environment, fails=True))


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
@unittest.skipUnless(HAS_SIM, "this build has no simulated driver")
class GdbTest(unittest.TestCase):
    def test_prints_buffers_owners_and_views(self):
        program = WORK / "objects"
        run(COMPILER, "-std=c++20", "-g", "-O0", HERE / "desk/objects.cpp", *flags_of("cubind-core"), "-o", program)
        names = ("typed", "bytes", "closed", "view", "pitched", "stream", "empty", "moved", "event", "default_stream", "config")
        commands = ["set confirm off", f"source {PREFIX}/share/cubind/cubind_gdb.py", "break stop", "run", "up",
                    *(f"print {name}" for name in names)]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(PREFIX / "lib/cubind/sim")}
        output = run("gdb", "-nx", "-batch", *(each for command in commands for each in ("-ex", command)), program, env=environment)
        if "ptrace: Operation not permitted" in output:
            self.skipTest("this machine does not let a debugger run programs")
        printed = dict(zip(names, re.findall(r"^\$\d+ = (.*)$", output, re.MULTILINE)))
        self.assertEqual(len(printed), len(names), output)
        address, handle = re.search(r"^([0-9a-f]+) ([0-9a-f]+)$", output, re.MULTILINE).groups()
        self.assertEqual(printed["typed"], f"TypedBuffer of 1000 float at 0x{address}")
        self.assertRegex(printed["bytes"], "^Buffer of 64 bytes at 0x[0-9a-f]+$")
        self.assertEqual(printed["closed"], "Buffer (closed)")
        self.assertEqual(int(printed["view"].split()[5].rstrip(","), 16), int(printed["bytes"].split()[5], 16) + 16)
        self.assertRegex(printed["view"], "^Buffer of 32 bytes at 0x[0-9a-f]+, a view$")
        self.assertRegex(printed["pitched"], r"^PitchedBuffer of 64 x 48 x 1 float, \d+ bytes per row, at 0x[0-9a-f]+$")
        self.assertRegex(printed["stream"], "^Stream 0x[0-9a-f]+$")
        self.assertNotEqual(printed["stream"], printed["empty"])
        self.assertEqual(printed["moved"], "Stream (no handle)")
        self.assertEqual(printed["event"], f"Event 0x{handle}")
        self.assertEqual(printed["default_stream"], "StreamRef (legacy default stream)")
        self.assertIn("grid = ", printed["config"])  # as GDB prints it without help


class PresetTest(unittest.TestCase):
    def configure(self, preset):
        """Returns the build folder."""
        build = empty_folder(f"preset_{preset}")
        run("cmake", "--preset", preset, "-S", SOURCE, "-B", build)
        return build

    def test_the_page_names_presets_that_exist(self):
        presets = {each["name"] for each in json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]}
        table = PAGE[PAGE.index("| preset | for |"):]
        named = {name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`([\w-]+)`", row)}
        self.assertGreater(len(named), 3)
        self.assertLessEqual(named, presets)

    def test_library_shared_builds_shared_libraries(self):
        self.assertIn("libcubind_core.so", run("ninja", "-C", self.configure("library-shared"), "-t", "targets", "all"))

    def test_editors_find_each_source_in_the_commands_of_debug(self):
        commands = json.loads((self.configure("debug") / "compile_commands.json").read_text(encoding="utf-8"))
        files = {pathlib.Path(each["file"]) for each in commands}
        expected = [*(ROOT / "runtime/core/src/memory").glob("*.cpp"), *(ROOT / "simulation/driver/api").glob("*.cpp")]
        self.assertGreater(len(expected), 20)
        self.assertLessEqual(set(expected), files)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *ONLY])
