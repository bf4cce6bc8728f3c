// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy_options.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <vector>

#include "array/box_plan.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Copies in two and three dimensions that one call of cuMemcpy3DBatchAsync submits.
class BoxBatch {
public:
    /// Returns whether a batch can have the copy. Its sizes count elements of the array, so a pitch must be a multiple of these.
    /// How a batch counts the blocks of compressed arrays differs from other copies.
    [[nodiscard]] static bool accepts(const BoxPlan& plan) noexcept;

    /// Adds a copy that is not empty, that a batch can have, and whose sides the stream's device can access.
    void add(const BoxPlan& plan, const CopyOptions& options);
    /// Returns whether there are no copies.
    [[nodiscard]] bool is_empty() const noexcept { return operations_.empty(); }
    /// Submits the copies. Drivers before CUDA 12.8 lack the function; is_missing() then returns true for the result. The
    /// stream's context is current.
    [[nodiscard]] Result<driver::CUresult> submit(StreamRef stream);

private:
    std::vector<driver::CUDA_MEMCPY3D_BATCH_OP> operations_;
};

}  // namespace CUBIND_NAMESPACE::detail
