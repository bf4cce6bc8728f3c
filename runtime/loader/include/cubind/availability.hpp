// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// The range of CUDA releases whose headers declare a name. Releases are numbers as in CUDA_VERSION and cuDriverGetVersion:
/// 1000 * major + 10 * minor. For a driver function, `since` is the release that the vendor states. A few driver functions are
/// declared only by the headers of the next release.
struct Availability {
    std::string_view name;  ///< the name; empty if no release declares it
    int since = 0;          ///< the first release that declares the name
    int removed = 0;        ///< the first later release whose headers lack it; 0 if the newest headers declare it

    /// Returns whether the headers of `release` declare the name. A driver still exports functions that newer headers dropped.
    constexpr bool in(int release) const noexcept {
        return !name.empty() && release >= since && (removed == 0 || release < removed);
    }
};

/// Returns the row of `name` in a table that is sorted by name; an Availability with an empty name if there is no such row.
template <std::size_t Size>
constexpr Availability find_availability(const Availability (&table)[Size], std::string_view name) noexcept {
    std::size_t begin = 0;
    std::size_t end = Size;
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (table[middle].name < name) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < Size && table[begin].name == name ? table[begin] : Availability{};
}

}  // namespace CUBIND_NAMESPACE
