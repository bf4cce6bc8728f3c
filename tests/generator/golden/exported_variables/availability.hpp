// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// toy library: the releases that have a function, public name, type, enumerator or constant.
///
/// Use them for decisions at compile time. The table covers every release up to CUDA 13.4.

#include <cubind/availability.hpp>

namespace CUBIND_NAMESPACE::toy {

/// Sorted by name, in the order of std::string_view.
inline constexpr Availability availability_table[] = {
    {"TOY_BLUE", 12000, 0},
    {"TOY_DEFAULT_COLOR", 12000, 13040},
    {"TOY_DOUBLE", 13040, 0},
    {"TOY_NAME", 13040, 0},
    {"TOY_NO_FUNCTION", 12000, 0},
    {"TOY_NO_LIBRARY", 12000, 0},
    {"TOY_OK", 12000, 0},
    {"TOY_RED", 12000, 0},
    {"TOY_SINGLE", 12000, 0},
    {"toyColor", 12000, 0},
    {"toyCompute", 12000, 0},
    {"toyPrecision_t", 12000, 0},
    {"toyStatus", 12000, 0},
};

/// Returns the releases that have `name`, for example `static_assert(availability("...").since <= 12040)`.
/// The returned name is empty if no release has it.
constexpr Availability availability(std::string_view name) noexcept {
    return find_availability(availability_table, name);
}

}  // namespace CUBIND_NAMESPACE::toy
