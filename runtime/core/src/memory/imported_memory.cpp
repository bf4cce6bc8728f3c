// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/imported_memory.hpp"

#include "calls/driver.hpp"
#include "lifetime/process_state.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

void check_sizes(const ExportedMemory& exported) {
    std::size_t mapped_size = 0;
    bool is_valid = !exported.parts.empty();
    for (const ExportedMemory::Part& part : exported.parts) {
        is_valid = is_valid && part.size != 0 && !__builtin_add_overflow(mapped_size, part.size, &mapped_size);
    }
    if (is_valid && exported.size != 0 && exported.size <= mapped_size && mapped_size <= exported.reserved_size) return;
    throw_misuse("the exported memory is not valid: it has ", exported.parts.size(), " parts with a total of ", mapped_size,
                 " bytes for a buffer of ", exported.size, " bytes in ", exported.reserved_size, " bytes of addresses");
}

}  // namespace

ImportedMemory::Registry& ImportedMemory::registry() noexcept {
    return ProcessState<Registry>::get();
}

std::shared_ptr<ImportedMemory> ImportedMemory::open(Device device, const ExportedMemory& exported) {
    check_sizes(exported);
    const std::lock_guard lock(registry().mutex);
    auto& entries = registry().entries;
    const auto found = entries.find(exported.id);
    if (found != entries.end()) {
        found->second->allocation_->import_parts(device, exported);
        ++found->second->uses_;
        return found->second;
    }
    const auto opened = std::make_shared<ImportedMemory>(VirtualAllocation::import(device, exported));
    opened->id_ = exported.id;
    opened->uses_ = 1;
    entries.emplace(exported.id, opened);
    return opened;
}

driver::CUdeviceptr ImportedMemory::allocate(StreamRef, std::size_t size, std::size_t) {
    throw_misuse("cannot allocate ", size, " bytes from imported memory; allocate from a VirtualMemoryResource");
}

void ImportedMemory::free(driver::CUdeviceptr) {
    std::shared_ptr<ImportedMemory> last;  // destroyed after the lock is released
    {
        const std::lock_guard lock(registry().mutex);
        if (--uses_ != 0) return;
        const auto found = registry().entries.find(id_);
        if (found == registry().entries.end()) return;  // in a child of fork(), whose registry began anew
        last = std::move(found->second);
        registry().entries.erase(found);
    }
    allocation_->free();
}

}  // namespace CUBIND_NAMESPACE::detail
