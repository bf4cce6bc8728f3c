// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace CUBIND_NAMESPACE {

/// Releases whose headers lack a name that earlier and later releases declare.
struct ReleaseGap {
    int begin;  ///< the first of these releases
    int end;    ///< the first later release that declares the name
};

/// The releases whose headers declare a name. Releases of CUDA are numbers as in CUDA_VERSION and cuDriverGetVersion:
/// 1000 * major + 10 * minor. Versions of a library with its own releases are 1000000 * major + 1000 * minor + patch.
/// For a driver function, `since` is the release that the vendor states. If only later headers declare the function, the
/// releases before those headers are a gap.
struct Availability {
    std::string_view name;  ///< the name; empty if no release declares it
    int since = 0;          ///< the first release that has the name
    int removed = 0;        ///< the first release after the last that declares it; 0 if the newest does
    /// Releases in between whose headers lack the name, oldest first. Most names have none.
    std::span<const ReleaseGap> gaps = {};

    /// Returns whether the headers of `release` declare the name. A driver still exports functions that newer headers dropped.
    constexpr bool in(int release) const noexcept {
        if (name.empty() || release < since || (removed != 0 && release >= removed)) return false;
        for (const ReleaseGap& gap : gaps) {
            if (release >= gap.begin && release < gap.end) return false;
        }
        return true;
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
