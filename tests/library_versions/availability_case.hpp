// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/availability.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace cubind::testing {

/// A name of api.json.
struct AvailabilityName {
    std::string_view name;
    int since;
    int removed;
    unsigned releases;  ///< bit i: the headers of the i-th release declare the name
};

/// The names of api.json, and the table of the library.
struct AvailabilityCase {
    const char* library;
    std::span<const Availability> table;
    std::span<const AvailabilityName> names;
    std::span<const int> releases;
    Availability (*find)(std::string_view);
};

/// Returns the libraries that are linked into the program.
inline std::vector<AvailabilityCase>& availability_cases() {
    static std::vector<AvailabilityCase> cases;
    return cases;
}

}  // namespace cubind::testing
