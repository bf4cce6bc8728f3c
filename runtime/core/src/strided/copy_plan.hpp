// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// A dimension of both views of a copy. Distances are in bytes.
struct CopyAxis {
    std::int64_t extent;
    std::int64_t to;
    std::int64_t from;
};

/// The dimensions of a copy, and the first bytes.
struct CopyPlan {
    std::vector<CopyAxis> axes;  ///< the innermost is last, and has bytes as elements
    driver::CUdeviceptr to;
    driver::CUdeviceptr from;
};

/// Returns the dimensions of a copy between views of the same shape and type, in descending order of the distances in the
/// destination. Dimensions whose elements follow each other in both views are joined.
[[nodiscard]] CopyPlan plan_of(const StridedView& destination, const StridedView& source);

/// Returns the number of bytes that the copy writes.
[[nodiscard]] std::size_t packed_size(const CopyPlan& plan) noexcept;

/// Returns the first half of a copy by way of packed elements: the copy from the source to `packed`, where packed_size() bytes
/// follow each other in the order of the axes.
[[nodiscard]] CopyPlan packing_of(const CopyPlan& plan, driver::CUdeviceptr packed);
/// Returns the second half: the copy of the packed elements to the destination.
[[nodiscard]] CopyPlan unpacking_of(const CopyPlan& plan, driver::CUdeviceptr packed);

}  // namespace CUBIND_NAMESPACE::detail
