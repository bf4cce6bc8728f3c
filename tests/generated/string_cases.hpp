// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace cubind::testing {

/// An enumerator and what to_string gives for it. A row without a name ends each enum.
struct EnumeratorCase {
    const char* name;
    long long value;
    const char* text;
};
extern const EnumeratorCase enumerator_cases[];
extern const std::size_t enumerator_case_count;

/// What to_string gives for a value that no enumerator of the enum has.
struct UnknownCase {
    const char* an_enumerator;
    const char* text;
};
extern const UnknownCase unknown_cases[];
extern const std::size_t unknown_case_count;

/// What describe gives for a status; the last row, without a name, is of an unknown one.
struct DescribeCase {
    const char* name;
    long long value;
    const char* text;
};
extern const DescribeCase describe_cases[];
extern const std::size_t describe_case_count;

}  // namespace cubind::testing
