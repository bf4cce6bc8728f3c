# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the checks of this folder on small trees with one error each."""
import pathlib
import shutil
import tempfile
import unittest

import commit_subjects
import environment_rule
import file_sizes
import hidden_variables
import include_rules
import machine_paths
import machine_rule
import namespaces
import own_headers
import precompiled
import product_names
import spelling
import standard_headers
import system_headers
import using_directives

# A tree without errors.
TREE = {
    "CMakeLists.txt": "",
    "generator/clang/index.hpp": "#include <clang-c/Index.h>\n",
    "generator/emit/emit.cpp": '#include "emit.hpp"\n',
    "runtime/loader/include/cubind/result.hpp": "#pragma once\n",
    "runtime/loader/src/search/search.cpp": "#include <string>\n#include <cubind/result.hpp>\n",
    "simulation/cudart/api/error.cpp": '#include "api/error.hpp"\n',
    "simulation/driver/machine/check.hpp": "#pragma once\n",
    "runtime/error/include/cubind/check.hpp": "#include <cubind/result.hpp>\n#include <cubind/driver/types.hpp>\n",
    "runtime/core/include/cubind/core/device/device.hpp": "#include <cubind/check.hpp>\n",
    "runtime/system/include/cubind/system/device.hpp": "#include <cubind/check.hpp>\n",
    "runtime/system/include/cubind/system/cuda_device.hpp": "#include <cubind/core/device/device.hpp>\n",
    "generated/driver/include/cubind/driver/types.hpp": "#include <cstddef>\n",
    "generated/driver/include/cubind/driver/vendor.hpp": "#include <cubind/driver/types.hpp>\n#include <cuda.h>\n",
    "generated/driver/include/cubind/driver/memory.hpp": "#include <cubind/result.hpp>\n#include <cubind/driver/types.hpp>\n",
    "generated/nvrtc/include/cubind/nvrtc/types.hpp": "#include <cstddef>\n",
}


