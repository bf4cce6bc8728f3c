// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/memory_pool.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/memory_pool.hpp>
#include <cubind/driver/stream.hpp>

#include <cstdint>
#include <cstring>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "files/random_numbers.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

std::shared_ptr<MemoryPool> own(driver::CUmemoryPool handle, const PoolPlace& place, std::unique_ptr<PoolSharing> sharing) {
    try {
        return std::make_shared<MemoryPool>(handle, true, place, std::move(sharing));
    } catch (...) {
        report_unless_released(driver::cuMemPoolDestroy(handle), "destroy a memory pool", handle);
        throw;
    }
}

std::string place_name(const std::optional<Device>& device) {
    return device ? concat("device ", device->ordinal()) : "the host";
}

}  // namespace

SharingHandle kinds_of_pool(bool ipc_enabled, SharingHandle sharing) {
    check_kinds(sharing);
    return ipc_enabled ? sharing | SharingHandle::posix_file_descriptor : sharing;
}

std::shared_ptr<MemoryPool> MemoryPool::make(const driver::CUmemPoolProps& properties, const PoolPlace& place) {
    const bool is_shared = properties.handleTypes != driver::CU_MEM_HANDLE_TYPE_NONE;
    auto sharing = is_shared
                       ? std::make_unique<PoolSharing>(random_id(), false, static_cast<SharingHandle>(properties.handleTypes))
                       : nullptr;
    const RelaxedCaptureMode mode;
    const auto created = driver::cuMemPoolCreate(&properties);
    detail::check_latest(created);
    auto pool = own(created.value, place, std::move(sharing));
    if (is_shared) PoolRegistry::get().add(pool->sharing()->uuid, pool);
    return pool;
}

std::shared_ptr<MemoryPool> MemoryPool::import(const IpcAllocationHandle& handle, const PoolPlace& place) {
    check_one_kind(handle.kind);
    const bool is_fabric = handle.kind == SharingHandle::fabric;
    driver::CUmemFabricHandle fabric{};
    std::memcpy(&fabric, handle.fabric.data(), sizeof fabric);
    void* const native = is_fabric ? &fabric : reinterpret_cast<void*>(std::intptr_t{handle.descriptor.native_handle()});
    const RelaxedCaptureMode mode;
    const auto open = [&] {
        auto sharing = std::make_unique<PoolSharing>(handle.uuid, true, handle.kind);
        const auto imported =
            driver::cuMemPoolImportFromShareableHandle(native, static_cast<driver::CUmemAllocationHandleType>(handle.kind), 0);
        if (!imported.ok()) {
            throw_with_advice({imported.status}, is_fabric
                                                     ? std::string(fabric_advice)
                                                     : concat("the descriptor ", handle.descriptor.native_handle(),
                                                              " must be of a memory pool on a device that this process can use; "
                                                              "PoolMemoryResource::allocation_handle() returns one"));
        }
        return own(imported.value, place, std::move(sharing));
    };
    if (handle.uuid == PoolUuid{}) return open();
    auto pool = PoolRegistry::get().find_or_import(handle.uuid, open);
    if (pool->device() != place.device) {
        throw_misuse("a memory pool of ", place_name(pool->device()), " cannot be opened as one of ", place_name(place.device),
                     ": this process has the pool already");
    }
    return pool;
}

std::shared_ptr<MemoryPool> MemoryPool::from_registry(const PoolUuid& uuid, bool is_of_device) {
    auto pool = PoolRegistry::get().find(uuid);
    if (pool == nullptr) {
        throw_misuse("no memory pool of this process has the identity {", uuid[0], ", ", uuid[1],
                     "}; from_allocation_handle() opens the pool of another process");
    }
    if (pool->device().has_value() != is_of_device) {
        throw_misuse("the memory pool with the identity {", uuid[0], ", ", uuid[1], "} is one of ", place_name(pool->device()));
    }
    return pool;
}

