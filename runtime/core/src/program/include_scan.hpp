// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// A file that source code names.
struct IncludedName {
    std::string name;
    /// Whether the name is in quotes, so that the folder of the including file is searched first.
    bool is_quoted;

    friend bool operator==(const IncludedName&, const IncludedName&) = default;
};

struct IncludeScan {
    /// The files that the code may include, or whose existence it may ask for.
    std::vector<IncludedName> names;
    /// What makes the result of a compilation depend on more than the code and these files; empty if nothing does.
    std::string problem;
};

/// Finds the files that C++ code names in #include directives and in __has_include expressions. Evaluates no conditions and no
/// macros, and does not tell code from comments and strings: it finds too many names rather than too few. Reports names that
/// are macros, and macros whose values are times, as a problem.
[[nodiscard]] IncludeScan scan_includes(std::string_view code);

}  // namespace CUBIND_NAMESPACE::detail