class SelfTest(unittest.TestCase):
    def problems(self, check, **changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **changes.get("files", {})}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check.problems(pathlib.Path(folder))

    def test_accepts_a_correct_tree(self):
        for check in (include_rules, standard_headers, machine_rule, file_sizes, machine_paths, environment_rule, namespaces, own_headers,
                      hidden_variables, product_names, system_headers, using_directives):
            self.assertEqual(self.problems(check), [], check.__name__)

    def test_finds_a_violation_of_every_include_rule(self):
        broken = {
            "runtime/loader/src/search/search.cpp": "#include <cuda.h>",
            "runtime/loader/include/cubind/result.hpp": "#include <cubind/driver/types.hpp>",
            "runtime/loader/src/search/find.cpp": '#include "cubind/check.hpp"',
            "generated/driver/include/cubind/driver/types.hpp": "#include <cuda.h>",
            "generated/driver/include/cubind/driver/memory.hpp": "#include <cubind/check.hpp>",
            "generated/nvrtc/include/cubind/nvrtc/types.hpp": "#include <cubind/driver/types.hpp>",
            "generator/emit/emit.cpp": "#include <cubind/result.hpp>",
            "generator/extract/extract.cpp": "  #  include <clang-c/Index.h>",
            "runtime/error/src/error.cpp": "#include <cuda_runtime_api.h>",
            "runtime/error/src/details.cpp": "#include <cubind/core/device/device.hpp>",
            "runtime/core/src/device/device.cpp": "#include <cubind/system/device.hpp>",
            "runtime/system/src/device/device.cpp": "#include <cubind/core/device/device.hpp>",
            "runtime/system/src/host/host.cpp": "#include <nvrtc.h>",
            "simulation/cudart/api/error.cpp": '#include "machine/check.hpp"',
            "simulation/cudart/api/version.cpp": "#include <cuda.h>",
            "simulation/nvml/api/session.cpp": '#include "machine/check.hpp"',
            "runtime/loader/src/other.cpp": "#include <clang-c/Index.h>",
        }
        for name, line in broken.items():
            with self.subTest(name):
                found = self.problems(include_rules, files={name: "// first\n" + line + "\n"})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{name}:2: "), found)

    def test_a_library_may_include_the_libraries_that_it_uses(self):
        used = {"generated/nvrtc/include/cubind/nvrtc/types.hpp": "#include <cubind/driver/types.hpp>\n",
                "api-specs/nvrtc/library.json": '{"uses": ["driver"]}'}
        self.assertEqual(self.problems(include_rules, files=used), [])

    def test_finds_every_include_of_a_higher_folder(self):
        headers = {"generator/spec/spec.hpp": "", "generator/model/model.hpp": "", "runtime/core/src/graph/graph.hpp": ""}
        broken = {"generator/spec/merge.cpp": '#include "model/model.hpp"', "runtime/core/src/device/table.cpp": '#include "graph/graph.hpp"'}
        for name, line in broken.items():
            with self.subTest(name):
                found = self.problems(include_rules, files={**headers, name: line + "\n"})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{name}:1: "), found)
        self.assertEqual(self.problems(include_rules, files={**headers, "generator/model/build.cpp": '#include "spec/spec.hpp"\n'}), [])

    def test_finds_an_include_of_a_higher_folder_within_a_folder(self):
        headers = {"simulation/driver/objects/device/device.hpp": "", "simulation/driver/objects/module/module.hpp": ""}
        down = {"simulation/driver/objects/module/load.cpp": '#include "objects/device/device.hpp"\n'}
        self.assertEqual(self.problems(include_rules, files={**headers, **down}), [])
        up = {"simulation/driver/objects/device/load.cpp": '#include "objects/module/module.hpp"\n'}
        found = self.problems(include_rules, files={**headers, **up})
        self.assertEqual(len(found), 1, found)
        self.assertIn("device is not above module", found[0])

    def test_finds_a_call_of_machine_below_the_highest_floors(self):
        files = {"simulation/driver/api/devices.cpp": "machine().devices;\n", "simulation/driver/machine/current.cpp": "machine().serial;\n",
                 "simulation/driver/work/copy.cpp": "// machine()\nthe_machine();\n"}
        self.assertEqual(self.problems(machine_rule, files=files), [])
        for folder in ("objects/memory", "work", "graph"):
            name = f"simulation/driver/{folder}/find.cpp"
            found = self.problems(machine_rule, files={**files, name: "// first\nreturn machine().memory;\n"})
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].startswith(f"{name}:2: "), found)

    def test_finds_code_outside_the_versioned_namespace(self):
        files = {"runtime/loader/src/a.cpp": "namespace CUBIND_NAMESPACE::detail {\nnamespace alias = cubind::detail;\n",
                 "runtime/loader/src/b.cpp": "namespace cubind::detail {\n"}
        found = self.problems(namespaces, files=files)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("runtime/loader/src/b.cpp:1: "), found)

    def test_finds_a_using_directive_in_a_header(self):
        for line, count in (("using namespace driver;", 1), ("    using namespace std::literals;", 1), ("using driver::CUresult;", 0),
                            ("// using namespace driver;", 0)):
            self.assertEqual(len(self.problems(using_directives, files={"simulation/driver/machine/names.hpp": line + "\n"})), count, line)
        self.assertEqual(self.problems(using_directives, files={"tools/info/main.cpp": "using namespace cubind;\n"}), [])

    def test_finds_calls_of_the_system_outside_of_its_folders(self):
        for line in ("#include <unistd.h>", "#  include <sys/stat.h>", "#include <csignal>", "#include <errno.h>", "#include <windows.h>",
                     '#include "platform/linux/status.hpp"', "pid_t process = 0;", "const link_map* map;", "struct stat status;"):
            for name in ("runtime/platform/file.hpp", "simulation/driver/api/call.cpp", "tools/sim/start.cpp", "generator/emit/emit.cpp"):
                with self.subTest(line=line, name=name):
                    found = self.problems(system_headers, files={name: "// first\n" + line + "\n"})
                    self.assertEqual(len(found), 1, found)
                    self.assertTrue(found[0].startswith(f"{name}:2: "), found)
            for name in ("runtime/platform/linux/file.cpp", "simulation/driver/api/linux/call.hpp", "tests/runtime/file_tests.cpp"):
                self.assertEqual(self.problems(system_headers, files={name: line + "\n"}), [], name)
        for line in ("#include <cerrno>", "#include <semaphore>", "#include <stdlib.h>", '#include "platform/file.hpp"', "// pid_t", 'auto a = "pid_t";'):
            self.assertEqual(self.problems(system_headers, files={"runtime/platform/file.hpp": line + "\n"}), [], line)

    def test_finds_commit_subjects_that_break_the_rule(self):
        for subject, accepted in (("core: free memory once", True), ("core, sim: free memory once", True), ("free memory", False),
                                  ("core:", False), ("nothing: free memory", False), ("Merge branch 'x'", False),
                                  ("core: " + "x" * 66, True), ("core: " + "x" * 67, False)):
            self.assertEqual(commit_subjects.problem(subject, {"core", "sim"}) is None, accepted, subject)

    def test_finds_a_public_variable_that_is_not_hidden(self):
        name = "runtime/loader/include/cubind/result.hpp"
        for text, accepted in (("inline constexpr int a = 1;", False), ("CUBIND_HIDDEN inline constexpr int a = 1;", True),
                               ("template <class... T>\ninline constexpr unsigned a[] = {sizeof(T)...};", False),
                               ("struct S {\n    static constexpr auto a =\n        1;\n};", False), ("static thread_local int a;", False),
                               ("struct S {\n    static constexpr int f() { return 1; }\n};", True), ("constexpr int a = 1;", True),
                               ("inline namespace v1 {}", True), ("// inline int a = 1;", True), ("inline int f() noexcept {}", True)):
            with self.subTest(text=text):
                self.assertEqual(len(self.problems(hidden_variables, files={name: text + "\n"})), 0 if accepted else 1)
        self.assertEqual(self.problems(hidden_variables, files={"runtime/loader/src/a.hpp": "inline constexpr int a = 1;\n"}), [])

    def test_finds_a_folder_that_the_table_lacks(self):
        found = self.problems(include_rules, files={"generator/new_step/step.cpp": ""})
        self.assertEqual(len(found), 1, found)
        self.assertIn("new_step", found[0])

    def test_ignores_includes_in_comments(self):
        self.assertEqual(self.problems(include_rules, files={"generator/emit/emit.cpp": "// #include <clang-c/Index.h>\n"}), [])

    def test_finds_types_without_their_header(self):
        with_string = {"generator/emit/emit.hpp": "#include <string>\n"}
        for use, include, accepted in (("std::uint8_t", "<cstdint>", True), ("std::uint8_t", "<stdint.h>", False),
                                       ("std::uint8_t", '"emit.hpp"', False), ("std::size_t", '"emit.hpp"', True),
                                       ("std::size_t", "<stdint.h>", False), ("std::byte", '"emit.hpp"', False),
                                       ("std::byte", "<cstddef>", True), ("// std::byte", "<new>", True),
                                       ("std::vector<int> v;", '"emit.hpp"', False), ("std::vector<int> v;", "<vector>", True),
                                       ('auto text = "std::vector";', '"emit.hpp"', True)):
            with self.subTest(use=use, include=include):
                found = self.problems(standard_headers, files={**with_string, "generator/emit/emit.cpp": f"#include {include}\n{use}\n"})
                self.assertEqual(len(found), 0 if accepted else 1, found)

    def test_finds_own_types_without_their_header(self):
        headers = {"generator/model/type.hpp": "class Type {\n};\nenum class Kind { a };\ntemplate <class T>\nstruct Box {\n};\n",
                   "generator/model/all.hpp": '#include "type.hpp"\n', "generator/emit/emit.hpp": "struct Emitter;\n"}
        for text, accepted in (('#include "model/type.hpp"\nType a;', True), ('#include "model/all.hpp"\nType a;', True),
                               ('#include "emit.hpp"\nType a;', False), ("class Type;\nType* a;", True), ("Kind k;", False),
                               ("gen::Kind k;", False), ("other.Type();", True), ("template <class Type>\nType f();", True),
                               ("Box<int> b;", False), ('auto a = "Type";  // Type', True), ("using Type = int;", True)):
            with self.subTest(text=text):
                found = self.problems(own_headers, files={**headers, "generator/emit/emit.cpp": text + "\n"})
                self.assertEqual(len(found), 0 if accepted else 1, found)

    def test_finds_a_long_file(self):
        name = "generator/emit/emit.cpp"
        self.assertEqual(self.problems(file_sizes, files={name: "\n" * file_sizes.MAX_LINES}), [])
        found = self.problems(file_sizes, files={name: "\n" * (file_sizes.MAX_LINES + 1)})
        self.assertEqual(len(found), 1)
        self.assertIn(name, found[0])

    def test_finds_a_long_script_without_a_suffix(self):
        self.assertEqual(len(self.problems(file_sizes, files={"scripts/run": "#!/bin/sh\n" + "\n" * file_sizes.MAX_LINES})), 1)

    def test_finds_a_long_table(self):
        name = "simulation/ptx/fidelity/table.inc"
        self.assertEqual(len(self.problems(file_sizes, files={name: "\n" * (file_sizes.MAX_LINES + 1)})), 1)

    def test_finds_tests_that_the_product_names(self):
        tests = {"tests/error_tests.cpp": "TEST(ErrorTest, Prints) {}\nTEST_F(StreamTest, Waits) {}\nTEST_P(DriverTest, Runs) {}\n"}
        for text in ('"ErrorTest.Prints"', "// see ErrorTest", '"by StreamTest.Waits"', "ErrorTest.Other"):
            with self.subTest(text):
                for name in "simulation/cudart/api/table.inc", "runtime/error/src/error.cpp", "templates/types.mustache":
                    found = self.problems(product_names, files={**tests, name: "\n" + text})
                    self.assertEqual(len(found), 1, found)
                    self.assertTrue(found[0].startswith(name + ":2: "), found)
        fixture = "class DriverTest : public ::testing::Test {};  // class UserTest : DriverTest"
        self.assertEqual(self.problems(product_names, files={**tests, "runtime/error/include/cubind/gtest.hpp": fixture}), [])

    def test_finds_a_large_median(self):
        files = {f"runtime/core/src/part{number}.cpp": "\n" * (file_sizes.MAX_MEDIAN + 1) for number in range(20)}
        found = self.problems(file_sizes, files=files)
        self.assertEqual(len(found), 1)
        self.assertIn("median", found[0])

    def test_accepts_long_generated_files(self):
        self.assertEqual(self.problems(file_sizes, files={"generated/driver/src/strings.cpp": "\n" * 5000}), [])

    def test_finds_every_location_of_one_machine(self):
        # The texts are split so that this file passes the check.
        for pieces in (("see /ho", "me/someone/cuda"), ("-I/wo", "rk/hdr/include"), ("cat /tm", "p/log"), ("/ro", "ot/.cache"),
                       ("pip --index-url ", "https://pypi.example.org/simple"), ("https://artifac", "tory.example.org/x"),
                       ("http://local", "host:8080/")):
            with self.subTest(pieces):
                found = self.problems(machine_paths, files={"scripts/run": "#!/bin/sh\n" + "".join(pieces) + "\n"})
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith("scripts/run:2: "), found)

    def test_accepts_locations_of_every_machine(self):
        text = "/usr/local/cuda/lib64 $HOME/.cache /etc/ld.so.conf https://pypi.org/simple ${TMPDIR:-/tmp}\n"
        self.assertEqual(self.problems(machine_paths, files={"scripts/run": text}), [])

    @unittest.skipUnless(shutil.which("codespell"), "codespell is not installed")
    def test_finds_a_misspelled_word(self):
        misspelled = "occu" + "red"  # split so that this file passes the check
        for name in ("docs/page.md", "runtime/core/src/part.cpp", "scripts/run"):
            with self.subTest(name):
                found = self.problems(spelling, files={name: f"An error\n{misspelled}.\n"})
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"{name}:2: {misspelled} ==> ", found[0])
        accepted = {"generated/driver/src/a.cpp": misspelled, "docs/page.md": "inout\n", "tests/sim/answers/recorded.txt": misspelled}
        self.assertEqual(self.problems(spelling, files=accepted), [])

    def test_finds_every_reader_of_the_environment(self):
        for line in ('std::getenv("HOME")', 'secure_getenv("HOME")', "for (char** each = environ; *each; ++each)",
                     "std::filesystem::temp_directory_path()"):
            for name in ("simulation/driver/machine/options.cpp", "tools/info/gather.cpp", "runtime/error/include/cubind/check.hpp"):
                with self.subTest(line=line, name=name):
                    found = self.problems(environment_rule, files={name: f"// getenv\n{line};\n"})
                    self.assertEqual(len(found), 1, found)
                    self.assertTrue(found[0].startswith(f"{name}:2: "), found)
        self.assertEqual(self.problems(environment_rule, files={environment_rule.READER: 'secure_getenv("HOME")\n',
                                                                "tests/a.cpp": 'getenv("HOME")\n'}), [])

    def test_headers_are_precompiled_only_for_those_that_include_them(self):
        def precompiled_for(first_lines):
            texts = {f"user{number}.hpp": "#pragma once\n#include <base.hpp>\n" for number in range(precompiled.USERS)}
            texts.update({"base.hpp": "#include <vector>\n", "header.hpp": f"// Text\n#pragma once\n{first_lines}#include <cstddef>\n"})
            return [base for base, headers in precompiled.batches_of(texts) if "header.hpp" in headers]

        for first_lines in ("#include <base.hpp>\n", "#include <string>\n\n#include <user0.hpp>\n"):
            self.assertEqual(precompiled_for(first_lines), ["base.hpp"], first_lines)
        for first_lines in ("", "struct Text;\n#include <base.hpp>\n", "#if TEXT\n#include <base.hpp>\n#endif\n", "// #include <base.hpp>\n",
                            "/*\n#include <base.hpp>\n*/\n", "#define TEXT\n#include <base.hpp>\n"):
            self.assertEqual(precompiled_for(first_lines), [None], first_lines)


if __name__ == "__main__":
    unittest.main()
