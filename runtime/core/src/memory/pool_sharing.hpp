// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

class MemoryPool;

/// What a memory pool has in addition if processes share it: its identity, and, in a process that has imported it, the mappings
/// of its buffers. All imports of a buffer share one mapping, because the driver counts no imports: one free would unmap the
/// memory for all of them, or it refuses a second import.
class PoolSharing {
public:
    PoolSharing(const PoolUuid& own_uuid, bool own_is_mapped, SharingHandle own_kinds) noexcept
        : uuid(own_uuid), is_mapped(own_is_mapped), kinds(own_kinds) {}

    /// Returns the kind of handles by which the pool is exported unless another kind is requested.
    SharingHandle usual_kind() const noexcept {
        return kinds == SharingHandle::fabric ? kinds : SharingHandle::posix_file_descriptor;
    }
    /// Maps the memory of a buffer, or adds a use of its mapping. free() removes the use.
    driver::CUdeviceptr import(driver::CUmemoryPool pool, const IpcBufferDescriptor& descriptor);
    /// Waits for the stream, removes a use of the mapping at the address, and unmaps the memory after the last use.
    void free(StreamRef stream, driver::CUdeviceptr pointer);

    const PoolUuid uuid;
    const bool is_mapped;                  ///< whether another process has created the pool
    const SharingHandle kinds;             ///< the handles that the pool can have
    std::atomic<bool> is_exported{false};  ///< whether the pool has been exported, which the export of its memory requires

private:
    struct Mapping {
        driver::CUdeviceptr pointer;
        std::size_t size;
        std::size_t uses;
    };
    using Mappings = std::map<std::array<std::byte, 64>, Mapping>;

    static void renew(void* self) noexcept;

    std::mutex mutex_;  // also held during the driver calls, so that no import finds a mapping that is about to end
    Mappings mappings_;
    const ForkHook fork_hook_{mutex_, this, renew};
};

/// The pools of the process that processes share, by their identities. Thread-safe.
class PoolRegistry {
public:
    /// Returns the registry of the process.
    static PoolRegistry& get() noexcept;

    /// Returns the pool, or nullptr if the process has none of this identity.
    std::shared_ptr<MemoryPool> find(const PoolUuid& uuid);
    /// Returns the pool, and registers the result of `import` if there is none.
    std::shared_ptr<MemoryPool> find_or_import(const PoolUuid& uuid, const std::function<std::shared_ptr<MemoryPool>()>& import);
    /// Registers a new pool.
    void add(const PoolUuid& uuid, const std::shared_ptr<MemoryPool>& pool);
    /// Destroys the handle of a pool whose last owner is gone. No import of the same pool runs in the meantime.
    Result<driver::CUresult> destroy(const PoolUuid& uuid, driver::CUmemoryPool handle);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<PoolUuid, std::weak_ptr<MemoryPool>> pools_;  // expired while the handle is being destroyed
};

}  // namespace CUBIND_NAMESPACE::detail
