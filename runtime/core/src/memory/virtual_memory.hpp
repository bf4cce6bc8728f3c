// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/virtual_memory_resource.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/synchronous_memory.hpp"
#include "memory/virtual_allocation.hpp"
#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The resource of VirtualMemoryResource. It finds its allocations by their addresses.
class VirtualMemory final : public SynchronousMemory {
public:
    VirtualMemory(const MemoryLocation& location, const VirtualMemoryResourceOptions& options);

    const MemoryLocation& location() const noexcept { return location_; }
    const VirtualMemoryResourceOptions& options() const noexcept { return options_; }
    const VirtualMemoryKind& kind() const noexcept { return kind_; }

    /// Allocates memory that can grow up to `reserve_size` bytes; 0 selects the default. deallocate() frees it.
    std::shared_ptr<VirtualAllocation> allocate_growing(std::size_t size, std::size_t reserve_size);

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override;
    bool is_host_accessible() const noexcept override { return !kind_.device || is_managed(); }
    bool is_managed() const noexcept override { return options_.allocation_type == AllocationType::managed; }
    std::optional<Device> device() const noexcept override { return kind_.device; }

private:
    using Allocations = std::map<driver::CUdeviceptr, std::shared_ptr<VirtualAllocation>>;

    static void renew(void* self) noexcept;
    void free(driver::CUdeviceptr pointer) override;
    std::shared_ptr<VirtualAllocation> add(std::size_t size, std::size_t reserved_size, std::size_t alignment);
    std::size_t default_reserve_size() const;

    const MemoryLocation location_;
    const VirtualMemoryResourceOptions options_;
    const VirtualMemoryKind kind_;
    const std::vector<driver::CUmemAccessDesc> access_;

    std::mutex mutex_;
    Allocations allocations_;
    const ForkHook fork_hook_{mutex_, this, renew};
};

}  // namespace CUBIND_NAMESPACE::detail
