# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a file which uses a name of the standard library includes its header, directly or through headers of this repository.

Unity builds and precompiled headers hide what a file lacks. Standard libraries differ in which of their headers include <cstdint>, and
<stdint.h> does not declare the names in std. Of tests, only <cstdint> and <cstddef> are checked, because GoogleTest's headers include most
of the others.

usage: standard_headers.py REPOSITORY
"""
import re
import sys

import included_files

# The header, its names, and other headers that define the names, too.
HEADERS = (
    ("cstdint", r"u?int(?:8|16|32|64|ptr|max)_t\b", ""),
    ("cstddef", r"(?:byte|nullptr_t)\b", ""),
    ("cstddef", r"(?:size_t|ptrdiff_t)\b",
     "algorithm array cstdio cstdlib cstring functional iterator map memory span string string_view tuple utility vector"),
    ("algorithm", r"(?:ranges::)?(?:all_of|any_of|binary_search|clamp|copy|count_if|equal|fill|find_if|lower_bound|max_element|min_element|none_of"
     r"|remove_if|replace|reverse|sort|stable_sort|transform|unique|upper_bound)\(", "functional ranges"),
    ("array", r"array\b", "functional span"),
    ("atomic", r"(?:atomic\w*|memory_order\w*)\b", "future memory"),
    ("bit", r"(?:bit_cast|bit_ceil|bit_width|countl_zero|countr_zero|has_single_bit|popcount)\b", "algorithm memory string vector"),
    ("chrono", r"chrono\b", "condition_variable filesystem future mutex thread"),
    ("cmath", r"(?:ceil|cos|exp|fabs|floor|fma|frexp|isnan|ldexp|log|pow|sin|sqrt)\(", "complex random"),
    ("condition_variable", r"condition_variable\b", "future"),
    ("coroutine", r"coroutine_handle\b", ""),
    ("cstdio", r"(?:FILE|fclose|fopen|fprintf|fputs|perror|printf|snprintf)\b", "string"),
    ("cstdlib", r"(?:abort|atexit|exit|free|getenv|malloc|strtol|strtoul)\b", "algorithm string"),
    ("cstring", r"(?:memcmp|memcpy|memmove|memset|strchr|strcmp|strerror|strlen)\b", "string"),
    ("deque", r"deque\b", "queue stack"),
    ("exception", r"(?:current_exception|exception_ptr|rethrow_exception|uncaught_exceptions)\b", "future memory new stdexcept string"),
    ("filesystem", r"filesystem\b", ""),
    ("fstream", r"[io]?fstream\b", ""),
    ("functional", r"(?:bind|function|hash|less|ref)\b", "map memory optional set string string_view"),
    ("iostream", r"(?:cerr|cin|cout)\b", ""),
    ("limits", r"numeric_limits\b", "chrono memory random"),
    ("map", r"(?:multi)?map\b", ""),
    ("memory", r"(?:enable_shared_from_this|make_shared|make_unique|shared_ptr|unique_ptr|weak_ptr)\b", "filesystem future"),
    ("mutex", r"(?:call_once|lock_guard|mutex|once_flag|scoped_lock|unique_lock)\b", "condition_variable future shared_mutex"),
    ("numeric", r"(?:accumulate|gcd|iota|lcm)\b", ""),
    ("optional", r"(?:nullopt|optional)\b", ""),
    ("set", r"(?:multi)?set\b", ""),
    ("span", r"span\b", ""),
    ("sstream", r"[io]?stringstream\b", "regex"),
    ("stdexcept", r"(?:invalid_argument|length_error|logic_error|out_of_range|runtime_error)\b", "array filesystem future string system_error"),
    ("string", r"(?:getline|stoi|stoul|string|to_string)\b", "filesystem fstream iostream regex sstream stdexcept system_error"),
    ("string_view", r"string_view\b", "filesystem string"),
    ("thread", r"(?:jthread|this_thread|thread)\b", "future"),
    ("tuple", r"(?:apply|make_tuple|tie|tuple)\b", "array functional map memory"),
    ("unordered_map", r"unordered_map\b", "functional"),
    ("unordered_set", r"unordered_set\b", ""),
    ("variant", r"(?:get_if|holds_alternative|monostate|variant|visit)\b", ""),
    ("vector", r"vector\b", "functional regex"),
)
# A pattern that begins with its text is searched faster than one that begins with what may precede it.
RULES = [(header, re.compile(r"std::(?<!\wstd::)" + names), {header, *others.split()}) for header, names, others in HEADERS]
CHECKED_IN_TESTS = {"cstdint", "cstddef"}


def problems(root):
    """Returns the files that use names without their header, as text."""
    tree = included_files.Tree(root)
    found = []
    for path in tree.files(*included_files.FOLDERS):
        included = tree.all_included(path)[1]
        for header, names, sufficient in RULES:
            if path.is_relative_to(tree.root / "tests") and header not in CHECKED_IN_TESTS:
                continue
            use = names.search(tree.code(path))
            if use and not included & sufficient:
                found.append(f"{path.relative_to(tree.root)}: include <{header}>, which defines {use[0].rstrip('(')}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All files include the standard headers that they use.")
    sys.exit(bool(lines))
