// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/detail/box_view.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <optional>
#include <string>

#include "array/box_plan.hpp"

/// Parameters of the driver's copies in two and three dimensions, for streams and for nodes of graphs.
namespace CUBIND_NAMESPACE::detail {

inline driver::CUmemorytype type_of(const BoxEnd& end) noexcept {
    return end.array != nullptr ? driver::CU_MEMORYTYPE_ARRAY : driver::CU_MEMORYTYPE_UNIFIED;
}

/// Fills a CUDA_MEMCPY2D, and the first slice of a CUDA_MEMCPY3D or a CUDA_MEMCPY3D_PEER.
template <class Native>
Native native_slice(const BoxPlan& plan) noexcept {
    Native copy{};
    copy.srcXInBytes = plan.from.x;
    copy.srcY = plan.from.y;
    copy.srcMemoryType = type_of(plan.from);
    copy.srcDevice = plan.from.address;
    copy.srcArray = plan.from.array;
    copy.srcPitch = plan.from.pitch;
    copy.dstXInBytes = plan.to.x;
    copy.dstY = plan.to.y;
    copy.dstMemoryType = type_of(plan.to);
    copy.dstDevice = plan.to.address;
    copy.dstArray = plan.to.array;
    copy.dstPitch = plan.to.pitch;
    copy.WidthInBytes = plan.width;
    copy.Height = plan.height;
    return copy;
}

/// Fills a CUDA_MEMCPY3D or a CUDA_MEMCPY3D_PEER.
template <class Native>
Native native_3d(const BoxPlan& plan) noexcept {
    auto copy = native_slice<Native>(plan);
    copy.srcZ = plan.from.z;
    copy.srcHeight = plan.from.rows_per_slice;
    copy.dstZ = plan.to.z;
    copy.dstHeight = plan.to.rows_per_slice;
    copy.Depth = plan.depth;
    return copy;
}

/// Returns whether memory of a side belongs to another device than the current context. cuMemcpy3DPeerAsync makes such copies.
bool is_between_devices(const BoxView& destination, const BoxView& source);

/// Describes both sides of a copy that the driver rejected. `device` performs the copy; `stream` is the stream of the copy, if
/// there is one. Returns an empty text if the driver cannot be queried.
std::string describe_copy(const BoxPlan& plan, const BoxView& destination, const BoxView& source, Device device,
                          std::optional<StreamRef> stream = {});

}  // namespace CUBIND_NAMESPACE::detail
