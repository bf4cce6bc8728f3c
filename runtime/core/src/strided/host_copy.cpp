// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/host_copy.hpp"

#include <cstddef>
#include <cstring>

namespace CUBIND_NAMESPACE::detail {
namespace {

/// Copies rows of `Size` bytes, or of `size` bytes if `Size` is 0. Rows of a known size need no call of memcpy().
template <std::size_t Size>
void copy_rows(const CopyAxis& rows, std::size_t size, std::byte* to, const std::byte* from) noexcept {
    for (std::int64_t i = 0; i < rows.extent; ++i, to += rows.to, from += rows.from)
        std::memcpy(to, from, Size != 0 ? Size : size);
}

void copy_rows(const CopyAxis& rows, std::size_t size, std::byte* to, const std::byte* from) noexcept {
    switch (size) {
        case 1:
            return copy_rows<1>(rows, size, to, from);
        case 2:
            return copy_rows<2>(rows, size, to, from);
        case 4:
            return copy_rows<4>(rows, size, to, from);
        case 8:
            return copy_rows<8>(rows, size, to, from);
        case 16:
            return copy_rows<16>(rows, size, to, from);
        default:
            return copy_rows<0>(rows, size, to, from);
    }
}

/// Copies the axes from `axis` on. The last axis has bytes as elements.
void copy_axes(const CopyPlan& plan, std::size_t axis, std::byte* to, const std::byte* from) noexcept {
    const CopyAxis& outer = plan.axes[axis];
    const auto size = static_cast<std::size_t>(plan.axes.back().extent);
    if (axis + 1 == plan.axes.size()) {
        std::memcpy(to, from, size);
    } else if (axis + 2 == plan.axes.size()) {
        copy_rows(outer, size, to, from);
    } else {
        for (std::int64_t i = 0; i < outer.extent; ++i) copy_axes(plan, axis + 1, to + i * outer.to, from + i * outer.from);
    }
}

}  // namespace

void copy_on_host(const CopyPlan& plan) noexcept {
    copy_axes(plan, 0, reinterpret_cast<std::byte*>(plan.to), reinterpret_cast<const std::byte*>(plan.from));
}

}  // namespace CUBIND_NAMESPACE::detail
