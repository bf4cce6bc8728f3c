// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/exported_memory.hpp>

#include <map>
#include <memory>
#include <mutex>

#include "memory/synchronous_memory.hpp"
#include "memory/virtual_allocation.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The memory of a buffer of another process. All imports of the buffer share one mapping, which is freed with the last of them.
/// Each import is an allocation of this resource at the same address.
class ImportedMemory final : public SynchronousMemory {
public:
    /// Maps the memory, or the parts of it that are not mapped yet, makes it accessible for the device, and adds a use.
    /// deallocate() removes the use.
    static std::shared_ptr<ImportedMemory> open(Device device, const ExportedMemory& exported);

    explicit ImportedMemory(std::shared_ptr<VirtualAllocation> allocation) : allocation_(std::move(allocation)) {}

    const std::shared_ptr<VirtualAllocation>& allocation() const noexcept { return allocation_; }

    driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override;
    bool is_mapped() const noexcept override { return true; }
    bool is_host_accessible() const noexcept override { return !allocation_->kind().device; }
    std::optional<Device> device() const noexcept override { return allocation_->kind().device; }

private:
    using Id = std::array<std::uint64_t, 2>;

    /// The imported memory of the process, by the id of the export.
    struct Registry {
        std::mutex mutex;
        std::map<Id, std::shared_ptr<ImportedMemory>> entries;
    };
    static Registry& registry() noexcept;

    void free(driver::CUdeviceptr pointer) override;

    const std::shared_ptr<VirtualAllocation> allocation_;
    Id id_{};               // set once the object is in the registry
    std::size_t uses_ = 0;  // guarded by the mutex of the registry
};

}  // namespace CUBIND_NAMESPACE::detail
