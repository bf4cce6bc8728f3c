// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Adds the names of LIBRARY. The generated file NAMES lists them, and HEADER declares the table of the library.
#include HEADER

#include "availability_case.hpp"

namespace cubind::testing {
namespace {

#define NAME(name, since, removed, releases)
#define RELEASE(release) release,
constexpr int releases_of_library[] = {
#include NAMES
};
#undef NAME
#undef RELEASE

#define NAME(name, since, removed, releases) {name, since, removed, releases},
#define RELEASE(release)
constexpr AvailabilityName names[] = {
#include NAMES
};

#define TEXT_OF(token) TEXT(token)
#define TEXT(text) #text
[[maybe_unused]] const bool is_added = [] {
    availability_cases().push_back(
        {TEXT_OF(LIBRARY), cubind::LIBRARY::availability_table, names, releases_of_library, cubind::LIBRARY::availability});
    return true;
}();

}  // namespace
}  // namespace cubind::testing
