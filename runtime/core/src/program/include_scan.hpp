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
    /// The files that the code may include, or whose existence it may test.
    std::vector<IncludedName> names;
    /// A message if the name of a file is a macro, because the code may then include other files, too; otherwise empty.
    std::string macro_problem;
    /// A message if the code contains a macro whose value is a time; otherwise empty.
    std::string time_problem;
};

/// Finds the files that C++ code names in #include directives and in __has_include expressions. Evaluates no conditions and no
/// macros, and does not distinguish code from comments and strings, so it may find too many names, but not too few.
[[nodiscard]] IncludeScan scan_includes(std::string_view code);

}  // namespace CUBIND_NAMESPACE::detail
