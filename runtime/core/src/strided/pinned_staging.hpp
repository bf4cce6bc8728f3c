// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>

namespace CUBIND_NAMESPACE::detail {

/// Pinned host memory, which host functions of streams retain (cuMemHostAlloc, cuMemFreeHost). Copies share the memory. The last
/// copy may be destroyed on any thread, and after the context; a failure is reported to the cleanup handler.
class PinnedStaging {
public:
    /// Allocates `size` bytes in the context. Devices can access the memory at the address of the host.
    PinnedStaging(ContextRef context, std::size_t size);

    driver::CUdeviceptr address() const noexcept { return address_; }
    /// Returns a reference that retains the memory.
    const std::shared_ptr<const void>& share() const noexcept { return memory_; }

private:
    driver::CUdeviceptr address_;
    std::shared_ptr<const void> memory_;
};

}  // namespace CUBIND_NAMESPACE::detail
