// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/pool_sharing.hpp"

#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/driver/memory_pool.hpp>

#include <cstring>
#include <optional>

#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "lifetime/process_state.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/memory_pool.hpp"
#include "memory/refusals.hpp"
#include "memory/synchronous_memory.hpp"

namespace CUBIND_NAMESPACE::detail {

// ---- mappings ------------------------------------------------------------------------------------------------------------

namespace {

[[noreturn]] void throw_too_large(std::size_t size, std::size_t found) {
    throw_misuse("the descriptor of a buffer states ", size, " bytes, but the memory of the other process has ", found, " bytes");
}

// Returns the bytes from the address to the end of its allocation.
std::size_t size_from(driver::CUdeviceptr pointer, const PointerAttributes& found) {
    return found.allocation + found.allocation_size - pointer;
}

/// Mapped memory, which the destructor unmaps unless release() was called.
class MappedPointer {
public:
    MappedPointer(driver::CUmemoryPool pool, const IpcBufferDescriptor& descriptor) {
        driver::CUmemPoolPtrExportData data{};
        static_assert(sizeof data.reserved == sizeof(IpcBufferDescriptor::data));
        std::memcpy(data.reserved, descriptor.data.data(), sizeof data.reserved);
        const auto imported = driver::cuMemPoolImportPointer(pool, &data);
        if (!imported.ok()) {
            throw_with_advice({imported.status}, concat("a buffer of ", descriptor.size,
                                                        " bytes cannot be imported unless its process still has it and has "
                                                        "allocated it from the same pool"));
        }
        pointer_ = imported.value;
    }
    ~MappedPointer() {
        if (pointer_ != 0)
            report_unless_released(driver::cuMemFree(pointer_), "unmap memory of another process",
                                   reinterpret_cast<void*>(pointer_));
    }
    MappedPointer(const MappedPointer&) = delete;
    MappedPointer& operator=(const MappedPointer&) = delete;

    driver::CUdeviceptr get() const noexcept { return pointer_; }
    void release() noexcept { pointer_ = 0; }

private:
    driver::CUdeviceptr pointer_ = 0;
};

}  // namespace

driver::CUdeviceptr PoolSharing::import(driver::CUmemoryPool pool, const IpcBufferDescriptor& descriptor) {
    const ContextGuard context;
    const RelaxedCaptureMode mode;
    const std::lock_guard lock(mutex_);
    const auto found = mappings_.find(descriptor.data);
    if (found != mappings_.end()) {
        Mapping& mapping = found->second;
        if (descriptor.size > mapping.size) throw_too_large(descriptor.size, mapping.size);
        ++mapping.uses;
        return mapping.pointer;
    }
    MappedPointer mapped(pool, descriptor);
    const std::size_t size = size_from(mapped.get(), PointerAttributes::of(mapped.get()));
    if (descriptor.size > size) throw_too_large(descriptor.size, size);
    mappings_.emplace(descriptor.data, Mapping{mapped.get(), size, 1});
    const driver::CUdeviceptr pointer = mapped.get();
    mapped.release();
    return pointer;
}

void PoolSharing::free(StreamRef stream, driver::CUdeviceptr pointer) {
    const RelaxedCaptureMode mode;
    wait_before_free(stream);
    std::optional<ContextGuard> context;
    try {
        context.emplace();
    } catch (const Error&) {  // cuMemFree fails if it requires the context
    }
    const std::lock_guard lock(mutex_);
    for (auto each = mappings_.begin(); each != mappings_.end(); ++each) {
        if (each->second.pointer != pointer) continue;
        if (--each->second.uses != 0) return;
        mappings_.erase(each);
        break;
    }
    check(driver::cuMemFree(pointer));
}

void PoolSharing::renew(void* self) noexcept {
    auto& sharing = *static_cast<PoolSharing*>(self);
    ::new (&sharing.mutex_) std::mutex;
    ::new (&sharing.mappings_) Mappings;
}

// ---- pools ---------------------------------------------------------------------------------------------------------------

PoolRegistry& PoolRegistry::get() noexcept {
    return ProcessState<PoolRegistry, &PoolRegistry::mutex_>::get();
}

std::shared_ptr<MemoryPool> PoolRegistry::find(const PoolUuid& uuid) {
    const std::lock_guard lock(mutex_);
    const auto found = pools_.find(uuid);
    return found != pools_.end() ? found->second.lock() : nullptr;
}

std::shared_ptr<MemoryPool> PoolRegistry::find_or_import(const PoolUuid& uuid,
                                                         const std::function<std::shared_ptr<MemoryPool>()>& import) {
    std::unique_lock lock(mutex_);
    for (auto found = pools_.find(uuid); found != pools_.end(); found = pools_.find(uuid)) {
        if (auto pool = found->second.lock()) return pool;
        changed_.wait(lock);
    }
    const auto entry = pools_.emplace(uuid, std::weak_ptr<MemoryPool>()).first;
    try {
        auto pool = import();
        entry->second = pool;
        return pool;
    } catch (...) {
        pools_.erase(entry);
        throw;
    }
}

void PoolRegistry::add(const PoolUuid& uuid, const std::shared_ptr<MemoryPool>& pool) {
    const std::lock_guard lock(mutex_);
    pools_.emplace(uuid, pool);
}

Result<driver::CUresult> PoolRegistry::destroy(const PoolUuid& uuid, driver::CUmemoryPool handle) {
    const std::lock_guard lock(mutex_);
    const auto destroyed = driver::cuMemPoolDestroy(handle);
    pools_.erase(uuid);
    changed_.notify_all();
    return destroyed;
}

}  // namespace CUBIND_NAMESPACE::detail
