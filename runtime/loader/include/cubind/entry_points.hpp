// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

namespace CUBIND_NAMESPACE {

/// View of entry points that live as long as the process, for range-for:
/// `for (EntryPoint* entry : driver::all_entry_points())`.
class EntryPoints {
public:
    /// Creates a view of the pointers in [begin, end).
    constexpr EntryPoints(EntryPoint* const* begin, EntryPoint* const* end) noexcept : begin_(begin), end_(end) {}

    /// Returns the first position.
    constexpr EntryPoint* const* begin() const noexcept { return begin_; }
    /// Returns the position after the last.
    constexpr EntryPoint* const* end() const noexcept { return end_; }

private:
    EntryPoint* const* begin_;
    EntryPoint* const* end_;
};

}  // namespace CUBIND_NAMESPACE
