// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided_view.hpp>
#include <cubind/driver/types.hpp>

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

}  // namespace CUBIND_NAMESPACE::detail
