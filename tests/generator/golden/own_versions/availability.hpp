// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: the releases that have a function, public name, type, enumerator or constant.
///
/// Use them for decisions at compile time. The table covers every release up to Toy 2.10.0.

#include <cubind/availability.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Sorted by name, in the order of std::string_view.
inline constexpr Availability availability_table[] = {
    {"TOY_NO_FUNCTION", 2009003, 0},
    {"TOY_NO_LIBRARY", 2009003, 0},
    {"TOY_OK", 2009003, 0},
    {"toyFresh", 2010000, 0},
    {"toyOld", 2009003, 2010000},
    {"toySize", 2009003, 0},
    {"toyStatus", 2009003, 0},
    {"toyVersion", 2009003, 0},
};

/// Returns the releases that have `name`, for example `static_assert(availability("...").since <= 12040)`.
/// The returned name is empty if no release has it.
constexpr Availability availability(std::string_view name) noexcept {
    return find_availability(availability_table, name);
}

}  // namespace CUBIND_NAMESPACE::toy
