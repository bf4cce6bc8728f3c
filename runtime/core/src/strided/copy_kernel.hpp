// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/launch_config.hpp>
#include <cubind/core/stream/stream.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "strided/copy_plan.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The parameter of the kernels. The first axis varies fastest with the index of an element.
struct CopyArguments {
    driver::CUdeviceptr to;
    driver::CUdeviceptr from;
    std::uint64_t count;  ///< elements, or tiles
    std::uint32_t rank;
    CopyAxis axes[Dimensions::max_rank + 1];  ///< one more if elements consist of several words
};

/// The launch of a kernel that copies.
struct CopyLaunch {
    LaunchConfig config;
    const Kernel& kernel;  ///< exists until the process ends
    CopyArguments arguments;
};

/// Returns the launch for a copy, and loads the kernel as copy_by_kernel() does.
[[nodiscard]] CopyLaunch copy_launch(const CopyPlan& plan);

/// Copies with a kernel in stream order. The device of the stream must be able to access both sides. The first copy of elements
/// of a size loads the kernels for that size, in each process (cuLibraryLoadData, cuLaunchKernelEx).
void copy_by_kernel(StreamRef stream, const CopyPlan& plan);

/// Returns the PTX of both kernels for elements of this size, which is a power of two up to 16 bytes.
[[nodiscard]] std::string copy_kernels_ptx(std::size_t element_size);

}  // namespace CUBIND_NAMESPACE::detail
