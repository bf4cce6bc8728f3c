// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/copy_plan.hpp"

#include <algorithm>
#include <cstddef>

namespace CUBIND_NAMESPACE::detail {
namespace {

void join_axes(std::vector<CopyAxis>& axes) {
    std::vector<CopyAxis> joined{axes.back()};
    for (std::size_t i = axes.size() - 1; i-- > 0;) {
        CopyAxis& inner = joined.back();
        if (axes[i].to == inner.extent * inner.to && axes[i].from == inner.extent * inner.from) {
            inner.extent *= axes[i].extent;
        } else {
            joined.push_back(axes[i]);
        }
    }
    axes.assign(joined.rbegin(), joined.rend());
}

// Replaces one side of the copy by packed elements.
CopyPlan with_packed(CopyPlan plan, std::int64_t CopyAxis::*side) {
    std::int64_t distance = 1;
    for (auto axis = plan.axes.rbegin(); axis != plan.axes.rend(); ++axis) {
        (*axis).*side = distance;
        distance *= axis->extent;
    }
    join_axes(plan.axes);
    return plan;
}

}  // namespace

CopyPlan plan_of(const StridedView& destination, const StridedView& source) {
    CopyPlan plan{.axes = {},
                  .to = reinterpret_cast<driver::CUdeviceptr>(destination.data()),
                  .from = reinterpret_cast<driver::CUdeviceptr>(source.data())};
    const auto size = static_cast<std::int64_t>(destination.dtype().size());
    for (std::size_t i = 0; i < destination.rank(); ++i) {
        if (destination.shape()[i] == 1) continue;  // its strides have no effect and any values
        CopyAxis axis{destination.shape()[i], destination.strides()[i] * size, source.strides()[i] * size};
        if (axis.to < 0 && axis.from < 0) {  // walked in the other direction
            plan.to += static_cast<driver::CUdeviceptr>((axis.extent - 1) * axis.to);
            plan.from += static_cast<driver::CUdeviceptr>((axis.extent - 1) * axis.from);
            axis.to = -axis.to;
            axis.from = -axis.from;
        }
        plan.axes.push_back(axis);
    }
    std::stable_sort(plan.axes.begin(), plan.axes.end(),
                     [](const CopyAxis& left, const CopyAxis& right) { return left.to > right.to; });
    plan.axes.push_back({size, 1, 1});
    join_axes(plan.axes);
    return plan;
}

std::size_t packed_size(const CopyPlan& plan) noexcept {
    std::size_t size = 1;
    for (const CopyAxis& axis : plan.axes) size *= static_cast<std::size_t>(axis.extent);
    return size;
}

CopyPlan packing_of(const CopyPlan& plan, driver::CUdeviceptr packed) {
    CopyPlan packing = with_packed(plan, &CopyAxis::to);
    packing.to = packed;
    return packing;
}

CopyPlan unpacking_of(const CopyPlan& plan, driver::CUdeviceptr packed) {
    CopyPlan unpacking = with_packed(plan, &CopyAxis::from);
    unpacking.from = packed;
    return unpacking;
}

}  // namespace CUBIND_NAMESPACE::detail
