// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/copy.hpp>
#include <cubind/core/detail/retainer.hpp>
#include <cubind/core/detail/stream_access.hpp>
#include <cubind/core/strided_view.hpp>

#include <algorithm>
#include <vector>

#include "support/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::throw_misuse;

// A dimension of both views, in bytes.
struct Axis {
    std::int64_t extent;
    std::int64_t to;
    std::int64_t from;
};

// The dimensions of a copy, and the first bytes.
struct Plan {
    std::vector<Axis> axes;  // the innermost is last
    driver::CUdeviceptr to;
    driver::CUdeviceptr from;
};

// Adds the dimensions that have more than one element. Walks a dimension that runs downwards in both views in the other
// direction.
Plan plan_of(const StridedView& destination, const StridedView& source) {
    Plan plan{.axes = {},
              .to = reinterpret_cast<driver::CUdeviceptr>(destination.data()),
              .from = reinterpret_cast<driver::CUdeviceptr>(source.data())};
    const auto size = static_cast<std::int64_t>(destination.dtype().size());
    for (std::size_t i = 0; i < destination.rank(); ++i) {
        if (destination.shape()[i] == 1) continue;  // its strides have no effect and any values
        Axis axis{destination.shape()[i], destination.strides()[i] * size, source.strides()[i] * size};
        if (axis.to < 0 && axis.from < 0) {
            plan.to += static_cast<driver::CUdeviceptr>((axis.extent - 1) * axis.to);
            plan.from += static_cast<driver::CUdeviceptr>((axis.extent - 1) * axis.from);
            axis.to = -axis.to;
            axis.from = -axis.from;
        }
        plan.axes.push_back(axis);
    }
    std::stable_sort(plan.axes.begin(), plan.axes.end(), [](const Axis& left, const Axis& right) { return left.to > right.to; });
    plan.axes.push_back({size, 1, 1});
    return plan;
}

// Joins dimensions whose elements follow each other in both views.
void join_axes(std::vector<Axis>& axes) {
    std::vector<Axis> joined{axes.back()};
    for (std::size_t i = axes.size() - 1; i-- > 0;) {
        Axis& inner = joined.back();
        if (axes[i].to == inner.extent * inner.to && axes[i].from == inner.extent * inner.from) {
            inner.extent *= axes[i].extent;
        } else {
            joined.push_back(axes[i]);
        }
    }
    axes.assign(joined.rbegin(), joined.rend());
}

// Whether a call can copy planes of these rows: rows do not overlap, and planes are a whole number of rows apart.
bool is_box(std::int64_t width, const Axis& row, const Axis& plane, std::int64_t Axis::*side) {
    if (row.*side < width) return false;
    return plane.extent == 1 || (plane.*side % row.*side == 0 && plane.*side / row.*side >= row.extent);
}

[[noreturn]] void throw_other_strides(const StridedView& destination, const StridedView& source) {
    throw_misuse(
        "cannot copy a view of shape ", to_string(source.shape()), " with strides ", to_string(source.strides()),
        " to a view with strides ", to_string(destination.strides()),
        ": no call of the driver copies these strides; copy parts, or with a kernel that takes a StridedSpan of each view");
}

// Describes one side of a copy in two or three dimensions, with bytes as elements.
detail::BoxView box_of(driver::CUdeviceptr address, std::int64_t width, const Axis& row, const Axis& plane,
                       std::int64_t Axis::*side) {
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

void check_operands(const StridedView& destination, const StridedView& source) {
    if (destination.dtype() != source.dtype()) {
        throw_misuse("cannot copy elements of ", to_string(source.dtype()), " to elements of ", to_string(destination.dtype()));
    }
    if (destination.shape() != source.shape()) {
        throw_misuse("cannot copy a view of shape ", to_string(source.shape()), " to a view of shape ",
                     to_string(destination.shape()), ": use slice(), reshape() or broadcast_to()");
    }
    if (destination.is_readonly()) throw_misuse("cannot copy to a read-only view");
}

void retain_owners(StreamRef stream, const StridedView& destination, const StridedView& source) {
    if (detail::Retainer* const retainer = detail::StreamAccess::retainer(stream)) {
        retainer->retain(destination.owner());
        retainer->retain(source.owner());
    }
}

}  // namespace

void copy(StreamRef stream, const StridedView& destination, const StridedView& source) {
    (void)detail::StreamAccess::handle(stream);  // throws for an empty stream
    check_operands(destination, source);
    if (destination.size() == 0) return;
    Plan plan = plan_of(destination, source);
    join_axes(plan.axes);
    const Axis bytes = plan.axes.back();
    if (plan.axes.size() == 1) {
        retain_owners(stream, destination, source);
        const auto size = static_cast<std::size_t>(bytes.extent);
        return detail::copy(stream, {.destination = {plan.to, size, nullptr}, .source = {plan.from, size, nullptr}});
    }
    if (plan.axes.size() > 3) throw_other_strides(destination, source);
    const Axis row = plan.axes[plan.axes.size() - 2];
    const Axis plane = plan.axes.size() == 3 ? plan.axes.front() : Axis{1, 0, 0};
    const bool is_possible = is_box(bytes.extent, row, plane, &Axis::to) && is_box(bytes.extent, row, plane, &Axis::from);
    if (!is_possible) throw_other_strides(destination, source);
    retain_owners(stream, destination, source);
    detail::copy_box(stream, box_of(plan.to, bytes.extent, row, plane, &Axis::to),
                     box_of(plan.from, bytes.extent, row, plane, &Axis::from));
}

}  // namespace CUBIND_NAMESPACE
