// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>

namespace cubind {

/// Entry points that live as long as the process, for range-for: `for (EntryPoint* entry : driver::all_entry_points())`.
class EntryPoints {
public:
    constexpr EntryPoints(EntryPoint* const* begin, EntryPoint* const* end) noexcept : begin_(begin), end_(end) {}

    constexpr EntryPoint* const* begin() const noexcept { return begin_; }
    constexpr EntryPoint* const* end() const noexcept { return end_; }

private:
    EntryPoint* const* begin_;
    EntryPoint* const* end_;
};

}  // namespace cubind
