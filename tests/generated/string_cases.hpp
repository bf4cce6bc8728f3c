// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cubind::testing {

/// An enumerator and its to_string text. A row without a name ends each enum.
struct EnumeratorCase {
    const char* name;
    long long value;
    const char* text;
};
extern const EnumeratorCase enumerator_cases[];
extern const std::size_t enumerator_case_count;
/// The number of enumerators in types.hpp.
extern const std::size_t defined_enumerator_count;

/// The to_string text of a value that no enumerator of the enum has.
struct UnknownCase {
    const char* first_enumerator;  ///< identifies the enum
    const char* text;
};
extern const UnknownCase unknown_cases[];
extern const std::size_t unknown_case_count;

/// A status and its describe text. The last row has no name and is for an unknown status. If the status of the library is no
/// enum, the last row is the only row and has no text.
struct DescribeCase {
    const char* name;
    long long value;
    const char* text;
};
extern const DescribeCase describe_cases[];
extern const std::size_t describe_case_count;

}  // namespace cubind::testing
