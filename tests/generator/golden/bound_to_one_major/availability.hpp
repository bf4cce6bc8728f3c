// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: the releases that have a function, public name, type, enumerator or constant.
///
/// Use them for decisions at compile time. The table covers every release up to CUDA 12.8.

#include <cubind/availability.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Sorted by name, in the order of std::string_view.
inline constexpr Availability availability_table[] = {
    {"TOY_NO_FUNCTION", 12000, 0},
    {"TOY_NO_LIBRARY", 12000, 0},
    {"TOY_OK", 12000, 0},
    {"toyFresh", 13040, 0},
    {"toyGrow", 12000, 0},
    {"toyShrink", 12080, 13040},
    {"toySize", 12000, 0},
    {"toySize_st", 12000, 0},
    {"toyStatus", 12000, 0},
    {"toyVersion", 12000, 0},
};

/// Returns the releases that have `name`, for example `static_assert(availability("...").since <= 12040)`.
/// The returned name is empty if no release has it.
constexpr Availability availability(std::string_view name) noexcept {
    return find_availability(availability_table, name);
}

}  // namespace CUBIND_NAMESPACE::toy
