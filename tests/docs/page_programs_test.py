# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests which blocks of a page are programs, and which libraries they link."""

import unittest

import page_programs
import run_program

CMAKE = "```cmake\ntarget_link_libraries(program PRIVATE {})\n```\n"
CPP = "```cpp\n{}\n```\n"
HIDDEN = "<!-- cpp\n{}\n-->\n"
OTHER_SIDE = "<!-- cpp of another side\n{}\n-->\n"


def lines_of(text):
    return [line for line in text.split("\n") if line and not line.startswith("#line")]


class PageProgramsTest(unittest.TestCase):
    def test_a_program_links_the_libraries_above_it(self):
        page = CMAKE.format("a b") + CPP.format("int main() {}") + CMAKE.format("c") + CPP.format("int main() { return 1; }")
        self.assertEqual(page_programs.programs(page),
                         [("int main() {}\n", ["a", "b"]), ("int main() { return 1; }\n", ["c"])])

    def test_tests_of_a_page_are_one_program(self):
        page = CMAKE.format("a") + CPP.format("TEST(A, B) {}") + CPP.format("int main() {}") + CPP.format("TEST_F(C, D) {}")
        self.assertEqual(page_programs.programs(page), [("TEST(A, B) {}\n\nTEST_F(C, D) {}\n", ["a"]), ("int main() {}\n", ["a"])])

    def test_blocks_of_other_languages_are_ignored(self):
        page = CMAKE.format("a") + "```c\nint main() {}\n```\n"
        self.assertEqual(page_programs.programs(page), [])

    def test_a_program_without_libraries_is_rejected(self):
        with self.assertRaises(ValueError):
            page_programs.programs(CPP.format("int main() {}"))

    def test_a_program_also_links_the_given_libraries(self):
        page = CPP.format("int main() {}") + CMAKE.format("b") + CPP.format("int main() { return 1; }")
        self.assertEqual([linked for _, linked in page_programs.programs(page, ["a"])], [["a"], ["b", "a"]])

    def test_statements_of_a_page_are_one_program_with_a_scope_for_each_section(self):
        page = "\n".join([CPP.format("#include <b>\nint x;"), "# Title", "## First", CPP.format("#include <a>\nx = 1;"), "text",
                          CPP.format("x = 2;"), "## Without", "text", "## Last", CPP.format("#include <b>\nx = 3;")])
        [(text, libraries)] = page_programs.programs(page, ["a"], "p.md")
        self.assertEqual(libraries, ["a"])
        self.assertEqual(lines_of(text), ["#include <b>", "#include <a>", "int main() {", "int x;", "{", "x = 1;", "x = 2;", "}", "{", "}",
                                          "{", "x = 3;", "}", "}"])

    def test_a_block_that_is_not_displayed_defines_nothing_for_others(self):
        page = CPP.format("int x;") + HIDDEN.format("#include <a>\nint y;") + CPP.format("x = 1;") + OTHER_SIDE.format("int z;")
        [(text, _)] = page_programs.programs(page, ["a"])
        self.assertEqual(lines_of(text), ["#include <a>", "int main() {", "int x;", "{", "int y;", "}", "x = 1;", "int z;", "}"])

    def test_statements_use_the_definitions_of_the_program_at_the_beginning(self):
        page = HIDDEN.format("install();") + CPP.format("#include <a>\nint x;\nint main() { y(); }") + CPP.format("x = 1;")
        (_, (text, _)) = page_programs.programs(page, ["a"])
        self.assertEqual(lines_of(text), ["#include <a>", "int x;", "int main() {", "{", "install();", "}", "x = 1;", "}"])

    def test_statements_do_not_use_the_definitions_of_other_programs(self):
        page = CPP.format("x = 1;") + CPP.format("int x;\nint main() {}")
        self.assertEqual(lines_of(page_programs.programs(page, ["a"])[1][0]), ["int main() {", "x = 1;", "}"])

    def test_statements_have_line_directives(self):
        page = "# Title\n" + HIDDEN.format("int x;") + CPP.format("\nx = 1;")
        [(text, _)] = page_programs.programs(page, ["a"], "p.md")
        self.assertIn('#line 3 "p.md"\nint x;\n', text)
        self.assertIn('#line 6 "p.md"\n\nx = 1;\n', text)

    def test_statements_and_programs_are_separate(self):
        page = CPP.format("int main() {}") + CPP.format("int x = 0;")
        self.assertEqual(len(page_programs.programs(page, ["a"])), 2)

    def test_an_ordinary_comment_is_ignored(self):
        self.assertEqual(page_programs.programs("<!-- cpp is a language -->\n<!-- text\nint x;\n-->\n", ["a"]), [])

    def test_kernels_are_added_in_blocks_only(self):
        page = 'Write `cubind_add_kernels(app a.cu)`.\n```cmake\ncubind_add_kernels(app b.cu INSTANTIATE "f<int, 2>")\n```\n'
        self.assertEqual(page_programs.kernels(page), [["b.cu", "INSTANTIATE", "f<int, 2>"]])

    def test_outputs_in_comments_are_compared(self):
        source = 'std::printf("%d ms, %d\\n", x, y);  // ... ms, 5\nstd::printf("%s\\n", error.what());  // a text\n'
        self.assertEqual(run_program.missing_lines(source, "2.5 ms, 5\n"), [])
        self.assertEqual(run_program.missing_lines(source, "2.5 ms, 6\n"), ["... ms, 5"])
        self.assertEqual(run_program.missing_lines('#line 5 "p.md"\n' + source, ""), [])


if __name__ == "__main__":
    unittest.main()
