// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/driver/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The kind of memory of a VirtualMemoryResource.
struct VirtualMemoryKind {
    driver::CUmemAllocationProp properties{};
    std::size_t granularity = 0;
    std::optional<Device> device;  ///< std::nullopt for memory of the host
};

/// A range of reserved addresses with memory at its beginning. The memory consists of separate allocations that follow each
/// other, because the driver maps only whole allocations. Their handles are released once they are mapped; the driver frees an
/// allocation when it is unmapped. Thread-safe.
class VirtualAllocation {
public:
    /// Reserves addresses. `reserved_size` is a multiple of the granularity; `alignment` is a power of two or 0. The
    /// addresses begin at `address_hint` if they are free and it is not 0. `access` is the access to the memory of grow().
    VirtualAllocation(const VirtualMemoryKind& kind, std::vector<driver::CUmemAccessDesc> access, std::size_t reserved_size,
                      std::size_t alignment, driver::CUdeviceptr address_hint = 0);
    VirtualAllocation(const VirtualAllocation&) = delete;
    VirtualAllocation& operator=(const VirtualAllocation&) = delete;
    /// Frees everything unless free() was called. Failures are reported to the cleanup handler.
    ~VirtualAllocation();

    /// Maps memory of another process, and makes it accessible for the device.
    static std::shared_ptr<VirtualAllocation> import(Device device, const ExportedMemory& exported);
    /// Maps those parts of imported memory that are not mapped yet, and makes all of it accessible for the device. If a part
    /// cannot be mapped, the parts before it remain.
    void import_parts(Device device, const ExportedMemory& exported);
    /// Exports the memory of a buffer of `size` bytes. `none` selects file descriptors, or fabric handles if there are none.
    ExportedMemory export_parts(std::size_t size, SharingHandle kind);

    /// Maps more memory after the mapped memory, so that there are at least `size` bytes. If it throws, nothing has changed.
    void grow(std::size_t size);
    /// Unmaps the memory, which no work may use, and frees the addresses. Throws if that fails; a second call does nothing.
    void free();

    /// Sets the access of one location to all memory, including memory that grow() adds later.
    void set_access(const driver::CUmemAccessDesc& access);

    const VirtualMemoryKind& kind() const noexcept { return kind_; }
    driver::CUdeviceptr address() const noexcept { return address_; }
    std::size_t mapped_size() const;
    std::size_t reserved_size() const noexcept { return reserved_size_; }

private:
    static void renew(void* self) noexcept;
    void map(driver::CUmemGenericAllocationHandle memory, std::size_t size);

    const VirtualMemoryKind kind_;
    const std::size_t reserved_size_;
    const driver::CUdeviceptr address_;

    mutable std::mutex mutex_;
    std::vector<driver::CUmemAccessDesc> access_;
    std::vector<std::size_t> parts_;        ///< sizes of the mapped allocations
    std::size_t mapped_size_ = 0;           ///< sum of the parts
    std::array<std::uint64_t, 2> id_ = {};  ///< identifies the memory in other processes; 0 before the first export
    bool is_imported_ = false;
    bool is_freed_ = false;
    const ForkHook fork_hook_{mutex_, this, renew};
};

/// Rounds a size up to a multiple of the granularity. Throws std::invalid_argument if the result does not fit into std::size_t.
std::size_t round_up_to_granularity(std::size_t size, std::size_t granularity);

}  // namespace CUBIND_NAMESPACE::detail
