// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/memory_pool.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <memory>
#include <optional>

#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/pool_sharing.hpp"
#include "memory/refusals.hpp"
#include "memory/shareable_handle.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The location and the limit of a pool's memory.
struct PoolPlace {
    std::optional<Device> device;  ///< std::nullopt for host memory and managed memory
    bool is_host_accessible = false;
    bool is_managed = false;
    std::size_t max_size = 0;  ///< in bytes; 0 if no limit is known
};

/// Returns the kinds of handles that the options of a pool state. Throws std::invalid_argument for other kinds.
SharingHandle kinds_of_pool(bool ipc_enabled, SharingHandle sharing);

/// A memory resource that allocates from a pool of the driver.
class MemoryPool final : public MemoryResourceBase {
public:
    MemoryPool(driver::CUmemoryPool handle, bool is_owned, const PoolPlace& place,
               std::unique_ptr<PoolSharing> sharing = nullptr) noexcept
        : handle_(handle), is_owned_(is_owned), place_(place), sharing_(std::move(sharing)) {}
    ~MemoryPool() override;

    /// Creates a pool, which is destroyed with the object (cuMemPoolCreate). If its properties have a type of handles, processes
    /// can share it.
    static std::shared_ptr<MemoryPool> make(const driver::CUmemPoolProps& properties, const PoolPlace& place);
    /// Opens a pool of another process (cuMemPoolImportFromShareableHandle), unless this process has it. Throws
    /// std::invalid_argument if that is of another device.
    static std::shared_ptr<MemoryPool> import(const IpcAllocationHandle& handle, const PoolPlace& place);
    /// Returns the pool that this process shares with others. Throws std::invalid_argument if there is none, or if `is_of_device`
    /// does not hold.
    static std::shared_ptr<MemoryPool> from_registry(const PoolUuid& uuid, bool is_of_device);

    driver::CUmemoryPool handle() const noexcept { return handle_; }
    bool is_owned() const noexcept { return is_owned_; }
    /// Returns what a pool that processes share has; nullptr for other pools.
    PoolSharing* sharing() const noexcept { return sharing_.get(); }
    /// Returns a handle by which other processes open the pool, of a kind that its sharing() has
    /// (cuMemPoolExportToShareableHandle).
    ShareableHandle export_handle(SharingHandle kind) const;

    /// Returns an attribute; `Value` is the type of the driver, int or cuuint64_t.
    template <class Value>
    Value get(driver::CUmemPool_attribute which) const {
        return check(query<Value>(which));
    }
    template <class Value>
    Result<driver::CUresult, Value> query(driver::CUmemPool_attribute which) const {
        Value value{};
        const RelaxedCaptureMode mode;
        const auto queried = driver::cuMemPoolGetAttribute(handle_, which, &value);
        return {queried.status, value};
    }
    template <class Value>
    void set(driver::CUmemPool_attribute which, Value value) const;

    /// Returns unused memory (cuMemPoolTrimTo).
    void trim(std::size_t bytes_to_retain) const;

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
        check_driver_alignment(alignment);
        if (is_mapped()) [[unlikely]]
            throw_cannot_allocate(size);
        const RelaxedWhileCapturing mode;
        const auto allocated = driver::cuMemAllocFromPoolAsync(size, handle_, StreamAccess::handle(stream));
        if (!allocated.ok()) [[unlikely]]
            throw_not_allocated(allocated, size, stream);
        return allocated.value;
    }
    void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override;
    bool is_device_accessible() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return place_.is_host_accessible; }
    bool is_managed() const noexcept override { return place_.is_managed; }
    bool is_mapped() const noexcept override { return sharing_ != nullptr && sharing_->is_mapped; }
    bool is_capturable() const noexcept override { return place_.device.has_value() && !place_.is_managed; }
    std::optional<Device> device() const noexcept override { return place_.device; }

private:
    [[noreturn, gnu::cold]] void throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> result, std::size_t size,
                                                     StreamRef stream) const;
    [[noreturn, gnu::cold]] static void throw_cannot_allocate(std::size_t size);
    static void free_after_failure(Result<driver::CUresult> failed, driver::CUdeviceptr pointer, StreamRef stream);

    driver::CUmemoryPool handle_;
    bool is_owned_;
    PoolPlace place_;
    std::unique_ptr<PoolSharing> sharing_;
};

}  // namespace CUBIND_NAMESPACE::detail
