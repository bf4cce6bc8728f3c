// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

namespace CUBIND_NAMESPACE::nccl {

/// Device memory that NCCL allocates, so that it can be registered for transfers without copies: see RegisteredBuffer and Window.
/// Each allocation is a separate call, and is rounded up to the granularity of the device, 2 MiB on most, so allocate few and
/// large buffers. Freeing waits for the stream. Any thread may use it.
///
///     nccl::NcclMemoryResource memory(device);
///     auto gradients = memory.allocate<float>(stream, n);
class CUBIND_EXPORT NcclMemoryResource final : public cubind::detail::ResourceHandle {
public:
    /// Creates a resource for memory of this device (ncclMemAlloc, ncclMemFree). Allocations throw CommunicationError.
    explicit NcclMemoryResource(Device device);
};

}  // namespace CUBIND_NAMESPACE::nccl