ShareableHandle MemoryPool::export_handle(SharingHandle kind) const {
    const RelaxedCaptureMode mode;
    ShareableHandle exported = export_by(kind, [&](void* handle) {
        return driver::cuMemPoolExportToShareableHandle(handle, handle_, static_cast<driver::CUmemAllocationHandleType>(kind), 0);
    });
    sharing_->is_exported.store(true, std::memory_order_relaxed);
    return exported;
}

MemoryPool::~MemoryPool() {
    if (!is_owned_) return;
    const RelaxedCaptureMode mode;
    const bool is_registered = sharing_ != nullptr && sharing_->uuid != PoolUuid{};
    const auto destroyed =
        is_registered ? PoolRegistry::get().destroy(sharing_->uuid, handle_) : driver::cuMemPoolDestroy(handle_);
    report_unless_released(destroyed, "destroy a memory pool", handle_);
}

// ---- attributes ----------------------------------------------------------------------------------------------------------

template <class Value>
void MemoryPool::set(driver::CUmemPool_attribute which, Value value) const {
    const RelaxedCaptureMode mode;
    check(driver::cuMemPoolSetAttribute(handle_, which, &value));
}

template void MemoryPool::set(driver::CUmemPool_attribute, int) const;
template void MemoryPool::set(driver::CUmemPool_attribute, driver::cuuint64_t) const;

void MemoryPool::trim(std::size_t bytes_to_retain) const {
    const RelaxedCaptureMode mode;
    check(driver::cuMemPoolTrimTo(handle_, bytes_to_retain));
}

// ---- memory --------------------------------------------------------------------------------------------------------------

void MemoryPool::throw_not_allocated(Result<driver::CUresult, driver::CUdeviceptr> result, std::size_t size,
                                     StreamRef stream) const {
    std::string room("the pool has ");
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    (void)driver::cuMemPoolGetAttribute(handle_, driver::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &reserved);
    (void)driver::cuMemPoolGetAttribute(handle_, driver::CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used);
    room.append(std::to_string(reserved)).append(" bytes, of which ").append(std::to_string(used)).append(" are in use");
    if (place_.max_size != 0) room.append("; it can have at most ").append(std::to_string(place_.max_size)).append(" bytes");
    detail::throw_not_allocated(result, size, stream, place_.device, room);
}

void MemoryPool::throw_cannot_allocate(std::size_t size) {
    throw_misuse("cannot allocate ", size,
                 " bytes from a memory pool of another process; Buffer::from_ipc_descriptor() maps memory "
                 "that its own process has allocated");
}

void MemoryPool::deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t, std::size_t) {
    if (is_mapped()) [[unlikely]]
        return sharing_->free(stream, pointer);
    const RelaxedWhileCapturing mode;
    const auto freed = driver::cuMemFreeAsync(pointer, StreamAccess::handle(stream));
    if (!freed.ok()) [[unlikely]]
        free_after_failure(freed, pointer, stream);
}

// Frees memory that its stream cannot free. While a stream is capturing, it cannot free memory that was allocated before the
// capture. Captured work retains the memory that it uses, so only other work can still use this memory, and cuMemFree waits for
// that work. A stream that ended with its context cannot free memory of a pool either, because that memory belongs to no
// context.
void MemoryPool::free_after_failure(Result<driver::CUresult> failed, driver::CUdeviceptr pointer, StreamRef stream) {
    try {
        detail::check_latest(failed);
    } catch (const Error& error) {
        const auto capturing = driver::cuStreamIsCapturing(StreamAccess::handle(stream));
        if (capturing.ok() && capturing.value == driver::CU_STREAM_CAPTURE_STATUS_NONE) throw;
        const ContextGuard context;
        const RelaxedCaptureMode mode;
        const auto freed = driver::cuMemFree(pointer);
        if (!freed.ok())
            throw Error(error, concat("cuMemFree cannot free the memory, either: ", driver::to_string(freed.status)));
    }
}

}  // namespace CUBIND_NAMESPACE::detail
