// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "files/random_numbers.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/physical_handle.hpp"
#include "memory/shareable_handle.hpp"
#include "memory/virtual_allocation.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

ShareableHandle export_memory(driver::CUdeviceptr address, SharingHandle kind) {
    const PhysicalHandle memory(check(driver::cuMemRetainAllocationHandle(reinterpret_cast<void*>(address))));
    return export_handle(memory.native(), kind);
}

PhysicalHandle import_memory(SharingHandle kind, const ExportedMemory::Part& part) {
    return PhysicalHandle(import_handle(kind, part.descriptor, part.fabric));
}

// Returns the kind to export with; see export_parts().
SharingHandle select(SharingHandle available, SharingHandle wanted) {
    constexpr auto descriptor = SharingHandle::posix_file_descriptor;
    if (wanted == SharingHandle::none) wanted = available == SharingHandle::fabric ? available : descriptor;
    if ((available & wanted) == wanted) return wanted;
    const bool is_fabric = wanted == SharingHandle::fabric;
    throw_misuse(
        "the memory cannot be exported as ", is_fabric ? "fabric handles" : "file descriptors",
        "; create its VirtualMemoryResource with .sharing = SharingHandle::", is_fabric ? "fabric" : "posix_file_descriptor");
}

driver::CUmemAccessDesc read_write(const driver::CUmemLocation& location) {
    return {location, driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
}

}  // namespace

ExportedMemory VirtualAllocation::export_parts(std::size_t size, SharingHandle wanted) {
    const std::lock_guard lock(mutex_);
    if (is_imported_) throw_misuse("imported memory can be exported only by the process that has allocated it");
    const SharingHandle kind = select(static_cast<SharingHandle>(kind_.properties.requestedHandleTypes), wanted);
    if (id_ == std::array<std::uint64_t, 2>{}) id_ = random_id();
    ExportedMemory exported{id_, size, reserved_size_};
    exported.kind = kind;
    const RelaxedCaptureMode mode;
    driver::CUdeviceptr address = address_;
    for (const std::size_t part : parts_) {
        ShareableHandle handle = export_memory(address, kind);
        exported.parts.push_back({std::move(handle.descriptor), part, handle.fabric});
        address += part;
    }
    return exported;
}

std::shared_ptr<VirtualAllocation> VirtualAllocation::import(Device device, const ExportedMemory& exported) {
    VirtualMemoryKind kind;
    {
        const RelaxedCaptureMode mode;
        const PhysicalHandle memory = import_memory(exported.kind, exported.parts.front());
        kind.properties = check(driver::cuMemGetAllocationPropertiesFromHandle(memory.native()));
    }
    const MemoryLocation location(kind.properties.location);
    kind.device = location.device();
    // The host can access the mapping only if the access is set, even if the memory is of the host.
    std::vector<driver::CUmemAccessDesc> access;
    if (!kind.device) access.push_back(read_write(location.native()));
    access.push_back(read_write(MemoryLocation(device).native()));
    auto allocation = std::make_shared<VirtualAllocation>(kind, std::move(access), exported.reserved_size, 0);
    allocation->is_imported_ = true;
    allocation->import_parts(device, exported);
    return allocation;
}

void VirtualAllocation::import_parts(Device device, const ExportedMemory& exported) {
    const driver::CUmemAccessDesc own_access = read_write(MemoryLocation(device).native());
    bool has_access = false;
    {
        const std::lock_guard lock(mutex_);
        const std::size_t known = std::min(parts_.size(), exported.parts.size());
        const auto is_same = [](std::size_t size, const ExportedMemory::Part& part) { return size == part.size; };
        if (exported.reserved_size != reserved_size_ ||
            !std::equal(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(known), exported.parts.begin(), is_same)) {
            throw_misuse("the exported memory is not valid: its sizes differ from those of an earlier export");
        }
        const RelaxedCaptureMode mode;
        for (std::size_t part = known; part < exported.parts.size(); ++part) {
            const PhysicalHandle memory = import_memory(exported.kind, exported.parts[part]);
            map(memory.native(), exported.parts[part].size);
        }
        has_access = std::any_of(access_.begin(), access_.end(), [&](const driver::CUmemAccessDesc& each) {
            return each.location.type == own_access.location.type && each.location.id == own_access.location.id;
        });
    }
    if (!has_access) set_access(own_access);
}

}  // namespace CUBIND_NAMESPACE::detail
