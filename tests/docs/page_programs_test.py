# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What is taken for a program of a page, and what it is linked with."""

import unittest

import page_programs

CMAKE = "```cmake\ntarget_link_libraries(program PRIVATE {})\n```\n"
CPP = "```cpp\n{}\n```\n"


class PagePrograms(unittest.TestCase):
    def test_a_program_has_the_libraries_above_it(self):
        page = CMAKE.format("a b") + CPP.format("int main() {}") + CMAKE.format("c") + CPP.format("int main() { return 1; }")
        self.assertEqual(page_programs.programs(page),
                         [("int main() {}\n", ["a", "b"]), ("int main() { return 1; }\n", ["c"])])

    def test_tests_of_a_page_are_one_program(self):
        page = CMAKE.format("a") + CPP.format("TEST(A, B) {}") + CPP.format("int main() {}") + CPP.format("TEST_F(C, D) {}")
        self.assertEqual(page_programs.programs(page), [("TEST(A, B) {}\n\nTEST_F(C, D) {}\n", ["a"]), ("int main() {}\n", ["a"])])

    def test_other_blocks_are_none(self):
        page = CMAKE.format("a") + CPP.format("int x = 0;") + "```c\nint main() {}\n```\n"
        self.assertEqual(page_programs.programs(page), [])

    def test_a_program_without_libraries_is_refused(self):
        with self.assertRaises(ValueError):
            page_programs.programs(CPP.format("int main() {}"))


if __name__ == "__main__":
    unittest.main()
