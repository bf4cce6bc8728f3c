// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/driver_copy.hpp"

#include <cubind/core/memory/copy.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::detail {
namespace {

// Whether a call can copy planes of these rows: rows do not overlap, and planes are a whole number of rows apart.
bool is_box(std::int64_t width, const CopyAxis& row, const CopyAxis& plane, std::int64_t CopyAxis::*side) {
    if (row.*side < width) return false;
    return plane.extent == 1 || (plane.*side % row.*side == 0 && plane.*side / row.*side >= row.extent);
}

// Describes one side of a copy in two or three dimensions, with bytes as elements.
BoxView box_of(driver::CUdeviceptr address, std::int64_t width, const CopyAxis& row, const CopyAxis& plane,
               std::int64_t CopyAxis::*side) {
    const auto pitch = static_cast<std::size_t>(row.*side);
    return {.address = address,
            .extent = {.width = static_cast<std::size_t>(width),
                       .height = static_cast<std::size_t>(row.extent),
                       .depth = static_cast<std::size_t>(plane.extent)},
            .element_size = 1,
            .pitch = pitch,
            .rows_per_slice =
                plane.extent == 1 ? static_cast<std::size_t>(row.extent) : static_cast<std::size_t>(plane.*side) / pitch};
}

CopyAxis row_of(const CopyPlan& plan) noexcept {
    return plan.axes[plan.axes.size() - 2];
}

CopyAxis plane_of(const CopyPlan& plan) noexcept {
    return plan.axes.size() == 3 ? plan.axes.front() : CopyAxis{1, 0, 0};
}

}  // namespace

bool has_driver_copy(const CopyPlan& plan) noexcept {
    if (plan.axes.size() == 1) return true;
    if (plan.axes.size() > 3) return false;
    const std::int64_t width = plan.axes.back().extent;
    return is_box(width, row_of(plan), plane_of(plan), &CopyAxis::to) &&
           is_box(width, row_of(plan), plane_of(plan), &CopyAxis::from);
}

void copy_by_driver(StreamRef stream, const CopyPlan& plan) {
    const std::int64_t width = plan.axes.back().extent;
    if (plan.axes.size() == 1) {
        const auto size = static_cast<std::size_t>(width);
        return copy(stream, CopyOperands{.destination = {plan.to, size, nullptr}, .source = {plan.from, size, nullptr}});
    }
    copy_box(stream, box_of(plan.to, width, row_of(plan), plane_of(plan), &CopyAxis::to),
             box_of(plan.from, width, row_of(plan), plane_of(plan), &CopyAxis::from));
}

}  // namespace CUBIND_NAMESPACE::detail
